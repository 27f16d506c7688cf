package work_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/mail"
	"typedinbox/shared/office"
	"typedinbox/shared/work"
)

// asOwner calls an operation as the owner in person and reads its body.
func asOwner[T any](t *testing.T, w *world, call func(context.Context, inbox.Call) (inbox.Answer, error)) T {
	t.Helper()
	var a inbox.Answer
	w.must(w.patient(func() (err error) { a, err = call(w.ctx, inbox.Call{Caller: owner}); return err }))
	var v T
	w.must(json.Unmarshal(a.Body, &v))
	return v
}

// TestSendAgain: the owner has a mail sent again that failed; the item leaves the
// list of those whose mail failed until it fails again.
func TestSendAgain(t *testing.T) {
	for name, c := range map[string]struct {
		template string
		links    bool
		begin    func(w *world) opened
	}{
		"ok/with the text it had": {"reply", false, func(w *world) opened {
			o := w.wrote("Are you open?")
			w.sweep()
			w.reply(owner, o, inbox.ReplyRequest{Body: "Yes."})
			return o
		}},
		"ok/with links, anew": {"booking.confirmed", true, func(w *world) opened {
			o := w.asked()
			w.sweep()
			w.fire(owner, o, "confirm", "")
			return o
		}},
	} {
		t.Run(name, func(t *testing.T) {
			w := embed(t, nil).with(func(c *work.Config) { c.PublicURL = "https://book.example.com" })
			o := c.begin(w)
			w.post.fails(refusedBy(mail.Final))
			w.sweep()
			failed := w.mailed(o.id, c.template)
			if failed.Status != inbox.MailFailed || !w.record(o.id).MailFailed || (len(failed.Links) > 0) != c.links {
				t.Fatalf("mail %s, links %v", failed.Status, failed.Links)
			}
			got := asOwner[inbox.MailView](t, w, func(ctx context.Context, c inbox.Call) (inbox.Answer, error) {
				return w.desk.GetMail(ctx, c, inbox.MailRequest{MailID: failed.ID})
			})
			if got.ID != failed.ID || got.Status != inbox.MailFailed || got.AddressHash == "" {
				t.Errorf("shown %+v", got)
			}
			again := func(ctx context.Context, c inbox.Call) (inbox.Answer, error) {
				return w.desk.SendAgain(ctx, c, inbox.SendAgainRequest{MailID: failed.ID})
			}
			first := asOwner[inbox.MailView](t, w, again)
			if first.ID == failed.ID || first.Status != inbox.MailQueued || first.Template != c.template || w.record(o.id).MailFailed {
				t.Errorf("again %+v, still listed %v", first, w.record(o.id).MailFailed)
			}
			w.post.before = nil
			w.sweep()
			sent := w.last(anaEmail)
			if sent.MailID != first.ID || c.links != strings.Contains(sent.text, "https://book.example.com/c/") || strings.Contains(sent.text, "…") {
				t.Errorf("sent %s, want %s:\n%s", sent.MailID, first.ID, sent.text)
			}
			second := asOwner[inbox.MailView](t, w, again)
			w.sweep()
			if second.ID == first.ID || len(w.to(anaEmail)) != 2 {
				t.Errorf("a second time: %+v, sent %v", second, w.to(anaEmail))
			}
			for name, c := range map[string]struct {
				caller inbox.Caller
				id     string
				code   inbox.Code
			}{
				"fail/assistant": {assistant, failed.ID, inbox.CodeNotAllowed},
				"fail/key":       {key, failed.ID, inbox.CodeNotAllowed},
				"fail/sent":      {owner, first.ID, inbox.CodeGuardFailed},
				"fail/unknown":   {owner, "x", inbox.CodeNotFound},
			} {
				_, err := w.desk.SendAgain(w.ctx, inbox.Call{Caller: c.caller}, inbox.SendAgainRequest{MailID: c.id})
				if codeOf(err) != c.code {
					t.Errorf("%s: %v", name, err)
				}
			}
			w.clean()
		})
	}
}

// TestSendAgainOnce: the same request twice is one mail.
func TestSendAgainOnce(t *testing.T) {
	w := embed(t, nil)
	o := w.wrote("Are you open?")
	w.sweep()
	w.reply(owner, o, inbox.ReplyRequest{Body: "Yes."})
	w.post.fails(refusedBy(mail.Final))
	w.sweep()
	call := inbox.Call{Caller: owner, IdempotencyKey: "k1"}
	req := inbox.SendAgainRequest{MailID: w.mailed(o.id, "reply").ID}
	a, err := w.desk.SendAgain(w.ctx, call, req)
	w.must(err)
	b, err := w.desk.SendAgain(w.ctx, call, req)
	w.must(err)
	w.sweep()
	if string(a.Body) != string(b.Body) || !b.Replayed || len(w.to(anaEmail)) != 1 {
		t.Errorf("%s, then %s; sent %v", a.Body, b.Body, w.to(anaEmail))
	}
}

// TestUnsuppress: the owner has an address tried again; the mail service's own
// list is told while the address is still the customer's.
func TestUnsuppress(t *testing.T) {
	w := embed(t, nil)
	var told []string
	w.desk.Config.Unsuppress = func(_ context.Context, address string) error { told = append(told, address); return nil }
	o, m := w.confirmation()
	w.heard(event("Bounce", m.ID, m.ProviderID, hard))
	s := w.suppression(anaEmail)
	drop := func(ctx context.Context, c inbox.Call) (inbox.Answer, error) {
		return w.desk.Unsuppress(ctx, c, inbox.SuppressionRequest{Hash: s.Hash})
	}
	if _, err := w.desk.Unsuppress(w.ctx, inbox.Call{Caller: assistant}, inbox.SuppressionRequest{Hash: s.Hash}); codeOf(err) != inbox.CodeNotAllowed {
		t.Errorf("an assistant may: %v", err)
	}
	if got := asOwner[inbox.Unsuppressed](t, w, drop); !got.Removed || !slices.Equal(told, []string{anaEmail}) {
		t.Errorf("%+v, told %v", got, told)
	}
	if got := asOwner[inbox.Unsuppressed](t, w, drop); got.Removed || len(told) != 1 {
		t.Errorf("again %+v, told %v", got, told)
	}
	w.post.mails = nil
	w.reply(owner, o, inbox.ReplyRequest{Body: "Hello again"})
	w.sweep()
	if got := w.to(anaEmail); !slices.Equal(got, []string{"reply"}) {
		t.Errorf("sent %v", got)
	}
	// The customer's own mail does the same.
	in := receiving(t, open(t, nil))
	_, m = in.confirmation()
	in.heard(event("Bounce", m.ID, m.ProviderID, hard))
	if in.suppression(anaEmail).Reason != inbox.SuppressHard {
		t.Fatal("not on the list")
	}
	in.arrives(letter{from: ana, subject: "Hello", text: "I am still here"})
	if got := in.suppression(anaEmail); got.Reason != "" {
		t.Errorf("still on the list: %+v", got)
	}
}

// TestOwnerNotices: listed, seen, made a message as they came, for the owner in
// person alone.
func TestOwnerNotices(t *testing.T) {
	w := receiving(t, open(t, nil))
	for i := range 3 {
		w.arrives(letter{from: "Bob <bob@example.com>", subject: fmt.Sprint("Away ", i), text: "I am away.", headers: []string{"Auto-Submitted: auto-replied"}})
	}
	two := 2
	list := func(cursor string) inbox.Page[inbox.NoticeView] {
		return asOwner[inbox.Page[inbox.NoticeView]](t, w.world, func(ctx context.Context, c inbox.Call) (inbox.Answer, error) {
			return w.desk.ListNotices(ctx, c, inbox.PageQuery{Limit: &two, Cursor: cursor})
		})
	}
	page := list("")
	if len(page.Items) != 2 || page.NextCursor == nil || *page.Items[0].Subject != "Away 2" {
		t.Fatalf("page %+v", page)
	}
	if rest := list(*page.NextCursor); len(rest.Items) != 1 || rest.NextCursor != nil || *rest.Items[0].Subject != "Away 0" {
		t.Errorf("then %+v", rest)
	}
	id := page.Items[0].ID
	seen := asOwner[inbox.NoticeView](t, w.world, func(ctx context.Context, c inbox.Call) (inbox.Answer, error) {
		return w.desk.SeeNotice(ctx, c, inbox.NoticeRequest{NoticeID: id})
	})
	if seen.SeenAt == nil || seen.ItemID != nil {
		t.Errorf("seen %+v", seen)
	}
	w.quiet()
	make := func(ctx context.Context, c inbox.Call) (inbox.Answer, error) {
		a, err := w.desk.NoticeToMessage(ctx, c, inbox.NoticeRequest{NoticeID: id})
		if err == nil && a.Status != http.StatusCreated {
			t.Errorf("status %d", a.Status)
		}
		return a, err
	}
	item := asOwner[inbox.OwnerView](t, w.world, make).Item
	again := asOwner[inbox.OwnerView](t, w.world, make).Item
	w.sweep()
	if item.Type != inbox.TypeMessage || *item.Subject != "Away 2" || item.Payload.Message.Text != "I am away." || item.ID != again.ID {
		t.Errorf("made %+v, then %s", item, again.ID)
	}
	e := w.lastEntry(item.ID)
	if _, err := w.blobs.Get(w.ctx, e.RawKey); err != nil || !strings.HasPrefix(e.RawKey, "items/"+item.ID) {
		t.Errorf("raw mail %s: %v", e.RawKey, err)
	}
	// No machine answers it; a person may.
	o := opened{item.ID, agent}
	w.reply(assistant, o, inbox.ReplyRequest{Body: "We are open."})
	w.sweep()
	if got := w.to("bob@example.com"); len(got) != 0 {
		t.Errorf("automation answered a machine: %v", got)
	}
	w.reply(owner, o, inbox.ReplyRequest{Body: "Thank you."})
	w.sweep()
	if got := w.to("bob@example.com"); !slices.Equal(got, []string{"reply"}) {
		t.Errorf("a person's answer: %v", got)
	}
	for name, c := range map[string]inbox.Caller{"fail/assistant": assistant, "fail/key": key, "fail/customer": agent} {
		call := inbox.Call{Caller: c}
		_, err1 := w.desk.ListNotices(w.ctx, call, inbox.PageQuery{})
		_, err2 := w.desk.SeeNotice(w.ctx, call, inbox.NoticeRequest{NoticeID: id})
		_, err3 := w.desk.NoticeToMessage(w.ctx, call, inbox.NoticeRequest{NoticeID: id})
		if codeOf(err1) != inbox.CodeNotAllowed || codeOf(err2) != inbox.CodeNotAllowed || codeOf(err3) != inbox.CodeNotAllowed {
			t.Errorf("%s: %v, %v, %v", name, err1, err2, err3)
		}
	}
	if _, err := w.desk.SeeNotice(w.ctx, inbox.Call{Caller: owner}, inbox.NoticeRequest{NoticeID: "x"}); codeOf(err) != inbox.CodeNotFound {
		t.Errorf("unknown: %v", err)
	}
	w.clean()
	w.wait(90 * inbox.Day)
	if _, err := w.desk.SeeNotice(w.ctx, inbox.Call{Caller: owner}, inbox.NoticeRequest{NoticeID: id}); codeOf(err) != inbox.CodeNotFound || len(list("").Items) != 0 {
		t.Errorf("past its time: %v", err)
	}
}

// TestMailStatus: whether mail can be sent, where it comes in, and who is not
// mailed.
func TestMailStatus(t *testing.T) {
	soon := monday.Add(inbox.Hour)
	for name, c := range map[string]struct {
		state   inbox.SenderState
		service string
		inbound string
		public  string
		sends   bool
		problem string
	}{
		"ok/sends":       {inbox.SenderState{DKIM: inbox.DKIMVerified}, "ses", inDomain, "https://book.example.com", true, ""},
		"ok/never asked": {inbox.SenderState{}, "mailbox", inDomain, "", true, ""},
		"ok/unverified":  {inbox.SenderState{DKIM: "PENDING"}, "ses", inDomain, "", false, "PENDING"},
		"ok/blocked":     {inbox.SenderState{DKIM: inbox.DKIMVerified, BlockedUntil: &soon}, "ses", "", "", true, "takes nothing"},
		"ok/no service":  {inbox.SenderState{}, "", "", "", false, "no mail service"},
	} {
		t.Run(name, func(t *testing.T) {
			w := embed(t, nil)
			_, err := w.store.ChangeSender(w.ctx, func(s *inbox.SenderState) bool { *s = c.state; return true })
			w.must(err)
			w.must(w.store.ChangeSuppression(w.ctx, "h", func(s *inbox.Suppression) *inbox.Suppression {
				s.Reason, s.Since, s.MailID = inbox.SuppressHard, monday, "M"
				return s
			}))
			o := office.New(office.Config{Store: w.store, Clock: w.now, MailDomain: domain, MailService: c.service, InboundDomain: c.inbound, PublicURL: c.public})
			v := asOwner[inbox.MailStatusView](t, w, func(ctx context.Context, call inbox.Call) (inbox.Answer, error) {
				return o.MailStatus(ctx, call, inbox.Nothing{})
			})
			problem := ""
			if v.SenderProblem != nil {
				problem = *v.SenderProblem
			}
			if (v.Sender != nil) != c.sends || !strings.Contains(problem, c.problem) || (problem == "") != (c.problem == "") {
				t.Errorf("sender %v, problem %q", v.Sender, problem)
			}
			if (v.InboundAddress != nil) != (c.inbound != "") || v.InboundAddress != nil && !strings.HasSuffix(*v.InboundAddress, "@"+inDomain) {
				t.Errorf("comes in at %v", v.InboundAddress)
			}
			if v.Links != (c.public != "") {
				t.Errorf("links %v with the address %q", v.Links, c.public)
			}
			if len(v.Suppressions) != 1 || v.Suppressions[0] != (inbox.SuppressionView{Hash: "h", Reason: inbox.SuppressHard, Since: monday, MailID: "M"}) {
				t.Errorf("list %+v", v.Suppressions)
			}
		})
	}
}

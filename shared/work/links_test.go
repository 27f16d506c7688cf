package work_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/canon"
	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/mail"
	"typedinbox/shared/work"
)

var (
	wholeLink = regexp.MustCompile(regexp.QuoteMeta(publicURL) + `/c/([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{22})(\s|$)`)
	anyLink   = regexp.MustCompile(regexp.QuoteMeta(publicURL) + `/c/`)
	cutLink   = regexp.MustCompile(regexp.QuoteMeta(publicURL) + `/c/([A-Za-z0-9_-]{22})\.…(\s|$)`)
)

// TestLinksOfMails: which links each mail has, on both sides of what the item
// allows (05 §6.3, 09).
func TestLinksOfMails(t *testing.T) {
	cases := map[string]struct {
		do       func(w *world) opened
		template string
		want     []inbox.LinkAction
	}{
		"ok/received booking":   {func(w *world) opened { o := w.asked(); w.wait(90 * inbox.Second); return o }, "ack.booking", []inbox.LinkAction{"cancel"}},
		"ok/received order":     {func(w *world) opened { o := w.ordered(); w.wait(90 * inbox.Second); return o }, "ack.order", []inbox.LinkAction{"cancel"}},
		"fail/received request": {func(w *world) opened { o := w.wanted(); w.wait(90 * inbox.Second); return o }, "ack.quote", nil},
		"ok/question":           {func(w *world) opened { o := w.asked(); w.fire(owner, o, "request_info", "How many?"); return o }, "needs_info", []inbox.LinkAction{"details"}},
		"ok/another time":       {func(w *world) opened { o := w.asked(); w.proposes(o, 2, ""); return o }, "booking.proposed", []inbox.LinkAction{"accept_time", "decline_time", "other_time"}},
		"ok/changes":            {func(w *world) opened { o := w.ordered(); w.sends(owner, o, "propose", ourOrder); return o }, "order.proposed", []inbox.LinkAction{"accept_order", "decline_order"}},
		"ok/quote":              {func(w *world) opened { o := w.wanted(); w.sends(owner, o, "quote", quotes("order", "")); return o }, "quote.quoted", []inbox.LinkAction{"accept_quote", "decline_quote"}},
		"ok/confirmed":          {func(w *world) opened { return w.confirmed() }, "booking.confirmed", []inbox.LinkAction{"change_time", "cancel"}},
		"ok/booking paid":       {func(w *world) opened { return w.paid() }, "booking.paid", []inbox.LinkAction{"change_time", "withdraw"}},
		"ok/order accepted":     {func(w *world) opened { return w.taken() }, "order.accepted", []inbox.LinkAction{"cancel", "withdraw"}},
		"ok/order paid":         {func(w *world) opened { return w.sold(false) }, "order.paid", []inbox.LinkAction{"withdraw"}},
		"ok/order sent":         {func(w *world) opened { return w.sold(true) }, "order.fulfilled", []inbox.LinkAction{"withdraw"}},
		"fail/sold to businesses": {func(w *world) opened {
			w.settings(`{"commerce":{"customers":"businesses"}}`)
			return w.sold(true)
		}, "order.fulfilled", nil},
		"ok/a quote that became a booking": {func(w *world) opened {
			o := w.wanted()
			w.sends(owner, o, "quote", quotes("booking", ""))
			w.sweep()
			w.accepts(o)
			return o
		}, "quote.accepted", []inbox.LinkAction{"change_time", "cancel"}},
		"ok/we ask for a change": {func(w *world) opened { o := w.confirmed(); w.moves(owner, o, 24); return o }, "booking.change.propose", []inbox.LinkAction{"accept_change", "keep_as_is"}},
		"fail/they ask for one":  {func(w *world) opened { o := w.confirmed(); w.suggests(o, 24); return o }, "booking.change.propose", nil},
		"fail/cancelled":         {func(w *world) opened { o := w.confirmed(); w.cancels(o, ""); return o }, "cancelled.as_asked", nil},
		"ok/reply while proposed": {func(w *world) opened {
			o := w.asked()
			w.proposes(o, 2, "")
			w.reply(owner, o, inbox.ReplyRequest{Body: "Well?"})
			return o
		}, "reply", []inbox.LinkAction{"accept_time", "decline_time", "other_time"}},
		"ok/reply on a promise": {func(w *world) opened {
			o := w.confirmed()
			w.reply(owner, o, inbox.ReplyRequest{Body: "See you."})
			return o
		}, "reply", []inbox.LinkAction{"change_time"}},
		"fail/reply on a request": {func(w *world) opened { o := w.asked(); w.reply(owner, o, inbox.ReplyRequest{Body: "Soon."}); return o }, "reply", nil},
		"fail/too late to move it": {func(w *world) opened {
			o := w.confirmed()
			w.settings(`{"booking":{"minNoticeMin":10000}}`)
			w.reply(owner, o, inbox.ReplyRequest{Body: "See you."})
			return o
		}, "reply", nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := embed(t, nil).linked()
			o := c.do(w)
			w.sweep()
			m := w.mailed(o.id, c.template)
			var got []inbox.LinkAction
			for _, a := range inbox.LinkActions {
				if m.Links[a] != "" {
					got = append(got, a)
				}
			}
			if !slices.Equal(got, c.want) || len(m.Links) != len(c.want) {
				t.Fatalf("links %v, want %v:\n%s", m.Links, c.want, m.Body)
			}
			w.checkLinks(o, m)
			w.clean()
		})
	}
}

// checkLinks: the log has every link cut, what was sent has it whole, and its row
// is what the secret half vouches for.
func (w *world) checkLinks(o opened, m inbox.Mail) {
	w.t.Helper()
	var out sent
	for _, s := range w.post.all() {
		if s.MailID == m.ID {
			out = s
		}
	}
	if n := len(anyLink.FindAllString(m.Body, -1)); n != len(m.Links) || len(cutLink.FindAllString(m.Body, -1)) != n {
		w.t.Errorf("the log holds %d links, %d of them cut", n, len(cutLink.FindAllString(m.Body, -1)))
	}
	found := wholeLink.FindAllStringSubmatch(out.text, -1)
	if len(found) != len(m.Links) || len(anyLink.FindAllString(out.text, -1)) != len(found) {
		w.t.Fatalf("%d whole links were sent, %d were made:\n%s", len(found), len(m.Links), out.text)
	}
	jtis := slices.Collect(maps.Values(m.Links))
	rows, err := w.store.Links(w.ctx, jtis)
	w.must(err)
	for _, l := range rows {
		claim := canon.LinkClaim{JTI: l.JTI, ItemID: l.ItemID, Action: string(l.Action), ExpiresMS: int64(l.ExpiresAt), TermsSHA: l.TermsSHA}
		i := slices.IndexFunc(found, func(f []string) bool { return f[1] == l.JTI })
		if i < 0 || !w.config.Ring.VerifyLink(l.KID, claim, found[i][2]) {
			w.t.Errorf("%s was not sent as its row says", l.Action)
		}
		if m.Links[l.Action] != l.JTI || l.MailKey != m.JobKey || l.Lang != m.Lang || l.UsedAt != nil || l.TermsSHA == "" || l.Until <= w.now() || l.ExpiresAt != l.Until+inbox.LinkGrace {
			w.t.Errorf("%+v of %+v", l, m.Links)
		}
	}
	if len(rows) != len(m.Links) {
		w.t.Errorf("%d rows of %d links", len(rows), len(m.Links))
	}
}

// TestLinksOnRetry: a mail that is tried again goes out with the same text and
// the same links, also after the secret was rotated.
func TestLinksOnRetry(t *testing.T) {
	w := embed(t, nil).linked()
	o := w.asked()
	w.sweep()
	w.quiet()
	w.post.fails(refusedBy(mail.Retryable), refusedBy(mail.Retryable))
	w.proposes(o, 2, "")
	w.sweep()
	before := w.mailed(o.id, "booking.proposed")
	ring, err := canon.NewRing("a-newer-secret-that-is-long-enough,a-secret-for-tests-that-is-long-enough")
	w.must(err)
	w.with(func(c *work.Config) { c.Ring = ring })
	for range 5 {
		w.wait(5 * inbox.Minute)
		w.sweep()
	}
	after := w.mailed(o.id, "booking.proposed")
	if before.Body != after.Body || !maps.Equal(before.Links, after.Links) || after.Status != inbox.MailSent || after.Attempts < 2 {
		t.Errorf("%+v, then %+v", before, after)
	}
	w.checkLinks(o, after)
}

// TestForeignLinks: a cut link of another mail that is pasted into a reply stays
// cut, and a whole one is cut before it is kept (05 §1.1, §6.2).
func TestForeignLinks(t *testing.T) {
	w := embed(t, nil).linked()
	o := w.asked()
	w.proposes(o, 2, "")
	w.sweep()
	logged := cutLink.FindString(w.mailed(o.id, "booking.proposed").Body)
	whole := wholeLink.FindString(w.last(anaEmail).text)
	w.reply(owner, o, inbox.ReplyRequest{Body: "Here: " + strings.TrimSpace(logged) + " or " + strings.TrimSpace(whole)})
	w.sweep()
	m := w.mailed(o.id, "reply")
	said, _, _ := strings.Cut(w.last(anaEmail).text, "\n\n")
	if wholeLink.MatchString(said) || strings.Contains(m.Body, strings.TrimSpace(whole)) || strings.Count(said, ".…") != 2 {
		t.Errorf("sent:\n%s\nkept:\n%s", said, m.Body)
	}
}

// TestNoLinks: without a public origin or a secret the mail asks for a reply; a
// test item's mail is kept with its links and never sent.
func TestNoLinks(t *testing.T) {
	const byReply = "Please answer by replying to this email."
	for name, c := range map[string]struct {
		do     func(w *world)
		linked bool
	}{
		"ok/no public origin": {func(w *world) { w.with(func(c *work.Config) { c.PublicURL = "" }) }, false},
		"ok/no secret":        {func(w *world) { w.with(func(c *work.Config) { c.Ring = canon.Ring{} }) }, false},
		"ok/linked":           {func(*world) {}, true},
		"ok/test item":        {func(*world) { sandbox.Store(true) }, true},
	} {
		t.Run(name, func(t *testing.T) {
			defer sandbox.Store(false)
			w := embed(t, nil).linked()
			c.do(w)
			o := w.asked()
			w.proposes(o, 2, "")
			w.sweep()
			m := w.mailed(o.id, "booking.proposed")
			if strings.Contains(m.Body, byReply) == c.linked || (len(m.Links) > 0) != c.linked || strings.Contains(m.Body, "/c/") != c.linked {
				t.Errorf("%v:\n%s", m.Links, m.Body)
			}
		})
	}
}

// TestThreads: what a mail answers and refers to, and where an answer to it goes
// (05 §4.3, §4.4).
func TestThreads(t *testing.T) {
	w := embed(t, nil).linked()
	o := w.confirmed()
	first := w.last(anaEmail)
	anchor := first.header.Get("In-Reply-To")
	if !regexp.MustCompile(`^<a\.[A-Za-z0-9_-]{22}@`+regexp.QuoteMeta(domain)+`>$`).MatchString(anchor) || first.header.Get("References") != anchor {
		t.Errorf("the first mail answers %q, refers to %q", anchor, first.header.Get("References"))
	}
	token := w.config.Ring.ReplyToken(o.id)
	if got := first.header.Get("Reply-To"); got != "reply+"+token+"@in."+domain || len(token) != 26 {
		t.Errorf("answers go to %q", got)
	}
	if id, err := w.store.ByReplyTokens(w.ctx, []string{token}); err != nil || id != o.id {
		t.Errorf("the address leads to %q, %v", id, err)
	}
	for _, id := range []string{"one@mail.example", "two@mail.example", "three@mail.example"} {
		w.mailedIn(o, id)
	}
	for range 3 {
		w.reply(owner, o, inbox.ReplyRequest{Body: "See you."})
		w.sweep()
	}
	last := w.last(anaEmail)
	want := []string{anchor, "<one@mail.example>", "<three@mail.example>", "<0100-", "<0100-"}
	got := strings.Fields(last.header.Get("References"))
	if last.header.Get("In-Reply-To") != "<three@mail.example>" || len(got) != len(want) {
		t.Fatalf("answers %q, refers to %q", last.header.Get("In-Reply-To"), got)
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("refers to %q, want %q", got, want)
		}
	}
	if got := w.last(ownerEmail).header.Get("Reply-To"); got != "no-reply@in."+domain {
		t.Errorf("the owner's answers go to %q", got)
	}
	w.settings(`{"email":{"replyTo":"studio@own.example"}}`)
	w.reply(owner, o, inbox.ReplyRequest{Body: "Bye."})
	w.sweep()
	if got := w.last(anaEmail).header.Get("Reply-To"); got != "studio@own.example" {
		t.Errorf("answers go to %q", got)
	}
}

// mailedIn puts a mail of Ana's on an item, as receiving does.
func (w *world) mailedIn(o opened, messageID string) {
	w.t.Helper()
	rec := w.record(o.id)
	read := rec.Rev
	rec.Rev++
	e := inbox.Entry{
		ID: w.config.Source.ID(w.now()), ItemID: o.id, Direction: inbox.DirectionIn, Channel: inbox.ChannelEmail,
		ActorKind: inbox.CustomerHuman, BodyText: "Hello", MessageID: messageID, CreatedAt: w.now(),
	}
	rec.LastEntryID = e.ID
	w.must(w.patient(func() error {
		return w.store.Commit(w.ctx, decide.Write{Items: []decide.ItemWrite{{Record: *rec, Expect: read}}, Entries: []inbox.Entry{e}})
	}))
	w.wait(1)
}

// TestBoundsOfThreads: hostile message ids of a customer's never reach a header,
// and no header grows beyond its bounds.
func TestBoundsOfThreads(t *testing.T) {
	for name, id := range map[string]string{
		"fail/line break": "a@b\r\nBcc: evil@example.com", "fail/blank": "a b@c", "fail/brackets": "a>, <b", "fail/long": strings.Repeat("x", 900) + "@y",
		"fail/not ASCII": "á@b", "fail/control": "a\x00@b", "fail/empty": "",
	} {
		t.Run(name, func(t *testing.T) {
			w := embed(t, nil).linked()
			o := w.confirmed()
			w.mailedIn(o, id)
			w.reply(owner, o, inbox.ReplyRequest{Body: "Hi."})
			w.sweep()
			h := w.last(anaEmail).header
			if !strings.HasPrefix(h.Get("In-Reply-To"), "<a.") || h.Get("Bcc") != "" || len(strings.Fields(h.Get("References"))) != 2 {
				t.Errorf("answers %q, refers to %q", h.Get("In-Reply-To"), h.Get("References"))
			}
		})
	}
}

package work_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/mail"
	"typedinbox/shared/work"
)

// TestHeaders holds a mail to the customer and one to the owner to 05 §4.3.
func TestHeaders(t *testing.T) {
	w := embed(t, nil)
	o := w.asked()
	w.fire(owner, o, "confirm", "")
	w.sweep()
	first := w.last(anaEmail)
	w.reply(owner, o, inbox.ReplyRequest{Body: "See you."})
	w.sweep()
	second := w.last(anaEmail)
	w.reply(assistant, o, inbox.ReplyRequest{Body: "Bring a hat."})
	w.sweep()
	third := w.last(anaEmail)
	told := w.last(ownerEmail)

	anchor, err := w.store.Anchor(w.ctx, o.id)
	w.must(err)
	if anchor == nil || !strings.HasPrefix(anchor.MessageID, "<a.") || !strings.HasSuffix(anchor.MessageID, "@"+domain+">") || len(anchor.MessageID) != len("<a.@>")+22+len(domain) {
		t.Fatalf("anchor %+v", anchor)
	}
	wire := func(template string) string { return "<" + w.mailed(o.id, template).ProviderID + "@mail.invalid>" }
	replies := []string{}
	for _, m := range w.mails(o.id) {
		if m.Template == "reply" {
			replies = append(replies, "<"+m.ProviderID+"@mail.invalid>")
		}
	}
	for name, c := range map[string]struct {
		m    sent
		want map[string]string
	}{
		"ok/confirmed by a person": {first, map[string]string{
			"From": `"Studio Lumen" <` + first.From + ">", "To": anaEmail, "Reply-To": ownerEmail,
			"In-Reply-To": anchor.MessageID, "References": anchor.MessageID,
			"X-Auto-Response-Suppress": "OOF, AutoReply", "Content-Language": "en", "Auto-Submitted": "", "Precedence": "", "List-Unsubscribe": "",
		}},
		"ok/reply by a person": {second, map[string]string{
			"In-Reply-To": anchor.MessageID, "References": anchor.MessageID + " " + wire("booking.confirmed"), "Auto-Submitted": "",
		}},
		"ok/reply by the assistant": {third, map[string]string{
			"References": anchor.MessageID + " " + wire("booking.confirmed") + " " + replies[0], "Auto-Submitted": "auto-replied",
		}},
		"ok/to the owner": {told, map[string]string{
			"To": ownerEmail, "Reply-To": "no-reply@" + domain, "Auto-Submitted": "auto-generated", "In-Reply-To": "", "References": "",
			"X-Auto-Response-Suppress": "OOF, AutoReply",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			for k, v := range c.want {
				if got := c.m.header.Get(k); got != v {
					t.Errorf("%s: %q, want %q", k, got, v)
				}
			}
			id, ok := w.config.Ring.OwnMailID(c.m.header.Get("X-Inbox-Mail"))
			if !ok || id != c.m.MailID {
				t.Errorf("mark %q is not of mail %s", c.m.header.Get("X-Inbox-Mail"), c.m.MailID)
			}
			if !strings.HasSuffix(c.m.From, "@"+domain) {
				t.Errorf("sent from %s", c.m.From)
			}
		})
	}
}

// TestSenderAndAnswers: whose name a mail carries and where an answer goes
// (05 §4.1, §4.4).
func TestSenderAndAnswers(t *testing.T) {
	cases := map[string]struct {
		settings            string
		owner               string
		from, replyTo, told string
	}{
		"ok/profile's name, owner's address": {`{}`, ownerEmail, `"Studio Lumen"`, ownerEmail, ownerEmail},
		"ok/a name and a mailbox of its own": {
			`{"email":{"fromName":"Lumen & Co","replyTo":"hello@lumen.example","fromAddress":"desk@studio.example"}}`, ownerEmail,
			`"Lumen & Co" <desk@studio.example>`, "hello@lumen.example", ownerEmail,
		},
		"ok/owner's mails elsewhere": {`{"notifications":{"ownerEmail":"alerts@lumen.example"}}`, ownerEmail, `"Studio Lumen"`, "alerts@lumen.example", "alerts@lumen.example"},
		"ok/nobody to answer to":     {`{"email":{"replyTo":"hello@lumen.example"}}`, "", `"Studio Lumen"`, "hello@lumen.example", ""},
		"ok/no address at all":       {`{}`, "", `"Studio Lumen"`, "", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := embed(t, nil).with(func(k *work.Config) { k.OwnerEmail = c.owner })
			w.settings(c.settings)
			o := w.asked()
			w.fire(owner, o, "confirm", "")
			w.sweep()
			m := w.last(anaEmail)
			if got := m.header.Get("From"); !strings.HasPrefix(got, c.from) {
				t.Errorf("From %s, want %s", got, c.from)
			}
			if got := m.header.Get("Reply-To"); got != c.replyTo {
				t.Errorf("Reply-To %q, want %q", got, c.replyTo)
			}
			if c.told == "" {
				if m := w.mailed(o.id, "owner.create"); m.Status != inbox.MailSkipped || m.SkipReason != inbox.SkipNoAddress {
					t.Errorf("owner's mail is %s %s", m.Status, m.SkipReason)
				}
				return
			}
			if got := w.to(c.told); !slices.Equal(got, []string{"owner.create"}) {
				t.Errorf("owner heard %v", got)
			}
		})
	}
}

// TestNotMailed: what is kept as not sent, and why; it is rendered in full and
// the mail service is not called (05 §3.7).
func TestNotMailed(t *testing.T) {
	cases := map[string]struct {
		do    func(w *world) opened
		want  inbox.SkipReason
		owner inbox.SkipReason // "" when the owner is mailed
	}{
		"ok/test item": {func(w *world) opened {
			sandbox.Store(true)
			defer sandbox.Store(false)
			return w.asked()
		}, inbox.SkipTestItem, inbox.SkipTestItem},
		"ok/test mode at creation": {func(w *world) opened {
			w.settings(`{"testMode":true}`)
			o := w.asked()
			w.settings(`{"testMode":false}`)
			return o
		}, inbox.SkipTestItem, inbox.SkipTestItem},
		"ok/no address": {func(w *world) opened {
			return w.asked(func(r *inbox.CreateBookingRequest) {
				r.Contact = &inbox.Contact{Name: "Ana", Phone: "+351 912 345 678"}
			})
		}, inbox.SkipNoAddress, ""},
		"ok/no contact": {func(w *world) opened {
			return w.asked(func(r *inbox.CreateBookingRequest) { r.Contact = nil })
		}, inbox.SkipNoAddress, ""},
		"ok/no mail domain": {func(w *world) opened {
			w.with(func(c *work.Config) { c.MailDomain = "" })
			return w.asked()
		}, inbox.SkipNoSender, inbox.SkipNoSender},
		"ok/no mail service": {func(w *world) opened {
			w.with(func(c *work.Config) { c.Sender = nil })
			return w.asked()
		}, inbox.SkipNoService, inbox.SkipNoService},
		"ok/address where our mail comes in": {func(w *world) opened {
			w.with(func(c *work.Config) { c.InboundDomain = "in." + domain })
			return w.asked(email("Booking@In.Studio.Example"))
		}, inbox.SkipOwnAddress, ""},
		"fail/address of the business's own": {func(w *world) opened {
			w.with(func(c *work.Config) { c.InboundDomain = "in." + domain })
			return w.asked(email("booking@" + domain))
		}, "", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := embed(t, nil)
			o := c.do(w)
			w.fire(owner, o, "confirm", "")
			w.sweep()
			for template, want := range map[string]inbox.SkipReason{"booking.confirmed": c.want, "owner.create": c.owner} {
				m := w.mailed(o.id, template)
				if m.SkipReason != want || (want != "") != (m.Status == inbox.MailSkipped) {
					t.Errorf("%s is %s %q, want %q", template, m.Status, m.SkipReason, want)
				}
				if m.Subject == "" || !strings.Contains(m.Body, "Portrait") || m.Attempts != 0 && want != "" {
					t.Errorf("%s is not kept in full: %+v", template, m)
				}
			}
			for _, m := range w.post.all() {
				if m.Template == "booking.confirmed" && c.want != "" || c.owner != "" {
					t.Errorf("sent %s to %s", m.Template, m.To)
				}
			}
			if next, err := w.Due(w.ctx); err != nil || next != nil && *next <= w.now() {
				t.Errorf("still due at %v %v", next, err)
			}
		})
	}
}

// outcome is what one answer of the mail service leads to.
type outcome struct {
	status   inbox.MailStatus
	attempts int
	wait     int64 // milliseconds until the next try, 0 for none
}

// TestAnswers: each class of refusal (05 §4.7, 09).
func TestAnswers(t *testing.T) {
	cases := map[string]struct {
		err  error
		want outcome
	}{
		"ok/taken":          {nil, outcome{inbox.MailSent, 1, 0}},
		"fail/server error": {refusedBy(mail.Retryable), outcome{inbox.MailRetrying, 1, 60 * inbox.Second}},
		"fail/unknown":      {errors.New("broken pipe"), outcome{inbox.MailRetrying, 1, 60 * inbox.Second}},
		"fail/throttled":    {refusedBy(mail.Throttled), outcome{inbox.MailRetrying, 0, 60 * inbox.Second}},
		"fail/quota":        {refusedBy(mail.QuotaExceeded), outcome{inbox.MailRetrying, 0, 60 * inbox.Minute}},
		"fail/blocked":      {refusedBy(mail.SenderBlocked), outcome{inbox.MailRetrying, 0, 15 * inbox.Minute}},
		"fail/final":        {refusedBy(mail.Final), outcome{inbox.MailFailed, 1, 0}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := embed(t, nil)
			o := w.asked()
			w.sweep()
			w.post.fails(c.err)
			w.fire(owner, o, "confirm", "")
			w.sweep()
			m := w.mailed(o.id, "booking.confirmed")
			got := outcome{m.Status, m.Attempts, 0}
			if m.NextAt != nil {
				got.wait = int64(*m.NextAt - w.now())
			}
			if got != c.want {
				t.Errorf("got %+v, want %+v", got, c.want)
			}
			if strings.Contains(m.LastError, "@example") || (c.err != nil) != (m.LastError != "") {
				t.Errorf("last error %q", m.LastError)
			}
			if c.want.wait == 0 {
				return
			}
			// A moment before it is due nothing is sent; then the same text goes out.
			w.wait(c.want.wait - 1)
			w.sweep()
			if got := w.to(anaEmail); slices.Contains(got, "booking.confirmed") {
				t.Error("sent before its time")
			}
			w.wait(1)
			w.sweep()
			after := w.mailed(o.id, "booking.confirmed")
			if after.Status != inbox.MailSent || after.Body != m.Body || after.ID != m.ID || after.LastError != "" {
				t.Errorf("then %+v", after)
			}
			if n := count(w.to(anaEmail), "booking.confirmed"); n != 1 {
				t.Errorf("sent %d times", n)
			}
		})
	}
}

func count(list []string, s string) int {
	n := 0
	for _, x := range list {
		if x == s {
			n++
		}
	}
	return n
}

// TestBackOff: eight attempts, 60 s, 2, 4, 8, 16, 32 and 64 minutes apart
// (05 §4.7), then the item asks for a person (05 §4.10).
func TestBackOff(t *testing.T) {
	w := embed(t, nil)
	o := w.asked()
	w.sweep()
	w.fire(owner, o, "confirm", "")
	w.post.before = func(_ int, out mail.Outgoing) error {
		if out.To == anaEmail {
			return refusedBy(mail.Retryable)
		}
		return nil
	}
	minute := int64(inbox.Minute)
	for i, wait := range []int64{minute, 2 * minute, 4 * minute, 8 * minute, 16 * minute, 32 * minute, 64 * minute} {
		w.sweep()
		m := w.mailed(o.id, "booking.confirmed")
		if m.Status != inbox.MailRetrying || m.Attempts != i+1 || int64(*m.NextAt-w.now()) != wait {
			t.Fatalf("after attempt %d: %s, %d, next in %d ms", i+1, m.Status, m.Attempts, int64(*m.NextAt-w.now()))
		}
		w.wait(wait)
	}
	w.sweep()
	if m := w.mailed(o.id, "booking.confirmed"); m.Status != inbox.MailFailed || m.Attempts != 8 {
		t.Fatalf("at the end %s, %d", m.Status, m.Attempts)
	}
	w.wait(inbox.Day)
	w.sweep()
	given(t, w, o, 1)
}

// given checks what a mail that failed for good leaves on its item.
func given(t *testing.T, w *world, o opened, notes int) {
	t.Helper()
	r := w.record(o.id)
	if !r.MailFailed || !r.Item.Flags.NeedsHuman || r.Item.State != inbox.StateConfirmed {
		t.Errorf("item %+v, flags %+v, failed %v", r.Item.State, r.Item.Flags, r.MailFailed)
	}
	found := 0
	entries, err := w.store.Thread(w.ctx, o.id, 0)
	w.must(err)
	for _, e := range entries {
		if e.Direction == inbox.DirectionNote && strings.Contains(e.BodyText, "could not be mailed") {
			found++
			if e.ActorKind != inbox.System || strings.Contains(e.BodyText, anaEmail) {
				t.Errorf("note %+v", e)
			}
		}
	}
	flags := 0
	events, err := w.store.Events(w.ctx, o.id)
	w.must(err)
	for _, e := range events {
		if e.Event == inbox.EventFlags && e.ActorKind == inbox.System && e.Reason != nil {
			flags++
		}
	}
	if found != notes || flags != 1 {
		t.Errorf("%d notes, %d flags events", found, flags)
	}
	if n := w.log.metric(work.MetricMailsFailed); n != int64(notes) {
		t.Errorf("%d mails counted as failed", n)
	}
	list, _, err := w.store.ListItems(w.ctx, listFailed)
	w.must(err)
	if len(list) != 1 || list[0].Item.ID != o.id {
		t.Errorf("%d items in the list of failed mail", len(list))
	}
	w.clean()
}

// TestFailedTwice: a second mail that fails adds its note; the item asks for a
// person already, so no event is written.
func TestFailedTwice(t *testing.T) {
	w := embed(t, nil)
	o := w.asked()
	w.sweep()
	w.post.fails(refusedBy(mail.Final))
	w.fire(owner, o, "confirm", "")
	w.sweep()
	w.post.fails(refusedBy(mail.Final))
	w.reply(owner, o, inbox.ReplyRequest{Body: "Did it reach you?"})
	w.sweep()
	given(t, w, o, 2)
}

// TestOwnersMailFailed leaves the item alone: only a customer's mail asks for a
// person.
func TestOwnersMailFailed(t *testing.T) {
	w := embed(t, nil)
	w.post.fails(refusedBy(mail.Final))
	o := w.asked()
	w.sweep()
	if m := w.mailed(o.id, "owner.create"); m.Status != inbox.MailFailed {
		t.Errorf("owner's mail is %s", m.Status)
	}
	if r := w.record(o.id); r.MailFailed || r.Item.Flags.NeedsHuman {
		t.Errorf("item %+v", r)
	}
	if w.log.metric(work.MetricMailsFailed) != 1 {
		t.Error("not counted")
	}
}

// TestUnsendable: a mail that cannot be built is final; nothing is handed over.
func TestUnsendable(t *testing.T) {
	w := embed(t, nil)
	o := w.asked()
	w.sweep()
	w.quiet()
	w.reply(owner, o, inbox.ReplyRequest{Body: strings.Repeat("\U0001F33B", 22_000)})
	w.sweep()
	handed := slices.DeleteFunc(w.post.all(), func(s sent) bool { return s.Template == "owner.mail_failed" })
	if m := w.mailed(o.id, "reply"); m.Status != inbox.MailFailed || len(handed) != 0 {
		t.Errorf("%s after %d hand-overs: %s", m.Status, len(handed), m.LastError)
	}
}

// TestCircuit: after the service said that it takes nothing from us, no other
// mail is handed over until 15 minutes are over, and none uses up an attempt.
func TestCircuit(t *testing.T) {
	w := embed(t, nil)
	w.post.fails(refusedBy(mail.SenderBlocked))
	var asked []opened
	for i := range 5 {
		asked = append(asked, w.asked(email(fmt.Sprintf("c%d@example.com", i))))
	}
	w.sweep()
	// Up to as many as are sent at once may have begun before the answer came.
	if n := w.post.calls; n > 8 {
		t.Errorf("%d hand-overs", n)
	}
	calls := w.post.calls
	w.wait(15*inbox.Minute - 1)
	w.sweep()
	for _, o := range asked {
		for _, m := range w.mails(o.id) {
			if m.Status == inbox.MailRetrying && (m.Attempts != 0 || *m.NextAt != w.now()+1) {
				t.Errorf("a blocked attempt counted, or comes again too early: %+v", m)
			}
		}
	}
	if w.post.calls != calls {
		t.Errorf("handed over while blocked: %d", w.post.calls-calls)
	}
	w.wait(1)
	w.sweep()
	if n := times(w.to(ownerEmail), "owner.create"); n != 5 {
		t.Errorf("owner heard %d times, want 5", n)
	}
	if w.log.metric(work.MetricSenderBlocked) != 1 {
		t.Error("not counted")
	}
}

// TestWhenSent: whom a mail goes to, and whether, is judged again when it is
// sent (05 §4.5): the address is on no row.
func TestWhenSent(t *testing.T) {
	cases := map[string]struct {
		change func(w *world, o opened)
		to     string
		want   inbox.SkipReason
	}{
		"ok/a new address":    {func(w *world, o opened) { w.party(o, func(p *inbox.Party) { p.Contact.Email = "new@example.com" }) }, "new@example.com", ""},
		"ok/address gone":     {func(w *world, o opened) { w.party(o, func(p *inbox.Party) { p.Contact.Email = "" }) }, "", inbox.SkipNoAddress},
		"ok/erased":           {func(w *world, o opened) { w.party(o, func(p *inbox.Party) { p.ErasedAt = inbox.Ptr(w.now()) }) }, "", inbox.SkipErased},
		"ok/mail domain gone": {func(w *world, _ opened) { w.with(func(c *work.Config) { c.MailDomain = "" }) }, "", inbox.SkipNoSender},
		"ok/service gone":     {func(w *world, _ opened) { w.with(func(c *work.Config) { c.Sender = nil }) }, "", inbox.SkipNoService},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := embed(t, nil)
			o := w.asked()
			w.sweep()
			w.post.fails(refusedBy(mail.Retryable))
			w.fire(owner, o, "confirm", "")
			w.sweep()
			c.change(w, o)
			w.wait(inbox.Minute)
			w.sweep()
			m := w.mailed(o.id, "booking.confirmed")
			if m.SkipReason != c.want || (c.want == "") != (m.Status == inbox.MailSent) {
				t.Errorf("%s %q, want %q", m.Status, m.SkipReason, c.want)
			}
			if c.to != "" && !slices.Equal(w.to(c.to), []string{"booking.confirmed"}) {
				t.Errorf("%s heard %v", c.to, w.to(c.to))
			}
			if slices.Contains(w.to(anaEmail), "booking.confirmed") {
				t.Error("sent to the old address")
			}
		})
	}
}

// TestWordsOfStrangers: what a customer typed adds no header and no line to a
// mail, and the owner's mail shows one line of it at most (05 §1.1, §3.4).
func TestWordsOfStrangers(t *testing.T) {
	w := embed(t, nil)
	evil := "Ana\r\nBcc: victim@example.com\r\n\r\nhttps://evil.example"
	o := w.created(func(c inbox.Call) (inbox.Answer, error) {
		return w.desk.SendMessage(w.ctx, c, inbox.SendMessageRequest{
			Body: "First line\r\n.\r\nSubject: second " + strings.Repeat("long ", 100), Subject: "Hi\r\nBcc: victim@example.com",
			Contact: &inbox.Contact{Name: evil, Email: anaEmail},
		})
	})
	w.fire(owner, o, "answer", "")
	w.sweep()
	told, answered := w.last(ownerEmail), w.last(anaEmail)
	for _, m := range []sent{told, answered} {
		for _, h := range []string{"Bcc", "Cc"} {
			if got := m.header.Get(h); got != "" {
				t.Errorf("%s has %s: %s", m.Template, h, got)
			}
		}
		if s := m.subject(); strings.ContainsAny(s, "\r\n") || !strings.Contains(s, "Hi Bcc: victim@example.com") {
			t.Errorf("%s: subject %q", m.Template, s)
		}
		for _, line := range strings.Split(m.text, "\n") {
			for _, start := range []string{"Bcc:", "https:", ".", "Subject: second"} {
				if strings.HasPrefix(line, start) {
					t.Errorf("%s has a line of a stranger's: %q", m.Template, line)
				}
			}
		}
	}
	shown := ""
	for _, line := range strings.Split(told.text, "\n") {
		if strings.HasPrefix(line, "First line") {
			shown = line
		}
	}
	if n := len([]rune(shown)); n == 0 || n > 201 {
		t.Errorf("%d characters of the customer's words are shown: %q", n, shown)
	}
	if strings.Contains(answered.text, "First line") {
		t.Errorf("the customer's words are sent back:\n%s", answered.text)
	}
}

package work_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/mail"
	"typedinbox/shared/work"
)

// event is an event of the mail service's as its queue holds it.
func event(kind, mailID, providerID, more string) []byte {
	if more != "" {
		more = "," + more
	}
	return []byte(fmt.Sprintf(`{"eventType":%q,"mail":{"messageId":%q,"timestamp":"2026-10-05T09:00:00Z","tags":{"mail_id":[%q],"kind":["x"]}}%s}`, kind, providerID, mailID, more))
}

const (
	hard   = `"bounce":{"bounceType":"Permanent","bounceSubType":"General","timestamp":"2026-10-05T09:00:00Z","bouncedRecipients":[{"emailAddress":"ana@example.com","status":"5.1.1","diagnosticCode":"smtp; 550 no such user ana@example.com"}]}`
	soft   = `"bounce":{"bounceType":"Transient","bounceSubType":"MailboxFull","timestamp":"2026-10-05T09:00:00Z","bouncedRecipients":[{"emailAddress":"ana@example.com","status":"4.2.2"}]}`
	unsure = `"bounce":{"bounceType":"Undetermined","bounceSubType":"Undetermined","timestamp":"2026-10-05T09:00:00Z","bouncedRecipients":[{"emailAddress":"ana@example.com"}]}`
)

// confirmation is a booking whose confirmation went out, and that mail.
func (w *world) confirmation() (opened, inbox.Mail) {
	w.t.Helper()
	o := w.asked()
	w.fire(owner, o, "confirm", "")
	w.sweep()
	return o, w.mailed(o.id, "booking.confirmed")
}

func (w *world) heard(body []byte) {
	w.t.Helper()
	w.must(w.patient(func() error { return w.TakeMailEvent(w.ctx, body) }))
}

// suppression is what is remembered of an address.
func (w *world) suppression(address string) inbox.Suppression {
	w.t.Helper()
	hash, err := w.store.AddressHash(w.ctx, address)
	w.must(err)
	s, err := w.store.Suppression(w.ctx, hash)
	w.must(err)
	if s == nil {
		return inbox.Suppression{}
	}
	return *s
}

// TestMailEvents: what the mail service says of a sent mail, once and twice.
func TestMailEvents(t *testing.T) {
	for name, c := range map[string]struct {
		kind, more string
		status     inbox.MailStatus
		state      inbox.DeliveryState
		human      bool
		reason     inbox.SuppressReason
		notes      int
	}{
		"ok/sent":      {"Send", "", inbox.MailSent, "", false, "", 0},
		"ok/delivered": {"Delivery", "", inbox.MailSent, inbox.DeliveryDelivered, false, "", 0},
		"ok/delayed":   {"DeliveryDelay", "", inbox.MailSent, inbox.DeliveryDelayed, false, "", 0},
		"ok/permanent": {"Bounce", hard, inbox.MailFailed, inbox.DeliveryBounced, true, inbox.SuppressHard, 1},
		"ok/transient": {"Bounce", soft, inbox.MailFailed, inbox.DeliveryBounced, true, "", 1},
		"ok/unsure":    {"Bounce", unsure, inbox.MailFailed, inbox.DeliveryBounced, true, "", 1},
		"ok/complaint": {"Complaint", "", inbox.MailSent, inbox.DeliveryComplained, true, inbox.SuppressComplaint, 1}, // a promise is open
		"ok/reject":    {"Reject", `"reject":{"reason":"Bad content"}`, inbox.MailFailed, inbox.DeliveryRejected, true, "", 1},
		"ok/opened":    {"Open", "", inbox.MailSent, "", false, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			for _, db := range []string{"embedded", "dynamodb"} {
				w := embed(t, nil)
				if db == "dynamodb" {
					w = newWorld(t, kumo(t))
				}
				o, m := w.confirmation()
				w.quiet()
				before := len(w.entries(o.id))
				w.heard(event(c.kind, m.ID, "other-id", c.more))
				w.heard(event(c.kind, "", m.ProviderID, c.more)) // by the service's id, again
				w.sweep()
				got, r := w.mailed(o.id, "booking.confirmed"), w.record(o.id)
				state := inbox.DeliveryState("")
				if got.Delivery != nil {
					state = got.Delivery.State
				}
				if got.Status != c.status || state != c.state || r.Item.Flags.NeedsHuman != c.human || r.Item.State != inbox.StateConfirmed {
					t.Errorf("%s: mail %s %s, item %+v %s", db, got.Status, state, r.Item.Flags, r.Item.State)
				}
				if n := len(w.entries(o.id)) - before; n != c.notes {
					t.Errorf("%s: %d notes", db, n)
				}
				if s := w.suppression(anaEmail); s.Reason != c.reason {
					t.Errorf("%s: list %+v", db, s)
				}
				alerts := 0
				if c.status == inbox.MailFailed {
					alerts = 1
				}
				if got := w.to(ownerEmail); c.kind != "Complaint" && len(got) != alerts || len(w.to(anaEmail)) > 0 {
					t.Errorf("%s: told %v", db, w.post.all())
				}
				if strings.Contains(got.LastError+fmt.Sprint(got.Delivery), anaEmail) {
					t.Errorf("%s: the address is kept: %q %+v", db, got.LastError, got.Delivery)
				}
				w.clean()
			}
		})
	}
}

// entries is an item's conversation.
func (w *world) entries(id string) []inbox.Entry {
	w.t.Helper()
	list, err := w.store.Thread(w.ctx, id, 0)
	w.must(err)
	return list
}

// TestBounceBeforeMark: a bounce that comes before the mark of the sending, twice
// and with the mark between: one failed mail, one call, one note, one alert.
func TestBounceBeforeMark(t *testing.T) {
	w := embed(t, nil)
	o := w.asked()
	w.fire(owner, o, "confirm", "")
	w.post.after = func(_ int, out mail.Outgoing) error {
		if out.Template == "booking.confirmed" {
			w.heard(event("Bounce", out.MailID, "0100-early", hard))
			w.heard(event("Bounce", out.MailID, "0100-early", hard))
		}
		return nil
	}
	w.sweep()
	m := w.mailed(o.id, "booking.confirmed")
	if m.Status != inbox.MailFailed || m.ProviderID != "0100-early" || !w.record(o.id).Item.Flags.NeedsHuman {
		t.Errorf("mail %+v", m)
	}
	w.heard(event("Bounce", m.ID, "0100-early", hard))
	w.heard(event("Delivery", m.ID, "0100-early", ""))
	w.heard(event("Send", m.ID, "0100-early", ""))
	w.sweep()
	notes := 0
	for _, e := range w.entries(o.id) {
		if e.Direction == inbox.DirectionNote {
			notes++
		}
	}
	alerts := slices.DeleteFunc(w.to(ownerEmail), func(s string) bool { return s != "owner.mail_failed" })
	if got := w.mailed(o.id, "booking.confirmed"); got.Status != inbox.MailFailed || got.Delivery.State != inbox.DeliveryBounced || notes != 1 || len(alerts) != 1 {
		t.Errorf("%s %+v, %d notes, alerts %v", got.Status, got.Delivery, notes, alerts)
	}
	w.clean()
}

// TestSentByTheServicesWord: the mark was lost, the service's word says that the
// mail was sent, and it is not sent again (05 §4.6).
func TestSentByTheServicesWord(t *testing.T) {
	w := embed(t, nil)
	o := w.asked()
	w.fire(owner, o, "confirm", "")
	w.post.after = func(_ int, out mail.Outgoing) error {
		if out.Template == "booking.confirmed" {
			return refusedBy(mail.Retryable) // the answer did not come
		}
		return nil
	}
	w.sweep()
	m := w.mailed(o.id, "booking.confirmed")
	if m.Status != inbox.MailRetrying {
		t.Fatalf("mail %+v", m)
	}
	w.heard(event("Send", m.ID, "0100-9", ""))
	w.wait(inbox.Hour)
	w.sweep()
	got := w.mailed(o.id, "booking.confirmed")
	if got.Status != inbox.MailSent || got.ProviderID != "0100-9" || len(w.to(anaEmail)) != 1 {
		t.Errorf("mail %s %s, sent %v", got.Status, got.ProviderID, w.to(anaEmail))
	}
	if ref, err := w.store.MailByProvider(w.ctx, "0100-9"); err != nil || ref == nil {
		t.Errorf("not found by the service's id: %v", err)
	}
}

// TestSuppressed: nothing goes to an address on the list, but to one that
// complained what a promise needs; a person is asked for.
func TestSuppressed(t *testing.T) {
	list := func(w *world, reason inbox.SuppressReason) {
		hash, err := w.store.AddressHash(w.ctx, anaEmail)
		w.must(err)
		w.must(w.store.ChangeSuppression(w.ctx, hash, func(s *inbox.Suppression) *inbox.Suppression { s.Reason = reason; return s }))
	}
	for name, c := range map[string]struct {
		reason inbox.SuppressReason
		do     func(w *world, o opened)
		sent   []string
		human  bool
	}{
		"ok/hard, confirmed":        {inbox.SuppressHard, func(w *world, o opened) { w.fire(owner, o, "confirm", "") }, nil, true},
		"ok/soft, confirmed":        {inbox.SuppressSoft, func(w *world, o opened) { w.fire(owner, o, "confirm", "") }, nil, true},
		"ok/complained, confirmed":  {inbox.SuppressComplaint, func(w *world, o opened) { w.fire(owner, o, "confirm", "") }, []string{"booking.confirmed"}, false},
		"ok/complained, person":     {inbox.SuppressComplaint, func(w *world, o opened) { w.reply(owner, o, inbox.ReplyRequest{Body: "Hello"}) }, []string{"reply"}, false},
		"ok/complained, automation": {inbox.SuppressComplaint, func(w *world, o opened) { w.reply(assistant, o, inbox.ReplyRequest{Body: "Hello"}) }, nil, false},
		"ok/complained, ack":        {inbox.SuppressComplaint, func(w *world, _ opened) { w.wait(2 * inbox.Minute) }, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := embed(t, nil)
			o := w.asked()
			w.sweep()
			list(w, c.reason)
			c.do(w, o)
			w.sweep()
			if got := w.to(anaEmail); !slices.Equal(got, c.sent) && len(got)+len(c.sent) > 0 {
				t.Errorf("sent %v", got)
			}
			mails := w.mails(o.id)
			last := mails[len(mails)-1]
			if len(c.sent) == 0 && (last.Status != inbox.MailSkipped || last.SkipReason != inbox.SkipSuppressed || last.ToHash == "") {
				t.Errorf("mail %+v", last)
			}
			if w.record(o.id).Item.Flags.NeedsHuman != c.human {
				t.Errorf("flags %+v", w.record(o.id).Item.Flags)
			}
			w.clean()
		})
	}
}

// TestSoftBounces: three within seven days put an address on the list; a delivery
// forgets them; the same mail counts once.
func TestSoftBounces(t *testing.T) {
	w := embed(t, nil)
	bounce := func() inbox.Mail {
		_, m := w.confirmation()
		w.heard(event("Bounce", m.ID, m.ProviderID, soft))
		w.heard(event("Bounce", m.ID, m.ProviderID, soft))
		return m
	}
	bounce()
	bounce()
	if s := w.suppression(anaEmail); s.Reason != "" || len(s.Soft) != 2 {
		t.Fatalf("two count as %+v", s)
	}
	_, m := w.confirmation()
	w.heard(event("Delivery", m.ID, m.ProviderID, ""))
	if s := w.suppression(anaEmail); len(s.Soft) != 0 {
		t.Errorf("a delivery leaves %+v", s)
	}
	bounce()
	w.wait(8 * inbox.Day)
	bounce()
	bounce()
	if s := w.suppression(anaEmail); s.Reason != "" || len(s.Soft) != 2 {
		t.Errorf("after eight days %+v", s)
	}
	bounce()
	if s := w.suppression(anaEmail); s.Reason != inbox.SuppressSoft {
		t.Errorf("three count as %+v", s)
	}
}

// TestUnknownEvents: an event of a mail that is not ours is let go; what is no
// event comes again and ends with the dead letters.
func TestUnknownEvents(t *testing.T) {
	w := embed(t, nil)
	w.heard(event("Bounce", "01K5ZZZZZZZZZZZZZZZZZZZZSV", "0100-x", hard))
	wrapped, err := json.Marshal(map[string]string{"Type": "Notification", "Message": string(event("Delivery", "x", "y", ""))})
	w.must(err)
	w.heard(wrapped)
	for _, body := range []string{"", "x", "{}", `{"eventType":"Bounce"}`, `[]`} {
		if err := w.TakeMailEvent(w.ctx, []byte(body)); err == nil {
			t.Errorf("%q is an event", body)
		}
	}
}

// TestSenderState: while what we send is not signed nothing is sent and the owner
// is warned once; it is looked at once an hour.
func TestSenderState(t *testing.T) {
	looks, status := 0, "PENDING"
	w := embed(t, nil).with(func(c *work.Config) {
		c.DKIM = func(_ context.Context, _ string) (string, error) { looks++; return status, nil }
	})
	o := w.asked()
	w.sweep()
	w.sweep()
	if looks != 1 || len(w.post.all()) != 0 {
		t.Fatalf("looked %d times, sent %v", looks, w.post.all())
	}
	if m := w.mailed(o.id, "owner.create"); m.Status != inbox.MailSkipped || m.SkipReason != inbox.SkipNoSender {
		t.Errorf("mail %+v", m)
	}
	n, err := w.store.Notices(w.ctx, w.now(), "", 10)
	w.must(err)
	if len(n) != 1 || n[0].Kind != inbox.NoticeWarning || n[0].Count != 1 {
		t.Errorf("notices %+v", n)
	}
	w.wait(inbox.Hour)
	w.sweep()
	if n, _ := w.store.Notices(w.ctx, w.now(), "", 10); looks != 2 || len(n) != 1 {
		t.Errorf("looked %d times, %d notices", looks, len(n))
	}
	status = inbox.DKIMVerified
	w.wait(inbox.Hour)
	w.sweep()
	w.fire(owner, o, "confirm", "")
	w.sweep()
	if got := w.to(anaEmail); !slices.Equal(got, []string{"booking.confirmed"}) {
		t.Errorf("verified, sent %v", got)
	}
}

// TestBlockedForAll: when the mail service refuses us as a sender, every process
// stops for a quarter of an hour and the owner is warned; nothing is lost.
func TestBlockedForAll(t *testing.T) {
	w := embed(t, nil)
	o := w.asked()
	w.post.fails(refusedBy(mail.SenderBlocked))
	w.sweep()
	w.fire(owner, o, "confirm", "")
	w.again() // another process
	calls := w.post.calls
	w.sweep()
	if w.post.calls != calls || w.mailed(o.id, "booking.confirmed").Status != inbox.MailRetrying {
		t.Errorf("asked %d times more", w.post.calls-calls)
	}
	if n, _ := w.store.Notices(w.ctx, w.now(), "", 10); len(n) != 1 || n[0].Kind != inbox.NoticeWarning || strings.Contains(n[0].Text, "@example") {
		t.Errorf("notices %+v", n)
	}
	w.wait(15 * inbox.Minute)
	w.sweep()
	if got := w.to(anaEmail); !slices.Equal(got, []string{"booking.confirmed"}) {
		t.Errorf("afterwards sent %v", got)
	}
}

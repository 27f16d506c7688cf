package work_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/mail"
)

func times(list []string, what string) (n int) {
	for _, l := range list {
		if l == what {
			n++
		}
	}
	return n
}

// TestQuoteAlert: the owner reads in the mail what a quote is asked for.
func TestQuoteAlert(t *testing.T) {
	w := embed(t, nil)
	o := w.wanted()
	w.sweep()
	if told := w.last(ownerEmail); !strings.Contains(told.text, "\n\nFive of us.\n\n") {
		t.Errorf("the owner read\n%s", told.text)
	}
	w.sends(owner, o, "quote", quotes("order", ""))
	w.accepts(o)
	w.sweep()
	if told := w.last(ownerEmail); strings.Contains(told.text, "Five of us.") {
		t.Errorf("of the yes the owner read\n%s", told.text)
	}
}

// TestAlertLimit: twenty alerts in an hour are mailed, the others are kept as not
// sent and told by one digest at the end of the clock hour; an hour later alerts
// are mailed again (05 §3.4).
func TestAlertLimit(t *testing.T) {
	w := embed(t, nil)
	w.settings(`{"notifications":{"appUrl":"https://app.example/app"}}`)
	w.wait(10 * inbox.Minute)
	w.AtOnce = 1 // all count on one row; who meets too often comes back in a minute
	var all []opened
	for i := range 55 {
		all = append(all, w.asked(email(fmt.Sprintf("ana%d@example.com", i))))
	}
	w.sweep()
	if n := times(w.to(ownerEmail), "owner.create"); n != 20 {
		t.Errorf("%d alerts were mailed", n)
	}
	skipped := 0
	for _, o := range all {
		if m := w.mailed(o.id, "owner.create"); m.SkipReason == inbox.SkipAlertLimit {
			skipped++
		}
	}
	if skipped != 35 {
		t.Errorf("%d alerts kept as not sent", skipped)
	}
	w.wait(50*inbox.Minute - 1)
	w.sweep()
	if n := times(w.to(ownerEmail), "owner.digest"); n != 0 {
		t.Errorf("%d digests before the hour ends", n)
	}
	w.wait(1)
	w.sweep()
	digest := w.last(ownerEmail)
	if times(w.to(ownerEmail), "owner.digest") != 1 || digest.subject() != "35 more notices in the last hour" ||
		strings.Count(digest.text, "https://app.example/app/items/") != 30 || !strings.Contains(digest.text, "Nothing was lost") {
		t.Errorf("%s\n%s", digest.subject(), digest.text)
	}
	if got := digest.header.Get("Auto-Submitted"); got != "auto-generated" {
		t.Errorf("the digest is submitted %q", got)
	}
	w.wait(61 * inbox.Minute)
	o := w.asked()
	w.sweep()
	if m := w.mailed(o.id, "owner.create"); m.Status != inbox.MailSent {
		t.Errorf("an hour later %s %s", m.Status, m.SkipReason)
	}
	if n := times(w.to(ownerEmail), "owner.digest"); n != 1 {
		t.Errorf("%d digests", n)
	}
	w.clean()
}

// TestMailFailedAlert: the owner hears at once of a customer's mail that failed
// for good, also past the limit of alerts; nobody is mailed of a test item's.
func TestMailFailedAlert(t *testing.T) {
	w := embed(t, nil)
	var all []opened
	for i := range 22 {
		all = append(all, w.asked(email(fmt.Sprintf("ana%d@example.com", i))))
	}
	w.sweep()
	o := all[0]
	w.post.fails(refusedBy(mail.Final))
	w.fire(owner, o, "confirm", "")
	w.sweep()
	alert := w.last(ownerEmail)
	if alert.Template != "owner.mail_failed" || !strings.Contains(alert.subject(), "could not be mailed") ||
		!strings.Contains(alert.text, "Confirmed: Portrait") || strings.Contains(alert.text, "ana0@example.com") {
		t.Errorf("%s: %s\n%s", alert.Template, alert.subject(), alert.text)
	}
	if n := times(w.to(ownerEmail), "owner.mail_failed"); n != 1 {
		t.Errorf("%d alerts", n)
	}
	w.clean()
}

// TestHeldReplyAlert: of words of automation that were held the owner hears, at
// most once an hour and item.
func TestHeldReplyAlert(t *testing.T) {
	w := embed(t, nil)
	o, other := w.asked(), w.asked()
	w.sweep()
	w.quiet()
	for range 3 {
		w.reply(assistant, o, inbox.ReplyRequest{Body: "It is €30."})
		w.sweep()
		w.wait(10 * inbox.Minute)
	}
	w.reply(assistant, other, inbox.ReplyRequest{Body: "It is €30."})
	w.sweep()
	if n := times(w.to(ownerEmail), "owner.held_reply"); n != 2 || times(w.to(anaEmail), "reply") != 0 {
		t.Errorf("%d alerts of two items, the customer was mailed %v", n, w.to(anaEmail))
	}
	w.wait(inbox.Hour)
	w.reply(assistant, o, inbox.ReplyRequest{Body: "It is €30."})
	w.sweep()
	if n := times(w.to(ownerEmail), "owner.held_reply"); n != 3 {
		t.Errorf("%d alerts an hour later", n)
	}
	if strings.Contains(w.last(ownerEmail).text, "€30") {
		t.Error("the alert repeats what was held")
	}
}

// TestAutomaticLimits: automation's replies stop at five an item and ten an
// address within a day, its answers to mail at one an address; a person is asked
// for then. A person's replies and what tells a promise always go (05 §5.12).
func TestAutomaticLimits(t *testing.T) {
	said := func(w *world, o opened) (sent, limited int) {
		for _, m := range w.mails(o.id) {
			switch {
			case m.Template != "reply":
			case m.Status == inbox.MailSent:
				sent++
			case m.SkipReason == inbox.SkipAutomatic:
				limited++
			}
		}
		return sent, limited
	}
	replies := func(w *world, c inbox.Caller, o opened, n int) {
		for range n {
			w.reply(c, o, inbox.ReplyRequest{Body: "We open at nine."})
			w.sweep()
			w.wait(inbox.Minute)
		}
	}
	for name, c := range map[string]struct {
		do            func(w *world, o opened)
		sent, limited int
		flagged       bool
	}{
		"ok/five":         {func(w *world, o opened) { replies(w, assistant, o, 5) }, 5, 0, false},
		"fail/six":        {func(w *world, o opened) { replies(w, assistant, o, 7) }, 5, 2, true},
		"ok/a person's":   {func(w *world, o opened) { replies(w, owner, o, 8) }, 8, 0, false},
		"ok/the next day": {func(w *world, o opened) { replies(w, assistant, o, 5); w.wait(inbox.Day); replies(w, assistant, o, 1) }, 6, 0, false},
		"fail/other items": {func(w *world, o opened) {
			replies(w, assistant, w.asked(), 5)
			replies(w, assistant, w.asked(), 5)
			replies(w, assistant, o, 1)
		}, 0, 1, true},
		"ok/one mail":         {func(w *world, o opened) { w.mailedIn(o, "a@b"); replies(w, assistant, o, 1) }, 1, 0, false},
		"fail/two mails":      {func(w *world, o opened) { w.mailedIn(o, "a@b"); replies(w, assistant, o, 2) }, 1, 1, true},
		"ok/mailed, a person": {func(w *world, o opened) { w.mailedIn(o, "a@b"); replies(w, owner, o, 3) }, 3, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := embed(t, nil).linked()
			o := w.asked()
			w.sweep()
			c.do(w, o)
			w.sweep()
			if sent, limited := said(w, o); sent != c.sent || limited != c.limited {
				t.Errorf("%d sent, %d kept", sent, limited)
			}
			if f := w.record(o.id).Item.Flags.NeedsHuman; f != c.flagged {
				t.Errorf("a person is asked for: %v", f)
			}
			w.fire(assistant, o, "confirm", "")
			w.sweep()
			if m := w.mailed(o.id, "booking.confirmed"); m.Status != inbox.MailSent {
				t.Errorf("the confirmation is %s %s", m.Status, m.SkipReason)
			}
			w.clean()
		})
	}
}

// TestSandboxAlerts: nothing of a test item is mailed to anybody.
func TestSandboxAlerts(t *testing.T) {
	sandbox.Store(true)
	defer sandbox.Store(false)
	w := embed(t, nil).linked()
	o := w.asked()
	w.fire(owner, o, "confirm", "")
	w.sends(owner, o, "record_payment", `{"paymentRef":"p"}`)
	w.sweep()
	w.fire(owner, o, "cancel_by_business", "Flooded.")
	w.reply(assistant, o, inbox.ReplyRequest{Body: "It is €30."})
	w.wait(30 * inbox.Day)
	w.sweep()
	if all := w.post.all(); len(all) != 0 {
		t.Errorf("%d mails were sent", len(all))
	}
	for _, m := range w.mails(o.id) {
		if m.SkipReason != inbox.SkipTestItem || m.Body == "" {
			t.Errorf("%s is %s %s", m.Template, m.Status, m.SkipReason)
		}
	}
	if !slices.ContainsFunc(w.mails(o.id), func(m inbox.Mail) bool { return m.Template == "cancelled.by_us" }) {
		t.Error("the mail about the cancellation is not kept")
	}
}

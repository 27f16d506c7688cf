package decide

import (
	"reflect"
	"strings"
	"testing"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
)

// TestMailFailed: the mail, the mark, a call for a person and a note inside, in
// one write; no second call where a person is asked for already.
func TestMailFailed(t *testing.T) {
	m := inbox.Mail{ID: "MAIL", ItemID: "I", Subject: "Confirmed: Haircut", Status: inbox.MailFailed, LastError: "mailbox gone", Version: 3}
	for name, needsHuman := range map[string]bool{"ok/first": false, "ok/a person is asked for already": true} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, inbox.TypeBooking, inbox.StateConfirmed)
			w.f.Record.Item.Flags.NeedsHuman = needsHuman
			version := w.f.Record.Item.Version
			w.now++
			out := w.ok(w.pure(func() (Outcome, error) { return MailFailed(w.f, m, w.env()), nil }))
			r := w.f.Record
			if !r.MailFailed || !r.Item.Flags.NeedsHuman || r.Item.State != inbox.StateConfirmed || !reflect.DeepEqual(*out.Write.Mail, m) {
				t.Errorf("%+v", r)
			}
			note := w.entries[len(w.entries)-1]
			if note.Direction != inbox.DirectionNote || note.ActorKind != inbox.System || !strings.Contains(note.BodyText, "mailbox gone") {
				t.Errorf("%+v", note)
			}
			if moved := r.Item.Version > version; moved == needsHuman || len(out.Write.Jobs) != 1 || out.Write.Jobs[0].Effects[0].Event != inbox.AlertMailFailed {
				t.Errorf("version %d, jobs %v", r.Item.Version, out.Write.Jobs)
			}
			if ev := w.events[len(w.events)-1]; !needsHuman && (ev.Event != inbox.EventFlags || *ev.Reason != notMailed || ev.ActorKind != inbox.System) {
				t.Errorf("%+v", ev)
			}
		})
	}
}

// TestAbout: the sentences' facts and languages.
func TestAbout(t *testing.T) {
	w := inState(t, inbox.TypeBooking, inbox.StateRequested)
	w.f.Record.Unpriced, w.f.Record.Item.Payload.Booking.CustomerStatedPrice = true, eur(5)
	a := About(w.f)
	if a.Type != inbox.TypeBooking || a.State != inbox.StateRequested || a.Subject != "Haircut" || *a.Start != start ||
		a.Price.Value != 3000 || a.Stated.Value != 5 || !a.Unpriced || a.Zone != w.f.Business.Zone || len(a.Reference) != 6 {
		t.Errorf("%+v", a)
	}
	m := inState(t, inbox.TypeMessage, inbox.StateOpen)
	if a := About(m.f); a.Start != nil || a.Price != nil || a.Subject != "Do you cut beards?" {
		t.Errorf("%+v", a)
	}
	for s, want := range map[inbox.State]inbox.Instant{inbox.StateQuoted: start, inbox.StateAccepted: start.Add(inbox.Day)} {
		q := inState(t, inbox.TypeQuote, s)
		asked, agreed := start, start.Add(inbox.Day)
		q.f.Record.Item.Payload.Quote.RequestedFor = &asked
		q.f.Record.Item.Payload.Quote.Quote = &inbox.Quote{TotalPrice: *eur(100), Creates: "booking", StartTime: &agreed}
		if a := About(q.f); a.Start == nil || *a.Start != want {
			t.Errorf("a quote that is %s: %+v", s, a)
		}
	}
	for name, c := range map[string]struct {
		locale    string
		languages []string
		customer  format.Lang
		owner     format.Lang
	}{
		"ok/theirs":         {"pt", []string{"en"}, format.Pt, format.En},
		"ok/the business's": {"", []string{"pt", "en"}, format.Pt, format.Pt},
		"ok/neither":        {"", nil, format.En, format.En},
	} {
		w.f.Record.Locale, w.f.Business.Languages = c.locale, c.languages
		if CustomerLang(w.f) != c.customer || OwnerLang(w.f) != c.owner {
			t.Errorf("%s: %s %s", name, CustomerLang(w.f), OwnerLang(w.f))
		}
	}
}

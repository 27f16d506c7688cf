package decide

import (
	"testing"
	"time"

	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
)

// TestLinkTerms: which actions a link has in each state, on both sides (05 §6.3).
func TestLinkTerms(t *testing.T) {
	type by = map[inbox.State][]inbox.LinkAction
	always := map[inbox.Type]by{
		inbox.TypeBooking: {
			"requested": {"cancel"}, "needs_info": {"details", "cancel"}, "proposed": {"accept_time", "decline_time", "other_time", "cancel"},
			"confirmed": {"change_time", "cancel", "withdraw"},
		},
		inbox.TypeOrder: {
			"received": {"cancel"}, "needs_info": {"details", "cancel"}, "proposed": {"accept_order", "decline_order", "cancel"},
			"accepted": {"cancel", "withdraw"}, "awaiting_payment": {"cancel", "withdraw"}, "payment_failed": {"cancel", "withdraw"},
			"paid": {"withdraw"}, "fulfilling": {"withdraw"}, "fulfilled": {"withdraw"}, "completed": {"withdraw"},
		},
		inbox.TypeQuote: {"needs_info": {"details"}, "quoted": {"accept_quote", "decline_quote"}},
	}
	for _, typ := range []inbox.Type{inbox.TypeBooking, inbox.TypeOrder, inbox.TypeQuote, inbox.TypeMessage} {
		for _, state := range machine.Of(typ).States() {
			f := Facts{Record: &inbox.Record{Item: inbox.Item{ID: "I1", Type: typ, State: state, Payload: payloadFor(typ)}}}
			want := map[inbox.LinkAction]bool{}
			for _, a := range always[typ][state] {
				want[a] = true
			}
			for _, a := range inbox.LinkActions {
				terms, ok := LinkTerms(f, a)
				if ok != want[a] || (terms != "") != ok && !needsOffer[a] {
					t.Errorf("%s %s: %s %v, bound to %q", typ, state, a, ok, terms)
				}
			}
		}
	}
	if terms, ok := LinkTerms(Facts{Record: &inbox.Record{}}, "fly"); ok || terms != "" {
		t.Errorf("fly: %q, %v", terms, ok)
	}
}

// needsOffer are the actions bound to what was put forward.
var needsOffer = map[inbox.LinkAction]bool{
	"accept_time": true, "decline_time": true, "other_time": true, "accept_order": true, "decline_order": true,
	"accept_quote": true, "decline_quote": true, "accept_change": true, "keep_as_is": true,
}

func payloadFor(typ inbox.Type) inbox.Payload {
	p, err := inbox.DecodePayload(typ, []byte("{}"))
	if err != nil {
		panic(err)
	}
	return p
}

// TestLinkBinds: what a link is bound to stays while nothing about it changes,
// and is another when it does; the row of the offer and the payload say the same.
func TestLinkBinds(t *testing.T) {
	w := inState(t, inbox.TypeBooking, inbox.StateConfirmed)
	slot := func() string { terms, _ := LinkTerms(w.f, inbox.LinkChangeTime); return terms }
	item := func() string { terms, _ := LinkTerms(w.f, inbox.LinkCancel); return terms }
	before, id := slot(), item()
	if before == "" || id != "cancel:"+w.f.Record.Item.ID {
		t.Fatalf("bound to %q, %q", before, id)
	}
	w.f.Record.Item.Version += 3
	w.f.Record.Item.Flags.NeedsHuman = true
	if slot() != before {
		t.Error("a flag changed what the link is bound to")
	}
	b := *w.f.Record.Item.Payload.Booking
	b.StartTime += inbox.Instant(inbox.Hour)
	w.f.Record.Item.Payload.Booking = &b
	if slot() == before || item() != id {
		t.Error("another time is bound alike, or the cancel link to another item")
	}
	b.Change = &inbox.TimeChange{By: inbox.SideBusiness, StartTime: b.StartTime + inbox.Instant(inbox.Hour), EndTime: b.EndTime + inbox.Instant(2*inbox.Hour)}
	if _, ok := LinkTerms(w.f, inbox.LinkChangeTime); ok {
		t.Error("the time can be changed while a change of ours is open")
	}
	change, ok := LinkTerms(w.f, inbox.LinkAcceptChange)
	keep, _ := LinkTerms(w.f, inbox.LinkKeepAsIs)
	if !ok || change == "" || change != keep {
		t.Errorf("a change is bound to %q and %q", change, keep)
	}
	b.Change.By = inbox.SideCustomer
	if _, ok := LinkTerms(w.f, inbox.LinkAcceptChange); ok {
		t.Error("they can accept their own change")
	}
}

// TestLinkBindsAsTheLedger: the payload says of an open offer what its row says.
func TestLinkBindsAsTheLedger(t *testing.T) {
	for name, c := range map[string]struct {
		typ    inbox.Type
		state  inbox.State
		action inbox.LinkAction
	}{
		"ok/time":  {inbox.TypeBooking, inbox.StateProposed, inbox.LinkAcceptTime},
		"ok/order": {inbox.TypeOrder, inbox.StateProposed, inbox.LinkAcceptOrder},
		"ok/quote": {inbox.TypeQuote, inbox.StateQuoted, inbox.LinkAcceptQuote},
	} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, c.typ, c.state)
			with, ok := LinkTerms(w.f, c.action)
			w.f.Offer = nil
			without, _ := LinkTerms(w.f, c.action)
			if !ok || with == "" || with != without {
				t.Errorf("%q by the row, %q by the payload", with, without)
			}
		})
	}
}

// TestLinkUntil holds the dates of 05 §6.3.
func TestLinkUntil(t *testing.T) {
	now := inbox.Instant(1_790_000_000_000)
	until := now.Add(36 * inbox.Hour)
	booking := func(change func(*Facts)) Facts {
		f := Facts{Record: &inbox.Record{Item: inbox.Item{Type: inbox.TypeBooking, State: inbox.StateConfirmed, Payload: inbox.Payload{
			Booking: &inbox.Booking{StartTime: now.Add(10 * inbox.Day), EndTime: now.Add(10*inbox.Day + inbox.Hour)},
		}}}}
		f.Settings.Booking.MinNoticeMin, f.Settings.Booking.AutoCompleteHours = 60, 24
		f.Settings.Returns.Days = 14
		change(&f)
		return f
	}
	order := func(state inbox.State, o inbox.Order) Facts {
		f := Facts{Record: &inbox.Record{Item: inbox.Item{Type: inbox.TypeOrder, State: state, Payload: inbox.Payload{Order: &o}}}}
		f.Settings.Returns.Days = 14
		return f
	}
	year := inbox.InstantOf(now.Time().AddDate(1, 0, 0))
	for name, c := range map[string]struct {
		f    Facts
		a    inbox.LinkAction
		want inbox.Instant
	}{
		"ok/the offer's date": {booking(func(f *Facts) {
			f.Record.Item.Payload.Booking.Offer = &inbox.OfferPointer{By: inbox.SideBusiness, Status: inbox.OfferOpen, ValidThrough: &until}
			f.Record.Item.Payload.Booking.Proposed = &inbox.ProposedTime{}
		}), inbox.LinkAcceptTime, until},
		"ok/an offer without a date":  {booking(func(*Facts) {}), inbox.LinkAcceptTime, now.Add(14 * inbox.Day)},
		"ok/a quote without a date":   {booking(func(*Facts) {}), inbox.LinkAcceptQuote, now.Add(30 * inbox.Day)},
		"ok/details":                  {booking(func(*Facts) {}), inbox.LinkDetails, now.Add(14 * inbox.Day)},
		"ok/change of time":           {booking(func(*Facts) {}), inbox.LinkChangeTime, now.Add(10*inbox.Day - inbox.Hour)},
		"ok/cancel":                   {booking(func(*Facts) {}), inbox.LinkCancel, year},
		"ok/cancel in two years":      {booking(func(f *Facts) { f.Record.Item.Payload.Booking.EndTime = now.Add(730 * inbox.Day) }), inbox.LinkCancel, now.Add(731 * inbox.Day)},
		"ok/cancel an order":          {order("accepted", inbox.Order{}), inbox.LinkCancel, year},
		"ok/withdraw, nothing sent":   {order("paid", inbox.Order{}), inbox.LinkWithdraw, year},
		"ok/withdraw, not yet agreed": {booking(func(*Facts) {}), inbox.LinkWithdraw, year},
	} {
		if got := LinkUntil(c.f, c.a, now); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
	sent := order("fulfilled", inbox.Order{FulfilledAt: &now, DeliveredAt: &now})
	sent.Business.Zone = time.UTC
	if got := LinkUntil(sent, inbox.LinkWithdraw, now); got < now.Add(74*inbox.Day) || got > now.Add(80*inbox.Day) {
		t.Errorf("withdraw after delivery until %s", got)
	}
}

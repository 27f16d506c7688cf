package decide

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"typedinbox/shared/canon"
	"typedinbox/shared/inbox"
	"typedinbox/shared/negotiation"
)

const bookingQuote = `{"totalPrice":{"value":4200,"currency":"EUR"},"creates":"booking","notes":"Bring a towel."}`

// quotedBooking is a request for a haircut with a quote that creates a booking.
func quotedBooking(t *testing.T, do func(*world, *inbox.QuoteRequest)) *world {
	t.Helper()
	w := newWorld(t)
	w.create(w.customer(), forService(func(q *inbox.QuoteRequest) {
		q.DeliveryAddress = &inbox.PostalAddress{PostalCode: "1000"}
		if do != nil {
			do(w, q)
		}
	}))
	w.fire(owner, "quote", bookingQuote)
	return w
}

// TestLinkBooking: an accepted quote is a confirmed booking in the same write
// (01 §7, 02 §1.10).
func TestLinkBooking(t *testing.T) {
	for name, c := range map[string]struct {
		by    func(*world) inbox.Caller
		told  string
		owner bool // hears of the booking
	}{
		"ok/the customer":               {(*world).customer, "notify_owner:accept notify_customer:accept notify_owner:create", true},
		"ok/a person records their yes": {func(*world) inbox.Caller { return owner }, "notify_customer:accept", false},
	} {
		t.Run(name, func(t *testing.T) {
			w := quotedBooking(t, nil)
			w.f.Record.CustomerMatch, w.f.Record.PossiblePartyID, w.f.Record.Locale = inbox.MatchWeak, "OTHER", "pt"
			w.f.Record.Item.LocationID, w.f.Record.Item.Flags.Priority = inbox.Ptr("LOC"), 2
			quote := *w.f.Offer
			w.f.Service.Name = "Haircut, as it is called today"
			c1 := c.by(w)
			out := w.fire(c1, "accept")
			l := w.linked
			rec, parent := l.f.Record, w.f.Record
			i, b := rec.Item, rec.Item.Payload.Booking
			if parent.Item.State != inbox.StateAccepted || parent.Item.ClosedAt == nil || parent.Item.Payload.Quote.Quote == nil || *parent.Item.LinkedItemID != i.ID {
				t.Errorf("quote %+v", parent.Item)
			}
			if i.Type != inbox.TypeBooking || i.State != inbox.StateConfirmed || i.Version != 1 || *i.LinkedItemID != parent.Item.ID || *i.Subject != w.f.Service.Name {
				t.Errorf("%+v", i)
			}
			want := inbox.Booking{
				ReservationFor: inbox.ReservationFor{ServiceID: "SVC", Name: w.f.Service.Name}, StartTime: start, EndTime: end,
				TotalPrice: eur(4200), Notes: "Bring a towel.", Offer: b.Offer,
			}
			if !reflect.DeepEqual(*b, want) {
				t.Errorf("%+v", b)
			}
			if i.PartyID != parent.Item.PartyID || *i.LocationID != "LOC" || i.Flags != parent.Item.Flags || i.Channel != c1.Channel {
				t.Errorf("%+v", i)
			}
			if rec.AccessTokenHash != canon.HashToken(w.token) || rec.CustomerMatch != inbox.MatchWeak || rec.PossiblePartyID != "OTHER" || rec.Locale != "pt" || !rec.ByCustomer {
				t.Errorf("%+v", rec)
			}
			if fmt.Sprint(rec.WithdrawalFlags) != "[dated_leisure]" || *rec.DueAt != end.Add(48*inbox.Hour) || rec.DueKind != "complete" {
				t.Errorf("%v %v %s", rec.WithdrawalFlags, rec.DueAt, rec.DueKind)
			}
			if len(rec.Claims) != 1 || len(l.places) != 1 || rec.Claims[0].From != start || rec.Claims[0].To != end || rec.Claims[0].OfferID != "" || len(parent.Claims) != 0 {
				t.Errorf("%+v", rec.Claims)
			}
			ev, accept := l.events[0], w.events[len(w.events)-1]
			if ev.Event != "create" || *ev.CausationID != accept.ID || ev.Depth != 1 || ev.FromState != nil || ev.ActorKind != c1.Kind || ev.ActorID != c1.ID || ev.Meta.Channel != c1.Channel {
				t.Errorf("%+v", ev)
			}
			o := l.offers[1]
			form, terms, sha := negotiation.Promised(inbox.TypeBooking, i.Payload)
			wantOffer := inbox.Offer{
				ID: o.ID, ItemID: i.ID, Rev: 1, ParentID: quote.ID, Kind: "offer", Form: form, By: inbox.SideBusiness,
				ActorKind: quote.ActorKind, ActorID: quote.ActorID, Round: 1, Status: inbox.OfferAccepted, Terms: terms, TermsSHA: sha,
				Authored: quote.Authored, Binding: true, EventID: ev.ID, CreatedAt: w.now, UpdatedAt: w.now,
			}
			if !reflect.DeepEqual(o, wantOffer) || strings.Contains(string(terms), "itemOffered") {
				t.Errorf("%+v", o)
			}
			if got := strings.Join(told(out.Write), " "); got != c.told {
				t.Errorf("told %q", got)
			}
			checkLinkedView(t, out.Body, i.ID)
			// The same token opens what became of it, and it lives on.
			l.fire(l.customer(), "cancel")
		})
	}
}

func checkLinkedView(t *testing.T, body any, id string) {
	t.Helper()
	switch b := body.(type) {
	case inbox.CustomerResult:
		if b.Linked == nil || b.Linked.Item.ID != id || b.Linked.Agreed == nil || b.Linked.Offer != nil || len(b.Linked.Next) == 0 || *b.View.Item.LinkedItemID != id {
			t.Errorf("%+v", b.Linked)
		}
	case inbox.TransitionResult:
		if b.Linked == nil || b.Linked.Item.ID != id || b.Linked.Human == "" || b.Linked.Party == nil {
			t.Errorf("%+v", b.Linked)
		}
	default:
		t.Errorf("%T", body)
	}
}

// TestLinkOrder: the quote's lines, or one of the whole (02 §1.10).
func TestLinkOrder(t *testing.T) {
	for name, c := range map[string]struct {
		quantity *int64
		lines    string
		want     []inbox.OrderLine
		subject  string
	}{
		"ok/one line of the whole": {nil, "", []inbox.OrderLine{{Name: "Painting a room", Quantity: 1, Price: *eur(31000)}}, "1 × Painting a room"},
		"ok/of one":                {inbox.Ptr(int64(1)), "", []inbox.OrderLine{{Name: "Painting a room", Quantity: 1, Price: *eur(31000)}}, "1 × Painting a room"},
		"ok/of several":            {inbox.Ptr(int64(3)), "", []inbox.OrderLine{{Name: "3 × Painting a room", Quantity: 1, Price: *eur(31000)}}, "1 × 3 × Painting a room"},
		"ok/lines of its own": {nil, `,"lines":[{"name":"Walls","quantity":4,"price":{"value":7000,"currency":"EUR"}},{"name":"Ceiling","quantity":1,"price":{"value":3000,"currency":"EUR"}}]`,
			[]inbox.OrderLine{{Name: "Walls", Quantity: 4, Price: *eur(7000)}, {Name: "Ceiling", Quantity: 1, Price: *eur(3000)}}, "Walls and 1 more"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			r := quoteRequest()
			address := &inbox.PostalAddress{PostalCode: "1000-001", AddressCountry: "PT"}
			r.Payload.Quote.Quantity, r.Payload.Quote.DeliveryAddress, r.Payload.Quote.ItemOffered.ProductID = c.quantity, address, "HONEY"
			w.f.Products[0].Withdrawal = "perishable"
			w.create(w.customer(), r)
			w.fire(owner, "quote", strings.TrimSuffix(simpleQuote, "}")+c.lines+`,"notes":"Paint included."}`)
			w.fire(w.customer(), "accept")
			i := w.linked.f.Record.Item
			o := i.Payload.Order
			want := inbox.Order{OrderedItem: c.want, TotalPrice: *eur(31000), ShippingAddress: address, Notes: "Paint included.", Offer: o.Offer}
			if !reflect.DeepEqual(*o, want) {
				t.Errorf("%+v\n%+v", *o, want)
			}
			if i.State != inbox.StateAccepted || *i.Subject != c.subject || len(w.linked.places) != 0 || w.linked.f.Record.DueAt != nil {
				t.Errorf("%+v", i)
			}
			for _, f := range w.linked.f.Record.WithdrawalFlags {
				if f != inbox.WithdrawalStandard {
					t.Errorf("flags %v", w.linked.f.Record.WithdrawalFlags)
				}
			}
			w.linked.fire(w.linked.customer(), "cancel")
		})
	}
}

// TestLinkRefused: a yes that cannot be kept writes nothing (01 §6).
func TestLinkRefused(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(*world)
		by   func(*world) inbox.Caller
		code inbox.Code
		why  string
	}{
		"fail/taken meanwhile":             {func(w *world) { w.places["x"] = taken("x", "service:SVC", start, end) }, (*world).customer, inbox.CodeSlotTaken, ""},
		"fail/for a person, too":           {func(w *world) { w.places["x"] = taken("x", "service:SVC", start, end) }, func(*world) inbox.Caller { return owner }, inbox.CodeSlotTaken, ""},
		"fail/past its date":               {func(w *world) { w.now = monday.Add(48*inbox.Hour) + 1 }, (*world).customer, inbox.CodeOfferExpired, ""},
		"ok/at its date":                   {func(w *world) { w.now = monday.Add(48 * inbox.Hour) }, (*world).customer, "", ""},
		"ok/a person records it later":     {func(w *world) { w.now = monday.Add(60 * inbox.Hour) }, func(*world) inbox.Caller { return staff }, "", ""},
		"fail/too soon":                    {func(w *world) { w.soon() }, (*world).customer, inbox.CodeGuardFailed, "not_too_soon"},
		"ok/a person inside the notice":    {func(w *world) { w.soon() }, func(*world) inbox.Caller { return owner }, "", ""},
		"fail/a person, once it has begun": {func(w *world) { w.soon(); w.now = start }, func(*world) inbox.Caller { return owner }, inbox.CodeGuardFailed, "not_too_soon"},
		"fail/the assistant":               {func(*world) {}, func(*world) inbox.Caller { return assistant }, inbox.CodeNotAllowed, "person_only"},
		"fail/a key with money":            {func(*world) {}, func(*world) inbox.Caller { return moneyKey }, inbox.CodeNotAllowed, "person_only"},
		"fail/a rule":                      {func(*world) {}, func(*world) inbox.Caller { return rule }, inbox.CodeNotAllowed, "person_only"},
		"ok/sandbox sees sandbox alone":    {func(w *world) { w.f.Record.Item.Flags.Sandbox = true }, (*world).customer, "", ""},
		"fail/sandbox sees the real ones": {func(w *world) {
			w.f.Record.Item.Flags.Sandbox = true
			w.places["x"] = taken("x", "service:SVC", start, end)
		}, (*world).customer, inbox.CodeSlotTaken, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := quotedBooking(t, nil)
			c.do(w)
			out, err := w.decide(c.by(w), request("accept"))
			if c.code == "" {
				w.ok(out, err)
				return
			}
			if p := problem(t, err); p.Code != c.code || why(p) != c.why {
				t.Errorf("%v", p)
			}
		})
	}
}

// soon brings the clock into the notice of the quoted time, the quote's date
// beyond it.
func (w *world) soon() {
	w.now = start.Add(-59 * inbox.Minute)
	w.f.Offer.ValidThrough = &start
	w.f.Record.Item.Payload.Quote.Offer.ValidThrough = &start
}

// TestLinkEdited: what the customer said yes to stands, whatever was edited
// since (02 §1.10).
func TestLinkEdited(t *testing.T) {
	w := quotedBooking(t, nil)
	w.f.Service.DurationMin, w.f.Service.Price = 15, nil
	w.fire(w.customer(), "accept")
	if b := w.linked.f.Record.Item.Payload.Booking; b.EndTime != end || *b.TotalPrice != *eur(4200) {
		t.Errorf("%+v", b)
	}
}

// TestLinkAnswer: the customer's door asks for the terms and answers with what
// the quote became (02 §5.2, §11.1).
func TestLinkAnswer(t *testing.T) {
	w := quotedBooking(t, nil)
	w.f.Places = inbox.Places{Revs: map[inbox.HourRow]int64{}}
	for _, row := range NeedsAccept(w.f, w.customer()) {
		w.f.Places.Revs[row] = 4
	}
	if len(w.f.Places.Revs) == 0 {
		t.Fatal("a yes looks at no places")
	}
	_, err := AcceptOffer(w.f, w.customer(), inbox.AcceptOfferRequest{}, w.env())
	p := problem(t, err)
	if p.Code != inbox.CodeConfirmTerms || p.Details["obligation_to_pay"] != true || !strings.HasPrefix(p.Details["summary"].(string), "Haircut, Thursday, 8 October 2026 at 10:00") {
		t.Fatalf("%v %v", p, p.Details)
	}
	out := w.ok(AcceptOffer(w.f, w.customer(), inbox.AcceptOfferRequest{TermsSHA: p.Details["terms_sha"].(string)}, w.env()))
	if r := out.Body.(inbox.CustomerResult); r.Linked == nil || r.Linked.Item.State != inbox.StateConfirmed {
		t.Errorf("%+v", r)
	}
}

package negotiation

import (
	"encoding/json"
	"reflect"
	"testing"

	"typedinbox/shared/canon"
	"typedinbox/shared/inbox"
	"typedinbox/shared/settings"
)

func price(v int64) *inbox.Money { return inbox.Ptr(eur(v)) }

// TestChanged: the whole terms of the promise as it would be, never a difference
// (02 §1.4).
func TestChanged(t *testing.T) {
	people := 2
	line := inbox.OrderLine{ProductID: "P", SKU: "S", Name: "Honey", Quantity: 3, Price: eur(850), ListPrice: price(900)}
	for name, c := range map[string]struct {
		typ inbox.Type
		p   inbox.Payload
		out string
	}{
		"ok/a time, at the agreed price": {
			inbox.TypeBooking,
			inbox.Payload{Booking: &inbox.Booking{StartTime: 1, EndTime: 2, PartySize: &people, TotalPrice: price(5000), Change: &inbox.TimeChange{StartTime: 3600000, EndTime: 7200000}}},
			`{"endTime":"1970-01-01T02:00:00.000Z","partySize":2,"startTime":"1970-01-01T01:00:00.000Z","totalPrice":{"currency":"EUR","value":5000}}`,
		},
		"ok/a time, at another price": {
			inbox.TypeBooking,
			inbox.Payload{Booking: &inbox.Booking{TotalPrice: price(5000), Change: &inbox.TimeChange{StartTime: 3600000, EndTime: 7200000, TotalPrice: price(1)}}},
			`{"endTime":"1970-01-01T02:00:00.000Z","startTime":"1970-01-01T01:00:00.000Z","totalPrice":{"currency":"EUR","value":1}}`,
		},
		"ok/lines": {
			inbox.TypeOrder,
			inbox.Payload{Order: &inbox.Order{Change: &inbox.OrderChange{OrderedItem: []inbox.OrderLine{line}, TotalPrice: eur(2550), Delivery: &inbox.Delivery{Method: "pickup"}}}},
			`{"delivery":{"method":"pickup"},"lines":[{"name":"Honey","price":{"currency":"EUR","value":850},"productId":"P","quantity":3,"sku":"S"}],"totalPrice":{"currency":"EUR","value":2550}}`,
		},
		"fail/no change of a booking": {inbox.TypeBooking, inbox.Payload{Booking: &inbox.Booking{TotalPrice: price(1)}}, ""},
		"fail/no change of an order":  {inbox.TypeOrder, inbox.Payload{Order: &inbox.Order{}}, ""},
	} {
		form, terms, sha := Changed(c.typ, c.p)
		if form != inbox.FormChange || string(terms) != c.out {
			t.Errorf("%s: %s %s", name, form, terms)
		}
		want := ""
		if c.out != "" {
			want = canon.TermsSHA("change", terms)
		}
		if sha != want {
			t.Errorf("%s: fingerprint %q", name, sha)
		}
	}
}

// TestChangeFingerprint is the row of 02 §1.5: a yes to a change is never a yes
// to a time with the same terms.
func TestChangeFingerprint(t *testing.T) {
	people := 2
	p := inbox.Payload{Booking: &inbox.Booking{PartySize: &people, TotalPrice: price(5000), Change: &inbox.TimeChange{
		StartTime: instant("2027-03-30T11:00:00Z"), EndTime: instant("2027-03-30T12:00:00Z"),
	}}}
	if _, _, sha := Changed(inbox.TypeBooking, p); sha != "XcYgDfF-y6BQCAE6c3iXPEe0mwsMpmQ-NpfRzuDgzcs" {
		t.Errorf("%s", sha)
	}
}

// TestMakeChange: a change answers the open one, else it would amend what was
// agreed, and numbers its rounds from the last agreement (02 §1.1, §1.6).
func TestMakeChange(t *testing.T) {
	agent := inbox.Caller{Actor: inbox.Actor{Kind: inbox.CustomerAgent, ID: "A", Channel: inbox.ChannelREST}}
	person := inbox.Caller{Actor: inbox.Actor{Kind: inbox.Owner, ID: "U", Channel: inbox.ChannelREST}}
	agreed := &inbox.Offer{ID: "AGREED", Kind: KindOffer, Form: inbox.FormTime, By: inbox.SideCustomer, Round: 5, Status: inbox.OfferAccepted, Terms: json.RawMessage(`{"endTime":"x","startTime":"y"}`)}
	open := func(by inbox.Side, round int) *inbox.Offer {
		return &inbox.Offer{ID: "OPEN", Kind: KindChange, Form: inbox.FormChange, By: by, Round: round, Status: inbox.OfferOpen, Terms: json.RawMessage(`{"startTime":"y"}`)}
	}
	business, customer := inbox.SideBusiness, inbox.SideCustomer
	for name, c := range map[string]struct {
		side   inbox.Side
		open   *inbox.Offer
		last   int
		parent string
		round  int
		status inbox.OfferStatus
	}{
		"ok/the first":                         {customer, nil, 0, "AGREED", 1, ""},
		"ok/after one that was declined":       {business, nil, 1, "AGREED", 2, ""},
		"ok/the customer answers ours":         {customer, open(business, 1), 1, "OPEN", 2, inbox.OfferCountered},
		"ok/we answer theirs":                  {business, open(customer, 2), 2, "OPEN", 3, inbox.OfferCountered},
		"ok/the customer asks again":           {customer, open(customer, 1), 1, "OPEN", 2, inbox.OfferSuperseded},
		"ok/we ask again, which is no round":   {business, open(business, 1), 1, "OPEN", 1, inbox.OfferSuperseded},
		"ok/we ask again in the second round":  {business, open(business, 2), 2, "OPEN", 2, inbox.OfferSuperseded},
		"ok/the customer answers in round two": {customer, open(business, 2), 2, "OPEN", 3, inbox.OfferCountered},
	} {
		who := agent
		if c.side == business {
			who = person
		}
		a := act(c.side, who)
		a.Item.Payload.Booking.Change = &inbox.TimeChange{By: c.side, StartTime: 700, EndTime: 800}
		answered, made := Make(a, Making{ID: "NEW", Rev: 9, Kind: KindChange, Open: c.open, Agreed: agreed, LastRound: c.last})
		if made.Kind != KindChange || made.Form != inbox.FormChange || made.By != c.side || made.ParentID != c.parent || made.Round != c.round || made.Status != inbox.OfferOpen {
			t.Errorf("%s: %+v", name, made)
		}
		if made.Changes == nil {
			t.Errorf("%s: no differences from %s", name, c.parent)
		}
		if _, terms, sha := Changed(a.Item.Type, a.Item.Payload); string(made.Terms) != string(terms) || made.TermsSHA != sha {
			t.Errorf("%s: terms %s", name, made.Terms)
		}
		if (answered != nil) != (c.open != nil) || answered != nil && answered.Status != c.status {
			t.Errorf("%s: answered %+v", name, answered)
		}
	}
}

// TestChangeValidity is the second half of 02 §3.
func TestChangeValidity(t *testing.T) {
	s := settings.Effective(nil)
	now := instant("2027-03-01T10:00:00Z")
	agreed, later, sooner := instant("2027-03-05T14:00:00Z"), instant("2027-03-09T14:00:00Z"), instant("2027-03-03T14:00:00Z")
	given := func(s string) *inbox.Instant { return inbox.Ptr(instant(s)) }
	for name, c := range map[string]struct {
		got  inbox.Instant
		want string
	}{
		"ok/a person's, to a later time":       {ChangeValid(nil, agreed, later, now, s, false), "2027-03-05T13:00:00Z"},
		"ok/to a sooner time":                  {ChangeValid(nil, agreed, sooner, now, s, false), "2027-03-03T13:00:00Z"},
		"ok/dated":                             {ChangeValid(given("2027-03-02T00:00:00Z"), agreed, later, now, s, false), "2027-03-02T00:00:00Z"},
		"ok/dated past the start":              {ChangeValid(given("2027-04-02T00:00:00Z"), agreed, later, now, s, false), "2027-03-05T13:00:00Z"},
		"ok/automation's":                      {ChangeValid(nil, agreed, later, now, s, true), "2027-03-03T10:00:00Z"},
		"ok/automation's, to a sooner time":    {ChangeValid(nil, agreed, instant("2027-03-02T14:00:00Z"), now, s, true), "2027-03-02T13:00:00Z"},
		"ok/automation's, dated":               {ChangeValid(given("2027-03-04T00:00:00Z"), agreed, later, now, s, true), "2027-03-03T10:00:00Z"},
		"ok/the agreed start is inside notice": {ChangeValid(nil, instant("2027-03-01T10:40:00Z"), later, now, s, false), "2027-03-01T10:40:00Z"},
		"ok/just at the notice":                {ChangeValid(nil, instant("2027-03-01T11:00:00Z"), later, now, s, false), "2027-03-01T11:00:00Z"},
		"ok/just before the notice":            {ChangeValid(nil, instant("2027-03-01T11:00:00.001Z"), later, now, s, false), "2027-03-01T10:00:00.001Z"},
		"ok/a customer's":                      {AskValid(now, s, agreed, later), "2027-03-04T10:00:00Z"},
		"ok/a customer's, old start first":     {AskValid(now, s, instant("2027-03-02T09:00:00Z"), later), "2027-03-02T09:00:00Z"},
		"ok/a customer's, new start first":     {AskValid(now, s, agreed, instant("2027-03-03T09:00:00Z")), "2027-03-03T09:00:00Z"},
		"ok/a customer's, of an order":         {AskValid(now, s), "2027-03-04T10:00:00Z"},
	} {
		if c.got != instant(c.want) {
			t.Errorf("%s: %s, want %s", name, c.got, c.want)
		}
	}
}

// TestCostsMore: a change obliges to pay only when it asks for more (02 §5.1).
func TestCostsMore(t *testing.T) {
	terms := func(v int64, currency string) json.RawMessage {
		raw, _ := json.Marshal(map[string]any{"totalPrice": inbox.Money{Value: v, Currency: currency}})
		return raw
	}
	for name, c := range map[string]struct {
		agreed *inbox.Money
		terms  json.RawMessage
		want   bool
	}{
		"ok/more":                         {price(5000), terms(5001, "EUR"), true},
		"ok/another currency, less":       {price(5000), terms(1, "GBP"), true},
		"ok/a price where there was none": {nil, terms(1, "EUR"), true},
		"ok/where it was free":            {price(0), terms(1, "EUR"), true},
		"fail/the same":                   {price(5000), terms(5000, "EUR"), false},
		"fail/less":                       {price(5000), terms(4999, "EUR"), false},
		"fail/free, where nothing was":    {nil, terms(0, "EUR"), false},
		"fail/no price":                   {price(5000), json.RawMessage(`{"startTime":"x"}`), false},
		"fail/no terms":                   {nil, nil, false},
	} {
		if got := CostsMore(c.agreed, c.terms); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// TestShifted is the distance of 02 §13.8, to the millisecond and either way.
func TestShifted(t *testing.T) {
	first := instant("2026-09-24T11:00:00Z")
	for date, want := range map[string]bool{
		"2026-12-23T11:00:00Z": false, "2026-12-23T11:00:00.001Z": true, "2026-12-23T12:00:00Z": true,
		"2026-06-26T11:00:00Z": false, "2026-06-26T10:59:59.999Z": true, "2026-09-24T11:00:00Z": false,
	} {
		if Shifted(first, instant(date)) != want {
			t.Errorf("%s: %v", date, !want)
		}
	}
}

// TestAskValidKeepsItsArguments: the starts are the caller's.
func TestAskValidKeepsItsArguments(t *testing.T) {
	starts := make([]inbox.Instant, 1, 4)
	starts[0] = 5
	AskValid(0, settings.Effective(nil), starts...)
	if full := starts[:2]; !reflect.DeepEqual(full, []inbox.Instant{5, 0}) {
		t.Errorf("%v", full)
	}
}

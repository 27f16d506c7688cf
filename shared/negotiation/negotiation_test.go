package negotiation

import (
	"encoding/json"
	"reflect"
	"testing"

	"typedinbox/shared/inbox"
)

func instant(s string) inbox.Instant {
	i, err := inbox.ParseInstant(s)
	if err != nil {
		panic(err)
	}
	return i
}

func booking(name string) inbox.Payload {
	return inbox.Payload{Booking: &inbox.Booking{
		ReservationFor: inbox.ReservationFor{ServiceID: "01J0SERVICE000000000000001", Name: name},
		StartTime:      instant("2027-03-30T09:00:00Z"), EndTime: instant("2027-03-30T10:00:00Z"),
	}}
}

func TestTerms(t *testing.T) {
	full := booking("Corte & barba")
	full.Booking.PartySize, full.Booking.TotalPrice = inbox.Ptr(2), &inbox.Money{Value: 5000, Currency: "EUR"}
	full.Booking.Notes, full.Booking.CustomerStatedPrice = "by the window", &inbox.Money{Value: 1, Currency: "EUR"}
	full.Booking.Personalised = &inbox.Personalised{ListPrice: inbox.Money{Value: 6000, Currency: "EUR"}}
	for name, c := range map[string]struct {
		payload    inbox.Payload
		terms, sha string
	}{
		"ok/02 §1.5, stated price, marks and words are no terms": {full,
			`{"endTime":"2027-03-30T10:00:00.000Z","itemOffered":{"name":"Corte & barba","serviceId":"01J0SERVICE000000000000001"},"partySize":2,"startTime":"2027-03-30T09:00:00.000Z","totalPrice":{"currency":"EUR","value":5000}}`,
			"LVMuxVN6DCJfJyANPduUO2E9v63OrCMbtk16fmTVNic"},
		"ok/absent fields are absent": {booking("Cut"),
			`{"endTime":"2027-03-30T10:00:00.000Z","itemOffered":{"name":"Cut","serviceId":"01J0SERVICE000000000000001"},"startTime":"2027-03-30T09:00:00.000Z"}`,
			""},
	} {
		form, terms, sha := Terms(inbox.TypeBooking, c.payload)
		if form != inbox.FormTime || string(terms) != c.terms {
			t.Errorf("%s: %s %s", name, form, terms)
		}
		if (c.sha != "" && sha != c.sha) || len(sha) != 43 {
			t.Errorf("%s: fingerprint %s, want %s", name, sha, c.sha)
		}
	}
}

func TestNegotiates(t *testing.T) {
	if !Negotiates(inbox.TypeBooking) || Negotiates(inbox.TypeMessage) {
		t.Error("a booking has offers, a message has none")
	}
}

func act(side inbox.Side, c inbox.Caller) Act {
	return Act{Item: inbox.Item{ID: "I", Type: inbox.TypeBooking, Payload: booking("Cut")},
		Caller: c, Side: side, EventID: "E", Now: 500}
}

func TestRequest(t *testing.T) {
	until := inbox.Ptr(inbox.Instant(900))
	customer := inbox.Caller{Actor: inbox.Actor{Kind: inbox.CustomerAgent, ID: "anon:1", Channel: inbox.ChannelREST}}
	person := inbox.Caller{Actor: inbox.Actor{Kind: inbox.Owner, ID: "U", Channel: inbox.ChannelREST}}
	overMCP := inbox.Caller{Actor: inbox.Actor{Kind: inbox.Owner, ID: "U", Channel: inbox.ChannelMCPOwner}}
	key := inbox.Caller{Actor: inbox.Actor{Kind: inbox.Integration, ID: "K", Channel: inbox.ChannelREST}}
	for name, c := range map[string]struct {
		caller  inbox.Caller
		binding bool
	}{
		"ok/customer, without the confirm step": {customer, false},
		"ok/person writes it down":              {person, true},
		"ok/owner's assistant":                  {overMCP, false},
		"ok/key":                                {key, false},
	} {
		o := Request("O", act(inbox.SideCustomer, c.caller), until)
		if o.Binding != c.binding || o.ActorKind != c.caller.Kind || o.ActorID != c.caller.ID {
			t.Errorf("%s: %+v", name, o)
		}
		if o.Rev != 1 || o.Round != 1 || o.Status != inbox.OfferOpen || o.By != inbox.SideCustomer || o.Kind != "offer" ||
			o.Authored != "person" || o.EventID != "E" || o.ClosedEventID != "" || o.ValidThrough != until ||
			o.CreatedAt != 500 || o.UpdatedAt != 500 || o.ID != "O" || o.ItemID != "I" || o.TermsSHA == "" {
			t.Errorf("%s: %+v", name, o)
		}
	}
	s := Standing("O", act(inbox.SideBusiness, person), 3)
	if s.Rev != 3 || s.Status != inbox.OfferAccepted || s.ValidThrough != nil || s.By != inbox.SideCustomer {
		t.Errorf("standing terms: %+v", s)
	}
}

func TestClosing(t *testing.T) {
	theirs := Request("O", Act{Item: act("", inbox.Caller{}).Item, EventID: "first", Now: 100}, nil)
	ours := theirs
	ours.By = inbox.SideBusiness
	customer, business := act(inbox.SideCustomer, inbox.Caller{}), act(inbox.SideBusiness, inbox.Caller{})
	for name, c := range map[string]struct {
		open   inbox.Offer
		closed inbox.Offer
		status inbox.OfferStatus
		code   string
	}{
		"ok/taken":                        {theirs, Take(theirs, business), inbox.OfferAccepted, ""},
		"ok/ended by its own side":        {theirs, End(theirs, customer, false, "timing_deferred"), inbox.OfferRetracted, ""},
		"ok/declined by the business":     {theirs, End(theirs, business, false, ""), inbox.OfferDeclined, ""},
		"ok/declined by the customer":     {ours, End(ours, customer, false, "timing_deferred"), inbox.OfferDeclined, "timing_deferred"},
		"ok/taken back by the business":   {ours, End(ours, business, false, "other"), inbox.OfferRetracted, ""},
		"ok/lapsed":                       {theirs, End(theirs, business, true, "other"), inbox.OfferExpired, ""},
		"ok/lapsed for its own side also": {ours, End(ours, business, true, ""), inbox.OfferExpired, ""},
	} {
		want := c.open
		want.Status, want.ReasonCode, want.ClosedEventID, want.UpdatedAt = c.status, c.code, "E", 500
		if !reflect.DeepEqual(c.closed, want) {
			t.Errorf("%s: %+v, want %+v", name, c.closed, want)
		}
	}
}

func TestFollow(t *testing.T) {
	until := inbox.Ptr(inbox.Instant(900))
	open := inbox.Offer{Status: inbox.OfferOpen, By: inbox.SideCustomer, Kind: "offer"}
	change, ours, taken := open, open, open
	change.Kind, ours.By, taken.Status = "change", inbox.SideBusiness, inbox.OfferAccepted
	for name, c := range map[string]struct {
		offer inbox.Offer
		until *inbox.Instant
		ok    bool
	}{
		"ok/open request":      {open, until, true},
		"fail/no clock":        {open, nil, false},
		"fail/a change":        {change, until, false},
		"fail/the business's":  {ours, until, false},
		"fail/already settled": {taken, until, false},
	} {
		moved, ok := Follow(c.offer, c.until, 500)
		if ok != c.ok || (ok && (moved.ValidThrough != until || moved.UpdatedAt != 500)) || (!ok && moved.UpdatedAt != 0) {
			t.Errorf("%s: %v %+v", name, ok, moved)
		}
	}
}

func TestNamesMoney(t *testing.T) {
	for text, want := range map[string]bool{
		"€30, or 27,50 €":                   true,
		"EUR 1.850,00":                      true,
		"1,850.00 GBP":                      true,
		"£12.5":                             true,
		"40 euros":                          true,
		"40euros":                           true,
		"R$ 50":                             true,
		"50,- €":                            true,
		"EUR: 50":                           true,
		"5 dólares":                         true,
		"5 do\u0301lares":                   true, // decomposed
		"fifty? no, 20\u00a0quid":           true,
		"4\u200b0 eu\u00adros":              true, // hidden characters
		"４０ ＥＵＲ":                            true, // full width
		"¥500":                              true,
		"about   30    pounds":              true,
		"30 cents":                          true,
		"120 CZK":                           true,
		"CZK 120":                           true,
		"":                                  false,
		"at 14:00 on 22/09, table for 4":    false,
		"call 912 345 678":                  false,
		"100% confirmed":                    false,
		"thirty euros":                      false, // a digit is what counts until the limits exist
		"the euro zone has 20 countries":    false,
		"neurons 20":                        false,
		"2 europeans":                       false,
		"pay in euros, table 4 is free":     false,
		"Is € accepted? We are 4":           false,
		"120 SEK":                           false, // neither common nor the business's
		"1st floor":                         false,
		"we open at 9 and close at 5 sharp": false,
	} {
		if got := NamesMoney(text, "CZK"); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestTermsAreObjects(t *testing.T) {
	_, terms, _ := Terms(inbox.TypeBooking, booking("Cut"))
	var m map[string]any
	if err := json.Unmarshal(terms, &m); err != nil || m["startTime"] != "2027-03-30T09:00:00.000Z" {
		t.Errorf("%v %v", m, err)
	}
}

func BenchmarkNamesMoney(b *testing.B) {
	b.ReportAllocs()
	for range b.N {
		NamesMoney("We would love to have you at ten on Friday, would that be fine for the four of you?", "EUR")
	}
}

package catalogue

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"typedinbox/shared/inbox"
)

func eur(v int64) *inbox.Money { return &inbox.Money{Value: v, Currency: "EUR"} }

func fixed(value int64, per string) *inbox.ServicePrice {
	return &inbox.ServicePrice{Model: ModelFixed, Value: &value, Per: per}
}

func hour(price *inbox.ServicePrice) inbox.Service {
	return inbox.Service{ID: "S", Name: "Haircut", DurationMin: 60, Price: price, Active: true}
}

func asked(minutes int64, people int, price *inbox.Money) inbox.Booking {
	b := inbox.Booking{
		ReservationFor: inbox.ReservationFor{ServiceID: "S", Name: "free haircut"},
		StartTime:      1e12, EndTime: inbox.Instant(1e12 + minutes*inbox.Minute), TotalPrice: price,
	}
	if people > 0 {
		b.PartySize = &people
	}
	return b
}

// TestPriceBooking holds the rows for bookings of 02 §13.3 and every branch of
// 02 §6.3.
func TestPriceBooking(t *testing.T) {
	usd := fixed(1200, "")
	usd.Currency = "usd"
	for name, c := range map[string]struct {
		service       inbox.Service
		request       inbox.Booking
		total, stated *inbox.Money
		unpriced      bool
	}{
		"ok/per person, four":           {hour(fixed(1200, PerPerson)), asked(60, 4, nil), eur(4800), nil, false},
		"ok/per person, none given":     {hour(fixed(1200, PerPerson)), asked(60, 0, nil), eur(1200), nil, false},
		"ok/per booking, four":          {hour(fixed(1200, PerBooking)), asked(60, 4, nil), eur(1200), nil, false},
		"ok/no basis is per booking":    {hour(fixed(1200, "")), asked(60, 4, nil), eur(1200), nil, false},
		"ok/longer than sold":           {hour(fixed(4500, "")), asked(90, 0, eur(3000)), eur(4500), eur(3000), true},
		"ok/1 ms longer than sold":      {hour(fixed(4500, "")), inbox.Booking{StartTime: 0, EndTime: inbox.Hour + 1}, eur(4500), nil, true},
		"ok/shorter than sold":          {hour(fixed(4500, "")), asked(30, 0, nil), eur(4500), nil, false},
		"ok/stated the list price":      {hour(fixed(4500, "")), asked(60, 0, eur(4500)), eur(4500), nil, false},
		"ok/stated less":                {hour(fixed(4500, "")), asked(60, 0, eur(1)), eur(4500), eur(1), false},
		"ok/stated in other money":      {hour(fixed(4500, "")), asked(60, 0, &inbox.Money{Value: 4500, Currency: "USD"}), eur(4500), &inbox.Money{Value: 4500, Currency: "USD"}, false},
		"ok/its own currency":           {hour(usd), asked(60, 0, nil), &inbox.Money{Value: 1200, Currency: "USD"}, nil, false},
		"ok/free of charge":             {hour(fixed(0, "")), asked(60, 0, eur(5)), eur(0), eur(5), false},
		"ok/no price, none named":       {hour(nil), asked(60, 0, nil), nil, nil, false},
		"ok/no price, one named":        {hour(nil), asked(60, 0, eur(10)), eur(10), nil, true},
		"ok/no price, longer":           {hour(nil), asked(90, 0, nil), nil, nil, false},
		"ok/from":                       {hour(&inbox.ServicePrice{Model: ModelFrom, Value: inbox.Ptr(int64(10))}), asked(60, 0, nil), nil, nil, false},
		"ok/from, named":                {hour(&inbox.ServicePrice{Model: ModelFrom, Value: inbox.Ptr(int64(10))}), asked(60, 0, eur(10)), eur(10), nil, true},
		"ok/by quote, named":            {hour(&inbox.ServicePrice{Model: ModelQuote}), asked(60, 0, eur(10)), eur(10), nil, true},
		"ok/fixed, no value, is none":   {hour(&inbox.ServicePrice{Model: ModelFixed}), asked(60, 0, eur(10)), eur(10), nil, true},
		"ok/largest amount":             {hour(fixed(inbox.MaxMoney, PerPerson)), asked(60, 1, nil), eur(inbox.MaxMoney), nil, false},
		"ok/largest amount, by product": {hour(fixed(inbox.MaxMoney/1000, PerPerson)), asked(60, 1000, nil), eur(inbox.MaxMoney / 1000 * 1000), nil, false},
	} {
		c.request.CustomerStatedPrice = eur(77) // what a request carries is dropped
		c.request.Personalised = &inbox.Personalised{ListPrice: *eur(77)}
		got, unpriced, problems := PriceBooking(c.request, c.service, "EUR")
		if len(problems) > 0 {
			t.Errorf("%s: %v", name, problems)
		}
		if !reflect.DeepEqual(got.TotalPrice, c.total) || !reflect.DeepEqual(got.CustomerStatedPrice, c.stated) || unpriced != c.unpriced {
			t.Errorf("%s: total %v, stated %v, unpriced %v", name, got.TotalPrice, got.CustomerStatedPrice, unpriced)
		}
		if got.ReservationFor.Name != "Haircut" || got.Personalised != nil || got.StartTime != c.request.StartTime || got.EndTime != c.request.EndTime {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestPriceBookingTooLarge(t *testing.T) {
	s := hour(fixed(inbox.MaxMoney/2+1, PerPerson))
	_, _, problems := PriceBooking(asked(60, 2, nil), s, "EUR")
	want := []inbox.FieldProblem{{Path: "payload.totalPrice", Problem: inbox.Invalid, Message: "too large"}}
	if !reflect.DeepEqual(problems, want) {
		t.Errorf("%v", problems)
	}
	if _, err := ListPrice(s, inbox.Ptr(2), "EUR"); !errors.Is(err, inbox.ErrTooLarge()) {
		t.Errorf("%v", err)
	}
	if AtListPrice(asked(60, 2, eur(1)), s, "EUR") {
		t.Error("nothing is at a list price that is too large")
	}
}

func TestPriceBookingCutsTheName(t *testing.T) {
	s := hour(nil)
	s.Name = strings.Repeat("é", 201)
	got, _, _ := PriceBooking(asked(60, 0, nil), s, "EUR")
	if got.ReservationFor.Name != strings.Repeat("é", 200) {
		t.Errorf("%d bytes", len(got.ReservationFor.Name))
	}
}

// TestPriced: whatever is asked, pricing again changes nothing but forgets the
// stated figure, and what is priced is at the list price.
func TestPriced(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := hour(rapid.SampledFrom([]*inbox.ServicePrice{nil, fixed(4500, ""), fixed(1200, PerPerson), {Model: ModelFrom}, {Model: ModelQuote}}).Draw(t, "price"))
		b := asked(int64(rapid.IntRange(5, 120).Draw(t, "minutes")), rapid.IntRange(0, 1000).Draw(t, "people"),
			rapid.SampledFrom([]*inbox.Money{nil, eur(4500), eur(1)}).Draw(t, "stated"))
		once, unpriced, _ := PriceBooking(b, s, "EUR")
		twice, again, _ := PriceBooking(once, s, "EUR")
		once.CustomerStatedPrice = nil
		if !reflect.DeepEqual(once, twice) || again != unpriced {
			t.Fatalf("%+v\n%+v", once, twice)
		}
		if AtListPrice(once, s, "EUR") == unpriced {
			t.Fatalf("unpriced %v and at list price %v", unpriced, !unpriced)
		}
	})
}

func TestAtListPrice(t *testing.T) {
	for name, c := range map[string]struct {
		service inbox.Service
		booking inbox.Booking
		want    bool
	}{
		"ok/no price":             {hour(nil), asked(60, 0, nil), true},
		"ok/no price, longer":     {hour(fixed(4500, "")), asked(90, 0, nil), true},
		"ok/the list price":       {hour(fixed(4500, "")), asked(60, 0, eur(4500)), true},
		"ok/times people":         {hour(fixed(1200, PerPerson)), asked(60, 4, eur(4800)), true},
		"fail/below":              {hour(fixed(4500, "")), asked(60, 0, eur(4499)), false},
		"fail/above":              {hour(fixed(4500, "")), asked(60, 0, eur(4501)), false},
		"fail/other money":        {hour(fixed(4500, "")), asked(60, 0, &inbox.Money{Value: 4500, Currency: "GBP"}), false},
		"fail/longer for as much": {hour(fixed(4500, "")), asked(61, 0, eur(4500)), false},
		"fail/nothing listed":     {hour(nil), asked(60, 0, eur(4500)), false},
		"fail/priced from":        {hour(&inbox.ServicePrice{Model: ModelFrom, Value: inbox.Ptr(int64(4500))}), asked(60, 0, eur(4500)), false},
	} {
		if got := AtListPrice(c.booking, c.service, "EUR"); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

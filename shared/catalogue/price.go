package catalogue

import (
	"strings"

	"typedinbox/shared/inbox"
)

// Price models of a service (02 §6.1).
const (
	ModelFixed = "fixed"
	ModelFrom  = "from"
	ModelQuote = "quote"
)

// What a fixed price is for.
const (
	PerBooking = "booking"
	PerPerson  = "person"
)

const maxName = 200 // characters of reservationFor.name

// ListPrice is what the catalogue asks for a booking of a service: its fixed
// price, × people (1 when not given) when it is per person (02 §6.2). It is nil
// when the service is not catalogue-priced: priced "from", by quote, not at all,
// or fixed without a value. A product past [inbox.MaxMoney] is
// [inbox.ErrTooLarge]. The currency is the price's own, else the business's.
func ListPrice(s inbox.Service, partySize *int, businessCurrency string) (*inbox.Money, error) {
	p := s.Price
	if p == nil || p.Model != ModelFixed || p.Value == nil {
		return nil, nil
	}
	people := int64(1)
	if p.Per == PerPerson && partySize != nil {
		people = int64(*partySize)
	}
	total, err := inbox.Money{Value: *p.Value, Currency: CurrencyOf(p, businessCurrency)}.Times(people)
	if err != nil || total.Value > inbox.MaxMoney {
		return nil, inbox.ErrTooLarge()
	}
	return &total, nil
}

// CurrencyOf is a service price's own currency, else the business's.
func CurrencyOf(p *inbox.ServicePrice, businessCurrency string) string {
	if p.Currency != "" {
		return strings.ToUpper(p.Currency)
	}
	return businessCurrency
}

// PriceBooking prices a customer's request for a service as the catalogue does
// (01 §1.5, 02 §6.3). The service's own name replaces the request's. A figure
// the request states that is not the list price is kept as customerStatedPrice.
// Unpriced means that the request holds a price the catalogue does not give: it
// names one for a service that has none, or asks for longer than is sold. A
// price past the largest amount is a problem on payload.totalPrice.
func PriceBooking(b inbox.Booking, s inbox.Service, businessCurrency string) (priced inbox.Booking, unpriced bool, problems []inbox.FieldProblem) {
	b.CustomerStatedPrice, b.Personalised = nil, nil
	b.ReservationFor.Name = Cut(s.Name, maxName)
	list, err := ListPrice(s, b.PartySize, businessCurrency)
	if err != nil {
		return b, false, []inbox.FieldProblem{{Path: "payload.totalPrice", Problem: inbox.Invalid, Message: err.Error()}}
	}
	if list == nil {
		return b, b.TotalPrice != nil, nil
	}
	if stated := b.TotalPrice; stated != nil && !stated.Same(*list) {
		b.CustomerStatedPrice = stated
	}
	b.TotalPrice = list
	return b, longerThanSold(b, s), nil
}

// AtListPrice says whether a booking is at the list price or names none: what
// automation may confirm before its limits exist (09).
func AtListPrice(b inbox.Booking, s inbox.Service, businessCurrency string) bool {
	if b.TotalPrice == nil {
		return true
	}
	list, err := ListPrice(s, b.PartySize, businessCurrency)
	return err == nil && list != nil && b.TotalPrice.Same(*list) && !longerThanSold(b, s)
}

func longerThanSold(b inbox.Booking, s inbox.Service) bool {
	return b.EndTime-b.StartTime > inbox.Instant(int64(s.DurationMin)*inbox.Minute)
}

// Cut keeps the first n characters.
func Cut(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

package negotiation

import (
	"encoding/json"
	"testing"

	"typedinbox/shared/inbox"
)

func eur(v int64) inbox.Money { return inbox.Money{Value: v, Currency: "EUR"} }

// TestForms holds the vectors of 02 §1.5 for every form but a change.
func TestForms(t *testing.T) {
	honey := inbox.OrderLine{
		ProductID: "01J0PRODUCT000000000000001", SKU: "MEL-1", Name: "Mel de rosmaninho, 500 g", Quantity: 3, Price: eur(850),
		CustomerStatedPrice: inbox.Ptr(eur(1)), ListPrice: inbox.Ptr(eur(900)),
	}
	pickup := &inbox.Delivery{Method: "pickup"}
	order := inbox.Payload{Order: &inbox.Order{
		OrderedItem: []inbox.OrderLine{honey}, TotalPrice: eur(2550), Delivery: pickup, Notes: "soon",
		CustomerStatedPrice: inbox.Ptr(eur(1)), ShippingAddress: &inbox.PostalAddress{PostalCode: "1000"},
	}}
	proposed := inbox.Payload{Order: &inbox.Order{
		OrderedItem: []inbox.OrderLine{{Name: "as asked", Quantity: 1, Price: eur(1)}}, TotalPrice: eur(1),
		Proposed: &inbox.ProposedOrder{OrderedItem: []inbox.OrderLine{honey}, TotalPrice: eur(2550), Delivery: pickup},
	}}
	paint := inbox.Payload{Quote: &inbox.QuoteRequest{
		ItemOffered: inbox.ItemOffered{Name: "Pintura <sala>"}, Quantity: inbox.Ptr(int64(1)), Description: "white",
		Budget: inbox.Ptr(eur(5)), RequestedFor: inbox.Ptr(instant("2027-04-12T09:00:00+01:00")),
		Quote: &inbox.Quote{TotalPrice: eur(31000), ValidThrough: instant("2027-04-02T17:00:00Z"), Creates: "order"},
	}}
	other := booking("Cut")
	other.Booking.PartySize, other.Booking.TotalPrice = inbox.Ptr(2), inbox.Ptr(eur(4000))
	other.Booking.Proposed = &inbox.ProposedTime{
		StartTime: instant("2027-03-30T11:00:00Z"), EndTime: instant("2027-03-30T12:00:00Z"), TotalPrice: inbox.Ptr(eur(5000)),
	}
	keeps := booking("Cut")
	keeps.Booking.PartySize, keeps.Booking.TotalPrice = inbox.Ptr(2), inbox.Ptr(eur(5000))
	keeps.Booking.Proposed = &inbox.ProposedTime{StartTime: instant("2027-03-30T11:00:00Z"), EndTime: instant("2027-03-30T12:00:00Z")}
	stands := booking("Cut")
	stands.Booking.StartTime, stands.Booking.EndTime = instant("2027-03-30T11:00:00Z"), instant("2027-03-30T12:00:00Z")
	stands.Booking.PartySize, stands.Booking.TotalPrice = inbox.Ptr(2), inbox.Ptr(eur(5000))

	const orderSHA, timeSHA = "jxcdmUT7Kj7hs9aaN-ms8cCTnA7JNOleSCnFyNZzOLs", "jPo_JI3SHuzvG-YJZIy-vK1-MavBgks-EZ2K8D-xawk"
	type project = func(inbox.Type, inbox.Payload) (inbox.Form, json.RawMessage, string)
	for name, c := range map[string]struct {
		project project
		typ     inbox.Type
		payload inbox.Payload
		form    inbox.Form
		sha     string
	}{
		"ok/order asked":                     {Terms, inbox.TypeOrder, order, inbox.FormOrder, orderSHA},
		"ok/order proposed":                  {Offered, inbox.TypeOrder, proposed, inbox.FormOrder, orderSHA},
		"ok/order promised":                  {Promised, inbox.TypeOrder, order, inbox.FormOrder, orderSHA},
		"ok/request":                         {Terms, inbox.TypeQuote, paint, inbox.FormRequest, "i5KpRIDkPtR3hW5nWG8ohb12y4aHZZjYR3wORIQ_bYQ"},
		"ok/quote":                           {Offered, inbox.TypeQuote, paint, inbox.FormQuote, "jC1lcVAqVP2RxQfLXnes-XKPzSLWstM6HLPzG5-R2gk"},
		"ok/time proposed, at its own price": {Offered, inbox.TypeBooking, other, inbox.FormTime, timeSHA},
		"ok/time proposed, at the booking's": {Offered, inbox.TypeBooking, keeps, inbox.FormTime, timeSHA},
		"ok/time promised":                   {Promised, inbox.TypeBooking, stands, inbox.FormTime, timeSHA},
	} {
		form, terms, sha := c.project(c.typ, c.payload)
		if form != c.form || sha != c.sha {
			t.Errorf("%s: %s %s %s", name, form, terms, sha)
		}
	}
	for name, c := range map[string]struct {
		typ     inbox.Type
		payload inbox.Payload
	}{
		"fail/no time proposed":  {inbox.TypeBooking, booking("Cut")},
		"fail/no order proposed": {inbox.TypeOrder, order},
		"fail/no quote":          {inbox.TypeQuote, inbox.Payload{Quote: &inbox.QuoteRequest{}}},
	} {
		if _, terms, sha := Offered(c.typ, c.payload); terms != nil || sha != "" {
			t.Errorf("%s: %s %s", name, terms, sha)
		}
	}
}

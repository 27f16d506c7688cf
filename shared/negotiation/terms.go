package negotiation

import (
	"encoding/json"

	"typedinbox/shared/canon"
	"typedinbox/shared/inbox"
)

// TermsOffered is what is booked, as the customer's terms name it.
type TermsOffered struct {
	Name      string `json:"name"`
	ServiceID string `json:"serviceId"`
}

// TimeTerms are the terms of form time (02 §1.4). ItemOffered stands on the
// customer's side alone.
type TimeTerms struct {
	ItemOffered *TermsOffered `json:"itemOffered,omitempty"`
	StartTime   inbox.Instant `json:"startTime"`
	EndTime     inbox.Instant `json:"endTime"`
	PartySize   *int          `json:"partySize,omitempty"`
	TotalPrice  *inbox.Money  `json:"totalPrice,omitempty"`
}

// OrderTerms are the terms of form order (02 §1.4). Prices that a request merely
// stated and marks are no terms.
type OrderTerms struct {
	Lines      []TermsLine     `json:"lines"`
	TotalPrice inbox.Money     `json:"totalPrice"`
	Delivery   *inbox.Delivery `json:"delivery,omitempty"`
}

// TermsLine is one line of an order's terms; Price is the unit price.
type TermsLine struct {
	ProductID string      `json:"productId,omitempty"`
	SKU       string      `json:"sku,omitempty"`
	Name      string      `json:"name"`
	Quantity  int64       `json:"quantity"`
	Price     inbox.Money `json:"price"`
}

// RequestTerms are the terms of form request: what a quote is asked for, never
// the words nor a budget.
type RequestTerms struct {
	ItemOffered inbox.ItemOffered `json:"itemOffered"`
	Quantity    *int64            `json:"quantity,omitempty"`
	StartTime   *inbox.Instant    `json:"startTime,omitempty"`
}

// QuoteTerms are the terms of form quote. Lines is always there, empty for none.
type QuoteTerms struct {
	TotalPrice   inbox.Money       `json:"totalPrice"`
	Lines        []inbox.QuoteLine `json:"lines"`
	Notes        string            `json:"notes,omitempty"`
	ValidThrough inbox.Instant     `json:"validThrough"`
	Creates      string            `json:"creates"`
	StartTime    *inbox.Instant    `json:"startTime,omitempty"`
	EndTime      *inbox.Instant    `json:"endTime,omitempty"`
}

// projection reads terms from a payload; nil terms when it holds none.
type projection map[inbox.Type]func(inbox.Payload) (inbox.Form, any)

// asked is what a customer asks for, by the item's type; a type without an
// entry does not negotiate.
var asked = projection{
	inbox.TypeBooking: func(p inbox.Payload) (inbox.Form, any) {
		b := p.Booking
		t := standingTime(b)
		t.ItemOffered = &TermsOffered{Name: b.ReservationFor.Name, ServiceID: b.ReservationFor.ServiceID}
		return inbox.FormTime, t
	},
	inbox.TypeOrder: func(p inbox.Payload) (inbox.Form, any) { return inbox.FormOrder, standingOrder(p.Order) },
	inbox.TypeQuote: func(p inbox.Payload) (inbox.Form, any) {
		q := p.Quote
		return inbox.FormRequest, RequestTerms{ItemOffered: q.ItemOffered, Quantity: q.Quantity, StartTime: q.RequestedFor}
	},
}

// offered is what the business put forward: the proposal or quote the payload
// holds. A proposed time without a price of its own is at the booking's.
var offered = projection{
	inbox.TypeBooking: func(p inbox.Payload) (inbox.Form, any) {
		b := *p.Booking
		if b.Proposed == nil {
			return inbox.FormTime, nil
		}
		b.StartTime, b.EndTime = b.Proposed.StartTime, b.Proposed.EndTime
		if b.Proposed.TotalPrice != nil {
			b.TotalPrice = b.Proposed.TotalPrice
		}
		return inbox.FormTime, standingTime(&b)
	},
	inbox.TypeOrder: func(p inbox.Payload) (inbox.Form, any) {
		o := p.Order.Proposed
		if o == nil {
			return inbox.FormOrder, nil
		}
		return inbox.FormOrder, orderTerms(o.OrderedItem, o.TotalPrice, o.Delivery)
	},
	inbox.TypeQuote: func(p inbox.Payload) (inbox.Form, any) {
		q := p.Quote.Quote
		if q == nil {
			return inbox.FormQuote, nil
		}
		lines := q.Lines
		if lines == nil {
			lines = []inbox.QuoteLine{}
		}
		return inbox.FormQuote, QuoteTerms{
			TotalPrice: q.TotalPrice, Lines: lines, Notes: q.Notes, ValidThrough: q.ValidThrough,
			Creates: q.Creates, StartTime: q.StartTime, EndTime: q.EndTime,
		}
	},
}

// promised is what the business has promised with a booking or an order that
// was born of a quote (02 §1.10).
var promised = projection{
	inbox.TypeBooking: func(p inbox.Payload) (inbox.Form, any) { return inbox.FormTime, standingTime(p.Booking) },
	inbox.TypeOrder:   func(p inbox.Payload) (inbox.Form, any) { return inbox.FormOrder, standingOrder(p.Order) },
}

func standingTime(b *inbox.Booking) TimeTerms {
	return TimeTerms{StartTime: b.StartTime, EndTime: b.EndTime, PartySize: b.PartySize, TotalPrice: b.TotalPrice}
}

func standingOrder(o *inbox.Order) OrderTerms {
	return orderTerms(o.OrderedItem, o.TotalPrice, o.Delivery)
}

func orderTerms(lines []inbox.OrderLine, total inbox.Money, delivery *inbox.Delivery) OrderTerms {
	t := OrderTerms{Lines: make([]TermsLine, len(lines)), TotalPrice: total, Delivery: delivery}
	for i, l := range lines {
		t.Lines[i] = TermsLine{ProductID: l.ProductID, SKU: l.SKU, Name: l.Name, Quantity: l.Quantity, Price: l.Price}
	}
	return t
}

// Negotiates says whether items of the type have offers.
func Negotiates(t inbox.Type) bool { return asked[t] != nil }

// Terms are the form and the whole terms of what a customer asks for with a
// payload, and their fingerprint (02 §1.4, §1.5). The type must negotiate.
func Terms(t inbox.Type, p inbox.Payload) (form inbox.Form, terms json.RawMessage, sha string) {
	return asked.of(t, p)
}

// Offered are the terms of what the business put forward: the payload's
// proposal or quote. terms is nil when the payload holds none.
func Offered(t inbox.Type, p inbox.Payload) (form inbox.Form, terms json.RawMessage, sha string) {
	return offered.of(t, p)
}

// Promised are the terms of a booking or an order that was born as a promise of
// the business's (02 §1.10).
func Promised(t inbox.Type, p inbox.Payload) (form inbox.Form, terms json.RawMessage, sha string) {
	return promised.of(t, p)
}

func (by projection) of(t inbox.Type, p inbox.Payload) (form inbox.Form, terms json.RawMessage, sha string) {
	form, value := by[t](p)
	if value == nil {
		return form, nil, ""
	}
	terms, err := canon.JSON(value)
	if err != nil {
		panic(err) // our own structs of strings, numbers and instants
	}
	return form, terms, canon.TermsSHA(string(form), terms)
}

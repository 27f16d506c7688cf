package inbox

import (
	"encoding/json"
	"fmt"
)

// Payload is what an item is about: exactly one of the five, the one its type
// names (01 §1.3). The `in` tags are the limits every door checks; package
// schema reads them. "out" marks what only the inbox writes: it is dropped from
// any request.
type Payload struct {
	Message *Message
	Quote   *QuoteRequest
	Booking *Booking
	Order   *Order
	Refund  *Refund
}

// Value is the payload that is set, for encoding; nil when none is.
func (p Payload) Value() any {
	switch {
	case p.Booking != nil:
		return p.Booking
	case p.Order != nil:
		return p.Order
	case p.Quote != nil:
		return p.Quote
	case p.Message != nil:
		return p.Message
	case p.Refund != nil:
		return p.Refund
	}
	return nil
}

// MarshalJSON writes the one payload that is set.
func (p Payload) MarshalJSON() ([]byte, error) { return json.Marshal(p.Value()) }

// DecodePayload reads a payload of a type as it was stored.
func DecodePayload(t Type, raw []byte) (Payload, error) {
	var p Payload
	var into any
	switch t {
	case TypeBooking:
		p.Booking = new(Booking)
		into = p.Booking
	case TypeOrder:
		p.Order = new(Order)
		into = p.Order
	case TypeQuote:
		p.Quote = new(QuoteRequest)
		into = p.Quote
	case TypeMessage:
		p.Message = new(Message)
		into = p.Message
	case TypeRefund:
		p.Refund = new(Refund)
		into = p.Refund
	default:
		return p, fmt.Errorf("inbox: no payload of type %q", t)
	}
	return p, json.Unmarshal(raw, into)
}

// Clone copies the payload's top level, so a transition can change fields of
// the copy. Nested values are replaced whole, never changed in place.
func (p Payload) Clone() Payload {
	return Payload{
		Message: clone(p.Message), Quote: clone(p.Quote), Booking: clone(p.Booking),
		Order: clone(p.Order), Refund: clone(p.Refund),
	}
}

func clone[T any](v *T) *T {
	if v == nil {
		return nil
	}
	c := *v
	return &c
}

// Offer is the pointer to the open or last agreed offer, nil for none and for
// types that do not negotiate.
func (p Payload) Offer() *OfferPointer {
	switch {
	case p.Booking != nil:
		return p.Booking.Offer
	case p.Order != nil:
		return p.Order.Offer
	case p.Quote != nil:
		return p.Quote.Offer
	}
	return nil
}

// SetOffer replaces the pointer where the type has one.
func (p Payload) SetOffer(o *OfferPointer) {
	switch {
	case p.Booking != nil:
		p.Booking.Offer = o
	case p.Order != nil:
		p.Order.Offer = o
	case p.Quote != nil:
		p.Quote.Offer = o
	}
}

// OfferPointer says which offer stands on an item (01 §1.3): the open one, else
// the last agreed one. An accepted pointer holds id, rev, by, round and status
// alone.
type OfferPointer struct {
	ID           string      `json:"id"`
	Rev          int         `json:"rev"`
	By           Side        `json:"by"`
	Round        int         `json:"round,omitempty"` // 1 or more; the customer's view drops it
	Status       OfferStatus `json:"status"`          // open or accepted
	ValidThrough *Instant    `json:"validThrough,omitempty"`
	Held         bool        `json:"held,omitempty"`
	Binding      *bool       `json:"binding,omitempty"` // only false, on an open business offer that may be taken back
}

// Contact is how to reach the person, never their agent.
type Contact struct {
	Name   string `json:"name,omitempty" in:"len=0..200"`
	Email  string `json:"email,omitempty" in:"email"`
	Phone  string `json:"phone,omitempty" in:"len=0..40"`
	Locale string `json:"locale,omitempty" in:"len=0..12"`
}

// PostalAddress is an address in schema.org's names.
type PostalAddress struct {
	StreetAddress   string `json:"streetAddress,omitempty" in:"len=0..200"`
	AddressLocality string `json:"addressLocality,omitempty" in:"len=0..100"`
	AddressRegion   string `json:"addressRegion,omitempty" in:"len=0..100"`
	PostalCode      string `json:"postalCode,omitempty" in:"len=0..20"`
	AddressCountry  string `json:"addressCountry,omitempty" in:"len=2..2,match=^[A-Za-z]{2}$"`
}

// Delivery is how and when an order reaches the customer.
type Delivery struct {
	Method string   `json:"method" in:"required,enum=pickup|delivery|digital"`
	When   *Instant `json:"when,omitempty"`
}

// Personalised marks a price chosen for this customer.
type Personalised struct {
	ListPrice Money  `json:"listPrice"`
	Says      string `json:"says,omitempty" in:"len=0..200"`
}

// ReturnLine names part of an order that comes back.
type ReturnLine struct {
	Index    int   `json:"index" in:"required,num=0..199"`
	Quantity int64 `json:"quantity" in:"required,num=1..1000000"`
}

// Message is a conversation (01 §1.3).
type Message struct {
	Text      string `json:"text" in:"required,len=1..20000"`
	Subject   string `json:"subject,omitempty" in:"len=0..500"`
	InReplyTo string `json:"inReplyTo,omitempty" in:"len=0..998"`
}

// ItemOffered is what a quote request asks for.
type ItemOffered struct {
	Name      string `json:"name" in:"required,len=1..200,words"`
	SKU       string `json:"sku,omitempty" in:"len=0..100"`
	ServiceID string `json:"serviceId,omitempty" in:"len=0..64"`
	ProductID string `json:"productId,omitempty" in:"len=0..64"`
}

// QuoteLine is one line of a quote; Price is the unit price.
type QuoteLine struct {
	Name     string `json:"name" in:"required,len=1..200,words"`
	Quantity int64  `json:"quantity" in:"required,num=1..9007199254740991"`
	Price    Money  `json:"price" in:"required"`
}

// Quote is what the business answered a quote request with.
type Quote struct {
	TotalPrice   Money       `json:"totalPrice" in:"required"`
	ValidThrough Instant     `json:"validThrough"`
	Lines        []QuoteLine `json:"lines" in:"items=0..100"`
	Notes        string      `json:"notes,omitempty" in:"len=0..2000"`
	Creates      string      `json:"creates" in:"enum=booking|order"`
	StartTime    *Instant    `json:"startTime,omitempty"`
	EndTime      *Instant    `json:"endTime,omitempty"`
}

// QuoteRequest asks for a price.
type QuoteRequest struct {
	ItemOffered     ItemOffered    `json:"itemOffered" in:"required"`
	Quantity        *int64         `json:"quantity,omitempty" in:"num=1..9007199254740991"`
	Description     string         `json:"description" in:"required,len=1..5000,words"`
	Budget          *Money         `json:"budget,omitempty"`
	RequestedFor    *Instant       `json:"requestedFor,omitempty"`
	DeliveryAddress *PostalAddress `json:"deliveryAddress,omitempty"`
	Quote           *Quote         `json:"quote,omitempty" in:"out"`
	Offer           *OfferPointer  `json:"offer,omitempty" in:"out"`
}

// ReservationFor names the service a booking is for.
type ReservationFor struct {
	ServiceID string `json:"serviceId" in:"required,len=1..64"`
	Name      string `json:"name" in:"required,len=1..200,words"`
}

// ProposedTime is the time the business put forward instead.
type ProposedTime struct {
	StartTime    Instant       `json:"startTime"`
	EndTime      Instant       `json:"endTime"`
	TotalPrice   *Money        `json:"totalPrice,omitempty"`
	Personalised *Personalised `json:"personalised,omitempty"`
}

// TimeChange is an unanswered change to a promised time.
type TimeChange struct {
	By         Side    `json:"by"`
	StartTime  Instant `json:"startTime"`
	EndTime    Instant `json:"endTime"`
	TotalPrice *Money  `json:"totalPrice,omitempty"`
}

// Booking asks for, or holds, a time. PaymentRef and PaidAmount are the
// business's (record_payment); offer, proposed, change and personalised are
// the inbox's.
type Booking struct {
	ReservationFor      ReservationFor `json:"reservationFor" in:"required"`
	StartTime           Instant        `json:"startTime" in:"required"`
	EndTime             Instant        `json:"endTime" in:"required"`
	PartySize           *int           `json:"partySize,omitempty" in:"num=1..1000"`
	TotalPrice          *Money         `json:"totalPrice,omitempty"`
	CustomerStatedPrice *Money         `json:"customerStatedPrice,omitempty" in:"out"`
	Personalised        *Personalised  `json:"personalised,omitempty" in:"out"`
	ResourceID          string         `json:"resourceId,omitempty" in:"len=1..64"`
	Notes               string         `json:"notes,omitempty" in:"len=0..5000"`
	PaymentRef          string         `json:"paymentRef,omitempty" in:"business,len=0..200"`
	PaidAmount          *Money         `json:"paidAmount,omitempty" in:"business"`
	Proposed            *ProposedTime  `json:"proposed,omitempty" in:"out"`
	Change              *TimeChange    `json:"change,omitempty" in:"out"`
	Offer               *OfferPointer  `json:"offer,omitempty" in:"out"`
}

// OrderLine is one line of an order; Price is the unit price.
type OrderLine struct {
	ProductID           string `json:"productId,omitempty" in:"len=0..64"`
	SKU                 string `json:"sku,omitempty" in:"len=0..100"`
	Name                string `json:"name" in:"required,len=1..200,words"`
	Quantity            int64  `json:"quantity" in:"required,num=1..9007199254740991"`
	Price               Money  `json:"price" in:"required"`
	CustomerStatedPrice *Money `json:"customerStatedPrice,omitempty" in:"out"`
	ListPrice           *Money `json:"listPrice,omitempty" in:"out"`
}

// ProposedOrder is the order as the business would take it.
type ProposedOrder struct {
	OrderedItem  []OrderLine   `json:"orderedItem"`
	TotalPrice   Money         `json:"totalPrice"`
	Delivery     *Delivery     `json:"delivery,omitempty"`
	Personalised *Personalised `json:"personalised,omitempty"`
}

// OrderChange is an unanswered change to a promised order.
type OrderChange struct {
	By          Side        `json:"by"`
	OrderedItem []OrderLine `json:"orderedItem"`
	TotalPrice  Money       `json:"totalPrice"`
	Delivery    *Delivery   `json:"delivery,omitempty"`
}

// Order asks for, or holds, goods.
type Order struct {
	OrderedItem         []OrderLine    `json:"orderedItem" in:"required,items=1..200"`
	TotalPrice          Money          `json:"totalPrice" in:"required"`
	CustomerStatedPrice *Money         `json:"customerStatedPrice,omitempty" in:"out"`
	Personalised        *Personalised  `json:"personalised,omitempty" in:"out"`
	BillingAddress      *PostalAddress `json:"billingAddress,omitempty"`
	ShippingAddress     *PostalAddress `json:"shippingAddress,omitempty"`
	Delivery            *Delivery      `json:"delivery,omitempty"`
	PaymentMethod       string         `json:"paymentMethod,omitempty" in:"len=0..60"`
	PaymentRef          string         `json:"paymentRef,omitempty" in:"business,len=0..200"`
	PaidAmount          *Money         `json:"paidAmount,omitempty" in:"business"`
	PaymentURL          string         `json:"paymentUrl,omitempty" in:"business,url"`
	FulfilledAt         *Instant       `json:"fulfilledAt,omitempty" in:"business"`
	DeliveredAt         *Instant       `json:"deliveredAt,omitempty" in:"business"`
	Notes               string         `json:"notes,omitempty" in:"len=0..5000"`
	Proposed            *ProposedOrder `json:"proposed,omitempty" in:"out"`
	Change              *OrderChange   `json:"change,omitempty" in:"out"`
	Offer               *OfferPointer  `json:"offer,omitempty" in:"out"`
}

// Instructions say how goods come back.
type Instructions struct {
	Method  string `json:"method" in:"required,enum=post|drop_off|collection"`
	Address string `json:"address,omitempty" in:"len=0..500"`
	Note    string `json:"note,omitempty" in:"len=0..2000"`
}

// Disputed is what the business holds against goods that came back.
type Disputed struct {
	Note string  `json:"note"`
	At   Instant `json:"at"`
}

// Refund is money owed back. Only the inbox writes it.
type Refund struct {
	OrderItemID  string        `json:"orderItemId"`
	Amount       Money         `json:"amount"`
	OwedBefore   *Money        `json:"owedBefore,omitempty"`
	Reason       string        `json:"reason,omitempty"`
	Kind         string        `json:"kind,omitempty"`       // withdrawal, faulty, policy, cancellation, price_adjustment
	ReasonCode   string        `json:"reasonCode,omitempty"` // changed_mind, faulty, wrong_item, not_as_described, other
	Lines        []ReturnLine  `json:"lines,omitempty"`
	Wants        string        `json:"wants,omitempty"` // refund, exchange, credit
	NoticeAt     *Instant      `json:"noticeAt,omitempty"`
	GoodsBack    *bool         `json:"goodsBack,omitempty"`
	ReturnBy     *Instant      `json:"returnBy,omitempty"`
	Instructions *Instructions `json:"instructions,omitempty"`
	EvidenceAt   *Instant      `json:"evidenceAt,omitempty"`
	RefundDue    *Instant      `json:"refundDue,omitempty"`
	Disputed     *Disputed     `json:"disputed,omitempty"`
	PaymentRef   string        `json:"paymentRef,omitempty"`
	PaidAmount   *Money        `json:"paidAmount,omitempty"`
}

package words

import (
	"time"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
)

// About is what a sentence says of an item: what stands on it now.
type About struct {
	Type      inbox.Type
	State     inbox.State
	Subject   string         // as stored; "" falls back to the noun
	Reference string         // six characters
	Start     *inbox.Instant // of the time a booking is for; nil for none
	Zone      *time.Location // the business's; nil is UTC
	Price     *inbox.Money   // of the whole; nil for none
	Stated    *inbox.Money   // what the customer named, when that was another price
	Unpriced  bool           // the request held a price the catalogue does not give
	Lines     []Line         // of an order or quote
	// ByCustomer tells an order's cancellation or a quote's refusal by the
	// customer from the business's own.
	ByCustomer bool
}

// Line is one line of an order or quote; Total is nil while its price is not
// the business's.
type Line struct {
	Quantity int64
	Name     string
	Total    *inbox.Money
}

// waiting are the states in which nobody at the business has taken the request.
var waiting = map[inbox.State]bool{
	inbox.StateRequested: true, inbox.StateReceived: true, inbox.StateNeedsInfo: true,
}

// priceOpen says that the price on the item is not the business's yet: a request
// that came unpriced and that nobody has taken (05 §3.2).
func (a About) priceOpen() bool { return a.Unpriced && waiting[a.State] }

// over are the states nothing follows in, with spam, which reads as closed.
var over = map[inbox.State]bool{
	inbox.StateCompleted: true, inbox.StateNoShow: true, inbox.StateCancelled: true,
	inbox.StateCancelledByCustomer: true, inbox.StateCancelledByBusiness: true, inbox.StateDeclined: true,
	inbox.StateExpired: true, inbox.StateClosed: true, inbox.StateSpam: true, "charged_back": true,
	"refunded": true, "rejected": true,
}

// named says whether the item has a subject of its own.
func (a About) named() bool { return format.OneLine(a.Subject) != "" }

// bare is what the item is called in a subject line; what is the same within a
// sentence, in quotes. Without a subject both are the noun (05 §1.3).
func (a About) bare(l format.Lang) string {
	if subject := format.OneLine(a.Subject); subject != "" {
		return subject
	}
	return say(l, "noun", a.Type)
}

func (a About) what(l format.Lang) string {
	if !a.named() {
		return say(l, "noun", a.Type)
	}
	return `"` + a.bare(l) + `"`
}

// fact answers the placeholders that are about the item alone.
func (a About) fact(l format.Lang, name string) (string, bool) {
	switch name {
	case "noun", "kind":
		return say(l, name, a.Type), true
	case "what":
		return a.what(l), true
	case "bare":
		return a.bare(l), true
	case "when":
		return written(a.Start, func(i inbox.Instant) string { return format.DateTime(l, i, a.Zone) }), true
	case "price":
		return written(a.Price, func(m inbox.Money) string { return format.Money(l, m) }), true
	case "stated":
		return written(a.Stated, func(m inbox.Money) string { return format.Money(l, m) }), true
	case "reference":
		return a.Reference, true
	}
	return "", false
}

// written is an optional fact in words, "" when there is none.
func written[T any](v *T, write func(T) string) string {
	if v == nil {
		return ""
	}
	return write(*v)
}

package words

import (
	"reflect"
	"slices"
	"strings"
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
	Start     *inbox.Instant // of the time a booking is for, or a quote was asked for; nil for none
	Zone      *time.Location // the business's; nil is UTC
	Price     *inbox.Money   // of the whole; nil for none
	Stated    *inbox.Money   // what the customer named, when that was another price
	Unpriced  bool           // the request held a price the catalogue does not give
	Personal  *Personal      // Price was chosen for this customer; nil when it was not
	Lines     []Line         // of an order
	Delivery  *Delivery      // of an order; nil for none named
	Offered   *Offered       // what the business put forward, while it stands on the item
	Due       *inbox.Money   // what is left to pay of what was asked for; nil for nothing asked
	PayURL    string         // where it is paid, "" for none
	Refund    *Refund        // of a refund; of another item what goes back with what happened to it
	// ByCustomer tells an order's cancellation or a quote's refusal by the
	// customer from the business's own.
	ByCustomer bool
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
	inbox.StateExpired: true, inbox.StateClosed: true, inbox.StateSpam: true, inbox.StateChargedBack: true,
	"refunded": true, "rejected": true,
}

// asAsked says whether what the business put forward is what was asked for: the
// time of a booking; lines, total and delivery of an order. A line whose price was
// open until now is the same line with one.
func (a About) asAsked() bool {
	o := a.Offered
	switch {
	case o == nil || o.ChangeBy != "":
		return false
	case a.Type == inbox.TypeBooking:
		return o.Start != nil && a.Start != nil && *o.Start == *a.Start
	}
	return o.Price != nil && reflect.DeepEqual(o.Price, a.Price) && reflect.DeepEqual(o.Delivery, a.Delivery) &&
		slices.EqualFunc(o.Lines, a.Lines, func(x, y Line) bool {
			return x.Quantity == y.Quantity && x.Name == y.Name && (y.Total == nil || reflect.DeepEqual(x.Total, y.Total))
		})
}

// stays says whether a change that is asked for leaves a booking at its time.
func (a About) stays() bool {
	o := a.Offered
	return a.Type == inbox.TypeBooking && o != nil && o.ChangeBy != "" && o.Start != nil && a.Start != nil && *o.Start == *a.Start
}

// named says whether the item has a subject of its own.
func (a About) named(l format.Lang) bool { return a.subject(l) != "" }

// subject is the item's, on one line, in the language where the inbox made it
// itself (05 §1.3).
func (a About) subject(l format.Lang) string { return madeAnew(l, a.Type, format.OneLine(a.Subject)) }

// bare is what the item is called in a subject line; what is the same within a
// sentence, in quotes. Without a subject both are the noun (05 §1.3).
func (a About) bare(l format.Lang) string {
	if subject := a.subject(l); subject != "" {
		return subject
	}
	return sayCore(l, "noun", a.Type)
}

func (a About) what(l format.Lang) string {
	if !a.named(l) {
		return sayCore(l, "noun", a.Type)
	}
	return `"` + a.bare(l) + `"`
}

// fact answers the placeholders that are about the item alone.
func (a About) fact(l format.Lang, name string) (string, bool) {
	switch name {
	case "noun", "kind":
		return sayCore(l, name, a.Type), true
	case "o":
		return sayCore(l, "form.o", a.Type), true
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
	case "lines":
		return listed(l, a.Lines, "\n"), true
	case "list":
		return a.Personal.list(l), true
	case "says":
		return a.Personal.says(), true
	case "delivery":
		return a.Delivery.date(l, a.Zone), true
	}
	switch name {
	case "pay.due":
		return written(a.Due, func(m inbox.Money) string { return format.Money(l, m) }), true
	case "pay.url":
		return format.OneLine(a.PayURL), true
	}
	if name, ok := strings.CutPrefix(name, "new."); ok {
		return a.Offered.fact(l, a.Zone, name)
	}
	if name, ok := strings.CutPrefix(name, "refund."); ok {
		return a.Refund.fact(l, a.Zone, name)
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

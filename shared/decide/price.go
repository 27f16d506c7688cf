package decide

import (
	"strconv"
	"strings"

	"typedinbox/shared/catalogue"
	"typedinbox/shared/inbox"
)

// price prices the request as the catalogue does, for customers and for
// automation; what a person, a key with money or a connector writes down is
// taken as it is (01 §1.5).
func (b *birth) price() *inbox.Problem {
	if price := prices[b.r.Type]; price != nil {
		return inputProblem(price(b))
	}
	return nil
}

// inputProblem is invalid_input of the problems found, nil for none.
func inputProblem(problems []inbox.FieldProblem) *inbox.Problem {
	if len(problems) == 0 {
		return nil
	}
	return inbox.InvalidInput(problems...)
}

// prices set the prices of a create, and the withdrawal flags of what is sold.
var prices = map[inbox.Type]func(*birth) []inbox.FieldProblem{
	inbox.TypeBooking: (*birth).priceBooking,
	inbox.TypeOrder:   (*birth).priceOrder,
}

// priced says whether the catalogue prices what this creator asks for.
func (b *birth) priced() bool { return b.c.IsCustomer() || b.c.IsAutomation() }

// priceBooking: the service's own name stands in any case.
func (b *birth) priceBooking() []inbox.FieldProblem {
	p := b.r.Payload.Booking
	b.rec.WithdrawalFlags = []inbox.Withdrawal{b.f.Service.Withdrawal}
	priced, unpriced, problems := catalogue.PriceBooking(*p, *b.f.Service, b.f.Business.Currency)
	if !b.priced() {
		p.ReservationFor.Name = priced.ReservationFor.Name
		return nil
	}
	b.r.Payload.Booking, b.rec.Unpriced = &priced, unpriced
	return problems
}

// priceOrder: an order that is taken as written still has sums that are money.
func (b *birth) priceOrder() (problems []inbox.FieldProblem) {
	o := b.r.Payload.Order
	if b.priced() {
		var priced inbox.Order
		priced, b.rec.Unpriced, problems = catalogue.PriceOrder(*o, b.f.Products)
		b.r.Payload.Order, o = &priced, &priced
	} else {
		_, problems = catalogue.Total(o.OrderedItem, "payload")
	}
	b.rec.WithdrawalFlags = catalogue.OrderFlags(o.OrderedItem, b.f.Products)
	return problems
}

// maxSubject is how much of a message's text becomes its subject, in
// characters (01 §1.4).
const maxSubject = 80

// subject is what the item is called (01 §1.4).
func subject(r CreateRequest) *string {
	if s := subjectOf(r.Payload); s != "" {
		return &s
	}
	switch m := r.Payload.Message; {
	case strings.TrimSpace(r.Subject) != "":
		return &r.Subject
	case m != nil && strings.TrimSpace(m.Subject) != "":
		return inbox.Ptr(m.Subject)
	case m != nil:
		cut := m.Text
		if text := []rune(cut); len(text) > maxSubject {
			cut = string(text[:maxSubject-3]) + "…"
		}
		return &cut
	}
	return nil
}

// subjectOf is the subject that a payload itself gives, "" for none: the
// service, what is ordered, what a price is asked for.
func subjectOf(p inbox.Payload) string {
	switch {
	case p.Booking != nil:
		return p.Booking.ReservationFor.Name
	case p.Quote != nil:
		return p.Quote.ItemOffered.Name
	case p.Order != nil && len(p.Order.OrderedItem) > 0:
		return orderSubject(p.Order.OrderedItem)
	}
	return ""
}

// orderSubject is "3 × Honey" for one line, "Honey and 2 more" for several.
func orderSubject(lines []inbox.OrderLine) string {
	if len(lines) == 1 {
		return strconv.FormatInt(lines[0].Quantity, 10) + " × " + lines[0].Name
	}
	return lines[0].Name + " and " + strconv.Itoa(len(lines)-1) + " more"
}

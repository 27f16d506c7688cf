package decide

import (
	"reflect"
	"slices"
	"strconv"

	"typedinbox/shared/catalogue"
	"typedinbox/shared/inbox"
	"typedinbox/shared/negotiation"
)

// Changes to what was agreed: what each side names and what the payload holds of
// it (01 §5.6, 02 §4.1, §4.3).

// readChangeTime takes of an input what its side may name: a customer a start
// alone, since length and price stay.
func (m *move) readChangeTime() (in input, problems []inbox.FieldProblem) {
	v, problems := decode[inbox.ChangeTimeInput](m.r.Input)
	in.secret = mask(&v.Note)
	if m.c.IsCustomer() {
		v.EndTime, v.TotalPrice, v.ValidThrough = nil, nil, nil
	} else {
		v.ReasonCode = ""
		problems = append(problems, m.inFuture("validThrough", v.ValidThrough)...)
	}
	in.value, in.note, in.reasonCode = v, v.Note, v.ReasonCode
	return in, problems
}

// readChangeOrder takes of an input what its side may name: a customer other
// quantities and another date, never a price.
func (m *move) readChangeOrder() (in input, problems []inbox.FieldProblem) {
	v, problems := decode[inbox.ChangeOrderInput](m.r.Input)
	in.secret = mask(&v.Note)
	if m.c.IsCustomer() {
		v.OrderedItem, v.Delivery, v.ValidThrough = nil, nil, nil
		problems = append(problems, m.inFuture("deliveryWhen", v.DeliveryWhen)...)
		if len(problems) == 0 && len(v.Lines) == 0 && v.DeliveryWhen == nil {
			problems = []inbox.FieldProblem{{Path: "input.lines", Problem: inbox.Missing, Message: "name lines or deliveryWhen"}}
		}
	} else {
		v.Lines, v.DeliveryWhen, v.ReasonCode = nil, nil, ""
		problems = append(problems, m.inFuture("validThrough", v.ValidThrough)...)
		if d := v.Delivery; d != nil && !sameDay(d, m.before.Order.Delivery) {
			problems = append(problems, m.inFuture("delivery.when", d.When)...)
		}
		for i := range v.OrderedItem {
			in.secret = mask(&v.OrderedItem[i].Name) || in.secret
		}
	}
	in.value, in.note, in.reasonCode = v, v.Note, v.ReasonCode
	return in, problems
}

func (m *move) inFuture(path string, at *inbox.Instant) []inbox.FieldProblem {
	if at == nil || *at > m.e.Now {
		return nil
	}
	return []inbox.FieldProblem{badInput(path, "must lie in the future")}
}

// sameDay says whether a delivery keeps the date that was agreed.
func sameDay(d, agreed *inbox.Delivery) bool {
	return agreed != nil && agreed.When != nil && d.When != nil && *agreed.When == *d.When
}

// applyChangeTime writes the booking as it would be into the payload. A
// customer's time has to be one that would be offered, the booking's own places
// counting as free.
func (m *move) applyChangeTime() *inbox.Problem {
	v, b := m.in.value.(inbox.ChangeTimeInput), m.booking()
	if p := m.checkCurrency(v.TotalPrice); p != nil {
		return p
	}
	c := inbox.TimeChange{By: m.side(), StartTime: v.StartTime, EndTime: movedEnd(b, v), TotalPrice: v.TotalPrice}
	if c.StartTime == b.StartTime && c.EndTime == b.EndTime && samePrice(c.TotalPrice, b.TotalPrice) {
		return changesNothing()
	}
	b.Change = &c
	if m.c.IsCustomer() {
		return m.slotFree(c.StartTime, c.EndTime)
	}
	return nil
}

// movedEnd is when a booking would end: as it says, else it keeps its length.
func movedEnd(b *inbox.Booking, v inbox.ChangeTimeInput) inbox.Instant {
	if v.EndTime != nil {
		return *v.EndTime
	}
	return v.StartTime + (b.EndTime - b.StartTime)
}

// samePrice: naming no price keeps the agreed one.
func samePrice(named, agreed *inbox.Money) bool {
	return named == nil || agreed != nil && named.Same(*agreed)
}

func changesNothing() *inbox.Problem {
	return inbox.InvalidField("input", "changes nothing of what was agreed")
}

// applyChangeOrder writes the order as it would be into the payload: lines and
// delivery that are not named stay as agreed, and with the lines their total.
func (m *move) applyChangeOrder() *inbox.Problem {
	v, o := m.in.value.(inbox.ChangeOrderInput), m.ordered()
	c := inbox.OrderChange{By: m.side(), OrderedItem: o.OrderedItem, TotalPrice: o.TotalPrice, Delivery: o.Delivery}
	if v.Delivery != nil {
		c.Delivery = v.Delivery
	}
	c.Delivery = deliveredOn(c.Delivery, v.DeliveryWhen)
	lines, problems := m.changedLines(v)
	if len(problems) > 0 {
		return inbox.InvalidInput(problems...)
	}
	if !sameLines(lines, o.OrderedItem) {
		if c.TotalPrice, problems = catalogue.Total(lines, "input"); len(problems) > 0 {
			return inbox.InvalidInput(problems...)
		}
		c.OrderedItem = lines
	}
	if sameLines(c.OrderedItem, o.OrderedItem) && reflect.DeepEqual(c.Delivery, o.Delivery) {
		return changesNothing()
	}
	o.Change = &c
	return m.totalFixed(c.TotalPrice)
}

// changedLines are the lines as a side would have them: the business's whole new
// ones, or the agreed ones with the customer's quantities, both in the order's
// currency (01 §5.6); an index is the line's place in the order as it stands.
func (m *move) changedLines(v inbox.ChangeOrderInput) ([]inbox.OrderLine, []inbox.FieldProblem) {
	agreed := m.before.Order
	if v.OrderedItem != nil {
		return v.OrderedItem, inCurrency(v.OrderedItem, agreed.TotalPrice.Currency)
	}
	if len(v.Lines) == 0 {
		return agreed.OrderedItem, nil
	}
	quantities := make([]inbox.CounterLine, len(v.Lines))
	for i, l := range v.Lines {
		quantities[i] = inbox.CounterLine{Index: l.Index, Quantity: l.Quantity}
	}
	lines, problems := countered(agreed.OrderedItem, quantities)
	if len(problems) == 0 && len(inCurrency(lines, agreed.TotalPrice.Currency)) > 0 {
		problems = []inbox.FieldProblem{badInput("lines", "have prices in another currency than the total: a person has to change them")}
	}
	return lines, problems
}

func inCurrency(lines []inbox.OrderLine, currency string) (problems []inbox.FieldProblem) {
	for i, l := range lines {
		if l.Price.Currency != currency {
			problems = append(problems, badInput("orderedItem."+strconv.Itoa(i)+".price.currency", "must be "+currency))
		}
	}
	return problems
}

// sameLines compares what of lines is terms.
func sameLines(a, b []inbox.OrderLine) bool {
	return slices.EqualFunc(a, b, func(x, y inbox.OrderLine) bool {
		return x.ProductID == y.ProductID && x.SKU == y.SKU && x.Name == y.Name && x.Quantity == y.Quantity && x.Price.Same(y.Price)
	})
}

// applyChange makes the open change what was agreed (01 §5.6). What the customer
// stated goes with a price of the business's that is taken; lines that are
// replaced get their withdrawal flags anew. Without a change the guard refuses.
func (m *move) applyChange() *inbox.Problem {
	switch p := m.rec.Item.Payload; {
	case p.Booking != nil && p.Booking.Change != nil:
		b, c := p.Booking, p.Booking.Change
		b.StartTime, b.EndTime, b.Change = c.StartTime, c.EndTime, nil
		if c.TotalPrice != nil {
			if !samePrice(c.TotalPrice, b.TotalPrice) {
				b.Personalised = nil
			}
			b.TotalPrice, b.CustomerStatedPrice = c.TotalPrice, nil
		}
	case p.Order != nil && p.Order.Change != nil:
		o, c := p.Order, p.Order.Change
		o.Change = nil
		if sameLines(c.OrderedItem, o.OrderedItem) {
			o.Delivery = c.Delivery
			return nil
		}
		m.reorder(c.OrderedItem, c.TotalPrice, c.Delivery, marked(c.OrderedItem, o.Personalised))
	}
	return nil
}

// changeValid is until when the change that the row asks for can be accepted
// (02 §3).
func (m *move) changeValid() inbox.Instant {
	s, now := m.f.Settings, m.e.Now
	b := m.booking()
	switch v := m.in.value.(type) {
	case inbox.ChangeTimeInput:
		if m.side() == inbox.SideCustomer {
			return negotiation.AskValid(now, s, b.StartTime, b.Change.StartTime)
		}
		return negotiation.ChangeValid(v.ValidThrough, b.StartTime, b.Change.StartTime, now, s, m.c.IsAutomation())
	case inbox.ChangeOrderInput:
		if m.side() == inbox.SideBusiness {
			return negotiation.DateValid(v.ValidThrough, now, s, m.c.IsAutomation())
		}
	}
	return negotiation.AskValid(now, s)
}

package decide

import (
	"slices"
	"strconv"
	"strings"

	"typedinbox/shared/catalogue"
	"typedinbox/shared/inbox"
	"typedinbox/shared/negotiation"
	"typedinbox/shared/returns"
)

// stripOrder drops from an order what no create may set, and makes its lines
// the create's own copy. What was paid already is [birth.pay]'s to keep.
func stripOrder(p inbox.Payload) {
	o := p.Order
	o.Offer, o.Proposed, o.Change = nil, nil, nil
	o.CustomerStatedPrice, o.Personalised = nil, nil
	o.PaymentRef, o.PaidAmount, o.PaymentURL, o.FulfilledAt, o.DeliveredAt = "", nil, "", nil, nil
	o.OrderedItem = slices.Clone(o.OrderedItem)
	for i := range o.OrderedItem {
		o.OrderedItem[i].CustomerStatedPrice, o.OrderedItem[i].ListPrice = nil, nil
	}
}

// ordered is the order as it will stand, nil for other types.
func (m *move) ordered() *inbox.Order { return m.rec.Item.Payload.Order }

func (m *move) readProposeOrder() (in input, problems []inbox.FieldProblem) {
	v, problems := decode[inbox.ProposeOrderInput](m.r.Input)
	in.secret = mask(&v.Note)
	for i := range v.OrderedItem {
		in.secret = mask(&v.OrderedItem[i].Name) || in.secret
	}
	in.value, in.note = v, v.Note
	return in, problems
}

// applyProposedOrder writes the order that the business would take beside the
// one asked for: the total is the inbox's own, delivery is as asked unless it
// names its own (01 §3 step 12, §5.2). A late yes puts forward the request as it
// stands, its total and marks with it.
func (m *move) applyProposedOrder() *inbox.Problem {
	v, o := m.in.value.(inbox.ProposeOrderInput), m.ordered()
	proposed := inbox.ProposedOrder{OrderedItem: v.OrderedItem, Delivery: v.Delivery}
	if proposed.Delivery == nil {
		proposed.Delivery = o.Delivery
	}
	if m.converted != "" {
		proposed.TotalPrice, proposed.Personalised = o.TotalPrice, o.Personalised
		o.Proposed = &proposed
		return nil
	}
	total, problems := summed(v.OrderedItem)
	if paid := returns.Paid(m.before); paid != nil && len(problems) == 0 {
		problems = inCurrency(v.OrderedItem, paid.Currency)
	}
	if v.ValidThrough != nil && *v.ValidThrough <= m.e.Now {
		problems = append(problems, badInput("validThrough", "must lie in the future"))
	}
	if len(problems) > 0 {
		return inbox.InvalidInput(problems...)
	}
	proposed.TotalPrice, o.Proposed = total, &proposed
	return nil
}

// summed is the total of lines in one currency.
func summed(lines []inbox.OrderLine) (inbox.Money, []inbox.FieldProblem) {
	var problems []inbox.FieldProblem
	for i, l := range lines {
		if l.Price.Currency != lines[0].Price.Currency {
			problems = append(problems, badInput("orderedItem."+strconv.Itoa(i)+".price.currency", "all lines must be in one currency"))
		}
	}
	if len(problems) > 0 {
		return inbox.Money{}, problems
	}
	return catalogue.Total(lines, "input")
}

func badInput(path, message string) inbox.FieldProblem {
	return inbox.FieldProblem{Path: "input." + path, Problem: inbox.Invalid, Message: message}
}

// applyOffer makes the order that the business put forward the order: lines,
// total, delivery and marks. What the customer stated goes (01 §5.2). Without a
// proposal the guard refuses.
func (m *move) applyOffer() *inbox.Problem {
	if p := m.ordered().Proposed; p != nil {
		m.reorder(p.OrderedItem, p.TotalPrice, p.Delivery, p.Personalised)
	}
	return nil
}

// reorder replaces the order's lines with the business's own or a customer's
// answer to them; their withdrawal flags are written anew (01 §1.2).
func (m *move) reorder(lines []inbox.OrderLine, total inbox.Money, delivery *inbox.Delivery, mark *inbox.Personalised) {
	o := m.ordered()
	o.OrderedItem, o.TotalPrice, o.Delivery, o.Personalised = lines, total, delivery, mark
	o.Proposed, o.CustomerStatedPrice = nil, nil
	m.rec.WithdrawalFlags = catalogue.OrderFlags(lines, m.f.Products)
}

func (m *move) readCounterOrder() (in input, problems []inbox.FieldProblem) {
	v, problems := decode[inbox.CounterOrderInput](m.r.Input)
	if len(problems) == 0 && len(v.Lines) == 0 && v.DeliveryWhen == nil {
		problems = []inbox.FieldProblem{{Path: "input.lines", Problem: inbox.Missing, Message: "name lines or deliveryWhen"}}
	}
	if v.DeliveryWhen != nil && *v.DeliveryWhen <= m.e.Now {
		problems = append(problems, badInput("deliveryWhen", "must lie in the future"))
	}
	in.secret = mask(&v.Note)
	in.value, in.note, in.reasonCode = v, v.Note, v.ReasonCode
	in.priced = slices.ContainsFunc(v.Lines, func(l inbox.CounterLine) bool { return l.UnitPrice != nil })
	return in, problems
}

// applyCounterOrder makes the business's proposal, with the customer's
// quantities, unit prices and date, the request (01 §5.2). Without a proposal
// the guard refuses.
func (m *move) applyCounterOrder() *inbox.Problem {
	v, p := m.in.value.(inbox.CounterOrderInput), m.ordered().Proposed
	if p == nil {
		return nil
	}
	lines, problems := countered(p.OrderedItem, v.Lines)
	if len(problems) > 0 {
		return inbox.InvalidInput(problems...)
	}
	total := p.TotalPrice
	if len(v.Lines) > 0 {
		if total, problems = catalogue.Total(lines, "input"); len(problems) > 0 {
			return inbox.InvalidInput(badInput("lines", inbox.ErrTooLarge().Error()))
		}
	}
	m.reorder(lines, total, deliveredOn(p.Delivery, v.DeliveryWhen), marked(lines, p.Personalised))
	return nil
}

// countered are the lines put forward with what the customer changes: quantities,
// 0 dropping the line, and prices. An index is the line's place in the proposal.
func countered(lines []inbox.OrderLine, changes []inbox.CounterLine) ([]inbox.OrderLine, []inbox.FieldProblem) {
	lines = slices.Clone(lines)
	var problems []inbox.FieldProblem
	seen := map[int]bool{}
	for i, c := range changes {
		at := "lines." + strconv.Itoa(i)
		switch {
		case c.Index >= len(lines):
			problems = append(problems, badInput(at+".index", "there is no such line"))
			continue
		case seen[c.Index]:
			problems = append(problems, badInput(at+".index", "names a line twice"))
			continue
		}
		seen[c.Index] = true
		l := &lines[c.Index]
		l.Quantity = c.Quantity
		if c.UnitPrice == nil {
			continue
		}
		if !strings.EqualFold(c.UnitPrice.Currency, l.Price.Currency) {
			problems = append(problems, badInput(at+".unitPrice.currency", "must be "+l.Price.Currency))
		}
		l.Price, l.ListPrice = *c.UnitPrice, nil
	}
	lines = slices.DeleteFunc(lines, func(l inbox.OrderLine) bool { return l.Quantity == 0 })
	if len(lines) == 0 && len(problems) == 0 {
		problems = append(problems, badInput("lines", "at least one line must remain"))
	}
	return lines, problems
}

// marked is the mark of an order whose lines changed: its list total is that of
// the lines as they stand, and it goes with the last line that has one (02 §6.3,
// §7.3).
func marked(lines []inbox.OrderLine, was *inbox.Personalised) *inbox.Personalised {
	if was == nil || !slices.ContainsFunc(lines, func(l inbox.OrderLine) bool { return l.ListPrice != nil }) {
		return nil
	}
	listed := slices.Clone(lines)
	for i, l := range listed {
		if l.ListPrice != nil {
			listed[i].Price = *l.ListPrice
		}
	}
	total, problems := catalogue.Total(listed, "input")
	if len(problems) > 0 {
		return was
	}
	return &inbox.Personalised{ListPrice: total, Says: was.Says}
}

// deliveredOn is a delivery on another date. An order that names no way to
// deliver is delivered (docs/decisions).
func deliveredOn(d *inbox.Delivery, when *inbox.Instant) *inbox.Delivery {
	if when == nil {
		return d
	}
	moved := inbox.Delivery{Method: "delivery"}
	if d != nil {
		moved = *d
	}
	moved.When = when
	return &moved
}

// orderValid is until when changes to an order can be accepted (02 §3).
func orderValid(m *move) inbox.Instant {
	return negotiation.DateValid(m.in.value.(inbox.ProposeOrderInput).ValidThrough, m.e.Now, m.f.Settings, m.c.IsAutomation())
}

// couldProposeOrder: an order in one currency can be put forward at any time, while
// its lines fit beside themselves.
func (m *move) couldProposeOrder() bool {
	o := *m.before.Order
	_, problems := summed(o.OrderedItem)
	o.Proposed = &inbox.ProposedOrder{OrderedItem: o.OrderedItem, TotalPrice: o.TotalPrice, Delivery: o.Delivery}
	return len(problems) == 0 && oversized(inbox.Payload{Order: &o}, "") == nil
}

// answeredByBusiness says whether the business made an offer before the request
// that stands: only then has a request a second row in the ledger (02 §1.3).
func (m *move) answeredByBusiness() bool { return m.rec.OfferRev > 1 }

// unpricedLines says whether automation's yes to an order would take lines that
// the catalogue does not name, after the business had made an offer (01 §2.3).
func (m *move) unpricedLines() bool {
	o := m.before.Order
	return o != nil && m.answeredByBusiness() && !catalogue.AllCatalogue(o.OrderedItem, m.f.Products)
}

// suggestedOrder: other quantities and another date of delivery, and nothing
// else but, where the business takes them, unit prices (02 §6.5, §11.3).
func suggestedOrder(f *Facts, r inbox.MakeOfferRequest) (any, bool) {
	t := r.Terms
	in := inbox.CounterOrderInput{DeliveryWhen: t.DeliveryWhen, Note: r.Note, ReasonCode: r.ReasonCode}
	priced := false
	for _, l := range t.Lines {
		in.Lines = append(in.Lines, inbox.CounterLine(l))
		priced = priced || l.UnitPrice != nil
	}
	t.Lines, t.DeliveryWhen = nil, nil
	clean := isEmptySuggestion(t) && (len(in.Lines) > 0 || in.DeliveryWhen != nil)
	return in, clean && (!priced || f.Settings.Negotiation.PriceCounters)
}

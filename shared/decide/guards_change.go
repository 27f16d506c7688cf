package decide

import (
	"typedinbox/shared/calendar"
	"typedinbox/shared/catalogue"
	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
	"typedinbox/shared/negotiation"
)

// Guards of changes (01 §6, 02 §4.2, §4.4).
const (
	changesLeft    machine.Guard = "changes_left"
	amendmentsLive machine.Guard = "amendments_live"
	totalFixed     machine.Guard = "total_fixed"
)

// mostChanges is how many changes of one promise are accepted at most, whatever
// negotiation.changes.maxPerItem says (02 §4.4).
const mostChanges = 3

// promiseAhead: a booking that has started no longer changes; an order's promise
// is ahead for as long as it is one. The start is the one agreed so far.
func (m *move) promiseAhead() *inbox.Problem {
	b := m.before.Booking
	if b == nil || b.StartTime > m.e.Now {
		return nil
	}
	return inbox.GuardFailed("promise_ahead", "The booking has started: it no longer changes. Nothing was written.").
		With("startTime", b.StartTime)
}

// changeOpen: a change of the other side's waits for an answer and its date has
// not passed; of its own side's only a person at the business records the
// customer's yes, whatever its date (01 §13.3). It still keeps a total that is
// fixed.
func (m *move) changeOpen() *inbox.Problem {
	open := m.openChange()
	if open == nil {
		return noOffer()
	}
	if open.By == m.side() {
		if !m.c.IsPerson() {
			return noOffer()
		}
	} else if p := lapsed(open, m.e.Now); p != nil {
		return p
	}
	if o := m.before.Order; o != nil && o.Change != nil {
		return m.totalFixed(o.Change.TotalPrice)
	}
	return nil
}

// totalFixed: once payment was asked for or made an order's total stays; more is
// a second order, less is a refund (02 §4.4).
func (m *move) totalFixed(total inbox.Money) *inbox.Problem {
	if total.Same(m.before.Order.TotalPrice) || !hasTotalFixed(m.f.Record) {
		return nil
	}
	return inbox.GuardFailed(string(totalFixed), "Payment was asked for or made, so the total stays as it is. Nothing was written.")
}

// hasTotalFixed says whether payment of an order was asked for or made.
func hasTotalFixed(r *inbox.Record) bool {
	switch r.Item.State {
	case inbox.StateAwaitingPayment, inbox.StatePaymentFailed, inbox.StatePaid:
		return true
	}
	o := r.Item.Payload.Order
	return o != nil && (o.PaymentRef != "" || o.PaidAmount != nil)
}

func (m *move) changeTheirs() *inbox.Problem { return m.changeOf(false) }

func (m *move) changeMine() *inbox.Problem { return m.changeOf(true) }

func (m *move) changeOf(own bool) *inbox.Problem {
	if o := m.openChange(); o != nil && (o.By == m.side()) == own {
		return nil
	}
	return noOffer()
}

// changeLapsed: the date of the open change has come.
func (m *move) changeLapsed() *inbox.Problem {
	if o := m.openChange(); o != nil && o.ValidThrough != nil && *o.ValidThrough <= m.e.Now {
		return nil
	}
	return inbox.GuardFailed("change_lapsed", "The change can still be answered.")
}

// changesLeft: fewer changes were accepted than may be, and the promise as it
// would be lies near enough to what was first agreed. A change that names no
// date does not move it.
func (m *move) changesLeft() *inbox.Problem {
	due, end := changedDates(m.rec.Item.Payload)
	return m.bounds(due, end)
}

// changedDates are the dates of a promise as its open change would leave it, nil
// for none.
func changedDates(p inbox.Payload) (due, end *inbox.Instant) {
	switch {
	case p.Booking != nil && p.Booking.Change != nil:
		return &p.Booking.Change.StartTime, &p.Booking.Change.EndTime
	case p.Order != nil && p.Order.Change != nil && p.Order.Change.Delivery != nil:
		when := p.Order.Change.Delivery.When
		return when, when
	}
	return nil, nil
}

// bounds judges a change to the dates given (02 §4.4).
func (m *move) bounds(due, end *inbox.Instant) *inbox.Problem {
	a := m.agreement()
	switch {
	case a.Changes >= min(m.f.Settings.Negotiation.Changes.MaxPerItem, mostChanges):
		return inbox.GuardFailed(string(changesLeft), "What was agreed has changed as often as it may. Nothing was written.").With("reason", "count")
	case due != nil && negotiation.Shifted(a.Due, *due), end != nil && negotiation.Shifted(a.End, *end):
		return inbox.GuardFailed(string(changesLeft), "That is more than 90 days from the date first agreed. Nothing was written.").With("reason", "shift")
	}
	return nil
}

// changeAllowed bounds automation (02 §8.4): it takes a customer's change while
// negotiation.ai.mayAcceptChanges is on, of a booking only before the cutoff, of
// an order only at catalogue prices. A late yes is judged as the yes it was; a
// change of automation's own needs negotiation.ai.mayProposeChanges.
func (m *move) changeAllowed() *inbox.Problem {
	ai := m.f.Settings.Negotiation.AI
	switch {
	case !m.c.IsAutomation():
		return nil
	case m.changes() && m.converted == "":
		if !ai.MayProposeChanges {
			return notForAutomation("Automation asks for no changes here.")
		}
		return nil
	case !ai.MayAcceptChanges:
		return notForAutomation("Automation accepts no changes here.")
	case insideCutoff(m.f, m.e.Now):
		return notForAutomation("The booking is so near that a person at the business answers.")
	}
	o := m.before.Order
	if o == nil || o.Change == nil || catalogue.OrderAtListPrices(inbox.Order{OrderedItem: o.Change.OrderedItem}, m.f.Products) {
		return nil
	}
	return inbox.GuardFailed("business_priced",
		"The order holds a price that is not the catalogue's. A person at the business takes the change.").With("draft_for_owner", true)
}

func notForAutomation(why string) *inbox.Problem {
	return inbox.GuardFailed("change_allowed", "%s Nothing was written; the owner should be told.", why).With("draft_for_owner", true)
}

// insideCutoff: the agreed start is nearer than negotiation.changes.customerCutoffMin.
func insideCutoff(f *Facts, now inbox.Instant) bool {
	b := f.Record.Item.Payload.Booking
	return b != nil && int64(b.StartTime-now) < int64(f.Settings.CustomerCutoffMin())*inbox.Minute
}

// makesNoChange: automation asks for none until the owner's limits exist, a rule
// only where the settings let it, and nobody once the booking has started.
func makesNoChange(f *Facts, c inbox.Caller, now inbox.Instant) bool {
	mayNot := c.IsAutomation() && !f.Settings.Negotiation.AI.MayProposeChanges
	return unlimited(c) || mayNot || hasStarted(f.Record.Item.Payload, now)
}

func hasStarted(p inbox.Payload, now inbox.Instant) bool {
	return p.Booking != nil && p.Booking.StartTime <= now
}

// takesNoChange: a yes to a change past its date is for a person to record, of a
// time that has passed for nobody, of one inside the notice for a person alone;
// automation has bounds of its own besides (01 §3, "Allowed events").
func takesNoChange(f *Facts, c inbox.Caller, now inbox.Instant) bool {
	p := f.Record.Item.Payload
	if hasStarted(p, now) {
		return true
	}
	o := p.Offer()
	late := o != nil && isLapsed(o.ValidThrough, now)
	if late && !c.IsPerson() {
		return true
	}
	if b := p.Booking; b != nil && b.Change != nil {
		past, inside := calendar.TooSoon(b.Change.StartTime, now, f.Settings.Booking.MinNoticeMin)
		recorded := c.IsPerson() && (!late || b.Change.By == inbox.SideBusiness)
		if past || inside && !recorded {
			return true
		}
	}
	return c.IsAutomation() && (!f.Settings.Negotiation.AI.MayAcceptChanges || insideCutoff(f, now))
}

package decide

import (
	"typedinbox/shared/calendar"
	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
	"typedinbox/shared/returns"
)

// Inputs about a booking's time (01 §4).

func (m *move) readProposeTime() (in input, problems []inbox.FieldProblem) {
	v, problems := decode[inbox.ProposeTimeInput](m.r.Input)
	in.secret = mask(&v.Note)
	in.value, in.note = v, v.Note
	return in, problems
}

func (m *move) readCounterTime() (in input, problems []inbox.FieldProblem) {
	v, problems := decode[inbox.CounterTimeInput](m.r.Input)
	in.secret = mask(&v.Note)
	in.value, in.note, in.reasonCode, in.priced = v, v.Note, v.ReasonCode, v.TotalPrice != nil
	return in, problems
}

// applyProposedTime writes the time the business puts forward beside the one
// asked for.
func (m *move) applyProposedTime() *inbox.Problem {
	v := m.in.value.(inbox.ProposeTimeInput)
	if p := m.checkCurrency(v.TotalPrice); p != nil {
		return p
	}
	m.booking().Proposed = &inbox.ProposedTime{StartTime: v.StartTime, EndTime: v.EndTime, TotalPrice: v.TotalPrice}
	return nil
}

// checkCurrency: a price is in the currency of the booking's, else in that of what
// was paid for it, else in the business's.
func (m *move) checkCurrency(price *inbox.Money) *inbox.Problem {
	currency := m.f.Business.Currency
	if stands := m.before.Booking.TotalPrice; stands != nil {
		currency = stands.Currency
	} else if paid := returns.Paid(m.before); paid != nil {
		currency = paid.Currency
	}
	if price == nil || price.Currency == currency {
		return nil
	}
	return inbox.InvalidField("input.totalPrice.currency", "must be %s", currency)
}

// applyProposal makes the proposal the booking's: its time, and its price with
// its mark when it names one (01 §5.1). Without a proposal the guard refuses.
func (m *move) applyProposal() *inbox.Problem {
	b := m.booking()
	if p := b.Proposed; p != nil {
		b.StartTime, b.EndTime = p.StartTime, p.EndTime
		takePrice(b, p)
	}
	b.Proposed = nil
	return nil
}

// takePrice takes the business's price, when the proposal names one; what the
// customer stated goes with it.
func takePrice(b *inbox.Booking, p *inbox.ProposedTime) {
	if p.TotalPrice != nil {
		b.TotalPrice, b.Personalised, b.CustomerStatedPrice = p.TotalPrice, p.Personalised, nil
	}
}

// applyCounterTime makes the customer's other time the request: for as long as
// the service lasts, at a price of their own, else at the proposal's (01 §5.1).
// The time must be one that would be offered, unless it is the proposed one.
func (m *move) applyCounterTime() *inbox.Problem {
	v, b := m.in.value.(inbox.CounterTimeInput), m.booking()
	if p := m.checkCurrency(v.TotalPrice); p != nil {
		return p
	}
	proposed := b.Proposed
	b.EndTime = v.StartTime + m.length()
	b.StartTime, b.Proposed = v.StartTime, nil
	switch {
	case v.TotalPrice != nil:
		b.TotalPrice, b.Personalised, b.CustomerStatedPrice = v.TotalPrice, nil, nil
	case proposed != nil:
		takePrice(b, proposed)
	}
	if proposed != nil && proposed.StartTime == v.StartTime {
		return nil
	}
	return m.slotFree(b.StartTime, b.EndTime)
}

// length is how long the service lasts; of one that is gone, the booking.
func (m *move) length() inbox.Instant {
	if m.f.Service != nil {
		return inbox.Instant(int64(m.f.Service.DurationMin) * inbox.Minute)
	}
	b := m.before.Booking
	return b.EndTime - b.StartTime
}

// slotFree: a time of the customer's own is one that would be offered, the
// item's own places counting as free (01 §10.4).
func (m *move) slotFree(start, end inbox.Instant) *inbox.Problem {
	s := m.service()
	claim := claimOf(&m.rec, s, start, end)
	free, full := calendar.Offered(calendar.Query{
		Service: s, Week: m.f.Week, Closures: m.f.Closures, Zone: m.f.Business.Zone, Now: m.e.Now,
		Places: inbox.Places{Claims: m.others(claim.Resource)},
	}, start, end, nil)
	if free {
		return nil
	}
	p := inbox.Refuse(inbox.CodeSlotTaken, "That time is not offered. Nothing was written; look for another time.").With("guard", "slot_free")
	if full != nil {
		p.With("startTime", full.StartTime).With("endTime", full.EndTime).With("capacity", s.Capacity)
	}
	return p
}

// planTime judges a time that the business puts forward: it ends after it
// starts, fits one booking and is free, whether its places are held or not; and
// it plans the hold (01 §3 step 15, §10.6).
func (m *move) planTime() *inbox.Problem {
	if !m.row.Does(machine.PlanHold) || m.booking() == nil {
		return nil
	}
	start, end := timeBeside(m.booking())
	if end <= start {
		return inbox.InvalidField("input.endTime", "must be after startTime")
	}
	claim := claimOf(&m.rec, m.service(), start, end)
	if p := calendar.Span(claim.From, claim.To); p != nil {
		p.Path = "input." + p.Path
		return inbox.InvalidInput(*p)
	}
	if full := m.full(claim); full != nil {
		return m.slotTaken(full)
	}
	if m.mayHold() && m.fitsBeside(claim) {
		claim.Kind = inbox.ClaimHold
		m.place = &claim
	}
	return nil
}

// timeBeside is the time that stands beside the booking's own: of an open change,
// else of a proposal, else none but its own.
func timeBeside(b *inbox.Booking) (start, end inbox.Instant) {
	switch {
	case b.Change != nil:
		return b.Change.StartTime, b.Change.EndTime
	case b.Proposed != nil:
		return b.Proposed.StartTime, b.Proposed.EndTime
	}
	return b.StartTime, b.EndTime
}

package decide

import (
	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
	"typedinbox/shared/negotiation"
)

// openChange is the change to the promise that waits for an answer, nil for
// none.
func (m *move) openChange() *inbox.Offer {
	if o := m.open(); o != nil && o.Kind == negotiation.KindChange {
		return o
	}
	return nil
}

// agreedOffer is the offer that the facts' item stands on: the last agreed one,
// nil before any agreement.
func agreedOffer(f *Facts) *inbox.Offer {
	if f.Offer != nil && f.Offer.Status == inbox.OfferAccepted {
		return f.Offer
	}
	return f.Agreed
}

// changes says whether the row puts forward a change to a promise.
func (m *move) changes() bool { return m.makes() && m.table.IsPromise(m.from) }

// kind is the kind of the offer that the row makes.
func (m *move) kind() string {
	if m.changes() {
		return negotiation.KindChange
	}
	return negotiation.KindOffer
}

// lastRound is the round of the newest change since the last agreement; before
// the promise a negotiation always has an open offer to count from.
func (m *move) lastRound() int {
	if m.changes() {
		return m.rec.Agreement.Round
	}
	return 0
}

// countRound remembers the round of a change that was made.
func (m *move) countRound(round int) {
	if !m.changes() {
		return
	}
	m.rec.Agreement = m.agreement()
	m.rec.Agreement.Round = round
}

// agreement is what the changes are counted from; of a promise that kept none,
// what it holds now (02 §4.4).
func (m *move) agreement() inbox.Agreement {
	if m.rec.Agreement != (inbox.Agreement{}) {
		return m.rec.Agreement
	}
	return firstAgreed(m.before, m.f, m.e.Now)
}

// firstAgreed are the dates of a promise that is agreed now: the booking's, or
// the order's delivery, which is orders.dueDays from now when it names none.
func firstAgreed(p inbox.Payload, f *Facts, now inbox.Instant) inbox.Agreement {
	switch {
	case p.Booking != nil:
		return inbox.Agreement{Due: p.Booking.StartTime, End: p.Booking.EndTime}
	case p.Order != nil && p.Order.Delivery != nil && p.Order.Delivery.When != nil:
		return inbox.Agreement{Due: *p.Order.Delivery.When, End: *p.Order.Delivery.When}
	}
	due := now.Add(int64(f.Settings.Orders.DueDays) * inbox.Day)
	return inbox.Agreement{Due: due, End: due}
}

// noteAgreement notes an agreement: the dates of the first, and each accepted change.
func (m *move) noteAgreement() {
	if m.table.IsPromise(m.from) {
		m.rec.Agreement = m.agreement()
		m.rec.Agreement.Changes++
		m.rec.Agreement.Round = 0
	} else if m.table.IsPromise(m.row.Target(m.from)) {
		m.rec.Agreement = firstAgreed(m.rec.Item.Payload, m.f, m.e.Now)
	}
}

// keepOffer closes the open change, and what was agreed stands as it was
// (02 §1.3, §4.3).
func (m *move) keepOffer() {
	open := m.openChange()
	if open == nil {
		return
	}
	lapsed := m.r.Event == "expire_change" || m.c.Kind == inbox.System
	m.writeOffer(negotiation.End(*open, m.act(), lapsed, m.in.reasonCode))
	m.offer = m.agreed
	m.point(m.rec.AgreedOffer)
	switch p := m.rec.Item.Payload; {
	case p.Booking != nil:
		p.Booking.Change = nil
	case p.Order != nil:
		p.Order.Change = nil
	}
}

// endChange closes a change that is still open when the promise ends another way,
// and lets go of what it held (02 §1.3).
func (m *move) endChange() {
	if m.openChange() == nil || !m.table.IsPromise(m.from) || m.table.IsPromise(m.rec.Item.State) {
		return
	}
	m.keepOffer()
	m.releaseHold()
}

// takesBackChange says whether the row ends the promise from the business's side
// by cancelling it, and with it a change that the business asked for.
func (m *move) takesBackChange() bool {
	cancels := m.row.Event == "cancel" || m.row.Event == "cancel_by_business"
	return cancels && m.table.IsPromise(m.from) && machine.ChangeBy(m.before) == inbox.SideBusiness
}

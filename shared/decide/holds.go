package decide

import (
	"slices"

	"typedinbox/shared/calendar"
	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
	"typedinbox/shared/settings"
)

// NeedsHolds says whether the verb may hold places, so that [Facts].Holds must
// have been counted before it is decided.
func NeedsHolds(f Facts, c inbox.Caller, r TransitionRequest) bool {
	if f.Record == nil || !holdsOffered(f.Settings) {
		return false
	}
	row, p := machine.Resolve(f.Record.Item.Type, f.Record.Item.State, r.Event, c)
	late := f.Record.RequestExpiresAt != nil || openPointer(f.Record, inbox.SideCustomer) != nil
	return p == nil && (row.Does(machine.PlanHold) || row.Offer == machine.Take && late)
}

func holdsOffered(s settings.Settings) bool { return s.Booking.HoldOnPropose && s.Booking.MaxHolds > 0 }

// mayHold: holding is on, and this customer holds places on fewer other items
// than booking.maxHolds (01 §10.6).
func (m *move) mayHold() bool {
	return holdsOffered(m.f.Settings) && m.f.Holds < m.f.Settings.Booking.MaxHolds
}

// fitsBeside says whether a time can be held beside the place that the item keeps
// meanwhile: a booking's own, of which a change would be the second. What an
// earlier offer of it holds goes (01 §10.6).
func (m *move) fitsBeside(claim inbox.Claim) bool {
	beside := m.others(claim.Resource)
	for _, own := range m.f.Record.Claims {
		if own.OfferID == "" && own.Resource == claim.Resource {
			beside = append(beside, own)
		}
	}
	return calendar.FirstFull(beside, m.service().Capacity, claim.From, claim.To, m.e.Now, m.c.IsPerson()) == nil
}

// planHold lets go of what an earlier offer held and holds the planned place for
// the new one.
func (m *move) planHold() {
	m.releaseHold()
	if m.place == nil {
		return
	}
	claim := *m.place
	claim.OfferID = m.offer.ID
	m.rec.Claims = append(slices.Clip(m.rec.Claims), m.take(claim))
}

// countHolds notes for whom the item holds places, or that it no longer does.
func (m *move) countHolds() {
	holds := slices.ContainsFunc(m.rec.Claims, func(c inbox.Claim) bool { return c.OfferID != "" })
	i := &m.rec.Item
	switch {
	case holds && m.rec.HeldFor == nil:
		m.rec.HeldFor = []string{inbox.PartyHolder(i.PartyID, i.Flags.Sandbox)}
		m.noteHolding(true)
	case !holds && m.rec.HeldFor != nil:
		m.noteHolding(false)
		m.rec.HeldFor = nil
	}
}

func (m *move) noteHolding(begins bool) {
	for _, holder := range m.rec.HeldFor {
		m.write.Holdings = append(m.write.Holdings, inbox.Holding{Holder: holder, ItemID: m.rec.Item.ID, Begins: begins})
	}
}

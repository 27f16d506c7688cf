package decide

import (
	"strings"

	"typedinbox/shared/calendar"
	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
)

// widestBuffer is the longest buffer a service may have, in minutes (01 §10.1):
// what is read when the service is not known yet.
const widestBuffer = 240

// Needs lists the hour rows a verb must have read before it can be decided: of
// the time it would claim, real rows and, for a sandbox item, its own (00 §4).
// It asks the item alone and, when it is known, the service for its buffers.
// Nothing for a verb that claims no place, is refused anyway, or asks for more
// hours than a booking may touch.
func Needs(f Facts, c inbox.Caller, r TransitionRequest) []inbox.HourRow {
	if f.Record == nil || f.Record.Item.Payload.Booking == nil {
		return nil
	}
	row, p := machine.Resolve(f.Record.Item.Type, f.Record.Item.State, r.Event, c)
	if p != nil || !row.Does(machine.ClaimSlot) {
		return nil
	}
	b := f.Record.Item.Payload.Booking
	if b.EndTime <= b.StartTime || calendar.Span(b.StartTime, b.EndTime) != nil {
		return nil
	}
	s := inbox.Service{BufferBeforeMin: widestBuffer, BufferAfterMin: widestBuffer}
	if f.Service != nil {
		s = *f.Service
	}
	claim := claimOf(f.Record, s)
	rows := claim.Rows()
	if real, ok := strings.CutPrefix(claim.Resource, sandboxPrefix); ok {
		claim.Resource = real
		rows = append(rows, claim.Rows()...)
	}
	return rows
}

// sandboxPrefix stands before the resource key of a sandbox item's claims.
const sandboxPrefix = "sandbox:"

// claimOf is the claim of a booking's time, buffers included, without an id.
func claimOf(rec *inbox.Record, s inbox.Service) inbox.Claim {
	b := rec.Item.Payload.Booking
	from, to := calendar.Claim(s, b.StartTime, b.EndTime)
	return inbox.Claim{
		Resource: calendar.ResourceKey(b.ReservationFor.ServiceID, b.ResourceID, rec.Item.Flags.Sandbox),
		Kind:     inbox.ClaimBooking, From: from, To: to,
	}
}

// slotAvailable judges the time as it will stand with its buffers against every
// claim but the item's own, and plans the place (01 §10.5).
func (m *move) slotAvailable() *inbox.Problem {
	s := m.service()
	claim := claimOf(&m.rec, s)
	if p := calendar.Span(claim.From, claim.To); p != nil {
		return inbox.InvalidInput(*p)
	}
	full := calendar.FirstFull(m.others(claim.Resource), s.Capacity, claim.From, claim.To, m.e.Now, m.c.IsPerson())
	if full != nil {
		return inbox.Refuse(inbox.CodeSlotTaken, "That time is taken. Nothing was written; look for another time.").
			With("startTime", full.StartTime).With("endTime", full.EndTime).With("capacity", s.Capacity)
	}
	m.place = &claim
	return nil
}

// service is the item's service; one that is gone takes one booking at a time.
func (m *move) service() inbox.Service {
	if m.f.Service != nil {
		return *m.f.Service
	}
	return inbox.Service{Capacity: 1}
}

// others are the claims that a claim on the resource meets: those of the
// resource, for a sandbox item the real ones too, without the item's own.
func (m *move) others(resource string) []inbox.Claim {
	real := strings.TrimPrefix(resource, sandboxPrefix)
	others := make([]inbox.Claim, 0, len(m.f.Places.Claims))
	for _, c := range m.f.Places.Claims {
		if (c.Resource == resource || c.Resource == real) && !holds(m.f.Record.Claims, c.ID) {
			others = append(others, c)
		}
	}
	return others
}

func holds(claims []inbox.Claim, id string) bool {
	for _, c := range claims {
		if c.ID == id {
			return true
		}
	}
	return false
}

// claimSlot drops all the item's claims and takes the planned one. The write is
// conditioned on the rows it goes into and on no others: what a sandbox item
// saw of real ones is as read (00 §4).
func (m *move) claimSlot() {
	m.releaseSlot()
	claim := *m.place
	claim.ID = m.e.Source.ID(m.e.Now)
	rows := claim.Rows()
	m.write.Places.Revs = make(map[inbox.HourRow]int64, len(rows))
	for _, r := range rows {
		m.write.Places.Revs[r] = m.f.Places.Revs[r]
	}
	m.write.Take = []inbox.Claim{claim}
	m.rec.Claims = m.write.Take
}

// releaseSlot drops all the item's claims.
func (m *move) releaseSlot() {
	m.write.Release = append(m.write.Release, m.rec.Claims...)
	m.rec.Claims = nil
}

// releaseHold drops the claims that an offer holds.
func (m *move) releaseHold() {
	var kept []inbox.Claim
	for _, c := range m.rec.Claims {
		if c.OfferID == "" {
			kept = append(kept, c)
		} else {
			m.write.Release = append(m.write.Release, c)
		}
	}
	m.rec.Claims = kept
}

package decide

import (
	"strings"

	"typedinbox/shared/calendar"
	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
)

// widestService is the longest a service may be, in minutes (01 §10.1): what is
// read when the service is not known yet.
var widestService = inbox.Service{DurationMin: 1440, BufferBeforeMin: 240, BufferAfterMin: 240}

// Needs lists the hour rows a verb must have read before it can be decided: of
// the time it would claim, offer or ask for, real rows and, for a sandbox item,
// its own (00 §4). It asks the item and the request, and the service, when that
// is known, for its buffers and length. Nothing for a verb that looks at no
// places, is refused anyway, or asks for more hours than a booking may touch.
func Needs(f Facts, c inbox.Caller, r TransitionRequest) []inbox.HourRow {
	if f.Record == nil || f.Record.Item.Payload.Booking == nil && f.Record.Item.Payload.Quote == nil {
		return nil
	}
	row, p := machine.Resolve(f.Record.Item.Type, f.Record.Item.State, r.Event, c)
	if p != nil {
		return nil
	}
	s := widestService
	if f.Service != nil {
		s = *f.Service
	}
	rec, start, end, ok := timeNeeded(f.Record, row, r, s)
	if !ok || end <= start || calendar.Span(start, end) != nil {
		return nil
	}
	claim := claimOf(rec, s, start, end)
	rows := claim.Rows()
	if real, ok := strings.CutPrefix(claim.Resource, sandboxPrefix); ok {
		claim.Resource = real
		rows = append(rows, claim.Rows()...)
	}
	return rows
}

// timeNeeded is the time whose places a row looks at, and the record whose
// booking it is; ok is false for none and for an input that will be refused.
func timeNeeded(rec *inbox.Record, row *machine.Row, r TransitionRequest, s inbox.Service) (of *inbox.Record, start, end inbox.Instant, ok bool) {
	if q := rec.Item.Payload.Quote; q != nil {
		if !row.Does(machine.LinkItem) || !booksTime(q.Quote) {
			return nil, 0, 0, false
		}
		return bookingOf(rec), *q.Quote.StartTime, *q.Quote.EndTime, true
	}
	start, end, ok = bookedTime(rec.Item.Payload.Booking, row, r, s)
	return rec, start, end, ok
}

func bookedTime(b *inbox.Booking, row *machine.Row, r TransitionRequest, s inbox.Service) (start, end inbox.Instant, ok bool) {
	switch {
	case row.Input == "proposeTime":
		v, problems := decode[inbox.ProposeTimeInput](r.Input)
		return v.StartTime, v.EndTime, len(problems) == 0
	case row.Input == "counterTime":
		v, problems := decode[inbox.CounterTimeInput](r.Input)
		return v.StartTime, v.StartTime.Add(int64(s.DurationMin) * inbox.Minute), len(problems) == 0
	case row.Input == "changeTime":
		v, problems := decode[inbox.ChangeTimeInput](r.Input)
		if row.By.Has(machine.Customer) {
			v.EndTime = nil
		}
		return v.StartTime, movedEnd(b, v), len(problems) == 0
	case row.Does(machine.ApplyProposal) && b.Proposed != nil, row.Does(machine.ApplyChange) && b.Change != nil:
		start, end = timeBeside(b)
		return start, end, true
	}
	return b.StartTime, b.EndTime, row.Does(machine.ClaimSlot)
}

// sandboxPrefix stands before the resource key of a sandbox item's claims.
const sandboxPrefix = "sandbox:"

// claimOf is the claim of a time, buffers included, without an id.
func claimOf(rec *inbox.Record, s inbox.Service, start, end inbox.Instant) inbox.Claim {
	b := rec.Item.Payload.Booking
	from, to := calendar.Claim(s, start, end)
	return inbox.Claim{
		Resource: calendar.ResourceKey(b.ReservationFor.ServiceID, b.ResourceID, rec.Item.Flags.Sandbox),
		Kind:     inbox.ClaimBooking, From: from, To: to,
	}
}

// slotAvailable judges the time as it will stand with its buffers against every
// claim but the item's own, and plans the place (01 §10.5).
func (m *move) slotAvailable() *inbox.Problem {
	rec := m.booked()
	if rec == nil {
		return nil
	}
	b := rec.Item.Payload.Booking
	claim := claimOf(rec, m.service(), b.StartTime, b.EndTime)
	if p := calendar.Span(claim.From, claim.To); p != nil {
		return inbox.InvalidInput(*p)
	}
	if full := m.full(claim); full != nil {
		return m.slotTaken(full)
	}
	m.place = &claim
	return nil
}

// full is the first part of a claim's time in which no place is left, nil when
// there is one throughout.
func (m *move) full(claim inbox.Claim) *calendar.Interval {
	return calendar.FirstFull(m.others(claim.Resource), m.service().Capacity, claim.From, claim.To, m.e.Now, m.c.IsPerson())
}

func (m *move) slotTaken(full *calendar.Interval) *inbox.Problem {
	return inbox.Refuse(inbox.CodeSlotTaken, "That time is taken. Nothing was written; look for another time.").
		With("startTime", full.StartTime).With("endTime", full.EndTime).With("capacity", m.service().Capacity)
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

// claimSlot drops all the item's claims and takes the planned one.
func (m *move) claimSlot() {
	if m.place == nil {
		return // goods take no place
	}
	m.releaseSlot()
	m.take(*m.place)
	m.rec.Claims = m.write.Take
}

// take puts a claim into the write under an id of its own. The write is
// conditioned on the rows it goes into and on no others: what a sandbox item saw
// of real ones is as read (00 §4).
func (m *move) take(claim inbox.Claim) inbox.Claim {
	claim.ID = m.e.Source.ID(m.e.Now)
	rows := claim.Rows()
	m.write.Places.Revs = make(map[inbox.HourRow]int64, len(rows))
	for _, r := range rows {
		m.write.Places.Revs[r] = m.f.Places.Revs[r]
	}
	m.write.Take = []inbox.Claim{claim}
	return claim
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

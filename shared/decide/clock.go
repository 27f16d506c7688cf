package decide

import (
	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
	"typedinbox/shared/negotiation"
	"typedinbox/shared/settings"
)

// wind sets the request clock going again when the item comes to a state that
// waits for the business or the customer, if a customer ever set it going; a
// customer's own act does (01 §13.2). The open request's date follows.
func (m *move) wind() {
	if m.c.IsCustomer() {
		m.rec.Clocked = true
	}
	if !m.rec.Clocked || !m.table.EntersRequestClock(m.rec.Item.State) {
		return
	}
	m.rec.RequestExpiresAt = requestClock(m.rec.Item.Payload, m.f.Settings, m.e.Now)
	if open := m.open(); open != nil {
		if moved, ok := negotiation.Follow(*open, m.rec.RequestExpiresAt, m.e.Now); ok {
			m.writeOffer(moved)
			m.point(moved.Pointer())
		}
	}
}

// requestClock is until when a request wound at an instant waits: a booking's
// never past its start, unless that has come already (01 §13.1).
func requestClock(p inbox.Payload, s settings.Settings, at inbox.Instant) *inbox.Instant {
	if p.Booking != nil {
		until := min(at.Add(int64(s.Booking.AutoExpireHours)*inbox.Hour), max(p.Booking.StartTime, at))
		return &until
	}
	until := at.Add(int64(s.Negotiation.CounterValidHours) * inbox.Hour)
	return &until
}

// deadlines are what the sweep fires, each with the moment it is due on an
// item, nil for never (01 §13.1).
var deadlines = []struct {
	event string
	at    func(*inbox.Record, settings.Settings) *inbox.Instant
}{
	{"expire", func(r *inbox.Record, _ settings.Settings) *inbox.Instant {
		if !machine.Of(r.Item.Type).EntersRequestClock(r.Item.State) {
			return nil
		}
		return r.RequestExpiresAt
	}},
	{"expire", func(r *inbox.Record, _ settings.Settings) *inbox.Instant {
		o := r.Item.Payload.Offer()
		if o == nil || o.Status != inbox.OfferOpen || o.By != inbox.SideBusiness || machine.Of(r.Item.Type).IsPromise(r.Item.State) {
			return nil
		}
		return o.ValidThrough
	}},
	{"expire_change", func(r *inbox.Record, _ settings.Settings) *inbox.Instant {
		o := r.Item.Payload.Offer()
		if o == nil || o.Status != inbox.OfferOpen || !machine.Of(r.Item.Type).IsPromise(r.Item.State) {
			return nil
		}
		return o.ValidThrough
	}},
	{"complete", func(r *inbox.Record, s settings.Settings) *inbox.Instant {
		b := r.Item.Payload.Booking
		if b == nil || r.Item.State != inbox.StateConfirmed {
			return nil
		}
		return inbox.Ptr(b.EndTime.Add(int64(s.Booking.AutoCompleteHours) * inbox.Hour))
	}},
	{"lapse", func(r *inbox.Record, s settings.Settings) *inbox.Instant { return payBy(r, s.Orders.PayDays) }},
}

// DueAt is the item's earliest deadline and the event the sweep then fires; nil
// and "" for none. Every write recomputes it (01 §19.4). One past
// [inbox.Farthest] is due then.
func DueAt(r *inbox.Record, s settings.Settings) (at *inbox.Instant, event string) {
	for _, d := range deadlines {
		if due := d.at(r, s); due != nil && (at == nil || *due < *at) {
			at, event = due, d.event
		}
	}
	if at != nil && *at > inbox.Farthest {
		at = inbox.Ptr(inbox.Farthest)
	}
	return at, event
}

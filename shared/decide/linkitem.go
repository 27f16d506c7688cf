package decide

import (
	"typedinbox/shared/catalogue"
	"typedinbox/shared/inbox"
	"typedinbox/shared/negotiation"
)

// An accepted quote becomes a booking or an order that is promised already, in
// the same write: neither exists without the other (01 §7, 02 §1.10).

// linkedItem is what an accepted quote becomes, as it is written beside it.
type linkedItem struct {
	rec   inbox.Record
	event inbox.Event
	offer inbox.Offer
}

// planLink makes the item that the quote becomes, before the guards that judge
// its time. Without a quote the guard refuses.
func (m *move) planLink() *inbox.Problem {
	r := m.quoted()
	if r.Quote == nil {
		return nil
	}
	l := linkedItem{}
	linked := &l.rec
	switch r.Quote.Creates {
	case createsBooking:
		linked.Item.Type, linked.Item.State = inbox.TypeBooking, inbox.StateConfirmed
		linked.Item.Payload, linked.WithdrawalFlags = m.bookingFrom(r)
	default:
		linked.Item.Type, linked.Item.State = inbox.TypeOrder, inbox.StateAccepted
		linked.Item.Payload, linked.WithdrawalFlags = m.orderFrom(r)
	}
	linked.Item.Flags = m.rec.Item.Flags
	m.linked = &l
	return nil
}

// bookingFrom: the service under the catalogue's name, the quote's time and
// total, its notes, no number of people.
func (m *move) bookingFrom(r *inbox.QuoteRequest) (inbox.Payload, []inbox.Withdrawal) {
	b := inbox.Booking{
		ReservationFor: inbox.ReservationFor{ServiceID: r.ItemOffered.ServiceID, Name: r.ItemOffered.Name},
		TotalPrice:     inbox.Ptr(r.Quote.TotalPrice), Notes: r.Quote.Notes,
	}
	flag := inbox.WithdrawalStandard
	if s := m.f.Service; s != nil {
		b.ReservationFor.Name, flag = s.Name, s.Withdrawal
	}
	if q := r.Quote; q.StartTime != nil && q.EndTime != nil {
		b.StartTime, b.EndTime = *q.StartTime, *q.EndTime
	}
	return inbox.Payload{Booking: &b}, []inbox.Withdrawal{flag}
}

func (m *move) orderFrom(r *inbox.QuoteRequest) (inbox.Payload, []inbox.Withdrawal) {
	lines := orderOf(r)
	return inbox.Payload{Order: &inbox.Order{
		OrderedItem: lines, TotalPrice: r.Quote.TotalPrice, ShippingAddress: r.DeliveryAddress, Notes: r.Quote.Notes,
	}}, catalogue.OrderFlags(lines, m.f.Products)
}

// booked is the record whose booking's time is judged and whose place is taken:
// the item's own, or that of the booking it becomes; nil when neither is a
// booking.
func (m *move) booked() *inbox.Record {
	switch {
	case m.linked != nil && m.linked.rec.Item.Payload.Booking != nil:
		return &m.linked.rec
	case m.booking() != nil:
		return &m.rec
	}
	return nil
}

// link writes the planned item: with the quote's party, token, match and flags,
// its claim, its create by whoever said yes, and its agreed offer.
func (m *move) link() {
	l, at := &m.linked.rec, m.e.Now
	i, parent := &l.Item, &m.rec.Item
	i.ID, i.Version, i.Channel, i.CreatedAt, i.UpdatedAt = m.e.Source.ID(at), 1, m.c.Channel, at, at
	i.PartyID, i.LocationID = parent.PartyID, parent.LocationID
	subject := subjectOf(i.Payload)
	i.Subject, i.LinkedItemID, parent.LinkedItemID = &subject, inbox.Ptr(parent.ID), inbox.Ptr(i.ID)
	l.AccessTokenHash, l.CustomerMatch, l.PossiblePartyID = m.rec.AccessTokenHash, m.rec.CustomerMatch, m.rec.PossiblePartyID
	l.Locale, l.Clocked, l.Rev = m.rec.Locale, m.rec.Clocked, 1
	l.ByCustomer = true // also when a person recorded the yes (09)
	if m.place != nil {
		l.Claims = []inbox.Claim{m.take(*m.place)}
	}
	m.linked.event = eventOf(l, m.f, m.c, m.e.Source.ID(at), inbox.EventCreate, m.e)
	ev := &m.linked.event
	ev.CausationID, ev.Depth, ev.Meta.Sandbox = inbox.Ptr(m.event.ID), 1, i.Flags.Sandbox
	l.LastEventID = ev.ID
	m.linked.offer = m.promise()
	l.AgreedAt = &m.e.Now
	l.OfferRev, l.AgreedOffer = 1, m.linked.offer.Pointer()
	l.Agreement = firstAgreed(i.Payload, m.f, at)
	i.Payload.SetOffer(l.AgreedOffer)
	l.DueAt, l.DueKind = DueAt(l, m.f.Settings)
}

// promise is the offer that a promise born of a quote rests on: accepted, by
// business, its author the quote's.
func (m *move) promise() inbox.Offer {
	a := negotiation.Act{Item: m.linked.rec.Item, EventID: m.linked.event.ID, Now: m.e.Now}
	return negotiation.Promise(m.e.Source.ID(m.e.Now), a, m.f.Offer)
}

// putLinked adds the linked item to the write, and what is owed about it: the
// business hears of it unless a person of theirs recorded the yes; the customer
// hears of the quote alone.
func (m *move) putLinked() {
	if m.linked == nil {
		return
	}
	l := m.linked
	l.rec.Item.Flags = m.rec.Item.Flags
	m.write.Items = append(m.write.Items, ItemWrite{Record: l.rec})
	m.write.Events = append(m.write.Events, l.event)
	m.write.Offers = append(m.write.Offers, l.offer)
	if tellsOwner(m.c) {
		m.write.Jobs = append(m.write.Jobs, job(l.rec.Item.ID, []inbox.Effect{{
			ID: "ev:" + l.event.ID + ":owner", Kind: inbox.EffectNotifyOwner, EventID: l.event.ID, Event: inbox.EventCreate,
		}}, m.e)...)
	}
}

// linkedFacts are the facts of the linked item as the write leaves it, nil for
// none.
func (m *move) linkedFacts() *Facts {
	if m.refund != nil {
		return &Facts{Settings: m.f.Settings, Business: m.f.Business, Basis: m.f.Basis, Record: &m.refund.rec, Promise: &m.rec, Party: m.f.Party, People: m.f.People}
	}
	if m.linked == nil {
		return nil
	}
	f := *m.f
	f.Record, f.Offer, f.Thread, f.Entry, f.Asked, f.Agreed = &m.linked.rec, &m.linked.offer, nil, nil, nil, nil
	return &f
}

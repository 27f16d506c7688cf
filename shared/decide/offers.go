package decide

import (
	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
	"typedinbox/shared/negotiation"
)

// offerActions move the ledger of offers, by the action on the row (01 §8.2).
// "withdraw" does nothing while the open offer is the customer's; taking back
// one's own belongs to rows that still refuse.
var offerActions = map[machine.OfferAction]func(*move){
	machine.Take: (*move).takeOffer,
	machine.End:  (*move).endOffer,
}

func (m *move) act() negotiation.Act {
	return negotiation.Act{Item: m.rec.Item, Caller: m.c, Side: m.side(), EventID: m.event.ID, Now: m.e.Now}
}

func (m *move) moveOffer() {
	if do := offerActions[m.row.Offer]; do != nil && negotiation.Negotiates(m.rec.Item.Type) {
		do(m)
	}
}

// open is the offer that waits for an answer, nil for none.
func (m *move) open() *inbox.Offer {
	if m.offer != nil && m.offer.Status == inbox.OfferOpen {
		return m.offer
	}
	return nil
}

func (m *move) takeOffer() {
	var taken inbox.Offer
	if open := m.open(); open != nil {
		taken = negotiation.Take(*open, m.act())
	} else {
		m.rec.OfferRev++
		taken = negotiation.Standing(m.e.Source.ID(m.e.Now), m.act(), m.rec.OfferRev)
	}
	m.writeOffer(taken)
	m.rec.AgreedOffer = taken.Pointer()
	m.point(m.rec.AgreedOffer)
}

func (m *move) endOffer() {
	if open := m.open(); open != nil {
		lapsed := m.r.Event == "expire" || m.c.Kind == inbox.System
		m.writeOffer(negotiation.End(*open, m.act(), lapsed, m.in.reasonCode))
		m.offer = nil
	}
	m.point(nil)
}

// writeOffer puts a row into the write, in place of what an earlier part of the
// same move made of it.
func (m *move) writeOffer(o inbox.Offer) {
	m.offer = &o
	for i := range m.write.Offers {
		if m.write.Offers[i].Rev == o.Rev {
			m.write.Offers[i] = o
			return
		}
	}
	m.write.Offers = append(m.write.Offers, o)
}

// point sets the item's pointer to the open or last agreed offer (02 §1.11).
func (m *move) point(p *inbox.OfferPointer) { m.rec.Item.Payload.SetOffer(p) }

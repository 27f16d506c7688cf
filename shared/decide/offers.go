package decide

import (
	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
	"typedinbox/shared/negotiation"
)

// offerActions move the ledger of offers, by the action on the row (01 §8.2).
var offerActions = map[machine.OfferAction]func(*move){
	machine.Make:     (*move).makeOffer,
	machine.Take:     (*move).takeOffer,
	machine.Withdraw: (*move).withdrawOffer,
	machine.End:      (*move).endOffer,
	machine.Keep:     (*move).keepOffer,
}

// validities are until when an offer of the business's can be accepted, by the
// name of its input (02 §3).
var validities = map[string]func(*move) inbox.Instant{
	"proposeTime": func(m *move) inbox.Instant {
		return negotiation.TimeValid(m.booking().Proposed.StartTime, m.e.Now, m.f.Settings, m.c.IsAutomation())
	},
	"proposeOrder": orderValid,
	"quote":        quoteValid,
	"changeTime":   (*move).changeValid,
	"changeOrder":  (*move).changeValid,
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

// makes says whether the row puts an offer forward.
func (m *move) makes() bool { return m.row.Offer == machine.Make }

// round is the round of the offer that the row makes.
func (m *move) round() int {
	return negotiation.Round(m.open(), m.lastRound(), m.side(), m.kind())
}

// makeOffer opens the acting side's offer with the terms that the payload now
// holds. A customer's request follows the request's clock and binds nobody; of
// the business's it is kept what the customer is shown. An answer lets go of what
// the answered offer held.
func (m *move) makeOffer() {
	making := negotiation.Making{
		ID: m.e.Source.ID(m.e.Now), Rev: m.rec.OfferRev + 1, Open: m.open(), ReasonCode: m.in.reasonCode, Note: m.in.note,
		Kind: m.kind(), Agreed: m.agreed, LastRound: m.lastRound(),
	}
	ours := m.side() == inbox.SideBusiness
	if ours || m.changes() {
		making.ValidThrough = inbox.Ptr(validities[m.row.Input](m))
	}
	if ours {
		making.Binding = m.f.Settings.Negotiation.Binding
	}
	if m.held {
		making.Note = ""
	}
	answered, made := negotiation.Make(m.act(), making)
	if answered != nil {
		m.writeOffer(*answered)
	}
	m.keepAsked(answered, ours)
	m.countRound(made.Round)
	if ours {
		m.show(&made)
	} else {
		m.releaseHold()
	}
	m.rec.OfferRev = made.Rev
	m.writeOffer(made)
	m.point(made.Pointer())
}

// keepAsked remembers the customer's newest row while an offer of the business's
// is open: a withdrawal brings it back.
func (m *move) keepAsked(answered *inbox.Offer, ours bool) {
	switch {
	case !ours || m.changes():
		m.rec.AskedRev = 0
	case answered != nil && answered.By == inbox.SideCustomer:
		m.rec.AskedRev = answered.Rev
	}
}

// withdrawOffer takes the acting side's own offer back and reopens the
// customer's standing terms; their open request stays as it is (02 §1.3).
func (m *move) withdrawOffer() {
	unpropose(m.rec.Item.Payload)
	open := m.open()
	if open == nil || open.By != m.side() {
		return
	}
	asked := inbox.Offer{Round: 1, Authored: "person"}
	if m.f.Asked != nil {
		asked = *m.f.Asked
	}
	m.rec.OfferRev++
	m.rec.AskedRev = 0
	retracted, again := negotiation.Withdraw(m.act(), m.e.Source.ID(m.e.Now), m.rec.OfferRev, *open, asked)
	m.writeOffer(retracted)
	m.writeOffer(again)
	m.point(again.Pointer())
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
	m.noteAgreement()
	m.agreed = m.offer
	m.rec.AskedRev = 0
	m.rec.AgreedOffer = taken.Pointer()
	m.point(m.rec.AgreedOffer)
}

func (m *move) endOffer() {
	if open := m.open(); open != nil {
		lapsed := m.r.Event == "expire" || m.c.Kind == inbox.System
		m.writeOffer(negotiation.End(*open, m.act(), lapsed, m.in.reasonCode))
		m.offer = nil
	}
	m.rec.AskedRev = 0
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

package negotiation

import "typedinbox/shared/inbox"

// Act is who moves the ledger of an item, with which event, and when.
type Act struct {
	Item    inbox.Item // as the event leaves it
	Caller  inbox.Caller
	Side    inbox.Side // the side that acts, which is the customer's for a recorded no
	EventID string
	Now     inbox.Instant
}

// What a customer's request is, in the words of 02 §1.1: an offer, no change,
// and a person's, also when an agent carried it.
const (
	kindOffer        = "offer"
	authoredByPerson = "person"
)

// Request is the first offer of an item, rev 1: what the customer asks for,
// whoever wrote it down (02 §1.3). until is the request's clock, nil without
// one. It binds when a person at the business wrote it down; a customer's binds
// from the confirm step on (02 §1.9).
func Request(id string, a Act, until *inbox.Instant) inbox.Offer {
	o := row(id, a, 1, inbox.OfferOpen)
	o.ValidThrough, o.Binding = until, a.Caller.IsPerson()
	return o
}

// Standing is the row of the terms an item stands on, accepted at once: what a
// yes writes when no offer is open (02 §1.3, "take").
func Standing(id string, a Act, rev int) inbox.Offer { return row(id, a, rev, inbox.OfferAccepted) }

func row(id string, a Act, rev int, status inbox.OfferStatus) inbox.Offer {
	form, terms, sha := Terms(a.Item.Type, a.Item.Payload)
	return inbox.Offer{
		ID: id, ItemID: a.Item.ID, Rev: rev, Kind: kindOffer, Form: form, By: inbox.SideCustomer,
		ActorKind: a.Caller.Kind, ActorID: a.Caller.ID, Round: 1, Status: status,
		Terms: terms, TermsSHA: sha, Authored: authoredByPerson,
		EventID: a.EventID, CreatedAt: a.Now, UpdatedAt: a.Now,
	}
}

// Take closes an open offer as accepted.
func Take(o inbox.Offer, a Act) inbox.Offer { return closed(o, inbox.OfferAccepted, a) }

// End closes an open offer with the item: expired when nobody answered in time,
// retracted when the side that made it acted, else declined with the reason the
// other side gave (02 §1.3).
func End(o inbox.Offer, a Act, lapsed bool, reasonCode string) inbox.Offer {
	switch {
	case lapsed:
		return closed(o, inbox.OfferExpired, a)
	case o.By == a.Side:
		return closed(o, inbox.OfferRetracted, a)
	}
	o.ReasonCode = reasonCode
	return closed(o, inbox.OfferDeclined, a)
}

func closed(o inbox.Offer, s inbox.OfferStatus, a Act) inbox.Offer {
	o.Status, o.ClosedEventID, o.UpdatedAt = s, a.EventID, a.Now
	return o
}

// Follow moves the date of the customer's open request to the request's clock
// (01 §13.2); ok is false for an offer that does not follow it.
func Follow(o inbox.Offer, until *inbox.Instant, now inbox.Instant) (moved inbox.Offer, ok bool) {
	if o.Status != inbox.OfferOpen || o.By != inbox.SideCustomer || o.Kind != kindOffer || until == nil {
		return o, false
	}
	o.ValidThrough, o.UpdatedAt = until, now
	return o, true
}

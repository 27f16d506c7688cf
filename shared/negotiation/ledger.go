package negotiation

import (
	"encoding/json"

	"typedinbox/shared/inbox"
)

// Act is who moves the ledger of an item, with which event, and when.
type Act struct {
	Item    inbox.Item // as the event leaves it
	Caller  inbox.Caller
	Side    inbox.Side // the side that acts, which is the customer's for a recorded no
	EventID string
	Now     inbox.Instant
}

// Kinds of offers: one that leads to a promise, and one that would amend it.
const (
	KindOffer  = "offer"
	KindChange = "change"
)

// Who wrote an offer (02 §1.1).
const (
	byPerson     = "person"
	byAutomation = "automated"
)

// Request is the first offer of an item, rev 1: what the customer asks for,
// whoever wrote it down (02 §1.3). until is the request's clock, nil without
// one. It binds when a person at the business wrote it down; a customer's binds
// from the confirm step on (02 §1.9).
func Request(id string, a Act, until *inbox.Instant) inbox.Offer {
	o := standing(id, a, 1, inbox.OfferOpen)
	o.ValidThrough, o.Binding = until, a.Caller.IsPerson()
	return o
}

// Standing is the row of the terms an item stands on, accepted at once: what a
// yes writes when no offer is open (02 §1.3, "take").
func Standing(id string, a Act, rev int) inbox.Offer {
	return standing(id, a, rev, inbox.OfferAccepted)
}

// standing is a row of the customer's terms, a person's whatever carried them.
func standing(id string, a Act, rev int, status inbox.OfferStatus) inbox.Offer {
	o := row(id, a, rev, inbox.SideCustomer)
	o.Round, o.Status, o.Authored = 1, status, byPerson
	return o
}

// row is a row with the terms of a side as the item's payload holds them.
func row(id string, a Act, rev int, by inbox.Side) inbox.Offer {
	o := inbox.Offer{
		ID: id, ItemID: a.Item.ID, Rev: rev, Kind: KindOffer, By: by,
		ActorKind: a.Caller.Kind, ActorID: a.Caller.ID,
		EventID: a.EventID, CreatedAt: a.Now, UpdatedAt: a.Now,
	}
	terms := Terms
	if by == inbox.SideBusiness {
		terms = Offered
	}
	o.Form, o.Terms, o.TermsSHA = terms(a.Item.Type, a.Item.Payload)
	return o
}

// Making is an offer as it is made, beside its terms, which are the payload's.
type Making struct {
	ID           string
	Rev          int
	Kind         string         // KindOffer or KindChange
	Open         *inbox.Offer   // the open offer it answers or replaces; nil for none
	Agreed       *inbox.Offer   // of a change: the agreed offer it would amend
	LastRound    int            // of the newest row since the last agreement, 0 for none
	ValidThrough *inbox.Instant // of a request nil without a clock
	Binding      bool
	Shown        *inbox.Shown // what the customer is shown of a business offer
	ReasonCode   string
	Note         string
}

// Make opens the acting side's offer. answered is the open one it answers or
// replaces: superseded when the same side made it, else countered; nil when
// none was open (02 §1.3).
func Make(a Act, m Making) (answered *inbox.Offer, made inbox.Offer) {
	made = row(m.ID, a, m.Rev, a.Side)
	if m.Kind == KindChange {
		made.Kind = KindChange
		made.Form, made.Terms, made.TermsSHA = Changed(a.Item.Type, a.Item.Payload)
	}
	made.Round, made.Status = Round(m.Open, m.LastRound, a.Side, m.Kind), inbox.OfferOpen
	made.ValidThrough, made.Binding, made.Shown = m.ValidThrough, m.Binding, m.Shown
	made.ReasonCode, made.Note, made.Authored = m.ReasonCode, m.Note, authored(a)
	if parent := either(m.Open, m.Agreed); parent != nil {
		made.ParentID, made.Changes = parent.ID, Changes(parent, &made)
	}
	if m.Open == nil {
		return nil, made
	}
	status := inbox.OfferCountered
	if m.Open.By == a.Side {
		status = inbox.OfferSuperseded
	}
	old := closed(*m.Open, status, a)
	return &old, made
}

func either(a, b *inbox.Offer) *inbox.Offer {
	if a != nil {
		return a
	}
	return b
}

// authored: the customer's side is always a person's, the business's when one
// of its people acted.
func authored(a Act) string {
	if a.Side == inbox.SideCustomer || a.Caller.IsPerson() {
		return byPerson
	}
	return byAutomation
}

// Round numbers an offer that a side makes (02 §1.6): the round of the open one
// it replaces, one more than that of the open one it answers; with none open one
// more than last, the round of the newest row since the last agreement, which is
// 0 without one. A customer who asks again for a change while their own is open
// moves one round on.
func Round(open *inbox.Offer, last int, side inbox.Side, kind string) int {
	switch {
	case open == nil:
		return last + 1
	case open.By != side || (side == inbox.SideCustomer && kind == KindChange):
		return open.Round + 1
	}
	return open.Round
}

// Withdraw takes back the acting side's open offer, and the customer's standing
// terms come back as a new open row: of the round, actor and author of asked,
// their newest one, with its binding and note (02 §1.3). The date is the request
// clock's to set.
func Withdraw(a Act, id string, rev int, open, asked inbox.Offer) (retracted, reinstated inbox.Offer) {
	reinstated = standing(id, a, rev, inbox.OfferOpen)
	reinstated.ParentID, reinstated.Round = open.ID, asked.Round
	reinstated.ActorKind, reinstated.ActorID, reinstated.Authored = asked.ActorKind, asked.ActorID, asked.Authored
	reinstated.Binding, reinstated.Note = asked.Binding, asked.Note
	return closed(open, inbox.OfferRetracted, a), reinstated
}

// Take closes an open offer as accepted.
func Take(o inbox.Offer, a Act) inbox.Offer {
	return closed(o, inbox.OfferAccepted, a)
}

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
	if reasonCode != "" {
		o.ReasonCode = reasonCode
	}
	return closed(o, inbox.OfferDeclined, a)
}

func closed(o inbox.Offer, s inbox.OfferStatus, a Act) inbox.Offer {
	o.Status, o.ClosedEventID, o.UpdatedAt = s, a.EventID, a.Now
	return o
}

// Follow moves the date of the customer's open request to the request's clock
// (01 §13.2); ok is false for an offer that does not follow it.
func Follow(o inbox.Offer, until *inbox.Instant, now inbox.Instant) (moved inbox.Offer, ok bool) {
	if o.Status != inbox.OfferOpen || o.By != inbox.SideCustomer || o.Kind != KindOffer || until == nil {
		return o, false
	}
	o.ValidThrough, o.UpdatedAt = until, now
	return o, true
}

// Costs says whether saying yes to terms obliges to pay: they have a total above
// nothing (02 §5.1).
func Costs(terms json.RawMessage) bool {
	total := totalIn(terms)
	return total != nil && total.Value > 0
}

func totalIn(terms json.RawMessage) *inbox.Money {
	return read[struct {
		TotalPrice *inbox.Money `json:"totalPrice"`
	}](terms).TotalPrice
}

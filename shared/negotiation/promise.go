package negotiation

import "typedinbox/shared/inbox"

// Promise is the offer that a booking or an order born of an accepted quote
// rests on: rev 1, accepted, by the business, its author the quote's, its terms
// those of the new item's payload (02 §1.10). The act's item is the new one and
// its event that item's create.
func Promise(id string, a Act, quote *inbox.Offer) inbox.Offer {
	o := inbox.Offer{
		ID: id, ItemID: a.Item.ID, Rev: 1, ParentID: quote.ID, Kind: KindOffer, By: inbox.SideBusiness,
		ActorKind: quote.ActorKind, ActorID: quote.ActorID, Round: 1, Status: inbox.OfferAccepted,
		Authored: quote.Authored, Binding: true, EventID: a.EventID, CreatedAt: a.Now, UpdatedAt: a.Now,
	}
	o.Form, o.Terms, o.TermsSHA = Promised(a.Item.Type, a.Item.Payload)
	return o
}

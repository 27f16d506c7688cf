package decide

import (
	"typedinbox/shared/inbox"
	"typedinbox/shared/negotiation"
)

// offerView is the business's open offer as its customer reads it, nil for none
// (03 §7, 05 §8).
func offerView(f *Facts, now inbox.Instant) *inbox.OfferView {
	o := businessOffer(f)
	if o == nil {
		return nil
	}
	v := &inbox.OfferView{
		ID: o.ID, Kind: o.Form, Terms: o.Terms, TermsSHA: o.TermsSHA, Deadline: o.ValidThrough,
		ObligationToPay: obliges(f, o), Changes: listed(o.Changes), Warnings: warnings(o.Changes),
		Disclosures: []string{}, Expired: isLapsed(o.ValidThrough, now),
	}
	if o.Shown != nil {
		v.Human, v.Disclosures = o.Shown.Human, listed(o.Shown.Disclosures)
	}
	return v
}

// obliges says whether a yes to the offer obliges to pay: it costs something, and
// a change costs more than was agreed (02 §5.1).
func obliges(f *Facts, o *inbox.Offer) bool {
	if o.Kind == negotiation.KindChange {
		return negotiation.CostsMore(totalOf(f.Record.Item.Payload), o.Terms)
	}
	return negotiation.Costs(o.Terms)
}

// warnings tell of a price that is not the one asked for (02 §1.7).
func warnings(changes []string) []inbox.OfferWarning {
	if !negotiation.PriceChanged(changes) {
		return []inbox.OfferWarning{}
	}
	return []inbox.OfferWarning{{Type: "warning", Code: "price_changed", Severity: "requires_buyer_review"}}
}

// listed is a list that is never null.
func listed(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// OfferList is the ledger of an item as the business reads it, oldest first
// (02 §1.12). A customer's id is nobody's business.
func OfferList(offers []inbox.Offer) inbox.OfferList {
	l := inbox.OfferList{Offers: make([]inbox.OfferRow, len(offers))}
	for i := range offers {
		l.Offers[i] = offerRow(&offers[i])
	}
	return l
}

func offerRow(o *inbox.Offer) inbox.OfferRow {
	r := inbox.OfferRow{
		ID: o.ID, Rev: o.Rev, ParentID: optional(o.ParentID), Kind: o.Kind, Form: o.Form, By: o.By,
		Actor: inbox.OfferActor{Kind: o.ActorKind}, Round: o.Round, Status: o.Status, ValidThrough: o.ValidThrough,
		Terms: o.Terms, TermsSHA: o.TermsSHA, Changes: listed(o.Changes), Shown: o.Shown, Authored: o.Authored,
		Binding: o.Binding, ReasonCode: optional(o.ReasonCode), Note: optional(o.Note), CreatedAt: o.CreatedAt,
	}
	if o.ActorKind != inbox.CustomerAgent && o.ActorKind != inbox.CustomerHuman {
		r.Actor.ID = optional(o.ActorID)
	}
	if o.Status != inbox.OfferOpen {
		r.ClosedAt = &o.UpdatedAt
	}
	return r
}

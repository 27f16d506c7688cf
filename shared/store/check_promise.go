package store

import (
	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
	"typedinbox/shared/negotiation"
)

// promise checks that a promised booking stands in exactly one set of places, that
// of the time agreed, and that a change asked for and the open offer of it are both
// there or neither (02 §4.3).
func (c *checker) promise(p parts) {
	i := p.rec.Item
	if b := i.Payload.Booking; b != nil && i.State == inbox.StateConfirmed {
		var own []inbox.Claim
		for _, claim := range p.rec.Claims {
			if claim.Kind == inbox.ClaimBooking {
				own = append(own, claim)
			}
		}
		if len(own) != 1 || own[0].From > b.StartTime || own[0].To < b.EndTime {
			c.found("item %s: it is booked from %s to %s and stands in %d sets of places", i.ID, b.StartTime, b.EndTime, len(own))
		}
	}
	asked, open := machine.ChangeBy(i.Payload), inbox.Side("")
	for _, o := range p.offers {
		if o.Kind == negotiation.KindChange && o.Status == inbox.OfferOpen {
			open = o.By
		}
	}
	if asked != open || open != "" && p.rec.AgreedOffer == nil {
		c.found("item %s: a change of %q is on it and one of %q is open", i.ID, asked, open)
	}
}

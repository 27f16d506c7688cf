package decide

import (
	"slices"

	"typedinbox/shared/inbox"
)

// stripOrder drops from an order what no create may set, and makes its lines
// the create's own copy. Payments have no door yet (docs/decisions).
func stripOrder(p inbox.Payload) {
	o := p.Order
	o.Offer, o.Proposed, o.Change = nil, nil, nil
	o.CustomerStatedPrice, o.Personalised = nil, nil
	o.PaymentRef, o.PaidAmount, o.PaymentURL, o.FulfilledAt, o.DeliveredAt = "", nil, "", nil, nil
	o.OrderedItem = slices.Clone(o.OrderedItem)
	for i := range o.OrderedItem {
		o.OrderedItem[i].CustomerStatedPrice, o.OrderedItem[i].ListPrice = nil, nil
	}
}

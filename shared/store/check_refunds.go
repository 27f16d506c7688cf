package store

import (
	"context"
	"slices"

	"typedinbox/shared/inbox"
	"typedinbox/shared/returns"
)

// refundsOf are the refunds that a promise lists, without those that are not
// there.
func (s *Store) refundsOf(ctx context.Context, rec *inbox.Record) ([]*inbox.Record, error) {
	if len(rec.Refunds) == 0 {
		return nil, nil
	}
	l, err := s.Load(ctx, Want{Items: rec.Refunds})
	if err != nil {
		return nil, err
	}
	return l.Items, nil
}

// refunds checks that a promise and its refunds name each other, that one return
// goes on at most, and that no more goes back than was paid (09).
func (c *checker) refunds(p parts) {
	i := p.rec.Item
	if r := i.Payload.Refund; r != nil {
		if i.LinkedItemID == nil || *i.LinkedItemID != r.OrderItemID || p.linked != nil && !slices.Contains(p.linked.Refunds, i.ID) {
			c.found("item %s: item %s does not list it as its refund", i.ID, r.OrderItemID)
		}
		return
	}
	if len(p.refunds) != len(p.rec.Refunds) || p.rec.RefundsRev < len(p.rec.Refunds) {
		c.found("item %s: %d refunds of %d are there, refundsRev %d", i.ID, len(p.refunds), len(p.rec.Refunds), p.rec.RefundsRev)
	}
	open := 0
	for _, r := range p.refunds {
		if r.Item.Payload.Refund == nil || r.Item.Payload.Refund.OrderItemID != i.ID {
			c.found("item %s: item %s is not its refund", i.ID, r.Item.ID)
		}
		if returns.IsOpen(r) {
			open++
		}
	}
	paid := int64(0)
	if amount := returns.Paid(i.Payload); amount != nil {
		paid = amount.Value
	}
	if taken := returns.Taken(p.refunds); open > 1 || taken > paid {
		c.found("item %s: %d refunds go on, and %d of %d go back", i.ID, open, taken, paid)
	}
}

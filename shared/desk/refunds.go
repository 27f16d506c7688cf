package desk

import (
	"context"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

// related reads what belongs to an item: one storage call for one with refunds,
// none for any other.
func (d *Desk) related(ctx context.Context, f *decide.Facts) error {
	ids := decide.Related(f.Record)
	if len(ids) == 0 {
		return nil
	}
	l, err := d.Store.Load(ctx, store.Want{Items: ids})
	if err != nil {
		return err
	}
	return d.relate(ctx, f, l.Items)
}

// relate adds to the facts what was read with their item: the refunds of a
// promise; of a refund its promise, and the other refunds of that, one storage
// call more where there are any (09).
func (d *Desk) relate(ctx context.Context, f *decide.Facts, items []*inbox.Record) error {
	if f.Record.Item.Type != inbox.TypeRefund {
		f.Refunds = items
		return nil
	}
	if len(items) == 0 {
		return nil
	}
	f.Promise = items[0]
	if len(f.Promise.Refunds) < 2 {
		return nil
	}
	l, err := d.Store.Load(ctx, store.Want{Items: f.Promise.Refunds})
	if err != nil {
		return err
	}
	f.Refunds = l.Items
	return nil
}

// refundsOf are the refunds of each promise of a list, in one storage call when
// there are any: what is offered on a promise depends on them.
func (d *Desk) refundsOf(ctx context.Context, records []inbox.Record) (map[string][]*inbox.Record, error) {
	var ids []string
	for i := range records {
		ids = append(ids, records[i].Refunds...)
	}
	if len(ids) == 0 {
		return nil, nil
	}
	l, err := d.Store.Load(ctx, store.Want{Items: ids})
	if err != nil {
		return nil, err
	}
	of := map[string][]*inbox.Record{}
	for _, r := range l.Items {
		promise := r.Item.Payload.Refund.OrderItemID
		of[promise] = append(of[promise], r)
	}
	return of, nil
}

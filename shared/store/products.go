package store

import (
	"cmp"
	"context"
	"slices"

	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
)

// productKeys are the rows that lead to the products named: their own, and those
// of skus.
func (w Want) productKeys() []table.Key {
	keys := make([]table.Key, 0, len(w.ProductIDs)+len(w.SKUs))
	for _, id := range w.ProductIDs {
		keys = append(keys, productKey(id))
	}
	for _, sku := range w.SKUs {
		keys = append(keys, skuKey(sku))
	}
	return keys
}

// productsOf reads the products found by id, and with one more call those that
// only their sku led to.
func (s *Store) productsOf(ctx context.Context, w Want, found map[table.Key]table.Row) ([]inbox.Product, error) {
	var rows []table.Row
	have := map[string]bool{}
	for _, id := range w.ProductIDs {
		if r := found[productKey(id)]; r != nil && !have[id] {
			rows, have[id] = append(rows, r), true
		}
	}
	var more []table.Key
	for _, sku := range w.SKUs {
		if id := found[skuKey(sku)].String(attrOwner); id != "" && !have[id] {
			more, have[id] = append(more, productKey(id)), true
		}
	}
	if len(more) > 0 {
		bySKU, err := s.getMany(ctx, more)
		if err != nil {
			return nil, err
		}
		rows = append(rows, inOrder(more, bySKU)...)
	}
	products, err := docsOf[inbox.Product](rows)
	slices.SortFunc(products, func(a, b inbox.Product) int { return cmp.Compare(a.ID, b.ID) })
	return products, err
}

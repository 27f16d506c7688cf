package store

import (
	"slices"
	"strings"

	"typedinbox/shared/decide"
	"typedinbox/shared/table"
)

// heldPrefix begins the attribute of an item on the row of a customer who holds
// places on it; the item's id follows.
const heldPrefix = "h_"

// addHoldings notes on the customers' rows where they begin or end to hold
// places. No condition stands on them: two proposals at once may pass
// booking.maxHolds by one (02 §14).
func addHoldings(b *batch, w decide.Write) error {
	for _, h := range w.Holdings {
		a := table.Action{Kind: table.Update, Key: holderKey(h.Holder), Set: table.Row{attrSchema: int64(SchemaNumber)}}
		if h.Begins {
			a.Set[heldPrefix+h.ItemID] = int64(1)
		} else {
			a.Remove = []string{heldPrefix + h.ItemID}
		}
		b.add(causeVersion, a)
	}
	return nil
}

// heldBy lists the items on which customers hold places, each once, in order.
func heldBy(holders []string, found map[table.Key]table.Row) []string {
	var items []string
	for _, h := range holders {
		for name := range found[holderKey(h)] {
			if id, ok := strings.CutPrefix(name, heldPrefix); ok && !slices.Contains(items, id) {
				items = append(items, id)
			}
		}
	}
	slices.Sort(items)
	return items
}

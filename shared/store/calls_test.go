package store_test

import (
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

// TestStorageCalls holds what one read or write costs without contention; the
// operations' budgets of 08 §7 are made of these.
func TestStorageCalls(t *testing.T) {
	db := store.NewMeter(backends["embedded"].open(t))
	w := newWorld(t, db)
	w.lived()
	rec := w.created(now)
	id := rec.Item.ID
	for name, c := range map[string]struct {
		want int
		do   func() error
	}{
		"create: all it reads": {1, func() error {
			_, err := w.Load(w.ctx, store.Want{IdemScope: "s", IdemKey: "k", Now: now, Settings: true, Profile: true, ServiceID: serviceID, Hours: true, Closures: true, PartyID: rec.Item.PartyID})
			return err
		}},
		"create: the write": {1, func() error { return w.Commit(w.ctx, w.create(now)) }},
		"confirm: what the item names, with places": {1, func() error {
			_, err := w.Load(w.ctx, store.Want{PartyID: rec.Item.PartyID, OfferItemID: id, OfferRev: 1, ServiceID: serviceID, Hours: true, Closures: true, Rows: hours(rec)})
			return err
		}},
		"customer's view: item, offer, thread, settings, profile": {2, func() error {
			_, err := w.Load(w.ctx, store.Want{ItemID: id, Thread: 50, Settings: true, Profile: true})
			return err
		}},
		"availability: 14 days of places": {1, func() error {
			_, err := w.PlacesRange(w.ctx, resource, false, now, now.Add(14*inbox.Day+inbox.Hour))
			return err
		}},
		"sandbox availability": {2, func() error {
			_, err := w.PlacesRange(w.ctx, resource, true, now, now.Add(14*inbox.Day+inbox.Hour))
			return err
		}},
		"list":          {listCalls, func() error { _, _, err := w.ListItems(w.ctx, store.ListQuery{Open: true, Limit: 50}); return err }},
		"take a job":    {2, func() error { _, err := w.TakeJob(w.ctx, id, must(w.Jobs(w.ctx, id))(t)[0].ID, now, now+1); return err }},
		"catalogue":     {1, func() error { _, err := w.Catalogue(w.ctx); return err }},
		"key":           {1, func() error { _, err := w.KeyByHash(w.ctx, "h"); return err }},
		"events":        {1, func() error { _, err := w.Events(w.ctx, id); return err }},
		"nothing asked": {0, func() error { _, err := w.Load(w.ctx, store.Want{}); return err }},
	} {
		db.Reset()
		if err := c.do(); err != nil {
			t.Fatal(err)
		}
		extra := 0
		if name == "take a job" {
			extra = 1 // the test's own read
		}
		if got := db.Calls() - extra; got != c.want {
			t.Errorf("%s: %d storage calls, want %d", name, got, c.want)
		}
	}
}

// listCalls is one for each shard and one for the rows.
const listCalls = 5

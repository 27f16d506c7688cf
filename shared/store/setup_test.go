package store_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

var week = inbox.Week{"mon": {{"09:00", "17:00"}}}

func (w *world) save(s store.SetUp) error {
	for {
		err := w.SaveSetUp(w.ctx, s)
		if l, ok := store.AsLost(err); !ok || !l.Busy || l.Version || l.SKU || l.Idem != nil {
			return err
		}
	}
}

func (w *world) saved(s store.SetUp) {
	w.t.Helper()
	if err := w.save(s); err != nil {
		w.t.Fatal(err)
	}
}

func service(id string, version int) inbox.Service {
	return inbox.Service{ID: id, Name: "Haircut", DurationMin: 60, Capacity: 1, GranularityMin: 30, Active: true, Version: version}
}

func TestSetUp(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		none := must(w.Load(w.ctx, store.Want{Settings: true, Profile: true, ServiceID: "S1", Hours: true, Closures: true}))(t)
		if none.SettingsRaw != nil || none.SettingsVersion != 0 || none.Service != nil || none.Hours == nil || none.Hours.For("S1") != nil {
			t.Errorf("of nothing: %+v", none)
		}
		own := inbox.Week{"tue": {{"10:00", "12:00"}}}
		w.saved(store.SetUp{
			Settings: &store.SettingsDoc{Doc: json.RawMessage(`{"testMode":true}`), Version: 1},
			Profile:  &inbox.Profile{Name: "Salon", Version: 1},
			Closures: &store.ClosuresDoc{Closures: []inbox.Closure{{From: "2026-12-24", To: "2026-12-26"}}, Version: 1},
			Weeks:    []store.WeekDoc{{Week: week, Version: 1}, {ServiceID: "S2", Week: own, Version: 1}},
			Services: []inbox.Service{service("S1", 1), service("S2", 1)},
		})
		l := must(w.Load(w.ctx, store.Want{Settings: true, Profile: true, ServiceID: "S2", Hours: true, Closures: true}))(t)
		if string(l.SettingsRaw) != `{"testMode":true}` || l.SettingsVersion != 1 || l.Profile.Name != "Salon" || l.Service.ID != "S2" ||
			l.Hours.For("S2")["tue"] == nil || l.Hours.For("S1")["mon"] == nil || len(l.Hours.Closures) != 1 || l.HoursVersion != 1 || l.ClosuresVersion != 1 {
			t.Errorf("loaded %+v", l)
		}
		c := must(w.Catalogue(w.ctx))(t)
		if len(c.Services) != 2 || !c.Bookable() || c.Hours.For("S2")["tue"] == nil || c.Hours.For("S1")["mon"] == nil {
			t.Errorf("catalogue %+v", c)
		}
		// A week of its own taken away: the business's holds again.
		w.saved(store.SetUp{Weeks: []store.WeekDoc{{ServiceID: "S2", Version: 2}}})
		if l := must(w.Load(w.ctx, store.Want{ServiceID: "S2", Hours: true}))(t); l.Hours.For("S2")["mon"] == nil {
			t.Errorf("hours %+v", l.Hours)
		}
	})
}

func TestSetUpLost(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		idem := answer("k", `{"replayed":false}`)
		first := store.SetUp{Services: []inbox.Service{service("S1", 1)}, Idem: idem}
		w.saved(first)
		if l, ok := store.AsLost(w.save(store.SetUp{Services: []inbox.Service{service("S9", 1)}, Idem: answer("k", `{}`)})); !ok || l.Idem == nil ||
			l.Idem.Fingerprint != idem.Fingerprint {
			t.Errorf("answered before: %+v", l)
		}
		if l := must(w.Load(w.ctx, store.Want{ServiceID: "S9"}))(t); l.Service != nil {
			t.Error("half of it is there")
		}
		for _, version := range []int{1, 3} {
			if l, ok := store.AsLost(w.save(store.SetUp{Services: []inbox.Service{service("S1", version)}})); !ok || !l.Version {
				t.Errorf("version %d on 1: %+v", version, l)
			}
		}
		w.saved(store.SetUp{Services: []inbox.Service{service("S1", 2)}})
	})
}

func TestBookable(t *testing.T) {
	closed, archived := service("S", 1), service("S", 1)
	archived.Active = false
	for name, c := range map[string]store.Catalogue{
		"ok/open":           {Services: []inbox.Service{closed}, Hours: store.Hours{Business: store.WeekDoc{Week: week}}},
		"ok/own hours":      {Services: []inbox.Service{closed}, Hours: store.Hours{Own: map[string]store.WeekDoc{"S": {Week: week}}}},
		"fail/no hours":     {Services: []inbox.Service{closed}},
		"fail/empty week":   {Services: []inbox.Service{closed}, Hours: store.Hours{Business: store.WeekDoc{Week: inbox.Week{"mon": {}}}}},
		"fail/own is empty": {Services: []inbox.Service{closed}, Hours: store.Hours{Business: store.WeekDoc{Week: week}, Own: map[string]store.WeekDoc{"S": {Week: inbox.Week{}}}}},
		"fail/archived":     {Services: []inbox.Service{archived}, Hours: store.Hours{Business: store.WeekDoc{Week: week}}},
		"fail/no service":   {Hours: store.Hours{Business: store.WeekDoc{Week: week}}},
	} {
		if got := c.Bookable(); got != (name[:2] == "ok") {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func product(id, sku string, version int) inbox.Product {
	return inbox.Product{ID: id, SKU: sku, Name: "Shampoo", Price: inbox.Money{Value: 900, Currency: "EUR"}, Active: true, Version: version}
}

func TestProducts(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		if any := must(w.AnyProduct(w.ctx))(t); any {
			t.Error("a product in an empty catalogue")
		}
		put := func(p inbox.Product, old string) error {
			return w.save(store.SetUp{Products: []store.ProductWrite{{Product: p, OldSKU: old}}})
		}
		for _, p := range []inbox.Product{product("P1", "a", 1), product("P2", "b", 1), product("P3", "", 1)} {
			if err := put(p, ""); err != nil {
				t.Fatal(err)
			}
		}
		if l, ok := store.AsLost(put(product("P4", "a", 1), "")); !ok || !l.SKU || l.Version {
			t.Errorf("a sku twice: %+v", l)
		}
		if p := must(w.Product(w.ctx, "P4"))(t); p != nil {
			t.Error("half of it is there")
		}
		if err := put(product("P1", "a", 2), "a"); err != nil {
			t.Errorf("its own sku again: %v", err)
		}
		if err := put(product("P1", "c", 3), "a"); err != nil {
			t.Errorf("another sku: %v", err)
		}
		if err := put(product("P4", "a", 1), ""); err != nil {
			t.Errorf("the sku that became free: %v", err)
		}
		if any := must(w.AnyProduct(w.ctx))(t); !any {
			t.Error("no active product")
		}
		var ids []string
		for after, pages := "", 0; ; pages++ {
			products, next, err := w.Products(w.ctx, after, 3)
			if err != nil || pages > 2 {
				t.Fatal(pages, err)
			}
			for _, p := range products {
				ids = append(ids, p.ID+p.SKU)
			}
			if after = next; next == "" {
				break
			}
		}
		if !slices.Equal(ids, []string{"P1c", "P2b", "P3", "P4a"}) {
			t.Errorf("listed %v", ids)
		}
	})
}

func TestSKURace(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		errs := make([]error, 8)
		atOnce(len(errs), func(i int) {
			errs[i] = w.save(store.SetUp{Products: []store.ProductWrite{{Product: product(fmt.Sprint("P", i), "one", 1)}}})
		})
		won := 0
		for i, err := range errs {
			if l, ok := store.AsLost(err); err == nil {
				won++
			} else if !ok || !l.SKU {
				t.Errorf("product %d: %v", i, err)
			}
		}
		if products, _, err := w.Products(w.ctx, "", 0); won != 1 || len(products) != 1 || err != nil {
			t.Errorf("%d won, %d products, %v", won, len(products), err)
		}
	})
}

func TestKeys(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		put := func(k inbox.Key) error { return w.save(store.SetUp{Key: &k}) }
		if err := put(inbox.Key{ID: "K1", Hash: "h1", Kind: inbox.KeyOwner, Scopes: []inbox.Scope{"*"}, CreatedAt: now}); err != nil {
			t.Fatal(err)
		}
		for name, k := range map[string]inbox.Key{"hash": {ID: "K2", Hash: "h1"}, "id": {ID: "K1", Hash: "h2"}} {
			if l, ok := store.AsLost(put(k)); !ok || !l.Version {
				t.Errorf("the same %s: %v", name, l)
			}
		}
		k := must(w.KeyByHash(w.ctx, "h1"))(t)
		if k == nil || k.ID != "K1" || k.LastUsedAt != nil {
			t.Fatalf("got %+v", k)
		}
		touch := func(at inbox.Instant) inbox.Instant {
			for w.TouchKey(w.ctx, k, at) != nil {
			}
			return *must(w.KeyByHash(w.ctx, "h1"))(t).LastUsedAt
		}
		for _, c := range []struct{ at, want inbox.Instant }{
			{now, now}, {now + 1, now}, {now + 59_999, now}, {now + 60_000, now + 60_000}, {now + 61_000, now + 60_000},
		} {
			if got := touch(c.at); got != c.want {
				t.Errorf("used at +%d, written %d, want %d", c.at-now, got-now, c.want-now)
			}
		}
		for w.RevokeKey(w.ctx, "K1", now) != nil {
		}
		k = must(w.KeyByHash(w.ctx, "h1"))(t)
		if k.RevokedAt == nil || k.LastUsedAt == nil || k.Live(now) {
			t.Errorf("revoked: %+v", k)
		}
		if list := must(w.Keys(w.ctx))(t); len(list) != 1 || list[0].ID != "K1" {
			t.Errorf("listed %+v", list)
		}
		gone := &inbox.Key{Hash: "h9"}
		for w.TouchKey(w.ctx, gone, now) != nil {
		}
		if k := must(w.KeyByHash(w.ctx, "h9"))(t); k != nil {
			t.Error("a touch made a key")
		}
		if l, ok := store.AsLost(w.RevokeKey(w.ctx, "K9", now)); !ok || !l.Version {
			t.Error("revoked a key that is not there")
		}
	})
}

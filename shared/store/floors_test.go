package store_test

import (
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

func TestFloors(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		none := must(w.Floors(w.ctx))(t)
		if none.Len() != 0 || none.Version != 0 || none.Of("product", "P1") != nil {
			t.Errorf("of nothing: %+v", none)
		}
		for _, f := range []inbox.Floor{
			{Kind: "product", RefID: "P1", FloorMinor: inbox.Ptr[int64](0)},
			{Kind: "service", RefID: "P1", FloorMinor: inbox.Ptr[int64](700)},
			{Kind: "product", RefID: "P2", FloorMinor: inbox.Ptr[int64](5)},
			{Kind: "product", RefID: "P2"},
			{Kind: "service", RefID: "S9"}, // clears nothing
		} {
			none.Set(f)
		}
		none.Version = 1
		w.saved(store.SetUp{Floors: none})
		got := must(w.Floors(w.ctx))(t)
		if got.Version != 1 || got.Len() != 2 || *got.Of("product", "P1") != 0 || *got.Of("service", "P1") != 700 || got.Of("product", "P2") != nil {
			t.Errorf("read %+v", got)
		}
		if l, ok := store.AsLost(w.save(store.SetUp{Floors: none})); !ok || !l.Version {
			t.Errorf("the same version again: %+v", l)
		}
	})
}

// TestProductsNamed: an order's products are found by id and by sku, those that
// exist, each once.
func TestProductsNamed(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		product := func(id, sku string) store.ProductWrite {
			return store.ProductWrite{Product: inbox.Product{ID: id, SKU: sku, Name: id, Price: inbox.Money{Value: 1, Currency: "EUR"}, Version: 1}}
		}
		w.saved(store.SetUp{Products: []store.ProductWrite{product("P1", "a"), product("P2", "b"), product("P3", "c")}})
		for name, c := range map[string]struct {
			ids, skus []string
			want      string
		}{
			"ok/by id":               {[]string{"P1", "P3"}, nil, "P1 P3"},
			"ok/by sku":              {nil, []string{"b"}, "P2"},
			"ok/both, once":          {[]string{"P1"}, []string{"a", "c"}, "P1 P3"},
			"fail/unknown":           {[]string{"P9"}, []string{"z", ""}, ""},
			"fail/no key of a row's": {[]string{string(make([]byte, 3000))}, []string{"\xff"}, ""},
		} {
			l := must(w.Load(w.ctx, store.Want{ProductIDs: c.ids, SKUs: c.skus}))(t)
			got := ""
			for _, p := range l.Products {
				got += " " + p.ID
			}
			if got != pad(c.want) {
				t.Errorf("%s: got%s", name, got)
			}
		}
	})
}

func pad(s string) string {
	if s == "" {
		return ""
	}
	return " " + s
}

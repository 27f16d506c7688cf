package embedded

import (
	"testing"

	"typedinbox/shared/table"
)

// Every difference between two transactions shows in their digests.
func TestDigest(t *testing.T) {
	base := func() table.Action {
		return table.Action{
			Kind: table.Update, Key: table.Key{Table: "t", Partition: "p", Sort: "s"},
			Set:    table.Row{"a": "1", "b": int64(1), "c": true, "d": []byte("1")},
			Remove: []string{"x", "y"}, Add: map[string]int64{"n": 1, "m": 2},
			If: table.And{table.Eq{Name: "v", Value: int64(1)}, table.Not{Of: table.Exists("z")}},
		}
	}
	change := map[string]func(*table.Action){
		"kind":          func(a *table.Action) { a.Kind = table.Delete },
		"table":         func(a *table.Action) { a.Key.Table = "u" },
		"key run on":    func(a *table.Action) { a.Key.Partition, a.Key.Sort = "ps", "" },
		"string":        func(a *table.Action) { a.Set["a"] = "2" },
		"kind of value": func(a *table.Action) { a.Set["a"] = []byte("1") },
		"number":        func(a *table.Action) { a.Set["b"] = int64(2) },
		"bool":          func(a *table.Action) { a.Set["c"] = false },
		"bytes":         func(a *table.Action) { a.Set["d"] = []byte("2") },
		"name":          func(a *table.Action) { delete(a.Set, "a"); a.Set["e"] = "1" },
		"less":          func(a *table.Action) { delete(a.Set, "a") },
		"remove":        func(a *table.Action) { a.Remove = []string{"x"} },
		"removes":       func(a *table.Action) { a.Remove = []string{"xy"} },
		"add":           func(a *table.Action) { a.Add["n"] = 2 },
		"adds":          func(a *table.Action) { delete(a.Add, "n") },
		"no condition":  func(a *table.Action) { a.If = nil },
		"eq": func(a *table.Action) {
			a.If = table.And{table.Eq{Name: "v", Value: "1"}, table.Not{Of: table.Exists("z")}}
		},
		"lt": func(a *table.Action) {
			a.If = table.And{table.Lt{Name: "v", Value: int64(1)}, table.Not{Of: table.Exists("z")}}
		},
		"lte": func(a *table.Action) {
			a.If = table.And{table.Lte{Name: "v", Value: int64(1)}, table.Not{Of: table.Exists("z")}}
		},
		"not": func(a *table.Action) { a.If = table.And{table.Eq{Name: "v", Value: int64(1)}, table.Exists("z")} },
		"absent": func(a *table.Action) {
			a.If = table.And{table.Eq{Name: "v", Value: int64(1)}, table.Not{Of: table.Absent("z")}}
		},
		"or": func(a *table.Action) {
			a.If = table.Or{table.Eq{Name: "v", Value: int64(1)}, table.Not{Of: table.Exists("z")}}
		},
		"part of and": func(a *table.Action) { a.If = table.And{table.Eq{Name: "v", Value: int64(1)}} },
	}
	seen := map[string]string{string(actionsDigest([]table.Action{base()})): "base"}
	for name, f := range change {
		a := base()
		f(&a)
		d := string(actionsDigest([]table.Action{a}))
		if other, taken := seen[d]; taken {
			t.Errorf("%s is the same as %s", name, other)
		}
		seen[d] = name
	}
	for range 20 {
		if seen[string(actionsDigest([]table.Action{base()}))] != "base" {
			t.Fatal("the same actions, another digest")
		}
	}
}

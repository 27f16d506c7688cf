package tabletest

import (
	"testing"

	"typedinbox/shared/table"
)

// malformed are actions no driver takes, whatever the database would say.
func malformed() cases {
	k := at("malformed", "x")
	row := with(k, nil)
	on := func(c table.Condition) table.Action { return put(k, nil, c) }
	update := func(a table.Action) table.Action { a.Kind, a.Key = table.Update, k; return a }
	actions := map[string][]table.Action{
		"no actions":            {},
		"unknown table":         {put(table.Key{Table: "none", Partition: "p", Sort: "s"}, nil)},
		"unknown kind":          {{Kind: table.Check + 1, Key: k}},
		"no partition key":      {{Kind: table.Put, Key: k, Row: table.Row{table.SortKey: "s"}}},
		"no sort key":           {del(at("p", ""))},
		"key of another kind":   {{Kind: table.Put, Key: table.Key{Table: Main}, Row: table.Row{table.PartitionKey: int64(1), table.SortKey: "s"}}},
		"key and row differ":    {{Kind: table.Put, Key: at("other", "x"), Row: row}},
		"key not UTF-8":         {put(at("p", "\xff"), nil)},
		"value not UTF-8":       {put(k, table.Row{"v": "\xff"})},
		"an int":                {put(k, table.Row{"v": 1})},
		"a float":               {set(k, table.Row{"v": 1.5})},
		"a nil":                 {put(k, table.Row{"v": nil})},
		"a list":                {set(k, table.Row{"v": []string{"a"}})},
		"no attribute name":     {put(k, table.Row{"": "v"})},
		"update of nothing":     {update(table.Action{})},
		"update with a row":     {update(table.Action{Row: row, Remove: []string{"a"}})},
		"put with a set":        {{Kind: table.Put, Key: k, Row: row, Set: table.Row{"a": "b"}}},
		"update of the key":     {set(k, table.Row{table.SortKey: "y"})},
		"remove of the key":     {remove(k, table.PartitionKey)},
		"set and remove":        {update(table.Action{Set: table.Row{"a": "b"}, Remove: []string{"a"}})},
		"set and add":           {update(table.Action{Set: table.Row{"a": int64(1)}, Add: map[string]int64{"a": 1}})},
		"remove twice":          {update(table.Action{Remove: []string{"a", "a"}})},
		"check of nothing":      {{Kind: table.Check, Key: k}},
		"not of nothing":        {on(table.Not{})},
		"and with nothing":      {on(table.And{rowAbsent, nil})},
		"eq with bytes":         {on(table.Eq{Name: "b", Value: []byte("b")})},
		"eq with an int":        {on(table.Eq{Name: "b", Value: 1})},
		"lt with a bool":        {on(table.Lt{Name: "b", Value: true})},
		"lte with nothing":      {on(table.Lte{Name: "b"})},
		"condition on no name":  {on(table.Or{table.Exists("")})},
		"one of two is in need": {put(at("malformed", "y"), nil), set(k, table.Row{"v": 1})},
	}
	out := cases{}
	for name, list := range actions {
		out["fail/"+name] = testCase{run: func(t *testing.T, s *suite) {
			mistake(t, s.transact(list...))
			s.holds(t, k, nil)
			s.holds(t, at("malformed", "y"), nil)
		}}
	}
	return out
}

package tabletest

import (
	"fmt"
	"strings"
	"testing"

	"typedinbox/shared/table"
)

// sized is a put of a row of exactly this size.
func sized(k table.Key, size int) table.Action {
	a := put(k, table.Row{"v": ""})
	a.Row["v"] = strings.Repeat("x", size-table.Size(a.Row))
	return a
}

func many(p string, n int) []table.Action {
	var actions []table.Action
	for i := range n {
		actions = append(actions, put(at(p, fmt.Sprint(i)), nil))
	}
	return actions
}

var limits = cases{
	"ok/100 actions":   {run: func(t *testing.T, s *suite) { s.must(t, many(s.fresh(), 100)...) }},
	"fail/101 actions": {run: func(t *testing.T, s *suite) { s.over(t, many(s.fresh(), 101)...) }},
	"ok/row of 400 KB": {run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		s.must(t, sized(k, table.MaxRow))
		if got := table.Size(s.get(t, k)); got != table.MaxRow {
			t.Errorf("%d bytes came back", got)
		}
	}},
	"fail/row of 400 KB and a byte": {run: func(t *testing.T, s *suite) { s.over(t, sized(at(s.fresh(), "x"), table.MaxRow+1)) }},
	"fail/row grown beyond": {needs: Growth, run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		s.must(t, sized(k, table.MaxRow-10))
		is(t, s.transact(set(k, table.Row{"w": strings.Repeat("y", 10)})), table.ErrLimit)
		is(t, s.transact(set(k, table.Row{"w": strings.Repeat("y", 10)}), put(at(k.Partition, "y"), nil)), table.ErrLimit)
		s.holds(t, at(k.Partition, "y"), nil)
		s.must(t, set(k, table.Row{"w": "y"}))
	}},
	"ok/transaction of 4 MB": {run: func(t *testing.T, s *suite) {
		p := s.fresh()
		var actions []table.Action
		for i := range 10 {
			actions = append(actions, sized(at(p, fmt.Sprint(i)), 390<<10))
		}
		s.must(t, actions...)
	}},
	"fail/transaction over 4 MB": {run: func(t *testing.T, s *suite) {
		p := s.fresh()
		var actions []table.Action
		for i := range 11 {
			actions = append(actions, sized(at(p, fmt.Sprint(i)), 399<<10))
		}
		s.over(t, actions...)
	}},
	"fail/a row twice": {run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		s.over(t, put(k, nil), add(k, "n", 1))
		s.over(t, check(k, rowAbsent), put(at(k.Partition, "y"), nil), put(k, nil))
	}},
	"ok/keys of full length": {run: func(t *testing.T, s *suite) {
		p := s.fresh()
		k := at(p+strings.Repeat("p", table.MaxPartition-len(p)), strings.Repeat("s", table.MaxSort))
		s.must(t, put(k, nil))
		s.holds(t, k, with(k, nil))
	}},
	"fail/partition key too long": {run: func(t *testing.T, s *suite) {
		is(t, s.transact(put(at(strings.Repeat("p", table.MaxPartition+1), "s"), nil)), table.ErrLimit)
	}},
	"fail/sort key too long": {run: func(t *testing.T, s *suite) {
		is(t, s.transact(del(at(s.fresh(), strings.Repeat("s", table.MaxSort+1)))), table.ErrLimit)
	}},
	"ok/200 attributes in one update": {run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		s.must(t, set(k, wide(table.MaxTerms)))
		s.holds(t, k, with(k, wide(table.MaxTerms)))
	}},
	"fail/201 attributes in one update": {run: func(t *testing.T, s *suite) { s.over(t, set(at(s.fresh(), "x"), wide(table.MaxTerms+1))) }},
	"ok/a put may have more": {run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		s.must(t, put(k, wide(1000)))
		s.holds(t, k, with(k, wide(1000)))
	}},
}

func wide(n int) table.Row {
	r := table.Row{}
	for i := range n {
		r[fmt.Sprintf("a%d", i)] = int64(i)
	}
	return r
}

// over fails unless the transaction is over a limit and did nothing.
func (s *suite) over(t *testing.T, actions ...table.Action) {
	t.Helper()
	is(t, s.transact(actions...), table.ErrLimit)
	s.holds(t, actions[0].At(), nil)
}

package tabletest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/table"
)

// batch reads all keys, asking again for those left unprocessed, and gives the
// rows in the order of their keys.
func (s *suite) batch(t *testing.T, keys []table.Key) []table.Row {
	t.Helper()
	var rows []table.Row
	for tries := 0; len(keys) > 0; tries++ {
		got, left, err := s.DB.BatchGet(context.Background(), keys)
		if err != nil || tries > 1000 {
			t.Fatalf("batch get, try %d: %v", tries, err)
		}
		for _, k := range left {
			if !slices.Contains(keys, k) {
				t.Fatalf("unprocessed %s was not asked for", k)
			}
		}
		rows, keys = append(rows, got...), left
	}
	slices.SortFunc(rows, func(a, b table.Row) int {
		return strings.Compare(a.String(table.PartitionKey)+" "+a.String(table.SortKey), b.String(table.PartitionKey)+" "+b.String(table.SortKey))
	})
	return rows
}

var batches = cases{
	"ok/none": {run: func(t *testing.T, s *suite) {
		rows, left, err := s.DB.BatchGet(context.Background(), nil)
		if len(rows)+len(left) != 0 || err != nil {
			t.Errorf("%v, %v, %v", rows, left, err)
		}
	}},
	"ok/some there": {run: func(t *testing.T, s *suite) {
		p := s.fresh()
		s.must(t, put(at(p, "a"), every), put(at(p, "c"), nil))
		rows := s.batch(t, []table.Key{at(p, "c"), at(p, "b"), at(p, "a"), at(p+"x", "a")})
		if len(rows) != 2 || !same(rows[0], with(at(p, "a"), every)) || !same(rows[1], with(at(p, "c"), nil)) {
			t.Errorf("rows %v", rows)
		}
	}},
	"ok/of two tables": {run: func(t *testing.T, s *suite) {
		p := s.fresh()
		other := table.Key{Table: Other, Partition: p, Sort: "b"}
		s.must(t, put(at(p, "a"), nil), put(other, table.Row{"o": "o"}))
		rows := s.batch(t, []table.Key{other, at(p, "a"), at(p, "b")})
		equal(t, "rows", values(rows, table.SortKey), []string{"a", "b"})
		if rows[1].String("o") != "o" {
			t.Errorf("rows %v", rows)
		}
	}},
	"ok/100 keys": {run: func(t *testing.T, s *suite) {
		keys, want := s.hundred(t)
		equal(t, "rows", values(s.batch(t, keys), table.SortKey), want)
	}},
	"ok/more than 16 MB": {needs: Pages, run: func(t *testing.T, s *suite) {
		p, big := s.fresh(), strings.Repeat("x", 390<<10)
		var keys []table.Key
		for i := range 50 {
			keys = append(keys, at(p, fmt.Sprintf("%02d", i)))
			s.must(t, put(keys[i], table.Row{"v": big}))
		}
		if rows := s.batch(t, keys); len(rows) != 50 {
			t.Errorf("%d rows", len(rows))
		}
	}},
	"fail/101 keys": {run: func(t *testing.T, s *suite) {
		keys, _ := s.hundred(t)
		_, _, err := s.DB.BatchGet(context.Background(), append(keys, at("one", "more")))
		is(t, err, table.ErrLimit)
	}},
	"fail/a key twice": {run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "a")
		_, _, err := s.DB.BatchGet(context.Background(), []table.Key{k, at("other", "a"), k})
		is(t, err, table.ErrLimit)
	}},
	"fail/unknown table": {run: func(t *testing.T, s *suite) {
		_, _, err := s.DB.BatchGet(context.Background(), []table.Key{{Table: "none", Partition: "p", Sort: "s"}})
		mistake(t, err)
	}},
	"fail/empty key": {run: func(t *testing.T, s *suite) {
		_, _, err := s.DB.BatchGet(context.Background(), []table.Key{at("p", "")})
		mistake(t, err)
		_, err = s.DB.Get(context.Background(), at("", "s"))
		mistake(t, err)
	}},
}

func (s *suite) hundred(t *testing.T) (keys []table.Key, sorts []string) {
	t.Helper()
	p := s.fresh()
	var actions []table.Action
	for i := range 100 {
		keys = append(keys, at(p, fmt.Sprintf("%03d", i)))
		sorts = append(sorts, keys[i].Sort)
		actions = append(actions, put(keys[i], nil))
	}
	s.must(t, actions...)
	return keys, sorts
}

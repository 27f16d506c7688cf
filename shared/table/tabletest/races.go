package tabletest

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"typedinbox/shared/table"
)

// crowd is the goroutines of a race.
const crowd = 32

// lost says whether a transaction was cancelled for a condition; any other
// error is the test's.
func lost(err error) (bool, error) {
	var c *table.Cancelled
	if errors.As(err, &c) && c.Has(table.ReasonCondition) {
		return true, nil
	}
	return false, err
}

// try does a transaction, again as long as it only clashed with others.
func (s *suite) try(actions ...table.Action) (lostIt bool, err error) {
	return lost(again(func() error { return s.transact(actions...) }))
}

var races = cases{
	"ok/one put of many finds the row absent": {run: func(t *testing.T, s *suite) {
		p := s.fresh()
		var won atomic.Int64
		together(t, crowd, func(i int) error {
			lost, err := s.try(put(at(p, "place"), table.Row{"by": int64(i)}, rowAbsent), put(at(p, fmt.Sprint("event#", i)), nil))
			if err == nil && !lost {
				won.Add(1)
			}
			return err
		})
		rows, _ := s.all(t, prefixed(p, "event#"))
		if won.Load() != 1 || len(rows) != 1 {
			t.Errorf("%d won, %d events", won.Load(), len(rows))
		}
	}},
	"ok/one plain put of many finds the row absent": {run: func(t *testing.T, s *suite) {
		p := s.fresh()
		var won atomic.Int64
		together(t, crowd, func(i int) error {
			lost, err := s.try(put(at(p, "place"), table.Row{"by": int64(i)}, rowAbsent))
			if err == nil && !lost {
				won.Add(1)
			}
			return err
		})
		if won.Load() != 1 {
			t.Errorf("%d won", won.Load())
		}
	}},
	"ok/a counter under its revision": {run: func(t *testing.T, s *suite) {
		p := s.fresh()
		k := at(p, "hour")
		s.must(t, put(k, table.Row{"rev": int64(0), "n": int64(0)}))
		together(t, crowd, func(i int) error { return s.raise(t, k, at(p, fmt.Sprint("done#", i))) })
		s.holds(t, k, with(k, table.Row{"rev": int64(crowd), "n": int64(crowd)}))
	}},
	"ok/adding needs no revision": {run: func(t *testing.T, s *suite) {
		p := s.fresh()
		together(t, crowd, func(i int) error {
			_, err := s.try(add(at(p, "counter"), "n", 2), put(at(p, fmt.Sprint(i)), nil))
			return err
		})
		s.holds(t, at(p, "counter"), with(at(p, "counter"), table.Row{"n": int64(2 * crowd)}))
	}},
	"ok/capacity five": {run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "class")
		s.must(t, put(k, table.Row{"taken": int64(0)}))
		var won atomic.Int64
		together(t, crowd, func(i int) error {
			lost, err := s.try(table.Action{
				Kind: table.Update, Key: k, Set: table.Row{fmt.Sprint("c_", i): "claim"}, Add: map[string]int64{"taken": 1},
				If: table.Lt{Name: "taken", Value: int64(5)},
			})
			if err == nil && !lost {
				won.Add(1)
			}
			return err
		})
		if r := s.get(t, k); won.Load() != 5 || r.Int("taken") != 5 || len(r) != 3+5 {
			t.Errorf("%d won, row %v", won.Load(), r)
		}
	}},
	"ok/what moves between rows is neither lost nor made": {run: func(t *testing.T, s *suite) {
		p := s.fresh()
		account := func(i int) table.Key { return at(p, fmt.Sprint("account#", i%4)) }
		for i := range 4 {
			s.must(t, put(account(i), table.Row{"n": int64(10)}))
		}
		together(t, crowd, func(i int) error {
			enough := table.Not{Of: table.Lt{Name: "n", Value: int64(3)}}
			_, err := s.try(add(account(i), "n", -3, enough), add(account(i+1+i/4%3), "n", 3))
			return err
		})
		rows, _ := s.all(t, prefixed(p, "account#"))
		sum := int64(0)
		for _, r := range rows {
			if r.Int("n") < 0 {
				t.Errorf("overdrawn: %v", r)
			}
			sum += r.Int("n")
		}
		if sum != 40 {
			t.Errorf("sum %d", sum)
		}
	}},
}

// raise reads a row and raises its counter under the revision read, until it
// is not overtaken.
func (s *suite) raise(t *testing.T, k, done table.Key) error {
	t.Helper()
	for range 100 * crowd {
		r, err := s.DB.Get(t.Context(), k)
		if err != nil {
			return err
		}
		lost, err := s.try(
			set(k, table.Row{"rev": r.Int("rev") + 1, "n": r.Int("n") + 1}, table.Eq{Name: "rev", Value: r.Int("rev")}),
			put(done, nil, rowAbsent))
		if err != nil || !lost {
			return err
		}
	}
	return errors.New("overtaken every time")
}

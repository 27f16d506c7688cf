package tabletest

import (
	"context"
	"errors"
	"testing"

	"typedinbox/shared/table"
)

// every is a row with a value of each kind.
var every = table.Row{"s": "text", "n": int64(-7), "t": true, "f": false, "b": []byte{0, 1, 255}}

var verbs = cases{
	"ok/get absent": {run: func(t *testing.T, s *suite) { s.holds(t, at(s.fresh(), "x"), nil) }},
	"ok/put and get every kind": {run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		s.must(t, put(k, every))
		s.holds(t, k, with(k, every))
	}},
	"ok/put of the key alone": {run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		s.must(t, put(k, nil))
		s.holds(t, k, with(k, nil))
	}},
	"ok/put replaces whole": {run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		s.must(t, put(k, every))
		s.must(t, put(k, table.Row{"other": "o"}))
		s.holds(t, k, with(k, table.Row{"other": "o"}))
	}},
	"ok/update makes an absent row": {run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		s.must(t, set(k, every))
		s.holds(t, k, with(k, every))
	}},
	"ok/update sets, removes, adds, keeps the rest": {run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		s.must(t, put(k, table.Row{"keep": "k", "old": "o", "gone": "g", "n": int64(5)}))
		s.must(t, table.Action{
			Kind: table.Update, Key: k, Set: table.Row{"old": int64(1), "new": "n"}, Remove: []string{"gone", "never"},
			Add: map[string]int64{"n": -7, "zero": 3},
		})
		s.holds(t, k, with(k, table.Row{"keep": "k", "old": int64(1), "new": "n", "n": int64(-2), "zero": int64(3)}))
	}},
	"ok/update with more attributes than ten": {run: func(t *testing.T, s *suite) {
		k, many := at(s.fresh(), "x"), table.Row{}
		for c := 'a'; c <= 'z'; c++ {
			many["c_"+string(c)] = string(c)
		}
		s.must(t, set(k, many))
		s.holds(t, k, with(k, many))
	}},
	"ok/remove from an absent row makes it": {run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		s.must(t, remove(k, "a"))
		s.holds(t, k, with(k, nil))
	}},
	"ok/delete": {run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		s.must(t, put(k, every))
		s.must(t, del(k))
		s.holds(t, k, nil)
	}},
	"ok/delete absent": {run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		s.must(t, del(k))
		s.holds(t, k, nil)
	}},
	"ok/check writes nothing": {run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		s.must(t, check(k, rowAbsent))
		s.holds(t, k, nil)
	}},
	"fail/check": {run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		cancelled(t, s.transact(check(k, rowExists)), table.ReasonCondition)
		s.holds(t, k, nil)
	}},
	"ok/tables are apart": {run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		other := table.Key{Table: Other, Partition: k.Partition, Sort: k.Sort}
		s.must(t, put(k, table.Row{"v": "main"}), put(other, table.Row{"v": "other"}))
		s.must(t, del(k))
		s.holds(t, other, with(other, table.Row{"v": "other"}))
	}},
	"ok/a row past its ttl is there until it is deleted": {run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		past := table.Row{table.TTL: int64(1_000_000_000)}
		s.must(t, put(k, past))
		s.holds(t, k, with(k, past))
		s.must(t, del(k, table.Lte{Name: table.TTL, Value: int64(1_000_000_001)}))
		s.holds(t, k, nil)
	}},
	"ok/rows handed in and out are copies": {run: copies},
	"fail/a cancelled context": {run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		if _, err := s.DB.Get(ctx, k); !errors.Is(err, context.Canceled) {
			t.Errorf("get: %v", err)
		}
		if err := s.DB.Transact(ctx, "", []table.Action{put(k, nil)}); !errors.Is(err, context.Canceled) {
			t.Errorf("transact: %v", err)
		}
		s.holds(t, k, nil)
	}},
}

func copies(t *testing.T, s *suite) {
	k := at(s.fresh(), "x")
	a := put(k, table.Row{"b": []byte("bytes"), "s": "s"})
	s.must(t, a)
	a.Row["b"].([]byte)[0] = 'X'
	a.Row["s"] = "changed"
	want := with(k, table.Row{"b": []byte("bytes"), "s": "s"})
	s.holds(t, k, want)
	got := s.get(t, k)
	got["b"].([]byte)[0] = 'Y'
	got["s"] = "changed"
	s.holds(t, k, want)
}

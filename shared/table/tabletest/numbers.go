package tabletest

import (
	"math"
	"testing"

	"typedinbox/shared/table"
)

const safe = int64(1) << 53

func keeps(n int64) func(*testing.T, *suite) {
	return func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		s.must(t, put(k, table.Row{"n": n}))
		s.holds(t, k, with(k, table.Row{"n": n}))
		s.must(t, set(k, table.Row{"m": n}, table.Eq{Name: "n", Value: n}, table.Lte{Name: "n", Value: n}))
		s.holds(t, k, with(k, table.Row{"n": n, "m": n}))
		cancelled(t, s.transact(set(k, table.Row{"m": int64(0)}, table.Lt{Name: "n", Value: n})), table.ReasonCondition)
	}
}

func adds(start, n, want int64) func(*testing.T, *suite) {
	return func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		s.must(t, put(k, table.Row{"n": start}))
		s.must(t, add(k, "n", n))
		s.holds(t, k, with(k, table.Row{"n": want}))
	}
}

var numbers = cases{
	"ok/0":               {run: keeps(0)},
	"ok/-1":              {run: keeps(-1)},
	"ok/1000000":         {run: keeps(1_000_000)},
	"ok/2^53":            {run: keeps(safe)},
	"ok/-2^53":           {run: keeps(-safe)},
	"ok/a Unix time":     {run: keeps(1_772_000_000)},
	"ok/nanoseconds":     {needs: Exact, run: keeps(1_772_000_000_123_456_789)},
	"ok/2^53+1":          {needs: Exact, run: keeps(safe + 1)},
	"ok/largest":         {needs: Exact, run: keeps(math.MaxInt64)},
	"ok/smallest":        {needs: Exact, run: keeps(math.MinInt64)},
	"ok/add":             {run: adds(40, 2, 42)},
	"ok/add to negative": {run: adds(-1, -2, -3)},
	"ok/add nothing":     {run: adds(5, 0, 5)},
	"ok/add up to 2^53":  {run: adds(safe-1, 1, safe)},
	"ok/add over zero":   {run: adds(-safe, 2*safe, safe)},
	"ok/add beyond 2^53": {needs: Exact, run: adds(safe+1, 2, safe+3)},
	"ok/add to largest":  {needs: Exact, run: adds(math.MaxInt64-1, 1, math.MaxInt64)},
	"ok/add to an absent row starts at 0": {run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		s.must(t, add(k, "n", -4))
		s.must(t, add(k, "n", 10))
		s.holds(t, k, with(k, table.Row{"n": int64(6)}))
	}},
	"ok/neighbours are told apart beyond 2^53": {needs: Exact, run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		s.must(t, put(k, table.Row{"n": safe + 1}))
		cancelled(t, s.transact(set(k, table.Row{"m": "m"}, table.Eq{Name: "n", Value: safe})), table.ReasonCondition)
		s.must(t, set(k, table.Row{"m": "m"}, table.Lt{Name: "n", Value: safe + 2}))
	}},
	"fail/add to a string": {needs: AddKinds, run: func(t *testing.T, s *suite) {
		p := s.fresh()
		k := at(p, "x")
		s.must(t, put(k, table.Row{"n": "5"}))
		mistake(t, s.transact(put(at(p, "y"), nil), add(k, "n", 1)))
		mistake(t, s.transact(add(k, "n", 1)))
		s.holds(t, k, with(k, table.Row{"n": "5"}))
		s.holds(t, at(p, "y"), nil)
	}},
}

package tabletest

import (
	"context"
	"strings"
	"sync"
	"testing"

	"typedinbox/shared/table"
)

func (s *suite) withToken(token string, actions ...table.Action) error {
	return s.DB.Transact(context.Background(), token, actions)
}

var tokens = cases{
	"ok/done once": {needs: Tokens, run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		for range 3 {
			if err := s.withToken(k.Partition+"-token", add(k, "n", 1), put(at(k.Partition, "y"), every)); err != nil {
				t.Fatal(err)
			}
		}
		s.holds(t, k, with(k, table.Row{"n": int64(1)}))
	}},
	"ok/a condition that no longer holds is not asked again": {needs: Tokens, run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		for range 2 {
			if err := s.withToken(k.Partition+"-token", put(k, nil, rowAbsent)); err != nil {
				t.Fatal(err)
			}
		}
	}},
	"ok/two tokens": {run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		for _, token := range []string{"-1", "-2"} {
			if err := s.withToken(k.Partition+token, add(k, "n", 1)); err != nil {
				t.Fatal(err)
			}
		}
		s.holds(t, k, with(k, table.Row{"n": int64(2)}))
	}},
	"ok/cancelled, then free": {run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		cancelled(t, s.withToken(k.Partition+"-token", add(k, "n", 1, rowExists)), table.ReasonCondition)
		s.must(t, put(k, nil))
		if err := s.withToken(k.Partition+"-token", add(k, "n", 1, rowExists)); err != nil {
			t.Fatal(err)
		}
		s.holds(t, k, with(k, table.Row{"n": int64(1)}))
	}},
	"ok/36 bytes": {run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		if err := s.withToken(k.Partition+strings.Repeat("t", table.MaxToken-len(k.Partition)), put(k, nil)); err != nil {
			t.Fatal(err)
		}
	}},
	"fail/37 bytes": {run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		is(t, s.withToken(strings.Repeat("t", table.MaxToken+1), put(k, nil)), table.ErrLimit)
	}},
	"fail/other actions": {needs: Tokens, run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		first := set(k, table.Row{"v": "1", "w": int64(2)}, table.Or{rowAbsent, table.Lt{Name: "n", Value: int64(5)}})
		token := k.Partition + "-token"
		if err := s.withToken(token, first); err != nil {
			t.Fatal(err)
		}
		value, condition, more := first, first, add(k, "n", 1)
		value.Set = table.Row{"v": "1", "w": int64(3)}
		condition.If = table.Or{rowAbsent, table.Lt{Name: "n", Value: int64(6)}}
		is(t, s.withToken(token, value), table.ErrTokenReused)
		is(t, s.withToken(token, condition), table.ErrTokenReused)
		is(t, s.withToken(token, more), table.ErrTokenReused)
		is(t, s.withToken(token, first, check(at(k.Partition, "y"), rowAbsent)), table.ErrTokenReused)
		s.holds(t, k, with(k, table.Row{"v": "1", "w": int64(2)}))
	}},
	"ok/at the same moment": {needs: Tokens, run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		together(t, 32, func(int) error {
			return again(func() error { return s.withToken(k.Partition+"-token", add(k, "n", 1)) })
		})
		s.holds(t, k, with(k, table.Row{"n": int64(1)}))
	}},
}

// together runs n calls released by one closed channel; none may fail.
func together(t *testing.T, n int, call func(i int) error) {
	t.Helper()
	start := make(chan struct{})
	var wait sync.WaitGroup
	errs := make([]error, n)
	for i := range n {
		wait.Go(func() {
			<-start
			errs[i] = call(i)
		})
	}
	close(start)
	wait.Wait()
	for i, err := range errs {
		if err != nil {
			t.Errorf("call %d: %v", i, err)
		}
	}
}

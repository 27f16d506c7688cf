// Package tabletest is the one suite every driver of the storage port must
// pass (00 §4, §8). It asks only what package table promises; where a backend
// is known to fall short, its test names the gap and the reason, and the cases
// that need it are skipped aloud (08 §5).
package tabletest

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"sync/atomic"
	"testing"

	"typedinbox/shared/table"
)

// Gap is something a backend that only stands in for DynamoDB lacks.
type Gap string

// The gaps known.
const (
	Tokens     Gap = "client request tokens"
	OldImages  Gap = "old image of the row whose condition failed"
	Exact      Gap = "whole numbers beyond 2^53"
	IndexTies  Gap = "paging an index whose entries have equal keys"
	HalfKeys   Gap = "a row with one of an index's two attributes stays out of it"
	GoneCursor Gap = "a cursor whose row was deleted since"
	Growth     Gap = "size limits on what an update makes of a row"
	Pages      Gap = "pages of at most 1 MB"
	AddKinds   Gap = "adding to what is no number is refused"
	EmptyBytes Gap = "empty binary values"
)

// Harness is one empty database of [Schema].
type Harness struct {
	DB table.Database
	// Settle returns when the indexes show everything committed; nil: they
	// always do.
	Settle func()
	// Skip gives the reason of each gap of the backend.
	Skip map[Gap]string
}

// cases are a concern's named cases.
type cases map[string]testCase

type testCase struct {
	needs Gap // skipped where the backend has this gap
	run   func(t *testing.T, s *suite)
}

// Run runs the suite; open gives a fresh database for each concern.
func Run(t *testing.T, open func(t *testing.T) Harness) {
	concerns := []struct {
		name  string
		cases cases
	}{
		{"verbs", verbs}, {"conditions", conditions()}, {"numbers", numbers}, {"texts", texts},
		{"query", queries}, {"index", indexes}, {"batch", batches},
		{"transaction", transactions}, {"token", tokens}, {"limit", limits}, {"malformed", malformed()},
		{"race", races},
	}
	for _, concern := range concerns {
		t.Run(concern.name, func(t *testing.T) {
			s := &suite{Harness: open(t)}
			for name, c := range concern.cases {
				t.Run(name, func(t *testing.T) {
					if reason, gap := s.Skip[c.needs]; gap && c.needs != "" {
						t.Skipf("needs %s: %s", c.needs, reason)
					}
					c.run(t, s)
				})
			}
		})
	}
}

type suite struct {
	Harness
	made atomic.Int64
}

// fresh is a partition no case has used.
func (s *suite) fresh() string { return fmt.Sprintf("p%04d", s.made.Add(1)) }

func at(partition, sort string) table.Key {
	return table.Key{Table: Main, Partition: partition, Sort: sort}
}

// with is a row at the key with further attributes.
func with(k table.Key, more table.Row) table.Row {
	r := table.Row{table.PartitionKey: k.Partition, table.SortKey: k.Sort}
	for name, v := range more {
		r[name] = v
	}
	return r
}

func put(k table.Key, more table.Row, ifs ...table.Condition) table.Action {
	return conditional(table.Action{Kind: table.Put, Key: table.Key{Table: k.Table}, Row: with(k, more)}, ifs)
}

func set(k table.Key, attributes table.Row, ifs ...table.Condition) table.Action {
	return conditional(table.Action{Kind: table.Update, Key: k, Set: attributes}, ifs)
}

func add(k table.Key, name string, n int64, ifs ...table.Condition) table.Action {
	return conditional(table.Action{Kind: table.Update, Key: k, Add: map[string]int64{name: n}}, ifs)
}

func remove(k table.Key, name string, ifs ...table.Condition) table.Action {
	return conditional(table.Action{Kind: table.Update, Key: k, Remove: []string{name}}, ifs)
}

func del(k table.Key, ifs ...table.Condition) table.Action {
	return conditional(table.Action{Kind: table.Delete, Key: k}, ifs)
}

func check(k table.Key, c table.Condition) table.Action {
	return table.Action{Kind: table.Check, Key: k, If: c}
}

func conditional(a table.Action, ifs []table.Condition) table.Action {
	switch len(ifs) {
	case 0:
	case 1:
		a.If = ifs[0]
	default:
		a.If = table.And(ifs)
	}
	return a
}

const (
	rowAbsent = table.Absent(table.PartitionKey)
	rowExists = table.Exists(table.PartitionKey)
)

func (s *suite) transact(actions ...table.Action) error {
	return s.DB.Transact(context.Background(), "", actions)
}

// must does a transaction that has to succeed.
func (s *suite) must(t *testing.T, actions ...table.Action) {
	t.Helper()
	if err := s.transact(actions...); err != nil {
		t.Fatalf("transact: %v", err)
	}
}

func (s *suite) get(t *testing.T, k table.Key) table.Row {
	t.Helper()
	r, err := s.DB.Get(context.Background(), k)
	if err != nil {
		t.Fatalf("get %s: %v", k, err)
	}
	return r
}

// holds fails unless the row at the key is exactly this one; nil: absent.
func (s *suite) holds(t *testing.T, k table.Key, want table.Row) {
	t.Helper()
	if got := s.get(t, k); !same(got, want) {
		t.Errorf("row %s is %v, want %v", k, got, want)
	}
}

func same(a, b table.Row) bool {
	return len(a) == 0 && len(b) == 0 || reflect.DeepEqual(a, b)
}

// cancelled fails unless the error is a cancellation with these reasons.
func cancelled(t *testing.T, err error, want ...table.ReasonCode) *table.Cancelled {
	t.Helper()
	var c *table.Cancelled
	if !errors.As(err, &c) {
		t.Fatalf("answer %v, want a cancellation", err)
	}
	got := make([]table.ReasonCode, len(c.Reasons))
	for i, r := range c.Reasons {
		got[i] = r.Code
	}
	if !reflect.DeepEqual(got, want) {
		t.Fatalf("reasons %q, want %q", got, want)
	}
	return c
}

// is fails unless the error is the other.
func is(t *testing.T, err, want error) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Fatalf("answer %v, want %v", err, want)
	}
}

// mistake fails unless the error is one of the caller's, none of the port's.
func mistake(t *testing.T, err error) {
	t.Helper()
	var c *table.Cancelled
	if err == nil || errors.As(err, &c) {
		t.Fatalf("answer %v, want an error", err)
	}
	for _, other := range []error{table.ErrThrottled, table.ErrUnknown, table.ErrTokenReused, table.ErrLimit} {
		if errors.Is(err, other) {
			t.Fatalf("answer %v, want the caller's mistake", err)
		}
	}
}

// all reads every page of a query and says how many there were.
func (s *suite) all(t *testing.T, q table.Query) (rows []table.Row, pages int) {
	t.Helper()
	if q.Index != "" && s.Settle != nil {
		s.Settle()
	}
	for pages = 1; ; pages++ {
		page, err := s.DB.Query(context.Background(), q)
		if err != nil {
			t.Fatalf("query: %v", err)
		}
		rows = append(rows, page.Rows...)
		if page.Next == "" {
			return rows, pages
		}
		if pages > 10_000 {
			t.Fatal("a query without an end")
		}
		q.After = page.Next
	}
}

// values of one string attribute of rows.
func values(rows []table.Row, name string) []string {
	out := make([]string, len(rows))
	for i, r := range rows {
		out[i] = r.String(name)
	}
	return out
}

func equal(t *testing.T, what string, got, want []string) {
	t.Helper()
	if !reflect.DeepEqual(got, want) && len(got)+len(want) > 0 {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

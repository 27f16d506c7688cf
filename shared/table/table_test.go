package table

import (
	"errors"
	"math"
	"strings"
	"testing"
)

func TestSize(t *testing.T) {
	for name, c := range map[string]struct {
		v    any
		want int // of the value
	}{
		"empty string": {"", 0}, "string": {"abc", 3}, "bytes of UTF-8": {"é", 2}, "bytes": {[]byte{1, 2}, 2},
		"true": {true, 1}, "false": {false, 1},
		"0": {int64(0), 1}, "7": {int64(7), 2}, "42": {int64(42), 2}, "123": {int64(123), 3}, "1000000": {int64(1_000_000), 2},
		"-7": {int64(-7), 3}, "-120": {int64(-120), 3}, "largest": {int64(math.MaxInt64), 11}, "smallest": {int64(math.MinInt64), 12},
	} {
		if got := Size(Row{"name": c.v}); got != c.want+4 {
			t.Errorf("%s: %d, want %d", name, got-4, c.want)
		}
	}
	if got := Size(nil); got != 0 {
		t.Errorf("no row: %d", got)
	}
}

func TestWriteUnits(t *testing.T) {
	for size, want := range map[int]int{0: 2, 1: 2, 1024: 2, 1025: 4, 2048: 4, 400 << 10: 800} {
		if got := WriteUnits(size); got != want {
			t.Errorf("%d bytes: %d units, want %d", size, got, want)
		}
	}
}

func TestClone(t *testing.T) {
	r := Row{"b": []byte("b"), "e": []byte{}, "s": "s"}
	c := r.Clone()
	c["b"].([]byte)[0] = 'X'
	c["s"] = "changed"
	if r.String("s") != "s" || string(r.Bytes("b")) != "b" || c.Bytes("e") == nil {
		t.Errorf("%v, clone %v", r, c)
	}
	if Row(nil).Clone() != nil {
		t.Error("a clone of nothing")
	}
}

func TestPrefix(t *testing.T) {
	from, to := Prefix("EV#")
	for s, want := range map[string]bool{"EV#": true, "EV#0": true, "EV#\uffff": true, "EV#😀x": true, "EV": false, "EV$": false, "EW": false} {
		if got := s >= from && s <= to; got != want {
			t.Errorf("%q in the prefix: %t", s, got)
		}
	}
}

func TestCancelled(t *testing.T) {
	var err error = &Cancelled{Reasons: []Reason{{}, {Code: ReasonCondition}, {Code: ReasonConflict}}}
	if got := err.Error(); got != "table: cancelled: 1 condition 2 conflict" {
		t.Error(got)
	}
	var c *Cancelled
	if !errors.As(err, &c) || !c.Has(ReasonConflict) || c.Has(ReasonThrottled) {
		t.Errorf("%v", c)
	}
}

var cursorQueries = map[string]Query{
	"table":            {Table: "t", Partition: "p"},
	"table, range":     {Table: "t", Partition: "p", From: "a", To: "z"},
	"table, descends":  {Table: "t", Partition: "p", Desc: true},
	"other table":      {Table: "u", Partition: "p"},
	"other partition":  {Table: "t", Partition: "pp"},
	"texts run on":     {Table: "tp", Partition: ""},
	"index":            {Table: "t", Index: "i", Partition: "p"},
	"index, range":     {Table: "t", Index: "i", Partition: "p", From: "a", To: "z"},
	"index, lower end": {Table: "t", Index: "i", Partition: "p", From: "b"},
}

func position(q Query) Position {
	p := Position{Sort: "m"}
	if q.Index != "" {
		p.RowPartition, p.RowSort = "rp", "rs\x00"
	}
	return p
}

func TestCursor(t *testing.T) {
	for name, q := range cursorQueries {
		for _, p := range []Position{position(q), {}} {
			cursor := EncodeCursor(q, p)
			if strings.ContainsAny(cursor, "+/=") || cursor == "" {
				t.Errorf("%s: cursor %q", name, cursor)
			}
			after := q
			after.After, after.Limit = cursor, 7
			if got, err := DecodeCursor(after); err != nil || got != p {
				t.Errorf("%s: %v, %v; want %v", name, got, err, p)
			}
		}
		for other, o := range cursorQueries {
			if o.After = EncodeCursor(q, position(q)); o.Partition == q.Partition && other == name {
				continue
			}
			if _, err := DecodeCursor(o); !errors.Is(err, ErrCursor) {
				t.Errorf("a cursor of %s on %s: %v", name, other, err)
			}
		}
	}
}

func TestCursorOutside(t *testing.T) {
	for name, c := range map[string]struct {
		q Query
		p Position
	}{
		"fail/below":          {Query{Table: "t", Partition: "p", From: "b", To: "d"}, Position{Sort: "a"}},
		"fail/above":          {Query{Table: "t", Partition: "p", From: "b", To: "d"}, Position{Sort: "d\x00"}},
		"fail/row of a table": {Query{Table: "t", Partition: "p"}, Position{Sort: "a", RowPartition: "p", RowSort: "s"}},
		"fail/half a row":     {Query{Table: "t", Index: "i", Partition: "p"}, Position{Sort: "a", RowSort: "s"}},
		"fail/no row":         {Query{Table: "t", Index: "i", Partition: "p"}, Position{Sort: "a"}},
		"fail/no sort":        {Query{Table: "t", Index: "i", Partition: "p"}, Position{RowPartition: "p", RowSort: "s"}},
	} {
		c.q.After = EncodeCursor(c.q, c.p)
		if p, err := DecodeCursor(c.q); !errors.Is(err, ErrCursor) {
			t.Errorf("%s: %v, %v", name, p, err)
		}
	}
}

// Whatever text comes as a cursor, it is refused or lies inside the query.
func FuzzCursor(f *testing.F) {
	for _, q := range cursorQueries {
		f.Add(EncodeCursor(q, position(q)))
	}
	f.Fuzz(func(t *testing.T, after string) {
		for _, q := range cursorQueries {
			q.After = after
			p, err := DecodeCursor(q)
			if err != nil && !errors.Is(err, ErrCursor) {
				t.Fatal(err)
			}
			if err == nil && after != "" && !p.within(q) {
				t.Fatalf("%v is outside %v", p, q)
			}
		}
	})
}

func TestSchema(t *testing.T) {
	i := IndexSchema{Name: "i", Partition: "ip", Sort: "is"}
	s := Schema{Tables: []TableSchema{{Name: "t", Indexes: []IndexSchema{i}}}}
	table, ok := s.Table("t")
	if _, none := s.Table("u"); !ok || none {
		t.Error("tables by name")
	}
	got, ok := table.Index("i")
	if _, none := table.Index("j"); !ok || none || got != i {
		t.Error("indexes by name")
	}
	for name, c := range map[string]struct {
		row Row
		ok  bool
	}{
		"ok/both":         {Row{"ip": "p", "is": "s"}, true},
		"fail/one":        {Row{"ip": "p"}, false},
		"fail/none":       {nil, false},
		"fail/empty":      {Row{"ip": "p", "is": ""}, false},
		"fail/other kind": {Row{"ip": "p", "is": int64(1)}, false},
	} {
		if p, sort, ok := i.Entry(c.row); ok != c.ok || ok && (p != "p" || sort != "s") {
			t.Errorf("%s: %q, %q, %t", name, p, sort, ok)
		}
	}
}

// Holds does not fall over what Check would have refused.
func TestHoldsOfNothing(t *testing.T) {
	for name, c := range map[string]Condition{
		"eq bytes": Eq{Name: "b", Value: "b"}, "lt bool": Lt{Name: "t", Value: true}, "or": Or{}, "eq nil": Eq{Name: "x"},
	} {
		if Holds(c, Row{"b": []byte("b"), "t": false}) {
			t.Errorf("%s holds", name)
		}
	}
	if !Holds(nil, nil) || !Holds(And{}, nil) {
		t.Error("no condition does not hold")
	}
}

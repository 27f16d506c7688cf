package tabletest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/table"
)

// open is the attributes that put a row into the index Open.
func open(partition, sort string) table.Row {
	return table.Row{OpenPartition: partition, OpenSort: sort, "other": "o"}
}

func due(partition, sort string) table.Row {
	return table.Row{DuePartition: partition, DueSort: sort}
}

func (s *suite) listed(t *testing.T, index, partition string, desc bool) []string {
	t.Helper()
	rows, _ := s.all(t, table.Query{Table: Main, Index: index, Partition: partition, Desc: desc, Limit: 3})
	return values(rows, table.SortKey)
}

var indexes = cases{
	"ok/keys alone": {run: func(t *testing.T, s *suite) {
		p := s.fresh()
		k := at(p, "x")
		s.must(t, put(k, open(p, "2026")))
		rows, _ := s.all(t, table.Query{Table: Main, Index: Open, Partition: p})
		want := with(k, table.Row{OpenPartition: p, OpenSort: "2026"})
		if len(rows) != 1 || !same(rows[0], want) {
			t.Errorf("rows %v, want %v", rows, want)
		}
	}},
	"ok/sparse, ordered, paged": {run: func(t *testing.T, s *suite) {
		p := s.fresh()
		var want []string
		for i := range 12 {
			k := at(p, fmt.Sprintf("%02d", i))
			if i%3 != 0 {
				s.must(t, put(k, table.Row{"other": "o"}))
				continue
			}
			s.must(t, put(k, open(p, fmt.Sprintf("%02d", 99-i))))
			want = append(want, k.Sort)
		}
		equal(t, "descending", s.listed(t, Open, p, true), want)
		slices.Reverse(want)
		equal(t, "ascending", s.listed(t, Open, p, false), want)
	}},
	"ok/range": {run: func(t *testing.T, s *suite) {
		p := s.fresh()
		for i := range 9 {
			s.must(t, put(at(p, fmt.Sprint(i)), due(p, fmt.Sprintf("2026-%02d", i+1))))
		}
		q := table.Query{Table: Main, Index: Due, Partition: p, To: "2026-04"}
		rows, _ := s.all(t, q)
		equal(t, "up to April", values(rows, table.SortKey), []string{"0", "1", "2", "3"})
		q.From = "2026-03"
		rows, _ = s.all(t, q)
		equal(t, "March and April", values(rows, table.SortKey), []string{"2", "3"})
		q.To = ""
		q.From = "2026-08x"
		rows, _ = s.all(t, q)
		equal(t, "from August on", values(rows, table.SortKey), []string{"8"})
	}},
	"ok/two indexes": {run: func(t *testing.T, s *suite) {
		p := s.fresh()
		both := open(p, "o")
		both[DuePartition], both[DueSort] = p, "d"
		s.must(t, put(at(p, "both"), both), put(at(p, "open"), open(p, "p")), put(at(p, "due"), due(p, "e")))
		equal(t, "open", s.listed(t, Open, p, false), []string{"both", "open"})
		equal(t, "due", s.listed(t, Due, p, false), []string{"both", "due"})
	}},
	"ok/put re-keys": {run: func(t *testing.T, s *suite) {
		p := s.fresh()
		k := at(p, "x")
		s.must(t, put(k, open(p+"a", "1")))
		s.must(t, put(k, open(p+"b", "1")))
		equal(t, "old place", s.listed(t, Open, p+"a", false), nil)
		equal(t, "new place", s.listed(t, Open, p+"b", false), []string{"x"})
		s.must(t, put(k, nil))
		equal(t, "after a put without", s.listed(t, Open, p+"b", false), nil)
	}},
	"ok/update re-keys": {run: func(t *testing.T, s *suite) {
		p := s.fresh()
		s.must(t, put(at(p, "x"), open(p, "1")), put(at(p, "y"), open(p, "2")))
		s.must(t, set(at(p, "x"), table.Row{OpenSort: "3"}))
		equal(t, "order", s.listed(t, Open, p, false), []string{"y", "x"})
		s.must(t, set(at(p, "x"), table.Row{"note": "n"}))
		equal(t, "other attribute", s.listed(t, Open, p, false), []string{"y", "x"})
	}},
	"ok/leaves when an attribute goes": {run: func(t *testing.T, s *suite) {
		p := s.fresh()
		s.must(t, put(at(p, "x"), open(p, "1")), put(at(p, "y"), open(p, "2")))
		s.must(t, table.Action{Kind: table.Update, Key: at(p, "x"), Remove: []string{OpenPartition, OpenSort}})
		equal(t, "list", s.listed(t, Open, p, false), []string{"y"})
	}},
	"ok/leaves when one attribute goes": {needs: HalfKeys, run: func(t *testing.T, s *suite) {
		p := s.fresh()
		s.must(t, put(at(p, "x"), open(p, "1")), put(at(p, "y"), open(p, "2")), put(at(p, "z"), table.Row{OpenPartition: p}))
		s.must(t, remove(at(p, "x"), OpenSort))
		equal(t, "list", s.listed(t, Open, p, false), []string{"y"})
		s.must(t, set(at(p, "x"), table.Row{OpenSort: "3"}))
		equal(t, "list", s.listed(t, Open, p, false), []string{"y", "x"})
	}},
	"ok/leaves when the row goes": {run: func(t *testing.T, s *suite) {
		p := s.fresh()
		s.must(t, put(at(p, "x"), open(p, "1")), put(at(p, "y"), open(p, "2")))
		s.must(t, del(at(p, "y")))
		equal(t, "list", s.listed(t, Open, p, false), []string{"x"})
	}},
	"ok/a cancelled transaction leaves it": {run: func(t *testing.T, s *suite) {
		p := s.fresh()
		s.must(t, put(at(p, "x"), open(p, "1")))
		cancelled(t, s.transact(del(at(p, "x")), put(at(p, "y"), open(p, "2")), check(at(p, "z"), rowExists)),
			table.ReasonNone, table.ReasonNone, table.ReasonCondition)
		equal(t, "list", s.listed(t, Open, p, false), []string{"x"})
	}},
	"ok/equal entries paged without loss or double": {needs: IndexTies, run: func(t *testing.T, s *suite) {
		p := s.fresh()
		for i := range 7 {
			s.must(t, put(at(fmt.Sprintf("%s-%d", p, i%3), fmt.Sprint(i)), open(p, "same")))
		}
		got := s.listed(t, Open, p, false)
		slices.Sort(got)
		equal(t, "list", got, []string{"0", "1", "2", "3", "4", "5", "6"})
	}},
	"ok/values with zero bytes": {run: func(t *testing.T, s *suite) {
		p := s.fresh()
		s.must(t, put(at(p, "1"), open(p, "a\x00b")), put(at(p, "2"), open(p+"\x00", "a")), put(at(p, "0"), open(p, "a")),
			put(at(p, "3"), open(p, "a\x01")))
		equal(t, "list", s.listed(t, Open, p, false), []string{"0", "1", "3"})
	}},
	"fail/wrong kind of value": {run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		mistake(t, s.transact(put(k, table.Row{OpenPartition: int64(1), OpenSort: "s"})))
		mistake(t, s.transact(set(k, table.Row{OpenSort: []byte("s")})))
		mistake(t, s.transact(add(k, OpenSort, 1)))
		s.holds(t, k, nil)
	}},
	"fail/empty value": {run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		mistake(t, s.transact(put(k, open("", "s"))))
		mistake(t, s.transact(set(k, table.Row{OpenSort: ""})))
		s.holds(t, k, nil)
	}},
	"fail/value longer than a key": {run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		s.must(t, put(k, open(strings.Repeat("p", table.MaxPartition), strings.Repeat("s", table.MaxSort))))
		is(t, s.transact(put(k, open("p", strings.Repeat("s", table.MaxSort+1)))), table.ErrLimit)
		is(t, s.transact(put(k, open(strings.Repeat("p", table.MaxPartition+1), "s"))), table.ErrLimit)
	}},
	"fail/a cursor of the table on its index": {run: func(t *testing.T, s *suite) {
		q := table.Query{Table: Main, Index: Open, Partition: "p"}
		q.After = table.EncodeCursor(q, table.Position{Sort: "s"})
		_, err := s.DB.Query(context.Background(), q)
		is(t, err, table.ErrCursor)
	}},
}

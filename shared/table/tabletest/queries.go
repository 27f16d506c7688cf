package tabletest

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/table"
)

// shelf fills a partition with rows EV#0000 … and ZZ#0000 … and gives the names
// of the first.
func (s *suite) shelf(t *testing.T, n int) (partition string, events []string) {
	t.Helper()
	partition = s.fresh()
	for from := 0; from < n; from += 40 {
		var actions []table.Action
		for i := from; i < min(n, from+40); i++ {
			events = append(events, fmt.Sprintf("EV#%04d", i))
			actions = append(actions, put(at(partition, events[i]), table.Row{"i": int64(i)}),
				put(at(partition, fmt.Sprintf("ZZ#%04d", i)), nil))
		}
		s.must(t, actions...)
	}
	return partition, events
}

func prefixed(partition, prefix string) table.Query {
	from, to := table.Prefix(prefix)
	return table.Query{Table: Main, Partition: partition, From: from, To: to}
}

// ranged is a case of a range over EV#0000 … EV#0009, ZZ#0000 … ZZ#0009.
func ranged(from, to string, want ...string) testCase {
	return testCase{run: func(t *testing.T, s *suite) {
		p, _ := s.shelf(t, 10)
		q := table.Query{Table: Main, Partition: p, From: from, To: to}
		rows, _ := s.all(t, q)
		equal(t, "ascending", values(rows, table.SortKey), want)
		q.Desc, q.Limit = true, 2
		rows, _ = s.all(t, q)
		turned := slices.Clone(want)
		slices.Reverse(turned)
		equal(t, "descending", values(rows, table.SortKey), turned)
	}}
}

var queries = cases{
	"ok/nothing there": {run: func(t *testing.T, s *suite) {
		rows, pages := s.all(t, table.Query{Table: Main, Partition: s.fresh(), Limit: 5})
		if len(rows) != 0 || pages != 1 {
			t.Errorf("%d rows on %d pages", len(rows), pages)
		}
	}},
	"ok/whole rows": {run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		s.must(t, put(k, every))
		rows, _ := s.all(t, table.Query{Table: Main, Partition: k.Partition})
		if len(rows) != 1 || !same(rows[0], with(k, every)) {
			t.Errorf("rows %v", rows)
		}
	}},
	"ok/partition whole":    {run: func(t *testing.T, s *suite) { s.counts(t, 12, table.Query{}, 24) }},
	"ok/both bounds":        ranged("EV#0003", "EV#0005", "EV#0003", "EV#0004", "EV#0005"),
	"ok/bounds not there":   ranged("EV#0003x", "EV#0005x", "EV#0004", "EV#0005"),
	"ok/one row":            ranged("EV#0003", "EV#0003", "EV#0003"),
	"ok/lower bound":        ranged("ZZ#0008", "", "ZZ#0008", "ZZ#0009"),
	"ok/upper bound":        ranged("", "EV#0001", "EV#0000", "EV#0001"),
	"ok/between the rows":   ranged("F", "G"),
	"ok/bounds turned":      ranged("EV#0005", "EV#0003"),
	"ok/above all":          ranged("ZZZ", ""),
	"ok/below all":          ranged("", "A"),
	"ok/prefix":             {run: func(t *testing.T, s *suite) { s.prefix(t, 25, 0, false) }},
	"ok/prefix, limit":      {run: func(t *testing.T, s *suite) { s.prefix(t, 25, 10, false) }},
	"ok/prefix, descending": {run: func(t *testing.T, s *suite) { s.prefix(t, 25, 10, true) }},
	"ok/limit divides":      {run: func(t *testing.T, s *suite) { s.prefix(t, 25, 5, false) }},
	"ok/limit 1":            {run: func(t *testing.T, s *suite) { s.prefix(t, 7, 1, true) }},
	"ok/limit above":        {run: func(t *testing.T, s *suite) { s.prefix(t, 7, 1000, false) }},
	"ok/a page is no larger than its limit": {run: func(t *testing.T, s *suite) {
		p, _ := s.shelf(t, 9)
		page, err := s.DB.Query(context.Background(), table.Query{Table: Main, Partition: p, Limit: 4})
		if err != nil || len(page.Rows) > 4 || page.Next == "" {
			t.Errorf("%d rows, next %q, %v", len(page.Rows), page.Next, err)
		}
	}},
	"ok/reads what was just written": {run: func(t *testing.T, s *suite) {
		p := s.fresh()
		for i := range 20 {
			s.must(t, put(at(p, fmt.Sprintf("%02d", i)), nil))
			if rows, _ := s.all(t, table.Query{Table: Main, Partition: p}); len(rows) != i+1 {
				t.Fatalf("%d rows after %d puts", len(rows), i+1)
			}
		}
	}},
	"ok/pages of at most 1 MB": {needs: Pages, run: bigPages},
	"ok/rows that come and go between pages": {run: func(t *testing.T, s *suite) {
		p, _ := s.shelf(t, 10)
		q := prefixed(p, "EV#")
		q.Limit = 4
		seen, next := s.until(t, q, 4)
		s.must(t, put(at(p, "EV#0001x"), nil), put(at(p, "EV#0007x"), nil), del(at(p, "EV#0008")))
		q.After = next
		rest, _ := s.all(t, q)
		equal(t, "after the change", append(seen, values(rest, table.SortKey)...), []string{
			"EV#0000", "EV#0001", "EV#0002", "EV#0003", "EV#0004", "EV#0005", "EV#0006", "EV#0007", "EV#0007x", "EV#0009",
		})
	}},
	"ok/a cursor whose row is gone": {needs: GoneCursor, run: func(t *testing.T, s *suite) {
		p, events := s.shelf(t, 8)
		q := prefixed(p, "EV#")
		q.Limit = 3
		seen, next := s.until(t, q, 3)
		s.must(t, del(at(p, "EV#0002")))
		q.After = next
		rest, _ := s.all(t, q)
		equal(t, "all", append(seen, values(rest, table.SortKey)...), events)
	}},
	"ok/a cursor goes with another limit": {run: func(t *testing.T, s *suite) {
		p, events := s.shelf(t, 8)
		q := prefixed(p, "EV#")
		q.Limit = 3
		seen, next := s.until(t, q, 3)
		q.After, q.Limit = next, 100
		rest, _ := s.all(t, q)
		equal(t, "all", append(seen, values(rest, table.SortKey)...), events)
	}},
	"fail/cursors of other queries": {run: foreignCursors},
	"fail/no partition": {run: func(t *testing.T, s *suite) {
		_, err := s.DB.Query(context.Background(), table.Query{Table: Main})
		mistake(t, err)
	}},
	"fail/unknown table": {run: func(t *testing.T, s *suite) {
		_, err := s.DB.Query(context.Background(), table.Query{Table: "none", Partition: "p"})
		mistake(t, err)
	}},
	"fail/unknown index": {run: func(t *testing.T, s *suite) {
		_, err := s.DB.Query(context.Background(), table.Query{Table: Other, Index: Open, Partition: "p"})
		mistake(t, err)
	}},
	"fail/negative limit": {run: func(t *testing.T, s *suite) {
		_, err := s.DB.Query(context.Background(), table.Query{Table: Main, Partition: "p", Limit: -1})
		mistake(t, err)
	}},
}

func (s *suite) counts(t *testing.T, n int, q table.Query, want int) {
	t.Helper()
	q.Table = Main
	q.Partition, _ = s.shelf(t, n)
	if rows, _ := s.all(t, q); len(rows) != want {
		t.Errorf("%d rows, want %d", len(rows), want)
	}
}

func (s *suite) prefix(t *testing.T, n, limit int, desc bool) {
	t.Helper()
	p, want := s.shelf(t, n)
	q := prefixed(p, "EV#")
	q.Limit, q.Desc = limit, desc
	if desc {
		slices.Reverse(want)
	}
	rows, pages := s.all(t, q)
	equal(t, "rows", values(rows, table.SortKey), want)
	if limit > 0 && pages < (n+limit-1)/limit {
		t.Errorf("%d pages", pages)
	}
}

// until reads pages until there are at least n rows and gives their sort keys
// and the cursor to go on with.
func (s *suite) until(t *testing.T, q table.Query, n int) (sorts []string, next string) {
	t.Helper()
	for len(sorts) < n {
		page, err := s.DB.Query(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		if page.Next == "" {
			t.Fatalf("ended after %d rows", len(sorts))
		}
		sorts = append(sorts, values(page.Rows, table.SortKey)...)
		q.After, q.Limit = page.Next, max(1, n-len(sorts))
	}
	return sorts, q.After
}

func bigPages(t *testing.T, s *suite) {
	p := s.fresh()
	text := strings.Repeat("x", 100<<10)
	for i := range 30 {
		s.must(t, put(at(p, fmt.Sprintf("%02d", i)), table.Row{"v": text}))
	}
	q := table.Query{Table: Main, Partition: p, Limit: 25}
	total := 0
	for {
		page, err := s.DB.Query(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		size := 0
		for _, r := range page.Rows {
			size += table.Size(r)
		}
		if size > table.MaxPage+table.MaxRow {
			t.Fatalf("a page of %d bytes", size)
		}
		total += len(page.Rows)
		if q.After = page.Next; q.After == "" {
			break
		}
	}
	if total != 30 {
		t.Errorf("%d rows", total)
	}
}

func foreignCursors(t *testing.T, s *suite) {
	p, _ := s.shelf(t, 8)
	q := prefixed(p, "EV#")
	q.Limit = 3
	_, next := s.until(t, q, 3)
	other := map[string]func(*table.Query){
		"table":     func(q *table.Query) { q.Table = Other },
		"index":     func(q *table.Query) { q.Index = Open },
		"partition": func(q *table.Query) { q.Partition = s.fresh() },
		"from":      func(q *table.Query) { q.From = "EV#0001" },
		"to":        func(q *table.Query) { q.To = "EV#0007" },
		"order":     func(q *table.Query) { q.Desc = true },
		"cut":       func(q *table.Query) { q.After = next[:len(next)-4] },
		"longer":    func(q *table.Query) { q.After = next + "AAAA" },
		"no cursor": func(q *table.Query) { q.After = "cursor" },
		"outside": func(q *table.Query) {
			q.After = table.EncodeCursor(*q, table.Position{Sort: "ZZ#0001"})
		},
	}
	for name, change := range other {
		wrong := q
		wrong.After = next
		change(&wrong)
		if _, err := s.DB.Query(context.Background(), wrong); err == nil {
			t.Errorf("%s: taken", name)
		} else {
			is(t, err, table.ErrCursor)
		}
	}
}

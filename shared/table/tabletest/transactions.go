package tabletest

import (
	"testing"

	"typedinbox/shared/table"
)

// stage is rows of a write as the inbox does it: an item with a version, an
// event, an idempotency row, a place, a counter, a guard.
type stage struct{ item, event, key, place, counter, guard table.Key }

func (s *suite) stage(t *testing.T) stage {
	t.Helper()
	p := s.fresh()
	g := stage{at(p, "item"), at(p, "event#1"), at(p, "key#1"), at(p, "place#1"), at(p, "counter"), at(p, "guard")}
	s.must(t, put(g.item, table.Row{"version": int64(1)}), put(g.guard, table.Row{"on": true}))
	return g
}

func (g stage) write(version int64) []table.Action {
	return []table.Action{
		set(g.item, table.Row{"version": version + 1}, table.Eq{Name: "version", Value: version}),
		put(g.event, nil, rowAbsent), put(g.key, nil, rowAbsent), put(g.place, table.Row{"for": "first"}, rowAbsent),
		add(g.counter, "n", 1), check(g.guard, table.Eq{Name: "on", Value: true}),
	}
}

var transactions = cases{
	"ok/all of it": {run: func(t *testing.T, s *suite) {
		g := s.stage(t)
		s.must(t, g.write(1)...)
		s.holds(t, g.item, with(g.item, table.Row{"version": int64(2)}))
		s.holds(t, g.event, with(g.event, nil))
		s.holds(t, g.key, with(g.key, nil))
		s.holds(t, g.place, with(g.place, table.Row{"for": "first"}))
		s.holds(t, g.counter, with(g.counter, table.Row{"n": int64(1)}))
		s.holds(t, g.guard, with(g.guard, table.Row{"on": true}))
	}},
	"fail/none of it, reasons in order": {run: func(t *testing.T, s *suite) {
		g := s.stage(t)
		s.must(t, put(g.place, table.Row{"for": "other"}))
		cancelled(t, s.transact(g.write(1)...), "", "", "", table.ReasonCondition, "", "")
		s.holds(t, g.item, with(g.item, table.Row{"version": int64(1)}))
		for _, k := range []table.Key{g.event, g.key, g.counter} {
			s.holds(t, k, nil)
		}
		s.holds(t, g.place, with(g.place, table.Row{"for": "other"}))
	}},
	"fail/every reason is named": {run: func(t *testing.T, s *suite) {
		g := s.stage(t)
		s.must(t, put(g.place, nil), remove(g.guard, "on"), put(g.key, nil))
		cancelled(t, s.transact(g.write(7)...), table.ReasonCondition, "", table.ReasonCondition, table.ReasonCondition, "", table.ReasonCondition)
	}},
	"fail/the old row comes with the reason": {needs: OldImages, run: func(t *testing.T, s *suite) {
		g := s.stage(t)
		s.must(t, put(g.place, every), del(g.guard))
		c := cancelled(t, s.transact(g.write(1)...), "", "", "", table.ReasonCondition, "", table.ReasonCondition)
		if !same(c.Reasons[3].Old, with(g.place, every)) {
			t.Errorf("old %v", c.Reasons[3].Old)
		}
		for _, i := range []int{0, 1, 2, 4, 5} {
			if c.Reasons[i].Old != nil {
				t.Errorf("reason %d has old %v", i, c.Reasons[i].Old)
			}
		}
	}},
	"fail/one write alone": {run: func(t *testing.T, s *suite) {
		g := s.stage(t)
		cancelled(t, s.transact(set(g.item, table.Row{"version": int64(9)}, table.Eq{Name: "version", Value: int64(2)})), table.ReasonCondition)
		cancelled(t, s.transact(put(g.item, nil, rowAbsent)), table.ReasonCondition)
		cancelled(t, s.transact(del(g.item, table.Absent("version"))), table.ReasonCondition)
		cancelled(t, s.transact(del(g.event, rowExists)), table.ReasonCondition)
		s.holds(t, g.item, with(g.item, table.Row{"version": int64(1)}))
	}},
	"fail/one write alone, the old row": {needs: OldImages, run: func(t *testing.T, s *suite) {
		g := s.stage(t)
		old := with(g.item, table.Row{"version": int64(1)})
		for name, a := range map[string]table.Action{
			"put": put(g.item, nil, rowAbsent), "update": add(g.item, "n", 1, rowAbsent), "delete": del(g.item, rowAbsent),
			"check": check(g.item, rowAbsent),
		} {
			if c := cancelled(t, s.transact(a), table.ReasonCondition); !same(c.Reasons[0].Old, old) {
				t.Errorf("%s: old %v", name, c.Reasons[0].Old)
			}
		}
	}},
	"ok/conditions see the rows as they stood": {run: func(t *testing.T, s *suite) {
		p := s.fresh()
		s.must(t, put(at(p, "a"), table.Row{"n": int64(1)}))
		s.must(t, add(at(p, "a"), "n", 1), check(at(p, "b"), rowAbsent), put(at(p, "c"), nil, rowAbsent))
		s.must(t, del(at(p, "a"), table.Eq{Name: "n", Value: int64(2)}), put(at(p, "b"), nil))
		s.holds(t, at(p, "a"), nil)
	}},
	"ok/over two tables": {run: func(t *testing.T, s *suite) {
		p := s.fresh()
		event := table.Key{Table: Other, Partition: p, Sort: "event"}
		s.must(t, put(at(p, "item"), nil), put(event, nil, rowAbsent))
		cancelled(t, s.transact(put(at(p, "item"), table.Row{"v": "2"}), put(event, nil, rowAbsent)), "", table.ReasonCondition)
		s.holds(t, at(p, "item"), with(at(p, "item"), nil))
	}},
}

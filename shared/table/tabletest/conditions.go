package tabletest

import (
	"testing"

	"typedinbox/shared/table"
)

// A condition's case is a row of this table: what it is, and whether it holds
// on a row {s: "m", n: 10, t: true, b: bytes, e: ""}, and on no row at all.
var conditionTable = []struct {
	name    string
	c       table.Condition
	on, off bool
}{
	{"absent attribute there", table.Absent("s"), false, true},
	{"absent attribute not there", table.Absent("x"), true, true},
	{"absent row", table.Absent(table.PartitionKey), false, true},
	{"exists there", table.Exists("b"), true, false},
	{"exists empty", table.Exists("e"), true, false},
	{"exists not there", table.Exists("x"), false, false},
	{"exists row", table.Exists(table.PartitionKey), true, false},

	{"eq string", table.Eq{Name: "s", Value: "m"}, true, false},
	{"eq other string", table.Eq{Name: "s", Value: "M"}, false, false},
	{"eq empty string", table.Eq{Name: "e", Value: ""}, true, false},
	{"eq empty with absent", table.Eq{Name: "x", Value: ""}, false, false},
	{"eq number", table.Eq{Name: "n", Value: int64(10)}, true, false},
	{"eq other number", table.Eq{Name: "n", Value: int64(11)}, false, false},
	{"eq zero with absent", table.Eq{Name: "x", Value: int64(0)}, false, false},
	{"eq bool", table.Eq{Name: "t", Value: true}, true, false},
	{"eq other bool", table.Eq{Name: "t", Value: false}, false, false},
	{"eq number of a string", table.Eq{Name: "s", Value: int64(10)}, false, false},
	{"eq string of a number", table.Eq{Name: "n", Value: "10"}, false, false},
	{"eq string of a bool", table.Eq{Name: "t", Value: "true"}, false, false},
	{"eq string of bytes", table.Eq{Name: "b", Value: "bytes"}, false, false},
	{"eq sort key", table.Eq{Name: table.SortKey, Value: "x"}, true, false},

	{"lt smaller", table.Lt{Name: "n", Value: int64(11)}, true, false},
	{"lt equal", table.Lt{Name: "n", Value: int64(10)}, false, false},
	{"lt greater", table.Lt{Name: "n", Value: int64(9)}, false, false},
	{"lt by value, not text", table.Lt{Name: "n", Value: int64(100)}, true, false},
	{"lt negative", table.Lt{Name: "n", Value: int64(-11)}, false, false},
	{"lt string smaller", table.Lt{Name: "s", Value: "n"}, true, false},
	{"lt string equal", table.Lt{Name: "s", Value: "m"}, false, false},
	{"lt string longer", table.Lt{Name: "s", Value: "mm"}, true, false},
	{"lt upper case first", table.Lt{Name: "s", Value: "Z"}, false, false},
	{"lt absent", table.Lt{Name: "x", Value: int64(5)}, false, false},
	{"lt wrong kind", table.Lt{Name: "s", Value: int64(5)}, false, false},
	{"lt wrong kind turned", table.Lt{Name: "n", Value: "z"}, false, false},
	{"lt of a bool", table.Lt{Name: "t", Value: "z"}, false, false},
	{"lte equal", table.Lte{Name: "n", Value: int64(10)}, true, false},
	{"lte greater", table.Lte{Name: "n", Value: int64(9)}, false, false},
	{"lte smaller", table.Lte{Name: "n", Value: int64(11)}, true, false},
	{"lte string equal", table.Lte{Name: "s", Value: "m"}, true, false},
	{"lte absent", table.Lte{Name: "x", Value: int64(5)}, false, false},
	{"lte wrong kind", table.Lte{Name: "s", Value: int64(5)}, false, false},

	{"not eq", table.Not{Of: table.Eq{Name: "s", Value: "m"}}, false, true},
	{"not eq absent", table.Not{Of: table.Eq{Name: "x", Value: "m"}}, true, true},
	{"not eq wrong kind", table.Not{Of: table.Eq{Name: "n", Value: "10"}}, true, true},
	{"not lt absent", table.Not{Of: table.Lt{Name: "x", Value: int64(1)}}, true, true},
	{"not lt wrong kind", table.Not{Of: table.Lt{Name: "s", Value: int64(1)}}, true, true},
	{"not lte", table.Not{Of: table.Lte{Name: "n", Value: int64(10)}}, false, true},
	{"not absent", table.Not{Of: table.Absent("s")}, true, false},
	{"not exists", table.Not{Of: table.Exists("x")}, true, true},
	{"not not", table.Not{Of: table.Not{Of: table.Exists("s")}}, true, false},

	{"and both", table.And{table.Exists("s"), table.Eq{Name: "n", Value: int64(10)}}, true, false},
	{"and one", table.And{table.Exists("s"), table.Exists("x")}, false, false},
	{"and of one", table.And{table.Exists("s")}, true, false},
	{"and of three", table.And{table.Exists("s"), table.Exists("n"), table.Exists("x")}, false, false},
	{"and of none", table.And{}, true, true},
	{"or both", table.Or{table.Exists("s"), table.Exists("n")}, true, false},
	{"or one", table.Or{table.Exists("x"), table.Exists("n")}, true, false},
	{"or neither", table.Or{table.Exists("x"), table.Exists("y")}, false, false},
	{"or of none", table.Or{}, false, false},
	{"or row absent", table.Or{rowAbsent, table.Lt{Name: "n", Value: int64(11)}}, true, true},
	{"or in and", table.And{table.Or{table.Exists("x"), table.Exists("s")}, table.Exists("n")}, true, false},
	{"and in or", table.Or{table.And{table.Exists("x"), table.Exists("s")}, table.Exists("n")}, true, false},
	{"not of or", table.Not{Of: table.Or{table.Exists("x"), table.Exists("y")}}, true, true},
	{"not of and", table.Not{Of: table.And{table.Exists("s"), table.Exists("n")}}, false, true},
	{"deep", table.And{table.Not{Of: table.Or{table.Exists("x"), table.And{table.Exists("y"), rowExists}}}, table.Or{table.Eq{Name: "t", Value: true}, rowAbsent}}, true, true},
}

var conditioned = table.Row{"s": "m", "n": int64(10), "t": true, "b": []byte("bytes"), "e": ""}

// conditions tries every condition with every kind of action, alone and in a
// transaction, on a row and on none.
func conditions() cases {
	out := cases{}
	for _, c := range conditionTable {
		for _, there := range []bool{true, false} {
			name, holds := c.name+", no row", c.off
			if there {
				name, holds = c.name+", row", c.on
			}
			if holds {
				name = "ok/" + name
			} else {
				name = "fail/" + name
			}
			out[name] = testCase{run: func(t *testing.T, s *suite) {
				for kind := table.Put; kind <= table.Check; kind++ {
					s.judge(t, kind, c.c, there, holds, false)
					s.judge(t, kind, c.c, there, holds, true)
				}
			}}
		}
	}
	out["ok/attribute names that are words of the language"] = testCase{run: func(t *testing.T, s *suite) {
		k := at(s.fresh(), "x")
		s.must(t, put(k, table.Row{"status": "a", "name": "b", "a.b": "c", "a-b": "d", "#x": "e"}))
		s.must(t, set(k, table.Row{"status": "z", "a.b": "y"}, table.Eq{Name: "status", Value: "a"}, table.Eq{Name: "a-b", Value: "d"}))
		s.holds(t, k, with(k, table.Row{"status": "z", "name": "b", "a.b": "y", "a-b": "d", "#x": "e"}))
	}}
	return out
}

func (s *suite) judge(t *testing.T, kind table.Kind, c table.Condition, there, holds, company bool) {
	t.Helper()
	p := s.fresh()
	k, witness := at(p, "x"), at(p, "witness")
	var before table.Row
	if there {
		before = with(k, conditioned)
		s.must(t, put(k, conditioned))
	}
	action := table.Action{Kind: kind, Key: k, If: c}
	after := before
	switch kind {
	case table.Put:
		action.Row = with(k, table.Row{"new": "new"})
		after = action.Row
	case table.Update:
		action.Set = table.Row{"new": "new"}
		after = with(k, before)
		after["new"] = "new"
	case table.Delete:
		after = nil
	}
	actions := []table.Action{action}
	if company {
		actions = append(actions, put(witness, nil))
	}
	err := s.transact(actions...)
	if holds {
		if err != nil {
			t.Fatalf("%s (%s): %v", kind, k, err)
		}
		s.holds(t, k, after)
		return
	}
	want := []table.ReasonCode{table.ReasonCondition}
	if company {
		want = append(want, table.ReasonNone)
	}
	cancelled(t, err, want...)
	s.holds(t, k, before)
	s.holds(t, witness, nil)
}

package calendar

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

func TestCheckWeek(t *testing.T) {
	day := func(w ...inbox.Window) inbox.Week { return inbox.Week{"mon": w} }
	for name, c := range map[string]struct {
		in, want inbox.Week
		paths    string
	}{
		"ok/none":                {nil, inbox.Week{}, ""},
		"ok/one":                 {day(inbox.Window{"09:00", "17:30"}), day(inbox.Window{"09:00", "17:30"}), ""},
		"ok/until midnight":      {day(inbox.Window{"00:00", "24:00"}), day(inbox.Window{"00:00", "24:00"}), ""},
		"ok/an empty day closes": {inbox.Week{"mon": {}, "tue": nil}, inbox.Week{}, ""},
		"ok/sorted":              {day(inbox.Window{"14:00", "18:00"}, inbox.Window{"09:00", "12:00"}), day(inbox.Window{"09:00", "12:00"}, inbox.Window{"14:00", "18:00"}), ""},
		"ok/overlap merged":      {day(inbox.Window{"11:00", "14:00"}, inbox.Window{"09:00", "12:00"}, inbox.Window{"13:59", "15:00"}), day(inbox.Window{"09:00", "15:00"}), ""},
		"ok/inside merged":       {day(inbox.Window{"09:00", "18:00"}, inbox.Window{"10:00", "11:00"}), day(inbox.Window{"09:00", "18:00"}), ""},
		"ok/touching stay two":   {day(inbox.Window{"09:00", "12:00"}, inbox.Window{"12:00", "15:00"}), day(inbox.Window{"09:00", "12:00"}, inbox.Window{"12:00", "15:00"}), ""},
		"ok/six windows":         {day(hourly(6)...), day(hourly(6)...), ""},
		"fail/seven windows":     {day(hourly(7)...), inbox.Week{}, "weekly.mon"},
		"fail/equal":             {day(inbox.Window{"09:00", "09:00"}), inbox.Week{}, "weekly.mon.0"},
		"fail/backwards":         {day(inbox.Window{"22:00", "02:00"}), inbox.Week{}, "weekly.mon.0"},
		"fail/opens at 24:00":    {day(inbox.Window{"24:00", "24:00"}), inbox.Week{}, "weekly.mon.0"},
		"fail/24:01":             {day(inbox.Window{"23:00", "24:01"}), inbox.Week{}, "weekly.mon.0"},
		"fail/60 minutes":        {day(inbox.Window{"09:60", "11:00"}), inbox.Week{}, "weekly.mon.0"},
		"fail/short":             {day(inbox.Window{"9:00", "11:00"}), inbox.Week{}, "weekly.mon.0"},
		"fail/signs":             {day(inbox.Window{"-9:00", "+1:00"}), inbox.Week{}, "weekly.mon.0"},
		"fail/empty":             {day(inbox.Window{"", ""}), inbox.Week{}, "weekly.mon.0"},
		"fail/second of two":     {day(inbox.Window{"09:00", "12:00"}, inbox.Window{"x", "y"}), day(inbox.Window{"09:00", "12:00"}), "weekly.mon.1"},
		"fail/unknown days":      {inbox.Week{"monday": {{"09:00", "12:00"}}, "MON": nil}, inbox.Week{}, "weekly.MON weekly.monday"},
	} {
		got, problems := CheckWeek(c.in)
		if p := paths(problems); p != c.paths {
			t.Errorf("%s: problems on %q, want %q", name, p, c.paths)
		}
		if !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
		again, _ := CheckWeek(got)
		if !reflect.DeepEqual(again, got) {
			t.Errorf("%s: the normal form is not stable: %v", name, again)
		}
	}
}

func hourly(n int) (w []inbox.Window) {
	for h := range n {
		w = append(w, inbox.Window{fmt.Sprintf("%02d:00", 2*h), fmt.Sprintf("%02d:30", 2*h)})
	}
	return w
}

func paths(problems []inbox.FieldProblem) string {
	var p []string
	for _, f := range problems {
		p = append(p, f.Path)
	}
	return strings.Join(p, " ")
}

func TestCheckClosures(t *testing.T) {
	many := func(n int) []inbox.Closure {
		list := make([]inbox.Closure, n)
		for i := range list {
			list[i] = inbox.Closure{From: "2026-12-24", To: "2026-12-26"}
		}
		return list
	}
	one := func(from, to, reason string) []inbox.Closure {
		return []inbox.Closure{{From: from, To: to, Reason: reason}}
	}
	for name, c := range map[string]struct {
		in    []inbox.Closure
		paths string
	}{
		"ok/none":           {nil, ""},
		"ok/one day":        {one("2026-12-24", "2026-12-24", ""), ""},
		"ok/leap day":       {one("2028-02-29", "2028-03-01", strings.Repeat("é", 200)), ""},
		"ok/hundred":        {many(100), ""},
		"fail/too many":     {many(101), "closures"},
		"fail/backwards":    {one("2026-12-24", "2026-12-23", ""), "closures.0.to"},
		"fail/no such day":  {one("2026-02-29", "2026-03-01", ""), "closures.0.from"},
		"fail/with a time":  {one("2026-12-24T00:00:00Z", "2026-12-24", ""), "closures.0.from"},
		"fail/missing both": {one("", "", ""), "closures.0.from closures.0.to"},
		"fail/long reason":  {one("2026-12-24", "2026-12-24", strings.Repeat("é", 201)), "closures.0.reason"},
	} {
		if p := paths(CheckClosures(c.in)); p != c.paths {
			t.Errorf("%s: problems on %q, want %q", name, p, c.paths)
		}
	}
	if p := CheckClosures(one("", "2026-12-24", "")); p[0].Problem != inbox.Missing {
		t.Errorf("an absent date is told as %s", p[0].Problem)
	}
}

func TestFor(t *testing.T) {
	business := inbox.Week{"mon": {{"09:00", "18:00"}}}
	own := inbox.Week{"sat": {{"10:00", "12:00"}}}
	h := Hours{Weekly: business, Services: map[string]inbox.Week{"own": own, "shut": {}}}
	for id, want := range map[string]inbox.Week{"other": business, "own": own, "shut": {}} {
		if got := h.For(id); !reflect.DeepEqual(got, want) {
			t.Errorf("ok/%s: %v, want %v", id, got, want)
		}
	}
	if Opens(Hours{}.For("any")) || Opens(h.For("shut")) || !Opens(h.For("own")) {
		t.Error("a week without windows is closed, one with a window is not")
	}
}

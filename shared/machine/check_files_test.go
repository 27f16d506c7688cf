package machine

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"typedinbox/shared/inbox"
)

// planted is the data files with one replacement in one of them.
func planted(t *testing.T, name, old, new string) fs.FS {
	t.Helper()
	m := fstest.MapFS{}
	entries, err := files.ReadDir("data")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		raw, err := files.ReadFile("data/" + e.Name())
		if err != nil {
			t.Fatal(err)
		}
		m["data/"+e.Name()] = &fstest.MapFile{Data: raw}
	}
	file := m["data/"+name]
	if !strings.Contains(string(file.Data), old) {
		t.Fatalf("%s has no %q", name, old)
	}
	file.Data = []byte(strings.Replace(string(file.Data), old, new, 1))
	return m
}

func TestCheckFilesFindsPlantedErrors(t *testing.T) {
	cases := map[string]struct{ file, old, new, want string }{
		"ok/as they are":              {"booking.json", "requested", "requested", ""},
		"fail/unknown field of a row": {"booking.json", `"guards"`, `"guard"`, `data/booking.json: json: unknown field "guard"`},
		"fail/unknown field":          {"order.json", `"initial"`, `"first"`, `data/order.json: json: unknown field "first"`},
		"fail/state not described":    {"message.json", `"answered": "The`, `"answer": "The`, "message: state answered is not described"},
		"fail/described twice":        {"refund.json", `"rejected": "A person`, `"refused": "x", "rejected": "A person`, "refund: 6 states, 7 described"},
		"fail/change":                 {"change.json", `"offer"`, `"offers"`, `data/change.json: json: unknown field "offers"`},
		"fail/owed":                   {"owed.json", `"skipped"`, `"skip"`, `data/owed.json: json: unknown field "skip"`},
		"fail/buttons":                {"buttons.json", `"rulesOnly"`, `"rules"`, `data/buttons.json: json: unknown field "rules"`},
		"fail/guards":                 {"guards.json", `"sees"`, `"see"`, `data/guards.json: json: unknown field "see"`},
		"fail/effects":                {"effects.json", `"where"`, `"in"`, `data/effects.json: json: unknown field "in"`},
		"fail/actions":                {"actions.json", `"text"`, `"does"`, `data/actions.json: json: unknown field "does"`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			errs := checkFiles(planted(t, c.file, c.old, c.new))
			if c.want == "" {
				if len(errs) > 0 {
					t.Fatal(errs)
				}
				return
			}
			if !slices.ContainsFunc(errs, func(e error) bool { return e.Error() == c.want }) {
				t.Errorf("found %v\nwant %s", errs, c.want)
			}
		})
	}
	if errs := checkFiles(fstest.MapFS{}); len(errs) < 11 {
		t.Errorf("no files at all: %v", errs)
	}
}

func TestCheckListsFindsPlantedErrors(t *testing.T) {
	guard := Guards()[1]
	with := func(change func(*GuardInfo)) []GuardInfo {
		g := guard
		change(&g)
		return []GuardInfo{g}
	}
	cases := map[string]struct {
		errs []error
		want string // "" for none
	}{
		"ok/guard":                 {checkGuards([]GuardInfo{guard}), ""},
		"fail/unused guard":        {checkGuards(with(func(g *GuardInfo) { g.ID = "spare" })), "guard spare stands on no row"},
		"fail/guard sees nothing":  {checkGuards(with(func(g *GuardInfo) { g.Sees = "" })), "guard slot_available does not say what it sees, when it holds or what it answers"},
		"fail/guard without words": {checkGuards(with(func(g *GuardInfo) { g.Holds = "" })), "guard slot_available does not say what it sees, when it holds or what it answers"},
		"fail/unknown problem":     {checkGuards(with(func(g *GuardInfo) { g.Problems = []inbox.Code{"taken"} })), "guard slot_available answers unknown problem taken"},
		"fail/unused effect":       {checkEffects([]EffectInfo{{ID: "spare", Where: "write"}}, nil), "effect spare stands on no row"},
		"fail/effect nowhere":      {checkEffects([]EffectInfo{{ID: Close}}, nil), "effect close happens neither in the write nor in its job"},
		"fail/skips the unknown":   {checkEffects(Effects(), []Skip{{"spare", "x"}}), "skipped names effect spare, unknown or without a reason"},
		"fail/skips unreasoned":    {checkEffects(Effects(), []Skip{{Close, ""}}), "skipped names effect close, unknown or without a reason"},
		"fail/unknown input":       {checkInputs([]string{"spare"}), "input spare does not exist or stands on no row"},
		"fail/unknown button":      {checkButtons(buttons{Business: must(readButtons()).Business, Customer: append([]string{"spare"}, must(readButtons()).Customer...)}), "buttons: customer's spare is no event"},
		"fail/no place":            {checkButtons(buttons{Business: must(readButtons()).Business, Customer: must(readButtons()).Customer[1:]}), "buttons: provide_info has no place for the customer"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if c.want == "" && len(c.errs) > 0 {
				t.Fatal(c.errs)
			}
			if c.want != "" && !slices.ContainsFunc(c.errs, func(e error) bool { return e.Error() == c.want }) {
				t.Errorf("found %v\nwant %s", c.errs, c.want)
			}
		})
	}
}

package machine

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

func TestCheck(t *testing.T) {
	for _, err := range Check() {
		t.Error(err)
	}
}

// fresh is a booking table of the test's own.
func fresh(t *testing.T) *Table {
	t.Helper()
	table, err := load(inbox.TypeBooking)
	if err != nil {
		t.Fatal(err)
	}
	return table
}

// row is the first row of an event.
func (t *Table) row(event string) *Row {
	return t.Rows[slices.IndexFunc(t.Rows, func(r *Row) bool { return r.Event == event })]
}

func TestCheckFindsPlantedErrors(t *testing.T) {
	cases := map[string]struct {
		plant func(*Table)
		want  string // "" for none
	}{
		"ok/as it is": {func(*Table) {}, ""},
		"fail/unknown guard": {func(b *Table) { b.row("confirm").Guards[0] = "not_to_soon" },
			"booking: confirm: unknown guard not_to_soon"},
		"fail/guard that is only implied": {func(b *Table) { b.row("confirm").Guards[0] = "business_priced" },
			"booking: confirm: unknown guard business_priced"},
		"fail/unknown effect": {func(b *Table) { b.row("confirm").Effects[0] = "claim" },
			"booking: confirm: unknown effect claim"},
		"fail/unknown offer action": {func(b *Table) { b.row("confirm").Offer = "took" },
			"booking: confirm: unknown offer action took"},
		"fail/unknown input": {func(b *Table) { b.row("confirm").Input = "notes" },
			"booking: confirm: unknown input notes"},
		"fail/unknown actor": {func(b *Table) { b.row("confirm").ByText = "B Q" },
			`booking: confirm: unknown actor "Q" in by "B Q"`},
		"fail/unknown person": {func(b *Table) { b.row("confirm").Person = "sometimes" },
			"booking: confirm: unknown person sometimes"},
		"fail/unknown money": {func(b *Table) { b.row("confirm").Money = "much" },
			"booking: confirm: unknown money much"},
		"fail/draft for anyone": {func(b *Table) { b.row("confirm").Draft = true },
			"booking: confirm: draft without person"},
		"fail/unreachable state": {func(b *Table) { b.Rows = append(b.Rows, row("leave", "B", "limbo", "declined")) },
			"booking: state limbo is unreachable"},
		"fail/dead end": {func(b *Table) { b.Rows = append(b.Rows, row("enter", "B", "requested", "limbo")) },
			"booking: state limbo is a dead end and not terminal"},
		"fail/terminal with a plain row": {func(b *Table) { b.Rows = append(b.Rows, row("revive", "B", "declined", "declined")) },
			"booking: revive leads out of terminal declined and does not amend"},
		"fail/terminal led out of": {func(b *Table) {
			r := row("revive", "B", "declined", "requested")
			r.Amends = true
			b.Rows = append(b.Rows, r)
		}, "booking: revive leads from terminal declined to requested, which is not"},
		"fail/amends an open one": {func(b *Table) { b.row("confirm").Amends = true },
			"booking: confirm amends requested, which is not terminal"},
		"fail/ends without closing": {func(b *Table) { b.row("decline").Effects = []Effect{ReleaseSlot} },
			"booking: decline ends in declined without close"},
		"fail/same row twice": {func(b *Table) { b.Rows = append(b.Rows, row("confirm", "R X", "needs_info", "confirmed")) },
			"booking: confirm: two rows for R from [requested needs_info]"},
		"fail/money key beside keys": {func(b *Table) { b.Rows = append(b.Rows, row("provide_info", "X", "needs_info", "requested")) },
			"booking: provide_info: two rows for X from [needs_info]"},
		"fail/row without from": {func(b *Table) { b.Rows = append(b.Rows, &Row{Event: "go", ByText: "B", By: Business, Input: "note"}) },
			"booking: a row without event or from"},
		"fail/promise of no state": {func(b *Table) { b.Promise = append(slices.Clone(b.Promise), "sworn") },
			"booking: promise names state sworn, which no row has"},
		"fail/terminal of no state": {func(b *Table) { b.Terminal = append(slices.Clone(b.Terminal), "over") },
			"booking: terminal names state over, which no row has"},
		"fail/seen as no state": {func(b *Table) { b.SeenAs = map[inbox.State]inbox.State{"declined": "shut"} },
			"booking: seenByCustomer names a state that no row has: declined as shut"},
		"fail/refusing no row": {func(b *Table) { b.refusing = []refusal{{"confirm", []inbox.State{"declined"}, "x"}} },
			"booking: refusing names confirm from declined, which is no row"},
		"fail/refusing without a reason": {func(b *Table) { b.refusing = []refusal{{"*", nil, ""}} },
			"booking: refusing * says no reason"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			b := fresh(t)
			c.plant(b)
			errs := b.check()
			if c.want == "" {
				if len(errs) > 0 {
					t.Fatal(errs)
				}
				return
			}
			if !slices.ContainsFunc(errs, func(e error) bool { return strings.HasPrefix(e.Error(), c.want) }) {
				t.Errorf("found %v\nwant %s", errs, c.want)
			}
		})
	}
}

func row(event, by string, from, to inbox.State) *Row {
	g, _, _ := parseGroups(by)
	return &Row{Event: event, ByText: by, By: g, From: []inbox.State{from}, To: to, Input: "note", Effects: []Effect{Close}}
}

func TestFinishRefusesUnknownActors(t *testing.T) {
	for _, by := range []string{"Q", "P!!", "B, C", ""} {
		table := &Table{Type: "t", Rows: []*Row{{Event: "go", ByText: by}}}
		if table.finish() == nil {
			t.Errorf("by %q was taken", by)
		}
	}
}

func TestReadSaysWhichFile(t *testing.T) {
	if err := read("nothing", new(any)); err == nil || !strings.Contains(err.Error(), "nothing") {
		t.Errorf("%v", err)
	}
	var wrong []string
	if err := read("booking", &wrong); err == nil || !strings.Contains(err.Error(), "booking") {
		t.Errorf("%v", err)
	}
}

// TestConstantsAreTheLists: the effect and action constants of row.go are the
// closed lists, both ways.
func TestConstantsAreTheLists(t *testing.T) {
	consts := constants(t, "row.go")
	var effects, actions []string
	for _, e := range Effects() {
		effects = append(effects, string(e.ID))
	}
	for _, a := range Actions() {
		actions = append(actions, string(a.ID))
	}
	for typ, want := range map[string][]string{"Effect": effects, "OfferAction": actions} {
		got := consts[typ]
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s constants %v\nlist %v", typ, got, want)
		}
	}
}

// constants is the string constants of a file by their type's name.
func constants(t *testing.T, file string) map[string][]string {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string][]string{}
	ast.Inspect(f, func(n ast.Node) bool {
		spec, ok := n.(*ast.ValueSpec)
		if !ok || len(spec.Values) != 1 {
			return true
		}
		typ, isNamed := spec.Type.(*ast.Ident)
		value, isLit := spec.Values[0].(*ast.BasicLit)
		if isNamed && isLit {
			s, _ := strconv.Unquote(value.Value)
			found[typ.Name] = append(found[typ.Name], s)
		}
		return true
	})
	return found
}

func TestInputs(t *testing.T) {
	for _, name := range InputNames {
		in := NewInput(name)
		if in == nil {
			t.Errorf("no input %s", name)
			continue
		}
		if err := json.Unmarshal([]byte(`{"note":"x"}`), in); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if NewInput(name) == in {
			t.Errorf("%s is shared", name)
		}
	}
	if len(InputNames) != 25 {
		t.Errorf("%d inputs, 01 §4 has 25", len(InputNames))
	}
	for _, name := range []string{"", "Note", "anything"} {
		if NewInput(name) != nil {
			t.Errorf("an input %q", name)
		}
	}
}

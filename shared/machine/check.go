package machine

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"slices"

	"typedinbox/shared/inbox"
)

// Check reads every data file strictly and lists what is wrong with the
// machines, nothing when all is well: names that do not exist, states nothing
// leads to or out of, rows that overlap, terminal states with other rows than
// amending ones, entries of owed.json that match no row.
func Check() []error {
	var errs []error
	for _, typ := range inbox.Types {
		t, err := load(typ)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		errs = append(errs, t.check()...)
	}
	errs = append(errs, checkFiles(files)...)
	errs = append(errs, checkGuards(Guards())...)
	errs = append(errs, checkEffects(Effects(), Skipped())...)
	errs = append(errs, checkInputs(InputNames)...)
	return append(errs, checkButtons(must(readButtons()))...)
}

// check lists what is wrong with one table.
func (t *Table) check() []error {
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("%s: %s", t.Type, fmt.Sprintf(format, args...)))
	}
	states := t.States()
	for name, list := range map[string][]inbox.State{"born": t.Born, "terminal": t.Terminal, "promise": t.Promise, "clock": t.Clock} {
		for _, s := range list {
			if !slices.Contains(states, s) {
				bad("%s names state %s, which no row has", name, s)
			}
		}
	}
	for from, to := range t.SeenAs {
		if !slices.Contains(states, from) || !slices.Contains(states, to) {
			bad("seenByCustomer names a state that no row has: %s as %s", from, to)
		}
	}
	for _, s := range states {
		t.checkState(s, bad)
	}
	for i, r := range t.Rows {
		t.checkRow(r, bad)
		for _, other := range t.Rows[i+1:] {
			if overlap(r, other) {
				bad("%s: two rows for %s from %v", r.Event, r.By&other.admits(), r.From)
			}
		}
	}
	for _, r := range t.refusing {
		t.checkRefusal(r, bad)
	}
	return errs
}

func (t *Table) checkState(s inbox.State, bad func(string, ...any)) {
	if !t.reachable()[s] {
		bad("state %s is unreachable", s)
	}
	wayOut := slices.ContainsFunc(t.Rows, func(r *Row) bool { return r.leaves(s) && r.Target(s) != s })
	if !wayOut && !t.IsTerminal(s) {
		bad("state %s is a dead end and not terminal", s)
	}
}

// reachable is the states that some path of rows leads to.
func (t *Table) reachable() map[inbox.State]bool {
	seen := map[inbox.State]bool{}
	queue := append([]inbox.State{t.Initial}, t.Born...)
	for len(queue) > 0 {
		s := queue[0]
		queue = queue[1:]
		if seen[s] {
			continue
		}
		seen[s] = true
		for _, r := range t.Rows {
			if r.leaves(s) {
				queue = append(queue, r.Target(s))
			}
		}
	}
	return seen
}

func (t *Table) checkRow(r *Row, bad func(string, ...any)) {
	if r.Event == "" || len(r.From) == 0 {
		bad("a row without event or from: %+v", *r)
	}
	for _, from := range r.From {
		switch over := t.IsTerminal(from); {
		case over && !r.Amends:
			bad("%s leads out of terminal %s and does not amend", r.Event, from)
		case !over && r.Amends:
			bad("%s amends %s, which is not terminal", r.Event, from)
		case over && !t.IsTerminal(r.Target(from)):
			bad("%s leads from terminal %s to %s, which is not", r.Event, from, r.Target(from))
		case !over && t.IsTerminal(r.Target(from)) && !r.Does(Close):
			bad("%s ends in %s without %s", r.Event, r.Target(from), Close)
		}
	}
	t.checkNames(r, bad)
}

func (t *Table) checkNames(r *Row, bad func(string, ...any)) {
	for _, g := range r.Guards {
		if !slices.ContainsFunc(Guards(), func(i GuardInfo) bool { return i.ID == g && !i.Implied }) {
			bad("%s: unknown guard %s", r.Event, g)
		}
	}
	for _, e := range r.Effects {
		if !slices.ContainsFunc(Effects(), func(i EffectInfo) bool { return i.ID == e && !i.Implied }) {
			bad("%s: unknown effect %s", r.Event, e)
		}
	}
	if r.Offer != "" && !slices.ContainsFunc(Actions(), func(i ActionInfo) bool { return i.ID == r.Offer }) {
		bad("%s: unknown offer action %s", r.Event, r.Offer)
	}
	if NewInput(r.Input) == nil {
		bad("%s: unknown input %s", r.Event, r.Input)
	}
	if !slices.Contains([]PersonWhen{Never, Always, OncePaid, OwnChange}, r.Person) {
		bad("%s: unknown person %s", r.Event, r.Person)
	}
	if !slices.Contains([]Money{"", MoneyRecorded, MoneyURL}, r.Money) {
		bad("%s: unknown money %s", r.Event, r.Money)
	}
	if by, _, err := parseGroups(r.ByText); err != nil || by != r.By {
		bad("%s: %v", r.Event, err)
	}
	if r.Draft && r.Person == Never {
		bad("%s: draft without person", r.Event)
	}
}

// overlap says whether two rows answer the same event from the same state for
// the same caller.
func overlap(a, b *Row) bool {
	if a.Event != b.Event || !a.admits().Has(b.admits()) {
		return false
	}
	return slices.ContainsFunc(a.From, b.leaves)
}

func (t *Table) checkRefusal(r refusal, bad func(string, ...any)) {
	if r.Reason == "" {
		bad("refusing %s says no reason", r.Event)
	}
	if r.Event == "*" {
		return
	}
	for _, s := range r.From {
		if !slices.ContainsFunc(t.Rows, func(row *Row) bool { return row.Event == r.Event && row.leaves(s) }) {
			bad("refusing names %s from %s, which is no row", r.Event, s)
		}
	}
}

// checkFiles decodes the data files again and takes no unknown field; every
// state has to be described.
func checkFiles(fsys fs.FS) []error {
	var errs []error
	for _, t := range inbox.Types {
		doc := struct {
			*Table
			States map[inbox.State]string `json:"states"`
		}{Table: &Table{}}
		errs = append(errs, strict(fsys, string(t), &doc))
		for _, s := range doc.Table.States() {
			if doc.States[s] == "" {
				errs = append(errs, fmt.Errorf("%s: state %s is not described", t, s))
			}
		}
		if n := len(doc.Table.States()); len(doc.States) > n {
			errs = append(errs, fmt.Errorf("%s: %d states, %d described", t, n, len(doc.States)))
		}
	}
	errs = append(errs, strict(fsys, "change", &struct{ Rows []*Row }{}), strict(fsys, "owed", &owed{}),
		strict(fsys, "buttons", &buttons{}), strict(fsys, "guards", &[]GuardInfo{}),
		strict(fsys, "effects", &[]EffectInfo{}), strict(fsys, "actions", &[]ActionInfo{}))
	return slices.DeleteFunc(errs, func(err error) bool { return err == nil })
}

func strict(fsys fs.FS, name string, into any) error {
	raw, err := fs.ReadFile(fsys, "data/"+name+".json")
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("data/%s.json: %w", name, err)
	}
	return nil
}

// checkGuards: each stands on a row, says which payload it sees and answers
// problems that exist.
func checkGuards(guards []GuardInfo) []error {
	var errs []error
	for _, g := range guards {
		if !g.Implied && !used(func(r *Row) bool { return slices.Contains(r.Guards, g.ID) }) {
			errs = append(errs, fmt.Errorf("guard %s stands on no row", g.ID))
		}
		if !slices.Contains([]string{"before", "after", "-"}, g.Sees) || g.Holds == "" || len(g.Problems) == 0 {
			errs = append(errs, fmt.Errorf("guard %s does not say what it sees, when it holds or what it answers", g.ID))
		}
		for _, c := range g.Problems {
			if inbox.KindOf(c).Code != c {
				errs = append(errs, fmt.Errorf("guard %s answers unknown problem %s", g.ID, c))
			}
		}
	}
	return errs
}

// checkEffects: each stands on a row and says where it happens; what is skipped
// exists and has a reason.
func checkEffects(effects []EffectInfo, skipped []Skip) []error {
	var errs []error
	for _, e := range effects {
		if !e.Implied && !used(func(r *Row) bool { return r.Does(e.ID) }) {
			errs = append(errs, fmt.Errorf("effect %s stands on no row", e.ID))
		}
		if e.Where != "write" && e.Where != "job" {
			errs = append(errs, fmt.Errorf("effect %s happens neither in the write nor in its job", e.ID))
		}
	}
	for _, s := range skipped {
		if s.Reason == "" || !slices.ContainsFunc(effects, func(e EffectInfo) bool { return e.ID == s.Effect }) {
			errs = append(errs, fmt.Errorf("skipped names effect %s, unknown or without a reason", s.Effect))
		}
	}
	return errs
}

func checkInputs(names []string) []error {
	var errs []error
	for _, name := range names {
		if NewInput(name) == nil || !used(func(r *Row) bool { return r.Input == name }) {
			errs = append(errs, fmt.Errorf("input %s does not exist or stands on no row", name))
		}
	}
	return errs
}

// used says whether some row of some table satisfies f.
func used(f func(*Row) bool) bool {
	return slices.ContainsFunc(inbox.Types, func(t inbox.Type) bool { return slices.ContainsFunc(Of(t).Rows, f) })
}

// checkButtons: every event that can be offered has its place, and no other.
func checkButtons(b buttons) []error {
	var errs []error
	for _, side := range []struct {
		name   string
		order  []string
		groups Group
	}{{"business", b.Business, ^Customer}, {"customer", b.Customer, Customer}} {
		for _, e := range side.order {
			if !used(func(r *Row) bool { return r.Event == e }) {
				errs = append(errs, fmt.Errorf("buttons: %s's %s is no event", side.name, e))
			}
		}
		used(func(r *Row) bool {
			if r.By.Has(side.groups) && !r.Unlisted && !slices.Contains(side.order, r.Event) {
				errs = append(errs, fmt.Errorf("buttons: %s has no place for the %s", r.Event, side.name))
			}
			return false
		})
	}
	return errs
}

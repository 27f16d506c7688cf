package machine

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"typedinbox/shared/inbox"
)

//go:embed data/*.json
var files embed.FS

// Table is the machine of one type (01 §5). It is shared: do not change it.
type Table struct {
	Type     inbox.Type                  `json:"type"`
	Initial  inbox.State                 `json:"initial"`
	Born     []inbox.State               `json:"born"` // other states an item may be created in
	Terminal []inbox.State               `json:"terminal"`
	Promise  []inbox.State               `json:"promise"`
	Clock    []inbox.State               `json:"clock"`          // entering one winds the request clock
	SeenAs   map[inbox.State]inbox.State `json:"seenByCustomer"` // what a customer reads instead
	Changes  string                      `json:"changes"`        // input of the change rows, "" for a type without
	Rows     []*Row                      `json:"rows"`

	from     map[inbox.State][]*Row // the rows out of each state, in order
	refusing []refusal
}

var tables = func() map[inbox.Type]func() *Table {
	m := make(map[inbox.Type]func() *Table, len(inbox.Types))
	for _, t := range inbox.Types {
		m[t] = sync.OnceValue(func() *Table { return must(load(t)) })
	}
	return m
}()

// Of is the machine of a type, read on first use; nil for a type that does not
// exist. The files are part of the program and checked by its tests, so one
// that cannot be read is a panic.
func Of(t inbox.Type) *Table {
	if f := tables[t]; f != nil {
		return f()
	}
	return nil
}

// IsTerminal says whether an item in the state is over.
func (t *Table) IsTerminal(s inbox.State) bool { return slices.Contains(t.Terminal, s) }

// IsPromise says whether the state is a promise. A refund's is one only from
// the moment refundDue is fixed (01 §5.5).
func (t *Table) IsPromise(s inbox.State) bool { return slices.Contains(t.Promise, s) }

// EntersRequestClock says whether entering the state winds the request clock of
// an item that has one (01 §13.2).
func (t *Table) EntersRequestClock(to inbox.State) bool { return slices.Contains(t.Clock, to) }

// SeenByCustomer is the state as a customer reads it (01 §5.4: spam is closed).
func (t *Table) SeenByCustomer(s inbox.State) inbox.State {
	if seen, ok := t.SeenAs[s]; ok {
		return seen
	}
	return s
}

// Events lists the events of the type, each once, in the order of the table.
func (t *Table) Events() []string {
	var events []string
	for _, r := range t.Rows {
		if !slices.Contains(events, r.Event) {
			events = append(events, r.Event)
		}
	}
	return events
}

// States lists every state of the type: the initial one, then in the order in
// which the table leads to them.
func (t *Table) States() []inbox.State {
	states := []inbox.State{t.Initial}
	add := func(s inbox.State) {
		if s != "" && !slices.Contains(states, s) {
			states = append(states, s)
		}
	}
	for _, r := range t.Rows {
		for _, s := range r.From {
			add(s)
		}
		add(r.To)
	}
	return states
}

func load(t inbox.Type) (*Table, error) {
	var table Table
	if err := read(string(t), &table); err != nil {
		return nil, err
	}
	if table.Changes != "" {
		var change struct {
			Rows []*Row `json:"rows"`
		}
		if err := read("change", &change); err != nil {
			return nil, err
		}
		table.addChanges(change.Rows)
	}
	owed, err := readOwed()
	if err != nil {
		return nil, err
	}
	if raw := owed.Refusing[t]; raw != nil {
		if err := json.Unmarshal(raw, &table.refusing); err != nil {
			return nil, fmt.Errorf("machine data owed: %s: %w", t, err)
		}
	}
	return &table, table.finish()
}

// addChanges gives every promise state the change rows of 01 §5.6.
func (t *Table) addChanges(rows []*Row) {
	for _, r := range rows {
		r.From = t.Promise
		if r.Input == "change" {
			r.Input = t.Changes
		}
	}
	t.Rows = append(t.Rows, rows...)
}

// finish works out what the files leave to be derived.
func (t *Table) finish() error {
	t.from = make(map[inbox.State][]*Row, 16)
	for _, r := range t.Rows {
		by, personOnly, err := parseGroups(r.ByText)
		if err != nil {
			return fmt.Errorf("machine data %s: %s: %w", t.Type, r.Event, err)
		}
		r.By = by
		if personOnly {
			r.Person = Always
		}
		if r.Input == "" {
			r.Input = "note"
		}
		for _, s := range r.From {
			t.from[s] = append(t.from[s], r)
		}
	}
	return nil
}

func read(name string, into any) error {
	raw, err := files.ReadFile("data/" + name + ".json")
	if err != nil {
		return fmt.Errorf("machine data %s: %w", name, err)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		return fmt.Errorf("machine data %s: %w", name, err)
	}
	return nil
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

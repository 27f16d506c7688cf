package machine

import (
	"encoding/json"
	"slices"
	"sync"

	"typedinbox/shared/inbox"
)

// refusal is an entry of owed.json: a row that refuses because its guard or its
// change to the payload does not exist yet (00 §3). Event "*" means every row
// of the type.
type refusal struct {
	Event  string        `json:"event"`
	From   []inbox.State `json:"from"`
	Reason string        `json:"reason"`
}

// Skip is an effect that is owed by rows which already fire, has no handler yet
// and is not written (00 §3).
type Skip struct {
	Effect Effect `json:"effect"`
	Reason string `json:"reason"`
}

// Refused is one event from one state that refuses, with the reason.
type Refused struct {
	Type   inbox.Type
	Event  string
	From   inbox.State
	Reason string
}

type owed struct {
	Refusing map[inbox.Type]json.RawMessage `json:"refusing"`
	Skipped  []Skip                         `json:"skipped"`
}

var readOwed = sync.OnceValues(func() (owed, error) {
	var o owed
	err := read("owed", &o)
	return o, err
})

// Refuses says whether the event still refuses from the state: it then answers
// wrong_state and appears in no transitions and no next.
func (t *Table) Refuses(event string, from inbox.State) bool {
	return t.refusal(event, from) != nil
}

func (t *Table) refusal(event string, from inbox.State) *refusal {
	for i, r := range t.refusing {
		if r.Event == "*" || r.Event == event && slices.Contains(r.From, from) {
			return &t.refusing[i]
		}
	}
	return nil
}

// Refusing lists what still refuses, by type in the order of inbox.Types and by
// row. The list can only shrink.
func Refusing() []Refused {
	var list []Refused
	for _, typ := range inbox.Types {
		list = append(list, Of(typ).refused()...)
	}
	return list
}

func (t *Table) refused() []Refused {
	var list []Refused
	for _, row := range t.Rows {
		for _, from := range row.From {
			r := t.refusal(row.Event, from)
			if r == nil {
				continue
			}
			one := Refused{Type: t.Type, Event: row.Event, From: from, Reason: r.Reason}
			if !slices.Contains(list, one) {
				list = append(list, one)
			}
		}
	}
	return list
}

// Skipped lists the effects that are not written yet. The list can only shrink.
func Skipped() []Skip { return must(readOwed()).Skipped }

// Skips says whether an effect is not written yet.
func Skips(e Effect) bool {
	return slices.ContainsFunc(Skipped(), func(s Skip) bool { return s.Effect == e })
}

package machine

import (
	"fmt"
	"slices"
	"strings"

	"typedinbox/shared/inbox"
)

// Resolve finds the row an event means for an item of type t in state s and for
// this caller (01 §3 step 6); the first matching row wins. It answers
// unknown_event (details.events lists the type's), wrong_state (details.state
// and details.allowedFrom) or not_allowed (details.allowedFor, actor kinds).
// Rows that still refuse answer wrong_state. A and K are judged with the
// owner's rights on rows that PersonOnly or MoneyRule then narrow.
func Resolve(t inbox.Type, s inbox.State, event string, c inbox.Caller) (*Row, *inbox.Problem) {
	table := Of(t)
	if table == nil {
		return nil, inbox.Refuse(inbox.CodeUnknownEvent, "There is no type %q.", t)
	}
	return table.Resolve(s, event, c)
}

// Resolve is the function of this name for one type.
func (t *Table) Resolve(s inbox.State, event string, c inbox.Caller) (*Row, *inbox.Problem) {
	var known, here bool
	var allowed Group
	group := GroupOf(c)
	for _, r := range t.Rows {
		if r.Event != event {
			continue
		}
		known = true
		if !r.leaves(s) || t.Refuses(event, s) {
			continue
		}
		here = true
		if r.admits().Has(group) {
			return r, nil
		}
		allowed |= r.By
	}
	switch {
	case !known:
		return nil, t.unknownEvent(event)
	case !here:
		return nil, t.wrongState(s, event, c)
	}
	return nil, notFor(event, allowed)
}

func (t *Table) unknownEvent(event string) *inbox.Problem {
	events := t.Events()
	return inbox.Refuse(inbox.CodeUnknownEvent, "An item of type %s has no event %q. It has: %s.",
		t.Type, event, strings.Join(events, ", ")).With("events", events)
}

func (t *Table) wrongState(s inbox.State, event string, c inbox.Caller) *inbox.Problem {
	if c.IsCustomer() {
		s = t.SeenByCustomer(s)
	}
	from := t.AllowedFrom(event)
	detail := fmt.Sprintf("%s is not possible while the item is %s.", event, s)
	if len(from) > 0 {
		detail += fmt.Sprintf(" It is possible from: %s.", join(from))
	}
	return inbox.Refuse(inbox.CodeWrongState, "%s", detail).With("state", s).With("allowedFrom", from)
}

// AllowedFrom lists the states from which some caller may fire the event, in
// the order of the table; empty, never nil, when all its rows still refuse.
func (t *Table) AllowedFrom(event string) []inbox.State {
	from := []inbox.State{}
	for _, r := range t.Rows {
		if r.Event != event {
			continue
		}
		for _, s := range r.From {
			if !slices.Contains(from, s) && !t.Refuses(event, s) {
				from = append(from, s)
			}
		}
	}
	return from
}

func notFor(event string, allowed Group) *inbox.Problem {
	kinds := allowed.Kinds()
	p := inbox.NotAllowed("", "%s is not yours to do. It is for: %s.", event, join(kinds))
	if allowed.Has(MoneyKey) && !allowed.Has(Key) {
		p.Detail += " A key needs the scope money:write."
	}
	return p.With("allowedFor", kinds)
}

func join[S ~string](list []S) string {
	words := make([]string, len(list))
	for i, s := range list {
		words[i] = string(s)
	}
	return strings.Join(words, ", ")
}

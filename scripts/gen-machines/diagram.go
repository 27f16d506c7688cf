package main

import (
	"slices"
	"strings"

	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
)

// edge is one arrow of a diagram with the events that go along it.
type edge struct {
	from, to inbox.State
	events   []string
}

// writeDiagram draws a machine in Mermaid: one arrow for each pair of states,
// labelled with its events; promises are marked.
func writeDiagram(w *writer, t *machine.Table) {
	w.line("```mermaid\nstateDiagram-v2")
	for _, s := range append([]inbox.State{t.Initial}, t.Born...) {
		w.line("    [*] --> %s", s)
	}
	for _, e := range edges(t) {
		w.line("    %s --> %s: %s", e.from, e.to, strings.Join(e.events, ", "))
	}
	for _, s := range t.Terminal {
		w.line("    %s --> [*]", s)
	}
	if len(t.Promise) > 0 {
		w.line("    classDef promise font-weight:bold,stroke-width:3px\n    class %s promise", strings.ReplaceAll(plain(t.Promise), " ", ""))
	}
	w.line("```\n")
}

// edges lists the arrows in the order of the table.
func edges(t *machine.Table) []*edge {
	var list []*edge
	for _, r := range t.Rows {
		for _, from := range r.From {
			to := r.Target(from)
			i := slices.IndexFunc(list, func(e *edge) bool { return e.from == from && e.to == to })
			if i < 0 {
				list, i = append(list, &edge{from: from, to: to}), len(list)
			}
			if !slices.Contains(list[i].events, r.Event) {
				list[i].events = append(list[i].events, r.Event)
			}
		}
	}
	return list
}

package main

import (
	"bytes"
	"os"
	"regexp"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
)

func TestPageIsFresh(t *testing.T) {
	written, err := os.ReadFile("../../" + page)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(written, render()) {
		t.Errorf("%s is stale; run: go run ./scripts/gen-machines", page)
	}
}

// TestPageIsWhole: every row, state, guard, effect and input of the machines
// stands on the page.
func TestPageIsWhole(t *testing.T) {
	text := string(render())
	for _, typ := range inbox.Types {
		table := machine.Of(typ)
		_, section, _ := strings.Cut(text, "\n## "+titles[typ]+"\n")
		section, _, _ = strings.Cut(section, "\n## ")
		rows := 0
		for _, line := range strings.Split(section, "\n") {
			if strings.HasPrefix(line, "| `") && strings.Count(line, " | ") == 6 {
				rows++
			}
		}
		if rows != len(table.Rows) {
			t.Errorf("%s: %d rows on the page, %d in the table", typ, rows, len(table.Rows))
		}
		for _, s := range table.States() {
			if !strings.Contains(section, "| `"+string(s)+"` | ") {
				t.Errorf("%s: state %s is not described", typ, s)
			}
			if !regexp.MustCompile(`(?m)^    (\S+ --> ` + string(s) + `|` + string(s) + ` --> )`).MatchString(section) {
				t.Errorf("%s: state %s is not drawn", typ, s)
			}
		}
	}
	for _, g := range machine.Guards() {
		mustHold(t, text, "| `"+string(g.ID)+"`")
	}
	for _, e := range machine.Effects() {
		mustHold(t, text, "| `"+string(e.ID)+"`")
	}
	for _, name := range machine.InputNames {
		mustHold(t, text, "| `"+name+"` | ")
	}
	for _, s := range machine.Skipped() {
		mustHold(t, text, "| `"+string(s.Effect)+"` | "+s.Reason)
	}
}

func mustHold(t *testing.T, text, part string) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Errorf("the page does not hold %q", part)
	}
}

// TestDiagramDrawsEveryMove: one arrow a pair of states, and every event on its
// arrow.
func TestDiagramDrawsEveryMove(t *testing.T) {
	for _, typ := range inbox.Types {
		table := machine.Of(typ)
		drawn := map[string]bool{}
		for _, e := range edges(table) {
			for _, event := range e.events {
				drawn[string(e.from)+" "+event+" "+string(e.to)] = true
			}
		}
		moves := map[string]bool{}
		for _, r := range table.Rows {
			for _, s := range r.From {
				moves[string(s)+" "+r.Event+" "+string(r.Target(s))] = true
			}
		}
		for m := range moves {
			if !drawn[m] {
				t.Errorf("%s: %s is not drawn", typ, m)
			}
		}
		if len(drawn) != len(moves) {
			t.Errorf("%s: %d drawn, %d moves", typ, len(drawn), len(moves))
		}
	}
}

func TestTablesEscapeBars(t *testing.T) {
	w := new(writer)
	w.table([]string{"a", "b"}, [][]string{{"x|y", ""}})
	if got, want := w.String(), "| a | b |\n|---|---|\n| x\\|y | – |\n\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

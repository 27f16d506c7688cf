package main

import (
	"fmt"
	"reflect"
	"strings"

	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
)

var titles = map[inbox.Type]string{
	inbox.TypeBooking: "Booking", inbox.TypeOrder: "Order", inbox.TypeQuote: "Quote request",
	inbox.TypeMessage: "Message", inbox.TypeRefund: "Refund",
}

// writer collects the lines of the page.
type writer struct{ strings.Builder }

func (w *writer) line(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

// table writes a Markdown table; a bar inside a cell is escaped.
func (w *writer) table(head []string, rows [][]string) {
	w.line("| %s |", strings.Join(head, " | "))
	w.line("|%s", strings.Repeat("---|", len(head)))
	for _, r := range rows {
		for i, cell := range r {
			if r[i] = strings.ReplaceAll(cell, "|", "\\|"); r[i] == "" {
				r[i] = "–"
			}
		}
		w.line("| %s |", strings.Join(r, " | "))
	}
	w.line("")
}

// render is the whole page.
func render() []byte {
	w := new(writer)
	w.line("# The state machines\n")
	w.line("Written by `go run ./scripts/gen-machines` from `shared/machine/data`; change it there.\n")
	w.line("Every item is in one state of its type's machine. A row of a table says which event takes it from which")
	w.line("state to which, who may fire it, what has to hold (the guards, in order), what it does to the ledger of")
	w.line("offers, what follows, and which input it takes. The first matching row wins. A crash between a write and")
	w.line("its mail loses nothing: state, event and the work owed are one write.\n")
	writeGroups(w)
	for _, t := range inbox.Types {
		writeType(w, t)
	}
	writeGuards(w)
	writeEffects(w)
	writeInputs(w)
	writeOwed(w)
	return []byte(strings.TrimRight(w.String(), "\n") + "\n")
}

func writeGroups(w *writer) {
	w.line("## Who\n")
	var rows [][]string
	for _, g := range machine.Groups() {
		rows = append(rows, []string{g.Letter, g.Who})
	}
	w.table([]string{"by", "who"}, rows)
	w.line("`P!` is for a person alone; so is a row with a condition once that holds. *money* rows refuse the owner's")
	w.line("AI (`owner_money`) and a key without `money:write` (`money_recorded`); *paymentUrl* rows do when the input")
	w.line("gives one. *internal*: a note of the business's stays a note. *unlisted*: never offered, a door fires it.")
	w.line("*amends*: leaves a closed item closed.\n")
}

func writeType(w *writer, typ inbox.Type) {
	t := machine.Of(typ)
	w.line("## %s\n", titles[typ])
	w.line("Starts `%s`%s. Terminal: %s. Promise: %s.\n", t.Initial, born(t), codes(t.Terminal), codes(t.Promise))
	writeDiagram(w, t)
	about := machine.About(typ)
	var states [][]string
	for _, s := range t.States() {
		states = append(states, []string{"`" + string(s) + "`", about[s]})
	}
	w.table([]string{"state", "in, out, and when nobody acts"}, states)
	var rows [][]string
	for _, r := range t.Rows {
		rows = append(rows, cells(t, r))
	}
	w.table([]string{"event", "by", "from → to", "guards", "offer", "effects", "input"}, rows)
	if t.Changes != "" {
		w.line("A transition out of the promise closes an open change with it.\n")
	}
}

func born(t *machine.Table) string {
	if len(t.Born) == 0 {
		return ""
	}
	return ", or is born " + codes(t.Born)
}

// cells is one row of a machine as the page shows it.
func cells(t *machine.Table, r *machine.Row) []string {
	to := string(r.To)
	if to == "" {
		to = "same"
	}
	event := "`" + r.Event + "`" + flags(r)
	if refused := refusedFrom(t, r); refused != "" {
		event += refused
	}
	return []string{event, by(r), plain(r.From) + " → " + to, plain(r.Guards), string(r.Offer), plain(r.Effects), r.Input}
}

func by(r *machine.Row) string {
	return r.ByText + map[machine.PersonWhen]string{
		machine.OncePaid:  " (P! once paid)",
		machine.OwnChange: " (P! on the business's own)",
	}[r.Person]
}

func flags(r *machine.Row) string {
	var s string
	for _, f := range []struct {
		on   bool
		word string
	}{
		{r.Internal, "internal"}, {r.Unlisted, "unlisted"}, {r.Amends, "amends"},
		{r.Money == machine.MoneyRecorded, "money"}, {r.Money == machine.MoneyURL, "paymentUrl"},
	} {
		if f.on {
			s += " *" + f.word + "*"
		}
	}
	return s
}

// refusedFrom marks a row that still refuses, from all or some of its states.
func refusedFrom(t *machine.Table, r *machine.Row) string {
	var refused []inbox.State
	for _, s := range r.From {
		if t.Refuses(r.Event, s) {
			refused = append(refused, s)
		}
	}
	switch len(refused) {
	case 0:
		return ""
	case len(r.From):
		return " (refuses)"
	}
	return " (refuses from " + plain(refused) + ")"
}

func writeGuards(w *writer) {
	w.line("## Guards\n")
	w.line("*Sees*: the payload before the input is applied, or after it; – for neither.\n")
	var rows [][]string
	for _, g := range machine.Guards() {
		name := "`" + string(g.ID) + "`"
		if g.Implied {
			name += " (on no row)"
		}
		rows = append(rows, []string{name, strings.Trim(g.Sees, "-"), g.Holds, codes(g.Problems), g.Details})
	}
	w.table([]string{"guard", "sees", "holds when", "else", "details"}, rows)
}

func writeEffects(w *writer) {
	w.line("## Effects\n")
	var rows [][]string
	for _, e := range machine.Effects() {
		name := "`" + string(e.ID) + "`"
		if e.Implied {
			name += " (every transition)"
		}
		rows = append(rows, []string{name, e.Where, e.Text})
	}
	w.table([]string{"effect", "in the", "does"}, rows)
	w.line("### Offer actions\n")
	rows = nil
	for _, a := range machine.Actions() {
		rows = append(rows, []string{"`" + string(a.ID) + "`", a.Text})
	}
	w.table([]string{"action", "does"}, rows)
}

// writeInputs lists each input with its fields and limits as the Go types say.
func writeInputs(w *writer) {
	w.line("## Inputs\n")
	var rows [][]string
	for _, name := range machine.InputNames {
		typ := reflect.TypeOf(machine.NewInput(name)).Elem()
		var fields []string
		for i := range typ.NumField() {
			f := typ.Field(i)
			field, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			text := "`" + field + "`"
			if limits := f.Tag.Get("in"); limits != "" {
				text += " " + limits
			}
			fields = append(fields, text)
		}
		rows = append(rows, []string{"`" + name + "`", strings.Join(fields, "; ")})
	}
	w.table([]string{"input", "fields"}, rows)
}

func writeOwed(w *writer) {
	w.line("## Not built yet\n")
	w.line("These lists can only shrink.\n\n### Rows that refuse\n")
	w.line("They answer `wrong_state` and appear in no `transitions` and no `next`.\n")
	type key struct {
		typ           inbox.Type
		event, reason string
	}
	var order []key
	from := map[key][]inbox.State{}
	for _, r := range machine.Refusing() {
		k := key{r.Type, r.Event, r.Reason}
		if from[k] == nil {
			order = append(order, k)
		}
		from[k] = append(from[k], r.From)
	}
	var rows [][]string
	for _, k := range order {
		rows = append(rows, []string{string(k.typ), "`" + k.event + "`", plain(from[k]), k.reason})
	}
	if len(rows) > 0 {
		w.table([]string{"type", "event", "from", "because"}, rows)
	} else {
		w.line("None.\n")
	}
	w.line("### Effects that are skipped\n")
	rows = nil
	for _, s := range machine.Skipped() {
		rows = append(rows, []string{"`" + string(s.Effect) + "`", s.Reason})
	}
	w.table([]string{"effect", "note"}, rows)
}

func plain[S ~string](list []S) string {
	words := make([]string, len(list))
	for i, s := range list {
		words[i] = string(s)
	}
	return strings.Join(words, ", ")
}

func codes[S ~string](list []S) string {
	if len(list) == 0 {
		return "none"
	}
	return "`" + strings.Join(strings.Split(plain(list), ", "), "`, `") + "`"
}

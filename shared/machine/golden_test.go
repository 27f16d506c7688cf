package machine

import (
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

// goldenRow is one row of testdata/tables.txt from one state.
type goldenRow struct {
	Event, By                  string // By as printed, without int
	From, To                   string
	Internal, Unlisted, Amends bool
	Guards, Effects            []string
	Offer, Input               string
}

var (
	parenthesis = regexp.MustCompile(`\s*\([^)]*\)`)
	short       = strings.NewReplacer("nC", "notify_customer", "nO", "notify_owner", "rc:", "issue_receipt:")
	columns     = map[string][]string{
		"booking":       {"event", "by", "move", "guards", "offer", "effects", "input"},
		"order":         {"event", "by", "move", "guards", "offer", "effects", "input"},
		"quote_request": {"event", "by", "move", "guards", "offer", "effects", "input"},
		"message":       {"event", "by", "move", "effects", "input"},
		"refund":        {"event", "by", "move", "guards", "effects", "input"},
		"change":        {"event", "by", "guards", "offer", "effects"},
	}
)

// readGolden is the printed tables by section, each line its own cells.
func readGolden(t *testing.T) map[string][]map[string]string {
	t.Helper()
	raw, err := os.ReadFile("testdata/tables.txt")
	if err != nil {
		t.Fatal(err)
	}
	sections := map[string][]map[string]string{}
	var section string
	for _, line := range strings.Split(string(raw), "\n") {
		if name, ok := strings.CutPrefix(line, "## "); ok {
			section = name
		}
		line = strings.TrimPrefix(line, "+")
		if !strings.HasPrefix(line, "|") {
			continue
		}
		cells := strings.Split(strings.Trim(line, "|"), "|")
		names := columns[section]
		if len(cells) != len(names) {
			t.Fatalf("%s: %d cells, want %d: %s", section, len(cells), len(names), line)
		}
		row := map[string]string{}
		for i, n := range names {
			row[n] = strings.TrimSpace(cells[i])
		}
		sections[section] = append(sections[section], row)
	}
	return sections
}

func words(cell string) []string {
	cell = parenthesis.ReplaceAllString(cell, "")
	if cell == "–" || cell == "" {
		return nil
	}
	return strings.Split(short.Replace(cell), ", ")
}

// goldenOf is every row of a type from every state, in the order printed.
func goldenOf(t *testing.T, typ inbox.Type) []goldenRow {
	sections := readGolden(t)
	var rows []goldenRow
	for _, cells := range sections[string(typ)] {
		rows = append(rows, spread(cells)...)
	}
	change := map[inbox.Type]string{
		inbox.TypeBooking: "confirmed → same",
		inbox.TypeOrder:   "accepted, awaiting_payment, payment_failed, paid, fulfilling → same",
	}
	input := map[inbox.Type]string{inbox.TypeBooking: "changeTime", inbox.TypeOrder: "changeOrder"}
	if change[typ] == "" {
		return rows
	}
	for _, cells := range sections["change"] {
		cells["move"] = change[typ]
		if cells["event"] == "propose_change" {
			cells["input"] = input[typ]
		}
		rows = append(rows, spread(cells)...)
	}
	return rows
}

func spread(cells map[string]string) []goldenRow {
	event, flags, _ := strings.Cut(cells["event"], " ")
	by, internal := strings.CutSuffix(cells["by"], " int")
	base := goldenRow{
		Event: event, By: by, Internal: internal || strings.Contains(flags, "int"),
		Unlisted: strings.Contains(flags, "unl"), Amends: strings.Contains(flags, "am"),
		Guards: words(cells["guards"]), Effects: words(cells["effects"]),
		Offer: strings.Trim(cells["offer"], "–"), Input: strings.Trim(cells["input"], "–"),
	}
	if base.Input == "" {
		base.Input = "note"
	}
	var rows []goldenRow
	for _, move := range strings.Split(cells["move"], ";") {
		from, to, _ := strings.Cut(move, "→")
		for _, f := range strings.Split(from, ",") {
			r := base
			r.From, r.To = strings.TrimSpace(f), strings.TrimSpace(to)
			if r.To == "same" {
				r.To = r.From
			}
			rows = append(rows, r)
		}
	}
	return rows
}

// asGolden is the loaded table in the same shape. apply_input and plan_hold
// are names 09 gives to what 01 §5 leaves to its payload notes.
func asGolden(table *Table) []goldenRow {
	var rows []goldenRow
	for _, r := range table.Rows {
		by := r.ByText + map[PersonWhen]string{OncePaid: " (P! once paid)", OwnChange: " (P! on own change)"}[r.Person]
		g := goldenRow{Event: r.Event, By: by, Internal: r.Internal, Unlisted: r.Unlisted,
			Amends: r.Amends, Offer: string(r.Offer), Input: r.Input}
		for _, x := range r.Guards {
			g.Guards = append(g.Guards, string(x))
		}
		for _, x := range r.Effects {
			if x != ApplyInput && x != PlanHold {
				g.Effects = append(g.Effects, string(x))
			}
		}
		for _, s := range r.From {
			one := g
			one.From, one.To = string(s), string(r.Target(s))
			rows = append(rows, one)
		}
	}
	return rows
}

func TestTablesAreAsPrinted(t *testing.T) {
	for _, typ := range inbox.Types {
		t.Run("ok/"+string(typ), func(t *testing.T) {
			want, got := goldenOf(t, typ), asGolden(Of(typ))
			for i := range min(len(want), len(got)) {
				if !reflect.DeepEqual(want[i], got[i]) {
					t.Errorf("row %d\nprinted %+v\nloaded  %+v", i, want[i], got[i])
				}
			}
			if len(want) != len(got) || len(want) < 6 {
				t.Errorf("printed %d rows, loaded %d", len(want), len(got))
			}
		})
	}
}

// TestGoldenIsTheDocument compares the golden file with the document itself,
// where it is at hand.
func TestGoldenIsTheDocument(t *testing.T) {
	doc, err := os.ReadFile("../../../shared/spec/01-items.md")
	if err != nil {
		t.Skip("the documents are not beside the project: ", err)
	}
	golden, err := os.ReadFile("testdata/tables.txt")
	if err != nil {
		t.Fatal(err)
	}
	printed := strings.Split(string(doc), "\n")
	for _, line := range strings.Split(string(golden), "\n") {
		if strings.HasPrefix(line, "|") && !slices.Contains(printed, line) {
			t.Errorf("not in 01 §5: %s", line)
		}
	}
}

// What 01 §5 prints elsewhere than in its tables, written out by hand.
func TestHeads(t *testing.T) {
	heads := map[inbox.Type]struct{ initial, terminal, promise, clock string }{
		inbox.TypeBooking: {"requested", "completed no_show cancelled_by_customer cancelled_by_business declined expired", "confirmed", "requested needs_info"},
		inbox.TypeOrder:   {"received", "completed declined cancelled charged_back expired", "accepted awaiting_payment payment_failed paid fulfilling", "received needs_info"},
		inbox.TypeQuote:   {"received", "accepted declined expired", "", "received needs_info"},
		inbox.TypeMessage: {"open", "", "", ""},
		inbox.TypeRefund:  {"requested", "refunded rejected cancelled", "approved goods_received", ""},
	}
	for typ, want := range heads {
		table := Of(typ)
		var terminal, promise, clock []string
		for _, s := range table.States() {
			if table.IsTerminal(s) {
				terminal = append(terminal, string(s))
			}
			if table.IsPromise(s) {
				promise = append(promise, string(s))
			}
			if table.EntersRequestClock(s) {
				clock = append(clock, string(s))
			}
		}
		if string(table.Initial) != want.initial {
			t.Errorf("%s starts in %s, want %s", typ, table.Initial, want.initial)
		}
		for name, pair := range map[string][2]string{
			"terminal": {strings.Join(terminal, " "), want.terminal},
			"promise":  {strings.Join(promise, " "), want.promise},
			"clock":    {strings.Join(clock, " "), want.clock},
		} {
			got, exp := strings.Fields(pair[0]), strings.Fields(pair[1])
			slices.Sort(got)
			slices.Sort(exp)
			if !slices.Equal(got, exp) {
				t.Errorf("%s %s: %v, want %v", typ, name, got, exp)
			}
		}
	}
}

// TestMoneyAndDrafts holds the rows to the two lists of 01 §2.3.
func TestMoneyAndDrafts(t *testing.T) {
	recorded := []string{"record_payment", "payment_failed", "charge_back", "record_charge_back", "refund"}
	drafts := map[string][]inbox.State{
		"refund reject": {"requested"}, "refund dispute_goods": {"goods_received"},
		"order cancel":               {"accepted", "awaiting_payment", "payment_failed", "paid", "fulfilling"},
		"refund record_cancel":       {"requested", "approved", "goods_received"},
		"booking cancel_by_business": {"confirmed"},
	}
	for _, typ := range inbox.Types {
		for _, r := range Of(typ).Rows {
			want := Money("")
			switch {
			case slices.Contains(recorded, r.Event):
				want = MoneyRecorded
			case r.Event == "request_payment":
				want = MoneyURL
			}
			if r.Money != want {
				t.Errorf("%s %s: money %q, want %q", typ, r.Event, r.Money, want)
			}
			for _, s := range r.From {
				draft := slices.Contains(drafts[string(typ)+" "+r.Event], s) && !r.By.Has(Customer)
				if r.Draft != draft {
					t.Errorf("%s %s from %s: draft %v, want %v", typ, r.Event, s, r.Draft, draft)
				}
			}
		}
	}
}

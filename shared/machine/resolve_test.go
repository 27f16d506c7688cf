package machine

import (
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

// whole is a type's table as if nothing refused any more.
func whole(typ inbox.Type) *Table {
	t := *Of(typ)
	t.refusing = nil
	return &t
}

// judge runs the three steps that say who may: resolve, person-only, money. It
// is the reason of the refusal, "" for yes.
func judge(t *Table, from inbox.State, event string, c inbox.Caller, holds bool) (*Row, string) {
	r, p := t.Resolve(from, event, c)
	if p == nil {
		p = PersonOnly(r, c, holds)
	}
	if p == nil {
		p = MoneyRule(r, c, false)
	}
	if p == nil {
		return r, ""
	}
	if p.Code != inbox.CodeNotAllowed {
		return r, string(p.Code)
	}
	if reason, ok := p.Details["reason"].(string); ok {
		return r, reason
	}
	return r, "allowedFor"
}

var recordsMoney = []string{"record_payment", "payment_failed", "charge_back", "record_charge_back", "refund"}

// expected says from the printed rows of one event and state what judge must
// answer to someone with these letters.
func expected(rows []goldenRow, letters string, holds bool) string {
	has := func(l string) bool { return slices.Contains(strings.Fields(letters), l) }
	answer := "allowedFor"
	for _, r := range rows {
		by, condition, _ := strings.Cut(r.By, " (")
		switch {
		case by == "P!" && has("P"):
			return ""
		case by == "P!" && has("B"):
			answer = "person_only"
		case slices.ContainsFunc(strings.Fields(by), has):
			if condition != "" && holds && !has("P") {
				return "person_only"
			}
			return ""
		case slices.Contains(recordsMoney, r.Event) && has("A"):
			answer = "owner_money"
		case slices.Contains(recordsMoney, r.Event) && has("K"):
			answer = "money_recorded"
		}
	}
	return answer
}

// TestEveryRowForEveryActor: every event from every state where a row is, for
// every caller, with and without the condition of person-only rows.
func TestEveryRowForEveryActor(t *testing.T) {
	judged := 0
	for _, typ := range inbox.Types {
		table := whole(typ)
		golden := goldenOf(t, typ)
		for _, g := range golden {
			var rows []goldenRow
			for _, other := range golden {
				if other.Event == g.Event && other.From == g.From {
					rows = append(rows, other)
				}
			}
			for name, w := range callers {
				for _, holds := range []bool{false, true} {
					judged++
					row, got := judge(table, inbox.State(g.From), g.Event, w.caller, holds)
					if want := expected(rows, w.letters, holds); got != want {
						t.Errorf("%s %s from %s by %s (holds %v): %q, want %q", typ, g.Event, g.From, name, holds, got, want)
					}
					if got == "" && !slices.ContainsFunc(rows, func(o goldenRow) bool {
						return o.To == string(row.Target(inbox.State(g.From)))
					}) {
						t.Errorf("%s %s from %s leads to %s", typ, g.Event, g.From, row.To)
					}
				}
			}
		}
	}
	if judged < 5000 {
		t.Errorf("only %d cases", judged)
	}
}

// TestEveryEventFromEveryState: an event answers wrong_state exactly where the
// printed table has no row, and its allowedFrom is the printed states.
func TestEveryEventFromEveryState(t *testing.T) {
	for _, typ := range inbox.Types {
		table := whole(typ)
		from := map[string][]inbox.State{}
		for _, g := range goldenOf(t, typ) {
			if !slices.Contains(from[g.Event], inbox.State(g.From)) {
				from[g.Event] = append(from[g.Event], inbox.State(g.From))
			}
		}
		for _, event := range table.Events() {
			for _, s := range table.States() {
				_, p := table.Resolve(s, event, callers["owner"].caller)
				got := p != nil && p.Code == inbox.CodeWrongState
				if want := !slices.Contains(from[event], s); got != want {
					t.Errorf("%s %s from %s: wrong_state %v, want %v", typ, event, s, got, want)
				}
				if got && !slices.Equal(p.Details["allowedFrom"].([]inbox.State), from[event]) {
					t.Errorf("%s %s: allowedFrom %v, want %v", typ, event, p.Details["allowedFrom"], from[event])
				}
			}
		}
	}
}

// TestResolve holds the rows as they answer today.
func TestResolve(t *testing.T) {
	cases := map[string]struct {
		typ    inbox.Type
		state  inbox.State
		event  string
		by     string
		code   inbox.Code // "" for a row
		to     inbox.State
		detail string // of the problem
	}{
		"ok/owner confirms":                   {inbox.TypeBooking, "requested", "confirm", "owner", "", "confirmed", ""},
		"ok/rule confirms":                    {inbox.TypeBooking, "needs_info", "confirm", "rule", "", "confirmed", ""},
		"ok/customer cancels":                 {inbox.TypeBooking, "confirmed", "cancel", "customer_agent", "", "cancelled_by_customer", ""},
		"ok/connector brings details":         {inbox.TypeBooking, "needs_info", "provide_info", "connector", "", "requested", ""},
		"ok/system completes":                 {inbox.TypeBooking, "confirmed", "complete", "system", "", "completed", ""},
		"ok/key corrects":                     {inbox.TypeBooking, "no_show", "complete", "integration", "", "completed", ""},
		"ok/customer reopens":                 {inbox.TypeMessage, "closed", "reopen", "customer_human", "", "open", ""},
		"fail/rule no-shows":                  {inbox.TypeBooking, "confirmed", "no_show", "rule", inbox.CodeNotAllowed, "", "no_show is not yours to do. It is for: owner, staff, owner_ai, integration."},
		"fail/customer confirms":              {inbox.TypeBooking, "requested", "confirm", "customer_agent", inbox.CodeNotAllowed, "", "confirm is not yours to do. It is for: owner, staff, owner_ai, integration, rule."},
		"fail/confirm a finished one":         {inbox.TypeBooking, "completed", "confirm", "owner", inbox.CodeWrongState, "", "confirm is not possible while the item is completed. It is possible from: requested, needs_info, proposed."},
		"fail/state before actor":             {inbox.TypeBooking, "completed", "confirm", "customer_agent", inbox.CodeWrongState, "", "confirm is not possible while the item is completed. It is possible from: requested, needs_info, proposed."},
		"fail/nobody":                         {inbox.TypeBooking, "requested", "confirm", "nobody", inbox.CodeNotAllowed, "", "confirm is not yours to do. It is for: owner, staff, owner_ai, integration, rule."},
		"fail/unknown event":                  {inbox.TypeMessage, "open", "confirm", "owner", inbox.CodeUnknownEvent, "", `An item of type message has no event "confirm". It has: answer, reopen, close, mark_spam, unspam.`},
		"fail/unknown type":                   {"parcel", "open", "confirm", "owner", inbox.CodeUnknownEvent, "", `There is no type "parcel".`},
		"fail/unknown state":                  {inbox.TypeMessage, "lost", "answer", "owner", inbox.CodeWrongState, "", "answer is not possible while the item is lost. It is possible from: open."},
		"fail/a customer is not told of spam": {inbox.TypeMessage, "spam", "reopen", "customer_human", inbox.CodeWrongState, "", "reopen is not possible while the item is closed. It is possible from: answered, closed."},
		"ok/owner quotes":                     {inbox.TypeQuote, "needs_info", "quote", "owner", "", "quoted", ""},
		"ok/customer takes an order":          {inbox.TypeOrder, "proposed", "accept", "customer_agent", "", "accepted", ""},
		"ok/connector fulfils":                {inbox.TypeOrder, "accepted", "fulfil", "connector", "", "fulfilled", ""},
		"fail/fulfilled once":                 {inbox.TypeOrder, "fulfilled", "fulfil", "owner", inbox.CodeWrongState, "", "fulfil is not possible while the item is fulfilled. It is possible from: accepted, paid, fulfilling."},
		"ok/both sides change a promise":      {inbox.TypeBooking, "confirmed", "propose_change", "rule", "", "confirmed", ""},
		"fail/no promise, no change":          {inbox.TypeBooking, "proposed", "propose_change", "owner", inbox.CodeWrongState, "", "propose_change is not possible while the item is proposed. It is possible from: confirmed."},
		"fail/the clock closes changes":       {inbox.TypeOrder, "paid", "expire_change", "owner", inbox.CodeNotAllowed, "", "expire_change is not yours to do. It is for: system."},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			row, p := Resolve(c.typ, c.state, c.event, callers[c.by].caller)
			switch {
			case c.code == "" && p != nil:
				t.Fatal(p)
			case c.code == "" && row.Target(c.state) != c.to:
				t.Errorf("leads to %s, want %s", row.Target(c.state), c.to)
			case c.code != "" && (p == nil || p.Code != c.code || p.Detail != c.detail):
				t.Errorf("%v\nwant %s: %s", p, c.code, c.detail)
			case c.code != "" && row != nil:
				t.Error("a row and a problem")
			}
		})
	}
}

func TestRefusalDetails(t *testing.T) {
	goods := whole(inbox.TypeRefund)
	_, p := goods.Resolve("approved", "goods_back", callers["integration"].caller)
	if p == nil || !slices.Equal(p.Details["allowedFor"].([]inbox.ActorKind), []inbox.ActorKind{"owner", "staff", "integration", "connector"}) {
		t.Errorf("goods_back by a key without money:write: %v", p)
	}
	if !strings.Contains(p.Detail, "money:write") {
		t.Errorf("the detail does not name the scope: %s", p.Detail)
	}
	_, p = Resolve(inbox.TypeMessage, "open", "propose", callers["owner"].caller)
	if got := p.Details["events"].([]string); !slices.Equal(got, []string{"answer", "reopen", "close", "mark_spam", "unspam"}) {
		t.Errorf("unknown_event lists %v", got)
	}
	_, p = Resolve(inbox.TypeBooking, "requested", "withdraw", callers["customer_agent"].caller)
	if got := p.Details["allowedFrom"].([]inbox.State); !slices.Equal(got, []inbox.State{"confirmed"}) {
		t.Errorf("a withdrawal is allowed from %v", got)
	}
}

func TestFirstMatchingRowWins(t *testing.T) {
	first := &Row{Event: "go", By: Person, From: []inbox.State{"a"}, To: "b"}
	second := &Row{Event: "go", By: Business, From: []inbox.State{"a"}, To: "c"}
	table := &Table{Type: "t", Rows: []*Row{first, second}}
	for name, want := range map[string]*Row{"owner": first, "rule": second} {
		if got, p := table.Resolve("a", "go", callers[name].caller); got != want || p != nil {
			t.Errorf("%s resolved to %+v, %v", name, got, p)
		}
	}
}

func TestPersonOnly(t *testing.T) {
	plain, always := &Row{Event: "go"}, &Row{Event: "go", Person: Always, Draft: true}
	paid, own := &Row{Event: "go", Person: OncePaid}, &Row{Event: "go", Person: OwnChange}
	cases := map[string]struct {
		row   *Row
		by    string
		holds bool
		want  string // sentence, "" for none
		draft bool
	}{
		"ok/plain row":             {plain, "rule", true, "", false},
		"ok/person":                {always, "staff", true, "", false},
		"ok/not paid":              {paid, "rule", false, "", false},
		"ok/customer's change":     {own, "owner_ai", false, "", false},
		"ok/person on own change":  {own, "owner", true, "", false},
		"fail/ai":                  {always, "owner_ai", false, "go is for a person at the business alone.", true},
		"fail/money key":           {always, "integration with money", false, "go is for a person at the business alone.", true},
		"fail/owner on mcp":        {always, "owner over mcp_owner", false, "go is for a person at the business alone.", true},
		"fail/rule once paid":      {paid, "rule", true, "go is for a person at the business alone once something was paid.", false},
		"fail/money key, own yes":  {own, "integration with money", true, "go of the business's own change records the customer's yes, which is for a person at the business alone.", false},
		"fail/person-only whoever": {always, "rule", true, "go is for a person at the business alone.", true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p := PersonOnly(c.row, callers[c.by].caller, c.holds)
			if c.want == "" {
				if p != nil {
					t.Fatal(p)
				}
				return
			}
			if p == nil || p.Code != inbox.CodeNotAllowed || p.Detail != c.want || p.Details["reason"] != "person_only" {
				t.Fatalf("%+v", p)
			}
			if draft := p.Details["draft_for_owner"] == true; draft != c.draft {
				t.Errorf("draft_for_owner %v, want %v", draft, c.draft)
			}
		})
	}
}

func TestMoneyRule(t *testing.T) {
	none, rec, url := &Row{Event: "go"}, &Row{Event: "go", Money: MoneyRecorded}, &Row{Event: "go", Money: MoneyURL}
	cases := map[string]struct {
		row    *Row
		by     string
		link   bool
		reason string
		key    string // a detail that has to be there
	}{
		"ok/no money":            {none, "owner_ai", true, "", ""},
		"ok/person":              {rec, "owner", false, "", ""},
		"ok/money key":           {rec, "integration with money", false, "", ""},
		"ok/connector":           {rec, "connector", false, "", ""},
		"ok/ai without a link":   {url, "owner_ai", false, "", ""},
		"ok/key without a link":  {url, "integration", false, "", ""},
		"ok/person with a link":  {url, "staff", true, "", ""},
		"fail/ai":                {rec, "owner_ai", false, "owner_money", "draft_for_owner"},
		"fail/owner over mcp":    {rec, "owner over mcp_owner", false, "owner_money", "draft_for_owner"},
		"fail/key":               {rec, "integration", false, "money_recorded", "scope"},
		"fail/ai with a link":    {url, "owner_ai", true, "owner_money", "draft_for_owner"},
		"fail/key with a link":   {url, "integration", true, "money_recorded", "scope"},
		"fail/ai that names all": {rec, "integration on mcp_owner", false, "owner_money", "draft_for_owner"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p := MoneyRule(c.row, callers[c.by].caller, c.link)
			if c.reason == "" {
				if p != nil {
					t.Fatal(p)
				}
				return
			}
			if p == nil || p.Code != inbox.CodeNotAllowed || p.Details["reason"] != c.reason || p.Details[c.key] == nil {
				t.Fatalf("%+v", p)
			}
		})
	}
}

package words

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	_ "time/tzdata"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
)

// TestLanguagesAreWhole: every language says everything English says, and
// nothing else but the forms of its nouns.
func TestLanguagesAreWhole(t *testing.T) {
	for _, l := range format.Langs {
		tab := tables()[l]
		for key, sentence := range tables()[format.En] {
			if tab[key] == "" {
				t.Errorf("%s lacks %s", l, key)
			}
			if a, b := placeholders(sentence), placeholders(tab[key]); !slices.Equal(a, b) {
				t.Errorf("%s: %s names %v, English %v", l, key, b, a)
			}
		}
		for key := range tab {
			if tables()[format.En][key] == "" && !strings.HasPrefix(key, "form.") {
				t.Errorf("%s has %s, English has not", l, key)
			}
		}
	}
	if len(tables()) != len(format.Langs) {
		t.Errorf("%d languages are written, %d are known", len(tables()), len(format.Langs))
	}
}

// TestNothingIsSaidTwice: the parts of a language hold no key twice.
func TestNothingIsSaidTwice(t *testing.T) {
	for l, parts := range map[format.Lang][]table{
		format.En: append(slices.Clone(english), englishApart()...), format.Pt: append(slices.Clone(portuguese), portugueseApart()...),
	} {
		n := 0
		for _, p := range parts {
			n += len(p)
		}
		if n != len(tables()[l]) {
			t.Errorf("%s: %d sentences in parts, %d in all", l, n, len(tables()[l]))
		}
	}
}

// TestNounsAgree: what agrees with a noun is used, and has a form for every type.
func TestNounsAgree(t *testing.T) {
	for _, c := range []struct {
		typ  inbox.Type
		want string
	}{{booking, "a"}, {order, "a"}, {quote, "o"}, {inbox.TypeMessage, "a"}, {inbox.TypeRefund, "a"}} {
		if got, _ := (About{Type: c.typ}).fact(format.Pt, "o"); got != c.want {
			t.Errorf("%s: %q", c.typ, got)
		}
		noun := say(format.Pt, "noun", c.typ)
		if article := strings.Fields(noun)[0]; article != c.want {
			t.Errorf("%s: %s", c.typ, noun)
		}
	}
}

var placeholder = regexp.MustCompile(`\{[A-Za-z.]+\}`)

func placeholders(sentence string) []string {
	names := placeholder.FindAllString(strings.ToLower(sentence), -1)
	names = slices.DeleteFunc(names, func(name string) bool { return name == "{o}" }) // an ending, no fact
	slices.Sort(names)
	return slices.Compact(names)
}

// TestPlaceholdersExist: a sentence names only facts that somebody fills in.
func TestPlaceholdersExist(t *testing.T) {
	for l, tab := range tables() {
		for key, sentence := range tab {
			for _, name := range placeholder.FindAllString(sentence, -1) {
				if !isFact(strings.ToLower(strings.Trim(name, "{}"))) {
					t.Errorf("%s: %s names %s", l, key, name)
				}
			}
		}
	}
}

// lineFacts stand in the sentence of one line, and in the one around a summary.
var lineFacts = []string{"quantity", "summary"}

// otherFacts are those of refusals, of suggestions and of made subjects.
var otherFacts = []string{"service", "money", "earliest", "value", "number", "first", "more", "vat"}

func isFact(name string) bool {
	_, mail := MailInput{Lang: format.En}.fact(name)
	_, human := About{}.humanFact(format.En, name)
	_, contract := Contract{}.fact(format.En, name)
	_, page := PageInput{Lang: format.En}.fact(name)
	return mail || human || page || contract || slices.Contains(lineFacts, name) || slices.Contains(otherFacts, name)
}

// forbidden words never reach a customer (05 §1.1.4), in either language.
var forbidden = regexp.MustCompile(`(?i)(^|[^\pL])(inbox|network|rede|pass|passe|key|chave|receipt|recibo|offer|oferta|draft|rascunho|rule|regra|limit|limite|floor|preço mínimo|tier|score|pontuação|reputation|reputação|record|history|histórico|typed inbox)($|[^\pL])`)

// ownerKeys marks the keys that only the business reads.
var ownerKeys = regexp.MustCompile(`^(business\.|owner(\.|$)|state\.|subject\.owner\.)`)

func TestCustomersReadNoForbiddenWord(t *testing.T) {
	for _, word := range []string{"an Offer.", "key", "o recibo", "Preço mínimo", "(rule)", "pass"} {
		if !forbidden.MatchString(word) {
			t.Errorf("%q would pass", word)
		}
	}
	for _, word := range []string{"passport", "monkey", "offers-", "unlimited", "recorded"} {
		if word != "offers-" && forbidden.MatchString(word) {
			t.Errorf("%q is refused", word)
		}
	}
	customers := 0
	for l, tab := range tables() {
		for key, sentence := range tab {
			if ownerKeys.MatchString(key) {
				continue
			}
			customers++
			if word := forbidden.FindString(sentence); word != "" {
				t.Errorf("%s: %s says %q", l, key, word)
			}
		}
	}
	if customers < 100 {
		t.Errorf("only %d sentences were read", customers)
	}
}

// TestEveryStateHasItsPhrase: for the customer and for the owner, of every type,
// and none for a state that does not exist.
func TestEveryStateHasItsPhrase(t *testing.T) {
	for l := range tables() {
		want := map[string]bool{}
		for _, typ := range inbox.Types {
			for _, s := range machine.Of(typ).States() {
				for _, kind := range []string{"status", "state"} {
					want[kind+"."+string(s)+"@"+string(typ)] = true
					if phrase(l, kind, About{Type: typ, State: s}) == "" {
						t.Errorf("%s: no %s of %s %s", l, kind, typ, s)
					}
				}
			}
		}
		for key := range tables()[l] {
			plain := strings.NewReplacer(".own@", "@", ".same@", "@", ".part@", "@").Replace(key)
			if (strings.HasPrefix(key, "status.") || strings.HasPrefix(key, "state.")) && !want[plain] {
				t.Errorf("%s: %s is of no state", l, key)
			}
		}
	}
}

// TestOverIsTheMachines: what follows nothing here is what the machines end in,
// with the closed states of a message.
func TestOverIsTheMachines(t *testing.T) {
	for _, typ := range inbox.Types {
		for _, s := range machine.Of(typ).States() {
			want := machine.Of(typ).IsTerminal(s) || s == inbox.StateClosed || s == inbox.StateSpam
			if typ == inbox.TypeQuote && s == inbox.StateAccepted {
				continue // accepted ends a quote request and begins an order
			}
			if over[s] != want {
				t.Errorf("%s %s: over %v", typ, s, over[s])
			}
		}
	}
}

// TestEveryEventHasItsLabel: for the owner whatever they may fire or read in the
// history, for the customer whatever is open to them.
func TestEveryEventHasItsLabel(t *testing.T) {
	for l := range tables() {
		for _, typ := range inbox.Types {
			table := machine.Of(typ)
			for _, event := range table.Events() {
				for _, recorded := range []bool{false, true} {
					if got := EventLabel(l, inbox.SideBusiness, typ, event, recorded); got == event || got == "" {
						t.Errorf("%s: no label for the owner's %s of %s", l, event, typ)
					}
				}
				theirs := slices.ContainsFunc(table.Rows, func(r *machine.Row) bool {
					return r.Event == event && slices.Contains(strings.Fields(r.ByText), "C")
				})
				if got := EventLabel(l, inbox.SideCustomer, typ, event, false); theirs && (got == event || got == "") {
					t.Errorf("%s: no label for the customer's %s of %s", l, event, typ)
				}
			}
			for _, action := range Actions {
				for _, s := range table.States() {
					if got := ActionLabel(l, typ, s, action, false); got == action || got == "" {
						t.Errorf("%s: no label for %s of %s", l, action, typ)
					}
				}
			}
		}
	}
}

func TestLabels(t *testing.T) {
	for name, c := range map[string]struct{ got, want string }{
		"ok/confirm":                   {EventLabel(format.En, inbox.SideBusiness, inbox.TypeBooking, "confirm", false), "Confirm"},
		"ok/a yes by phone":            {EventLabel(format.En, inbox.SideBusiness, inbox.TypeBooking, "confirm", true), "Customer said yes"},
		"ok/yes to our change":         {EventLabel(format.En, inbox.SideBusiness, inbox.TypeOrder, "accept_change", true), "Customer said yes"},
		"ok/recorded makes no matter":  {EventLabel(format.En, inbox.SideBusiness, inbox.TypeOrder, "decline", true), "Decline"},
		"ok/by type":                   {EventLabel(format.En, inbox.SideCustomer, inbox.TypeBooking, "counter", false), "Suggest another time"},
		"ok/for all types":             {EventLabel(format.En, inbox.SideCustomer, inbox.TypeOrder, "counter", false), "Suggest changes"},
		"ok/not written yet":           {EventLabel("xx", inbox.SideCustomer, inbox.TypeOrder, "cancel", false), "Cancel"},
		"fail/unknown event":           {EventLabel(format.En, inbox.SideCustomer, inbox.TypeOrder, "fly", false), "fly"},
		"ok/decline a proposal":        {ActionLabel(format.En, inbox.TypeBooking, inbox.StateProposed, ActionDecline, false), "Decline"},
		"ok/decline a change":          {ActionLabel(format.En, inbox.TypeBooking, inbox.StateConfirmed, ActionDecline, false), "Keep it as it is"},
		"ok/decline one's own":         {ActionLabel(format.En, inbox.TypeBooking, inbox.StateConfirmed, ActionDecline, true), "Take your change back"},
		"ok/another time, proposed":    {ActionLabel(format.En, inbox.TypeBooking, inbox.StateProposed, ActionTime, false), "Suggest another time"},
		"ok/another time, confirmed":   {ActionLabel(format.En, inbox.TypeBooking, inbox.StateConfirmed, ActionTime, false), "Ask for another time"},
		"ok/cancel":                    {ActionLabel(format.En, inbox.TypeBooking, inbox.StateRequested, ActionCancel, false), "Cancel your booking"},
		"ok/write":                     {ActionLabel(format.En, inbox.TypeMessage, inbox.StateOpen, ActionMessage, false), "Write to us"},
		"ok/own makes no matter":       {ActionLabel(format.En, inbox.TypeMessage, inbox.StateOpen, ActionMessage, true), "Write to us"},
		"ok/withdraw, the exact label": {ActionLabel(format.En, inbox.TypeOrder, "fulfilled", ActionWithdraw, false), "Withdraw from contract here"},
		"fail/unknown action":          {ActionLabel(format.En, inbox.TypeMessage, inbox.StateOpen, "fly", false), "fly"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", name, c.got, c.want)
		}
	}
}

package machine

import (
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

func TestGroupOf(t *testing.T) {
	letters := map[string]Group{"B": Business, "C": Customer, "P": Person, "A": Assistant, "K": Key, "K$": MoneyKey, "R": Rule, "X": Connector, "S": System}
	for name, w := range callers {
		got := GroupOf(w.caller)
		for letter, g := range letters {
			if want := slices.Contains(strings.Fields(w.letters), letter); got.Has(g) != want {
				t.Errorf("%s in %s: %v, want %v", name, letter, !want, want)
			}
		}
	}
}

// TestGroupsAgreeWithPredicates: the groups are the caller's predicates.
func TestGroupsAgreeWithPredicates(t *testing.T) {
	for name, w := range callers {
		g, c := GroupOf(w.caller), w.caller
		for what, pair := range map[string][2]bool{
			"customer":  {g.Has(Customer), c.IsCustomer()},
			"person":    {g.Has(Person), c.IsPerson()},
			"assistant": {g.Has(Assistant), c.IsAssistant()},
			"money key": {g.Has(MoneyKey), c.IsMoneyKey()},
			"business":  {g.Has(Business), c.IsBusiness()},
		} {
			if pair[0] != pair[1] {
				t.Errorf("%s: %s %v by group, %v by predicate", name, what, pair[0], pair[1])
			}
		}
	}
}

func TestGroupText(t *testing.T) {
	for _, by := range []string{"B", "C", "P A K", "P K$ X", "B X", "C X", "P A K R", "P A K X", "S", "R"} {
		g, personOnly, err := parseGroups(by)
		want := map[string]string{"P A K R": "B"}[by]
		if want == "" {
			want = by
		}
		if err != nil || personOnly || g.String() != want {
			t.Errorf("%q reads as %q, %v, %v", by, g, personOnly, err)
		}
	}
	if g, personOnly, err := parseGroups("P!"); g != Person || !personOnly || err != nil {
		t.Errorf("P! reads as %v, %v, %v", g, personOnly, err)
	}
	if got := (Business | Customer | Connector | System).Kinds(); len(got) != 9 {
		t.Errorf("all kinds are %v", got)
	}
	if got := Group(0).Kinds(); len(got) != 0 {
		t.Errorf("no group has kinds %v", got)
	}
}

func TestOwesTo(t *testing.T) {
	decline := Of(inbox.TypeQuote).row("decline")
	cases := map[string]struct {
		by   string
		want []Effect
	}{
		"ok/customer":        {"customer_agent", []Effect{NotifyCustomer, NotifyOwner, Close}},
		"ok/ai":              {"owner_ai", []Effect{NotifyCustomer, NotifyOwner, Close}},
		"ok/rule":            {"rule", []Effect{NotifyCustomer, NotifyOwner, Close}},
		"ok/person, not own": {"owner", []Effect{NotifyCustomer, Close}},
	}
	for name, c := range cases {
		if got := decline.OwesTo(callers[c.by].caller); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v", name, got)
		}
	}
	if !decline.Does(NotifyOwner) {
		t.Error("the row itself was changed")
	}
	confirm := Of(inbox.TypeBooking).row("confirm")
	if got := confirm.OwesTo(callers["owner"].caller); !slices.Equal(got, confirm.Effects) {
		t.Errorf("confirm owes %v", got)
	}
}

func TestOf(t *testing.T) {
	for _, typ := range inbox.Types {
		if table := Of(typ); table == nil || table.Type != typ || table != Of(typ) {
			t.Errorf("%s: %+v", typ, table)
		}
	}
	if Of("parcel") != nil {
		t.Error("a machine for a type that does not exist")
	}
}

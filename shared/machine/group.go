package machine

import (
	"fmt"
	"strings"

	"typedinbox/shared/inbox"
)

// Group is one of the groups of callers that the tables name (01 §2.1). A value
// may hold several.
type Group uint16

// The groups. MoneyKey (K$) is the part of Key that holds money:write.
const (
	Customer  Group = 1 << iota // C
	Person                      // P
	Assistant                   // A
	Key                         // K
	MoneyKey                    // K$
	Rule                        // R
	Connector                   // X
	System                      // S

	// Business is B: a person, the owner's AI, a key or a rule.
	Business = Person | Assistant | Key | Rule
)

var groupLetters = []struct {
	letter string
	group  Group
	who    string
}{
	{"B", Business, "the business: P, A, K and R"},
	{"C", Customer, "the customer or their agent; the item must be theirs"},
	{"P", Person, "a person at the business, not over the owner's MCP door"},
	{"A", Assistant, "the owner's AI, and anything of the business's on the owner's MCP door"},
	{"K", Key, "an integration key"},
	{"K$", MoneyKey, "an integration key that holds money:write"},
	{"R", Rule, "a rule"},
	{"X", Connector, "a connector"},
	{"S", System, "the system (the sweep)"},
}

// GroupOf says which groups a caller is in: one, or Key and MoneyKey for a key
// that may name money. Nothing for a kind that does not exist.
func GroupOf(c inbox.Caller) Group {
	switch {
	case c.IsCustomer():
		return Customer
	case c.IsAssistant():
		return Assistant
	case c.IsPerson():
		return Person
	case c.IsMoneyKey():
		return Key | MoneyKey
	}
	return groupOfKind[c.Kind]
}

var groupOfKind = map[inbox.ActorKind]Group{
	inbox.Integration: Key,
	inbox.Rule:        Rule,
	inbox.Connector:   Connector,
	inbox.System:      System,
}

// Has says whether g and o share a group.
func (g Group) Has(o Group) bool { return g&o != 0 }

// String is the group's letters in the order of 01 §2.1, "B" where all of the
// business's are meant.
func (g Group) String() string {
	var s []string
	for _, l := range groupLetters {
		if g&l.group == l.group {
			s, g = append(s, l.letter), g&^l.group
		}
	}
	return strings.Join(s, " ")
}

// Kinds lists the actor kinds in the groups, in the order of 01 §2.1, for the
// details of a refusal. A key counts whether or not it needs money:write.
func (g Group) Kinds() []inbox.ActorKind {
	var kinds []inbox.ActorKind
	for _, k := range actorKinds {
		if g.Has(k.group) {
			kinds = append(kinds, k.kind)
		}
	}
	return kinds
}

var actorKinds = []struct {
	kind  inbox.ActorKind
	group Group
}{
	{inbox.CustomerAgent, Customer}, {inbox.CustomerHuman, Customer},
	{inbox.Owner, Person}, {inbox.Staff, Person}, {inbox.OwnerAI, Assistant},
	{inbox.Integration, Key | MoneyKey}, {inbox.Rule, Rule},
	{inbox.Connector, Connector}, {inbox.System, System},
}

// parseGroups reads a "by" of the data files: letters apart by blanks, or "P!".
func parseGroups(by string) (g Group, personOnly bool, err error) {
	if by == "P!" {
		return Person, true, nil
	}
next:
	for _, f := range strings.Fields(by) {
		for _, l := range groupLetters {
			if l.letter == f {
				g |= l.group
				continue next
			}
		}
		return 0, false, fmt.Errorf("unknown actor %q in by %q", f, by)
	}
	if g == 0 {
		return 0, false, fmt.Errorf("no actor in by %q", by)
	}
	return g, false, nil
}

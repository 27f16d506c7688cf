package words

import (
	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
)

// Human is the sentence an assistant relays word for word (05 §8): noun, what,
// for when with the zone, where it stands, the price when the request named
// another than the business's, and the reference.
func Human(l format.Lang, a About) string {
	l = Written(l)
	get := func(name string) (string, bool) { return a.humanFact(l, name) }
	s := fill(say(l, "human", a.Type), get)
	switch {
	case a.Price != nil && a.priceOpen():
		s += " " + say(l, "human.unpriced", a.Type)
	case a.Price != nil && a.Stated != nil && !over[a.State]:
		s += " " + fill(say(l, "human.stated", a.Type), get)
	}
	s += a.offeredSentences(l)
	if a.Reference == "" {
		return s
	}
	return s + " " + format.ReferenceRow(l, a.Reference) + "."
}

// offeredSentences say what the business put forward and until when it stands;
// "" when nothing waits for an answer.
func (a About) offeredSentences(l format.Lang) (s string) {
	o := a.Offered
	if o == nil || a.State != inbox.StateProposed && a.State != inbox.StateQuoted {
		return ""
	}
	for _, part := range []struct {
		key   string
		there bool
	}{{"human.offered", o.Start != nil}, {"human.offered.price", o.Price != nil && !o.Unpriced}, {"human.offered.until", o.Until != nil}} {
		if sentence := say(l, part.key, a.Type); part.there && sentence != "" {
			s += " " + fill(sentence, func(name string) (string, bool) { return a.fact(l, name) })
		}
	}
	return s
}

// OwnerHuman is the line that tells the owner what an item is (05 §3.4): type,
// what, when with the zone, price and state.
func OwnerHuman(l format.Lang, a About) string {
	l = Written(l)
	return fill(say(l, "owner", a.Type), func(name string) (string, bool) { return a.humanFact(l, name) })
}

// humanFact answers the parts of the two sentences; a part whose fact is not
// there is empty.
func (a About) humanFact(l format.Lang, name string) (string, bool) {
	there := true
	switch name {
	case "status", "state":
		return phrase(l, name, a), true
	case "human.what", "owner.what":
		there = a.named(l)
	case "human.when", "owner.when":
		there = a.Start != nil
	case "owner.price":
		there = a.Price != nil
		if a.priceOpen() {
			name = "owner.unpriced"
		}
	case "owner.stated":
		there = a.Stated != nil
	default:
		return a.fact(l, name)
	}
	if !there {
		return "", true
	}
	return fill(say(l, name, a.Type), func(name string) (string, bool) { return a.fact(l, name) }), true
}

// phrase says where an item stands, the customer's own ending in its own words.
func phrase(l format.Lang, kind string, a About) string {
	key := kind + "." + string(a.State)
	if a.ByCustomer {
		if s := say(l, key+".own", a.Type); s != "" {
			return s
		}
	}
	return say(l, key, a.Type)
}

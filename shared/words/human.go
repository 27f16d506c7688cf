package words

import (
	"strings"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
)

// Human is the sentence an assistant relays word for word (05 §8): noun, what,
// for when with the zone, where it stands, the price when the request named
// another than the business's, and the reference.
func Human(l format.Lang, a About) string {
	l = Written(l)
	get := func(name string) (string, bool) { return a.humanFact(l, name) }
	s := fill(sayCore(l, "human", a.Type), get)
	switch {
	case a.Price != nil && a.priceOpen():
		s += " " + sayCore(l, "human.unpriced", a.Type)
	case a.Price != nil && a.Stated != nil && !over[a.State] && !a.repriced():
		s += " " + fill(sayCore(l, "human.stated", a.Type), get)
		if a.Personal != nil {
			s += " " + fill(sayCore(l, "fact.personal", a.Type), get)
		}
	}
	s += a.offeredSentences(l) + a.refundSentences(l)
	if a.Reference == "" {
		return s
	}
	return s + " " + format.ReferenceRow(l, a.Reference) + "."
}

// repriced says whether the business put forward another price than stands on the
// item: then that one is its price.
func (a About) repriced() bool {
	return a.State == inbox.StateProposed && a.Offered != nil && a.Offered.Price != nil && *a.Offered.Price != *a.Price
}

// offeredParts are the sentences about what the business put forward, in order.
var offeredParts = []struct {
	key   string
	there func(a About, o *Offered) bool
}{
	{"human.change", func(a About, o *Offered) bool { return o.ChangeBy == inbox.SideBusiness && !a.stays() }},
	{"human.change.stays", func(a About, o *Offered) bool { return o.ChangeBy == inbox.SideBusiness && a.stays() }},
	{"human.change.lasts", func(_ About, o *Offered) bool { return o.ChangeBy == inbox.SideBusiness && o.Lasts > 0 }},
	{"human.offered", func(a About, o *Offered) bool {
		return o.ChangeBy == "" && o.Start != nil && (a.Type != booking || !a.asAsked())
	}},
	{"human.offered.lines", func(_ About, o *Offered) bool { return o.ChangeBy == "" && len(o.Lines) > 0 }},
	{"human.offered.price", func(_ About, o *Offered) bool { return o.Price != nil && !o.Unpriced }},
	{"new.personal", func(_ About, o *Offered) bool { return o.Personal != nil }},
	{"new.says", func(_ About, o *Offered) bool { return o.Personal.says() != "" }},
	{"human.offered.delivery", func(_ About, o *Offered) bool { return o.Delivery != nil && o.Delivery.When != nil }},
	{"human.offered.until", func(_ About, o *Offered) bool { return o.Until != nil }},
	{"new.held", func(a About, o *Offered) bool { return a.Type == booking && !a.stays() && o.Held }},
	{"new.unheld", func(a About, o *Offered) bool { return a.Type == booking && !a.stays() && !o.Held }},
	{"new.withdrawable", func(_ About, o *Offered) bool { return o.Withdrawable }},
}

// offeredSentences say what the business put forward, until when it stands and
// what else a customer has to know of it (02 §1.8); "" when nothing waits for an
// answer.
func (a About) offeredSentences(l format.Lang) string {
	if a.Offered == nil || a.Offered.ChangeBy == "" && a.State != inbox.StateProposed && a.State != inbox.StateQuoted {
		return ""
	}
	if a.Offered.ChangeBy == inbox.SideCustomer {
		return " " + a.say(l, "human.asked")
	}
	var s strings.Builder
	for _, part := range offeredParts {
		if part.there(a, a.Offered) {
			s.WriteString(" " + a.say(l, part.key))
		}
	}
	return s.String()
}

// say fills one sentence with what stands on the item.
func (a About) say(l format.Lang, key string) string {
	return fill(sayCore(l, key, a.Type), func(name string) (string, bool) { return a.fact(l, name) })
}

// refundSentences say what is still to be done about a refund: until when the
// goods are sent, by when the money goes back.
func (a About) refundSentences(l format.Lang) string {
	r := a.Refund
	if r == nil || a.Type != inbox.TypeRefund || over[a.State] {
		return ""
	}
	s := ""
	if r.Goods && r.ReturnBy != nil && a.State == inbox.StateApproved {
		s += " " + a.say(l, "refund.by")
	}
	if r.pays() {
		s += " " + a.say(l, "refund.money")
	}
	return s
}

// OwnerHuman is the line that tells the owner what an item is (05 §3.4): type,
// what, when with the zone, price and state.
func OwnerHuman(l format.Lang, a About) string {
	l = Written(l)
	return fill(sayCore(l, "owner", a.Type), func(name string) (string, bool) { return a.humanFact(l, name) })
}

// humanFact answers the parts of the two sentences; a part whose fact is not
// there is empty.
func (a About) humanFact(l format.Lang, name string) (string, bool) {
	var there bool
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
	case "owner.change":
		there = a.Offered != nil && a.Offered.ChangeBy != ""
	case "owner.owed":
		there = a.Refund != nil && a.Type == inbox.TypeRefund && !a.Refund.free() && !over[a.State]
	case "owner.due":
		there = a.Refund != nil && a.Type == inbox.TypeRefund && a.Refund.pays() && !over[a.State]
	default:
		return a.fact(l, name)
	}
	if !there {
		return "", true
	}
	return fill(sayCore(l, name, a.Type), func(name string) (string, bool) { return a.fact(l, name) }), true
}

// phrase says where an item stands, the customer's own ending in its own words and
// a payment of less than the whole as such.
func phrase(l format.Lang, kind string, a About) string {
	key := kind + "." + string(a.State)
	if a.State == inbox.StateProposed && a.asAsked() {
		if s := sayCore(l, key+".same", a.Type); s != "" {
			return s
		}
	}
	if a.State == inbox.StatePaid && a.Due != nil && a.Due.Value > 0 {
		return sayCore(l, key+".part", a.Type)
	}
	if a.ByCustomer {
		if s := sayCore(l, key+".own", a.Type); s != "" {
			return s
		}
	}
	return sayCore(l, key, a.Type)
}

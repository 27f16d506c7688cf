package machine

import (
	"slices"
	"sync"

	"typedinbox/shared/inbox"
)

// buttons is the order in which events are offered (01 §3, §5.7).
type buttons struct {
	Business  []string `json:"business"`
	Customer  []string `json:"customer"`
	RulesOnly []string `json:"rulesOnly"` // hidden from everyone but rules

	business, customer map[string]int // place of each event
}

var readButtons = sync.OnceValues(func() (buttons, error) {
	var b buttons
	err := read("buttons", &b)
	b.business, b.customer = places(b.Business), places(b.Customer)
	return b, err
})

func places(order []string) map[string]int {
	m := make(map[string]int, len(order))
	for i, e := range order {
		m[e] = i
	}
	return m
}

// Allowed lists the events open to a reader of the item, one entry per event,
// in the order of the owner's buttons or of what a customer sees (01 §3
// "Allowed events", §5.7). It leaves out unlisted rows, rows that still refuse,
// rows narrowed to others, and what the item itself rules out. What only a
// clock, settings or other rows can rule out is for the caller to take away.
// Whether a customer owns the item is not asked here. Empty, never nil, when
// nothing is open.
func Allowed(rec *inbox.Record, c inbox.Caller) []string {
	if t := Of(rec.Item.Type); t != nil {
		return t.allowed(rec, c)
	}
	return []string{}
}

func (t *Table) allowed(rec *inbox.Record, c inbox.Caller) []string {
	state := rec.Item.State
	if c.IsCustomer() {
		state = t.SeenByCustomer(state)
	}
	b := must(readButtons())
	open := make([]string, 0, 12)
	for _, r := range t.from[state] {
		if b.shows(r.Event, c) && t.open(r, state, rec, c) && !slices.Contains(open, r.Event) {
			open = append(open, r.Event)
		}
	}
	rank := b.business
	if c.IsCustomer() {
		rank = b.customer
	}
	slices.SortFunc(open, func(x, y string) int { return rank[x] - rank[y] })
	return open
}

// shows says whether a kind of reader is shown the event at all.
func (b buttons) shows(event string, c inbox.Caller) bool {
	return c.Kind == inbox.Rule || !slices.Contains(b.RulesOnly, event)
}

// open says whether one row is open to the reader in the state.
func (t *Table) open(r *Row, state inbox.State, rec *inbox.Record, c inbox.Caller) bool {
	return !r.Unlisted && r.admits().Has(GroupOf(c)) && !t.Refuses(r.Event, state) &&
		PersonOnly(r, c, r.holds(rec.Item.Payload)) == nil &&
		MoneyRule(r, c, false) == nil &&
		!withheld(r, rec, c)
}

// holds says whether the row's person-only condition is true of the payload.
func (r *Row) holds(p inbox.Payload) bool {
	switch r.Person {
	case OncePaid:
		return Paid(p)
	case OwnChange:
		return ChangeBy(p) == inbox.SideBusiness
	}
	return r.Person == Always
}

// withheld says whether the item itself rules the row out (01 §3).
func withheld(r *Row, rec *inbox.Record, c inbox.Caller) bool {
	p := rec.Item.Payload
	own, theirs := inbox.SideBusiness, inbox.SideCustomer
	if c.IsCustomer() {
		own, theirs = theirs, own
	}
	switch r.Event {
	case "retract":
		return !withdrawable(p)
	case "accept_change":
		by := ChangeBy(p)
		return by != theirs && (by != own || !c.IsPerson())
	case "decline_change":
		return ChangeBy(p) != theirs
	case "retract_change":
		return ChangeBy(p) != own || (own == inbox.SideBusiness && !withdrawable(p))
	case "record_withdrawal":
		return rec.Item.Type == inbox.TypeBooking && !Paid(p)
	case "complete", "no_show":
		return r.Amends && rec.Corrected
	case "cancel":
		return c.IsCustomer() && p.Refund != nil && !goodsBack(p.Refund)
	}
	return false
}

// withdrawable says whether the pointer names an open business offer that may
// be taken back.
func withdrawable(p inbox.Payload) bool {
	o := p.Offer()
	return o != nil && o.Status == inbox.OfferOpen && o.Binding != nil && !*o.Binding
}

func goodsBack(r *inbox.Refund) bool { return r.GoodsBack != nil && *r.GoodsBack }

// Paid says whether anything was paid for a booking or an order (01 §14.1): a
// payment's reference is known, or an amount above nothing.
func Paid(p inbox.Payload) bool {
	some := func(ref string, amount *inbox.Money) bool {
		return ref != "" || amount != nil && amount.Value > 0
	}
	switch {
	case p.Booking != nil:
		return some(p.Booking.PaymentRef, p.Booking.PaidAmount)
	case p.Order != nil:
		return some(p.Order.PaymentRef, p.Order.PaidAmount)
	}
	return false
}

// ChangeBy is the side whose change to the promise is open, "" for none.
func ChangeBy(p inbox.Payload) inbox.Side {
	switch {
	case p.Booking != nil && p.Booking.Change != nil:
		return p.Booking.Change.By
	case p.Order != nil && p.Order.Change != nil:
		return p.Order.Change.By
	}
	return ""
}

package decide

import (
	"slices"

	"typedinbox/shared/inbox"
)

// happened are the events that a customer's history counts and the state does
// not tell.
var happened = map[string]string{
	"cancel_late": inbox.HappenedLate, "record_cancel_late": inbox.HappenedLate,
	"record_payment": inbox.HappenedPaid, "payment_failed": inbox.HappenedUnpaid,
	"charge_back": inbox.HappenedChargedBack, "record_charge_back": inbox.HappenedChargedBack,
}

// remember keeps what the state does not tell of the transition: what history
// counts, whether a charge-back is excused, that the time to pay is over.
func (m *move) remember() {
	switch event := m.r.Event; {
	case happened[event] == inbox.HappenedChargedBack && excused(m.f.Refunds):
		m.event.Meta.Excused = true
		m.rec.Happened = append(slices.Clone(m.rec.Happened), inbox.HappenedExcused)
	case event == "lapse":
		m.rec.PaymentAskedAt = nil
	default:
		remember(&m.rec, event)
	}
}

// remember marks what a transition means for the customer's history, once.
func remember(rec *inbox.Record, event string) {
	if h := happened[event]; h != "" && !slices.Contains(rec.Happened, h) {
		rec.Happened = append(slices.Clone(rec.Happened), h)
	}
}

// openBooking are the states of a booking that is still going on (01 §15.5).
var openBooking = []inbox.State{inbox.StateRequested, inbox.StateNeedsInfo, inbox.StateProposed, inbox.StateConfirmed}

// HistoryOf counts the items of a customer's party set (01 §15.5). Tests never
// count, nor do refunds; the item that is judged, "" for none, counts among the open bookings
// alone.
func HistoryOf(items []inbox.Record, judged string) inbox.History {
	var h inbox.History
	for i := range items {
		r := &items[i]
		if r.Item.Flags.Sandbox || r.Item.Type == inbox.TypeRefund {
			continue
		}
		if r.Item.Type == inbox.TypeBooking && slices.Contains(openBooking, r.Item.State) {
			h.OpenBookings++
		}
		if r.Item.ID != judged {
			count(&h, r)
		}
	}
	return h
}

func count(h *inbox.History, r *inbox.Record) {
	is := func(what string) bool { return slices.Contains(r.Happened, what) }
	add := func(n *int, when bool) {
		if when {
			*n++
		}
	}
	h.Items++
	add(&h.Completed, completed(&r.Item))
	add(&h.Paid, is(inbox.HappenedPaid))
	add(&h.NoShows, r.Item.Type == inbox.TypeBooking && r.Item.State == inbox.StateNoShow)
	add(&h.LateCancellations, is(inbox.HappenedLate))
	add(&h.PaymentFailed, is(inbox.HappenedUnpaid))
	add(&h.ChargedBack, is(inbox.HappenedChargedBack))
	if o := r.Item.Payload.Order; o != nil && is(inbox.HappenedPaid) && !is(inbox.HappenedChargedBack) {
		paid := o.TotalPrice.Value
		if o.PaidAmount != nil {
			paid = o.PaidAmount.Value
		}
		h.LargestPaid = max(h.LargestPaid, paid)
	}
	at := int64(r.Item.CreatedAt)
	if h.FirstSeen == nil || at < *h.FirstSeen {
		h.FirstSeen = &at
	}
	if h.LastSeen == nil || at > *h.LastSeen {
		h.LastSeen = &at
	}
}

func completed(i *inbox.Item) bool {
	switch i.Type {
	case inbox.TypeBooking:
		return i.State == inbox.StateCompleted
	case inbox.TypeOrder:
		return i.State == inbox.StateFulfilled || i.State == inbox.StateCompleted
	}
	return false
}

// customerFacts is what the item's detail says of its customer. A customer is
// known who completed something here before and is surely the one.
func customerFacts(r *inbox.Record, h inbox.History) inbox.CustomerFacts {
	m := match(r)
	return inbox.CustomerFacts{
		Match: m, Possible: optional(r.PossiblePartyID), Known: m == inbox.MatchStrong && h.Completed > 0,
		History: h, Persons: []struct{}{},
	}
}

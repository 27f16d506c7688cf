package decide

import (
	"slices"
	"testing"

	"typedinbox/shared/inbox"
)

// refundIn is a refund in a state, due and closed at the given moments, 0 for
// never.
func refundIn(state inbox.State, due, closed inbox.Instant) *inbox.Record {
	r := &inbox.Record{Item: inbox.Item{Type: inbox.TypeRefund, State: state}}
	r.Item.Payload.Refund = &inbox.Refund{Kind: "withdrawal", Amount: *eur(1850)}
	if due != 0 {
		r.Item.Payload.Refund.RefundDue = &due
	}
	if closed != 0 {
		r.Item.ClosedAt = &closed
	}
	return r
}

// TestChargeBack: where it leads, and when history does not count it: while a
// return of the order is open, or after one that was paid back after its day, in
// whole seconds (01 §7, 02 §9.8).
func TestChargeBack(t *testing.T) {
	due := monday.Add(900)
	before := refundIn(inbox.StateRefunded, due, due.Add(-inbox.Second))
	for name, c := range map[string]struct {
		event   string
		from    inbox.State
		refunds []*inbox.Record
		excused bool
		to      inbox.State
	}{
		"ok/paid":                         {"charge_back", inbox.StatePaid, nil, false, "charged_back"},
		"ok/fulfilling":                   {"charge_back", inbox.StateFulfilling, nil, false, "charged_back"},
		"ok/fulfilled":                    {"charge_back", inbox.StateFulfilled, nil, false, "charged_back"},
		"ok/completed":                    {"record_charge_back", inbox.StateCompleted, nil, false, inbox.StateCompleted},
		"ok/a return was asked for":       {"charge_back", inbox.StateFulfilled, []*inbox.Record{refundIn(inbox.StateRequested, 0, 0)}, true, "charged_back"},
		"ok/a return is approved":         {"charge_back", inbox.StateFulfilled, []*inbox.Record{refundIn(inbox.StateApproved, due, 0)}, true, "charged_back"},
		"ok/the goods are back":           {"record_charge_back", inbox.StateCompleted, []*inbox.Record{refundIn(inbox.StateGoodsReceived, due, 0)}, true, inbox.StateCompleted},
		"ok/refunded late":                {"record_charge_back", inbox.StateCompleted, []*inbox.Record{before, refundIn(inbox.StateRefunded, due, due.Add(100))}, true, inbox.StateCompleted},
		"ok/refunded on the day":          {"charge_back", inbox.StateFulfilled, []*inbox.Record{refundIn(inbox.StateRefunded, due, due)}, false, "charged_back"},
		"ok/refunded in its last second":  {"charge_back", inbox.StateFulfilled, []*inbox.Record{refundIn(inbox.StateRefunded, due, due.Add(99))}, false, "charged_back"},
		"ok/refunded without a day":       {"charge_back", inbox.StateFulfilled, []*inbox.Record{refundIn(inbox.StateRefunded, 0, due.Add(inbox.Day))}, false, "charged_back"},
		"ok/a return was rejected, later": {"charge_back", inbox.StateFulfilled, []*inbox.Record{refundIn("rejected", due, due.Add(inbox.Day))}, false, "charged_back"},
		"ok/a return was dropped":         {"charge_back", inbox.StateFulfilled, []*inbox.Record{refundIn(inbox.StateCancelled, 0, due)}, false, "charged_back"},
	} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, inbox.TypeOrder, c.from)
			w.f.Refunds = c.refunds
			out := w.fire(connector, c.event)
			rec, last := w.f.Record, w.events[len(w.events)-1]
			if rec.Item.State != c.to || rec.Item.ClosedAt == nil || rec.Corrected || len(told(out.Write)) != 0 {
				t.Errorf("in %s, closed %v, owed %v", rec.Item.State, rec.Item.ClosedAt, told(out.Write))
			}
			if last.Meta.Excused != c.excused {
				t.Errorf("excused %v", last.Meta.Excused)
			}
			h := HistoryOf([]inbox.Record{*rec}, "")
			if h.ChargedBack != map[bool]int{false: 1}[c.excused] || h.Paid != 1 || (h.LargestPaid > 0) != c.excused {
				t.Errorf("history %+v", h)
			}
		})
	}
}

// TestChargedBackOnce: a completed order is charged back once, excused or not,
// and then no more among what can be done.
func TestChargedBackOnce(t *testing.T) {
	for name, refunds := range map[string][]*inbox.Record{
		"fail/counted": nil,
		"fail/excused": {refundIn(inbox.StateApproved, 0, 0)},
	} {
		w := inState(t, inbox.TypeOrder, inbox.StateCompleted)
		w.f.Refunds = refunds
		if !slices.Contains(allowed(&w.f, owner, w.now), "record_charge_back") {
			t.Errorf("%s: not offered the first time", name)
		}
		w.fire(owner, "record_charge_back", `{"note":"The bank wrote."}`)
		_, err := w.decide(connector, request("record_charge_back"))
		if p := problem(t, err); p.Code != inbox.CodeGuardFailed || p.Details["guard"] != "not_charged_back" {
			t.Errorf("%s: %v", name, p)
		}
		if slices.Contains(allowed(&w.f, owner, w.now), "record_charge_back") {
			t.Errorf("%s: offered again", name)
		}
		w.fire(owner, "record_payment", pay("again", 100)) // ok/what is paid later is still recorded
	}
}

// TestMoneyInHistory: payments, failed ones and the largest count, of orders in
// any later state; tests never do (01 §15.5).
func TestMoneyInHistory(t *testing.T) {
	var items []inbox.Record
	item := func(sandbox bool, typ inbox.Type, state inbox.State, events ...string) {
		w := inState(t, typ, state)
		for _, event := range events {
			w.ok(w.decide(owner, needing(event)))
		}
		w.f.Record.Item.Flags.Sandbox = sandbox
		items = append(items, *w.f.Record)
	}
	item(false, inbox.TypeOrder, inbox.StatePaid)
	item(false, inbox.TypeOrder, inbox.StatePaymentFailed, "record_payment")
	item(false, inbox.TypeOrder, inbox.StatePaymentFailed)
	item(false, inbox.TypeBooking, inbox.StateConfirmed, "record_payment")
	item(false, inbox.TypeOrder, "charged_back")
	item(true, inbox.TypeOrder, inbox.StatePaid)
	h := HistoryOf(items, "")
	if h.Items != 5 || h.Paid != 4 || h.PaymentFailed != 2 || h.ChargedBack != 1 || h.LargestPaid != items[0].Item.Payload.Order.TotalPrice.Value {
		t.Errorf("%+v", h)
	}
}

package desk_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/returns"
	"typedinbox/shared/table"
)

// ordered is an order of two things each, 6 cents in all, as far as the owner
// took it: its id and its customer.
func (w *world) ordered(events ...string) (id string, mine inbox.Call) {
	w.t.Helper()
	req := order(2, false)
	req.TermsSHA = w.asked(inbox.Call{Caller: agent}, req).Details["terms_sha"].(string)
	a, err := w.CreateOrder(w.ctx, inbox.Call{Caller: agent}, req)
	w.must(err)
	var made inbox.Created
	w.must(json.Unmarshal(a.Body, &made))
	mine = inbox.Call{Caller: agent}
	mine.Caller.AccessToken = made.AccessToken
	id = made.View.Item.ID
	for _, event := range events {
		w.fire(id, event, inputs[event])
	}
	return id, mine
}

var sent = []string{"accept", "record_payment", "fulfil", "record_delivery"}

// inputs of events that need one.
var inputs = map[string]string{"record_payment": `{"paymentRef":"p"}`, "refund": `{"paymentRef":"b"}`}

// fire fires an event as the owner.
func (w *world) fire(id, event, input string) {
	w.t.Helper()
	_, err := w.tryFire(id, event, input)
	w.must(err)
}

func (w *world) tryFire(id, event, input string) (inbox.Answer, error) {
	return w.TransitionItem(w.ctx, inbox.Call{Caller: owner}, inbox.TransitionRequest{ItemID: id, Event: event, Input: json.RawMessage(input)})
}

// refundOf is the newest refund of a promise.
func (w *world) refundOf(id string) *inbox.Record {
	w.t.Helper()
	rec, err := w.store.Item(w.ctx, id)
	w.must(err)
	if len(rec.Refunds) == 0 {
		w.t.Fatal("no refund")
	}
	r, err := w.store.Item(w.ctx, rec.Refunds[len(rec.Refunds)-1])
	w.must(err)
	return r
}

var oneThing = []inbox.ReturnLine{{Index: 0, Quantity: 1}}

// TestReturnCalls: a verb on a promise reads its refunds with what else the item
// names, one on a refund its promise, and the other refunds of that with one read
// more; each writes once.
func TestReturnCalls(t *testing.T) {
	withdraw := func(w *world, id string, mine inbox.Call) error {
		_, err := w.Withdraw(w.ctx, mine, inbox.WithdrawRequest{ItemID: id, Confirm: true, Lines: oneThing})
		return err
	}
	opened := func(w *world, id string, mine inbox.Call) {
		_, err := w.RequestReturn(w.ctx, mine, inbox.ReturnRequest{ItemID: id, Reason: "faulty", Lines: oneThing})
		w.must(err)
	}
	closed := func(w *world, id string, mine inbox.Call) {
		opened(w, id, mine)
		w.fire(w.refundOf(id).Item.ID, "approve", "")
		w.fire(w.refundOf(id).Item.ID, "refund", inputs["refund"])
	}
	cases := map[string]struct {
		before func(*world, string, inbox.Call)
		do     func(*world, string, inbox.Call) error
		calls  int
	}{
		"ok/withdraw": {nil, withdraw, 4},
		"ok/the first step writes nothing": {nil, func(w *world, id string, mine inbox.Call) error {
			_, err := w.Withdraw(w.ctx, mine, inbox.WithdrawRequest{ItemID: id})
			var p *inbox.Problem
			if errors.As(err, &p) && p.Code == inbox.CodeConfirmWithdrawal {
				return nil
			}
			return fmt.Errorf("not asked: %w", err)
		}, 3},
		"ok/withdraw after a refund": {closed, withdraw, 4},
		"ok/a refund alone": {opened, func(w *world, id string, _ inbox.Call) error {
			_, err := w.tryFire(w.refundOf(id).Item.ID, "approve", "")
			return err
		}, 3 + 2}, // two of them the test's own
		"ok/a second refund": {func(w *world, id string, mine inbox.Call) { closed(w, id, mine); opened(w, id, mine) },
			func(w *world, id string, _ inbox.Call) error {
				_, err := w.tryFire(w.refundOf(id).Item.ID, "approve", "")
				return err
			}, 4 + 2},
		"ok/status without refunds": {nil, func(w *world, id string, mine inbox.Call) error {
			_, err := w.GetItemStatus(w.ctx, mine, inbox.ItemStatusQuery{ItemID: id})
			return err
		}, 2},
		"ok/status with one": {opened, func(w *world, id string, mine inbox.Call) error {
			_, err := w.GetItemStatus(w.ctx, mine, inbox.ItemStatusQuery{ItemID: id})
			return err
		}, 3},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			id, mine := w.ordered(sent...)
			if c.before != nil {
				c.before(w, id, mine)
			}
			w.db.Reset()
			w.must(c.do(w, id, mine))
			if got := w.db.Calls(); got != c.calls {
				t.Errorf("%d storage calls, want %d", got, c.calls)
			}
		})
	}
}

// TestReturnRead: what is written about a refund is read again, by its customer
// with the order's token, by the business, and after the order moved.
func TestReturnRead(t *testing.T) {
	w := newWorld(t)
	id, mine := w.ordered(sent...)
	mine.IdempotencyKey = "once"
	req := inbox.WithdrawRequest{ItemID: id, Lines: oneThing, Note: "too big"}
	if _, err := w.Withdraw(w.ctx, mine, req); err == nil {
		t.Fatal("withdrawn without a confirmation")
	}
	req.Confirm = true
	a, err := w.Withdraw(w.ctx, mine, req)
	w.must(err)
	var result inbox.CustomerResult
	w.must(json.Unmarshal(a.Body, &result))
	refund := w.refundOf(id)
	if result.Linked == nil || result.Linked.Item.ID != refund.Item.ID || len(result.View.Refunds) != 1 || result.View.Refunds[0].State != inbox.StateApproved {
		t.Errorf("answered %s", a.Body)
	}
	again, err := w.Withdraw(w.ctx, mine, req)
	w.must(err)
	if again.Status != 200 || string(again.Body) != string(inbox.MarkReplayed(a.Body)) {
		t.Errorf("again %d %s", again.Status, again.Body)
	}
	if v := w.view(refund.Item.ID, mine); v.Item.Type != inbox.TypeRefund || refund.Item.Payload.Refund.Reason != "too big" {
		t.Errorf("their view of the refund: %+v", v.Item)
	}
	w.fire(refund.Item.ID, "goods_back", "")
	w.fire(refund.Item.ID, "refund", inputs["refund"])
	v := w.view(id, mine)
	if v.Refunds[0].State != inbox.StateRefunded || v.Withdrawal == nil || !v.Withdrawal.Available || v.Withdrawal.Until == nil {
		t.Errorf("refunds %+v, withdrawal %+v", v.Refunds, v.Withdrawal)
	}
	rec, err := w.store.Item(w.ctx, id)
	w.must(err)
	if rec.RefundsRev != 2 || rec.AgreedAt == nil || *rec.AgreedAt != now {
		t.Errorf("the order keeps refundsRev %d, agreed %v", rec.RefundsRev, rec.AgreedAt)
	}
	events, err := w.store.Events(w.ctx, refund.Item.ID)
	w.must(err)
	if len(events) != 3 || events[0].Event != inbox.EventCreate || events[0].Meta.Kind != returns.KindWithdrawal || events[1].PrevHash != events[0].Hash {
		t.Errorf("events %+v", events)
	}
	findings, err := w.store.Check(w.ctx)
	w.must(err)
	if len(findings) > 0 {
		t.Errorf("findings %v", findings)
	}
}

// TestPaidAtOnce: two refunds of one order paid at the same moment together never
// pay more than was paid; many that pay one, pay it once.
func TestPaidAtOnce(t *testing.T) {
	for round := range 20 {
		w := newWorld(t)
		id, mine := w.ordered(sent...) // 6 cents
		ask := func(line int) string {
			_, err := w.RequestReturn(w.ctx, mine, inbox.ReturnRequest{ItemID: id, Reason: "faulty", Lines: []inbox.ReturnLine{{Index: line, Quantity: 1}}})
			w.must(err)
			return w.refundOf(id).Item.ID
		}
		first := ask(0) // owes 1
		w.put2(first, inbox.StateRejected)
		second := ask(1) // owes 2
		w.put2(first, inbox.StateApproved)
		w.put2(second, inbox.StateApproved)
		paid := make([]bool, 8)
		gate, wg := make(chan struct{}), sync.WaitGroup{}
		for i := range paid {
			wg.Go(func() {
				<-gate
				of, amount := first, 4
				if i%2 == 1 {
					of = second
				}
				_, err := w.tryFire(of, "refund", fmt.Sprintf(`{"paymentRef":"b%d","amount":{"value":%d,"currency":"EUR"}}`, i, amount))
				var p *inbox.Problem
				if err != nil && !errors.As(err, &p) {
					t.Error(err)
				}
				paid[i] = err == nil
			})
		}
		close(gate)
		wg.Wait()
		rec, err := w.store.Item(w.ctx, id)
		w.must(err)
		var all []*inbox.Record
		for _, r := range rec.Refunds {
			one, err := w.store.Item(w.ctx, r)
			w.must(err)
			all = append(all, one)
		}
		if taken := returns.Taken(all); taken > 6 {
			t.Fatalf("round %d: %d of 6 cents went back: %v", round, taken, paid)
		}
		if n := count(paid); n != 1 {
			t.Fatalf("round %d: %d payments of 4 out of 6 cents", round, n)
		}
	}
}

func count(list []bool) (n int) {
	for _, b := range list {
		if b {
			n++
		}
	}
	return n
}

// put2 puts a refund into a state by hand, which no two of an order share
// otherwise.
func (w *world) put2(id string, state inbox.State) {
	w.t.Helper()
	rec, err := w.store.Item(w.ctx, id)
	w.must(err)
	was := rec.Rev
	rec.Item.State, rec.Rev = state, was+1
	w.must(w.store.Commit(w.ctx, decide.Write{Items: []decide.ItemWrite{{Record: *rec, Expect: was}}}))
}

// TestWithdrawnAtOnce: of many withdrawals of one order at the same moment one
// opens a return and the others are kept for a person; none is refused.
func TestWithdrawnAtOnce(t *testing.T) {
	w := newWorld(t)
	id, mine := w.ordered(sent...)
	const n = 3 // as many as are tried again (00 §3)
	codes := make([]int, n)
	gate, wg := make(chan struct{}), sync.WaitGroup{}
	for i := range n {
		wg.Go(func() {
			<-gate
			a, err := w.Withdraw(w.ctx, mine, inbox.WithdrawRequest{ItemID: id, Confirm: true, Lines: oneThing})
			if err != nil {
				t.Error(err)
			}
			codes[i] = a.Status
		})
	}
	close(gate)
	wg.Wait()
	opened := 0
	for _, c := range codes {
		if c == 200 {
			opened++
		}
	}
	rec, err := w.store.Item(w.ctx, id)
	w.must(err)
	entries, err := w.store.Thread(w.ctx, id, 0)
	w.must(err)
	if opened != 1 || len(rec.Refunds) != 1 || len(entries) != n-1 {
		t.Errorf("%v, refunds %v, %d entries", codes, rec.Refunds, len(entries))
	}
}

// TestRefundWhileTheOrderMoves: the order of a refund moves between the read and
// the write. Words beside change nothing; a payment of another refund is seen.
func TestRefundWhileTheOrderMoves(t *testing.T) {
	cases := map[string]struct {
		meanwhile func(w *world, order, refund string)
		code      inbox.Code
	}{
		"ok/a note": {func(w *world, order, _ string) {
			_, err := w.Reply(w.ctx, inbox.Call{Caller: owner}, inbox.ReplyRequest{ItemID: order, Body: "A regular.", Internal: true})
			w.must(err)
		}, ""},
		"ok/the order is completed":    {func(w *world, order, _ string) { w.fire(order, "complete", "") }, ""},
		"fail/dropped in the meantime": {func(w *world, _, refund string) { w.fire(refund, "record_cancel", `{"note":"keeps it"}`) }, inbox.CodeWrongState},
		"ok/settled for less": {func(w *world, _, refund string) {
			w.fire(refund, "record_settlement", `{"note":"rang","amount":{"value":0,"currency":"EUR"}}`)
		}, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			m := &meddling{}
			w := newWorldOn(t, func(db table.Database) table.Database { m.Database = db; return m })
			id, mine := w.ordered(sent...)
			_, err := w.RequestReturn(w.ctx, mine, inbox.ReturnRequest{ItemID: id, Reason: "faulty"})
			w.must(err)
			refund := w.refundOf(id).Item.ID
			w.fire(refund, "approve", "")
			m.first = func() { c.meanwhile(w, id, refund) }
			_, err = w.tryFire(refund, "refund", inputs["refund"])
			var p *inbox.Problem
			if errors.As(err, &p); (p == nil) != (c.code == "") || p != nil && p.Code != c.code {
				t.Errorf("answered %v, want %q", err, c.code)
			}
			rec, err := w.store.Item(w.ctx, id)
			w.must(err)
			if c.code == "" && w.refundOf(id).Item.State != inbox.StateRefunded {
				t.Errorf("the refund is %s, the order at refundsRev %d", w.refundOf(id).Item.State, rec.RefundsRev)
			}
		})
	}
}

// TestCheckFindsRefunds: what does not fit between a promise and its refunds is
// told, of the right item.
func TestCheckFindsRefunds(t *testing.T) {
	change := func(w *world, id string, f func(*inbox.Record)) {
		rec, err := w.store.Item(w.ctx, id)
		w.must(err)
		was := rec.Rev
		f(rec)
		rec.Rev = was + 1
		w.must(w.store.Commit(w.ctx, decide.Write{Items: []decide.ItemWrite{{Record: *rec, Expect: was}}}))
	}
	cases := map[string]struct {
		damage func(w *world, order, first, second string)
		want   string // "" for well
	}{
		"ok/as it was": {func(*world, string, string, string) {}, ""},
		"fail/two go on": {func(w *world, order, first, second string) {
			w.put2(first, inbox.StateApproved)
			w.put2(second, inbox.StateApproved)
		}, "2 refunds go on"},
		"fail/more goes back than was paid": {func(w *world, _, first, _ string) {
			change(w, first, func(r *inbox.Record) { r.Item.Payload.Refund.PaidAmount.Value = 7 })
		}, "9 of 6 go back"},
		"fail/not listed": {func(w *world, order, _, _ string) {
			change(w, order, func(r *inbox.Record) { r.Refunds = r.Refunds[:1] })
		}, "does not list it"},
		"fail/listed and not there": {func(w *world, order, _, _ string) {
			change(w, order, func(r *inbox.Record) { r.Refunds = append(r.Refunds, "01J0000000000000000000000X") })
		}, "2 refunds of 3"},
		"fail/of another promise": {func(w *world, _, first, _ string) {
			change(w, first, func(r *inbox.Record) { r.Item.Payload.Refund.OrderItemID = "01J0000000000000000000000X" })
		}, "is not its refund"},
		"fail/never raised": {func(w *world, order, _, _ string) {
			change(w, order, func(r *inbox.Record) { r.RefundsRev = 1 })
		}, "refundsRev 1"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			id, mine := w.ordered(sent...)
			ask := func(line int) string {
				_, err := w.RequestReturn(w.ctx, mine, inbox.ReturnRequest{ItemID: id, Reason: "faulty", Lines: []inbox.ReturnLine{{Index: line, Quantity: 1}}})
				w.must(err)
				return w.refundOf(id).Item.ID
			}
			first := ask(0)
			w.fire(first, "approve", "")
			w.fire(first, "refund", inputs["refund"])
			second := ask(1)
			c.damage(w, id, first, second)
			findings, err := w.store.Check(w.ctx)
			w.must(err)
			all := strings.Join(findings, "\n")
			if (c.want == "") != (all == "") || !strings.Contains(all, c.want) {
				t.Errorf("found %q, want %q", all, c.want)
			}
		})
	}
}

// TestListOffersNoSecondReturn: in the owner's list too a return is offered while
// none goes on.
func TestListOffersNoSecondReturn(t *testing.T) {
	w := newWorld(t)
	id, mine := w.ordered(sent...)
	offered := func() (all string) {
		a, err := w.ListItems(w.ctx, inbox.Call{Caller: owner}, inbox.ListItemsQuery{Type: inbox.TypeOrder})
		w.must(err)
		var page struct {
			Items []struct {
				Item        struct{ ID string }
				Transitions []inbox.Transition
			}
		}
		w.must(json.Unmarshal(a.Body, &page))
		for _, i := range page.Items {
			if i.Item.ID != id {
				t.Errorf("lists %s", i.Item.ID)
			}
			for _, e := range i.Transitions {
				all += e.Event + " "
			}
		}
		return all
	}
	if got := offered(); !strings.Contains(got, "open_return") {
		t.Errorf("sent: %q", got)
	}
	_, err := w.RequestReturn(w.ctx, mine, inbox.ReturnRequest{ItemID: id, Reason: "faulty"})
	w.must(err)
	if got := offered(); strings.Contains(got, "open_return") || !strings.Contains(got, "complete") {
		t.Errorf("a return goes on: %q", got)
	}
}

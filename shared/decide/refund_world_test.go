package decide

import (
	"reflect"
	"slices"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/returns"
)

// relate reads what belongs to the item, as desk does: the refunds of a promise,
// the promise of a refund and its other refunds. Of a promise it checks what
// holds of its refunds.
func (w *world) relate() {
	w.t.Helper()
	if w.promise != nil {
		w.f.Promise = w.promise.f.Record
		w.f.Refunds = w.promise.refundRecords()
		return
	}
	w.f.Refunds = w.refundRecords()
	for _, r := range w.refunds {
		r.now, r.f.Settings = w.now, w.f.Settings
		r.relate()
	}
	w.checkRefunds()
}

func (w *world) refundRecords() (records []*inbox.Record) {
	for _, r := range w.refunds {
		records = append(records, r.f.Record)
	}
	return records
}

// checkRefunds: one return goes on at most, and no more goes back than was paid.
func (w *world) checkRefunds() {
	w.t.Helper()
	open := 0
	for _, r := range w.f.Refunds {
		if returns.IsOpen(r) {
			open++
		}
	}
	paid := int64(0)
	if p := returns.Paid(w.f.Record.Item.Payload); p != nil {
		paid = p.Value
	}
	if taken := returns.Taken(w.f.Refunds); open > 1 || taken > paid {
		w.t.Errorf("%d open, %d of %d taken", open, taken, paid)
	}
	if ids := w.f.Record.Refunds; len(ids) != len(w.refunds) {
		w.t.Errorf("refunds %v, the promise lists %v", w.refunds, ids)
	}
}

// applyBorn takes over a refund as an item of its own, and answers the rest of
// the write.
func (w *world) applyBorn(wr Write) Write {
	w.t.Helper()
	parent, born := wr.Items[0].Record, wr.Items[1].Record
	id, r := born.Item.ID, born.Item.Payload.Refund
	rest, own := wr, Write{Items: wr.Items[1:]}
	rest.Items = wr.Items[:1]
	own.Events, rest.Events = parted(wr.Events, func(e inbox.Event) bool { return e.ItemID == id })
	own.Jobs, rest.Jobs = parted(wr.Jobs, func(j inbox.Job) bool { return j.ItemID == id })
	if n := len(parent.Refunds); n == 0 || parent.Refunds[n-1] != id || parent.RefundsRev != w.f.Record.RefundsRev+1 {
		w.t.Errorf("the promise lists %v at %d", parent.Refunds, parent.RefundsRev)
	}
	if r.OrderItemID != parent.Item.ID || *born.Item.LinkedItemID != parent.Item.ID || born.AccessTokenHash != parent.AccessTokenHash || born.Item.PartyID != parent.Item.PartyID {
		w.t.Errorf("the refund is not the promise's: %+v", born)
	}
	if needs := born.Item.State == inbox.StateRequested; born.Item.Flags.NeedsHuman != needs {
		w.t.Errorf("born %s, needs a person: %v", born.Item.State, !needs)
	}
	last := wr.Events[0]
	if e := own.Events[0]; *e.CausationID != last.ID || e.Depth != 1 || e.Event != inbox.EventCreate || e.Meta.Kind != r.Kind || e.FromState != nil {
		w.t.Errorf("its create: %+v", e)
	}
	child := &world{t: w.t, now: w.now, source: w.source, token: w.token, offers: map[int]inbox.Offer{}, places: map[string]inbox.Claim{}, holdings: map[string]bool{}, f: w.f}
	child.f.Record, child.f.Offer, child.f.Thread, child.f.Asked, child.f.Entry = nil, nil, nil, nil, nil
	child.promise = w
	w.refunds = append(w.refunds, child)
	child.applyFirst(own)
	return rest
}

// applyFirst applies a create without looking at a promise that is not there yet.
func (w *world) applyFirst(own Write) {
	w.t.Helper()
	promise := w.promise
	w.promise = nil
	w.apply(own)
	w.promise = promise
}

// applyRaised takes over what a write on a refund does to its promise: only its
// refundsRev moves.
func (w *world) applyRaised(wr Write) Write {
	w.t.Helper()
	want := *w.promise.f.Record
	want.Rev++
	want.RefundsRev++
	if got := wr.Items[1]; got.Expect != want.Rev-1 || !reflect.DeepEqual(got.Record, want) {
		w.t.Errorf("the promise is written as %+v, want %+v", got, want)
	}
	w.promise.f.Record = &want
	wr.Items = wr.Items[:1]
	return wr
}

// raises says whether an event of a refund raises the promise's refundsRev.
func raises(event string) bool {
	return slices.Contains([]string{"approve", "refund", "record_settlement", "reject", "cancel", "record_cancel"}, event)
}

// sentOrder is the usual order, 35.50, paid, sent and delivered.
func sentOrder(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	w.create(w.customer(), orderRequest())
	w.fire(owner, "accept")
	w.fire(owner, "record_payment", `{"paymentRef":"first"}`)
	w.fire(owner, "fulfil")
	w.fire(owner, "record_delivery")
	return w
}

// paidBooking is the usual booking, confirmed and paid, of a service that may be
// withdrawn from.
func paidBooking(t *testing.T) *world {
	t.Helper()
	w := newWorld(t)
	w.f.Service.Withdrawal = inbox.WithdrawalStandard
	w.create(w.customer(), bookingRequest())
	w.fire(owner, "confirm")
	w.fire(owner, "record_payment", `{"paymentRef":"first"}`)
	return w
}

// refund is the newest refund of a promise.
func (w *world) refund() *world {
	w.t.Helper()
	if len(w.refunds) == 0 {
		w.t.Fatal("no refund was born")
	}
	return w.refunds[len(w.refunds)-1]
}

// returnIn is a refund for goods of the usual order, in a state.
func returnIn(t *testing.T, state inbox.State) *world {
	t.Helper()
	w := sentOrder(t)
	w.fire(w.customer(), "request_return", `{"reasonCode":"faulty"}`)
	r := w.refund()
	for _, event := range map[inbox.State][]string{
		inbox.StateApproved:      {"approve"},
		inbox.StateGoodsReceived: {"approve", "goods_back"},
		inbox.StateRefunded:      {"approve", "refund"},
		inbox.StateRejected:      {"reject"},
		inbox.StateCancelled:     {"record_cancel"},
	}[state] {
		q := needing(event)
		switch event {
		case "reject":
			w.now = w.now.Add(60 * inbox.Day)
			r.now = w.now
			r.f.Record.Item.Payload.Refund.NoticeAt = &w.now
		case "record_cancel":
			q.Input = []byte(`{"note":"keeps it"}`)
		}
		r.ok(r.decide(owner, q))
	}
	if r.f.Record.Item.State != state {
		t.Fatalf("in %s, want %s", r.f.Record.Item.State, state)
	}
	return r
}

// fittingReturn sets the stage for an event about money or goods that go back.
func (w *world) fittingReturn(c inbox.Caller, event string, r *TransitionRequest) {
	named := func(note string) []byte {
		w.f.Entry = &inbox.Entry{ID: "ENTRY", ItemID: w.f.Record.Item.ID, Direction: inbox.DirectionIn, CreatedAt: w.now}
		return []byte(`{"note":"` + note + `","entryId":"ENTRY"}`)
	}
	w.now = w.now.Add(inbox.Minute)
	switch event {
	case "withdraw", "record_withdrawal":
		if b := w.f.Record.Item.Payload.Booking; b != nil {
			b.PaymentRef = "first"
			w.f.Record.WithdrawalFlags = []inbox.Withdrawal{inbox.WithdrawalStandard}
		}
		if event == "record_withdrawal" && !c.IsPerson() {
			r.Input = named("wrote to withdraw")
		}
	case "reject": // asked when the right was over
		w.now = w.now.Add(60 * inbox.Day)
		if p := w.f.Record.Item.Payload.Refund; p != nil {
			p.NoticeAt = &w.now
		}
	}
}

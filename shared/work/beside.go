package work

import (
	"context"
	"encoding/json"
	"slices"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/words"
)

// readBeside reads the items that a mail about another tells of: what a quote
// became, the refund that was born with the event, and of a refund the contract
// it belongs to. One storage call for each.
func (w *Worker) readBeside(ctx context.Context, f *facts) (err error) {
	i := &f.Record.Item
	if i.LinkedItemID != nil {
		linked, err := w.Store.Item(ctx, *i.LinkedItemID)
		if err != nil {
			return err
		}
		switch i.Type {
		case inbox.TypeQuote:
			f.contract = linked
		case inbox.TypeRefund:
			f.Promise = linked
		}
	}
	if f.event == nil || len(f.Record.Refunds) == 0 || !slices.Contains(bearing, f.event.Event) {
		return nil
	}
	newest, err := w.Store.Item(ctx, f.Record.Refunds[len(f.Record.Refunds)-1])
	if err == nil && newest != nil && newest.Item.CreatedAt == f.event.CreatedAt {
		f.back = newest
	}
	return err
}

// bearing are the events a refund may be born with whose own mail tells of it
// (05 §3.1).
var bearing = []string{"withdraw", "record_withdrawal", "cancel", "cancel_by_business", "record_cancel", "record_cancel_late"}

// givenBack is what goes back with the event, nil for nothing.
func (f *facts) givenBack() *words.Refund {
	if f.back == nil {
		return nil
	}
	return decide.RefundOf(&f.back.Item, f.Settings)
}

// refundKind is the kind of a refund, "" for any other item.
func (f *facts) refundKind() string {
	if r := f.Record.Item.Payload.Refund; r != nil {
		return r.Kind
	}
	return ""
}

// confirming says whether an event makes a promise, so that its own mail is a
// confirmation.
func confirming(ev *inbox.Event) bool { return ev.Event == "accept" || ev.Event == "confirm" }

// confirms says whether the mail takes the place of a confirmation (05 §3.1).
func (f *facts) confirms() bool {
	return slices.ContainsFunc(f.older, func(o older) bool { return confirming(o.event) })
}

// agreedAnew are the parts of a payload that differ where what was agreed is not
// what was asked for.
var agreedAnew = []string{"startTime", "endTime", "orderedItem", "totalPrice", "delivery"}

// asAsked says whether the promise that the mail confirms is what was asked for:
// the event that made it changed nothing of that.
func (f *facts) asAsked() bool {
	made := f.event
	for _, o := range f.older {
		if confirming(o.event) {
			made = o.event
		}
	}
	return made != nil && confirming(made) && made.Diff != nil && !slices.ContainsFunc(agreedAnew, func(part string) bool {
		_, differs := made.Diff.Payload[part]
		return differs
	})
}

// changeBy is who asked for the change that the event is about, "" for none: it
// stands in the payload before the event or after it.
func (f *facts) changeBy() inbox.Side {
	if f.event == nil || f.event.Diff == nil {
		return ""
	}
	moved := f.event.Diff.Payload["change"]
	for _, stood := range []json.RawMessage{moved[1], moved[0]} {
		var change struct {
			By inbox.Side `json:"by"`
		}
		if stood != nil && json.Unmarshal(stood, &change) == nil && change.By != "" {
			return change.By
		}
	}
	return ""
}

// paid is the amount of the payment that the event recorded, nil when it is not
// known.
func (f *facts) paid() *inbox.Money {
	var in struct {
		Amount *inbox.Money `json:"amount"`
	}
	f.input(&in)
	return in.Amount
}

// notice is when a withdrawal was sent: as the refund it led to has it, else as
// the business recorded it, else the moment of the event.
func (f *facts) notice() *inbox.Instant {
	var in struct {
		AskedAt *inbox.Instant `json:"askedAt"`
	}
	f.input(&in)
	for _, r := range []*inbox.Record{f.Record, f.back} {
		if r != nil && r.Item.Payload.Refund != nil && r.Item.Payload.Refund.NoticeAt != nil {
			return r.Item.Payload.Refund.NoticeAt
		}
	}
	if in.AskedAt != nil || f.event == nil {
		return in.AskedAt
	}
	return &f.event.CreatedAt
}

// input reads what the event's input says into a struct.
func (f *facts) input(into any) {
	if f.event != nil && f.event.Meta.Input != nil {
		_ = json.Unmarshal(f.event.Meta.Input, into) // of another shape: nothing is known
	}
}

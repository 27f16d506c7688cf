package desk

import (
	"context"
	"encoding/json"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

// ProvideDetails answers a question of the business's, or is kept as a message
// (03 §5.1).
func (d *Desk) ProvideDetails(ctx context.Context, call inbox.Call, req inbox.ProvideDetailsRequest) (inbox.Answer, error) {
	return d.onItem(ctx, call, req.ItemID, "provide_details", req,
		func(f decide.Facts, e decide.Env) (decide.Outcome, error) {
			return decide.Details(f, call.Caller, req.Details, e)
		})
}

// CancelItem takes back what the customer asked for: the door's cancel of
// 01 §5.1 to §5.3.
func (d *Desk) CancelItem(ctx context.Context, call inbox.Call, req inbox.CancelItemRequest) (inbox.Answer, error) {
	return d.onItem(ctx, call, req.ItemID, "cancel_item", req,
		func(f decide.Facts, e decide.Env) (decide.Outcome, error) {
			return decide.Cancel(f, call.Caller, req.Reason, e)
		})
}

// Reply sends words of the business to the customer, or keeps them inside.
func (d *Desk) Reply(ctx context.Context, call inbox.Call, req inbox.ReplyRequest) (inbox.Answer, error) {
	return d.onItem(ctx, call, req.ItemID, "reply", req,
		func(f decide.Facts, e decide.Env) (decide.Outcome, error) {
			return decide.Reply(f, call.Caller, req, e)
		})
}

// onItem runs a verb that claims no places on an item.
func (d *Desk) onItem(ctx context.Context, call inbox.Call, itemID, door string, input any,
	judge func(decide.Facts, decide.Env) (decide.Outcome, error),
) (inbox.Answer, error) {
	return d.act(ctx, door, input, verb{call: call, want: store.Want{ItemID: itemID}, decide: judge})
}

// act runs a verb on an item under the name of its door. A customer is answered
// with the conversation.
func (d *Desk) act(ctx context.Context, door string, input any, v verb) (inbox.Answer, error) {
	print, err := fingerprint(door, v.call, input)
	if err != nil {
		return inbox.Answer{}, err
	}
	v.fingerprint, v.thread = print, v.call.IsCustomer()
	return d.run(ctx, v)
}

// TransitionItem fires an event of the business's (01 §3, 03 §5.2).
func (d *Desk) TransitionItem(ctx context.Context, call inbox.Call, req inbox.TransitionRequest) (inbox.Answer, error) {
	print, err := fingerprint("transition", call, req)
	if err != nil {
		return inbox.Answer{}, err
	}
	return d.transition(ctx, call, req.ItemID, print, decide.TransitionRequest{
		Event: req.Event, Input: req.Input, Reason: req.Reason,
		ExpectedVersion: req.ExpectedVersion, WrittenBy: req.WrittenBy,
	})
}

func (d *Desk) transition(ctx context.Context, call inbox.Call, itemID, print string, r decide.TransitionRequest) (inbox.Answer, error) {
	return d.run(ctx, verb{
		call: call, fingerprint: print, want: store.Want{ItemID: itemID}, entryID: entryNamed(r.Input), lines: linesNamed(r.Input),
		rows:  func(f decide.Facts) []inbox.HourRow { return decide.Needs(f, call.Caller, r) },
		holds: func(f decide.Facts) bool { return decide.NeedsHolds(f, call.Caller, r) },
		decide: func(f decide.Facts, e decide.Env) (decide.Outcome, error) {
			return decide.Transition(f, call.Caller, r, e)
		},
	})
}

// linesNamed are the order's lines that an input names; as for the entry, a
// malformed input is refused later.
func linesNamed(input json.RawMessage) []inbox.OrderLine {
	var named struct {
		OrderedItem []inbox.OrderLine `json:"orderedItem"`
	}
	if json.Unmarshal(input, &named) != nil || len(named.OrderedItem) > 200 {
		return nil
	}
	return named.OrderedItem
}

// entryNamed is the thread entry an input names, "" for none; a malformed input
// is refused later, where it is validated.
func entryNamed(input json.RawMessage) string {
	var named struct {
		EntryID string `json:"entryId"`
	}
	if json.Unmarshal(input, &named) != nil || len(named.EntryID) > 64 {
		return ""
	}
	return named.EntryID
}

// Sweeper is who fires what is due (01 §13.4).
var Sweeper = inbox.Caller{Actor: inbox.Actor{Kind: inbox.System, ID: "lifecycle_sweep", Channel: inbox.ChannelSystem}}

// Fire fires an event of the system's, as the sweep does. A refusal is the
// caller's to judge: someone may have moved the item first.
func (d *Desk) Fire(ctx context.Context, itemID, event, reason string) error {
	_, err := d.transition(ctx, inbox.Call{Caller: Sweeper}, itemID, "", decide.TransitionRequest{Event: event, Reason: reason})
	return err
}

package desk

import (
	"context"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

// Withdraw is a customer's withdrawal from a contract, in two steps (02 §9.4,
// 03 §5.1). The first is answered with the statement and writes nothing, so the
// second may bring the same idempotency key. 200 [inbox.CustomerResult]; 202 when
// a person has to look at it.
//
// Problems: not_found, not_allowed, wrong_state, invalid_input,
// confirm_withdrawal, idempotency_mismatch, unavailable.
func (d *Desk) Withdraw(ctx context.Context, call inbox.Call, req inbox.WithdrawRequest) (inbox.Answer, error) {
	return d.onItem(ctx, call, req.ItemID, "withdraw_from_contract", req,
		func(f decide.Facts, e decide.Env) (decide.Outcome, error) {
			return decide.Withdraw(f, call.Caller, req, e)
		})
}

// RequestReturn asks to send goods back that were sent (02 §9.6, 03 §5.1). 201
// [inbox.CustomerResult] with the return as linked.
//
// Problems: not_found, not_allowed, wrong_state, guard_failed, invalid_input,
// idempotency_mismatch, unavailable.
func (d *Desk) RequestReturn(ctx context.Context, call inbox.Call, req inbox.ReturnRequest) (inbox.Answer, error) {
	return d.onItem(ctx, call, req.ItemID, "request_return", req,
		func(f decide.Facts, e decide.Env) (decide.Outcome, error) {
			return decide.RequestReturn(f, call.Caller, req, e)
		})
}

// OpenReturn opens a return for a customer who asked the business for it
// (02 §9.6, 03 §5.2). 201 [inbox.TransitionResult] with the return as linked.
//
// Problems: those of [Desk.RequestReturn].
func (d *Desk) OpenReturn(ctx context.Context, call inbox.Call, req inbox.OpenReturnRequest) (inbox.Answer, error) {
	return d.act(ctx, "open_return", req, verb{
		call: call, want: store.Want{ItemID: req.ItemID}, entryID: req.EntryID,
		decide: func(f decide.Facts, e decide.Env) (decide.Outcome, error) {
			return decide.OpenReturn(f, call.Caller, req, e)
		},
	})
}

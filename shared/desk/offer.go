package desk

import (
	"context"
	"slices"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

// AcceptOffer says yes to the business's open offer (03 §5.1, 02 §11.1). Like
// every door of the customer's it is written at the version that was read, and
// judged again when the item moved meanwhile.
//
// Problems: not_found, not_allowed, no_offer, offer_expired, offer_changed,
// confirm_terms, slot_taken, guard_failed, idempotency_mismatch, unavailable.
func (d *Desk) AcceptOffer(ctx context.Context, call inbox.Call, req inbox.AcceptOfferRequest) (inbox.Answer, error) {
	asked := req
	asked.TermsSHA = "" // not what a repeated request is recognised by (02 §5.4)
	return d.act(ctx, "accept_offer", asked, verb{
		call: call, want: store.Want{ItemID: req.ItemID},
		rows:  func(f decide.Facts) []inbox.HourRow { return decide.NeedsAccept(f, call.Caller) },
		holds: holdsFor(call, "accept", "accept_change"),
		decide: func(f decide.Facts, e decide.Env) (decide.Outcome, error) {
			return decide.AcceptOffer(f, call.Caller, req, e)
		},
	})
}

// DeclineOffer says no to the business's open offer, or takes the customer's own
// change back. Problems: not_found, not_allowed, no_offer, offer_changed,
// wrong_state, guard_failed, idempotency_mismatch, unavailable.
func (d *Desk) DeclineOffer(ctx context.Context, call inbox.Call, req inbox.DeclineOfferRequest) (inbox.Answer, error) {
	return d.onItem(ctx, call, req.ItemID, "decline_offer", req,
		func(f decide.Facts, e decide.Env) (decide.Outcome, error) {
			return decide.DeclineOffer(f, call.Caller, req, e)
		})
}

// MakeOffer answers with other terms; what cannot be an offer is passed on to a
// person, 202 (01 §5.7). Problems: not_found, not_allowed, no_offer,
// offer_changed, slot_taken, guard_failed, invalid_input, idempotency_mismatch,
// unavailable.
func (d *Desk) MakeOffer(ctx context.Context, call inbox.Call, req inbox.MakeOfferRequest) (inbox.Answer, error) {
	return d.act(ctx, "make_offer", req, verb{
		call: call, want: store.Want{ItemID: req.ItemID},
		rows:  func(f decide.Facts) []inbox.HourRow { return decide.NeedsOffer(f, call.Caller, req) },
		holds: holdsFor(call, "counter", "propose_change"),
		decide: func(f decide.Facts, e decide.Env) (decide.Outcome, error) {
			return decide.MakeOffer(f, call.Caller, req, e)
		},
	})
}

// SuggestTime is [Desk.MakeOffer] for another time.
func (d *Desk) SuggestTime(ctx context.Context, call inbox.Call, req inbox.SuggestTimeRequest) (inbox.Answer, error) {
	return d.act(ctx, "suggest_time", req, verb{
		call: call, want: store.Want{ItemID: req.ItemID},
		rows:  func(f decide.Facts) []inbox.HourRow { return decide.NeedsSuggestion(f, call.Caller, req) },
		holds: holdsFor(call, "counter", "propose_change"),
		decide: func(f decide.Facts, e decide.Env) (decide.Outcome, error) {
			return decide.SuggestTime(f, call.Caller, req, e)
		},
	})
}

// PutOffer puts an offer of the business's to the customer: another time,
// changes to an order, or a quote, as the item's state takes (02 §11.2).
// Problems: those of [Desk.TransitionItem].
func (d *Desk) PutOffer(ctx context.Context, call inbox.Call, req inbox.PutOfferRequest) (inbox.Answer, error) {
	return d.act(ctx, "put_offer", req, verb{
		call: call, want: store.Want{ItemID: req.ItemID}, lines: linesNamed(req.Input),
		rows: func(f decide.Facts) []inbox.HourRow { return decide.Needs(f, call.Caller, decide.PutRequest(f, req)) },
		holds: func(f decide.Facts) bool {
			return decide.NeedsHolds(f, call.Caller, decide.PutRequest(f, req))
		},
		decide: func(f decide.Facts, e decide.Env) (decide.Outcome, error) {
			return decide.PutOffer(f, call.Caller, req, e)
		},
	})
}

// holdsFor says whether one of the events of the customer's may hold places: the
// item's state says which of them a door fires.
func holdsFor(call inbox.Call, events ...string) func(decide.Facts) bool {
	return func(f decide.Facts) bool {
		return slices.ContainsFunc(events, func(event string) bool {
			return decide.NeedsHolds(f, call.Caller, decide.TransitionRequest{Event: event})
		})
	}
}

// ListOffers is the ledger of an item, oldest first (02 §1.12). Problems:
// not_found.
func (d *Desk) ListOffers(ctx context.Context, _ inbox.Call, req inbox.ItemRequest) (inbox.Answer, error) {
	l, err := d.Store.Load(ctx, store.Want{ItemID: req.ItemID})
	if err != nil {
		return inbox.Answer{}, err
	}
	if l.Record == nil {
		return inbox.Answer{}, inbox.NotFound()
	}
	offers, err := d.Store.Offers(ctx, req.ItemID)
	if err != nil {
		return inbox.Answer{}, err
	}
	return reading(decide.OfferList(offers), "")
}

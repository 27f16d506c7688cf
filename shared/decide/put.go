package decide

import (
	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
)

// PutOffer is the business's make_offer: the event that the item's state takes,
// propose, quote or propose_change (02 §11.2). Its body is a
// [inbox.TransitionResult].
//
// Problems: wrong_state for a type that does not negotiate, then those of
// [Transition].
func PutOffer(f Facts, c inbox.Caller, r inbox.PutOfferRequest, e Env) (Outcome, error) {
	t := PutRequest(f, r)
	if t.Event == "" {
		i := f.Record.Item
		return Outcome{}, inbox.Refuse(inbox.CodeWrongState, "An item of type %s takes no offers.", i.Type).
			With("state", i.State).With("allowedFrom", []inbox.State{})
	}
	return Transition(f, c, t, e)
}

// PutRequest is the transition that [PutOffer] fires; its event is "" for a type
// that does not negotiate.
func PutRequest(f Facts, r inbox.PutOfferRequest) TransitionRequest {
	t := TransitionRequest{Input: r.Input, ExpectedVersion: r.ExpectedVersion, WrittenBy: r.WrittenBy}
	switch i := f.Record.Item; {
	case i.Type == inbox.TypeQuote:
		t.Event = "quote"
	case i.Type != inbox.TypeBooking && i.Type != inbox.TypeOrder:
	case machine.Of(i.Type).IsPromise(i.State):
		t.Event = "propose_change"
	default:
		t.Event = "propose"
	}
	return t
}

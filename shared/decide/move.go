package decide

import (
	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
)

// move is one transition being decided: what was read, and what will be
// written as far as the steps have come. Nothing in the facts is changed.
type move struct {
	f *Facts
	c inbox.Caller
	e Env
	r TransitionRequest

	table  *machine.Table
	row    *machine.Row
	from   inbox.State
	before inbox.Payload // before the input is applied
	in     input

	rec       inbox.Record // the item as it will stand
	offer     *inbox.Offer // the open or last agreed offer, as it will stand
	agreed    *inbox.Offer // the last agreed one, as it will stand
	place     *inbox.Claim // the place planned for claim_slot
	event     inbox.Event
	effects   []inbox.Effect // owed once the write has committed
	entryID   string         // the thread entry born with the move
	linked    *linkedItem    // what an accepted quote becomes, nil for every other row
	refund    *bornRefund    // what the row owes, nil for nothing
	write     Write
	late      *lateYes // the late yes that became an offer, nil for every other move
	converted string   // why another event was fired than the one sent
	held      bool     // the note names money and stays inside
	repeated  bool     // a payment that is recorded already: nothing changes
	masked    bool     // a secret was hidden in the caller's words
}

func newMove(f *Facts, c inbox.Caller, r TransitionRequest, e Env) *move {
	m := &move{
		f: f, c: c, e: e, r: r, rec: *f.Record, offer: f.Offer, agreed: agreedOffer(f),
		table: machine.Of(f.Record.Item.Type), from: f.Record.Item.State, before: f.Record.Item.Payload,
	}
	m.rec.Item.Payload = m.before.Clone()
	return m
}

// booking is the booking as it will stand, nil for other types.
func (m *move) booking() *inbox.Booking { return m.rec.Item.Payload.Booking }

// side is the side of the agreement that acts. A recorded no is the customer's,
// whoever typed it (02 §1.3).
func (m *move) side() inbox.Side {
	if m.c.IsCustomer() || m.r.Event == "record_cancel" || m.r.Event == "record_cancel_late" || m.r.Event == "record_withdrawal" {
		return inbox.SideCustomer
	}
	return inbox.SideBusiness
}

package decide

import (
	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
)

// changeTo is the input of another start.
func changeTo(from inbox.Instant) string {
	return string(mustJSON(inbox.ChangeTimeInput{StartTime: from}))
}

// later is the start that changes of the usual booking ask for.
var later = start.Add(4 * inbox.Hour)

// deliverOn is the input of another day of delivery, which any promised order
// takes, paid or not.
const deliverOn = `{"delivery":{"method":"delivery","when":"2026-10-20T10:00:00Z"},"deliveryWhen":"2026-10-20T10:00:00Z"}`

// change is the input of a change that either side may ask for.
func (w *world) change() string {
	if w.f.Record.Item.Type == inbox.TypeOrder {
		return deliverOn
	}
	return changeTo(later)
}

// askChange asks for a change to the promise; the business's holds nothing and
// binds as the settings say.
func (w *world) askChange(by inbox.Side) {
	w.t.Helper()
	c := owner
	if by == inbox.SideCustomer {
		c = w.customer()
	}
	w.fire(c, "propose_change", w.change())
}

// fittingChange sets the stage for an event of a change and gives the request
// with which it succeeds: a change of the side that the event answers, or takes
// back, is open.
func (w *world) fittingChange(c inbox.Caller, event string) TransitionRequest {
	own, theirs := inbox.SideBusiness, inbox.SideCustomer
	if c.IsCustomer() {
		own, theirs = theirs, own
	}
	r := request(event)
	switch event {
	case "propose_change":
		w.f.Settings.Negotiation.AI.MayProposeChanges = true
		r.Input = []byte(w.change())
	case "accept_change", "decline_change":
		w.askChange(theirs)
	case "retract_change":
		w.f.Settings.Negotiation.Binding = false
		w.askChange(own)
	case "expire_change":
		w.askChange(own)
		w.now = *w.f.Record.DueAt
	}
	return r
}

// promised are the states that are a promise, by type.
func promised(typ inbox.Type) []inbox.State { return machine.Of(typ).Promise }

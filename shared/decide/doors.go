package decide

import (
	"net/http"

	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
)

// Cancel is the customer's cancel door (01 §5.1 to §5.3): cancel, for a quote
// request decline; a booking that it is too late for is cancelled late where
// late cancellations are recorded. Status 200, body [inbox.CustomerResult].
//
// Problems: not_allowed, wrong_state, guard_failed, invalid_input.
func Cancel(f Facts, c inbox.Caller, reason string, e Env) (Outcome, error) {
	if p := asCustomer(&f, c); p != nil {
		return Outcome{}, p
	}
	if out, ok := cancelPaid(&f, c, reason, e); ok {
		return out, nil
	}
	r := TransitionRequest{Event: "cancel", Input: mustJSON(inbox.NoteInput{Note: reason})}
	switch f.Record.Item.Type {
	case inbox.TypeQuote:
		r.Event = "decline"
	case inbox.TypeMessage:
		return Outcome{}, nothingToCancel(f.Record)
	}
	m, p := fire(&f, c, r, e)
	if p != nil && refusedBy(p, withinCancellationWindow) {
		r.Event = "cancel_late"
		m, p = instead(&f, c, r, e, p)
	}
	return m.outcome(p)
}

func nothingToCancel(r *inbox.Record) *inbox.Problem {
	state := machine.Of(r.Item.Type).SeenByCustomer(r.Item.State)
	return inbox.Refuse(inbox.CodeWrongState, "A message cannot be cancelled.").
		With("state", state).With("allowedFrom", []inbox.State{})
}

// asCustomer lets in a customer whose the item is.
func asCustomer(f *Facts, c inbox.Caller) *inbox.Problem {
	if !c.IsCustomer() {
		return inbox.NotAllowed("", "This is the customer's door. The business acts at its own.").
			With("allowedFor", machine.Customer.Kinds())
	}
	return owns(f.Record, c)
}

// answering is the event that a customer's words fire: the answer to a question
// of the business's, or a message that goes on; "" when they move nothing
// (01 §5.7, §16).
func answering(i inbox.Item) string {
	switch {
	case i.State == inbox.StateNeedsInfo:
		return "provide_info"
	case i.Type == inbox.TypeMessage && (i.State == inbox.StateAnswered || i.State == inbox.StateClosed):
		return "reopen"
	}
	return ""
}

// Details is the provide_details door: it answers a question of the business's
// or opens a message again, 200; else the words are kept as the customer's
// message, 202 and appended. Body [inbox.CustomerResult].
//
// Problems: not_allowed, invalid_input.
func Details(f Facts, c inbox.Caller, details string, e Env) (Outcome, error) {
	return speak(&f, c, speech{text: details}, http.StatusAccepted, e)
}

// Message is send_message on an item: like [Details], but 200 in every case.
func Message(f Facts, c inbox.Caller, r inbox.SendMessageRequest, e Env) (Outcome, error) {
	w := speech{text: r.Body, subject: r.Subject, messageID: r.MessageID}
	return speak(&f, c, w, http.StatusOK, e)
}

// speak takes a customer's words on their item. appended is the status when
// they moved nothing.
func speak(f *Facts, c inbox.Caller, w speech, appended int, e Env) (Outcome, error) {
	if p := asCustomer(f, c); p != nil {
		return Outcome{}, p
	}
	event := answering(f.Record.Item)
	if event == "" || machine.Of(f.Record.Item.Type).Refuses(event, f.Record.Item.State) {
		return appendInbound(f, c, w, appended, e), nil
	}
	r := TransitionRequest{Event: event, Input: mustJSON(inbox.DetailsInput{Note: w.text}), said: &w}
	m, p := fire(f, c, r, e)
	return m.outcome(p)
}

// appendInbound keeps a customer's words on the thread. The business is told,
// but not of what comes in on spam (01 §5.4).
func appendInbound(f *Facts, c inbox.Caller, w speech, status int, e Env) Outcome {
	masked := mask(&w.text)
	mask(&w.subject)
	w.direction = inbox.DirectionIn
	t := entry(f.Record.Item, c, e, w)
	a := appended(f, e, t)
	a.rec.Clocked = true
	if masked {
		a.keep(maskedNote(f.Record.Item, e))
	}
	if f.Record.Item.State != inbox.StateSpam {
		a.tell(inbox.EffectNotifyOwner, "owner", t.ID)
	}
	us := waitingOnUs
	return Outcome{Write: a.write(e), Status: status, Body: inbox.CustomerResult{
		View: customerView(f.become(&a.rec, f.Offer, a.said), c, e), WaitingOn: &us, Appended: true,
	}}
}

// Reply is words of the business on an item. On an open message they are its
// answer; elsewhere they are kept as an outgoing entry of which the customer is
// told, internal ones as a note of which nobody is. Words of automation that
// name money are held inside. Status 200, body [inbox.TransitionResult].
//
// Problems: not_allowed, invalid_input.
func Reply(f Facts, c inbox.Caller, r inbox.ReplyRequest, e Env) (Outcome, error) {
	if !c.IsBusiness() {
		return Outcome{}, inbox.NotAllowed("", "Only the business replies.")
	}
	if !r.Internal && f.Record.Item.Type == inbox.TypeMessage && f.Record.Item.State == inbox.StateOpen {
		m, p := fire(&f, c, TransitionRequest{
			Event: "answer", Input: mustJSON(inbox.DetailsInput{Note: r.Body}), WrittenBy: r.WrittenBy,
		}, e)
		return m.outcome(p)
	}
	body := r.Body
	if p := leaks(c, mask(&body)); p != nil {
		return Outcome{}, p
	}
	if !r.Internal && namesMoney(&f, c, r.WrittenBy, body) {
		m := newMove(&f, c, TransitionRequest{WrittenBy: r.WrittenBy}, e)
		m.in.note, m.held = body, true
		m.hold()
		return m.outcome(nil)
	}
	return appendReply(&f, c, r, body, e), nil
}

// appendReply keeps the business's words on the thread.
func appendReply(f *Facts, c inbox.Caller, r inbox.ReplyRequest, body string, e Env) Outcome {
	w := speech{text: body, direction: inbox.DirectionOut, writtenBy: writtenBy(c, r.WrittenBy)}
	if r.Internal {
		w.direction = inbox.DirectionNote
	}
	t := entry(f.Record.Item, c, e, w)
	a := appended(f, e, t)
	if !r.Internal && f.Record.Item.State != inbox.StateSpam {
		a.tell(inbox.EffectNotifyCustomer, "customer", t.ID)
	}
	return Outcome{Write: a.write(e), Status: http.StatusOK, Body: inbox.TransitionResult{
		View: ownerView(f.become(&a.rec, f.Offer, a.said), c, e),
	}}
}

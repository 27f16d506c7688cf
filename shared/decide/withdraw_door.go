package decide

import (
	"net/http"
	"slices"
	"strings"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
	"typedinbox/shared/returns"
	"typedinbox/shared/words"
)

// Withdraw is withdraw_from_contract, in two steps: without the confirmation it
// answers what would be declared, with it the contract is withdrawn from. Past
// the right goods that were sent become a return for the business to answer; what
// else there is to say is kept as the customer's message for a person. It is
// never refused (02 §9.4). Status 200, body [inbox.CustomerResult]; 202 when it
// was passed on.
//
// Problems: not_allowed, wrong_state when nothing is agreed, invalid_input for
// lines that were not bought, confirm_withdrawal with details.statement.
func Withdraw(f Facts, c inbox.Caller, r inbox.WithdrawRequest, e Env) (Outcome, error) {
	if p := asCustomer(&f, c); p != nil {
		return Outcome{}, p
	}
	if p := withdrawable(&f, r.Lines); p != nil {
		return Outcome{}, p
	}
	if !r.Confirm {
		return Outcome{}, askToWithdraw(&f, r.Lines, e)
	}
	for _, t := range withdrawals(&f, r, e) {
		if m, p := fire(&f, c, t, e); p == nil {
			return m.outcome(nil)
		}
	}
	return passOnWithdrawal(&f, c, r, e), nil
}

// withdrawable: there is, or was, a contract, and it has the lines named.
func withdrawable(f *Facts, lines []inbox.ReturnLine) *inbox.Problem {
	i := &f.Record.Item
	if !returns.Agreed(i) && !wasKept(f.Record) {
		return inbox.Refuse(inbox.CodeWrongState, "Nothing is agreed, so there is nothing to withdraw from.").
			With("state", machine.Of(i.Type).SeenByCustomer(i.State)).With("allowedFrom", agreedStates[i.Type])
	}
	if problem := badLines(f.Record, lines); problem != "" {
		return inbox.InvalidField("lines", "%s", problem)
	}
	return nil
}

// agreedStates are the states of a contract, as a refusal lists them.
var agreedStates = map[inbox.Type][]inbox.State{
	inbox.TypeBooking: {inbox.StateConfirmed},
	inbox.TypeOrder: {
		inbox.StateAccepted, inbox.StateAwaitingPayment, inbox.StatePaymentFailed, inbox.StatePaid,
		inbox.StateFulfilling, inbox.StateFulfilled, inbox.StateCompleted,
	},
	inbox.TypeQuote: {}, inbox.TypeMessage: {}, inbox.TypeRefund: {},
}

// wasKept says whether a contract ran its course otherwise than by being ended: a
// withdrawal from it is for a person to answer.
func wasKept(r *inbox.Record) bool {
	switch r.Item.State {
	case inbox.StateCompleted, inbox.StateNoShow, inbox.StateChargedBack:
		return r.Item.Type == inbox.TypeBooking || r.Item.Type == inbox.TypeOrder
	}
	return false
}

// withdrawals are the events that a confirmed withdrawal may be, in the order in
// which they are tried: the withdrawal itself while the right runs, else a return
// of what was sent. Lines of an order that was not sent yet are for a person.
func withdrawals(f *Facts, r inbox.WithdrawRequest, e Env) []TransitionRequest {
	sent := returns.Sent(&f.Record.Item)
	var list []TransitionRequest
	if rightOf(f, e.Now).Available && (sent || !isPart(f.Record.Item.Payload.Order, r.Lines)) {
		list = append(list, TransitionRequest{Event: "withdraw", Input: mustJSON(inbox.WithdrawInput{Note: r.Note, Lines: r.Lines})})
	}
	if sent {
		list = append(list, TransitionRequest{Event: "request_return", Input: mustJSON(inbox.ReturnInput{
			ReasonCode: returns.ChangedMind, Lines: r.Lines, Note: r.Note,
		})})
	}
	return list
}

// StatementOf is what the customer would declare by withdrawing from the facts'
// contract now, in their language: the first of the two steps shows it.
func StatementOf(f Facts, lines []inbox.ReturnLine, e Env) inbox.WithdrawalStatement {
	return statement(&f, lines, e)
}

func statement(f *Facts, lines []inbox.ReturnLine, e Env) inbox.WithdrawalStatement {
	lang, country := customerLang(f), f.Settings.Commerce.Legal.Country
	right := rightOf(f, e.Now)
	s := inbox.WithdrawalStatement{
		Text: words.Statement(lang, about(f), country, linesBack(f.Record, lines)...), Reference: f.Record.Reference(), Lines: lines,
		Available: right.Available, Until: right.Until, Why: right.Why,
	}
	if f.Record.Item.Subject != nil {
		s.Contract = *f.Record.Item.Subject
	}
	if f.Party != nil {
		s.Name, s.Email = f.Party.Contact.Name, f.Party.Contact.Email
	}
	s.Label, s.Confirm = words.WithdrawalLabels(lang, country)
	return s
}

// linesBack are the lines that come back of an order, nil when all of it does.
func linesBack(promise *inbox.Record, lines []inbox.ReturnLine) (some []words.Line) {
	o := promise.Item.Payload.Order
	if !isPart(o, lines) {
		return nil
	}
	for _, l := range lines {
		if l.Index < len(o.OrderedItem) {
			some = append(some, words.Line{Quantity: l.Quantity, Name: o.OrderedItem[l.Index].Name})
		}
	}
	return some
}

// Declared is what the customer declared who withdrew: it names the contract, and
// what of it comes back, also where the facts are a refund's.
func Declared(f Facts, lang format.Lang) string {
	var lines []inbox.ReturnLine
	if r := f.Record.Item.Payload.Refund; r != nil && f.Promise != nil {
		f.Record, lines = f.Promise, r.Lines
	}
	return words.Statement(lang, about(&f), f.Settings.Commerce.Legal.Country, linesBack(f.Record, lines)...)
}

func askToWithdraw(f *Facts, lines []inbox.ReturnLine, e Env) *inbox.Problem {
	s := statement(f, lines, e)
	detail := s.Text
	if s.Why != "" {
		detail += " " + whyNot(f, rightOf(f, e.Now))
	}
	return inbox.Refuse(inbox.CodeConfirmWithdrawal, "%s", detail).With("statement", s)
}

// whyNot says why the contract cannot be withdrawn from, in the customer's words.
func whyNot(f *Facts, r returns.Right) string {
	return words.WithdrawalReason(customerLang(f), r.Why, r.Exception, f.Settings.Commerce.Legal.Country)
}

// passOnWithdrawal keeps the customer's declaration, with what they wrote, for a
// person, and says why a person answers it.
func passOnWithdrawal(f *Facts, c inbox.Caller, r inbox.WithdrawRequest, e Env) Outcome {
	said := words.Suggested{Note: strings.TrimSpace(statement(f, nil, e).Text + "\n\n" + r.Note), Zone: f.Business.Zone}
	for _, l := range r.Lines {
		said.Lines = append(said.Lines, words.SuggestedLine{Name: lineName(f.Record.Item.Payload, l.Index), Number: l.Index + 1, Quantity: l.Quantity})
	}
	lang, right := customerLang(f), rightOf(f, e.Now)
	part := !returns.Sent(&f.Record.Item) && isPart(f.Record.Item.Payload.Order, r.Lines)
	return passOnSaying(f, c, words.Suggestion(lang, said), words.WithdrawalPassedOn(lang, right.Why, right.Exception, f.Settings.Commerce.Legal.Country, part), e)
}

// withdrawal is the right to withdraw as the customer reads it, nil without a
// contract (03 §7).
func withdrawal(f *Facts, e Env) *inbox.WithdrawalView {
	if !returns.Agreed(&f.Record.Item) {
		return nil
	}
	right := rightOf(f, e.Now)
	label, _ := words.WithdrawalLabels(customerLang(f), f.Settings.Commerce.Legal.Country)
	v := &inbox.WithdrawalView{Available: right.Available, Until: right.Until, Label: label, Why: right.Why}
	if right.Why != "" {
		v.Reason = whyNot(f, right)
	}
	return v
}

// unlisted are the events that no reader is offered and a customer's own doors
// fire: the withdrawal while the right runs, a return of goods that were sent,
// one at a time (01 §5.7).
func unlisted(f *Facts, now inbox.Instant) []string {
	i := &f.Record.Item
	var events []string
	sent, table := returns.Sent(i), machine.Of(i.Type)
	if returns.Open(f.Refunds) != nil && sent || !returns.Agreed(i) {
		return nil
	}
	if rightOf(f, now).Available && !table.Refuses("withdraw", i.State) {
		events = append(events, "withdraw")
	}
	if sent && !table.Refuses("request_return", i.State) {
		events = append(events, "request_return")
	}
	return events
}

// neverWithdrawn: nothing that a customer could have said makes it a withdrawal,
// whenever they said it.
func neverWithdrawn(f *Facts, _ inbox.Caller, now inbox.Instant) bool {
	why := rightOf(f, now).Why
	return why == returns.WhyBusiness || why == returns.WhyExcepted || returns.Sent(&f.Record.Item) && returns.Open(f.Refunds) != nil
}

// refundViews are the refunds of a promise as its customer reads them, oldest
// first.
func refundViews(f *Facts) []inbox.RefundView {
	views := make([]inbox.RefundView, 0, len(f.Refunds))
	if f.Record.Item.Type == inbox.TypeRefund {
		return views
	}
	for _, r := range f.Refunds {
		of := Facts{Settings: f.Settings, Business: f.Business, Record: r, Promise: f.Record}
		views = append(views, inbox.RefundView{
			ItemID: r.Item.ID, Reference: r.Reference(), State: r.Item.State, Human: customerHuman(&of),
		})
	}
	return views
}

// cancelPaid is the customer's cancellation of something that is paid: while the
// right of withdrawal runs it is the withdrawal, at once; of an order past it the
// words are kept for a person (01 §5.1, §5.2). false leaves the cancellation to
// its own events.
func cancelPaid(f *Facts, c inbox.Caller, reason string, e Env) (Outcome, bool) {
	if !endsAsWithdrawal(f.Record) || machine.Of(f.Record.Item.Type).Refuses("withdraw", f.Record.Item.State) {
		return Outcome{}, false
	}
	if rightOf(f, e.Now).Available {
		t := TransitionRequest{Event: "withdraw", Input: mustJSON(inbox.WithdrawInput{Note: reason})}
		if m, p := fire(f, c, t, e); p == nil {
			out, err := m.outcome(nil)
			return out, err == nil
		}
	}
	if f.Record.Item.Type != inbox.TypeOrder {
		return Outcome{}, false
	}
	lang := customerLang(f)
	said := words.Suggested{Note: strings.TrimSpace(words.ActionLabel(lang, inbox.TypeOrder, f.Record.Item.State, words.ActionCancel, false) + "\n\n" + reason)}
	right := rightOf(f, e.Now)
	return passOnSaying(f, c, words.Suggestion(lang, said), words.WithdrawalPassedOn(lang, right.Why, right.Exception, f.Settings.Commerce.Legal.Country, false), e), true
}

// RequestReturn is request_return: goods that were sent are to come back. Status
// 201, body [inbox.CustomerResult] with the return as linked.
//
// Problems: not_allowed, wrong_state before anything was sent, invalid_input for
// lines that were not bought, guard_failed (no_open_return, nothing_to_return).
func RequestReturn(f Facts, c inbox.Caller, r inbox.ReturnRequest, e Env) (Outcome, error) {
	if p := asCustomer(&f, c); p != nil {
		return Outcome{}, p
	}
	if p := returnable(&f); p != nil {
		return Outcome{}, p
	}
	m, p := fire(&f, c, TransitionRequest{Event: "request_return", Input: mustJSON(inbox.ReturnInput{
		ReasonCode: r.Reason, Lines: r.Lines, Wants: r.Wants, Note: r.Note,
	})}, e)
	return created(m, atDoor(p))
}

// OpenReturn is open_return: the business opens a return for its customer. Status
// 201, body [inbox.TransitionResult] with the return as linked.
//
// Problems: those of [RequestReturn], and of the entry named.
func OpenReturn(f Facts, c inbox.Caller, r inbox.OpenReturnRequest, e Env) (Outcome, error) {
	if p := returnable(&f); p != nil {
		return Outcome{}, p
	}
	m, p := fire(&f, c, OpenReturnEvent(r), e)
	return created(m, atDoor(p))
}

// returnable: only an order has goods to return.
func returnable(f *Facts) *inbox.Problem {
	i := f.Record.Item
	if i.Type == inbox.TypeOrder {
		return nil
	}
	return inbox.Refuse(inbox.CodeWrongState, "Nothing was sent, so there is nothing to return.").
		With("state", machine.Of(i.Type).SeenByCustomer(i.State)).With("allowedFrom", []inbox.State{})
}

// OpenReturnEvent is the transition that [OpenReturn] fires.
func OpenReturnEvent(r inbox.OpenReturnRequest) TransitionRequest {
	return TransitionRequest{Event: "open_return", WrittenBy: r.WrittenBy, Input: mustJSON(inbox.OpenReturnInput{
		ReasonCode: r.Reason, Lines: r.Lines, Wants: r.Wants, Note: r.Note, AskedAt: r.AskedAt, EntryID: r.EntryID,
	})}
}

func created(m *move, p *inbox.Problem) (Outcome, error) {
	out, err := m.outcome(p)
	if err == nil {
		out.Status = http.StatusCreated
	}
	return out, err
}

// doorNames are fields of inputs under the names that the doors of returns give
// them.
var doorNames = map[string]string{"reasonCode": "reason", "entryId": "entry_id", "askedAt": "asked_at"}

// atDoor names the faults of an input as the door's request does.
func atDoor(p *inbox.Problem) *inbox.Problem {
	if p == nil || p.Code != inbox.CodeInvalidInput {
		return p
	}
	fields := slices.Clone(p.Fields)
	for i := range fields {
		at := &fields[i].Path
		*at = strings.TrimPrefix(*at, "input.")
		if name := doorNames[*at]; name != "" {
			*at = name
		}
	}
	return inbox.InvalidInput(fields...)
}

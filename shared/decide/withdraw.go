package decide

import (
	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
	"typedinbox/shared/returns"
)

// The right of withdrawal and the events that use it (01 §14.1, 02 §9.1 to §9.5).

// terms are what the right is judged on beside the contract.
func (f *Facts) terms() returns.Terms { return returns.TermsOf(f.Settings, f.Business.Zone) }

// rightOf is the right to withdraw from the facts' contract at the moment of the
// customer's notice.
func rightOf(f *Facts, at inbox.Instant) returns.Right {
	return returns.RightAt(f.Record, f.terms(), at)
}

func (m *move) readWithdraw() (in input, problems []inbox.FieldProblem) {
	v, problems := decode[inbox.WithdrawInput](m.r.Input)
	if len(problems) > 0 {
		return in, problems
	}
	in.secret = mask(&v.Note)
	in.value, in.note, in.askedAt, in.lines = v, v.Note, m.e.Now, v.Lines
	return in, m.checkLines(v.Lines)
}

// readRecordWithdrawal: the owner's AI and keys name the customer's message.
func (m *move) readRecordWithdrawal() (in input, problems []inbox.FieldProblem) {
	v, problems := decode[inbox.RecordWithdrawalInput](m.r.Input)
	if len(problems) > 0 {
		return in, problems
	}
	in.secret = mask(&v.Note)
	if v.EntryID == "" && !m.c.IsPerson() {
		return in, []inbox.FieldProblem{nameTheirMessage()}
	}
	at, problem := m.notice(v.EntryID, v.AskedAt)
	if problem != nil {
		return in, []inbox.FieldProblem{*problem}
	}
	v.AskedAt = &at
	in.value, in.note, in.askedAt, in.lines = v, v.Note, at, v.Lines
	return in, m.checkLines(v.Lines)
}

func nameTheirMessage() inbox.FieldProblem {
	return inbox.FieldProblem{Path: "input.entryId", Problem: inbox.Missing, Message: "name the customer's message that says so"}
}

// notice is when the customer said what the business writes down: at the arrival
// of the message it names, else at the moment a person gives, else now (01 §4).
func (m *move) notice(entryID string, askedAt *inbox.Instant) (inbox.Instant, *inbox.FieldProblem) {
	switch {
	case entryID != "":
		return m.arrival(entryID)
	case askedAt == nil || !m.c.IsPerson():
		return m.e.Now, nil
	}
	return m.happened("askedAt", *askedAt, askedTolerance)
}

// happened is a moment that the input names, between the item's creation and now:
// a little outside it is moved there (01 §4).
func (m *move) happened(field string, at inbox.Instant, ahead int64) (inbox.Instant, *inbox.FieldProblem) {
	born, now := m.rec.Item.CreatedAt, m.e.Now
	if at < born.Add(-askedTolerance) || at > now.Add(ahead) {
		p := badInput(field, "must lie between the item's creation and now")
		return 0, &p
	}
	return min(max(at, born), now), nil
}

// checkLines refuses lines that the order has not, or more than were bought; the
// right itself is never refused (01 §14.2).
func (m *move) checkLines(lines []inbox.ReturnLine) []inbox.FieldProblem {
	if problem := badLines(m.f.Record, lines); problem != "" {
		return []inbox.FieldProblem{badInput("lines", problem)}
	}
	return nil
}

// badLines is what is wrong with lines that are to come back, "" for nothing.
// Lines of an order that was not sent yet stand only for the whole of it.
func badLines(r *inbox.Record, lines []inbox.ReturnLine) string {
	o := r.Item.Payload.Order
	switch {
	case len(lines) == 0:
		return ""
	case o == nil:
		return "only an order has lines"
	}
	if _, err := returns.Claimed(o, lines, nil); err != nil {
		return err.Error()
	}
	return ""
}

// isPart says whether lines are less than the whole order.
func isPart(o *inbox.Order, lines []inbox.ReturnLine) bool {
	if len(lines) == 0 || o == nil {
		return false
	}
	c, err := returns.Claimed(o, lines, nil)
	return err != nil || c.Lines != nil
}

// withdrawalOpen: the right runs at the notice, and of an order that was not sent
// the whole is withdrawn from.
func (m *move) withdrawalOpen() *inbox.Problem {
	right := rightOf(m.f, m.in.askedAt)
	if !right.Available {
		p := inbox.GuardFailed("withdrawal_open", "There is no right to withdraw from this contract. Nothing was written.").With("why", right.Why)
		if right.Until != nil {
			p.With("until", *right.Until)
		}
		if right.Exception != "" {
			p.With("exception", right.Exception)
		}
		return p
	}
	if !returns.Sent(&m.f.Record.Item) && isPart(m.before.Order, m.in.lines) {
		return inbox.InvalidInput(badInput("lines", "before anything was sent the whole order is withdrawn from"))
	}
	return nil
}

// withdrawInstead turns the business's record of a cancellation into that of a
// withdrawal, where something was paid and the right ran when the customer asked
// (01 §3 step 5c).
func (m *move) withdrawInstead() *inbox.Problem {
	if m.r.Event != "record_cancel" && m.r.Event != "record_cancel_late" || !m.cancelIsWithdrawal() || m.table.Refuses("record_withdrawal", m.from) {
		return nil
	}
	in, problems := m.readRecordCancel()
	if len(problems) == 0 && rightOf(m.f, in.askedAt).Available {
		m.r.Event = "record_withdrawal"
	}
	return nil
}

// cancelIsWithdrawal says whether ending the contract is a withdrawal while the
// right runs: of a booking that was paid, of an order that is paid or being sent
// (01 §5.1, §5.2), or that was written down with its payment.
func (m *move) cancelIsWithdrawal() bool { return endsAsWithdrawal(m.f.Record) }

func endsAsWithdrawal(r *inbox.Record) bool {
	switch r.Item.Type {
	case inbox.TypeBooking:
		return r.Item.State == inbox.StateConfirmed && machine.Paid(r.Item.Payload)
	case inbox.TypeOrder:
		sending := r.Item.State == inbox.StatePaid || r.Item.State == inbox.StateFulfilling
		return sending || isPromise(r) && machine.Paid(r.Item.Payload)
	}
	return false
}

// agree keeps when an item first became a promise (02 §9.3).
func (m *move) agree() {
	if m.rec.AgreedAt == nil && m.rec.Item.Type != inbox.TypeRefund && m.table.IsPromise(m.rec.Item.State) {
		m.rec.AgreedAt = &m.e.Now
	}
}

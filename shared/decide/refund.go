package decide

import (
	"slices"

	"typedinbox/shared/inbox"
	"typedinbox/shared/returns"
)

// The refund machine (01 §5.5, 02 §9.7).

// receivedAhead is how far in the future goods may be said to have arrived, for
// clocks that differ (01 §4).
const receivedAhead = 5 * inbox.Minute

// refunding is the refund as it will stand.
func (m *move) refunding() *inbox.Refund { return m.rec.Item.Payload.Refund }

func (m *move) readReturn() (in input, problems []inbox.FieldProblem) {
	v, problems := decode[inbox.ReturnInput](m.r.Input)
	if len(problems) > 0 {
		return in, problems
	}
	in.secret = mask(&v.Note)
	in.value, in.note, in.askedAt, in.lines = v, v.Note, m.e.Now, v.Lines
	in.returnReason, in.wants = v.ReasonCode, v.Wants
	return in, m.checkLines(v.Lines)
}

// readOpenReturn: what the owner's AI or a key opens without naming the message
// is dated now (01 §4).
func (m *move) readOpenReturn() (in input, problems []inbox.FieldProblem) {
	v, problems := decode[inbox.OpenReturnInput](m.r.Input)
	if len(problems) > 0 {
		return in, problems
	}
	in.secret = mask(&v.Note)
	at, problem := m.notice(v.EntryID, v.AskedAt)
	if problem != nil {
		return in, []inbox.FieldProblem{*problem}
	}
	v.AskedAt = &at
	in.value, in.note, in.askedAt, in.lines = v, v.Note, at, v.Lines
	in.returnReason, in.wants = v.ReasonCode, v.Wants
	return in, m.checkLines(v.Lines)
}

func (m *move) readApprove() (in input, problems []inbox.FieldProblem) {
	v, problems := decode[inbox.ApproveInput](m.r.Input)
	in.secret = mask(&v.Note)
	if how := v.Instructions; how != nil {
		for _, text := range []*string{&how.Note, &how.Address} {
			in.secret = mask(text) || in.secret
		}
	}
	if v.ReturnBy != nil && *v.ReturnBy <= m.e.Now {
		problems = append(problems, badInput("returnBy", "must lie in the future"))
	}
	in.value, in.note = v, v.Note
	return in, problems
}

// applyApprove: with goods to come back, by when and how; without, the date by
// which the money is (01 §5.5).
func (m *move) applyApprove() *inbox.Problem {
	v, r := m.in.value.(inbox.ApproveInput), m.refunding()
	goods := r.GoodsBack != nil && *r.GoodsBack
	if v.GoodsBack != nil {
		goods = *v.GoodsBack
	}
	r.GoodsBack = &goods
	if !goods {
		r.ReturnBy = nil
		m.fixDue(r)
		return nil
	}
	r.ReturnBy, r.Instructions = v.ReturnBy, v.Instructions
	if r.ReturnBy == nil {
		r.ReturnBy = inbox.Ptr(returns.ReturnBy(m.e.Now))
	}
	return nil
}

// readWords are words that the customer reads.
func (m *move) readWords() (in input, problems []inbox.FieldProblem) {
	v, problems := decode[inbox.WordsInput](m.r.Input)
	in.secret = mask(&v.Note)
	in.value, in.note = v, v.Note
	return in, problems
}

func (m *move) applyDispute() *inbox.Problem {
	m.refunding().Disputed = &inbox.Disputed{Note: m.in.note, At: m.e.Now}
	return nil
}

func (m *move) readGoodsBack() (in input, problems []inbox.FieldProblem) {
	v, problems := decode[inbox.GoodsBackInput](m.r.Input)
	if len(problems) > 0 {
		return in, problems
	}
	in.secret = mask(&v.Note)
	at := m.e.Now
	if v.ReceivedAt != nil {
		received, problem := m.happened("receivedAt", *v.ReceivedAt, receivedAhead)
		if problem != nil {
			return in, []inbox.FieldProblem{*problem}
		}
		at = received
	}
	v.ReceivedAt = &at
	in.value, in.note = v, v.Note
	return in, nil
}

// applyGoodsBack fixes the date by which the money is paid back.
func (m *move) applyGoodsBack() *inbox.Problem {
	r := m.refunding()
	r.EvidenceAt = m.in.value.(inbox.GoodsBackInput).ReceivedAt
	m.fixDue(r)
	return nil
}

// readRefund: a refund of nothing needs no payment (09).
func (m *move) readRefund() (in input, problems []inbox.FieldProblem) {
	v, problems := decode[inbox.RefundInput](m.r.Input)
	if len(problems) > 0 {
		return in, problems
	}
	in.secret = mask(&v.Note)
	r := m.before.Refund
	if v.Amount == nil {
		v.Amount = inbox.Ptr(r.Amount)
	}
	if v.PaymentRef == "" && max(v.Amount.Value, r.Amount.Value) > 0 {
		problems = append(problems, inbox.FieldProblem{Path: "input.paymentRef", Problem: inbox.Missing, Message: "is required"})
	}
	in.value, in.note = v, v.Note
	return in, problems
}

func (m *move) applyRefund() *inbox.Problem {
	v, r := m.in.value.(inbox.RefundInput), m.refunding()
	r.PaymentRef, r.PaidAmount = v.PaymentRef, v.Amount
	return nil
}

// readSettlement reads the smaller amount that the customer agreed to.
func (m *move) readSettlement() (in input, problems []inbox.FieldProblem) {
	v, problems := decode[inbox.SettlementInput](m.r.Input)
	if len(problems) > 0 {
		return in, problems
	}
	in.secret = mask(&v.Note)
	owed := m.before.Refund.Amount
	switch {
	case v.Amount.Currency != owed.Currency:
		problems = append(problems, badInput("amount.currency", "must be "+owed.Currency))
	case v.Amount.Value >= owed.Value:
		problems = append(problems, badInput("amount.value", "must be less than what is owed"))
	}
	if v.EntryID != "" {
		if _, problem := m.arrival(v.EntryID); problem != nil {
			problems = append(problems, *problem)
		}
	}
	in.value, in.note = v, v.Note
	return in, problems
}

func (m *move) applySettlement() *inbox.Problem {
	r := m.refunding()
	r.OwedBefore, r.Amount = inbox.Ptr(r.Amount), m.in.value.(inbox.SettlementInput).Amount
	return nil
}

// Related are the items that are read with one: the refunds of a promise, the
// promise of a refund.
func Related(r *inbox.Record) []string {
	if p := r.Item.Payload.Refund; p != nil {
		return []string{p.OrderItemID}
	}
	return r.Refunds
}

// siblings are the other refunds of the promise that the refund belongs to.
func (m *move) siblings() []*inbox.Record { return siblings(m.f) }

func siblings(f *Facts) []*inbox.Record {
	return slices.DeleteFunc(slices.Clone(f.Refunds), func(r *inbox.Record) bool { return r.Item.ID == f.Record.Item.ID })
}

// noOpenReturn: one return of an order goes on at a time.
func (m *move) noOpenReturn() *inbox.Problem {
	open := returns.Open(m.f.Refunds)
	if open == nil {
		return nil
	}
	return inbox.GuardFailed("no_open_return", "A return of this order goes on already. Nothing was written.").With("refund", open.Item.ID)
}

// notWithdrawal: what the law gives back is not refused, whatever reason the
// customer named (02 §9.7).
func (m *move) notWithdrawal() *inbox.Problem {
	if r := m.before.Refund; r.Kind != returns.KindWithdrawal && !askedInTime(m.f) {
		return nil
	}
	return inbox.GuardFailed("not_withdrawal", "The customer withdrew from the contract, or asked while they might: this cannot be refused.")
}

// askedInTime says whether a refund was asked for while the right of withdrawal
// ran. A charge-back since then takes nothing of it away.
func askedInTime(f *Facts) bool {
	at := f.Record.Item.Payload.Refund.NoticeAt
	if at == nil || f.Promise == nil {
		return false
	}
	promise := *f.Promise
	if promise.Item.State == inbox.StateChargedBack {
		promise.Item.State = inbox.StateFulfilled
	}
	return returns.RightAt(&promise, f.terms(), *at).Available
}

// goodsExpected: the goods of the refund come back.
func (m *move) goodsExpected() *inbox.Problem {
	if expectsGoods(m.before.Refund) {
		return nil
	}
	return inbox.GuardFailed("goods_expected", "Nothing has to come back for this refund.")
}

func expectsGoods(r *inbox.Refund) bool { return r.GoodsBack != nil && *r.GoodsBack }

// refundAmount: what is paid back is in the refund's currency, no less than owed,
// and no more than owed or than what was paid and no other refund takes.
func (m *move) refundAmount() *inbox.Problem {
	paid, owed := *m.in.value.(inbox.RefundInput).Amount, m.before.Refund.Amount
	switch {
	case paid.Currency != owed.Currency:
		return inbox.InvalidInput(badInput("amount.currency", "must be "+owed.Currency))
	case paid.Value < owed.Value:
		return inbox.GuardFailed("refund_amount", "More is owed than that. Nothing was written.").With("owed", owed)
	case paid.Value > returns.Most(owed, m.f.Promise, m.siblings()):
		return inbox.InvalidInput(badInput("amount.value", "is more than was paid"))
	}
	return nil
}

// returnAllowed: automation approves inside the owner's limits and the policy
// alone (02 §9.7).
func (m *move) returnAllowed() *inbox.Problem {
	if !m.c.IsAutomation() {
		return nil
	}
	r, ai := m.refunding(), m.f.Settings.Negotiation.AI
	var guard string
	switch {
	case !ai.MayAuthorizeReturnsInPolicy:
		guard = "return_allowed"
	case !expectsGoods(r) && ai.MaxRefundMinor == 0:
		guard = "owner_money"
	case !expectsGoods(r) && r.Amount.Value+m.givenAway() > ai.MaxRefundMinor:
		guard = "refund_over_max"
	case r.Kind != returns.KindFaulty && !m.inPolicy():
		guard = "return_outside_policy"
	default:
		return nil
	}
	return inbox.GuardFailed(guard, "A person at the business approves this return.").With("draft_for_owner", true)
}

// givenAway is what the order's other refunds take for which nothing comes back.
func (m *move) givenAway() int64 {
	return returns.Taken(slices.DeleteFunc(m.siblings(), func(r *inbox.Record) bool {
		return r.Item.State == inbox.StateRequested || expectsGoods(r.Item.Payload.Refund)
	}))
}

// inPolicy says whether the return was asked for inside the business's policy.
func (m *move) inPolicy() bool {
	at := m.refunding().NoticeAt
	return at != nil && m.f.Promise != nil && returns.InPolicy(m.f.Promise, m.f.terms(), *at)
}

// raising are the events of a refund that change what it owes, pays or whether it
// counts: they also raise the promise's refundsRev (09).
var raising = []string{"approve", "refund", "record_settlement", "reject", "cancel", "record_cancel"}

// raiseRefunds writes the promise of a refund under the row that was judged, so
// that of two refunds of one order the second sees what the first took. Its
// version stays.
func (m *move) raiseRefunds() {
	if m.rec.Item.Type != inbox.TypeRefund || m.f.Promise == nil || !slices.Contains(raising, m.r.Event) {
		return
	}
	promise := *m.f.Promise
	promise.Rev++
	promise.RefundsRev++
	m.write.Items = append(m.write.Items, ItemWrite{Record: promise, Expect: m.f.Promise.Rev})
}

// tellDue owes the reminders of a refund whose date the transition fixed.
func (m *move) tellDue() {
	if r := m.refunding(); r != nil && r.RefundDue != nil && m.before.Refund.RefundDue == nil {
		m.oweAlerts(&m.rec, m.event.ID)
	}
}

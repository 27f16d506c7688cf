package decide

import (
	"errors"
	"slices"

	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
	"typedinbox/shared/returns"
)

// A refund is born of a transition of the promise it belongs to, in the same
// write; the promise lists its refunds (01 §7 link_refund, §14.2, 09).

// bornRefund is a refund as it is written beside its promise.
type bornRefund struct {
	rec   inbox.Record
	event inbox.Event
	told  bool // the customer hears of it by a mail of its own
}

// planRefund works out what the row owes, after its guards: nothing when nothing
// was paid and nothing comes back.
func (m *move) planRefund() *inbox.Problem {
	if !m.row.Does(machine.LinkRefund) {
		return nil
	}
	r, state, problem := m.owedRefund()
	if r == nil || problem != nil {
		return problem
	}
	r.OrderItemID = m.rec.Item.ID
	born := bornRefund{told: *r.GoodsBack}
	born.rec.Item.Type, born.rec.Item.State, born.rec.Item.Payload.Refund = inbox.TypeRefund, state, r
	m.refund = &born
	return nil
}

// owedRefund is the row of the table of 01 §14.2 that the transition is, nil for
// none.
func (m *move) owedRefund() (*inbox.Refund, inbox.State, *inbox.Problem) {
	switch m.r.Event {
	case "withdraw", "record_withdrawal":
		return m.refundOfWithdrawal()
	case "request_return", "open_return":
		return m.refundOfReturn()
	case "record_cancel":
		return m.moneyBack(returns.KindPolicy, m.in.askedAt), inbox.StateRequested, nil
	}
	r := m.moneyBack(returns.KindCancellation, m.e.Now)
	m.fixDue(r)
	return r, inbox.StateApproved, nil
}

// moneyBack is all that was paid for what does not come back, nil for nothing.
func (m *move) moneyBack(kind string, notice inbox.Instant) *inbox.Refund {
	paid := returns.Paid(m.before)
	if paid == nil {
		return nil
	}
	return &inbox.Refund{Kind: kind, Amount: *paid, NoticeAt: &notice, GoodsBack: inbox.Ptr(false)}
}

// fixDue fixes by when a refund is paid, once nothing more comes back. Nothing is
// due of nothing (09).
func (m *move) fixDue(r *inbox.Refund) {
	if r == nil || r.Amount.Value == 0 {
		return
	}
	r.RefundDue = inbox.Ptr(returns.Due(r, m.e.Now, m.f.Settings.Returns.RefundDays))
}

func (m *move) refundOfWithdrawal() (*inbox.Refund, inbox.State, *inbox.Problem) {
	if !returns.Sent(&m.f.Record.Item) {
		r := m.moneyBack(returns.KindWithdrawal, m.in.askedAt)
		m.fixDue(r)
		m.quoteReason(r)
		return r, inbox.StateApproved, nil
	}
	r, problem := m.goodsBack(returns.KindWithdrawal)
	if problem != nil {
		return nil, "", problem
	}
	r.ReasonCode = returns.ChangedMind
	return r, inbox.StateApproved, nil
}

func (m *move) refundOfReturn() (*inbox.Refund, inbox.State, *inbox.Problem) {
	r, problem := m.goodsBack(returns.KindOf(m.in.returnReason, rightOf(m.f, m.in.askedAt).Available))
	if problem != nil {
		return nil, "", problem
	}
	r.ReasonCode, r.Wants = m.in.returnReason, m.in.wants
	if r.Kind == returns.KindWithdrawal {
		return r, inbox.StateApproved, nil
	}
	return r, inbox.StateRequested, nil
}

// goodsBack is a refund for goods that come back first; a withdrawal says by when
// they are sent.
func (m *move) goodsBack(kind string) (*inbox.Refund, *inbox.Problem) {
	claim, err := returns.Claimed(m.before.Order, m.in.lines, m.f.Refunds)
	switch {
	case errors.Is(err, returns.ErrNothingLeft):
		return nil, inbox.GuardFailed("nothing_to_return", "What is named was returned already. Nothing was written.").
			With("left", returns.Left(m.before.Order, m.f.Refunds))
	case err != nil:
		return nil, inbox.InvalidInput(badInput("lines", err.Error()))
	}
	notice := m.in.askedAt
	r := &inbox.Refund{Kind: kind, Amount: claim.Amount, Lines: claim.Lines, NoticeAt: &notice, GoodsBack: inbox.Ptr(true)}
	if kind == returns.KindWithdrawal {
		r.ReturnBy = inbox.Ptr(returns.ReturnBy(notice))
	}
	m.quoteReason(r)
	return r, nil
}

// quoteReason keeps the customer's own words as the reason; what the business
// wrote down stays inside.
func (m *move) quoteReason(r *inbox.Refund) {
	if r != nil && m.c.IsCustomer() {
		r.Reason = m.in.note
	}
}

// linkRefund writes the planned refund: with the promise's party, token, match
// and flags, and its create by whoever acted.
func (m *move) linkRefund() {
	if m.refund == nil {
		return
	}
	l, at, parent := &m.refund.rec, m.e.Now, &m.rec.Item
	i := &l.Item
	i.ID, i.Version, i.Channel, i.CreatedAt, i.UpdatedAt = m.e.Source.ID(at), 1, m.c.Channel, at, at
	i.PartyID, i.LocationID, i.LinkedItemID = parent.PartyID, parent.LocationID, inbox.Ptr(parent.ID)
	if i.Subject = parent.Subject; i.Subject == nil {
		i.Subject = inbox.Ptr("Refund request")
	}
	i.Flags = parent.Flags
	i.Flags.NeedsHuman = i.State == inbox.StateRequested
	l.AccessTokenHash, l.CustomerMatch, l.PossiblePartyID = m.rec.AccessTokenHash, m.rec.CustomerMatch, m.rec.PossiblePartyID
	l.Locale, l.ByCustomer, l.Rev = m.rec.Locale, m.c.IsCustomer(), 1
	m.refund.event = eventOf(l, m.f, m.c, m.e.Source.ID(at), inbox.EventCreate, m.e)
	ev := &m.refund.event
	ev.CausationID, ev.Depth = inbox.Ptr(m.event.ID), 1
	ev.Meta.Sandbox, ev.Meta.Kind = i.Flags.Sandbox, i.Payload.Refund.Kind
	l.LastEventID = ev.ID
	l.DueAt, l.DueKind = DueAt(l, m.f.Settings)
	m.rec.Refunds = append(slices.Clip(m.rec.Refunds), i.ID)
	m.rec.RefundsRev++
}

// putRefund adds the refund to the write with what is owed about it: the customer
// hears of one for which goods come back, at once; of any other the mail about
// the promise tells (05 §3.1).
func (m *move) putRefund() {
	if m.refund == nil {
		return
	}
	l := m.refund
	m.write.Items = append(m.write.Items, ItemWrite{Record: l.rec})
	m.write.Events = append(m.write.Events, l.event)
	if l.told {
		m.write.Jobs = append(m.write.Jobs, job(l.rec.Item.ID, []inbox.Effect{{
			ID: "ev:" + l.event.ID + ":customer", Kind: inbox.EffectNotifyCustomer, EventID: l.event.ID, Event: inbox.EventCreate,
		}}, m.e)...)
	}
	m.oweAlerts(&l.rec, l.event.ID)
}

// oweAlerts owes the business a word before a refund is due and on the day, each
// by a row of its own that is judged when it is due (01 §13.1, 02 §9.8).
func (m *move) oweAlerts(r *inbox.Record, eventID string) {
	p := r.Item.Payload.Refund
	if r.Item.Flags.Sandbox {
		return
	}
	alerts := returns.Alerts(p, returns.LawOf(m.f.Settings.Commerce.Legal.Country), m.f.Business.Zone)
	if n := len(alerts); n > 1 && alerts[n-1] <= m.e.Now { // both moments have passed: one word is enough
		alerts = alerts[n-1:]
	}
	for _, at := range alerts {
		m.write.Jobs = append(m.write.Jobs, inbox.Job{
			ID: m.e.Source.ID(m.e.Now), ItemID: r.Item.ID, RunAt: at, Version: 1, CreatedAt: m.e.Now,
			Effects: []inbox.Effect{{ID: "due:" + r.Item.ID + ":" + at.String(), Kind: inbox.EffectRefundDue, EventID: eventID}},
		})
	}
}

package decide

import (
	"slices"
	"strings"

	"typedinbox/shared/inbox"
	"typedinbox/shared/returns"
)

// The inbox takes no money itself: it keeps what the business, its payment
// provider or its key says was paid (01 §5.1, §5.2, 02 §9.6, 09).

// maxPayments is how many payments of one item are kept, which bounds its row
// (docs/decisions/payments.md).
const maxPayments = 100

func (m *move) readPayment() (in input, problems []inbox.FieldProblem) {
	v, problems := decode[inbox.PaymentInput](m.r.Input)
	in.secret = mask(&v.PaymentRef)
	in.value = v
	return in, problems
}

// applyPayment adds a payment to those recorded. A reference that is among them
// changes nothing, wherever it stands; a payment without an amount pays the rest
// (09).
func (m *move) applyPayment() *inbox.Problem {
	v := m.in.value.(inbox.PaymentInput)
	if slices.ContainsFunc(m.rec.Payments, func(p inbox.Payment) bool { return p.Ref == v.PaymentRef }) {
		m.repeated = true
		return nil
	}
	if len(m.rec.Payments) >= maxPayments {
		return inbox.InvalidField("input.paymentRef", "there are too many payments of this item")
	}
	sum, problem := paidWith(totalOf(m.before), returns.Paid(m.before), v.Amount)
	if problem != nil {
		return inbox.InvalidInput(*problem)
	}
	switch p := m.rec.Item.Payload; {
	case p.Booking != nil:
		p.Booking.PaymentRef, p.Booking.PaidAmount = v.PaymentRef, sum
	case p.Order != nil:
		p.Order.PaymentRef, p.Order.PaidAmount = v.PaymentRef, sum
	}
	m.rec.Payments = append(slices.Clone(m.rec.Payments), inbox.Payment{Ref: v.PaymentRef, Amount: v.Amount, At: m.e.Now})
	return nil
}

// paidWith is what was paid with one payment more, of an amount or, without one, of
// the rest of the total. What was paid before is never less for it.
func paidWith(total, paid, amount *inbox.Money) (*inbox.Money, *inbox.FieldProblem) {
	if amount == nil {
		switch {
		case total == nil:
			return nil, &inbox.FieldProblem{Path: "input.amount", Problem: inbox.Missing, Message: "is required: the booking has no price"}
		case paid != nil && paid.Value > total.Value:
			return paid, nil
		}
		return inbox.Ptr(*total), nil
	}
	for _, other := range []*inbox.Money{total, paid} {
		if other != nil && !strings.EqualFold(other.Currency, amount.Currency) {
			return nil, inbox.Ptr(badInput("amount.currency", "must be "+other.Currency))
		}
	}
	if amount.Value == 0 && (total == nil || total.Value > 0) {
		return nil, inbox.Ptr(badInput("amount.value", "must be more than nothing"))
	}
	if paid == nil {
		return inbox.Ptr(*amount), nil
	}
	sum, err := paid.Plus(*amount)
	if err != nil {
		return nil, inbox.Ptr(badInput("amount.value", err.Error()))
	}
	return &sum, nil
}

func (m *move) readPaymentRequest() (in input, problems []inbox.FieldProblem) {
	v, problems := decode[inbox.PaymentRequestInput](m.r.Input)
	in.secret = mask(&v.Note)
	in.value, in.note, in.paymentURL = v, v.Note, v.PaymentURL != ""
	return in, problems
}

// applyPaymentRequest says where to pay, when it is given, and sets the time to
// pay going (01 §13.1).
func (m *move) applyPaymentRequest() *inbox.Problem {
	if url := m.in.value.(inbox.PaymentRequestInput).PaymentURL; url != "" {
		m.ordered().PaymentURL = url
	}
	m.rec.PaymentAskedAt = &m.e.Now
	return nil
}

// unpaidStates are those in which an order waits for its payment.
var unpaidStates = []inbox.State{inbox.StateAwaitingPayment, inbox.StatePaymentFailed}

// payBy is until when an order can be paid before it lapses, nil when nothing
// lapses (any more). Days to pay are read as they are set now (01 §17).
func payBy(r *inbox.Record, payDays int) *inbox.Instant {
	if r.PaymentAskedAt == nil || !slices.Contains(unpaidStates, r.Item.State) {
		return nil
	}
	return inbox.Ptr(r.PaymentAskedAt.Add(int64(payDays) * inbox.Day))
}

// paymentOverdue: the time to pay is over, and no lapse says so yet.
func (m *move) paymentOverdue() *inbox.Problem {
	if by := payBy(m.f.Record, m.f.Settings.Orders.PayDays); by != nil && *by <= m.e.Now {
		return nil
	}
	return inbox.GuardFailed("payment_overdue", "The order can still be paid, or its lapse is recorded already.")
}

// notChargedBack: the bank took the money back once at most.
func (m *move) notChargedBack() *inbox.Problem {
	if !chargedBack(m.f.Record) {
		return nil
	}
	return inbox.GuardFailed("not_charged_back", "A charge-back of this order is recorded already.")
}

func chargedBack(r *inbox.Record) bool {
	return slices.Contains(r.Happened, inbox.HappenedChargedBack) || slices.Contains(r.Happened, inbox.HappenedExcused)
}

// excused says whether a charge-back is not the customer's to answer for: a
// return of theirs is open, or was paid back after its day, in whole seconds
// (01 §7, 02 §9.8).
func excused(refunds []*inbox.Record) bool {
	return slices.ContainsFunc(refunds, func(r *inbox.Record) bool {
		late := r.Item.State == inbox.StateRefunded && !returns.InTime(r.Item.Payload.Refund.RefundDue, *r.Item.ClosedAt)
		return returns.IsOpen(r) || late
	})
}

package decide

import (
	"strings"

	"typedinbox/shared/inbox"
)

// advance is what the business says, when it writes a request down, was paid
// already, and where the rest can be paid (01 §1.6).
type advance struct {
	ref    string
	amount *inbox.Money
	url    string
}

// recordsMoney says whether a caller may record money: a person, a key with
// money:write, a connector (01 §2.3). What others say of it on a create is
// dropped.
func recordsMoney(c inbox.Caller) bool {
	return c.IsPerson() || c.IsMoneyKey() || c.Kind == inbox.Connector
}

// advanced takes what was paid out of a payload, before it is stripped.
func (b *birth) advanced() advance {
	if !recordsMoney(b.c) {
		return advance{}
	}
	switch p := b.r.Payload; {
	case p.Booking != nil:
		return advance{ref: p.Booking.PaymentRef, amount: p.Booking.PaidAmount}
	case p.Order != nil:
		return advance{p.Order.PaymentRef, p.Order.PaidAmount, p.Order.PaymentURL}
	}
	return advance{}
}

// pay records what was paid already, by the rules of record_payment; its paths
// are the payload's.
func (b *birth) pay() *inbox.Problem {
	paid := b.paid
	if b.r.Payload.Order != nil {
		b.r.Payload.Order.PaymentURL = paid.url
	}
	paid.ref = strings.TrimSpace(paid.ref)
	if paid.ref == "" && (paid.amount == nil || paid.amount.Value == 0) {
		return nil
	}
	sum, problem := paidWith(totalOf(b.r.Payload), nil, paid.amount)
	if problem != nil {
		problem.Path = "payload." + strings.Replace(strings.TrimPrefix(problem.Path, "input."), "amount", "paidAmount", 1)
		return inbox.InvalidInput(*problem)
	}
	switch p := b.r.Payload; {
	case p.Booking != nil:
		p.Booking.PaymentRef, p.Booking.PaidAmount = paid.ref, sum
	case p.Order != nil:
		p.Order.PaymentRef, p.Order.PaidAmount = paid.ref, sum
	}
	b.rec.Payments = []inbox.Payment{{Ref: paid.ref, Amount: paid.amount, At: b.e.Now}}
	return nil
}

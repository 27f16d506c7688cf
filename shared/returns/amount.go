package returns

import (
	"errors"

	"typedinbox/shared/inbox"
)

// What is wrong with lines that are to come back.
var (
	// ErrLines says that a line does not exist, or that more is named than was
	// bought: the input is at fault.
	ErrLines = errors.New("names lines that were not bought, or more than were bought")
	// ErrNothingLeft says that what is named came back already.
	ErrNothingLeft = errors.New("was returned already")
)

// Paid is what was paid for a booking or an order: the amount where one was
// recorded, else the whole price when a payment was; nil for nothing (01 §14.2).
func Paid(p inbox.Payload) *inbox.Money {
	switch {
	case p.Booking != nil:
		return paid(p.Booking.PaidAmount, p.Booking.PaymentRef, p.Booking.TotalPrice)
	case p.Order != nil:
		return paid(p.Order.PaidAmount, p.Order.PaymentRef, &p.Order.TotalPrice)
	}
	return nil
}

func paid(amount *inbox.Money, ref string, total *inbox.Money) *inbox.Money {
	switch {
	case amount != nil && amount.Value > 0:
		return amount
	case ref != "" && total != nil && total.Value > 0:
		return total
	}
	return nil
}

// Counts says whether a refund takes part of what was paid, and of what was
// bought: one that was rejected or cancelled does not.
func Counts(r *inbox.Record) bool {
	return r.Item.State != inbox.StateRejected && r.Item.State != inbox.StateCancelled
}

// IsOpen says whether a refund is a return that goes on: only one may (02 §9.5).
func IsOpen(r *inbox.Record) bool { return Counts(r) && r.Item.State != inbox.StateRefunded }

// Open is the first refund of a promise that goes on, nil for none.
func Open(refunds []*inbox.Record) *inbox.Record {
	for _, r := range refunds {
		if IsOpen(r) {
			return r
		}
	}
	return nil
}

// Taken is the sum that refunds take of what was paid: what each paid back, else
// what it owes.
func Taken(refunds []*inbox.Record) int64 {
	var sum int64
	for _, r := range refunds {
		p := r.Item.Payload.Refund
		switch {
		case p == nil || !Counts(r):
		case p.PaidAmount != nil && r.Item.State == inbox.StateRefunded:
			sum = saturate(sum, p.PaidAmount.Value)
		default:
			sum = saturate(sum, p.Amount.Value)
		}
	}
	return sum
}

func saturate(a, b int64) int64 {
	if a > inbox.MaxMoney-b {
		return inbox.MaxMoney
	}
	return a + b
}

// Left is how many of each line have not come back, nor are on their way.
func Left(o *inbox.Order, refunds []*inbox.Record) []int64 {
	left := make([]int64, len(o.OrderedItem))
	for i, l := range o.OrderedItem {
		left[i] = l.Quantity
	}
	for _, r := range refunds {
		p := r.Item.Payload.Refund
		if p == nil || !Counts(r) {
			continue
		}
		if p.Lines == nil {
			clear(left)
			continue
		}
		for _, l := range p.Lines {
			if l.Index < len(left) {
				left[l.Index] = max(0, left[l.Index]-l.Quantity)
			}
		}
	}
	return left
}

// Claim is what comes back and what is owed for it. Lines are nil for the whole
// order.
type Claim struct {
	Lines  []inbox.ReturnLine
	Amount inbox.Money
}

// Claimed is what is owed for lines of an order that come back, none named for
// all that is left: their unit prices by their quantities, for the whole order
// its total, capped by what was paid, by the total, and by what earlier refunds
// left of the smaller of the two. Nothing paid owes nothing (02 §9.6).
//
// Errors: [ErrLines], [ErrNothingLeft].
func Claimed(o *inbox.Order, lines []inbox.ReturnLine, refunds []*inbox.Record) (Claim, error) {
	asked, err := asked(o, lines)
	if err != nil {
		return Claim{}, err
	}
	left := Left(o, refunds)
	whole, some := true, false
	for i := range left {
		if len(lines) == 0 {
			asked[i] = left[i]
		}
		if asked[i] > left[i] {
			return Claim{}, ErrNothingLeft
		}
		whole = whole && asked[i] == o.OrderedItem[i].Quantity
		some = some || asked[i] > 0
	}
	if !some {
		return Claim{}, ErrNothingLeft
	}
	c := Claim{Amount: o.TotalPrice}
	if !whole {
		c.Lines, c.Amount.Value = comingBack(asked), worth(o, asked)
	}
	c.Amount.Value = min(c.Amount.Value, owable(o, refunds))
	return c, nil
}

// asked is how many of each line are named, a line named twice counting both
// times.
func asked(o *inbox.Order, lines []inbox.ReturnLine) ([]int64, error) {
	quantities := make([]int64, len(o.OrderedItem))
	for _, l := range lines {
		if l.Index < 0 || l.Index >= len(quantities) || l.Quantity < 1 || l.Quantity > o.OrderedItem[l.Index].Quantity-quantities[l.Index] {
			return nil, ErrLines
		}
		quantities[l.Index] += l.Quantity
	}
	return quantities, nil
}

func comingBack(quantities []int64) []inbox.ReturnLine {
	var lines []inbox.ReturnLine
	for i, n := range quantities {
		if n > 0 {
			lines = append(lines, inbox.ReturnLine{Index: i, Quantity: n})
		}
	}
	return lines
}

// worth is the sum of unit prices by quantities.
func worth(o *inbox.Order, quantities []int64) int64 {
	var sum int64
	for i, n := range quantities {
		line, err := o.OrderedItem[i].Price.Times(n)
		if err != nil {
			return inbox.MaxMoney
		}
		sum = saturate(sum, line.Value)
	}
	return sum
}

// owable is the most that a new refund of an order may owe.
func owable(o *inbox.Order, refunds []*inbox.Record) int64 {
	p := Paid(inbox.Payload{Order: o})
	if p == nil {
		return 0
	}
	return max(0, min(p.Value, o.TotalPrice.Value)-Taken(refunds))
}

// Most is the most that may be paid for a refund: what it owes, or what was paid
// for the promise less what its other refunds owe or paid (02 §9.7). promise is
// nil when it is not known; others hold neither the refund itself.
func Most(owed inbox.Money, promise *inbox.Record, others []*inbox.Record) int64 {
	if promise == nil {
		return owed.Value
	}
	p := Paid(promise.Item.Payload)
	if p == nil {
		return owed.Value
	}
	return max(owed.Value, p.Value-Taken(others))
}

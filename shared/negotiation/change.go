package negotiation

import (
	"encoding/json"
	"slices"

	"typedinbox/shared/inbox"
	"typedinbox/shared/settings"
)

// changed is a promise as the open change of its payload would leave it. A
// change of a time without a price of its own is at the booking's.
var changed = projection{
	inbox.TypeBooking: func(p inbox.Payload) (inbox.Form, any) {
		b := *p.Booking
		if b.Change == nil {
			return inbox.FormChange, nil
		}
		b.StartTime, b.EndTime = b.Change.StartTime, b.Change.EndTime
		if b.Change.TotalPrice != nil {
			b.TotalPrice = b.Change.TotalPrice
		}
		return inbox.FormChange, standingTime(&b)
	},
	inbox.TypeOrder: func(p inbox.Payload) (inbox.Form, any) {
		c := p.Order.Change
		if c == nil {
			return inbox.FormChange, nil
		}
		return inbox.FormChange, orderTerms(c.OrderedItem, c.TotalPrice, c.Delivery)
	},
}

// Changed are the terms of a booking or an order as the open change of its
// payload would leave it (02 §1.4). terms is nil when the payload holds none.
func Changed(t inbox.Type, p inbox.Payload) (form inbox.Form, terms json.RawMessage, sha string) {
	return changed.of(t, p)
}

// AskValid is until when a change that a customer asks for can be accepted:
// negotiation.counterValidHours from now, of a booking never past either start,
// the agreed and the new (02 §3).
func AskValid(now inbox.Instant, s settings.Settings, starts ...inbox.Instant) inbox.Instant {
	until := now.Add(int64(s.Negotiation.CounterValidHours) * inbox.Hour)
	return slices.Min(append(starts[:len(starts):len(starts)], until))
}

// ChangeValid is until when a change that the business asks for to a booking can
// be accepted: the date given, but at the latest the minimum notice before the
// earlier of the agreed and the new start, and for automation at most
// negotiation.offerValidHours from now (02 §3). Where the agreed start is nearer
// than the notice already, that start itself is the latest: a date that has
// passed would ask for nothing (docs/decisions). The dates of an order's changes
// are [DateValid]'s.
func ChangeValid(given *inbox.Instant, agreed, start, now inbox.Instant, s settings.Settings, automation bool) inbox.Instant {
	until := min(agreed, start).Add(-int64(s.Booking.MinNoticeMin) * inbox.Minute)
	if until <= now {
		until = min(agreed, start)
	}
	if given != nil {
		until = min(until, *given)
	}
	if automation {
		until = min(until, offerValid(now, s))
	}
	return until
}

// CostsMore says whether saying yes to the terms of a change obliges to pay:
// they ask more than was agreed, in another currency, or a price where there was
// none (02 §5.1). agreed is nil for no price.
func CostsMore(agreed *inbox.Money, terms json.RawMessage) bool {
	total := totalIn(terms)
	switch {
	case total == nil || total.Value == 0:
		return false
	case agreed == nil || agreed.Currency != total.Currency:
		return true
	}
	return total.Value > agreed.Value
}

// MaxShift is how far a changed date may lie from the first agreed one, either
// way (02 §4.4).
const MaxShift = 90 * inbox.Day

// Shifted says whether a date lies too far from the first agreed one.
func Shifted(first, date inbox.Instant) bool {
	return date > first.Add(MaxShift) || date < first.Add(-MaxShift)
}

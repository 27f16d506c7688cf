package decide

import (
	"slices"

	"typedinbox/shared/calendar"
	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
	"typedinbox/shared/returns"
	"typedinbox/shared/words"
)

// ruledOut says of an event that the machine allows whether the item, the
// settings and the clock rule it out for the reader now (01 §3, "Allowed
// events"). An event without an entry never is.
var ruledOut = map[string]func(*Facts, inbox.Caller, inbox.Instant) bool{
	"confirm": func(f *Facts, c inbox.Caller, now inbox.Instant) bool { return notPriced(f, c) || tooSoon(f, c, now) },
	"accept": func(f *Facts, c inbox.Caller, now inbox.Instant) bool {
		return notPriced(f, c) || lapsedOrTooSoon(f, c, now)
	},
	"propose":            makesNoOffers,
	"quote":              makesNoOffers,
	"propose_change":     makesNoChange,
	"accept_change":      takesNoChange,
	"request_info":       bound,
	"decline":            bound,
	"cancel_by_business": bound,
	"expire":             notLapsed,
	"record_withdrawal":  neverWithdrawn,
	"open_return":        func(f *Facts, _ inbox.Caller, _ inbox.Instant) bool { return returns.Open(f.Refunds) != nil },
	"approve": func(f *Facts, c inbox.Caller, _ inbox.Instant) bool {
		return c.IsAutomation() && !f.Settings.Negotiation.AI.MayAuthorizeReturnsInPolicy
	},
	"reject": func(f *Facts, _ inbox.Caller, _ inbox.Instant) bool {
		return f.Record.Item.Payload.Refund.Kind == returns.KindWithdrawal
	},
	"goods_back": func(f *Facts, _ inbox.Caller, _ inbox.Instant) bool {
		return !expectsGoods(f.Record.Item.Payload.Refund)
	},
	"complete":           notYetOrOver,
	"no_show":            notYetOrOver,
	"record_charge_back": func(f *Facts, _ inbox.Caller, _ inbox.Instant) bool { return chargedBack(f.Record) },
	"cancel": func(f *Facts, c inbox.Caller, now inbox.Instant) bool {
		return bound(f, c, now) || c.IsCustomer() && f.Record.Item.State == inbox.StateConfirmed &&
			f.Settings.Booking.LateCancellation == lateRefuse && !windowOpen(f.Record.Item.Payload.Booking, f, now)
	},
}

// notPriced: automation takes no request that holds a price the business did not
// set.
func notPriced(f *Facts, c inbox.Caller) bool { return c.IsAutomation() && f.Record.Unpriced }

// tooSoon: the time booked with a yes, a proposed one where there is a proposal,
// has passed, or lies inside the notice for all but a person.
func tooSoon(f *Facts, c inbox.Caller, now inbox.Instant) bool {
	b, q := f.Record.Item.Payload.Booking, f.Record.Item.Payload.Quote
	var start inbox.Instant
	switch {
	case q != nil && booksTime(q.Quote):
		start = *q.Quote.StartTime
	case b == nil:
		return false
	case f.Record.Item.State == inbox.StateProposed && b.Proposed != nil:
		start = b.Proposed.StartTime
	default:
		start = b.StartTime
	}
	past, inside := calendar.TooSoon(start, now, f.Settings.Booking.MinNoticeMin)
	return past || (inside && !c.IsPerson())
}

// lapsedOrTooSoon: a yes to an offer past its date is for a person to record.
func lapsedOrTooSoon(f *Facts, c inbox.Caller, now inbox.Instant) bool {
	o := openPointer(f.Record, inbox.SideBusiness)
	return o != nil && isLapsed(o.ValidThrough, now) && !c.IsPerson() || tooSoon(f, c, now)
}

// openPointer is the item's open offer of a side, nil for none.
func openPointer(r *inbox.Record, by inbox.Side) *inbox.OfferPointer {
	if o := r.Item.Payload.Offer(); o != nil && o.Status == inbox.OfferOpen && o.By == by {
		return o
	}
	return nil
}

// makesNoOffers: automation does not until the owner's limits for it exist.
func makesNoOffers(_ *Facts, c inbox.Caller, _ inbox.Instant) bool { return unlimited(c) }

// bound: automation ends no open offer that binds and has not lapsed.
func bound(f *Facts, c inbox.Caller, now inbox.Instant) bool {
	return c.IsAutomation() && binds(f.Record, now)
}

// notLapsed: nothing lapses before its date.
func notLapsed(f *Facts, _ inbox.Caller, now inbox.Instant) bool {
	o := openPointer(f.Record, inbox.SideBusiness)
	return o != nil && o.ValidThrough != nil && now < *o.ValidThrough
}

// notYetOrOver: an outcome is not known before the start, nor corrected twice
// or once the window for it has closed.
func notYetOrOver(f *Facts, _ inbox.Caller, now inbox.Instant) bool {
	b := f.Record.Item.Payload.Booking
	switch {
	case b == nil:
		return false
	case f.Record.Item.State == inbox.StateConfirmed:
		return b.StartTime > now
	}
	return !correctable(f) || now > completionAt(b, f)
}

// allowed lists the events open to the reader now, in the order they are shown.
func allowed(f *Facts, c inbox.Caller, now inbox.Instant) []string {
	return slices.DeleteFunc(machine.Allowed(f.Record, c), func(event string) bool {
		out := ruledOut[event]
		return out != nil && out(f, c, now)
	})
}

// action is a door of the customer's and the events it may fire; none for one
// that is always open.
type action struct {
	name   string
	events []string
}

// Doors of the customer's (01 §5.7, 03 §7).
var (
	acceptOffer    = action{words.ActionAccept, []string{"accept", "accept_change"}}
	declineOffer   = action{words.ActionDecline, []string{"cancel", "decline"}}
	answerChange   = action{words.ActionDecline, []string{"decline_change", "retract_change"}}
	suggestTime    = action{words.ActionTime, []string{"counter", "propose_change"}}
	makeOffer      = action{words.ActionOffer, []string{"counter", "propose_change"}}
	provideDetails = action{words.ActionDetails, []string{"provide_info"}}
	cancelItem     = action{words.ActionCancel, []string{"cancel", "decline"}}
	withdrawNow    = action{words.ActionWithdraw, []string{"withdraw"}}
	requestReturn  = action{words.ActionReturn, []string{"request_return"}}
	sendMessage    = action{name: words.ActionMessage}
)

// onOrder are the doors of an order that is promised.
var onOrder = []action{acceptOffer, answerChange, makeOffer, withdrawNow, cancelItem, sendMessage}

// onSentOrder are those of one whose goods went out.
var onSentOrder = []action{requestReturn, withdrawNow, sendMessage}

// asksAgain is a door that a customer whose own change is open is not shown: they
// take it back first (01 §5.7).
func asksAgain(a action) bool { return a.name == words.ActionTime || a.name == words.ActionOffer }

// doors lists a customer's doors by the state of the item, in the order of
// 01 §5.7; every other state has send_message alone.
var doors = map[inbox.Type]map[inbox.State][]action{
	inbox.TypeBooking: {
		inbox.StateRequested: {cancelItem, sendMessage},
		inbox.StateNeedsInfo: {provideDetails, cancelItem, sendMessage},
		inbox.StateProposed:  {acceptOffer, declineOffer, suggestTime},
		inbox.StateConfirmed: {acceptOffer, answerChange, suggestTime, withdrawNow, cancelItem, sendMessage},
	},
	inbox.TypeOrder: {
		inbox.StateReceived:  {cancelItem, sendMessage},
		inbox.StateNeedsInfo: {provideDetails, cancelItem, sendMessage},
		inbox.StateProposed:  {acceptOffer, declineOffer, makeOffer},

		inbox.StateAccepted:        onOrder,
		inbox.StateAwaitingPayment: onOrder,
		inbox.StatePaymentFailed:   onOrder,
		inbox.StatePaid:            onOrder,
		inbox.StateFulfilling:      onOrder,
		inbox.StateFulfilled:       onSentOrder,
		inbox.StateCompleted:       onSentOrder,
	},
	inbox.TypeQuote: {
		inbox.StateReceived:  {cancelItem, sendMessage},
		inbox.StateNeedsInfo: {provideDetails, cancelItem, sendMessage},
		inbox.StateQuoted:    {acceptOffer, declineOffer, makeOffer},
	},
	inbox.TypeRefund: {
		inbox.StateRequested: {cancelItem, sendMessage},
		inbox.StateApproved:  {cancelItem, sendMessage},
	},
}

// actionsNow are the doors that stand open: those whose event is allowed. Where
// the contract can be withdrawn from there is no other way to cancel it.
func actionsNow(r *inbox.Record, events []string) []string {
	list := doors[r.Item.Type][r.Item.State]
	if list == nil {
		list = []action{sendMessage}
	}
	names := make([]string, 0, len(list))
	for _, a := range list {
		if asksAgain(a) && machine.ChangeBy(r.Item.Payload) == inbox.SideCustomer {
			continue
		}
		if a.name == words.ActionCancel && slices.Contains(events, "withdraw") {
			continue
		}
		if a.events == nil || slices.ContainsFunc(a.events, func(e string) bool { return slices.Contains(events, e) }) {
			names = append(names, a.name)
		}
	}
	return names
}

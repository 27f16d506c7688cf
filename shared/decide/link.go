package decide

import (
	"strconv"
	"time"

	"typedinbox/shared/inbox"
	"typedinbox/shared/negotiation"
	"typedinbox/shared/returns"
)

// How long a link lives where nothing about the item says so (05 §6.3).
const (
	proposalLives = 14 * inbox.Day
	quoteLives    = 30 * inbox.Day
	detailsLives  = 14 * inbox.Day
	cancelMonths  = 12
	withdrawAfter = 60 * inbox.Day // past the end of the right
)

// linkRule is a row of 05 §6.3: while the item allows the action, what its link
// is bound to, and until when it lives.
type linkRule struct {
	allowed func(*Facts) bool
	bound   func(*Facts) string
	until   func(*Facts, inbox.Instant) inbox.Instant
}

var linkRules = map[inbox.LinkAction]linkRule{
	inbox.LinkAcceptTime:   {isProposed(inbox.TypeBooking), boundToOffer, answerBy(proposalLives)},
	inbox.LinkDeclineTime:  {isProposed(inbox.TypeBooking), boundToOffer, answerBy(proposalLives)},
	inbox.LinkOtherTime:    {isProposed(inbox.TypeBooking), boundToOffer, answerBy(proposalLives)},
	inbox.LinkAcceptQuote:  {isProposed(inbox.TypeQuote), boundToOffer, answerBy(quoteLives)},
	inbox.LinkDeclineQuote: {isProposed(inbox.TypeQuote), boundToOffer, answerBy(quoteLives)},
	inbox.LinkAcceptOrder:  {isProposed(inbox.TypeOrder), boundToOffer, answerBy(proposalLives)},
	inbox.LinkDeclineOrder: {isProposed(inbox.TypeOrder), boundToOffer, answerBy(proposalLives)},
	inbox.LinkAcceptChange: {changeAsked, boundToOffer, answerBy(proposalLives)},
	inbox.LinkKeepAsIs:     {changeAsked, boundToOffer, answerBy(proposalLives)},
	inbox.LinkChangeTime:   {timeMayChange, boundToBooking, noticeBefore},
	inbox.LinkDetails:      {questionOpen, boundToQuestion, lives(detailsLives)},
	inbox.LinkCancel:       {mayBeCancelled, boundToItem("cancel:"), cancelUntil},
	inbox.LinkWithdraw:     {isContract, boundToItem("withdraw:"), withdrawUntil},
}

// LinkTerms is what a link of the action is bound to as the item stands, and
// whether the item's state allows the action at all (05 §6.3). Of an open offer
// of the business's the facts hold its row, where there is one.
func LinkTerms(f Facts, a inbox.LinkAction) (termsSHA string, allowed bool) {
	rule, known := linkRules[a]
	if !known || !rule.allowed(&f) {
		return "", false
	}
	return rule.bound(&f), true
}

// LinkUntil is the last moment at which a link of the action that is made now can
// act, as far as the table of 05 §6.3 gives it a date.
func LinkUntil(f Facts, a inbox.LinkAction, now inbox.Instant) inbox.Instant {
	return linkRules[a].until(&f, now)
}

// isProposed says whether what the business put forward waits for an answer on
// an item of the type.
func isProposed(t inbox.Type) func(*Facts) bool {
	return func(f *Facts) bool {
		i := &f.Record.Item
		return i.Type == t && (i.State == inbox.StateProposed || i.State == inbox.StateQuoted)
	}
}

func changeAsked(f *Facts) bool { return changeIsOwn(f.Record.Item.Payload) }

func timeMayChange(f *Facts) bool {
	return f.Record.Item.Type == inbox.TypeBooking && f.Record.Item.State == inbox.StateConfirmed && !changeAsked(f)
}

func questionOpen(f *Facts) bool { return f.Record.Item.State == inbox.StateNeedsInfo }

// cancellable are the states from which a link cancels (05 §6.3).
var cancellable = map[inbox.Type][]inbox.State{
	inbox.TypeBooking: {inbox.StateRequested, inbox.StateNeedsInfo, inbox.StateProposed, inbox.StateConfirmed},
	inbox.TypeOrder: {
		inbox.StateReceived, inbox.StateNeedsInfo, inbox.StateProposed,
		inbox.StateAccepted, inbox.StateAwaitingPayment, inbox.StatePaymentFailed,
	},
}

func mayBeCancelled(f *Facts) bool { return in(cancellable, f) }

func isContract(f *Facts) bool { return returns.Agreed(&f.Record.Item) }

func in(states map[inbox.Type][]inbox.State, f *Facts) bool {
	for _, s := range states[f.Record.Item.Type] {
		if s == f.Record.Item.State {
			return true
		}
	}
	return false
}

// boundToOffer is the fingerprint of what waits for the customer's answer.
func boundToOffer(f *Facts) string {
	if o := f.Offer; o != nil && o.Status == inbox.OfferOpen && o.By == inbox.SideBusiness {
		return o.TermsSHA
	}
	terms := negotiation.Offered
	if changeAsked(f) {
		terms = negotiation.Changed
	}
	_, _, sha := terms(f.Record.Item.Type, f.Record.Item.Payload)
	return sha
}

// boundToBooking is the fingerprint of a booking as it stands.
func boundToBooking(f *Facts) string {
	_, _, sha := negotiation.Promised(f.Record.Item.Type, f.Record.Item.Payload)
	return sha
}

// boundToQuestion names the question that waits for an answer.
func boundToQuestion(f *Facts) string { return "ask:" + strconv.Itoa(f.Record.AskedSeq) }

func boundToItem(prefix string) func(*Facts) string {
	return func(f *Facts) string { return prefix + f.Record.Item.ID }
}

// answerBy is the offer's own date, else so long from now.
func answerBy(otherwise int64) func(*Facts, inbox.Instant) inbox.Instant {
	return func(f *Facts, now inbox.Instant) inbox.Instant {
		if o := offered(f); o != nil && o.Until != nil {
			return *o.Until
		}
		if o := waits(f); o != nil && o.ValidThrough != nil {
			return *o.ValidThrough
		}
		return now.Add(otherwise)
	}
}

func lives(long int64) func(*Facts, inbox.Instant) inbox.Instant {
	return func(_ *Facts, now inbox.Instant) inbox.Instant { return now.Add(long) }
}

// noticeBefore is the last moment to ask for another time.
func noticeBefore(f *Facts, _ inbox.Instant) inbox.Instant {
	return f.Record.Item.Payload.Booking.StartTime.Add(-int64(f.Settings.Booking.MinNoticeMin) * inbox.Minute)
}

// cancelUntil is a year from now, or the end of the booking with the hours after
// which it completes by itself when that is later.
func cancelUntil(f *Facts, now inbox.Instant) inbox.Instant {
	until := yearAfter(now)
	if b := f.Record.Item.Payload.Booking; b != nil {
		until = max(until, b.EndTime.Add(int64(f.Settings.Booking.AutoCompleteHours)*inbox.Hour))
	}
	return until
}

func yearAfter(now inbox.Instant) inbox.Instant {
	return inbox.InstantOf(now.Time().In(time.UTC).AddDate(0, cancelMonths, 0))
}

// withdrawUntil is 60 days past the end of the right, so that a late click still
// reaches a person; a year while the goods have not been sent or delivered.
func withdrawUntil(f *Facts, now inbox.Instant) inbox.Instant {
	if until := returns.Until(f.Record, f.terms()); until != nil {
		return until.Add(withdrawAfter)
	}
	return yearAfter(now)
}

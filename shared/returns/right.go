package returns

import (
	"time"

	"typedinbox/shared/inbox"
	"typedinbox/shared/settings"
)

// Why a contract cannot be withdrawn from, in the order in which it is judged
// (02 §9.1).
const (
	WhyNotAgreed = "not_agreed"
	WhyBusiness  = "business_customer"
	WhyExcepted  = "excepted"
	WhyNotPaid   = "not_paid"
	WhyStarted   = "started"
	WhyLapsed    = "lapsed"
)

// Right is the right of withdrawal at a moment. Until is nil for as long as no
// end is fixed; Why and Exception stand only where the right does not run.
type Right struct {
	Available bool
	Until     *inbox.Instant
	Why       string           // WhyNotAgreed …
	Exception inbox.Withdrawal // the flag that excepts the contract
}

// Terms are what the right is judged on beside the contract: whom the business
// sells to, its period, its zone and country.
type Terms struct {
	Customers   string // commerce.customers
	Period      Period
	TransitDays int // returns.assumedTransitDays
}

// TermsOf are a business's terms.
func TermsOf(s settings.Settings, zone *time.Location) Terms {
	return Terms{
		Customers:   s.Commerce.Customers,
		Period:      Period{Zone: zone, Country: s.Commerce.Legal.Country, Days: s.Returns.Days},
		TransitDays: s.Returns.AssumedTransitDays,
	}
}

const soldToBusinesses = "businesses"

// RightAt is the right to withdraw from an item, which is a booking or an order,
// at the moment of the customer's notice (01 §14.1).
func RightAt(r *inbox.Record, t Terms, at inbox.Instant) Right {
	switch {
	case !Agreed(&r.Item):
		return Right{Why: WhyNotAgreed}
	case t.Customers == soldToBusinesses:
		return Right{Why: WhyBusiness}
	}
	return asPolicy(r, t, at)
}

// InPolicy says whether goods may come back by the business's own policy at a
// moment: as with the right of withdrawal, whoever the customer is (02 §9.7).
func InPolicy(r *inbox.Record, t Terms, at inbox.Instant) bool {
	return Agreed(&r.Item) && asPolicy(r, t, at).Available
}

// asPolicy judges all but who the customer is.
func asPolicy(r *inbox.Record, t Terms, at inbox.Instant) Right {
	if flag := Exception(r.WithdrawalFlags); flag != inbox.WithdrawalStandard {
		return Right{Why: WhyExcepted, Exception: flag}
	}
	if b := r.Item.Payload.Booking; b != nil {
		switch {
		case Paid(r.Item.Payload) == nil && b.PaymentRef == "":
			return Right{Why: WhyNotPaid}
		case b.StartTime <= at:
			return Right{Why: WhyStarted}
		}
	}
	until := Until(r, t)
	if until != nil && at > *until {
		return Right{Why: WhyLapsed, Until: until}
	}
	return Right{Available: true, Until: until}
}

// Until is when the right ends, nil while it has not begun: of a booking counted
// from when it was first confirmed, of an order from its delivery, as recorded or
// else assumed some days after it was sent (02 §9.3).
func Until(r *inbox.Record, t Terms) *inbox.Instant {
	start := begins(r, t)
	if start == nil {
		return nil
	}
	return inbox.Ptr(t.Period.Until(*start))
}

func begins(r *inbox.Record, t Terms) *inbox.Instant {
	o := r.Item.Payload.Order
	switch {
	case o == nil:
		return r.AgreedAt
	case !Sent(&r.Item):
		return nil
	case o.DeliveredAt != nil:
		return o.DeliveredAt
	case o.FulfilledAt != nil:
		return inbox.Ptr(o.FulfilledAt.Add(int64(t.TransitDays) * inbox.Day))
	}
	return nil
}

// Agreed says whether an item is a contract that may be withdrawn from: a
// confirmed booking, an order from its acceptance to its completion.
func Agreed(i *inbox.Item) bool {
	switch i.Type {
	case inbox.TypeBooking:
		return i.State == inbox.StateConfirmed
	case inbox.TypeOrder:
		switch i.State {
		case inbox.StateAccepted, inbox.StateAwaitingPayment, inbox.StatePaymentFailed, inbox.StatePaid,
			inbox.StateFulfilling, inbox.StateFulfilled, inbox.StateCompleted:
			return true
		}
	}
	return false
}

// Sent says whether an order's goods went out, so that they have to come back.
func Sent(i *inbox.Item) bool {
	return i.Type == inbox.TypeOrder && (i.State == inbox.StateFulfilled || i.State == inbox.StateCompleted)
}

// Exception is the first flag that excepts a contract from the right, standard
// for none. Any excepted line excepts the whole (02 §9.2).
func Exception(flags []inbox.Withdrawal) inbox.Withdrawal {
	for _, f := range flags {
		if f != "" && f != inbox.WithdrawalStandard {
			return f
		}
	}
	return inbox.WithdrawalStandard
}

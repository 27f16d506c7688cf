package returns

import (
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"typedinbox/shared/inbox"
	"typedinbox/shared/settings"
)

var (
	agreed = instantAt("2026-09-21T09:00:00Z")
	sent   = instantAt("2026-09-22T10:00:00Z")
)

func lisbon() Terms {
	return TermsOf(settings.Effective([]byte(`{"commerce":{"legal":{"country":"PT"}}}`)), zone("Europe/Lisbon"))
}

// booking is one that was confirmed and paid, for the 8th of October.
func booking(change func(*inbox.Record)) *inbox.Record {
	r := &inbox.Record{AgreedAt: &agreed, WithdrawalFlags: []inbox.Withdrawal{"standard"}, Item: inbox.Item{
		Type: inbox.TypeBooking, State: inbox.StateConfirmed,
		Payload: inbox.Payload{Booking: &inbox.Booking{StartTime: instantAt("2026-10-08T09:00:00Z"), TotalPrice: inbox.Ptr(euro(3000)), PaymentRef: "p"}},
	}}
	change(r)
	return r
}

// order is one that was paid, with what became of it since.
func order(state inbox.State, change func(*inbox.Record)) *inbox.Record {
	r := &inbox.Record{AgreedAt: &agreed, WithdrawalFlags: []inbox.Withdrawal{"standard", ""}, Item: inbox.Item{
		Type: inbox.TypeOrder, State: state, Payload: inbox.Payload{Order: chains(4600)},
	}}
	change(r)
	return r
}

func asIs(*inbox.Record) {}

// TestRightAt is 01 §14.1, reason by reason.
func TestRightAt(t *testing.T) {
	lastOfBooking := inbox.Ptr(instantAt("2026-10-06T22:59:59.999Z")) // Monday the 5th is a holiday
	ended := inbox.Ptr(instantAt("2026-10-06T22:59:59.999Z"))
	assumed := inbox.Ptr(instantAt("2026-10-13T22:59:59.999Z"))
	fulfilled := func(r *inbox.Record) { r.Item.Payload.Order.FulfilledAt = &sent }
	delivered := func(r *inbox.Record) { fulfilled(r); r.Item.Payload.Order.DeliveredAt = &sent }
	cases := map[string]struct {
		rec  *inbox.Record
		at   string
		want Right
	}{
		"ok/booking, paid": {booking(asIs), "2026-09-30T10:00:00Z", Right{Available: true, Until: lastOfBooking}},
		"ok/booking, an amount was paid": {booking(func(r *inbox.Record) {
			r.Item.Payload.Booking.PaymentRef, r.Item.Payload.Booking.PaidAmount = "", inbox.Ptr(euro(1))
		}), "2026-09-30T10:00:00Z", Right{Available: true, Until: lastOfBooking}},
		"ok/booking, its last moment":         {booking(asIs), "2026-10-06T22:59:59.999Z", Right{Available: true, Until: lastOfBooking}},
		"fail/booking, lapsed":                {booking(asIs), "2026-10-06T23:00:00.000Z", Right{Why: WhyLapsed, Until: lastOfBooking}},
		"fail/booking, started":               {booking(asIs), "2026-10-08T09:00:00Z", Right{Why: WhyStarted}},
		"fail/booking, not paid":              {booking(func(r *inbox.Record) { r.Item.Payload.Booking.PaymentRef = "" }), "2026-09-30T10:00:00Z", Right{Why: WhyNotPaid}},
		"fail/booking, excepted comes first":  {booking(func(r *inbox.Record) { r.WithdrawalFlags[0] = "dated_leisure"; r.Item.Payload.Booking.PaymentRef = "" }), "2026-10-09T10:00:00Z", Right{Why: WhyExcepted, Exception: "dated_leisure"}},
		"fail/booking, only asked for":        {booking(func(r *inbox.Record) { r.Item.State = inbox.StateRequested }), "2026-09-30T10:00:00Z", Right{Why: WhyNotAgreed}},
		"fail/booking, completed":             {booking(func(r *inbox.Record) { r.Item.State = inbox.StateCompleted }), "2026-09-30T10:00:00Z", Right{Why: WhyNotAgreed}},
		"ok/booking, paid without a price":    {booking(func(r *inbox.Record) { r.Item.Payload.Booking.TotalPrice = nil }), "2026-09-30T10:00:00Z", Right{Available: true, Until: lastOfBooking}},
		"ok/booking whose start is not known": {booking(func(r *inbox.Record) { r.AgreedAt = nil }), "2026-09-30T10:00:00Z", Right{Available: true}},
		"ok/order, accepted":                  {order(inbox.StateAccepted, asIs), "2030-01-01T00:00:00Z", Right{Available: true}},
		"ok/order, not paid":                  {order(inbox.StatePaymentFailed, func(r *inbox.Record) { r.Item.Payload.Order = chains(0) }), "2026-09-30T10:00:00Z", Right{Available: true}},
		"ok/order, being sent":                {order(inbox.StateFulfilling, asIs), "2026-12-30T10:00:00Z", Right{Available: true}},
		"ok/order, delivered":                 {order(inbox.StateFulfilled, delivered), "2026-10-06T22:59:59.999Z", Right{Available: true, Until: ended}},
		"ok/order, assumed to be delivered":   {order(inbox.StateFulfilled, fulfilled), "2026-10-13T22:59:59.999Z", Right{Available: true, Until: assumed}},
		"fail/order, lapsed":                  {order(inbox.StateCompleted, delivered), "2026-10-06T23:00:00Z", Right{Why: WhyLapsed, Until: ended}},
		"ok/order, sent nobody knows when":    {order(inbox.StateFulfilled, asIs), "2027-10-06T23:00:00Z", Right{Available: true}},
		"fail/order, excepted by one line":    {order(inbox.StatePaid, func(r *inbox.Record) { r.WithdrawalFlags = []inbox.Withdrawal{"", "perishable", "mixed"} }), "2026-09-30T10:00:00Z", Right{Why: WhyExcepted, Exception: "perishable"}},
		"fail/order, cancelled":               {order(inbox.StateCancelled, asIs), "2026-09-30T10:00:00Z", Right{Why: WhyNotAgreed}},
		"fail/order, charged back":            {order("charged_back", asIs), "2026-09-30T10:00:00Z", Right{Why: WhyNotAgreed}},
		"fail/a quote request":                {&inbox.Record{Item: inbox.Item{Type: inbox.TypeQuote, State: inbox.StateAccepted}}, "2026-09-30T10:00:00Z", Right{Why: WhyNotAgreed}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := RightAt(c.rec, lisbon(), instantAt(c.at)); !reflect.DeepEqual(got, c.want) {
				t.Errorf("%+v, want %+v", got, c.want)
			}
		})
	}
}

func TestBusinessCustomers(t *testing.T) {
	terms := lisbon()
	terms.Customers = "businesses"
	cases := map[string]struct {
		rec    *inbox.Record
		why    string
		policy bool
	}{
		"fail/no right, but the policy": {order(inbox.StateFulfilled, func(r *inbox.Record) { r.Item.Payload.Order.DeliveredAt = &sent }), WhyBusiness, true},
		"fail/before what is excepted":  {order(inbox.StatePaid, func(r *inbox.Record) { r.WithdrawalFlags = []inbox.Withdrawal{"mixed"} }), WhyBusiness, false},
		"fail/after what is not agreed": {order(inbox.StateReceived, asIs), WhyNotAgreed, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := RightAt(c.rec, terms, sent); got.Why != c.why || got.Available {
				t.Errorf("%+v", got)
			}
			if got := InPolicy(c.rec, terms, sent); got != c.policy {
				t.Errorf("in the policy: %v", got)
			}
		})
	}
}

// TestReturnsDays: a longer policy lengthens the right; the law's days are the
// least.
func TestReturnsDays(t *testing.T) {
	terms := lisbon()
	terms.Period.Days = 60
	r := order(inbox.StateCompleted, func(r *inbox.Record) { r.Item.Payload.Order.DeliveredAt = &sent })
	if got := RightAt(r, terms, sent.Add(59*inbox.Day)); !got.Available {
		t.Errorf("%+v", got)
	}
}

func TestKindOf(t *testing.T) {
	cases := map[string]struct {
		reason string
		runs   bool
		kind   string
	}{
		"ok/faulty":                {"faulty", true, KindFaulty},
		"ok/wrong item":            {"wrong_item", false, KindFaulty},
		"ok/not as described":      {"not_as_described", true, KindFaulty},
		"ok/changed mind in time":  {"changed_mind", true, KindWithdrawal},
		"ok/other in time":         {"other", true, KindWithdrawal},
		"ok/changed mind too late": {"changed_mind", false, KindPolicy},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := KindOf(c.reason, c.runs); got != c.kind {
				t.Errorf("%s, want %s", got, c.kind)
			}
		})
	}
}

func TestPromises(t *testing.T) {
	due := func(state inbox.State, due *inbox.Instant) *inbox.Record {
		r := refundOf(state, 1, nil)
		r.Item.Payload.Refund.RefundDue = due
		return r
	}
	cases := map[string]struct {
		rec  *inbox.Record
		want bool
	}{
		"ok/agreed with a date":  {due(inbox.StateApproved, &sent), true},
		"ok/goods received":      {due(inbox.StateGoodsReceived, &sent), true},
		"fail/waiting for goods": {due(inbox.StateApproved, nil), false},
		"fail/over":              {due(inbox.StateRefunded, &sent), false},
		"fail/only asked for":    {due(inbox.StateRequested, &sent), false},
		"fail/not a refund":      {booking(asIs), false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := Promises(c.rec); got != c.want {
				t.Errorf("%v", got)
			}
		})
	}
}

// TestRightProperties: inside the period the right runs whatever the state of an
// agreed order and its payment; past it never; a later notice never revives it.
func TestRightProperties(t *testing.T) {
	states := []inbox.State{inbox.StateAccepted, inbox.StateAwaitingPayment, inbox.StatePaymentFailed, inbox.StatePaid, inbox.StateFulfilling, inbox.StateFulfilled, inbox.StateCompleted}
	rapid.Check(t, func(t *rapid.T) {
		terms := lisbon()
		terms.Period.Days = rapid.IntRange(14, 365).Draw(t, "days")
		r := order(rapid.SampledFrom(states).Draw(t, "state"), func(r *inbox.Record) {
			o := chains(rapid.Int64Range(0, 9000).Draw(t, "paid"))
			if rapid.Bool().Draw(t, "fulfilled") {
				o.FulfilledAt = &sent
			}
			if rapid.Bool().Draw(t, "delivered") {
				o.DeliveredAt = inbox.Ptr(sent.Add(rapid.Int64Range(0, 10*inbox.Day).Draw(t, "on")))
			}
			r.Item.Payload.Order = o
		})
		at := sent.Add(rapid.Int64Range(-inbox.Day, 500*inbox.Day).Draw(t, "at"))
		right := RightAt(r, terms, at)
		until := Until(r, terms)
		if want := until == nil || at <= *until; right.Available != want {
			t.Fatalf("%+v at %v, until %v", right, at, until)
		}
		if !Sent(&r.Item) && until != nil {
			t.Fatalf("ends before anything was sent: %v", until)
		}
		if later := RightAt(r, terms, at.Add(inbox.Day)); later.Available && !right.Available {
			t.Fatalf("it comes back: %+v, %+v", right, later)
		}
	})
}

// TestAssumedTransit is the last line of 02 §13.6: sent on the 6th of May, seven
// days on the way, and Corpus Christi on the last day.
func TestAssumedTransit(t *testing.T) {
	r := order(inbox.StateFulfilled, func(r *inbox.Record) {
		r.Item.Payload.Order.FulfilledAt = inbox.Ptr(instantAt("2027-05-06T10:00:00Z"))
	})
	if got := Until(r, lisbon()); *got != instantAt("2027-05-28T22:59:59.999Z") {
		t.Errorf("until %v", got)
	}
}

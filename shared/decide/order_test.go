package decide

import (
	"fmt"
	"testing"

	"typedinbox/shared/inbox"
)

// A violation is one step of 01 §3 made to refuse.
type violation struct {
	name string
	do   func(w *world, c *inbox.Caller, r *TransitionRequest)
	code inbox.Code
	// why is the reason or guard told with it, "" for none.
	why string
}

// TestOrderOfChecks violates every two steps at once: the earlier one answers.
func TestOrderOfChecks(t *testing.T) {
	version := violation{"3 version", func(_ *world, _ *inbox.Caller, r *TransitionRequest) {
		r.ExpectedVersion = inbox.Ptr(7)
	}, inbox.CodeVersionConflict, ""}
	unpriced := violation{"8 business_priced", func(w *world, _ *inbox.Caller, _ *TransitionRequest) {
		w.f.Record.Unpriced = true
	}, inbox.CodeGuardFailed, "business_priced"}
	limits := violation{"8 limits", func(w *world, _ *inbox.Caller, _ *TransitionRequest) {
		w.f.Record.Item.Payload.Booking.TotalPrice = &inbox.Money{Value: 1, Currency: "EUR"}
	}, inbox.CodeNotAllowed, "limits_not_set"}
	input := violation{"9 input", func(_ *world, _ *inbox.Caller, r *TransitionRequest) {
		r.Input = []byte(`{"note":5}`)
	}, inbox.CodeInvalidInput, ""}
	leak := violation{"9 leak", func(_ *world, _ *inbox.Caller, r *TransitionRequest) {
		if r.Input == nil {
			r.Input = []byte(`{"note":"sdi_own_0123456789abcdef0123456789abcdef"}`)
		}
	}, inbox.CodeNotAllowed, "would_leak"}
	soon := violation{"16 not_too_soon", func(w *world, _ *inbox.Caller, _ *TransitionRequest) {
		w.now = start.Add(-59 * inbox.Minute)
	}, inbox.CodeGuardFailed, "not_too_soon"}
	taken := violation{"16 slot_available", func(w *world, _ *inbox.Caller, _ *TransitionRequest) {
		w.places["other"] = inbox.Claim{ID: "other", Resource: "service:SVC", Kind: inbox.ClaimBooking, From: start, To: end}
	}, inbox.CodeSlotTaken, ""}
	inOrder(t, "confirm", assistant, []violation{version, unpriced, limits, input, leak, soon, taken})

	stranger := violation{"4 owner", func(w *world, c *inbox.Caller, _ *TransitionRequest) {
		c.AccessToken = "someone else's"
	}, inbox.CodeNotAllowed, ""}
	moved := violation{"6 state", func(w *world, _ *inbox.Caller, _ *TransitionRequest) {
		w.f.Record.Item.State = inbox.StateDeclined
	}, inbox.CodeWrongState, ""}
	inOrder(t, "cancel", inbox.Caller{}, []violation{version, stranger, moved, input})

	notTheirs := violation{"6 actor", func(_ *world, c *inbox.Caller, _ *TransitionRequest) {
		c.Kind = inbox.Connector
	}, inbox.CodeNotAllowed, ""}
	inOrder(t, "confirm", owner, []violation{version, moved, notTheirs, input})

	paid := violation{"7 person only", func(w *world, _ *inbox.Caller, _ *TransitionRequest) {
		w.f.Record.Item.State = inbox.StateConfirmed
		w.f.Record.Item.Payload.Booking.PaymentRef = "P1"
	}, inbox.CodeNotAllowed, "person_only"}
	inOrder(t, "cancel_by_business", moneyKey, []violation{version, paid, input})

	binding := violation{"8 offer_binding", func(w *world, _ *inbox.Caller, _ *TransitionRequest) {
		w.propose()
	}, inbox.CodeGuardFailed, "offer_binding"}
	inOrder(t, "decline", key, []violation{version, binding, input})
}

// inOrder fires the event with every pair of violations, each alone too.
func inOrder(t *testing.T, event string, c inbox.Caller, list []violation) {
	for i, first := range list {
		for j := i; j < len(list); j++ {
			t.Run(fmt.Sprintf("fail/%s/%s before %s", event, first.name, list[j].name), func(t *testing.T) {
				w := inState(t, inbox.TypeBooking, inbox.StateRequested)
				c := c
				if c.Kind == "" {
					c = w.customer()
				}
				r := TransitionRequest{Event: event}
				list[j].do(w, &c, &r)
				if i != j {
					first.do(w, &c, &r)
				}
				_, err := w.decide(c, r)
				if p := problem(t, err); p.Code != first.code || why(p) != first.why {
					t.Errorf("%v (%s), want %s (%s)", p, why(p), first.code, first.why)
				}
			})
		}
	}
}

func why(p *inbox.Problem) string {
	for _, name := range []string{"guard", "reason"} {
		if s, ok := p.Details[name].(string); ok {
			return s
		}
	}
	return ""
}

package decide

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
)

// Moments at which the guards of the usual booking hold.
var (
	inWindow  = start.Add(-2 * inbox.Day)
	late      = start.Add(-2 * inbox.Hour)
	running   = start.Add(30 * inbox.Minute)
	completes = end.Add(48 * inbox.Hour)
)

// usual are the usual creates, by type.
var usual = map[inbox.Type]func() CreateRequest{
	inbox.TypeBooking: bookingRequest, inbox.TypeMessage: messageRequest,
	inbox.TypeOrder: orderRequest, inbox.TypeQuote: quoteRequest,
}

// leads are the ways from a new item to a state: by type, else the same for all.
var leads = map[inbox.Type]map[inbox.State]func(*world){
	"": {
		inbox.StateRequested: func(*world) {},
		inbox.StateReceived:  func(*world) {},
		inbox.StateOpen:      func(*world) {},
		inbox.StateNeedsInfo: func(w *world) { w.fire(owner, "request_info", `{"note":"Which length?"}`) },
		inbox.StateDeclined:  func(w *world) { w.fire(owner, "decline") },
		inbox.StateExpired:   func(w *world) { w.now = *w.f.Record.RequestExpiresAt; w.fire(sweeper, "expire") },
	},
	inbox.TypeBooking: {
		inbox.StateProposed:            (*world).propose,
		inbox.StateConfirmed:           func(w *world) { w.fire(owner, "confirm") },
		inbox.StateCompleted:           func(w *world) { w.fire(owner, "confirm"); w.now = running; w.fire(owner, "complete") },
		inbox.StateNoShow:              func(w *world) { w.fire(owner, "confirm"); w.now = running; w.fire(owner, "no_show") },
		inbox.StateCancelledByCustomer: func(w *world) { w.fire(w.customer(), "cancel") },
		inbox.StateCancelledByBusiness: func(w *world) { w.fire(owner, "cancel_by_business") },
	},
	inbox.TypeOrder: {
		inbox.StateProposed:        (*world).propose,
		inbox.StateAccepted:        func(w *world) { w.fire(owner, "accept") },
		inbox.StateCancelled:       func(w *world) { w.fire(w.customer(), "cancel") },
		inbox.StateAwaitingPayment: owners("accept", "request_payment"),
		inbox.StatePaymentFailed:   owners("accept", "request_payment", "payment_failed"),
		inbox.StatePaid:            owners("accept", "record_payment"),
		inbox.StateFulfilling:      owners("accept", "record_payment", "start_fulfilment"),
		inbox.StateFulfilled:       owners("accept", "record_payment", "fulfil"),
		inbox.StateCompleted:       owners("accept", "record_payment", "fulfil", "complete"),
		"charged_back":             owners("accept", "record_payment", "charge_back"),
	},
	inbox.TypeQuote: {
		inbox.StateQuoted:   (*world).propose,
		inbox.StateAccepted: func(w *world) { w.propose(); w.fire(w.customer(), "accept") },
	},
	inbox.TypeMessage: {
		inbox.StateAnswered: func(w *world) { w.fire(owner, "answer", `{"note":"Yes."}`) },
		inbox.StateClosed:   func(w *world) { w.fire(owner, "close") },
		inbox.StateSpam:     func(w *world) { w.fire(owner, "mark_spam") },
	},
}

// owners is what the owner does one after the other.
func owners(events ...string) func(*world) {
	return func(w *world) {
		for _, event := range events {
			w.ok(w.decide(owner, needing(event)))
		}
	}
}

// needed are inputs of events that take none without one.
var needed = map[string]string{
	"record_payment":    `{"paymentRef":"first"}`,
	"record_withdrawal": `{"note":"rang to withdraw"}`,
	"request_return":    `{"reasonCode":"faulty"}`,
	"open_return":       `{"reasonCode":"faulty","note":"rang about a crack"}`,
	"reject":            `{"note":"It was worn."}`,
	"dispute_goods":     `{"note":"It came back broken."}`,
	"refund":            `{"paymentRef":"back"}`,
	"record_settlement": `{"note":"agreed by phone","amount":{"value":1000,"currency":"EUR"}}`,
}

// needing is an event with the input it cannot do without.
func needing(event string) TransitionRequest {
	r := TransitionRequest{Event: event}
	if in := needed[event]; in != "" {
		r.Input = []byte(in)
	}
	return r
}

// inState brings a new item to a state by its own machine; to one that nothing
// leads to yet by hand.
func inState(t *testing.T, typ inbox.Type, state inbox.State) *world {
	t.Helper()
	if typ == inbox.TypeRefund {
		return returnIn(t, state)
	}
	w := newWorld(t)
	w.create(w.customer(), usual[typ]())
	lead := leads[typ][state]
	if lead == nil {
		lead = leads[""][state]
	}
	if lead == nil {
		t.Fatalf("no way to %s %s", typ, state)
	}
	lead(w)
	if w.f.Record.Item.State != state {
		t.Fatalf("in %s, want %s", w.f.Record.Item.State, state)
	}
	return w
}

// proposal is the input of a proposed hour.
func proposal(from inbox.Instant) string {
	return string(mustJSON(inbox.ProposeTimeInput{StartTime: from, EndTime: from.Add(inbox.Hour)}))
}

// propose puts something else forward: the hour after the one asked for, one
// jar more, a quote.
func (w *world) propose() {
	switch w.f.Record.Item.Type {
	case inbox.TypeOrder:
		w.fire(owner, "propose", orderProposal(3))
	case inbox.TypeQuote:
		w.fire(owner, "quote", simpleQuote)
	default:
		w.fire(owner, "propose", proposal(start.Add(inbox.Hour)))
	}
}

// counter is the input of a customer's other time.
func counter(from inbox.Instant) string {
	return string(mustJSON(inbox.CounterTimeInput{StartTime: from}))
}

// fitting sets the clock and gives the request with which an event succeeds.
func (w *world) fitting(c inbox.Caller, event string, from inbox.State) TransitionRequest {
	if strings.HasSuffix(event, "_change") {
		return w.fittingChange(c, event)
	}
	r := needing(event)
	switch event {
	case "withdraw", "record_withdrawal", "request_return", "open_return", "approve", "reject", "cancel", "goods_back":
		w.fittingReturn(c, event, &r)
	case "record_payment":
		w.now = w.now.Add(inbox.Minute)
		r.Input = []byte(`{"paymentRef":"another","amount":{"value":500,"currency":"EUR"}}`)
	case "record_delivery", "record_charge_back":
		w.now = w.now.Add(inbox.Minute)
	case "complete", "no_show":
		w.now = running
		if c.Kind == inbox.System {
			w.now = completes
		}
	case "expire", "lapse":
		w.now = *w.f.Record.DueAt
	case "propose", "quote", "counter":
		r.Input = []byte(offersOf[w.f.Record.Item.Type][event])
	case "retract":
		w.f.Settings.Negotiation.Binding = false
		w.propose()
	case "cancel_late":
		w.now = late
	case "record_cancel", "record_cancel_late":
		w.now = inWindow
		if event == "record_cancel_late" {
			w.now = late
		}
		r.Input = []byte(`{"note":"rang to say no"}`)
		if machine.Of(w.f.Record.Item.Type).IsPromise(from) && !c.IsPerson() {
			w.f.Entry = &inbox.Entry{ID: "ENTRY", ItemID: w.f.Record.Item.ID, Direction: inbox.DirectionIn, CreatedAt: w.now}
			r.Input = []byte(`{"note":"wrote to say no","entryId":"ENTRY"}`)
		}
	}
	return r
}

// offersOf are inputs that put something forward, by type.
var offersOf = map[inbox.Type]map[string]string{
	inbox.TypeBooking: {"propose": proposal(start.Add(2 * inbox.Hour)), "counter": counter(start.Add(3 * inbox.Hour))},
	inbox.TypeOrder:   {"propose": orderProposal(4), "counter": `{"lines":[{"index":0,"quantity":1}]}`},
	inbox.TypeQuote:   {"quote": simpleQuote, "counter": `{"quantity":2}`},
}

// TestEveryRow fires every event from every state by every actor: the row's own
// succeed and end where the row says, everybody else is not allowed, and where
// no row works the state is wrong.
func TestEveryRow(t *testing.T) {
	for _, typ := range []inbox.Type{inbox.TypeBooking, inbox.TypeOrder, inbox.TypeQuote, inbox.TypeMessage, inbox.TypeRefund} {
		table := machine.Of(typ)
		for _, from := range table.States() {
			still := inState(t, typ, from) // what is refused leaves it as it is
			for _, event := range table.Events() {
				for name, c := range still.actors() {
					t.Run(fmt.Sprintf("%s/%s/%s/%s", typ, from, event, name), func(t *testing.T) {
						fireOne(t, still, table, from, event, c)
					})
				}
			}
		}
	}
}

func fireOne(t *testing.T, still *world, table *machine.Table, from inbox.State, event string, c inbox.Caller) {
	w := still
	w.t = t
	row, code := expected(table, from, event, c)
	r := needing(event)
	if code == "" {
		w = inState(t, table.Type, from)
		if c.IsCustomer() {
			c = w.customer()
		}
		r = w.fitting(c, event, from)
	}
	switch {
	case row == nil:
	case row.Offer == machine.Make && unlimited(c):
		code = inbox.CodeNotAllowed // limits_not_set
	case (from == inbox.StateProposed || from == inbox.StateQuoted) && c.IsAutomation() && slices.Contains([]string{"request_info", "decline", "cancel_by_business", "cancel"}, event):
		code = inbox.CodeGuardFailed // offer_binding
	}
	out, err := w.decide(c, r)
	if code != "" {
		if p := problem(t, err); p.Code != code {
			t.Errorf("%v, want %s", p, code)
		}
		return
	}
	w.ok(out, err)
	if got := w.f.Record.Item.State; got != row.Target(from) {
		t.Errorf("in %s, want %s", got, row.Target(from))
	}
	if row.Does(machine.Close) != (w.f.Record.Item.ClosedAt != nil && *w.f.Record.Item.ClosedAt == w.now) {
		t.Errorf("closedAt %v", w.f.Record.Item.ClosedAt)
	}
	if row.Does(machine.ReleaseSlot) && (len(w.f.Record.Claims) > 0 || len(w.places) > 0) {
		t.Errorf("places are kept: %v", w.places)
	}
	if row.Does(machine.ClaimSlot) && len(w.places) != 1 && table.Type == inbox.TypeBooking {
		t.Errorf("places: %v", w.places)
	}
}

// expected is the row that answers, or the problem.
func expected(table *machine.Table, from inbox.State, event string, c inbox.Caller) (*machine.Row, inbox.Code) {
	code := inbox.CodeWrongState
	for _, r := range table.Rows {
		if r.Event != event || !slices.Contains(r.From, from) || table.Refuses(event, from) {
			continue
		}
		code = inbox.CodeNotAllowed
		if r.By.Has(machine.GroupOf(c)) {
			return r, ""
		}
	}
	return nil, code
}

// TestNames holds the tables of code and data together: whatever stands on a row
// that works has its code, and what has no code stands on the list of what is
// skipped.
func TestNames(t *testing.T) {
	for _, typ := range inbox.Types {
		table := machine.Of(typ)
		for _, row := range table.Rows {
			works := slices.ContainsFunc(row.From, func(s inbox.State) bool { return !table.Refuses(row.Event, s) })
			if !works {
				continue
			}
			for _, g := range row.Guards {
				if guards[g] == nil {
					t.Errorf("fail/%s %s: guard %s has no code", typ, row.Event, g)
				}
			}
			for _, e := range row.Effects {
				if ok := effects[e] != nil || payloadEffects[e] != nil; ok == machine.Skips(e) {
					t.Errorf("fail/%s %s: effect %s is %v in code and %v on the list of skipped", typ, row.Event, e, ok, machine.Skips(e))
				}
			}
			if decoders[row.Input] == nil {
				t.Errorf("fail/%s %s: input %s has no decoder", typ, row.Event, row.Input)
			}
			if (row.Does(machine.ApplyInput) || row.Does(machine.ApplyCounter)) && applies[row.Input] == nil {
				t.Errorf("fail/%s %s: input %s is written nowhere", typ, row.Event, row.Input)
			}
			if row.Offer != "" && offerActions[row.Offer] == nil {
				t.Errorf("fail/%s %s: offer action %s has no code", typ, row.Event, row.Offer)
			}
			if row.Offer == machine.Make && row.By&machine.Business != 0 && validities[row.Input] == nil {
				t.Errorf("fail/%s %s: offers of %s have no date", typ, row.Event, row.Input)
			}
		}
	}
}

func TestUnknownEvent(t *testing.T) {
	w := inState(t, inbox.TypeMessage, inbox.StateOpen)
	_, err := w.decide(owner, request("confirm"))
	if p := problem(t, err); p.Code != inbox.CodeUnknownEvent || len(p.Details["events"].([]string)) == 0 {
		t.Errorf("%v %v", p, p.Details)
	}
}

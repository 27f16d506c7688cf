package decide

import (
	"fmt"
	"slices"
	"testing"

	"typedinbox/shared/inbox"
)

func deliveredInput(at inbox.Instant) string { return fmt.Sprintf(`{"deliveredAt":%q}`, at) }

// TestWhoFulfils: every kind of caller at every event of fulfilment (01 §5.2).
func TestWhoFulfils(t *testing.T) {
	const everybody, noRules, nobody = "P owner,P staff,A,A owner key,K,K$,R,X", "P owner,P staff,A,A owner key,K,K$,X", ""
	for event, c := range map[string]struct {
		from inbox.State
		to   inbox.State
		who  string
		told string
	}{
		"start_fulfilment": {inbox.StatePaid, inbox.StateFulfilling, everybody, nobody},
		"fulfil":           {inbox.StateFulfilling, inbox.StateFulfilled, everybody, "notify_customer:fulfil"},
		"record_delivery":  {inbox.StateFulfilled, inbox.StateFulfilled, noRules, nobody},
		"complete":         {inbox.StateFulfilled, inbox.StateCompleted, "P owner,P staff,A,A owner key,K,K$,R", nobody},
	} {
		for name, by := range newWorld(t).actors() {
			w := inState(t, inbox.TypeOrder, c.from)
			if by.IsCustomer() {
				by = w.customer()
			}
			out, err := w.decide(by, request(event))
			if may := slices.Contains(split(c.who), name); !may {
				if p := problem(t, err); p.Code != inbox.CodeNotAllowed {
					t.Errorf("fail/%s by %s: %v", event, name, p)
				}
				continue
			}
			w.ok(out, err)
			list := told(out.Write)
			if w.f.Record.Item.State != c.to || times(list, c.told) != len(list) || (c.told == "") != (len(list) == 0) {
				t.Errorf("ok/%s by %s: in %s, owed %v", event, name, w.f.Record.Item.State, list)
			}
		}
	}
}

func split(list string) (parts []string) {
	for from, i := 0, 0; i <= len(list); i++ {
		if i == len(list) || list[i] == ',' {
			parts, from = append(parts, list[from:i]), i+1
		}
	}
	return parts
}

// TestFulfilFrom: what was promised can be sent, paid or not, and once; an order
// that waits for its money is not sent.
func TestFulfilFrom(t *testing.T) {
	for name, c := range map[string]struct {
		from  inbox.State
		event string
		code  inbox.Code
	}{
		"ok/accepted":            {inbox.StateAccepted, "fulfil", ""},
		"ok/paid":                {inbox.StatePaid, "fulfil", ""},
		"ok/fulfilling":          {inbox.StateFulfilling, "fulfil", ""},
		"ok/start, accepted":     {inbox.StateAccepted, "start_fulfilment", ""},
		"fail/start, waiting":    {inbox.StateAwaitingPayment, "start_fulfilment", inbox.CodeWrongState},
		"fail/waiting":           {inbox.StateAwaitingPayment, "fulfil", inbox.CodeWrongState},
		"fail/payment failed":    {inbox.StatePaymentFailed, "fulfil", inbox.CodeWrongState},
		"fail/not promised":      {inbox.StateReceived, "fulfil", inbox.CodeWrongState},
		"fail/twice":             {inbox.StateFulfilled, "fulfil", inbox.CodeWrongState},
		"fail/complete, not yet": {inbox.StateFulfilling, "complete", inbox.CodeWrongState},
		"fail/delivered, not":    {inbox.StateFulfilling, "record_delivery", inbox.CodeWrongState},
		"fail/asked when paid":   {inbox.StatePaid, "request_payment", inbox.CodeWrongState},
	} {
		w := inState(t, inbox.TypeOrder, c.from)
		out, err := w.decide(owner, request(c.event))
		if c.code == "" {
			w.ok(out, err)
		} else if p := problem(t, err); p.Code != c.code {
			t.Errorf("%s: %v", name, p)
		}
	}
}

// TestDeliveredAt: when goods arrived, from both sides of the tolerance (01 §4):
// inside it a time is clamped, outside it is refused.
func TestDeliveredAt(t *testing.T) {
	now := monday.Add(3 * inbox.Day)
	for name, c := range map[string]struct {
		said inbox.Instant // 0 for nothing
		want inbox.Instant // 0 for a refusal
	}{
		"ok/nothing said":            {0, now},
		"ok/a day ago":               {now.Add(-inbox.Day), now.Add(-inbox.Day)},
		"ok/now":                     {now, now},
		"ok/a clock that is ahead":   {now.Add(5 * inbox.Minute), now},
		"fail/further ahead":         {now.Add(5*inbox.Minute) + 1, 0},
		"ok/as it was made":          {monday, monday},
		"ok/a clock that is behind":  {monday.Add(-inbox.Minute), monday},
		"fail/further behind":        {monday.Add(-inbox.Minute) - 1, 0},
		"fail/tomorrow":              {now.Add(inbox.Day), 0},
		"fail/before there was time": {1, 0},
	} {
		t.Run(name, func(t *testing.T) {
			for _, event := range []string{"record_delivery", "fulfil"} {
				w := inState(t, inbox.TypeOrder, map[string]inbox.State{"fulfil": inbox.StatePaid, "record_delivery": inbox.StateFulfilled}[event])
				sent := w.f.Record.Item.Payload.Order.FulfilledAt
				w.now = now
				input := `{}`
				if c.said != 0 {
					input = deliveredInput(c.said)
				}
				out, err := w.decide(owner, request(event, input))
				if c.want == 0 {
					if p := problem(t, err); p.Code != inbox.CodeInvalidInput || p.Fields[0].Path != "input.deliveredAt" {
						t.Errorf("%s: %v", event, p)
					}
					continue
				}
				w.ok(out, err)
				o, want := w.f.Record.Item.Payload.Order, &c.want
				if event == "fulfil" {
					sent = &now
					if c.said == 0 {
						want = nil // sent; when it arrives is not known
					}
				}
				if !sameTime(o.DeliveredAt, want) || !sameTime(o.FulfilledAt, sent) {
					t.Errorf("%s: delivered %v, sent %v", event, o.DeliveredAt, o.FulfilledAt)
				}
			}
		})
	}
}

func sameTime(a, b *inbox.Instant) bool {
	return (a == nil) == (b == nil) && (a == nil || *a == *b)
}

// TestDeliveredLater: a closed order still learns when it arrived, and stays
// closed; the event keeps the moment that counts.
func TestDeliveredLater(t *testing.T) {
	w := inState(t, inbox.TypeOrder, inbox.StateCompleted)
	closed := *w.f.Record.Item.ClosedAt
	w.now = w.now.Add(2 * inbox.Day)
	w.fire(connector, "record_delivery", `{"note":"Left with a neighbour."}`)
	rec, last := w.f.Record, w.events[len(w.events)-1]
	if rec.Item.State != inbox.StateCompleted || *rec.Item.ClosedAt != closed || *rec.Item.Payload.Order.DeliveredAt != w.now {
		t.Errorf("in %s, closed %v, delivered %v", rec.Item.State, rec.Item.ClosedAt, rec.Item.Payload.Order.DeliveredAt)
	}
	var in inbox.DeliveryInput
	if unjson(t, last.Meta.Input, &in); in.DeliveredAt == nil || *in.DeliveredAt != w.now {
		t.Errorf("input %s", last.Meta.Input)
	}
	// ok/corrected later
	w.fire(owner, "record_delivery", deliveredInput(closed))
	if *w.f.Record.Item.Payload.Order.DeliveredAt != closed {
		t.Errorf("delivered %v", w.f.Record.Item.Payload.Order.DeliveredAt)
	}
}

// TestFulfilClearsFlag: a person who moves the order has seen it; automation has
// not (01 §1.2).
func TestFulfilClearsFlag(t *testing.T) {
	for name, c := range map[string]struct {
		event string
		by    inbox.Caller
		needs bool
	}{
		"ok/a person sends it":         {"fulfil", owner, false},
		"ok/a rule sends it":           {"fulfil", rule, true},
		"ok/a person asks for money":   {"request_payment", staff, false},
		"ok/a provider says it's paid": {"record_payment", connector, true},
	} {
		w := inState(t, inbox.TypeOrder, inbox.StateAccepted)
		w.f.Record.Item.Flags.NeedsHuman = true
		w.ok(w.decide(c.by, needing(c.event)))
		if w.f.Record.Item.Flags.NeedsHuman != c.needs {
			t.Errorf("%s: needs a person: %v", name, !c.needs)
		}
	}
}

// TestMoneyWordsAtFulfilment: a note of automation's that names money stays
// inside and marks the order for a person; the order moves (02 §8.5).
func TestMoneyWordsAtFulfilment(t *testing.T) {
	w := inState(t, inbox.TypeOrder, inbox.StatePaid)
	w.fire(assistant, "fulfil", `{"note":"Postage was 5 EUR."}`)
	if i := w.f.Record.Item; i.State != inbox.StateFulfilled || !i.Flags.NeedsHuman || w.entries[len(w.entries)-1].Direction != inbox.DirectionNote {
		t.Errorf("in %s, needs a person %v, %+v", i.State, i.Flags.NeedsHuman, w.entries)
	}
}

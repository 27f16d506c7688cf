package decide

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"typedinbox/shared/inbox"
)

// pay is the input of a payment, without an amount for 0.
func pay(ref string, cents int64) string {
	in := inbox.PaymentInput{PaymentRef: ref}
	if cents != 0 {
		in.Amount = eur(cents)
	}
	return string(mustJSON(in))
}

// paidFor is what the item's payload says was paid.
func (w *world) paidFor() (ref string, amount *inbox.Money) {
	switch p := w.f.Record.Item.Payload; {
	case p.Booking != nil:
		return p.Booking.PaymentRef, p.Booking.PaidAmount
	case p.Order != nil:
		return p.Order.PaymentRef, p.Order.PaidAmount
	}
	return "", nil
}

// unpriced takes the price of the world's booking away.
func unpriced(w *world) { w.f.Record.Item.Payload.Booking.TotalPrice = nil }

// TestPayments: payments add up, a reference counts once wherever it stands, one
// without an amount pays the rest (01 §5.1, 02 §13.7, 09). The booking costs
// 30.00.
func TestPayments(t *testing.T) {
	for name, c := range map[string]struct {
		with  func(*world)
		pays  []string
		ref   string
		paid  *inbox.Money
		kept  int
		told  int // mails to the customer
		wrong string
		field string
	}{
		"ok/whole, named":                       {nil, []string{pay("p1", 3000)}, "p1", eur(3000), 1, 1, "", ""},
		"ok/whole, not named":                   {nil, []string{pay("p1", 0)}, "p1", eur(3000), 1, 1, "", ""},
		"ok/02 §13.7: deposit, again, the rest": {nil, []string{pay("p1", 1000), pay("p1", 1000), pay("p2", 3500)}, "p2", eur(4500), 2, 2, "", ""},
		"ok/deposit and the rest, not named":    {nil, []string{pay("p1", 1000), pay("p2", 0)}, "p2", eur(3000), 2, 2, "", ""},
		"ok/more after the rest":                {nil, []string{pay("p1", 0), pay("p2", 500)}, "p2", eur(3500), 2, 2, "", ""},
		"ok/the rest of more is nothing":        {nil, []string{pay("p1", 4000), pay("p2", 0)}, "p2", eur(4000), 2, 2, "", ""},
		"ok/an earlier one again, not the last": {nil, []string{pay("p1", 1000), pay("p2", 500), pay("p1", 1000)}, "p2", eur(1500), 2, 2, "", ""},
		"ok/again with another amount":          {nil, []string{pay("p1", 1000), pay("p1", 9900)}, "p1", eur(1000), 1, 1, "", ""},
		"ok/again in another currency":          {nil, []string{pay("p1", 1000), `{"paymentRef":"p1","amount":{"value":1,"currency":"USD"}}`}, "p1", eur(1000), 1, 1, "", ""},
		"ok/again without an amount":            {nil, []string{pay("p1", 1000), pay("p1", 0)}, "p1", eur(1000), 1, 1, "", ""},
		"ok/blanks around a reference":          {nil, []string{`{"paymentRef":" p1 "}`, pay("p1", 0)}, "p1", eur(3000), 1, 1, "", ""},
		"ok/currency in small letters":          {nil, []string{`{"paymentRef":"p1","amount":{"value":7,"currency":"eur"}}`}, "p1", eur(7), 1, 1, "", ""},
		"ok/no price, an amount":                {unpriced, []string{pay("p1", 1000), pay("p2", 1)}, "p2", eur(1001), 2, 2, "", ""},
		"ok/nothing to pay":                     {func(w *world) { w.f.Record.Item.Payload.Booking.TotalPrice = eur(0) }, []string{pay("p1", 0)}, "p1", eur(0), 1, 1, "", ""},
		"ok/nothing to pay, said":               {func(w *world) { w.f.Record.Item.Payload.Booking.TotalPrice = eur(0) }, []string{`{"paymentRef":"p1","amount":{"value":0,"currency":"EUR"}}`}, "p1", eur(0), 1, 1, "", ""},
		"fail/no price, no amount":              {unpriced, []string{pay("p1", 0)}, "", nil, 0, 0, "input.amount", "missing"},
		"fail/no price, another currency":       {unpriced, []string{pay("p1", 100), `{"paymentRef":"p2","amount":{"value":1,"currency":"USD"}}`}, "p1", eur(100), 1, 1, "input.amount.currency", "invalid"},
		"fail/another currency":                 {nil, []string{`{"paymentRef":"p1","amount":{"value":1,"currency":"USD"}}`}, "", nil, 0, 0, "input.amount.currency", "invalid"},
		"fail/nothing":                          {nil, []string{`{"paymentRef":"p1","amount":{"value":0,"currency":"EUR"}}`}, "", nil, 0, 0, "input.amount.value", "invalid"},
		"fail/less than nothing":                {nil, []string{`{"paymentRef":"p1","amount":{"value":-1,"currency":"EUR"}}`}, "", nil, 0, 0, "input.amount.value", "invalid"},
		"fail/too much in all":                  {nil, []string{pay("p1", inbox.MaxMoney), pay("p2", 1)}, "p1", eur(inbox.MaxMoney), 1, 1, "input.amount.value", "invalid"},
		"fail/no reference":                     {nil, []string{`{"amount":{"value":1,"currency":"EUR"}}`}, "", nil, 0, 0, "input.paymentRef", "missing"},
		"fail/a blank reference":                {nil, []string{`{"paymentRef":"  "}`}, "", nil, 0, 0, "input.paymentRef", "invalid"},
	} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, inbox.TypeBooking, inbox.StateConfirmed)
			if c.with != nil {
				c.with(w)
			}
			heard, fields := 0, []inbox.FieldProblem{}
			for _, in := range c.pays {
				w.now = w.now.Add(inbox.Minute)
				out, err := w.decide(connector, request("record_payment", in))
				if err != nil {
					fields = problem(t, err).Fields
					continue
				}
				w.ok(out, nil)
				heard += times(mailed(out), "notify_customer:record_payment")
			}
			ref, paid := w.paidFor()
			if ref != c.ref || !reflect.DeepEqual(paid, c.paid) || len(w.f.Record.Payments) != c.kept || heard != c.told {
				t.Errorf("paid %q %v in %d, told %d times", ref, paid, len(w.f.Record.Payments), heard)
			}
			if (c.wrong == "") != (len(fields) == 0) || len(fields) > 0 && (fields[0].Path != c.wrong || string(fields[0].Problem) != c.field) {
				t.Errorf("refused for %+v", fields)
			}
			if w.f.Record.Item.State != inbox.StateConfirmed || len(w.f.Record.Claims) != 1 {
				t.Errorf("in %s with %v", w.f.Record.Item.State, w.f.Record.Claims)
			}
		})
	}
}

// mailed lists what an outcome owes.
func mailed(out Outcome) []string { return told(out.Write) }

// times counts a word in a list.
func times(list []string, what string) (n int) {
	for _, s := range list {
		if s == what {
			n++
		}
	}
	return n
}

// TestPaymentKept: what is kept beside the envelope, and what the event says.
func TestPaymentKept(t *testing.T) {
	w := inState(t, inbox.TypeBooking, inbox.StateConfirmed)
	first := w.now.Add(inbox.Hour)
	w.now = first
	w.fire(moneyKey, "record_payment", pay("p1", 1000))
	w.now = w.now.Add(inbox.Day)
	w.fire(owner, "record_payment", pay("p2", 0))
	want := []inbox.Payment{{Ref: "p1", Amount: eur(1000), At: first}, {Ref: "p2", At: w.now}}
	if !reflect.DeepEqual(w.f.Record.Payments, want) {
		t.Errorf("%+v", w.f.Record.Payments)
	}
	last := w.events[len(w.events)-1]
	for _, key := range []string{"paymentRef", "paidAmount"} {
		if _, ok := last.Diff.Payload[key]; !ok {
			t.Errorf("diff of %v", last.Diff)
		}
	}
	var in inbox.PaymentInput
	if unjson(t, last.Meta.Input, &in); in.PaymentRef != "p2" || in.Amount != nil {
		t.Errorf("input %s", last.Meta.Input)
	}
	w.fire(owner, "record_payment", pay("p1", 1000))
	if again := w.events[len(w.events)-1]; again.Diff != nil || again.Seq != last.Seq+1 {
		t.Errorf("again: %+v", again)
	}
	if !slices.Equal(w.f.Record.Happened, []string{inbox.HappenedPaid}) {
		t.Errorf("happened %v", w.f.Record.Happened)
	}
}

// TestTooManyPayments: the row of an item stays small.
func TestTooManyPayments(t *testing.T) {
	w := inState(t, inbox.TypeBooking, inbox.StateConfirmed)
	for i := range maxPayments {
		w.fire(connector, "record_payment", pay(fmt.Sprint("p", i), 1))
	}
	_, err := w.decide(connector, request("record_payment", pay("more", 1)))
	if p := problem(t, err); p.Code != inbox.CodeInvalidInput || p.Fields[0].Path != "input.paymentRef" {
		t.Errorf("fail/one more: %v", p)
	}
	w.fire(connector, "record_payment", pay("p7", 1)) // ok/one of them again
	if _, paid := w.paidFor(); paid.Value != maxPayments {
		t.Errorf("paid %v", paid)
	}
}

// TestPaymentsAddUp: in any order of payments and repetitions what was paid is
// the sum of the different references, or more when one of them paid the rest,
// and it never becomes less.
func TestPaymentsAddUp(t *testing.T) {
	for seed := range uint64(200) {
		random := rand.New(rand.NewPCG(seed, 3))
		w := inState(t, inbox.TypeBooking, inbox.StateConfirmed)
		refs, sum, rest := map[string]bool{}, int64(0), false
		for range 12 {
			ref, cents := fmt.Sprint("p", random.IntN(6)), random.Int64N(2000)
			w.fire(owner, "record_payment", pay(ref, cents))
			if !refs[ref] {
				if refs[ref] = true; cents == 0 {
					sum, rest = max(sum, 3000), true
				} else {
					sum += cents
				}
			}
			_, paid := w.paidFor()
			if paid.Value != sum || rest && paid.Value < 3000 || len(w.f.Record.Payments) != len(refs) {
				t.Fatalf("seed %d: paid %v, want %d of %d", seed, paid, sum, len(refs))
			}
		}
	}
}

// TestWhoRecordsMoney: every kind of caller at every event about money, with
// what each is told (01 §2.3).
func TestWhoRecordsMoney(t *testing.T) {
	states := map[string]inbox.State{
		"record_payment": inbox.StateAccepted, "payment_failed": inbox.StateAwaitingPayment,
		"charge_back": inbox.StatePaid, "record_charge_back": inbox.StateCompleted,
	}
	for event, state := range states {
		for name, c := range map[string]struct {
			code   inbox.Code
			reason string
		}{
			"P owner": {}, "P staff": {}, "K$": {}, "X": {},
			"A":           {inbox.CodeNotAllowed, "owner_money"},
			"A owner key": {inbox.CodeNotAllowed, "owner_money"},
			"K":           {inbox.CodeNotAllowed, "money_recorded"},
			"R":           {inbox.CodeNotAllowed, ""}, "S": {inbox.CodeNotAllowed, ""}, "C": {inbox.CodeNotAllowed, ""},
		} {
			w := inState(t, inbox.TypeOrder, state)
			out, err := w.decide(w.actors()[name], needing(event))
			if c.code == "" {
				w.ok(out, err)
				continue
			}
			p := problem(t, err)
			if p.Code != c.code || why(p) != c.reason {
				t.Errorf("fail/%s by %s: %v, reason %q", event, name, p, why(p))
			}
			if draft, _ := p.Details["draft_for_owner"].(bool); draft != (c.reason == "owner_money") {
				t.Errorf("fail/%s by %s: %v", event, name, p.Details)
			}
			if c.reason == "money_recorded" && p.Details["scope"] != inbox.ScopeMoneyWrite {
				t.Errorf("fail/%s by %s: %v", event, name, p.Details)
			}
		}
	}
}

// TestMoneyAfterShape: a payment that cannot be read is refused as such before
// anybody is told who may record it (01 §3, steps 9 and 11).
func TestMoneyAfterShape(t *testing.T) {
	w := inState(t, inbox.TypeOrder, inbox.StateAccepted)
	_, err := w.decide(assistant, request("record_payment"))
	if p := problem(t, err); p.Code != inbox.CodeInvalidInput {
		t.Errorf("fail/no reference: %v", p)
	}
}

// TestRequestPayment: who may ask for payment, and who may say where to pay.
func TestRequestPayment(t *testing.T) {
	const plain, withURL = `{"note":"Please."}`, `{"paymentUrl":"https://pay.example/1"}`
	for name, c := range map[string]struct {
		by, input string
		code      inbox.Code
		reason    string
	}{
		"ok/owner":                 {"P owner", plain, "", ""},
		"ok/assistant":             {"A", plain, "", ""},
		"ok/key":                   {"K", plain, "", ""},
		"ok/rule":                  {"R", plain, "", ""},
		"ok/nothing said":          {"P owner", ``, "", ""},
		"ok/owner, where":          {"P owner", withURL, "", ""},
		"ok/money key, where":      {"K$", withURL, "", ""},
		"ok/rule, where":           {"R", withURL, "", ""},
		"fail/assistant, where":    {"A", withURL, inbox.CodeNotAllowed, "owner_money"},
		"fail/owner's AI by key":   {"A owner key", withURL, inbox.CodeNotAllowed, "owner_money"},
		"fail/key, where":          {"K", withURL, inbox.CodeNotAllowed, "money_recorded"},
		"fail/connector":           {"X", plain, inbox.CodeNotAllowed, ""},
		"fail/customer":            {"C", plain, inbox.CodeNotAllowed, ""},
		"fail/system":              {"S", plain, inbox.CodeNotAllowed, ""},
		"fail/no address":          {"P owner", `{"paymentUrl":"pay me"}`, inbox.CodeInvalidInput, ""},
		"fail/an address of a key": {"K", `{"paymentUrl":"pay me"}`, inbox.CodeInvalidInput, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, inbox.TypeOrder, inbox.StateAccepted)
			w.now = w.now.Add(inbox.Hour)
			r := TransitionRequest{Event: "request_payment", Input: json.RawMessage(c.input)}
			out, err := w.decide(w.actors()[c.by], r)
			if c.code != "" {
				if p := problem(t, err); p.Code != c.code || why(p) != c.reason {
					t.Errorf("%v, reason %q", p, why(p))
				}
				return
			}
			w.ok(out, err)
			rec := w.f.Record
			if want := map[bool]string{true: "https://pay.example/1"}[c.input == withURL]; rec.Item.Payload.Order.PaymentURL != want {
				t.Errorf("to pay at %q", rec.Item.Payload.Order.PaymentURL)
			}
			if rec.DueKind != "lapse" || *rec.DueAt != w.now.Add(14*inbox.Day) || *rec.PaymentAskedAt != w.now {
				t.Errorf("due %v %s", rec.DueAt, rec.DueKind)
			}
			if list := told(out.Write); !slices.Equal(list, []string{"notify_customer:request_payment"}) {
				t.Errorf("owed %v", list)
			}
			if got := len(w.entries); got != times([]string{c.input}, plain) {
				t.Errorf("%d entries", got)
			}
		})
	}
}

// TestLapse: an order that is not paid in time lapses once, whoever waits, with
// the days to pay as they are set when it is judged (01 §13.1, §17).
func TestLapse(t *testing.T) {
	for name, c := range map[string]struct {
		state inbox.State
		days  int           // orders.payDays by then
		after inbox.Instant // since payment was asked for
		first []string      // what happens before
		by    string
		code  inbox.Code
	}{
		"ok/as the time is over":           {inbox.StateAwaitingPayment, 14, 14 * inbox.Day, nil, "S", ""},
		"ok/long after":                    {inbox.StateAwaitingPayment, 14, 90 * inbox.Day, nil, "S", ""},
		"ok/a payment failed meanwhile":    {inbox.StatePaymentFailed, 14, 14 * inbox.Day, nil, "S", ""},
		"ok/fewer days by now":             {inbox.StateAwaitingPayment, 3, 3 * inbox.Day, nil, "S", ""},
		"fail/a moment before":             {inbox.StateAwaitingPayment, 14, 14*inbox.Day - 1, nil, "S", inbox.CodeGuardFailed},
		"fail/more days by now":            {inbox.StateAwaitingPayment, 15, 14 * inbox.Day, nil, "S", inbox.CodeGuardFailed},
		"fail/once":                        {inbox.StateAwaitingPayment, 14, 14 * inbox.Day, []string{"lapse"}, "S", inbox.CodeGuardFailed},
		"fail/once, though it failed then": {inbox.StateAwaitingPayment, 14, 14 * inbox.Day, []string{"lapse", "payment_failed"}, "S", inbox.CodeGuardFailed},
		"fail/paid":                        {inbox.StatePaid, 14, 14 * inbox.Day, nil, "S", inbox.CodeWrongState},
		"fail/never asked":                 {inbox.StateAccepted, 14, 90 * inbox.Day, nil, "S", inbox.CodeWrongState},
		"fail/a rule":                      {inbox.StateAwaitingPayment, 14, 14 * inbox.Day, nil, "R", inbox.CodeNotAllowed},
		"fail/the owner":                   {inbox.StateAwaitingPayment, 14, 14 * inbox.Day, nil, "P owner", inbox.CodeNotAllowed},
	} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, inbox.TypeOrder, c.state)
			asked := w.now
			w.now, w.f.Settings.Orders.PayDays = asked.Add(int64(c.after)), c.days
			for _, event := range c.first {
				by := connector
				if event == "lapse" {
					by = sweeper
				}
				w.fire(by, event)
			}
			out, err := w.decide(w.actors()[c.by], TransitionRequest{Event: "lapse", Reason: "The order was not paid in time."})
			if c.code != "" {
				if p := problem(t, err); p.Code != c.code || c.code == inbox.CodeGuardFailed && p.Details["guard"] != "payment_overdue" {
					t.Errorf("%v", p)
				}
				return
			}
			w.ok(out, err)
			rec := w.f.Record
			if rec.Item.State != c.state || rec.Item.ClosedAt != nil || rec.DueAt != nil || len(told(out.Write)) != 0 {
				t.Errorf("in %s, closed %v, due %v, owed %v", rec.Item.State, rec.Item.ClosedAt, rec.DueAt, told(out.Write))
			}
			w.fire(owner, "record_payment", pay("late", 0)) // a late payment still counts
			if w.f.Record.Item.State != inbox.StatePaid {
				t.Errorf("late: in %s", w.f.Record.Item.State)
			}
		})
	}
}

// TestPayAfterSending: a payment is taken from every state after the promise;
// on a closed order it leaves it closed (09).
func TestPayAfterSending(t *testing.T) {
	for name, c := range map[string]struct {
		from, to inbox.State
		code     inbox.Code
	}{
		"ok/accepted":       {inbox.StateAccepted, inbox.StatePaid, ""},
		"ok/asked for":      {inbox.StateAwaitingPayment, inbox.StatePaid, ""},
		"ok/failed":         {inbox.StatePaymentFailed, inbox.StatePaid, ""},
		"ok/fulfilling":     {inbox.StateFulfilling, inbox.StateFulfilling, ""},
		"ok/fulfilled":      {inbox.StateFulfilled, inbox.StateFulfilled, ""},
		"ok/completed":      {inbox.StateCompleted, inbox.StateCompleted, ""},
		"fail/received":     {inbox.StateReceived, "", inbox.CodeWrongState},
		"fail/paid":         {inbox.StatePaid, "", inbox.CodeWrongState},
		"fail/cancelled":    {inbox.StateCancelled, "", inbox.CodeWrongState},
		"fail/charged back": {"charged_back", "", inbox.CodeWrongState},
	} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, inbox.TypeOrder, c.from)
			closed := w.f.Record.Item.ClosedAt
			_, before := w.paidFor()
			w.now = w.now.Add(inbox.Hour)
			out, err := w.decide(owner, request("record_payment", pay("new", 700)))
			if c.code != "" {
				if p := problem(t, err); p.Code != c.code {
					t.Errorf("%v", p)
				}
				return
			}
			w.ok(out, err)
			_, paid := w.paidFor()
			want := int64(700)
			if before != nil {
				want += before.Value
			}
			if w.f.Record.Item.State != c.to || paid.Value != want || !reflect.DeepEqual(w.f.Record.Item.ClosedAt, closed) || w.f.Record.Corrected {
				t.Errorf("in %s, paid %v, closed %v", w.f.Record.Item.State, paid, w.f.Record.Item.ClosedAt)
			}
			if !slices.Contains(told(out.Write), "notify_customer:record_payment") {
				t.Errorf("owed %v", told(out.Write))
			}
		})
	}
}

// TestPriceInTheCurrencyPaid: a price comes after a payment only in the payment's
// currency, or the rest that is paid would be counted across two.
func TestPriceInTheCurrencyPaid(t *testing.T) {
	yen := func(minor int64) *inbox.Money { return &inbox.Money{Value: minor, Currency: "JPY"} }
	booked := func(state inbox.State) func(*world) {
		return func(w *world) {
			r := bookingRequest()
			r.Payload.Booking.PaymentRef, r.Payload.Booking.PaidAmount = "p1", yen(500)
			w.create(owner, r)
			if state == inbox.StateConfirmed {
				w.fire(owner, "confirm")
			}
		}
	}
	ordered := func(w *world) {
		w.create(owner, orderWith(func(o *inbox.Order) {
			o.OrderedItem = []inbox.OrderLine{{Name: "x", Quantity: 1, Price: *yen(500)}}
			o.TotalPrice, o.PaymentRef, o.PaidAmount = *yen(500), "p1", yen(500)
		}))
	}
	priced := func(price *inbox.Money) string {
		return string(mustJSON(inbox.ProposeTimeInput{StartTime: later, EndTime: later.Add(inbox.Hour), TotalPrice: price}))
	}
	lines := func(price *inbox.Money) string {
		return string(mustJSON(inbox.ProposeOrderInput{OrderedItem: []inbox.OrderLine{{Name: "y", Quantity: 1, Price: *price}}}))
	}
	for name, c := range map[string]struct {
		set   func(*world)
		event string
		in    func(*inbox.Money) string
		path  string
	}{
		"proposal": {booked(inbox.StateRequested), "propose", priced, "input.totalPrice.currency"},
		"change":   {booked(inbox.StateConfirmed), "propose_change", priced, "input.totalPrice.currency"},
		"order":    {ordered, "propose", lines, "input.orderedItem.0.price.currency"},
	} {
		t.Run("fail/"+name+" in another", func(t *testing.T) {
			w := newWorld(t)
			c.set(w)
			if p := w.refusedWith(owner, c.event, c.in(eur(900))); p.Code != inbox.CodeInvalidInput || p.Fields[0].Path != c.path {
				t.Errorf("%v %+v", p, p.Fields)
			}
		})
		t.Run("ok/"+name+" in the same", func(t *testing.T) {
			w := newWorld(t)
			c.set(w)
			w.fire(owner, c.event, c.in(yen(900)))
		})
	}
}

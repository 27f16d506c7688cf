package decide

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
	"typedinbox/shared/returns"
)

// withdraw is the customer's door.
func (w *world) withdraw(confirm bool, note string, lines ...inbox.ReturnLine) (Outcome, error) {
	return w.pure(func() (Outcome, error) {
		return Withdraw(w.f, w.customer(), inbox.WithdrawRequest{ItemID: w.f.Record.Item.ID, Confirm: confirm, Note: note, Lines: lines}, w.env())
	})
}

func (w *world) cancel(reason string) (Outcome, error) {
	return w.pure(func() (Outcome, error) { return Cancel(w.f, w.customer(), reason, w.env()) })
}

// orderIn is the usual order in a state.
func orderIn(t *testing.T, state inbox.State) *world { return inState(t, inbox.TypeOrder, state) }

// paidBefore is the usual order, accepted, as one that the business wrote down
// with its payment.
func paidBefore(t *testing.T) *world {
	t.Helper()
	w := orderIn(t, inbox.StateAccepted)
	o := w.f.Record.Item.Payload.Order
	o.PaymentRef, o.PaidAmount = "first", inbox.Ptr(o.TotalPrice)
	return w
}

// with changes a world.
func with(w *world, change func(*world)) *world {
	change(w)
	return w
}

func excepted(w *world) {
	w.f.Record.WithdrawalFlags = slices.Clone(w.f.Record.WithdrawalFlags)
	w.f.Record.WithdrawalFlags[0] = "perishable"
}

func toBusinesses(w *world) { w.f.Settings.Commerce.Customers = soldToBusinesses }

func wait(d int64) func(*world) { return func(w *world) { w.now = w.now.Add(d) } }

// oneJar names one of the two jars of the usual order.
var oneJar = inbox.ReturnLine{Index: 0, Quantity: 1}

const allOfIt = `{"note":"all","lines":[{"index":0,"quantity":2},{"index":1,"quantity":1}]}`

// TestWithdrawalOpen: the guard, reason by reason, on the rows of 01 §5.1, §5.2.
func TestWithdrawalOpen(t *testing.T) {
	cases := map[string]struct {
		w    *world
		in   string
		to   inbox.State // "" for refused
		code inbox.Code
		why  string
	}{
		"ok/booking, paid":                  {paidBooking(t), `{"note":"no longer"}`, inbox.StateCancelledByCustomer, "", ""},
		"fail/booking, not paid":            {with(inState(t, inbox.TypeBooking, inbox.StateConfirmed), func(w *world) { w.f.Record.WithdrawalFlags = nil }), "", "", inbox.CodeGuardFailed, returns.WhyNotPaid},
		"fail/booking, excepted":            {with(paidBooking(t), excepted), "", "", inbox.CodeGuardFailed, returns.WhyExcepted},
		"fail/booking, started":             {with(paidBooking(t), func(w *world) { w.now = start }), "", "", inbox.CodeGuardFailed, returns.WhyStarted},
		"fail/booking, lapsed":              {with(paidBooking(t), func(w *world) { w.f.Record.AgreedAt = inbox.Ptr(monday.Add(-30 * inbox.Day)) }), "", "", inbox.CodeGuardFailed, returns.WhyLapsed},
		"fail/booking, business customers":  {with(paidBooking(t), toBusinesses), "", "", inbox.CodeGuardFailed, returns.WhyBusiness},
		"fail/booking, lines":               {paidBooking(t), `{"lines":[{"index":0,"quantity":1}]}`, "", inbox.CodeInvalidInput, ""},
		"fail/booking, asked for":           {inState(t, inbox.TypeBooking, inbox.StateRequested), "", "", inbox.CodeWrongState, ""},
		"ok/order, accepted":                {orderIn(t, inbox.StateAccepted), "", inbox.StateCancelled, "", ""},
		"ok/order, waiting for payment":     {orderIn(t, inbox.StateAwaitingPayment), "", inbox.StateCancelled, "", ""},
		"ok/order, payment failed":          {orderIn(t, inbox.StatePaymentFailed), "", inbox.StateCancelled, "", ""},
		"ok/order, paid":                    {orderIn(t, inbox.StatePaid), "", inbox.StateCancelled, "", ""},
		"ok/order, being sent":              {orderIn(t, inbox.StateFulfilling), "", inbox.StateCancelled, "", ""},
		"ok/order, a year later, not sent":  {with(orderIn(t, inbox.StatePaid), wait(365*inbox.Day)), "", inbox.StateCancelled, "", ""},
		"ok/order, every line is the whole": {orderIn(t, inbox.StatePaid), allOfIt, inbox.StateCancelled, "", ""},
		"fail/order, a part before it went": {orderIn(t, inbox.StatePaid), `{"lines":[{"index":0,"quantity":1}]}`, "", inbox.CodeInvalidInput, ""},
		"fail/order, lines it has not":      {orderIn(t, inbox.StateFulfilled), `{"lines":[{"index":2,"quantity":1}]}`, "", inbox.CodeInvalidInput, ""},
		"fail/order, more than bought":      {orderIn(t, inbox.StateFulfilled), `{"lines":[{"index":0,"quantity":3}]}`, "", inbox.CodeInvalidInput, ""},
		"ok/order, sent":                    {sentOrder(t), `{"lines":[{"index":0,"quantity":1}]}`, inbox.StateFulfilled, "", ""},
		"ok/order, completed":               {orderIn(t, inbox.StateCompleted), "", inbox.StateCompleted, "", ""},
		"fail/order, lapsed":                {with(sentOrder(t), wait(20*inbox.Day)), "", "", inbox.CodeGuardFailed, returns.WhyLapsed},
		"fail/order, one line excepted":     {with(sentOrder(t), excepted), "", "", inbox.CodeGuardFailed, returns.WhyExcepted},
		"fail/order, charged back":          {orderIn(t, "charged_back"), "", "", inbox.CodeWrongState, ""},
		"fail/order, cancelled":             {orderIn(t, inbox.StateCancelled), "", "", inbox.CodeWrongState, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := c.w
			out, err := w.decide(w.customer(), request("withdraw", c.in))
			if c.to == "" {
				p := problem(t, err)
				if why, _ := p.Details["why"].(string); p.Code != c.code || why != c.why || c.why != "" && p.Details["guard"] != "withdrawal_open" {
					t.Errorf("%v %v", p, p.Details)
				}
				if (c.why == returns.WhyExcepted) != (p.Details["exception"] != nil) || (c.why == returns.WhyLapsed) != (p.Details["until"] != nil) {
					t.Errorf("details %v", p.Details)
				}
				return
			}
			w.ok(out, err)
			if got := w.f.Record.Item.State; got != c.to {
				t.Errorf("in %s, want %s", got, c.to)
			}
			if got := w.f.Record.ClosedBy; w.f.Record.Item.State == inbox.StateCancelled && got != inbox.SideCustomer {
				t.Errorf("closed by %q", got)
			}
		})
	}
}

// TestLinkRefund is the table of 01 §14.2, row by row.
func TestLinkRefund(t *testing.T) {
	day14 := monday.Add(14 * inbox.Day)
	byEntry := func(w *world) {
		w.f.Entry = &inbox.Entry{ID: "ENTRY", ItemID: w.f.Record.Item.ID, Direction: inbox.DirectionIn, CreatedAt: monday}
	}
	type born struct {
		kind      string
		state     inbox.State
		amount    int64
		goods     bool
		due       *inbox.Instant
		returnBy  *inbox.Instant
		reason    string
		lines     []inbox.ReturnLine
		wants     string
		ownMail   bool
		reminders int
	}
	one := []inbox.ReturnLine{oneJar}
	cases := map[string]struct {
		w     *world
		by    func(*world) inbox.Caller
		event string
		in    string
		want  *born
	}{
		"ok/the business cancels a paid booking":   {paidBooking(t), ownerOf, "cancel_by_business", "", &born{kind: "cancellation", state: "approved", amount: 3000, due: &day14, reminders: 2}},
		"ok/and one that is not paid":              {inState(t, inbox.TypeBooking, inbox.StateConfirmed), ownerOf, "cancel_by_business", "", nil},
		"ok/a booking is withdrawn from":           {paidBooking(t), (*world).customer, "withdraw", `{"note":"ill"}`, &born{kind: "withdrawal", state: "approved", amount: 3000, due: &day14, reason: "ill", reminders: 2}},
		"ok/as the business records":               {paidBooking(t), ownerOf, "record_withdrawal", `{"note":"rang: ill"}`, &born{kind: "withdrawal", state: "approved", amount: 3000, due: &day14, reminders: 2}},
		"ok/a paid order, before it went":          {orderIn(t, inbox.StatePaid), (*world).customer, "withdraw", "", &born{kind: "withdrawal", state: "approved", amount: 3550, due: &day14, reminders: 2}},
		"ok/an unpaid order, before it went":       {orderIn(t, inbox.StateAccepted), (*world).customer, "withdraw", "", nil},
		"ok/a part of what was sent":               {sentOrder(t), (*world).customer, "withdraw", `{"lines":[{"index":0,"quantity":1}]}`, &born{kind: "withdrawal", state: "approved", amount: 850, goods: true, returnBy: &day14, lines: one, ownMail: true}},
		"ok/all of what was sent":                  {sentOrder(t), (*world).customer, "withdraw", "", &born{kind: "withdrawal", state: "approved", amount: 3550, goods: true, returnBy: &day14, ownMail: true}},
		"ok/recorded, after it went":               {with(sentOrder(t), byEntry), keyOf, "record_withdrawal", `{"note":"wrote","entryId":"ENTRY"}`, &born{kind: "withdrawal", state: "approved", amount: 3550, goods: true, returnBy: &day14, ownMail: true}},
		"ok/goods back that nobody paid":           {with(orderIn(t, inbox.StateAccepted), func(w *world) { w.fire(owner, "fulfil") }), (*world).customer, "withdraw", "", &born{kind: "withdrawal", state: "approved", goods: true, returnBy: &day14, ownMail: true}},
		"ok/a return in time":                      {sentOrder(t), (*world).customer, "request_return", `{"reasonCode":"other","wants":"exchange","lines":[{"index":0,"quantity":1}]}`, &born{kind: "withdrawal", state: "approved", amount: 850, goods: true, returnBy: &day14, lines: one, wants: "exchange", ownMail: true}},
		"ok/a return of something faulty":          {sentOrder(t), (*world).customer, "request_return", `{"reasonCode":"faulty","note":"cracked"}`, &born{kind: "faulty", state: "requested", amount: 3550, goods: true, reason: "cracked", ownMail: true}},
		"ok/of the wrong thing":                    {sentOrder(t), (*world).customer, "request_return", `{"reasonCode":"wrong_item"}`, &born{kind: "faulty", state: "requested", amount: 3550, goods: true, ownMail: true}},
		"ok/a return too late":                     {with(sentOrder(t), wait(60*inbox.Day)), (*world).customer, "request_return", `{"reasonCode":"changed_mind"}`, &born{kind: "policy", state: "requested", amount: 3550, goods: true, ownMail: true}},
		"ok/a return by a business customer":       {with(sentOrder(t), toBusinesses), (*world).customer, "request_return", `{"reasonCode":"changed_mind"}`, &born{kind: "policy", state: "requested", amount: 3550, goods: true, ownMail: true}},
		"ok/a return the assistant opens":          {sentOrder(t), assistantOf, "open_return", `{"reasonCode":"faulty","note":"they rang"}`, &born{kind: "faulty", state: "requested", amount: 3550, goods: true, ownMail: true}},
		"ok/a person cancels a paid order":         {orderIn(t, inbox.StatePaid), ownerOf, "cancel", "", &born{kind: "cancellation", state: "approved", amount: 3550, due: &day14, reminders: 2}},
		"ok/and one that came with a payment":      {paidBefore(t), ownerOf, "cancel", "", &born{kind: "cancellation", state: "approved", amount: 3550, due: &day14, reminders: 2}},
		"ok/and one that nobody paid yet":          {orderIn(t, inbox.StateAwaitingPayment), ownerOf, "cancel", "", nil},
		"ok/and one being sent that nobody paid":   {with(orderIn(t, inbox.StateAccepted), func(w *world) { w.fire(owner, "start_fulfilment") }), ownerOf, "cancel", "", nil},
		"ok/their no to a paid order, no right":    {with(orderIn(t, inbox.StatePaid), excepted), ownerOf, "record_cancel", `{"note":"rang"}`, &born{kind: "policy", state: "requested", amount: 3550}},
		"ok/their no to an unpaid order":           {orderIn(t, inbox.StateAccepted), ownerOf, "record_cancel", `{"note":"rang"}`, nil},
		"ok/in a test nobody is reminded":          {with(orderIn(t, inbox.StatePaid), func(w *world) { w.f.Record.Item.Flags.Sandbox = true }), ownerOf, "cancel", "", &born{kind: "cancellation", state: "approved", amount: 3550, due: &day14}},
		"ok/a deposit goes back, and no more":      {with(sentOrder(t), func(w *world) { w.f.Record.Item.Payload.Order.PaidAmount = eur(1000) }), (*world).customer, "withdraw", "", &born{kind: "withdrawal", state: "approved", amount: 1000, goods: true, returnBy: &day14, ownMail: true}},
		"ok/fewer days to pay back a cancellation": {with(orderIn(t, inbox.StatePaid), func(w *world) { w.f.Settings.Returns.RefundDays = 7 }), ownerOf, "cancel", "", &born{kind: "cancellation", state: "approved", amount: 3550, due: inbox.Ptr(monday.Add(7 * inbox.Day)), reminders: 2}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := c.w
			out := w.fire(c.by(w), c.event, c.in)
			if c.want == nil {
				if len(w.refunds) > 0 {
					t.Errorf("a refund of nothing: %s", mustJSON(w.refund().f.Record.Item.Payload))
				}
				return
			}
			rec := w.refund().f.Record
			r := rec.Item.Payload.Refund
			got := born{
				r.Kind, rec.Item.State, r.Amount.Value, *r.GoodsBack, r.RefundDue, r.ReturnBy, r.Reason, r.Lines, r.Wants,
				false, 0,
			}
			for _, j := range w.refund().jobs {
				for _, e := range j.Effects {
					got.ownMail = got.ownMail || e.Kind == inbox.EffectNotifyCustomer
					if e.Kind == inbox.EffectRefundDue {
						got.reminders++
					}
				}
			}
			if !reflect.DeepEqual(got, *c.want) {
				t.Errorf("%+v\nwant %+v", got, *c.want)
			}
			if *rec.Item.LinkedItemID != w.f.Record.Item.ID || rec.Item.Channel != c.by(w).Channel || *rec.Item.Subject != *w.f.Record.Item.Subject {
				t.Errorf("the refund %+v", rec.Item)
			}
			raw := string(mustJSON(out.Body))
			if !strings.Contains(raw, `"linked":{"item":{"id":"`+rec.Item.ID) {
				t.Errorf("the answer does not show it: %s", raw)
			}
		})
	}
}

func ownerOf(*world) inbox.Caller     { return owner }
func assistantOf(*world) inbox.Caller { return assistant }
func keyOf(*world) inbox.Caller       { return key }

// TestNoticeOf: when a customer is said to have withdrawn (01 §4).
func TestNoticeOf(t *testing.T) {
	late := monday.Add(30 * inbox.Day) // the right ended on the 19th
	wrote := monday.Add(10 * inbox.Day)
	cases := map[string]struct {
		by      inbox.Caller
		event   string
		in      string
		entry   *inbox.Entry
		at      inbox.Instant
		refused string // the field, or the guard
	}{
		"ok/a person names the day":           {owner, "record_withdrawal", `{"note":"letter","askedAt":"2026-10-15T08:00:00Z"}`, nil, wrote, ""},
		"ok/a message's arrival":              {assistant, "record_withdrawal", `{"note":"wrote","entryId":"E"}`, &inbox.Entry{ID: "E", Direction: inbox.DirectionIn, CreatedAt: wrote}, wrote, ""},
		"fail/now, and too late":              {owner, "record_withdrawal", `{"note":"rang"}`, nil, 0, "withdrawal_open"},
		"fail/the assistant names no message": {assistant, "record_withdrawal", `{"note":"rang"}`, nil, 0, "input.entryId"},
		"fail/a money key neither":            {moneyKey, "record_withdrawal", `{"note":"rang","askedAt":"2026-10-15T08:00:00Z"}`, nil, 0, "input.entryId"},
		"fail/a message of somebody else's":   {owner, "record_withdrawal", `{"note":"wrote","entryId":"E"}`, &inbox.Entry{ID: "E", ItemID: "other", Direction: inbox.DirectionIn, CreatedAt: wrote}, 0, "input.entryId"},
		"fail/words of the business's own":    {owner, "record_withdrawal", `{"note":"wrote","entryId":"E"}`, &inbox.Entry{ID: "E", Direction: inbox.DirectionOut, CreatedAt: wrote}, 0, "input.entryId"},
		"fail/before there was anything":      {owner, "record_withdrawal", `{"note":"x","askedAt":"2026-10-05T07:58:59Z"}`, nil, 0, "input.askedAt"},
		"fail/in the future":                  {owner, "record_withdrawal", `{"note":"x","askedAt":"2026-11-04T08:01:01Z"}`, nil, 0, "input.askedAt"},
		"ok/a little before its creation":     {owner, "record_withdrawal", `{"note":"x","askedAt":"2026-10-05T07:59:00Z"}`, nil, monday, ""},
		"fail/without a word":                 {owner, "record_withdrawal", `{"askedAt":"2026-10-15T08:00:00Z"}`, nil, 0, "input.note"},
		"ok/a return a person dates":          {owner, "open_return", `{"note":"letter","reasonCode":"other","askedAt":"2026-10-15T08:00:00Z"}`, nil, wrote, ""},
		"ok/a return the assistant may not":   {assistant, "open_return", `{"note":"letter","reasonCode":"other","askedAt":"2026-10-15T08:00:00Z"}`, nil, late, ""},
		"ok/a return by a message":            {key, "open_return", `{"note":"wrote","reasonCode":"other","entryId":"E"}`, &inbox.Entry{ID: "E", Direction: inbox.DirectionIn, CreatedAt: wrote}, wrote, ""},
		"fail/a return for no reason we know": {owner, "open_return", `{"note":"letter","reasonCode":"whim"}`, nil, 0, "input.reasonCode"},
		"fail/a return that names no reason":  {owner, "open_return", `{"note":"letter"}`, nil, 0, "input.reasonCode"},
		"fail/a return without a word":        {owner, "open_return", `{"reasonCode":"other"}`, nil, 0, "input.note"},
		"fail/a return dated in the future":   {owner, "open_return", `{"note":"x","reasonCode":"other","askedAt":"2026-12-04T08:01:01Z"}`, nil, 0, "input.askedAt"},
		"fail/a return by nobody's message":   {key, "open_return", `{"note":"wrote","reasonCode":"other","entryId":"F"}`, nil, 0, "input.entryId"},
		"ok/a later moment is moved to now":   {owner, "open_return", `{"note":"x","reasonCode":"other","askedAt":"2026-11-04T08:01:00Z"}`, nil, late, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := sentOrder(t)
			w.now = late
			if c.entry != nil {
				e := *c.entry
				if e.ItemID == "" {
					e.ItemID = w.f.Record.Item.ID
				}
				w.f.Entry = &e
			}
			out, err := w.decide(c.by, request(c.event, c.in))
			if c.refused != "" {
				p := problem(t, err)
				if p.Details["guard"] != c.refused && (len(p.Fields) == 0 || p.Fields[0].Path != c.refused) {
					t.Errorf("%v %v %v", p, p.Fields, p.Details)
				}
				return
			}
			w.ok(out, err)
			r := w.refund().f.Record.Item.Payload.Refund
			if *r.NoticeAt != c.at {
				t.Errorf("dated %v, want %v", r.NoticeAt, c.at)
			}
			kind := returns.KindPolicy
			if c.at <= *returns.Until(w.f.Record, w.f.terms()) {
				kind = returns.KindWithdrawal
			}
			if r.Kind != kind {
				t.Errorf("%s, want %s", r.Kind, kind)
			}
			if r.Reason != "" || w.f.Thread[len(w.f.Thread)-1].Direction != inbox.DirectionNote {
				t.Errorf("what the business wrote down is told: %+v", r)
			}
		})
	}
}

// TestWithdrawTwoSteps: nothing is written before the confirmation, and the
// statement says what would be declared (02 §9.4).
func TestWithdrawTwoSteps(t *testing.T) {
	w := sentOrder(t)
	_, err := w.withdraw(false, "", oneJar)
	p := problem(t, err)
	s, ok := p.Details["statement"].(inbox.WithdrawalStatement)
	if p.Code != inbox.CodeConfirmWithdrawal || !ok {
		t.Fatalf("%v %v", p, p.Details)
	}
	until := at("2026-10-19T22:59:59.999Z")
	want := inbox.WithdrawalStatement{
		Text: s.Text, Name: "Ana", Email: "ana@example.pt", Contract: *w.f.Record.Item.Subject, Reference: w.f.Record.Reference(),
		Lines: []inbox.ReturnLine{oneJar}, Available: true, Until: &until, Label: "Withdraw from contract here", Confirm: "Confirm withdrawal",
	}
	if !strings.HasSuffix(s.Text, ": 1 × "+w.f.Record.Item.Payload.Order.OrderedItem[0].Name+".") {
		t.Errorf("what of it: %s", s.Text)
	}
	if !reflect.DeepEqual(s, want) || !strings.Contains(s.Text, w.f.Record.Reference()) || !strings.Contains(s.Text, "withdraw") {
		t.Errorf("%+v\nwant %+v", s, want)
	}
	if p.Detail != s.Text {
		t.Errorf("asked: %s", p.Detail)
	}
	w.f.Settings.Commerce.Legal.Country = "GB"
	_, err = w.withdraw(false, "")
	if s := problem(t, err).Details["statement"].(inbox.WithdrawalStatement); s.Label != "Cancel this contract here" || s.Confirm != "Confirm cancellation" || strings.Contains(s.Text, "withdraw") {
		t.Errorf("in the United Kingdom: %+v", s)
	}
	w.now = w.now.Add(60 * inbox.Day)
	_, err = w.withdraw(false, "")
	p = problem(t, err)
	if s := p.Details["statement"].(inbox.WithdrawalStatement); s.Available || s.Why != returns.WhyLapsed || !strings.HasPrefix(p.Detail, s.Text) || p.Detail == s.Text {
		t.Errorf("past the right: %+v, %s", s, p.Detail)
	}
	if StatementOf(w.f, nil, w.env()).Text == "" {
		t.Error("a page has no statement")
	}
	if of := (Facts{Record: w.f.Record, Settings: w.f.Settings}); Declared(of, "en") != StatementOf(w.f, nil, w.env()).Text {
		t.Errorf("ok/declared of the whole: %s", Declared(of, "en"))
	}
}

// TestWithdrawDoor: what a confirmed withdrawal becomes; it is never refused.
func TestWithdrawDoor(t *testing.T) {
	open := func(w *world) {
		w.fire(w.customer(), "request_return", `{"reasonCode":"faulty","lines":[{"index":1,"quantity":1}]}`)
	}
	allBack := func(w *world) {
		w.fire(w.customer(), "withdraw")
		r := w.refund()
		r.fire(owner, "refund", `{"paymentRef":"back"}`)
		w.relate()
	}
	cases := map[string]struct {
		w     *world
		lines []inbox.ReturnLine
		event string // "" for passed on
		kind  string
		why   string // what the customer is told beside
	}{
		"ok/a paid booking":                        {paidBooking(t), nil, "withdraw", "withdrawal", ""},
		"ok/an order that was sent":                {sentOrder(t), []inbox.ReturnLine{oneJar}, "withdraw", "withdrawal", ""},
		"ok/an order not sent":                     {orderIn(t, inbox.StatePaid), nil, "withdraw", "withdrawal", ""},
		"ok/an order not sent, each line named":    {orderIn(t, inbox.StatePaid), []inbox.ReturnLine{{Index: 1, Quantity: 1}, {Index: 0, Quantity: 2}}, "withdraw", "withdrawal", ""},
		"ok/past the right: a return":              {with(sentOrder(t), wait(60*inbox.Day)), []inbox.ReturnLine{oneJar}, "request_return", "policy", ""},
		"ok/excepted, sent: a return":              {with(sentOrder(t), excepted), nil, "request_return", "policy", ""},
		"ok/a business customer: a return":         {with(sentOrder(t), toBusinesses), nil, "request_return", "policy", ""},
		"passed/a part of what was not sent":       {orderIn(t, inbox.StatePaid), []inbox.ReturnLine{oneJar}, "", "", "You may withdraw from the whole of it."},
		"passed/while a return goes on":            {with(sentOrder(t), open), nil, "", "", ""},
		"passed/past it, while a return goes on":   {with(with(sentOrder(t), open), wait(60*inbox.Day)), nil, "", "", "The time to withdraw from this contract is over."},
		"passed/everything came back":              {with(sentOrder(t), allBack), nil, "", "", ""},
		"passed/a booking that is not paid":        {with(inState(t, inbox.TypeBooking, inbox.StateConfirmed), func(w *world) { w.f.Record.WithdrawalFlags = nil }), nil, "", "", "It is not paid yet"},
		"passed/a booking that began":              {with(paidBooking(t), func(w *world) { w.now = start }), nil, "", "", "It has begun already."},
		"passed/a booking that is excepted":        {inState(t, inbox.TypeBooking, inbox.StateConfirmed), nil, "", "", "There is no right of withdrawal"},
		"passed/a booking that took place":         {inState(t, inbox.TypeBooking, inbox.StateCompleted), nil, "", "", ""},
		"passed/an order, excepted, not sent":      {with(orderIn(t, inbox.StatePaid), excepted), nil, "", "", "There is no right of withdrawal"},
		"passed/an order that was charged back":    {orderIn(t, "charged_back"), nil, "", "", ""},
		"passed/a business customer, nothing went": {with(orderIn(t, inbox.StateAccepted), toBusinesses), nil, "", "", "The right of withdrawal is for consumers."},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := c.w
			version, born := w.f.Record.Item.Version, len(w.refunds)
			out := w.ok(w.withdraw(true, "I do not want it", c.lines...))
			body := out.Body.(inbox.CustomerResult)
			if c.event != "" {
				r := w.refund().f.Record.Item.Payload.Refund
				if e := w.events[len(w.events)-1]; e.Event != c.event || out.Status != 200 || len(w.refunds) != born+1 || r.Kind != c.kind || body.Linked == nil {
					t.Errorf("%s, status %d, refund %+v", e.Event, out.Status, r)
				}
				if r.Reason != "I do not want it" {
					t.Errorf("reason %q", r.Reason)
				}
				return
			}
			said := w.entries[len(w.entries)-1]
			if out.Status != 202 || !body.Appended || body.PassedOn == "" || *body.WaitingOn != waitingOnUs || len(w.refunds) != born {
				t.Errorf("status %d, %+v", out.Status, body)
			}
			if !strings.Contains(body.PassedOn, c.why) {
				t.Errorf("told %q, want %q", body.PassedOn, c.why)
			}
			if said.Direction != inbox.DirectionIn || !strings.Contains(said.BodyText, "I do not want it") || !strings.Contains(said.BodyText, w.f.Record.Reference()) {
				t.Errorf("kept %+v", said)
			}
			if len(c.lines) > 0 && !strings.Contains(said.BodyText, "1 × Rosemary honey") {
				t.Errorf("the lines are not kept: %s", said.BodyText)
			}
			if !w.f.Record.Item.Flags.NeedsHuman || w.f.Record.Item.Version > version+1 {
				t.Errorf("flags %+v, version %d", w.f.Record.Item.Flags, w.f.Record.Item.Version)
			}
		})
	}
}

// TestWithdrawRefused: the few things that the door says no to.
func TestWithdrawRefused(t *testing.T) {
	cases := map[string]struct {
		w     *world
		lines []inbox.ReturnLine
		code  inbox.Code
	}{
		"fail/a request":              {inState(t, inbox.TypeBooking, inbox.StateRequested), nil, inbox.CodeWrongState},
		"fail/a proposal":             {orderIn(t, inbox.StateProposed), nil, inbox.CodeWrongState},
		"fail/cancelled already":      {orderIn(t, inbox.StateCancelled), nil, inbox.CodeWrongState},
		"fail/a quote":                {inState(t, inbox.TypeQuote, inbox.StateQuoted), nil, inbox.CodeWrongState},
		"fail/a message":              {inState(t, inbox.TypeMessage, inbox.StateOpen), nil, inbox.CodeWrongState},
		"fail/a refund":               {returnIn(t, inbox.StateApproved), nil, inbox.CodeWrongState},
		"fail/a line that is not":     {sentOrder(t), []inbox.ReturnLine{{Index: 7, Quantity: 1}}, inbox.CodeInvalidInput},
		"fail/more than was bought":   {with(sentOrder(t), wait(60*inbox.Day)), []inbox.ReturnLine{{Index: 0, Quantity: 9}}, inbox.CodeInvalidInput},
		"fail/lines of a booking":     {paidBooking(t), []inbox.ReturnLine{oneJar}, inbox.CodeInvalidInput},
		"fail/in spam nothing counts": {inState(t, inbox.TypeMessage, inbox.StateSpam), nil, inbox.CodeWrongState},
	}
	for name, c := range cases {
		for step, confirm := range map[string]bool{"first": false, "second": true} {
			t.Run(name+"/"+step, func(t *testing.T) {
				_, err := c.w.withdraw(confirm, "", c.lines...)
				p := problem(t, err)
				if p.Code != c.code {
					t.Errorf("%v %v", p, p.Details)
				}
				if c.code == inbox.CodeInvalidInput && p.Fields[0].Path != "lines" {
					t.Errorf("fields %v", p.Fields)
				}
				if c.code == inbox.CodeWrongState && (p.Details["state"] == inbox.StateSpam || p.Details["allowedFrom"].([]inbox.State) == nil) {
					t.Errorf("details %v", p.Details)
				}
			})
		}
	}
	for name, c := range sentOrder(t).actors() {
		if c.IsCustomer() {
			continue
		}
		w := sentOrder(t)
		if _, err := Withdraw(w.f, c, inbox.WithdrawRequest{Confirm: true}, w.env()); problem(t, err).Code != inbox.CodeNotAllowed {
			t.Errorf("fail/%s: %v", name, err)
		}
		if _, err := RequestReturn(w.f, c, inbox.ReturnRequest{Reason: "faulty"}, w.env()); problem(t, err).Code != inbox.CodeNotAllowed {
			t.Errorf("fail/%s: %v", name, err)
		}
	}
}

// TestCancelPaid: the customer's cancel door of what is paid is the withdrawal, at
// once, while the right runs (01 §5.1, §5.2).
func TestCancelPaid(t *testing.T) {
	refuse := func(w *world) { w.f.Settings.Booking.LateCancellation = lateRefuse }
	cases := map[string]struct {
		w      *world
		event  string // "" for passed on
		refund bool
		code   inbox.Code
	}{
		"ok/a paid booking":                  {paidBooking(t), "withdraw", true, ""},
		"ok/a paid booking, late":            {with(with(paidBooking(t), refuse), func(w *world) { w.now = late }), "withdraw", true, ""},
		"ok/a paid booking, excepted":        {with(paidBooking(t), excepted), "cancel", false, ""},
		"ok/excepted and late, recorded":     {with(with(paidBooking(t), excepted), func(w *world) { w.now = late }), "cancel_late", false, ""},
		"fail/excepted and late, refused":    {with(with(with(paidBooking(t), excepted), refuse), func(w *world) { w.now = late }), "", false, inbox.CodeGuardFailed},
		"ok/a booking that is not paid":      {with(inState(t, inbox.TypeBooking, inbox.StateConfirmed), func(w *world) { w.f.Record.WithdrawalFlags = nil }), "cancel", false, ""},
		"ok/an order that is not paid":       {orderIn(t, inbox.StateAccepted), "cancel", false, ""},
		"ok/a paid order":                    {orderIn(t, inbox.StatePaid), "withdraw", true, ""},
		"ok/one being sent":                  {orderIn(t, inbox.StateFulfilling), "withdraw", true, ""},
		"passed/a paid order, excepted":      {with(orderIn(t, inbox.StatePaid), excepted), "", false, ""},
		"ok/one that came with a payment":    {paidBefore(t), "withdraw", true, ""},
		"passed/with a payment, excepted":    {with(paidBefore(t), excepted), "", false, ""},
		"passed/one being sent, no consumer": {with(orderIn(t, inbox.StateFulfilling), toBusinesses), "", false, ""},
		"fail/one that was sent":             {orderIn(t, inbox.StateFulfilled), "", false, inbox.CodeWrongState},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := c.w
			out, err := w.cancel("changed plans")
			if c.code != "" {
				if p := problem(t, err); p.Code != c.code {
					t.Errorf("%v", p)
				}
				return
			}
			w.ok(out, err)
			if (len(w.refunds) == 1) != c.refund {
				t.Errorf("%d refunds", len(w.refunds))
			}
			if c.event == "" {
				said := w.entries[len(w.entries)-1]
				if out.Status != 202 || !strings.Contains(said.BodyText, "changed plans") || said.Direction != inbox.DirectionIn || !w.f.Record.Item.Flags.NeedsHuman {
					t.Errorf("status %d, %+v", out.Status, said)
				}
				return
			}
			if e := w.events[len(w.events)-1]; e.Event != c.event || out.Status != 200 {
				t.Errorf("%s, %d", e.Event, out.Status)
			}
		})
	}
}

// TestWithdrawalInstead: the business's record of a cancellation is one of a
// withdrawal where something was paid and the right ran when they asked
// (01 §3 step 5c).
func TestWithdrawalInstead(t *testing.T) {
	before := func(w *world) { w.now = end.Add(-30 * inbox.Minute) } // after the start
	cases := map[string]struct {
		w     *world
		in    string
		event string
		code  inbox.Code
	}{
		"ok/a paid booking":               {paidBooking(t), `{"note":"rang"}`, "record_withdrawal", ""},
		"ok/late, but the right runs":     {with(paidBooking(t), func(w *world) { w.now = late }), `{"note":"rang"}`, "record_withdrawal", ""},
		"ok/asked before it began":        {with(paidBooking(t), before), `{"note":"letter","askedAt":"2026-10-07T08:00:00Z"}`, "record_withdrawal", ""},
		"ok/asked once it had begun":      {with(paidBooking(t), before), `{"note":"rang"}`, "record_cancel_late", ""},
		"ok/excepted":                     {with(paidBooking(t), excepted), `{"note":"rang"}`, "record_cancel", ""},
		"ok/not paid":                     {inState(t, inbox.TypeBooking, inbox.StateConfirmed), `{"note":"rang"}`, "record_cancel", ""},
		"ok/a request":                    {inState(t, inbox.TypeBooking, inbox.StateRequested), `{"note":"rang"}`, "record_cancel", ""},
		"ok/an accepted order":            {orderIn(t, inbox.StateAccepted), `{"note":"rang"}`, "record_cancel", ""},
		"ok/a paid order":                 {orderIn(t, inbox.StatePaid), `{"note":"rang"}`, "record_withdrawal", ""},
		"ok/one being sent":               {orderIn(t, inbox.StateFulfilling), `{"note":"rang"}`, "record_withdrawal", ""},
		"ok/one that came with a payment": {paidBefore(t), `{"note":"rang"}`, "record_withdrawal", ""},
		"ok/a paid order, excepted":       {with(orderIn(t, inbox.StatePaid), excepted), `{"note":"rang"}`, "record_cancel", ""},
		"fail/without a word":             {orderIn(t, inbox.StatePaid), `{}`, "", inbox.CodeInvalidInput},
		"fail/dated before it was there":  {orderIn(t, inbox.StatePaid), `{"note":"x","askedAt":"2020-01-01T00:00:00Z"}`, "", inbox.CodeInvalidInput},
		"fail/one that was sent":          {orderIn(t, inbox.StateFulfilled), `{"note":"rang"}`, "", inbox.CodeWrongState},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := c.w
			out, err := w.decide(owner, request("record_cancel", c.in))
			if c.code != "" {
				if p := problem(t, err); p.Code != c.code {
					t.Errorf("%v", p)
				}
				return
			}
			w.ok(out, err)
			if e := w.events[len(w.events)-1]; e.Event != c.event {
				t.Errorf("%s, want %s", e.Event, c.event)
			}
			if (len(w.refunds) > 0) != (c.event == "record_withdrawal" || machine.Paid(w.f.Record.Item.Payload) && w.f.Record.Item.Type == inbox.TypeOrder) {
				t.Errorf("%d refunds", len(w.refunds))
			}
			if got := w.f.Record.ClosedBy; got != inbox.SideCustomer {
				t.Errorf("closed by %q", got)
			}
		})
	}
	w := orderIn(t, inbox.StatePaid)
	for name, c := range map[string]inbox.Caller{"assistant": assistant, "key": key} {
		_, err := w.decide(c, request("record_cancel", `{"note":"rang"}`))
		if p := problem(t, err); p.Code != inbox.CodeInvalidInput || p.Fields[0].Path != "input.entryId" {
			t.Errorf("fail/%s: %v", name, p)
		}
	}
}

// TestWithdrawalView: what the customer reads of the right, and the doors that
// stand open with it (01 §5.7, 03 §7).
func TestWithdrawalView(t *testing.T) {
	open := func(w *world) { w.fire(w.customer(), "withdraw", `{"lines":[{"index":0,"quantity":1}]}`) }
	cases := map[string]struct {
		w         *world
		available bool
		why       string
		until     string
		next      string
		refunds   int
	}{
		"ok/booking, paid":             {paidBooking(t), true, "", "2026-10-19T22:59:59.999Z", "suggest_time withdraw_from_contract send_message", 0},
		"ok/booking, excepted":         {with(paidBooking(t), excepted), false, "excepted", "", "suggest_time cancel_item send_message", 0},
		"ok/booking, not paid":         {with(inState(t, inbox.TypeBooking, inbox.StateConfirmed), func(w *world) { w.f.Record.WithdrawalFlags = nil }), false, "not_paid", "", "suggest_time cancel_item send_message", 0},
		"ok/order, accepted":           {orderIn(t, inbox.StateAccepted), true, "", "", "make_offer withdraw_from_contract send_message", 0},
		"ok/order, accepted, no right": {with(orderIn(t, inbox.StateAccepted), toBusinesses), false, "business_customer", "", "make_offer cancel_item send_message", 0},
		"ok/order, paid":               {orderIn(t, inbox.StatePaid), true, "", "", "make_offer withdraw_from_contract send_message", 0},
		"ok/order, paid, excepted":     {with(orderIn(t, inbox.StatePaid), excepted), false, "excepted", "", "make_offer send_message", 0},
		"ok/order, sent":               {sentOrder(t), true, "", "2026-10-19T22:59:59.999Z", "request_return withdraw_from_contract send_message", 0},
		"ok/order, sent, lapsed":       {with(sentOrder(t), wait(60*inbox.Day)), false, "lapsed", "2026-10-19T22:59:59.999Z", "request_return send_message", 0},
		"ok/order, a return goes on":   {with(sentOrder(t), open), true, "", "2026-10-19T22:59:59.999Z", "send_message", 1},
		"ok/order, completed":          {orderIn(t, inbox.StateCompleted), true, "", "2026-10-26T23:59:59.999Z", "request_return withdraw_from_contract send_message", 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			v := customerViewOf(c.w)
			until := ""
			if v.Withdrawal != nil && v.Withdrawal.Until != nil {
				until = v.Withdrawal.Until.String()
			}
			if v.Withdrawal == nil || v.Withdrawal.Available != c.available || v.Withdrawal.Why != c.why || until != c.until || v.Withdrawal.Label == "" || (v.Withdrawal.Reason == "") != c.available {
				t.Errorf("%+v, until %s", v.Withdrawal, until)
			}
			if got := actionsOf(v.Next); got != c.next {
				t.Errorf("next %q, want %q", got, c.next)
			}
			if len(v.Refunds) != c.refunds {
				t.Errorf("refunds %+v", v.Refunds)
			}
			for _, r := range v.Refunds {
				rec := c.w.refund().f.Record
				if r.ItemID != rec.Item.ID || r.Reference != rec.Reference() || r.State != rec.Item.State || r.Human == "" || strings.Contains(r.Human, "{") {
					t.Errorf("%+v", r)
				}
			}
		})
	}
	for name, w := range map[string]*world{
		"ok/a request": inState(t, inbox.TypeBooking, inbox.StateRequested), "ok/cancelled": orderIn(t, inbox.StateCancelled),
		"ok/a quote": inState(t, inbox.TypeQuote, inbox.StateQuoted), "ok/a message": inState(t, inbox.TypeMessage, inbox.StateOpen),
		"ok/a refund": returnIn(t, inbox.StateApproved),
	} {
		if raw, _ := json.Marshal(customerViewOf(w)); !strings.Contains(string(raw), `"withdrawal":null,"refunds":[]`) {
			t.Errorf("%s: %s", name, raw)
		}
	}
}

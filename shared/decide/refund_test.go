package decide

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
	"typedinbox/shared/returns"
)

// of is the payload of a refund's world.
func (w *world) owed() *inbox.Refund { return w.f.Record.Item.Payload.Refund }

// changed puts something else into the payload of a refund.
func changed(w *world, change func(*inbox.Refund)) *world {
	change(w.owed())
	return w
}

// noGoods is an approved refund for which nothing comes back.
func noGoods(t *testing.T) *world {
	w := orderIn(t, inbox.StatePaid)
	w.fire(owner, "cancel")
	return w.refund()
}

// TestOneWithdrawal is the worked example of 02 §13.11, from the payment to the
// refund: defaults, the Union's law, Lisbon.
func TestOneWithdrawal(t *testing.T) {
	w := newWorld(t)
	w.now = at("2026-09-21T09:00:00Z")
	r := orderRequest()
	r.Payload.Order.OrderedItem = []inbox.OrderLine{{SKU: "CASE-1", Name: "chain", Quantity: 2, Price: *eur(1850)}}
	r.Payload.Order.TotalPrice = *eur(3700)
	w.create(w.customer(), r)
	w.fire(owner, "accept")
	w.fire(owner, "record_payment", `{"paymentRef":"p1"}`)
	w.now = at("2026-09-22T09:00:00Z") // 10:00 in Lisbon
	w.fire(owner, "fulfil", `{"deliveredAt":"2026-09-22T09:00:00Z"}`)
	if got, want := returns.Until(w.f.Record, w.f.terms()), at("2026-10-06T22:59:59.999Z"); *got != want {
		t.Errorf("the right runs until %v, want %v", got, want)
	}
	w.now = at("2026-09-24T10:00:00Z")
	version := w.f.Record.Item.Version
	one := inbox.ReturnLine{Index: 0, Quantity: 1}
	if _, err := w.withdraw(false, "", one); problem(t, err).Code != inbox.CodeConfirmWithdrawal || w.f.Record.Item.Version != version {
		t.Errorf("the first step: %v", err)
	}
	w.ok(w.withdraw(true, "", one))
	refund := w.refund()
	p := refund.owed()
	if w.f.Record.Item.State != inbox.StateFulfilled || refund.f.Record.Item.State != inbox.StateApproved || p.Amount != *eur(1850) ||
		!*p.GoodsBack || *p.ReturnBy != at("2026-10-08T10:00:00Z") || p.RefundDue != nil || returns.Promises(refund.f.Record) {
		t.Errorf("the order is %s, the refund %s", w.f.Record.Item.State, mustJSON(refund.f.Record.Item))
	}
	_, err := w.decide(w.customer(), request("withdraw"))
	if p := problem(t, err); p.Details["guard"] != "no_open_return" || p.Details["refund"] != refund.f.Record.Item.ID {
		t.Errorf("a second withdrawal: %v %v", p, p.Details)
	}
	refund.now = at("2026-10-10T10:00:00Z")
	refund.fire(owner, "goods_back")
	if due := refund.owed().RefundDue; *due != at("2026-10-13T10:00:00Z") || !returns.Promises(refund.f.Record) {
		t.Errorf("due %v", due)
	}
	if at := reminders(refund); !slices.Equal(at, []string{"2026-10-10T08:00:00.000Z", "2026-10-13T08:00:00.000Z"}) {
		t.Errorf("reminders %v", at)
	}
	refund.now = at("2026-10-12T10:00:00Z")
	refund.fire(owner, "refund", `{"paymentRef":"back"}`)
	p = refund.owed()
	if refund.f.Record.Item.State != inbox.StateRefunded || *p.PaidAmount != *eur(1850) || p.PaymentRef != "back" || !returns.InTime(p.RefundDue, refund.now) {
		t.Errorf("paid back: %s", mustJSON(p))
	}
	if w.f.Record.Item.State != inbox.StateFulfilled || !slices.Equal(w.f.Record.Happened, []string{inbox.HappenedPaid}) {
		t.Errorf("the order is %s, its history %v", w.f.Record.Item.State, w.f.Record.Happened)
	}
	h := HistoryOf([]inbox.Record{*w.f.Record, *refund.f.Record}, "")
	if h.Items != 1 || h.Completed != 1 || h.LargestPaid != 3700 {
		t.Errorf("history %+v", h)
	}
}

// reminders lists when the business is reminded of a refund.
func reminders(w *world) (list []string) {
	for _, j := range w.jobs {
		for _, e := range j.Effects {
			if e.Kind == inbox.EffectRefundDue {
				list = append(list, j.RunAt.String())
				if e.ID != "due:"+w.f.Record.Item.ID+":"+j.RunAt.String() {
					w.t.Errorf("effect %+v", e)
				}
			}
		}
	}
	return list
}

// TestRefundInputs: what each event writes into a refund, and what it refuses.
func TestRefundInputs(t *testing.T) {
	now := monday.Add(3 * inbox.Day)
	due := now.Add(14 * inbox.Day)
	approved := func() *world { return with(returnIn(t, inbox.StateApproved), func(w *world) { w.now = now }) }
	asked := func() *world { return with(returnIn(t, inbox.StateRequested), func(w *world) { w.now = now }) }
	received := func() *world { return with(returnIn(t, inbox.StateGoodsReceived), func(w *world) { w.now = now }) }
	unpaid := func() *world {
		return changed(approved(), func(r *inbox.Refund) { r.Amount.Value = 0 })
	}
	cases := map[string]struct {
		w     *world
		event string
		in    string
		check func(r *inbox.Refund) bool
		field string // or the guard
	}{
		"ok/approve, goods back": {asked(), "approve", `{"instructions":{"method":"post","address":"Rua 1"}}`, func(r *inbox.Refund) bool {
			return *r.GoodsBack && *r.ReturnBy == due && r.Instructions.Address == "Rua 1" && r.RefundDue == nil
		}, ""},
		"ok/approve, by a day": {asked(), "approve", `{"returnBy":"2026-12-01T00:00:00Z"}`, func(r *inbox.Refund) bool { return *r.ReturnBy == at("2026-12-01T00:00:00Z") }, ""},
		"ok/approve, secrets in every field": {asked(), "approve", `{"instructions":{"method":"post","address":"` + secret + `","note":"` + secret + `"}}`, func(r *inbox.Refund) bool {
			return !strings.Contains(r.Instructions.Address+r.Instructions.Note, secret)
		}, ""},
		"ok/approve, nothing comes back": {asked(), "approve", `{"goodsBack":false,"instructions":{"method":"post"}}`, func(r *inbox.Refund) bool {
			return !*r.GoodsBack && r.ReturnBy == nil && r.Instructions == nil && *r.RefundDue == due
		}, ""},
		"ok/approve, not said":                      {changed(asked(), func(r *inbox.Refund) { r.GoodsBack = nil }), "approve", "", func(r *inbox.Refund) bool { return !*r.GoodsBack && *r.RefundDue == due }, ""},
		"ok/approve, nothing owed and nothing back": {changed(asked(), func(r *inbox.Refund) { r.Amount.Value = 0 }), "approve", `{"goodsBack":false}`, func(r *inbox.Refund) bool { return r.RefundDue == nil }, ""},
		"fail/approve, in the past":                 {asked(), "approve", `{"returnBy":"2026-10-08T08:00:00Z"}`, nil, "input.returnBy"},
		"fail/approve, no way back":                 {asked(), "approve", `{"instructions":{"method":"pigeon"}}`, nil, "input.instructions.method"},
		"ok/goods back now":                         {approved(), "goods_back", "", func(r *inbox.Refund) bool { return *r.EvidenceAt == now && *r.RefundDue == due }, ""},
		"ok/goods back yesterday": {approved(), "goods_back", `{"receivedAt":"2026-10-07T08:00:00Z"}`, func(r *inbox.Refund) bool {
			return *r.EvidenceAt == now.Add(-inbox.Day) && *r.RefundDue == due.Add(-inbox.Day)
		}, ""},
		"ok/goods back in a minute":      {approved(), "goods_back", `{"receivedAt":"2026-10-08T08:05:00Z"}`, func(r *inbox.Refund) bool { return *r.EvidenceAt == now }, ""},
		"fail/goods back later":          {approved(), "goods_back", `{"receivedAt":"2026-10-08T08:05:01Z"}`, nil, "input.receivedAt"},
		"fail/goods back before":         {approved(), "goods_back", `{"receivedAt":"2026-10-05T07:58:59Z"}`, nil, "input.receivedAt"},
		"ok/goods back for nothing paid": {unpaid(), "goods_back", "", func(r *inbox.Refund) bool { return *r.EvidenceAt == now && r.RefundDue == nil }, ""},
		"fail/goods that stay":           {changed(approved(), func(r *inbox.Refund) { r.GoodsBack = nil }), "goods_back", "", nil, "goods_expected"},
		"ok/disputed": {received(), "dispute_goods", `{"note":" broken "}`, func(r *inbox.Refund) bool {
			return *r.Disputed == inbox.Disputed{Note: "broken", At: now} && r.RefundDue != nil
		}, ""},
		"fail/disputed without a word":    {received(), "dispute_goods", `{"note":"  "}`, nil, "input.note"},
		"ok/paid back":                    {received(), "refund", `{"paymentRef":"b"}`, func(r *inbox.Refund) bool { return r.PaymentRef == "b" && *r.PaidAmount == *eur(3550) }, ""},
		"ok/a reference in blanks":        {received(), "refund", `{"paymentRef":" b "}`, func(r *inbox.Refund) bool { return r.PaymentRef == "b" }, ""},
		"ok/paid back before the goods":   {approved(), "refund", `{"paymentRef":"b","amount":{"value":3550,"currency":"EUR"}}`, func(r *inbox.Refund) bool { return r.RefundDue == nil && *r.PaidAmount == *eur(3550) }, ""},
		"fail/paid back too little":       {received(), "refund", `{"paymentRef":"b","amount":{"value":3549,"currency":"EUR"}}`, nil, "refund_amount"},
		"fail/paid back more than paid":   {received(), "refund", `{"paymentRef":"b","amount":{"value":3551,"currency":"EUR"}}`, nil, "input.amount.value"},
		"fail/paid back in another money": {received(), "refund", `{"paymentRef":"b","amount":{"value":3550,"currency":"USD"}}`, nil, "input.amount.currency"},
		"fail/paid back by nothing":       {received(), "refund", `{}`, nil, "input.paymentRef"},
		"fail/paid back by blanks":        {received(), "refund", `{"paymentRef":"  "}`, nil, "input.paymentRef"},
		"fail/nothing of what is owed":    {received(), "refund", `{"amount":{"value":0,"currency":"EUR"}}`, nil, "input.paymentRef"},
		"ok/nothing to pay back":          {unpaid(), "refund", "", func(r *inbox.Refund) bool { return r.PaymentRef == "" && r.PaidAmount.Value == 0 }, ""},
		"fail/more than nothing, unnamed": {unpaid(), "refund", `{"amount":{"value":1,"currency":"EUR"}}`, nil, "input.paymentRef"},
		"ok/agreed on less": {received(), "record_settlement", `{"note":"rang","amount":{"value":3000,"currency":"EUR"}}`, func(r *inbox.Refund) bool {
			return r.Amount == *eur(3000) && *r.OwedBefore == *eur(3550) && r.RefundDue != nil
		}, ""},
		"ok/agreed on nothing":          {received(), "record_settlement", `{"note":"rang","amount":{"value":0,"currency":"EUR"}}`, func(r *inbox.Refund) bool { return r.Amount == *eur(0) }, ""},
		"fail/agreed on as much":        {received(), "record_settlement", `{"note":"rang","amount":{"value":3550,"currency":"EUR"}}`, nil, "input.amount.value"},
		"fail/agreed in another money":  {received(), "record_settlement", `{"note":"rang","amount":{"value":1,"currency":"USD"}}`, nil, "input.amount.currency"},
		"fail/agreed, nobody knows how": {received(), "record_settlement", `{"amount":{"value":1,"currency":"EUR"}}`, nil, "input.note"},
		"fail/agreed by no message":     {received(), "record_settlement", `{"note":"wrote","entryId":"E","amount":{"value":1,"currency":"EUR"}}`, nil, "input.entryId"},
		"fail/rejected without a word":  {asked(), "reject", `{}`, nil, "input.note"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			owed := c.w.owed().Amount
			out, err := c.w.decide(owner, request(c.event, c.in))
			if c.check == nil {
				p := problem(t, err)
				if p.Details["guard"] != c.field && (len(p.Fields) == 0 || p.Fields[0].Path != c.field) {
					t.Errorf("%v %v %v", p, p.Fields, p.Details)
				}
				if c.field == "refund_amount" && p.Details["owed"] != owed {
					t.Errorf("details %v", p.Details)
				}
				return
			}
			raised := c.w.promise.f.Record.RefundsRev
			c.w.ok(out, err)
			if !c.check(c.w.owed()) {
				t.Errorf("%s", mustJSON(c.w.owed()))
			}
			if got := c.w.promise.f.Record.RefundsRev - raised; (got == 1) != raises(c.event) || got > 1 {
				t.Errorf("%s raises the promise by %d", c.event, got)
			}
			fixed := c.w.owed().RefundDue != nil && (c.event == "approve" || c.event == "goods_back")
			if now := len(told(out.Write)) > 0 && slices.Contains(told(out.Write), "refund_due"); now != fixed {
				t.Errorf("owes %v", told(out.Write))
			}
		})
	}
}

// TestOverdueAtOnce: of a refund whose date has passed when it is fixed the
// business is told once; of one whose first moment alone has passed, twice.
func TestOverdueAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		days int64
		want int
	}{"ok/long ago": {40, 1}, "ok/two days before it is due": {12, 2}, "ok/at the last reminder": {14, 1}} {
		w := sentOrder(t)
		w.fire(w.customer(), "withdraw")
		r := w.refund()
		r.now = monday.Add(c.days*inbox.Day + inbox.Hour)
		out := r.ok(r.decide(owner, request("goods_back", `{"receivedAt":"2026-10-06T08:00:00Z"}`)))
		told := 0
		for _, j := range out.Write.Jobs {
			for _, e := range j.Effects {
				if e.Kind == inbox.EffectRefundDue {
					told++
				}
			}
		}
		if told != c.want {
			t.Errorf("%s: %d reminders, due %v", name, told, r.owed().RefundDue)
		}
	}
}

// TestRefundNotes: which words of the business's the customer reads.
func TestRefundNotes(t *testing.T) {
	cases := map[string]struct {
		w     *world
		event string
		in    string
		want  inbox.Direction
	}{
		"ok/approve":       {returnIn(t, inbox.StateRequested), "approve", `{"note":"Sorry about that."}`, inbox.DirectionOut},
		"ok/dispute":       {returnIn(t, inbox.StateGoodsReceived), "dispute_goods", `{"note":"Broken."}`, inbox.DirectionOut},
		"ok/refund":        {returnIn(t, inbox.StateGoodsReceived), "refund", `{"paymentRef":"b","note":"On its way."}`, inbox.DirectionOut},
		"ok/settlement":    {returnIn(t, inbox.StateApproved), "record_settlement", `{"note":"agreed","amount":{"value":1,"currency":"EUR"}}`, inbox.DirectionNote},
		"ok/record_cancel": {returnIn(t, inbox.StateApproved), "record_cancel", `{"note":"keeps it"}`, inbox.DirectionNote},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			c.w.fire(owner, c.event, c.in)
			if e := c.w.entries[len(c.w.entries)-1]; e.Direction != c.want {
				t.Errorf("%+v", e)
			}
		})
	}
}

// TestNotWithdrawal: what the law gives back is not refused (02 §9.7).
func TestNotWithdrawal(t *testing.T) {
	asked := func(reason string, change func(*world)) *world {
		w := with(sentOrder(t), change)
		w.fire(w.customer(), "request_return", `{"reasonCode":"`+reason+`"}`)
		return w.refund()
	}
	late := func(w *world) { w.now = w.now.Add(60 * inbox.Day) }
	chargedBack := func(w *world) { w.promise.fire(owner, "charge_back"); w.relate() }
	cases := map[string]struct {
		w  *world
		ok bool
	}{
		"ok/faulty, too late for the right":      {asked("faulty", late), true},
		"ok/changed mind, too late":              {asked("changed_mind", late), true},
		"ok/faulty, excepted":                    {asked("faulty", excepted), true},
		"ok/faulty, a business customer":         {asked("faulty", toBusinesses), true},
		"fail/faulty, asked while the right ran": {asked("faulty", func(*world) {}), false},
		"fail/refused later, asked in time":      {with(asked("wrong_item", func(*world) {}), late), false},
		"fail/asked in time, charged back since": {with(asked("faulty", func(*world) {}), chargedBack), false},
		"ok/asked too late, charged back since":  {with(asked("faulty", late), chargedBack), true},
		"fail/a withdrawal as such":              {changed(asked("faulty", late), func(r *inbox.Refund) { r.Kind = returns.KindWithdrawal }), false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			out, err := c.w.decide(owner, request("reject", `{"note":"It was worn."}`))
			if !c.ok {
				if p := problem(t, err); p.Details["guard"] != "not_withdrawal" {
					t.Errorf("%v %v", p, p.Details)
				}
				return
			}
			c.w.ok(out, err)
		})
	}
}

// TestGoodsExpected: a customer drops a refund by keeping the goods; what is owed
// for nothing is not dropped by a click (02 §9.7).
func TestGoodsExpected(t *testing.T) {
	cases := map[string]struct {
		w     *world
		by    func(*world) inbox.Caller
		event string
		in    string
		guard string
	}{
		"ok/asked for, kept":          {returnIn(t, inbox.StateRequested), (*world).customer, "cancel", `{"note":"I keep it"}`, ""},
		"ok/approved, kept":           {returnIn(t, inbox.StateApproved), (*world).customer, "cancel", "", ""},
		"fail/money for nothing":      {noGoods(t), (*world).customer, "cancel", "", "goods_expected"},
		"ok/a person records it":      {noGoods(t), ownerOf, "record_cancel", `{"note":"does not want it"}`, ""},
		"ok/even with the goods here": {returnIn(t, inbox.StateGoodsReceived), ownerOf, "record_cancel", `{"note":"sent it to them"}`, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			out, err := c.w.decide(c.by(c.w), request(c.event, c.in))
			if c.guard != "" {
				if p := problem(t, err); p.Details["guard"] != c.guard {
					t.Errorf("%v %v", p, p.Details)
				}
				return
			}
			c.w.ok(out, err)
			c.w.promise.relate()
			if returns.Counts(c.w.f.Record) || returns.Open(c.w.promise.f.Refunds) != nil {
				t.Errorf("it still counts: %s", c.w.f.Record.Item.State)
			}
		})
	}
	w := returnIn(t, inbox.StateApproved)
	w.ok(w.cancel("I keep it"))
	if w.f.Record.Item.State != inbox.StateCancelled {
		t.Errorf("fail/the door: %s", w.f.Record.Item.State)
	}
}

// TestReturnAllowed: what automation may approve (02 §9.7), in the order in which
// it is judged.
func TestReturnAllowed(t *testing.T) {
	asked := func(reason, lines string, change func(*world)) *world {
		w := with(sentOrder(t), change)
		w.fire(w.customer(), "request_return", `{"reasonCode":"`+reason+`","lines":`+lines+`}`)
		return w.refund()
	}
	const jar = `[{"index":0,"quantity":1}]`
	asIs := func(*world) {}
	limit := func(minor int64) func(*world) {
		return func(w *world) { w.f.Settings.Negotiation.AI.MaxRefundMinor = minor }
	}
	never := func(w *world) { w.f.Settings.Negotiation.AI.MayAuthorizeReturnsInPolicy = false }
	late := func(w *world) { w.now = w.now.Add(60 * inbox.Day) }
	// The claim of 02 §13.7: a second one after 12.00 were given with nothing back.
	second := func(state inbox.State, goods bool) func(*world) {
		return func(w *world) {
			limit(2000)(w)
			w.fire(w.customer(), "request_return", `{"reasonCode":"faulty","lines":[{"index":1,"quantity":1}]}`)
			r := w.refund()
			r.owed().Amount.Value, r.owed().GoodsBack = 1200, &goods
			r.f.Record.Item.State = inbox.StateRefunded
			if state == inbox.StateRejected {
				r.f.Record.Item.State = state
			}
			w.relate()
		}
	}
	cases := map[string]struct {
		w     *world
		in    string
		guard string
	}{
		"ok/faulty, goods back":                        {asked("faulty", jar, asIs), "", ""},
		"ok/faulty, long after":                        {asked("faulty", jar, late), "", ""},
		"fail/returns are for persons":                 {asked("faulty", jar, never), `{"goodsBack":false}`, "return_allowed"},
		"fail/nothing back, no limit set":              {asked("faulty", jar, asIs), `{"goodsBack":false}`, "owner_money"},
		"ok/nothing back, inside the limit":            {asked("faulty", jar, limit(850)), `{"goodsBack":false}`, ""},
		"fail/nothing back, past the limit":            {asked("faulty", jar, limit(849)), `{"goodsBack":false}`, "refund_over_max"},
		"fail/the second claim, 2050 in all":           {asked("faulty", jar, second("refunded", false)), `{"goodsBack":false}`, "refund_over_max"},
		"ok/the first came with the goods":             {asked("faulty", jar, second("refunded", true)), `{"goodsBack":false}`, ""},
		"ok/the first was rejected":                    {asked("faulty", jar, second("rejected", false)), `{"goodsBack":false}`, ""},
		"fail/policy, too late":                        {asked("changed_mind", jar, late), "", "return_outside_policy"},
		"fail/policy, excepted":                        {asked("other", jar, excepted), "", "return_outside_policy"},
		"ok/policy, a business customer in time":       {asked("other", jar, toBusinesses), "", ""},
		"fail/policy, in time, but nothing comes back": {asked("other", jar, toBusinesses), `{"goodsBack":false}`, "owner_money"},
	}
	automation := map[string]inbox.Caller{"assistant": assistant, "owner key over MCP": ownerMCP, "key": key, "rule": rule}
	others := map[string]inbox.Caller{"owner": owner, "staff": staff, "money key": moneyKey}
	for name, c := range cases {
		for who, by := range automation {
			t.Run(name+"/"+who, func(t *testing.T) {
				_, err := c.w.decide(by, request("approve", c.in))
				switch {
				case c.guard == "" && err != nil:
					t.Error(err)
				case c.guard != "":
					if p := problem(t, err); p.Details["guard"] != c.guard || p.Details["draft_for_owner"] != true {
						t.Errorf("%v %v", p, p.Details)
					}
				}
			})
		}
		for who, by := range others {
			if _, err := c.w.decide(by, request("approve", c.in)); err != nil {
				t.Errorf("%s/%s: %v", name, who, err)
			}
		}
	}
}

// TestTwoRefunds: of one order two refunds together never pay more than was paid
// (02 §9.7, §14), and each is judged on what the other takes.
func TestTwoRefunds(t *testing.T) {
	w := sentOrder(t)
	w.fire(w.customer(), "request_return", `{"reasonCode":"faulty","lines":[{"index":1,"quantity":1}]}`)
	first := w.refund()
	first.fire(owner, "approve")
	first.fire(owner, "refund", `{"paymentRef":"b","amount":{"value":3000,"currency":"EUR"}}`)
	w.relate()
	w.fire(w.customer(), "request_return", `{"reasonCode":"faulty"}`)
	second := w.refund()
	if p := second.owed(); p.Amount != *eur(550) || !reflect.DeepEqual(p.Lines, []inbox.ReturnLine{{Index: 0, Quantity: 2}}) {
		t.Errorf("the second owes %s", mustJSON(p))
	}
	second.fire(owner, "approve")
	for amount, field := range map[int64]string{549: "refund_amount", 551: "input.amount.value"} {
		_, err := second.decide(owner, request("refund", fmt.Sprintf(`{"paymentRef":"c","amount":{"value":%d,"currency":"EUR"}}`, amount)))
		if p := problem(t, err); p.Details["guard"] != field && (len(p.Fields) == 0 || p.Fields[0].Path != field) {
			t.Errorf("fail/%d: %v", amount, p)
		}
	}
	second.fire(owner, "refund", `{"paymentRef":"c"}`)
	w.relate()
	_, err := w.decide(w.customer(), request("request_return", `{"reasonCode":"faulty"}`))
	if p := problem(t, err); p.Details["guard"] != "nothing_to_return" || !slices.Equal(p.Details["left"].([]int64), []int64{0, 0}) {
		t.Errorf("fail/a third: %v %v", p, p.Details)
	}
	if got := returns.Taken(w.f.Refunds); got != 3550 || w.f.Record.RefundsRev != 6 {
		t.Errorf("%d taken, refundsRev %d", got, w.f.Record.RefundsRev)
	}
}

// TestRequestReturn: the doors of returns, and who may use them.
func TestRequestReturn(t *testing.T) {
	ask := func(w *world, lines ...inbox.ReturnLine) (Outcome, error) {
		return w.pure(func() (Outcome, error) {
			return RequestReturn(w.f, w.customer(), inbox.ReturnRequest{Reason: "faulty", Lines: lines, Note: "cracked"}, w.env())
		})
	}
	open := func(c inbox.Caller, r inbox.OpenReturnRequest) func(*world, ...inbox.ReturnLine) (Outcome, error) {
		return func(w *world, lines ...inbox.ReturnLine) (Outcome, error) {
			r.Lines = lines
			return w.pure(func() (Outcome, error) { return OpenReturn(w.f, c, r, w.env()) })
		}
	}
	opening := inbox.OpenReturnRequest{Reason: "faulty", Note: "they rang"}
	goesOn := func(w *world) { w.fire(w.customer(), "request_return", `{"reasonCode":"faulty"}`) }
	cases := map[string]struct {
		w     *world
		ask   func(*world, ...inbox.ReturnLine) (Outcome, error)
		lines []inbox.ReturnLine
		code  inbox.Code
		field string // or the guard
	}{
		"ok/sent":                    {sentOrder(t), ask, nil, "", ""},
		"ok/completed":               {orderIn(t, inbox.StateCompleted), ask, []inbox.ReturnLine{oneJar}, "", ""},
		"ok/excepted":                {with(sentOrder(t), excepted), ask, nil, "", ""},
		"fail/not sent":              {orderIn(t, inbox.StatePaid), ask, nil, inbox.CodeWrongState, ""},
		"fail/a booking":             {paidBooking(t), ask, nil, inbox.CodeWrongState, ""},
		"fail/lines it has not":      {sentOrder(t), ask, []inbox.ReturnLine{{Index: 4, Quantity: 1}}, inbox.CodeInvalidInput, "lines"},
		"fail/one goes on":           {with(sentOrder(t), goesOn), ask, nil, inbox.CodeGuardFailed, "no_open_return"},
		"ok/opened by the owner":     {sentOrder(t), open(owner, opening), []inbox.ReturnLine{oneJar}, "", ""},
		"ok/opened by staff":         {sentOrder(t), open(staff, opening), nil, "", ""},
		"ok/opened by the assistant": {sentOrder(t), open(assistant, opening), nil, "", ""},
		"ok/opened by a key":         {sentOrder(t), open(key, opening), nil, "", ""},
		"fail/opened by a rule":      {sentOrder(t), open(rule, opening), nil, inbox.CodeNotAllowed, ""},
		"fail/opened by a connector": {sentOrder(t), open(connector, opening), nil, inbox.CodeNotAllowed, ""},
		"fail/opened, one goes on":   {with(sentOrder(t), goesOn), open(owner, opening), nil, inbox.CodeGuardFailed, "no_open_return"},
		"fail/opened for no reason":  {sentOrder(t), open(owner, inbox.OpenReturnRequest{Note: "x"}), nil, inbox.CodeInvalidInput, "reason"},
		"fail/opened by no message":  {sentOrder(t), open(key, inbox.OpenReturnRequest{Reason: "faulty", Note: "x", EntryID: "none"}), nil, inbox.CodeInvalidInput, "entry_id"},
		"fail/opened in the future":  {sentOrder(t), open(owner, inbox.OpenReturnRequest{Reason: "faulty", Note: "x", AskedAt: inbox.Ptr(monday.Add(inbox.Day))}), nil, inbox.CodeInvalidInput, "asked_at"},
		"fail/opened before it went": {orderIn(t, inbox.StateAccepted), open(owner, opening), nil, inbox.CodeWrongState, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			out, err := c.ask(c.w, c.lines...)
			if c.code != "" {
				p := problem(t, err)
				if p.Code != c.code || c.code == inbox.CodeInvalidInput && p.Fields[0].Path != c.field || c.code == inbox.CodeGuardFailed && p.Details["guard"] != c.field {
					t.Errorf("%v %v %v", p, p.Fields, p.Details)
				}
				if strings.Contains(p.Detail, "input.") {
					t.Errorf("the detail names no field of the door's: %s", p.Detail)
				}
				return
			}
			state := c.w.f.Record.Item.State
			c.w.ok(out, err)
			if out.Status != 201 || !strings.Contains(string(mustJSON(out.Body)), `"linked":{`) || c.w.f.Record.Item.State != state {
				t.Errorf("%d, %s, in %s", out.Status, mustJSON(out.Body), c.w.f.Record.Item.State)
			}
		})
	}
}

// TestRefundButtons: what is offered on a refund, and when not.
func TestRefundButtons(t *testing.T) {
	never := func(w *world) { w.f.Settings.Negotiation.AI.MayAuthorizeReturnsInPolicy = false }
	cases := map[string]struct {
		w    *world
		c    inbox.Caller
		want string
	}{
		"ok/requested, owner":          {returnIn(t, inbox.StateRequested), owner, "approve reject record_cancel"},
		"ok/requested, assistant":      {returnIn(t, inbox.StateRequested), assistant, "approve"},
		"fail/requested, not trusted":  {with(returnIn(t, inbox.StateRequested), never), assistant, ""},
		"ok/a withdrawal, owner":       {changed(returnIn(t, inbox.StateRequested), func(r *inbox.Refund) { r.Kind = returns.KindWithdrawal }), owner, "approve record_cancel"},
		"ok/approved, owner":           {returnIn(t, inbox.StateApproved), owner, "goods_back refund record_cancel record_settlement"},
		"ok/approved, nothing back":    {noGoods(t), owner, "refund record_cancel record_settlement"},
		"ok/approved, money key":       {returnIn(t, inbox.StateApproved), moneyKey, "goods_back refund"},
		"ok/approved, key":             {returnIn(t, inbox.StateApproved), key, ""},
		"ok/goods received, connector": {returnIn(t, inbox.StateGoodsReceived), connector, "refund"},
		"ok/refunded":                  {returnIn(t, inbox.StateRefunded), owner, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := eventsOf(OwnerView(c.w.f, c.c, c.w.env()).Transitions); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
	w := sentOrder(t)
	if got := eventsOf(OwnerView(w.f, owner, w.env()).Transitions); !strings.Contains(got, "open_return") {
		t.Errorf("sent: %q", got)
	}
	w.fire(w.customer(), "request_return", `{"reasonCode":"faulty"}`)
	if got := eventsOf(OwnerView(w.f, owner, w.env()).Transitions); strings.Contains(got, "open_return") {
		t.Errorf("a return goes on: %q", got)
	}
	for name, c := range map[string]struct {
		w    *world
		want bool
	}{
		"ok/a paid booking":              {paidBooking(t), true},
		"ok/sent":                        {sentOrder(t), true},
		"ok/lapsed, as they may date it": {with(sentOrder(t), wait(60*inbox.Day)), true},
		"fail/excepted":                  {with(paidBooking(t), excepted), false},
		"fail/a business customer":       {with(sentOrder(t), toBusinesses), false},
		"fail/a return goes on":          {w, false},
		"fail/a booking not paid":        {inState(t, inbox.TypeBooking, inbox.StateConfirmed), false},
	} {
		got := eventsOf(OwnerView(c.w.f, owner, c.w.env()).Transitions)
		if strings.Contains(got, "record_withdrawal") != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
	customers := map[string]struct {
		w    *world
		next string
	}{
		"ok/requested":    {returnIn(t, inbox.StateRequested), "cancel_item send_message"},
		"ok/approved":     {returnIn(t, inbox.StateApproved), "cancel_item send_message"},
		"ok/nothing back": {noGoods(t), "send_message"},
		"ok/goods here":   {returnIn(t, inbox.StateGoodsReceived), "send_message"},
		"ok/refunded":     {returnIn(t, inbox.StateRefunded), "send_message"},
	}
	for name, c := range customers {
		if got := actionsOf(customerViewOf(c.w).Next); got != c.next {
			t.Errorf("%s: %q, want %q", name, got, c.next)
		}
	}
}

// TestReturningLives: orders and bookings live at random, with refunds beside
// them. Whatever happens, no more goes back than was paid and one return goes on
// at most (the world checks it at every write); a withdrawal at the customer's
// door while the right runs is never refused; each refund's date is fixed once.
func TestReturningLives(t *testing.T) {
	for seed := range uint64(150) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { returnOnce(t, seed) })
	}
}

func returnOnce(t *testing.T, seed uint64) {
	random := rand.New(rand.NewPCG(seed, 4))
	w := sentOrder(t)
	switch seed % 3 {
	case 1:
		w = paidBooking(t)
	case 2:
		w = orderIn(t, inbox.StateAccepted)
	}
	w.f.Settings.Negotiation.AI.MaxRefundMinor = random.Int64N(5000)
	w.source = seeded(seed)
	actors := []string{"C", "C", "P owner", "P owner", "P staff", "A", "K", "K$", "R", "X", "S"}
	due := map[string]inbox.Instant{}
	for range 60 {
		on := w
		if n := len(w.refunds); n > 0 && random.IntN(2) == 0 {
			on = w.refunds[random.IntN(n)]
		}
		if random.IntN(4) == 0 {
			w.now = w.now.Add(random.Int64N(4 * inbox.Day))
		}
		w.relate()
		if random.IntN(8) == 0 {
			w.neverRefused(random)
			continue
		}
		table := machine.Of(on.f.Record.Item.Type)
		events := table.Events()
		c := on.actors()[actors[random.IntN(len(actors))]]
		event := events[random.IntN(len(events))]
		if strings.HasSuffix(event, "_change") || event == "propose" {
			continue
		}
		out, err := on.decide(c, request(event, on.anyReturn(random, event)))
		if err != nil {
			_ = problem(t, err)
			continue
		}
		on.ok(out, nil)
		w.relate()
		for _, r := range w.f.Refunds {
			p := r.Item.Payload.Refund
			if at, ok := due[r.Item.ID]; ok && (p.RefundDue == nil || *p.RefundDue != at) {
				t.Errorf("the date moved from %v to %v", at, p.RefundDue)
			}
			if p.RefundDue != nil {
				due[r.Item.ID] = *p.RefundDue
			}
		}
	}
}

// neverRefused withdraws at the customer's door, where something is agreed.
func (w *world) neverRefused(random *rand.Rand) {
	w.t.Helper()
	if !returns.Agreed(&w.f.Record.Item) {
		return
	}
	var lines []inbox.ReturnLine
	if w.f.Record.Item.Type == inbox.TypeOrder && random.IntN(2) == 0 {
		lines = []inbox.ReturnLine{{Index: random.IntN(2), Quantity: 1}}
	}
	out, err := w.withdraw(true, "no", lines...)
	if err != nil {
		w.t.Errorf("in %s, paid %v: %v", w.f.Record.Item.State, machine.Paid(w.f.Record.Item.Payload), err)
		return
	}
	w.ok(out, nil)
}

// anyReturn is some input for an event, good or bad.
func (w *world) anyReturn(random *rand.Rand, event string) string {
	lines := fmt.Sprintf(`[{"index":%d,"quantity":%d}]`, random.IntN(3), 1+random.IntN(2))
	amount := fmt.Sprintf(`{"value":%d,"currency":"EUR"}`, random.Int64N(4000))
	switch event {
	case "record_payment":
		return fmt.Sprintf(`{"paymentRef":"p%d","amount":%s}`, random.IntN(9), amount)
	case "withdraw":
		return []string{`{}`, `{"lines":` + lines + `}`}[random.IntN(2)]
	case "record_withdrawal", "record_cancel", "record_cancel_late", "reject", "dispute_goods":
		return `{"note":"x"}`
	case "request_return", "open_return":
		return fmt.Sprintf(`{"note":"x","reasonCode":%q,"lines":%s}`, []string{"faulty", "changed_mind"}[random.IntN(2)], lines)
	case "approve":
		return []string{`{}`, `{"goodsBack":false}`}[random.IntN(2)]
	case "refund":
		return []string{`{"paymentRef":"b"}`, `{"paymentRef":"b","amount":` + amount + `}`}[random.IntN(2)]
	case "record_settlement":
		return `{"note":"x","amount":` + amount + `}`
	}
	return ""
}

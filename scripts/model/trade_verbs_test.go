package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
)

// Others of the business besides the owner.
var (
	provider = inbox.Call{Caller: inbox.Caller{Actor: inbox.Actor{Kind: inbox.Connector, ID: "pay", Channel: inbox.ChannelConnector}}}
	moneyKey = inbox.Call{Caller: inbox.Caller{
		Actor:  inbox.Actor{Kind: inbox.Integration, ID: "key", Channel: inbox.ChannelREST},
		Scopes: []inbox.Scope{inbox.ScopeInboxWrite, inbox.ScopeMoneyWrite},
	}}
)

// fire is one event of the business's on an item. A refusal writes nothing.
func (d *trade) fire(by inbox.Call, i *deal, event string, in any) inbox.Code {
	d.t.Helper()
	var raw json.RawMessage
	if in != nil {
		raw = json.RawMessage(text(in))
	}
	return d.done(event, i, func() error {
		_, err := d.desk.TransitionItem(d.ctx, by, inbox.TransitionRequest{ItemID: i.id, Event: event, Input: raw})
		return err
	})
}

// done runs one act on an item and holds the world to what must hold after it.
func (d *trade) done(what string, i *deal, ask func() error) inbox.Code {
	d.t.Helper()
	was := d.record(i.id)
	err := ask()
	code := d.refusal(err)
	d.trace = append(d.trace, fmt.Sprintf("%s %s %s %s in %s: %v", d.now, what, was.Item.Type, i.id, was.Item.State, err))
	d.met[what+" "+string(code)]++
	is := d.record(i.id)
	if code != "" && is.Rev != was.Rev {
		d.t.Errorf("%s was refused with %s and wrote", what, code)
	}
	if what == "record_payment" {
		return code // the caller tells the model first
	}
	d.look(i)
	return code
}

// look inspects a promise, or the promise of a refund.
func (d *trade) look(i *deal) {
	d.t.Helper()
	rec := d.record(i.id)
	if p := rec.Item.Payload.Refund; p != nil {
		d.ends(i, rec)
		d.history(i, rec)
		i = d.deals[slices.IndexFunc(d.deals, func(o *deal) bool { return o.id == p.OrderItemID })]
	}
	d.inspect(i)
}

// act is one act on a promise, by somebody who may try it.
func (d *trade) act(i *deal) {
	rec := d.record(i.id)
	verbs := []string{
		"record_payment", "record_payment", "request_payment", "payment_failed", "payment_failed", "payment_failed", "start_fulfilment", "fulfil", "fulfil", "record_delivery",
		"complete", "charge_back", "record_charge_back", "no_show", "confirm", "accept",
		"cancel", "cancel_by_business", "record_cancel", "record_withdrawal", "open_return", "open_return",
		"propose_change", "propose_change", "accept_change", "decline_change", "retract_change",
		"their change", "their change", "their yes", "their no", "their cancel", "request_return", "request_return",
	}
	switch verb := d.fitting(verbs, rec); verb {
	case "record_payment":
		d.pay(i, rec)
	case "record_cancel", "record_withdrawal":
		d.writeDown(verb, i, rec)
	case "their change", "their yes", "their no", "their cancel", "request_return":
		d.theirs(verb, i, rec)
	default:
		excused := d.excused(rec)
		code := d.fire(business, i, verb, d.input(verb, rec))
		if code == "" && (verb == "charge_back" || verb == "record_charge_back") {
			d.chargedBack(i, excused)
		}
	}
}

// firedBy are the events that the customer's acts fire, where the names differ.
var firedBy = map[string]string{
	"their change": "propose_change", "their yes": "accept_change", "their no": "decline_change", "their cancel": "cancel",
}

// fitting is one of some verbs, mostly one that leads out of the item's state or
// answers what is open; what ends a promise comes up less often.
func (d *trade) fitting(verbs []string, rec *inbox.Record) string {
	table, change := machine.Of(rec.Item.Type), machine.ChangeBy(rec.Item.Payload)
	var fit []string
	for _, verb := range verbs {
		event := verb
		if fired := firedBy[verb]; fired != "" {
			event = fired
		}
		answers := slices.Contains([]string{"accept_change", "decline_change", "retract_change"}, event)
		switch leads := slices.Contains(table.AllowedFrom(event), rec.Item.State); {
		case !leads, answers != (change != "") && (answers || d.r.IntN(2) == 0):
		case slices.Contains([]string{"cancel", "cancel_by_business", "record_cancel", "record_withdrawal", "charge_back", "no_show"}, event) && d.r.IntN(3) > 0:
		default:
			fit = append(fit, verb)
		}
	}
	if len(fit) == 0 || d.r.IntN(5) == 0 {
		return verbs[d.r.IntN(len(verbs))]
	}
	return fit[d.r.IntN(len(fit))]
}

// pay records a payment: one of three references, all of it or part.
func (d *trade) pay(i *deal, rec *inbox.Record) {
	in := inbox.PaymentInput{PaymentRef: fmt.Sprint("p", d.r.IntN(3))}
	sum := max(i.paid, i.total)
	switch d.r.IntN(4) {
	case 0:
		in.Amount = eur(int64(1 + d.r.IntN(5000)))
		sum = i.paid + in.Amount.Value
	case 1:
		in.Amount = eur(max(i.total, 1))
		sum = i.paid + in.Amount.Value
	}
	if d.r.IntN(12) == 0 {
		in.Amount = &inbox.Money{Value: 100, Currency: "USD"}
	}
	known := i.refs[in.PaymentRef]
	by := []inbox.Call{business, moneyKey, provider}[d.r.IntN(3)]
	switch code := d.fire(by, i, "record_payment", in); {
	case code == "" && !known:
		if in.Amount != nil && in.Amount.Currency == "USD" {
			d.t.Errorf("item %s: paid in another currency", i.id)
		}
		i.refs[in.PaymentRef], i.paid = true, sum
	case code == inbox.CodeInvalidInput && (in.Amount == nil || in.Amount.Currency == "EUR"):
		d.t.Errorf("item %s: a payment of %v by %s is refused", i.id, in.Amount, rec.Item.Type)
	}
	d.look(i)
}

// excused says whether a charge-back of a promise is not the customer's to answer
// for: a return goes on, or one was paid back after its day (02 §9.8).
func (d *trade) excused(rec *inbox.Record) bool {
	for _, id := range rec.Refunds {
		r := d.record(id)
		due := r.Item.Payload.Refund.RefundDue
		if r.Item.ClosedAt == nil || r.Item.State == inbox.StateRefunded && due != nil && *r.Item.ClosedAt/1000 > *due/1000 {
			return true
		}
	}
	return false
}

func (d *trade) chargedBack(i *deal, excused bool) {
	events, err := d.store.Events(d.ctx, i.id)
	d.must(err)
	if last := events[len(events)-1]; last.Meta.Excused != excused {
		d.t.Errorf("item %s: a charge-back is excused %v, want %v", i.id, last.Meta.Excused, excused)
	}
	if excused {
		d.met["charged back, excused"]++
	}
}

// input is what the business's events are sent with.
func (d *trade) input(verb string, rec *inbox.Record) any {
	switch verb {
	case "fulfil":
		if d.r.IntN(2) == 0 {
			return inbox.FulfilInput{DeliveredAt: d.since(rec)}
		}
	case "record_delivery":
		return inbox.DeliveryInput{DeliveredAt: d.since(rec)}
	case "open_return":
		return inbox.OpenReturnInput{ReasonCode: d.reason(), Lines: d.returning(rec), Note: "They rang.", AskedAt: d.since(rec)}
	case "propose_change":
		return d.change(rec)
	}
	return nil
}

// since is a moment of the item's life, nil for now.
func (d *trade) since(rec *inbox.Record) *inbox.Instant {
	lived := int64(d.now-rec.Item.CreatedAt) + 1
	if d.r.IntN(3) == 0 {
		return nil
	}
	return inbox.Ptr(d.now.Add(-d.r.Int64N(lived)))
}

func (d *trade) reason() string {
	return []string{"changed_mind", "faulty", "wrong_item", "other"}[d.r.IntN(4)]
}

// returning are lines that come back, nil for all.
func (d *trade) returning(rec *inbox.Record) []inbox.ReturnLine {
	o := rec.Item.Payload.Order
	if o == nil || d.r.IntN(2) == 0 {
		return nil
	}
	n := d.r.IntN(len(o.OrderedItem))
	return []inbox.ReturnLine{{Index: n, Quantity: 1 + d.r.Int64N(o.OrderedItem[n].Quantity)}}
}

// change is a change of the business's: another time, now and then far away and
// at another price; other lines or another date.
func (d *trade) change(rec *inbox.Record) any {
	if rec.Item.Type == inbox.TypeOrder {
		in := inbox.ChangeOrderInput{Delivery: &inbox.Delivery{Method: "delivery", When: inbox.Ptr(d.hour())}}
		if d.r.IntN(2) == 0 {
			in.OrderedItem = d.lines()
		}
		return in
	}
	in := inbox.ChangeTimeInput{StartTime: d.hour()}
	switch d.r.IntN(4) {
	case 0:
		in.TotalPrice = eur(int64(2000 + d.r.IntN(4000)))
	case 1:
		in.StartTime = in.StartTime.Add(80 * inbox.Day)
	}
	return in
}

// writeDown is a person's record of a cancellation or a withdrawal that the
// customer asked for at some moment of the item's life: judged at that moment.
func (d *trade) writeDown(event string, i *deal, rec *inbox.Record) {
	asked := d.since(rec)
	at := d.now
	if asked != nil {
		at = *asked
	}
	right := d.right(i, rec, at)
	code := d.fire(business, i, event, inbox.RecordWithdrawalInput{Note: "They rang.", AskedAt: asked})
	is := d.record(i.id)
	switch {
	case code == inbox.CodeUnavailable || !right.agreed:
	case event == "record_withdrawal" && !right.runs:
		if code != inbox.CodeGuardFailed {
			d.t.Errorf("item %s: a withdrawal without the right is recorded: %q", i.id, code)
		}
	case event == "record_withdrawal" && len(rec.Refunds) == 0 && code != "":
		d.t.Errorf("item %s: a withdrawal of %s is not recorded: %s", i.id, at, code)
	case event == "record_cancel" && code == "":
		paid := rec.Item.State == inbox.StateConfirmed && i.paid > 0 || rec.Item.State == inbox.StatePaid || rec.Item.State == inbox.StateFulfilling
		last := d.last(i)
		if (last == "record_withdrawal") != (paid && right.runs) {
			d.t.Errorf("item %s: a cancellation in %s, paid %d, right %v, is a %s", i.id, rec.Item.State, i.paid, right.runs, last)
		}
		if last == "record_withdrawal" {
			d.met["recorded as a withdrawal"]++
		}
	}
	if code == "" && event == "record_withdrawal" {
		d.bornOf(i, rec, is, at)
	}
}

// last is the name of an item's newest event of the machine.
func (d *trade) last(i *deal) string {
	events, err := d.store.Events(d.ctx, i.id)
	d.must(err)
	return events[len(events)-1].Event
}

// theirs is an act of the customer's.
func (d *trade) theirs(verb string, i *deal, rec *inbox.Record) {
	mine := customer(i.token)
	right := d.right(i, rec, d.now)
	var err error
	code := d.done(verb, i, func() error {
		switch verb {
		case "their change":
			terms := inbox.Suggestion{StartTime: inbox.Ptr(d.hour())}
			if rec.Item.Type == inbox.TypeOrder {
				terms = inbox.Suggestion{Lines: []inbox.SuggestLine{{Index: 0, Quantity: int64(1 + d.r.IntN(4))}}}
			}
			_, err = d.desk.MakeOffer(d.ctx, mine, inbox.MakeOfferRequest{ItemID: i.id, Terms: terms})
		case "their yes":
			o := inbox.AcceptOfferRequest{ItemID: i.id}
			if p := rec.Item.Payload.Offer(); p != nil {
				o.OfferID, o.TermsSHA = p.ID, d.fingerprint(i, p.Rev)
			}
			_, err = d.desk.AcceptOffer(d.ctx, mine, o)
		case "their no":
			_, err = d.desk.DeclineOffer(d.ctx, mine, inbox.DeclineOfferRequest{ItemID: i.id})
		case "their cancel":
			_, err = d.desk.CancelItem(d.ctx, mine, inbox.CancelItemRequest{ItemID: i.id})
		default:
			_, err = d.desk.RequestReturn(d.ctx, mine, inbox.ReturnRequest{ItemID: i.id, Reason: d.reason(), Lines: d.returning(rec)})
		}
		return err
	})
	if guard := guardOf(err); slices.Contains([]string{"round_left", "changes_left", "amendments_live", "total_fixed"}, guard) {
		d.t.Errorf("item %s: %s is refused with %s, where a person should hear of it", i.id, verb, guard)
	}
	paid := rec.Item.State == inbox.StateConfirmed && i.paid > 0 || rec.Item.State == inbox.StatePaid || rec.Item.State == inbox.StateFulfilling
	switch {
	case verb != "their cancel" || code == inbox.CodeUnavailable:
	case paid && right.runs:
		if last := d.last(i); code != "" || last != "withdraw" {
			d.t.Errorf("item %s: a cancellation while the right runs is %q %s", i.id, code, last)
		}
		d.met["cancelled as a withdrawal"]++
		d.bornOf(i, rec, d.record(i.id), d.now)
	case rec.Item.Type == inbox.TypeOrder && (rec.Item.State == inbox.StatePaid || rec.Item.State == inbox.StateFulfilling) && code != "":
		d.t.Errorf("item %s: a cancellation of a paid order is refused: %s", i.id, code)
	}
}

// guardOf is the guard that refused, "" for none.
func guardOf(err error) string {
	var p *inbox.Problem
	if !errors.As(err, &p) {
		return ""
	}
	guard, _ := p.Details["guard"].(string)
	return guard
}

func (d *trade) fingerprint(i *deal, rev int) string {
	offers, err := d.store.Offers(d.ctx, i.id)
	d.must(err)
	for _, o := range offers {
		if o.Rev == rev {
			return o.TermsSHA
		}
	}
	return ""
}

// withdraw is the customer's withdrawal through their door: never refused once
// there is a contract, in any state and with any payment, and judged now.
func (d *trade) withdraw(i *deal) {
	rec := d.record(i.id)
	lines := d.returning(rec)
	right, goesOn, before := d.right(i, rec, d.now), d.goesOn(rec), d.counted(rec)
	ask := inbox.WithdrawRequest{ItemID: i.id, Lines: lines}
	if d.r.IntN(4) == 0 {
		code := d.done("asks about withdrawing", i, func() error { _, err := d.desk.Withdraw(d.ctx, customer(i.token), ask); return err })
		if right.agreed && code != inbox.CodeConfirmWithdrawal && code != inbox.CodeUnavailable {
			d.t.Errorf("item %s: the first step is answered %q", i.id, code)
		}
	}
	ask.Confirm = true
	var a inbox.Answer
	code := d.done("withdraws", i, func() (err error) { a, err = d.desk.Withdraw(d.ctx, customer(i.token), ask); return err })
	if code == inbox.CodeUnavailable || !right.agreed {
		return
	}
	if code != "" {
		d.t.Errorf("item %s in %s: a withdrawal is refused with %s", i.id, rec.Item.State, code)
		return
	}
	is, last := d.record(i.id), d.last(i)
	part := len(lines) > 0 && !d.whole(rec, lines)
	passed := answered(a).str("passed_on") != ""
	switch {
	case right.runs && !goesOn && before == 0 && (wasSent(rec) || !part):
		if passed || last != "withdraw" {
			d.t.Errorf("item %s in %s: the right runs until %v, and the withdrawal is %s, passed on %v", i.id, rec.Item.State, right.until, last, passed)
			return
		}
		d.bornOf(i, rec, is, d.now)
	case !right.runs && wasSent(rec) && !goesOn && before == 0:
		if passed || last != "request_return" {
			d.t.Errorf("item %s: past the right what was sent is %s, passed on %v", i.id, last, passed)
		}
		d.met["a return instead"]++
	case goesOn || !wasSent(rec):
		if !passed || is.Item.State != rec.Item.State || !is.Item.Flags.NeedsHuman || len(is.Refunds) != len(rec.Refunds) {
			d.t.Errorf("item %s: %s, passed on %v, to a person %v", i.id, last, passed, is.Item.Flags.NeedsHuman)
		}
		d.met["passed on"]++
	}
}

// whole says whether lines are all of an order.
func (d *trade) whole(rec *inbox.Record, lines []inbox.ReturnLine) bool {
	o := rec.Item.Payload.Order
	return o != nil && len(o.OrderedItem) == 1 && lines[0].Quantity == o.OrderedItem[0].Quantity
}

// goesOn says whether a refund of a promise goes on; counted is how many were not
// dropped or rejected.
func (d *trade) goesOn(rec *inbox.Record) bool {
	return slices.ContainsFunc(rec.Refunds, func(id string) bool {
		return slices.Contains([]inbox.State{"requested", "approved", "goods_received"}, d.record(id).Item.State)
	})
}

func (d *trade) counted(rec *inbox.Record) (n int) {
	for _, id := range rec.Refunds {
		if s := d.record(id).Item.State; s != "rejected" && s != "cancelled" {
			n++
		}
	}
	return n
}

// bornOf holds what a withdrawal left against the table of 02 §9.5.
func (d *trade) bornOf(i *deal, was, is *inbox.Record, notice inbox.Instant) {
	d.t.Helper()
	ended := map[inbox.Type]inbox.State{inbox.TypeBooking: "cancelled_by_customer", inbox.TypeOrder: "cancelled"}[was.Item.Type]
	sent := wasSent(was)
	if sent {
		ended = was.Item.State
	}
	if is.Item.State != ended {
		d.t.Errorf("item %s: withdrawn from in %s, now %s", i.id, was.Item.State, is.Item.State)
	}
	born := len(is.Refunds) - len(was.Refunds)
	if !sent && i.paid == 0 {
		d.met["withdrew, no money"]++
		if born != 0 {
			d.t.Errorf("item %s: nothing was paid, and something is owed", i.id)
		}
		return
	}
	if born != 1 {
		d.t.Errorf("item %s: %d refunds of one withdrawal", i.id, born)
		return
	}
	r := d.record(is.Refunds[len(is.Refunds)-1])
	p := r.Item.Payload.Refund
	if p.Kind != "withdrawal" || r.Item.State != inbox.StateApproved || *p.GoodsBack != sent || *p.NoticeAt != notice {
		d.t.Errorf("refund %s: %s in %s, goods back %v, notice %s", r.Item.ID, p.Kind, r.Item.State, *p.GoodsBack, p.NoticeAt)
	}
	due := notice.Add(14 * inbox.Day)
	switch {
	case sent:
		d.met["withdrew what was sent"]++
		if p.RefundDue != nil || *p.ReturnBy != due || p.Amount.Value > min(i.paid, i.total) {
			d.t.Errorf("refund %s: due %v, back by %v, of %v", r.Item.ID, p.RefundDue, p.ReturnBy, p.Amount)
		}
	default:
		d.met["withdrew"]++
		if p.RefundDue == nil || *p.RefundDue != due || p.Amount.Value != i.paid {
			d.t.Errorf("refund %s: due %v, of %v, paid %d", r.Item.ID, p.RefundDue, p.Amount, i.paid)
		}
	}
}

// refund is one act on a refund.
func (d *trade) refund(i *deal) {
	rec := d.record(i.id)
	p := rec.Item.Payload.Refund
	verbs := []string{"approve", "approve", "reject", "goods_back", "goods_back", "dispute_goods", "record_settlement", "refund", "refund", "refund", "record_cancel", "their cancel"}
	verb := d.fitting(verbs, rec)
	by, in := business, any(inbox.WordsInput{Note: "Agreed on the telephone."})
	what := verb
	switch verb {
	case "approve":
		in = inbox.ApproveInput{GoodsBack: []*bool{nil, inbox.Ptr(true), inbox.Ptr(false)}[d.r.IntN(3)]}
		by = []inbox.Call{business, moneyKey}[d.r.IntN(2)]
	case "goods_back":
		in, by = inbox.GoodsBackInput{ReceivedAt: d.since(rec)}, []inbox.Call{business, provider}[d.r.IntN(2)]
	case "record_settlement":
		in = inbox.SettlementInput{Amount: *eur(max(1, p.Amount.Value-int64(d.r.IntN(2000)))), Note: "They agreed."}
	case "refund":
		pays := inbox.RefundInput{PaymentRef: "back"}
		if n := d.r.IntN(4); n > 0 {
			pays.Amount = eur(max(0, p.Amount.Value+int64([]int{-500, 700, 100000}[n-1])))
		}
		if p.Amount.Value == 0 && pays.Amount == nil {
			pays.PaymentRef = ""
			d.met["refund of nothing"]++
		}
		in, by = pays, []inbox.Call{business, moneyKey, provider}[d.r.IntN(3)]
	case "record_cancel":
		what = "record_cancel of a refund"
	case "their cancel":
		code := d.done("drops a return", i, func() error {
			_, err := d.desk.CancelItem(d.ctx, customer(i.token), inbox.CancelItemRequest{ItemID: i.id})
			return err
		})
		if code == "" && !*p.GoodsBack {
			d.t.Errorf("refund %s: money that is owed is dropped by a click", i.id)
		}
		return
	}
	code := d.fire(by, i, verb, in)
	if code == "" && what != verb {
		d.met[what]++
	}
	if is := d.record(i.id).Item.Payload.Refund; code == "" && verb == "refund" {
		d.met[map[bool]string{true: "refunded in full", false: "refunded part"}[is.Lines == nil]]++
	}
}

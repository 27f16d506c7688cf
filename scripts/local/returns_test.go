package main

import (
	"testing"

	"typedinbox/shared/inbox"
)

// paid is an order of the shop that was accepted and paid; sent, when it was sent
// too.
func paid(t *testing.T, c *client, sent bool) asked {
	t.Helper()
	a := c.keep(c.post("/v1/orders", c.confirmed("/v1/orders", order(3700, line("NB-A5", 2, 1850)))))
	a.owner.fire(a.id, "accept", nil).is(200)
	a.owner.fire(a.id, "request_payment", map[string]any{"paymentUrl": "https://pay.example/1"}).is(200)
	a.owner.fire(a.id, "record_payment", map[string]any{"paymentRef": "P-1"}).is(200)
	if sent {
		a.owner.fire(a.id, "start_fulfilment", nil).is(200)
		a.owner.fire(a.id, "fulfil", nil).is(200)
	}
	return a
}

// TestWithdrawal: a paid order is withdrawn from in two steps before it is sent.
// The first says what would be declared and writes nothing; the second ends the
// order and owes the money, which the business pays back once.
func TestWithdrawal(t *testing.T) {
	c := shop(t)
	a := paid(t, c, false)
	if v := a.view(); v.at("withdrawal.available") != true || v.str("withdrawal.label") == "" || v.at("withdrawal.until") != nil {
		t.Errorf("the right: %v", v.at("withdrawal"))
	}
	keyed := a.mine.saying("Idempotency-Key", "w")
	first := keyed.post(a.path("/withdraw"), map[string]any{"note": "Too many notebooks."}).refused(409, inbox.CodeConfirmWithdrawal)
	for _, field := range []string{"text", "name", "email", "contract", "reference", "label", "confirm"} {
		if _, told := first.at("details.statement." + field).(string); !told {
			t.Errorf("the statement lacks %s: %s", field, first.raw)
		}
	}
	if v := a.view(); v.str("item.state") != "paid" {
		t.Errorf("the first step wrote: %q", v.str("item.state"))
	}
	done := keyed.post(a.path("/withdraw"), map[string]any{"confirm_withdrawal": true, "note": "Too many notebooks."}).is(200)
	if done.str("view.item.state") != "cancelled" || done.str("linked.item.type") != "refund" || done.str("linked.item.state") != "approved" {
		t.Fatalf("withdrawn: %s", done.raw)
	}
	again := keyed.post(a.path("/withdraw"), map[string]any{"confirm_withdrawal": true, "note": "Too many notebooks."}).is(200)
	if again.at("replayed") != true || again.str("linked.item.id") != done.str("linked.item.id") {
		t.Errorf("again: %s", again.raw)
	}
	refund := done.str("linked.item.id")
	if got := done.at("linked.item.payload.amount.value"); got != 3700.0 {
		t.Errorf("owed %v", got)
	}
	if got := a.mine.get("/v1/items/" + refund).is(200).str("item.state"); got != "approved" {
		t.Errorf("the token does not open the refund: %q", got)
	}
	a.owner.fire(refund, "refund", map[string]any{"paymentRef": "R-1"}).is(200)
	a.owner.fire(refund, "refund", map[string]any{"paymentRef": "R-2"}).refused(409, inbox.CodeWrongState)
	if v := a.view(); v.str("refunds.0.item_id") != refund || v.str("refunds.0.state") != "refunded" || v.str("refunds.0.human") == "" {
		t.Errorf("refunds %v", v.at("refunds"))
	}
	a.mine.post(a.path("/withdraw"), map[string]any{"confirm_withdrawal": true}).refused(409, inbox.CodeWrongState)
	c.clean()
}

// TestReturn: goods that came broken go back: asked for, approved, received, paid.
func TestReturn(t *testing.T) {
	c := shop(t)
	early := paid(t, c, false)
	early.mine.post(early.path("/returns"), map[string]any{"reason": "faulty"}).refused(409, inbox.CodeWrongState)
	a := paid(t, c, true)
	open := a.mine.post(a.path("/returns"), map[string]any{
		"reason": "faulty", "wants": "exchange", "lines": []any{map[string]any{"index": 0, "quantity": 1}}, "note": "A page is torn.",
	}).is(201)
	refund := open.str("linked.item.id")
	if open.str("linked.item.state") != "requested" || open.at("linked.item.payload.amount.value") != 1850.0 {
		t.Fatalf("asked: %s", open.raw)
	}
	second := a.mine.post(a.path("/returns"), map[string]any{"reason": "faulty"}).refused(409, inbox.CodeGuardFailed)
	if second.str("details.guard") != "no_open_return" {
		t.Errorf("a second one: %s", second.raw)
	}
	a.owner.post("/v1/owner/items/"+a.id+"/returns", map[string]any{"reason": "other", "note": "On the phone."}).refused(409, inbox.CodeGuardFailed)
	a.owner.fire(refund, "approve", map[string]any{"goodsBack": true, "instructions": map[string]any{"method": "post"}}).is(200)
	a.owner.fire(refund, "goods_back", nil).is(200)
	a.owner.fire(refund, "refund", map[string]any{"paymentRef": "R-1"}).is(200)
	if got := a.view().str("refunds.0.state"); got != "refunded" {
		t.Errorf("refund %q", got)
	}
	if got := templates(c.mails(customer)); got == "" {
		t.Error("the customer was told nothing")
	}
	c.clean()
}

// TestOpenReturn: a return that the business opens, and who may.
func TestOpenReturn(t *testing.T) {
	c := shop(t)
	a := paid(t, c, true)
	door := "/v1/owner/items/" + a.id + "/returns"
	body := map[string]any{"reason": "changed_mind", "note": "They asked on the phone."}
	c.post(door, body).refused(401, inbox.CodeUnauthorized)
	reader := c.post("/_local/key", map[string]any{"kind": "integration", "scopes": []string{"inbox:read"}}).is(200).str("key")
	c.with(reader).post(door, body).refused(403, inbox.CodeNotAllowed)
	a.owner.post(door, map[string]any{"reason": "changed_mind"}).refused(422, inbox.CodeInvalidInput)
	a.owner.post(door, map[string]any{"reason": "changed_mind", "note": "x", "entry_id": "01ARZ3NDEKTSV4RRFFQ69G5FAV"}).refused(422, inbox.CodeInvalidInput)
	opened := a.owner.post(door, body).is(201)
	if opened.str("linked.item.type") != "refund" || opened.str("linked.item.payload.kind") != "withdrawal" || opened.str("linked.item.state") != "approved" {
		t.Errorf("opened: %s", opened.raw)
	}
	c.clean()
}

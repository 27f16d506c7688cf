package main

import (
	"fmt"
	"testing"

	"typedinbox/shared/inbox"
)

func euros(value int) map[string]any { return map[string]any{"value": value, "currency": "EUR"} }

func pounds(value int) map[string]any { return map[string]any{"value": value, "currency": "GBP"} }

// line is a line of an order by the product's sku.
func line(sku string, quantity, price int) map[string]any {
	return map[string]any{"sku": sku, "name": "as the catalogue says", "quantity": quantity, "price": euros(price)}
}

func order(total int, lines ...map[string]any) map[string]any {
	return map[string]any{
		"payload": map[string]any{"orderedItem": lines, "totalPrice": euros(total), "delivery": map[string]any{"method": "pickup"}},
		"contact": map[string]any{"name": "Customer One", "email": customer},
	}
}

func shop(t *testing.T) *client {
	t.Helper()
	return serve(t, func(o *options) { o.demo = "shop" })
}

// TestOrder: goods at the catalogue's prices, confirmed by the customer before
// anything is written, accepted by the business, told by mail.
func TestOrder(t *testing.T) {
	c := shop(t)
	body := order(1, line("NB-A5", 2, 1), line("INK-BL", 1, 950))
	wanted := c.saying("Idempotency-Key", "order").post("/v1/orders", body).refused(409, inbox.CodeConfirmTerms)
	if wanted.at("details.obligation_to_pay") != true || wanted.str("details.summary") == "" || wanted.at("details.changed") != nil {
		t.Errorf("asked to confirm %s", wanted.raw)
	}
	if n := len(c.owner().get("/v1/owner/items").is(200).at("items").([]any)); n != 0 {
		t.Fatalf("%d items before a yes", n)
	}
	wrong := agreeing(body, wanted)
	wrong["payload"].(map[string]any)["orderedItem"] = []any{line("NB-A5", 3, 1850), line("INK-BL", 1, 950)}
	if changed := c.post("/v1/orders", wrong).refused(409, inbox.CodeConfirmTerms); changed.at("details.changed") != true {
		t.Errorf("other terms: %s", changed.raw)
	}
	body = order(1, line("NB-A5", 2, 1), line("INK-BL", 1, 950))
	made := c.saying("Idempotency-Key", "order").post("/v1/orders", agreeing(body, wanted)).is(201)
	again := c.saying("Idempotency-Key", "order").post("/v1/orders", body).is(200)
	if again.at("replayed") != true || again.str("view.item.id") != made.str("view.item.id") {
		t.Errorf("replayed %s", again.raw)
	}
	if got := made.at("view.item.payload.totalPrice.value"); got != 4650.0 {
		t.Errorf("total %v", got)
	}
	a := c.keep(made)
	detail := a.owner.get("/v1/owner/items/" + a.id).is(200)
	if detail.at("item.payload.customerStatedPrice.value") != 1.0 || detail.str("item.payload.orderedItem.0.name") != "Notebook A5, linen" {
		t.Errorf("priced %v", detail.at("item.payload"))
	}
	a.owner.fire(a.id, "accept", map[string]any{"note": "Ready tomorrow."}).is(200)
	if got := a.view().str("item.state"); got != "accepted" {
		t.Errorf("state %q", got)
	}
	if got := templates(c.mails(customer)); got != "order.accepted" {
		t.Errorf("the customer was told %q", got)
	}
	c.clean()
}

// TestOrderProposed: the business changes an order, the customer takes less of
// it, the business says yes.
func TestOrderProposed(t *testing.T) {
	c := shop(t)
	body := order(1850, line("NB-A5", 2, 1850))
	a := c.keep(c.post("/v1/orders", c.confirmed("/v1/orders", body)))
	put := a.owner.post("/v1/owner/items/"+a.id+"/offers", map[string]any{"input": map[string]any{
		"orderedItem": []any{line("NB-A4", 2, 2600)}, "note": "A5 is sold out.",
	}}).is(200)
	if put.str("view.item.state") != "proposed" {
		t.Fatalf("put %s", put.raw)
	}
	view := a.view()
	if view.str("offer.kind") != "order" || view.at("offer.terms.totalPrice.value") != 5200.0 || view.str("offer.warnings.0.code") != "price_changed" {
		t.Errorf("offer %v", view.at("offer"))
	}
	countered := a.mine.post(a.path("/offers"), map[string]any{"terms": map[string]any{"lines": []any{map[string]any{"index": 0, "quantity": 1}}}}).is(200)
	if countered.str("view.item.state") != "received" || countered.at("view.item.payload.totalPrice.value") != 2600.0 {
		t.Fatalf("countered %s", countered.raw)
	}
	a.owner.fire(a.id, "accept", nil).is(200)
	if got := a.view().str("item.state"); got != "accepted" {
		t.Errorf("state %q", got)
	}
	c.clean()
}

// TestQuoteBecomesABooking: a price asked for, quoted, answered, quoted again,
// accepted: the booking is promised in the same write, with its places.
func TestQuoteBecomesABooking(t *testing.T) {
	c := serve(t, func(o *options) { o.demo = "trades" })
	service := c.service("Survey visit")
	slots := c.slots(service, 6)
	slot := slots[len(slots)-3]
	a := c.keep(c.post("/v1/quotes", map[string]any{
		"payload": map[string]any{
			"itemOffered": map[string]any{"name": "A look at the roof", "serviceId": service}, "description": "It drips.",
			"requestedFor": slot.StartTime,
		},
		"contact": map[string]any{"name": "Customer One", "email": customer},
	}))
	quote := func(total int) answer {
		return a.owner.post("/v1/owner/items/"+a.id+"/offers", map[string]any{"input": map[string]any{
			"totalPrice": pounds(total), "creates": "booking", "lines": []any{
				map[string]any{"name": "Visit", "quantity": 1, "price": pounds(4500)},
				map[string]any{"name": "Ladder", "quantity": 1, "price": pounds(1500)},
			},
		}})
	}
	quote(5900).refused(422, inbox.CodeInvalidInput) // does not add up
	quote(6000).is(200)
	a.mine.post(a.path("/offers"), map[string]any{"terms": map[string]any{"start_time": slots[len(slots)-1].StartTime}, "note": "Later?"}).is(200)
	quote(6000).is(200)
	accepted := a.accept().is(200)
	if accepted.str("view.item.state") != "accepted" || accepted.str("linked.item.type") != "booking" || accepted.str("linked.item.state") != "confirmed" {
		t.Fatalf("accepted %s", accepted.raw)
	}
	booked := accepted.str("linked.item.id")
	mine := a.mine.get("/v1/items/" + booked).is(200) // the token opens what became of it
	if mine.str("item.payload.startTime") != slots[len(slots)-1].StartTime.String() || mine.at("item.payload.totalPrice.value") != 6000.0 {
		t.Errorf("the customer reads %s", mine.raw)
	}
	detail := a.owner.get("/v1/owner/items/" + booked).is(200)
	if detail.str("item.linkedItemId") != a.id || a.view().str("item.linkedItemId") != booked {
		t.Error("the two do not name each other")
	}
	if got := fmt.Sprint(detail.at("events.0.event"), len(detail.at("events").([]any))); got != "create1" {
		t.Errorf("events %s", got)
	}
	for _, s := range c.slots(service, 6) {
		if s.StartTime == slots[len(slots)-1].StartTime {
			t.Error("the time is still offered")
		}
	}
	c.clean()
}

// TestFloors: the owner's alone; never above the price; never seen elsewhere.
func TestFloors(t *testing.T) {
	c := shop(t)
	owner := c.owner()
	product := owner.get("/v1/owner/products?q=INK").is(200).str("items.0.id")
	floor := func(minor any) map[string]any {
		return map[string]any{"floors": []any{map[string]any{"kind": "product", "ref_id": product, "floor_minor": minor}}}
	}
	owner.do("PUT", "/v1/owner/catalogue/floors", floor(951)).refused(422, inbox.CodeInvalidInput)
	owner.do("PUT", "/v1/owner/catalogue/floors", floor(800)).is(200)
	if got := owner.get("/v1/owner/catalogue/floors").is(200).at("floors.0.floor_minor"); got != 800.0 {
		t.Errorf("floor %v", got)
	}
	key := c.post("/_local/key", map[string]any{"kind": "integration", "scopes": []string{"catalogue:write", "settings:read", "settings:write"}}).is(200).str("key")
	c.with(key).get("/v1/owner/catalogue/floors").refused(403, inbox.CodeNotAllowed)
	c.with(key).do("PUT", "/v1/owner/catalogue/floors", floor(1)).refused(403, inbox.CodeNotAllowed)
	c.get("/v1/owner/catalogue/floors").refused(401, inbox.CodeUnauthorized)
	owner.do("PUT", "/v1/owner/catalogue/floors", floor(nil)).is(200)
	if got := len(owner.get("/v1/owner/catalogue/floors").is(200).at("floors").([]any)); got != 0 {
		t.Errorf("%d floors", got)
	}
}

// TestDemos: every demo business is set up whole, and twice is as once.
func TestDemos(t *testing.T) {
	for name, types := range map[string]string{
		"none": "[message]", "appointments": "[message booking order quote_request]", "trades": "[message booking quote_request]",
		"shop": "[message booking order quote_request]",
	} {
		t.Run("ok/"+name, func(t *testing.T) {
			c := serve(t, func(o *options) { o.demo = name })
			said := c.get("/v1/business").is(200)
			if got := fmt.Sprint(said.at("item_types")); got != types {
				t.Errorf("item types %s, want %s", got, types)
			}
			if err := c.w.furnish(); err != nil {
				t.Fatal(err)
			}
			c.clean()
		})
	}
	if _, err := start(options{dataDir: ":memory:", now: monday, demo: "circus", template: "../../template.yaml"}); err == nil {
		t.Error("a demo nobody knows was furnished")
	}
}

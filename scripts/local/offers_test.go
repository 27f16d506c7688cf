package main

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

// asked is an item of a customer's: what the create answered, and the customer.
type asked struct {
	id    string
	mine  *client // with the item's token
	owner *client
}

// keep holds on to what a customer keeps of a create.
func (c *client) keep(made answer) asked {
	c.t.Helper()
	made.is(201)
	return asked{id: made.str("view.item.id"), mine: c.saying("X-Access-Token", made.str("access_token")), owner: c.owner()}
}

// portrait asks for the last free time of the portrait session.
func portrait(c *client) (asked, inbox.Slot) {
	c.t.Helper()
	service := c.service("Portrait session")
	slot := last(c.slots(service, 6))
	return c.keep(c.book(booking(service, slot, customer))), slot
}

func (a asked) path(rest string) string { return "/v1/items/" + a.id + rest }

// view is the item as its customer reads it.
func (a asked) view() answer {
	a.mine.t.Helper()
	return a.mine.get(a.path("")).is(200)
}

// propose puts another time to the customer through the door of offers.
func (a asked) propose(s inbox.Slot, more map[string]any) answer {
	a.mine.t.Helper()
	input := map[string]any{"startTime": s.StartTime, "endTime": s.EndTime}
	maps.Copy(input, more)
	return a.owner.post("/v1/owner/items/"+a.id+"/offers", map[string]any{"input": input})
}

// accept says yes to the open offer, first without its terms.
func (a asked) accept() answer {
	a.mine.t.Helper()
	wanted := a.mine.post(a.path("/accept"), nil).refused(409, inbox.CodeConfirmTerms)
	if wanted.str("details.summary") == "" || wanted.str("details.offer.terms_sha") != wanted.str("details.terms_sha") {
		a.mine.t.Errorf("asked to confirm %s", wanted.raw)
	}
	return a.mine.post(a.path("/accept"), map[string]any{"terms_sha": wanted.str("details.terms_sha")})
}

// acceptAt says yes to the open offer so many milliseconds after its date,
// before any sweep.
func (a asked) acceptAt(after int64) answer {
	a.mine.t.Helper()
	view := a.view()
	at, err := inbox.ParseInstant(view.str("offer.deadline"))
	if err != nil {
		a.mine.t.Fatal(err)
	}
	a.mine.post("/_local/clock", map[string]any{"set": at.Add(after), "work": false}).is(200)
	return a.mine.post(a.path("/accept"), map[string]any{"terms_sha": view.str("offer.terms_sha")})
}

// TestProposalAccepted: another time, a yes to its terms, a booking with places.
func TestProposalAccepted(t *testing.T) {
	c := serve(t, nil)
	a, first := portrait(c)
	other := c.slots(c.service("Portrait session"), 6)[3]
	a.propose(other, map[string]any{"note": "At nine we are out."}).is(200)
	view := a.view()
	if view.str("item.state") != "proposed" || view.str("waiting_on") != "you" || view.str("offer.kind") != "time" {
		t.Fatalf("the customer reads %s", view.raw)
	}
	if got := view.str("next.0.action") + " " + view.str("next.1.action") + " " + view.str("next.2.action"); got != "accept_offer decline_offer suggest_time" {
		t.Errorf("next %s", got)
	}
	if got := fmt.Sprint(view.at("offer.disclosures")); got != "[unheld]" {
		t.Errorf("disclosures %s", got)
	}
	// Nothing is written by a yes that is not one.
	a.mine.post(a.path("/accept"), map[string]any{"terms_sha": strings.Repeat("A", 43)}).refused(409, inbox.CodeOfferChanged)
	a.mine.post(a.path("/offers/another/accept"), nil).refused(409, inbox.CodeOfferChanged)
	if got := a.view().at("item.version"); got != view.at("item.version") {
		t.Errorf("version %v after refusals, was %v", got, view.at("item.version"))
	}
	yes := map[string]any{"terms_sha": view.str("offer.terms_sha")}
	accepted := a.mine.saying("Idempotency-Key", "yes").post(a.path("/offers/"+view.str("offer.id")+"/accept"), yes).is(200)
	if accepted.str("view.item.state") != "confirmed" || accepted.str("view.item.payload.startTime") != other.StartTime.String() {
		t.Fatalf("accepted %s", accepted.raw)
	}
	if accepted.str("view.agreed.terms_sha") != view.str("offer.terms_sha") {
		t.Errorf("agreed %v", accepted.at("view.agreed"))
	}
	// The same yes again, over the other route, is the same request.
	again := a.mine.saying("Idempotency-Key", "yes").post(a.path("/accept"), map[string]any{"offer_id": view.str("offer.id")}).is(200)
	if again.at("replayed") != true || again.str("view.item.state") != "confirmed" {
		t.Errorf("replayed %s", again.raw)
	}
	for _, s := range c.slots(c.service("Portrait session"), 6) {
		if s.StartTime == other.StartTime {
			t.Error("the accepted time is still offered")
		}
	}
	if last(c.slots(c.service("Portrait session"), 6)).StartTime != first.StartTime {
		t.Error("the time asked for first is kept")
	}
	a.mine.post(a.path("/accept"), yes).refused(409, inbox.CodeNoOffer)
	if got := templates(c.mails(customer)); got != "booking.proposed booking.accepted" {
		t.Errorf("the customer was told %q", got)
	}
	if got := templates(c.mails(ownersMail)); got != "owner.create owner.accept" {
		t.Errorf("the owner was told %q", got)
	}
	c.clean()
}

// TestCounter: another time, another again by the customer, confirmed as
// suggested; the ledger tells it all.
func TestCounter(t *testing.T) {
	c := serve(t, nil)
	a, _ := portrait(c)
	service := c.service("Portrait session")
	slots := c.slots(service, 6)
	a.propose(slots[3], nil).is(200)
	countered := a.mine.post(a.path("/counter"), map[string]any{"start_time": slots[5].StartTime, "note": "Rather later."}).is(200)
	if countered.str("view.item.state") != "requested" || countered.str("view.item.payload.startTime") != slots[5].StartTime.String() {
		t.Fatalf("countered %s", countered.raw)
	}
	a.mine.post(a.path("/counter"), map[string]any{"start_time": slots[6].StartTime}).refused(409, inbox.CodeNoOffer)
	a.owner.fire(a.id, "confirm", nil).is(200)
	list := a.owner.get("/v1/owner/items/" + a.id + "/offers").is(200)
	var told []string
	for i := range list.at("offers").([]any) {
		at := fmt.Sprintf("offers.%d.", i)
		told = append(told, fmt.Sprint(list.at(at+"rev"), " ", list.str(at+"by"), " ", list.str(at+"status"), " ", list.at(at+"round")))
	}
	if got := strings.Join(told, ", "); got != "1 customer countered 1, 2 business countered 2, 3 customer accepted 3" {
		t.Errorf("ledger: %s", got)
	}
	if list.at("draft") != nil || list.at("offers.0.actor.id") != nil {
		t.Errorf("ledger %s", list.raw)
	}
	c.get("/v1/owner/items/"+a.id+"/offers").refused(401, inbox.CodeUnauthorized)
	a.owner.get("/v1/owner/items/nothing/offers").refused(404, inbox.CodeNotFound)
	if got := templates(c.mails(customer)); got != "booking.proposed booking.counter booking.confirmed" {
		t.Errorf("the customer was told %q", got)
	}
	if got := templates(c.mails(ownersMail)); got != "owner.create owner.counter" {
		t.Errorf("the owner was told %q", got)
	}
	c.clean()
}

// TestAnswersToAProposal: what a customer may do with another time, and what
// becomes of it.
func TestAnswersToAProposal(t *testing.T) {
	type answered struct {
		status int
		code   inbox.Code
		state  string
	}
	cases := map[string]struct {
		do   func(a asked, s []inbox.Slot) answer
		want answered
	}{
		"ok/declined": {func(a asked, _ []inbox.Slot) answer {
			return a.mine.post(a.path("/decline"), map[string]any{"reason": "Too late for us.", "reason_code": "timing_deferred"})
		}, answered{200, "", "cancelled_by_customer"}},
		"ok/declined by its id": {func(a asked, _ []inbox.Slot) answer {
			return a.mine.post(a.path("/offers/"+a.view().str("offer.id")+"/decline"), nil)
		}, answered{200, "", "cancelled_by_customer"}},
		"ok/a price of one's own is passed on": {func(a asked, _ []inbox.Slot) answer {
			return a.mine.post(a.path("/offers"), map[string]any{"terms": map[string]any{"total_price": map[string]any{"value": 7000, "currency": "EUR"}}})
		}, answered{202, "", "proposed"}},
		"ok/what is not one clean counter is passed on": {func(a asked, s []inbox.Slot) answer {
			return a.mine.post(a.path("/offers"), map[string]any{"terms": map[string]any{"start_time": s[5].StartTime, "party_size": 3}})
		}, answered{202, "", "proposed"}},
		"ok/the very time proposed": {func(a asked, s []inbox.Slot) answer {
			return a.mine.post(a.path("/counter"), map[string]any{"start_time": s[3].StartTime})
		}, answered{200, "", "requested"}},
		"fail/nothing said": {func(a asked, _ []inbox.Slot) answer {
			return a.mine.post(a.path("/offers"), map[string]any{"terms": map[string]any{}})
		}, answered{422, inbox.CodeInvalidInput, "proposed"}},
		"fail/a time that is not offered": {func(a asked, s []inbox.Slot) answer {
			return a.mine.post(a.path("/counter"), map[string]any{"start_time": s[3].StartTime.Add(7 * inbox.Minute)})
		}, answered{409, inbox.CodeSlotTaken, "proposed"}},
		"fail/another offer declined": {func(a asked, _ []inbox.Slot) answer {
			return a.mine.post(a.path("/decline"), map[string]any{"offer_id": "nothing"})
		}, answered{409, inbox.CodeOfferChanged, "proposed"}},
		"fail/a stranger": {func(a asked, _ []inbox.Slot) answer {
			return a.mine.saying("X-Access-Token", strings.Repeat("x", 32)).post(a.path("/accept"), nil)
		}, answered{403, inbox.CodeNotAllowed, "proposed"}},
		"fail/the business at the customer's door": {func(a asked, _ []inbox.Slot) answer {
			return a.owner.post(a.path("/accept"), nil)
		}, answered{403, inbox.CodeNotAllowed, "proposed"}},
		"fail/a moment after its date": {func(a asked, _ []inbox.Slot) answer {
			return a.acceptAt(1)
		}, answered{410, inbox.CodeOfferExpired, "proposed"}},
		"ok/in its last moment": {func(a asked, _ []inbox.Slot) answer {
			return a.acceptAt(0)
		}, answered{200, "", "confirmed"}},
	}
	for name, cs := range cases {
		t.Run(name, func(t *testing.T) {
			c := serve(t, nil)
			service := c.service("Portrait session")
			slots := c.slots(service, 6)
			a, _ := portrait(c)
			slots = slots[len(slots)-9:]
			a.propose(slots[3], nil).is(200)
			said := cs.do(a, slots).is(cs.want.status)
			if said.str("code") != string(cs.want.code) {
				t.Fatalf("code %q: %s", said.str("code"), said.raw)
			}
			if said.status == 202 && (said.str("waiting_on") != "us" || said.at("appended") != true || said.str("passed_on") == "") {
				t.Errorf("passed on as %s", said.raw)
			}
			detail := a.owner.get("/v1/owner/items/" + a.id).is(200)
			if got := detail.str("item.state"); got != cs.want.state {
				t.Errorf("state %q, want %q", got, cs.want.state)
			}
			if needs := detail.at("item.flags.needsHuman"); needs != (said.status == 202) {
				t.Errorf("needs a person: %v", needs)
			}
			c.clean()
		})
	}
}

// TestHold: with booking.holdOnPropose a proposed time is kept until the answer,
// for at most booking.maxHolds items of a customer, and on no way out longer.
func TestHold(t *testing.T) {
	free := func(c *client, s inbox.Slot) bool {
		for _, other := range c.slots(c.service("Portrait session"), 6) {
			if other.StartTime == s.StartTime {
				return true
			}
		}
		return false
	}
	cases := map[string]struct {
		out  func(a asked, s []inbox.Slot)
		free bool // the time proposed is free afterwards
	}{
		"ok/waiting":  {func(asked, []inbox.Slot) {}, false},
		"ok/accepted": {func(a asked, _ []inbox.Slot) { a.accept().is(200) }, false},
		"ok/declined": {func(a asked, _ []inbox.Slot) { a.mine.post(a.path("/decline"), nil).is(200) }, true},
		"ok/countered": {func(a asked, s []inbox.Slot) {
			a.mine.post(a.path("/counter"), map[string]any{"start_time": s[6].StartTime}).is(200)
		}, true},
		"ok/moved": {func(a asked, s []inbox.Slot) { a.propose(s[6], nil).is(200) }, true},
		"ok/asked": {func(a asked, _ []inbox.Slot) {
			a.owner.fire(a.id, "request_info", map[string]any{"note": "For whom?"}).is(200)
		}, true},
		"ok/cancelled": {func(a asked, _ []inbox.Slot) { a.mine.post(a.path("/cancel"), nil).is(200) }, true},
		"ok/lapsed": {func(a asked, _ []inbox.Slot) {
			a.mine.post("/_local/clock", map[string]any{"set": a.view().str("offer.deadline")}).is(200)
		}, true},
	}
	for name, cs := range cases {
		t.Run(name, func(t *testing.T) {
			c := serve(t, nil)
			owner := c.owner()
			owner.do("PUT", "/v1/owner/settings", map[string]any{"doc": map[string]any{
				"booking": map[string]any{"holdOnPropose": true}, "negotiation": map[string]any{"binding": false},
			}}).is(200)
			a, _ := portrait(c)
			slots := c.slots(c.service("Portrait session"), 6)
			slots = slots[len(slots)-9:]
			a.propose(slots[3], nil).is(200)
			if got := fmt.Sprint(a.view().at("offer.disclosures")); !strings.Contains(got, "held") || free(c, slots[3]) {
				t.Fatalf("disclosures %s, free %v", got, free(c, slots[3]))
			}
			cs.out(a, slots)
			if got := free(c, slots[3]); got != cs.free {
				t.Errorf("free %v, want %v", got, cs.free)
			}
			c.clean()
		})
	}
}

// TestYesByTelephone: a person may record the customer's yes to a proposed time,
// past its date too while it is open; a key may not.
func TestYesByTelephone(t *testing.T) {
	c := serve(t, nil)
	a, _ := portrait(c)
	slots := c.slots(c.service("Portrait session"), 6)
	slot := slots[len(slots)-5]
	a.propose(slot, nil).is(200)
	key := c.post("/_local/key", map[string]any{"kind": "integration", "scopes": []string{"inbox:read", "inbox:write", "money:write"}}).is(200).str("key")
	refused := c.with(key).fire(a.id, "confirm", nil).refused(403, inbox.CodeNotAllowed)
	if refused.str("details.reason") != "person_only" {
		t.Errorf("reason %q", refused.str("details.reason"))
	}
	c.post("/_local/clock", map[string]any{"set": slot.StartTime.Add(-30 * inbox.Minute), "work": false}).is(200)
	a.owner.fire(a.id, "confirm", map[string]any{"note": "She rang: yes."}).is(200)
	view := a.view()
	if view.str("item.state") != "confirmed" || strings.Contains(string(view.raw), "She rang") {
		t.Errorf("the customer reads %s", view.raw)
	}
	detail := a.owner.get("/v1/owner/items/" + a.id).is(200)
	if detail.str("thread.0.direction") != "note" || detail.str("thread.0.body") != "She rang: yes." {
		t.Errorf("thread %v", detail.at("thread"))
	}
	c.clean()
}

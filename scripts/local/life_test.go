package main

import (
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

const (
	customer   = "customer@example.com"
	ownersMail = "owner@studio.example"
)

// last is the latest of some slots.
func last(s []inbox.Slot) inbox.Slot { return s[len(s)-1] }

// TestBookingLife follows a booking from the first question to its mails.
func TestBookingLife(t *testing.T) {
	c := serve(t, nil)
	service := c.service("Portrait session")
	slot := last(c.slots(service, 6))
	made := c.book(booking(service, slot, customer)).is(201)
	id, token := made.str("view.item.id"), made.str("access_token")
	if token == "" || token != made.str("accessToken") {
		t.Fatalf("tokens %q and %q", token, made.str("accessToken"))
	}
	if got := made.str("view.item.payload.reservationFor.name"); got != "Portrait session" {
		t.Errorf("the catalogue's name did not replace the request's: %q", got)
	}
	if got := made.at("view.item.payload.totalPrice.value"); got != 9000.0 {
		t.Errorf("price %v", got)
	}
	mine := c.saying("X-Access-Token", token)
	if got := templates(c.mails(ownersMail)); got != "owner.create" {
		t.Errorf("the owner was told %q", got)
	}

	owner := c.owner()
	owner.fire(id, "request_info", map[string]any{"note": "Indoors or outdoors?"}).is(200)
	if got := mine.get("/v1/items/" + id).is(200).str("waiting_on"); got != "you" {
		t.Errorf("waiting on %q", got)
	}
	mine.post("/v1/items/"+id+"/details", map[string]any{"details": "Outdoors."}).is(200)
	owner.fire(id, "confirm", map[string]any{"note": "See you then."}).is(200)
	if got := mine.get("/v1/items/"+id).str("view.item.state") + mine.get("/v1/items/"+id).str("item.state"); got != "confirmed" {
		t.Errorf("state %q", got)
	}
	for _, s := range c.slots(service, 6) {
		if s.StartTime == slot.StartTime {
			t.Errorf("%s is still offered", s.StartTime)
		}
	}
	sent := c.mails(customer)
	if got := templates(sent); got != "needs_info booking.confirmed" {
		t.Fatalf("the customer was told %q", got)
	}
	for _, fact := range []string{"Portrait session", "(Western European Time)", "€90.00", "See you then.", "Reference: " + inbox.Reference(id), "Studio Lumen"} {
		if !strings.Contains(sent[0].Text, fact) {
			t.Errorf("the confirmation does not say %q:\n%s", fact, sent[0].Text)
		}
	}
	if strings.Contains(sent[0].Raw, id) {
		t.Error("the mail shows the item's id")
	}

	mine.post("/v1/items/"+id+"/cancel", map[string]any{"reason": "I am ill."}).is(200)
	if got := templates(c.mails(customer)); got != "needs_info booking.confirmed cancelled.as_asked" {
		t.Errorf("the customer was told %q", got)
	}
	if got := templates(c.mails(ownersMail)); got != "owner.create owner.provide_info owner.cancel" {
		t.Errorf("the owner was told %q", got)
	}
	if last(c.slots(service, 6)).StartTime != slot.StartTime {
		t.Error("the time is not offered again")
	}
	c.clean()
}

// TestNothingWaitsForever moves the clock over every deadline of a booking.
func TestNothingWaitsForever(t *testing.T) {
	cases := map[string]struct {
		before  func(c *client, id string) // what the owner does first
		advance string
		state   string
		mails   string
	}{
		"ok/acknowledged after 90 seconds":          {nil, "90s", "requested", "ack.booking"},
		"ok/not acknowledged before":                {nil, "89s", "requested", ""},
		"ok/not lapsed a moment before 72 h":        {nil, "71h59m59.999s", "requested", "ack.booking"},
		"ok/lapsed at 72 h":                         {nil, "72h", "expired", "ack.booking booking.expired"},
		"ok/an answer replaces the acknowledgement": {func(c *client, id string) { c.fire(id, "confirm", nil).is(200) }, "10m", "confirmed", "booking.confirmed"},
		"ok/completed by itself":                    {func(c *client, id string) { c.fire(id, "confirm", nil).is(200) }, "240h", "completed", "booking.confirmed"},
	}
	for name, cs := range cases {
		t.Run(name, func(t *testing.T) {
			c := serve(t, nil)
			service := c.service("Portrait session")
			slots := c.slots(service, 6)
			made := c.book(booking(service, last(slots), customer)).is(201)
			id := made.str("view.item.id")
			if cs.before != nil {
				cs.before(c.owner(), id)
			}
			c.advance(cs.advance)
			if got := c.owner().get("/v1/owner/items/" + id).is(200).str("item.state"); got != cs.state {
				t.Errorf("state %q, want %q", got, cs.state)
			}
			if got := templates(c.mails(customer)); got != cs.mails {
				t.Errorf("mails %q, want %q", got, cs.mails)
			}
			c.clean()
		})
	}
}

// TestConversation follows a message both ways.
func TestConversation(t *testing.T) {
	c := serve(t, nil)
	made := c.post("/v1/messages", map[string]any{
		"subject": "A question", "body": "Do you also photograph dogs?", "contact": map[string]any{"email": customer},
	}).is(201)
	id, token := made.str("view.item.id"), made.str("access_token")
	owner := c.owner()
	owner.post("/v1/owner/items/"+id+"/replies", map[string]any{"body": "A note to ourselves.", "internal": true}).is(200)
	owner.post("/v1/owner/items/"+id+"/replies", map[string]any{"body": "Gladly."}).is(200)
	mine := c.saying("X-Access-Token", token)
	view := mine.get("/v1/items/" + id).is(200)
	if view.str("item.state") != "answered" || strings.Contains(string(view.raw), "ourselves") {
		t.Errorf("the customer reads %s", view.raw)
	}
	sent := c.mails(customer)
	if templates(sent) != "reply" || !strings.Contains(sent[0].Text, "Gladly.") || sent[0].Subject != "Re: A question" {
		t.Errorf("the customer got %q %+v", templates(sent), sent)
	}
	c.post("/v1/messages", map[string]any{"item_id": id, "body": "Thank you.", "access_token": token}).is(200)
	if got := owner.get("/v1/owner/items/" + id).str("item.state"); got != "open" {
		t.Errorf("state %q", got)
	}
	if got := templates(c.mails(ownersMail)); got != "owner.create owner.message" {
		t.Errorf("the owner was told %q", got)
	}
	c.clean()
}

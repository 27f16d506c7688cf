package pages_test

import (
	"fmt"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

// TestMovesBetweenPageAndPress: the item moves between the read and the write of
// a press. What the customer said yes to still stands: it acts. It does not: it
// does nothing, and says what is.
func TestMovesBetweenPageAndPress(t *testing.T) {
	for name, c := range map[string]struct {
		meanwhile func(w *world, id, token string)
		status    int
		says      string
		state     inbox.State
	}{
		"ok/a note": {func(w *world, id, _ string) {
			_, err := w.desk.Reply(w.ctx, owner, inbox.ReplyRequest{ItemID: id, Body: "A regular.", Internal: true})
			w.must(err)
		}, 303, "", inbox.StateConfirmed},
		"ok/a flag":          {func(w *world, id, _ string) { w.flagged(id) }, 303, "", inbox.StateConfirmed},
		"fail/another time":  {func(w *world, id, _ string) { w.another(id) }, 409, "This has changed", inbox.StateProposed},
		"fail/declined":      {func(w *world, id, _ string) { w.closed(id) }, 409, "This can no longer be done here", inbox.StateDeclined},
		"fail/too late":      {func(w *world, id, _ string) { w.lateByAMoment(id); w.flagged(id) }, 410, "This is too late", inbox.StateProposed},
		"fail/swept":         {func(w *world, id, _ string) { w.swept(id) }, 410, "This is too late", inbox.StateExpired},
		"fail/pressed twice": {func(w *world, _, token string) { w.press(token).is(303) }, 409, "This was already done", inbox.StateConfirmed},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			id := w.proposed()
			token := w.mail(id, inbox.LinkAcceptTime)[inbox.LinkAcceptTime]
			form, to := w.get(token).form()
			w.db.first = func() { c.meanwhile(w, id, token) }
			s := w.do(w.links, "POST", to, form)
			if name == "fail/pressed twice" && s.status == 303 { // the answer of the first press, told again
				s.status, c.says = 409, ""
			}
			s.is(c.status)
			if c.says != "" {
				s.has(c.says)
			}
			if got := w.item(id).Item.State; got != c.state {
				t.Errorf("state %s, want %s", got, c.state)
			}
			events, err := w.store.Events(w.ctx, id)
			w.must(err)
			yes := 0
			for _, e := range events {
				if e.Event == "accept" {
					yes++
				}
			}
			if want := map[bool]int{true: 1}[c.state == inbox.StateConfirmed]; yes != want {
				t.Errorf("%d acceptances", yes)
			}
		})
	}
}

// TestWithdrawalAfterTheGoods: a withdrawal from an order that was sent opens a
// return and leaves the order where it is; a second link finds nothing more to do
// but to tell a person (05 §6.7).
func TestWithdrawalAfterTheGoods(t *testing.T) {
	w := newWorld(t)
	id := w.acceptedOrder()
	w.paid(id)
	w.fire(id, "start_fulfilment", "")
	w.fire(id, "fulfil", "")
	first, second := w.mail(id, inbox.LinkWithdraw)[inbox.LinkWithdraw], w.mail(id, inbox.LinkWithdraw)[inbox.LinkWithdraw]
	w.get(first).is(200).has("Confirm withdrawal", "You can withdraw until Monday, 26 October 2026")
	w.press(first).is(303)
	w.get(first).is(200).has("You have withdrawn from the contract.")
	rec := w.item(id)
	if rec.Item.State != inbox.StateFulfilled || len(rec.Refunds) != 1 {
		t.Fatalf("%s with %d returns", rec.Item.State, len(rec.Refunds))
	}
	refund := w.item(rec.Refunds[0]).Item
	if refund.Payload.Refund.Kind != "withdrawal" {
		t.Errorf("%+v", refund.Payload.Refund)
	}
	w.press(second).is(303)
	w.get(second).is(200).has("A person here will look at it and answer you.")
	if again := w.item(id); len(again.Refunds) != 1 || !again.Item.Flags.NeedsHuman {
		t.Errorf("%d returns, flagged %v", len(again.Refunds), again.Item.Flags.NeedsHuman)
	}
}

// TestTheQuestionAsked: the page for details shows the question, whatever was
// said since, and nothing when nothing was asked in words.
func TestTheQuestionAsked(t *testing.T) {
	say := func(w *world, id string) {
		_, err := w.desk.Reply(w.ctx, owner, inbox.ReplyRequest{ItemID: id, Body: "We have moved next door."})
		w.must(err)
	}
	for name, c := range map[string]struct{ input, quote string }{
		"ok/asked":         {`{"note":"How long is it?"}`, "How long is it?"},
		"ok/without words": {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			id := w.asked()
			say(w, id)
			w.fire(id, "request_info", c.input)
			say(w, id)
			quote := ""
			for n := range w.get(w.mail(id, inbox.LinkDetails)[inbox.LinkDetails]).is(200).nodes() {
				if n.Data == "blockquote" {
					quote = textOf(n)
				}
			}
			if quote != c.quote {
				t.Errorf("quotes %q", quote)
			}
		})
	}
}

// TestPaidAndOver: only a contract that stands is to be withdrawn from.
func TestPaidAndOver(t *testing.T) {
	w := newWorld(t)
	id := w.confirmed()
	l := w.mail(id, inbox.LinkCancel, inbox.LinkWithdraw)
	w.paid(id)
	w.press(l[inbox.LinkWithdraw]).is(303)
	if s := w.get(l[inbox.LinkCancel]).is(409); strings.Contains(s.text(), "paid by now") {
		t.Errorf("of a contract that is over: %s", s.text())
	}
}

// TestNoTimesOfWhatIsGone: a service that is offered no more has no free times,
// and its page says so (05 §6.5).
func TestNoTimesOfWhatIsGone(t *testing.T) {
	w := newWorld(t)
	id := w.proposed()
	token := w.mail(id, inbox.LinkOtherTime)[inbox.LinkOtherTime]
	gone := onRequest()
	gone.Services[0].Active = false
	w.must(w.store.SaveSetUp(w.ctx, gone))
	s := w.get(token).is(200)
	s.has("No time is free in these days.")
	if len(s.buttons()) != 0 {
		t.Errorf("buttons %q", s.buttons())
	}
}

// TestConcluded: a contract was concluded when it was first agreed, whatever was
// changed since.
func TestConcluded(t *testing.T) {
	w := newWorld(t)
	id := w.confirmed()
	w.paid(id)
	token := w.mail(id, inbox.LinkWithdraw)[inbox.LinkWithdraw]
	w.advance(inbox.Day)
	start := thursday.Add(inbox.Day)
	w.fire(id, "propose_change", fmt.Sprintf(`{"startTime":%q,"endTime":%q}`, start, start.Add(inbox.Hour)))
	w.get(token).is(200).has("Concluded on 5 October 2026")
	w.press(w.mail(id, inbox.LinkAcceptChange)[inbox.LinkAcceptChange]).is(303)
	w.get(token).is(200).has("Concluded on 5 October 2026")
}

// TestQuotedTimeTaken: a quote whose time somebody took has nothing to choose
// from; the page says how to go on, and leads to the other answer.
func TestQuotedTimeTaken(t *testing.T) {
	w := newWorld(t)
	id := w.made(w.desk.RequestQuote(w.ctx, agent, inbox.RequestQuoteRequest{
		Payload: inbox.QuoteRequest{ItemOffered: inbox.ItemOffered{Name: "Haircut", ServiceID: haircut}, Description: "Long."},
		Contact: &inbox.Contact{Name: "Ana", Email: "ana@example.com"},
	}))
	w.fire(id, "quote", fmt.Sprintf(`{"totalPrice":{"value":9900,"currency":"EUR"},"creates":"booking","startTime":%q,"endTime":%q,"lines":[{"name":"Haircut","quantity":1,"price":{"value":9900,"currency":"EUR"}}]}`,
		thursday, thursday.Add(inbox.Hour)))
	l := w.mail(id, inbox.LinkAcceptQuote, inbox.LinkDeclineQuote)
	w.fire(w.asked(), "confirm", "")
	s := w.get(l[inbox.LinkAcceptQuote]).is(409)
	s.has("Somebody else has taken that time. Reply to our email")
	if len(s.buttons()) != 0 || !strings.Contains(s.body, `href="/c/`+l[inbox.LinkDeclineQuote]+`"`) {
		t.Errorf("%s", s.body)
	}
}

// TestLateAfterAYes: the link of a time that was accepted otherwise says where the
// booking stands, and leads to no second one.
func TestLateAfterAYes(t *testing.T) {
	w := newWorld(t)
	id := w.proposed()
	l := w.mail(id, inbox.LinkAcceptTime, inbox.LinkDeclineTime)
	until := w.deadline(id)
	w.press(l[inbox.LinkAcceptTime]).is(303)
	w.get(l[inbox.LinkDeclineTime]).is(409).has("is confirmed")
	w.advance(int64(until-w.clock()) + 1)
	s := w.get(l[inbox.LinkDeclineTime]).is(410)
	s.has("The time we suggested could be answered until", "is confirmed")
	if strings.Contains(s.body, "/p/book") {
		t.Errorf("leads to a second booking: %s", s.body)
	}
}

package pages_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

// TestStatuses: every row of the table of statuses, for looking and for pressing
// (05 §6.4).
func TestStatuses(t *testing.T) {
	for name, c := range map[string]struct {
		settings  string
		item      func(*world) string
		action    inbox.LinkAction
		then      func(w *world, id string)
		get, post int
		says      string
	}{
		"ok/fresh":           {"", (*world).proposed, inbox.LinkAcceptTime, nil, 200, 303, "Confirm this time"},
		"ok/flagged":         {"", (*world).proposed, inbox.LinkAcceptTime, (*world).flagged, 200, 303, "Confirm this time"},
		"fail/replaced":      {"", (*world).proposed, inbox.LinkAcceptTime, (*world).another, 409, 409, "Please use the link in our latest email."},
		"fail/taken back":    {"", (*world).proposed, inbox.LinkAcceptTime, (*world).askedAgain, 409, 409, "This can no longer be done here"},
		"fail/closed":        {"", (*world).proposed, inbox.LinkDeclineTime, (*world).closed, 409, 409, "This can no longer be done here"},
		"fail/just too late": {"", (*world).proposed, inbox.LinkAcceptTime, (*world).lateByAMoment, 410, 410, "The time we suggested could be accepted until"},
		"fail/late, swept":   {"", (*world).proposed, inbox.LinkAcceptTime, (*world).swept, 410, 410, "The time we suggested could be accepted until"},
		"fail/late by a day": {"", (*world).proposed, inbox.LinkAcceptTime, (*world).lateByADay, 410, 410, "Nothing can be done here any more."},
		"fail/late quote":    {"", (*world).quoted, inbox.LinkAcceptQuote, func(w *world, _ string) { w.advance(10*inbox.Day + 1) }, 410, 410, "Our quote was valid until"},
		"fail/late details":  {"", (*world).questioned, inbox.LinkDetails, func(w *world, _ string) { w.advance(14*inbox.Day + 1) }, 410, 410, "This link worked until"},
		"fail/asked anew": {"", (*world).questioned, inbox.LinkDetails, func(w *world, id string) {
			_, err := w.desk.ProvideDetails(w.ctx, w.theirs, inbox.ProvideDetailsRequest{ItemID: id, Details: "Short."})
			w.must(err)
			w.fire(id, "request_info", `{"note":"And how long?"}`)
		}, 409, 409, "Please use the link in our latest email."},
		"fail/forgotten":      {"", (*world).asked, inbox.LinkCancel, func(w *world, _ string) { w.advance(500 * inbox.Day) }, 404, 404, "This link does not work"},
		"ok/cancel confirmed": {"", (*world).confirmed, inbox.LinkCancel, nil, 200, 303, "You can cancel in time until Wednesday, 7 October 2026 at 10:00"},
		"ok/cancel late, noted": {"", (*world).confirmed, inbox.LinkCancel, func(w *world, _ string) { w.advance(2*inbox.Day + 2*inbox.Hour) },
			200, 303, "If you cancel now, it is cancelled all the same and noted as late."},
		"fail/cancel late, refused": {`{"booking":{"lateCancellation":"refuse"}}`, (*world).confirmed, inbox.LinkCancel,
			func(w *world, _ string) { w.advance(2*inbox.Day + 2*inbox.Hour) }, 409, 409, "It is too late to cancel here: that was possible until Wednesday, 7 October 2026 at 10:00"},
		"fail/cancel begun, refused": {`{"booking":{"lateCancellation":"refuse"}}`, (*world).confirmed, inbox.LinkCancel,
			func(w *world, _ string) { w.advance(3*inbox.Day + 2*inbox.Hour) }, 409, 409, "The time has begun"},
		"ok/cancel an order":       {"", (*world).ordered, inbox.LinkCancel, nil, 200, 303, "2 × Chain — €37.00"},
		"fail/cancel a paid order": {"", (*world).acceptedOrder, inbox.LinkCancel, (*world).paid, 409, 409, "It is paid by now."},
		"ok/cancel a paid booking": {"", (*world).confirmed, inbox.LinkCancel, (*world).paid, 200, 303, "We pay back €45.00 by"},
		"ok/withdraw":              {"", (*world).acceptedOrder, inbox.LinkWithdraw, nil, 200, 303, "Confirm withdrawal"},
		"ok/change the time":       {"", (*world).confirmed, inbox.LinkChangeTime, nil, 200, 422, "Until we have confirmed it, the time you have now stays."},
		"fail/change too late":     {"", (*world).confirmed, inbox.LinkChangeTime, func(w *world, _ string) { w.advance(3*inbox.Day + inbox.Hour/2) }, 410, 410, "The time could be changed here until"},
	} {
		t.Run(name, func(t *testing.T) {
			var changes []string
			if c.settings != "" {
				changes = []string{c.settings}
			}
			w := newWorld(t, changes...)
			id := c.item(w)
			l := w.mail(id, c.action)
			token := l[c.action]
			terms := url.Values{"terms": {w.linkOf(token).TermsSHA}, "v": {"1"}}
			if c.then != nil {
				c.then(w, id)
			}
			w.get(token).is(c.get).has(c.says)
			if w.do(w.links, "HEAD", "/c/"+token, nil).status != c.get {
				t.Error("HEAD is told otherwise")
			}
			before := w.item(id).Item.Version
			w.do(w.links, "POST", "/c/"+token, terms).is(c.post)
			if acted := w.item(id).Item.Version != before; acted != (c.post == 303) {
				t.Errorf("acted: %v", acted)
			}
		})
	}
}

func (w *world) linkOf(token string) *inbox.Link {
	w.t.Helper()
	l, err := w.store.LinkByToken(w.ctx, token, w.clock())
	w.must(err)
	return l
}

func (w *world) flagged(id string) {
	_, err := w.desk.Reply(w.ctx, owner, inbox.ReplyRequest{ItemID: id, Body: "A regular.", Internal: true})
	w.must(err)
	before := w.item(id).Item.Version
	_, err = w.desk.MakeOffer(w.ctx, w.theirs, inbox.MakeOfferRequest{ItemID: id, Terms: inbox.Suggestion{PartySize: inbox.Ptr(3)}})
	w.must(err)
	if i := w.item(id).Item; !i.Flags.NeedsHuman || i.Version == before {
		w.t.Fatal("it was not flagged")
	}
}

func (w *world) another(id string)    { w.propose(id, thursday.Add(4*inbox.Day)) }
func (w *world) askedAgain(id string) { w.fire(id, "request_info", `{"note":"Which colour?"}`) }
func (w *world) closed(id string)     { w.fire(id, "decline", "") }
func (w *world) deadline(id string) inbox.Instant {
	return *w.item(id).Item.Payload.Offer().ValidThrough
}
func (w *world) lateByAMoment(id string) { w.advance(int64(w.deadline(id)-w.clock()) + 1) }
func (w *world) lateByADay(id string)    { w.advance(int64(w.deadline(id)-w.clock()) + inbox.Day + 1) }
func (w *world) swept(id string) {
	w.lateByAMoment(id)
	w.must(w.desk.Fire(w.ctx, id, "expire", "offer_lapsed"))
	if s := w.item(id).Item.State; s != inbox.StateExpired {
		w.t.Fatalf("swept: %s", s)
	}
}

func (w *world) confirmed() string {
	id := w.asked()
	w.fire(id, "confirm", "")
	return id
}

func (w *world) acceptedOrder() string {
	id := w.ordered()
	w.fire(id, "accept", "")
	return id
}

func (w *world) paid(id string) {
	amount := `{"value":4500,"currency":"EUR"}`
	if w.item(id).Item.Payload.Order != nil {
		amount = `{"value":3700,"currency":"EUR"}`
	}
	w.fire(id, "record_payment", fmt.Sprintf(`{"paymentRef":"P-1","amount":%s}`, amount))
}

// TestWhenItLapsed: the page of a time that lapsed leads to a new booking, or to
// a quote for a service priced on request (09).
func TestWhenItLapsed(t *testing.T) {
	w := newWorld(t)
	id := w.proposed()
	token := w.mail(id, inbox.LinkAcceptTime)[inbox.LinkAcceptTime]
	w.swept(id)
	s := w.get(token).is(410)
	if !strings.Contains(s.body, `href="/p/book?service=SVC"`) || len(s.buttons()) != 0 {
		t.Errorf("no way on: %s", s.text())
	}
	w.must(w.store.SaveSetUp(w.ctx, onRequest()))
	if s = w.get(token).is(410); !strings.Contains(s.body, `href="/p/quote?service=SVC"`) {
		t.Errorf("no way to a quote: %s", s.body)
	}
}

// TestSlotTaken: a time that somebody else took meanwhile is not promised; the
// page says so and shows free ones, which go to the link that asks for another.
func TestSlotTaken(t *testing.T) {
	w := newWorld(t, `{"booking":{"holdOnPropose":false}}`)
	id := w.proposed()
	tokens := w.mail(id, inbox.LinkAcceptTime, inbox.LinkOtherTime)
	form, to := w.get(tokens[inbox.LinkAcceptTime]).is(200).form()
	other := w.askedAt(thursday.Add(inbox.Day), "en")
	w.fire(other, "confirm", "")
	for _, s := range []shown{w.do(w.links, "POST", to, form), w.get(tokens[inbox.LinkAcceptTime])} {
		s.is(409).has("Somebody else has taken that time. Please choose another one.")
		if _, to := s.form(); to != "/c/"+tokens[inbox.LinkOtherTime] || len(s.times()) == 0 {
			t.Errorf("the picker goes to %s with %d times", to, len(s.times()))
		}
	}
	if got := w.item(id).Item.State; got != inbox.StateProposed {
		t.Fatalf("state %s", got)
	}
	w.press(tokens[inbox.LinkAcceptTime], "time", thursday.Add(4*inbox.Day).String()).is(303)
	if got := w.item(id).Item; got.State != inbox.StateRequested || got.Payload.Booking.StartTime != thursday.Add(4*inbox.Day) {
		t.Errorf("%s at %s", got.State, got.Payload.Booking.StartTime)
	}
	// Without a link for another time in the mail there is nothing to choose.
	w2 := newWorld(t, `{"booking":{"holdOnPropose":false}}`)
	alone := w2.proposed()
	token := w2.mail(alone, inbox.LinkAcceptTime)[inbox.LinkAcceptTime]
	w2.fire(w2.askedAt(thursday.Add(inbox.Day), "en"), "confirm", "")
	if s := w2.get(token).is(409); len(s.times()) != 0 || len(s.buttons()) != 0 {
		t.Errorf("%s", s.text())
	}
}

// TestPressedAtOnce: of many presses of one link one acts, whatever it says.
func TestPressedAtOnce(t *testing.T) {
	w := newWorld(t)
	id := w.asked()
	token := w.mail(id, inbox.LinkCancel)[inbox.LinkCancel]
	form, to := w.get(token).form()
	start, done := make(chan struct{}), make(chan int)
	for range 16 {
		go func() {
			<-start
			done <- w.do(w.links, "POST", to, form).status
		}()
	}
	close(start)
	var got []int
	for range 16 {
		got = append(got, <-done)
	}
	for _, status := range got {
		if status != 303 && status != 409 {
			t.Errorf("statuses %v", got)
			break
		}
	}
	events, err := w.store.Events(w.ctx, id)
	w.must(err)
	if len(events) != 2 || !slices.Contains(got, 303) {
		t.Errorf("%d events, statuses %v", len(events), got)
	}
}

// TestCancelWorksFromEveryMail: a link that cancels is never replaced, and every
// one of an item says the same once one has acted.
func TestCancelWorksFromEveryMail(t *testing.T) {
	w := newWorld(t)
	id := w.asked()
	old := w.mail(id, inbox.LinkCancel)[inbox.LinkCancel]
	w.fire(id, "confirm", "")
	late := w.mail(id, inbox.LinkCancel)[inbox.LinkCancel]
	w.press(old).is(303)
	w.get(old).is(200).has("Your booking is cancelled.", "We have sent you a confirmation by email.")
	w.get(late).is(409).has("This can no longer be done here")
}

// TestDoneUntilItMoves: what was done is said while it stands, then what is.
func TestDoneUntilItMoves(t *testing.T) {
	w := newWorld(t)
	id := w.proposed()
	token := w.mail(id, inbox.LinkAcceptTime)[inbox.LinkAcceptTime]
	w.press(token).is(303)
	w.get(token).is(200).has("Your booking is confirmed.")
	w.fire(id, "cancel_by_business", "")
	s := w.get(token).is(200)
	s.has("Since then something has changed:", "cancelled")
	if strings.Contains(s.text(), "Your booking is confirmed.") {
		t.Error("it says that what is over stands")
	}
}

// TestPortuguese: the page speaks the language of the mail.
func TestPortuguese(t *testing.T) {
	w := newWorld(t)
	id := w.askedAt(thursday, "pt-PT")
	w.propose(id, thursday.Add(inbox.Day))
	token := w.mail(id, inbox.LinkAcceptTime)[inbox.LinkAcceptTime]
	s := w.get(token)
	s.has("Confirmar este horário", "sexta-feira, 9 de outubro de 2026 às 10:00 (hora da Europa Ocidental)", "Encomenda com obrigação de pagar")
	if !strings.Contains(s.body, `<html lang="pt">`) || s.header.Get("Content-Language") != "pt" {
		t.Error("the page does not say its language")
	}
	w.press(token).is(303)
	w.get(token).has("A sua marcação está confirmada.")
}

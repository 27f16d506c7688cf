package pages_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"typedinbox/shared/inbox"
)

// TestShowsAndActsOnce: every link shows its page and writes nothing however
// often it is looked at, acts when its button is pressed, and then says that it
// did.
func TestShowsAndActsOnce(t *testing.T) {
	for action, c := range map[inbox.LinkAction]struct {
		item   func(*world) string
		button string
		fields []string
		state  inbox.State
		event  string
		did    string
	}{
		inbox.LinkAcceptTime:   {(*world).proposed, "Order with obligation to pay", nil, inbox.StateConfirmed, "accept", "Your booking is confirmed."},
		inbox.LinkDeclineTime:  {(*world).proposed, "Decline and close the request", []string{"text", "I found another."}, inbox.StateCancelledByCustomer, "cancel", "You have declined the time we suggested."},
		inbox.LinkOtherTime:    {(*world).proposed, "Ask for this time", []string{"time", (thursday + 7*inbox.Instant(inbox.Hour)).String()}, inbox.StateRequested, "counter", "We have the time you asked for."},
		inbox.LinkAcceptQuote:  {(*world).quoted, "Order with obligation to pay", nil, inbox.StateAccepted, "accept", "You have accepted our quote."},
		inbox.LinkDeclineQuote: {(*world).quoted, "Decline this quote", nil, inbox.StateDeclined, "decline", "You have declined our quote."},
		inbox.LinkAcceptOrder:  {(*world).orderProposed, "Order with obligation to pay", nil, inbox.StateAccepted, "accept", "Your order is accepted"},
		inbox.LinkDeclineOrder: {(*world).orderProposed, "Decline and close the order", nil, inbox.StateCancelled, "cancel", "You have declined our changes. Your order is closed."},
		inbox.LinkDetails:      {(*world).questioned, "Send this answer", []string{"text", "Short, please."}, inbox.StateRequested, "provide_info", "We have your answer."},
		inbox.LinkCancel:       {(*world).asked, "Cancel this booking", nil, inbox.StateCancelledByCustomer, "cancel", "Your booking is cancelled."},
	} {
		t.Run(string(action), func(t *testing.T) {
			w := newWorld(t)
			id := c.item(w)
			token := w.mail(id, action)[action]
			page := w.get(token).is(200)
			if got := page.buttons(); !slices.Equal(got, []string{c.button}) {
				t.Errorf("buttons %q", got)
			}
			w.looksAtIt(token)
			if got := w.item(id); got.Item.Version != w.item(id).Item.Version {
				t.Error("looking moved the item")
			}
			s := w.press(token, c.fields...).is(303)
			if got := s.header.Get("Location"); got != "/c/"+token {
				t.Errorf("sent to %q", got)
			}
			rec := w.item(id)
			if rec.Item.State != c.state {
				t.Errorf("state %s, want %s", rec.Item.State, c.state)
			}
			events, err := w.store.Events(w.ctx, id)
			w.must(err)
			last := events[len(events)-1]
			if last.Event != c.event || last.ActorKind != inbox.CustomerHuman || last.Meta.Channel != inbox.ChannelActionLink || !strings.HasPrefix(last.ActorID, "link:") {
				t.Errorf("%s by %s %s through %s", last.Event, last.ActorKind, last.ActorID, last.Meta.Channel)
			}
			w.get(token).is(200).has("Done", c.did)
			before := w.db.n.Load()
			form, _ := page.form()
			w.do(w.links, "POST", "/c/"+token, form).is(409).has("This was already done", "Nothing was sent a second time.")
			if w.db.n.Load() != before || w.item(id).Item.Version != rec.Item.Version {
				t.Error("a second press wrote")
			}
		})
	}
}

// looksAtIt opens a link a hundred times at once, as scanners of mail do.
func (w *world) looksAtIt(token string) {
	w.t.Helper()
	before := w.db.n.Load()
	var all sync.WaitGroup
	go_ := make(chan struct{})
	for i := range 100 {
		all.Add(1)
		go func() {
			defer all.Done()
			<-go_
			method := []string{http.MethodGet, http.MethodHead}[i%2]
			if s := w.do(w.links, method, "/c/"+token, nil); s.status != 200 {
				w.t.Errorf("%s: %d", method, s.status)
			}
		}()
	}
	close(go_)
	all.Wait()
	if n := w.db.n.Load() - before; n != 0 {
		w.t.Errorf("looking wrote %d times", n)
	}
}

func (w *world) questioned() string {
	id := w.asked()
	w.fire(id, "request_info", `{"note":"How short should it be?"}`)
	return id
}

func (w *world) quoted() string {
	w.t.Helper()
	id := w.made(w.desk.RequestQuote(w.ctx, agent, inbox.RequestQuoteRequest{
		Payload: inbox.QuoteRequest{ItemOffered: inbox.ItemOffered{Name: "Ten chains"}, Description: "Ten, gold."}, Contact: &inbox.Contact{Name: "Ana", Email: "ana@example.com"},
	}))
	w.fire(id, "quote", fmt.Sprintf(`{"totalPrice":{"value":9900,"currency":"EUR"},"validThrough":%q,"creates":"order","lines":[{"name":"Chain","quantity":10,"price":{"value":990,"currency":"EUR"}}],"notes":"Gold-plated."}`,
		monday.Add(10*inbox.Day)))
	return id
}

func (w *world) orderProposed() string {
	w.t.Helper()
	id := w.ordered()
	w.fire(id, "propose", `{"orderedItem":[{"productId":"P1","name":"Chain","quantity":1,"price":{"value":1850,"currency":"EUR"}}],"totalPrice":{"value":1850,"currency":"EUR"},"note":"Only one is left."}`)
	return id
}

// TestPageShows: what each page says, with the words the business wrote, whatever
// they hold.
func TestPageShows(t *testing.T) {
	w := newWorld(t)
	s := w.get(w.mail(w.proposed(), inbox.LinkAcceptTime, inbox.LinkDeclineTime, inbox.LinkOtherTime)[inbox.LinkAcceptTime])
	s.has("Studio", "Confirm this time", "We are full on Thursday <b>.", "Friday, 9 October 2026 at 10:00 (Western European Time)",
		"€45.00", "Nothing happens by opening this page.", "Decline and close the request", "Choose another time", "Reference")
	if strings.Contains(s.body, "<b>") || strings.Contains(s.body, w.item(w.lastItem()).Item.ID) {
		t.Error("markup of the business's, or an id, reached the page")
	}
	s = w.get(w.mail(w.quoted(), inbox.LinkAcceptQuote)[inbox.LinkAcceptQuote])
	s.has("10 × Chain — €99.00", "€99.00", "Gold-plated.", "Valid until")
	s = w.get(w.mail(w.questioned(), inbox.LinkDetails)[inbox.LinkDetails])
	s.has("How short should it be?", "Your answer")
	s = w.get(w.mail(w.orderProposed(), inbox.LinkDeclineOrder)[inbox.LinkDeclineOrder])
	s.has("If you decline, your order is closed.", "1 × Chain — €18.50", "Only one is left.")
}

// lastItem is the id of the newest booking.
func (w *world) lastItem() string {
	items, _, err := w.store.ListItems(w.ctx, storeList())
	w.must(err)
	return items[0].Item.ID
}

// TestUnknownLinks: whatever is no link of ours gets one and the same page.
func TestUnknownLinks(t *testing.T) {
	w := newWorld(t)
	token := w.mail(w.asked(), inbox.LinkCancel)[inbox.LinkCancel]
	flipped := []byte(token)
	flipped[44] ^= 1
	var body string
	for name, path := range map[string]string{
		"garbage": "/c/x", "empty": "/c/", "another id": "/c/" + strings.Repeat("A", 22) + token[22:], "bad mac": "/c/" + string(flipped),
		"cut": "/c/" + token[:22] + ".…", "longer": "/c/" + token + "A", "below": "/c/" + token + "/x",
	} {
		for _, method := range []string{"GET", "POST"} {
			s := w.do(w.links, method, (&url.URL{Path: path}).String(), url.Values{"terms": {"x"}, "v": {"1"}})
			if s.is(404); body == "" {
				body = s.body
			} else if s.body != body {
				t.Errorf("%s %s has a page of its own", method, name)
			}
		}
	}
	if w.do(w.links, "DELETE", "/c/"+token, nil).status != 405 {
		t.Error("a method nobody knows")
	}
}

// TestForms: what a press needs, and that nothing less acts.
func TestForms(t *testing.T) {
	w := newWorld(t)
	id := w.proposed()
	tokens := w.mail(id, inbox.LinkAcceptTime, inbox.LinkOtherTime, inbox.LinkDeclineTime)
	good, _ := w.get(tokens[inbox.LinkAcceptTime]).form()
	with := func(field, value string) url.Values {
		f := url.Values{"terms": good["terms"], "v": good["v"]}
		if f.Set(field, value); value == "" {
			f.Del(field)
		}
		return f
	}
	for name, c := range map[string]struct {
		action inbox.LinkAction
		form   url.Values
		status int
		says   string
	}{
		"fail/empty":          {inbox.LinkAcceptTime, url.Values{}, 422, "Nothing was sent"},
		"fail/no terms":       {inbox.LinkAcceptTime, with("terms", ""), 422, "use the buttons on the page"},
		"fail/no version":     {inbox.LinkAcceptTime, with("v", ""), 422, "Nothing was sent"},
		"fail/odd version":    {inbox.LinkAcceptTime, with("v", "one"), 422, "Nothing was sent"},
		"fail/version 0":      {inbox.LinkAcceptTime, with("v", "0"), 422, "Nothing was sent"},
		"fail/other terms":    {inbox.LinkAcceptTime, with("terms", "other"), 409, "We have changed what we proposed."},
		"fail/too large":      {inbox.LinkAcceptTime, with("text", strings.Repeat("x", 70_000)), 413, "more than this form can take"},
		"fail/no time":        {inbox.LinkOtherTime, with("text", "Any."), 422, "Please choose a time."},
		"fail/odd time":       {inbox.LinkOtherTime, with("time", "Tuesday"), 422, "Please choose a time."},
		"fail/taken time":     {inbox.LinkOtherTime, with("time", (thursday + 12*inbox.Instant(inbox.Hour)).String()), 409, "choose another one"},
		"fail/long reason":    {inbox.LinkDeclineTime, with("text", strings.Repeat("é", 2001)), 422, "too long for this form"},
		"fail/time long past": {inbox.LinkOtherTime, with("time", monday.Add(-inbox.Day).String()), 409, "choose"},
	} {
		t.Run(name, func(t *testing.T) {
			before := w.item(id).Item.Version
			s := w.do(w.links, "POST", "/c/"+tokens[c.action], c.form).is(c.status)
			if s.has(c.says); w.item(id).Item.Version != before {
				t.Error("it acted")
			}
		})
	}
	s := w.do(w.links, "POST", "/c/"+tokens[inbox.LinkOtherTime], with("text", "Kept <words>"))
	s.has("Kept <words>")
	if !strings.Contains(s.body, `role="alert"`) || !strings.Contains(s.body, "&lt;words&gt;") {
		t.Error("what was typed is lost, or not escaped")
	}
	r, _ := http.NewRequest("POST", "/c/"+tokens[inbox.LinkAcceptTime], strings.NewReader(`{"terms":"x"}`))
	r.Header.Set("Content-Type", "application/json")
	if s := w.serve(r); s.status != 422 {
		t.Errorf("JSON: %d", s.status)
	}
	w.press(tokens[inbox.LinkDeclineTime], "text", strings.Repeat("é", 2000)).is(303)
}

// TestTimesToChooseFrom: of seven days, in whole days, the way on leads to the
// rest; the item's own places count as free and its own time is not offered.
func TestTimesToChooseFrom(t *testing.T) {
	w := newWorld(t)
	id := w.proposed()
	token := w.mail(id, inbox.LinkOtherTime)[inbox.LinkOtherTime]
	s := w.get(token)
	times := s.times()
	held := thursday.Add(inbox.Day)
	switch {
	case len(times) == 0 || len(times) > 40:
		t.Fatalf("%d times", len(times))
	case times[0] != (monday+inbox.Instant(inbox.Hour)+inbox.Instant(inbox.Minute)*30).String() && times[0] < monday.Add(inbox.Hour).String():
		t.Errorf("begins at %s", times[0])
	case slices.Contains(times, held.String()):
		t.Error("the time that was proposed is offered")
	}
	s.has("Monday, 5 October", "Later", "All times are in Western European Time.")
	if strings.Contains(s.text(), "Earlier") {
		t.Error("there are days before today")
	}
	friday := w.do(w.links, "GET", "/c/"+token+"?from=2026-10-09", nil).is(200)
	friday.has("Friday, 9 October", "Earlier")
	if got := friday.times(); slices.Contains(got, held.String()) || !slices.Contains(got, held.Add(30*inbox.Minute).String()) {
		t.Errorf("%q", got)
	}
	w.do(w.links, "GET", "/c/"+token+"?from=2020-01-01", nil).is(200).has("Monday, 5 October")
	w.do(w.links, "GET", "/c/"+token+"?from=nonsense", nil).is(200).has("Monday, 5 October")
	w.do(w.links, "GET", "/c/"+token+"?from=2026-10-10", nil).is(200).has("Monday, 12 October")
}

// TestPrivacy: the same page for anyone, in the language that is asked for, kept
// for five minutes by whoever likes.
func TestPrivacy(t *testing.T) {
	w := newWorld(t)
	for path, says := range map[string]string{
		"/c/privacy": "How we recognise you", "/c/privacy?l=pt": "Como o reconhecemos", "/c/privacy?l=en": "How we recognise you", "/c/privacy?l=xx": "How we recognise you",
	} {
		s := w.do(w.links, "GET", path, nil).is(200)
		s.has("Studio", says)
		if got := s.header.Get("Cache-Control"); got != "public, max-age=300" || s.header.Get("Vary") != "Accept-Language" {
			t.Errorf("kept %q", got)
		}
	}
	w.do(w.links, "POST", "/c/privacy", url.Values{}).is(405)
}

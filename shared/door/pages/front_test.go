package pages_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"typedinbox/shared/desk"
	"typedinbox/shared/door/pages"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

// show opens a page of the front.
func (w *world) show(path string) shown { w.t.Helper(); return w.do(w.front, "GET", path, nil) }

// fill sends the form of a page, with fields on top.
func (w *world) fill(page shown, fields ...string) shown {
	w.t.Helper()
	form, to := page.form()
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	return w.do(w.front, "POST", to, form)
}

// newest are the items there are, newest first.
func (w *world) newest() []inbox.Record {
	w.t.Helper()
	items, _, err := w.store.ListItems(w.ctx, store.ListQuery{Limit: 50})
	w.must(err)
	return items
}

var ana = []string{"name", "Ana", "email", "ana@example.com", "text", "Shorter than last time."}

func TestFrontPage(t *testing.T) {
	w := newWorld(t)
	s := w.show("/").is(200)
	s.has("Studio", "Haircut 1 h · €45.00", "Colouring 2 h · price on request", "Ask for a quote", "Send a message")
	for _, href := range []string{"/p/book?service=SVC", "/p/quote?service=COL", "/p/quote", "/p/message"} {
		if !strings.Contains(s.body, `href="`+href+`"`) {
			t.Errorf("nothing leads to %s", href)
		}
	}
	if strings.Contains(s.text(), "Perm") {
		t.Error("an archived service is shown")
	}
	r := httptest.NewRequest("GET", "/", nil)
	r.Header.Set("Accept-Language", "fr;q=1, pt-PT;q=0.8, en;q=0.5")
	rec := httptest.NewRecorder()
	w.front.ServeHTTP(rec, r)
	if body := rec.Body.String(); !strings.Contains(body, `<html lang="pt">`) || !strings.Contains(body, "45,00\u00a0€") {
		t.Errorf("not in Portuguese: %s", body)
	}
}

// TestBooking: what costs something is summed up first, with a button that says
// so; the second press writes, and the form sent again makes nothing more.
func TestBooking(t *testing.T) {
	w := newWorld(t)
	page := w.show("/p/book?service=SVC").is(200)
	page.has("Book: Haircut", "1 h · €45.00", "All times are in Western European Time.", "Monday, 5 October", "Ask for this time")
	if times := page.times(); len(times) == 0 || len(times) > 40 {
		t.Fatalf("%d times", len(times))
	}
	confirm := w.fill(page, append(ana, "time", thursday.String())...).is(200)
	confirm.has("Please check and confirm", "Haircut", "Thursday, 8 October 2026 at 10:00", "€45.00", "Order with obligation to pay")
	if n := len(w.newest()); n != 0 {
		t.Fatalf("%d items before the yes", n)
	}
	form, to := confirm.form()
	for range 2 {
		s := w.do(w.front, "POST", to, form).is(303)
		if got := s.header.Get("Location"); got != "/p/sent?sent=booking" {
			t.Errorf("sent to %q", got)
		}
	}
	items := w.newest()
	if len(items) != 1 {
		t.Fatalf("%d items", len(items))
	}
	i := items[0].Item
	party, err := w.store.Party(w.ctx, i.PartyID)
	w.must(err)
	if i.State != inbox.StateRequested || i.Channel != inbox.ChannelForm || i.Payload.Booking.StartTime != thursday || items[0].Locale != "en" ||
		party.Contact.Name != "Ana" || party.Contact.Email != "ana@example.com" {
		t.Errorf("%+v %+v", i, party)
	}
	events, err := w.store.Events(w.ctx, i.ID)
	w.must(err)
	if e := events[0]; e.ActorKind != inbox.CustomerHuman || e.Meta.Tier != inbox.TierAnonymous {
		t.Errorf("by %s, %s", e.ActorKind, e.Meta.Tier)
	}
	w.show("/p/sent?sent=booking").is(200).has("Thank you", "We will confirm it or suggest another time, by email.")
}

// TestBookingRefused: the page again, with what was filled in and why.
func TestBookingRefused(t *testing.T) {
	for name, c := range map[string]struct {
		fields []string
		says   string
	}{
		"fail/no name":      {[]string{"name", " "}, "Please tell us your name."},
		"fail/no address":   {[]string{"email", ""}, "Please enter an email address that works."},
		"fail/bad address":  {[]string{"email", "ana@example"}, "Please enter an email address that works."},
		"fail/named":        {[]string{"email", "Ana <ana@example.com>"}, "Please enter an email address that works."},
		"fail/two":          {[]string{"email", "ana@example.com, eve@example.com"}, "Please enter an email address that works."},
		"fail/no time":      {[]string{"time", ""}, "Please choose a time."},
		"fail/odd time":     {[]string{"time", "soon"}, "Please choose a time."},
		"fail/past":         {[]string{"time", monday.Add(-inbox.Day).String()}, "That time is not free. Please choose another one."},
		"fail/closed":       {[]string{"time", thursday.Add(-6 * inbox.Hour).String()}, "That time is not free. Please choose another one."},
		"fail/bad name":     {[]string{"name", "Ana\x01"}, "Something in the form is not right."},
		"fail/bad note":     {[]string{"text", "short\x1b[31m"}, "Something in the form is not right."},
		"fail/long note":    {[]string{"text", strings.Repeat("é", 5001)}, "Something is too long for this form."},
		"fail/long name":    {[]string{"name", strings.Repeat("n", 201)}, "Something is too long for this form."},
		"fail/long address": {[]string{"email", strings.Repeat("e", 250) + "@example.com"}, "Something is too long for this form."},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			fields := append(append([]string{}, append(ana, "time", thursday.String())...), c.fields...)
			s := w.fill(w.show("/p/book?service=SVC"), fields...).is(422)
			if s.has(c.says); !strings.Contains(s.body, `role="alert"`) {
				t.Error("the reason is no alert")
			}
			if c.fields[0] != "text" && !strings.Contains(s.body, "Shorter than last time.") {
				t.Error("what was filled in is lost")
			}
			if c.fields[0] != "time" && !strings.Contains(s.body, `value="`+thursday.String()+`" required checked`) {
				t.Error("the time that was chosen is lost")
			}
			if len(w.newest()) != 0 {
				t.Error("it made an item")
			}
		})
	}
}

// TestChangedPrice: a price that changes before the second press is asked again.
func TestChangedPrice(t *testing.T) {
	w := newWorld(t)
	confirm := w.fill(w.show("/p/book?service=SVC"), append(ana, "time", thursday.String())...)
	dearer := inbox.Service{
		ID: haircut, Name: "Haircut", DurationMin: 60, Capacity: 1, GranularityMin: 30, Active: true, Version: 2, Withdrawal: inbox.WithdrawalStandard,
		Price: &inbox.ServicePrice{Model: "fixed", Value: inbox.Ptr(int64(5000)), Currency: "EUR", Per: "booking"},
	}
	w.must(w.store.SaveSetUp(w.ctx, store.SetUp{Services: []inbox.Service{dearer}}))
	again := w.fill(confirm).is(200)
	again.has("Something has changed since you looked.", "€50.00")
	if len(w.newest()) != 0 {
		t.Fatal("it made an item at a price nobody said yes to")
	}
	w.fill(again).is(303)
	if items := w.newest(); len(items) != 1 || items[0].Item.Payload.Booking.TotalPrice.Value != 5000 {
		t.Errorf("%+v", items)
	}
}

// TestNotBookedHere: what cannot be booked on a page has none.
func TestNotBookedHere(t *testing.T) {
	w := newWorld(t)
	for _, id := range []string{"", "NONE", "OLD", "COL"} {
		w.show("/p/book?service=" + id).is(404).has("There is no such page")
		w.do(w.front, "POST", "/p/book", url.Values{"service": {id}, "time": {thursday.String()}, "name": {"Ana"}, "email": {"ana@example.com"}}).is(404)
	}
	for path, status := range map[string]int{"/p/": 404, "/p/other": 404, "/p/sent": 404, "/p/sent?sent=order": 404, "/p/book": 404} {
		w.show(path).is(status)
	}
	for _, path := range []string{"/", "/p/sent"} {
		w.do(w.front, "POST", path, url.Values{}).is(405)
	}
}

// TestQuoteAndMessage: the first line names what is asked for; each form makes
// one item however often it is sent.
func TestQuoteAndMessage(t *testing.T) {
	for kind, c := range map[string]struct {
		path string
		typ  inbox.Type
		item func(inbox.Payload) string
		want string
	}{
		"quote": {"/p/quote", inbox.TypeQuote, func(p inbox.Payload) string { return p.Quote.ItemOffered.Name + "|" + p.Quote.Description },
			"Ten gold chains|Ten gold chains\nfor a wedding"},
		"quote of a service": {"/p/quote?service=COL", inbox.TypeQuote, func(p inbox.Payload) string { return p.Quote.ItemOffered.Name + "|" + p.Quote.ItemOffered.ServiceID },
			"Colouring|COL"},
		"message": {"/p/message", inbox.TypeMessage, func(p inbox.Payload) string { return p.Message.Text }, "Ten gold chains\nfor a wedding"},
	} {
		t.Run(kind, func(t *testing.T) {
			w := newWorld(t)
			page := w.show(c.path).is(200)
			fields := []string{"name", "Ana", "email", "ana@example.com", "text", "Ten gold chains\r\nfor a wedding"}
			for range 2 {
				s := w.fill(page, fields...).is(303)
				if got := s.header.Get("Location"); got != "/p/sent?sent="+strings.Fields(kind)[0] {
					t.Errorf("sent to %q", got)
				}
			}
			items := w.newest()
			if len(items) != 1 || items[0].Item.Type != c.typ || c.item(items[0].Item.Payload) != c.want {
				t.Fatalf("%d items: %q", len(items), c.item(items[0].Item.Payload))
			}
			w.fill(page, "name", "Ana", "email", "ana@example.com", "text", "Other words").is(422).has("This form was sent before with other words.")
			w.fill(w.show(c.path), "name", "Ana", "email", "ana@example.com").is(422).has("Please write something first.")
			w.fill(w.show(c.path), "name", "Ana", "email", "ana@example.com", "text", strings.Repeat("x", 5001)).is(422)
		})
	}
	w := newWorld(t)
	w.fill(w.show("/p/quote"), "name", "Ana", "email", "ana@example.com", "text", strings.Repeat("long ", 100)).is(303)
	if name := w.newest()[0].Item.Payload.Quote.ItemOffered.Name; len([]rune(name)) > 120 {
		t.Errorf("%d characters", len([]rune(name)))
	}
}

// TestTrap: what a machine fills in is thanked for and written nowhere.
func TestTrap(t *testing.T) {
	w := newWorld(t)
	for kind, path := range map[string]string{"booking": "/p/book?service=SVC", "quote": "/p/quote", "message": "/p/message"} {
		before := w.db.n.Load()
		s := w.fill(w.show(path), append(ana, "time", thursday.String(), "website", "https://spam.example")...).is(303)
		if s.header.Get("Location") != "/p/sent?sent="+kind || w.db.n.Load() != before || len(w.newest()) != 0 {
			t.Errorf("%s: %q, %d writes", kind, s.header.Get("Location"), w.db.n.Load()-before)
		}
	}
}

// TestGarbledForms: what is no form of ours makes nothing.
func TestGarbledForms(t *testing.T) {
	w := newWorld(t)
	for name, c := range map[string]struct {
		kind, body string
		status     int
	}{
		"fail/json":      {"application/json", `{"name":"Ana"}`, 422},
		"fail/no type":   {"", "name=Ana", 422},
		"fail/percent":   {"application/x-www-form-urlencoded", "name=%zz", 422},
		"fail/too large": {"application/x-www-form-urlencoded", "text=" + strings.Repeat("x", 70_000), 413},
		"fail/empty":     {"application/x-www-form-urlencoded", "", 422},
	} {
		t.Run(name, func(t *testing.T) {
			r := httptest.NewRequest("POST", "/p/message", strings.NewReader(c.body))
			r.ContentLength = 5 // a claim
			if c.kind != "" {
				r.Header.Set("Content-Type", c.kind)
			}
			rec := httptest.NewRecorder()
			w.front.ServeHTTP(rec, r)
			if rec.Code != c.status || len(w.newest()) != 0 {
				t.Errorf("%d, %d items", rec.Code, len(w.newest()))
			}
			if strings.Contains(rec.Body.String(), "from our email") {
				t.Errorf("nobody came here from an email:\n%s", rec.Body)
			}
		})
	}
}

// TestTestMode: a page says when nothing on it is real, and what it makes is not.
func TestTestMode(t *testing.T) {
	w := newWorld(t, `{"testMode":true}`)
	for _, path := range []string{"/", "/p/book?service=SVC", "/p/message"} {
		w.show(path).has("This is a test. Nothing here is booked or ordered.")
	}
	real := newWorld(t)
	if strings.Contains(real.show("/").text(), "This is a test") {
		t.Error("a real page says it is a test")
	}
	r := httptest.NewRequest("GET", "http://sandbox.studio.example/", nil)
	rec := httptest.NewRecorder()
	real.front.ServeHTTP(rec, r)
	if !strings.Contains(rec.Body.String(), "This is a test") {
		t.Error("the sandbox does not say that it is one")
	}
}

// TestEscaped: what people typed is text on the page and nothing else.
func TestEscaped(t *testing.T) {
	w := newWorld(t)
	nasty := `"><script>alert(1)</script>'`
	s := w.fill(w.show("/p/message"), "name", nasty, "email", "x", "text", "</textarea>"+nasty).is(422)
	for n := range s.nodes() {
		if n.Data == "script" {
			t.Fatal("a script")
		}
	}
	if !strings.Contains(s.body, "&#34;&gt;&lt;script&gt;") {
		t.Errorf("%s", s.body)
	}
}

// brokenShop is a shop that fails.
type brokenShop struct {
	*desk.Desk
	err error
}

func (b brokenShop) Shop(context.Context) (desk.Shop, error) { return desk.Shop{}, b.err }

// TestFrontFaults: our own faults are told without a word of what they are.
func TestFrontFaults(t *testing.T) {
	w := newWorld(t)
	ctx := httptest.NewRequest("GET", "/", nil)
	for name, c := range map[string]struct {
		err    error
		status int
	}{
		"fail/busy":  {inbox.Unavailable(nil), http.StatusServiceUnavailable},
		"fail/fault": {fmt.Errorf("the table burns"), http.StatusInternalServerError},
	} {
		t.Run(name, func(t *testing.T) {
			rec := httptest.NewRecorder()
			pages.Front(quiet, brokenShop{w.desk, c.err}).ServeHTTP(rec, ctx)
			if rec.Code != c.status || strings.Contains(rec.Body.String(), "burns") || (rec.Header().Get("Retry-After") != "") != (c.status == 503) {
				t.Errorf("%d %s", rec.Code, rec.Body)
			}
		})
	}
}

// TestTakenTime: a time that somebody else took while the form was filled in is
// told with what was filled in.
func TestTakenTime(t *testing.T) {
	w := newWorld(t)
	page := w.show("/p/book?service=SVC")
	w.fire(w.asked(), "confirm", "")
	s := w.fill(page, append(ana, "time", thursday.String())...).is(422)
	s.has("Somebody else has taken that time.", "Shorter than last time.")
	if len(w.newest()) != 1 {
		t.Error("it made an item")
	}
}

// TestFormSentAgain: a form that was sent makes one request, also when its time
// was confirmed meanwhile and so is taken by itself (05 §7).
func TestFormSentAgain(t *testing.T) {
	w := newWorld(t)
	form, to := w.fill(w.show("/p/book?service=SVC"), append(ana, "time", thursday.String())...).is(200).form()
	w.do(w.front, "POST", to, form).is(303)
	w.fire(w.newest()[0].Item.ID, "confirm", "")
	w.do(w.front, "POST", to, form).is(303)
	form.Set("text", "Longer.")
	w.do(w.front, "POST", to, form).is(422).has("This form was sent before with other words.")
	form.Set("once", strings.Repeat("A", 26))
	w.do(w.front, "POST", to, form).is(422).has("Somebody else has taken that time.")
	if n := len(w.newest()); n != 1 {
		t.Errorf("%d items", n)
	}
}

// TestFrontPageWithoutHours: without opening hours nothing is offered, so no
// service is to be booked; a price can be asked for all the same (03 §12).
func TestFrontPageWithoutHours(t *testing.T) {
	w := newWorld(t)
	w.must(w.store.SaveSetUp(w.ctx, store.SetUp{Weeks: []store.WeekDoc{{Week: inbox.Week{}, Version: 2}}}))
	s := w.show("/").is(200)
	s.has("Colouring 2 h · price on request", "Send a message")
	if strings.Contains(s.text(), "Haircut") {
		t.Errorf("offers what cannot be booked: %s", s.text())
	}
}

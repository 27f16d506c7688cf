package pages_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	_ "time/tzdata"

	"golang.org/x/net/html"

	"typedinbox/shared/canon"
	"typedinbox/shared/decide"
	"typedinbox/shared/desk"
	"typedinbox/shared/door/pages"
	"typedinbox/shared/identity"
	"typedinbox/shared/inbox"
	"typedinbox/shared/settings"
	"typedinbox/shared/store"
	"typedinbox/shared/table"
	"typedinbox/shared/table/embedded"
)

// monday is 5 October 2026, 09:00 in Lisbon.
const monday = inbox.Instant(1_791_187_200_000)

const haircut = "SVC"

// writes counts transactions, and does something once right before the next.
type writes struct {
	table.Database
	n     atomic.Int64
	first func()
}

func (w *writes) Transact(ctx context.Context, token string, actions []table.Action) error {
	w.n.Add(1)
	if do := w.first; do != nil {
		w.first = nil
		do()
	}
	return w.Database.Transact(ctx, token, actions)
}

// world is a studio with its pages on an embedded table.
type world struct {
	t      testing.TB
	ctx    context.Context
	db     *writes
	store  *store.Store
	desk   *desk.Desk
	links  http.Handler
	front  http.Handler
	log    *bytes.Buffer
	mu     sync.Mutex
	now    inbox.Instant
	source *inbox.Source
	mails  int
	theirs inbox.Call // the customer of what was made last
}

func (w *world) clock() inbox.Instant {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.now
}

func (w *world) advance(ms int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.now = w.now.Add(ms)
}

// safely is a log that may be written from many requests.
type safely struct {
	mu sync.Mutex
	w  io.Writer
}

func (s *safely) Write(b []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.w.Write(b)
}

func newWorld(t testing.TB, changes ...string) *world {
	t.Helper()
	db, err := embedded.Open(embedded.Options{Path: embedded.Memory, Schema: store.Schema()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	ring, err := canon.NewRing("a-secret-for-tests-that-is-long-enough")
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, ctx: context.Background(), db: &writes{Database: db}, now: monday, log: &bytes.Buffer{}}
	w.source = inbox.NewSource(io.Reader(rand.NewChaCha8([32]byte{1})))
	w.store = store.New(w.db, ring, store.WithSource(w.source), store.WithSleep(func(ctx context.Context, _ time.Duration) error { return ctx.Err() }))
	w.desk = desk.New(desk.Config{Store: w.store, Clock: w.clock, Source: w.source})
	site := pages.Site{Callers: identity.New(w.store, w.clock), Log: slog.New(slog.NewTextHandler(&safely{w: w.log}, nil))}
	w.links, w.front = pages.Customer(site, w.desk), pages.Front(site, w.desk)
	w.furnish(changes...)
	return w
}

// furnish opens a studio that sells one haircut at 45 euros and one colouring
// that is priced on request.
func (w *world) furnish(changes ...string) {
	w.t.Helper()
	week := inbox.Week{}
	for _, day := range []string{"mon", "tue", "wed", "thu", "fri"} {
		week[day] = []inbox.Window{{"09:00", "18:00"}}
	}
	set := store.SetUp{
		Profile: &inbox.Profile{Name: "Studio", Timezone: "Europe/Lisbon", Currency: "EUR", Languages: []string{"en", "pt"}, Version: 1},
		Weeks:   []store.WeekDoc{{Week: week, Version: 1}},
		Services: []inbox.Service{
			{
				ID: haircut, Name: "Haircut", DurationMin: 60, Capacity: 1, GranularityMin: 30, Active: true, Version: 1, Withdrawal: inbox.WithdrawalStandard,
				Price: &inbox.ServicePrice{Model: "fixed", Value: inbox.Ptr(int64(4500)), Currency: "EUR", Per: "booking"},
			},
			{ID: "COL", Name: "Colouring", DurationMin: 120, Capacity: 1, GranularityMin: 30, Active: true, Version: 1, Sort: 1, Withdrawal: inbox.WithdrawalStandard,
				Price: &inbox.ServicePrice{Model: "quote"}},
			{ID: "OLD", Name: "Perm", DurationMin: 60, Capacity: 1, GranularityMin: 30, Version: 1, Withdrawal: inbox.WithdrawalStandard},
		},
	}
	for _, change := range changes {
		set.Settings = &store.SettingsDoc{Doc: json.RawMessage(change), Version: 1}
		if settings.Effective(json.RawMessage(change)).Booking.AutoCompleteHours == 0 {
			w.t.Fatalf("no settings: %s", change)
		}
	}
	w.must(w.store.SaveSetUp(w.ctx, set))
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

var (
	owner = inbox.Call{Caller: inbox.Caller{Actor: inbox.Actor{Kind: inbox.Owner, ID: "user-1", Channel: inbox.ChannelREST}, UserID: "user-1", Proven: true, Scopes: []inbox.Scope{inbox.ScopeAll}}}
	agent = inbox.Call{Caller: inbox.Caller{Actor: inbox.Actor{Kind: inbox.CustomerAgent, ID: "anon:1", Channel: inbox.ChannelREST}, Tier: inbox.TierAnonymous}}
)

// made reads the id of what a create made.
func (w *world) made(a inbox.Answer, err error) string {
	w.t.Helper()
	w.must(err)
	var c inbox.Created
	w.must(json.Unmarshal(a.Body, &c))
	w.theirs = agent
	w.theirs.AccessToken = c.AccessToken
	return c.View.Item.ID
}

// asked is Ana's request for a haircut on Thursday at 10:00 in Lisbon.
func (w *world) asked() string { return w.askedAt(thursday, "en") }

const thursday = monday + 3*inbox.Instant(inbox.Day) + inbox.Instant(inbox.Hour)

func (w *world) askedAt(start inbox.Instant, locale string) string {
	w.t.Helper()
	req := inbox.CreateBookingRequest{
		Payload: inbox.Booking{ReservationFor: inbox.ReservationFor{ServiceID: haircut, Name: "Haircut"}, StartTime: start, EndTime: start.Add(inbox.Hour)},
		Contact: &inbox.Contact{Name: "Ana", Email: "ana@example.com", Locale: locale},
	}
	_, err := w.desk.CreateBooking(w.ctx, agent, req)
	if p, ok := err.(*inbox.Problem); ok && p.Code == inbox.CodeConfirmTerms {
		req.TermsSHA = p.Details["terms_sha"].(string)
	}
	return w.made(w.desk.CreateBooking(w.ctx, agent, req))
}

// ordered is Ana's order of two chains.
func (w *world) ordered() string {
	w.t.Helper()
	w.must(w.store.SaveSetUp(w.ctx, store.SetUp{Products: []store.ProductWrite{{Product: inbox.Product{
		ID: "P1", Name: "Chain", Price: inbox.Money{Value: 1850, Currency: "EUR"}, Active: true, Withdrawal: inbox.WithdrawalStandard, Version: 1,
	}}}}))
	req := inbox.CreateOrderRequest{
		Payload: inbox.Order{OrderedItem: []inbox.OrderLine{{ProductID: "P1", Name: "Chain", Quantity: 2, Price: inbox.Money{Value: 1850, Currency: "EUR"}}}, TotalPrice: inbox.Money{Value: 3700, Currency: "EUR"}},
		Contact: &inbox.Contact{Name: "Ana", Email: "ana@example.com"},
	}
	_, err := w.desk.CreateOrder(w.ctx, agent, req)
	if p, ok := err.(*inbox.Problem); ok && p.Code == inbox.CodeConfirmTerms {
		req.TermsSHA = p.Details["terms_sha"].(string)
	}
	return w.made(w.desk.CreateOrder(w.ctx, agent, req))
}

// fire is an event of the owner's.
func (w *world) fire(id, event, input string) {
	w.t.Helper()
	r := inbox.TransitionRequest{ItemID: id, Event: event}
	if input != "" {
		r.Input = json.RawMessage(input)
	}
	_, err := w.desk.TransitionItem(w.ctx, owner, r)
	w.must(err)
}

// proposed proposes the same hour a day later.
func (w *world) proposed() string {
	w.t.Helper()
	id := w.asked()
	w.propose(id, thursday.Add(inbox.Day))
	return id
}

func (w *world) propose(id string, start inbox.Instant) {
	w.t.Helper()
	w.fire(id, "propose", fmt.Sprintf(`{"startTime":%q,"endTime":%q,"note":"We are full on Thursday <b>."}`, start, start.Add(inbox.Hour)))
}

func (w *world) item(id string) inbox.Record {
	w.t.Helper()
	r, err := w.store.Item(w.ctx, id)
	w.must(err)
	return *r
}

func (w *world) offers(id string) []inbox.Offer {
	w.t.Helper()
	o, err := w.store.Offers(w.ctx, id)
	w.must(err)
	return o
}

// facts are enough of an item to make a link of it.
func (w *world) facts(id string) decide.Facts {
	w.t.Helper()
	l, err := w.store.Load(w.ctx, store.Want{ItemID: id, Settings: true, Profile: true})
	w.must(err)
	f := decide.Facts{Record: l.Record, Settings: settings.Effective(l.SettingsRaw)}
	f.Business = decide.BusinessOf(l.Profile, f.Settings)
	for _, o := range w.offers(id) {
		if p := l.Record.Item.Payload.Offer(); p != nil && p.Rev == o.Rev {
			f.Offer = &o
		}
	}
	return f
}

// mail makes the links that a mail about the item as it stands would have, and
// answers their tokens.
func (w *world) mail(id string, actions ...inbox.LinkAction) map[inbox.LinkAction]string {
	w.t.Helper()
	w.mails++
	f, ring, tokens := w.facts(id), w.ring(), map[inbox.LinkAction]string{}
	for _, a := range actions {
		sha, allowed := decide.LinkTerms(f, a)
		if !allowed {
			w.t.Fatalf("%s is not allowed", a)
		}
		l := inbox.Link{ItemID: id, Action: a, TermsSHA: sha, Until: decide.LinkUntil(f, a, w.clock()), Lang: string(decide.CustomerLang(f)), MailKey: fmt.Sprint("mail-", w.mails), CreatedAt: w.clock()}
		l.ExpiresAt = l.Until.Add(inbox.LinkGrace)
		l.JTI, l.KID = ring.NewLinkID(l.MailKey, string(a))
		w.must(w.store.Commit(w.ctx, decide.Write{Link: &l}))
		tokens[a] = w.store.LinkToken(&l)
	}
	return tokens
}

func (w *world) ring() canon.Ring {
	ring, err := canon.NewRing("a-secret-for-tests-that-is-long-enough")
	w.must(err)
	return ring
}

// shown is a page as a reader gets it.
type shown struct {
	t      testing.TB
	status int
	header http.Header
	body   string
}

func (w *world) do(h http.Handler, method, path string, form url.Values) shown {
	w.t.Helper()
	var body io.Reader
	if form != nil {
		body = strings.NewReader(form.Encode())
	}
	r := httptest.NewRequest(method, path, body)
	r.Header.Set("Accept-Language", "en")
	r.Header.Set("User-Agent", "test")
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	rec := httptest.NewRecorder()
	h.ServeHTTP(rec, r)
	return shown{w.t, rec.Code, rec.Header(), rec.Body.String()}
}

func (w *world) get(token string) shown { w.t.Helper(); return w.do(w.links, "GET", "/c/"+token, nil) }

// press sends the form of the page of a token, with fields on top.
func (w *world) press(token string, fields ...string) shown {
	w.t.Helper()
	page := w.get(token)
	form, to := page.form()
	for i := 0; i < len(fields); i += 2 {
		form.Set(fields[i], fields[i+1])
	}
	return w.do(w.links, "POST", to, form)
}

// form are the hidden fields of the page's form, and where it goes.
func (s shown) form() (url.Values, string) {
	s.t.Helper()
	form, to := url.Values{}, ""
	for n := range s.nodes() {
		switch n.Data {
		case "form":
			to = attribute(n, "action")
		case "input":
			if attribute(n, "type") == "hidden" {
				form.Set(attribute(n, "name"), attribute(n, "value"))
			}
		}
	}
	if to == "" {
		s.t.Fatalf("no form on the page: %s", s.body)
	}
	return form, to
}

func (s shown) has(all ...string) {
	s.t.Helper()
	for _, part := range all {
		if !strings.Contains(s.text(), part) {
			s.t.Errorf("no %q on the page:\n%s", part, s.text())
		}
	}
}

func (s shown) is(status int) shown {
	s.t.Helper()
	if s.status != status {
		s.t.Errorf("status %d, want %d: %s", s.status, status, s.text())
	}
	return s
}

// buttons are the texts of the page's buttons.
func (s shown) buttons() []string {
	var all []string
	for n := range s.nodes() {
		if n.Data == "button" {
			all = append(all, textOf(n))
		}
	}
	return all
}

// times are the values of the page's radio buttons.
func (s shown) times() []string {
	var all []string
	for n := range s.nodes() {
		if n.Data == "input" && attribute(n, "type") == "radio" {
			all = append(all, attribute(n, "value"))
		}
	}
	return all
}

func (s shown) nodes() func(func(*html.Node) bool) {
	s.t.Helper()
	doc, err := html.Parse(strings.NewReader(s.body))
	if err != nil {
		s.t.Fatal(err)
	}
	return func(yield func(*html.Node) bool) {
		for n := range doc.Descendants() {
			if n.Type == html.ElementNode && !yield(n) {
				return
			}
		}
	}
}

var space = regexp.MustCompile(`[ \n]+`)

// text is what a reader reads of the page's body.
func (s shown) text() string {
	for n := range s.nodes() {
		if n.Data == "body" {
			return textOf(n)
		}
	}
	return ""
}

func textOf(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data + " ")
		}
	}
	return strings.TrimSpace(space.ReplaceAllString(b.String(), " "))
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func (w *world) serve(r *http.Request) shown {
	rec := httptest.NewRecorder()
	w.links.ServeHTTP(rec, r)
	return shown{w.t, rec.Code, rec.Header(), rec.Body.String()}
}

func storeList() store.ListQuery { return store.ListQuery{Limit: 1} }

// onRequest makes the haircut's price one on request.
func onRequest() store.SetUp {
	return store.SetUp{Services: []inbox.Service{{
		ID: haircut, Name: "Haircut", DurationMin: 60, Capacity: 1, GranularityMin: 30, Active: true, Version: 2, Withdrawal: inbox.WithdrawalStandard,
		Price: &inbox.ServicePrice{Model: "quote"},
	}}}
}

// quiet is a site that writes no log.
var quiet = pages.Site{Log: slog.New(slog.DiscardHandler)}

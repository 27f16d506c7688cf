package desk_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"typedinbox/shared/canon"
	"typedinbox/shared/desk"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
	"typedinbox/shared/table"
	"typedinbox/shared/table/embedded"
)

const (
	now       = inbox.Instant(1_788_000_000_000)
	serviceID = "SVC"
)

// world is a desk on an embedded table whose storage calls are counted.
type world struct {
	t     *testing.T
	ctx   context.Context
	db    *store.Meter
	store *store.Store
	*desk.Desk
}

func newWorld(t *testing.T) *world {
	t.Helper()
	return newWorldOn(t, func(db table.Database) table.Database { return db })
}

// newWorldOn is newWorld on a table behind another.
func newWorldOn(t *testing.T, behind func(table.Database) table.Database) *world {
	t.Helper()
	db, err := embedded.Open(embedded.Options{Path: embedded.Memory, Schema: store.Schema()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	ring, err := canon.NewRing("a-secret-for-tests-that-is-long-enough")
	if err != nil {
		t.Fatal(err)
	}
	source := inbox.NewSource(io.Reader(rand.NewChaCha8([32]byte{1})))
	w := &world{t: t, ctx: context.Background(), db: store.NewMeter(behind(db))}
	w.store = store.New(w.db, ring, store.WithSource(source), store.WithSleep(func(ctx context.Context, _ time.Duration) error { return ctx.Err() }))
	w.Desk = desk.New(desk.Config{Store: w.store, Clock: func() inbox.Instant { return now }, Source: source})
	w.furnish()
	return w
}

// furnish sets up one service and 250 products.
func (w *world) furnish() {
	w.t.Helper()
	setUp := store.SetUp{
		Profile: &inbox.Profile{Name: "Studio", Timezone: "Europe/Lisbon", Currency: "EUR", Version: 1},
		Services: []inbox.Service{{
			ID: serviceID, Name: "Haircut", DurationMin: 60, Capacity: 1, GranularityMin: 15, Active: true, Version: 1,
			Withdrawal: inbox.WithdrawalStandard,
		}},
	}
	w.must(w.store.SaveSetUp(w.ctx, setUp))
	for batch := range 10 {
		var products store.SetUp
		for i := range 25 {
			n := batch*25 + i
			products.Products = append(products.Products, store.ProductWrite{Product: inbox.Product{
				ID: fmt.Sprintf("P%03d", n), SKU: fmt.Sprintf("S-%03d", n), Name: fmt.Sprintf("Thing %d", n),
				Price: inbox.Money{Value: int64(n + 1), Currency: "EUR"}, Active: true, Withdrawal: inbox.WithdrawalStandard, Version: 1,
			}})
		}
		w.must(w.store.SaveSetUp(w.ctx, products))
	}
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

var (
	agent = inbox.Caller{Actor: inbox.Actor{Kind: inbox.CustomerAgent, ID: "anon:1", Channel: inbox.ChannelREST}, Tier: inbox.TierAnonymous}
	owner = inbox.Caller{
		Actor: inbox.Actor{Kind: inbox.Owner, ID: "user-1", Channel: inbox.ChannelREST}, Proven: true, Scopes: []inbox.Scope{inbox.ScopeAll},
	}
)

// order is a request for so many products, named by id or by sku.
func order(lines int, bySKU bool) inbox.CreateOrderRequest {
	req := inbox.CreateOrderRequest{Payload: inbox.Order{TotalPrice: inbox.Money{Value: 1, Currency: "EUR"}}}
	for n := range lines {
		l := inbox.OrderLine{Name: "x", Quantity: 2, Price: inbox.Money{Value: 1, Currency: "EUR"}}
		if bySKU {
			l.SKU = fmt.Sprintf("S-%03d", n)
		} else {
			l.ProductID = fmt.Sprintf("P%03d", n)
		}
		req.Payload.OrderedItem = append(req.Payload.OrderedItem, l)
	}
	return req
}

// asked sends an order as a customer whose terms have to be confirmed, and
// answers the question.
func (w *world) asked(call inbox.Call, req inbox.CreateOrderRequest) *inbox.Problem {
	w.t.Helper()
	_, err := w.CreateOrder(w.ctx, call, req)
	p, ok := err.(*inbox.Problem)
	if !ok || p.Code != inbox.CodeConfirmTerms {
		w.t.Fatalf("%v", err)
	}
	return p
}

// TestCreateOrderCalls: what a create reads and writes (08 §7): one read by the
// keys the request names, one more for products named by sku, one write; one
// read more for each hundred keys.
func TestCreateOrderCalls(t *testing.T) {
	w := newWorld(t)
	for name, c := range map[string]struct {
		lines int
		bySKU bool
		calls int
	}{
		"ok/one line":           {1, false, 2},
		"ok/by sku":             {1, true, 3},
		"ok/fifty":              {50, false, 2},
		"ok/fifty by sku":       {50, true, 3},
		"ok/two hundred":        {200, false, 4},
		"ok/two hundred by sku": {200, true, 6},
	} {
		req := order(c.lines, c.bySKU)
		call := inbox.Call{Caller: agent, IdempotencyKey: name}
		p := w.asked(call, req)
		req.TermsSHA = p.Details["terms_sha"].(string)
		w.db.Reset()
		a, err := w.CreateOrder(w.ctx, call, req)
		w.must(err)
		if got := w.db.Calls(); got != c.calls {
			t.Errorf("%s: %d storage calls, want %d", name, got, c.calls)
		}
		var made inbox.Created
		w.must(json.Unmarshal(a.Body, &made))
		rec, err := w.store.Item(w.ctx, made.View.Item.ID)
		w.must(err)
		o := rec.Item.Payload.Order
		want := int64(c.lines * (c.lines + 1)) // Σ 2 × n
		if o == nil || o.TotalPrice.Value != want || o.OrderedItem[c.lines-1].ProductID != fmt.Sprintf("P%03d", c.lines-1) {
			t.Errorf("%s: %+v", name, o)
		}
		events, err := w.store.Events(w.ctx, rec.Item.ID)
		w.must(err)
		if basis := events[0].Meta.Basis; basis["product:P000"] != 1 || len(basis) != c.lines+2 {
			t.Errorf("%s: decided on %v", name, basis)
		}
	}
}

// TestConfirmStepWritesNothing: the question leaves nothing behind, the key is
// free, and the answer to the yes is replayed with and without it (02 §5).
func TestConfirmStepWritesNothing(t *testing.T) {
	w := newWorld(t)
	call, req := inbox.Call{Caller: agent, IdempotencyKey: "once"}, order(2, false)
	w.db.Reset()
	p := w.asked(call, req)
	if w.db.Calls() != 1 {
		t.Errorf("%d storage calls to ask", w.db.Calls())
	}
	stored, err := w.store.Answered(w.ctx, call.IdempotencyScope(), "once", now)
	w.must(err)
	items, _, err := w.store.ListItems(w.ctx, store.ListQuery{Limit: 10})
	w.must(err)
	if stored != nil || len(items) != 0 {
		t.Errorf("%+v, %d items", stored, len(items))
	}
	yes := req
	yes.TermsSHA = p.Details["terms_sha"].(string)
	a, err := w.CreateOrder(w.ctx, call, yes)
	w.must(err)
	for name, again := range map[string]inbox.CreateOrderRequest{"ok/with the yes": yes, "ok/without": req} {
		b, err := w.CreateOrder(w.ctx, call, again)
		w.must(err)
		if b.Status != 200 || string(inbox.MarkReplayed(a.Body)) != string(b.Body) {
			t.Errorf("%s: %d %s", name, b.Status, b.Body)
		}
	}
}

// quoted is a request for a haircut with a quote for a time of so many hours
// from now, and the caller whose it is.
func (w *world) quoted(hours int64) (id string, customer inbox.Call) {
	w.t.Helper()
	at := now.Add(hours * inbox.Hour)
	a, err := w.RequestQuote(w.ctx, inbox.Call{Caller: agent}, inbox.RequestQuoteRequest{Payload: inbox.QuoteRequest{
		ItemOffered: inbox.ItemOffered{Name: "a cut", ServiceID: serviceID}, Description: "Short.", RequestedFor: &at,
	}})
	w.must(err)
	var made inbox.Created
	w.must(json.Unmarshal(a.Body, &made))
	id = made.View.Item.ID
	_, err = w.TransitionItem(w.ctx, inbox.Call{Caller: owner}, inbox.TransitionRequest{
		ItemID: id, Event: "quote", Input: json.RawMessage(`{"totalPrice":{"value":4200,"currency":"EUR"},"creates":"booking"}`),
	})
	w.must(err)
	customer = inbox.Call{Caller: agent}
	customer.AccessToken = made.AccessToken
	return id, customer
}

// accept says yes to an open offer with the terms it is asked about.
func (w *world) accept(id string, call inbox.Call) (inbox.Answer, error) {
	w.t.Helper()
	_, err := w.AcceptOffer(w.ctx, call, inbox.AcceptOfferRequest{ItemID: id})
	p, ok := err.(*inbox.Problem)
	if !ok || p.Code != inbox.CodeConfirmTerms {
		w.t.Fatalf("%v", err)
	}
	w.db.Reset()
	return w.AcceptOffer(w.ctx, call, inbox.AcceptOfferRequest{ItemID: id, TermsSHA: p.Details["terms_sha"].(string)})
}

// TestQuoteBecomesBooking: both stand or neither does, at the price of an
// ordinary transition; the second to want the hour is told it is taken.
func TestQuoteBecomesBooking(t *testing.T) {
	w := newWorld(t)
	first, one := w.quoted(30)
	second, other := w.quoted(30)
	a, err := w.accept(first, one)
	w.must(err)
	if w.db.Calls() > 4 {
		t.Errorf("%d storage calls", w.db.Calls())
	}
	var result inbox.CustomerResult
	w.must(json.Unmarshal(a.Body, &result))
	if result.Linked == nil || result.Linked.Item.State != inbox.StateConfirmed {
		t.Fatalf("%s", a.Body)
	}
	if _, err := w.GetItemStatus(w.ctx, one, inbox.ItemStatusQuery{ItemID: result.Linked.Item.ID}); err != nil {
		t.Errorf("the token does not open the booking: %v", err)
	}
	before, err := w.store.Item(w.ctx, second)
	w.must(err)
	_, err = w.accept(second, other)
	if p, ok := err.(*inbox.Problem); !ok || p.Code != inbox.CodeSlotTaken {
		t.Errorf("%v", err)
	}
	after, err := w.store.Item(w.ctx, second)
	w.must(err)
	items, _, err := w.store.ListItems(w.ctx, store.ListQuery{Limit: 10})
	w.must(err)
	if after.Rev != before.Rev || after.Item.LinkedItemID != nil || len(items) != 3 {
		t.Errorf("%+v, %d items", after.Item, len(items))
	}
	findings, err := w.store.Check(w.ctx)
	w.must(err)
	if len(findings) > 0 {
		t.Errorf("%v", findings)
	}
	// What it became can be cancelled like any booking, and frees its hour.
	_, err = w.CancelItem(w.ctx, one, inbox.CancelItemRequest{ItemID: result.Linked.Item.ID})
	w.must(err)
	_, err = w.accept(second, other)
	w.must(err)
}

// TestCheckOfLinks: a quote and what it became that do not name each other are
// found (00 §4).
func TestCheckOfLinks(t *testing.T) {
	w := newWorld(t)
	quote, customer := w.quoted(30)
	a, err := w.accept(quote, customer)
	w.must(err)
	var result inbox.CustomerResult
	w.must(json.Unmarshal(a.Body, &result))
	booking := result.Linked.Item.ID
	for name, c := range map[string]struct{ item, linked, want string }{
		"fail/the quote forgot":   {quote, booking, "item " + quote + ": it was accepted and became nothing"},
		"fail/the booking forgot": {booking, quote, "item " + quote + ": item " + booking + " is not linked back to it"},
	} {
		k := table.Key{Table: "inbox", Partition: "i#" + c.item, Sort: "i"}
		whole, err := w.db.Get(w.ctx, k)
		w.must(err)
		damaged := table.Row{}
		for attribute, value := range whole {
			damaged[attribute] = value
		}
		damaged["d"] = strings.Replace(whole.String("d"), `"k":"`+c.linked+`",`, "", 1)
		if damaged.String("d") == whole.String("d") {
			t.Fatalf("%s: nothing to damage in %s", name, whole.String("d"))
		}
		put := func(r table.Row) {
			w.must(w.db.Transact(w.ctx, "", []table.Action{{Kind: table.Put, Key: k, Row: r}}))
		}
		put(damaged)
		findings, err := w.store.Check(w.ctx)
		w.must(err)
		if !strings.Contains(strings.Join(findings, "\n"), c.want) {
			t.Errorf("%s: %q", name, findings)
		}
		put(whole)
	}
	if findings, err := w.store.Check(w.ctx); err != nil || len(findings) > 0 {
		t.Errorf("%v %q", err, findings)
	}
}

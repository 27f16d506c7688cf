package work_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"typedinbox/shared/canon"
	"typedinbox/shared/decide"
	"typedinbox/shared/desk"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
	"typedinbox/shared/table"
	"typedinbox/shared/table/dynamo"
	"typedinbox/shared/table/embedded"
	"typedinbox/shared/table/tabletest/awslocal"
	"typedinbox/shared/work"
)

// monday is 08:00 UTC on 5 October 2026, 09:00 in Lisbon.
var monday = at("2026-10-05T08:00:00Z")

func at(s string) inbox.Instant {
	i, err := inbox.ParseInstant(s)
	if err != nil {
		panic(err)
	}
	return i
}

const (
	serviceID  = "01K5ZZZZZZZZZZZZZZZZZZZZSV"
	domain     = "studio.example"
	ownerEmail = "maria@owner.example"
	anaEmail   = "ana@example.com"
)

// world is an inbox with a mail service and a clock that stands still.
type world struct {
	t      testing.TB
	ctx    context.Context
	clock  atomic.Int64
	db     table.Database
	store  *store.Store
	desk   *desk.Desk
	post   *post
	log    *logged
	config work.Config
	*work.Worker
}

// logged keeps the metrics that were counted.
type logged struct {
	mu      sync.Mutex
	metrics map[string]int64
	lines   []string
}

func (*logged) Enabled(context.Context, slog.Level) bool { return true }

func (l *logged) Handle(_ context.Context, r slog.Record) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	line := r.Message
	r.Attrs(func(a slog.Attr) bool {
		line += " " + a.String()
		if a.Key == work.MetricGroup {
			for _, m := range a.Value.Group() {
				l.metrics[m.Key] += m.Value.Int64()
			}
		}
		return true
	})
	l.lines = append(l.lines, line)
	return nil
}
func (l *logged) WithAttrs([]slog.Attr) slog.Handler { return l }
func (l *logged) WithGroup(string) slog.Handler      { return l }

func (l *logged) metric(name string) int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.metrics[name]
}

type seeded struct{ r *rand.Rand }

func (s seeded) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(s.r.Uint32())
	}
	return len(p), nil
}

func source(seed uint64) *inbox.Source {
	return inbox.NewSource(seeded{rand.New(rand.NewPCG(seed, 1))})
}

func noSleep(ctx context.Context, _ time.Duration) error { return ctx.Err() }

// newWorld sets up a studio with one service, open around the clock.
func newWorld(t testing.TB, db table.Database) *world {
	t.Helper()
	ring, err := canon.NewRing("a-secret-for-tests-that-is-long-enough")
	if err != nil {
		t.Fatal(err)
	}
	w := &world{t: t, ctx: context.Background(), db: db, post: &post{}, log: &logged{metrics: map[string]int64{}}}
	w.clock.Store(int64(monday))
	w.store = store.New(db, ring, store.WithSource(source(3)), store.WithSleep(noSleep))
	ids := source(4)
	w.desk = desk.New(desk.Config{Store: w.store, Clock: w.now, Source: ids})
	w.config = work.Config{
		Store: w.store, Desk: w.desk, Sender: w.post, Clock: w.now, Source: ids, Ring: ring,
		MailDomain: domain, OwnerEmail: ownerEmail, WireDomain: "mail.invalid", Log: slog.New(w.log),
	}
	w.Worker = work.New(w.config)
	w.setUp()
	return w
}

// embed is a world on the embedded table, with faults or nil.
func embed(t testing.TB, f *embedded.Faults) *world { return newWorld(t, open(t, f)) }

func open(t testing.TB, f *embedded.Faults) table.Database {
	t.Helper()
	db, err := embedded.Open(embedded.Options{Path: embedded.Memory, Schema: store.Schema(), Faults: f})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if f != nil {
			f.Off()
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

var tables atomic.Int64

// kumo is the DynamoDB driver on the local stand-in, on tables of its own.
func kumo(t testing.TB) table.Database {
	t.Helper()
	if testing.Short() {
		t.Skip("not with -short")
	}
	client := dynamo.Client(awslocal.Env(awslocal.Start(t)))
	n := tables.Add(1)
	names := map[string]string{"inbox": fmt.Sprintf("work-%d", n), "events": fmt.Sprintf("work-events-%d", n)}
	if err := dynamo.CreateTables(context.Background(), client, names, store.Schema()); err != nil {
		t.Fatal(err)
	}
	return dynamo.New(client, names, store.Schema())
}

func (w *world) now() inbox.Instant { return inbox.Instant(w.clock.Load()) }

// wait moves the clock by milliseconds.
func (w *world) wait(ms int64) { w.clock.Add(ms) }

// again is another process on the same table: its memory is empty.
func (w *world) again() { w.Worker = work.New(w.config) }

// with changes the worker's configuration.
func (w *world) with(change func(*work.Config)) *world {
	change(&w.config)
	w.again()
	return w
}

func (w *world) setUp() {
	w.t.Helper()
	day := []inbox.Window{{"00:00", "24:00"}}
	week := inbox.Week{}
	for _, d := range inbox.Weekdays {
		week[d] = day
	}
	w.must(w.patient(func() error {
		return w.store.SaveSetUp(w.ctx, store.SetUp{
			Profile: &inbox.Profile{Name: "Studio Lumen", Timezone: "Europe/Lisbon", Currency: "EUR", Version: 1},
			Weeks:   []store.WeekDoc{{Week: week, Version: 1}},
			Services: []inbox.Service{{
				ID: serviceID, Name: "Portrait", DurationMin: 60, Capacity: 100, GranularityMin: 15, Active: true, Version: 1,
				Price: &inbox.ServicePrice{Model: "fixed", Value: inbox.Ptr(int64(4500)), Currency: "EUR", Per: "booking"},
			}},
		})
	}))
}

// settings stores the owner's document.
func (w *world) settings(doc string) {
	w.t.Helper()
	l, err := w.store.Load(w.ctx, store.Want{Settings: true})
	w.must(err)
	w.must(w.patient(func() error {
		return w.store.SaveSetUp(w.ctx, store.SetUp{Settings: &store.SettingsDoc{Doc: json.RawMessage(doc), Version: l.SettingsVersion + 1}})
	}))
}

// patient repeats what a busy table refused.
func (w *world) patient(f func() error) error {
	for {
		err := f()
		var p *inbox.Problem
		if l, ok := store.AsLost(err); ok && l.Busy && !l.Version {
			continue
		}
		if errors.As(err, &p) && p.Code == inbox.CodeUnavailable {
			continue
		}
		return err
	}
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// Callers.
var (
	agent     = inbox.Caller{Actor: inbox.Actor{Kind: inbox.CustomerAgent, ID: "anon:1", Channel: inbox.ChannelREST}, Tier: inbox.TierAnonymous}
	owner     = inbox.Caller{Actor: inbox.Actor{Kind: inbox.Owner, ID: "user-1", Channel: inbox.ChannelOwnerUI}, Proven: true, Scopes: []inbox.Scope{inbox.ScopeAll}}
	assistant = inbox.Caller{Actor: inbox.Actor{Kind: inbox.OwnerAI, ID: "ai-1", Channel: inbox.ChannelMCPOwner}, Scopes: []inbox.Scope{inbox.ScopeInboxWrite}}
	key       = inbox.Caller{Actor: inbox.Actor{Kind: inbox.Integration, ID: "key-1", Channel: inbox.ChannelREST}, Scopes: []inbox.Scope{inbox.ScopeInboxWrite}}
)

// opened is an item and the token that opens it.
type opened struct {
	id     string
	caller inbox.Caller
}

// asked is a booking request of Ana's for a time from now.
func (w *world) asked(change ...func(*inbox.CreateBookingRequest)) opened {
	w.t.Helper()
	start := (w.now()/inbox.Hour + 72) * inbox.Hour
	req := inbox.CreateBookingRequest{
		Payload: inbox.Booking{
			ReservationFor: inbox.ReservationFor{ServiceID: serviceID, Name: "Portrait session"},
			StartTime:      start, EndTime: start.Add(inbox.Hour),
		},
		Contact: &inbox.Contact{Name: "Ana", Email: anaEmail},
	}
	for _, f := range change {
		f(&req)
	}
	return w.created(func(c inbox.Call) (inbox.Answer, error) { return w.book(c, req) })
}

// book asks for a booking and, when its terms have to be confirmed, again with
// the customer's yes.
func (w *world) book(c inbox.Call, req inbox.CreateBookingRequest) (inbox.Answer, error) {
	a, err := w.desk.CreateBooking(w.ctx, c, req)
	if p, ok := err.(*inbox.Problem); ok && p.Code == inbox.CodeConfirmTerms {
		req.TermsSHA, _ = p.Details["terms_sha"].(string)
		return w.desk.CreateBooking(w.ctx, c, req)
	}
	return a, err
}

func email(address string) func(*inbox.CreateBookingRequest) {
	return func(r *inbox.CreateBookingRequest) { r.Contact = &inbox.Contact{Name: "Ana", Email: address} }
}

// wrote is a message of Ana's.
func (w *world) wrote(text string) opened {
	w.t.Helper()
	return w.created(func(c inbox.Call) (inbox.Answer, error) {
		return w.desk.SendMessage(w.ctx, c, inbox.SendMessageRequest{
			Body: text, Subject: "Opening hours", Contact: &inbox.Contact{Name: "Ana", Email: anaEmail},
		})
	})
}

var sandbox atomic.Bool

func (w *world) created(create func(inbox.Call) (inbox.Answer, error)) opened {
	w.t.Helper()
	call := inbox.Call{Caller: agent}
	call.Sandbox = sandbox.Load()
	var a inbox.Answer
	w.must(w.patient(func() (err error) { a, err = create(call); return err }))
	var body inbox.Created
	w.must(json.Unmarshal(a.Body, &body))
	o := opened{body.View.Item.ID, agent}
	o.caller.AccessToken = body.AccessToken
	return o
}

// fire fires an event of the business's.
func (w *world) fire(c inbox.Caller, o opened, event, note string) {
	w.t.Helper()
	req := inbox.TransitionRequest{ItemID: o.id, Event: event}
	if note != "" {
		req.Input = json.RawMessage(fmt.Sprintf(`{"note":%q}`, note))
	}
	w.must(w.patient(func() error { _, err := w.desk.TransitionItem(w.ctx, inbox.Call{Caller: c}, req); return err }))
}

func (w *world) reply(c inbox.Caller, o opened, req inbox.ReplyRequest) {
	w.t.Helper()
	req.ItemID = o.id
	w.must(w.patient(func() error { _, err := w.desk.Reply(w.ctx, inbox.Call{Caller: c}, req); return err }))
}

func (w *world) cancels(o opened, reason string) {
	w.t.Helper()
	req := inbox.CancelItemRequest{ItemID: o.id, Reason: reason}
	w.must(w.patient(func() error { _, err := w.desk.CancelItem(w.ctx, inbox.Call{Caller: o.caller}, req); return err }))
}

func (w *world) says(o opened, text string) {
	w.t.Helper()
	req := inbox.SendMessageRequest{ItemID: o.id, Body: text}
	w.must(w.patient(func() error { _, err := w.desk.SendMessage(w.ctx, inbox.Call{Caller: o.caller}, req); return err }))
}

// sweep runs until nothing is due.
func (w *world) sweep() work.Ran {
	w.t.Helper()
	var all work.Ran
	for range 50 {
		ran, err := w.Sweep(w.ctx)
		w.must(err)
		all = all.Add(ran)
		if !ran.Done() && ran.Failed == 0 {
			return all
		}
	}
	w.t.Fatalf("the sweep does not come to rest: %+v", all)
	return all
}

// quiet drops what was sent so far.
func (w *world) quiet() {
	w.post.mu.Lock()
	defer w.post.mu.Unlock()
	w.post.mails = nil
}

// to lists the templates of the mails sent to an address.
func (w *world) to(address string) []string {
	list := []string{}
	for _, m := range w.post.all() {
		if m.To == address {
			list = append(list, m.Template)
		}
	}
	return list
}

// last is the newest mail to an address.
func (w *world) last(address string) sent {
	w.t.Helper()
	all := w.post.all()
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].To == address {
			return all[i]
		}
	}
	w.t.Fatalf("no mail to %s", address)
	return sent{}
}

func (w *world) record(id string) *inbox.Record {
	w.t.Helper()
	r, err := w.store.Item(w.ctx, id)
	w.must(err)
	if r == nil {
		w.t.Fatalf("no item %s", id)
	}
	return r
}

// mails is an item's log.
func (w *world) mails(id string) []inbox.Mail {
	w.t.Helper()
	m, err := w.store.Mails(w.ctx, id)
	w.must(err)
	return m
}

// mailed is the log's row of a template.
func (w *world) mailed(id, template string) inbox.Mail {
	w.t.Helper()
	var found []inbox.Mail
	for _, m := range w.mails(id) {
		if m.Template == template {
			found = append(found, m)
		}
	}
	if len(found) != 1 {
		w.t.Fatalf("%d mails %s of item %s: %+v", len(found), template, id, w.mails(id))
	}
	return found[0]
}

func (w *world) jobs(id string) []inbox.Job {
	w.t.Helper()
	j, err := w.store.Jobs(w.ctx, id)
	w.must(err)
	return j
}

// clean holds the table to its own rules.
func (w *world) clean() {
	w.t.Helper()
	findings, err := w.store.Check(w.ctx)
	w.must(err)
	for _, f := range findings {
		w.t.Error("check: " + f)
	}
}

// listFailed is the owner's list of items with mail that failed.
var listFailed = store.ListQuery{MailFailed: inbox.Ptr(true), Limit: 10}

// party rewrites an item's party in the table: no operation changes one yet.
func (w *world) party(o opened, change func(*inbox.Party)) {
	w.t.Helper()
	k := table.Key{Table: "inbox", Partition: "p#" + w.record(o.id).Item.PartyID, Sort: "p"}
	row, err := w.db.Get(w.ctx, k)
	w.must(err)
	var p inbox.Party
	w.must(json.Unmarshal([]byte(row.String("d")), &p))
	change(&p)
	raw, err := json.Marshal(p)
	w.must(err)
	row["d"] = string(raw)
	w.must(w.db.Transact(w.ctx, "", []table.Action{{Kind: table.Put, Key: k, Row: row}}))
}

func jobWrite(j inbox.Job) decide.Write { return decide.Write{Jobs: []inbox.Job{j}} }

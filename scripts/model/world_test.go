package model

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"typedinbox/shared/canon"
	"typedinbox/shared/desk"
	"typedinbox/shared/door/rest"
	"typedinbox/shared/identity"
	"typedinbox/shared/inbox"
	"typedinbox/shared/mail"
	"typedinbox/shared/office"
	"typedinbox/shared/operation"
	"typedinbox/shared/store"
	"typedinbox/shared/table"
	"typedinbox/shared/table/embedded"
	"typedinbox/shared/work"
)

const mailDomain = "studio.example"

// faultRates are the troubles of a run; with them indexes lag.
var faultRates = map[embedded.Fault]float64{
	embedded.Conflict: .02, embedded.Throttle: .02, embedded.ThrottleAction: .02, embedded.LoseAnswer: .02,
	embedded.CutPage: .1, embedded.LeaveUnprocessed: .05, embedded.DuplicateHook: .1, embedded.ReorderHook: .1,
}

// seeded makes a run's randomness: ids, tokens, salts.
type seeded struct{ *rand.Rand }

func (s seeded) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = byte(s.Uint32())
	}
	return len(p), nil
}

// world is a whole inbox in one goroutine: a seed gives the same run again.
type world struct {
	t      testing.TB
	ctx    context.Context
	r      *rand.Rand
	now    inbox.Instant
	faults *embedded.Faults
	db     *embedded.Database
	store  *store.Store
	worker *work.Worker // the sweep's
	work   work.Config
	post   *post
	doors  http.Handler
	ident  *identity.Identity
	desk   *desk.Desk
	office *office.Office
	source *inbox.Source
	dead   bool // the stream delivers nothing: the process ended after the commit
}

// post is a mail service that sometimes refuses, or fails before it takes.
type post struct {
	w    *world
	sent map[string]int // hand-overs taken, by mail
	item map[string]string
	off  bool // no troubles
}

func (*post) Name() string { return "post" }

func (p *post) Send(_ context.Context, out mail.Outgoing) (string, error) {
	if !p.off {
		switch p.w.r.IntN(20) {
		case 0:
			return "", &mail.SendError{Class: mail.Retryable, Cause: errors.New("not now")}
		case 1:
			panic("the process ended before the hand-over")
		}
	}
	p.sent[out.MailID]++
	p.item[out.MailID] = out.ItemID
	return fmt.Sprint("0100-", len(p.sent)), nil
}

// newWorld opens an inbox for a seed.
func newWorld(t testing.TB, seed uint64) *world {
	w := &world{t: t, ctx: context.Background(), r: rand.New(rand.NewPCG(seed, 1)), now: start, faults: embedded.NewFaults(seed)}
	db, err := embedded.Open(embedded.Options{
		Path: embedded.Memory, Schema: store.Schema(), Faults: w.faults, Hook: w.changed,
		Now: func() time.Time { return w.now.Time() },
	})
	w.must(err)
	t.Cleanup(func() {
		w.dead = true
		w.must(db.Close())
	})
	ring, err := canon.NewRing("a-secret-for-tests-that-is-long-enough")
	w.must(err)
	w.db, w.source = db, inbox.NewSource(seeded{rand.New(rand.NewPCG(seed, 2))})
	clock := func() inbox.Instant { return w.now }
	w.store = store.New(db, ring, store.WithSource(inbox.NewSource(seeded{rand.New(rand.NewPCG(seed, 3))})),
		store.WithSleep(func(context.Context, time.Duration) error { return nil }))
	d := desk.New(desk.Config{Store: w.store, Clock: clock, Source: w.source})
	o := office.New(office.Config{Store: w.store, Clock: clock, Source: w.source, MailDomain: mailDomain, MailService: "post"})
	w.ident, w.desk, w.office = identity.New(w.store, clock), d, o
	w.post = &post{w: w, sent: map[string]int{}, item: map[string]string{}}
	w.work = work.Config{
		Store: w.store, Desk: d, Sender: w.post, Clock: clock, Source: w.source, Ring: ring,
		MailDomain: mailDomain, OwnerEmail: "owner@owner.example", WireDomain: "wire.example", AtOnce: 1,
	}
	w.worker = work.New(w.work)
	w.doors = doors(rest.Site{PublicURL: "https://" + mailDomain, Callers: w.ident, Log: slog.New(slog.DiscardHandler)}, d, o)
	return w
}

// doors serves the functions that the run uses behind their routes.
func doors(s rest.Site, d *desk.Desk, o *office.Office) http.Handler {
	functions := map[string]http.Handler{
		"create-booking": rest.CreateBooking(s, d), "send-message": rest.SendMessage(s, d), "get-item": rest.GetItem(s, d),
		"provide-details": rest.ProvideDetails(s, d), "cancel-item": rest.CancelItem(s, d), "owner-items": rest.OwnerItems(s, d),
		"transition-item": rest.TransitionItem(s, d), "reply": rest.Reply(s, d), "owner-catalogue": rest.OwnerCatalogue(s, o),
		"owner-availability": rest.OwnerAvailability(s, o), "owner-settings": rest.OwnerSettings(s, o),
		"check-availability": rest.CheckAvailability(s, d),
	}
	m := http.NewServeMux()
	for _, r := range operation.Routes() {
		if f := functions[r.Function]; f != nil {
			m.Handle(r.Key(), f)
		}
	}
	return m
}

// troubles turns the faults on.
func (w *world) troubles() {
	for f, rate := range faultRates {
		w.faults.Rate(f, rate)
	}
	w.faults.IndexLag(3)
	w.post.off = false
}

// calm turns the faults off and lets the indexes catch up.
func (w *world) calm() {
	w.faults.Off()
	w.post.off = true
	w.must(w.db.Settle())
}

// changed is the stream: it runs ready jobs at once, each in a process of its own,
// but for one that ends between the commit and its delivery.
func (w *world) changed(changes []table.Change) {
	for _, c := range changes {
		itemID, jobID, ok := store.ReadyJob(c)
		if !ok || w.dead || (!w.post.off && w.r.IntN(8) == 0) {
			continue
		}
		// What could not be done is found by the sweep.
		_ = work.New(w.work).RunJob(w.ctx, itemID, jobID)
	}
}

func (w *world) must(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

// record is an item as it stands, nil for none.
func (w *world) record(id string) *inbox.Record {
	l, err := w.store.Load(w.ctx, store.Want{ItemID: id})
	w.must(err)
	return l.Record
}

// answer is what a door said.
type answer struct {
	status   int
	code     string
	body     []byte
	replayed bool
}

// str is a string in the answer by its path.
func (a answer) str(path ...string) string {
	var v any
	_ = json.Unmarshal(a.body, &v)
	for _, name := range path {
		m, _ := v.(map[string]any)
		v = m[name]
	}
	s, _ := v.(string)
	return s
}

// send asks a door.
func (w *world) send(r request) answer {
	var in io.Reader
	if r.body != nil {
		raw, err := json.Marshal(r.body)
		w.must(err)
		in = bytes.NewReader(raw)
	}
	req := httptest.NewRequest(r.method, r.path, in)
	req.RemoteAddr = "192.0.2.1:4711"
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", r.by.agent)
	if r.by.key != "" {
		req.Header.Set("Authorization", "Bearer "+r.by.key)
	}
	if r.token != "" {
		req.Header.Set("X-Access-Token", r.token)
	}
	if r.sandbox {
		req.Header.Set("X-Sandbox", "1")
	}
	if r.key != "" {
		req.Header.Set("Idempotency-Key", r.key)
	}
	rec := httptest.NewRecorder()
	w.doors.ServeHTTP(rec, req)
	a := answer{status: rec.Code, body: rec.Body.Bytes(), replayed: rec.Header().Get("Idempotent-Replayed") == "true"}
	if rec.Code >= 400 {
		a.code = a.str("code")
	}
	return a
}

package main

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"sync"
	"sync/atomic"
	"time"

	"typedinbox/shared/canon"
	"typedinbox/shared/catalogue"
	"typedinbox/shared/decide"
	"typedinbox/shared/desk"
	"typedinbox/shared/door/rest"
	"typedinbox/shared/identity"
	"typedinbox/shared/inbox"
	"typedinbox/shared/mail"
	"typedinbox/shared/office"
	"typedinbox/shared/settings"
	"typedinbox/shared/store"
	"typedinbox/shared/table"
	"typedinbox/shared/table/embedded"
	"typedinbox/shared/work"
)

// rig is an inbox in this process on an embedded table without sync, with one
// service that is open around the clock.
type rig struct {
	meter   *store.Meter
	db      *embedded.Database
	store   *store.Store
	desk    *desk.Desk
	worker  *work.Worker
	create  http.Handler
	now     atomic.Int64
	service string
	sent    atomic.Int64
	asked   atomic.Int64
	owed    atomic.Int64 // when a write last left work to be done at once, real nanoseconds
}

// operator is the owner in person.
var operator = inbox.Call{Caller: inbox.Caller{
	Actor: inbox.Actor{Kind: inbox.Owner, ID: "bench", Channel: inbox.ChannelREST},
	Tier:  inbox.TierVerified, Scopes: []inbox.Scope{inbox.ScopeAll}, Proven: true,
}}

// customer is an anonymous agent.
var customer = inbox.Call{Caller: inbox.Caller{
	Actor: inbox.Actor{Kind: inbox.CustomerAgent, ID: "anon:bench", Channel: inbox.ChannelREST}, Tier: inbox.TierAnonymous,
}}

// begin is when a rig's clock stands at first.
const begin = "2027-03-01T08:00:00.000Z"

// newRig makes a rig; metered counts storage calls and write units, which reads
// rows before a write and so costs time.
func newRig(metered bool, capacity int) (*rig, error) {
	r := &rig{}
	at, err := inbox.ParseInstant(begin)
	if err != nil {
		return nil, err
	}
	r.now.Store(int64(at))
	ring, err := canon.NewRing(rand.Text() + rand.Text())
	if err != nil {
		return nil, err
	}
	r.db, err = embedded.Open(embedded.Options{Path: embedded.Memory, NoSync: true, Schema: store.Schema(), Now: func() time.Time { return r.clock().Time() }, Hook: r.saw})
	if err != nil {
		return nil, err
	}
	r.meter = store.NewMeter(r.db)
	if metered {
		r.store = store.New(r.meter, ring)
	} else {
		r.store = store.New(r.db, ring)
	}
	source := inbox.NewSource(rand.Reader)
	r.desk = desk.New(desk.Config{Store: r.store, Clock: r.clock, Source: source})
	o := office.New(office.Config{Store: r.store, Clock: r.clock, Source: source, MailDomain: "inbox.invalid", MailService: "bench"})
	r.worker = work.New(work.Config{
		Store: r.store, Desk: r.desk, Sender: r, Clock: r.clock, Source: source, Ring: ring,
		MailDomain: "inbox.invalid", OwnerEmail: "owner@studio.example",
	})
	site := rest.Site{PublicURL: "http://bench.invalid", Callers: identity.New(r.store, r.clock), Log: slog.New(slog.DiscardHandler)}
	r.create = rest.CreateBooking(site, r.desk)
	return r, r.furnish(o, capacity)
}

func (r *rig) clock() inbox.Instant { return inbox.Instant(r.now.Load()) }

// saw is told of every commit.
func (r *rig) saw(changes []table.Change) {
	for _, c := range changes {
		if _, _, due := store.ReadyJob(c); due {
			r.owed.Store(time.Now().UnixNano())
		}
	}
}

// Name and Send make the rig a transport that counts.
func (*rig) Name() string { return "bench" }

// Send counts one mail.
func (r *rig) Send(context.Context, mail.Outgoing) (string, error) {
	return fmt.Sprint("bench-", r.sent.Add(1)), nil
}

func (r *rig) furnish(o *office.Office, capacity int) error {
	ctx, week := context.Background(), inbox.Week{}
	for _, d := range inbox.Weekdays {
		week[d] = []inbox.Window{{"00:00", "24:00"}}
	}
	if _, err := o.SetOpeningHours(ctx, operator, inbox.SetHoursRequest{Weekly: week}); err != nil {
		return err
	}
	made, err := o.UpsertService(ctx, operator, catalogue.UpsertServiceRequest{ServiceInput: catalogue.ServiceInput{
		Name: inbox.Ptr("Chair"), DurationMin: inbox.Ptr(30), GranularityMin: inbox.Ptr(30), Capacity: &capacity,
	}})
	if err != nil {
		return err
	}
	var s catalogue.ServiceView
	if err := json.Unmarshal(made.Body, &s); err != nil {
		return err
	}
	r.service = s.ID
	return nil
}

// request is the reference case: one contact with e-mail, no message.
func (r *rig) request(start inbox.Instant) inbox.CreateBookingRequest {
	return inbox.CreateBookingRequest{
		Payload: inbox.Booking{
			ReservationFor: inbox.ReservationFor{ServiceID: r.service, Name: "Chair"},
			StartTime:      start, EndTime: start.Add(30 * inbox.Minute),
		},
		Contact: &inbox.Contact{Name: "Customer One", Email: fmt.Sprintf("customer-%d@example.com", r.asked.Add(1))},
	}
}

// keyed is a call with an idempotency key of its own, as clients send it.
func (r *rig) keyed(c inbox.Call) inbox.Call {
	c.IdempotencyKey = fmt.Sprint("bench-", r.asked.Add(1))
	return c
}

// book makes a booking and answers its id and token.
func (r *rig) book(start inbox.Instant) (id, token string, err error) {
	a, err := r.desk.CreateBooking(context.Background(), r.keyed(customer), r.request(start))
	if err != nil {
		return "", "", err
	}
	var made inbox.Created
	err = json.Unmarshal(a.Body, &made)
	return made.View.Item.ID, made.AccessToken, err
}

// requests answers what writes a request down that asks for a start, without
// the jobs its create owes and without a contact.
func (r *rig) requests() (func(start inbox.Instant) error, error) {
	ctx := context.Background()
	l, err := r.store.Load(ctx, store.Want{Settings: true, Profile: true, ServiceID: r.service})
	if err != nil {
		return nil, err
	}
	f := decide.Facts{Settings: settings.Effective(l.SettingsRaw), Basis: inbox.Basis{}, Service: l.Service}
	f.Business = decide.BusinessOf(l.Profile, f.Settings)
	env := decide.Env{Now: r.clock(), Source: inbox.NewSource(rand.Reader)}
	return func(start inbox.Instant) error {
		b := r.request(start).Payload
		out, err := decide.Create(f, customer.Caller, decide.CreateRequest{Type: inbox.TypeBooking, Payload: inbox.Payload{Booking: &b}}, env)
		if err != nil {
			return err
		}
		out.Write.Jobs = nil
		return r.store.Commit(ctx, out.Write)
	}, nil
}

// post sends a create over the HTTP handler.
func (r *rig) post(start inbox.Instant) error {
	body, err := json.Marshal(r.request(start))
	if err != nil {
		return err
	}
	req := httptest.NewRequest(http.MethodPost, "/v1/bookings", bytes.NewReader(body))
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Idempotency-Key", r.keyed(customer).IdempotencyKey)
	rec := httptest.NewRecorder()
	r.create.ServeHTTP(rec, req)
	if rec.Code != http.StatusCreated {
		return fmt.Errorf("create: %d %s", rec.Code, rec.Body)
	}
	return nil
}

// fire fires an event as the owner.
func (r *rig) fire(id, event string) error {
	_, err := r.desk.TransitionItem(context.Background(), r.keyed(operator), inbox.TransitionRequest{ItemID: id, Event: event})
	return err
}

// crowd runs n pieces on some workers and answers each one's time.
func crowd(workers, n int, do func(i int) error) ([]time.Duration, error) {
	took, errs := make([]time.Duration, n), make([]error, n)
	var next atomic.Int64
	var done sync.WaitGroup
	for range workers {
		done.Add(1)
		go func() {
			defer done.Done()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				start := time.Now()
				errs[i] = do(i)
				took[i] = time.Since(start)
			}
		}()
	}
	done.Wait()
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return took, nil
}

package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"sync/atomic"
	"time"

	"typedinbox/shared/canon"
	"typedinbox/shared/catalogue"
	"typedinbox/shared/desk"
	"typedinbox/shared/inbox"
	"typedinbox/shared/mail"
	"typedinbox/shared/office"
	"typedinbox/shared/store"
	"typedinbox/shared/table"
	"typedinbox/shared/table/embedded"
	"typedinbox/shared/work"
)

// reads counts read units under a database: a strongly consistent read is one
// for each 4 KB begun, at least one a call or a key asked for; of an index half.
type reads struct {
	table.Database
	halves atomic.Int64
}

// halfUnits of rows of this size read together.
func halfUnits(size int, index bool) int64 {
	units := max(1, (int64(size)+4095)/4096)
	if index {
		return units
	}
	return 2 * units
}

func (r *reads) Get(ctx context.Context, k table.Key) (table.Row, error) {
	row, err := r.Database.Get(ctx, k)
	r.halves.Add(halfUnits(table.Size(row), false))
	return row, err
}

func (r *reads) BatchGet(ctx context.Context, keys []table.Key) ([]table.Row, []table.Key, error) {
	rows, left, err := r.Database.BatchGet(ctx, keys)
	for _, row := range rows {
		r.halves.Add(halfUnits(table.Size(row), false))
	}
	r.halves.Add(2 * int64(len(keys)-len(rows)-len(left))) // absent rows are asked for too
	return rows, left, err
}

func (r *reads) Query(ctx context.Context, q table.Query) (table.Page, error) {
	page, err := r.Database.Query(ctx, q)
	size := 0
	for _, row := range page.Rows {
		size += table.Size(row)
	}
	r.halves.Add(halfUnits(size, q.Index != ""))
	return page, err
}

// usage is what one step of a booking's life used.
type usage struct {
	step         string
	writes       float64
	reads        float64
	doors, works float64 // invocations
	mails        float64
}

// mailDomain is where the inbox sends from.
const mailDomain = "inbox.invalid"

// life is one inbox whose use is measured.
type life struct {
	ctx     context.Context
	now     inbox.Instant
	meter   *store.Meter
	reads   *reads
	desk    *desk.Desk
	office  *office.Office
	worker  *work.Worker
	ready   [][2]string // item and job
	sent    int
	service string
	idle    float64 // read units of a sweep that finds nothing
	steps   []usage
}

// caller of the business and of a customer.
var (
	business = inbox.Call{Caller: inbox.Caller{Actor: inbox.Actor{Kind: inbox.Owner, ID: "owner", Channel: inbox.ChannelREST},
		Tier: inbox.TierVerified, Scopes: []inbox.Scope{inbox.ScopeAll}, Proven: true}}
	customer = inbox.Call{Caller: inbox.Caller{Actor: inbox.Actor{Kind: inbox.CustomerAgent, ID: "anon:cost", Channel: inbox.ChannelREST},
		Tier: inbox.TierAnonymous}}
)

// Name and Send make the life a transport that counts mails.
func (*life) Name() string { return "cost" }

// Send counts one mail.
func (l *life) Send(context.Context, mail.Outgoing) (string, error) {
	l.sent++
	return rand.Text(), nil
}

func newLife() (*life, error) {
	l := &life{ctx: context.Background()}
	at, err := inbox.ParseInstant("2027-03-01T08:00:00Z")
	if err != nil {
		return nil, err
	}
	l.now = at
	ring, err := canon.NewRing(rand.Text() + rand.Text())
	if err != nil {
		return nil, err
	}
	db, err := embedded.Open(embedded.Options{Path: embedded.Memory, NoSync: true, Schema: store.Schema(),
		Now: func() time.Time { return l.now.Time() }, Hook: l.changed})
	if err != nil {
		return nil, err
	}
	l.reads = &reads{Database: db}
	l.meter = store.NewMeter(db)
	s := store.New(split{l.reads, l.meter}, ring)
	clock, source := func() inbox.Instant { return l.now }, inbox.NewSource(rand.Reader)
	l.desk = desk.New(desk.Config{Store: s, Clock: clock, Source: source})
	l.office = office.New(office.Config{Store: s, Clock: clock, Source: source, MailDomain: mailDomain, MailService: "ses"})
	l.worker = work.New(work.Config{Store: s, Desk: l.desk, Sender: l, Clock: clock, Source: source, Ring: ring,
		MailDomain: mailDomain, OwnerEmail: "owner@studio.example"})
	if err := l.furnish(); err != nil {
		return nil, err
	}
	l.reads.halves.Store(0)
	err = l.sweep()
	l.idle = float64(l.reads.halves.Load()) / 2
	return l, err
}

// split reads through one counter and writes through the other; the meter reads
// rows of its own before it writes, which DynamoDB does not charge.
type split struct {
	*reads
	meter *store.Meter
}

func (s split) Transact(ctx context.Context, token string, actions []table.Action) error {
	return s.meter.Transact(ctx, token, actions)
}

// changed is the table's stream.
func (l *life) changed(changes []table.Change) {
	for _, c := range changes {
		if item, job, ok := store.ReadyJob(c); ok {
			l.ready = append(l.ready, [2]string{item, job})
		}
	}
}

// furnish opens the business.
func (l *life) furnish() error {
	week := inbox.Week{}
	for _, d := range inbox.Weekdays {
		week[d] = []inbox.Window{{"09:00", "18:00"}}
	}
	_, err1 := l.office.SetOpeningHours(l.ctx, business, inbox.SetHoursRequest{Weekly: week})
	made, err2 := l.office.UpsertService(l.ctx, business, catalogue.UpsertServiceRequest{ServiceInput: catalogue.ServiceInput{
		Name: inbox.Ptr("Portrait"), DurationMin: inbox.Ptr(60), Capacity: inbox.Ptr(1)}})
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	var v catalogue.ServiceView
	err := json.Unmarshal(made.Body, &v)
	l.service = v.ID
	return err
}

// measure notes what a step used. doors and works are how many invocations it
// is on AWS; a door looks up no key here, which is counted as one more read.
func (l *life) measure(step string, doors, works float64, do func() error) error {
	l.meter.Reset()
	l.reads.halves.Store(0)
	sent := l.sent
	err := do()
	l.steps = append(l.steps, usage{step, float64(l.meter.Units()), float64(l.reads.halves.Load())/2 + doors, doors, works, float64(l.sent - sent)})
	return err
}

// outbox runs the jobs that are ready.
func (l *life) outbox() error {
	jobs := l.ready
	l.ready = nil
	for _, j := range jobs {
		if err := l.worker.RunJob(l.ctx, j[0], j[1]); err != nil {
			return err
		}
	}
	return nil
}

// sweep is one of the sweeps that run anyway: what one with nothing to do reads
// is of the month, not of the booking.
func (l *life) sweep() error {
	_, err := l.worker.Sweep(l.ctx)
	l.reads.halves.Add(-int64(2 * l.idle))
	return err
}

package store_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"typedinbox/shared/canon"
	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
	"typedinbox/shared/table"
)

// now is 2026-10-01T09:00:00Z.
const now = inbox.Instant(1790845200000)

const (
	serviceID = "01K5ZZZZZZZZZZZZZZZZZZZZSV"
	resource  = "service:" + serviceID
)

// seeded is a stream of random bytes that a seed gives again.
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

func ring(t testing.TB) canon.Ring {
	t.Helper()
	r, err := canon.NewRing("a-secret-for-tests-that-is-long-enough")
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// world is one database with a store on it.
type world struct {
	t   testing.TB
	ctx context.Context
	db  table.Database
	*store.Store
	ids  *inbox.Source
	lags bool // indexes lag
}

func newWorld(t testing.TB, db table.Database) *world {
	t.Helper()
	noSleep := func(ctx context.Context, _ time.Duration) error { return ctx.Err() }
	return &world{
		t: t, ctx: context.Background(), db: db, ids: source(2),
		Store: store.New(db, ring(t), store.WithSource(source(3)), store.WithSleep(noSleep)),
	}
}

func must[T any](v T, err error) func(t testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// try commits a write, again and again while the database is busy.
func (w *world) try(write decide.Write) error {
	for {
		err := w.Commit(w.ctx, write)
		if l, ok := store.AsLost(err); !ok || !l.Busy || l.Idem != nil || l.Version || l.Rows || l.Message != nil {
			return err
		}
	}
}

func (w *world) commit(write decide.Write) {
	w.t.Helper()
	if err := w.try(write); err != nil {
		w.t.Fatal(err)
	}
}

// lost commits a write that must be lost.
func (w *world) lost(write decide.Write) *store.Lost {
	w.t.Helper()
	err := w.try(write)
	l, ok := store.AsLost(err)
	if !ok {
		w.t.Fatalf("got %v, want it lost", err)
	}
	return l
}

func (w *world) item(id string) *inbox.Record {
	w.t.Helper()
	r := must(w.Item(w.ctx, id))(w.t)
	if r == nil {
		w.t.Fatalf("item %s is not there", id)
	}
	return r
}

func (w *world) event(rec *inbox.Record, name string, from *inbox.State, at inbox.Instant) inbox.Event {
	return inbox.Event{
		ID: w.ids.ID(at), ItemID: rec.Item.ID, Type: rec.Item.Type, Seq: rec.Item.Version, Event: name,
		FromState: from, ToState: rec.Item.State, ActorKind: inbox.CustomerAgent, ActorID: "anon:0123456789abcdef",
		PrevHash: rec.LastHash, CreatedAt: at,
		Meta: inbox.Meta{Channel: inbox.ChannelREST, Tier: inbox.TierAnonymous,
			Basis: inbox.Basis{"settings": 1, "profile": 1, "service": 1, "hours": 1, "closures": 1}},
	}
}

// create is the write of an anonymous agent's booking at an hour from now: one
// contact with e-mail, no message, a job row and the acknowledgement's, without
// a stored answer.
func (w *world) create(at inbox.Instant) decide.Write {
	id := w.ids.ID(at)
	start := at.Add(24 * inbox.Hour)
	expires := start
	price := &inbox.Money{Value: 4500, Currency: "EUR"}
	contact := inbox.Contact{Name: "Ana Martins", Email: "ana.martins@example.com", Locale: "pt"}
	party := &inbox.Party{ID: w.ids.ID(at), Kind: inbox.PartyHuman, DisplayName: contact.Name, Locale: "pt", Contact: contact, CreatedAt: at, UpdatedAt: at}
	offer := inbox.Offer{
		ID: w.ids.ID(at), ItemID: id, Rev: 1, Kind: "offer", Form: inbox.FormRequest, By: inbox.SideCustomer,
		ActorKind: inbox.CustomerAgent, ActorID: "anon:0123456789abcdef", Status: inbox.OfferOpen, ValidThrough: &expires,
		Terms: json.RawMessage(fmt.Sprintf(`{"service":{"id":%q,"name":"Haircut"},"startTime":%q,"endTime":%q,"totalPrice":{"value":4500,"currency":"EUR"}}`,
			serviceID, start, start.Add(inbox.Hour))),
		TermsSHA: strings.Repeat("s", 43), Authored: "automated", CreatedAt: at, UpdatedAt: at,
	}
	rec := inbox.Record{
		Rev: 1, AccessTokenHash: canon.HashToken(id), RequestExpiresAt: &expires, Clocked: true,
		CustomerMatch: inbox.MatchNone, ByCustomer: true, Locale: "pt", OfferRev: 1, DueAt: &expires, DueKind: "expire",
		Item: inbox.Item{
			ID: id, Type: inbox.TypeBooking, State: inbox.StateRequested, Version: 1, PartyID: party.ID, Channel: inbox.ChannelREST,
			Subject: inbox.Ptr("Haircut"), CreatedAt: at, UpdatedAt: at,
			Payload: inbox.Payload{Booking: &inbox.Booking{
				ReservationFor: inbox.ReservationFor{ServiceID: serviceID, Name: "Haircut"},
				StartTime:      start, EndTime: start.Add(inbox.Hour), TotalPrice: price, Offer: offer.Pointer(),
			}},
		},
	}
	e := w.event(&rec, inbox.EventCreate, nil, at)
	offer.EventID, rec.LastEventID = e.ID, e.ID
	return decide.Write{
		Items: []decide.ItemWrite{{Record: rec}}, Events: []inbox.Event{e}, Offers: []inbox.Offer{offer},
		Party:    party,
		Contacts: []inbox.PartyContact{{PartyID: party.ID, Kind: inbox.ContactEmail, Value: contact.Email, CreatedAt: at}},
		Jobs: []inbox.Job{
			{ID: w.ids.ID(at), ItemID: id, RunAt: at, Ready: true, Version: 1, CreatedAt: at, Effects: []inbox.Effect{
				{ID: "ev:" + e.ID + ":owner", Kind: inbox.EffectNotifyOwner, EventID: e.ID, Event: e.Event}}},
			{ID: w.ids.ID(at), ItemID: id, RunAt: at.Add(90 * inbox.Second), Version: 1, CreatedAt: at, Effects: []inbox.Effect{
				{ID: "ack:" + id, Kind: inbox.EffectAcknowledge, EventID: e.ID}}},
		},
	}
}

// created commits a create and answers the item as stored.
func (w *world) created(at inbox.Instant) *inbox.Record {
	w.t.Helper()
	write := w.create(at)
	w.commit(write)
	return w.item(write.Items[0].Record.Item.ID)
}

// answer is a stored answer for a write, as desk makes it.
func answer(key, body string) *decide.Idempotency {
	return &decide.Idempotency{
		Scope: "customer_agent:anon:0123456789abcdef:rest", Key: key, Fingerprint: canon.SHA256Hex([]byte(body)), Status: 201,
		Answer: []byte(body), ExpiresAt: now.Add(store.IdempotencyRetention),
	}
}

// step is a transition of an item as it was read; change makes the rest.
func (w *world) step(rec *inbox.Record, name string, to inbox.State, at inbox.Instant) decide.Write {
	next := *rec
	from := rec.Item.State
	next.Item.Payload = rec.Item.Payload.Clone()
	next.Item.State, next.Item.UpdatedAt, next.Item.Version, next.Rev = to, at, rec.Item.Version+1, rec.Rev+1
	e := w.event(&next, name, &from, at)
	e.ActorKind, e.ActorID, e.Meta.Tier = inbox.Owner, "01K5ZZZZZZZZZZZZZZZZZZZ0WN", ""
	e.Diff = &inbox.Diff{State: &[2]inbox.State{from, to}}
	next.LastEventID = e.ID
	return decide.Write{Items: []decide.ItemWrite{{Record: next, Expect: rec.Rev}}, Events: []inbox.Event{e}}
}

func pointerDiff(before, after *inbox.OfferPointer) map[string][2]json.RawMessage {
	b, _ := json.Marshal(before)
	a, _ := json.Marshal(after)
	return map[string][2]json.RawMessage{"offer": {b, a}}
}

// confirm is the owner's yes: the offer accepted, the place taken, a mail owed.
func (w *world) confirm(rec *inbox.Record, places inbox.Places, at inbox.Instant) decide.Write {
	write := w.step(rec, "confirm", inbox.StateConfirmed, at)
	next, e := &write.Items[0].Record, &write.Events[0]
	offers := must(w.Offers(w.ctx, rec.Item.ID))(w.t)
	o := offers[len(offers)-1]
	before := o.Pointer()
	o.Status, o.ClosedEventID, o.UpdatedAt, o.ValidThrough = inbox.OfferAccepted, e.ID, at, nil
	next.Item.Payload.SetOffer(o.Pointer())
	next.AgreedOffer, next.RequestExpiresAt = o.Pointer(), nil
	b := next.Item.Payload.Booking
	next.DueAt, next.DueKind = inbox.Ptr(b.EndTime.Add(48*inbox.Hour)), "complete"
	next.Claims = []inbox.Claim{{ID: w.ids.ID(at), Resource: resource, Kind: inbox.ClaimBooking, From: b.StartTime, To: b.EndTime}}
	if rec.Item.Flags.Sandbox {
		next.Claims[0].Resource = "sandbox:" + resource
	}
	e.Diff.Payload = pointerDiff(before, o.Pointer())
	write.Offers, write.Take, write.Places = []inbox.Offer{o}, next.Claims, places
	write.Jobs = []inbox.Job{{ID: w.ids.ID(at), ItemID: rec.Item.ID, RunAt: at, Ready: true, Version: 1, CreatedAt: at, Effects: []inbox.Effect{
		{ID: "ev:" + e.ID + ":customer", Kind: inbox.EffectNotifyCustomer, EventID: e.ID, Event: e.Event}}}}
	return write
}

// hours are the hour rows of a booking's time.
func hours(rec *inbox.Record) []inbox.HourRow {
	b := rec.Item.Payload.Booking
	r := resource
	if rec.Item.Flags.Sandbox {
		r = "sandbox:" + resource
	}
	return inbox.Claim{Resource: r, From: b.StartTime, To: b.EndTime}.Rows()
}

// complete is the system's end of a booking; nobody is mailed.
func (w *world) complete(rec *inbox.Record, at inbox.Instant) decide.Write {
	write := w.step(rec, "complete", inbox.StateCompleted, at)
	next := &write.Items[0].Record
	next.Item.ClosedAt, next.DueAt, next.DueKind = &at, nil, ""
	write.Events[0].ActorKind, write.Events[0].ActorID = inbox.System, "lifecycle_sweep"
	write.Events[0].Reason = inbox.Ptr("The booking has ended.")
	return write
}

// cancel is the customer's: the place given back.
func (w *world) cancel(rec *inbox.Record, at inbox.Instant) decide.Write {
	write := w.step(rec, "cancel", inbox.StateCancelledByCustomer, at)
	next := &write.Items[0].Record
	next.Item.ClosedAt, next.DueAt, next.DueKind = &at, nil, ""
	write.Release, next.Claims = rec.Claims, nil
	return write
}

// confirmed takes a place for an item, judging capacity as often as needed;
// false when it is taken.
func (w *world) confirmed(rec *inbox.Record, capacity int, at inbox.Instant) (bool, error) {
	for {
		places, err := w.PlacesOf(w.ctx, hours(rec))
		if err != nil {
			return false, err
		}
		if len(places.Claims) >= capacity {
			return false, nil
		}
		err = w.Commit(w.ctx, w.confirm(rec, places, at))
		l, ok := store.AsLost(err)
		switch {
		case err == nil:
			return true, nil
		case !ok || l.Version:
			return false, errors.Join(err, errors.New("not a race for the place"))
		}
	}
}

// reference is an answer of the size a create gives: the customer's view of the
// booking with its access token.
const reference = `{"view":{"item":{"id":"01K6F00000000000000000000A","type":"booking","state":"requested","version":1,"partyId":"01K6F00000000000000000000B","locationId":null,"channel":"rest","subject":"Haircut","linkedItemId":null,"createdAt":"2026-10-01T09:00:00.000Z","updatedAt":"2026-10-01T09:00:00.000Z","closedAt":null,"payload":{"reservationFor":{"serviceId":"01K5ZZZZZZZZZZZZZZZZZZZZSV","name":"Haircut"},"startTime":"2026-10-02T09:00:00.000Z","endTime":"2026-10-02T10:00:00.000Z","totalPrice":{"value":4500,"currency":"EUR"},"offer":{"id":"01K6F00000000000000000000C","rev":1,"by":"customer","round":0,"status":"open","validThrough":"2026-10-02T09:00:00.000Z"}}},"human":"You asked for Haircut on Friday 2 October 2026 at 10:00 (Lisbon time). We will answer you; until then nothing is promised.","reference":"00000A","transitions":[{"event":"cancel","label":"Cancel the request"}],"offer":null,"agreed":null,"requested_change":null,"waiting_on":"us","next":[{"action":"cancel_item","label":"Cancel this request"},{"action":"send_message","label":"Write to us"}],"withdrawal":null,"refunds":[],"thread":[],"receipts":[],"identity":{"recognised":"none","passes":[],"verify":{"available":false,"sent_to":null},"networks":[],"guide":null}},"accessToken":"q83vASNFZ4mrze8BI0VniavN7wEjRWeJ","access_token":"q83vASNFZ4mrze8BI0VniavN7wEjRWeJ","replayed":false}`

package store_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

// proposal is the input of a proposed hour.
func proposal(from inbox.Instant) json.RawMessage {
	raw, err := json.Marshal(inbox.ProposeTimeInput{StartTime: from, EndTime: from.Add(inbox.Hour)})
	if err != nil {
		panic(err)
	}
	return raw
}

// negotiated lets package decide judge an event on a booking while proposals
// hold places, and commits it.
func (w *world) negotiated(rec *inbox.Record, event string, input json.RawMessage, at inbox.Instant) *inbox.Record {
	w.t.Helper()
	s := service(serviceID, 1)
	f := decide.Facts{
		Settings: soldToBusinesses(), Service: &s, Record: rec, Basis: inbox.Basis{"settings": 1},
		Business: decide.Business{Name: "Salon", Zone: time.UTC, ZoneName: "UTC", Currency: "EUR", Languages: []string{"en"}},
	}
	f.Settings.Booking.HoldOnPropose = true
	owner := inbox.Caller{Actor: inbox.Actor{Kind: inbox.Owner, ID: "user-1", Channel: inbox.ChannelREST}}
	r := decide.TransitionRequest{Event: event, Input: input}
	l := must(w.Load(w.ctx, store.Want{
		OfferItemID: rec.Item.ID, OfferRev: rec.OfferRev, AskedRev: rec.AskedRev, PartyID: rec.Item.PartyID,
		Rows: decide.Needs(f, owner, r), Holders: []string{inbox.PartyHolder(rec.Item.PartyID, rec.Item.Flags.Sandbox)},
	}))(w.t)
	f.Offer, f.Asked, f.Party, f.Places = l.Offer, l.Asked, l.Party, l.Places
	for _, id := range l.Held {
		if id != rec.Item.ID {
			f.Holds++
		}
	}
	out, err := decide.Transition(f, owner, r, decide.Env{Now: at, Source: w.ids})
	if err != nil {
		w.t.Fatal(err)
	}
	w.commit(out.Write)
	return w.item(rec.Item.ID)
}

// held writes a booking whose proposal holds places.
func (w *world) held() {
	w.t.Helper()
	later := now.Add(inbox.Day) // so that its ids are not those of the other golden rows
	w.negotiated(w.created(later), "propose", proposal(now.Add(50*inbox.Hour)), later)
}

// heldFor lists the items on which a customer holds places.
func (w *world) heldFor(rec *inbox.Record) []string {
	w.t.Helper()
	return must(w.Load(w.ctx, store.Want{Holders: []string{inbox.PartyHolder(rec.Item.PartyID, rec.Item.Flags.Sandbox)}}))(w.t).Held
}

// TestHolders: the customer's row names an item just as long as an offer of it
// holds places, in the same write.
func TestHolders(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		first, second := w.created(now), w.created(now)
		if got := w.heldFor(first); len(got) != 0 {
			t.Errorf("before any: %v", got)
		}
		start := now.Add(50 * inbox.Hour)
		first = w.negotiated(first, "propose", proposal(start), now)
		if got := w.heldFor(first); !slices.Equal(got, []string{first.Item.ID}) || len(first.Claims) != 1 || first.Claims[0].OfferID == "" || first.AskedRev != 1 {
			t.Errorf("held: %v %+v", got, first)
		}
		if got := w.heldFor(second); len(got) != 0 {
			t.Errorf("another customer: %v", got)
		}
		if claims := must(w.PlacesOf(w.ctx, first.Claims[0].Rows()))(t).Claims; len(claims) != 1 || claims[0] != first.Claims[0] {
			t.Errorf("places: %+v", claims)
		}
		w.clean()
		first = w.negotiated(first, "propose", proposal(start.Add(inbox.Hour)), now.Add(inbox.Minute))
		if got := w.heldFor(first); len(got) != 1 || len(first.Claims) != 1 {
			t.Errorf("moved: %v %+v", got, first.Claims)
		}
		w.clean()
		first = w.negotiated(first, "request_info", nil, now.Add(2*inbox.Minute))
		offers := must(w.Offers(w.ctx, first.Item.ID))(t)
		if got := w.heldFor(first); len(got) != 0 || len(first.Claims) != 0 || first.AskedRev != 0 || len(offers) != 4 || offers[3].Status != inbox.OfferOpen {
			t.Errorf("let go: %v %+v %+v", got, first, offers)
		}
		w.clean()
	})
}

// clean fails when the check finds anything.
func (w *world) clean() {
	w.t.Helper()
	if findings := must(w.Check(w.ctx))(w.t); len(findings) > 0 {
		w.t.Errorf("%s", strings.Join(findings, "\n"))
	}
}

// TestCheckHolders plants what could go wrong with a hold, and the check says so.
func TestCheckHolders(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(w *world, held, other *inbox.Record) decide.Write
		want string
	}{
		"fail/the customer's row lost it": {func(_ *world, held, _ *inbox.Record) decide.Write {
			return decide.Write{Holdings: []inbox.Holding{{Holder: held.HeldFor[0], ItemID: held.Item.ID}}}
		}, "does not name it"},
		"fail/the customer's row kept it": {func(_ *world, _, other *inbox.Record) decide.Write {
			return decide.Write{Holdings: []inbox.Holding{{Holder: inbox.PartyHolder(other.Item.PartyID, false), ItemID: other.Item.ID, Begins: true}}}
		}, "it holds nothing"},
		"fail/a hold outlives its offer": {func(w *world, held, _ *inbox.Record) decide.Write {
			write := w.step(held, "x", held.Item.State, now)
			p := *held.Item.Payload.Booking.Offer
			p.ID = "another"
			write.Items[0].Record.Item.Payload = held.Item.Payload.Clone()
			write.Items[0].Record.Item.Payload.SetOffer(&p)
			return write
		}, "which is not open"},
		"fail/held for nobody": {func(w *world, held, _ *inbox.Record) decide.Write {
			write := w.step(held, "x", held.Item.State, now)
			write.Items[0].Record.HeldFor = nil
			return write
		}, "holds places for 0 customers"},
	} {
		w := newWorld(t, backends["embedded"].open(t))
		held, other := w.created(now), w.created(now)
		held = w.negotiated(held, "propose", proposal(now.Add(50*inbox.Hour)), now)
		w.clean()
		w.commit(c.do(w, held, other))
		if findings := strings.Join(must(w.Check(w.ctx))(t), "\n"); !strings.Contains(findings, c.want) {
			t.Errorf("%s: %q", name, findings)
		}
	}
}

// TestAsked: both rows that a negotiated item needs come with it, by key in one
// call or with its thread in one query.
func TestAsked(t *testing.T) {
	db := store.NewMeter(backends["embedded"].open(t))
	w := newWorld(t, db)
	rec := w.negotiated(w.created(now), "propose", proposal(now.Add(50*inbox.Hour)), now)
	id := rec.Item.ID
	for name, c := range map[string]struct {
		want  store.Want
		calls int
	}{
		"ok/by key":    {store.Want{OfferItemID: id, OfferRev: 2, AskedRev: 1, Holders: rec.HeldFor, PartyID: rec.Item.PartyID}, 1},
		"ok/as a view": {store.Want{ItemID: id, Thread: 50, Settings: true, Profile: true}, 2},
	} {
		db.Reset()
		l := must(w.Load(w.ctx, c.want))(t)
		if db.Calls() != c.calls || l.Offer == nil || l.Offer.Rev != 2 || l.Asked == nil || l.Asked.Rev != 1 {
			t.Errorf("%s: %d calls, %+v %+v", name, db.Calls(), l.Offer, l.Asked)
		}
	}
}

package decide

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"typedinbox/shared/inbox"
)

// holding is a world in which proposals hold places.
func holding(t *testing.T) *world {
	w := newWorld(t)
	w.f.Settings.Booking.HoldOnPropose = true
	w.create(w.customer(), bookingRequest())
	return w
}

// TestHold: a proposal's places are held for its offer, and the offer says so.
func TestHold(t *testing.T) {
	for name, c := range map[string]struct {
		do   func(*world)
		held bool
	}{
		"ok/the first":            {func(*world) {}, true},
		"ok/the last one allowed": {func(w *world) { w.f.Holds = 1 }, true},
		"fail/one too many":       {func(w *world) { w.f.Holds = 2 }, false},
		"fail/none allowed":       {func(w *world) { w.f.Settings.Booking.MaxHolds = 0 }, false},
		"fail/off":                {func(w *world) { w.f.Settings.Booking.HoldOnPropose = false }, false},
		"ok/beside another's place": {func(w *world) {
			w.f.Service.Capacity = 2
			w.places["x"] = taken("x", "service:SVC", start, end.Add(inbox.Hour))
		}, true},
	} {
		w := holding(t)
		w.f.Service.BufferBeforeMin, w.f.Service.BufferAfterMin = 10, 5
		c.do(w)
		before := len(w.places)
		w.propose()
		o, rec := w.offers[2], w.f.Record
		code := map[bool]string{true: "held", false: "unheld"}[c.held]
		if !slices.Equal(o.Shown.Disclosures, []string{code}) || rec.Item.Payload.Booking.Offer.Held != c.held || len(w.places)-before != len(rec.Claims) {
			t.Errorf("%s: %+v %+v", name, o.Shown, rec.Item.Payload.Booking.Offer)
		}
		if !c.held {
			if len(rec.Claims) != 0 || rec.HeldFor != nil {
				t.Errorf("%s: %+v", name, rec.Claims)
			}
			continue
		}
		want := inbox.Claim{
			ID: rec.Claims[0].ID, Resource: "service:SVC", Kind: inbox.ClaimHold, OfferID: o.ID,
			From: start.Add(50 * inbox.Minute), To: end.Add(65 * inbox.Minute),
		}
		if seen := customerViewOf(w); seen.Human != o.Shown.Human || seen.Offer.Human != o.Shown.Human {
			t.Errorf("%s: shown %q, reads %q", name, o.Shown.Human, seen.Human)
		}
		if rec.Claims[0] != want || !slices.Equal(rec.HeldFor, []string{"p:" + rec.Item.PartyID}) {
			t.Errorf("%s: %+v %v", name, rec.Claims, rec.HeldFor)
		}
	}
}

// TestHoldEnds: whatever closes the offer lets its places go; a yes turns them
// into the booking's.
func TestHoldEnds(t *testing.T) {
	for _, c := range []struct {
		by, event string
		kind      inbox.ClaimKind // of what the item holds after, "" for nothing
		from      inbox.Instant
	}{
		{"C", "accept", inbox.ClaimBooking, start.Add(inbox.Hour)},
		{"P owner", "confirm", inbox.ClaimBooking, start.Add(inbox.Hour)},
		{"P owner", "propose", inbox.ClaimHold, start.Add(2 * inbox.Hour)},
		{"K$", "propose", inbox.ClaimHold, start.Add(2 * inbox.Hour)},
		{"C", "counter", "", 0},
		{"P owner", "request_info", "", 0},
		{"P owner", "retract", "", 0},
		{"P owner", "decline", "", 0},
		{"P owner", "cancel_by_business", "", 0},
		{"P owner", "record_cancel", "", 0},
		{"C", "cancel", "", 0},
		{"S", "expire", "", 0},
		{"R", "expire", "", 0},
	} {
		t.Run("ok/"+c.event+" by "+c.by, func(t *testing.T) {
			w := holding(t)
			w.propose()
			who := w.actors()[c.by]
			w.ok(w.decide(who, w.fitting(who, c.event, inbox.StateProposed)))
			claims := w.f.Record.Claims
			switch {
			case c.kind == "" && (len(claims) > 0 || len(w.places) > 0 || w.f.Record.HeldFor != nil):
				t.Errorf("%+v %v", claims, w.places)
			case c.kind != "" && (len(claims) != 1 || len(w.places) != 1 || claims[0].Kind != c.kind || claims[0].From != c.from):
				t.Errorf("%+v %v", claims, w.places)
			case c.kind == inbox.ClaimBooking && (claims[0].OfferID != "" || w.f.Record.HeldFor != nil):
				t.Errorf("%+v %v", claims, w.f.Record.HeldFor)
			}
		})
	}
}

// TestHoldUnheld: a second proposal past the limit, or with holding off, lets the
// first one's places go.
func TestHoldUnheld(t *testing.T) {
	for name, do := range map[string]func(*world){
		"ok/off":   func(w *world) { w.f.Settings.Booking.HoldOnPropose = false },
		"ok/limit": func(w *world) { w.f.Settings.Booking.MaxHolds = 0 },
		"ok/other": func(w *world) { w.f.Holds = 2 },
	} {
		w := holding(t)
		w.propose()
		do(w)
		w.fire(owner, "propose", proposal(start.Add(2*inbox.Hour)))
		if len(w.places) != 0 || w.f.Offer.Held() {
			t.Errorf("%s: %v", name, w.places)
		}
	}
	w := holding(t)
	w.propose()
	w.fire(owner, "propose", proposal(start.Add(90*inbox.Minute))) // over its own place
	if len(w.places) != 1 || w.f.Record.Claims[0].From != start.Add(90*inbox.Minute) {
		t.Errorf("ok/moved: %v", w.places)
	}
}

// TestHoldBlocks: until its offer closes a hold stands in everyone's way, past
// the offer's date too, but not in its own item's.
func TestHoldBlocks(t *testing.T) {
	w := holding(t)
	w.fire(owner, "propose", proposal(start))
	other := newWorld(t)
	other.places = w.places
	other.create(other.customer(), bookingRequest())
	for _, now := range []inbox.Instant{monday, start.Add(-inbox.Hour), start.Add(-inbox.Hour) + 1} {
		other.now = now
		if p := other.refusedWith(owner, "confirm"); p.Code != inbox.CodeSlotTaken {
			t.Errorf("%v: %v", now, p)
		}
		if p := other.refusedWith(owner, "propose", proposal(start)); now < start.Add(-inbox.Hour) && p.Code != inbox.CodeSlotTaken {
			t.Errorf("%v: %v", now, p)
		}
	}
	w.now = start.Add(-inbox.Hour)
	w.fire(sweeper, "expire")
	other.now = w.now
	other.fire(owner, "confirm")
}

// TestNeedsHolds: the count is asked for by what may hold.
func TestNeedsHolds(t *testing.T) {
	for name, c := range map[string]struct {
		state inbox.State
		event string
		on    bool
		want  bool
	}{
		"ok/a proposal":             {inbox.StateRequested, "propose", true, true},
		"ok/another":                {inbox.StateProposed, "propose", true, true},
		"ok/a yes that may be late": {inbox.StateRequested, "confirm", true, true},
		"fail/off":                  {inbox.StateRequested, "propose", false, false},
		"fail/a no":                 {inbox.StateRequested, "decline", true, false},
		"fail/not now":              {inbox.StateConfirmed, "propose", true, false},
	} {
		w := inState(t, inbox.TypeBooking, c.state)
		w.f.Settings.Booking.HoldOnPropose = c.on
		if got := NeedsHolds(w.f, owner, request(c.event)); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if NeedsHolds(Facts{}, owner, request("propose")) {
		t.Error("fail/no item")
	}
}

// TestLateTakeHolds: the offer that a late yes becomes holds like any other.
func TestLateTakeHolds(t *testing.T) {
	w := newWorld(t)
	w.f.Settings.Booking.HoldOnPropose = true
	r := bookingRequest()
	r.Payload.Booking.StartTime, r.Payload.Booking.EndTime = start.Add(5*inbox.Day), end.Add(5*inbox.Day)
	w.create(w.customer(), r)
	w.now = *w.f.Record.RequestExpiresAt
	w.fire(owner, "confirm")
	if len(w.places) != 1 || !w.f.Offer.Held() {
		t.Errorf("%v", w.places)
	}
}

// TestHoldsTogether plays random lives of items that share their places: never
// more claims at an instant than the capacity, every hold's offer open, every
// place an item's own, no customer holding on more items than allowed.
func TestHoldsTogether(t *testing.T) {
	for seed := range uint64(60) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { playTogether(t, seed) })
	}
}

func playTogether(t *testing.T, seed uint64) {
	random := rand.New(rand.NewPCG(seed, 2))
	shared := map[string]inbox.Claim{}
	items := make([]*world, 6)
	for i := range items {
		w := newWorld(t)
		w.source, w.places = seeded(1000*seed+uint64(i)), shared
		w.f.Service.Capacity = 1 + int(seed%2)
		w.f.Service.BufferAfterMin = int(seed%3) * 10
		w.f.Settings.Booking.HoldOnPropose = seed%5 != 0
		w.f.Settings.Booking.MaxHolds = 1 + int(seed%3)
		w.f.Settings.Negotiation.Binding = seed%4 != 0
		w.create(w.customer(), bookingRequest())
		w.f.Record.Item.PartyID = fmt.Sprint("P", i%2)
		items[i] = w
	}
	now := monday
	for range 120 {
		if random.IntN(6) == 0 {
			now = now.Add(random.Int64N(8 * inbox.Hour))
		}
		w := items[random.IntN(len(items))]
		w.now = now
		w.f.Holds = heldBeside(items, w)
		out, err := w.negotiate(random)
		if err != nil {
			_ = problem(t, err)
		} else {
			w.ok(out, nil)
		}
		together(t, items, shared)
	}
}

// negotiate is one random act about a time.
func (w *world) negotiate(random *rand.Rand) (Outcome, error) {
	hour := start.Add(random.Int64N(6) * 30 * inbox.Minute)
	people := []inbox.Caller{owner, staff, moneyKey, rule, assistant}
	by := people[random.IntN(len(people))]
	c := w.customer()
	switch random.IntN(12) {
	case 0, 1, 2:
		return w.decide(by, request("propose", proposal(hour)))
	case 3:
		return w.decide(by, request("confirm"))
	case 4:
		return w.decide(by, request("request_info"))
	case 5:
		return w.decide(by, request("retract"))
	case 6:
		return w.decide(sweeper, request("expire"))
	case 7:
		sha := ""
		if w.f.Offer != nil {
			sha = w.f.Offer.TermsSHA
		}
		return w.accept(c, inbox.AcceptOfferRequest{TermsSHA: sha})
	case 8:
		return w.makeOffer(c, inbox.MakeOfferRequest{Terms: inbox.Suggestion{StartTime: &hour}})
	case 9:
		return w.pure(func() (Outcome, error) { return Details(w.f, c, "well", w.env()) })
	case 10:
		if random.IntN(4) == 0 {
			return w.declineOffer(c, inbox.DeclineOfferRequest{})
		}
	case 11:
		if random.IntN(4) == 0 {
			return w.decide(by, request("decline"))
		}
	}
	return w.decide(by, request("propose", proposal(hour)))
}

// heldBeside counts the other items on which the same customer holds places.
func heldBeside(items []*world, w *world) (n int) {
	for _, other := range items {
		if other != w && other.f.Record.Item.PartyID == w.f.Record.Item.PartyID && other.f.Record.HeldFor != nil {
			n++
		}
	}
	return n
}

// together checks what holds of all items at once; the world checks each write.
func together(t *testing.T, items []*world, places map[string]inbox.Claim) {
	t.Helper()
	owned, held := map[string]bool{}, map[string]int{}
	for _, w := range items {
		if w.f.Record.HeldFor != nil {
			held[w.f.Record.Item.PartyID]++
		}
		for _, c := range w.f.Record.Claims {
			owned[c.ID] = true
			if places[c.ID] != c {
				t.Fatalf("%+v is not as its item says", places[c.ID])
			}
		}
	}
	if len(owned) != len(places) {
		t.Fatalf("%d places, %d held by items", len(places), len(owned))
	}
	for party, n := range held {
		if n > items[0].f.Settings.Booking.MaxHolds {
			t.Fatalf("%s holds on %d items", party, n)
		}
	}
	for c := range maps.Values(places) {
		n := 0
		for other := range maps.Values(places) {
			if other.From <= c.From && c.From < other.To {
				n++
			}
		}
		if n > items[0].f.Service.Capacity {
			t.Fatalf("%d at %v: %v", n, c.From, places)
		}
	}
}

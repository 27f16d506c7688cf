package decide

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
	"typedinbox/shared/negotiation"
)

// kept is what stands of a promise beside an open change: all of the payload but
// the change and the pointer, and the places that are the promise's own.
func (w *world) kept() string {
	p := w.f.Record.Item.Payload.Clone()
	p.SetOffer(nil)
	switch {
	case p.Booking != nil:
		p.Booking.Change = nil
	case p.Order != nil:
		p.Order.Change = nil
	}
	own := slices.DeleteFunc(slices.Clone(w.f.Record.Claims), func(c inbox.Claim) bool { return c.OfferID != "" })
	return string(mustJSON(p)) + string(mustJSON(own)) + string(mustJSON(w.f.Record.WithdrawalFlags)) + fmt.Sprint(w.f.Record.Agreement.Changes)
}

// standsOn says whether the promise is the one of terms that were accepted.
func standsOn(p inbox.Payload, o *inbox.Offer) bool {
	switch {
	case p.Booking != nil:
		p.Booking.Change = &inbox.TimeChange{StartTime: p.Booking.StartTime, EndTime: p.Booking.EndTime, TotalPrice: p.Booking.TotalPrice}
	case p.Order != nil:
		p.Order.Change = &inbox.OrderChange{OrderedItem: p.Order.OrderedItem, TotalPrice: p.Order.TotalPrice, Delivery: p.Order.Delivery}
	}
	typ := inbox.TypeBooking
	if p.Order != nil {
		typ = inbox.TypeOrder
	}
	_, _, sha := negotiation.Changed(typ, p)
	return sha == o.TermsSHA
}

// TestRandomChanges: both sides ask for, answer and let go of changes in any
// order: between two agreements the promise stands byte for byte, an agreement is
// the change that was accepted and nothing else, a booking has one set of places,
// and no promise changes more than three times nor further than 90 days.
func TestRandomChanges(t *testing.T) {
	met := map[string]int{}
	for seed := range uint64(60) {
		typ := []inbox.Type{inbox.TypeBooking, inbox.TypeOrder}[seed%2]
		w := inState(t, typ, machine.Of(typ).Promise[0])
		w.source = seeded(seed)
		w.f.Settings.Booking.HoldOnPropose, w.f.Service.Capacity = true, 1+int(seed/2%2)
		w.f.Settings.Negotiation.MaxRounds, w.f.Settings.Negotiation.Binding = 10, seed%3 > 0
		w.f.Settings.Negotiation.AI.MayProposeChanges = true
		random := rand.New(rand.NewPCG(seed, 3))
		for range 40 {
			w.changeAnything(random, met)
		}
	}
	for _, event := range []string{
		"propose_change ours", "propose_change theirs", "accept_change ours", "accept_change theirs", "decline_change ours", "decline_change theirs",
		"retract_change ours", "retract_change theirs", "expire_change", "changes_left", "no_offer", "slot_taken", "total_fixed", "offer_non_binding",
		"change_lapsed",
	} {
		if met[event] == 0 {
			t.Errorf("never met %s: %v", event, met)
		}
	}
}

// changeAnything is one act of anybody's about a change, and what holds after it.
func (w *world) changeAnything(random *rand.Rand, met map[string]int) {
	w.t.Helper()
	who := []string{"C", "C", "P owner", "P staff", "K$", "R", "S"}[random.IntN(7)]
	c := w.actors()[who]
	event := []string{"propose_change", "propose_change", "accept_change", "decline_change", "retract_change", "expire_change", "request_payment"}[random.IntN(7)]
	if w.f.Record.DueKind == "expire_change" && random.IntN(8) == 0 {
		w.now, c, event = max(w.now, *w.f.Record.DueAt), sweeper, "expire_change"
	}
	r := request(event)
	if event == "propose_change" {
		r.Input = []byte(w.anyChange(random))
	}
	before, open := w.kept(), w.f.Offer
	out, err := w.decide(c, r)
	if err != nil {
		p := problem(w.t, err)
		met[string(p.Code)]++
		met[strings.Split(refusal(p)+" ", " ")[0]]++
		return
	}
	w.ok(out, err)
	side := map[bool]string{true: " theirs", false: " ours"}[c.IsCustomer()]
	if event == "expire_change" {
		side = ""
	}
	met[event+side]++
	rec := w.f.Record
	switch {
	case event == "request_payment":
	case rec.Agreement.Changes > 0 && w.f.Offer.ID == open.ID && w.f.Offer.Status == inbox.OfferAccepted && event == "accept_change":
		if !standsOn(rec.Item.Payload.Clone(), open) {
			w.t.Errorf("agreed on %s, stands %s", open.Terms, mustJSON(rec.Item.Payload))
		}
	case w.kept() != before:
		w.t.Errorf("%s moved the promise:\n%s\n%s", event, before, w.kept())
	}
	w.onePlace(rec.Item)
	if a := rec.Agreement; a.Changes > 3 {
		w.t.Errorf("%d changes", a.Changes)
	}
	if b := rec.Item.Payload.Booking; b != nil && (negotiation.Shifted(rec.Agreement.Due, b.StartTime) || negotiation.Shifted(rec.Agreement.End, b.EndTime)) {
		w.t.Errorf("booked for %s, first agreed %s", b.StartTime, rec.Agreement.Due)
	}
	if n := len(w.places); n > 2 || n == 2 && rec.HeldFor == nil {
		w.t.Errorf("places %v", w.places)
	}
}

// anyChange is the input of some change, possible or not.
func (w *world) anyChange(random *rand.Rand) string {
	if w.f.Record.Item.Type == inbox.TypeBooking {
		to := start.Add(random.Int64N(16) * 30 * inbox.Minute)
		if random.IntN(4) == 0 {
			to = to.Add((80 + random.Int64N(20)) * inbox.Day)
		}
		in := inbox.ChangeTimeInput{StartTime: to}
		if random.IntN(3) == 0 {
			in.TotalPrice = eur(random.Int64N(5000))
		}
		return string(mustJSON(in))
	}
	in := inbox.ChangeOrderInput{}
	if random.IntN(2) == 0 {
		in.OrderedItem, in.Lines = anyOrder(random), []inbox.ChangeLine{{Index: random.IntN(2), Quantity: random.Int64N(4)}}
	}
	if random.IntN(2) == 0 {
		when := monday.Add((1 + random.Int64N(150)) * inbox.Day)
		in.DeliveryWhen, in.Delivery = &when, &inbox.Delivery{Method: "pickup", When: &when}
	}
	return orderChange(in)
}

// TestStaleChange: of a change that lapsed more than seven days ago nobody is
// mailed (01 §13.4).
func TestStaleChange(t *testing.T) {
	for late, want := range map[int64]string{0: "notify_customer:expire_change", 7 * inbox.Day: "notify_customer:expire_change", 7*inbox.Day + 1: ""} {
		w := inState(t, inbox.TypeOrder, inbox.StateAccepted)
		w.askChange(inbox.SideCustomer)
		w.now = w.f.Record.DueAt.Add(late)
		if got := strings.Join(told(w.fire(sweeper, "expire_change").Write), " "); got != want {
			t.Errorf("%d late: %q", late, got)
		}
	}
}

package decide

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
)

// TestRandomLives fires random events by random actors at random moments, in 200
// lives. The world checks every write: versions without gaps, one open offer,
// the pointer and the ledger at one, places taken once and released by who holds
// them, facts unchanged. Terminal states stay, and what is refused is a problem.
func TestRandomLives(t *testing.T) {
	for seed := range uint64(200) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { liveOnce(t, seed) })
	}
}

func liveOnce(t *testing.T, seed uint64) {
	random := rand.New(rand.NewPCG(seed, 1))
	w := newWorld(t)
	w.source = seeded(seed)
	actors := []string{"C", "P owner", "P staff", "A", "A owner key", "K", "K$", "R", "X", "S"}
	w.f.Settings.Booking.HoldOnPropose = seed%2 == 0
	w.f.Settings.Negotiation.Binding = seed%5 < 3
	w.f.Settings.Negotiation.PriceCounters = seed%7 == 0
	creator, request := w.customer(), bookingRequest()
	if seed%3 == 0 {
		creator = owner
	}
	if seed%4 == 0 {
		request = messageRequest()
	}
	w.create(creator, request)
	table := machine.Of(request.Type)
	events := table.Events()
	for range 40 {
		if random.IntN(4) == 0 {
			w.now = w.now.Add(random.Int64N(30 * inbox.Hour))
		}
		was := w.f.Record.Item
		out, err := w.anything(random, w.actors()[actors[random.IntN(len(actors))]], events[random.IntN(len(events))])
		if err != nil {
			problem(t, err)
			continue
		}
		w.ok(out, nil)
		is := w.f.Record.Item
		if table.IsTerminal(was.State) && !table.IsTerminal(is.State) {
			t.Errorf("%s led to %s", was.State, is.State)
		}
		if (is.ClosedAt != nil) != (table.IsTerminal(is.State) || is.State == inbox.StateClosed || is.State == inbox.StateSpam) {
			t.Errorf("in %s, closed at %v", is.State, is.ClosedAt)
		}
		promised := is.State == inbox.StateConfirmed || is.State == inbox.StateCompleted || is.State == inbox.StateNoShow
		if held := len(w.f.Record.Claims) > 0; held != (promised || w.f.Offer != nil && w.f.Offer.Pointer().Held) {
			t.Errorf("in %s with places %v", is.State, w.f.Record.Claims)
		}
		if b := is.Payload.Booking; b != nil && (is.State == inbox.StateProposed) != (b.Proposed != nil) && !table.IsTerminal(is.State) {
			t.Errorf("in %s with %+v", is.State, b.Proposed)
		}
		if !table.IsTerminal(is.State) && is.Type == inbox.TypeBooking && w.f.Record.Clocked && w.f.Record.DueAt == nil {
			t.Errorf("%s waits for ever", is.State)
		}
	}
}

// anything is one act of a caller's.
func (w *world) anything(random *rand.Rand, c inbox.Caller, event string) (Outcome, error) {
	texts := []string{"", "fine", "It is €30.", secret}
	text := texts[random.IntN(len(texts))]
	hour := start.Add(random.Int64N(8) * 30 * inbox.Minute)
	price := []*inbox.Money{nil, nil, eur(2000), {Value: 1, Currency: "USD"}}[random.IntN(4)]
	sha := ""
	if w.f.Offer != nil && random.IntN(4) > 0 {
		sha = w.f.Offer.TermsSHA
	}
	switch event {
	case "propose":
		return w.decide(c, request(event, string(mustJSON(inbox.ProposeTimeInput{StartTime: hour, EndTime: hour.Add(inbox.Hour), TotalPrice: price, Note: text}))))
	case "counter":
		return w.decide(c, request(event, string(mustJSON(inbox.CounterTimeInput{StartTime: hour, TotalPrice: price, Note: text}))))
	}
	switch random.IntN(16) {
	case 3:
		return w.accept(c, inbox.AcceptOfferRequest{TermsSHA: sha})
	case 4:
		return w.declineOffer(c, inbox.DeclineOfferRequest{Reason: text})
	case 5, 6:
		return w.makeOffer(c, inbox.MakeOfferRequest{Terms: inbox.Suggestion{StartTime: &hour, TotalPrice: price}, Note: text})
	case 0:
		return w.pure(func() (Outcome, error) { return Cancel(w.f, c, text, w.env()) })
	case 1:
		return w.pure(func() (Outcome, error) { return Details(w.f, c, "more "+text, w.env()) })
	case 2:
		r := inbox.ReplyRequest{Body: "well " + text, Internal: random.IntN(2) == 0}
		return w.pure(func() (Outcome, error) { return Reply(w.f, c, r, w.env()) })
	}
	return w.decide(c, request(event, string(mustJSON(inbox.NoteInput{Note: text}))))
}

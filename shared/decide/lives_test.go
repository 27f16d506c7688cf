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
		if held := len(w.f.Record.Claims) > 0; held != (is.State == inbox.StateConfirmed || is.State == inbox.StateCompleted || is.State == inbox.StateNoShow) {
			t.Errorf("in %s with places %v", is.State, w.f.Record.Claims)
		}
	}
}

// anything is one act of a caller's.
func (w *world) anything(random *rand.Rand, c inbox.Caller, event string) (Outcome, error) {
	texts := []string{"", "fine", "It is €30.", secret}
	text := texts[random.IntN(len(texts))]
	switch random.IntN(8) {
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

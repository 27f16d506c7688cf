package desk_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
)

// booked is a confirmed booking of agreedStart, and its customer.
func (w *world) booked() (id string, mine inbox.Call) {
	w.t.Helper()
	id, mine, sha := w.proposed()
	_, err := w.AcceptOffer(w.ctx, mine, inbox.AcceptOfferRequest{ItemID: id, TermsSHA: sha})
	w.must(err)
	return id, mine
}

// bookedAt is a booking that the business confirmed, of a start.
func (w *world) bookedAt(start inbox.Instant) (id string) {
	w.t.Helper()
	a, err := w.CreateBooking(w.ctx, inbox.Call{Caller: agent}, inbox.CreateBookingRequest{
		Payload: inbox.Booking{ReservationFor: inbox.ReservationFor{ServiceID: serviceID, Name: "x"}, StartTime: start, EndTime: start.Add(inbox.Hour)},
	})
	w.must(err)
	var made inbox.Created
	w.must(json.Unmarshal(a.Body, &made))
	w.must(w.moved(made.View.Item.ID, "confirm", nil))
	return made.View.Item.ID
}

// agreedStart is when the booking of [world.booked] starts, asked is what changes
// of it ask for.
const (
	agreedStart = now + 4*inbox.Instant(inbox.Day)
	asked       = now + 6*inbox.Instant(inbox.Day) + 5*inbox.Instant(inbox.Minute) // on the grid
)

func changeTo(start inbox.Instant) json.RawMessage {
	return json.RawMessage(fmt.Sprintf(`{"startTime":%q}`, start))
}

// moved fires an event as the owner.
func (w *world) moved(id, event string, input json.RawMessage) error {
	_, err := w.TransitionItem(w.ctx, inbox.Call{Caller: owner}, inbox.TransitionRequest{ItemID: id, Event: event, Input: input})
	return err
}

// well fails when the inbox does not hold together.
func (w *world) well() {
	w.t.Helper()
	if found, err := w.store.Check(w.ctx); err != nil || len(found) > 0 {
		w.t.Errorf("%v\n%s", err, strings.Join(found, "\n"))
	}
}

// TestChangeIsRead: while a change is open what was agreed is read beside it, by
// whatever way the item is read, and comes back byte for byte when it is let go.
func TestChangeIsRead(t *testing.T) {
	w := newWorld(t)
	id, mine := w.booked()
	before, was := w.view(id, mine), w.promise(id)
	w.must(w.moved(id, "propose_change", changeTo(asked)))
	v := w.view(id, mine)
	if v.Agreed == nil || v.Agreed.TermsSHA != before.Agreed.TermsSHA || v.Offer == nil || v.Offer.Kind != inbox.FormChange {
		t.Errorf("agreed %+v, offer %+v", v.Agreed, v.Offer)
	}
	w.well()
	a, err := w.SuggestTime(w.ctx, mine, inbox.SuggestTimeRequest{ItemID: id, StartTime: asked + inbox.Instant(inbox.Hour), Note: "rather"})
	w.must(err)
	var said inbox.CustomerResult
	w.must(json.Unmarshal(a.Body, &said))
	if said.View.Agreed == nil || said.View.Agreed.TermsSHA != before.Agreed.TermsSHA || said.View.RequestedChange == nil {
		t.Errorf("agreed %+v, asked %+v", said.View.Agreed, said.View.RequestedChange)
	}
	w.must(w.moved(id, "decline_change", nil))
	after := w.view(id, mine)
	is := w.promise(id)
	if was != is || after.Agreed.TermsSHA != before.Agreed.TermsSHA {
		t.Errorf("was %s\nis  %s", was, is)
	}
	w.well()
}

// promise is the payload and the places of an item, as they are stored.
func (w *world) promise(id string) string {
	w.t.Helper()
	rec, err := w.store.Item(w.ctx, id)
	w.must(err)
	raw, err := json.Marshal([]any{rec.Item.Payload, rec.Claims, rec.AgreedOffer})
	w.must(err)
	return string(raw)
}

func (w *world) bookedFor(id string) inbox.Instant {
	w.t.Helper()
	rec, err := w.store.Item(w.ctx, id)
	w.must(err)
	return rec.Item.Payload.Booking.StartTime
}

// TestChangeCalls: a change is asked for and answered with as many storage calls
// as an offer before the promise.
func TestChangeCalls(t *testing.T) {
	for name, c := range map[string]struct {
		calls int
		open  bool
		do    func(w *world, id string, mine inbox.Call, sha string) error
	}{
		"ok/the customer asks": {4, false, func(w *world, id string, mine inbox.Call, _ string) error {
			_, err := w.SuggestTime(w.ctx, mine, inbox.SuggestTimeRequest{ItemID: id, StartTime: asked})
			return err
		}},
		"ok/we ask": {3, false, func(w *world, id string, _ inbox.Call, _ string) error {
			return w.moved(id, "propose_change", changeTo(asked))
		}},
		"ok/we record": {3, true, func(w *world, id string, _ inbox.Call, _ string) error { return w.moved(id, "accept_change", nil) }},
		"ok/the customer accepts": {4, true, func(w *world, id string, mine inbox.Call, sha string) error {
			_, err := w.AcceptOffer(w.ctx, mine, inbox.AcceptOfferRequest{ItemID: id, TermsSHA: sha})
			return err
		}},
		"ok/the customer declines": {4, true, func(w *world, id string, mine inbox.Call, _ string) error {
			_, err := w.DeclineOffer(w.ctx, mine, inbox.DeclineOfferRequest{ItemID: id})
			return err
		}},
	} {
		w := newWorld(t)
		id, mine := w.booked()
		if c.open {
			w.must(w.moved(id, "propose_change", changeTo(asked)))
		}
		sha := ""
		if v := w.view(id, mine); v.Offer != nil {
			sha = v.Offer.TermsSHA
		}
		w.db.Reset()
		if err := c.do(w, id, mine, sha); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := w.db.Calls(); got != c.calls {
			t.Errorf("%s: %d storage calls, want %d", name, got, c.calls)
		}
		w.well()
	}
}

// TestChangeTakesItsTimeOnce: two bookings that ask for one time, answered at
// once: one moves there, the other keeps its own place and is told.
func TestChangeTakesItsTimeOnce(t *testing.T) {
	w := newWorld(t)
	var ids [2]string
	for i := range ids {
		id := w.bookedAt(now.Add(int64(2+i) * inbox.Day))
		w.must(w.moved(id, "propose_change", changeTo(asked)))
		ids[i] = id
	}
	moved := 0
	for _, err := range w.atOnce(
		func() error { return w.moved(ids[0], "accept_change", nil) },
		func() error { return w.moved(ids[1], "accept_change", nil) },
	) {
		switch p, _ := err.(*inbox.Problem); {
		case err == nil:
			moved++
		case p == nil || p.Code != inbox.CodeSlotTaken:
			t.Errorf("%v", err)
		}
	}
	if moved != 1 {
		t.Errorf("%d moved", moved)
	}
	w.well()
}

// TestYesAndNoAtOnce: a yes and a no to a change at once: one of them stands, and
// the promise has one set of places.
func TestYesAndNoAtOnce(t *testing.T) {
	for range 5 {
		w := newWorld(t)
		id, mine := w.booked()
		_, err := w.SuggestTime(w.ctx, mine, inbox.SuggestTimeRequest{ItemID: id, StartTime: asked})
		w.must(err)
		stood := 0
		for _, err := range w.atOnce(
			func() error { return w.moved(id, "accept_change", nil) },
			func() error {
				_, err := w.DeclineOffer(w.ctx, mine, inbox.DeclineOfferRequest{ItemID: id})
				return err
			},
		) {
			switch p, _ := err.(*inbox.Problem); {
			case err == nil:
				stood++
			case p == nil || p.Code != inbox.CodeNoOffer:
				t.Errorf("%v", err)
			}
		}
		if at := w.bookedFor(id); stood != 1 || at != agreedStart && at != asked {
			t.Errorf("%d answers stand, booked for %s", stood, at)
		}
		w.well()
	}
}

// atOnce releases calls from one closed channel and answers their errors.
func (w *world) atOnce(calls ...func() error) []error {
	errs := make([]error, len(calls))
	gate := make(chan struct{})
	var all sync.WaitGroup
	for i, call := range calls {
		all.Go(func() {
			<-gate
			errs[i] = call()
		})
	}
	close(gate)
	all.Wait()
	return errs
}

// TestChangeOfWhatMoves: the item moves between the read and the write of a yes to
// a change: of another change it is not the yes, and a note beside it is nothing.
func TestChangeOfWhatMoves(t *testing.T) {
	for name, c := range map[string]struct {
		meanwhile func(w *world, id string) error
		code      inbox.Code
		start     inbox.Instant
	}{
		"ok/a note": {func(w *world, id string) error {
			_, err := w.Reply(w.ctx, inbox.Call{Caller: owner}, inbox.ReplyRequest{ItemID: id, Body: "A regular.", Internal: true})
			return err
		}, "", asked},
		"fail/another time": {func(w *world, id string) error {
			return w.moved(id, "propose_change", changeTo(asked+inbox.Instant(inbox.Hour)))
		}, inbox.CodeOfferChanged, agreedStart},
		"fail/recorded meanwhile": {func(w *world, id string) error { return w.moved(id, "accept_change", nil) }, inbox.CodeNoOffer, asked},
	} {
		t.Run(name, func(t *testing.T) {
			m := &meddling{}
			w := newWorldOn(t, func(db table.Database) table.Database { m.Database = db; return m })
			id, mine := w.booked()
			w.must(w.moved(id, "propose_change", changeTo(asked)))
			sha := w.view(id, mine).Offer.TermsSHA
			m.first = func() { w.must(c.meanwhile(w, id)) }
			_, err := w.AcceptOffer(w.ctx, mine, inbox.AcceptOfferRequest{ItemID: id, TermsSHA: sha})
			p, _ := err.(*inbox.Problem)
			if (p == nil) != (c.code == "") || p != nil && p.Code != c.code || p == nil && err != nil {
				t.Errorf("answered %v, want %q", err, c.code)
			}
			if got := w.bookedFor(id); got != c.start {
				t.Errorf("booked for %s, want %s", got, c.start)
			}
			w.well()
		})
	}
}

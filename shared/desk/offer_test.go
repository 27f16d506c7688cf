package desk_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
	"typedinbox/shared/table"
)

// meddling does something once, right before the next transaction.
type meddling struct {
	table.Database
	first func()
}

func (m *meddling) Transact(ctx context.Context, token string, actions []table.Action) error {
	if do := m.first; do != nil {
		m.first = nil
		do()
	}
	return m.Database.Transact(ctx, token, actions)
}

// proposed is a booking that waits for its customer's answer to another time:
// its id, the customer, and the fingerprint of the terms.
func (w *world) proposed() (id string, mine inbox.Call, sha string) {
	w.t.Helper()
	w.must(w.store.SaveSetUp(w.ctx, store.SetUp{Weeks: []store.WeekDoc{{Version: 1, Week: inbox.Week{
		"mon": {{"00:00", "24:00"}}, "tue": {{"00:00", "24:00"}}, "wed": {{"00:00", "24:00"}}, "thu": {{"00:00", "24:00"}},
		"fri": {{"00:00", "24:00"}}, "sat": {{"00:00", "24:00"}}, "sun": {{"00:00", "24:00"}},
	}}}}))
	start := now.Add(3 * inbox.Day)
	a, err := w.CreateBooking(w.ctx, inbox.Call{Caller: agent}, inbox.CreateBookingRequest{
		Payload: inbox.Booking{ReservationFor: inbox.ReservationFor{ServiceID: serviceID, Name: "x"}, StartTime: start, EndTime: start.Add(inbox.Hour)},
		Contact: &inbox.Contact{Email: "ana@example.com"},
	})
	w.must(err)
	var made inbox.Created
	w.must(json.Unmarshal(a.Body, &made))
	mine = inbox.Call{Caller: agent}
	mine.Caller.AccessToken = made.AccessToken
	id = made.View.Item.ID
	w.put(id, start.Add(inbox.Day))
	return id, mine, w.view(id, mine).Offer.TermsSHA
}

// put proposes a time as the owner.
func (w *world) put(id string, start inbox.Instant) {
	w.t.Helper()
	_, err := w.PutOffer(w.ctx, inbox.Call{Caller: owner}, inbox.PutOfferRequest{
		ItemID: id, Input: json.RawMessage(fmt.Sprintf(`{"startTime":%q,"endTime":%q}`, start, start.Add(inbox.Hour))),
	})
	w.must(err)
}

func (w *world) view(id string, mine inbox.Call) (v inbox.CustomerView) {
	w.t.Helper()
	a, err := w.GetItemStatus(w.ctx, mine, inbox.ItemStatusQuery{ItemID: id})
	w.must(err)
	w.must(json.Unmarshal(a.Body, &v))
	return v
}

// TestOfferCalls: an answer of the customer's reads the item with its
// conversation and what stands beside it, then what the item names, and writes
// once; the business's offer needs no conversation.
func TestOfferCalls(t *testing.T) {
	for name, c := range map[string]struct {
		calls int
		do    func(w *world, id string, mine inbox.Call, sha string) (inbox.Answer, error)
	}{
		"ok/accept": {4, func(w *world, id string, mine inbox.Call, sha string) (inbox.Answer, error) {
			return w.AcceptOffer(w.ctx, mine, inbox.AcceptOfferRequest{ItemID: id, TermsSHA: sha})
		}},
		"ok/decline": {4, func(w *world, id string, mine inbox.Call, _ string) (inbox.Answer, error) {
			return w.DeclineOffer(w.ctx, mine, inbox.DeclineOfferRequest{ItemID: id})
		}},
		"ok/another time": {4, func(w *world, id string, mine inbox.Call, _ string) (inbox.Answer, error) {
			return w.SuggestTime(w.ctx, mine, inbox.SuggestTimeRequest{ItemID: id, StartTime: now.Add(5*inbox.Day + 5*inbox.Minute)})
		}},
		"ok/passed on": {4, func(w *world, id string, mine inbox.Call, _ string) (inbox.Answer, error) {
			return w.MakeOffer(w.ctx, mine, inbox.MakeOfferRequest{ItemID: id, Terms: inbox.Suggestion{PartySize: inbox.Ptr(3)}})
		}},
		"ok/put": {3, func(w *world, id string, _ inbox.Call, _ string) (inbox.Answer, error) {
			start := now.Add(6 * inbox.Day)
			return w.PutOffer(w.ctx, inbox.Call{Caller: owner}, inbox.PutOfferRequest{
				ItemID: id, Input: json.RawMessage(fmt.Sprintf(`{"startTime":%q,"endTime":%q}`, start, start.Add(inbox.Hour))),
			})
		}},
		"ok/list": {2, func(w *world, id string, _ inbox.Call, _ string) (inbox.Answer, error) {
			return w.ListOffers(w.ctx, inbox.Call{Caller: owner}, inbox.ItemRequest{ItemID: id})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			id, mine, sha := w.proposed()
			w.db.Reset()
			if _, err := c.do(w, id, mine, sha); err != nil {
				t.Fatal(err)
			}
			if got := w.db.Calls(); got != c.calls {
				t.Errorf("%d storage calls, want %d", got, c.calls)
			}
		})
	}
}

// TestYesToAnOfferThatMoves: the item moves between the read and the write. A
// note beside changes nothing about the yes; another offer is not what the
// customer said yes to, and nothing is promised.
func TestYesToAnOfferThatMoves(t *testing.T) {
	for name, c := range map[string]struct {
		meanwhile func(w *world, id string)
		code      inbox.Code
		state     inbox.State
	}{
		"ok/a note": {func(w *world, id string) {
			_, err := w.Reply(w.ctx, inbox.Call{Caller: owner}, inbox.ReplyRequest{ItemID: id, Body: "A regular.", Internal: true})
			w.must(err)
		}, "", inbox.StateConfirmed},
		"fail/another time": {func(w *world, id string) { w.put(id, now.Add(6*inbox.Day)) }, inbox.CodeOfferChanged, inbox.StateProposed},
		"fail/declined": {func(w *world, id string) {
			_, err := w.TransitionItem(w.ctx, inbox.Call{Caller: owner}, inbox.TransitionRequest{Event: "cancel_by_business", ItemID: id})
			w.must(err)
		}, inbox.CodeNoOffer, inbox.StateCancelledByBusiness},
	} {
		t.Run(name, func(t *testing.T) {
			m := &meddling{}
			w := newWorldOn(t, func(db table.Database) table.Database { m.Database = db; return m })
			id, mine, sha := w.proposed()
			m.first = func() { c.meanwhile(w, id) }
			_, err := w.AcceptOffer(w.ctx, mine, inbox.AcceptOfferRequest{ItemID: id, TermsSHA: sha})
			p, _ := err.(*inbox.Problem)
			if (p == nil) != (c.code == "") || p != nil && p.Code != c.code || p == nil && err != nil {
				t.Errorf("answered %v, want %q", err, c.code)
			}
			if got := w.view(id, mine).Item.State; got != c.state {
				t.Errorf("state %s, want %s", got, c.state)
			}
		})
	}
}

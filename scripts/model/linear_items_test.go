package model

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/anishathalye/porcupine"

	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
)

// fire fires an event of the business's.
func (s *shop) fire(id, event string, input any) (inbox.Answer, error) {
	r := inbox.TransitionRequest{ItemID: id, Event: event}
	if input != nil {
		raw, err := json.Marshal(input)
		if err != nil {
			return inbox.Answer{}, err
		}
		r.Input = raw
	}
	return s.desk.TransitionItem(s.ctx, business, r)
}

// itemOp is an operation on one item; expected is the version that the caller
// means, 0 for any.
type itemOp struct {
	kind, id, event string
	expected        int
}

// itemAnswer is the item after it, or why not.
type itemAnswer struct {
	code    inbox.Code
	state   string
	version int
}

// life is the model of an item.
type life struct {
	state   string
	version int
}

func (l life) step(o itemOp, a itemAnswer) (bool, life) {
	if a.code == inbox.CodeUnavailable {
		return true, l
	}
	next := l
	switch {
	case o.event == "create":
		next = life{map[string]string{"booking": "requested", "message": "open"}[o.kind], 1}
	case o.event == "read":
	case o.event == "details":
		for _, event := range []string{"provide_info", "reopen"} {
			if to, _ := target(o.kind, event, l.state); to != "" {
				next = life{to, l.version + 1}
			}
		}
	case o.expected != 0 && o.expected != l.version:
		return a.code == inbox.CodeVersionConflict, l
	default:
		to, _ := target(o.kind, o.event, l.state)
		if to == "" {
			return a.code == inbox.CodeWrongState, l
		}
		next = life{to, l.version + 1}
	}
	seen := next.state
	if o.event == "details" && seen == "spam" {
		seen = "closed" // as the customer reads it
	}
	return a.code == "" && a.state == seen && a.version == next.version, next
}

var itemModel = porcupine.Model{
	Partition: partition(func(o itemOp) string { return o.id }),
	Init:      func() any { return life{} },
	Step: func(state, input, output any) (bool, any) {
		return state.(life).step(input.(itemOp), output.(itemAnswer))
	},
}

// items plays clients who move the same few items.
type items struct {
	*shop
	spots []*atomic.Pointer[standing]
}

func newItems(t testing.TB, seed uint64, wrap func(table.Database) table.Database) *items {
	s := &items{shop: openShop(t, seed, wrap)}
	s.furnish(false, 100)
	for range 6 {
		s.spots = append(s.spots, new(atomic.Pointer[standing]))
	}
	return s
}

var movesOf = map[string][]string{
	"booking": {"request_info", "request_info", "details", "details", "confirm", "decline", "cancel_by_business", "read"},
	"message": {"answer", "answer", "reopen", "reopen", "close", "mark_spam", "unspam", "details", "read"},
}

func (s *items) step(client int, r *rand.Rand) {
	n := r.IntN(len(s.spots))
	kind := []string{"booking", "message"}[n%2]
	i := s.spots[n].Load()
	if i == nil || (kind == "booking" && i.tries.Add(1) > 20) {
		s.create(client, kind, s.spots[n])
		return
	}
	o := itemOp{kind: kind, id: i.id, event: movesOf[kind][r.IntN(len(movesOf[kind]))]}
	if !slices.Contains([]string{"read", "details"}, o.event) && r.IntN(3) == 0 {
		o.expected = s.versionOf(i.id)
	}
	s.do(client, o, func() (any, string) {
		out := s.move(o, i)
		return out, o.event + " " + string(out.code)
	})
}

// move does the operation.
func (s *items) move(o itemOp, i *standing) itemAnswer {
	var a inbox.Answer
	var err error
	switch o.event {
	case "read":
		a, err = s.desk.GetItem(s.ctx, business, inbox.ItemRequest{ItemID: o.id})
	case "details":
		a, err = s.desk.ProvideDetails(s.ctx, customer(i.token), inbox.ProvideDetailsRequest{ItemID: o.id, Details: "Outdoors."})
	default:
		r := inbox.TransitionRequest{ItemID: o.id, Event: o.event, Input: json.RawMessage(inputOf[o.event])}
		if o.expected != 0 {
			r.ExpectedVersion = &o.expected
		}
		a, err = s.desk.TransitionItem(s.ctx, business, r)
	}
	if err != nil {
		return itemAnswer{code: s.codeOf(err)}
	}
	return seenIn(a)
}

var inputOf = map[string]string{"request_info": `{"note":"Where?"}`, "answer": `{"note":"Yes."}`, "reopen": `{"note":"Once more."}`}

// seenIn is the item in an answer, whoever it is for.
func seenIn(a inbox.Answer) itemAnswer {
	var body struct {
		Item *inbox.Item
		View *struct{ Item inbox.Item }
	}
	if err := json.Unmarshal(a.Body, &body); err != nil || (body.Item == nil) == (body.View == nil) {
		return itemAnswer{state: "unreadable " + string(a.Body)}
	}
	if body.Item == nil {
		body.Item = &body.View.Item
	}
	return itemAnswer{state: string(body.Item.State), version: body.Item.Version}
}

// versionOf is a version that somebody read, perhaps a while ago.
func (s *items) versionOf(id string) int {
	a, err := s.desk.GetItem(s.ctx, business, inbox.ItemRequest{ItemID: id})
	if err != nil {
		return 1
	}
	return seenIn(a).version
}

func (s *items) create(client int, kind string, spot *atomic.Pointer[standing]) {
	old := spot.Load()
	var a inbox.Answer
	var err error
	contact := &inbox.Contact{Name: fmt.Sprint("Client ", client)}
	if kind == "message" {
		a, err = s.desk.SendMessage(s.ctx, customer(""), inbox.SendMessageRequest{Body: "Hello?", Contact: contact})
	} else {
		a, err = s.desk.CreateBooking(s.ctx, customer(""), inbox.CreateBookingRequest{
			Payload: inbox.Booking{
				ReservationFor: inbox.ReservationFor{ServiceID: s.services[0], Name: "Chair"},
				StartTime:      placesAt, EndTime: placesAt.Add(40 * inbox.Minute),
			}, Contact: contact,
		})
	}
	if code := s.codeOf(err); code != "" {
		if code != inbox.CodeUnavailable {
			s.t.Errorf("create: %v", err)
		}
		return
	}
	i := &standing{id: answered(a).str("view", "item", "id"), token: answered(a).str("access_token")}
	s.do(client, itemOp{kind: kind, id: i.id, event: "create"}, func() (any, string) { return seenIn(a), "create" })
	spot.CompareAndSwap(old, i)
}

// TestLinearItems: whatever many clients do to one item, it is as if one had
// been after the other, and every version is one step.
func TestLinearItems(t *testing.T) {
	for seed := range number("LINEAR_SEEDS", linearSeeds) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			s := newItems(t, uint64(seed), nil)
			s.play(uint64(seed), linearSteps, s.step)
			if got := s.check(itemModel); got != porcupine.Ok {
				t.Errorf("the history is %s", got)
				s.explain(itemModel)
			}
			s.reachedAll("request_info ", "details ", "confirm ", "confirm wrong_state", "answer ", "answer wrong_state", "reopen ",
				"unspam ", "read ", "answer version_conflict")
			s.sound()
		})
	}
}

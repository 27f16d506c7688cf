package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/anishathalye/porcupine"

	"typedinbox/shared/calendar"
	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
)

// The places: three, each a service with a few chairs at one hour.
var (
	chairs   = []int{1, 2, 3}
	placesAt = start.Add(3 * inbox.Day)
)

const spotsOfAPlace = 5

// placeOp is an operation on an item that wants a chair.
type placeOp struct {
	place int
	verb  string
	item  string
	offer string // the one that is accepted
}

// placeAnswer is what came of it.
type placeAnswer struct {
	code  inbox.Code
	offer string // the one that was made
	count int    // the chairs that are taken, of a look
}

// hall is the model of a place: each item that is not done with, as
// "id state offer"; done ones are gone. State is a string, so that equal states
// are.
type hall string

func (h hall) items() []string { return strings.Split(string(h), "|") }

func (h hall) of(id string) (state, offer string) {
	for _, i := range h.items() {
		if f := strings.Fields(i); len(f) > 1 && f[0] == id {
			return f[1], strings.Join(f[2:], "")
		}
	}
	return "", ""
}

func (h hall) with(id, state, offer string) hall {
	list := slices.DeleteFunc(h.items(), func(i string) bool { return i == "" || strings.HasPrefix(i, id+" ") })
	if state != "" {
		list = append(list, strings.TrimSpace(id+" "+state+" "+offer))
	}
	slices.Sort(list)
	return hall(strings.Join(list, "|"))
}

func (h hall) taken() int {
	n := 0
	for _, i := range h.items() {
		if f := strings.Fields(i); len(f) > 1 && (f[1] == "held" || f[1] == "confirmed") {
			n++
		}
	}
	return n
}

// step is one operation on a place (01 §5.1, §10.5, §10.6).
//
// A refusal for want of a chair is judged on the chairs as they were read after
// the item; it says only that they were taken. What was done holds for both, as
// both were written together. A proposal that holds nothing writes no chair, so
// it may be judged on chairs that someone took meanwhile.
func (h hall) step(o placeOp, a placeAnswer, hold bool) (bool, hall) {
	state, offer := h.of(o.item)
	full := h.taken() >= chairs[o.place]
	switch a.code {
	case inbox.CodeUnavailable:
		return true, h
	case inbox.CodeSlotTaken:
		return full && slices.Contains([]string{"confirm", "accept", "propose"}, o.verb), h
	}
	ok, refused := a.code == "", a.code == inbox.CodeWrongState
	switch o.verb {
	case "create":
		return ok, h.with(o.item, "requested", "")
	case "look":
		return ok && a.count == h.taken(), h
	case "confirm":
		switch state {
		case "requested", "proposed":
			return ok && !full, h.with(o.item, "confirmed", "")
		case "held":
			return ok, h.with(o.item, "confirmed", "")
		}
		return refused, h
	case "propose":
		if state == "" || state == "confirmed" {
			return refused, h
		}
		if hold {
			return ok && (state == "held" || !full), h.with(o.item, "held", a.offer)
		}
		return ok, h.with(o.item, "proposed", a.offer)
	case "accept":
		switch {
		case state != "held" && state != "proposed":
			return a.code == inbox.CodeNoOffer, h
		case o.offer != offer:
			return a.code == inbox.CodeOfferChanged, h
		}
		return ok && (state == "held" || !full), h.with(o.item, "confirmed", "")
	case "retract":
		if state != "held" && state != "proposed" {
			return refused, h
		}
		return ok, h.with(o.item, "requested", "")
	}
	// cancel, cancel_by_business: out of every state that is not terminal.
	if state == "" {
		return refused, h
	}
	return ok, h.with(o.item, "", "")
}

func placeModel(hold bool) porcupine.Model {
	return porcupine.Model{
		Partition: partition(func(o placeOp) string { return fmt.Sprint(o.place) }),
		Init:      func() any { return hall("") },
		Step: func(state, input, output any) (bool, any) {
			return state.(hall).step(input.(placeOp), output.(placeAnswer), hold)
		},
	}
}

// places plays clients who compete for chairs.
type places struct {
	*shop
	spots [][]*atomic.Pointer[standing]
}

func newPlaces(t testing.TB, seed uint64, hold bool, wrap func(table.Database) table.Database) *places {
	p := &places{shop: openShop(t, seed, wrap)}
	p.furnish(hold, chairs...)
	for range chairs {
		spots := make([]*atomic.Pointer[standing], spotsOfAPlace)
		for n := range spots {
			spots[n] = new(atomic.Pointer[standing])
		}
		p.spots = append(p.spots, spots)
	}
	return p
}

// step is one operation of a client's.
func (p *places) step(client int, r *rand.Rand) {
	place := r.IntN(len(chairs))
	spot := p.spots[place][r.IntN(spotsOfAPlace)]
	i := spot.Load()
	if i == nil || i.tries.Add(1) > 12 {
		p.create(client, place, spot)
		return
	}
	verbs := []string{"confirm", "confirm", "propose", "propose", "accept", "accept", "accept", "retract", "cancel", "cancel_by_business", "look"}
	o := placeOp{place: place, verb: verbs[r.IntN(len(verbs))], item: i.id}
	switch o.verb {
	case "accept":
		p.accept(client, o, i)
	case "look":
		p.look(client, o)
	case "propose":
		p.do(client, o, func() (any, string) {
			from := placesAt.Add(10 * inbox.Minute)
			a, err := p.fire(i.id, "propose", inbox.ProposeTimeInput{StartTime: from, EndTime: from.Add(40 * inbox.Minute)})
			code := p.codeOf(err)
			out := placeAnswer{code: code}
			if err == nil {
				out.offer = answered(a).str("view", "item", "payload", "offer", "id")
			}
			return out, o.verb + " " + string(code)
		})
	case "cancel":
		p.simple(client, o, func() error {
			_, err := p.desk.CancelItem(p.ctx, customer(i.token), inbox.CancelItemRequest{ItemID: i.id})
			return err
		})
	default:
		p.simple(client, o, func() error { _, err := p.fire(i.id, o.verb, nil); return err })
	}
}

func (p *places) simple(client int, o placeOp, run func() error) {
	p.do(client, o, func() (any, string) {
		code := p.codeOf(run())
		return placeAnswer{code: code}, o.verb + " " + string(code)
	})
}

// accept reads what is offered and says yes to that, or to nothing.
func (p *places) accept(client int, o placeOp, i *standing) {
	_, err := p.desk.AcceptOffer(p.ctx, customer(i.token), inbox.AcceptOfferRequest{ItemID: i.id})
	sha := "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
	o.offer = "none"
	if p.codeOf(err) == inbox.CodeConfirmTerms {
		sha, o.offer = wanted409(err)
	}
	p.simple(client, o, func() error {
		_, err := p.desk.AcceptOffer(p.ctx, customer(i.token), inbox.AcceptOfferRequest{ItemID: i.id, OfferID: o.offer, TermsSHA: sha})
		return err
	})
}

func (p *places) look(client int, o placeOp) {
	p.do(client, o, func() (any, string) {
		claim := inbox.Claim{Resource: calendar.ResourceKey(p.services[o.place], "", false), From: placesAt, To: placesAt.Add(40 * inbox.Minute)}
		read, err := p.store.PlacesOf(p.ctx, claim.Rows())
		if err != nil {
			return placeAnswer{code: inbox.CodeUnavailable}, "look unavailable"
		}
		return placeAnswer{count: len(read.Claims)}, "look "
	})
}

// create puts a new item into a spot; another client may have been quicker, then
// the item stands aside and wants nothing.
func (p *places) create(client, place int, spot *atomic.Pointer[standing]) {
	old := spot.Load()
	a, err := p.desk.CreateBooking(p.ctx, customer(""), inbox.CreateBookingRequest{
		Payload: inbox.Booking{
			ReservationFor: inbox.ReservationFor{ServiceID: p.services[place], Name: "Chair"},
			StartTime:      placesAt, EndTime: placesAt.Add(40 * inbox.Minute),
		},
		Contact: &inbox.Contact{Name: fmt.Sprint("Client ", client)},
	})
	if err != nil {
		if c := p.codeOf(err); c != inbox.CodeUnavailable {
			p.t.Errorf("create: %v", err)
		}
		return
	}
	i := &standing{id: answered(a).str("view", "item", "id"), token: answered(a).str("access_token")}
	p.simple(client, placeOp{place: place, verb: "create", item: i.id}, func() error { return nil })
	if spot.CompareAndSwap(old, i) && old != nil {
		o := placeOp{place: place, verb: "cancel_by_business", item: old.id}
		p.simple(client, o, func() error { _, err := p.fire(old.id, o.verb, nil); return err })
	}
}

// TestLinearPlaces: whatever many clients do to items that compete for the same
// chairs, it is as if one had been after the other.
func TestLinearPlaces(t *testing.T) {
	for seed := range number("LINEAR_SEEDS", linearSeeds) {
		for _, hold := range []bool{false, true} {
			if hold != (seed%2 == 1) {
				continue
			}
			t.Run(fmt.Sprintf("seed %d hold %t", seed, hold), func(t *testing.T) {
				p := newPlaces(t, uint64(seed), hold, nil)
				p.play(uint64(seed), linearSteps, p.step)
				if got := p.check(placeModel(hold)); got != porcupine.Ok {
					t.Errorf("the history is %s", got)
					p.explain(placeModel(hold))
				}
				p.reachedAll("confirm ", "confirm slot_taken", "confirm wrong_state", "propose ", "accept ", "accept no_offer",
					"retract ", "cancel ", "cancel_by_business ", "look ")
				p.sound()
			})
		}
	}
}

// wanted409 is what a refusal asks a yes to: the terms and the offer.
func wanted409(err error) (sha, offer string) {
	var p *inbox.Problem
	if !errors.As(err, &p) {
		return "", ""
	}
	raw, _ := json.Marshal(p.Details)
	a := answer{body: raw}
	return a.str("terms_sha"), a.str("offer", "id")
}

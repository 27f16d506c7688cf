package decide

import (
	"fmt"
	"testing"

	"typedinbox/shared/inbox"
)

// TestChangeRounds: rounds begin again at every agreement, go on after a change
// that was let go, and past negotiation.maxRounds a person takes over; the
// business is never held (02 §1.6, §13.2).
func TestChangeRounds(t *testing.T) {
	w := inState(t, inbox.TypeBooking, inbox.StateConfirmed)
	ask := func(hours int64) int {
		out := w.ok(w.makeOffer(w.customer(), inbox.MakeOfferRequest{Terms: inbox.Suggestion{StartTime: inbox.Ptr(start.Add(hours * inbox.Hour))}}))
		return out.Status
	}
	offer := func(hours int64) { w.fire(owner, "propose_change", changeTo(start.Add(hours*inbox.Hour))) }
	said := []int{ask(4), ask(5)} // their own again is a round
	offer(6)
	said = append(said, ask(7))
	offer(5) // our own again is none
	said = append(said, ask(7))
	w.fire(w.customer(), "decline_change")
	said = append(said, ask(7))
	offer(3)
	w.fire(w.customer(), "accept_change")
	said = append(said, ask(2))
	if fmt.Sprint(said) != "[200 200 202 202 202 200]" {
		t.Errorf("answered %v", said)
	}
	const want = "1 customer 1 accepted, 2 customer 1 superseded, 3 customer 2 countered, 4 business 3 superseded, 5 business 3 declined, " +
		"6 business 4 accepted, 7 customer 1 open"
	if got := w.ledger(); got != want {
		t.Error(got)
	}
	for rev, parent := range map[int]int{2: 1, 3: 2, 4: 3, 5: 4, 6: 1, 7: 6} {
		if w.offers[rev].ParentID != w.offers[parent].ID {
			t.Errorf("offer %d answers another than %d", rev, parent)
		}
	}
}

// TestNetworks: which networks a change waits for (02 §4.5).
func TestNetworks(t *testing.T) {
	published, queued, on := Network{Published: true}, Network{Queued: true}, Network{Receipts: true}
	at := func(n Network, rules int) Network { n.Rules = rules; return n }
	for name, c := range map[string]struct {
		networks []Network
		do       func(*world)
		ok       bool
	}{
		"ok/none":                         {nil, nil, true},
		"ok/one that is neither":          {[]Network{{Origin: "x"}}, nil, true},
		"ok/it took it and reads changes": {[]Network{at(published, 6)}, nil, true},
		"ok/later rules":                  {[]Network{at(queued, 7), at(on, 6)}, nil, true},
		"ok/a test":                       {[]Network{published}, func(w *world) { w.f.Record.Item.Flags.Sandbox = true }, true},
		"ok/the business wrote it down":   {[]Network{published}, func(w *world) { w.f.Record.ByCustomer = false }, true},
		"ok/stopped, queued":              {[]Network{queued, on}, func(w *world) { w.f.NetworksOff = true }, true},
		"fail/it took it":                 {[]Network{at(published, 5)}, nil, false},
		"fail/it waits":                   {[]Network{at(queued, 5)}, nil, false},
		"fail/it would be sent it":        {[]Network{at(on, 0)}, nil, false},
		"fail/one of two":                 {[]Network{at(on, 6), at(on, 5)}, nil, false},
		"fail/stopped, but it took it":    {[]Network{at(published, 5)}, func(w *world) { w.f.NetworksOff = true }, false},
		"fail/a connector's":              {[]Network{at(on, 5)}, func(w *world) { w.f.Record.ByCustomer, w.f.Record.Item.Channel = false, inbox.ChannelConnector }, false},
	} {
		w := inState(t, inbox.TypeBooking, inbox.StateConfirmed)
		if c.do != nil {
			c.do(w)
		}
		w.f.Networks = c.networks
		_, err := w.decide(owner, request("propose_change", changeTo(later)))
		if c.ok != (err == nil) || err != nil && refusal(problem(t, err)) != "amendments_live" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestChangeHolds: a change of ours holds its places beside the booking's own,
// where both fit; what answers or ends it lets them go (01 §10.6).
func TestChangeHolds(t *testing.T) {
	half := start.Add(30 * inbox.Minute)
	for name, c := range map[string]struct {
		to   inbox.Instant
		do   func(*world)
		held bool
	}{
		"ok/elsewhere":         {later, nil, true},
		"fail/both do not fit": {half, nil, false},
		"ok/both fit":          {half, func(w *world) { w.f.Service.Capacity = 2 }, true},
		"fail/both and another's": {half, func(w *world) {
			w.f.Service.Capacity = 2
			w.places["x"] = taken("x", "service:SVC", end, end.Add(inbox.Hour))
			w.places["y"] = taken("y", "service:SVC", start, end)
		}, false},
		"fail/holding is off":   {later, func(w *world) { w.f.Settings.Booking.HoldOnPropose = false }, false},
		"fail/they hold enough": {later, func(w *world) { w.f.Holds = 2 }, false},
	} {
		w := inState(t, inbox.TypeBooking, inbox.StateConfirmed)
		w.f.Settings.Booking.HoldOnPropose = true
		if c.do != nil {
			c.do(w)
		}
		w.fire(owner, "propose_change", changeTo(c.to))
		code := map[bool]string{true: "held", false: "unheld"}[c.held]
		if w.f.Offer.Held() != c.held || w.f.Offer.Shown.Disclosures[0] != code || len(w.f.Record.Claims) != map[bool]int{true: 2, false: 1}[c.held] {
			t.Errorf("%s: %v %+v", name, w.f.Offer.Shown, w.f.Record.Claims)
		}
		if !NeedsHolds(w.f, owner, request("propose_change")) != !w.f.Settings.Booking.HoldOnPropose {
			t.Errorf("%s: what they hold is not counted", name)
		}
		w.fire(owner, "propose_change", changeTo(start.Add(6*inbox.Hour))) // a new change moves the hold
		if holding := w.f.Offer.Held(); len(w.f.Record.Claims) != map[bool]int{true: 2, false: 1}[holding] {
			t.Errorf("%s: %v", name, w.f.Record.Claims)
		}
		w.ok(w.makeOffer(w.customer(), inbox.MakeOfferRequest{Terms: inbox.Suggestion{StartTime: inbox.Ptr(start.Add(5 * inbox.Hour))}}))
		if len(w.f.Record.Claims) != 1 || w.f.Record.HeldFor != nil {
			t.Errorf("%s: the answered change holds on: %v", name, w.places)
		}
	}
}

// TestLateYesToAChange: a yes of ours past the date of theirs becomes a change of
// ours on their terms where we could ask for that now, else it is judged as the
// yes it was (01 §3 step 5b).
func TestLateYesToAChange(t *testing.T) {
	after := monday.Add(72*inbox.Hour + 1)
	day := start.Add(24 * inbox.Hour)
	for name, c := range map[string]struct {
		by   string
		now  inbox.Instant
		do   func(*world)
		code inbox.Code
		why  string
	}{
		"ok/a person":                     {"P owner", after, nil, "", ""},
		"ok/a key with money":             {"K$", after, nil, "", ""},
		"ok/the assistant, as for a yes":  {"A", after, func(w *world) { w.f.Settings.Booking.CancellationWindowMin = 0 }, "", ""},
		"ok/a rule, as for a yes":         {"R", after, func(w *world) { w.f.Settings.Booking.CancellationWindowMin = 0 }, "", ""},
		"fail/the assistant may not":      {"A", after, nil, inbox.CodeGuardFailed, "change_allowed"},
		"fail/taken meanwhile":            {"P owner", after, func(w *world) { w.places["x"] = taken("x", "service:SVC", day, day.Add(inbox.Hour)) }, inbox.CodeOfferExpired, ""},
		"fail/it has started":             {"P owner", start, nil, inbox.CodeOfferExpired, ""},
		"fail/no changes left":            {"P owner", after, func(w *world) { w.f.Record.Agreement.Changes = 3 }, inbox.CodeOfferExpired, ""},
		"fail/a network":                  {"P owner", after, func(w *world) { w.f.Networks = []Network{{Queued: true}} }, inbox.CodeOfferExpired, ""},
		"fail/not the customer's to turn": {"C", after, nil, inbox.CodeNoOffer, ""},
	} {
		w := inState(t, inbox.TypeBooking, inbox.StateConfirmed)
		w.f.Settings.Booking.HoldOnPropose = true
		w.fire(w.customer(), "propose_change", changeTo(day))
		if c.do != nil {
			c.do(w)
		}
		w.now = max(c.now, *w.f.Offer.ValidThrough+1)
		if c.code == "" && !NeedsHolds(w.f, w.actors()[c.by], request("accept_change")) {
			t.Errorf("%s: what they hold is not counted", name)
		}
		out, err := w.decide(w.actors()[c.by], request("accept_change", `{"note":"yes"}`))
		if c.code != "" {
			if p := problem(t, err); p.Code != c.code || c.why != "" && refusal(p) != c.why {
				t.Errorf("%s: %v", name, p)
			}
			continue
		}
		w.ok(out, err)
		r, o := out.Body.(inbox.TransitionResult), w.f.Offer
		if r.Converted != "change_lapsed" || w.offers[2].Status != inbox.OfferCountered || o.By != inbox.SideBusiness || o.Kind != "change" || o.Round != 2 || !o.Held() || o.TermsSHA != w.offers[2].TermsSHA {
			t.Errorf("%s: %q %+v", name, r.Converted, o)
		}
		if ev := w.events[len(w.events)-1]; ev.Event != "propose_change" || ev.Meta.Converted != "change_lapsed" {
			t.Errorf("%s: %+v", name, ev)
		}
		if o.ValidThrough == nil || *o.ValidThrough <= w.now {
			t.Errorf("%s: over before it began: %v", name, o.ValidThrough)
		}
		w.fire(w.customer(), "accept_change")
		if b := w.f.Record.Item.Payload.Booking; b.StartTime != day || len(w.places) != 1 {
			t.Errorf("%s: %+v %v", name, b, w.places)
		}
	}
	w := inState(t, inbox.TypeOrder, inbox.StateAccepted)
	w.fire(w.customer(), "propose_change", orderChange(inbox.ChangeOrderInput{Lines: []inbox.ChangeLine{{Index: 0, Quantity: 3}}}))
	theirs := w.f.Offer.TermsSHA
	w.now = monday.Add(72*inbox.Hour + 1)
	out := w.fire(key, "accept_change")
	if r := out.Body.(inbox.TransitionResult); r.Converted != "change_lapsed" || w.f.Offer.TermsSHA != theirs || w.f.Offer.By != inbox.SideBusiness {
		t.Errorf("an order: %+v %+v", r.Converted, w.f.Offer)
	}
	w = inState(t, inbox.TypeOrder, inbox.StateAccepted)
	w.fire(w.customer(), "propose_change", orderChange(inbox.ChangeOrderInput{DeliveryWhen: inbox.Ptr(monday.Add(inbox.Day))}))
	w.now = monday.Add(72*inbox.Hour + 1)
	if p := w.refusedWith(owner, "accept_change"); p.Code != inbox.CodeOfferExpired {
		t.Errorf("an order whose day has come: %v", p)
	}
}

// TestWorkedChanges is 02 §13.8.
func TestWorkedChanges(t *testing.T) {
	book := func(t *testing.T) *world {
		w := newWorld(t)
		w.now = at("2026-09-20T08:00:00Z")
		r := bookingRequest()
		r.Payload.Booking.StartTime, r.Payload.Booking.EndTime = at("2026-09-24T11:00:00Z"), at("2026-09-24T12:30:00Z")
		w.create(owner, r)
		w.fire(owner, "confirm")
		return w
	}
	for name, c := range map[string]struct {
		start, end string
		why        string
	}{
		"ok/90 days, to the same hour":    {"2026-12-23T11:00:00Z", "2026-12-23T12:30:00Z", ""},
		"fail/the same hour of the clock": {"2026-12-23T12:00:00Z", "2026-12-23T13:30:00Z", "changes_left shift"},
		"fail/the end 15 minutes too far": {"2026-12-23T10:30:00Z", "2026-12-23T12:45:00Z", "changes_left shift"},
		"ok/the end at 90 days exactly":   {"2026-12-23T10:30:00Z", "2026-12-23T12:30:00Z", ""},
	} {
		w := book(t)
		in := fmt.Sprintf(`{"startTime":%q,"endTime":%q}`, c.start, c.end)
		out, err := w.decide(owner, request("propose_change", in))
		if c.why == "" {
			w.ok(out, err)
		} else if p := problem(t, err); refusal(p) != c.why {
			t.Errorf("%s: %v", name, p)
		}
	}
	w := book(t)
	w.fire(owner, "propose_change", changeTo(at("2026-11-23T11:00:00Z")))
	w.fire(owner, "accept_change")
	if p := w.refusedWith(owner, "propose_change", changeTo(at("2027-01-22T11:00:00Z"))); refusal(p) != "changes_left shift" {
		t.Errorf("fail/twice 60 days: %v", p)
	}

	w = newWorld(t)
	w.now = at("2027-01-10T09:00:00Z")
	w.create(w.customer(), orderRequest())
	w.fire(owner, "accept")
	on := func(day string) string { return fmt.Sprintf(`{"delivery":{"method":"delivery","when":%q}}`, day) }
	if got := w.f.Record.Agreement.Due; got != at("2027-02-09T09:00:00Z") {
		t.Errorf("first date %v", got)
	}
	if p := w.refusedWith(owner, "propose_change", on("2027-05-11T09:00:00Z")); refusal(p) != "changes_left shift" {
		t.Errorf("fail/91 days: %v", p)
	}
	w.fire(owner, "propose_change", on("2027-05-10T09:00:00Z"))
}

package decide

import (
	"fmt"
	"reflect"
	"testing"

	"typedinbox/shared/inbox"
)

func taken(id, resource string, from, to inbox.Instant) inbox.Claim {
	return inbox.Claim{ID: id, Resource: resource, Kind: inbox.ClaimBooking, From: from, To: to}
}

// TestConfirmPlaces judges the time of a confirm against the claims that stand.
func TestConfirmPlaces(t *testing.T) {
	const real, test = "service:SVC", "sandbox:service:SVC"
	ask := func(until inbox.Instant) inbox.Claim {
		c := taken("ask", real, start, end)
		c.Kind, c.Until = inbox.ClaimAsk, &until
		return c
	}
	hold := taken("hold", real, start, end)
	hold.Kind, hold.OfferID = inbox.ClaimHold, "OFFER"
	for name, c := range map[string]struct {
		claims   []inbox.Claim
		by       inbox.Caller
		capacity int
		buffers  [2]int
		sandbox  bool
		full     [2]inbox.Instant // the first full interval, zero for a place
	}{
		"ok/nothing stands":                       {nil, owner, 1, [2]int{}, false, [2]inbox.Instant{}},
		"ok/ends as it starts":                    {[]inbox.Claim{taken("a", real, start-100, start)}, owner, 1, [2]int{}, false, [2]inbox.Instant{}},
		"ok/starts as it ends":                    {[]inbox.Claim{taken("a", real, end, end+100)}, owner, 1, [2]int{}, false, [2]inbox.Instant{}},
		"ok/one of two places":                    {[]inbox.Claim{taken("a", real, start, end)}, owner, 2, [2]int{}, false, [2]inbox.Instant{}},
		"ok/another service":                      {[]inbox.Claim{taken("a", "service:OTHER", start, end)}, owner, 1, [2]int{}, false, [2]inbox.Instant{}},
		"ok/an ask before a person":               {[]inbox.Claim{ask(monday + 1)}, owner, 1, [2]int{}, false, [2]inbox.Instant{}},
		"ok/an ask past its end":                  {[]inbox.Claim{ask(monday)}, key, 1, [2]int{}, false, [2]inbox.Instant{}},
		"fail/an ask before a key":                {[]inbox.Claim{ask(monday + 1)}, key, 1, [2]int{}, false, [2]inbox.Instant{start, end}},
		"fail/taken":                              {[]inbox.Claim{taken("a", real, start, end)}, owner, 1, [2]int{}, false, [2]inbox.Instant{start, end}},
		"fail/its last millisecond":               {[]inbox.Claim{taken("a", real, end-1, end+100)}, owner, 1, [2]int{}, false, [2]inbox.Instant{end - 1, end}},
		"fail/held for another item's offer":      {[]inbox.Claim{hold}, owner, 1, [2]int{}, false, [2]inbox.Instant{start, end}},
		"fail/both of two places":                 {[]inbox.Claim{taken("a", real, start, end), taken("b", real, start+5, end)}, owner, 2, [2]int{}, false, [2]inbox.Instant{start + 5, end}},
		"fail/the buffer before":                  {[]inbox.Claim{taken("a", real, start-inbox.Hour, start-9*inbox.Minute)}, owner, 1, [2]int{10, 0}, false, [2]inbox.Instant{start - 10*inbox.Minute, start - 9*inbox.Minute}},
		"ok/the buffer before just fits":          {[]inbox.Claim{taken("a", real, start-inbox.Hour, start-10*inbox.Minute)}, owner, 1, [2]int{10, 0}, false, [2]inbox.Instant{}},
		"fail/the buffer after":                   {[]inbox.Claim{taken("a", real, end+14*inbox.Minute, end+inbox.Hour)}, owner, 1, [2]int{0, 15}, false, [2]inbox.Instant{end + 14*inbox.Minute, end + 15*inbox.Minute}},
		"fail/a sandbox item sees real claims":    {[]inbox.Claim{taken("a", real, start, end)}, owner, 1, [2]int{}, true, [2]inbox.Instant{start, end}},
		"fail/a sandbox item sees its own kind":   {[]inbox.Claim{taken("a", test, start, end)}, owner, 1, [2]int{}, true, [2]inbox.Instant{start, end}},
		"ok/a real item never sees a sandbox one": {[]inbox.Claim{taken("a", test, start, end)}, owner, 1, [2]int{}, false, [2]inbox.Instant{}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.f.Service.Capacity, w.f.Service.BufferBeforeMin, w.f.Service.BufferAfterMin = c.capacity, c.buffers[0], c.buffers[1]
			who := w.customer()
			who.Sandbox = c.sandbox
			w.create(who, bookingRequest())
			for _, claim := range c.claims {
				w.places[claim.ID] = claim
			}
			out, err := w.decide(c.by, request("confirm"))
			if c.full[1] == 0 {
				w.ok(out, err)
				w.claims(c.buffers, c.sandbox)
				return
			}
			p := problem(t, err)
			want := map[string]any{"startTime": c.full[0], "endTime": c.full[1], "capacity": c.capacity}
			if p.Code != inbox.CodeSlotTaken || !reflect.DeepEqual(p.Details, want) {
				t.Errorf("%v %v, want %v", p, p.Details, want)
			}
		})
	}
}

// claims checks the one place the item took.
func (w *world) claims(buffers [2]int, sandbox bool) {
	w.t.Helper()
	claim := w.f.Record.Claims[0]
	resource := "service:SVC"
	if sandbox {
		resource = "sandbox:" + resource
	}
	want := inbox.Claim{
		ID: claim.ID, Resource: resource, Kind: inbox.ClaimBooking,
		From: start.Add(-int64(buffers[0]) * inbox.Minute), To: end.Add(int64(buffers[1]) * inbox.Minute),
	}
	if len(w.f.Record.Claims) != 1 || claim != want || !inbox.ValidID(claim.ID) {
		w.t.Errorf("claims %+v, want %+v", w.f.Record.Claims, want)
	}
}

// TestSpan: a claim may touch at most 40 hour rows.
func TestSpan(t *testing.T) {
	for name, c := range map[string]struct {
		hours  int64
		before int
		paths  int
	}{
		"ok/40 hours":                 {40, 0, 0},
		"fail/a buffer into the 41st": {40, 1, 1},
		"fail/years":                  {100_000, 0, 1},
	} {
		w := newWorld(t)
		w.f.Service.BufferBeforeMin = c.before
		r := bookingRequest()
		r.Payload.Booking.EndTime = start.Add(c.hours * inbox.Hour)
		w.create(w.customer(), r)
		rows := Needs(w.f, owner, request("confirm"))
		if len(rows) > inbox.MaxClaimHours+8 {
			t.Errorf("%s: reads %d rows", name, len(rows))
		}
		_, err := w.decide(owner, request("confirm"))
		if c.paths == 0 {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if p := problem(t, err); p.Code != inbox.CodeInvalidInput || p.Fields[0].Path != "endTime" {
			t.Errorf("%s: %v", name, p)
		}
	}
}

// TestNeeds lists the rows that a verb must have read.
func TestNeeds(t *testing.T) {
	w := inState(t, inbox.TypeBooking, inbox.StateRequested)
	hour := int64(start) / inbox.Hour
	row := func(resource string, h int64) inbox.HourRow { return inbox.HourRow{Resource: resource, Hour: hour + h} }
	const real, test = "service:SVC", "sandbox:service:SVC"
	check := func(name string, got []inbox.HourRow, want ...inbox.HourRow) {
		t.Helper()
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	check("ok/service known", Needs(w.f, owner, request("confirm")), row(real, 0))
	check("fail/no claim", Needs(w.f, owner, request("decline")))
	check("fail/not allowed", Needs(w.f, w.customer(), request("confirm")))
	check("fail/refused", Needs(w.f, owner, request("propose")))
	w.f.Record.Item.Flags.Sandbox = true
	check("ok/sandbox", Needs(w.f, owner, request("confirm")), row(test, 0), row(real, 0))
	w.f.Record.Item.Flags.Sandbox = false
	w.f.Service = nil
	var widest []inbox.HourRow
	for h := int64(-4); h <= 4; h++ {
		widest = append(widest, row(real, h))
	}
	check("ok/service not known yet", Needs(w.f, owner, request("confirm")), widest...)
	w.f.Record = nil
	check("fail/nothing", Needs(w.f, owner, request("confirm")))
	m := inState(t, inbox.TypeMessage, inbox.StateOpen)
	check("fail/message", Needs(m.f, owner, request("answer")))
}

// TestWriteConditions: of a sandbox item's rows only those written into are
// conditions.
func TestWriteConditions(t *testing.T) {
	w := newWorld(t)
	w.f.Service.BufferAfterMin = 30
	who := w.customer()
	who.Sandbox = true
	w.create(who, bookingRequest())
	out, err := w.decide(owner, request("confirm"))
	w.ok(out, err)
	if len(out.Write.Places.Revs) != 2 {
		t.Errorf("%v", out.Write.Places.Revs)
	}
	for row, rev := range out.Write.Places.Revs {
		if row.Resource != "sandbox:service:SVC" || rev != 4 {
			t.Errorf("%v %d", row, rev)
		}
	}
}

// TestOwnPlacesMoveWithTheItem: its own claims never stand in its way and are
// dropped before new ones are taken.
func TestOwnPlaces(t *testing.T) {
	w := inState(t, inbox.TypeBooking, inbox.StateRequested)
	own := taken("own", "service:SVC", start, end)
	own.Kind, own.OfferID = inbox.ClaimHold, "OFFER"
	w.f.Record.Claims = []inbox.Claim{own}
	w.places["own"] = own
	out := w.fire(owner, "confirm")
	if len(out.Write.Release) != 1 || len(w.places) != 1 || w.f.Record.Claims[0].Kind != inbox.ClaimBooking {
		t.Errorf("%+v %v", out.Write, w.places)
	}
}

// TestReleaseHold keeps the claims that no offer holds.
func TestReleaseHold(t *testing.T) {
	w := inState(t, inbox.TypeBooking, inbox.StateRequested)
	hold, kept := taken("hold", "service:SVC", start, end), taken("kept", "service:SVC", start, end)
	hold.OfferID = "OFFER"
	w.f.Record.Claims = []inbox.Claim{hold, kept}
	w.places["hold"], w.places["kept"] = hold, kept
	out := w.fire(owner, "request_info")
	if !reflect.DeepEqual(out.Write.Release, []inbox.Claim{hold}) || !reflect.DeepEqual(w.f.Record.Claims, []inbox.Claim{kept}) {
		t.Errorf("released %v, keeps %v", out.Write.Release, w.f.Record.Claims)
	}
}

// TestServiceGone: a service that is gone takes one booking at a time.
func TestServiceGone(t *testing.T) {
	w := inState(t, inbox.TypeBooking, inbox.StateRequested)
	w.f.Service = nil
	w.places["other"] = taken("other", "service:SVC", start, end)
	_, err := w.decide(owner, request("confirm"))
	if p := problem(t, err); p.Code != inbox.CodeSlotTaken {
		t.Error(p)
	}
	delete(w.places, "other")
	w.fire(owner, "confirm")
}

// TestOutcomesKeepPlaces: completion and no-show leave the place, every other
// way out frees it.
func TestOutcomesKeepPlaces(t *testing.T) {
	for state, places := range map[inbox.State]int{
		inbox.StateCompleted: 1, inbox.StateNoShow: 1, inbox.StateConfirmed: 1,
	} {
		if w := inState(t, inbox.TypeBooking, state); len(w.places) != places {
			t.Errorf("%s holds %d places", state, len(w.places))
		}
	}
	for _, event := range []string{"cancel_by_business", "record_cancel"} {
		w := inState(t, inbox.TypeBooking, inbox.StateConfirmed)
		w.now = inWindow
		out := w.fire(owner, event, `{"note":"rang"}`)
		if len(w.places) != 0 || len(out.Write.Release) != 1 {
			t.Errorf("%s keeps %v", event, w.places)
		}
	}
}

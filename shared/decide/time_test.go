package decide

import (
	"testing"
	"time"

	"typedinbox/shared/inbox"
)

// TestBoundaries judges every deadline to the millisecond.
func TestBoundaries(t *testing.T) {
	type moment struct {
		state inbox.State
		at    inbox.Instant
		by    inbox.Caller
		event string
		input string
		guard string // refused by, "" for none
	}
	note := `{"note":"said no"}`
	asked := func(i inbox.Instant) string { return `{"note":"said no","askedAt":"` + i.String() + `"}` }
	window := start.Add(-inbox.Day)
	notice := start.Add(-inbox.Hour)
	clock := monday.Add(72 * inbox.Hour)
	for name, c := range map[string]moment{
		"ok/confirm by a key exactly at the notice":       {inbox.StateRequested, notice, moneyKey, "confirm", "", ""},
		"fail/confirm by a key a millisecond inside":      {inbox.StateRequested, notice + 1, moneyKey, "confirm", "", "not_too_soon"},
		"fail/confirm by the assistant inside":            {inbox.StateRequested, notice + 1, assistant, "confirm", "", "not_too_soon"},
		"fail/confirm by a rule inside":                   {inbox.StateRequested, notice + 1, rule, "confirm", "", "not_too_soon"},
		"ok/confirm by a person inside the notice":        {inbox.StateRequested, start - 1, owner, "confirm", "", ""},
		"ok/confirm by staff inside the notice":           {inbox.StateRequested, start - 1, staff, "confirm", "", ""},
		"fail/confirm by a person as it starts":           {inbox.StateRequested, start, owner, "confirm", "", "not_too_soon"},
		"fail/confirm by a key as it starts":              {inbox.StateRequested, start, moneyKey, "confirm", "", "not_too_soon"},
		"ok/late yes before the sweep is judged as it is": {inbox.StateRequested, clock + 1, owner, "confirm", "", ""},
		"fail/lapse a millisecond early":                  {inbox.StateRequested, clock - 1, sweeper, "expire", "", "request_lapsed"},
		"ok/lapse at the very millisecond":                {inbox.StateRequested, clock, sweeper, "expire", "", ""},
		"ok/lapse of an unanswered question":              {inbox.StateNeedsInfo, clock, sweeper, "expire", "", ""},
		"ok/a rule lapses it whenever":                    {inbox.StateRequested, monday + 1, rule, "expire", "", ""},
		"ok/cancel as the window closes":                  {inbox.StateConfirmed, window, inbox.Caller{}, "cancel", "", ""},
		"fail/cancel a millisecond after":                 {inbox.StateConfirmed, window + 1, inbox.Caller{}, "cancel", "", "within_cancellation_window"},
		"fail/late cancel while the window is open":       {inbox.StateConfirmed, window, inbox.Caller{}, "cancel_late", "", "outside_cancellation_window"},
		"ok/late cancel a millisecond after":              {inbox.StateConfirmed, window + 1, inbox.Caller{}, "cancel_late", "", ""},
		"ok/recorded in time":                             {inbox.StateConfirmed, window, owner, "record_cancel", note, ""},
		"ok/recorded late, said in time":                  {inbox.StateConfirmed, window + 60*inbox.Minute, owner, "record_cancel", asked(window), ""},
		"fail/recorded as late, said in time":             {inbox.StateConfirmed, window + 60*inbox.Minute, owner, "record_cancel_late", asked(window), "asked_outside_window"},
		"ok/recorded as late, said too late":              {inbox.StateConfirmed, window + 60*inbox.Minute, owner, "record_cancel_late", asked(window + 1), ""},
		"fail/complete a millisecond before the start":    {inbox.StateConfirmed, start - 1, owner, "complete", "", "started"},
		"ok/complete as it starts":                        {inbox.StateConfirmed, start, owner, "complete", "", ""},
		"fail/no-show before the start":                   {inbox.StateConfirmed, start - 1, key, "no_show", "", "started"},
		"ok/no-show as it starts":                         {inbox.StateConfirmed, start, key, "no_show", "", ""},
		"fail/completes by itself a millisecond early":    {inbox.StateConfirmed, completes - 1, sweeper, "complete", "", "completion_due"},
		"ok/completes by itself at the second":            {inbox.StateConfirmed, completes, sweeper, "complete", "", ""},
		"ok/corrected at the end of the window":           {inbox.StateCompleted, completes, owner, "no_show", "", ""},
		"fail/corrected a millisecond after":              {inbox.StateCompleted, completes + 1, owner, "no_show", "", "within_correction_window"},
		"ok/no-show corrected":                            {inbox.StateNoShow, completes, key, "complete", "", ""},
		"fail/no-show corrected too late":                 {inbox.StateNoShow, completes + 1, key, "complete", "", "within_correction_window"},
	} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, inbox.TypeBooking, c.state)
			w.now = c.at
			by := c.by
			if by.Kind == "" {
				by = w.customer()
			}
			_, err := w.decide(by, request(c.event, c.input))
			if c.guard == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			if p := problem(t, err); why(p) != c.guard {
				t.Errorf("%v, want %s", p, c.guard)
			}
		})
	}
}

// TestSettings are read live: the notice, the window, the hours.
func TestSettings(t *testing.T) {
	w := inState(t, inbox.TypeBooking, inbox.StateRequested)
	w.f.Settings.Booking.MinNoticeMin = 0
	w.now = start - 1
	w.ok(w.decide(moneyKey, request("confirm")))
	w.f.Settings.Booking.CancellationWindowMin = 0
	w.now = start
	w.ok(w.decide(w.customer(), request("cancel")))

	w = inState(t, inbox.TypeBooking, inbox.StateConfirmed)
	w.f.Settings.Booking.AutoCompleteHours = 1
	w.now = end.Add(inbox.Hour)
	w.fire(sweeper, "complete")
}

// TestWholeSeconds: an end between two seconds completes with its second.
func TestWholeSeconds(t *testing.T) {
	w := newWorld(t)
	r := bookingRequest()
	r.Payload.Booking.EndTime = end + 400
	w.create(w.customer(), r)
	w.fire(owner, "confirm")
	if *w.f.Record.DueAt != completes+400 || w.f.Record.DueKind != "complete" {
		t.Errorf("due %v %s", w.f.Record.DueAt, w.f.Record.DueKind)
	}
	w.now = completes - 1
	if _, err := w.decide(sweeper, request("complete")); err == nil {
		t.Error("completed before its second")
	}
	w.now = completes
	w.fire(sweeper, "complete")
}

// TestLateCancellation covers booking.lateCancellation at both doors.
func TestLateCancellation(t *testing.T) {
	cancel := func(w *world) (Outcome, error) { return Cancel(w.f, w.customer(), "ill", w.env()) }
	record := func(w *world) (Outcome, error) {
		return Transition(w.f, owner, request("record_cancel", `{"note":"rang"}`), w.env())
	}
	for name, c := range map[string]struct {
		setting string
		at      inbox.Instant
		do      func(*world) (Outcome, error)
		event   string // "" refused
	}{
		"ok/in time":                                {"record", inWindow, cancel, "cancel"},
		"ok/late, recorded":                         {"record", late, cancel, "cancel_late"},
		"fail/late, refused":                        {"refuse", late, cancel, ""},
		"ok/in time where late ones are refused":    {"refuse", inWindow, cancel, "cancel"},
		"ok/business records in time":               {"record", inWindow, record, "record_cancel"},
		"ok/business records late":                  {"record", late, record, "record_cancel_late"},
		"ok/business records where late is refused": {"refuse", late, record, "record_cancel"},
	} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, inbox.TypeBooking, inbox.StateConfirmed)
			w.f.Settings.Booking.LateCancellation = c.setting
			w.now = c.at
			out, err := w.pure(func() (Outcome, error) { return c.do(w) })
			if c.event == "" {
				p := problem(t, err)
				if why(p) != "within_cancellation_window" || p.Details["cancellationWindowMin"] != 1440 || p.Details["lateCancellation"] != "refuse" {
					t.Errorf("%v %v", p, p.Details)
				}
				return
			}
			w.ok(out, err)
			if last := w.events[len(w.events)-1]; last.Event != c.event || w.f.Record.Item.State != inbox.StateCancelledByCustomer {
				t.Errorf("%s → %s", last.Event, w.f.Record.Item.State)
			}
		})
	}
}

// TestClock winds the request clock by whoever acts.
func TestClock(t *testing.T) {
	hours := func(n int64) *inbox.Instant { return inbox.Ptr(monday.Add(n * inbox.Hour)) }
	type step struct {
		after int64 // hours since the create
		do    func(*world)
		want  *inbox.Instant
	}
	question := func(c inbox.Caller) func(*world) {
		return func(w *world) { w.fire(c, "request_info", `{"note":"Which?"}`) }
	}
	answer := func(w *world) { w.fire(w.customer(), "provide_info", `{"note":"Short."}`) }
	write := func(w *world) {
		w.ok(w.pure(func() (Outcome, error) {
			return Message(w.f, w.customer(), inbox.SendMessageRequest{Body: "hello"}, w.env())
		}))
	}
	for name, c := range map[string]struct {
		by    func(*world) inbox.Caller
		start inbox.Instant
		steps []step
	}{
		"ok/a customer's create winds it": {(*world).customer, start, []step{{0, nil, hours(72)}}},
		"ok/never past the start":         {(*world).customer, monday.Add(10 * inbox.Hour), []step{{0, nil, hours(10)}}},
		"ok/exactly the start":            {(*world).customer, monday.Add(72 * inbox.Hour), []step{{0, nil, hours(72)}}},
		"ok/a question winds it again":    {(*world).customer, start.Add(30 * inbox.Day), []step{{5, question(owner), hours(77)}, {6, answer, hours(78)}}},
		"ok/so does automation's":         {(*world).customer, start.Add(30 * inbox.Day), []step{{5, question(assistant), hours(77)}}},
		"ok/words alone do not wind it":   {(*world).customer, start.Add(30 * inbox.Day), []step{{5, write, hours(72)}}},
		"ok/written down by the business: none until the customer acts": {
			func(*world) inbox.Caller { return owner }, start.Add(30 * inbox.Day), []step{
				{0, nil, nil}, {1, question(owner), nil}, {2, func(w *world) { w.fire(connector, "provide_info", `{"note":"x"}`) }, nil},
				{3, question(key), nil}, {4, func(w *world) { w.adopt(); answer(w) }, hours(76)},
			}},
		"ok/a message counts as the customer's first act": {
			func(*world) inbox.Caller { return owner }, start.Add(30 * inbox.Day), []step{
				{1, func(w *world) { w.adopt(); write(w) }, nil}, {2, question(owner), hours(74)},
			}},
		"ok/a start that has come ends it at once": {(*world).customer, monday.Add(10 * inbox.Hour), []step{{11, question(owner), hours(11)}}},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			r := bookingRequest()
			r.Payload.Booking.StartTime, r.Payload.Booking.EndTime = c.start, c.start.Add(inbox.Hour)
			w.create(c.by(w), r)
			for _, s := range c.steps {
				w.now = monday.Add(s.after * inbox.Hour)
				if s.do != nil {
					s.do(w)
				}
				w.clockIs(s.want)
			}
		})
	}
}

// adopt gives the item a token, as if its customer had one.
func (w *world) adopt() {
	w.token = "a token of the customer's"
	w.f.Record.AccessTokenHash = hashOf(w.token)
}

// clockIs checks the clock with all that follows it.
func (w *world) clockIs(want *inbox.Instant) {
	w.t.Helper()
	r := w.f.Record
	same := func(what string, got *inbox.Instant) {
		w.t.Helper()
		if (got == nil) != (want == nil) || (got != nil && *got != *want) {
			w.t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	same("clock", r.RequestExpiresAt)
	same("due", r.DueAt)
	same("pointer", r.Item.Payload.Offer().ValidThrough)
	same("offer", w.offers[1].ValidThrough)
}

// TestDueComesAndGoes with the states, while the clock stays as it was wound.
func TestDueComesAndGoes(t *testing.T) {
	w := inState(t, inbox.TypeBooking, inbox.StateConfirmed)
	if w.f.Record.RequestExpiresAt == nil || *w.f.Record.DueAt != completes || w.f.Record.DueKind != "complete" {
		t.Errorf("confirmed: %v %s", w.f.Record.DueAt, w.f.Record.DueKind)
	}
	w.fire(owner, "cancel_by_business")
	if w.f.Record.DueAt != nil || w.f.Record.DueKind != "" {
		t.Errorf("cancelled: due %v", w.f.Record.DueAt)
	}
	m := inState(t, inbox.TypeMessage, inbox.StateOpen)
	if m.f.Record.DueAt != nil || m.f.Record.RequestExpiresAt != nil {
		t.Errorf("a message waits for ever: %v", m.f.Record.DueAt)
	}
}

// TestDST: lengths and deadlines are elapsed time when the clocks go back.
func TestDST(t *testing.T) {
	w := newWorld(t)
	zone := w.f.Business.Zone
	// 25 October 2026, 00:30 local, two hours before 01:30 comes the second time.
	from := inbox.InstantOf(time.Date(2026, 10, 25, 0, 30, 0, 0, zone))
	w.now = from.Add(-25 * inbox.Hour)
	r := bookingRequest()
	r.Payload.Booking.StartTime, r.Payload.Booking.EndTime = from, from.Add(2*inbox.Hour)
	w.f.Service.DurationMin = 120
	w.create(w.customer(), r)
	w.fire(owner, "confirm")
	if got := r.Payload.Booking.EndTime.In(zone).Format("15:04 MST"); got != "01:30 WET" {
		t.Fatalf("ends at %s", got)
	}
	claim := w.f.Record.Claims[0]
	if claim.To-claim.From != 2*inbox.Hour {
		t.Errorf("claims %d ms", claim.To-claim.From)
	}
	w.now = from.Add(-24 * inbox.Hour)
	w.ok(w.decide(w.customer(), request("cancel"))) // 24 h are 24 h, whatever the wall clock says
}

// TestStaleLapse: of a lapse found more than seven days late nobody is mailed.
func TestStaleLapse(t *testing.T) {
	for name, c := range map[string]struct {
		late int64
		told int
	}{
		"ok/at once":                     {0, 1},
		"ok/seven days late":             {7 * inbox.Day, 1},
		"fail/a millisecond more":        {7*inbox.Day + 1, 0},
		"fail/months late, told nothing": {90 * inbox.Day, 0},
	} {
		w := inState(t, inbox.TypeBooking, inbox.StateRequested)
		w.now = w.f.Record.RequestExpiresAt.Add(c.late)
		out := w.fire(sweeper, "expire")
		if got := told(out.Write); len(got) != c.told {
			t.Errorf("%s: %v", name, got)
		}
	}
}

package work_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
	"typedinbox/shared/table/embedded"
	"typedinbox/shared/work"
)

// request writes down a customer's request that lapses at an instant, without
// the jobs a create owes: what is swept is under test. unclocked ones never
// lapse.
func (w *world) request(lapses inbox.Instant) string {
	w.t.Helper()
	write := w.requestWrite(lapses)
	w.must(w.patient(func() error { return w.store.Commit(w.ctx, write) }))
	return write.Items[0].Record.Item.ID
}

func (w *world) requestWrite(lapses inbox.Instant) decide.Write {
	ids := w.config.Source
	now := w.now()
	start := lapses.Add(inbox.Hour)
	offer := inbox.Offer{
		ID: ids.ID(now), Rev: 1, Kind: "offer", Form: inbox.FormRequest, By: inbox.SideCustomer, ActorKind: inbox.CustomerAgent,
		ActorID: "anon:1", Status: inbox.OfferOpen, ValidThrough: &lapses, Terms: []byte(`{}`), TermsSHA: "sha", Authored: "automated",
		CreatedAt: now, UpdatedAt: now,
	}
	rec := inbox.Record{
		Rev: 1, RequestExpiresAt: &lapses, Clocked: true, ByCustomer: true, OfferRev: 1, DueAt: &lapses, DueKind: "expire",
		Item: inbox.Item{
			ID: ids.ID(now), Type: inbox.TypeBooking, State: inbox.StateRequested, Version: 1, Channel: inbox.ChannelREST,
			Subject: inbox.Ptr("Portrait"), CreatedAt: now, UpdatedAt: now,
			Payload: inbox.Payload{Booking: &inbox.Booking{
				ReservationFor: inbox.ReservationFor{ServiceID: serviceID, Name: "Portrait"}, StartTime: start, EndTime: start.Add(inbox.Hour),
				Offer: offer.Pointer(),
			}},
		},
	}
	e := inbox.Event{
		ID: ids.ID(now), ItemID: rec.Item.ID, Type: inbox.TypeBooking, Seq: 1, Event: inbox.EventCreate, ToState: inbox.StateRequested,
		ActorKind: inbox.CustomerAgent, ActorID: "anon:1", CreatedAt: now, Meta: inbox.Meta{Channel: inbox.ChannelREST},
	}
	offer.ItemID, offer.EventID, rec.LastEventID = rec.Item.ID, e.ID, e.ID
	return decide.Write{Items: []decide.ItemWrite{{Record: rec}}, Events: []inbox.Event{e}, Offers: []inbox.Offer{offer}}
}

// fired counts an item's events of a name.
func (w *world) fired(id, event string) int {
	w.t.Helper()
	events, err := w.store.Events(w.ctx, id)
	w.must(err)
	n := 0
	for _, e := range events {
		if e.Event == event {
			n++
		}
	}
	return n
}

// TestDeadlines: what the sweep fires and when (01 §13.1).
func TestDeadlines(t *testing.T) {
	cases := map[string]struct {
		do    func(w *world) opened
		due   int64 // after monday
		state inbox.State
		by    string
	}{
		"ok/unanswered request": {func(w *world) opened { return w.asked() }, 72 * inbox.Hour, inbox.StateExpired, "expire"},
		"ok/unanswered question": {func(w *world) opened {
			o := w.asked()
			w.wait(inbox.Hour)
			w.fire(owner, o, "request_info", "How many?")
			return o
		}, 72 * inbox.Hour, inbox.StateExpired, "expire"}, // 73 h, but never past the start
		"ok/request for tomorrow": {func(w *world) opened {
			return w.asked(func(r *inbox.CreateBookingRequest) {
				r.Payload.StartTime = monday.Add(inbox.Day)
				r.Payload.EndTime = r.Payload.StartTime.Add(inbox.Hour)
			})
		}, inbox.Day, inbox.StateExpired, "expire"},
		"ok/ended": {func(w *world) opened { o := w.asked(); w.fire(owner, o, "confirm", ""); return o },
			(72 + 1 + 48) * inbox.Hour, inbox.StateCompleted, "complete"},
		"ok/unanswered proposal": {func(w *world) opened { o := w.asked(); w.proposes(o, 24, ""); return o },
			(72 + 24 - 1) * inbox.Hour, inbox.StateExpired, "expire"},
		"ok/unanswered change": {func(w *world) opened {
			o := w.asked()
			w.fire(owner, o, "confirm", "")
			start := monday.Add(48 * inbox.Hour)
			w.sends(owner, o, "propose_change", fmt.Sprintf(`{"startTime":%q}`, start))
			return o
		}, 47 * inbox.Hour, inbox.StateConfirmed, "expire_change"},
		"ok/unpaid": {func(w *world) opened { return w.owing() }, 14 * inbox.Day, inbox.StateAwaitingPayment, "lapse"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := embed(t, nil)
			o := c.do(w)
			before := w.record(o.id).Item.State
			w.clock.Store(int64(monday.Add(c.due - 1)))
			w.sweep()
			if s := w.record(o.id).Item.State; s != before {
				t.Errorf("%s a moment before", s)
			}
			w.wait(1)
			ran := w.sweep()
			if s := w.record(o.id).Item.State; s != c.state || ran.Items != 1 || w.fired(o.id, c.by) != 1 {
				t.Errorf("%s after %+v", s, ran)
			}
			events, err := w.store.Events(w.ctx, o.id)
			w.must(err)
			e := events[len(events)-1]
			if e.ActorKind != inbox.System || e.ActorID != "lifecycle_sweep" || e.Meta.Channel != inbox.ChannelSystem || e.Reason == nil || *e.Reason == "" {
				t.Errorf("event %+v", e)
			}
			w.clean()
		})
	}
}

// TestSettingLengthened: a due item whose guard refuses gets a later due date,
// under its version and without raising it (09).
func TestSettingLengthened(t *testing.T) {
	w := embed(t, nil)
	o := w.asked()
	w.fire(owner, o, "confirm", "")
	w.sweep()
	w.settings(`{"booking":{"autoCompleteHours":100}}`)
	before := w.record(o.id)
	w.clock.Store(int64(monday.Add((72 + 1 + 48) * inbox.Hour)))
	ran := w.sweep()
	after := w.record(o.id)
	if ran.Items != 0 || ran.Refused != 1 || ran.Moved != 1 || ran.Failed != 0 {
		t.Errorf("%+v", ran)
	}
	if *after.DueAt != monday.Add((72+1+100)*inbox.Hour) || after.Item.Version != before.Item.Version || after.Rev != before.Rev+1 || after.Item.UpdatedAt != before.Item.UpdatedAt {
		t.Errorf("due %s, version %d, rev %d", after.DueAt, after.Item.Version, after.Rev)
	}
	if ran := w.sweep(); ran.Refused != 0 {
		t.Errorf("looked at again: %+v", ran)
	}
	w.clock.Store(int64(*after.DueAt))
	w.sweep()
	if s := w.record(o.id).Item.State; s != inbox.StateCompleted {
		t.Errorf("then %s", s)
	}
}

// TestSettingShortened: daily brings due dates forward (09).
func TestSettingShortened(t *testing.T) {
	w := embed(t, nil)
	var confirmed []opened
	for range 3 {
		o := w.asked()
		w.fire(owner, o, "confirm", "")
		confirmed = append(confirmed, o)
	}
	sandbox.Store(true)
	test := w.asked()
	sandbox.Store(false)
	w.fire(owner, test, "confirm", "")
	waiting := w.asked()
	w.sweep()
	w.settings(`{"booking":{"autoCompleteHours":2}}`)
	rev := w.record(waiting.id).Rev
	w.must(w.Daily(w.ctx))
	for _, o := range append(confirmed, test) {
		if r := w.record(o.id); *r.DueAt != monday.Add((72+1+2)*inbox.Hour) {
			t.Errorf("due %s", r.DueAt)
		}
	}
	if w.record(waiting.id).Rev != rev {
		t.Error("an item whose date holds was written")
	}
	w.clock.Store(int64(monday.Add(75 * inbox.Hour)))
	w.sweep()
	for _, o := range append(confirmed, test) {
		if s := w.record(o.id).Item.State; s != inbox.StateCompleted {
			t.Errorf("%s", s)
		}
	}
	if n := w.log.metric(work.MetricCheckFindings); n != 0 {
		t.Errorf("%d findings: %v", n, w.log.lines)
	}
}

// TestRecompute: a date that holds is not written, an item that is not there is
// no error.
func TestRecompute(t *testing.T) {
	w := embed(t, nil)
	o := w.asked()
	for name, id := range map[string]string{"ok/holds": o.id, "ok/not there": "01K5ZZZZZZZZZZZZZZZZZZG0NE"} {
		t.Run(name, func(t *testing.T) {
			if moved, err := w.desk.Recompute(w.ctx, id); moved || err != nil {
				t.Errorf("%v %v", moved, err)
			}
		})
	}
}

// TestMovedFirst: a deadline that a person was quicker than is skipped, and is
// no error.
func TestMovedFirst(t *testing.T) {
	r := &lists{Database: open(t, nil)}
	w := newWorld(t, r)
	o := w.asked()
	w.sweep()
	w.wait(72 * inbox.Hour)
	r.then(func() { w.fire(owner, o, "decline", "") })
	ran := w.sweep()
	if s := w.record(o.id).Item.State; s != inbox.StateDeclined || ran.Failed != 0 || w.fired(o.id, "expire") != 0 {
		t.Errorf("%s after %+v", s, ran)
	}
}

// lists is a table on which something happens once after the rows of due items
// were read.
type lists struct {
	table.Database
	mu     sync.Mutex
	happen func()
}

func (l *lists) then(f func()) { l.mu.Lock(); defer l.mu.Unlock(); l.happen = f }

func (l *lists) BatchGet(ctx context.Context, keys []table.Key) (rows []table.Row, left []table.Key, err error) {
	rows, left, err = l.Database.BatchGet(ctx, keys)
	if len(keys) == 1 && keys[0].Sort == "i" {
		l.mu.Lock()
		f := l.happen
		l.happen = nil
		l.mu.Unlock()
		if f != nil {
			f()
		}
	}
	return rows, left, err
}

// TestStuck: items that cannot be written do not keep the run going, nor what is
// due behind them from being done.
func TestStuck(t *testing.T) {
	w, m := die(t)
	stuck := map[string]bool{}
	for range 620 { // more than a batch
		stuck[w.request(monday.Add(inbox.Hour))] = true
	}
	behind := w.request(monday.Add(2 * inbox.Hour))
	tries := 0
	m.fail = func(actions []table.Action) error {
		for _, a := range actions {
			if stuck[a.At().Partition] {
				m.mu.Lock()
				defer m.mu.Unlock()
				tries++
				return errors.New("disk full")
			}
		}
		return nil
	}
	w.wait(inbox.Day)
	ran, err := w.Sweep(w.ctx)
	w.must(err)
	if s := w.record(behind).Item.State; s != inbox.StateExpired || ran.Items != 1 || ran.Failed != len(stuck) || tries != len(stuck) {
		t.Errorf("behind them %s, tried %d times: %+v", s, tries, ran)
	}
	m.fail = nil
	if ran := w.sweep(); ran.Items != len(stuck) {
		t.Errorf("then %+v", ran)
	}
}

// TestNoSuchDeadline: an item that is due for something its machine does not
// have gets the date that holds, here none.
func TestNoSuchDeadline(t *testing.T) {
	w := embed(t, nil)
	write := w.requestWrite(monday)
	rec := &write.Items[0].Record
	rec.RequestExpiresAt, rec.DueKind = nil, "lapse"
	w.must(w.store.Commit(w.ctx, write))
	ran := w.sweep()
	if r := w.record(rec.Item.ID); r.DueAt != nil || ran.Moved != 1 || ran.Refused != 1 || ran.Failed != 0 {
		t.Errorf("due %v, %+v", r.DueAt, ran)
	}
}

// TestNoLoop: work that fails each time is tried once a run.
func TestNoLoop(t *testing.T) {
	w, m := die(t)
	o := w.asked()
	w.sweep()
	w.wait(72 * inbox.Hour)
	tries := 0
	m.fail = func(actions []table.Action) error {
		for _, a := range actions {
			if k := a.At(); k.Table == "events" {
				tries++
				return fmt.Errorf("disk full")
			}
		}
		return nil
	}
	ran, err := w.Sweep(w.ctx)
	w.must(err)
	if tries != 1 || ran.Failed != 1 || w.log.metric(work.MetricSweepFailed) != 1 {
		t.Errorf("tried %d times: %+v", tries, ran)
	}
	m.fail = nil
	w.sweep()
	if s := w.record(o.id).Item.State; s != inbox.StateExpired {
		t.Errorf("then %s", s)
	}
}

// TestTimeUsedUp: a run whose time is nearly used up begins nothing and says
// that there is more.
func TestTimeUsedUp(t *testing.T) {
	w := embed(t, nil)
	o := w.asked()
	ctx, cancel := context.WithDeadline(w.ctx, time.Now().Add(5*time.Second))
	defer cancel()
	ran, err := w.Sweep(ctx)
	w.must(err)
	if !ran.More || ran.Done() || len(w.post.all()) != 0 {
		t.Errorf("%+v", ran)
	}
	ctx, cancel = context.WithDeadline(w.ctx, time.Now().Add(time.Hour))
	defer cancel()
	if ran, err = w.Sweep(ctx); err != nil || ran.More || ran.Jobs != 1 {
		t.Errorf("%+v %v", ran, err)
	}
	if m := w.mailed(o.id, "owner.create"); m.Status != inbox.MailSent {
		t.Errorf("%s", m.Status)
	}
}

// TestThousands: thousands of due items, on a table in trouble and by several
// sweeps at once, each expire once and are told once (08 §7).
func TestThousands(t *testing.T) {
	n := 3000
	if testing.Short() {
		n = 300
	}
	f := embedded.NewFaults(11)
	w := embed(t, f)
	ids := make([]string, 0, n)
	for i := range n {
		ids = append(ids, w.request(monday.Add(int64(i)*inbox.Second)))
	}
	w.wait(inbox.Day)
	f.Rate(embedded.Conflict, .05).Rate(embedded.Throttle, .02).Rate(embedded.ThrottleAction, .02).Rate(embedded.LoseAnswer, .05).
		Rate(embedded.CutPage, .2).Rate(embedded.LeaveUnprocessed, .1).IndexLag(20)
	start, ends := make(chan struct{}), make(chan error)
	for range 3 {
		go func() { <-start; _, err := w.Sweep(w.ctx); ends <- err }()
	}
	close(start)
	for range 3 {
		if err := <-ends; err != nil {
			t.Log("a sweep ended early:", err)
		}
	}
	w.settle()
	f.Off()
	w.sweep()
	for _, id := range ids {
		if s := w.record(id).Item.State; s != inbox.StateExpired || w.fired(id, "expire") != 1 {
			t.Fatalf("%s: %s, %d expiries", id, s, w.fired(id, "expire"))
		}
		if m := w.mailed(id, "booking.expired"); m.SkipReason != inbox.SkipNoAddress {
			t.Fatalf("%s: %s %s", id, m.Status, m.SkipReason)
		}
	}
	w.clean()
}

// TestDue: the earliest instant at which anything is due, for the clock that
// stands still.
func TestDue(t *testing.T) {
	w := embed(t, nil)
	due := func(want inbox.Instant) {
		t.Helper()
		next, err := w.Due(w.ctx)
		w.must(err)
		if next == nil || *next != want {
			t.Errorf("due at %v, want %s", next, want)
		}
	}
	if next, err := w.Due(w.ctx); err != nil || next != nil {
		t.Errorf("an empty inbox is due at %v, %v", next, err)
	}
	w.asked()
	due(monday) // the owner's mail
	w.post.fails(refusedBy(1))
	w.sweep()
	due(monday.Add(inbox.Minute)) // again
	w.wait(inbox.Minute)
	w.sweep()
	due(monday.Add(90 * inbox.Second)) // the acknowledgement
	w.wait(30 * inbox.Second)
	w.sweep()
	due(monday.Add(72 * inbox.Hour)) // the lapse
}

// TestFarAway: what is agreed for a time that the due index has no digits for is
// due at no time before, and keeps nothing else from being done.
func TestFarAway(t *testing.T) {
	w := embed(t, nil)
	far := inbox.Farthest.Add(3 * inbox.Day)
	o := w.asked(func(r *inbox.CreateBookingRequest) { r.Payload.StartTime, r.Payload.EndTime = far, far.Add(inbox.Hour) })
	w.fire(owner, o, "confirm", "")
	near := w.asked()
	w.sweep()
	w.wait(90 * inbox.Second)
	w.sweep()
	if next, err := w.Due(w.ctx); err != nil || *next != monday.Add(72*inbox.Hour) {
		t.Errorf("next due at %v, %v", next, err)
	}
	w.clock.Store(int64(monday.Add(72 * inbox.Hour)))
	if ran := w.sweep(); ran.Items != 1 || ran.Refused != 0 || w.fired(near.id, "expire") != 1 {
		t.Errorf("%+v", ran)
	}
	w.must(w.Daily(w.ctx))
	if rec := w.record(o.id); rec.Item.State != inbox.StateConfirmed || *rec.DueAt != inbox.Farthest || rec.DueKind != "complete" {
		t.Errorf("%s, due at %s to %s", rec.Item.State, *rec.DueAt, rec.DueKind)
	}
	w.clean()
}

// TestDaily: rows past their time go, and what does not fit is counted.
func TestDaily(t *testing.T) {
	w := embed(t, nil)
	call := inbox.Call{Caller: agent, IdempotencyKey: "k1"}
	start := (monday/inbox.Hour + 72) * inbox.Hour
	_, err := w.book(call, inbox.CreateBookingRequest{Payload: inbox.Booking{
		ReservationFor: inbox.ReservationFor{ServiceID: serviceID, Name: "Portrait"}, StartTime: start, EndTime: start.Add(inbox.Hour),
	}})
	w.must(err)
	o := w.asked()
	w.sweep()
	w.must(w.Daily(w.ctx))
	stored := func() bool {
		a, err := w.store.Answered(w.ctx, agent.IdempotencyScope(), "k1", monday)
		w.must(err)
		return a != nil
	}
	if !stored() {
		t.Error("an answer went before its time")
	}
	w.wait(31 * inbox.Day)
	w.must(w.Daily(w.ctx))
	if stored() {
		t.Error("an expired answer is still there")
	}
	if n := w.log.metric(work.MetricCheckFindings); n != 0 {
		t.Errorf("%d findings: %v", n, w.log.lines)
	}
	w.must(w.db.Transact(w.ctx, "", []table.Action{{Kind: table.Delete, Key: table.Key{Table: "events", Partition: o.id, Sort: "000001"}}}))
	w.must(w.Daily(w.ctx))
	if w.log.metric(work.MetricCheckFindings) == 0 {
		t.Error("a history without its beginning was not found")
	}
}

// BenchmarkSweep prints how many due items a second a sweep deals with: bookings
// that it completes, and requests that it expires and whose customers it then
// tells. SWEEP_ITEMS is how many there are, 2,000 unless set; 08 §7 is held with
// 100,000.
func BenchmarkSweep(b *testing.B) {
	n := 2000
	if v, err := strconv.Atoi(os.Getenv("SWEEP_ITEMS")); err == nil {
		n = v
	}
	for name, c := range map[string]struct {
		write func(w *world) decide.Write
		jobs  int
	}{
		"complete":        {(*world).endedWrite, 0},
		"expire and tell": {func(w *world) decide.Write { return w.requestWrite(monday.Add(inbox.Hour)) }, n},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				w := embed(b, nil)
				writes := make([]decide.Write, n)
				for i := range writes {
					writes[i] = c.write(w)
				}
				commitAll(w, writes)
				w.wait(4 * inbox.Day)
				b.StartTimer()
				began := time.Now()
				ran, err := w.Sweep(w.ctx)
				took := time.Since(began)
				b.StopTimer()
				if err != nil || ran.Items != n || ran.Jobs != c.jobs || ran.Failed != 0 {
					b.Fatalf("%+v %v", ran, err)
				}
				b.ReportMetric(float64(n)/took.Seconds(), "items/s")
				b.StartTimer()
			}
		})
	}
}

// endedWrite is a confirmed booking that ended an hour from now.
func (w *world) endedWrite() decide.Write {
	write := w.requestWrite(monday)
	rec, offer := &write.Items[0].Record, &write.Offers[0]
	offer.Status, offer.ValidThrough = inbox.OfferAccepted, nil
	rec.Item.State, rec.RequestExpiresAt = inbox.StateConfirmed, nil
	rec.Item.Payload.SetOffer(offer.Pointer())
	b := rec.Item.Payload.Booking
	rec.DueAt, rec.DueKind = inbox.Ptr(b.EndTime.Add(48*inbox.Hour)), "complete"
	return write
}

// commitAll commits writes side by side.
func commitAll(w *world, writes []decide.Write) {
	var wg sync.WaitGroup
	for part := range 64 {
		wg.Go(func() {
			for i := part; i < len(writes); i += 64 {
				if err := w.store.Commit(w.ctx, writes[i]); err != nil {
					w.t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

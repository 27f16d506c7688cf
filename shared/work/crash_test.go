package work_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/mail"
	"typedinbox/shared/table"
	"typedinbox/shared/work"
)

// errDied is what a process that has died would not see.
var errDied = errors.New("the process died")

// mortal is a table in a process that may die at any of its calls, just before
// the call is done or just after.
type mortal struct {
	table.Database
	mu    sync.Mutex
	left  int  // calls until it dies; negative: never
	after bool // the last call is done
	dead  bool
	fail  func(actions []table.Action) error // refuses a write, nil never
}

// step says whether the call is done and whether its caller lives to see it.
func (m *mortal) step() (done, alive bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.dead {
		return false, false
	}
	if m.left == 0 {
		m.dead = true
		return m.after, false
	}
	m.left--
	return true, true
}

func (m *mortal) revive() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.dead, m.left = false, -1
}

func (m *mortal) died() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.dead
}

func (m *mortal) Get(ctx context.Context, k table.Key) (table.Row, error) {
	if _, alive := m.step(); !alive {
		return nil, errDied
	}
	return m.Database.Get(ctx, k)
}

func (m *mortal) BatchGet(ctx context.Context, keys []table.Key) ([]table.Row, []table.Key, error) {
	if _, alive := m.step(); !alive {
		return nil, nil, errDied
	}
	return m.Database.BatchGet(ctx, keys)
}

func (m *mortal) Query(ctx context.Context, q table.Query) (table.Page, error) {
	if _, alive := m.step(); !alive {
		return table.Page{}, errDied
	}
	return m.Database.Query(ctx, q)
}

func (m *mortal) Transact(ctx context.Context, token string, actions []table.Action) error {
	done, alive := m.step()
	if m.fail != nil {
		if err := m.fail(actions); err != nil {
			return err
		}
	}
	if done {
		if err := m.Database.Transact(ctx, token, actions); err != nil || alive {
			return err
		}
	}
	if !alive {
		return errDied
	}
	return nil
}

// die makes a world whose process can die.
func die(t testing.TB) (*world, *mortal) {
	m := &mortal{Database: open(t, nil), left: -1}
	w := newWorld(t, m)
	w.post.before = func(int, mail.Outgoing) error { return nil }
	return w, m
}

// sendsToo makes a hand-over one of the calls at which the process may die.
func sendsToo(w *world, m *mortal) {
	alive, died := true, false
	w.post.before = func(int, mail.Outgoing) error {
		var done bool
		if done, alive = m.step(); !done {
			return errDied
		}
		died = !alive
		return nil
	}
	w.post.after = func(int, mail.Outgoing) error {
		if died {
			return errDied
		}
		return nil
	}
}

// TestCrash kills the process at each of its calls, before and after, in all
// that follows a commit, and lets another go on: no mail is lost, and a second
// copy exists only where the death fell between the mail service's yes and our
// mark, and then with the same content (05 §4.6).
func TestCrash(t *testing.T) {
	flows := map[string]struct {
		do        func(w *world) opened
		address   string
		templates []string
	}{
		"the owner hears of a request": {func(w *world) opened { return w.asked() }, ownerEmail, []string{"owner.create"}},
		"the customer hears the yes": {func(w *world) opened {
			o := w.asked()
			w.sweep()
			w.fire(owner, o, "confirm", "Bring a hat.")
			return o
		}, anaEmail, []string{"booking.confirmed"}},
		"both hear of a cancellation": {func(w *world) opened {
			o := w.asked()
			w.sweep()
			w.quiet()
			w.cancels(o, "")
			return o
		}, "", []string{"cancelled.as_asked", "owner.cancel"}},
		"the request is acknowledged": {func(w *world) opened {
			o := w.asked()
			w.sweep()
			w.wait(90 * inbox.Second)
			return o
		}, anaEmail, []string{"ack.booking"}},
		"a request lapses": {func(w *world) opened {
			o := w.asked()
			w.sweep()
			w.wait(90 * inbox.Second)
			w.sweep()
			w.quiet()
			w.wait(72 * inbox.Hour)
			return o
		}, anaEmail, []string{"booking.expired"}},
	}
	for name, flow := range flows {
		for _, after := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/after %v", name, after), func(t *testing.T) {
				deaths := 0
				for n := 0; ; n++ {
					if !crashAt(t, n, after, flow.do, flow.address, flow.templates) {
						break
					}
					deaths++
				}
				if deaths < 8 {
					t.Errorf("the process died %d times alone: the flow is not under test", deaths)
				}
			})
		}
	}
}

// crashAt runs a flow whose sweep dies at call n; false when it ended before.
func crashAt(t *testing.T, n int, after bool, do func(*world) opened, address string, templates []string) bool {
	t.Helper()
	w, m := die(t)
	o := do(w)
	sendsToo(w, m)
	m.left, m.after = n, after
	_, err := w.Sweep(w.ctx)
	if !m.died() {
		w.must(err)
		return false
	}
	m.revive()
	unmarked := map[string]bool{} // mails taken by the service and not marked
	for _, s := range w.post.all() {
		for _, l := range w.mails(o.id) {
			unmarked[s.MailID] = unmarked[s.MailID] || l.ID == s.MailID && l.Status != inbox.MailSent
		}
	}
	w.again()
	w.sweep() // what is leased is left alone
	w.wait(lease)
	w.sweep()
	w.wait(lease)
	w.sweep()

	copies := map[string][]sent{}
	for _, s := range w.post.all() {
		if address == "" || s.To == address {
			copies[s.Template] = append(copies[s.Template], s)
		}
	}
	for _, template := range templates {
		list := copies[template]
		want := 1
		if len(list) > 0 && unmarked[list[0].MailID] {
			want = 2
		}
		if len(list) != want {
			t.Errorf("call %d: %d copies of %s, want %d", n, len(list), template, want)
			continue
		}
		if list[0].text != list[len(list)-1].text || list[0].MailID != list[len(list)-1].MailID {
			t.Errorf("call %d: the second copy of %s is another mail", n, template)
		}
		if l := w.mailed(o.id, template); l.Status != inbox.MailSent {
			t.Errorf("call %d: the log says %s of %s", n, l.Status, template)
		}
	}
	if jobs := w.jobs(o.id); len(jobs) > 0 && jobs[0].RunAt <= w.now() {
		t.Errorf("call %d: jobs are left: %+v", n, jobs)
	}
	w.clean()
	return true
}

const lease = 60 * inbox.Second

// TestTheWindow holds both halves of the one window: the service has said yes
// and the mark is lost (a second copy after the lease, not before), and the
// service was never reached (exactly one).
func TestTheWindow(t *testing.T) {
	cases := map[string]struct {
		taken  bool
		copies int
	}{
		"ok/yes unheard":   {true, 2},
		"ok/never reached": {false, 1},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w, m := die(t)
			o := w.asked()
			w.sweep()
			w.fire(owner, o, "confirm", "")
			death := func(int, mail.Outgoing) error { m.mu.Lock(); defer m.mu.Unlock(); m.dead = true; return errDied }
			if c.taken {
				w.post.after = death
			} else {
				w.post.before = death
			}
			_, _ = w.Sweep(w.ctx)
			m.revive()
			w.post.before, w.post.after = nil, nil
			w.again()
			w.wait(lease - 1)
			w.sweep()
			if n := len(w.to(anaEmail)); n != c.copies-1 {
				t.Errorf("%d copies inside the lease", n)
			}
			w.wait(1)
			w.sweep()
			w.wait(inbox.Minute)
			w.sweep()
			if n := count(w.to(anaEmail), "booking.confirmed"); n != c.copies {
				t.Errorf("%d copies, want %d", n, c.copies)
			}
		})
	}
}

// TestOnce: whoever runs a job, and however often, one mail is sent.
func TestOnce(t *testing.T) {
	for name, run := range map[string]func(w *world, o opened, j inbox.Job) error{
		"ok/job":   func(w *world, o opened, j inbox.Job) error { return w.RunJob(w.ctx, o.id, j.ID) },
		"ok/sweep": func(w *world, _ opened, _ inbox.Job) error { _, err := w.Sweep(w.ctx); return err },
	} {
		t.Run(name, func(t *testing.T) {
			w := embed(t, nil)
			o := w.asked()
			w.sweep()
			w.cancels(o, "")
			j := w.jobs(o.id)[0]
			if len(j.Effects) != 2 {
				j = w.jobs(o.id)[1]
			}
			w.quiet()
			start, ends := make(chan struct{}), make(chan error)
			for range 32 {
				go func() { <-start; ends <- run(w, o, j) }()
			}
			close(start)
			for range 32 {
				w.must(<-ends)
			}
			w.wait(lease)
			w.must(run(w, o, j))
			w.sweep()
			if got := append(w.to(anaEmail), w.to(ownerEmail)...); !slices.Equal(got, []string{"cancelled.as_asked", "owner.cancel"}) {
				t.Errorf("sent %v", got)
			}
		})
	}
}

// refuseMail refuses to keep a mail whose effect ends like this.
func refuseMail(suffix string) func([]table.Action) error {
	return func(actions []table.Action) error {
		for _, a := range actions {
			if k := a.At(); strings.HasPrefix(k.Sort, "m#") && strings.HasSuffix(k.Sort, suffix) {
				return errors.New("no room for a mail to ana@example.com")
			}
		}
		return nil
	}
}

// TestOneEffectFails: what failed comes back with its own wait and is given up
// after eight attempts; what was done is not done again (00 §3).
func TestOneEffectFails(t *testing.T) {
	w, m := die(t)
	o := w.asked()
	w.sweep()
	w.quiet()
	w.cancels(o, "")
	m.fail = refuseMail(":owner")
	wait := int64(inbox.Minute)
	for attempt := 1; attempt <= 7; attempt++ {
		w.sweep()
		j := w.job(o, "ev:")
		if j.Attempts != attempt || int64(j.RunAt-w.now()) != wait || j.FailedAt != nil || j.LeaseUntil != nil {
			t.Fatalf("after attempt %d: %+v", attempt, j)
		}
		if strings.Contains(j.LastError, "@example") || !strings.Contains(j.LastError, "no room") {
			t.Errorf("last error %q", j.LastError)
		}
		w.wait(wait)
		wait *= 2
	}
	w.sweep()
	failed, err := w.store.FailedJobs(w.ctx, 10)
	w.must(err)
	if len(failed) != 1 || failed[0].Attempts != 8 || w.log.metric(work.MetricJobsFailed) != 1 {
		t.Fatalf("%+v, counted %d", failed, w.log.metric(work.MetricJobsFailed))
	}
	thread, err := w.store.Thread(w.ctx, o.id, 0)
	w.must(err)
	if last := thread[len(thread)-1]; !w.record(o.id).Item.Flags.NeedsHuman || last.Direction != inbox.DirectionNote || !strings.Contains(last.BodyText, "given up") {
		t.Errorf("the owner is told: %+v", last)
	}
	m.fail = nil
	w.wait(inbox.Day)
	w.sweep()
	w.must(w.RunJob(w.ctx, o.id, failed[0].ID))
	if got := append(w.to(anaEmail), w.to(ownerEmail)...); !slices.Equal(got, []string{"cancelled.as_asked"}) {
		t.Errorf("sent %v", got)
	}
}

// TestOneEffectComesBack: the failed one is done later, alone.
func TestOneEffectComesBack(t *testing.T) {
	w, m := die(t)
	o := w.asked()
	w.sweep()
	w.quiet()
	w.cancels(o, "")
	m.fail = refuseMail(":owner")
	w.sweep()
	m.fail = nil
	w.wait(inbox.Minute)
	w.sweep()
	if got := append(w.to(anaEmail), w.to(ownerEmail)...); !slices.Equal(got, []string{"cancelled.as_asked", "owner.cancel"}) {
		t.Errorf("sent %v", got)
	}
}

// job is an item's open job with an effect of this kind.
func (w *world) job(o opened, prefix string) inbox.Job {
	w.t.Helper()
	for _, j := range w.jobs(o.id) {
		if strings.HasPrefix(j.Effects[0].ID, prefix) {
			return j
		}
	}
	w.t.Fatalf("no job %s among %+v", prefix, w.jobs(o.id))
	return inbox.Job{}
}

// TestProcessDiesEachTime: a job that kills its process is not tried for ever.
func TestProcessDiesEachTime(t *testing.T) {
	w, m := die(t)
	o := w.asked()
	w.sweep()
	w.fire(owner, o, "confirm", "")
	j := w.job(o, "ev:")
	for range 8 {
		m.left, m.after = 2, false // dies once it has the lease
		if err := w.RunJob(w.ctx, o.id, j.ID); err == nil {
			t.Fatal("lived")
		}
		m.revive()
		w.again()
		w.wait(lease)
	}
	w.must(w.RunJob(w.ctx, o.id, j.ID))
	if j := w.job(o, "ev:"); j.FailedAt == nil || w.log.metric(work.MetricJobsFailed) != 1 {
		t.Errorf("%+v", j)
	}
}

// TestPanic: a transport that panics costs one attempt, not the process.
func TestPanic(t *testing.T) {
	w := embed(t, nil)
	o := w.asked()
	w.sweep()
	w.post.before = func(n int, _ mail.Outgoing) error {
		if n == 2 {
			panic("nil map")
		}
		return nil
	}
	w.fire(owner, o, "confirm", "")
	w.sweep()
	if m := w.mailed(o.id, "booking.confirmed"); m.Status != inbox.MailRetrying || m.Attempts != 1 || !strings.Contains(m.LastError, "nil map") {
		t.Errorf("%+v", m)
	}
	w.wait(inbox.Minute)
	w.sweep()
	if n := count(w.to(anaEmail), "booking.confirmed"); n != 1 {
		t.Errorf("sent %d times", n)
	}
}

// TestUnknownWork: what a later release owes is put back and in the end given
// up, and keeps nothing else from being done.
func TestUnknownWork(t *testing.T) {
	cases := map[string]struct {
		effect inbox.Effect
		want   string
	}{
		"fail/kind":  {inbox.Effect{ID: "x:1", Kind: "publish"}, "does not know"},
		"fail/event": {inbox.Effect{ID: "ev:none:customer", Kind: inbox.EffectNotifyCustomer, EventID: "none", Event: "confirm"}, "no event"},
		"fail/entry": {inbox.Effect{ID: "entry:none:customer", Kind: inbox.EffectNotifyCustomer, EntryID: "none"}, "no entry"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := embed(t, nil)
			o := w.asked()
			w.sweep()
			w.owe(o.id, c.effect)
			w.sweep()
			j := w.job(o, c.effect.ID)
			if j.Attempts != 1 || !strings.Contains(j.LastError, c.want) {
				t.Errorf("%+v", j)
			}
		})
	}
}

// TestGone: nobody is told of an item that is not there, and the job is done.
func TestGone(t *testing.T) {
	w := embed(t, nil)
	const gone = "01K5ZZZZZZZZZZZZZZZZZZG0NE"
	w.owe(gone,
		inbox.Effect{ID: "ev:1:customer", Kind: inbox.EffectNotifyCustomer, EventID: "1", Event: "confirm"},
		inbox.Effect{ID: "ev:1:owner", Kind: inbox.EffectNotifyOwner, EventID: "1", Event: "create"},
		inbox.Effect{ID: "ack:" + gone, Kind: inbox.EffectAcknowledge, EventID: "1"})
	w.sweep()
	if len(w.jobs(gone)) != 0 || len(w.mails(gone)) != 0 {
		t.Errorf("left %+v %+v", w.jobs(gone), w.mails(gone))
	}
}

// owe puts down a job.
func (w *world) owe(itemID string, effects ...inbox.Effect) {
	w.t.Helper()
	w.must(w.patient(func() error {
		return w.store.Commit(w.ctx, jobWrite(inbox.Job{ID: w.config.Source.ID(w.now()), ItemID: itemID, Effects: effects, RunAt: w.now(), Ready: true, CreatedAt: w.now()}))
	}))
}

package work_test

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"typedinbox/shared/inbox"
)

// TestWaitingMailsRace: a proposal's mail is composed while the customer says yes
// and the mail about that is composed too. They hear of both, or of the yes
// alone, and what was said with the proposal is in one mail.
func TestWaitingMailsRace(t *testing.T) {
	both, one := 0, 0
	for seed := range uint64(40) {
		w := embed(t, nil)
		o := w.asked()
		w.sweep()
		w.proposes(o, 1, `,"note":"At nine we are out."`)
		w.race(func() { w.runAll(o) }, func() { w.accepts(o); w.runAll(o) })
		w.sweep()
		heard := w.to(anaEmail)
		slices.Sort(heard) // each is handed over when it is composed, whichever is quicker
		switch {
		case slices.Equal(heard, []string{"booking.accepted", "booking.proposed"}):
			both++
		case slices.Equal(heard, []string{"booking.accepted"}):
			one++
		default:
			t.Fatalf("seed %d: the customer heard %v", seed, heard)
		}
		said := 0
		for _, m := range w.post.all() {
			said += strings.Count(m.text, "At nine we are out.")
		}
		if said != 1 {
			t.Fatalf("seed %d: said %d times in %v", seed, said, heard)
		}
		w.clean()
	}
	t.Logf("both %d, the yes alone %d", both, one)
}

// race runs functions from one start.
func (w *world) race(fs ...func()) {
	start, all := make(chan struct{}), sync.WaitGroup{}
	for _, f := range fs {
		all.Add(1)
		go func() {
			defer all.Done()
			<-start
			f()
		}()
	}
	close(start)
	all.Wait()
}

// runAll runs an item's jobs that are due, as the stream does.
func (w *world) runAll(o opened) {
	jobs, err := w.store.Jobs(w.ctx, o.id)
	if err != nil {
		w.t.Error(err)
		return
	}
	for _, j := range jobs {
		if j.RunAt > w.now() {
			continue
		}
		if err := w.RunJob(w.ctx, o.id, j.ID); err != nil {
			w.t.Log(err) // the sweep does it again
		}
	}
}

// TestOrderOfWaiting: whichever job is run first, the customer hears the same.
func TestOrderOfWaiting(t *testing.T) {
	for name, newestFirst := range map[string]bool{"ok/oldest first": false, "ok/newest first": true} {
		w := embed(t, nil)
		w.settings(`{"negotiation":{"binding":false}}`)
		o := w.asked()
		w.sweep()
		w.proposes(o, 1, `,"note":"One."`)
		w.wait(inbox.Second)
		w.proposes(o, 2, `,"note":"Two."`)
		w.wait(inbox.Second)
		w.fire(owner, o, "retract", "Three.")
		jobs := w.jobs(o.id)
		slices.SortFunc(jobs, func(a, b inbox.Job) int { return strings.Compare(a.ID, b.ID) })
		if newestFirst {
			slices.Reverse(jobs)
		}
		for _, j := range jobs {
			w.must(w.RunJob(w.ctx, o.id, j.ID))
		}
		w.sweep()
		if heard := w.to(anaEmail); !slices.Equal(heard, []string{"booking.retracted"}) {
			t.Errorf("%s: heard %v", name, heard)
		}
		if text := w.last(anaEmail).text; !strings.Contains(text, "\n\nOne.\n\nTwo.\n\nThree.\n\n") {
			t.Errorf("%s: %s", name, text)
		}
		w.clean()
	}
}

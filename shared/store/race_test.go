package store_test

import (
	"fmt"
	"sync"
	"testing"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

// at once runs n goroutines released together.
func atOnce(n int, f func(i int)) {
	start, wg := make(chan struct{}), sync.WaitGroup{}
	for i := range n {
		wg.Go(func() { <-start; f(i) })
	}
	close(start)
	wg.Wait()
}

// TestRaceForPlaces: of many writers as many get a place as there are, and
// nothing of the others is there.
func TestRaceForPlaces(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		for _, capacity := range []int{1, 5} {
			n := 24
			if t.Name() == "TestRaceForPlaces/embedded" {
				n = 256
			}
			at := now.Add(int64(capacity) * 100 * inbox.Hour)
			items := make([]*inbox.Record, n)
			for i := range items {
				items[i] = w.created(at)
			}
			won, errs := make([]bool, n), make([]error, n)
			atOnce(n, func(i int) { won[i], errs[i] = w.confirmed(items[i], capacity, at) })
			got := 0
			for i := range items {
				if errs[i] != nil {
					t.Fatal(errs[i])
				}
				r := w.item(items[i].Item.ID)
				events := must(w.Events(w.ctx, r.Item.ID))(t)
				jobs := must(w.Jobs(w.ctx, r.Item.ID))(t)
				whole := r.Item.State == inbox.StateConfirmed && len(r.Claims) == 1 && len(events) == 2 && len(jobs) == 3
				none := r.Item.State == inbox.StateRequested && len(r.Claims) == 0 && len(events) == 1 && len(jobs) == 2
				if won[i] && !whole || !won[i] && !none {
					t.Errorf("item %d, won %t: %s, %d claims, %d events, %d jobs", i, won[i], r.Item.State, len(r.Claims), len(events), len(jobs))
				}
				if won[i] {
					got++
				}
			}
			places := must(w.PlacesOf(w.ctx, hours(items[0])))(t)
			if got != capacity || len(places.Claims) != capacity {
				t.Errorf("capacity %d: %d won, %d claims", capacity, got, len(places.Claims))
			}
		}
	})
}

// TestRaceInOneHour: up to eight writers in one hour all get in, judging again;
// writers in other hours never lose a row.
func TestRaceInOneHour(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		const n = 8
		items := make([]*inbox.Record, n)
		for i := range items {
			items[i] = w.created(now)
		}
		atOnce(n, func(i int) {
			if ok, err := w.confirmed(items[i], n, now); !ok || err != nil {
				t.Errorf("writer %d: %t, %v", i, ok, err)
			}
		})
		for i := range items {
			items[i] = w.created(now.Add(int64(10+2*i) * inbox.Hour))
		}
		atOnce(n, func(i int) {
			places := must(w.PlacesOf(w.ctx, hours(items[i])))(t)
			if err := w.try(w.confirm(items[i], places, now)); err != nil {
				t.Errorf("writer %d in its own hour: %v", i, err)
			}
		})
	})
}

// TestRaceForAnAnswer: of equal requests one is done, the others find its
// answer.
func TestRaceForAnAnswer(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		const n = 64
		writes := make([]decide.Write, n)
		for i := range writes {
			writes[i] = w.create(now)
			writes[i].Idem = answer("one key", fmt.Sprintf(`{"n":%d}`, i))
		}
		errs := make([]error, n)
		atOnce(n, func(i int) { errs[i] = w.try(writes[i]) })
		winner := -1
		for i, err := range errs {
			if err == nil {
				if winner >= 0 {
					t.Fatalf("both %d and %d were done", winner, i)
				}
				winner = i
			}
		}
		if winner < 0 {
			t.Fatalf("none was done: %v", errs[0])
		}
		for i, err := range errs {
			there := must(w.Item(w.ctx, writes[i].Items[0].Record.Item.ID))(t) != nil
			if there != (i == winner) {
				t.Errorf("item %d there: %t", i, there)
			}
			if i == winner {
				continue
			}
			l, ok := store.AsLost(err)
			if !ok || l.Idem == nil || string(l.Idem.Answer) != fmt.Sprintf(`{"n":%d}`, winner) || l.Idem.Fingerprint != writes[winner].Idem.Fingerprint {
				t.Errorf("request %d: %+v, %v", i, l, err)
			}
		}
	})
}

// TestRaceForOneItem: of transitions judged on the same version one commits.
func TestRaceForOneItem(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		rec := w.created(now)
		const n = 16
		writes := make([]decide.Write, n)
		for i := range writes {
			writes[i] = w.cancel(rec, now)
		}
		errs := make([]error, n)
		atOnce(n, func(i int) { errs[i] = w.try(writes[i]) })
		done := 0
		for i, err := range errs {
			if l, ok := store.AsLost(err); err == nil {
				done++
			} else if !ok || !l.Version {
				t.Errorf("writer %d: %v", i, err)
			}
		}
		if events := must(w.Events(w.ctx, rec.Item.ID))(t); done != 1 || len(events) != 2 || w.item(rec.Item.ID).Item.Version != 2 {
			t.Errorf("%d done, %d events", done, len(events))
		}
	})
}

// TestRaceForALease: one of many takes a job, or the sending of a mail.
func TestRaceForALease(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		rec := w.created(now)
		jobs := must(w.Jobs(w.ctx, rec.Item.ID))(t)
		var mu sync.Mutex
		var took []*inbox.Job
		atOnce(16, func(int) {
			j, err := w.TakeJob(w.ctx, rec.Item.ID, jobs[0].ID, now, now.Add(inbox.Minute))
			if err != nil {
				t.Error(err)
			}
			if j != nil {
				mu.Lock()
				took = append(took, j)
				mu.Unlock()
			}
		})
		if len(took) != 1 {
			t.Fatalf("%d took the job", len(took))
		}
		m := inbox.Mail{ID: w.ids.ID(now), ItemID: rec.Item.ID, JobKey: took[0].Effects[0].ID, Status: inbox.MailQueued, CreatedAt: now}
		if _, err := w.ComposeMail(w.ctx, took[0], m, nil); err != nil {
			t.Fatal(err)
		}
		sends := 0
		atOnce(16, func(int) {
			m, err := w.TakeSend(w.ctx, m.ItemID, m.JobKey, now, now.Add(inbox.Minute))
			if err != nil {
				t.Error(err)
			}
			if m != nil {
				mu.Lock()
				sends++
				mu.Unlock()
			}
		})
		if sends != 1 {
			t.Errorf("%d send the mail", sends)
		}
	})
}

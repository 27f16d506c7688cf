package store_test

import (
	"fmt"
	"sync"
	"testing"

	"typedinbox/shared/inbox"
)

// TestDigest: an alert that is not mailed is counted once in its clock hour, the
// last thirty are named, and the first owes the digest when the hour ends.
func TestDigest(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		hour := inbox.InstantOf(now.Time().Truncate(3_600_000_000_000))
		for i := range 40 {
			u := inbox.Unmailed{JobKey: fmt.Sprint("k", i), Subject: fmt.Sprint("subject ", i), ItemID: fmt.Sprint("I", i)}
			for range 2 {
				ok(t, w.AddToDigest(w.ctx, hour.Add(inbox.Minute), u))
			}
		}
		ok(t, w.AddToDigest(w.ctx, hour.Add(inbox.Hour), inbox.Unmailed{JobKey: "later"}))
		jobs := must(w.Jobs(w.ctx, inbox.OwnerMails))(t)
		if len(jobs) != 2 || jobs[0].RunAt != hour.Add(inbox.Hour) || jobs[0].Effects[0].Kind != inbox.EffectDigest || jobs[0].Ready {
			t.Fatalf("owed: %+v", jobs)
		}
		d := must(w.Digest(w.ctx, jobs[0].Effects[0].ID))(t)
		if d.Count != 40 || len(d.Last) != 30 || d.Last[0].Subject != "subject 10" || d.Last[29].ItemID != "I39" {
			t.Errorf("%d counted, %d named: %+v", d.Count, len(d.Last), d.Last)
		}
		if later := must(w.Digest(w.ctx, jobs[1].Effects[0].ID))(t); later.Count != 1 {
			t.Errorf("the next hour counts %d", later.Count)
		}
		if none := must(w.Digest(w.ctx, "digest:2000-01-01T00Z"))(t); none != nil {
			t.Errorf("%+v", none)
		}
	})
}

// TestDigestRace: alerts noted at the same time are all counted, each once.
func TestDigestRace(t *testing.T) {
	w := newWorld(t, backends["embedded"].open(t))
	start := make(chan struct{})
	var done sync.WaitGroup
	for i := range 6 {
		done.Go(func() {
			<-start
			if err := w.AddToDigest(w.ctx, now, inbox.Unmailed{JobKey: fmt.Sprint("k", i%5)}); err != nil {
				t.Error(err)
			}
		})
	}
	close(start)
	done.Wait()
	jobs := must(w.Jobs(w.ctx, inbox.OwnerMails))(t)
	if len(jobs) != 1 {
		t.Fatalf("%d jobs", len(jobs))
	}
	if d := must(w.Digest(w.ctx, jobs[0].ID))(t); d.Count != 5 {
		t.Errorf("%d counted", d.Count)
	}
}

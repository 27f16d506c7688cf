package store_test

import (
	"slices"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
	"typedinbox/shared/table"
)

func jobIDs(jobs []inbox.Job) (ids []string) {
	for _, j := range jobs {
		ids = append(ids, j.ID)
	}
	return ids
}

// TestJobLife: a job is due, leased, put back, due again, finished; a repeat
// does nothing.
func TestJobLife(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		rec := w.created(now)
		jobs := must(w.Jobs(w.ctx, rec.Item.ID))(t)
		job, ack := jobs[0], jobs[1]
		due := func(at inbox.Instant) []string {
			w.settle()
			return jobIDs(must(w.DueJobs(w.ctx, at, 10))(t))
		}
		if got := due(now); !slices.Equal(got, []string{job.ID}) {
			t.Errorf("due at once: %v", got)
		}
		if got := due(now.Add(90 * inbox.Second)); !slices.Equal(got, []string{job.ID, ack.ID}) {
			t.Errorf("due after 90 s: %v", got)
		}
		take := func(id string, at inbox.Instant) *inbox.Job {
			return must(w.TakeJob(w.ctx, rec.Item.ID, id, at, at.Add(inbox.Minute)))(t)
		}
		if j := take(ack.ID, now.Add(90*inbox.Second-1)); j != nil {
			t.Error("took what is not due")
		}
		j := take(job.ID, now)
		if j == nil || j.Ready || j.Attempts != 1 || *j.LeaseUntil != now.Add(inbox.Minute) {
			t.Fatalf("took %+v", j)
		}
		if take(job.ID, now) != nil || take(job.ID, now.Add(inbox.Minute-1)) != nil {
			t.Error("took what is leased")
		}
		if got := due(now.Add(30 * inbox.Second)); len(got) != 0 {
			t.Errorf("leased, and due: %v", got)
		}
		second := take(job.ID, now.Add(inbox.Minute))
		if second == nil || second.Attempts != 2 {
			t.Fatalf("the lease ended, got %+v", second)
		}
		for name, err := range map[string]error{
			"finish": w.FinishEffect(w.ctx, j, j.Effects[0].ID), "complete": w.CompleteJob(w.ctx, j), "fail": w.FailJob(w.ctx, j, now),
		} {
			if l, ok := store.AsLost(err); !ok || !l.Version {
				t.Errorf("%s after the lease was lost: %v", name, err)
			}
		}
		second.LastError = "no route"
		if err := w.PutBackJob(w.ctx, second, now.Add(inbox.Hour)); err != nil {
			t.Fatal(err)
		}
		if got := due(now.Add(inbox.Hour - 1)); slices.Contains(got, job.ID) {
			t.Errorf("put back, and due early: %v", got)
		}
		third := take(job.ID, now.Add(inbox.Hour))
		if third == nil || third.Attempts != 3 || third.LastError != "no route" {
			t.Fatalf("after the wait: %+v", third)
		}
		if err := w.FinishEffect(w.ctx, third, third.Effects[0].ID); err != nil || !third.Effects[0].Done {
			t.Fatal(err)
		}
		if err := w.FinishEffect(w.ctx, third, "ev:another"); err == nil {
			t.Error("finished an effect it does not owe")
		}
		if err := w.CompleteJob(w.ctx, third); err != nil {
			t.Fatal(err)
		}
		if take(job.ID, now.Add(inbox.Day)) != nil {
			t.Error("took what is finished")
		}
		if got := jobIDs(must(w.Jobs(w.ctx, rec.Item.ID))(t)); !slices.Equal(got, []string{ack.ID}) {
			t.Errorf("left: %v", got)
		}
	})
}

func TestFailedJob(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		rec := w.created(now)
		job := must(w.Jobs(w.ctx, rec.Item.ID))(t)[0]
		j := must(w.TakeJob(w.ctx, rec.Item.ID, job.ID, now, now.Add(inbox.Minute)))(t)
		j.LastError = "refused"
		if err := w.FailJob(w.ctx, j, now); err != nil {
			t.Fatal(err)
		}
		w.settle()
		failed := must(w.FailedJobs(w.ctx, 10))(t)
		if len(failed) != 1 || failed[0].ID != job.ID || failed[0].LastError != "refused" || failed[0].LeaseUntil != nil {
			t.Errorf("failed: %+v", failed)
		}
		if got := jobIDs(must(w.DueJobs(w.ctx, now.Add(inbox.Day), 10))(t)); slices.Contains(got, job.ID) {
			t.Error("failed, and due")
		}
		if got := must(w.TakeJob(w.ctx, rec.Item.ID, job.ID, now.Add(inbox.Day), now.Add(2*inbox.Day)))(t); got != nil {
			t.Error("took what failed for good")
		}
		if got := jobIDs(must(w.OpenJobs(w.ctx, 10))(t)); slices.Contains(got, job.ID) || len(got) != 1 {
			t.Errorf("open: %v", got)
		}
	})
}

// TestDueInOrder: due work comes earliest first from all shards, and a limit
// cuts the latest.
func TestDueInOrder(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		var want []string
		for n := range 12 {
			rec := w.created(now.Add(int64(n) * inbox.Hour))
			want = append(want, rec.Item.ID)
		}
		w.settle()
		ids := func(at inbox.Instant, limit int) (ids []string) {
			for _, r := range must(w.DueItems(w.ctx, at, limit))(t) {
				ids = append(ids, r.Item.ID)
			}
			return ids
		}
		if got := ids(now.Add(100*inbox.Day), 100); !slices.Equal(got, want) {
			t.Errorf("all: %v", got)
		}
		if got := ids(now.Add(100*inbox.Day), 5); !slices.Equal(got, want[:5]) {
			t.Errorf("five: %v", got)
		}
		if got := ids(now.Add(26*inbox.Hour), 100); !slices.Equal(got, want[:3]) {
			t.Errorf("due by the third's deadline: %v", got)
		}
		if got := ids(now.Add(26*inbox.Hour-1), 100); !slices.Equal(got, want[:2]) {
			t.Errorf("due just before it: %v", got)
		}
		next := must(w.NextDue(w.ctx))(t)
		if next == nil || *next != now {
			t.Errorf("next due %v, want the first job's %v", next, now)
		}
	})
}

func TestNextDueOfNothing(t *testing.T) {
	w := newWorld(t, backends["embedded"].open(t))
	if next := must(w.NextDue(w.ctx))(t); next != nil {
		t.Errorf("got %v", next)
	}
}

// TestReadyJob: the stream names the jobs that are ready and nothing else.
func TestReadyJob(t *testing.T) {
	var ready [][2]string
	changed := 0
	db := open(t, nil, func(changes []table.Change) {
		for _, c := range changes {
			changed++
			if item, job, ok := store.ReadyJob(c); ok {
				ready = append(ready, [2]string{item, job})
			}
		}
	})
	w := newWorld(t, db)
	rec := w.created(now)
	job := must(w.Jobs(w.ctx, rec.Item.ID))(t)[0]
	if changed < 5 || len(ready) != 1 || ready[0] != [2]string{rec.Item.ID, job.ID} {
		t.Fatalf("%d changes, ready %v", changed, ready)
	}
	j := must(w.TakeJob(w.ctx, rec.Item.ID, job.ID, now, now.Add(1)))(t)
	if err := w.PutBackJob(w.ctx, j, now.Add(inbox.Minute)); err != nil {
		t.Fatal(err)
	}
	j = must(w.TakeJob(w.ctx, rec.Item.ID, job.ID, now.Add(inbox.Minute), now.Add(inbox.Hour)))(t)
	if err := w.CompleteJob(w.ctx, j); err != nil {
		t.Fatal(err)
	}
	if len(ready) != 1 {
		t.Errorf("ready again: %v", ready)
	}
	for _, key := range [][2]string{{"i#A", "i"}, {"i#A", "m#x"}, {"p#A", "j#1"}, {"", ""}} {
		if _, _, ok := store.JobNamed(key[0], key[1]); ok {
			t.Errorf("%v is no job", key)
		}
	}
}

package work

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"sync/atomic"

	"typedinbox/shared/inbox"
)

// Ran counts what a sweep did.
type Ran struct {
	Jobs    int  `json:"jobs"`    // jobs run, whatever became of them
	Mails   int  `json:"mails"`   // mails handed over, put off or given up
	Items   int  `json:"items"`   // deadlines fired
	Refused int  `json:"refused"` // deadlines that someone else had moved first
	Moved   int  `json:"moved"`   // of those, due dates set anew
	Failed  int  `json:"failed"`  // work that could not be done and is left for the next run
	More    bool `json:"more"`    // the run's time was used up before its work
}

// Done says whether the run did anything.
func (r Ran) Done() bool { return r.Jobs+r.Mails+r.Items+r.Moved > 0 }

// Add sums two runs.
func (r Ran) Add(o Ran) Ran {
	return Ran{
		r.Jobs + o.Jobs, r.Mails + o.Mails, r.Items + o.Items, r.Refused + o.Refused,
		r.Moved + o.Moved, r.Failed + o.Failed, r.More || o.More,
	}
}

// Sizes of a run.
const (
	sweepBatch = 500  // pieces of work read at once
	sweepStuck = 2000 // pieces of one kind that may stand in the way before a run stops looking behind them
)

// How many pieces of a kind are done at once. A deadline is three storage calls
// that mostly wait; the mail service takes few mails a second.
const (
	jobsAtOnce  = 8
	mailsAtOnce = 8
	itemsAtOnce = 32
)

// Sweep does what is due: jobs, mails, then deadlines of items, each kind in due
// order, in batches, again until nothing is due or the run's time is nearly used
// up (01 §13.4). A deadline that is refused, because someone moved the item
// first or a setting was lengthened, is no error; its due date is set anew. One
// piece of work is done at most once a run unless it changed. An error means that
// some kind of work could not be read; the others are done.
func (w *Worker) Sweep(ctx context.Context) (Ran, error) {
	w.lookAtSender(ctx)
	s := &sweep{w: w, done: map[string]bool{}}
	var ran Ran
	for {
		round, err := s.round(ctx)
		ran = ran.Add(round)
		if err != nil || !round.Done() || ran.More {
			w.report(ctx, ran)
			return ran, err
		}
	}
}

func (w *Worker) report(ctx context.Context, ran Ran) {
	if ran.Failed > 0 {
		w.count(ctx, slog.LevelError, "due work could not be done and is left", MetricSweepFailed, ran.Failed)
	}
	if ran.Done() || ran.More {
		w.Log.LogAttrs(ctx, slog.LevelInfo, "swept", slog.Any("ran", ran))
	}
}

// sweep is one run. done names what it has dealt with, as it stood then.
type sweep struct {
	w    *Worker
	done map[string]bool
}

// round goes once through each kind of work.
func (s *sweep) round(ctx context.Context) (Ran, error) {
	jobs, err1 := drain(ctx, s, kind[inbox.Job]{s.w.Store.DueJobs, nameJob, s.w.sweepJob, jobsAtOnce})
	mails, err2 := drain(ctx, s, kind[inbox.Mail]{s.w.Store.DueMails, nameMail, s.w.sweepMail, mailsAtOnce})
	items, err3 := drain(ctx, s, kind[inbox.Record]{s.w.Store.DueItems, nameItem, s.w.sweepItem, itemsAtOnce})
	return jobs.Add(mails).Add(items), errors.Join(err1, err2, err3)
}

// Names of pieces of work, other ones once the row has moved.
func nameJob(j inbox.Job) string     { return fmt.Sprintf("j%s%d", j.ID, j.Version) }
func nameMail(m inbox.Mail) string   { return fmt.Sprintf("m%s%d", m.ID, m.Version) }
func nameItem(r inbox.Record) string { return fmt.Sprintf("i%s%d", r.Item.ID, r.Rev) }

// kind is one kind of due work.
type kind[T any] struct {
	due    func(ctx context.Context, now inbox.Instant, limit int) ([]T, error) // earliest first
	name   func(T) string
	do     func(context.Context, T) Ran
	atOnce int
}

// drain does one kind of due work in batches until a batch holds nothing new.
func drain[T any](ctx context.Context, s *sweep, k kind[T]) (ran Ran, err error) {
	stuck := 0
	for !near(ctx) {
		limit := sweepBatch + stuck
		batch, err := k.due(ctx, s.w.Clock(), limit)
		if err != nil {
			return ran, err
		}
		fresh := batch[:0:0]
		for _, piece := range batch {
			if n := k.name(piece); !s.done[n] {
				s.done[n] = true
				fresh = append(fresh, piece)
			}
		}
		if len(fresh) == 0 && (len(batch) < limit || limit > sweepStuck) {
			return ran, nil
		}
		stuck = len(batch) - len(fresh)
		atOnce := k.atOnce
		if s.w.AtOnce > 0 {
			atOnce = min(atOnce, s.w.AtOnce)
		}
		ran = ran.Add(each(ctx, fresh, atOnce, k.do))
	}
	ran.More = true
	return ran, nil
}

// each does pieces of work, at most so many at once, begun in their order. What is not
// begun when the time is nearly used up is left.
func each[T any](ctx context.Context, pieces []T, atOnce int, do func(context.Context, T) Ran) (ran Ran) {
	var (
		next atomic.Int64
		mu   sync.Mutex
		wg   sync.WaitGroup
	)
	for range min(atOnce, len(pieces)) {
		wg.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(pieces) {
					return
				}
				r := Ran{More: true}
				if !near(ctx) {
					r = do(ctx, pieces[i])
				}
				mu.Lock()
				ran = ran.Add(r)
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return ran
}

func (w *Worker) sweepJob(ctx context.Context, j inbox.Job) Ran {
	ran, err := w.runJob(ctx, j.ItemID, j.ID)
	return w.outcome(ctx, err, "job", j.ID, Ran{Jobs: one(ran)})
}

func (w *Worker) sweepMail(ctx context.Context, m inbox.Mail) Ran {
	sent, err := w.sendOne(ctx, m.ItemID, m.JobKey, nil)
	return w.outcome(ctx, err, "mail", m.ID, Ran{Mails: one(sent)})
}

func (w *Worker) outcome(ctx context.Context, err error, what, id string, ran Ran) Ran {
	if err == nil {
		return ran
	}
	w.Log.LogAttrs(ctx, slog.LevelWarn, "due work failed", slog.String(what, id), slog.String("error", masked(err)))
	return Ran{Failed: 1}
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// reasons are what the history says of a deadline's event (01 §13.4).
var reasons = map[string]string{
	"expire":        "Nobody answered in time.",
	"expire_change": "Nobody answered the change in time.",
	"complete":      "The booking has ended.",
	"lapse":         "The order was not paid in time.",
}

// sweepItem fires the event that is due on an item.
func (w *Worker) sweepItem(ctx context.Context, r inbox.Record) Ran {
	err := w.Desk.Fire(ctx, r.Item.ID, r.DueKind, reasons[r.DueKind])
	if err == nil {
		return Ran{Items: 1}
	}
	if !refused(err) {
		return w.outcome(ctx, err, "item", r.Item.ID, Ran{})
	}
	moved, err := w.Desk.Recompute(ctx, r.Item.ID)
	return w.outcome(ctx, err, "item", r.Item.ID, Ran{Refused: 1, Moved: one(moved)})
}

// refused says whether an error is the item's own no: somebody moved it first,
// or a guard does not hold.
func refused(err error) bool {
	var p *inbox.Problem
	return errors.As(err, &p) && p.Code != inbox.CodeUnavailable && p.Code != inbox.CodeInternal
}

package work

import (
	"context"
	"errors"
	"log/slog"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/settings"
	"typedinbox/shared/store"
)

// Sizes of the day's upkeep.
const (
	pruneBatch  = 1000
	walkPage    = 100
	maxFindings = 50 // findings logged one by one
)

// Daily does the day's upkeep: it takes away rows past their time, sets due
// dates anew after a setting was shortened (01 §13.4), and checks that the rows
// fit each other. Each part is done though another fails; what the run's time
// does not reach is left for the next day.
func (w *Worker) Daily(ctx context.Context) error {
	return errors.Join(w.prune(ctx), w.lostMails(ctx), w.oldBlobs(ctx), w.recompute(ctx), w.check(ctx))
}

// prune deletes rows past their time, batch by batch.
func (w *Worker) prune(ctx context.Context) error {
	deleted := 0
	for more := true; more && !near(ctx); {
		n, again, err := w.Store.Prune(ctx, w.Clock(), pruneBatch)
		if deleted += n; err != nil {
			return err
		}
		more = again && n > 0
	}
	w.Log.LogAttrs(ctx, slog.LevelInfo, "pruned", slog.Int("rows", deleted))
	return nil
}

// recompute walks the open items and rewrites each due date that the settings
// of now give otherwise.
func (w *Worker) recompute(ctx context.Context) error {
	l, err := w.Store.Load(ctx, store.Want{Settings: true})
	if err != nil {
		return err
	}
	s := settings.Effective(l.SettingsRaw)
	moved := 0
	for _, sandbox := range []bool{false, true} {
		n, err := w.recomputeList(ctx, s, sandbox)
		if moved += n; err != nil {
			return err
		}
	}
	w.Log.LogAttrs(ctx, slog.LevelInfo, "due dates set anew", slog.Int("items", moved))
	return nil
}

func (w *Worker) recomputeList(ctx context.Context, s settings.Settings, sandbox bool) (moved int, err error) {
	q := store.ListQuery{Open: true, Sandbox: sandbox, Limit: walkPage}
	for !near(ctx) {
		page, next, err := w.Store.ListItems(ctx, q)
		if err != nil {
			return moved, err
		}
		for i := range page {
			if at, event := decide.DueAt(&page[i], s); event == page[i].DueKind && sameInstant(at, page[i].DueAt) {
				continue
			}
			did, err := w.Desk.Recompute(ctx, page[i].Item.ID)
			if moved += one(did); err != nil {
				return moved, err
			}
		}
		if next == nil {
			break
		}
		q.Cursor = *next
	}
	return moved, nil
}

func sameInstant(a, b *inbox.Instant) bool {
	return a == b || a != nil && b != nil && *a == *b
}

// check recounts the table and tells what does not fit (08 §1).
func (w *Worker) check(ctx context.Context) error {
	findings, err := w.Store.Check(ctx)
	if err != nil {
		return err
	}
	for _, f := range findings[:min(len(findings), maxFindings)] {
		w.Log.LogAttrs(ctx, slog.LevelError, "the table does not fit", slog.String("finding", f))
	}
	if len(findings) > 0 {
		w.count(ctx, slog.LevelError, "the table does not fit", MetricCheckFindings, len(findings))
	}
	return nil
}

package desk

import (
	"context"
	"errors"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

// Recompute rewrites an item's due date by the settings as they stand, where it
// differs (01 §13.4): later after a setting was lengthened, for the sweep;
// earlier after one was shortened, for daily. The row moves and the version does
// not. It says whether it wrote; when the item moves at the same time that write
// has the right date already. An item that is not there is no error.
func (d *Desk) Recompute(ctx context.Context, itemID string) (moved bool, err error) {
	f, err := d.facts(ctx, store.Want{ItemID: itemID})
	if refusal(err) == inbox.CodeNotFound {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	rec := *f.Record
	rec.DueAt, rec.DueKind = decide.DueAt(&rec, f.Settings)
	if sameDue(&rec, f.Record) {
		return false, nil
	}
	rec.Rev++
	err = d.tell(ctx, decide.Write{Items: []decide.ItemWrite{{Record: rec, Expect: f.Record.Rev}}})
	if lost, ok := store.AsLost(err); ok && lost.Version {
		return false, nil
	}
	return err == nil, err
}

func sameDue(a, b *inbox.Record) bool {
	if a.DueAt == nil || b.DueAt == nil {
		return a.DueAt == b.DueAt && a.DueKind == b.DueKind
	}
	return *a.DueAt == *b.DueAt && a.DueKind == b.DueKind
}

// tell commits a write that nobody waits for an answer to, again while the
// database is busy. What was lost is a [*store.Lost].
func (d *Desk) tell(ctx context.Context, w decide.Write) error {
	decide.OweIndex(&w, d.env())
	budget := d.Store.Budget()
	for {
		err := d.Store.Commit(ctx, w)
		lost, ok := store.AsLost(err)
		if !ok || lost.Version || !lost.Busy {
			return err
		}
		if err := budget.Spend(ctx, err); err != nil {
			return err
		}
	}
}

// refusal is the code of a problem, "" for any other error.
func refusal(err error) inbox.Code {
	var p *inbox.Problem
	if errors.As(err, &p) {
		return p.Code
	}
	return ""
}

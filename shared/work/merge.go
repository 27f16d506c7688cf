package work

import (
	"context"
	"errors"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

// Bounds of a merge.
const (
	mergePage  = 100 // items of a party read at once
	mergeTries = 5   // how often a row that moves meanwhile is read again
)

var errMergeUnfinished = errors.New("work: the run ended before the merge did")

// merge moves the rows of a merged party to its root, or, for an effect without
// a party, merges everybody else who has the address that the item's one-time
// code proved, and moves theirs (01 §15.3, §15.4). Readers follow the pointers in
// the meantime, so it may stop anywhere and begin again.
func (w *Worker) merge(ctx context.Context, j *inbox.Job, e inbox.Effect) (*composed, error) {
	do := w.mergeAsker
	if e.PartyID == "" {
		do = w.mergeHolders
	}
	if err := do(ctx, j.ItemID, e.PartyID); err != nil {
		return nil, err
	}
	return nil, w.Store.FinishEffect(ctx, j, e.ID)
}

// mergeAsker moves a merged party's rows, and what it said on the item that the
// merge began with: the item itself moved with the pointer.
func (w *Worker) mergeAsker(ctx context.Context, itemID, from string) error {
	rec, err := w.Store.Item(ctx, itemID)
	if err != nil {
		return err
	}
	if rec != nil && rec.Item.PartyID != from {
		if err := w.moveWords(ctx, itemID, from, rec.Item.PartyID); err != nil {
			return err
		}
	}
	return w.moveParty(ctx, from)
}

// moveWords moves what a merged party said on an item, and makes the item
// findable by who it is of now.
func (w *Worker) moveWords(ctx context.Context, itemID, from, root string) error {
	if err := w.Store.MoveEntries(ctx, itemID, from, root); err != nil {
		return err
	}
	return w.indexItem(ctx, itemID)
}

// moveParty moves what a merged party still has: the parties merged into it
// before, its contacts, its items with their conversations.
func (w *Worker) moveParty(ctx context.Context, from string) error {
	root, err := w.Store.Root(ctx, from)
	if err != nil || root == nil || root.ID == from {
		return err
	}
	if err := w.shorten(ctx, from, root.ID); err != nil {
		return err
	}
	if err := w.Store.MoveContacts(ctx, from, root.ID); err != nil {
		return err
	}
	for after := ""; ; {
		items, next, err := w.Store.ItemsOfParty(ctx, from, after, mergePage)
		if err != nil {
			return err
		}
		for i := range items {
			if near(ctx) {
				return errMergeUnfinished
			}
			if err := w.moveItem(ctx, items[i].Item.ID, from, root.ID); err != nil {
				return err
			}
		}
		if after = next; after == "" {
			return nil
		}
	}
}

// shorten points what was merged into a party straight to the root, so that no
// reader ever has far to go.
func (w *Worker) shorten(ctx context.Context, from, root string) error {
	children, err := w.Store.MergedInto(ctx, from, mergePage)
	if err != nil {
		return err
	}
	for _, id := range children {
		err := w.until(ctx, func() (*decide.Write, error) {
			p, err := w.Store.Party(ctx, id)
			if err != nil || p == nil || p.MergedInto != from {
				return nil, err
			}
			p.MergedInto = root
			return &decide.Write{Parties: []inbox.Party{*p}}, nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// moveItem moves an item's conversation, then its words, and last makes it the
// root's: until then it is found as the merged party's, should the run end.
func (w *Worker) moveItem(ctx context.Context, id, from, root string) error {
	if err := w.moveWords(ctx, id, from, root); err != nil {
		return err
	}
	return w.until(ctx, func() (*decide.Write, error) {
		rec, err := w.Store.Item(ctx, id)
		if err != nil || rec == nil || rec.Item.PartyID != from {
			return nil, err
		}
		roots := map[string]string{}
		if p := rec.PossiblePartyID; p != "" {
			if roots[p], err = w.Store.PartyRoot(ctx, p); err != nil {
				return nil, err
			}
		}
		moved := decide.Rekey(*rec, root, roots)
		return &moved, nil
	})
}

// until commits what a read leads to, again while it is lost to others; nothing
// when the read leads to nil.
func (w *Worker) until(ctx context.Context, read func() (*decide.Write, error)) error {
	var last error
	budget := w.Store.Budget()
	for tries := 0; tries < mergeTries; {
		write, err := read()
		if err != nil || write == nil {
			return err
		}
		err = w.Store.Commit(ctx, *write)
		lost, ok := store.AsLost(err)
		if !ok {
			return err
		}
		last = err
		if lost.Version {
			tries++
			continue
		}
		if err := budget.Spend(ctx, err); err != nil {
			return err
		}
	}
	return errors.Join(errMergeUnfinished, plain(last))
}

// plain is an error without what it stands for: a row that was lost to others is
// not a lease that was.
func plain(err error) error { return errors.New(err.Error()) }

// mergeHolders merges whoever has the address that the item's code proved, in
// the order they are known.
func (w *Worker) mergeHolders(ctx context.Context, itemID, _ string) error {
	code, err := w.Store.Code(ctx, itemID)
	if err != nil || code == nil || code.UsedAt == nil || code.Test {
		return err
	}
	into, err := w.Store.Root(ctx, code.PartyID)
	if err != nil || into == nil {
		return err
	}
	for done := map[string]bool{into.ID: true}; ; {
		holders, err := w.Store.Holders(ctx, code.Address)
		if err != nil {
			return err
		}
		more := false
		for i := range holders {
			if id := holders[i].ID; !done[id] {
				done[id], more = true, true
				if err := w.absorb(ctx, id, into.ID); err != nil {
					return err
				}
			}
		}
		if !more {
			return nil
		}
		if near(ctx) {
			return errMergeUnfinished
		}
	}
}

// absorb merges one party into another and moves its rows.
func (w *Worker) absorb(ctx context.Context, from, into string) error {
	err := w.until(ctx, func() (*decide.Write, error) {
		p, err := w.Store.Party(ctx, from)
		if err != nil || p == nil {
			return nil, err
		}
		root, err := w.Store.Root(ctx, into)
		if err != nil || root == nil {
			return nil, err
		}
		return decide.Absorb(*p, *root, w.Clock()), nil
	})
	if err != nil {
		return err
	}
	return w.moveParty(ctx, from)
}

package work

import (
	"context"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
)

// indexedEntries is how much of a conversation an item is found by, the newest.
const indexedEntries = 50

// index makes the item of an effect findable by its words as they are now.
func (w *Worker) index(ctx context.Context, j *inbox.Job, e inbox.Effect) (*composed, error) {
	id := j.ItemID
	if e.ItemID != "" {
		id = e.ItemID
	}
	if err := w.indexItem(ctx, id); err != nil {
		return nil, err
	}
	return nil, w.Store.FinishEffect(ctx, j, e.ID)
}

// indexItem reads an item's words and keeps them; an item that is gone has none.
func (w *Worker) indexItem(ctx context.Context, id string) error {
	return w.Store.IndexItem(ctx, id, func(ctx context.Context) ([]string, bool, error) {
		rec, err := w.Store.Item(ctx, id)
		if err != nil || rec == nil {
			return nil, false, err
		}
		p, err := w.Store.Root(ctx, rec.Item.PartyID)
		if err != nil {
			return nil, false, err
		}
		thread, err := w.Store.Thread(ctx, id, indexedEntries)
		words := decide.ItemWords(rec, p, thread)
		if words == nil {
			words = []string{}
		}
		return words, rec.Item.Flags.Sandbox, err
	})
}

package store

import (
	"context"

	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
)

// Item reads an item, nil when there is none: one storage call.
func (s *Store) Item(ctx context.Context, id string) (*inbox.Record, error) {
	r, err := s.get(ctx, itemKey(id))
	if err != nil {
		return nil, err
	}
	return recordOf(r)
}

// Thread reads the newest n entries of an item's conversation, all for 0, and
// answers them oldest first: one storage call for each MB.
func (s *Store) Thread(ctx context.Context, itemID string, n int) ([]inbox.Entry, error) {
	if !usable(itemKey(itemID)) {
		return nil, nil
	}
	from, to := table.Prefix(sortEntry)
	rows, err := s.queryAll(ctx, table.Query{
		Table: tableInbox, Partition: itemPartition(itemID), From: from, To: to, Desc: true,
	}, n)
	if err != nil {
		return nil, err
	}
	reverse(rows)
	return docsOf[inbox.Entry](rows)
}

// Offers lists an item's offers by rev: one storage call.
func (s *Store) Offers(ctx context.Context, itemID string) ([]inbox.Offer, error) {
	rows, err := s.itemRows(ctx, itemID, sortOffer)
	if err != nil {
		return nil, err
	}
	return docsOf[inbox.Offer](rows)
}

// itemRows reads the rows of an item whose sort keys begin with a prefix, in
// order.
func (s *Store) itemRows(ctx context.Context, itemID, prefix string) ([]table.Row, error) {
	if !usable(itemKey(itemID)) {
		return nil, nil
	}
	from, to := table.Prefix(prefix)
	return s.queryAll(ctx, table.Query{Table: tableInbox, Partition: itemPartition(itemID), From: from, To: to}, 0)
}

// MessageEntry finds the thread entry of a message id, nil for none: one
// storage call.
func (s *Store) MessageEntry(ctx context.Context, messageID string) (*EntryRef, error) {
	r, err := s.get(ctx, messageIDKey(messageID))
	if err != nil {
		return nil, err
	}
	return docOf[EntryRef](r)
}

// Volume counts the thread entries and the mails of an item: two storage calls
// for each MB.
func (s *Store) Volume(ctx context.Context, itemID string) (entries, mails int, err error) {
	said, err := s.itemRows(ctx, itemID, sortEntry)
	if err != nil {
		return 0, 0, err
	}
	sent, err := s.itemRows(ctx, itemID, sortMail)
	return len(said), len(sent), err
}

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

// Party reads a party, nil when there is none: one storage call.
func (s *Store) Party(ctx context.Context, id string) (*inbox.Party, error) {
	r, err := s.get(ctx, partyKey(id))
	if err != nil {
		return nil, err
	}
	return docOf[inbox.Party](r)
}

// Parties reads parties by id; unknown ones are left out. One storage call for
// each 100.
func (s *Store) Parties(ctx context.Context, ids []string) (map[string]*inbox.Party, error) {
	keys := make([]table.Key, len(ids))
	for i, id := range ids {
		keys[i] = partyKey(id)
	}
	found, err := s.getMany(ctx, keys)
	if err != nil {
		return nil, err
	}
	parties := make(map[string]*inbox.Party, len(found))
	for i, id := range ids {
		p, err := docOf[inbox.Party](found[keys[i]])
		if err != nil {
			return nil, err
		}
		if p != nil {
			parties[id] = p
		}
	}
	return parties, nil
}

// ContactsOf lists the parties that have a contact value, with when it was
// verified: one storage call.
func (s *Store) ContactsOf(ctx context.Context, kind inbox.ContactKind, value string) ([]inbox.PartyContact, error) {
	k := contactKey(inbox.PartyContact{Kind: kind, Value: value, PartyID: "p"})
	if value == "" || !usable(k) {
		return nil, nil
	}
	rows, err := s.queryAll(ctx, table.Query{Table: tableInbox, Partition: k.Partition}, 0)
	if err != nil {
		return nil, err
	}
	contacts := make([]inbox.PartyContact, 0, len(rows))
	for _, r := range rows {
		c := inbox.PartyContact{
			PartyID: r.String(table.SortKey), Kind: kind, Value: value, CreatedAt: inbox.Instant(r.Int(attrCreated)),
		}
		if r.Has(attrVerified) {
			c.VerifiedAt = inbox.Ptr(inbox.Instant(r.Int(attrVerified)))
		}
		contacts = append(contacts, c)
	}
	return contacts, nil
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

package store

import (
	"context"
	"strings"

	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
)

// MoveContacts gives the contacts of a merged party to its root. One that the
// root has already is only taken away; a proven one stays proven. A few storage
// calls for each.
func (s *Store) MoveContacts(ctx context.Context, from, root string) error {
	keys, err := s.ofParty(ctx, from, "c#", 0)
	if err != nil {
		return err
	}
	for _, k := range keys {
		if err := s.moveContact(ctx, k, root); err != nil {
			return err
		}
	}
	return nil
}

// moveContact moves one row; the second row of a proven contact is a row too.
func (s *Store) moveContact(ctx context.Context, k table.Key, root string) error {
	row, err := s.get(ctx, k)
	if err != nil || row == nil {
		return err
	}
	to := k
	to.Sort = root
	if strings.HasPrefix(k.Sort, provenMark) {
		to.Sort = provenMark + root
	}
	there, err := s.get(ctx, to)
	if err != nil {
		return err
	}
	actions := []table.Action{{Kind: table.Delete, Key: k}}
	if there == nil || (row.Has(attrVerified) && !there.Has(attrVerified)) {
		moved := row.Clone()
		moved[table.SortKey], moved[attrParty] = to.Sort, root
		actions = append(actions, table.Action{Kind: table.Put, Key: to, Row: moved})
	}
	return s.write(ctx, actions...)
}

// MoveEntries makes the thread entries that a merged party wrote on an item its
// root's: one storage call for each MB and one for each 50 entries.
func (s *Store) MoveEntries(ctx context.Context, itemID, from, root string) error {
	rows, err := s.itemRows(ctx, itemID, sortEntry)
	if err != nil {
		return err
	}
	var actions []table.Action
	for _, r := range rows {
		var e inbox.Entry
		if err := readDoc(r, &e); err != nil {
			return err
		}
		if e.PartyID != from {
			continue
		}
		e.PartyID = root
		moved, err := putDoc(entryKey(itemID, e.ID), e)
		if err != nil {
			return err
		}
		actions = append(actions, table.Action{Kind: table.Put, Key: keyOf(tableInbox, moved), Row: moved, If: table.Exists(table.PartitionKey)})
	}
	for len(actions) > 0 {
		n := min(entriesMoved, len(actions))
		if err := s.write(ctx, actions[:n]...); err != nil {
			return err
		}
		actions = actions[n:]
	}
	return nil
}

// entriesMoved is how many entries one transaction moves; each may have 20,000
// characters.
const entriesMoved = 30

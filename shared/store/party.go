package store

import (
	"context"
	"slices"
	"strings"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
)

// Bounds of what is read of people.
const (
	maxHops  = 8  // from a merged party to its root (01 §15.3)
	maxSet   = 50 // parties of one customer (01 §15.5)
	maxKnown = 20 // holders of one contact value
)

// Attributes of a contact: milliseconds, and a mark.
const (
	attrCreated  = "at"
	attrVerified = "ok"
	attrAdded    = "by" // a credential of the party's added it later
)

// partyRow is a party as it is stored. A merged one is in the index under the
// party it was merged into.
func partyRow(p *inbox.Party, rev int) (table.Row, error) {
	r, err := putDoc(partyKey(p.ID), p)
	if err != nil {
		return nil, err
	}
	r[attrRev] = int64(rev)
	if p.MergedInto != "" {
		r[attrParty] = p.MergedInto
	}
	return r, nil
}

// partyOf reads a party's row; nil of nil.
func partyOf(r table.Row) (*inbox.Party, error) {
	p, err := docOf[inbox.Party](r)
	if p != nil {
		p.Rev = int(r.Int(attrRev))
	}
	return p, err
}

// addParty writes a new party, and known ones under the rev they were read at.
func addParty(b *batch, w decide.Write) error {
	if w.Party != nil {
		r, err := partyRow(w.Party, 1)
		if err != nil {
			return err
		}
		b.create(r)
	}
	for i := range w.Parties {
		p := &w.Parties[i]
		r, err := partyRow(p, p.Rev+1)
		if err != nil {
			return err
		}
		b.add(causeVersion, table.Action{Kind: table.Put, Key: keyOf(tableInbox, r), Row: r, If: partyAt(p.Rev)})
	}
	return nil
}

// partyAt is the condition that a party still stands at a rev; 0 is a row that
// was written before there were revs.
func partyAt(rev int) table.Condition {
	if rev == 0 {
		return table.And{table.Exists(table.PartitionKey), table.Absent(attrRev)}
	}
	return table.Eq{Name: attrRev, Value: int64(rev)}
}

// addContacts writes contacts. One that is there already keeps the date it was
// proven; a proven one has a second row.
func addContacts(b *batch, w decide.Write) error {
	for _, c := range w.Contacts {
		set := table.Row{attrSchema: int64(SchemaNumber), attrParty: c.PartyID, attrCreated: int64(c.CreatedAt)}
		if c.Added {
			set[attrAdded] = int64(1)
		}
		if c.VerifiedAt != nil {
			set[attrVerified] = int64(*c.VerifiedAt)
			b.add(causeVersion, table.Action{Kind: table.Update, Key: provenKey(c), Set: set})
		}
		b.add(causeVersion, table.Action{Kind: table.Update, Key: contactKey(c), Set: set})
	}
	return nil
}

// Party reads a party, nil when there is none: one storage call.
func (s *Store) Party(ctx context.Context, id string) (*inbox.Party, error) {
	r, err := s.get(ctx, partyKey(id))
	if err != nil {
		return nil, err
	}
	return partyOf(r)
}

// Root reads the party that one was merged into in the end, itself when it was
// not merged; nil when there is none. It follows at most eight pointers. One
// storage call for each party on the way.
func (s *Store) Root(ctx context.Context, id string) (*inbox.Party, error) {
	p, err := s.Party(ctx, id)
	if err != nil {
		return nil, err
	}
	return s.rootOf(ctx, p)
}

// rootOf follows the pointers of a party that was read.
func (s *Store) rootOf(ctx context.Context, p *inbox.Party) (*inbox.Party, error) {
	for hop := 0; p != nil && p.MergedInto != "" && hop < maxHops; hop++ {
		next, err := s.Party(ctx, p.MergedInto)
		if err != nil {
			return nil, err
		}
		if next == nil {
			break
		}
		p = next
	}
	return p, nil
}

// PartyRoot is the id of a party's root, the id itself when there is no such
// party. Calls as [Store.Root].
func (s *Store) PartyRoot(ctx context.Context, id string) (string, error) {
	p, err := s.Root(ctx, id)
	if err != nil || p == nil {
		return id, err
	}
	return p.ID, nil
}

// Parties reads parties by id, merged ones as their roots; unknown ones are left
// out. One storage call for each 100, one more for each that was merged.
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
		p, err := partyOf(found[keys[i]])
		if err == nil && p != nil {
			p, err = s.rootOf(ctx, p)
		}
		if err != nil {
			return nil, err
		}
		if p != nil {
			parties[id] = p
		}
	}
	return parties, nil
}

// contactsOf reads who has a contact value, the proven first, then the oldest,
// at most limit rows, 0 for all.
func (s *Store) contactsOf(ctx context.Context, kind inbox.ContactKind, value string, limit int) ([]inbox.PartyContact, error) {
	k := contactKey(inbox.PartyContact{Kind: kind, Value: value, PartyID: "p"})
	if value == "" || !usable(k) {
		return nil, nil
	}
	rows, err := s.queryAll(ctx, table.Query{Table: tableInbox, Partition: k.Partition}, limit)
	if err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	contacts := make([]inbox.PartyContact, 0, len(rows))
	for _, r := range rows {
		c := contactOf(r)
		if !seen[c.PartyID] {
			seen[c.PartyID] = true
			contacts = append(contacts, c)
		}
	}
	return contacts, nil
}

// contactOf reads a contact's row.
func contactOf(r table.Row) inbox.PartyContact {
	kind, value, _ := strings.Cut(strings.TrimPrefix(r.String(table.PartitionKey), "c#"), "#")
	c := inbox.PartyContact{
		PartyID: strings.TrimPrefix(r.String(table.SortKey), provenMark), Kind: inbox.ContactKind(kind), Value: value,
		CreatedAt: inbox.Instant(r.Int(attrCreated)), Added: r.Has(attrAdded),
	}
	if r.Has(attrVerified) {
		c.VerifiedAt = inbox.Ptr(inbox.Instant(r.Int(attrVerified)))
	}
	return c
}

// ContactsOf lists the parties that have a contact value, with when it was
// proven, those first: one storage call.
func (s *Store) ContactsOf(ctx context.Context, kind inbox.ContactKind, value string) ([]inbox.PartyContact, error) {
	return s.contactsOf(ctx, kind, value, 0)
}

// holdersOf reads who has contact values: one storage call for each.
func (s *Store) holdersOf(ctx context.Context, values []inbox.PartyContact) ([]inbox.PartyContact, error) {
	var holders []inbox.PartyContact
	for _, v := range values {
		more, err := s.contactsOf(ctx, v.Kind, v.Value, maxKnown)
		if err != nil {
			return nil, err
		}
		holders = append(holders, more...)
	}
	return holders, nil
}

// knownOf puts holders and their parties together. Where a party was merged it
// is the root: until the rows have moved, the value still leads to the party it
// was given for.
func (s *Store) knownOf(ctx context.Context, holders []inbox.PartyContact, found map[table.Key]table.Row) ([]decide.Known, error) {
	var known []decide.Known
	for _, h := range holders {
		p, err := partyOf(found[partyKey(h.PartyID)])
		if err == nil {
			p, err = s.rootOf(ctx, p)
		}
		if err != nil {
			return nil, err
		}
		if p != nil {
			h.PartyID = p.ID
			known = append(known, decide.Known{Party: *p, Contact: h})
		}
	}
	return known, nil
}

// Holders reads the parties that have an e-mail address as their own, at most 20
// and none that a credential added it to: two storage calls.
func (s *Store) Holders(ctx context.Context, email string) ([]inbox.Party, error) {
	contacts, err := s.contactsOf(ctx, inbox.ContactEmail, email, 2*maxKnown)
	if err != nil {
		return nil, err
	}
	var keys []table.Key
	for _, c := range contacts {
		if !c.Added {
			keys = append(keys, partyKey(c.PartyID))
		}
	}
	found, err := s.getMany(ctx, keys)
	if err != nil {
		return nil, err
	}
	var parties []inbox.Party
	for _, r := range inOrder(keys, found) {
		p, err := partyOf(r)
		if err != nil {
			return nil, err
		}
		if p.MergedInto == "" && len(parties) < maxKnown {
			parties = append(parties, *p)
		}
	}
	return parties, nil
}

// ofParty reads the keys of a party's rows of one kind from the index: items
// ("i#"), contacts ("c#") or parties merged into it ("p#"). The index may lag.
func (s *Store) ofParty(ctx context.Context, partyID, prefix string, limit int) ([]table.Key, error) {
	if partyID == "" {
		return nil, nil
	}
	from, to := table.Prefix(prefix)
	rows, err := s.queryAll(ctx, table.Query{Table: tableInbox, Index: indexParty, Partition: partyID, From: from, To: to}, limit)
	keys := make([]table.Key, len(rows))
	for i, r := range rows {
		keys[i] = keyOf(tableInbox, r)
	}
	return keys, err
}

// MergedInto lists the parties that were merged into one, as the index shows
// them, at most limit: one storage call.
func (s *Store) MergedInto(ctx context.Context, partyID string, limit int) ([]string, error) {
	keys, err := s.ofParty(ctx, partyID, "p#", limit)
	ids := make([]string, len(keys))
	for i, k := range keys {
		ids[i] = strings.TrimPrefix(k.Partition, "p#")
	}
	return ids, err
}

// PartySet is one customer: the party, those merged into it, and those that
// share a proven contact with one of them, at most 50, the party first
// (01 §15.5). A few storage calls for each.
func (s *Store) PartySet(ctx context.Context, partyID string) ([]string, error) {
	if partyID == "" {
		return nil, nil
	}
	set := []string{partyID}
	for i := 0; i < len(set) && len(set) < maxSet; i++ {
		merged, err := s.MergedInto(ctx, set[i], maxSet)
		if err != nil {
			return nil, err
		}
		sharing, err := s.sharing(ctx, set[i])
		if err != nil {
			return nil, err
		}
		for _, id := range append(merged, sharing...) {
			if !slices.Contains(set, id) && len(set) < maxSet {
				set = append(set, id)
			}
		}
	}
	return set, nil
}

// sharing lists the parties that have a proven contact of a party's as a proven
// one of theirs.
func (s *Store) sharing(ctx context.Context, partyID string) ([]string, error) {
	keys, err := s.ofParty(ctx, partyID, "c#", 2*maxSet)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, k := range keys {
		if !strings.HasPrefix(k.Sort, provenMark) {
			continue
		}
		from, to := table.Prefix(provenMark)
		rows, err := s.queryAll(ctx, table.Query{Table: tableInbox, Partition: k.Partition, From: from, To: to}, maxSet)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			ids = append(ids, contactOf(r).PartyID)
		}
	}
	return ids, nil
}

// maxHistory is how many items a history counts; the newest of each party.
const maxHistory = 2000

// ItemsOfSet reads the items of a party set, each once, in no order. Calls as
// [Store.ItemsOfParty] for each party and 100 items.
func (s *Store) ItemsOfSet(ctx context.Context, set []string) ([]inbox.Record, error) {
	var items []inbox.Record
	seen := map[string]bool{}
	for _, id := range set {
		after := ""
		for len(items) < maxHistory {
			page, next, err := s.ItemsOfParty(ctx, id, after, 100)
			if err != nil {
				return nil, err
			}
			for _, r := range page {
				if !seen[r.Item.ID] {
					seen[r.Item.ID] = true
					items = append(items, r)
				}
			}
			if after = next; after == "" {
				break
			}
		}
	}
	return items, nil
}

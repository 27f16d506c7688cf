package store

import (
	"context"
	"slices"
	"strings"

	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
)

// ListQuery filters the owner's list of items (03 §6.5).
type ListQuery struct {
	Type       inbox.Type  // "" for every one
	State      inbox.State // "" for every one
	NeedsHuman *bool       // nil for both
	MailFailed *bool
	Open       bool // only items that are not closed
	Sandbox    bool // the sandbox's items instead of the real ones
	Both       bool // the sandbox's items beside the real ones, whatever Sandbox says
	// Searching keeps items whose words begin with all Words, and those of the
	// Reference; nothing matches no words and no reference.
	Searching bool
	Words     []string // as decide.SearchWords makes them
	Reference string   // six characters, "" for none
	Limit     int      // 1..100
	Cursor    string
}

// Bounds of one page.
const (
	maxListRows = 500 // index entries looked at
	listChunk   = 100 // rows read in one call
)

// index is the smallest list that holds every item asked for, and the attribute
// that puts items into it.
func (q ListQuery) index() string {
	switch {
	case q.MailFailed != nil && *q.MailFailed:
		return indexFailed
	case q.NeedsHuman != nil && *q.NeedsHuman:
		return indexHuman
	case q.Open:
		return indexOpen
	}
	return indexAll
}

// matches judges an item as it stands now.
func (q ListQuery) matches(r *inbox.Record) bool {
	i := &r.Item
	return (q.Type == "" || i.Type == q.Type) &&
		(q.State == "" || i.State == q.State) &&
		(q.NeedsHuman == nil || i.Flags.NeedsHuman == *q.NeedsHuman) &&
		(q.MailFailed == nil || r.MailFailed == *q.MailFailed) &&
		(!q.Open || i.ClosedAt == nil) &&
		(q.Both || i.Flags.Sandbox == q.Sandbox)
}

// sides are the halves of the inbox that a list reads: real and sandbox.
func (q ListQuery) sides() []bool {
	if q.Both {
		return []bool{false, true}
	}
	return []bool{q.Sandbox}
}

// ListItems is a page of the owner's list, newest change first. Items are
// filtered while reading and judged by their own rows, so a page may be short,
// or empty, and still have a next cursor; nil is the last page. A cursor that is
// malformed or of another filter is an invalid_input [*inbox.Problem] on
// cursor. An item that changes between two pages may be shown where it was; none
// is shown twice on one page. One storage call for each shard, then one for each
// 100 items.
func (s *Store) ListItems(ctx context.Context, q ListQuery) ([]inbox.Record, *string, error) {
	at, err := s.openCursor(q)
	if err != nil {
		return nil, nil, err
	}
	q.Limit = min(max(q.Limit, 1), 100)
	found, err := s.search(ctx, q)
	if err != nil {
		return nil, nil, err
	}
	if found.few() {
		return s.listFew(ctx, q, found, at)
	}
	m := s.merge(q, at)
	page := []inbox.Record{}
	seen := map[string]bool{}
	for looked, most := 0, found.look(); looked < most; {
		n := min(listChunk, most-looked, max(q.Limit-len(page), q.Limit/2, 10))
		if found.narrow() {
			n = min(searchChunk, most-looked)
		}
		stamps, err := m.next(ctx, n)
		if err != nil {
			return nil, nil, err
		}
		records, err := s.matching(ctx, q, found, stamps)
		if err != nil {
			return nil, nil, err
		}
		for i, r := range records {
			looked, at = looked+1, stamps[i]
			if r == nil || seen[r.Item.ID] || !q.matches(r) {
				continue
			}
			seen[r.Item.ID] = true
			if page = append(page, *r); len(page) == q.Limit {
				more := i+1 < len(stamps) || !m.empty()
				return s.listPage(q, page, at, more)
			}
		}
		if m.empty() {
			return s.listPage(q, page, at, false)
		}
	}
	return s.listPage(q, page, at, true)
}

func (s *Store) listPage(q ListQuery, page []inbox.Record, at string, more bool) ([]inbox.Record, *string, error) {
	slices.SortStableFunc(page, func(a, b inbox.Record) int {
		return strings.Compare(stamp(b.Item.UpdatedAt, b.Item.ID), stamp(a.Item.UpdatedAt, a.Item.ID))
	})
	if !more {
		return page, nil, nil
	}
	return page, inbox.Ptr(s.cursor(q, at)), nil
}

// itemsAt reads the items of index entries, nil where one is gone.
func (s *Store) itemsAt(ctx context.Context, stamps []string) ([]*inbox.Record, error) {
	keys := make([]table.Key, len(stamps))
	for i, st := range stamps {
		keys[i] = itemKey(stampID(st))
	}
	found, err := s.getMany(ctx, keys)
	if err != nil {
		return nil, err
	}
	records := make([]*inbox.Record, len(stamps))
	for i, k := range keys {
		if records[i], err = recordOf(found[k]); err != nil {
			return nil, err
		}
	}
	return records, nil
}

// merge reads the shards of a list together, newest first.
type merge struct {
	s      *Store
	shards []*stream
}

// stream is one shard of a list as far as it was read.
type stream struct {
	q       table.Query
	sort    string // attribute of the order
	after   string // stamps from here on were shown, "" for none
	waiting []string
	done    bool
}

func (s *Store) merge(q ListQuery, after string) *merge {
	m := &merge{s: s}
	for _, sandbox := range q.sides() {
		for n := range listShards {
			m.shards = append(m.shards, &stream{
				q: table.Query{
					Table: tableInbox, Index: q.index(), Partition: listPartition(sandbox, n),
					To: after, Desc: true, Limit: q.pageLimit(),
				},
				sort: attrChanged, after: after,
			})
		}
	}
	return m
}

// fill reads on until the shard has a stamp waiting or is at its end.
func (m *merge) fill(ctx context.Context, t *stream) error {
	for len(t.waiting) == 0 && !t.done {
		page, err := m.s.query(ctx, t.q)
		if err != nil {
			return err
		}
		for _, r := range page.Rows {
			if st := r.String(t.sort); t.after == "" || st < t.after {
				t.waiting = append(t.waiting, st)
			}
		}
		t.q.After, t.done = page.Next, page.Next == ""
	}
	return nil
}

// next takes the newest n stamps of all shards.
func (m *merge) next(ctx context.Context, n int) ([]string, error) {
	var stamps []string
	for len(stamps) < n {
		var newest *stream
		for _, t := range m.shards {
			if err := m.fill(ctx, t); err != nil {
				return nil, err
			}
			if len(t.waiting) > 0 && (newest == nil || t.waiting[0] > newest.waiting[0]) {
				newest = t
			}
		}
		if newest == nil {
			break
		}
		stamps = append(stamps, newest.waiting[0])
		newest.waiting = newest.waiting[1:]
	}
	return stamps, nil
}

// empty says whether every shard was read to its end.
func (m *merge) empty() bool {
	for _, t := range m.shards {
		if len(t.waiting) > 0 || !t.done {
			return false
		}
	}
	return true
}

// AllItems walks every item of one side, newest change first: up to limit of
// them and a cursor for the rest, nil at the end. Items that change meanwhile
// may be missed or come twice.
func (s *Store) AllItems(ctx context.Context, sandbox bool, limit int, cursor string) ([]inbox.Record, *string, error) {
	return s.ListItems(ctx, ListQuery{Sandbox: sandbox, Limit: limit, Cursor: cursor})
}

// ItemsOfParty lists a party's items by creation, newest first, after the item
// named, up to limit; next is "" on the last page. Two storage calls.
func (s *Store) ItemsOfParty(ctx context.Context, partyID, after string, limit int) (items []inbox.Record, next string, err error) {
	if partyID == "" {
		return nil, "", nil
	}
	from, to := table.Prefix(itemPartition(""))
	if after != "" {
		to = itemPartition(after)
	}
	rows, err := s.queryAll(ctx, table.Query{
		Table: tableInbox, Index: indexParty, Partition: partyID, From: from, To: to, Desc: true,
	}, limit+2)
	if err != nil {
		return nil, "", err
	}
	var stamps []string
	for _, r := range rows {
		if id := strings.TrimPrefix(r.String(table.PartitionKey), itemPartition("")); id != after {
			stamps = append(stamps, stamp(0, id))
		}
	}
	if len(stamps) > limit {
		stamps = stamps[:limit]
		next = stampID(stamps[limit-1])
	}
	records, err := s.itemsAt(ctx, stamps)
	for _, r := range records {
		if r != nil && r.Item.PartyID == partyID {
			items = append(items, *r)
		}
	}
	return items, next, err
}

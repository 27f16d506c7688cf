package store

import (
	"context"
	"maps"
	"slices"
	"strings"

	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
)

// wordsDoc is the words that lead to an item: every row of a word that names the
// item is in it, so that all of them can be found and taken away.
type wordsDoc struct {
	Words   []string `json:"w"`
	Sandbox bool     `json:"s,omitempty"`
}

// indexBatch is how many rows of words one transaction writes beside the list.
const indexBatch = 90

// IndexItem makes an item findable by its words and its reference, and by no
// word it has no more (01 §19.13). words reads them after the list as it stands
// was read; when another run writes the list in between, both are read again, so
// the newest words win. nil takes the item out of the search. One storage call
// more than words makes when nothing changed, else one or two more.
func (s *Store) IndexItem(ctx context.Context, itemID string, words func(context.Context) (list []string, sandbox bool, err error)) error {
	r := s.Budget()
	for {
		err := s.indexItem(ctx, itemID, words)
		if lost, ok := AsLost(err); !ok || !lost.Version {
			return err
		}
		if err := r.Spend(ctx, err); err != nil {
			return err
		}
	}
}

func (s *Store) indexItem(ctx context.Context, itemID string, words func(context.Context) ([]string, bool, error)) error {
	row, err := s.get(ctx, wordsKey(itemID))
	if err != nil {
		return err
	}
	had := wordsDoc{}
	if row != nil {
		if err := readDoc(row, &had); err != nil {
			return err
		}
	}
	list, sandbox, err := words(ctx)
	if err != nil {
		return err
	}
	x := indexing{s: s, itemID: itemID, rev: row.Int(attrRev), sandbox: sandbox, referred: had.Words != nil}
	if row != nil && len(had.Words) > 0 && had.Sandbox != sandbox { // never changes, but nothing may stay behind
		if err := x.write(ctx, nil, had.Words, wordsDoc{Sandbox: had.Sandbox}); err != nil {
			return err
		}
		had = wordsDoc{}
	}
	return x.change(ctx, had.Words, list)
}

// indexing is one change of an item's words, under the rev of their list.
type indexing struct {
	s       *Store
	itemID  string
	rev     int64
	sandbox bool
	// referred says that the reference leads to the item already.
	referred bool
}

// change writes the difference between two lists: in one transaction, or, when
// it is large, first a list that holds both, then the rows in parts, then the
// new list. At every moment the list holds each word that has a row.
func (x *indexing) change(ctx context.Context, had, want []string) error {
	add, drop := without(want, had), without(had, want)
	if len(add)+len(drop) == 0 && (want == nil) == (had == nil) {
		return nil
	}
	end := wordsDoc{Words: want, Sandbox: x.sandbox}
	if len(add)+len(drop) <= indexBatch {
		return x.write(ctx, add, drop, end)
	}
	both := wordsDoc{Words: append(slices.Clone(had), add...), Sandbox: x.sandbox}
	for _, part := range [][2][]string{{add, nil}, {nil, drop}} {
		for a, d := part[0], part[1]; len(a)+len(d) > 0; {
			n, m := min(indexBatch, len(a)), min(indexBatch, len(d))
			if err := x.write(ctx, a[:n], d[:m], both); err != nil {
				return err
			}
			a, d = a[n:], d[m:]
		}
	}
	return x.write(ctx, nil, nil, end)
}

// without are the words of a that are not in b.
func without(a, b []string) []string {
	in := make(map[string]bool, len(b))
	for _, w := range b {
		in[w] = true
	}
	return slices.DeleteFunc(slices.Clone(a), func(w string) bool { return in[w] })
}

// write puts rows of words and takes others away, with the list, under its rev.
func (x *indexing) write(ctx context.Context, add, drop []string, list wordsDoc) error {
	b := &batch{}
	row, err := putDoc(wordsKey(x.itemID), list)
	if err != nil {
		return err
	}
	row[attrRev] = x.rev + 1
	b.replace(row, x.rev)
	for _, w := range add {
		b.put(newRow(wordKey(list.Sandbox, w, x.itemID)))
	}
	for _, w := range drop {
		b.add(causeVersion, table.Action{Kind: table.Delete, Key: wordKey(list.Sandbox, w, x.itemID)})
	}
	ref := referenceKey(list.Sandbox, x.itemID)
	switch {
	case list.Words == nil:
		b.add(causeVersion, table.Action{Kind: table.Delete, Key: ref})
	case !x.referred:
		b.put(newRow(ref))
	}
	if err := x.s.save(ctx, b); err != nil {
		return err
	}
	x.rev++
	x.referred = list.Words != nil
	return nil
}

// Bounds of a search.
const (
	maxWordRows = 5000 // rows read for one word; a word with more is judged on the items instead
	searchWords = 6    // words looked up; the others are judged on the items
	fewItems    = 300  // as many are read at once and sorted
	maxSearch   = 5000 // entries of the list that one page looks at for the others
	searchChunk = 500
)

// found is what may match a search: the ids, or any item when a search is too
// broad to say. nil is no search.
type found struct {
	ids   map[string]bool
	broad bool
}

func (f *found) few() bool    { return f != nil && !f.broad && len(f.ids) <= fewItems }
func (f *found) narrow() bool { return f != nil && !f.broad }

// look is how many entries of a list one page looks at.
func (f *found) look() int {
	if f.narrow() {
		return maxSearch
	}
	return maxListRows
}

// pageLimit is how many index entries are read at once for a page.
func (q ListQuery) pageLimit() int {
	if q.Searching {
		return searchChunk
	}
	return q.Limit + 1
}

// search finds what may match by the rows of words and references: one storage
// call for each, more for words of many items.
func (s *Store) search(ctx context.Context, q ListQuery) (*found, error) {
	if !q.Searching {
		return nil, nil
	}
	all := &found{ids: map[string]bool{}}
	for _, sandbox := range q.sides() {
		f, err := s.searchSide(ctx, q, sandbox)
		if err != nil {
			return nil, err
		}
		all.broad = all.broad || f.broad
		maps.Copy(all.ids, f.ids)
	}
	return all, nil
}

func (s *Store) searchSide(ctx context.Context, q ListQuery, sandbox bool) (*found, error) {
	f, err := s.byWords(ctx, q.Words, sandbox)
	if err != nil || q.Reference == "" || f.broad {
		return f, err
	}
	rows, err := s.queryAll(ctx, table.Query{Table: tableInbox, Partition: referencePartition(sandbox, q.Reference)}, fewItems)
	for _, r := range rows {
		f.ids[r.String(table.SortKey)] = true
	}
	return f, err
}

// byWords are the items that have all words, as far as rows tell.
func (s *Store) byWords(ctx context.Context, words []string, sandbox bool) (*found, error) {
	f := &found{ids: map[string]bool{}, broad: len(words) > 0}
	for _, w := range words[:min(searchWords, len(words))] {
		ids, all, err := s.withWord(ctx, sandbox, w)
		if err != nil {
			return nil, err
		}
		switch {
		case !all: // says nothing
		case f.broad:
			f.ids, f.broad = ids, false
		default:
			for id := range f.ids {
				if !ids[id] {
					delete(f.ids, id)
				}
			}
		}
	}
	return f, nil
}

// withWord are the items with a word that begins so; a single letter is a word of
// its own. all is false when there are too many to read.
func (s *Store) withWord(ctx context.Context, sandbox bool, word string) (ids map[string]bool, all bool, err error) {
	from, to := table.Prefix(word)
	if single(word) {
		from, to = table.Prefix(word + "#")
	}
	k := wordKey(sandbox, word, "i")
	if !usable(k) {
		return nil, false, nil
	}
	rows, err := s.queryAll(ctx, table.Query{Table: tableInbox, Partition: k.Partition, From: from, To: to}, maxWordRows+1)
	if err != nil || len(rows) > maxWordRows {
		return nil, false, err
	}
	ids = make(map[string]bool, len(rows))
	for _, r := range rows {
		_, id, _ := strings.Cut(r.String(table.SortKey), "#")
		ids[id] = true
	}
	return ids, true, nil
}

func single(word string) bool { return len([]rune(word)) == 1 }

// listFew is a page of a search with few items: all of them read and put into
// the list's order.
func (s *Store) listFew(ctx context.Context, q ListQuery, f *found, at string) ([]inbox.Record, *string, error) {
	stamps := make([]string, 0, len(f.ids))
	for id := range f.ids {
		stamps = append(stamps, stamp(0, id))
	}
	records, err := s.matching(ctx, q, f, stamps)
	if err != nil {
		return nil, nil, err
	}
	page := []inbox.Record{}
	for _, r := range records {
		if r != nil && q.matches(r) && (at == "" || stamp(r.Item.UpdatedAt, r.Item.ID) < at) {
			page = append(page, *r)
		}
	}
	slices.SortFunc(page, newestFirst)
	more := len(page) > q.Limit
	page = page[:min(q.Limit, len(page))]
	if more {
		last := page[len(page)-1].Item
		at = stamp(last.UpdatedAt, last.ID)
	}
	return s.listPage(q, page, at, more)
}

// matching reads the items of index entries, nil where one is gone or does not
// match the search.
func (s *Store) matching(ctx context.Context, q ListQuery, f *found, stamps []string) ([]*inbox.Record, error) {
	if f == nil {
		return s.itemsAt(ctx, stamps)
	}
	var keys []table.Key
	for _, st := range stamps {
		if id := stampID(st); f.broad || f.ids[id] {
			keys = append(keys, itemKey(id), wordsKey(id))
		}
	}
	rows, err := s.getMany(ctx, keys)
	if err != nil {
		return nil, err
	}
	records := make([]*inbox.Record, len(stamps))
	for i, st := range stamps {
		id := stampID(st)
		match, err := q.finds(id, rows[wordsKey(id)])
		if err == nil && match {
			records[i], err = recordOf(rows[itemKey(id)])
		}
		if err != nil {
			return nil, err
		}
	}
	return records, nil
}

// finds judges an item by its own list of words.
func (q ListQuery) finds(id string, row table.Row) (bool, error) {
	if q.Reference != "" && inbox.Reference(id) == q.Reference {
		return true, nil
	}
	doc, err := docOf[wordsDoc](row)
	if doc == nil || err != nil || len(q.Words) == 0 {
		return false, err
	}
	for _, w := range q.Words {
		if !slices.ContainsFunc(doc.Words, func(has string) bool { return has == w || (!single(w) && strings.HasPrefix(has, w)) }) {
			return false, nil
		}
	}
	return true, nil
}

func newestFirst(a, b inbox.Record) int {
	return strings.Compare(stamp(b.Item.UpdatedAt, b.Item.ID), stamp(a.Item.UpdatedAt, a.Item.ID))
}

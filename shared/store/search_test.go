package store_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
	"typedinbox/shared/table"
)

// index gives an item words.
func (w *world) index(id string, words ...string) {
	w.t.Helper()
	list := append([]string{}, words...)
	if err := w.IndexItem(w.ctx, id, func(context.Context) ([]string, bool, error) { return list, false, nil }); err != nil {
		w.t.Fatal(err)
	}
}

// rowsOf are the words that have a row for an item, in order.
func (w *world) rowsOf(id string, words ...string) []string {
	w.t.Helper()
	var have []string
	for _, word := range words {
		two := []rune(word)
		k := table.Key{Table: "inbox", Partition: "t#r#" + string(two[:min(2, len(two))]), Sort: word + "#" + id}
		if w.stands(k) {
			have = append(have, word)
		}
	}
	return have
}

// stands says whether there is a row, however busy the table is.
func (w *world) stands(k table.Key) bool {
	w.t.Helper()
	for {
		row, err := w.db.Get(w.ctx, k)
		if errors.Is(err, table.ErrThrottled) {
			continue
		}
		return must(row, err)(w.t) != nil
	}
}

// search walks every page and answers the ids.
func (w *world) search(q store.ListQuery) []string {
	w.t.Helper()
	q.Searching = true
	ids := []string{}
	for range 1000 {
		page, next, err := w.ListItems(w.ctx, q)
		if err != nil {
			w.t.Fatal(err)
		}
		for _, r := range page {
			ids = append(ids, r.Item.ID)
		}
		if next == nil {
			return ids
		}
		q.Cursor = *next
	}
	w.t.Fatal("the list has no end")
	return nil
}

// TestIndexItem: what was a word before and is none now leads nowhere, in one
// transaction or in many.
func TestIndexItem(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		id := w.created(now).Item.ID
		many := make([]string, 200)
		for i := range many {
			many[i] = fmt.Sprintf("w%03d", i)
		}
		for name, words := range map[string][]string{"few": {"ana", "cut", "a"}, "many": many, "other": {"bea"}, "none": {}} {
			w.index(id, "old", "ana")
			w.index(id, words...)
			all := append([]string{"old", "ana", "cut", "a", "bea"}, many...)
			want := slices.DeleteFunc(slices.Clone(all), func(s string) bool { return !slices.Contains(words, s) })
			if got := w.rowsOf(id, all...); !slices.Equal(got, want) {
				t.Errorf("%s: rows of %q", name, got)
			}
		}
		if got := w.search(store.ListQuery{Reference: inbox.Reference(id), Limit: 10}); !w.lags && !slices.Equal(got, []string{id}) {
			t.Errorf("by reference: %v", got)
		}
		gone := func(context.Context) ([]string, bool, error) { return nil, false, nil }
		if err := w.IndexItem(w.ctx, id, gone); err != nil {
			t.Fatal(err)
		}
		ref := table.Key{Table: "inbox", Partition: "x#r#" + inbox.Reference(id), Sort: id}
		if w.stands(ref) {
			t.Error("an item that is gone is found by its reference")
		}
	})
}

// TestIndexAtOnce: of runs that read different words at once the last list that
// stands is the one whose rows stand, none more and none less.
func TestIndexAtOnce(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		id := w.created(now).Item.ID
		start := make(chan struct{})
		var wg sync.WaitGroup
		var mu sync.Mutex
		turn := 0
		for range 4 {
			wg.Go(func() {
				<-start
				err := w.IndexItem(w.ctx, id, func(context.Context) ([]string, bool, error) {
					mu.Lock()
					defer mu.Unlock()
					turn++
					list := make([]string, 0, 110)
					for i := range 110 {
						list = append(list, fmt.Sprintf("t%02dw%03d", turn, i))
					}
					return list, false, nil
				})
				var p *inbox.Problem
				if err != nil && !asProblem(err, &p) {
					t.Error(err)
				}
			})
		}
		close(start)
		wg.Wait()
		w.index(id, "end") // reads the list that stands and takes all of it away
		var all []string
		for n := range turn + 1 {
			for i := range 110 {
				all = append(all, fmt.Sprintf("t%02dw%03d", n, i))
			}
		}
		if got := w.rowsOf(id, all...); len(got) != 0 {
			t.Errorf("%d rows stay behind: %q", len(got), got[:min(5, len(got))])
		}
	})
}

func asProblem(err error, p **inbox.Problem) bool {
	v, ok := err.(*inbox.Problem)
	*p = v
	return ok && v.Code == inbox.CodeUnavailable
}

// TestSearchOfMany: a search with more items than are read at once keeps the
// list's order and pages, and a word that stands on too many items is judged on
// the items themselves.
func TestSearchOfMany(t *testing.T) {
	w := newWorld(t, backends["embedded"].open(t))
	var want, even []string
	for n := range 330 {
		at := now.Add(int64(n))
		id := w.created(at).Item.ID
		words := []string{"haircut", fmt.Sprintf("n%03d", n)}
		if n%2 == 0 {
			words = append(words, "even")
			even = append(even, id)
		}
		w.index(id, words...)
		want = append(want, id)
	}
	slices.Reverse(want)
	slices.Reverse(even)
	check := func(name string) {
		t.Helper()
		for q, ids := range map[string][]string{"hair": want, "haircut even": even, "even": even, "n007": {want[330-8]}, "hair n00": want[320:], "hair nobody": {}} {
			for _, limit := range []int{7, 100} {
				if got := w.search(store.ListQuery{Words: strings.Fields(q), Limit: limit}); !slices.Equal(got, ids) {
					t.Errorf("%s: %q by %d: %d items, want %d", name, q, limit, len(got), len(ids))
				}
			}
		}
		closed := true
		if got := w.search(store.ListQuery{Words: []string{"hair"}, NeedsHuman: &closed, Limit: 50}); len(got) != 0 {
			t.Errorf("%s: filtered: %d", name, len(got))
		}
	}
	check("many")
	// Rows of items that nobody finds any more crowd the word.
	var actions []table.Action
	for n := range 5100 {
		row := table.Row{"pk": "t#r#ha", "sk": fmt.Sprintf("haircut#%026d", n), "v": int64(1)}
		actions = append(actions, table.Action{Kind: table.Put, Key: table.Key{Table: "inbox"}, Row: row})
		if len(actions) == 100 {
			if err := w.db.Transact(w.ctx, "", actions); err != nil {
				t.Fatal(err)
			}
			actions = nil
		}
	}
	check("too many")
}

// TestContactsInOrder: who has a value, the proven first, then the oldest; a contact
// that is given again stays proven.
func TestContactsInOrder(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		given := func(party string, verified *inbox.Instant) inbox.PartyContact {
			return inbox.PartyContact{PartyID: party, Kind: inbox.ContactEmail, Value: "x@example.com", VerifiedAt: verified, CreatedAt: now}
		}
		write := w.create(now)
		write.Contacts = []inbox.PartyContact{given("A", nil), given("B", inbox.Ptr(now)), given("C", nil)}
		w.commit(write)
		again := w.create(now)
		again.Contacts = []inbox.PartyContact{given("B", nil)}
		w.commit(again)
		var order []string
		for _, c := range must(w.ContactsOf(w.ctx, inbox.ContactEmail, "x@example.com"))(t) {
			order = append(order, fmt.Sprint(c.PartyID, c.VerifiedAt != nil))
		}
		if want := []string{"Btrue", "Afalse", "Cfalse"}; !slices.Equal(order, want) {
			t.Errorf("%v", order)
		}
		if err := w.MoveContacts(w.ctx, "B", "A"); err != nil {
			t.Fatal(err)
		}
		if w.lags {
			return // the index did not show them all; a merge is looked at again
		}
		got := must(w.ContactsOf(w.ctx, inbox.ContactEmail, "x@example.com"))(t)
		if len(got) != 2 || got[0].PartyID != "A" || got[0].VerifiedAt == nil {
			t.Errorf("moved: %+v", got)
		}
	})
}

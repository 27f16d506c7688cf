package store_test

import (
	"errors"
	"fmt"
	"slices"
	"testing"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

// settle gives a lagging index the commits it needs to catch up.
func (w *world) settle() {
	w.t.Helper()
	if !w.lags {
		return
	}
	for n := range 4 {
		w.commit(decide.Write{Contacts: []inbox.PartyContact{{PartyID: "settle", Kind: "email", Value: fmt.Sprint(n)}}})
	}
}

// populate makes items of every kind the filters tell apart, a minute apart,
// and answers them oldest first.
func (w *world) populate(n int) []*inbox.Record {
	w.t.Helper()
	var items []*inbox.Record
	for i := range n {
		write := w.create(now.Add(int64(i) * inbox.Minute))
		rec := &write.Items[0].Record
		rec.Item.Flags.Sandbox = i%7 == 6
		rec.Item.Flags.NeedsHuman = i%3 == 0
		rec.MailFailed = i%5 == 0
		if i%4 == 0 {
			rec.Item.ClosedAt, rec.Item.State = inbox.Ptr(now), inbox.StateDeclined
		}
		w.commit(write)
		items = append(items, w.item(rec.Item.ID))
	}
	w.settle()
	return items
}

// walk pages through a list to its end.
func (w *world) walk(q store.ListQuery) (ids []string, pages int) {
	w.t.Helper()
	for {
		items, next, err := w.ListItems(w.ctx, q)
		if err != nil {
			w.t.Fatal(err)
		}
		if pages++; len(items) > q.Limit || pages > 200 {
			w.t.Fatalf("%d items on page %d", len(items), pages)
		}
		for _, r := range items {
			ids = append(ids, r.Item.ID)
		}
		if next == nil {
			return ids, pages
		}
		if len(*next) > 200 {
			w.t.Fatalf("a cursor of %d characters", len(*next))
		}
		q.Cursor = *next
	}
}

func TestListItems(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		items := w.populate(30)
		yes, no := inbox.Ptr(true), inbox.Ptr(false)
		for name, q := range map[string]store.ListQuery{
			"all":              {},
			"open":             {Open: true},
			"sandbox":          {Sandbox: true},
			"sandbox and real": {Both: true, Open: true},
			"needs a person":   {NeedsHuman: yes},
			"needs none":       {NeedsHuman: no, Open: true},
			"mail failed":      {MailFailed: yes},
			"mail well":        {MailFailed: no},
			"both":             {NeedsHuman: yes, MailFailed: yes, Open: true},
			"state":            {State: inbox.StateDeclined},
			"type":             {Type: inbox.TypeBooking, Open: true},
			"none of the type": {Type: inbox.TypeOrder},
		} {
			var want []string
			for _, r := range slices.Backward(items) {
				i := r.Item
				if (q.Both || i.Flags.Sandbox == q.Sandbox) && (!q.Open || i.ClosedAt == nil) && (q.State == "" || i.State == q.State) &&
					(q.Type == "" || i.Type == q.Type) && (q.NeedsHuman == nil || i.Flags.NeedsHuman == *q.NeedsHuman) &&
					(q.MailFailed == nil || r.MailFailed == *q.MailFailed) {
					want = append(want, i.ID)
				}
			}
			for _, limit := range []int{1, 4, 100} {
				q.Limit = limit
				if got, pages := w.walk(q); !slices.Equal(got, want) {
					t.Errorf("%s by %d: %d items in %d pages, want %d\n%v\n%v", name, limit, len(got), pages, len(want), got, want)
				}
			}
		}
	})
}

// TestListFollowsChanges: an item moves to the front when it changes and leaves
// the lists it no longer belongs to, at once where the index does not lag; a
// lagging index never shows an item that does not match.
func TestListFollowsChanges(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		items := w.populate(6)
		rec := items[1]
		w.commit(w.cancel(rec, now.Add(inbox.Hour)))
		open, _ := w.walk(store.ListQuery{Open: true, Limit: 10})
		if slices.Contains(open, rec.Item.ID) {
			t.Error("a closed item among the open ones")
		}
		w.settle()
		all, _ := w.walk(store.ListQuery{Limit: 10})
		if len(all) != 6 || all[0] != rec.Item.ID {
			t.Errorf("the item changed last is not first: %v", all)
		}
	})
}

func TestListCursor(t *testing.T) {
	w := newWorld(t, backends["embedded"].open(t))
	w.populate(20)
	q := store.ListQuery{Open: true, Limit: 3}
	_, next, err := w.ListItems(w.ctx, q)
	if err != nil || next == nil {
		t.Fatal(next, err)
	}
	other := newWorld(t, backends["embedded"].open(t))
	for name, c := range map[string]struct {
		w *world
		q store.ListQuery
	}{
		"fail/other filter":  {w, store.ListQuery{Open: false, Limit: 3, Cursor: *next}},
		"fail/both":          {w, store.ListQuery{Open: true, Both: true, Limit: 3, Cursor: *next}},
		"fail/other sandbox": {w, store.ListQuery{Open: true, Sandbox: true, Limit: 3, Cursor: *next}},
		"fail/other state":   {w, store.ListQuery{Open: true, State: "x", Limit: 3, Cursor: *next}},
		"fail/not base64":    {w, store.ListQuery{Open: true, Limit: 3, Cursor: "§§§"}},
		"fail/empty inside":  {w, store.ListQuery{Open: true, Limit: 3, Cursor: "AAAA"}},
		"fail/changed":       {w, store.ListQuery{Open: true, Limit: 3, Cursor: "A" + (*next)[1:]}},
		"fail/longer":        {w, store.ListQuery{Open: true, Limit: 3, Cursor: *next + "AAAA"}},
		"ok/other limit":     {w, store.ListQuery{Open: true, Limit: 7, Cursor: *next}},
		"ok/other process":   {other, store.ListQuery{Open: true, Limit: 3, Cursor: *next}},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := c.w.ListItems(c.w.ctx, c.q)
			if name[:2] == "ok" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var p *inbox.Problem
			if !errors.As(err, &p) || p.Code != inbox.CodeInvalidInput || len(p.Fields) != 1 || p.Fields[0].Path != "cursor" {
				t.Errorf("got %v", err)
			}
		})
	}
}

// TestListIsBounded: a filter that nothing matches ends its page after a
// bounded number of rows, with a cursor.
func TestListIsBounded(t *testing.T) {
	db := store.NewMeter(backends["embedded"].open(t))
	w := newWorld(t, db)
	for i := range 620 {
		w.commit(w.create(now.Add(int64(i) * inbox.Minute)))
	}
	db.Reset()
	items, next, err := w.ListItems(w.ctx, store.ListQuery{State: "nowhere", Limit: 50})
	if err != nil || len(items) != 0 || next == nil {
		t.Fatalf("%d items, %v, %v", len(items), next, err)
	}
	if db.Calls() > 40 {
		t.Errorf("%d storage calls for one page", db.Calls())
	}
	if ids, pages := w.walk(store.ListQuery{State: "nowhere", Limit: 50}); len(ids) != 0 || pages != 2 {
		t.Errorf("%d items on %d pages", len(ids), pages)
	}
}

func TestItemsOfParty(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		var want []string
		party := ""
		for n := range 7 {
			write := w.create(now.Add(int64(n)))
			if party == "" {
				party = write.Party.ID
			} else {
				write.Party, write.Contacts = nil, nil
				write.Items[0].Record.Item.PartyID = party
			}
			w.commit(write)
			want = append([]string{write.Items[0].Record.Item.ID}, want...)
		}
		w.commit(w.create(now)) // another's
		w.settle()
		var got []string
		for after, pages := "", 0; ; pages++ {
			items, next, err := w.ItemsOfParty(w.ctx, party, after, 3)
			if err != nil || len(items) > 3 || pages > 3 {
				t.Fatal(len(items), pages, err)
			}
			for _, r := range items {
				got = append(got, r.Item.ID)
			}
			if after = next; next == "" {
				break
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %v\nwant %v", got, want)
		}
	})
}

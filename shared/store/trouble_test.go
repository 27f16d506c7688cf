package store_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"typedinbox/shared/canon"
	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
	"typedinbox/shared/table"
	"typedinbox/shared/table/embedded"
)

// forgetful is a database that remembers no tokens and loses answers: the first
// so many of commits (after), then as many of tries that were not run (before).
type forgetful struct {
	table.Database
	after, before int
	calls         int
}

func (f *forgetful) Transact(ctx context.Context, _ string, actions []table.Action) error {
	f.calls++
	if f.before > 0 {
		f.before--
		return table.ErrUnknown
	}
	err := f.Database.Transact(ctx, "", actions)
	if f.after > 0 {
		f.after--
		return table.ErrUnknown
	}
	return err
}

// TestLostAnswerIsToldFromTheRows: where the token does not settle it, the
// write's own rows do.
func TestLostAnswerIsToldFromTheRows(t *testing.T) {
	entry := func(w *world, rec *inbox.Record) decide.Write {
		write := w.step(rec, "x", rec.Item.State, now)
		next := *rec
		next.Rev++
		write.Events, write.Items[0].Record = nil, next
		write.Entries = []inbox.Entry{{ID: w.ids.ID(now), ItemID: rec.Item.ID, BodyText: "x", CreatedAt: now}}
		return write
	}
	kinds := map[string]func(*world, *inbox.Record) decide.Write{
		"event": func(w *world, rec *inbox.Record) decide.Write { return w.cancel(rec, now) },
		"entry": entry,
		"item alone": func(w *world, rec *inbox.Record) decide.Write {
			write := entry(w, rec)
			write.Entries = nil
			return write
		},
	}
	for name, make := range kinds {
		for lost := range 4 {
			db := &forgetful{Database: open(t, nil, nil)}
			w := newWorld(t, db)
			rec := w.created(now)
			write := make(w, rec)
			db.after = lost
			if err := w.Commit(w.ctx, write); err != nil {
				t.Errorf("%s, %d answers lost: %v", name, lost, err)
			}
			db.after = 0
			if got := w.item(rec.Item.ID); got.Rev != 2 {
				t.Errorf("%s, %d answers lost: rev %d", name, lost, got.Rev)
			}
			// Another's write in the same place is not taken for ours.
			other := make(w, rec)
			db.after, db.before = 0, 1
			if l, ok := store.AsLost(w.Commit(w.ctx, other)); name != "item alone" && (!ok || !l.Version) {
				t.Errorf("%s: a lost write passed for done", name)
			}
		}
		db := &forgetful{Database: open(t, nil, nil)}
		w := newWorld(t, db)
		rec := w.created(now)
		db.before = 100
		if l, ok := store.AsLost(w.Commit(w.ctx, make(w, rec))); !ok || !l.Busy || !errors.Is(l, table.ErrUnknown) {
			t.Errorf("%s: a write that never happened: %+v", name, l)
		}
	}
}

func TestLostAnswerOfSetUp(t *testing.T) {
	for lost := range 4 {
		db := &forgetful{Database: open(t, nil, nil), after: lost}
		w := newWorld(t, db)
		if err := w.SaveSetUp(w.ctx, store.SetUp{Services: []inbox.Service{service("S", 1)}, Idem: answer("k", `{}`)}); err != nil {
			t.Errorf("%d answers lost: %v", lost, err)
		}
	}
	db := &forgetful{Database: open(t, nil, nil), before: 1}
	w := newWorld(t, db)
	w.saved(store.SetUp{Services: []inbox.Service{service("S", 1)}})
	db.before = 1
	other := service("S", 1)
	other.Name = "Another"
	if l, ok := store.AsLost(w.SaveSetUp(w.ctx, store.SetUp{Services: []inbox.Service{other}})); !ok || !l.Version {
		t.Errorf("another's document passed for ours: %+v", l)
	}
}

// TestBusyDatabase: reads and small writes are tried eight times, waiting at
// most two seconds in all, then the answer is unavailable; a write is given back
// at once.
func TestBusyDatabase(t *testing.T) {
	faults := embedded.NewFaults(1)
	db := open(t, faults, nil)
	var waits []time.Duration
	st := store.New(db, ring(t), store.WithSource(source(3)), store.WithSleep(func(_ context.Context, d time.Duration) error {
		waits = append(waits, d)
		return nil
	}))
	w := newWorld(t, db)
	rec := w.created(now)
	jobs := must(w.Jobs(w.ctx, rec.Item.ID))(t)
	faults.Rate(embedded.Throttle, 1)
	for name, read := range map[string]func() error{
		"load":     func() error { _, err := st.Load(w.ctx, store.Want{ItemID: rec.Item.ID}); return err },
		"item":     func() error { _, err := st.Item(w.ctx, rec.Item.ID); return err },
		"thread":   func() error { _, err := st.Thread(w.ctx, rec.Item.ID, 3); return err },
		"view":     func() error { _, err := st.Load(w.ctx, store.Want{ItemID: rec.Item.ID, Thread: 3}); return err },
		"places":   func() error { _, err := st.PlacesOf(w.ctx, hours(rec)); return err },
		"range":    func() error { _, err := st.PlacesRange(w.ctx, resource, true, now, now+1); return err },
		"list":     func() error { _, _, err := st.ListItems(w.ctx, store.ListQuery{Limit: 3}); return err },
		"party":    func() error { _, _, err := st.ItemsOfParty(w.ctx, "P", "", 3); return err },
		"due":      func() error { _, err := st.DueItems(w.ctx, now, 3); return err },
		"next due": func() error { _, err := st.NextDue(w.ctx); return err },
		"job":      func() error { return st.PutBackJob(w.ctx, &jobs[0], now) },
		"key":      func() error { _, err := st.KeyByHash(w.ctx, "h"); return err },
		"check":    func() error { _, err := st.Check(w.ctx); return err },
		"prune":    func() error { _, _, err := st.Prune(w.ctx, now, 3); return err },
		"ack":      func() error { _, err := st.CountAck(w.ctx, "h", "k", now, 1, 1); return err },
	} {
		waits = nil
		var p *inbox.Problem
		if err := read(); !errors.As(err, &p) || p.Code != inbox.CodeUnavailable || p.RetryAfter == 0 {
			t.Errorf("%s: %v", name, err)
		}
		var sum time.Duration
		for _, d := range waits {
			sum += d
		}
		if len(waits) == 0 || len(waits) > 7 || sum > 2*time.Second {
			t.Errorf("%s waited %v", name, waits)
		}
	}
	waits = nil
	if l, ok := store.AsLost(st.Commit(w.ctx, w.cancel(rec, now))); !ok || !l.Busy || len(waits) > 0 {
		t.Errorf("a write: %+v after %v", l, waits)
	}
}

func TestStopsWithItsContext(t *testing.T) {
	faults := embedded.NewFaults(1).Rate(embedded.Throttle, 1)
	st := store.New(open(t, faults, nil), ring(t))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := st.Item(ctx, "I"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestOtherErrorsPass: what is no one's race is an error of its own.
func TestOtherErrorsPass(t *testing.T) {
	w := newWorld(t, open(t, nil, nil))
	rec := w.created(now)
	large := w.cancel(rec, now)
	large.Entries = []inbox.Entry{{ID: "E", ItemID: rec.Item.ID, BodyText: strings.Repeat("x", table.MaxRow)}}
	if err := w.Commit(w.ctx, large); !errors.Is(err, table.ErrLimit) {
		t.Errorf("a row over its limit: %v", err)
	}
	wrong := w.cancel(rec, now)
	wrong.Items[0].Record.Rev += 3
	if err := w.Commit(w.ctx, wrong); err == nil {
		t.Error("a rev that does not follow")
	}
	if got := w.item(rec.Item.ID); got.Rev != 1 {
		t.Errorf("something was written: rev %d", got.Rev)
	}
}

// TestWithoutSecret: without an instance secret nothing is sealed, so no answer
// is kept; everything else works.
func TestWithoutSecret(t *testing.T) {
	w := newWorld(t, open(t, nil, nil))
	w.Store = store.New(w.db, canon.Ring{}, store.WithSource(source(5)))
	write := w.create(now)
	write.Idem = answer("k", `{}`)
	if err := w.Commit(w.ctx, write); !errors.Is(err, canon.ErrNoKey) {
		t.Errorf("got %v", err)
	}
	w.populate(9)
	if ids, pages := w.walk(store.ListQuery{Limit: 2}); len(ids) != 8 || pages < 4 {
		t.Errorf("%d items on %d pages", len(ids), pages)
	}
	q := store.ListQuery{Limit: 2}
	_, next, _ := w.ListItems(w.ctx, q)
	if _, _, err := w.ListItems(w.ctx, store.ListQuery{Limit: 2, Open: true, Cursor: *next}); err == nil {
		t.Error("a cursor of another filter passed")
	}
}

// TestAnswersAreSealed: no part of an answer can be read in the table, and one
// moved to another key does not open.
func TestAnswersAreSealed(t *testing.T) {
	c := &catcher{Database: open(t, nil, nil)}
	w := newWorld(t, c)
	write := w.create(now)
	write.Idem = answer("k", reference)
	w.commit(write)
	var sealed table.Row
	for _, r := range c.rows {
		for name, v := range r {
			text, _ := v.(string)
			if b, ok := v.([]byte); ok {
				text = string(b)
			}
			if strings.Contains(text, "q83vASNFZ4mrze8BI0VniavN7wEjRWeJ") || strings.Contains(text, "access_token") {
				t.Errorf("%s of %s holds the answer in the clear", name, r.String("pk"))
			}
		}
		if strings.HasPrefix(r.String("pk"), "k#") {
			sealed = r
		}
	}
	moved := sealed.Clone()
	other := answer("other", "")
	empty := w.create(now)
	empty.Idem = other
	w.commit(empty)
	moved["pk"], moved["sk"] = c.rows[lastAnswer(c.rows)].String("pk"), c.rows[lastAnswer(c.rows)].String("sk")
	if err := w.db.Transact(w.ctx, "", []table.Action{{Kind: table.Put, Key: table.Key{Table: "inbox"}, Row: moved}}); err != nil {
		t.Fatal(err)
	}
	if got, err := w.Answered(w.ctx, other.Scope, "other", now); !errors.Is(err, canon.ErrSealed) {
		t.Errorf("got %+v, %v", got, err)
	}
}

func lastAnswer(rows []table.Row) int {
	last := -1
	for n, r := range rows {
		if strings.HasPrefix(r.String("pk"), "k#") {
			last = n
		}
	}
	return last
}

func TestLostSays(t *testing.T) {
	l := &store.Lost{Version: true, Rows: true, Cause: table.ErrThrottled}
	if l.Error() != "store: write lost: version moved, places moved" || !errors.Is(l, table.ErrThrottled) {
		t.Error(l.Error())
	}
	if _, ok := store.AsLost(errors.New("x")); ok {
		t.Error("any error is lost")
	}
}

func TestParties(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		a, b := w.created(now), w.created(now)
		got := must(w.Parties(w.ctx, []string{a.Item.PartyID, "none", b.Item.PartyID, ""}))(t)
		if len(got) != 2 || got[a.Item.PartyID].ID != a.Item.PartyID || got[b.Item.PartyID].DisplayName != "Ana Martins" {
			t.Errorf("got %+v", got)
		}
	})
}

// TestViewOverCutPages: the one query of a view goes on until it has the item
// and its newest entries, however short its pages are.
func TestViewOverCutPages(t *testing.T) {
	faults := embedded.NewFaults(1)
	w := newWorld(t, open(t, faults, nil))
	write := w.create(now)
	id := write.Items[0].Record.Item.ID
	for range 9 {
		write.Entries = append(write.Entries, inbox.Entry{ID: w.ids.ID(now), ItemID: id, BodyText: "x", CreatedAt: now})
	}
	w.commit(write)
	faults.Rate(embedded.CutPage, 1)
	for range 20 {
		l := must(w.Load(w.ctx, store.Want{ItemID: id, Thread: 5}))(t)
		if l.Record == nil || l.Offer == nil || len(l.Thread) != 5 || l.Thread[4].ID != write.Entries[8].ID {
			t.Fatalf("got %+v", l)
		}
	}
	if faults.Count(embedded.CutPage) < 20 {
		t.Error("no page was cut")
	}
}

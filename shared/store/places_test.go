package store_test

import (
	"slices"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

func claimIDs(p inbox.Places) (ids []string) {
	for _, c := range p.Claims {
		ids = append(ids, c.ID)
	}
	slices.Sort(ids)
	return ids
}

// place confirms an item at a time of its own and answers its claim.
func (w *world) place(sandbox bool, from, to inbox.Instant) (*inbox.Record, inbox.Claim) {
	w.t.Helper()
	write := w.create(now)
	rec := &write.Items[0].Record
	rec.Item.Flags.Sandbox = sandbox
	b := rec.Item.Payload.Booking
	b.StartTime, b.EndTime = from, to
	w.commit(write)
	rec = w.item(rec.Item.ID)
	if ok, err := w.confirmed(rec, 100, now); !ok || err != nil {
		w.t.Fatal(ok, err)
	}
	rec = w.item(rec.Item.ID)
	return rec, rec.Claims[0]
}

func TestPlaces(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		at := func(hours, minutes int64) inbox.Instant { return now.Add(hours*inbox.Hour + minutes*inbox.Minute) }
		_, a := w.place(false, at(10, 0), at(11, 0))
		recB, b := w.place(false, at(10, 30), at(12, 30)) // three rows
		_, c := w.place(false, at(20, 0), at(20, 5))
		_, s := w.place(true, at(10, 0), at(11, 0))

		got := must(w.PlacesOf(w.ctx, a.Rows()))(t)
		if want := []string{a.ID, b.ID}; !slices.Equal(claimIDs(got), sorted(want)) || len(got.Revs) != 1 || got.Revs[a.Rows()[0]] != 2 {
			t.Errorf("one row: %+v", got)
		}
		got = must(w.PlacesOf(w.ctx, b.Rows()))(t)
		if !slices.Equal(claimIDs(got), sorted([]string{a.ID, b.ID})) || len(got.Revs) != 3 || got.Revs[b.Rows()[2]] != 1 {
			t.Errorf("three rows: %+v", got)
		}
		for _, x := range got.Claims {
			if x.ID == b.ID && (x.From != b.From || x.To != b.To || x.Kind != inbox.ClaimBooking || x.Resource != resource) {
				t.Errorf("read back %+v, want %+v", x, b)
			}
		}
		got = must(w.PlacesOf(w.ctx, s.Rows()))(t)
		if !slices.Equal(claimIDs(got), sorted([]string{a.ID, b.ID, s.ID})) || len(got.Revs) != 2 {
			t.Errorf("a sandbox row sees real ones: %+v", got)
		}

		for name, r := range map[string]struct {
			from, to inbox.Instant
			sandbox  bool
			want     []string
		}{
			"all":              {at(0, 0), at(24*14, 0), false, []string{a.ID, b.ID, c.ID}},
			"with sandbox":     {at(0, 0), at(24*14, 0), true, []string{a.ID, b.ID, c.ID, s.ID}},
			"evening":          {at(20, 0), at(21, 0), false, []string{c.ID}},
			"end is exclusive": {at(13, 0), at(20, 0), false, nil},
			"nothing":          {at(14, 0), at(14, 0), true, nil},
		} {
			got := must(w.PlacesRange(w.ctx, resource, r.sandbox, r.from, r.to))(t)
			if !slices.Equal(claimIDs(got), sorted(r.want)) {
				t.Errorf("%s: %v, want %v", name, claimIDs(got), r.want)
			}
		}

		w.commit(w.cancel(recB, now))
		got = must(w.PlacesOf(w.ctx, b.Rows()))(t)
		if !slices.Equal(claimIDs(got), []string{a.ID}) || got.Revs[b.Rows()[0]] != 2 {
			t.Errorf("after a release, which raises no rev: %+v", got)
		}
	})
}

func sorted(s []string) []string { slices.Sort(s); return s }

// TestMovedPlace: old places dropped and new ones taken in one write, rows that
// both touch included.
func TestMovedPlace(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		at := func(h int64) inbox.Instant { return now.Add(h * inbox.Hour) }
		rec, old := w.place(false, at(10), at(12))
		write := w.step(rec, "accept_change", rec.Item.State, now)
		next := old
		next.ID, next.From, next.To = w.ids.ID(now), at(11), at(13)
		write.Items[0].Record.Claims = []inbox.Claim{next}
		write.Release, write.Take = rec.Claims, []inbox.Claim{next}
		write.Places = must(w.PlacesOf(w.ctx, next.Rows()))(t)
		w.commit(write)
		got := must(w.PlacesRange(w.ctx, resource, false, at(0), at(24)))(t)
		if !slices.Equal(claimIDs(got), []string{next.ID}) {
			t.Errorf("got %+v", got)
		}
	})
}

// TestLateRelease: a release of a row that is gone leaves a row that can be
// claimed in again.
func TestLateRelease(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		rec, claim := w.place(false, now.Add(inbox.Hour), now.Add(2*inbox.Hour))
		w.saved(store.SetUp{Services: []inbox.Service{service(serviceID, 1)}})
		if n, more, err := w.Prune(w.ctx, now.Add(100*inbox.Day), 100); n != 1 || more || err != nil {
			t.Fatal(n, more, err)
		}
		w.commit(w.cancel(rec, now.Add(100*inbox.Day)))
		places := must(w.PlacesOf(w.ctx, claim.Rows()))(t)
		if places.Revs[claim.Rows()[0]] != 0 || len(places.Claims) != 0 {
			t.Fatalf("got %+v", places)
		}
		_, again := w.place(false, claim.From, claim.To)
		if got := must(w.PlacesOf(w.ctx, claim.Rows()))(t); !slices.Equal(claimIDs(got), []string{again.ID}) {
			t.Errorf("got %+v", got)
		}
	})
}

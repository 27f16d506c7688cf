package store_test

import (
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

func TestCommitAndRead(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		write := w.create(now)
		write.Idem = answer("k1", `{"view":{},"replayed":false}`)
		id := write.Items[0].Record.Item.ID
		write.Entries = []inbox.Entry{{ID: w.ids.ID(now), ItemID: id, Direction: inbox.DirectionIn, BodyText: "Hello", MessageID: "<m1@x>", CreatedAt: now}}
		w.commit(write)

		l := must(w.Load(w.ctx, store.Want{ItemID: id, IdemScope: write.Idem.Scope, IdemKey: "k1", Now: now,
			PartyID: write.Party.ID, OfferRev: 1, EntryID: write.Entries[0].ID}))(t)
		if l.Record == nil || l.Record.Item.ID != id || l.Record.Rev != 1 || l.Record.LastHash == "" || l.Record.LastEventID != write.Events[0].ID {
			t.Errorf("record %+v", l.Record)
		}
		if b := l.Record.Item.Payload.Booking; b == nil || b.StartTime != now.Add(24*inbox.Hour) || b.Offer.Rev != 1 {
			t.Errorf("payload %+v", b)
		}
		if l.Idem == nil || string(l.Idem.Answer) != string(write.Idem.Answer) || l.Idem.Fingerprint != write.Idem.Fingerprint || l.Idem.Status != 201 {
			t.Errorf("answer %+v", l.Idem)
		}
		if l.Party == nil || l.Party.Contact.Email != "ana.martins@example.com" || l.Offer == nil || l.Offer.Status != inbox.OfferOpen ||
			l.Entry == nil || l.Entry.BodyText != "Hello" {
			t.Errorf("party %+v, offer %+v, entry %+v", l.Party, l.Offer, l.Entry)
		}
		events := must(w.Events(w.ctx, id))(t)
		if len(events) != 1 || events[0].Hash != l.Record.LastHash || events[0].Hash == "" {
			t.Errorf("events %+v", events)
		}
		jobs := must(w.Jobs(w.ctx, id))(t)
		if len(jobs) != 2 || !jobs[0].Ready || jobs[1].Ready {
			t.Errorf("jobs %+v", jobs)
		}
		contacts := must(w.ContactsOf(w.ctx, inbox.ContactEmail, "ana.martins@example.com"))(t)
		if len(contacts) != 1 || contacts[0].PartyID != write.Party.ID || contacts[0].CreatedAt != now || contacts[0].VerifiedAt != nil {
			t.Errorf("contacts %+v", contacts)
		}
	})
}

// TestCommitLost: what was lost is said, and nothing of the write is there.
func TestCommitLost(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		first := w.create(now)
		first.Idem = answer("k1", `{"a":1,"replayed":false}`)
		first.Entries = []inbox.Entry{{ID: w.ids.ID(now), ItemID: first.Items[0].Record.Item.ID, BodyText: "Hello", MessageID: "<m1@x>", CreatedAt: now}}
		w.commit(first)
		rec := w.item(first.Items[0].Record.Item.ID)

		nothing := func(t *testing.T, id string) {
			t.Helper()
			if r := must(w.Item(w.ctx, id))(t); r != nil {
				t.Errorf("half of it is there: %+v", r)
			}
			if e := must(w.Events(w.ctx, id))(t); len(e) != 0 {
				t.Errorf("its event is there: %+v", e)
			}
			if j := must(w.Jobs(w.ctx, id))(t); len(j) != 0 {
				t.Errorf("its jobs are there: %+v", j)
			}
		}
		t.Run("fail/answered before", func(t *testing.T) {
			again := w.create(now)
			again.Idem = answer("k1", `{"a":2,"replayed":false}`)
			l := w.lost(again)
			if l.Idem == nil || string(l.Idem.Answer) != `{"a":1,"replayed":false}` || l.Idem.Fingerprint != first.Idem.Fingerprint {
				t.Errorf("got %+v", l)
			}
			nothing(t, again.Items[0].Record.Item.ID)
		})
		t.Run("ok/answer expired", func(t *testing.T) {
			again := w.create(now)
			again.Idem = answer("k1", `{"a":3,"replayed":false}`)
			again.Idem.ExpiresAt = first.Idem.ExpiresAt.Add(store.IdempotencyRetention)
			w.commit(again)
			got := must(w.Answered(w.ctx, again.Idem.Scope, "k1", first.Idem.ExpiresAt))(t)
			if got == nil || string(got.Answer) != `{"a":3,"replayed":false}` {
				t.Errorf("got %+v", got)
			}
			if got := must(w.Answered(w.ctx, again.Idem.Scope, "k1", again.Idem.ExpiresAt))(t); got != nil {
				t.Errorf("it is past its time: %+v", got)
			}
		})
		t.Run("fail/version moved", func(t *testing.T) {
			cancel, cancel2 := w.cancel(rec, now), w.cancel(rec, now)
			w.commit(cancel)
			if l := w.lost(cancel2); !l.Version || l.Idem != nil || l.Rows {
				t.Errorf("got %+v", l)
			}
		})
		t.Run("fail/message id known", func(t *testing.T) {
			again := w.create(now)
			again.Entries = []inbox.Entry{{ID: w.ids.ID(now), ItemID: again.Items[0].Record.Item.ID, BodyText: "Hi", MessageID: "<m1@x>", CreatedAt: now}}
			l := w.lost(again)
			if l.Message == nil || l.Message.ItemID != rec.Item.ID || l.Message.EntryID != first.Entries[0].ID {
				t.Errorf("got %+v", l)
			}
			nothing(t, again.Items[0].Record.Item.ID)
		})
		t.Run("fail/places moved", func(t *testing.T) {
			a, b := w.created(now), w.created(now)
			places := must(w.PlacesOf(w.ctx, hours(a)))(t)
			w.commit(w.confirm(a, places, now))
			if l := w.lost(w.confirm(b, places, now)); !l.Rows || l.Version {
				t.Errorf("got %+v", l)
			}
			if r := w.item(b.Item.ID); r.Item.State != inbox.StateRequested || len(r.Claims) != 0 {
				t.Errorf("half of it is there: %+v", r)
			}
		})
		t.Run("fail/row not read", func(t *testing.T) {
			a := w.created(now)
			if err := w.Commit(w.ctx, w.confirm(a, inbox.Places{}, now)); err == nil || !strings.Contains(err.Error(), "not read") {
				t.Errorf("got %v", err)
			}
		})
	})
}

// TestContactKeepsItsDate: naming a verified contact again does not undo it.
func TestContactKeepsItsDate(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		write := w.create(now)
		write.Contacts[0].VerifiedAt = inbox.Ptr(now)
		w.commit(write)
		again := w.create(now.Add(inbox.Hour))
		again.Party = nil
		again.Contacts = []inbox.PartyContact{{PartyID: write.Party.ID, Kind: inbox.ContactEmail, Value: write.Contacts[0].Value, CreatedAt: now.Add(inbox.Hour)}}
		again.Items[0].Record.Item.PartyID = write.Party.ID
		w.commit(again)
		got := must(w.ContactsOf(w.ctx, inbox.ContactEmail, write.Contacts[0].Value))(t)
		if len(got) != 1 || got[0].VerifiedAt == nil || *got[0].VerifiedAt != now {
			t.Errorf("got %+v", got)
		}
		if !w.lags {
			items, next, err := w.ItemsOfParty(w.ctx, write.Party.ID, "", 10)
			if err != nil || next != "" || len(items) != 2 || items[0].Item.ID != again.Items[0].Record.Item.ID {
				t.Errorf("items of the party: %d, %q, %v", len(items), next, err)
			}
		}
	})
}

func TestThread(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		rec := w.created(now)
		var ids, said []string
		for n := range 7 {
			next := *rec
			next.Rev++
			at := now.Add(int64(n+1) * inbox.Minute)
			e := inbox.Entry{ID: w.ids.ID(at), ItemID: rec.Item.ID, Direction: inbox.DirectionOut, BodyText: strings.Repeat("x", n+1), CreatedAt: at}
			next.Item.UpdatedAt, next.LastEntryID = at, e.ID
			if n >= 4 {
				e.Direction = inbox.DirectionNote
			}
			write := w.step(rec, "x", rec.Item.State, at)
			write.Events, write.Items[0].Record, write.Entries = nil, next, []inbox.Entry{e}
			w.commit(write)
			rec = w.item(rec.Item.ID)
			ids = append(ids, e.ID)
			if e.Direction != inbox.DirectionNote {
				said = append(said, e.ID)
			}
		}
		idsOf := func(entries []inbox.Entry) (out []string) {
			for _, e := range entries {
				out = append(out, e.ID)
			}
			return out
		}
		for n, want := range map[int][]string{0: ids, 3: ids[4:], 7: ids, 50: ids} {
			if got := idsOf(must(w.Thread(w.ctx, rec.Item.ID, n))(t)); !slices.Equal(got, want) {
				t.Errorf("newest %d: %v, want %v", n, got, want)
			}
			if n == 0 {
				continue
			}
			l := must(w.Load(w.ctx, store.Want{ItemID: rec.Item.ID, Thread: n}))(t)
			want = said[max(0, len(said)-n):]
			if got := idsOf(l.Thread); !slices.Equal(got, want) || l.Record == nil || l.Record.Rev != 8 || l.Offer == nil || l.Offer.Rev != 1 {
				t.Errorf("with the item, newest %d: %v, want %v; %+v", n, got, want, l)
			}
		}
		if l := must(w.Load(w.ctx, store.Want{ItemID: "01K5ZZZZZZZZZZZZZZZZZZNONE", Thread: 5}))(t); l.Record != nil || l.Offer != nil || l.Thread != nil {
			t.Errorf("an item that is not there: %+v", l)
		}
	})
}

// TestStrangeIDs: whatever a caller puts for an id names nothing.
func TestStrangeIDs(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		for _, id := range []string{"", "\xff", strings.Repeat("x", 3000), "#", "i", "../x", "01K5\x00"} {
			l, err := w.Load(w.ctx, store.Want{ItemID: id, PartyID: id, ServiceID: id, Hours: true, OfferRev: 1, EntryID: id, Settings: true})
			if err != nil || l.Record != nil || l.Party != nil || l.Service != nil || l.Offer != nil || l.Entry != nil {
				t.Errorf("%q: %+v, %v", id, l, err)
			}
			l, err = w.Load(w.ctx, store.Want{ItemID: id, Thread: 3})
			if err != nil || l.Record != nil {
				t.Errorf("%q with thread: %+v, %v", id, l, err)
			}
			for name, f := range map[string]func() (int, error){
				"events": func() (int, error) { x, err := w.Events(w.ctx, id); return len(x), err },
				"thread": func() (int, error) { x, err := w.Thread(w.ctx, id, 0); return len(x), err },
				"mails":  func() (int, error) { x, err := w.Mails(w.ctx, id); return len(x), err },
				"jobs":   func() (int, error) { x, err := w.Jobs(w.ctx, id); return len(x), err },
			} {
				if n, err := f(); n != 0 || err != nil {
					t.Errorf("%s of %q: %d, %v", name, id, n, err)
				}
			}
		}
	})
}

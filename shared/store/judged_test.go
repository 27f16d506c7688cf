package store_test

import (
	"bytes"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

// TestComposeJudged: a mail that is only right for the item as it was read is
// not composed when the item moved.
func TestComposeJudged(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		rec, j := w.taken(now)
		key := j.Effects[0].ID
		w.commit(w.cancel(rec, now))
		if _, err := w.ComposeJudged(w.ctx, j, w.mail(rec, key, now), nil, rec); err == nil {
			t.Fatal("composed for an item that moved")
		} else if l, ok := store.AsLost(err); !ok || !l.Version {
			t.Errorf("got %v", err)
		}
		if m := must(w.Mail(w.ctx, rec.Item.ID, key))(t); m != nil || j.Effects[0].Done {
			t.Errorf("half of it is there: %+v, %+v", m, j)
		}
		rec = w.item(rec.Item.ID)
		if _, err := w.ComposeJudged(w.ctx, j, w.mail(rec, key, now), nil, rec); err != nil || !j.Effects[0].Done {
			t.Errorf("judged again: %v", err)
		}
	})
}

// TestMailFailsWithItsItem: what became of a mail and the item's mark are one
// write.
func TestMailFailsWithItsItem(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		rec, j := w.taken(now)
		key := j.Effects[0].ID
		must(w.ComposeMail(w.ctx, j, w.mail(rec, key, now), nil))(t)
		m := must(w.TakeSend(w.ctx, rec.Item.ID, key, now, now.Add(inbox.Minute)))(t)
		failed := *m
		failed.Status, failed.LastError = inbox.MailFailed, "refused"
		write := w.step(rec, "flags", rec.Item.State, now)
		write.Items[0].Record.MailFailed, write.Items[0].Record.Item.Flags.NeedsHuman = true, true
		write.Mail = &failed
		stale := write
		old := failed
		old.Version--
		stale.Mail = &old
		if l := w.lost(stale); !l.Version {
			t.Errorf("without the lease: %+v", l)
		}
		if got := w.item(rec.Item.ID); got.MailFailed {
			t.Error("half of it is there")
		}
		w.commit(write)
		got := must(w.Mail(w.ctx, rec.Item.ID, key))(t)
		if got.Status != inbox.MailFailed || got.SendingUntil != nil || !w.item(rec.Item.ID).MailFailed {
			t.Errorf("mail %+v", got)
		}
		w.settle()
		yes := true
		items, _, err := w.ListItems(w.ctx, store.ListQuery{MailFailed: &yes, Limit: 5})
		if err != nil || len(items) != 1 {
			t.Errorf("%d items whose mail failed, %v", len(items), err)
		}
	})
}

// TestAddressHash: one pepper for all, whoever makes it, and not readable.
func TestAddressHash(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		hashes := make([]string, 8)
		atOnce(len(hashes), func(i int) { hashes[i] = must(w.AddressHash(w.ctx, "Ana@Example.com"))(t) })
		for _, h := range hashes {
			if h != hashes[0] || len(h) != 64 {
				t.Errorf("hashes %v", hashes)
			}
		}
		if h := must(w.AddressHash(w.ctx, "ana@example.com"))(t); h != hashes[0] {
			t.Error("case counts")
		}
		if h := must(w.AddressHash(w.ctx, "ana@example.org"))(t); h == hashes[0] {
			t.Error("two addresses have one hash")
		}
	})
}

func TestReplay(t *testing.T) {
	a := &store.StoredAnswer{Fingerprint: "f", Status: 201, Answer: []byte(`{"a":1,"replayed":false}`)}
	got, err := a.Replay("f")
	if err != nil || got.Status != 200 || !got.Replayed || string(got.Body) != `{"a":1,"replayed":true}` {
		t.Errorf("got %+v, %v", got, err)
	}
	if !bytes.Contains(a.Answer, []byte("false")) {
		t.Error("the stored answer was changed")
	}
	if _, err := a.Replay("g"); err == nil {
		t.Error("another request got the answer")
	}
}

func TestFingerprint(t *testing.T) {
	print := func(op, scope string, input any) string { return must(store.Fingerprint(op, scope, input))(t) }
	type request struct {
		A   int    `json:"a"`
		Key string `json:"idempotency_key,omitempty"`
	}
	base := print("op", "s", request{A: 1})
	if print("op", "s", request{A: 1, Key: "k"}) != base {
		t.Error("a credential counts")
	}
	for name, other := range map[string]string{
		"operation": print("op2", "s", request{A: 1}), "scope": print("op", "s2", request{A: 1}),
		"no scope": print("op", "", request{A: 1}), "input": print("op", "s", request{A: 2}),
	} {
		if other == base {
			t.Errorf("%s does not count", name)
		}
	}
	if _, err := store.Fingerprint("op", "s", []int{1}); err == nil {
		t.Error("input that is no object")
	}
}

package work_test

import (
	"fmt"
	"slices"
	"testing"

	"typedinbox/shared/inbox"
)

// TestMergeDies: wherever the process that moves a merged party's rows dies, the
// next one ends it: everything is the known customer's, each word leads to what
// it should, and nothing is left behind (01 §19.6).
func TestMergeDies(t *testing.T) {
	for n := 0; ; n++ {
		died := false
		for _, after := range []bool{false, true} {
			w, m := die(t)
			known := w.asked().of(w)
			second, third := w.wrote("Hello"), w.wrote("Again")
			w.sweep()
			_, err := w.verify(third, w.coded(third, anaEmail))
			w.must(err)
			m.left, m.after = n, after
			_, _ = w.Sweep(w.ctx)
			died = died || m.died()
			m.revive()
			w.again()
			w.wait(2 * inbox.Minute)
			w.sweep()
			w.wait(2 * inbox.Minute)
			w.sweep()
			name := fmt.Sprintf("call %d, after %t", n, after)
			for _, o := range []opened{second, third} {
				entries, err := w.store.Thread(w.ctx, o.id, 0)
				w.must(err)
				if r := w.record(o.id); r.Item.PartyID != known || r.CustomerMatch != inbox.MatchStrong || entries[0].PartyID != known {
					t.Fatalf("%s: %+v", name, r)
				}
			}
			if c, err := w.store.ContactsOf(w.ctx, inbox.ContactEmail, anaEmail); err != nil || len(c) != 1 || c[0].PartyID != known {
				t.Fatalf("%s: %+v %v", name, c, err)
			}
			if jobs := w.jobs(third.id); len(jobs) != 0 {
				t.Fatalf("%s: %+v", name, jobs)
			}
			if got := w.found(inbox.ListItemsQuery{Q: "again"}); !slices.Equal(got, []string{third.id}) {
				t.Fatalf("%s: found %v", name, got)
			}
			w.clean()
		}
		if !died {
			if n < 20 {
				t.Fatalf("only %d calls", n)
			}
			return
		}
	}
}

// TestIndexDies: wherever the process that makes an item findable dies, the next
// one ends it.
func TestIndexDies(t *testing.T) {
	for n := 0; ; n++ {
		died := false
		for _, after := range []bool{false, true} {
			w, m := die(t)
			o := w.wrote("Do you sell pens?")
			m.left, m.after = n, after
			_, _ = w.Sweep(w.ctx)
			died = died || m.died()
			m.revive()
			w.again()
			w.wait(2 * inbox.Minute)
			w.sweep()
			for _, q := range []string{"pens", "ana", w.record(o.id).Reference()} {
				if got := w.found(inbox.ListItemsQuery{Q: q}); !slices.Equal(got, []string{o.id}) {
					t.Fatalf("call %d, after %t: %s finds %v", n, after, q, got)
				}
			}
		}
		if !died {
			return
		}
	}
}

package store_test

import (
	"fmt"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

func TestPrune(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		w.saved(store.SetUp{Services: []inbox.Service{service(serviceID, 1)}})
		_, real := w.place(false, now, now.Add(2*inbox.Hour))
		_, sandbox := w.place(true, now, now.Add(inbox.Hour))
		_, later := w.place(false, now.Add(10*inbox.Hour), now.Add(11*inbox.Hour))
		for n := range 20 {
			write := w.create(now)
			write.Idem = answer(fmt.Sprint("k", n), `{}`)
			write.Idem.ExpiresAt = write.Idem.ExpiresAt.Add(int64(n) * inbox.Second)
			w.commit(write)
		}
		prune := func(at inbox.Instant, limit int) (int, bool) {
			t.Helper()
			n, more, err := w.Prune(w.ctx, at, limit)
			if err != nil {
				t.Fatal(err)
			}
			return n, more
		}
		left := func() (claims, answers int) {
			claims = len(must(w.PlacesRange(w.ctx, resource, true, now, now.Add(inbox.Day)))(t).Claims)
			for n := range 20 {
				if must(w.Answered(w.ctx, answer("", "").Scope, fmt.Sprint("k", n), now))(t) != nil {
					answers++
				}
			}
			return claims, answers
		}
		if n, more := prune(now.Add(30*inbox.Day-1), 100); n != 0 || more {
			t.Errorf("nothing is past its time: %d, %t", n, more)
		}
		if n, more := prune(now.Add(30*inbox.Day+9*inbox.Second), 4); n != 4 || !more {
			t.Errorf("four of ten: %d, %t", n, more)
		}
		if n, more := prune(now.Add(30*inbox.Day+9*inbox.Second), 100); n != 6 || more {
			t.Errorf("the other six: %d, %t", n, more)
		}
		if claims, answers := left(); claims != 3 || answers != 10 {
			t.Errorf("left: %d claims, %d answers", claims, answers)
		}
		if n, _ := prune(now.Add(90*inbox.Day), 100); n != 10 {
			t.Errorf("the other answers: %d", n)
		}
		if n, _ := prune(now.Add(90*inbox.Day+2*inbox.Hour+inbox.Hour), 100); n != 3 {
			t.Errorf("%d of the rows of %v and %v", n, real.Rows(), sandbox.Rows())
		}
		got := must(w.PlacesRange(w.ctx, resource, true, now, now.Add(inbox.Day)))(t)
		if len(got.Claims) != 1 || got.Claims[0].ID != later.ID {
			t.Errorf("left: %+v", got)
		}
	})
}

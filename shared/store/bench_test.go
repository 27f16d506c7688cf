package store_test

import (
	"fmt"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

// BenchmarkCommit is the write of one create, its building included.
func BenchmarkCommit(b *testing.B) {
	w := newWorld(b, backends["embedded"].open(b))
	b.ReportAllocs()
	for n := 0; b.Loop(); n++ {
		write := w.create(now.Add(int64(n)))
		write.Idem = answer(fmt.Sprint(n), reference)
		if err := w.Commit(w.ctx, write); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkLoad is what a create reads.
func BenchmarkLoad(b *testing.B) {
	w := newWorld(b, backends["embedded"].open(b))
	w.lived()
	b.ReportAllocs()
	for b.Loop() {
		if _, err := w.Load(w.ctx, store.Want{IdemScope: "s", IdemKey: "k", Now: now, Settings: true, Profile: true, ServiceID: serviceID, Hours: true, Closures: true}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkPlacesRange reads 14 days with 500 bookings.
func BenchmarkPlacesRange(b *testing.B) {
	w := newWorld(b, backends["embedded"].open(b))
	for n := range 500 {
		from := now.Add(int64(n) * 40 * inbox.Minute)
		w.place(false, from, from.Add(30*inbox.Minute))
	}
	b.ReportAllocs()
	b.ResetTimer()
	for b.Loop() {
		p, err := w.PlacesRange(w.ctx, resource, false, now, now.Add(14*inbox.Day))
		if err != nil || len(p.Claims) != 500 {
			b.Fatal(len(p.Claims), err)
		}
	}
}

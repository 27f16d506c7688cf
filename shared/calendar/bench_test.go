package calendar

import (
	"testing"

	"typedinbox/shared/inbox"
)

// BenchmarkFreeTimes is the line of 08 §7: 14 days, one service, 500 bookings,
// held to 2 ms. The hours and the grid are the widest there are, and the places
// never run out, so all 14 days are judged.
func BenchmarkFreeTimes(b *testing.B) {
	q := Query{
		Service: inbox.Service{Active: true, DurationMin: 60, BufferAfterMin: 15, Capacity: 2, GranularityMin: 5},
		Week:    allWeek(inbox.Window{"00:00", "24:00"}), Zone: zone(b, "Europe/Lisbon"),
		From: instant(b, "2026-10-15T00:00:00Z"), NoticeMin: 60,
	}
	q.To, q.Now = q.From+14*inbox.Day, q.From-inbox.Day
	for i := range 250 { // both places of every time, so nothing is free and no limit ends the walk
		from := q.From + inbox.Instant(i)*14*inbox.Day/250
		both := inbox.Claim{Kind: inbox.ClaimBooking, From: from, To: from + 14*inbox.Day/250}
		q.Places.Claims = append(q.Places.Claims, both, both)
	}
	if n := len(FreeTimes(q)); n != 0 {
		b.Fatalf("%d free times", n)
	}
	for b.Loop() {
		FreeTimes(q)
	}
}

package machine

import (
	"testing"

	"typedinbox/shared/inbox"
)

// BenchmarkLoad is what the first use of a type costs a cold start.
func BenchmarkLoad(b *testing.B) {
	for _, typ := range inbox.Types {
		b.Run(string(typ), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := load(typ); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkResolve(b *testing.B) {
	c := callers["owner"].caller
	Of(inbox.TypeBooking)
	b.ReportAllocs()
	for b.Loop() {
		if _, p := Resolve(inbox.TypeBooking, "confirmed", "no_show", c); p != nil {
			b.Fatal(p)
		}
	}
}

func BenchmarkAllowed(b *testing.B) {
	c := callers["owner"].caller
	rec := record(inbox.TypeBooking, "confirmed", booking(inbox.Booking{}))
	Allowed(rec, c)
	b.ReportAllocs()
	for b.Loop() {
		Allowed(rec, c)
	}
}

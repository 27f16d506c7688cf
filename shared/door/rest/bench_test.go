package rest_test

import (
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
)

// BenchmarkDoor is what the door adds to a create: reading, checking, the log
// line and the answer.
func BenchmarkDoor(b *testing.B) {
	d := open()
	d.site.Log = slog.New(slog.DiscardHandler)
	d.wire()
	b.ReportAllocs()
	for b.Loop() {
		r := httptest.NewRequest("POST", "/v1/bookings", strings.NewReader(booking))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Idempotency-Key", "k1")
		w := httptest.NewRecorder()
		d.byName["create-booking"].ServeHTTP(w, r)
		if w.Code != 200 {
			b.Fatal(w.Code)
		}
	}
}

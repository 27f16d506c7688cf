package decide

import (
	"testing"

	"typedinbox/shared/inbox"
)

// BenchmarkTransition is one transition: the usual confirm, answer included.
func BenchmarkTransition(b *testing.B) {
	w := inState(&testing.T{}, inbox.TypeBooking, inbox.StateRequested)
	r := request("confirm")
	w.read(owner, r)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Transition(w.f, owner, r, w.env()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkDecision is the same without the view that is answered.
func BenchmarkDecision(b *testing.B) {
	w := inState(&testing.T{}, inbox.TypeBooking, inbox.StateRequested)
	r := request("confirm")
	w.read(owner, r)
	b.ReportAllocs()
	for b.Loop() {
		if _, p := fire(&w.f, owner, r, w.env()); p != nil {
			b.Fatal(p)
		}
	}
}

// BenchmarkCreate is a customer's booking.
func BenchmarkCreate(b *testing.B) {
	w := newWorld(&testing.T{})
	c, r := w.customer(), bookingRequest()
	_, r.TermsSHA = w.termsOf(r)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Create(w.f, c, r, w.env()); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCustomerView is a reading of a confirmed booking.
func BenchmarkCustomerView(b *testing.B) {
	w := inState(&testing.T{}, inbox.TypeBooking, inbox.StateConfirmed)
	c := w.customer()
	b.ReportAllocs()
	for b.Loop() {
		CustomerView(w.f, c, w.env())
	}
}

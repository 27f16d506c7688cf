package decide

import (
	"fmt"
	"testing"

	"typedinbox/shared/inbox"
)

// TestWorkedDeadlines is 02 §13.1 from the request to the yes, with the usual
// settings; what automation proposes is judged beside [TestProposalValidity].
func TestWorkedDeadlines(t *testing.T) {
	asked := at("2027-03-01T10:00:00Z")
	book := func(t *testing.T, on string) *world {
		w := newWorld(t)
		w.now = asked
		r := bookingRequest()
		r.Payload.Booking.StartTime = at(on)
		r.Payload.Booking.EndTime = at(on).Add(inbox.Hour)
		w.create(w.customer(), r)
		return w
	}
	for on, clock := range map[string]string{
		"2027-03-10T09:00:00Z": "2027-03-04T10:00:00Z",
		"2027-03-02T09:00:00Z": "2027-03-02T09:00:00Z",
	} {
		if w := book(t, on); *w.f.Record.RequestExpiresAt != at(clock) || *w.f.Offer.ValidThrough != at(clock) {
			t.Errorf("ok/asked for %s: the clock is %v", on, w.f.Record.RequestExpiresAt)
		}
	}

	offered := func(t *testing.T) *world {
		w := book(t, "2027-03-10T09:00:00Z")
		w.fire(owner, "propose", proposal(at("2027-03-05T14:00:00Z")))
		if got := *w.f.Offer.ValidThrough; got != at("2027-03-05T13:00:00Z") {
			t.Errorf("ok/a person proposes: valid until %v", got)
		}
		return w
	}
	w := offered(t)
	w.now = at("2027-03-05T13:00:00Z")
	w.fire(w.customer(), "accept")
	w = offered(t)
	w.now = at("2027-03-05T13:00:00.001Z")
	if p := w.refusedWith(w.customer(), "accept"); p.Code != inbox.CodeOfferExpired {
		t.Errorf("fail/a millisecond later: %v", p)
	}
	w.fire(owner, "confirm")

	for name, c := range map[string]struct {
		by   func(*world) inbox.Caller
		want string
	}{
		"ok/the business asks to move": {ownerOf, "2027-03-04T08:00:00Z"},
		"ok/the customer asks":         {(*world).customer, "2027-03-04T09:00:00Z"},
	} {
		w := book(t, "2027-03-05T14:00:00Z")
		w.fire(owner, "confirm")
		w.fire(c.by(w), "propose_change", fmt.Sprintf(`{"startTime":%q}`, at("2027-03-04T09:00:00Z")))
		if got := *w.f.Offer.ValidThrough; got != at(c.want) {
			t.Errorf("%s: valid until %v, want %s", name, got, c.want)
		}
	}
}

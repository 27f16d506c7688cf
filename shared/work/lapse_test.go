package work_test

import (
	"testing"

	"typedinbox/shared/inbox"
)

// owing is an order that was taken and whose payment was asked for.
func (w *world) owing() opened {
	w.t.Helper()
	o := w.ordered()
	w.fire(owner, o, "accept", "")
	w.fire(owner, o, "request_payment", "")
	return o
}

// TestLapse: an order that nobody pays lapses once, by the sweep, stays as it is
// and can still be paid; nobody is mailed of it (01 §5.2, §13.1).
func TestLapse(t *testing.T) {
	for name, c := range map[string]struct {
		do    func(*world, opened)
		state inbox.State
	}{
		"ok/never paid": {func(*world, opened) {}, inbox.StateAwaitingPayment},
		"ok/a payment failed": {func(w *world, o opened) {
			w.wait(inbox.Day)
			w.fire(owner, o, "payment_failed", "")
		}, inbox.StatePaymentFailed},
	} {
		t.Run(name, func(t *testing.T) {
			w := embed(t, nil)
			o := w.owing()
			asked := w.now()
			c.do(w, o)
			w.sweep()
			mails := len(w.mails(o.id))
			w.clock.Store(int64(asked.Add(14*inbox.Day - 1)))
			w.sweep()
			if n := w.fired(o.id, "lapse"); n != 0 {
				t.Fatalf("%d a moment before", n)
			}
			w.wait(1)
			w.sweep()
			w.wait(90 * inbox.Day)
			w.sweep()
			rec := w.record(o.id)
			if n := w.fired(o.id, "lapse"); n != 1 || rec.Item.State != c.state || rec.Item.ClosedAt != nil || rec.DueAt != nil {
				t.Errorf("%d lapses, in %s, closed %v, due %v", n, rec.Item.State, rec.Item.ClosedAt, rec.DueAt)
			}
			if n := len(w.mails(o.id)); n != mails {
				t.Errorf("%d mails more", n-mails)
			}
			w.sends(owner, o, "record_payment", `{"paymentRef":"late"}`)
			if s := w.record(o.id).Item.State; s != inbox.StatePaid {
				t.Errorf("paid late, in %s", s)
			}
			w.clean()
		})
	}
}

// TestLapseNotDue: what is paid or cancelled in time never lapses, and what gets
// more days lapses by those.
func TestLapseNotDue(t *testing.T) {
	for name, c := range map[string]struct {
		do  func(*world, opened)
		due int64 // after payment was asked for, 0 for never
	}{
		"ok/paid":      {func(w *world, o opened) { w.sends(owner, o, "record_payment", `{"paymentRef":"p"}`) }, 0},
		"ok/cancelled": {func(w *world, o opened) { w.fire(owner, o, "cancel", "") }, 0},
		"ok/more days": {func(w *world, o opened) { w.settings(`{"orders":{"payDays":20}}`) }, 20 * inbox.Day},
		"ok/fewer days": {func(w *world, o opened) {
			w.settings(`{"orders":{"payDays":2}}`)
			w.must(w.Daily(w.ctx))
		}, 2 * inbox.Day},
	} {
		t.Run(name, func(t *testing.T) {
			w := embed(t, nil)
			o := w.owing()
			asked := w.now()
			c.do(w, o)
			for at := int64(inbox.Day); at <= 30*inbox.Day; at += inbox.Day {
				w.clock.Store(int64(asked.Add(at)))
				w.sweep()
				want := 0
				if c.due != 0 && at >= c.due {
					want = 1
				}
				if n := w.fired(o.id, "lapse"); n != want {
					t.Fatalf("%d lapses after %d days", n, at/inbox.Day)
				}
			}
			w.clean()
		})
	}
}

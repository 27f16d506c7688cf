package work_test

import (
	"fmt"
	"slices"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/table/embedded"
	"typedinbox/shared/work"
)

// TestFaults runs all that follows a commit on a table in trouble: everybody
// hears once.
func TestFaults(t *testing.T) {
	for name, f := range map[string]*embedded.Faults{
		"conflict":     embedded.NewFaults(1).Rate(embedded.Conflict, .2),
		"throttle":     embedded.NewFaults(2).Rate(embedded.Throttle, .2),
		"throttle one": embedded.NewFaults(3).Rate(embedded.ThrottleAction, .2),
		"lost answer":  embedded.NewFaults(4).Rate(embedded.LoseAnswer, .2),
		"cut page":     embedded.NewFaults(5).Rate(embedded.CutPage, .5),
		"unprocessed":  embedded.NewFaults(6).Rate(embedded.LeaveUnprocessed, .5),
		"index lag":    embedded.NewFaults(7).IndexLag(5),
		"all": embedded.NewFaults(8).Rate(embedded.Conflict, .1).Rate(embedded.Throttle, .1).Rate(embedded.LoseAnswer, .1).
			Rate(embedded.CutPage, .3).Rate(embedded.LeaveUnprocessed, .3),
	} {
		t.Run(name, func(t *testing.T) { wholeStory(t, embed(t, f), f) })
	}
}

// TestOnDynamoDB is the same story through the DynamoDB driver.
func TestOnDynamoDB(t *testing.T) { wholeStory(t, newWorld(t, kumo(t)), nil) }

// wholeStory: some requests are acknowledged, asked about, confirmed, cancelled,
// lapse; each of their mails is sent once.
func wholeStory(t *testing.T, w *world, f *embedded.Faults) {
	const n = 4
	var confirmed, lapsing []opened
	for i := range n {
		confirmed = append(confirmed, w.asked(email(fmt.Sprintf("c%d@example.com", i))))
		lapsing = append(lapsing, w.asked(email(fmt.Sprintf("l%d@example.com", i))))
	}
	w.settle()
	w.wait(90 * inbox.Second)
	w.settle()
	for _, o := range confirmed {
		w.fire(owner, o, "confirm", "")
		w.reply(owner, o, inbox.ReplyRequest{Body: "See you."})
	}
	w.settle()
	for _, o := range confirmed {
		w.cancels(o, "")
	}
	w.settle()
	w.wait(72 * inbox.Hour)
	w.settle()
	if f != nil {
		f.Off()
	}
	for i := range n {
		if got := w.to(fmt.Sprintf("c%d@example.com", i)); !sameMails(got, "ack.booking", "booking.confirmed", "reply", "cancelled.as_asked") {
			t.Errorf("c%d heard %v", i, got)
		}
		if got := w.to(fmt.Sprintf("l%d@example.com", i)); !sameMails(got, "ack.booking", "booking.expired") {
			t.Errorf("l%d heard %v", i, got)
		}
		if s := w.record(lapsing[i].id).Item.State; s != inbox.StateExpired {
			t.Errorf("l%d is %s", i, s)
		}
	}
	if got := w.to(ownerEmail); count(got, "owner.create") != 2*n || count(got, "owner.cancel") != n || len(got) != 3*n {
		t.Errorf("owner heard %v", got)
	}
	if failed := w.log.metric(work.MetricJobsFailed) + w.log.metric(work.MetricMailsFailed); failed != 0 {
		t.Errorf("%d failed for good", failed)
	}
	w.clean()
}

func sameMails(got []string, want ...string) bool {
	got = slices.Clone(got)
	slices.Sort(got)
	slices.Sort(want)
	return slices.Equal(got, want)
}

// settle sweeps until nothing is due, on a table in trouble too: what could not
// be done is leased or put back for a while, and its time comes here.
func (w *world) settle() {
	w.t.Helper()
	for range 200 {
		ran, err := w.Sweep(w.ctx)
		next, err2 := w.Due(w.ctx)
		switch {
		case err != nil || err2 != nil || ran.Failed > 0 || ran.Done():
		case next == nil || *next > w.now().Add(10*inbox.Minute):
			return
		case *next > w.now():
			w.clock.Store(int64(*next))
		default: // the index lags; other writes go on
			w.settings(`{}`)
		}
	}
	w.t.Fatal("the work does not come to rest")
}

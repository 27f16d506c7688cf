package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"typedinbox/shared/inbox"
)

// reference counts storage calls and write units of the reference case, and
// what 1,000 bookings cost by them.
func reference() ([]line, error) {
	r, err := newRig(true, 1)
	if err != nil {
		return nil, err
	}
	defer r.db.Close()
	ctx, start := context.Background(), r.clock().Add(48*inbox.Hour)
	count := func(do func() error) (calls, units float64, err error) {
		r.meter.Reset()
		err = do()
		return float64(r.meter.Calls()), float64(r.meter.Units()), err
	}
	var id, token string
	avail, _, err1 := count(func() error {
		_, err := r.desk.CheckAvailability(ctx, customer, inbox.AvailabilityQuery{ServiceID: r.service, From: r.clock(), To: r.clock().Add(14 * inbox.Day)})
		return err
	})
	create, createUnits, err2 := count(func() (err error) { id, token, err = r.book(start); return err })
	confirm, confirmUnits, err3 := count(func() error { return r.fire(id, "confirm") })
	mine := customer
	mine.AccessToken = token
	view, _, err4 := count(func() error {
		_, err := r.desk.GetItemStatus(ctx, mine, inbox.ItemStatusQuery{ItemID: id})
		return err
	})
	r.now.Store(int64(start.Add(80 * inbox.Hour)))
	_, completeUnits, err5 := count(func() error { return r.desk.Fire(ctx, id, "complete", "the time has passed") })
	if err := errors.Join(err1, err2, err3, err4, err5); err != nil {
		return nil, err
	}
	return []line{
		atMost("storage calls: availability", avail, "calls", 2),
		atMost("storage calls: create", create, "calls", 4),
		atMost("storage calls: confirm", confirm, "calls", 3),
		atMost("storage calls: customer's item view", view, "calls", 2),
		atMost("write units: create", createUnits, "units", 24),
		atMost("write units: confirm", confirmUnits, "units", 24),
		atMost("write units: complete", completeUnits, "units", 16),
	}, nil
}

// throughput measures creates over the HTTP handler, and confirms spread over
// hours and in one hour.
func throughput() ([]line, error) {
	const creates, confirms = 20000, 500
	r, err := newRig(false, 100)
	if err != nil {
		return nil, err
	}
	defer r.db.Close()
	start := r.clock().Add(48 * inbox.Hour)
	spread := func(i int) inbox.Instant { return start.Add(int64(i%10000) * inbox.Hour) }
	begun := time.Now()
	took, err := crowd(8, creates, func(i int) error { return r.post(spread(i)) })
	if err != nil {
		return nil, err
	}
	rate := creates / time.Since(begun).Seconds()
	slices.Sort(took)
	hours, err := r.confirms(confirms, spread)
	if err != nil {
		return nil, err
	}
	one, err := r.confirms(90, func(int) inbox.Instant { return start.Add(-inbox.Hour) })
	if err != nil {
		return nil, err
	}
	return []line{
		atLeast("creates over the handler, embedded, 8 clients", rate, "creates/s", 3000),
		atMost("creates over the handler, p99", float64(took[len(took)*99/100].Microseconds())/1000, "ms", 8),
		atLeast("confirms spread over hours, embedded, 8 clients", hours, "bookings/s", 25),
		noted("confirms in one hour row, embedded, 8 clients", one, "bookings/s"),
	}, nil
}

// confirms books and confirms n and answers how many a second were confirmed.
func (r *rig) confirms(n int, at func(i int) inbox.Instant) (float64, error) {
	ids := make([]string, n)
	for i := range ids {
		id, _, err := r.book(at(i))
		if err != nil {
			return 0, err
		}
		ids[i] = id
	}
	begun := time.Now()
	_, err := crowd(8, n, func(i int) error { return r.fire(ids[i], "confirm") })
	return float64(n) / time.Since(begun).Seconds(), err
}

// oneSlot lets 256 assistants confirm for one place.
func oneSlot() ([]line, error) {
	const many = 256
	r, err := newRig(false, 1)
	if err != nil {
		return nil, err
	}
	defer r.db.Close()
	ids := make([]string, many)
	for i := range ids {
		if ids[i], _, err = r.book(r.clock().Add(48 * inbox.Hour)); err != nil {
			return nil, err
		}
	}
	won := 0
	wins := make([]bool, many)
	begun := time.Now()
	_, err = crowd(many, many, func(i int) error {
		err := r.fire(ids[i], "confirm")
		var p *inbox.Problem
		if errors.As(err, &p) && p.Code == inbox.CodeSlotTaken {
			return nil
		}
		wins[i] = err == nil
		return err
	})
	took := time.Since(begun).Seconds()
	if err != nil {
		return nil, err
	}
	for _, w := range wins {
		if w {
			won++
		}
	}
	findings, err := r.store.Check(context.Background())
	if err != nil {
		return nil, err
	}
	if len(findings) > 0 {
		return nil, fmt.Errorf("check: %v", findings)
	}
	return []line{
		exactly("256 assistants on one slot: confirmed", float64(won), "bookings", 1),
		atMost("256 assistants on one slot: time", took, "s", 2),
	}, nil
}

// sweeping lets 100,000 requests lapse and sweeps them. They are made without
// the work their creates owe, so that the deadlines are measured alone.
func sweeping() ([]line, error) {
	const many = 100_000
	r, err := newRig(false, 100)
	if err != nil {
		return nil, err
	}
	defer r.db.Close()
	ask, err := r.requests()
	if err != nil {
		return nil, err
	}
	start := r.clock().Add(200 * inbox.Hour)
	if _, err := crowd(8, many, func(i int) error { return ask(start.Add(int64(i%10000) * inbox.Hour)) }); err != nil {
		return nil, err
	}
	r.now.Add(73 * inbox.Hour)
	begun := time.Now()
	ran, err := r.worker.Sweep(context.Background())
	if err != nil {
		return nil, err
	}
	// Each deadline leaves a job, which the stream hands to the outbox; here the
	// sweep does them itself, after the last deadline.
	moved, all := time.Unix(0, r.owed.Load()).Sub(begun), time.Since(begun)
	return []line{
		exactly("sweep of 100,000 due items: moved", float64(ran.Items), "items", many),
		atLeast("sweep of 100,000 due items: rate", many/moved.Seconds(), "items/s", 2000),
		noted("sweep of 100,000 due items, with the jobs they left", many/all.Seconds(), "items/s"),
	}, nil
}

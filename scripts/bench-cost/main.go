// Command bench-cost says what the inbox costs on AWS: it lives one booking's
// life on a table that counts, from the search for a time to its completion,
// and prices what was used (08 §7). It prints JSON lines {name, value, unit,
// goal, ok}; with -write it puts the tables into docs/COST.md. It works from
// the project's directory.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"strings"

	"typedinbox/shared/inbox"
)

// goal is the most that 1,000 bookings may cost, in dollars, mail and the fixed
// month apart (08 §7).
const goal = 0.10

func main() {
	write := flag.Bool("write", false, "put the tables into docs/COST.md")
	flag.Parse()
	if err := run(*write); err != nil {
		fmt.Fprintln(os.Stderr, "bench-cost:", err)
		os.Exit(1)
	}
}

func run(write bool) error {
	steps, idle, err := booking()
	if err != nil {
		return err
	}
	if write {
		return writeInto("docs/COST.md", tables(steps, idle))
	}
	bookings, _ := parted(steps)
	total := dollars(bookings)
	return json.NewEncoder(os.Stdout).Encode(map[string]any{"name": "cost of 1,000 bookings, mail apart", "value": float64(int(total*1e4+0.5)) / 1e4, "unit": "$", "goal": goal, "ok": total <= goal})
}

// booking lives the reference booking and answers its steps: the customer's
// agent looks for a time and books, the owner hears of it and confirms, the
// customer hears that, looks once more, and the time passes.
func booking() (steps []usage, idle float64, err error) {
	l, err := newLife()
	if err != nil {
		return nil, 0, err
	}
	defer l.reads.Database.(interface{ Close() error }).Close()
	start := l.now.Add(50 * inbox.Hour)
	var made inbox.Created
	id := func() string { return made.View.Item.ID }
	fire := func(event string) func() error {
		return func() error {
			_, err := l.desk.TransitionItem(l.ctx, business, inbox.TransitionRequest{ItemID: id(), Event: event, Input: json.RawMessage(`{}`)})
			return err
		}
	}
	err = errors.Join(
		l.measure("look for a time, twice", 2, 0, func() error {
			q := inbox.AvailabilityQuery{ServiceID: l.service, From: l.now, To: l.now.Add(14 * inbox.Day)}
			_, err1 := l.desk.CheckAvailability(l.ctx, customer, q)
			_, err2 := l.desk.CheckAvailability(l.ctx, customer, q)
			return errors.Join(err1, err2)
		}),
		l.measure("book, with an idempotency key", 1, 0, func() error {
			call := customer
			call.IdempotencyKey = "cost"
			a, err := l.desk.CreateBooking(l.ctx, call, inbox.CreateBookingRequest{
				Payload: inbox.Booking{ReservationFor: inbox.ReservationFor{ServiceID: l.service, Name: "Portrait"}, StartTime: start, EndTime: start.Add(inbox.Hour)},
				Contact: &inbox.Contact{Name: "Ana Martins", Email: "ana.martins@example.com"},
			})
			return errors.Join(err, json.Unmarshal(a.Body, &made))
		}),
		l.measure("mail to the owner", 0, 1, l.outbox),
		l.measure("acknowledgement to the customer", 0, 0, func() error { l.now = l.now.Add(2 * inbox.Minute); return l.sweep() }),
		l.measure("the owner looks at the list and the item", 2, 0, func() error {
			_, err1 := l.desk.ListItems(l.ctx, business, inbox.ListItemsQuery{})
			_, err2 := l.desk.GetItem(l.ctx, business, inbox.ItemRequest{ItemID: id()})
			return errors.Join(err1, err2)
		}),
		l.measure("confirm", 1, 0, fire("confirm")),
		l.measure("mail to the customer", 0, 1, l.outbox),
		l.measure("the customer looks", 1, 0, func() error {
			call := customer
			call.AccessToken = made.AccessToken
			_, err := l.desk.GetItemStatus(l.ctx, call, inbox.ItemStatusQuery{ItemID: id()})
			return err
		}),
		l.measure("completed when its time has passed", 0, 0, func() error { l.now = start.Add(80 * inbox.Hour); return errors.Join(l.sweep(), l.outbox()) }),
	)
	return l.steps, l.idle, err
}

// part is one row of a bill.
type part struct {
	price  price
	amount float64
}

// parted tells what is of the bookings from what is of their mails.
func parted(steps []usage) (bookings, mails []usage) {
	for _, s := range steps {
		if s.mails > 0 {
			mails = append(mails, s)
		} else {
			bookings = append(bookings, s)
		}
	}
	return bookings, mails
}

// bill of 1,000 times these steps. The sweep runs every minute anyway, so what it does
// for a booking costs its reads and writes alone.
func bill(steps []usage) []part {
	var u usage
	for _, s := range steps {
		u.writes, u.reads, u.doors, u.works = u.writes+s.writes, u.reads+s.reads, u.doors+s.doors, u.works+s.works
	}
	seconds := u.doors*doorGB*(doorSeconds+coldShare*coldSeconds) + u.works*outboxGB*(mailSeconds+coldShare*coldSeconds)
	gigabytes := (u.doors*linesPerDoor + u.works*linesPerWork) * bytesPerLine / 1e9
	return []part{
		{writeUnit, 1000 * u.writes}, {readUnit, 1000 * u.reads}, {request, 1000 * u.doors},
		{invoke, 1000 * (u.doors + u.works)}, {compute, 1000 * seconds}, {logged, 1000 * gigabytes},
	}
}

func dollars(steps []usage) (sum float64) {
	for _, p := range bill(steps) {
		sum += p.amount * p.price.unit
	}
	return sum
}

// sweeps is what a month of sweeps with nothing to do costs: each looks at the
// shards of jobs, mails and deadlines.
func sweeps(idle float64) float64 {
	return minutesAMonth * (scheduled.unit + invoke.unit + idle*readUnit.unit + doorSeconds*doorGB*compute.unit)
}

// Marks between which docs/COST.md is written by this program.
const (
	beginMark = "<!-- made by: go run ./scripts/bench-cost -write -->\n"
	endMark   = "<!-- end -->"
)

// writeInto puts text between the marks of a file.
func writeInto(file, text string) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	before, rest, ok1 := strings.Cut(string(raw), beginMark)
	_, after, ok2 := strings.Cut(rest, endMark)
	if !ok1 || !ok2 {
		return fmt.Errorf("%s has no marks", file)
	}
	return os.WriteFile(file, []byte(before+beginMark+text+endMark+after), 0o644)
}

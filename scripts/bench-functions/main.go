// Command bench-functions measures the functions as they are deployed (08 §7):
// the size of each arm64 bootstrap, and on this machine the time from exec to
// the first request for work, and the memory held by then. It prints JSON
// lines {name, value, unit, goal, ok}; it works from the project's directory.
//
// The AWS services behind the starts are one listener that answers at once, so
// what is measured is the function's own.
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

// line is one number the product is held to.
type line struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
	Goal  float64 `json:"goal,omitempty"` // none: written down only
	OK    bool    `json:"ok"`
}

// atMost is a number that may not be over its goal.
func atMost(name string, value float64, unit string, goal float64) line {
	return line{name, float64(int64(value*100+0.5)) / 100, unit, goal, value <= goal}
}

// noted is a number that is written down without a goal.
func noted(name string, value float64, unit string) line {
	return line{Name: name, Value: float64(int64(value*100+0.5)) / 100, Unit: unit, OK: true}
}

// goals of a function: megabytes of its stripped binary, milliseconds to the
// first request for work, megabytes held.
type goals struct{ size, start, memory float64 }

// What reads, keeps or sends mail may be larger and slower than the doors
// (08 §7).
var (
	door    = goals{10, 8, 20}
	mailing = goals{14, 15, 20}
	mails   = map[string]bool{
		"inbound-mail": true, "receive-mail": true, "mail-feedback": true, "owner-mail": true, "owner-notices": true,
		"outbox": true, "sweep": true, "daily": true,
	}
)

func goalsOf(function string) goals {
	if mails[function] {
		return mailing
	}
	return door
}

// starts is how often each function is started.
const starts = 15

func main() {
	if err := bench(json.NewEncoder(os.Stdout)); err != nil {
		fmt.Fprintln(os.Stderr, "bench-functions:", err)
		os.Exit(1)
	}
}

func bench(out *json.Encoder) error {
	sizes, err := sizes(".")
	if err != nil {
		return err
	}
	for _, s := range sizes {
		if err := out.Encode(atMost("function size "+s.function, s.megabytes, "MB", goalsOf(s.function).size)); err != nil {
			return err
		}
	}
	dir, err := build(".", "")
	if err != nil {
		return err
	}
	b, err := newBehind()
	if err != nil {
		return err
	}
	defer b.close()
	least, err := b.measure(dir, empty, starts)
	if err != nil {
		return err
	}
	if err := out.Encode(noted("function start p50, a function that does nothing", least.milliseconds, "ms")); err != nil {
		return err
	}
	for _, s := range sizes {
		m, err := b.measure(dir, s.function, starts)
		if err != nil {
			return err
		}
		g := goalsOf(s.function)
		for _, l := range []line{
			atMost("function start p50 "+s.function, m.milliseconds, "ms", g.start),
			atMost("function memory "+s.function, m.megabytes, "MB", g.memory),
		} {
			if err := out.Encode(l); err != nil {
				return err
			}
		}
	}
	return nil
}

// Command bench prints the numbers the product is held to (08 §7), one JSON
// line each: {name, value, unit, goal, ok}. It asserts nothing: times depend on
// the machine; what must never grow is asserted by counting, in tests.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"math"
	"os"
	"runtime/pprof"

	"typedinbox/shared/edge/deps"
)

// line is one number.
type line struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit"`
	Goal  float64 `json:"goal,omitempty"` // none: written down only
	OK    bool    `json:"ok"`
}

// atMost and atLeast make a line with its goal.
func atMost(name string, value float64, unit string, goal float64) line {
	return line{name, round(value), unit, goal, value <= goal}
}

func atLeast(name string, value float64, unit string, goal float64) line {
	return line{name, round(value), unit, goal, value >= goal}
}

// exactly makes a line of a count that must be met.
func exactly(name string, value float64, unit string, goal float64) line {
	return line{name, value, unit, goal, value == goal}
}

// noted is a number that is written down without a goal.
func noted(name string, value float64, unit string) line {
	return line{Name: name, Value: round(value), Unit: unit, OK: true}
}

func round(v float64) float64 { return math.Round(v*100) / 100 }

// parts are what is measured, in order.
var parts = []struct {
	name string
	run  func() ([]line, error)
}{{"packages", packages}, {"reference", reference}, {"throughput", throughput}, {"one-slot", oneSlot}, {"sweep", sweeping}}

func main() {
	only := flag.String("part", "", "measure this part alone: packages, reference, throughput, one-slot or sweep")
	profile := flag.String("cpuprofile", "", "write a CPU profile of the run to this file")
	flag.Parse()
	deps.CollectSeldom(0) // as the functions and the local run do
	if err := bench(*only, *profile); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func bench(only, profile string) error {
	if profile != "" {
		f, err := os.Create(profile)
		if err != nil {
			return err
		}
		defer func() { pprof.StopCPUProfile(); _ = f.Close() }()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
	}
	out := json.NewEncoder(os.Stdout)
	for _, p := range parts {
		if only != "" && only != p.name {
			continue
		}
		lines, err := p.run()
		if err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
		for _, l := range lines {
			if err := out.Encode(l); err != nil {
				return err
			}
		}
	}
	return nil
}

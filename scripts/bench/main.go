// Command bench prints the numbers the product is held to (08 §7), one JSON
// line each: {name, value, unit, goal, ok}. It asserts nothing: times depend on
// the machine; what must never grow is asserted by counting, in tests.
package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
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

func main() {
	out := json.NewEncoder(os.Stdout)
	for _, part := range []func() ([]line, error){packages, reference, throughput, oneSlot, sweeping} {
		lines, err := part()
		if err != nil {
			fmt.Fprintln(os.Stderr, "bench:", err)
			os.Exit(1)
		}
		for _, l := range lines {
			if err := out.Encode(l); err != nil {
				fmt.Fprintln(os.Stderr, "bench:", err)
				os.Exit(1)
			}
		}
	}
}

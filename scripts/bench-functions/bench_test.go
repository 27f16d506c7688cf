package main

import (
	"os"
	"path/filepath"
	"testing"
)

const root = "../.."

// A door's binary that grows past its size links something it does not need
// (08 §6).
func TestSizes(t *testing.T) {
	if testing.Short() {
		t.Skip("builds every function")
	}
	all, err := sizes(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		if goal := goalsOf(s.function).size; s.megabytes > goal {
			t.Errorf("%s is %.2f MB, over %.0f", s.function, s.megabytes, goal)
		}
	}
}

// Those that may be larger exist.
func TestGoalsOfFunctions(t *testing.T) {
	for name := range mails {
		if _, err := os.Stat(filepath.Join(root, "functions", name, "main.go")); err != nil {
			t.Error(err)
		}
	}
	if goalsOf("create-booking") != door || goalsOf("outbox") != mailing {
		t.Error("a function has another's goals")
	}
}

func TestAtMost(t *testing.T) {
	for name, c := range map[string]struct {
		value float64
		want  line
	}{
		"ok/under":  {7.4999, line{"n", 7.5, "ms", 8, true}},
		"ok/equal":  {8, line{"n", 8, "ms", 8, true}},
		"fail/over": {8.001, line{"n", 8, "ms", 8, false}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := atMost("n", c.value, "ms", 8); got != c.want {
				t.Errorf("got %+v", got)
			}
		})
	}
}

func TestMedian(t *testing.T) {
	for name, c := range map[string]struct {
		in   []float64
		want float64
	}{
		"ok/one": {[]float64{3}, 3}, "ok/odd": {[]float64{9, 1, 5}, 5}, "ok/even takes the upper": {[]float64{4, 1, 3, 2}, 3},
	} {
		if got := median(c.in); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

package main

import (
	"math"
	"os"
	"strings"
	"testing"
)

// The document says what the program says, and it is within its goal.
func TestDocument(t *testing.T) {
	t.Chdir("../..")
	steps, idle, err := booking()
	if err != nil {
		t.Fatal(err)
	}
	bookings, _ := parted(steps)
	if total := dollars(bookings); total > goal || total <= 0 {
		t.Errorf("1,000 bookings cost $%.4f, over %.2f", total, goal)
	}
	raw, err := os.ReadFile("docs/COST.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(raw), beginMark+tables(steps, idle)+endMark) {
		t.Error("docs/COST.md is old: go run ./scripts/bench-cost -write")
	}
}

// Every step did what its name says.
func TestBooking(t *testing.T) {
	steps, _, err := booking()
	if err != nil {
		t.Fatal(err)
	}
	mails := 0.0
	for _, s := range steps {
		looks := strings.Contains(s.step, "look")
		if s.reads <= 0 || (s.writes > 0) == looks {
			t.Errorf("%s: %.0f writes, %.1f reads", s.step, s.writes, s.reads)
		}
		if m := strings.HasPrefix(s.step, "mail") || strings.HasPrefix(s.step, "ack"); m != (s.mails == 1) {
			t.Errorf("%s: %.0f mails", s.step, s.mails)
		}
		mails += s.mails
	}
	if mails != 3 {
		t.Errorf("%.0f mails", mails)
	}
}

func TestBill(t *testing.T) {
	for name, c := range map[string]struct {
		u    usage
		want float64
	}{
		"ok/nothing": {usage{}, 0},
		"ok/writes":  {usage{writes: 100}, 1000 * 100 * 0.625 / 1e6},
		"ok/reads":   {usage{reads: 8}, 1000 * 8 * 0.125 / 1e6},
		"ok/a door":  {usage{doors: 1}, 1000 * (1.2/1e6 + 0.25*(0.040+0.02*0.15)*0.0000133334 + 2*450/1e9*0.5)},
		"ok/a job":   {usage{works: 1}, 1000 * (0.2/1e6 + 0.5*(0.250+0.02*0.15)*0.0000133334 + 2*450/1e9*0.5)},
	} {
		t.Run(name, func(t *testing.T) {
			if got := dollars([]usage{c.u}); math.Abs(got-c.want) > 1e-9 {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

func TestHalfUnits(t *testing.T) {
	for name, c := range map[string]struct {
		size  int
		index bool
		want  int64
	}{
		"ok/absent": {0, false, 2}, "ok/4 KB": {4096, false, 2}, "ok/over": {4097, false, 4}, "ok/index is half": {4097, true, 2},
	} {
		if got := halfUnits(c.size, c.index); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

func TestWriteInto(t *testing.T) {
	file := t.TempDir() + "/doc.md"
	for name, c := range map[string]struct {
		before, after string
		ok            bool
	}{
		"ok/between the marks": {"a\n" + beginMark + "old\n" + endMark + "\nz\n", "a\n" + beginMark + "new\n" + endMark + "\nz\n", true},
		"fail/no marks":        {"a\n", "a\n", false},
	} {
		if err := os.WriteFile(file, []byte(c.before), 0o600); err != nil {
			t.Fatal(err)
		}
		err := writeInto(file, "new\n")
		got, _ := os.ReadFile(file)
		if (err == nil) != c.ok || string(got) != c.after {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
}

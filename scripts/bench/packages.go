package main

import (
	"bytes"
	"fmt"
	"os/exec"
	"regexp"
	"strconv"
)

// measured names a package's benchmark and the line it becomes.
type measured struct {
	pkg, bench string
	name       string
	goal       float64 // of the time
	unit       string  // µs or ms
	allocs     float64 // goal of the allocations, 0 for none
}

var benchmarks = []measured{
	{"./shared/decide", "BenchmarkTransition", "decide: one transition", 20, "µs", 60},
	{"./shared/mail", "BenchmarkParse", "parse a 1 MB mail", 25, "ms", 0},
	{"./shared/calendar", "BenchmarkFreeTimes", "free times, 14 days, 500 bookings", 2, "ms", 0},
}

// packages runs the benchmarks that live beside what they measure.
func packages() ([]line, error) {
	var lines []line
	for _, m := range benchmarks {
		out, err := exec.Command("go", "test", "-run", "^$", "-bench", "^"+m.bench+"$", "-benchmem", "-count", "3", m.pkg).CombinedOutput()
		if err != nil {
			return nil, fmt.Errorf("%s: %w\n%s", m.pkg, err, out)
		}
		ns, allocs, err := best(out, m.bench)
		if err != nil {
			return nil, err
		}
		per := map[string]float64{"µs": 1e3, "ms": 1e6}[m.unit]
		lines = append(lines, atMost(m.name, ns/per, m.unit, m.goal))
		if m.allocs > 0 {
			lines = append(lines, atMost(m.name+", allocations", allocs, "allocs", m.allocs))
		}
	}
	return lines, nil
}

var result = regexp.MustCompile(`(?m)^(\S+?)(?:-\d+)?\s+\d+\s+([\d.]+) ns/op.*?([\d.]+) allocs/op`)

// best is the fastest of several runs.
func best(out []byte, bench string) (ns, allocs float64, err error) {
	for _, found := range result.FindAllSubmatch(out, -1) {
		n, err1 := strconv.ParseFloat(string(found[2]), 64)
		a, err2 := strconv.ParseFloat(string(found[3]), 64)
		if err1 == nil && err2 == nil && bytes.HasPrefix(found[1], []byte(bench)) && (ns == 0 || n < ns) {
			ns, allocs = n, a
		}
	}
	if ns == 0 {
		return 0, 0, fmt.Errorf("no result of %s in\n%s", bench, out)
	}
	return ns, allocs, nil
}

package deps

import (
	"math"
	"runtime/debug"
	"testing"
)

func TestMemory(t *testing.T) {
	for name, c := range map[string]struct {
		set  string
		want int
	}{
		"ok/given":          {"256", 256},
		"ok/absent":         {"", 0},
		"fail/not a number": {"many", 0},
		"fail/negative":     {"-1", 0},
	} {
		if got := memory(func(string) string { return c.set }); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

func TestCollectSeldom(t *testing.T) {
	percent, limit := debug.SetGCPercent(100), debug.SetMemoryLimit(-1)
	t.Cleanup(func() { debug.SetGCPercent(percent); debug.SetMemoryLimit(limit) })
	debug.SetMemoryLimit(math.MaxInt64)
	CollectSeldom(0)
	if got := debug.SetGCPercent(collectAt); got != collectAt {
		t.Errorf("collected at %d %%", got)
	}
	if got := debug.SetMemoryLimit(-1); got != math.MaxInt64 {
		t.Errorf("a limit of %d without a memory", got)
	}
	CollectSeldom(250)
	if got := debug.SetMemoryLimit(-1); got != 200<<20 {
		t.Errorf("a limit of %d bytes of 250 MB", got)
	}
}

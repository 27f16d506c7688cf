package model

import (
	"fmt"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"

	"typedinbox/shared/inbox"
)

// sizes of a run; MODEL_SEEDS and MODEL_STEPS change them.
const (
	usualSeeds = 200
	usualSteps = 300
	checkEvery = 60 // steps between two recounts of the whole table
)

// run is one random life of an inbox beside its model.
type run struct {
	*world
	people   []*actor
	services []*service
	rules    rules
	items    []*item
	byID     map[string]*item
	done     []written
	trace    []string
	keys     int
	troubled bool
}

// written is a write that was taken, with its answer.
type written struct {
	request
	body []byte
	at   inbox.Instant
}

func number(name string, usual int) int {
	if n, err := strconv.Atoi(os.Getenv(name)); err == nil && n > 0 {
		return n
	}
	return usual
}

// TestModel plays random lives. A failing one prints its seed; MODEL_SEED plays
// it again.
func TestModel(t *testing.T) {
	slog.SetDefault(slog.New(slog.DiscardHandler))
	seeds, steps := number("MODEL_SEEDS", usualSeeds), number("MODEL_STEPS", usualSteps)
	first := 0
	if one := os.Getenv("MODEL_SEED"); one != "" {
		first, seeds = number("MODEL_SEED", 0), 1
	} else if testing.Short() {
		seeds = min(seeds, 10)
	}
	t.Cleanup(func() {
		if seeds < 50 || t.Failed() {
			return
		}
		var missing []string
		for _, what := range wanted {
			if reached.count[what] == 0 {
				missing = append(missing, what)
			}
		}
		if len(missing) > 0 {
			t.Errorf("no run met %q", missing)
		}
	})
	for seed := first; seed < first+seeds; seed++ {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			live(t, uint64(seed), steps)
		})
	}
}

// reached counts what the runs met, by verb and answer.
var reached = struct {
	sync.Mutex
	count map[string]int
}{count: map[string]int{}}

// meet notes an answer.
func meet(what string) {
	reached.Lock()
	defer reached.Unlock()
	reached.count[what]++
}

// wanted is what a run of many seeds must have met, or it proves little.
var wanted = []string{
	"confirm ", "confirm slot_taken", "confirm guard_failed", "confirm not_allowed", "confirm version_conflict", "confirm wrong_state",
	"request_info ", "decline ", "cancel_by_business ", "record_cancel ", "record_cancel_late ", "record_cancel invalid_input",
	"record_cancel_late guard_failed", "complete ", "complete guard_failed", "no_show ", "no_show guard_failed", "answer ",
	"reopen ", "close ", "mark_spam ", "unspam ", "cancel ", "cancel guard_failed", "cancel wrong_state", "cancel not_allowed",
	"expired", "completed", "corrected", "replayed", "idempotency_mismatch", "unauthorized",
}

// TestReplay: a seed gives the same life again, or a printed seed would be worth
// nothing.
func TestReplay(t *testing.T) {
	one, two := live(t, 7, 80), live(t, 7, 80)
	for n, line := range one {
		if n >= len(two) || two[n] != line {
			t.Fatalf("step %d: %q, then %q", n, line, two[n:min(n+1, len(two))])
		}
	}
}

// live plays one life and answers its trace.
func live(t *testing.T, seed uint64, steps int) []string {
	m := &run{world: newWorld(t, seed), byID: map[string]*item{}, rules: usual}
	defer func() {
		if t.Failed() {
			t.Logf("play it again: MODEL_SEED=%d MODEL_STEPS=%d go test ./scripts/model\n%s",
				seed, steps, strings.Join(m.trace[max(0, len(m.trace)-25):], "\n"))
		}
	}()
	m.people = m.actors()
	m.setUp()
	m.troubled = true
	m.troubles()
	for n := range steps {
		m.step()
		if (n+1)%checkEvery == 0 {
			m.recount()
		}
		if t.Failed() {
			t.FailNow()
		}
	}
	m.quiet()
	return m.trace
}

// note adds a line to the trace.
func (m *run) note(format string, args ...any) {
	m.trace = append(m.trace, fmt.Sprintf("%3d %s ", len(m.trace), m.now)+fmt.Sprintf(format, args...))
}

// broken reports what the inbox did and the model did not expect.
func (m *run) broken(format string, args ...any) {
	m.t.Helper()
	m.t.Errorf(format, args...)
}

// setUp opens the studio around the clock with three services.
func (m *run) setUp() {
	owner := m.actor("owner")
	week := map[string]any{}
	for _, d := range inbox.Weekdays {
		week[d] = [][2]string{{"00:00", "24:00"}}
	}
	m.set(request{by: owner, method: "PUT", path: "/v1/owner/availability", body: map[string]any{"weekly": week}})
	// Businesses need no confirm step, so a create is one request.
	m.set(request{by: owner, method: "PUT", path: "/v1/owner/settings", body: map[string]any{
		"doc": map[string]any{"commerce": map[string]any{"customers": "businesses"}},
	}})
	for _, s := range []*service{
		{minutes: 60, capacity: 1, value: 5000, active: true, alternateLength: 90},
		{minutes: 90, before: 15, after: 30, capacity: 2, value: 1500, perPerson: true, active: true, alternateLength: 30},
		{minutes: 45, capacity: 1, value: -1, active: true, alternateLength: 120},
	} {
		body := map[string]any{
			"name": fmt.Sprint("Service ", len(m.services)), "duration_min": s.minutes, "buffer_before_min": s.before,
			"buffer_after_min": s.after, "capacity": s.capacity,
		}
		if s.value >= 0 {
			price := map[string]any{"model": "fixed", "value": s.value}
			if s.perPerson {
				price["per"] = "person"
			}
			body["price"] = price
		}
		s.id = m.set(request{by: owner, method: "POST", path: "/v1/owner/services", body: body}).str("id")
		m.services = append(m.services, s)
	}
}

func (m *run) set(r request) answer {
	a := m.send(r)
	if a.status >= 300 {
		m.t.Fatalf("set-up: %d %s", a.status, a.body)
	}
	return a
}

func (m *run) actor(name string) *actor {
	for _, a := range m.people {
		if a.name == name {
			return a
		}
	}
	panic(name)
}

func pick[T any](m *run, list ...T) T { return list[m.r.IntN(len(list))] }

// one says yes in one of n cases.
func (m *run) one(n int) bool { return m.r.IntN(n) == 0 }

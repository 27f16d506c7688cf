package calendar

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"typedinbox/shared/inbox"
)

func instant(t testing.TB, s string) inbox.Instant {
	t.Helper()
	i, err := inbox.ParseInstant(s)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return i
}

func zone(t testing.TB, name string) *time.Location {
	t.Helper()
	z, err := Zone(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// allWeek opens every day with the same windows.
func allWeek(windows ...inbox.Window) inbox.Week {
	w := inbox.Week{}
	for _, day := range inbox.Weekdays {
		w[day] = windows
	}
	return w
}

// cut is a service of one place, an hour long, on a half-hour grid.
func cut() inbox.Service {
	return inbox.Service{ID: "S", Active: true, DurationMin: 60, Capacity: 1, GranularityMin: 30}
}

// starts lists the local start times as "15:04", an instant that comes second
// in a repeated hour marked with "+".
func starts(z *time.Location, slots []Slot) string {
	var out []string
	seen := map[string]bool{}
	for _, s := range slots {
		day := s.StartTime.In(z).Format("2006-01-02 15:04")
		clock := day[11:]
		if seen[day] {
			clock += "+"
		}
		seen[day] = true
		out = append(out, clock)
	}
	return strings.Join(out, " ")
}

func TestFreeTimes(t *testing.T) {
	booking := func(from, to string) inbox.Claim {
		return inbox.Claim{Kind: inbox.ClaimBooking, From: instant(t, from), To: instant(t, to)}
	}
	lisbon := "Europe/Lisbon"
	for name, c := range map[string]struct {
		zone     string
		from, to string
		now      string // default a year before
		change   func(*Query)
		want     string
	}{
		"ok/a morning": {zone: lisbon, from: "2026-10-01T08:00:00Z", to: "2026-10-01T12:00:00Z",
			want: "09:00 09:30 10:00 10:30 11:00"}, // hours end at 12:00 local, 11:00Z
		"ok/ends with the window asked": {zone: lisbon, from: "2026-10-01T08:10:00Z", to: "2026-10-01T10:29:00Z", want: "09:30 10:00"},
		"ok/from to the millisecond":    {zone: lisbon, from: "2026-10-01T08:00:00.001Z", to: "2026-10-01T10:00:00Z", want: "09:30 10:00"},
		"ok/no hours stored": {zone: lisbon, from: "2026-10-01T08:00:00Z", to: "2026-10-01T12:00:00Z",
			change: func(q *Query) { q.Week = nil }, want: ""},
		"ok/closed that day": {zone: lisbon, from: "2026-10-01T08:00:00Z", to: "2026-10-01T12:00:00Z",
			change: func(q *Query) { q.Closures = []inbox.Closure{{From: "2026-09-30", To: "2026-10-01"}} }, want: ""},
		"ok/closed next day alone": {zone: lisbon, from: "2026-10-01T10:00:00Z", to: "2026-10-02T12:00:00Z",
			change: func(q *Query) { q.Closures = []inbox.Closure{{From: "2026-10-02", To: "2026-10-02"}} }, want: "11:00"},
		"ok/inactive": {zone: lisbon, from: "2026-10-01T08:00:00Z", to: "2026-10-01T12:00:00Z",
			change: func(q *Query) { q.Service.Active = false }, want: ""},
		"ok/started is not offered": {zone: lisbon, from: "2026-10-01T08:00:00Z", to: "2026-10-01T12:00:00Z",
			now: "2026-10-01T09:00:00Z", want: "10:30 11:00"},
		"ok/exactly the notice ahead": {zone: lisbon, from: "2026-10-01T08:00:00Z", to: "2026-10-01T12:00:00Z",
			now: "2026-10-01T08:00:00Z", change: func(q *Query) { q.NoticeMin = 90 }, want: "10:30 11:00"},
		"ok/a millisecond inside the notice": {zone: lisbon, from: "2026-10-01T08:00:00Z", to: "2026-10-01T12:00:00Z",
			now: "2026-10-01T08:00:00.001Z", change: func(q *Query) { q.NoticeMin = 90 }, want: "11:00"},
		"ok/grid from local midnight, not opening": {zone: lisbon, from: "2026-10-01T08:00:00Z", to: "2026-10-01T12:00:00Z",
			change: func(q *Query) { q.Service.GranularityMin = 50 }, want: "09:10 10:00 10:50"},
		"ok/grid re-anchored each day": {zone: lisbon, from: "2026-10-01T10:50:00Z", to: "2026-10-02T09:30:00Z",
			change: func(q *Query) { q.Service.GranularityMin = 100; q.Service.DurationMin = 10 }, want: "10:00"},
		"ok/limit": {zone: lisbon, from: "2026-10-01T00:00:00Z", to: "2026-10-03T00:00:00Z",
			change: func(q *Query) { q.Limit = 3 }, want: "09:00 09:30 10:00"},
		"ok/taken": {zone: lisbon, from: "2026-10-01T08:00:00Z", to: "2026-10-01T12:00:00Z",
			change: func(q *Query) {
				q.Places.Claims = []inbox.Claim{booking("2026-10-01T09:00:00Z", "2026-10-01T10:00:00Z")}
			},
			want: "09:00 11:00"},
		"ok/buffers reach out of hours": {zone: lisbon, from: "2026-10-01T08:00:00Z", to: "2026-10-01T11:00:00Z",
			change: func(q *Query) {
				q.Service.BufferBeforeMin = 15
				q.Places.Claims = []inbox.Claim{booking("2026-10-01T07:00:00Z", "2026-10-01T07:45:00.001Z")}
			}, want: "09:30 10:00 10:30 11:00"},
		"ok/a lapsed ask is free": {zone: lisbon, from: "2026-10-01T08:00:00Z", to: "2026-10-01T09:30:00Z", now: "2026-09-30T08:00:00Z",
			change: func(q *Query) {
				q.Places.Claims = []inbox.Claim{{Kind: inbox.ClaimAsk, From: q.From, To: q.To, Until: inbox.Ptr(q.Now)}}
			}, want: "09:00 09:30"},
		"ok/a standing ask is not": {zone: lisbon, from: "2026-10-01T08:00:00Z", to: "2026-10-01T09:30:00Z", now: "2026-09-30T08:00:00Z",
			change: func(q *Query) {
				q.Places.Claims = []inbox.Claim{{Kind: inbox.ClaimAsk, From: q.From, To: q.To, Until: inbox.Ptr(q.Now + 1)}}
			}, want: ""},
		"ok/until midnight, never across": {zone: lisbon, from: "2026-10-01T20:00:00Z", to: "2026-10-02T02:00:00Z",
			change: func(q *Query) { q.Week = allWeek(inbox.Window{"22:00", "24:00"}, inbox.Window{"00:00", "01:30"}) },
			want:   "22:00 22:30 23:00 00:00 00:30"},
		"ok/touching windows are two": {zone: lisbon, from: "2026-10-01T08:00:00Z", to: "2026-10-01T12:00:00Z",
			change: func(q *Query) { q.Week = allWeek(inbox.Window{"09:00", "10:30"}, inbox.Window{"10:30", "12:00"}) },
			want:   "09:00 09:30 10:30 11:00"},
		"ok/the spring day has 23 hours": {zone: lisbon, from: "2026-03-29T00:00:00Z", to: "2026-03-29T23:00:00Z",
			change: func(q *Query) { q.Week = allWeek(inbox.Window{"00:00", "04:00"}) },
			want:   "00:00 00:30 02:00 02:30 03:00"}, // 00:30 lasts until 02:30 on the wall
		"ok/the autumn hour comes twice": {zone: lisbon, from: "2026-10-24T23:00:00Z", to: "2026-10-25T06:00:00Z",
			change: func(q *Query) { q.Week = allWeek(inbox.Window{"00:00", "03:00"}) },
			want:   "00:00 00:30 01:00 01:30 01:00+ 01:30+ 02:00"},
		"ok/two hours across autumn end one off": {zone: lisbon, from: "2026-10-24T23:00:00Z", to: "2026-10-25T06:00:00Z",
			change: func(q *Query) { q.Service.DurationMin = 120; q.Week = allWeek(inbox.Window{"00:00", "03:00"}) },
			want:   "00:00 00:30 01:00 01:30 01:00+"},
		"ok/a half-hour change, Lord Howe spring": {zone: "Australia/Lord_Howe", from: "2026-10-03T13:30:00Z", to: "2026-10-04T00:00:00Z",
			change: func(q *Query) { q.Week = allWeek(inbox.Window{"01:00", "04:00"}); q.Service.GranularityMin = 15 },
			want:   "01:00 01:15 01:30 01:45 02:30 02:45 03:00"},
		"ok/a half-hour change, Lord Howe autumn": {zone: "Australia/Lord_Howe", from: "2026-04-04T13:00:00Z", to: "2026-04-05T00:00:00Z",
			change: func(q *Query) { q.Week = allWeek(inbox.Window{"01:00", "03:00"}); q.Service.GranularityMin = 15 },
			want:   "01:00 01:15 01:30 01:45 01:30+ 01:45+ 02:00"},
		"ok/Kathmandu, 45 minutes off": {zone: "Asia/Kathmandu", from: "2026-10-01T03:00:00Z", to: "2026-10-01T06:00:00Z",
			want: "09:00 09:30 10:00 10:30"},
		"ok/Apia, far ahead": {zone: "Pacific/Apia", from: "2026-09-30T20:00:00Z", to: "2026-09-30T23:00:00Z",
			want: "09:00 09:30 10:00 10:30 11:00"},
		"ok/Apia, the day that was not": {zone: "Pacific/Apia", from: "2011-12-29T09:00:00Z", to: "2011-12-31T10:00:00Z", now: "2011-12-01T00:00:00Z",
			change: func(q *Query) { q.Week = inbox.Week{"thu": {{"23:00", "24:00"}}, "fri": {{"00:00", "24:00"}}} },
			want:   "23:00"},
		"ok/midnight skipped, Cairo": {zone: "Africa/Cairo", from: "2026-04-23T20:00:00Z", to: "2026-04-24T00:00:00Z",
			change: func(q *Query) { q.Week = allWeek(inbox.Window{"00:00", "24:00"}); q.Service.GranularityMin = 50 },
			want:   "22:30 01:40"}, // 23:20 would end on the next day; 01:40 is on the grid of the new day
	} {
		z := zone(t, c.zone)
		q := Query{Service: cut(), Week: allWeek(inbox.Window{"09:00", "12:00"}), Zone: z, From: instant(t, c.from), To: instant(t, c.to)}
		q.Now = q.From - 365*inbox.Day
		if c.now != "" {
			q.Now = instant(t, c.now)
		}
		if c.change != nil {
			c.change(&q)
		}
		got := FreeTimes(q)
		if s := starts(z, got); s != c.want {
			t.Errorf("%s: %s\nwant %s", name, s, c.want)
		}
		if slow := slowFreeTimes(q); !reflect.DeepEqual(got, slow) {
			t.Errorf("%s: the second implementation says %s", name, starts(z, slow))
		}
	}
}

func TestFreeTimesAvailable(t *testing.T) {
	q := Query{Service: cut(), Week: allWeek(inbox.Window{"09:00", "12:00"}), From: instant(t, "2026-10-01T09:00:00Z"), To: instant(t, "2026-10-01T12:00:00Z")}
	q.Service.Capacity = 3
	q.Places.Claims = []inbox.Claim{
		{Kind: inbox.ClaimBooking, From: q.From, To: q.From + inbox.Hour},
		{Kind: inbox.ClaimHold, From: q.From + inbox.Hour/2, To: q.From + 3*inbox.Hour/2},
	}
	want := []int{1, 1, 2, 3, 3}
	got := FreeTimes(q)
	if len(got) != len(want) {
		t.Fatalf("%v", got)
	}
	for i, s := range got {
		if s.Available != want[i] || s.EndTime-s.StartTime != inbox.Hour {
			t.Errorf("%d: %v, want %d available", i, s, want[i])
		}
	}
}

func TestFreeTimesAtMost200(t *testing.T) {
	q := Query{Service: cut(), Week: allWeek(inbox.Window{"00:00", "24:00"}), From: 0, To: 14 * inbox.Day, Now: -inbox.Day}
	for limit, want := range map[int]int{0: 200, -1: 200, 1: 1, 199: 199, 200: 200, 201: 200} {
		q.Limit = limit
		if got := len(FreeTimes(q)); got != want {
			t.Errorf("limit %d: %d slots, want %d", limit, got, want)
		}
	}
}

func TestCheckRange(t *testing.T) {
	for name, c := range map[string]struct {
		length  inbox.Instant
		refused bool
	}{
		"ok/1 ms":                     {1, false},
		"ok/14 days":                  {14 * inbox.Day, false},
		"ok/14 days and an hour":      {14*inbox.Day + inbox.Hour, false},
		"fail/1 ms more":              {14*inbox.Day + inbox.Hour + 1, true},
		"fail/empty":                  {0, true},
		"fail/backwards":              {-1, true},
		"fail/the other way, by days": {-15 * inbox.Day, true},
	} {
		from := instant(t, "2026-10-20T23:00:00Z")
		p := CheckRange(from, from+c.length)
		if (p != nil) != c.refused || (p != nil && (p.Path != "to" || p.Problem != inbox.Invalid)) {
			t.Errorf("%s: %v", name, p)
		}
	}
}

func TestTooSoon(t *testing.T) {
	const now, notice = inbox.Instant(1e12), 60
	for name, c := range map[string]struct {
		ahead        inbox.Instant
		past, inside bool
	}{
		"ok/exactly the notice": {notice * inbox.Minute, false, false},
		"ok/later":              {inbox.Day, false, false},
		"fail/inside by 1 ms":   {notice*inbox.Minute - 1, false, true},
		"fail/in 1 ms":          {1, false, true},
		"fail/now":              {0, true, false},
		"fail/before":           {-1, true, false},
	} {
		past, inside := TooSoon(now+c.ahead, now, notice)
		if past != c.past || inside != c.inside {
			t.Errorf("%s: past %v, inside %v", name, past, inside)
		}
	}
	if past, inside := TooSoon(now, now, 0); !past || inside {
		t.Error("a start equal to now is past whatever the notice")
	}
}

func TestOffered(t *testing.T) {
	z := zone(t, "Europe/Lisbon")
	base := Query{Service: cut(), Week: allWeek(inbox.Window{"09:00", "12:00"}), Zone: z, Now: instant(t, "2026-09-01T00:00:00Z")}
	own := inbox.Claim{ID: "own", Kind: inbox.ClaimBooking, From: instant(t, "2026-10-01T09:00:00Z"), To: instant(t, "2026-10-01T10:00:00Z")}
	mine := func(c inbox.Claim) bool { return c.ID == "own" }
	for name, c := range map[string]struct {
		start, end string
		change     func(*Query)
		ignore     func(inbox.Claim) bool
		ok, full   bool
	}{
		"ok/free":                  {"2026-10-01T08:00:00Z", "2026-10-01T09:00:00Z", nil, nil, true, false},
		"ok/longer than sold":      {"2026-10-01T08:00:00Z", "2026-10-01T10:30:00Z", nil, nil, true, false},
		"ok/over its own claim":    {"2026-10-01T09:30:00Z", "2026-10-01T10:30:00Z", func(q *Query) { q.Places.Claims = []inbox.Claim{own} }, mine, true, false},
		"fail/over another's":      {"2026-10-01T09:30:00Z", "2026-10-01T10:30:00Z", func(q *Query) { q.Places.Claims = []inbox.Claim{own} }, nil, false, true},
		"fail/off the grid":        {"2026-10-01T08:10:00Z", "2026-10-01T09:10:00Z", nil, nil, false, false},
		"fail/seconds":             {"2026-10-01T08:00:01Z", "2026-10-01T09:00:01Z", nil, nil, false, false},
		"fail/milliseconds":        {"2026-10-01T08:00:00.001Z", "2026-10-01T09:00:00Z", nil, nil, false, false},
		"fail/before opening":      {"2026-10-01T07:30:00Z", "2026-10-01T08:30:00Z", nil, nil, false, false},
		"fail/past closing by ms":  {"2026-10-01T10:00:00Z", "2026-10-01T11:00:00.001Z", nil, nil, false, false},
		"fail/empty":               {"2026-10-01T08:00:00Z", "2026-10-01T08:00:00Z", nil, nil, false, false},
		"fail/backwards":           {"2026-10-01T09:00:00Z", "2026-10-01T08:00:00Z", nil, nil, false, false},
		"fail/a week and an hour":  {"2026-10-01T08:00:00Z", "2026-10-08T09:00:00Z", nil, nil, false, false},
		"fail/inactive":            {"2026-10-01T08:00:00Z", "2026-10-01T09:00:00Z", func(q *Query) { q.Service.Active = false }, nil, false, false},
		"fail/closed":              {"2026-10-01T08:00:00Z", "2026-10-01T09:00:00Z", func(q *Query) { q.Closures = []inbox.Closure{{From: "2026-10-01", To: "2026-10-01"}} }, nil, false, false},
		"fail/closed, and taken":   {"2026-10-01T09:00:00Z", "2026-10-01T10:00:00Z", func(q *Query) { q.Week = nil; q.Places.Claims = []inbox.Claim{own} }, nil, false, false},
		"ok/next to another's":     {"2026-10-01T10:00:00Z", "2026-10-01T11:00:00Z", func(q *Query) { q.Places.Claims = []inbox.Claim{own} }, nil, true, false},
		"fail/its buffer is taken": {"2026-10-01T10:00:00Z", "2026-10-01T11:00:00Z", func(q *Query) { q.Places.Claims = []inbox.Claim{own}; q.Service.BufferBeforeMin = 1 }, nil, false, true},
	} {
		q := base
		if c.change != nil {
			c.change(&q)
		}
		start, end := instant(t, c.start), instant(t, c.end)
		ok, full := Offered(q, start, end, c.ignore)
		if ok != c.ok || (full != nil) != c.full {
			t.Errorf("%s: %v, full %v", name, ok, full)
		}
		if slow := slowFree(q, start.Time(), end.Time(), c.ignore) > 0; slow != c.ok {
			t.Errorf("%s: the second implementation says %v", name, slow)
		}
	}
}

func TestHoursAlone(t *testing.T) {
	z := zone(t, "Europe/Lisbon")
	week := allWeek(inbox.Window{"09:00", "12:00"})
	start, end := instant(t, "2026-10-01T08:00:00Z"), instant(t, "2026-10-01T11:00:00Z")
	if !InHours(week, z, start, end) || InHours(week, z, start, end+1) || InHours(week, z, start, start) || InHours(week, time.UTC, start, end) {
		t.Error("a time is in hours when one local window holds all of it")
	}
	shut := []inbox.Closure{{From: "2026-10-02", To: "2026-10-02"}}
	midnight := instant(t, "2026-10-01T23:00:00Z")
	if Closed(shut, z, midnight-inbox.Hour, midnight) || !Closed(shut, z, midnight-inbox.Hour, midnight+1) || !Closed(shut, z, midnight, midnight+1) {
		t.Error("a time is closed when its first or its last millisecond is on a closed local date")
	}
	if !OnGrid(45, z, instant(t, "2026-10-01T08:00:00Z")) || OnGrid(45, z, instant(t, "2026-10-01T08:30:00Z")) {
		t.Error("the grid is counted from local midnight")
	}
}

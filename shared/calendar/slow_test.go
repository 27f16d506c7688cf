package calendar

import (
	"slices"
	"time"

	"typedinbox/shared/inbox"
)

// The second implementation: 01 §10.3 read word for word, a minute at a time,
// with nothing shared with the package but its types.

func slowFreeTimes(q Query) []Slot {
	slots := []Slot{}
	limit := 200
	if q.Limit > 0 && q.Limit < 200 {
		limit = q.Limit
	}
	start := q.From.Time().Truncate(time.Minute)
	if start.Before(q.From.Time()) {
		start = start.Add(time.Minute)
	}
	for ; len(slots) < limit; start = start.Add(time.Minute) {
		end := start.Add(time.Duration(q.Service.DurationMin) * time.Minute)
		if end.After(q.To.Time()) {
			break
		}
		wait := start.Sub(q.Now.Time())
		if wait <= 0 || wait < time.Duration(q.NoticeMin)*time.Minute {
			continue
		}
		if free := slowFree(q, start, end, nil); free > 0 {
			slots = append(slots, Slot{StartTime: inbox.InstantOf(start), EndTime: inbox.InstantOf(end), Available: free})
		}
	}
	return slots
}

// slowFree is how many places are free; 0 when the time is not offered at all.
func slowFree(q Query, start, end time.Time, ignore func(inbox.Claim) bool) int {
	wall, last := start.In(q.Zone), end.Add(-time.Millisecond).In(q.Zone)
	onGrid := (wall.Hour()*60+wall.Minute())%q.Service.GranularityMin == 0 && wall.Second() == 0 && wall.Nanosecond() == 0
	if !q.Service.Active || !onGrid || !end.After(start) || slowShut(q, wall) || slowShut(q, last) || !slowInHours(q, wall, last) {
		return 0
	}
	before := start.Add(-time.Duration(q.Service.BufferBeforeMin) * time.Minute)
	after := end.Add(time.Duration(q.Service.BufferAfterMin) * time.Minute)
	claims := slices.DeleteFunc(slices.Clone(q.Places.Claims), func(c inbox.Claim) bool {
		return (ignore != nil && ignore(c)) || (c.Kind == inbox.ClaimAsk && !q.Now.Time().Before(c.Until.Time()))
	})
	free := q.Service.Capacity - standing(claims, before)
	for _, c := range claims {
		if from := c.From.Time(); from.After(before) && from.Before(after) {
			free = min(free, q.Service.Capacity-standing(claims, from))
		}
	}
	return max(free, 0)
}

func standing(claims []inbox.Claim, at time.Time) int {
	n := 0
	for _, c := range claims {
		if !c.From.Time().After(at) && c.To.Time().After(at) {
			n++
		}
	}
	return n
}

func slowShut(q Query, wall time.Time) bool {
	date := wall.Format("2006-01-02")
	return slices.ContainsFunc(q.Closures, func(c inbox.Closure) bool { return c.From <= date && date <= c.To })
}

func slowInHours(q Query, wall, last time.Time) bool {
	if wall.Format("2006-01-02") != last.Format("2006-01-02") {
		return false
	}
	day := map[time.Weekday]string{0: "sun", 1: "mon", 2: "tue", 3: "wed", 4: "thu", 5: "fri", 6: "sat"}[wall.Weekday()]
	// The wall clock one minute after last, were the clock not changed.
	shut := two(last.Hour()) + ":" + two(last.Minute()+1)
	if last.Minute() == 59 {
		shut = two(last.Hour()+1) + ":00"
	}
	for _, w := range q.Week[day] {
		if w[0] <= wall.Format("15:04") && shut <= w[1] {
			return true
		}
	}
	return false
}

func two(n int) string { return string([]byte{'0' + byte(n/10), '0' + byte(n%10)}) }

package calendar

import (
	"time"

	"typedinbox/shared/inbox"
)

const dayMinutes = 24 * 60

// schedule is a week and the closures in numbers, for one zone.
type schedule struct {
	zone   *time.Location
	week   [7][]span  // by time.Weekday
	closed [][2]int64 // local days since 1970-01-01, both included
}

// newSchedule reads what was stored; what [CheckWeek] and [CheckClosures] would
// refuse is left out. A nil zone is UTC.
func newSchedule(w inbox.Week, closures []inbox.Closure, zone *time.Location) schedule {
	if zone == nil {
		zone = time.UTC
	}
	s := schedule{zone: zone}
	for i, day := range inbox.Weekdays {
		for _, window := range w[day] {
			if sp, message := parseWindow(window); message == "" {
				weekday := (i + 1) % 7 // Weekdays begins on Monday, time.Weekday on Sunday
				s.week[weekday] = append(s.week[weekday], sp)
			}
		}
	}
	for _, c := range closures {
		from, okFrom := parseDate(c.From)
		to, okTo := parseDate(c.To)
		if okFrom && okTo {
			s.closed = append(s.closed, [2]int64{from, to})
		}
	}
	return s
}

// local is a moment on the business's wall clock: the day since 1970-01-01 and
// the milliseconds of that day.
type local struct{ day, ms int64 }

func (l local) minute() int { return int(l.ms / inbox.Minute) }

// weekday of the day: 1970-01-01 was a Thursday.
func (l local) weekday() int { return int(mod(l.day+4, 7)) }

// at is an instant on the wall clock, given the offset from UTC in milliseconds.
func at(i inbox.Instant, offset int64) local {
	wall := int64(i) + offset
	day := floorDiv(wall, inbox.Day)
	return local{day, wall - day*inbox.Day}
}

func (s schedule) at(i inbox.Instant) local {
	_, seconds := i.In(s.zone).Zone()
	return at(i, int64(seconds)*inbox.Second)
}

// inHours is rule 2 of 01 §10.3; last is the wall clock of the end less 1 ms.
func (s schedule) inHours(start, last local) bool {
	if start.day != last.day {
		return false
	}
	for _, w := range s.week[start.weekday()] {
		if w.open <= start.minute() && last.minute()+1 <= w.close {
			return true
		}
	}
	return false
}

// isClosed is the opposite of rule 3 of 01 §10.3, for one day.
func (s schedule) isClosed(day int64) bool {
	for _, c := range s.closed {
		if c[0] <= day && day <= c[1] {
			return true
		}
	}
	return false
}

func (s schedule) open(start, last local) bool {
	return s.inHours(start, last) && !s.isClosed(start.day) && !s.isClosed(last.day)
}

// InHours says whether a time lies in one window of one local day (01 §10.3,
// rule 2).
func InHours(w inbox.Week, zone *time.Location, start, end inbox.Instant) bool {
	s := newSchedule(w, nil, zone)
	return start < end && s.inHours(s.at(start), s.at(end-1))
}

// Closed says whether the local date of the start, or of the last millisecond,
// is in a closure (01 §10.3, rule 3).
func Closed(closures []inbox.Closure, zone *time.Location, start, end inbox.Instant) bool {
	s := newSchedule(nil, closures, zone)
	return s.isClosed(s.at(start).day) || s.isClosed(s.at(end-1).day)
}

// OnGrid says whether a start is a multiple of the granularity on the local wall
// clock, counted from local midnight (01 §10.3, Grid).
func OnGrid(granularityMin int, zone *time.Location, start inbox.Instant) bool {
	s := newSchedule(nil, nil, zone)
	return s.at(start).ms%(int64(max(granularityMin, 1))*inbox.Minute) == 0
}

func floorDiv(a, b int64) int64 { return (a - mod(a, b)) / b }

func mod(a, b int64) int64 { return ((a % b) + b) % b }

package calendar

import (
	"fmt"
	"time"

	"typedinbox/shared/inbox"
)

// Bounds of a look-up of free times (01 §10.3).
const (
	MaxSlots  = 200
	MaxWindow = 14*inbox.Day + inbox.Hour // the hour lets 14 local days over the autumn change pass
)

// Query is what free times depend on.
type Query struct {
	Service   inbox.Service
	Week      inbox.Week // the one that holds for the service, see [Hours.For]
	Closures  []inbox.Closure
	Zone      *time.Location // the business's; nil is UTC
	Places    inbox.Places   // what stands in the hours of [Around]; other claims do no harm
	From, To  inbox.Instant  // the window asked: a time starts at From or later and ends at To or sooner
	Now       inbox.Instant
	NoticeMin int // booking.minNoticeMin
	Limit     int // 1..200; 0 or more than 200 is 200
}

// Slot is a time that can be booked; Available is how many places are left at
// its fullest instant, buffers included.
type Slot = inbox.Slot

// Around is the span whose claims the free times of a window depend on: the
// window with the service's buffers.
func Around(s inbox.Service, from, to inbox.Instant) (inbox.Instant, inbox.Instant) {
	return Claim(s, from, to)
}

// CheckRange refuses a window that is empty or longer than [MaxWindow], on to.
func CheckRange(from, to inbox.Instant) *inbox.FieldProblem {
	switch {
	case to <= from:
		return &inbox.FieldProblem{Path: "to", Problem: inbox.Invalid, Message: "must be after from"}
	case int64(to-from) > MaxWindow:
		return &inbox.FieldProblem{Path: "to", Problem: inbox.Invalid, Message: fmt.Sprintf("must be at most %d days after from", 14)}
	}
	return nil
}

// TooSoon compares a start with the present: past when it has come (a start
// equal to now included), inside when it is ahead but nearer than the notice.
// Exactly the notice ahead is neither (01 §9).
func TooSoon(start, now inbox.Instant, noticeMin int) (past, inside bool) {
	past = start <= now
	return past, !past && start < now.Add(int64(noticeMin)*inbox.Minute)
}

// FreeTimes lists the free start times of a service in ascending order (01
// §10.3): on the local grid, in hours, not closed, with a place left at every
// instant. An inactive service has none.
//
// The window is walked in stretches of constant offset from UTC, so each wall
// time maps to exactly the instants that have it: none when it was skipped, two
// when clocks went back.
func FreeTimes(q Query) []Slot {
	limit := q.Limit
	if limit <= 0 || limit > MaxSlots {
		limit = MaxSlots
	}
	slots := []Slot{}
	first := max(q.From, q.Now+1, q.Now.Add(int64(q.NoticeMin)*inbox.Minute))
	length := inbox.Instant(int64(q.Service.DurationMin) * inbox.Minute)
	if !q.Service.Active || length <= 0 || first+length > q.To {
		return slots
	}
	f := finder{
		schedule: newSchedule(q.Week, q.Closures, q.Zone),
		profile:  newProfile(q.Places.Claims, func(c inbox.Claim) bool { return lapsed(c, q.Now) }),
		service:  q.Service, length: length, limit: limit, slots: slots,
	}
	f.walk(first, q.To-length)
	return f.slots
}

// finder collects free times in order until there are enough.
type finder struct {
	schedule
	profile
	service   inbox.Service
	length    inbox.Instant
	limit     int
	slots     []Slot
	stretches []stretch
}

// stretch is a span of instants [from, to) with one offset from UTC, in
// milliseconds.
type stretch struct {
	from, to inbox.Instant
	offset   int64
}

// stretchesOf cuts [from, to] where the zone's offset changes.
func stretchesOf(zone *time.Location, from, to inbox.Instant) []stretch {
	var out []stretch
	for i := from; i <= to; {
		t := i.In(zone)
		_, seconds := t.Zone()
		end := to + 1
		if _, change := t.ZoneBounds(); !change.IsZero() {
			end = min(end, inbox.InstantOf(change))
		}
		out = append(out, stretch{i, end, int64(seconds) * inbox.Second})
		i = end
	}
	return out
}

// walk judges every grid start in [first, last].
func (f *finder) walk(first, last inbox.Instant) {
	f.stretches = stretchesOf(f.zone, first, last+f.length)
	for _, s := range f.stretches {
		start := s.from
		for start < s.to && start <= last && len(f.slots) < f.limit {
			wall := at(start, s.offset)
			midnight := start - inbox.Instant(wall.ms)
			f.day(s, midnight, start, min(s.to-1, last, midnight+inbox.Day-1))
			start = midnight + inbox.Day
		}
	}
}

// day judges the grid starts of one local day within one stretch: from first to
// last, counted from midnight.
func (f *finder) day(s stretch, midnight, first, last inbox.Instant) {
	if len(f.week[at(first, s.offset).weekday()]) == 0 {
		return
	}
	grid := inbox.Instant(int64(max(f.service.GranularityMin, 1)) * inbox.Minute)
	steps := (first - midnight + grid - 1) / grid
	for start := midnight + steps*grid; start <= last && len(f.slots) < f.limit; start += grid {
		f.judge(start, s.offset)
	}
}

func (f *finder) judge(start inbox.Instant, offset int64) {
	end := start + f.length
	if !f.open(at(start, offset), at(end-1, f.offset(end-1))) {
		return
	}
	from, to := Claim(f.service, start, end)
	if left := f.service.Capacity - f.most(from, to); left > 0 {
		f.slots = append(f.slots, Slot{StartTime: start, EndTime: end, Available: left})
	}
}

// offset of an instant within the stretches that were cut.
func (f *finder) offset(i inbox.Instant) int64 {
	for _, s := range f.stretches {
		if i < s.to {
			return s.offset
		}
	}
	return f.stretches[len(f.stretches)-1].offset
}

// Offered says whether one time could be offered (01 §10.4): the service is
// active, the end after the start, the start on the grid, and rules 2–4 hold for
// the length given. Claims that ignore answers true for, such as the item's own,
// do not count; nil ignores none. Of the query, From, To, NoticeMin and Limit
// are not asked. When the only trouble is a place, full is the first full
// interval.
func Offered(q Query, start, end inbox.Instant, ignore func(inbox.Claim) bool) (ok bool, full *Interval) {
	if !q.Service.Active || end <= start || !OnGrid(q.Service.GranularityMin, q.Zone, start) {
		return false, nil
	}
	s := newSchedule(q.Week, q.Closures, q.Zone)
	if !s.open(s.at(start), s.at(end-1)) {
		return false, nil
	}
	p := newProfile(q.Places.Claims, func(c inbox.Claim) bool {
		return lapsed(c, q.Now) || (ignore != nil && ignore(c))
	})
	from, to := Claim(q.Service, start, end)
	full = p.firstFull(q.Service.Capacity, from, to)
	return full == nil, full
}

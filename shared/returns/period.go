package returns

import (
	"sort"
	"strings"
	"time"

	"typedinbox/shared/calendar"
	"typedinbox/shared/inbox"
)

// statutoryDays are the days that the law gives (02 §9.3).
const statutoryDays = 14

// Law is the law that a contract is withdrawn from by, see [LawOf].
type Law string

// The three laws (02 §9.3).
const (
	LawPT Law = "pt"
	LawUK Law = "uk"
	LawEU Law = "eu"
)

// LawOf is the law of a country, given by the two letters of
// commerce.legal.country; none and any other one is the Union's.
func LawOf(country string) Law {
	switch strings.ToUpper(country) {
	case "PT":
		return LawPT
	case "GB", "UK":
		return LawUK
	}
	return LawEU
}

// Period is how the right of withdrawal is counted (02 §9.3).
type Period struct {
	Zone    *time.Location // the business's; nil is UTC
	Country string         // whose public holidays count
	Days    int            // returns.days; under 14 the law's 14
	// Uninformed is a customer who was never told of the right: they have 12
	// months more.
	Uninformed bool
}

// Until is the last moment of the right that begins at an instant: the end of a
// local day that is neither on a weekend nor a public holiday. The day of the
// start is not counted.
func (p Period) Until(start inbox.Instant) inbox.Instant {
	until := p.end(start, statutoryDays)
	if p.Days > statutoryDays {
		until = max(until, p.end(start, p.Days))
	}
	return until
}

// end is the last millisecond of the last of so many days.
func (p Period) end(start inbox.Instant, days int) inbox.Instant {
	zone := p.Zone
	if zone == nil {
		zone = time.UTC
	}
	y, m, d := start.In(zone).Date()
	last := time.Date(y, m, d+days, 0, 0, 0, 0, time.UTC)
	if p.Uninformed {
		last = aYearLater(last)
	}
	for !calendar.IsWorkingDay(p.Country, last) {
		last = last.AddDate(0, 0, 1)
	}
	y, m, d = last.Date()
	return inbox.InstantOf(startOfDay(y, m, d+1, zone)) - 1
}

// aYearLater is twelve calendar months later, clipped to the month's length.
func aYearLater(day time.Time) time.Time {
	y, m, d := day.Date()
	if m == time.February && d == 29 {
		d = 28
	}
	return time.Date(y+1, m, d, 0, 0, 0, 0, time.UTC)
}

// startOfDay is the first instant of a local day, wherever the clocks change: the
// first at which the zone's calendar shows the day.
func startOfDay(y int, m time.Month, d int, zone *time.Location) time.Time {
	const around = 3 * inbox.Hour // more than any change of clocks
	day := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	begun := func(at inbox.Instant) bool {
		y, m, d := at.In(zone).Date()
		return !time.Date(y, m, d, 0, 0, 0, 0, time.UTC).Before(day)
	}
	midnight := inbox.InstantOf(time.Date(y, m, d, 0, 0, 0, 0, zone))
	if begun(midnight) && !begun(midnight-1) {
		return midnight.Time() // as nearly always
	}
	from := midnight.Add(-around)
	after := sort.Search(2*around, func(ms int) bool { return begun(from.Add(int64(ms))) })
	return from.Add(int64(after)).Time()
}

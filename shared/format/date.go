package format

import (
	"fmt"
	"time"

	"typedinbox/shared/inbox"
)

// names of a language, January and Sunday first.
type names struct {
	months   [12]string
	weekdays [7]string
}

var calendarNames = map[Lang]names{
	En: {
		[12]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"},
		[7]string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"},
	},
	Pt: {
		[12]string{"janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro", "novembro", "dezembro"},
		[7]string{"domingo", "segunda-feira", "terça-feira", "quarta-feira", "quinta-feira", "sexta-feira", "sábado"},
	},
}

// patterns of a language, with what fmt calls explicit argument indexes:
// 1 weekday, 2 day, 3 month, 4 year, 5 clock time, 6 zone (05 §2.1).
var patterns = map[Lang]struct{ dateTime, dayHeading, date string }{
	En: {"%[1]s, %[2]d %[3]s %[4]d at %[5]s (%[6]s)", "%[1]s, %[2]d %[3]s", "%[2]d %[3]s %[4]d"},
	Pt: {"%[1]s, %[2]d de %[3]s de %[4]d às %[5]s (%[6]s)", "%[1]s, %[2]d de %[3]s", "%[2]d de %[3]s de %[4]d"},
}

// DateTime is an instant as local time of a zone, with the zone named: "Thursday,
// 1 October 2026 at 10:00 (Western European Time)". A nil zone is UTC.
func DateTime(l Lang, i inbox.Instant, zone *time.Location) string {
	return render(l, patterns[l].dateTime, i, zone)
}

// DayHeading is the local day without its year, for lists grouped by day.
func DayHeading(l Lang, i inbox.Instant, zone *time.Location) string {
	return render(l, patterns[l].dayHeading, i, zone)
}

// Date is the local date alone.
func Date(l Lang, i inbox.Instant, zone *time.Location) string {
	return render(l, patterns[l].date, i, zone)
}

// Time is the local time of day, "09:05", for lists that state the zone once.
func Time(i inbox.Instant, zone *time.Location) string {
	return i.In(orUTC(zone)).Format("15:04")
}

// render fills a pattern. The zone is looked up only for the one that names it.
func render(l Lang, pattern string, i inbox.Instant, zone *time.Location) string {
	zone = orUTC(zone)
	t, n := i.In(zone), calendarNames[l]
	args := []any{n.weekdays[t.Weekday()], t.Day(), n.months[t.Month()-1], t.Year(), t.Format("15:04"), ""}
	if pattern == patterns[l].dateTime {
		args[5] = ZoneName(l, i, zone)
	}
	return fmt.Sprintf(pattern, args...)
}

func orUTC(zone *time.Location) *time.Location {
	if zone == nil {
		return time.UTC
	}
	return zone
}

// Duration is a length in minutes: "45 min", "90 min", "2 h", "2 h 30 min" (05
// §2.1).
func Duration(minutes int) string {
	h, m := minutes/60, minutes%60
	switch {
	case minutes < 60 || (minutes < 120 && m != 0):
		return fmt.Sprintf("%d min", minutes)
	case m == 0:
		return fmt.Sprintf("%d h", h)
	}
	return fmt.Sprintf("%d h %d min", h, m)
}

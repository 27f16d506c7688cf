package format

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"typedinbox/shared/inbox"
)

// clock is how a time of day is written in both languages.
const clock = "15:04"

// names of a language, January and Sunday first.
type names struct {
	months   [12]string
	weekdays [7]string
}

var calendarNames = map[Lang]*names{
	En: {
		[12]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"},
		[7]string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"},
	},
	Pt: {
		[12]string{"janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro", "novembro", "dezembro"},
		[7]string{"domingo", "segunda-feira", "terça-feira", "quarta-feira", "quinta-feira", "sexta-feira", "sábado"},
	},
}

// patterns of a language: %w weekday, %d day, %m month, %y year, %t time of day,
// %z zone (05 §2.1).
var patterns = map[Lang]struct{ dateTime, dayHeading, date string }{
	En: {"%w, %d %m %y at %t (%z)", "%w, %d %m", "%d %m %y"},
	Pt: {"%w, %d de %m de %y às %t (%z)", "%w, %d de %m", "%d de %m de %y"},
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
	return i.In(orUTC(zone)).Format(clock)
}

// render fills a pattern.
func render(l Lang, pattern string, i inbox.Instant, zone *time.Location) string {
	zone = orUTC(zone)
	t, n := i.In(zone), calendarNames[l]
	b := make([]byte, 0, 96)
	for {
		text, rest, more := strings.Cut(pattern, "%")
		b = append(b, text...)
		if !more {
			return string(b)
		}
		switch rest[0] {
		case 'w':
			b = append(b, n.weekdays[t.Weekday()]...)
		case 'd':
			b = strconv.AppendInt(b, int64(t.Day()), 10)
		case 'm':
			b = append(b, n.months[t.Month()-1]...)
		case 'y':
			b = strconv.AppendInt(b, int64(t.Year()), 10)
		case 't':
			b = t.AppendFormat(b, clock)
		case 'z':
			b = append(b, ZoneName(l, i, zone)...)
		}
		pattern = rest[1:]
	}
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

package returns

import (
	"testing"
	"time"

	"github.com/rickar/cal/v2"
	"github.com/rickar/cal/v2/at"
	"github.com/rickar/cal/v2/be"
	"github.com/rickar/cal/v2/bg"
	"github.com/rickar/cal/v2/cz"
	"github.com/rickar/cal/v2/de"
	"github.com/rickar/cal/v2/dk"
	"github.com/rickar/cal/v2/es"
	"github.com/rickar/cal/v2/fr"
	"github.com/rickar/cal/v2/gb"
	"github.com/rickar/cal/v2/gr"
	"github.com/rickar/cal/v2/hr"
	"github.com/rickar/cal/v2/ie"
	"github.com/rickar/cal/v2/it"
	"github.com/rickar/cal/v2/lt"
	"github.com/rickar/cal/v2/lv"
	"github.com/rickar/cal/v2/nl"
	"github.com/rickar/cal/v2/pl"
	"github.com/rickar/cal/v2/ro"
	"github.com/rickar/cal/v2/se"
	"github.com/rickar/cal/v2/si"
	"github.com/rickar/cal/v2/sk"

	"typedinbox/shared/inbox"
)

// calendars are every country whose holidays are known, by a computation that is
// not ours, with a zone of the country's. Portugal, which the library has not, is
// written out by its law.
var calendars = map[string]struct {
	holidays []*cal.Holiday
	zone     string
}{
	"AT": {at.Holidays, "Europe/Vienna"}, "BE": {be.Holidays, "Europe/Brussels"}, "BG": {bg.Holidays, "Europe/Sofia"},
	"CZ": {cz.Holidays, "Europe/Prague"}, "DE": {de.Holidays, "Europe/Berlin"}, "DK": {dk.Holidays, "Europe/Copenhagen"},
	"ES": {es.Holidays, "Europe/Madrid"}, "FR": {fr.Holidays, "Europe/Paris"}, "GR": {gr.Holidays, "Europe/Athens"},
	"HR": {hr.Holidays, "Europe/Zagreb"}, "IE": {ie.Holidays, "Europe/Dublin"}, "IT": {it.Holidays, "Europe/Rome"},
	"LT": {lt.Holidays, "Europe/Vilnius"}, "LV": {lv.Holidays, "Europe/Riga"}, "NL": {nl.Holidays, "Europe/Amsterdam"},
	"PL": {pl.Holidays, "Europe/Warsaw"}, "RO": {ro.Holidays, "Europe/Bucharest"}, "SE": {se.Holidays, "Europe/Stockholm"},
	"SI": {si.Holidays, "Europe/Ljubljana"}, "SK": {sk.Holidays, "Europe/Bratislava"}, "GB": {gb.Holidays, "Europe/London"},
	"PT": {portugal, "Europe/Lisbon"},
}

func fixed(m time.Month, d int) *cal.Holiday {
	return &cal.Holiday{Month: m, Day: d, Func: cal.CalcDayOfMonth}
}

func afterEaster(days int) *cal.Holiday {
	return &cal.Holiday{Offset: days, Func: cal.CalcEasterOffset}
}

var portugal = []*cal.Holiday{
	fixed(1, 1), afterEaster(-2), afterEaster(0), fixed(4, 25), fixed(5, 1), afterEaster(60), fixed(6, 10),
	fixed(8, 15), fixed(10, 5), fixed(11, 1), fixed(12, 1), fixed(12, 8), fixed(12, 25),
}

// TestPeriodsOfFiveYears: for every start at noon and at both ends of a local day
// in 2026 to 2030, in every country with a calendar, the period ends where a
// second computation ends it: count fourteen days, then go on while the day is
// not a working day.
func TestPeriodsOfFiveYears(t *testing.T) {
	for code, c := range calendars {
		t.Run("ok/"+code, func(t *testing.T) {
			free := &cal.Calendar{Holidays: c.holidays, Cacheable: true}
			works := func(day time.Time) bool {
				on, instead, _ := free.IsHoliday(day)
				return !on && !instead && !cal.IsWeekend(day)
			}
			z := zone(c.zone)
			p := Period{Zone: z, Country: code, Days: 14}
			for day := time.Date(2026, 1, 1, 12, 0, 0, 0, z); day.Year() <= 2030; day = day.AddDate(0, 0, 1) {
				last := day.AddDate(0, 0, 14)
				for !works(last) {
					last = last.AddDate(0, 0, 1)
				}
				for _, hour := range []int{0, 12, 23} {
					start := time.Date(day.Year(), day.Month(), day.Day(), hour, 30, 0, 0, z)
					until := p.Until(inbox.InstantOf(start)).In(z)
					if until.Format(time.DateOnly) != last.Format(time.DateOnly) || until.Format("15:04:05.000") != "23:59:59.999" {
						t.Fatalf("from %v until %v, want the end of %v", start, until, last.Format(time.DateOnly))
					}
				}
			}
		})
	}
}

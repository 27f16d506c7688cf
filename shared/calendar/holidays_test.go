package calendar_test

import (
	"slices"
	"strings"
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

	"typedinbox/shared/calendar"
)

// library are the calendars that data/eu.json is made from.
var library = map[string][]*cal.Holiday{
	"AT": at.Holidays, "BE": be.Holidays, "BG": bg.Holidays, "CZ": cz.Holidays, "DE": de.Holidays, "DK": dk.Holidays,
	"ES": es.Holidays, "FR": fr.Holidays, "GR": gr.Holidays, "HR": hr.Holidays, "IE": ie.Holidays, "IT": it.Holidays,
	"LT": lt.Holidays, "LV": lv.Holidays, "NL": nl.Holidays, "PL": pl.Holidays, "RO": ro.Holidays, "SE": se.Holidays,
	"SI": si.Holidays, "SK": sk.Holidays,
}

// without are the countries of the Union that the library does not have.
var without = []string{"CY", "EE", "FI", "HU", "LU", "MT"}

// TestLibrary: every day of 2024 to 2060 is what the library says, in every
// country of the Union but Portugal, which is our own.
func TestLibrary(t *testing.T) {
	if len(library)+len(without)+1 != 27 {
		t.Errorf("%d countries", len(library)+len(without)+1)
	}
	for code, holidays := range library {
		t.Run("ok/"+code, func(t *testing.T) {
			theirs := &cal.Calendar{Holidays: holidays, Cacheable: true}
			for day := date(2024, 1, 1); day.Year() <= 2060; day = day.AddDate(0, 0, 1) {
				actual, observed, h := theirs.IsHoliday(day)
				if calendar.IsHoliday(code, day) != (actual || observed) {
					t.Fatalf("%s: %v, the library says %v (%+v)", day.Format(time.DateOnly), !actual && !observed, actual || observed, h)
				}
			}
		})
	}
	for _, code := range append(without, "", "US", "XX") {
		if calendar.HasHolidays(code) || calendar.IsHoliday(code, date(2026, 12, 25)) {
			t.Errorf("fail/%s has holidays", code)
		}
	}
	for _, code := range []string{"PT", "pt", "GB", "UK", "uk", "EL", "gr", "de"} {
		if !calendar.HasHolidays(code) || !calendar.IsHoliday(code, date(2026, 12, 25)) {
			t.Errorf("ok/%s has none", code)
		}
	}
}

func date(y int, m time.Month, d int) time.Time { return time.Date(y, m, d, 0, 0, 0, 0, time.UTC) }

// TestEaster: the dates of 02 §13.6, of the Orthodox calendar, and of the ends of
// the range of both.
func TestEaster(t *testing.T) {
	cases := map[string]struct {
		easter func(int) time.Time
		want   []string
	}{
		"ok/Gregorian": {calendar.Easter, []string{"2026-04-05", "2027-03-28", "2028-04-16", "2029-04-01", "2030-04-21", "2285-03-22", "2038-04-25", "1961-04-02"}},
		"ok/Orthodox":  {calendar.OrthodoxEaster, []string{"2024-05-05", "2025-04-20", "2026-04-12", "2027-05-02", "2028-04-16", "2029-04-08", "2030-04-28"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			for _, want := range c.want {
				day, err := time.Parse(time.DateOnly, want)
				if err != nil {
					t.Fatal(err)
				}
				if got := c.easter(day.Year()).Format(time.DateOnly); got != want {
					t.Errorf("%s, want %s", got, want)
				}
			}
		})
	}
}

// gauss is Easter Sunday by another computation: the paschal full moon of the
// year's golden number and epact, then the Sunday after.
func gauss(year int) time.Time {
	golden, century := year%19+1, year/100+1
	leapsLeft, moon := 3*century/4-12, (8*century+5)/25-5
	sunday := 5*year/4 - leapsLeft - 10
	epact := ((11*golden+20+moon-leapsLeft)%30 + 30) % 30
	if epact == 25 && golden > 11 || epact == 24 {
		epact++
	}
	day := 44 - epact
	if day < 21 {
		day += 30
	}
	day += 7 - (sunday+day)%7
	return date(year, 3, day)
}

// substituted are the holidays of England and Wales by another computation: the
// table of bank holidays by the weekday on which they fall.
func substituted(year int) (days []time.Time) {
	newYear := map[time.Weekday]int{time.Saturday: 3, time.Sunday: 2}
	christmas := map[time.Weekday][2]int{time.Friday: {25, 28}, time.Saturday: {27, 28}, time.Sunday: {26, 27}}
	first := 1
	if d, ok := newYear[date(year, 1, 1).Weekday()]; ok {
		first = d
	}
	pair, ok := christmas[date(year, 12, 25).Weekday()]
	if !ok {
		pair = [2]int{25, 26}
	}
	monday := func(m time.Month, from int) time.Time {
		for d := from; ; d++ {
			if day := date(year, m, d); day.Weekday() == time.Monday {
				return day
			}
		}
	}
	e := gauss(year)
	return []time.Time{
		date(year, 1, first), e.AddDate(0, 0, -2), e.AddDate(0, 0, 1), monday(5, 1), monday(5, 25), monday(8, 25),
		date(year, 12, pair[0]), date(year, 12, pair[1]),
	}
}

// portuguese are the holidays of Portugal by another computation.
func portuguese(year int) []time.Time {
	e := gauss(year)
	return []time.Time{
		date(year, 1, 1), e.AddDate(0, 0, -2), e, date(year, 4, 25), date(year, 5, 1), e.AddDate(0, 0, 60), date(year, 6, 10),
		date(year, 8, 15), date(year, 10, 5), date(year, 11, 1), date(year, 12, 1), date(year, 12, 8), date(year, 12, 25),
	}
}

// TestOwn: our own calendars are, day by day, what a second computation says.
func TestOwn(t *testing.T) {
	for code, list := range map[string]func(int) []time.Time{"PT": portuguese, "GB": substituted} {
		t.Run("ok/"+code, func(t *testing.T) {
			for year := 2000; year <= 2099; year++ {
				if !gauss(year).Equal(calendar.Easter(year)) {
					t.Fatalf("Easter %d: %v, %v", year, gauss(year), calendar.Easter(year))
				}
				free := list(year)
				for day := date(year, 1, 1); day.Year() == year; day = day.AddDate(0, 0, 1) {
					if want := slices.ContainsFunc(free, day.Equal); calendar.IsHoliday(code, day) != want {
						t.Fatalf("%s: %v", day.Format(time.DateOnly), !want)
					}
				}
			}
		})
	}
	var kept []string
	for day := date(2028, 1, 1); day.Year() == 2028; day = day.AddDate(0, 0, 1) {
		if calendar.IsHoliday("GB", day) {
			kept = append(kept, day.Format("01-02"))
		}
	}
	if want := []string{"01-03", "04-14", "04-17", "05-01", "05-29", "08-28", "12-25", "12-26"}; !slices.Equal(kept, want) {
		t.Errorf("2028: %v, want %v", kept, want)
	}
}

// TestWorkingDay: an hour of the day does not matter, its date does.
func TestWorkingDay(t *testing.T) {
	cases := map[string]struct {
		day  time.Time
		want bool
	}{
		"ok/a Thursday":      {date(2026, 12, 24), true},
		"fail/Christmas":     {time.Date(2026, 12, 25, 23, 59, 0, 0, time.FixedZone("x", -8*3600)), false},
		"fail/a Saturday":    {date(2026, 12, 26), false},
		"fail/a Sunday":      {date(2026, 12, 27), false},
		"ok/the Monday then": {date(2026, 12, 28), true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := calendar.IsWorkingDay("PT", c.day); got != c.want {
				t.Errorf("%v", got)
			}
		})
	}
}

// BenchmarkIsHoliday is what a period costs for each day it may end on.
func BenchmarkIsHoliday(b *testing.B) {
	day := date(2026, 12, 24)
	for b.Loop() {
		calendar.IsHoliday("BG", day)
	}
}

// TestUnitedKingdom2028 is the list of 02 §13.6.
func TestUnitedKingdom2028(t *testing.T) {
	want := "01-03 04-14 04-17 05-01 05-29 08-28 12-25 12-26"
	var got []string
	for day := date(2028, 1, 1); day.Year() == 2028; day = day.AddDate(0, 0, 1) {
		if calendar.IsHoliday("GB", day) {
			got = append(got, day.Format("01-02"))
		}
	}
	if strings.Join(got, " ") != want {
		t.Errorf("%v, want %s", got, want)
	}
}

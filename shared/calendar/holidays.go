package calendar

import (
	"embed"
	"encoding/json"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Holidays are data, keyed by country: our own of Portugal and of England and
// Wales, and those of other countries of the European Union as
// scripts/gen-holidays makes them (01 §14.1, 02 §9.3). A country without an
// entry has weekends alone. An entry is a list of rules:
//
//	MM-DD        every year on that day
//	MM-DD>mon    the first Monday on or after that day
//	MM-DD~       that day, moved to the next weekday that no rule before took
//	easter±N     so many days after Easter Sunday
//	orthodox±N   so many days after Orthodox Easter Sunday
//	YYYY-MM-DD   that day of that year
//
//go:embed data/own.json data/eu.json
var holidayFiles embed.FS

var holidayRules = sync.OnceValue(func() map[string]string {
	rules := map[string]string{}
	for _, name := range []string{"data/eu.json", "data/own.json"} {
		raw, err := holidayFiles.ReadFile(name)
		if err == nil {
			err = json.Unmarshal(raw, &rules)
		}
		if err != nil {
			panic(err) // part of the program
		}
	}
	return rules
})

// aliases are other codes of a country.
var aliases = map[string]string{"UK": "GB", "EL": "GR"}

// country is the code that holidays are kept under.
func country(code string) string {
	code = strings.ToUpper(code)
	if other := aliases[code]; other != "" {
		return other
	}
	return code
}

// HasHolidays says whether a country's public holidays are known (02 §9.3).
func HasHolidays(code string) bool { return holidayRules()[country(code)] != "" }

// IsHoliday says whether a day is a national public holiday of a country, given
// by its two letters (UK is GB). Of day only the date counts.
func IsHoliday(code string, day time.Time) bool {
	y, m, d := day.Date()
	date := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	var taken []time.Time
	rules := holidayRules()[country(code)]
	moves := strings.Contains(rules, "~")
	for rule := range strings.FieldsSeq(rules) {
		on, ok := dayOf(rule, y, taken)
		if !ok {
			continue
		}
		if on.Equal(date) {
			return true
		}
		if moves {
			taken = append(taken, on)
		}
	}
	return false
}

// IsWorkingDay says whether a day is neither a Saturday, a Sunday nor a public
// holiday of the country.
func IsWorkingDay(code string, day time.Time) bool { return isWeekday(day) && !IsHoliday(code, day) }

func isWeekday(day time.Time) bool {
	return day.Weekday() != time.Saturday && day.Weekday() != time.Sunday
}

// dayOf is the day that a rule gives in a year; a rule for another year gives
// none.
func dayOf(rule string, year int, taken []time.Time) (time.Time, bool) {
	switch {
	case strings.HasPrefix(rule, "easter"):
		return Easter(year).AddDate(0, 0, number(rule[len("easter"):])), true
	case strings.HasPrefix(rule, "orthodox"):
		return OrthodoxEaster(year).AddDate(0, 0, number(rule[len("orthodox"):])), true
	case strings.HasSuffix(rule, "~"):
		return moved(onDay(year, rule), taken), true
	case strings.Contains(rule, ">"):
		on := onDay(year, rule)
		for !strings.EqualFold(on.Weekday().String()[:3], rule[len("MM-DD>"):]) {
			on = on.AddDate(0, 0, 1)
		}
		return on, true
	case len(rule) == len(time.DateOnly):
		return onDay(year, rule[len("YYYY-"):]), number(rule[:4]) == year
	}
	return onDay(year, rule), true
}

func onDay(year int, monthAndDay string) time.Time {
	return time.Date(year, time.Month(number(monthAndDay[:2])), number(monthAndDay[3:5]), 0, 0, 0, 0, time.UTC)
}

func number(digits string) int {
	n, _ := strconv.Atoi(digits) // our own data
	return n
}

// moved is a day, or the next weekday that is not taken.
func moved(day time.Time, taken []time.Time) time.Time {
	isTaken := func() bool {
		for _, t := range taken {
			if t.Equal(day) {
				return true
			}
		}
		return false
	}
	for !isWeekday(day) || isTaken() {
		day = day.AddDate(0, 0, 1)
	}
	return day
}

// Easter is Easter Sunday of a year of the Gregorian calendar, by the anonymous
// computus, at midnight UTC.
func Easter(year int) time.Time {
	a, b, c := year%19, year/100, year%100
	d, e := b/4, b%4
	g := (8*b + 13) / 25
	h := (19*a + b - d - g + 15) % 30
	i, k := c/4, c%4
	l := (32 + 2*e + 2*i - h - k) % 7
	m := (a + 11*h + 22*l) / 451
	n := h + l - 7*m + 114
	return time.Date(year, time.Month(n/31), n%31+1, 0, 0, 0, 0, time.UTC)
}

// OrthodoxEaster is Easter Sunday by the Julian calendar, as a Gregorian date at
// midnight UTC; right from 1900 to 2099.
func OrthodoxEaster(year int) time.Time {
	const julianDays = 13 // by which the Julian calendar lags behind
	d := (19*(year%19) + 15) % 30
	e := (2*(year%4) + 4*(year%7) - d + 34) % 7
	n := d + e + 114
	return time.Date(year, time.Month(n/31), n%31+1+julianDays, 0, 0, 0, 0, time.UTC)
}

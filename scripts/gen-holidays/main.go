// Command gen-holidays writes the public holidays of the countries of the
// European Union into shared/calendar/data/eu.json, as rules, from the calendars
// of github.com/rickar/cal/v2 (02 §9.3). Portugal and the United Kingdom are our
// own data. Run it in the project's root after the library moved:
//
//	go run ./scripts/gen-holidays
package main

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"strings"
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

const output = "shared/calendar/data/eu.json"

// Years for which the rules say exactly what the library says.
const firstYear, lastYear = 2024, 2060

// countries that the library has; Cyprus, Estonia, Finland, Hungary, Luxembourg
// and Malta it has not.
var countries = map[string][]*cal.Holiday{
	"AT": at.Holidays, "BE": be.Holidays, "BG": bg.Holidays, "CZ": cz.Holidays, "DE": de.Holidays, "DK": dk.Holidays,
	"ES": es.Holidays, "FR": fr.Holidays, "GR": gr.Holidays, "HR": hr.Holidays, "IE": ie.Holidays, "IT": it.Holidays,
	"LT": lt.Holidays, "LV": lv.Holidays, "NL": nl.Holidays, "PL": pl.Holidays, "RO": ro.Holidays, "SE": se.Holidays,
	"SI": si.Holidays, "SK": sk.Holidays,
}

func main() {
	if err := os.WriteFile(output, generate(), 0o644); err != nil { //nolint:gosec // a file of the source tree
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// generate is the whole file, a line for each country.
func generate() []byte {
	var codes []string
	for code := range countries {
		codes = append(codes, code)
	}
	slices.Sort(codes)
	var b bytes.Buffer
	for i, code := range codes {
		fmt.Fprintf(&b, "%s\n%q: %q", map[bool]string{true: "{", false: ","}[i == 0], code, strings.Join(rules(countries[code]), " "))
	}
	b.WriteString("\n}\n")
	return b.Bytes()
}

// days are the days on which a country's holidays fall or are kept instead, by
// the library.
func days(holidays []*cal.Holiday) map[time.Time]bool {
	free := map[time.Time]bool{}
	for _, h := range holidays {
		for year := firstYear - 1; year <= lastYear+1; year++ {
			actual, observed := h.Calc(year)
			for _, day := range []time.Time{actual, observed} {
				if !day.IsZero() && day.Year() >= firstYear && day.Year() <= lastYear {
					free[date(day)] = true
				}
			}
		}
	}
	return free
}

func date(t time.Time) time.Time {
	y, m, d := t.Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// rule is a candidate: the day it gives in a year.
type rule struct {
	text string
	on   func(year int) time.Time
}

// rules describe a country's holidays: rules that hold in every year first, from
// the plainest on, then the days that none of them gives.
func rules(holidays []*cal.Holiday) []string {
	free := days(holidays)
	told := map[time.Time]bool{}
	var texts []string
	for _, r := range candidates() {
		holds, news := true, false
		for year := firstYear; year <= lastYear; year++ {
			on := r.on(year)
			holds = holds && free[on]
			news = news || !told[on]
		}
		if !holds || !news {
			continue
		}
		texts = append(texts, r.text)
		for year := firstYear; year <= lastYear; year++ {
			told[r.on(year)] = true
		}
	}
	var rest []string
	for day := range free {
		if !told[day] {
			rest = append(rest, day.Format(time.DateOnly))
		}
	}
	slices.Sort(rest)
	return append(texts, rest...)
}

// candidates are the rules that are tried, in this order.
func candidates() []rule {
	var list []rule
	leap := time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC)
	var days []string
	for i := range 366 {
		days = append(days, leap.AddDate(0, 0, i).Format("01-02"))
	}
	for _, day := range days {
		list = append(list, rule{day, func(year int) time.Time { return onOrAfter(year, day, nil) }})
	}
	for n := -60; n <= 70; n++ {
		list = append(list,
			rule{fmt.Sprintf("easter%+d", n), func(year int) time.Time { return calendar.Easter(year).AddDate(0, 0, n) }},
			rule{fmt.Sprintf("orthodox%+d", n), func(year int) time.Time { return calendar.OrthodoxEaster(year).AddDate(0, 0, n) }})
	}
	for _, day := range days {
		for w := time.Sunday; w <= time.Saturday; w++ {
			list = append(list, rule{
				day + ">" + strings.ToLower(w.String()[:3]),
				func(year int) time.Time { return onOrAfter(year, day, &w) },
			})
		}
	}
	return list
}

// onOrAfter is a day of a year, or the first of a weekday from there on.
func onOrAfter(year int, monthAndDay string, w *time.Weekday) time.Time {
	t, err := time.Parse("2006-01-02", fmt.Sprintf("%d-%s", year, monthAndDay))
	if err != nil { // 29 February
		t = time.Date(year, 3, 1, 0, 0, 0, 0, time.UTC)
	}
	for w != nil && t.Weekday() != *w {
		t = t.AddDate(0, 0, 1)
	}
	return t
}

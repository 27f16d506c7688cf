package returns

import (
	"testing"
	"time"
	_ "time/tzdata"

	"pgregory.net/rapid"

	"typedinbox/shared/calendar"
	"typedinbox/shared/inbox"
)

func instantAt(s string) inbox.Instant {
	i, err := inbox.ParseInstant(s)
	if err != nil {
		panic(err)
	}
	return i
}

func zone(name string) *time.Location {
	z, err := calendar.Zone(name)
	if err != nil {
		panic(err)
	}
	return z
}

// TestPeriods are the worked examples of 02 §13.6.
func TestPeriods(t *testing.T) {
	cases := map[string]struct {
		start, country, zone string
		days                 int
		until                string
	}{
		"ok/on a Thursday":                     {"2026-12-10T15:00:00Z", "PT", "Europe/Lisbon", 14, "2026-12-24T23:59:59.999Z"},
		"ok/past Christmas and a weekend":      {"2026-12-11T15:00:00Z", "PT", "Europe/Lisbon", 14, "2026-12-28T23:59:59.999Z"},
		"ok/past a moved Boxing Day":           {"2026-12-11T15:00:00Z", "UK", "Europe/London", 14, "2026-12-29T23:59:59.999Z"},
		"ok/no country, no calendar":           {"2026-12-11T15:00:00Z", "", "Europe/Madrid", 14, "2026-12-25T22:59:59.999Z"},
		"ok/Spain":                             {"2026-12-11T15:00:00Z", "ES", "Europe/Madrid", 14, "2026-12-28T22:59:59.999Z"},
		"ok/New Year, United Kingdom":          {"2026-12-18T09:00:00Z", "GB", "Europe/London", 14, "2027-01-04T23:59:59.999Z"},
		"ok/New Year, Portugal":                {"2026-12-18T09:00:00Z", "pt", "Europe/Lisbon", 14, "2027-01-04T23:59:59.999Z"},
		"ok/Good Friday, clocks change":        {"2027-03-12T10:00:00Z", "PT", "Europe/Lisbon", 14, "2027-03-29T22:59:59.999Z"},
		"ok/Easter Monday too":                 {"2027-03-12T10:00:00Z", "GB", "Europe/London", 14, "2027-03-30T22:59:59.999Z"},
		"ok/ends on the day clocks change":     {"2026-10-11T10:00:00Z", "", "Europe/Lisbon", 14, "2026-10-26T23:59:59.999Z"},
		"ok/Sunday, then a holiday":            {"2026-09-20T10:00:00Z", "PT", "Europe/Lisbon", 14, "2026-10-06T22:59:59.999Z"},
		"ok/before local midnight":             {"2027-06-08T22:30:00Z", "PT", "Europe/Lisbon", 14, "2027-06-22T22:59:59.999Z"},
		"ok/after local midnight":              {"2027-06-08T23:30:00Z", "PT", "Europe/Lisbon", 14, "2027-06-23T22:59:59.999Z"},
		"ok/Corpus Christi":                    {"2027-05-13T10:00:00Z", "PT", "Europe/Lisbon", 14, "2027-05-28T22:59:59.999Z"},
		"ok/New York, the day before":          {"2027-03-14T01:30:00Z", "", "America/New_York", 14, "2027-03-30T03:59:59.999Z"},
		"ok/thirty days":                       {"2026-10-20T10:00:00Z", "PT", "Europe/Lisbon", 30, "2026-11-19T23:59:59.999Z"},
		"ok/fewer days than the law's":         {"2026-10-20T10:00:00Z", "PT", "Europe/Lisbon", 7, "2026-11-03T23:59:59.999Z"},
		"ok/no calendar of this country":       {"2026-12-11T15:00:00Z", "FI", "Europe/Helsinki", 14, "2026-12-25T21:59:59.999Z"},
		"ok/midnight is skipped on the morrow": {"2026-03-13T12:00:00Z", "", "Asia/Beirut", 14, "2026-03-27T21:59:59.999Z"},
		"ok/a day that begins at one":          {"2026-08-21T12:00:00Z", "", "America/Santiago", 14, "2026-09-05T03:59:59.999Z"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p := Period{Zone: zone(c.zone), Country: c.country, Days: c.days}
			if got := p.Until(instantAt(c.start)); got != instantAt(c.until) {
				t.Errorf("until %v, want %s", got, c.until)
			}
		})
	}
}

// TestSkippedMidnight: where a day begins at one o'clock, the day before ends
// where the clocks jump.
func TestSkippedMidnight(t *testing.T) {
	cases := map[string]struct{ day, zone, begins string }{
		"ok/Santiago skips midnight":      {"2026-09-06", "America/Santiago", "2026-09-06T04:00:00Z"},
		"ok/Beirut skips midnight":        {"2026-03-29", "Asia/Beirut", "2026-03-28T22:00:00Z"},
		"ok/Beirut falls back on to it":   {"2026-10-25", "Asia/Beirut", "2026-10-24T22:00:00Z"},
		"ok/Azores have midnight twice":   {"2026-10-25", "Atlantic/Azores", "2026-10-25T00:00:00Z"},
		"ok/an ordinary day":              {"2026-06-10", "Europe/Lisbon", "2026-06-09T23:00:00Z"},
		"ok/clocks change later that day": {"2026-10-25", "Europe/Lisbon", "2026-10-24T23:00:00Z"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			day, err := time.Parse(time.DateOnly, c.day)
			if err != nil {
				t.Fatal(err)
			}
			y, m, d := day.Date()
			if got := inbox.InstantOf(startOfDay(y, m, d, zone(c.zone))); got != instantAt(c.begins) {
				t.Errorf("begins %v, want %s", got, c.begins)
			}
		})
	}
}

func TestUninformed(t *testing.T) {
	cases := map[string]struct{ start, until string }{
		"ok/twelve months more": {"2026-06-01T10:00:00Z", "2027-06-15T22:59:59.999Z"},
		"ok/clipped":            {"2028-02-15T10:00:00Z", "2029-02-28T23:59:59.999Z"},
		"ok/then a working day": {"2026-10-31T10:00:00Z", "2027-11-15T23:59:59.999Z"}, // the 14th is a Sunday
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			p := Period{Zone: zone("Europe/Lisbon"), Days: 14, Uninformed: true}
			if got := p.Until(instantAt(c.start)); got != instantAt(c.until) {
				t.Errorf("until %v, want %s", got, c.until)
			}
		})
	}
}

func TestNoZone(t *testing.T) {
	start := instantAt("2026-06-01T10:00:00Z")
	if got, want := (Period{}).Until(start), (Period{Zone: time.UTC, Days: 14}).Until(start); got != want {
		t.Errorf("until %v, want %v", got, want)
	}
}

func TestLawOf(t *testing.T) {
	cases := map[string]Law{"PT": LawPT, "pt": LawPT, "GB": LawUK, "UK": LawUK, "ES": LawEU, "US": LawEU, "": LawEU}
	for country, want := range cases {
		t.Run("ok/"+country, func(t *testing.T) {
			if got := LawOf(country); got != want {
				t.Errorf("%s, want %s", got, want)
			}
		})
	}
}

var someZones = []string{"Europe/Lisbon", "Europe/London", "Europe/Madrid", "America/New_York", "America/Santiago", "Asia/Beirut", "Pacific/Auckland", "Atlantic/Azores", "UTC"}

// TestPeriodProperties: a period never ends on a free day, is never shorter than
// its days, and one that begins later never ends sooner.
func TestPeriodProperties(t *testing.T) {
	countries := []string{"", "PT", "GB", "ES", "DE", "IE", "RO", "SE", "FI", "us"}
	rapid.Check(t, func(t *rapid.T) {
		p := Period{
			Zone: zone(rapid.SampledFrom(someZones).Draw(t, "zone")), Country: rapid.SampledFrom(countries).Draw(t, "country"),
			Days: rapid.IntRange(1, 365).Draw(t, "days"), Uninformed: rapid.Bool().Draw(t, "uninformed"),
		}
		start := inbox.Instant(rapid.Int64Range(int64(instantAt("2024-01-01T00:00:00Z")), int64(instantAt("2058-01-01T00:00:00Z"))).Draw(t, "start"))
		until := p.Until(start)
		last := until.In(p.Zone)
		if !calendar.IsWorkingDay(p.Country, last) {
			t.Fatalf("ends on a free day: %v", last)
		}
		if next := (until + 1).In(p.Zone); next.Day() == last.Day() {
			t.Fatalf("%v is not the last of its day", last)
		}
		days := max(p.Days, 14)
		if least := start.In(p.Zone).AddDate(0, 0, days); last.Before(least) {
			t.Fatalf("from %v only to %v", start.In(p.Zone), last)
		}
		if later := p.Until(start.Add(rapid.Int64Range(0, 30*inbox.Day).Draw(t, "later"))); later < until {
			t.Fatalf("begins later and ends sooner: %v, %v", later, until)
		}
		if longer := (Period{p.Zone, p.Country, p.Days + 1, p.Uninformed}).Until(start); longer < until {
			t.Fatalf("a day more ends sooner: %v, %v", longer, until)
		}
	})
}

// BenchmarkUntil is what a view of a contract costs for its right.
func BenchmarkUntil(b *testing.B) {
	p := Period{Zone: zone("Europe/Lisbon"), Country: "PT", Days: 30}
	start := instantAt("2026-12-11T15:00:00Z")
	for b.Loop() {
		p.Until(start)
	}
}

package format

import (
	"strings"
	"testing"
	"time"
	_ "time/tzdata"

	"typedinbox/shared/inbox"
)

func instant(t *testing.T, s string) inbox.Instant {
	t.Helper()
	i, err := inbox.ParseInstant(s)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

func zone(t *testing.T, name string) *time.Location {
	t.Helper()
	z, err := time.LoadLocation(name)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// TestDateTime holds the golden table of 05 §2.2 and the edges around it.
func TestDateTime(t *testing.T) {
	for _, c := range []struct{ at, zone, en, pt string }{
		{"2026-10-01T09:00:00Z", "Europe/Lisbon", "Thursday, 1 October 2026 at 10:00 (Western European Time)", "quinta-feira, 1 de outubro de 2026 às 10:00 (hora da Europa Ocidental)"},
		{"2026-12-01T09:00:00Z", "Europe/Lisbon", "Tuesday, 1 December 2026 at 09:00 (Western European Time)", "terça-feira, 1 de dezembro de 2026 às 09:00 (hora da Europa Ocidental)"},
		{"2026-10-06T09:00:00Z", "Europe/Lisbon", "Tuesday, 6 October 2026 at 10:00 (Western European Time)", "terça-feira, 6 de outubro de 2026 às 10:00 (hora da Europa Ocidental)"},
		{"2026-10-07T09:00:00Z", "Europe/Lisbon", "Wednesday, 7 October 2026 at 10:00 (Western European Time)", "quarta-feira, 7 de outubro de 2026 às 10:00 (hora da Europa Ocidental)"},
		{"2026-03-01T00:05:00Z", "Europe/Lisbon", "Sunday, 1 March 2026 at 00:05 (Western European Time)", "domingo, 1 de março de 2026 às 00:05 (hora da Europa Ocidental)"},
		{"2026-06-06T12:00:00Z", "Europe/Lisbon", "Saturday, 6 June 2026 at 13:00 (Western European Time)", "sábado, 6 de junho de 2026 às 13:00 (hora da Europa Ocidental)"},
		{"2026-10-19T22:59:59.999Z", "Europe/Lisbon", "Monday, 19 October 2026 at 23:59 (Western European Time)", "segunda-feira, 19 de outubro de 2026 às 23:59 (hora da Europa Ocidental)"},
		{"2026-10-25T00:30:00Z", "Europe/Lisbon", "Sunday, 25 October 2026 at 01:30 (Western European Time, UTC+1)", "domingo, 25 de outubro de 2026 às 01:30 (hora da Europa Ocidental, UTC+1)"},
		{"2026-10-25T01:30:00Z", "Europe/Lisbon", "Sunday, 25 October 2026 at 01:30 (Western European Time, UTC+0)", "domingo, 25 de outubro de 2026 às 01:30 (hora da Europa Ocidental, UTC+0)"},
		{"2026-12-24T17:30:00Z", "Atlantic/Azores", "Thursday, 24 December 2026 at 16:30 (Azores Time)", "quinta-feira, 24 de dezembro de 2026 às 16:30 (hora dos Açores)"},
		{"2026-10-01T09:00:00Z", "Europe/London", "Thursday, 1 October 2026 at 10:00 (United Kingdom Time)", "quinta-feira, 1 de outubro de 2026 às 10:00 (hora do Reino Unido)"},
		{"2026-10-01T09:00:00Z", "Europe/Madrid", "Thursday, 1 October 2026 at 11:00 (Central European Time)", "quinta-feira, 1 de outubro de 2026 às 11:00 (hora da Europa Central)"},
		{"2026-07-01T12:00:00Z", "America/Sao_Paulo", "Wednesday, 1 July 2026 at 09:00 (Brasilia Time)", "quarta-feira, 1 de julho de 2026 às 09:00 (hora de Brasília)"},
		{"2026-10-01T09:00:00Z", "Africa/Luanda", "Thursday, 1 October 2026 at 10:00 (West Africa Time)", "quinta-feira, 1 de outubro de 2026 às 10:00 (hora da África Ocidental)"},
		{"2026-10-01T09:00:00Z", "Asia/Kathmandu", "Thursday, 1 October 2026 at 14:45 (UTC+5:45)", "quinta-feira, 1 de outubro de 2026 às 14:45 (UTC+5:45)"},
		{"2026-10-01T09:00:00Z", "UTC", "Thursday, 1 October 2026 at 09:00 (UTC)", "quinta-feira, 1 de outubro de 2026 às 09:00 (UTC)"},
		{"2026-10-01T09:00:00Z", "Etc/UTC", "Thursday, 1 October 2026 at 09:00 (UTC)", "quinta-feira, 1 de outubro de 2026 às 09:00 (UTC)"},
		{"2026-10-01T09:00:00Z", "", "Thursday, 1 October 2026 at 09:00 (UTC)", "quinta-feira, 1 de outubro de 2026 às 09:00 (UTC)"},
		// a deadline, and the moment until which a booking can be cancelled
		{"2026-10-07T08:00:00Z", "Europe/Lisbon", "Wednesday, 7 October 2026 at 09:00 (Western European Time)", "quarta-feira, 7 de outubro de 2026 às 09:00 (hora da Europa Ocidental)"},
		// around the hour that comes twice
		{"2026-10-24T23:59:59Z", "Europe/Lisbon", "Sunday, 25 October 2026 at 00:59 (Western European Time)", "domingo, 25 de outubro de 2026 às 00:59 (hora da Europa Ocidental)"},
		{"2026-10-25T00:00:00Z", "Europe/Lisbon", "Sunday, 25 October 2026 at 01:00 (Western European Time, UTC+1)", "domingo, 25 de outubro de 2026 às 01:00 (hora da Europa Ocidental, UTC+1)"},
		{"2026-10-25T01:00:00Z", "Europe/Lisbon", "Sunday, 25 October 2026 at 01:00 (Western European Time, UTC+0)", "domingo, 25 de outubro de 2026 às 01:00 (hora da Europa Ocidental, UTC+0)"},
		{"2026-10-25T01:59:59.999Z", "Europe/Lisbon", "Sunday, 25 October 2026 at 01:59 (Western European Time, UTC+0)", "domingo, 25 de outubro de 2026 às 01:59 (hora da Europa Ocidental, UTC+0)"},
		{"2026-10-25T02:00:00Z", "Europe/Lisbon", "Sunday, 25 October 2026 at 02:00 (Western European Time)", "domingo, 25 de outubro de 2026 às 02:00 (hora da Europa Ocidental)"},
		{"2026-03-29T01:00:00Z", "Europe/Lisbon", "Sunday, 29 March 2026 at 02:00 (Western European Time)", "domingo, 29 de março de 2026 às 02:00 (hora da Europa Ocidental)"},
		{"2026-11-01T06:30:00Z", "America/New_York", "Sunday, 1 November 2026 at 01:30 (Eastern Time, UTC-5)", "domingo, 1 de novembro de 2026 às 01:30 (hora oriental norte-americana, UTC-5)"},
		// zones without a name
		{"2026-04-04T14:45:00Z", "Australia/Lord_Howe", "Sunday, 5 April 2026 at 01:45 (UTC+11)", "domingo, 5 de abril de 2026 às 01:45 (UTC+11)"},
		{"2026-04-04T15:15:00Z", "Australia/Lord_Howe", "Sunday, 5 April 2026 at 01:45 (UTC+10:30)", "domingo, 5 de abril de 2026 às 01:45 (UTC+10:30)"},
		{"2026-07-01T12:00:00Z", "America/St_Johns", "Wednesday, 1 July 2026 at 09:30 (UTC-2:30)", "quarta-feira, 1 de julho de 2026 às 09:30 (UTC-2:30)"},
		{"2026-07-01T12:00:00Z", "Africa/Abidjan", "Wednesday, 1 July 2026 at 12:00 (UTC+0)", "quarta-feira, 1 de julho de 2026 às 12:00 (UTC+0)"},
	} {
		z := zone(t, c.zone)
		for l, want := range map[Lang]string{En: c.en, Pt: c.pt} {
			if got := DateTime(l, instant(t, c.at), z); got != want {
				t.Errorf("ok/%s %s %s: %s\nwant %s", l, c.at, c.zone, got, want)
			}
		}
	}
	if got := DateTime(En, instant(t, "2026-10-01T09:00:00Z"), nil); got != "Thursday, 1 October 2026 at 09:00 (UTC)" {
		t.Errorf("ok/no zone: %s", got)
	}
}

func TestDates(t *testing.T) {
	lisbon := zone(t, "Europe/Lisbon")
	for name, c := range map[string]struct{ got, want string }{
		"ok/day heading en":        {DayHeading(En, instant(t, "2026-10-01T09:00:00Z"), lisbon), "Thursday, 1 October"},
		"ok/day heading pt":        {DayHeading(Pt, instant(t, "2026-10-01T09:00:00Z"), lisbon), "quinta-feira, 1 de outubro"},
		"ok/date en":               {Date(En, instant(t, "2026-09-23T09:00:00Z"), lisbon), "23 September 2026"},
		"ok/date pt":               {Date(Pt, instant(t, "2026-09-23T09:00:00Z"), lisbon), "23 de setembro de 2026"},
		"ok/the local date":        {Date(En, instant(t, "2026-09-22T23:30:00Z"), lisbon), "23 September 2026"},
		"ok/the local date in UTC": {Date(En, instant(t, "2026-09-22T23:30:00Z"), nil), "22 September 2026"},
		"ok/time":                  {Time(instant(t, "2026-09-23T08:05:59Z"), lisbon), "09:05"},
		"ok/time at midnight":      {Time(instant(t, "2026-09-22T23:00:00Z"), lisbon), "00:00"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s", name, c.got)
		}
	}
}

// TestEveryMonthAndWeekday walks a year in both languages: every name is there
// and only Portuguese is in lower case.
func TestEveryMonthAndWeekday(t *testing.T) {
	for _, l := range Langs {
		months, days := map[string]bool{}, map[string]bool{}
		for day := range 366 {
			at := instant(t, "2028-01-01T12:00:00Z") + inbox.Instant(day*inbox.Day)
			fields := strings.Fields(strings.ReplaceAll(Date(l, at, nil), " de ", " "))
			months[fields[1]] = true
			days[strings.Split(DayHeading(l, at, nil), ",")[0]] = true
		}
		if len(months) != 12 || len(days) != 7 {
			t.Errorf("%s: %d months, %d weekdays", l, len(months), len(days))
		}
		for word := range months {
			if lower := strings.ToLower(word) == word; lower != (l == Pt) {
				t.Errorf("%s: %s", l, word)
			}
		}
	}
}

// TestZoneNames: every row has both names, every zone exists and stands once.
func TestZoneNames(t *testing.T) {
	seen := map[string]bool{}
	for _, row := range zoneNames {
		if row.en == "" || !strings.HasPrefix(row.pt, "hora ") {
			t.Errorf("%q, %q", row.en, row.pt)
		}
		for _, name := range strings.Fields(row.zones) {
			if seen[name] {
				t.Errorf("%s stands twice", name)
			}
			seen[name] = true
			if got := ZoneName(En, instant(t, "2026-07-01T12:00:00Z"), zone(t, name)); got != row.en {
				t.Errorf("%s is %s", name, got)
			}
			if got := ZoneName(Pt, instant(t, "2026-01-01T12:00:00Z"), zone(t, name)); got != row.pt {
				t.Errorf("%s is %s", name, got)
			}
		}
	}
	if len(seen) < 80 {
		t.Errorf("only %d zones have a name", len(seen))
	}
}

func TestDuration(t *testing.T) {
	for minutes, want := range map[int]string{
		0: "0 min", 5: "5 min", 59: "59 min", 60: "1 h", 61: "61 min", 90: "90 min", 119: "119 min",
		120: "2 h", 121: "2 h 1 min", 150: "2 h 30 min", 1440: "24 h",
	} {
		if got := Duration(minutes); got != want {
			t.Errorf("%d: %s, want %s", minutes, got, want)
		}
	}
}

package calendar

import (
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"typedinbox/shared/inbox"
)

// drawWeek draws stored hours: what the owner sent, in normal form.
func drawWeek(t *rapid.T) inbox.Week {
	w := inbox.Week{}
	for _, day := range inbox.Weekdays {
		for range rapid.SampledFrom([]int{2, 1, 3, 0}).Draw(t, "windows of "+day) {
			open := rapid.SampledFrom([]int{540, 0, 60, 825, 1230, 91}).Draw(t, "open")
			shut := min(open+rapid.SampledFrom([]int{480, 60, 1440, 121, 200}).Draw(t, "length"), dayMinutes)
			w[day] = append(w[day], writeSpans([]span{{open, shut}})[0])
		}
	}
	normal, _ := CheckWeek(w)
	return normal
}

func drawClaims(t *rapid.T, around inbox.Instant) []inbox.Claim {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) inbox.Claim {
		from := around + inbox.Instant(rapid.IntRange(-24*60, 4*24*60).Draw(t, "from")*inbox.Minute+rapid.SampledFrom([]int{0, 0, 1, -1}).Draw(t, "ms"))
		c := inbox.Claim{
			Kind: rapid.SampledFrom([]inbox.ClaimKind{inbox.ClaimBooking, inbox.ClaimHold, inbox.ClaimAsk}).Draw(t, "kind"),
			From: from, To: from + inbox.Instant(rapid.IntRange(1, 300).Draw(t, "minutes")*inbox.Minute),
		}
		if c.Kind == inbox.ClaimAsk {
			c.Until = inbox.Ptr(around + inbox.Instant(rapid.IntRange(-3, 3).Draw(t, "until")*inbox.Hour))
		}
		return c
	}), 0, 12).Draw(t, "claims")
}

func drawQuery(t *rapid.T) Query {
	name := rapid.SampledFrom(everyZone()).Draw(t, "zone")
	z, err := Zone(name)
	if err != nil {
		t.Fatal(err)
	}
	// Half of the windows begin near a change of the clock.
	around := inbox.Instant(rapid.Int64Range(20454, 21549).Draw(t, "day"))*inbox.Day + inbox.Instant(rapid.IntRange(0, 1439).Draw(t, "minute")*inbox.Minute)
	if _, change := around.In(z).ZoneBounds(); !change.IsZero() && rapid.Bool().Draw(t, "at a change") {
		around = inbox.InstantOf(change).Add(-int64(rapid.IntRange(0, 36).Draw(t, "hours before")) * inbox.Hour)
	}
	date := func(label string) time.Time {
		return around.In(z).AddDate(0, 0, rapid.IntRange(-2, 4).Draw(t, label))
	}
	q := Query{
		Service: inbox.Service{
			Active:          rapid.IntRange(0, 20).Draw(t, "inactive") != 7,
			DurationMin:     rapid.SampledFrom([]int{30, 5, 45, 60, 90, 121, 480, 1440}).Draw(t, "duration"),
			BufferBeforeMin: rapid.SampledFrom([]int{0, 0, 5, 240}).Draw(t, "before"),
			BufferAfterMin:  rapid.SampledFrom([]int{0, 0, 7, 240}).Draw(t, "after"),
			Capacity:        rapid.IntRange(1, 4).Draw(t, "capacity"),
			GranularityMin:  rapid.IntRange(5, 240).Draw(t, "granularity"),
		},
		Week: drawWeek(t), Zone: z, Places: inbox.Places{Claims: drawClaims(t, around)},
		From: around, To: around + inbox.Instant(rapid.SampledFrom([]int{4320, 4000, 1440, 700, 91}).Draw(t, "length")*inbox.Minute),
		Now:       around + inbox.Instant(rapid.IntRange(-48*60, 10*60).Draw(t, "now")*inbox.Minute+rapid.IntRange(0, 1).Draw(t, "now ms")),
		NoticeMin: rapid.SampledFrom([]int{0, 60, 60, 1440}).Draw(t, "notice"),
		Limit:     rapid.SampledFrom([]int{0, 0, 1, 20, 200}).Draw(t, "limit"),
	}
	for range rapid.SampledFrom([]int{0, 0, 0, 1, 2}).Draw(t, "closures") {
		from := date("closed from")
		q.Closures = append(q.Closures, inbox.Closure{From: from.Format(time.DateOnly), To: from.AddDate(0, 0, rapid.IntRange(0, 1).Draw(t, "closed days")).Format(time.DateOnly)})
	}
	return q
}

func TestFreeTimesAgreesWithSlow(t *testing.T) {
	runs, some := 0, 0
	check := func(t *rapid.T) {
		q := drawQuery(t)
		fast, slow := FreeTimes(q), slowFreeTimes(q)
		runs++
		if len(fast) > 0 {
			some++
		}
		if !reflect.DeepEqual(fast, slow) {
			t.Fatalf("%s\nwant %s", starts(q.Zone, fast), starts(q.Zone, slow))
		}
		for _, s := range fast {
			if ok, full := Offered(q, s.StartTime, s.EndTime, nil); !ok || full != nil {
				t.Fatalf("%s is free and not offered", s.StartTime)
			}
			from, to := Claim(q.Service, s.StartTime, s.EndTime)
			if full := FirstFull(q.Places.Claims, q.Service.Capacity, from, to, q.Now, false); full != nil {
				t.Fatalf("%s is free and full at %s", s.StartTime, full.StartTime)
			}
		}
	}
	for range 10 { // a thousand queries
		rapid.Check(t, check)
	}
	if some*10 < runs {
		t.Errorf("only %d of %d runs had a free time", some, runs)
	}
}

func TestOfferedAgreesWithSlow(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := drawQuery(t)
		start := q.From.Time().Truncate(time.Minute).Add(time.Duration(rapid.IntRange(0, 72*60).Draw(t, "start")) * time.Minute)
		end := start.Add(time.Duration(rapid.IntRange(-10, 300).Draw(t, "length")) * time.Minute)
		holds := func(c inbox.Claim) bool { return c.Kind == inbox.ClaimHold }
		ok, full := Offered(q, inbox.InstantOf(start), inbox.InstantOf(end), holds)
		if slow := slowFree(q, start, end, holds) > 0; slow != ok {
			t.Fatalf("%v, want %v", ok, slow)
		}
		if ok && full != nil {
			t.Fatal("offered and full")
		}
	})
}

// TestFreeTimesInEveryZone walks the days around every change of the clock from
// 2026 to 2028 in every zone of the database.
func TestFreeTimesInEveryZone(t *testing.T) {
	first, end := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2029, 1, 1, 0, 0, 0, 0, time.UTC)
	week := allWeek(inbox.Window{"00:00", "04:00"}, inbox.Window{"09:00", "12:30"}, inbox.Window{"22:15", "24:00"})
	changes, slots := 0, 0
	for _, name := range everyZone() {
		z := zone(t, name)
		for at := first; ; {
			_, change := at.In(z).ZoneBounds()
			if change.IsZero() || !change.Before(end) {
				break
			}
			at = change
			changes++
			for i, granularity := range []int{15, 45, 50} {
				q := Query{Service: inbox.Service{Active: true, DurationMin: 30 + 45*i, Capacity: 1, GranularityMin: granularity}, Week: week, Zone: z}
				q.From, q.To = inbox.InstantOf(change)-20*inbox.Hour, inbox.InstantOf(change)+20*inbox.Hour
				q.Now = q.From - 1
				fast, slow := FreeTimes(q), slowFreeTimes(q)
				if !reflect.DeepEqual(fast, slow) {
					t.Fatalf("%s, %s, every %d min: %s\nwant %s", name, change, granularity, starts(z, fast), starts(z, slow))
				}
				slots += len(fast)
			}
		}
	}
	t.Logf("%d changes, %d slots", changes, slots)
	if changes < 1000 || slots < 10*changes {
		t.Errorf("only %d changes and %d slots were seen", changes, slots)
	}
}

// TestDaysOfOneDate: over a whole local day that is open, a 15-minute grid has
// as many starts as the day has quarter hours, whatever its length.
func TestDaysOfOneDate(t *testing.T) {
	for name, c := range map[string]struct {
		zone, day string
		hours     float64
	}{
		"ok/plain":            {"Europe/Lisbon", "2026-10-01", 24},
		"ok/spring":           {"Europe/Lisbon", "2027-03-28", 23},
		"ok/autumn":           {"Europe/Lisbon", "2028-10-29", 25},
		"ok/Lord Howe spring": {"Australia/Lord_Howe", "2027-10-03", 23.5},
		"ok/Lord Howe autumn": {"Australia/Lord_Howe", "2027-04-04", 24.5},
		"ok/Kathmandu":        {"Asia/Kathmandu", "2027-04-04", 24},
		"ok/no midnight":      {"America/Santiago", "2026-09-06", 23},
	} {
		z := zone(t, c.zone)
		noon, err := time.ParseInLocation("2006-01-02 15:04", c.day+" 12:00", z)
		if err != nil {
			t.Fatal(err)
		}
		q := Query{Service: inbox.Service{Active: true, DurationMin: 15, Capacity: 1, GranularityMin: 15}, Zone: z,
			Week: allWeek(inbox.Window{"00:00", "24:00"}), From: inbox.InstantOf(noon) - 30*inbox.Hour, To: inbox.InstantOf(noon) + 30*inbox.Hour}
		q.Now = q.From - 1
		n := 0
		for from := q.From; from < q.To; from += 6 * inbox.Hour {
			part := q
			part.From, part.To = from, from+6*inbox.Hour
			for _, s := range FreeTimes(part) {
				if s.StartTime.In(z).Format(time.DateOnly) == c.day {
					n++
				}
			}
		}
		if want := int(4 * c.hours); n != want {
			t.Errorf("%s: %d starts, want %d", name, n, want)
		}
	}
}

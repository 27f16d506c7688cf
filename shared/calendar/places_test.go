package calendar

import (
	"testing"

	"typedinbox/shared/inbox"
)

func TestResourceKey(t *testing.T) {
	for want, got := range map[string]string{
		"service:S":          ResourceKey("S", "", false),
		"resource:R":         ResourceKey("S", "R", false),
		"sandbox:service:S":  ResourceKey("S", "", true),
		"sandbox:resource:R": ResourceKey("S", "R", true),
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestClaim(t *testing.T) {
	from, to := Claim(inbox.Service{BufferBeforeMin: 10, BufferAfterMin: 15}, inbox.Hour, 2*inbox.Hour)
	if from != 50*inbox.Minute || to != 135*inbox.Minute {
		t.Errorf("[%d, %d)", from, to)
	}
}

func TestSpan(t *testing.T) {
	const h = inbox.Hour
	for name, c := range map[string]struct {
		from, to inbox.Instant
		refused  bool
	}{
		"ok/exactly 40 hours":          {0, 40 * h, false},
		"ok/39 hours over 40":          {h / 2, 39*h + h/2, false},
		"fail/40 hours and 1 ms":       {0, 40*h + 1, true},
		"fail/39 hours touching 41":    {h - 1, 40*h + 1, true},
		"ok/longest service, buffers":  {h / 2, h/2 + (1440+240+240)*inbox.Minute, false},
		"ok/across the epoch":          {-h, 39 * h, false},
		"fail/across the epoch, by ms": {-h - 1, 39 * h, true},
	} {
		p := Span(c.from, c.to)
		if (p != nil) != c.refused || (p != nil && p.Path != "endTime") {
			t.Errorf("%s: %v", name, p)
		}
		rows := len(inbox.Claim{From: c.from, To: c.to}.Rows())
		if c.from >= 0 && (rows > inbox.MaxClaimHours) != c.refused {
			t.Errorf("%s: %d hour rows", name, rows)
		}
	}
}

func TestFirstFull(t *testing.T) {
	booked := func(from, to inbox.Instant) inbox.Claim {
		return inbox.Claim{Kind: inbox.ClaimBooking, From: from, To: to}
	}
	ask := func(from, to, until inbox.Instant) inbox.Claim {
		return inbox.Claim{Kind: inbox.ClaimAsk, From: from, To: to, Until: &until}
	}
	hold := inbox.Claim{Kind: inbox.ClaimHold, From: 10, To: 20}
	type list = []inbox.Claim
	for name, c := range map[string]struct {
		claims   list
		capacity int
		person   bool
		want     *Interval
	}{
		"ok/empty":                     {nil, 1, false, nil},
		"ok/ends as we start":          {list{booked(0, 10)}, 1, false, nil},
		"ok/starts as we end":          {list{booked(30, 40)}, 1, false, nil},
		"ok/two of three":              {list{booked(10, 30), booked(10, 30)}, 3, false, nil},
		"ok/never two at once":         {list{booked(10, 20), booked(20, 30)}, 2, false, nil},
		"ok/ask past its until":        {list{ask(10, 30, 5)}, 1, false, nil},
		"ok/ask past at its until":     {list{ask(10, 30, 7)}, 1, false, nil},
		"ok/ask before a person":       {list{ask(10, 30, 9)}, 1, true, nil},
		"ok/empty claim":               {list{booked(15, 15)}, 1, false, nil},
		"fail/whole":                   {list{booked(0, 99)}, 1, false, &Interval{10, 30}},
		"fail/tail of another":         {list{booked(0, 11)}, 1, false, &Interval{10, 11}},
		"fail/last instant":            {list{booked(29, 40)}, 1, false, &Interval{29, 30}},
		"fail/first of two":            {list{booked(25, 27), booked(12, 14)}, 1, false, &Interval{12, 14}},
		"fail/one after another joins": {list{booked(12, 15), booked(15, 18)}, 1, false, &Interval{12, 18}},
		"fail/overlap of two":          {list{booked(0, 20), booked(15, 40)}, 2, false, &Interval{15, 20}},
		"fail/overfull after a cut":    {list{booked(12, 15), booked(12, 16)}, 1, false, &Interval{12, 16}},
		"fail/hold":                    {list{hold}, 1, false, &Interval{10, 20}},
		"fail/hold stops a person too": {list{hold}, 1, true, &Interval{10, 20}},
		"fail/ask still standing":      {list{ask(10, 30, 8)}, 1, false, &Interval{10, 30}},
	} {
		got := FirstFull(c.claims, c.capacity, 10, 30, 7, c.person)
		if (got == nil) != (c.want == nil) || (got != nil && *got != *c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

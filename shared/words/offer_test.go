package words

import (
	"strings"
	"testing"
	"time"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
)

// TestSuggestion: each value named, then the note; nothing for nothing.
func TestSuggestion(t *testing.T) {
	lisbon, err := time.LoadLocation("Europe/Lisbon")
	if err != nil {
		t.Fatal(err)
	}
	when, _ := inbox.ParseInstant("2026-10-08T09:00:00Z")
	for name, c := range map[string]struct {
		said Suggested
		want string
	}{
		"ok/everything": {
			Suggested{
				Start: &when, People: inbox.Ptr(4), Quantity: inbox.Ptr(int64(3)), Delivery: &when,
				Price: &inbox.Money{Value: 2000, Currency: "EUR"}, Note: " if you can ", Zone: lisbon,
				Lines: []SuggestedLine{{Name: "Honey\njar", Number: 1, Quantity: 2}, {Number: 2, Quantity: 0, Price: &inbox.Money{Value: 50, Currency: "EUR"}}},
			},
			"Suggested time: Thursday, 8 October 2026 at 10:00 (Western European Time).\nNumber of people: 4.\nQuantity: 3.\n" +
				"2 × Honey jar.\n0 × line 2, at €0.50 each.\nDelivery: Thursday, 8 October 2026 at 10:00 (Western European Time).\n" +
				"Suggested price: €20.00.\nif you can",
		},
		"ok/words that look like a placeholder": {Suggested{Note: "{value} {price}"}, "{value} {price}"},
		"ok/words alone":                        {Suggested{Note: "a\r\nb"}, "a\nb"},
		"fail/nothing":                          {Suggested{Note: " \n "}, ""},
	} {
		if got := Suggestion(format.En, c.said); got != c.want {
			t.Errorf("%s: %q\nwant %q", name, got, c.want)
		}
	}
}

func TestPassedOn(t *testing.T) {
	until, _ := inbox.ParseInstant("2026-10-08T09:00:00Z")
	const first = "We have passed this on to a person, who will answer you."
	for name, c := range map[string]struct {
		until  *inbox.Instant
		agreed bool
		want   string
	}{
		"ok/a suggestion stands": {&until, false, " Our suggestion still stands until Thursday, 8 October 2026 at 09:00"},
		"ok/a promise stands":    {nil, true, " What was agreed stands."},
		"ok/both":                {&until, true, " Our suggestion still stands until"},
		"ok/nothing stands":      {nil, false, ""},
	} {
		got := PassedOn(format.En, c.until, c.agreed, time.UTC)
		if rest, ok := strings.CutPrefix(got, first); !ok || !strings.HasPrefix(rest, c.want) || (c.want == "") != (rest == "") {
			t.Errorf("%s: %q", name, got)
		}
	}
}

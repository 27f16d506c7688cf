package words

import (
	"strconv"
	"strings"
	"time"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
)

// Suggested is what a customer would have otherwise; what they did not name is
// nil.
type Suggested struct {
	Start    *inbox.Instant
	People   *int
	Quantity *int64
	Lines    []SuggestedLine
	Delivery *inbox.Instant
	Price    *inbox.Money
	Yes      string // what of ours they said yes to, as they read it; "" for nothing
	Note     string
	Zone     *time.Location // the business's; nil is UTC
}

// SuggestedLine is a line of the order with another quantity, 0 for none of it.
type SuggestedLine struct {
	Name     string // of the line, "" for one that is not known
	Number   int    // from 1
	Quantity int64
	Price    *inbox.Money // of one, nil when not named
}

// Suggestion is a customer's suggestion as words of theirs: each value they
// named, what they said yes to, then their note (02 §4.6, §11.3). "" when they named nothing and wrote
// nothing.
func Suggestion(l format.Lang, s Suggested) string {
	l = Written(l)
	var lines []string
	add := func(key, value string) {
		if value != "" {
			lines = append(lines, fill(sayCore(l, key, ""), func(name string) (string, bool) { return value, name == "value" }))
		}
	}
	add("suggested.start", written(s.Start, func(i inbox.Instant) string { return format.DateTime(l, i, s.Zone) }))
	add("suggested.people", written(s.People, strconv.Itoa))
	add("suggested.quantity", written(s.Quantity, func(n int64) string { return strconv.FormatInt(n, 10) }))
	for _, line := range s.Lines {
		lines = append(lines, line.text(l))
	}
	add("suggested.delivery", written(s.Delivery, func(i inbox.Instant) string { return format.DateTime(l, i, s.Zone) }))
	add("suggested.price", written(s.Price, func(m inbox.Money) string { return format.Money(l, m) }))
	add("suggested.yes", s.Yes)
	if note := strings.TrimSpace(plain(s.Note)); note != "" {
		lines = append(lines, note)
	}
	return strings.Join(lines, "\n")
}

func (s SuggestedLine) text(l format.Lang) string {
	key := "suggested.line"
	if s.Price != nil {
		key = "suggested.line.price"
	}
	return fill(sayCore(l, key, ""), func(name string) (string, bool) {
		switch name {
		case "quantity":
			return strconv.FormatInt(s.Quantity, 10), true
		case "name":
			if s.Name == "" {
				return fill(sayCore(l, "suggested.line.number", ""), func(string) (string, bool) { return strconv.Itoa(s.Number), true }), true
			}
			return format.OneLine(s.Name), true
		case "price":
			return written(s.Price, func(m inbox.Money) string { return format.Money(l, m) }), true
		}
		return "", false
	})
}

// PassedOn tells a customer that what they sent is with a person now, and what
// stands meanwhile: the business's suggestion until a date, a promise, or
// nothing (02 §11.3).
func PassedOn(l format.Lang, until *inbox.Instant, agreed bool, zone *time.Location) string {
	l = Written(l)
	s := sayCore(l, "passed_on", "")
	switch {
	case until != nil:
		s += " " + fill(sayCore(l, "passed_on.until", ""), func(name string) (string, bool) {
			return format.DateTime(l, *until, zone), name == "until"
		})
	case agreed:
		s += " " + sayCore(l, "passed_on.agreed", "")
	}
	return s
}

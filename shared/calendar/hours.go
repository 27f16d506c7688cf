package calendar

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"typedinbox/shared/inbox"
)

// Bounds of what is stored (01 §10.2).
const (
	MaxWindows  = 6   // of one weekday
	MaxClosures = 100 // of the business
	maxReason   = 200 // characters
)

// Hours is everything stored about when the business is open (01 §10.2).
type Hours struct {
	Weekly   inbox.Week            `json:"weekly"`   // nil: none stored
	Services map[string]inbox.Week `json:"services"` // a service's own week, by its id
	Closures []inbox.Closure       `json:"closures"` // business-wide
}

// For is the week that holds for a service: its own, which replaces the
// business's whole, else the business's. None stored is closed all week.
func (h Hours) For(serviceID string) inbox.Week {
	if own, ok := h.Services[serviceID]; ok {
		return own
	}
	return h.Weekly
}

// Opens says whether a week has any window at all.
func Opens(w inbox.Week) bool {
	for _, day := range inbox.Weekdays {
		if len(w[day]) > 0 {
			return true
		}
	}
	return false
}

// CheckWeek checks a week as it was sent and gives its normal form: windows in
// order, overlapping ones merged, days without a window left out. Paths of the
// problems are below "weekly".
func CheckWeek(w inbox.Week) (inbox.Week, []inbox.FieldProblem) {
	var problems []inbox.FieldProblem
	bad := func(path, message string) {
		problems = append(problems, inbox.FieldProblem{Path: "weekly." + path, Problem: inbox.Invalid, Message: message})
	}
	out := inbox.Week{}
	for _, day := range unknownDays(w) {
		bad(day, "must be one of mon, tue, wed, thu, fri, sat, sun")
	}
	for _, day := range inbox.Weekdays {
		windows := w[day]
		if len(windows) > MaxWindows {
			bad(day, fmt.Sprintf("must have at most %d windows", MaxWindows))
			continue
		}
		var spans []span
		for i, win := range windows {
			s, message := parseWindow(win)
			if message != "" {
				bad(fmt.Sprintf("%s.%d", day, i), message)
				continue
			}
			spans = append(spans, s)
		}
		if len(spans) > 0 {
			out[day] = writeSpans(merge(spans))
		}
	}
	return out, problems
}

func unknownDays(w inbox.Week) []string {
	var days []string
	for day := range w {
		if !slices.Contains(inbox.Weekdays, day) {
			days = append(days, day)
		}
	}
	slices.Sort(days)
	return days
}

// CheckClosures checks the list of closures as it was sent. Paths of the
// problems are below "closures".
func CheckClosures(list []inbox.Closure) []inbox.FieldProblem {
	if len(list) > MaxClosures {
		return []inbox.FieldProblem{{Path: "closures", Problem: inbox.Invalid,
			Message: fmt.Sprintf("must have at most %d entries", MaxClosures)}}
	}
	var problems []inbox.FieldProblem
	for i, c := range list {
		at := func(field string) string { return fmt.Sprintf("closures.%d.%s", i, field) }
		from, okFrom := checkDate(&problems, at("from"), c.From)
		to, okTo := checkDate(&problems, at("to"), c.To)
		if okFrom && okTo && to < from {
			problems = append(problems, inbox.FieldProblem{Path: at("to"), Problem: inbox.Invalid, Message: "must not be before from"})
		}
		if utf8.RuneCountInString(c.Reason) > maxReason {
			problems = append(problems, inbox.FieldProblem{Path: at("reason"), Problem: inbox.Invalid,
				Message: fmt.Sprintf("must have at most %d characters", maxReason)})
		}
	}
	return problems
}

func checkDate(problems *[]inbox.FieldProblem, path, date string) (day int64, ok bool) {
	if day, ok = parseDate(date); ok {
		return day, true
	}
	p := inbox.FieldProblem{Path: path, Problem: inbox.Invalid, Message: "must be a date, such as 2026-12-24"}
	if date == "" {
		p.Problem, p.Message = inbox.Missing, "is required"
	}
	*problems = append(*problems, p)
	return 0, false
}

// span is a window of a day in minutes from local midnight: [open, close).
type span struct{ open, close int }

func parseWindow(w inbox.Window) (span, string) {
	open, okOpen := parseMinute(w[0])
	shut, okShut := parseMinute(w[1])
	switch {
	case !okOpen || open == dayMinutes || !okShut:
		return span{}, `must be two times of day, such as ["09:00", "17:30"]; only the second may be 24:00`
	case open >= shut:
		return span{}, "must close after it opens"
	}
	return span{open, shut}, ""
}

// parseMinute reads "HH:MM", "24:00" included.
func parseMinute(s string) (int, bool) {
	if len(s) != 5 || s[2] != ':' || strings.Trim(s[:2]+s[3:], "0123456789") != "" {
		return 0, false
	}
	h, m := int(s[0]-'0')*10+int(s[1]-'0'), int(s[3]-'0')*10+int(s[4]-'0')
	minute := h*60 + m
	return minute, m < 60 && minute <= dayMinutes
}

func merge(spans []span) []span {
	slices.SortFunc(spans, func(a, b span) int { return a.open - b.open })
	out := spans[:1]
	for _, s := range spans[1:] {
		last := &out[len(out)-1]
		if s.open < last.close {
			last.close = max(last.close, s.close)
			continue
		}
		out = append(out, s)
	}
	return out
}

func writeSpans(spans []span) []inbox.Window {
	clock := func(m int) string { return fmt.Sprintf("%02d:%02d", m/60, m%60) }
	windows := make([]inbox.Window, len(spans))
	for i, s := range spans {
		windows[i] = inbox.Window{clock(s.open), clock(s.close)}
	}
	return windows
}

// parseDate reads YYYY-MM-DD as days since 1970-01-01.
func parseDate(s string) (int64, bool) {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return 0, false
	}
	return floorDiv(t.Unix(), 24*60*60), true
}

package inbox

import (
	"encoding/json"
	"errors"
	"time"
)

// Instant is a moment in UTC, in milliseconds since 1970-01-01T00:00:00Z
// (01, opening paragraph). In JSON it is RFC 3339 with milliseconds and Z.
// The zero value is "no moment"; optional fields are pointers instead.
type Instant int64

// InstantLayout is how an instant is written on every door.
const InstantLayout = "2006-01-02T15:04:05.000Z"

// errInstant is what a door says about a time it cannot read.
var errInstant = errors.New("must be a date and time with an offset, such as 2026-10-01T09:00:00Z")

// Units of elapsed time in milliseconds. "Hours" and "days" of deadlines are
// exact multiples (02 §0.2).
const (
	Second = 1000
	Minute = 60 * Second
	Hour   = 60 * Minute
	Day    = 24 * Hour
)

// Farthest is the latest moment that work can be due, in the year 2286: the due
// index has thirteen digits. What is due later is looked at then.
const Farthest Instant = 9_999_999_999_999

// lastWritten is the latest moment that is written: RFC 3339 has four digits for
// the year. A later one, such as the end of what begins then, is written as it.
const lastWritten Instant = 253_402_300_799_999

// InstantOf rounds t down to the millisecond.
func InstantOf(t time.Time) Instant { return Instant(t.UnixMilli()) }

// ParseInstant reads RFC 3339 with an offset; a time without one is refused
// (03 §3). Digits past the millisecond are cut.
func ParseInstant(s string) (Instant, error) {
	t, err := time.Parse(time.RFC3339Nano, s)
	if year := t.UTC().Year(); err != nil || year < 1970 || year > 9999 {
		return 0, errInstant
	}
	return InstantOf(t), nil
}

// Time is the instant as a time in UTC.
func (i Instant) Time() time.Time { return time.UnixMilli(int64(i)).UTC() }

// In is the instant as local time of a zone.
func (i Instant) In(zone *time.Location) time.Time { return time.UnixMilli(int64(i)).In(zone) }

// Add moves the instant by milliseconds, see [Minute], [Hour], [Day].
func (i Instant) Add(ms int64) Instant { return i + Instant(ms) }

func (i Instant) String() string { return min(i, lastWritten).Time().Format(InstantLayout) }

// MarshalJSON writes the instant as every door does.
func (i Instant) MarshalJSON() ([]byte, error) {
	b := make([]byte, 0, len(InstantLayout)+2)
	b = append(b, '"')
	b = min(i, lastWritten).Time().AppendFormat(b, InstantLayout)
	return append(b, '"'), nil
}

// UnmarshalJSON reads what [ParseInstant] reads.
func (i *Instant) UnmarshalJSON(b []byte) error {
	var s string
	if err := json.Unmarshal(b, &s); err != nil {
		return errInstant
	}
	v, err := ParseInstant(s)
	if err != nil {
		return err
	}
	*i = v
	return nil
}

// Earliest is the smaller of two optional instants; nil means never.
func Earliest(a, b *Instant) *Instant {
	switch {
	case a == nil:
		return b
	case b == nil || *a <= *b:
		return a
	}
	return b
}

// Ptr makes an optional field from a value.
func Ptr[T any](v T) *T { return &v }

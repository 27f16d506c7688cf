package inbox

import (
	"encoding/json"
	"testing"
)

// TestInstant: what is read as a moment, and how it is written.
func TestInstant(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"ok/UTC":                   {"2027-03-01T08:00:00Z", "2027-03-01T08:00:00.000Z"},
		"ok/offset":                {"2027-03-01T08:00:00.5+02:00", "2027-03-01T06:00:00.500Z"},
		"ok/past the millisecond":  {"2027-03-01T08:00:00.0009999Z", "2027-03-01T08:00:00.000Z"},
		"ok/the last":              {"9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"},
		"fail/past the last":       {"9999-12-31T23:30:00-01:00", ""},
		"fail/before the first":    {"1970-01-01T00:00:00+01:00", ""},
		"fail/no offset":           {"2027-03-01T08:00:00", ""},
		"fail/no time":             {"2027-03-01", ""},
		"fail/no such day":         {"2027-02-30T08:00:00Z", ""},
		"fail/year of five digits": {"10000-01-01T00:00:00Z", ""},
	} {
		t.Run(name, func(t *testing.T) {
			at, err := ParseInstant(c.text)
			if (err == nil) != (c.want != "") || err == nil && at.String() != c.want {
				t.Errorf("%s, %v", at, err)
			}
		})
	}
	t.Run("ok/what is later is written as the last, and read again", func(t *testing.T) {
		raw, err := json.Marshal(lastWritten + 1)
		var again Instant
		if err != nil || json.Unmarshal(raw, &again) != nil || again != lastWritten || (lastWritten+1).String() != lastWritten.String() {
			t.Errorf("%s %v, %s", raw, err, again)
		}
	})
}

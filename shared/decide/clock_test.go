package decide

import (
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/settings"
)

// TestDueAtTheFarthest: what is due later than the due index can say is due at
// its end, neither at once nor never.
func TestDueAtTheFarthest(t *testing.T) {
	s := settings.Effective(nil)
	for name, c := range map[string]struct{ end, want inbox.Instant }{
		"ok/in reach":       {inbox.Farthest.Add(-10 * inbox.Day), inbox.Farthest.Add(int64(s.Booking.AutoCompleteHours)*inbox.Hour - 10*inbox.Day)},
		"ok/past its reach": {inbox.Farthest.Add(inbox.Day), inbox.Farthest},
	} {
		r := &inbox.Record{Item: inbox.Item{
			Type: inbox.TypeBooking, State: inbox.StateConfirmed, Payload: inbox.Payload{Booking: &inbox.Booking{EndTime: c.end}},
		}}
		if at, event := DueAt(r, s); at == nil || *at != c.want || event != "complete" {
			t.Errorf("%s: %v %q, want %v", name, at, event, c.want)
		}
	}
}

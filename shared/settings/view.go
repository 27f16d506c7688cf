package settings

import (
	"encoding/json"
	"maps"
	"slices"

	"typedinbox/shared/inbox"
)

// View is the document as a caller reads it (03 §5.3, §11.1): every key with the
// value that holds, unset addresses and names left out. A secret that is stored
// reads as [Redacted] and is named in redacted; what automation may do and the
// rewards are the owner's in person and else named in withheld. Written back as
// it was read, the document changes nothing. The lists are never nil.
func View(raw []byte, c inbox.Caller) (doc json.RawMessage, redacted, withheld []string) {
	s := Effective(raw)
	redacted, withheld = []string{}, []string{}
	if s.Email.InboundSecret != "" {
		s.Email.InboundSecret = Redacted
		redacted = append(redacted, "email.inboundSecret")
	}
	written, err := encode(s)
	if err != nil {
		panic(err) // plain fields: cannot fail
	}
	if c.IsOwnerInPerson() {
		return written, redacted, withheld
	}
	tree, err := parse(written)
	if err != nil {
		panic(err)
	}
	negotiation := tree["negotiation"].(map[string]any)
	for _, name := range []string{"ai", "rewards"} {
		delete(negotiation, name)
		withheld = append(withheld, "negotiation."+name)
	}
	written, err = encode(tree)
	if err != nil {
		panic(err)
	}
	return written, redacted, withheld
}

// Shortened says whether a deadline that is read live (a booking's completion,
// the days to pay) became shorter, so that dates worked out before are too late
// and have to be worked out again (09, the sweep).
func Shortened(before, after Settings) bool {
	return after.Booking.AutoCompleteHours < before.Booking.AutoCompleteHours ||
		after.Orders.PayDays < before.Orders.PayDays
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

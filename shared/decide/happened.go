package decide

import "typedinbox/shared/inbox"

// Tolerance of what is said to have happened at a time, for clocks that differ
// (01 §4): a little in the future, a little before the item was made.
const (
	happenedAhead  = 5 * inbox.Minute
	happenedBefore = inbox.Minute
)

// happenedAt is the moment an input says something happened at, now when it says
// none: inside the tolerance it is clamped to between the item's creation and
// now, outside it is refused (01 §4, 09). path is the field's, without "input.".
func (m *move) happenedAt(path string, said *inbox.Instant) (inbox.Instant, *inbox.FieldProblem) {
	born, now := m.rec.Item.CreatedAt, m.e.Now
	switch {
	case said == nil:
		return now, nil
	case *said > now.Add(happenedAhead):
		return 0, inbox.Ptr(badInput(path, "must not lie in the future"))
	case *said < born.Add(-happenedBefore):
		return 0, inbox.Ptr(badInput(path, "must not lie before the order was made"))
	}
	return min(max(*said, born), now), nil
}

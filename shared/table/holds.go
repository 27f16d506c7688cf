package table

import "cmp"

// Holds judges a condition on a row, nil being an absent one, as DynamoDB
// does: a comparison with an absent attribute or one of another kind is false.
// A nil condition and an empty [And] hold, an empty [Or] does not.
func Holds(c Condition, r Row) bool {
	switch c := c.(type) {
	case nil:
		return true
	case Absent:
		return !r.Has(string(c))
	case Exists:
		return r.Has(string(c))
	case Eq:
		v, ok := r[c.Name]
		return ok && v == c.Value
	case Lt:
		order, ok := compare(r[c.Name], c.Value)
		return ok && order < 0
	case Lte:
		order, ok := compare(r[c.Name], c.Value)
		return ok && order <= 0
	case Not:
		return !Holds(c.Of, r)
	case And:
		for _, part := range c {
			if !Holds(part, r) {
				return false
			}
		}
		return true
	case Or:
		for _, part := range c {
			if Holds(part, r) {
				return true
			}
		}
	}
	return false
}

// compare orders two strings by their bytes or two numbers; false for anything
// else.
func compare(a, b any) (order int, ok bool) {
	switch a := a.(type) {
	case string:
		if b, ok := b.(string); ok {
			return cmp.Compare(a, b), true
		}
	case int64:
		if b, ok := b.(int64); ok {
			return cmp.Compare(a, b), true
		}
	}
	return 0, false
}

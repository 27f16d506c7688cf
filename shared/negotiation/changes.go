package negotiation

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"typedinbox/shared/canon"
	"typedinbox/shared/inbox"
)

// Changes lists the paths at which an offer's terms differ from its parent's, in
// the order of their keys (02 §1.7). nil when the two cannot be compared: they
// are of different forms and the offer is no change. Not nil and empty when
// nothing differs.
func Changes(parent, child *inbox.Offer) []string {
	if parent.Form != child.Form && child.Kind != KindChange {
		return nil
	}
	was, is := object(canonical(parent.Terms)), object(canonical(child.Terms))
	if was[itemOffered] == nil || is[itemOffered] == nil {
		delete(was, itemOffered)
		delete(is, itemOffered)
	}
	d := differences{paths: []string{}}
	d.objects("$", was, is)
	return d.paths
}

// itemOffered stands on one side's terms alone, where it is no difference.
const itemOffered = "itemOffered"

// PriceChanged says whether paths of a difference touch money: a price, a total,
// or a line that came or went (02 §1.7).
func PriceChanged(paths []string) bool {
	return slices.ContainsFunc(paths, func(p string) bool {
		line, whole := strings.CutPrefix(p, "$.lines")
		return strings.HasSuffix(p, ".totalPrice") || strings.HasSuffix(p, ".price") || whole && !strings.Contains(line, ".")
	})
}

// differences collects paths.
type differences struct{ paths []string }

// walk compares two values; nil is absent.
func (d *differences) walk(path string, was, is json.RawMessage) {
	if bytes.Equal(was, is) {
		return
	}
	a, b := object(was), object(is)
	if a != nil && b != nil && !isMoney(a) && !isMoney(b) {
		d.objects(path, a, b)
		return
	}
	x, y := list(was), list(is)
	if x == nil || y == nil {
		d.paths = append(d.paths, path)
		return
	}
	for i := range max(len(x), len(y)) {
		d.walk(fmt.Sprintf("%s[%d]", path, i), at(x, i), at(y, i))
	}
}

func (d *differences) objects(path string, was, is map[string]json.RawMessage) {
	keys := map[string]bool{}
	for k := range was {
		keys[k] = true
	}
	for k := range is {
		keys[k] = true
	}
	for _, k := range slices.Sorted(maps.Keys(keys)) {
		d.walk(path+"."+k, was[k], is[k])
	}
}

func at(list []json.RawMessage, i int) json.RawMessage {
	if i < len(list) {
		return list[i]
	}
	return nil
}

// canonical gives equal values equal bytes; terms as stored may be escaped
// otherwise.
func canonical(raw json.RawMessage) json.RawMessage {
	form, err := canon.Canonical(raw)
	if err != nil {
		return nil
	}
	return form
}

// object and list read a value of that kind, nil for any other.
func object(raw json.RawMessage) map[string]json.RawMessage {
	return read[map[string]json.RawMessage](raw)
}

func list(raw json.RawMessage) []json.RawMessage { return read[[]json.RawMessage](raw) }

func read[T any](raw json.RawMessage) (v T) {
	if json.Unmarshal(raw, &v) != nil {
		var none T
		return none
	}
	return v
}

func isMoney(o map[string]json.RawMessage) bool {
	return len(o) == 2 && o["value"] != nil && o["currency"] != nil
}

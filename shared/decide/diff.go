package decide

import (
	"encoding/json"
	"reflect"
	"strings"

	"typedinbox/shared/canon"
	"typedinbox/shared/inbox"
)

// maxDiffValue is the longest value that stands in a diff, in bytes; a longer
// one is told by its hash (01 §19.10).
const maxDiffValue = 20 << 10

// payloadField is one top-level key of a payload.
type payloadField struct {
	index int
	name  string
	empty bool // an empty value is absent
	plain bool // of a type that == compares
}

// payloadFields of every payload type, in the order of their structs.
var payloadFields = func() map[reflect.Type][]payloadField {
	all := map[reflect.Type][]payloadField{}
	for _, t := range []reflect.Type{
		reflect.TypeFor[inbox.Message](), reflect.TypeFor[inbox.QuoteRequest](), reflect.TypeFor[inbox.Booking](),
		reflect.TypeFor[inbox.Order](), reflect.TypeFor[inbox.Refund](),
	} {
		for i := range t.NumField() {
			name, options, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			all[t] = append(all[t], payloadField{i, name, strings.Contains(options, "omitempty"), t.Field(i).Type.Comparable()})
		}
	}
	return all
}()

// payloadDiff lists the top-level keys whose JSON differs, before and after, null
// for absent; nil when nothing differs (01 §11). Both sides are encoded from one
// type, so their canonical forms differ when these do.
func payloadDiff(before, after inbox.Payload) map[string][2]json.RawMessage {
	a, b := reflect.ValueOf(before.Value()), reflect.ValueOf(after.Value())
	if !a.IsValid() || !b.IsValid() || a.Pointer() == b.Pointer() {
		return nil
	}
	a, b = a.Elem(), b.Elem()
	var diff map[string][2]json.RawMessage
	for _, f := range payloadFields[a.Type()] {
		x, y := a.Field(f.index), b.Field(f.index)
		if f.same(x, y) {
			continue
		}
		was, is := f.json(x), f.json(y)
		if string(was) == string(is) {
			continue
		}
		if diff == nil {
			diff = map[string][2]json.RawMessage{}
		}
		diff[f.name] = [2]json.RawMessage{short(was), short(is)}
	}
	return diff
}

// same is a quick yes: equal scalars, one pointer, one slice. Nested values are
// replaced whole and never changed in place, so one that is shared is equal.
func (f payloadField) same(a, b reflect.Value) bool {
	switch a.Kind() {
	case reflect.Pointer:
		return a.Pointer() == b.Pointer()
	case reflect.Slice:
		return a.Len() == b.Len() && a.Pointer() == b.Pointer()
	}
	return f.plain && a.Equal(b)
}

var absent = json.RawMessage("null")

func (f payloadField) json(v reflect.Value) json.RawMessage {
	if f.empty && isEmpty(v) {
		return absent
	}
	return mustJSON(v.Interface())
}

// isEmpty is what encoding/json leaves out.
func isEmpty(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Slice, reflect.Map:
		return v.Len() == 0
	case reflect.Struct:
		return false
	}
	return v.IsZero()
}

// short keeps a value, or the hash and length of its canonical form when that is
// long.
func short(raw json.RawMessage) json.RawMessage {
	if len(raw) <= maxDiffValue {
		return raw
	}
	form, err := canon.Canonical(raw)
	if err != nil {
		panic(err) // encoded above
	}
	if len(form) <= maxDiffValue {
		return form
	}
	return mustJSON(struct {
		SHA256 string `json:"sha256"`
		Bytes  int    `json:"bytes"`
	}{canon.SHA256Hex(form), len(form)})
}

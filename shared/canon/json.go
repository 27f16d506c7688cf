package canon

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
)

// maxDepth bounds the nesting of what is canonicalised; everything a door lets
// in is far below it.
const maxDepth = 128

// JSON is the canonical form of a Go value: what encoding/json writes for it,
// canonicalised. Fields dropped by omitempty or omitzero are absent; a nil
// pointer or map that is written stays null (01 §12.2). It fails where
// encoding/json does, and where [Canonical] does.
func JSON(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return Canonical(b.Bytes())
}

// Canonical rewrites one JSON text in the form of RFC 8785: no white space,
// keys sorted by UTF-16 code units at every level, numbers as ECMAScript writes
// doubles, strings with the fewest escapes. It refuses what has no canonical
// form: malformed JSON, bytes that are not UTF-8, half a surrogate pair, a key
// written twice, a number no double can hold, nesting past 128.
func Canonical(raw []byte) ([]byte, error) {
	if !json.Valid(raw) {
		return nil, errors.New("canon: not one JSON text")
	}
	w := writer{in: raw, out: make([]byte, 0, len(raw))}
	if err := w.value(0); err != nil {
		return nil, fmt.Errorf("canon: at byte %d: %w", w.pos, err)
	}
	return w.out, nil
}

// writer walks a text known to be well-formed and writes its canonical form.
type writer struct {
	in  []byte
	pos int
	out []byte
}

func (w *writer) space() {
	for w.pos < len(w.in) {
		switch w.in[w.pos] {
		case ' ', '\t', '\n', '\r':
			w.pos++
		default:
			return
		}
	}
}

func (w *writer) value(depth int) error {
	if depth > maxDepth {
		return errors.New("nested too deep")
	}
	w.space()
	switch w.in[w.pos] {
	case '{':
		return w.object(depth)
	case '[':
		return w.array(depth)
	case '"':
		return w.text()
	case 't', 'n':
		return w.literal(4)
	case 'f':
		return w.literal(5)
	}
	return w.number()
}

func (w *writer) literal(n int) error {
	w.out = append(w.out, w.in[w.pos:w.pos+n]...)
	w.pos += n
	return nil
}

func (w *writer) array(depth int) error {
	w.pos++
	w.out = append(w.out, '[')
	for first := true; ; first = false {
		w.space()
		if w.in[w.pos] == ']' {
			break
		}
		if !first {
			w.pos++ // the comma
			w.out = append(w.out, ',')
		}
		if err := w.value(depth + 1); err != nil {
			return err
		}
	}
	w.pos++
	w.out = append(w.out, ']')
	return nil
}

// member is one `"key":value` as it stands in the output; from and to are
// offsets, the key its decoded name.
type member struct {
	key      []byte
	from, to int
}

func (w *writer) object(depth int) error {
	w.pos++
	w.out = append(w.out, '{')
	var few [16]member // most objects have no more
	members := few[:0]
	for {
		w.space()
		if w.in[w.pos] == '}' {
			break
		}
		if len(members) > 0 {
			w.pos++ // the comma
			w.out = append(w.out, ',')
			w.space()
		}
		m, err := w.member(depth)
		if err != nil {
			return err
		}
		members = append(members, m)
	}
	w.pos++
	if err := w.sort(members); err != nil {
		return err
	}
	w.out = append(w.out, '}')
	return nil
}

func (w *writer) member(depth int) (member, error) {
	m := member{from: len(w.out)}
	key, err := w.unquote()
	if err != nil {
		return m, err
	}
	m.key = key
	w.out = append(appendString(w.out, key), ':')
	w.space()
	w.pos++ // the colon
	err = w.value(depth + 1)
	m.to = len(w.out)
	return m, err
}

// sort brings the members just written into the order of their keys.
func (w *writer) sort(members []member) error {
	byKey := func(a, b member) int { return compareUTF16(a.key, b.key) }
	if !slices.IsSortedFunc(members, byKey) {
		start, end := members[0].from, len(w.out)
		written := slices.Clone(w.out[start:end])
		slices.SortFunc(members, byKey)
		w.out = w.out[:start]
		for i, m := range members {
			if i > 0 {
				w.out = append(w.out, ',')
			}
			w.out = append(w.out, written[m.from-start:m.to-start]...)
		}
	}
	for i := 1; i < len(members); i++ {
		if bytes.Equal(members[i].key, members[i-1].key) {
			return fmt.Errorf("key %q twice", members[i].key)
		}
	}
	return nil
}

package schema

import (
	"encoding/json"
	"errors"
	"unicode/utf16"
	"unicode/utf8"
)

// Errors of [Check].
var (
	ErrSyntax = errors.New("the body is not one JSON text")
	ErrSize   = errors.New("the body is larger than 1 MB")
	ErrDepth  = errors.New("the body is nested deeper than 32 levels")
)

// Check says whether bytes are one JSON text within the bounds of an input. A
// door answers ErrSyntax with invalid_json (03 §4).
func Check(raw []byte) error {
	switch {
	case len(raw) > MaxBytes:
		return ErrSize
	case !json.Valid(raw):
		return ErrSyntax
	case tooDeep(raw):
		return ErrDepth
	}
	return nil
}

// tooDeep counts brackets outside strings in a well-formed text.
func tooDeep(raw []byte) bool {
	depth, quoted := 0, false
	for i := 0; i < len(raw); i++ {
		switch c := raw[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			if depth++; depth > MaxDepth {
				return true
			}
		case c == '}' || c == ']':
			depth--
		}
	}
	return false
}

// cursor reads a text that passed [Check].
type cursor struct {
	in  []byte
	pos int
}

// space moves to the next byte that is no white space and answers it.
func (c *cursor) space() byte {
	for ; ; c.pos++ {
		switch b := c.in[c.pos]; b {
		case ' ', '\t', '\n', '\r':
		default:
			return b
		}
	}
}

// skip moves past the value at the cursor and answers its bytes.
func (c *cursor) skip() []byte {
	first := c.space()
	start := c.pos
	switch first {
	case '"':
		c.skipString()
	case '{', '[':
		c.skipNested()
	default:
		for c.pos < len(c.in) && !ends(c.in[c.pos]) {
			c.pos++
		}
	}
	return c.in[start:c.pos]
}

func ends(b byte) bool {
	switch b {
	case ',', '}', ']', ':', ' ', '\t', '\n', '\r':
		return true
	}
	return false
}

func (c *cursor) skipString() {
	for c.pos++; c.in[c.pos] != '"'; c.pos++ {
		if c.in[c.pos] == '\\' {
			c.pos++
		}
	}
	c.pos++
}

func (c *cursor) skipNested() {
	depth := 0
	for {
		switch c.in[c.pos] {
		case '"':
			c.skipString()
			continue
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		}
		c.pos++
		if depth == 0 {
			return
		}
	}
}

// next moves inside an object or a list: past the opening bracket or a comma to
// the next entry; false once the closing bracket is passed.
func (c *cursor) next(closing byte) bool {
	c.space()
	c.pos++
	if b := c.space(); b == closing {
		c.pos++
		return false
	}
	return true
}

// more is next after an entry was read.
func (c *cursor) more(closing byte) bool {
	if c.space() == closing {
		c.pos++
		return false
	}
	return c.next(closing)
}

// isNull says whether the value at the cursor is null, and moves past it.
func (c *cursor) isNull() bool {
	if c.space() != 'n' {
		return false
	}
	c.pos += len("null")
	return true
}

var (
	errUTF8    = errors.New("must be valid UTF-8")
	errControl = errors.New("must not hold control characters other than tab and line breaks")
)

// unquote reads the string at the cursor, of which space was skipped. The bytes
// share the input's memory unless something was escaped.
func (c *cursor) unquote() ([]byte, error) {
	start := c.pos + 1
	c.skipString()
	s := c.in[start : c.pos-1]
	for i, b := range s {
		if b == '\\' {
			return unescape(s, i)
		}
	}
	if !utf8.Valid(s) {
		return s, errUTF8
	}
	return s, nil
}

func unescape(s []byte, from int) ([]byte, error) {
	out := append(make([]byte, 0, len(s)), s[:from]...)
	var err error
	for i := from; i < len(s); {
		if s[i] != '\\' {
			out = append(out, s[i])
			i++
			continue
		}
		r, n := escape(s[i:])
		if r == utf8.RuneError && n == 6 && !namesReplacement(s[i:]) {
			err = errUTF8
		}
		out = utf8.AppendRune(out, r)
		i += n
	}
	if err == nil && !utf8.Valid(out) {
		err = errUTF8
	}
	return out, err
}

// namesReplacement: the escape is U+FFFD itself, not half a pair.
func namesReplacement(s []byte) bool { return hex4(s[2:]) == utf8.RuneError }

// escape reads one escape, or the two of a surrogate pair, and answers its
// length; half a pair is U+FFFD.
func escape(s []byte) (rune, int) {
	switch s[1] {
	case 'u':
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	default:
		return rune(s[1]), 2
	}
	r := hex4(s[2:])
	if !utf16.IsSurrogate(r) {
		return r, 6
	}
	if len(s) >= 12 && s[6] == '\\' && s[7] == 'u' {
		if pair := utf16.DecodeRune(r, hex4(s[8:])); pair != utf8.RuneError {
			return pair, 12
		}
	}
	return utf8.RuneError, 6
}

func hex4(s []byte) (r rune) {
	for _, b := range s[:4] {
		d := rune(b|0x20) - '0'
		if d > 9 {
			d = rune(b|0x20) - 'a' + 10
		}
		r = r<<4 | d
	}
	return r
}

// controls says whether text holds a C0 control character other than tab, line
// feed and carriage return.
func controls(s []byte) bool {
	for _, b := range s {
		if b < 0x20 && b != '\t' && b != '\n' && b != '\r' {
			return true
		}
	}
	return false
}

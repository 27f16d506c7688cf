package canon

import (
	"errors"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

var (
	errUTF8      = errors.New("a string is not UTF-8")
	errSurrogate = errors.New("a string holds half a surrogate pair")
)

func (w *writer) text() error {
	s, err := w.unquote()
	if err != nil {
		return err
	}
	w.out = appendString(w.out, s)
	return nil
}

// unquote reads the string at the cursor and answers its decoded bytes; they
// share the input's memory when nothing was escaped.
func (w *writer) unquote() ([]byte, error) {
	w.pos++ // the quote
	start := w.pos
	for w.in[w.pos] != '"' && w.in[w.pos] != '\\' {
		w.pos++
	}
	s := w.in[start:w.pos:w.pos]
	for w.in[w.pos] != '"' {
		if w.in[w.pos] != '\\' {
			s = append(s, w.in[w.pos])
			w.pos++
			continue
		}
		r, err := w.escape()
		if err != nil {
			return nil, err
		}
		s = utf8.AppendRune(s, r)
	}
	w.pos++
	if !utf8.Valid(s) {
		return nil, errUTF8
	}
	return s, nil
}

// escape reads one escape, or two that make a surrogate pair.
func (w *writer) escape() (rune, error) {
	c := w.in[w.pos+1]
	if c != 'u' {
		w.pos += 2
		return unescaped[c], nil
	}
	r := w.hex()
	if !utf16.IsSurrogate(r) {
		return r, nil
	}
	if w.in[w.pos] != '\\' || w.in[w.pos+1] != 'u' {
		return 0, errSurrogate
	}
	if r = utf16.DecodeRune(r, w.hex()); r == utf8.RuneError {
		return 0, errSurrogate
	}
	return r, nil
}

// hex reads \uXXXX.
func (w *writer) hex() rune {
	n, _ := strconv.ParseUint(string(w.in[w.pos+2:w.pos+6]), 16, 16) // json.Valid checked the digits
	w.pos += 6
	return rune(n)
}

var unescaped = map[byte]rune{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// appendString writes a string with the escapes of RFC 8785 §3.2.2.2 alone.
func appendString(out, s []byte) []byte {
	const hex = "0123456789abcdef"
	out = append(out, '"')
	for _, c := range s {
		switch {
		case c == '"' || c == '\\':
			out = append(out, '\\', c)
		case c >= 0x20:
			out = append(out, c)
		case c == '\b':
			out = append(out, '\\', 'b')
		case c == '\f':
			out = append(out, '\\', 'f')
		case c == '\n':
			out = append(out, '\\', 'n')
		case c == '\r':
			out = append(out, '\\', 'r')
		case c == '\t':
			out = append(out, '\\', 't')
		default:
			out = append(out, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		}
	}
	return append(out, '"')
}

// compareUTF16 orders strings by their UTF-16 code units. That differs from the
// order of their bytes only where a character past U+FFFF, whose surrogates
// start at U+D800, meets one from U+E000 on.
func compareUTF16(a, b []byte) int {
	for len(a) > 0 && len(b) > 0 {
		r, n := utf8.DecodeRune(a)
		s, m := utf8.DecodeRune(b)
		if r != s {
			return compareUnits(r, s)
		}
		a, b = a[n:], b[m:]
	}
	return len(a) - len(b)
}

func compareUnits(r, s rune) int {
	wide, wider := r > 0xFFFF, s > 0xFFFF
	switch {
	case wide && !wider:
		return 0xD800 - int(s) // s is no surrogate, so never equal
	case !wide && wider:
		return int(r) - 0xD800
	}
	return int(r) - int(s)
}

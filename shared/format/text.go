package format

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// OneLine is text that a customer typed, fit for a subject, a greeting or a body
// line: every run of blanks, controls and line separators becomes one space, and
// the ends are trimmed, so it can never add a line or a header (05 §1.1.3). What
// turns the direction of reading goes, so it can never turn round the price beside
// it either.
func OneLine(s string) string {
	if isOneLine(s) {
		return s
	}
	kept := strings.Map(func(r rune) rune {
		if turns(r) {
			return -1
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
	return strings.Join(strings.FieldsFunc(kept, breaks), " ")
}

// turns says whether a character opens or closes a run that is read in another
// direction, whatever its letters are.
func turns(r rune) bool {
	return r >= '\u202A' && r <= '\u202E' || r >= '\u2066' && r <= '\u2069'
}

// breaks says whether a character becomes a space.
func breaks(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || r == '\u2028' || r == '\u2029'
}

// isOneLine says whether nothing has to change, which is so nearly always.
func isOneLine(s string) bool {
	space := true // what stands before the first character counts as a space
	for _, r := range s {
		switch {
		case r == ' ' && !space:
			space = true
		case r == utf8.RuneError || breaks(r) || turns(r):
			return false
		default:
			space = false
		}
	}
	return !space || s == ""
}

// Cut keeps at most n characters, the last of them an ellipsis when something
// was left out.
func Cut(s string, n int) string {
	if utf8.RuneCountInString(s) <= n {
		return s
	}
	return string([]rune(s)[:n-1]) + "…"
}

// Capital is the text with its first letter upper case, for the start of a
// subject line.
func Capital(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[size:]
}

// ReferenceRow is the line that names a reference.
func ReferenceRow(l Lang, reference string) string { return rows[l].reference + reference }

// crockford is the alphabet of references.
const crockford = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// Reference reads a reference as a person typed it: any case, O for 0, I and L
// for 1, blanks and hyphens anywhere (05 §1.4). ok is false for what cannot be
// one.
func Reference(typed string) (reference string, ok bool) {
	var b strings.Builder
	for _, r := range typed {
		switch r = unicode.ToUpper(r); {
		case unicode.IsSpace(r) || unicode.Is(unicode.Pd, r):
			continue
		case r == 'O':
			r = '0'
		case r == 'I' || r == 'L':
			r = '1'
		}
		if r >= utf8.RuneSelf || !strings.ContainsRune(crockford, r) {
			return "", false
		}
		b.WriteRune(r)
	}
	return b.String(), b.Len() == 6
}

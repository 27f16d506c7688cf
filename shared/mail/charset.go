package mail

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/unicode/norm"
)

// decodeBytes decodes text by its declared label, the names and meanings of the
// WHATWG table (iso-8859-1 and us-ascii mean windows-1252). Without a label, or
// with unknown-8bit or one the table has not, it is UTF-8 if it is valid and
// windows-1252 otherwise; utf-7 is not decoded (05 §5.4).
func decodeBytes(b []byte, label string) string {
	if !eightBit(b) && !shifts(label) {
		return string(b)
	}
	label = strings.ToLower(strings.Trim(label, " \t\"'"))
	if label == "" || label == "unknown-8bit" || label == "x-unknown" || label == "utf-8" && utf8.Valid(b) {
		return guessed(b)
	}
	enc, err := htmlindex.Get(label)
	if err != nil || enc == encoding.Replacement { // which keeps nothing of a text
		return guessed(b)
	}
	text, err := enc.NewDecoder().Bytes(b)
	if err != nil {
		return guessed(b)
	}
	return string(text)
}

// decodeWord decodes an encoded word's bytes; of a charset the table has not
// only ASCII is kept (05 §5.4).
func decodeWord(b []byte, charset string) string {
	if _, err := htmlindex.Get(strings.ToLower(charset)); err == nil || strings.EqualFold(charset, "unknown-8bit") {
		return decodeBytes(b, charset)
	}
	var out strings.Builder
	for _, c := range b {
		if c < utf8.RuneSelf {
			out.WriteByte(c)
		} else {
			out.WriteRune(utf8.RuneError)
		}
	}
	return out.String()
}

func guessed(b []byte) string {
	if utf8.Valid(b) {
		return string(b)
	}
	text, err := charmap.Windows1252.NewDecoder().Bytes(b)
	if err != nil {
		return strings.ToValidUTF8(string(b), "\uFFFD")
	}
	return string(text)
}

func eightBit(b []byte) bool {
	for _, c := range b {
		if c >= utf8.RuneSelf || c == 0x1b {
			return true
		}
	}
	return false
}

// shifts says whether a charset writes other characters in seven bits.
func shifts(label string) bool {
	label = strings.ToLower(label)
	return strings.HasPrefix(label, "utf-16") || strings.HasPrefix(label, "iso-2022") || strings.HasPrefix(label, "hz")
}

// turns says whether a character changes the direction of writing: it can make
// a name or an ending read as another (05 §5.4).
func turns(r rune) bool {
	return r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x2069
}

// text is what is kept of a part's characters: NFC, LF, no control characters
// but tab and newline, none that change the direction.
func text(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return norm.NFC.String(strings.Map(func(r rune) rune {
		switch {
		case r == '\r' || r == '\u2028' || r == '\u2029' || r == '\u0085':
			return '\n'
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r) || turns(r) || r == '\ufeff':
			return -1
		}
		return r
	}, s))
}

// line is text as one line: every run of blanks and control characters is one
// blank (05 §1.1).
func line(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range s {
		switch {
		case turns(r) || r == '\ufeff':
		case unicode.IsSpace(r) || unicode.IsControl(r) || r == '\u2028' || r == '\u2029':
			gap = b.Len() > 0
		default:
			if gap {
				b.WriteByte(' ')
				gap = false
			}
			b.WriteRune(r)
		}
	}
	return norm.NFC.String(b.String())
}

package mail

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// casefold is a text as words are compared: lower case, without accents, ß as ss,
// curly apostrophes straight, every run of blanks one blank.
func casefold(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	gap := false
	if !ascii(s) {
		s = norm.NFD.String(s)
	}
	for _, r := range s {
		switch {
		case unicode.IsSpace(r):
			gap = b.Len() > 0
			continue
		case unicode.Is(unicode.Mn, r):
			continue
		case r == 'ß':
			b.WriteString("ss")
			continue
		case r == '’' || r == '‘' || r == '´' || r == '`':
			r = '\''
		}
		if gap {
			b.WriteByte(' ')
			gap = false
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String()
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

package mail

import (
	"strings"
	"unicode/utf8"
)

// Bounds of one encoded word. The standard allows 75 bytes; mailers that never
// split a subject write longer ones.
const (
	maxWord    = 4096
	maxCharset = 64
)

// decodeWords decodes the encoded words of a header's value (RFC 2047) and the
// bytes a mailer wrote without encoding. Blanks between adjacent words are
// dropped, and adjacent words of one charset are decoded together, since some
// mailers cut a character in two.
func decodeWords(s string) string {
	if !strings.Contains(s, "=?") {
		return decodeBytes([]byte(s), "")
	}
	var out strings.Builder
	var charset string
	var data []byte
	flush := func() {
		out.WriteString(decodeWord(data, charset))
		data = nil
	}
	for {
		at := strings.Index(s, "=?")
		if at < 0 {
			break
		}
		w, rest, ok := cutWord(s[at:])
		gap := s[:at]
		if !ok {
			flush()
			out.WriteString(decodeBytes([]byte(s[:at+2]), ""))
			s = s[at+2:]
			continue
		}
		if data == nil || strings.Trim(gap, " \t") != "" || !strings.EqualFold(w.charset, charset) {
			joined := data != nil && strings.Trim(gap, " \t") == ""
			flush()
			if !joined {
				out.WriteString(decodeBytes([]byte(gap), ""))
			}
		}
		charset, data, s = w.charset, append(data, w.data...), rest
		if data == nil {
			data = []byte{}
		}
	}
	flush()
	out.WriteString(decodeBytes([]byte(s), ""))
	return out.String()
}

// word is one encoded word, its transfer encoding undone.
type word struct {
	charset string
	data    []byte
}

// wordLength is how long the encoded word is that s begins with, 0 for none.
func wordLength(s string) int {
	if !strings.HasPrefix(s, "=?") {
		return 0
	}
	_, rest, _ := cutWord(s)
	return len(s) - len(rest)
}

// cutWord reads the encoded word that s begins with.
func cutWord(s string) (w word, rest string, ok bool) {
	head := s[2:min(len(s), 2+maxCharset)]
	charset, after, found := strings.Cut(head, "?")
	if !found || charset == "" || len(after) < 2 || after[1] != '?' || strings.ContainsAny(charset, " \t=") {
		return word{}, s, false
	}
	start := 2 + len(charset) + 3
	text := s[start:min(len(s), start+maxWord)]
	end := strings.Index(text, "?=")
	if end < 0 || strings.Contains(text[:end], "=?") {
		return word{}, s, false
	}
	w.charset, _, _ = strings.Cut(charset, "*") // RFC 2231 §5: a language may follow
	switch after[0] {
	case 'b', 'B':
		w.data = decodeBase64([]byte(text[:end]))
	case 'q', 'Q':
		w.data = decodeQ(text[:end])
	default:
		return word{}, s, false
	}
	return w, s[start+end+2:], true
}

// decodeQ decodes the Q encoding of RFC 2047 §4.2.
func decodeQ(s string) []byte {
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '_':
			out = append(out, ' ')
		case c == '=' && i+2 < len(s) && isHex(s[i+1]) && isHex(s[i+2]):
			out = append(out, unhex(s[i+1])<<4|unhex(s[i+2]))
			i += 2
		default:
			out = append(out, c)
		}
	}
	return out
}

// headerText is a header's value as a person reads it: decoded, one line, at
// most limit characters, no blank at the end.
func headerText(value string, limit int) string {
	return strings.TrimRight(cutRunes(line(decodeWords(value)), limit), " ")
}

// cutRunes is s, or its first limit characters.
func cutRunes(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	n := 0
	for i := range s {
		if n == limit {
			return s[:i]
		}
		n++
	}
	return s
}

// longer says whether s has more than limit characters.
func longer(s string, limit int) bool {
	return len(s) > limit && utf8.RuneCountInString(s) > limit
}

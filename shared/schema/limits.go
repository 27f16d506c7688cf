package schema

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

// maxInt is the largest whole number taken, 2^53−1 (02 §0.1).
const maxInt = 1<<53 - 1

// maxURL is the longest address of a field with the tag url, in characters.
const maxURL = 2000

// checkString judges a string by a field's limits and answers it as it is
// kept, with the message of the first limit it breaks.
func (l *limits) checkString(s string) (string, string) {
	if l.trim {
		s = strings.TrimSpace(s)
	}
	if n := utf8.RuneCountInString(s); !l.chars.holds(float64(n)) {
		return s, l.chars.message("must have", "characters")
	}
	if l.enum != nil && !oneOf(s, l.enum) {
		return s, "must be one of " + strings.Join(l.enum, ", ")
	}
	if l.match != nil && !l.match.MatchString(s) {
		return s, "must match " + l.match.String()
	}
	switch {
	case l.format == "email" && !IsEmail(s):
		return s, "must be an e-mail address such as name@example.com"
	case l.format == "url" && !IsURL(s, maxURL):
		return s, "must be an absolute http or https address of at most 2000 characters"
	case l.format == "date" && !IsDate(s):
		return s, "must be a date such as 2026-10-01"
	case l.format == "terms_sha" && !termsSHA.MatchString(s):
		return s, "must be the 43 characters of a terms_sha"
	case l.format == "words" && strings.TrimSpace(s) == "":
		return s, "must not be blank"
	case l.format == "passes" && !isPasses(s):
		return s, "must be at most 8 strings of at most 200 characters, apart by blanks"
	case l.format == "currency" && !IsCurrency(s):
		return s, "must be the three letters of a currency"
	case l.format == "currency":
		s = strings.ToUpper(s)
	}
	return s, ""
}

// termsSHA is base64url of a SHA-256 without padding (02 §1.5).
var termsSHA = regexp.MustCompile(`^[A-Za-z0-9_-]{43}$`)

// isPasses says whether s is at most 8 strings of at most 200 characters.
func isPasses(s string) bool {
	list := strings.Fields(s)
	return len(list) <= 8 && !slices.ContainsFunc(list, func(p string) bool { return utf8.RuneCountInString(p) > 200 })
}

func oneOf(s string, list []string) bool {
	for _, v := range list {
		if s == v {
			return true
		}
	}
	return false
}

// message tells bounds in words: "must have 1 to 200 characters".
func (b bounds) message(verb, unit string) string {
	lo, hi := strconv.FormatFloat(b.min, 'f', -1, 64), strconv.FormatFloat(b.max, 'f', -1, 64)
	if unit != "" {
		unit = " " + unit
	}
	switch {
	case b.min == b.max:
		return fmt.Sprintf("%s %s%s", verb, lo, unit)
	case b.min == 0 && unit != "":
		return fmt.Sprintf("%s at most %s%s", verb, hi, unit)
	}
	return fmt.Sprintf("%s %s to %s%s", verb, lo, hi, unit)
}

// IsEmail says whether s is an address that mail can be sent to: a local part
// of ASCII without quotes, a domain with a dot, no name and no brackets around
// it, at most 320 bytes.
func IsEmail(s string) bool {
	at := strings.LastIndexByte(s, '@')
	if at < 1 || at > 64 || len(s) > 320 {
		return false
	}
	local, domain := s[:at], s[at+1:]
	for _, c := range []byte(local) {
		if c <= ' ' || c >= 0x7F || strings.IndexByte(`"()<>[]\,;:@`, c) >= 0 {
			return false
		}
	}
	if local[0] == '.' || local[at-1] == '.' || strings.Contains(local, "..") {
		return false
	}
	return IsDomain(domain)
}

// IsDomain says whether s is a host name of at least two labels, letters of any
// script, digits and hyphens, at most 253 bytes.
func IsDomain(s string) bool {
	if len(s) > 253 || !strings.Contains(s, ".") {
		return false
	}
	for label := range strings.SplitSeq(s, ".") {
		if label == "" || len(label) > 63 || label[0] == '-' || label[len(label)-1] == '-' {
			return false
		}
		for _, r := range label {
			if r < 0x80 && !asciiAlnum(r) && r != '-' || r == utf8.RuneError || r >= 0x80 && r <= 0xA0 {
				return false
			}
		}
	}
	return true
}

func asciiAlnum(r rune) bool {
	return r >= '0' && r <= '9' || r|0x20 >= 'a' && r|0x20 <= 'z'
}

// IsURL says whether s is an absolute http or https address with a host, at
// most so many characters.
func IsURL(s string, longest int) bool {
	if utf8.RuneCountInString(s) > longest || strings.ContainsAny(s, " \t\r\n\"<>\\") {
		return false
	}
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Hostname() != ""
}

// IsDate says whether s is a day of the calendar, YYYY-MM-DD.
func IsDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

// IsCurrency says whether s is three ASCII letters.
func IsCurrency(s string) bool {
	if len(s) != 3 {
		return false
	}
	for _, c := range []byte(s) {
		if c|0x20 < 'a' || c|0x20 > 'z' {
			return false
		}
	}
	return true
}

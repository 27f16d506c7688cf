package pages

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"
)

// Faults of a form that was sent.
var (
	errLarge   = errors.New("pages: the form is too large")
	errGarbled = errors.New("pages: the form cannot be read")
)

// form is what was sent.
type form struct{ url.Values }

// readForm reads a form, at most [maxForm] whatever its length claims.
func readForm(r *http.Request) (form, error) {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/x-www-form-urlencoded" {
		return form{}, errGarbled
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxForm+1))
	switch {
	case err != nil:
		return form{}, errGarbled
	case len(body) > maxForm:
		return form{}, errLarge
	}
	values, err := url.ParseQuery(string(body))
	if err != nil {
		return form{}, errGarbled
	}
	return form{values}, nil
}

// text is a field as its reader meant it: line ends as line feeds, no blanks
// around it, no bytes that are no text.
func (f form) text(name string) string {
	s := strings.ToValidUTF8(f.Get(name), "\uFFFD")
	return strings.TrimSpace(strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "").Replace(s))
}

// longer says whether a text has more than n characters.
func longer(s string, n int) bool { return utf8.RuneCountInString(s) > n }

// unwritable says whether a text holds a control character that no person types:
// such a text is refused, as at every door.
func unwritable(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' })
}

package schema

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// limits is an in tag, read.
type limits struct {
	required, nullable, out, trim bool
	business                      bool
	object, any                   bool   // of json.RawMessage
	beside                        string // any=: what it is beside null

	chars, items bounds
	num          bounds
	enum         []string
	format       string // email, url, date, currency, terms_sha, words, passes or ""
	match        *regexp.Regexp
	fallback     string // default=
	hasFallback  bool
}

// bounds are inclusive; set says that the tag names them.
type bounds struct {
	set      bool
	min, max float64
}

func (b bounds) holds(n float64) bool { return !b.set || (n >= b.min && n <= b.max) }

// parseTag reads an in tag. A tag it cannot read is a mistake in the program.
func parseTag(tag string) (limits, error) {
	var l limits
	for tag != "" {
		if expr, ok := strings.CutPrefix(tag, "match="); ok {
			re, err := regexp.Compile(expr)
			l.match = re
			return l, err
		}
		var part string
		part, tag, _ = strings.Cut(tag, ",")
		name, value, _ := strings.Cut(part, "=")
		if err := l.set(name, value); err != nil {
			return l, err
		}
	}
	return l, nil
}

func (l *limits) set(name, value string) (err error) {
	switch name {
	case "required":
		l.required = true
	case "nullable":
		l.nullable = true
	case "out":
		l.out = true
	case "business":
		l.business = true
	case "trim":
		l.trim = true
	case "object":
		l.object = true
	case "any":
		l.any, l.beside = true, value
	case "len":
		l.chars, err = parseBounds(value)
	case "num":
		l.num, err = parseBounds(value)
	case "items":
		l.items, err = parseBounds(value)
	case "enum":
		l.enum = strings.Split(value, "|")
	case "email", "url", "date", "currency", "terms_sha", "words", "passes":
		l.format = name
	case "default":
		l.fallback, l.hasFallback = value, true
	default:
		err = fmt.Errorf("unknown part %q", name)
	}
	return err
}

func parseBounds(s string) (bounds, error) {
	from, to, ok := strings.Cut(s, "..")
	lo, err := strconv.ParseFloat(from, 64)
	hi, err2 := strconv.ParseFloat(to, 64)
	if !ok || err != nil || err2 != nil || lo > hi {
		return bounds{}, fmt.Errorf("%q is not a..b", s)
	}
	return bounds{set: true, min: lo, max: hi}, nil
}

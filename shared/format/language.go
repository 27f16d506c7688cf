package format

import (
	"strconv"
	"strings"
)

// Lang is a language the inbox writes.
type Lang string

// The languages: British English and European Portuguese (05 §1.2).
const (
	En Lang = "en"
	Pt Lang = "pt"
)

// Langs lists every language.
var Langs = []Lang{En, Pt}

// Language is the one a customer is written to: theirs when it is one of ours,
// else the first of the business's that is, else English (05 §1.2).
func Language(locale string, business []string) Lang {
	if l, ok := written(locale); ok {
		return l
	}
	for _, b := range business {
		if l, ok := written(b); ok {
			return l
		}
	}
	return En
}

// written says whether a locale such as pt, pt-BR or pt_PT is in a language of
// ours.
func written(locale string) (Lang, bool) {
	tag := strings.ToLower(strings.TrimSpace(locale))
	if i := strings.IndexAny(tag, "-_"); i >= 0 {
		tag = tag[:i]
	}
	for _, l := range Langs {
		if tag == string(l) {
			return l, true
		}
	}
	return "", false
}

// AcceptLanguage is the language of a page that was opened without a link: the
// one of ours with the highest q in the header (the first of equals, q=0 means
// never), else as [Language] without a locale.
func AcceptLanguage(header string, business []string) Lang {
	best, bestQ := Lang(""), 0.0
	for _, part := range strings.Split(header, ",") {
		tag, params, _ := strings.Cut(part, ";")
		l, ok := written(tag)
		if q := quality(params); ok && q > bestQ {
			best, bestQ = l, q
		}
	}
	if best != "" {
		return best
	}
	return Language("", business)
}

// quality is the q of a range, 1 when it has none and 0 when it cannot be read.
func quality(params string) float64 {
	for _, p := range strings.Split(params, ";") {
		name, value, _ := strings.Cut(p, "=")
		if !strings.EqualFold(strings.TrimSpace(name), "q") {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || !(q >= 0 && q <= 1) {
			return 0
		}
		return q
	}
	return 1
}

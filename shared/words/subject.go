package words

import (
	"regexp"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
)

// generated are the subjects that the inbox gives when nobody named a request;
// the noun says the same in another language (05 §1.3).
var generated = map[string]bool{"Booking": true, "Order": true, "Quote request": true, "Refund request": true}

// several is the subject of an order of several lines.
var several = regexp.MustCompile(`^(.+) and ([1-9][0-9]*) more$`)

// madeAnew is a subject in a language: one that the inbox made in English when
// nobody named the request is "" in another, for the noun to take its place. A
// return has its order's.
func madeAnew(l format.Lang, t inbox.Type, subject string) string {
	if generated[subject] && l != format.En {
		return ""
	}
	parts := several.FindStringSubmatch(subject)
	if parts == nil || t != order && t != refund {
		return subject
	}
	key := "subject.several"
	if parts[2] == "1" {
		key = "subject.two"
	}
	return fill(sayCore(l, key, t), func(name string) (string, bool) {
		switch name {
		case "first":
			return parts[1], true
		case "more":
			return parts[2], true
		}
		return "", false
	})
}

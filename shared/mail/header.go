package mail

import (
	"bytes"
	"strings"
)

// field is one header field: its name in lower case, its value unfolded and
// otherwise as it stands in the message.
type field struct{ name, value string }

// header is a header block, in the order of the message.
type header []field

// get is the first field of a name (lower case), "" for none.
func (h header) get(name string) string {
	for _, f := range h {
		if f.name == name {
			return f.value
		}
	}
	return ""
}

// all are the fields of a name.
func (h header) all(name string) []string {
	var list []string
	for _, f := range h {
		if f.name == name {
			list = append(list, f.value)
		}
	}
	return list
}

func (h header) has(name string) bool {
	for _, f := range h {
		if f.name == name {
			return true
		}
	}
	return false
}

// readHeader reads the block a message or a part begins with and answers what
// follows it. It never fails: a line that is no field is dropped when fields go
// on behind it, else the body begins with it. whole is false when the block is
// longer than [MaxHeader]; what stands past it counts as body.
func readHeader(raw []byte) (h header, body []byte, whole bool) {
	rest := skipEnvelopeLine(bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf")))
	limit := len(rest) - MaxHeader
	for len(rest) > 0 {
		line, after := cutLine(rest)
		switch name, value, isField := cutField(line); {
		case len(line) == 0:
			return h, after, len(rest) >= limit
		case len(after) < limit:
			return h, rest, false
		case isField:
			value, after = unfold(value, after)
			h = append(h, field{strings.ToLower(name), value})
		case !goesOn(after):
			return h, rest, true
		}
		rest = after
	}
	return h, nil, limit <= 0
}

// unfold adds the lines that go on with a value.
func unfold(value string, rest []byte) (string, []byte) {
	if len(rest) == 0 || !isBlank(rest[0]) {
		return value, rest
	}
	b := []byte(value)
	for len(rest) > 0 && isBlank(rest[0]) {
		var line []byte
		line, rest = cutLine(rest)
		b = append(append(b, ' '), bytes.Trim(line, " \t\r")...)
	}
	return string(b), rest
}

// skipEnvelopeLine drops the "From " line of a mailbox file, which "From :" is
// not.
func skipEnvelopeLine(raw []byte) []byte {
	if bytes.HasPrefix(raw, []byte("From ")) || bytes.HasPrefix(raw, []byte(">From ")) {
		line, rest := cutLine(raw)
		if _, _, isField := cutField(line); !isField {
			return rest
		}
	}
	return raw
}

// cutLine is the first line without its end, and what follows.
func cutLine(b []byte) (line, rest []byte) {
	line, rest, _ = bytes.Cut(b, []byte{'\n'})
	return bytes.TrimSuffix(line, []byte{'\r'}), rest
}

// cutField reads "Name: value". A blank before the colon is forgiven.
func cutField(line []byte) (name, value string, ok bool) {
	at := bytes.IndexByte(line, ':')
	if at < 1 || at > 200 {
		return "", "", false
	}
	key := bytes.TrimRight(line[:at], " \t")
	for _, c := range key {
		if c <= ' ' || c >= 0x7f {
			return "", "", false
		}
	}
	return string(key), string(bytes.Trim(line[at+1:], " \t\r")), len(key) > 0
}

// goesOn says whether a block goes on behind a line that is no field.
func goesOn(rest []byte) bool {
	line, _ := cutLine(rest)
	_, _, ok := cutField(line)
	return ok
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

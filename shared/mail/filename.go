package mail

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
)

// fileName is a part's file name, one line, without a path: as the disposition
// says, else as the type says; encoded by RFC 2231, or by RFC 2047 as many
// mailers do.
func fileName(h header, disposition, kind map[string]string) string {
	for _, found := range []string{
		extended(h.get("content-disposition"), "filename"), disposition["filename"],
		extended(h.get("content-type"), "name"), kind["name"],
	} {
		if name := cleanName(decodeWords(found)); name != "" {
			return name
		}
	}
	return ""
}

// cleanName is a name without a path and without what could make it read as
// another, at most [MaxName] characters with its ending.
func cleanName(s string) string {
	s = line(s)
	s = strings.Trim(s[strings.LastIndexAny(s, `/\`)+1:], " .")
	if !longer(s, MaxName) {
		return s
	}
	ending := ""
	if dot := strings.LastIndexByte(s, '.'); dot > 0 && len(s)-dot <= 10 {
		ending = s[dot:]
	}
	return cutRunes(s, MaxName-len(ending)) + ending
}

// extended reads a parameter written as RFC 2231 allows: name*=charset'lang'…,
// or in pieces name*0=, name*1*=. "" when it is not written so.
func extended(value, name string) string {
	pieces := map[int]string{}
	coded := map[int]bool{}
	for _, p := range splitParams(value) {
		key, v, ok := strings.Cut(p, "=")
		rest, mine := strings.CutPrefix(strings.ToLower(strings.TrimSpace(key)), name+"*")
		if !ok || !mine {
			continue
		}
		rest, isCoded := strings.CutSuffix(rest, "*")
		n, err := strconv.Atoi(rest)
		switch {
		case rest == "" && !isCoded: // name*=
			n, isCoded = 0, true
		case err != nil || n < 0 || n >= 100:
			continue
		}
		pieces[n], coded[n] = unquote(v), isCoded
	}
	return join(pieces, coded)
}

// join puts the pieces together; the first one names the charset of all.
func join(pieces map[int]string, coded map[int]bool) string {
	var order []int
	for n := range pieces {
		order = append(order, n)
	}
	slices.Sort(order)
	charset := ""
	var raw []byte
	for i, n := range order {
		if n != i {
			break // a piece is missing: what follows would stand in the wrong place
		}
		v := pieces[n]
		if coded[n] {
			if set, rest, ok := strings.Cut(v, "'"); ok && n == 0 {
				_, v, _ = strings.Cut(rest, "'")
				charset = set
			}
			if plain, err := url.PathUnescape(v); err == nil {
				v = plain
			}
		}
		raw = append(raw, v...)
	}
	return decodeBytes(raw, charset)
}

// splitParams cuts a header's value at semicolons outside quotes.
func splitParams(s string) []string {
	s = s[:min(len(s), maxField)]
	var list []string
	start, quoted := 0, false
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\' && quoted:
			i++
		case s[i] == '"':
			quoted = !quoted
		case s[i] == ';' && !quoted:
			list = append(list, s[start:i])
			start = i + 1
		}
	}
	return append(list, s[start:])
}

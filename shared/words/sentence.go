package words

import (
	"strings"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
)

// table is the sentences of a language by key. A key may have another sentence
// for one type, under "key@type". {placeholders} are filled with facts.
type table map[string]string

// tables holds what is written, by language.
var tables = map[format.Lang]table{
	format.En: join(english),
	format.Pt: join(portuguese),
}

func join(parts []table) table {
	all := table{}
	for _, part := range parts {
		for key, sentence := range part {
			all[key] = sentence
		}
	}
	return all
}

// Written is the language words come in: the one asked for once its table
// exists, else English. Dates and money follow the words, so a mail never mixes
// two languages.
func Written(l format.Lang) format.Lang {
	if _, ok := tables[l]; ok {
		return l
	}
	return format.En
}

// say finds a sentence: the type's own, else the one for all; "" for a key that
// does not exist.
func say(l format.Lang, key string, t inbox.Type) string {
	if s, ok := tables[l][key+"@"+string(t)]; ok {
		return s
	}
	return tables[l][key]
}

// facts answers what a placeholder stands for, and whether there is such a fact.
type facts func(name string) (string, bool)

// fill puts facts into a sentence in one pass, so that a fact which looks like
// a placeholder stays as it is. A placeholder with a capital first letter is
// the fact with one. What is no fact stays as written.
func fill(sentence string, get facts) string {
	var b strings.Builder
	b.Grow(len(sentence) + 100)
	for {
		text, rest, found := strings.Cut(sentence, "{")
		b.WriteString(text)
		if !found {
			return b.String()
		}
		name, after, closed := strings.Cut(rest, "}")
		fact, known := "", false
		capital := closed && name != "" && name[0] >= 'A' && name[0] <= 'Z'
		switch {
		case capital:
			fact, known = get(strings.ToLower(name[:1]) + name[1:])
		case closed && name != "":
			fact, known = get(name)
		}
		if !known {
			b.WriteByte('{')
			sentence = rest
			continue
		}
		if capital {
			fact = format.Capital(fact)
		}
		b.WriteString(fact)
		sentence = after
	}
}

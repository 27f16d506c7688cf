package words

import (
	"strings"
	"sync"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
)

// table is the sentences of a language by key. A key may have another sentence
// for one type, under "key@type". {placeholders} are filled with facts.
type table map[string]string

// core holds what is said about an item wherever it is said, by language: it is
// all that a program needs which writes no mail and shows no page, and so all
// that it has.
var core = map[format.Lang]table{
	format.En: join(english),
	format.Pt: join(portuguese),
}

// apart are the parts of a language that mails and pages alone say.
func apart(l format.Lang) []table {
	if l == format.Pt {
		return portugueseApart()
	}
	return englishApart()
}

var everything struct {
	once   sync.Once
	tables map[format.Lang]table
}

// tables is everything that is written, by language.
func tables() map[format.Lang]table {
	everything.once.Do(func() {
		everything.tables = map[format.Lang]table{}
		for l, said := range core {
			everything.tables[l] = join(append([]table{said}, apart(l)...))
		}
	})
	return everything.tables
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
	if _, ok := core[l]; ok {
		return l
	}
	return format.En
}

// say finds a sentence: the type's own, else the one for all; "" for a key that
// does not exist.
func say(l format.Lang, key string, t inbox.Type) string { return find(tables()[l], key, t) }

// sayCore is [say] for what is said about an item wherever it is said.
func sayCore(l format.Lang, key string, t inbox.Type) string { return find(core[l], key, t) }

func find(said table, key string, t inbox.Type) string {
	if s, ok := said[key+"@"+string(t)]; ok {
		return s
	}
	return said[key]
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

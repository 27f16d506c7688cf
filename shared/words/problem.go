package words

import (
	"time"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
)

// ProblemFacts is what a refusal may name.
type ProblemFacts struct {
	About    *About         // the item, for its status sentence
	Earliest *inbox.Instant // the first time that is not too soon
	Until    *inbox.Instant // until when it was possible
	Zone     *time.Location
}

// Problem is the sentence that tells a customer of a refusal, and whether the
// key has one: a code of 03 §4, a guard of 01 §6, or what was found at a create.
// What a sentence names has to be there: without it there is none.
func Problem(l format.Lang, key string, facts ProblemFacts) (string, bool) {
	l = Written(l)
	t := inbox.Type("")
	if facts.About != nil {
		t = facts.About.Type
	}
	whole := true
	sentence := fill(sayCore(l, "problem."+key, t), func(name string) (string, bool) {
		fact := facts.fact(l, name)
		whole = whole && fact != ""
		return fact, true
	})
	if sentence == "" || !whole {
		return "", false
	}
	return sentence, true
}

func (f ProblemFacts) fact(l format.Lang, name string) string {
	write := func(i inbox.Instant) string { return format.DateTime(l, i, f.Zone) }
	switch name {
	case "earliest":
		return written(f.Earliest, write)
	case "until":
		return written(f.Until, write)
	case "human":
		return written(f.About, func(a About) string { return Human(l, a) })
	}
	return ""
}

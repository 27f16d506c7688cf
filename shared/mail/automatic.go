package mail

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// phraseReach is how far into a text phrases are looked for, in characters, and
// gapReach how much "…" stands for (05 §5.10).
const (
	phraseReach = 400
	gapReach    = 40
)

// readSigns collects the marks of automatic mail (05 §5.10).
func readSigns(h header, d Delivery, root *part, r Received) Signs {
	s := Signs{
		Suppress:  h.has("x-auto-response-suppress"),
		RulesLoop: h.has("x-ms-exchange-inbox-rules-loop"),
		Subject:   automaticSubject(r.Subject),
	}
	s.Machine, s.Away = phrases(r.Text)
	s.Proof, s.Kind = proof(h, d, root, r)
	s.Unanswerable = unanswerable(h, r.From.Email)
	return s
}

// proof is the signal that proves a machine, and what it wrote. What a report
// says decides before who sent it; a null path alone is an automatic reply
// (09 "automatic or not").
func proof(h header, d Delivery, root *part, r Received) (signal string, kind Automation) {
	kind = AutoReply
	if r.Report != nil {
		kind = r.Report.Kind
	}
	submitted := strings.ToLower(firstWord(h.get("auto-submitted")))
	precedence := strings.ToLower(firstWord(h.get("precedence")))
	local := localPart(r.From.Email)
	declared, _ := mediaType(h.get("content-type")) // without its parts a report is one all the same
	switch {
	case declared == "multipart/report" || declared == "message/delivery-status" || declared == "message/disposition-notification" || declared == "message/feedback-report":
		return "Content-Type: " + declared, reportKind(root, kind)
	case h.has("x-failed-recipients"):
		return "X-Failed-Recipients", AutoBounce
	case local == "mailer-daemon" || local == "postmaster" || r.From.Email == "" && daemon(h.get("from")):
		return "From: " + cutRunes(line(h.get("from")), MaxName), AutoBounce
	case nullPath(h, d):
		return "null return path", kind
	case submitted != "" && submitted != "no":
		return "Auto-Submitted: " + submitted, kind
	case precedence == "auto_reply" || precedence == "bulk" || precedence == "junk":
		return "Precedence: " + precedence, kind
	case r.Report != nil:
		return "a mail system's report", kind
	}
	for _, name := range []string{"X-Autoreply", "X-Autorespond", "X-Autoresponder", "X-Auto-Reply-From"} {
		if h.has(strings.ToLower(name)) {
			return name, kind
		}
	}
	return "", ""
}

// daemon says whether a From without a usable address names a mail system.
func daemon(from string) bool {
	f := strings.ToLower(from)
	return strings.Contains(f, "mailer-daemon") || strings.Contains(f, "postmaster") || strings.Contains(f, "mail delivery sub")
}

// reportKind is the kind a report's header names, where no report could be read.
func reportKind(root *part, read Automation) Automation {
	if read != AutoReply {
		return read
	}
	switch kind := strings.ToLower(root.params["report-type"]); {
	case strings.HasPrefix(kind, "disposition-notification"):
		return AutoReceipt
	case kind == "feedback-report":
		return AutoFeedback
	}
	return AutoBounce
}

// nullPath says whether the envelope sender or the Return-Path is empty.
func nullPath(h header, d Delivery) bool {
	if d.From != nil && strings.Trim(*d.From, "<> ") == "" {
		return true
	}
	for _, path := range h.all("return-path") {
		if strings.ReplaceAll(path, " ", "") == "<>" {
			return true
		}
	}
	return false
}

// unanswerable says whether no machine of ours may answer, though a person may
// have written (05 §5.10).
func unanswerable(h header, from string) bool {
	if h.has("list-id") || h.has("list-unsubscribe") || noReply(from) || strings.EqualFold(firstWord(h.get("precedence")), "list") {
		return true
	}
	for _, value := range h.all("x-auto-response-suppress") {
		for v := range strings.SplitSeq(strings.ToLower(value), ",") {
			if v = strings.TrimSpace(v); v == "all" || v == "autoreply" {
				return true
			}
		}
	}
	return false
}

// noReplyNames are local parts nobody reads (05 §5.10).
var noReplyNames = []string{"noreply", "no-reply", "no_reply", "donotreply", "do-not-reply", "nao-responda", "naoresponder", "notification", "notifications"}

// noReply says whether an address is one nobody reads: one of the names, alone
// or before what a sender adds to it.
func noReply(email string) bool {
	local := localPart(email)
	for _, n := range noReplyNames {
		if rest, ok := strings.CutPrefix(local, n); ok && (rest == "" || strings.ContainsRune("+-._=", rune(rest[0]))) {
			return true
		}
	}
	return false
}

// Automatic judges whether a machine wrote a mail, given the mail of ours that
// it answers (05 §5.10). A signal of the header proves it whatever is answered;
// words count only in a mail that surely answers one of ours, since a person's
// own new subject is never judged by its words, or together with one of the two
// headers of Exchange.
func (r Received) Automatic(t Thread) Judgement {
	s := r.Signs
	yes := func(why string) Judgement { return Judgement{true, AutoReply, why} }
	switch exchange := s.Suppress || s.RulesLoop; {
	case s.Proof != "":
		return Judgement{true, s.Kind, s.Proof}
	case s.Subject != "" && (t.Strong || exchange):
		return yes("subject: " + s.Subject)
	case s.Machine != "" && (t.Strong || exchange):
		return yes("phrase: " + s.Machine)
	case s.Away != "" && (s.Suppress || t.Strong && (exchange || t.Soon)):
		return yes("phrase: " + s.Away)
	}
	return Judgement{}
}

// subjectWords and the phrases are folded once, when first used.
var folded = sync.OnceValue(func() (f struct{ subjects, machine, away []string }) {
	for to, from := range map[*[]string][]string{&f.subjects: automaticSubjects, &f.machine: machinePhrases, &f.away: awayPhrases} {
		for _, s := range from {
			*to = append(*to, oneMail(casefold(s)))
		}
	}
	return f
})

// answerMarks stand before the subject of an answer.
var answerMarks = []string{"re", "aw", "rv", "r", "tr"}

// automaticSubject is the listed subject that a subject begins with, after any
// mark of an answer, when its end, a separator, or a date or a name follow; ""
// for none.
func automaticSubject(subject string) string {
	subject = dropMarks(subject)
	f := casefold(subject)
	best := ""
	for i, s := range folded().subjects {
		if rest, ok := strings.CutPrefix(f, s); ok && len(s) > len(casefold(best)) && (endsSubject(rest, subject) || strings.HasSuffix(s, " from") && rest != "") {
			best = automaticSubjects[i]
		}
	}
	return best
}

// dropMarks takes Re: and its like off a subject, with the blank that French
// programs write before the colon and the count some put behind it.
func dropMarks(s string) string {
	for {
		mark, rest, ok := strings.Cut(s, ":")
		mark = casefold(strings.TrimRight(mark, "0123456789[]() \u00a0"))
		known := false
		for _, m := range answerMarks {
			known = known || mark == m
		}
		if !ok || !known {
			return strings.TrimSpace(s)
		}
		s = strings.TrimSpace(rest)
	}
}

// endsSubject says whether what follows a listed subject, folded, leaves it one:
// nothing, a separator, or a blank and a date or a name.
func endsSubject(rest, subject string) bool {
	tail := strings.TrimLeft(rest, " ")
	if tail == "" || strings.ContainsRune(":-–—[(!.,", firstRune(tail)) {
		return true
	}
	if rest == tail { // the word goes on
		return false
	}
	first, _, _ := strings.Cut(tail, " ")
	if unicode.IsDigit(firstRune(first)) || dateWords[first] && (len(tail) > len(first) || len(first) > 3) {
		return datedTail(tail)
	}
	at := strings.Fields(subject)
	n := len(strings.Fields(tail))
	return n <= len(at) && unicode.IsUpper(firstRune(at[len(at)-n]))
}

// datedTail says whether what follows has a number, a day or a month, or names
// nothing else than when.
func datedTail(tail string) bool {
	if strings.ContainsAny(tail, "0123456789") {
		return true
	}
	for w := range strings.FieldsSeq(tail) {
		if !dateWords[strings.Trim(w, ".,;:!")] {
			return false
		}
	}
	return true
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// phrases are the first listed phrase of each kind near the beginning of a text.
func phrases(s string) (machine, away string) {
	f := oneMail(casefold(cutRunes(s, phraseReach)))
	find := func(list []string) string {
		for _, p := range list {
			if contains(f, p) {
				return p
			}
		}
		return ""
	}
	return find(folded().machine), find(folded().away)
}

// oneMail writes e-mail as email, as both are written in every one of the
// languages.
func oneMail(folded string) string { return strings.ReplaceAll(folded, "e-mail", "email") }

// contains looks for a phrase at the beginning of a word; "…" in it stands for
// up to [gapReach] characters within a sentence.
func contains(s, phrase string) bool {
	head, tail, gap := strings.Cut(phrase, "…")
	for at := 0; ; {
		i := strings.Index(s[at:], head)
		if i < 0 {
			return false
		}
		at += i
		before, _ := utf8.DecodeLastRuneInString(s[:at])
		at += len(head)
		if at-len(head) > 0 && unicode.IsLetter(before) {
			continue
		}
		if !gap {
			return true
		}
		near := cutRunes(s[at:], gapReach+utf8.RuneCountInString(tail))
		if strings.Contains(near[:sentence(near)], tail) {
			return true
		}
	}
}

// sentence is where the sentence ends that s goes on with; the point of a day
// ("12. Oktober") ends none.
func sentence(s string) int {
	for i, c := range s {
		if c == '!' || c == '?' || c == '.' && (i == 0 || s[i-1] < '0' || s[i-1] > '9') {
			return i
		}
	}
	return len(s)
}

package mail

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
	"sync"
)

// maxID is the longest message id taken, in bytes (a line of RFC 5322).
const maxID = 998

// bareID is a message id without brackets and blanks, "" for what is none.
func bareID(s string) string {
	if open := strings.IndexByte(s, '<'); open >= 0 {
		s, _, _ = strings.Cut(s[open+1:], ">")
	}
	if s = strings.Join(strings.Fields(s), ""); len(s) > maxID {
		return ""
	}
	return line(strings.ToValidUTF8(s, "\uFFFD"))
}

// idList are the ids of In-Reply-To or References. Ids that lost their brackets
// count where nothing has any.
func idList(value string) []string {
	var list []string
	add := func(s string) {
		if id := bareID(s); id != "" && len(list) < 1000 {
			list = append(list, id)
		}
	}
	if !strings.Contains(value, "<") {
		for w := range strings.FieldsFuncSeq(value, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' }) {
			if strings.ContainsAny(w, "@-") {
				add(w)
			}
		}
		return list
	}
	for {
		_, after, ok := strings.Cut(value, "<")
		if !ok {
			return list
		}
		id, rest, closed := strings.Cut(after, ">")
		if closed {
			add(id)
		}
		value = rest
	}
}

// threadIDs are the ids compared for a thread: In-Reply-To, then the first and
// the last of References (05 §5.9 row 2), [MaxIDs] at most.
func threadIDs(h header) []string {
	seen := map[string]bool{}
	var list []string
	add := func(ids ...string) {
		for _, id := range ids {
			if !seen[id] && len(list) < MaxIDs {
				seen[id] = true
				list = append(list, id)
			}
		}
	}
	answers := idList(strings.Join(h.all("in-reply-to"), " "))
	add(answers[:min(len(answers), 5)]...)
	refs := idList(strings.Join(h.all("references"), " "))
	if len(refs) > 0 {
		add(refs[0])
		room := MaxIDs - len(list)
		add(refs[max(1, len(refs)-room):]...)
	}
	return list
}

// IDForms are the forms in which one message id is looked up (05 §5.9 row 2):
// in brackets, bare, and its local part, by which the mail service's ids are
// known whatever region stands behind them.
func IDForms(id string) []string {
	id = bareID(id)
	if id == "" {
		return nil
	}
	forms := []string{"<" + id + ">", id}
	if at := strings.LastIndexByte(id, '@'); at > 0 {
		forms = append(forms, id[:at])
	}
	return forms
}

// tokenLetters are RFC 4648's base32 in lower case.
const tokenLetters = "abcdefghijklmnopqrstuvwxyz234567"

// ReplyTokenOf reads the token of an item's reply address, reply+‹token›@…, in
// any case (05 §4.4); ok is false for any other address.
func ReplyTokenOf(address string) (token string, ok bool) {
	token, ok = strings.CutPrefix(strings.ToLower(localPart(address)), "reply+")
	return token, ok && len(token) == 26 && strings.Trim(token, tokenLetters) == ""
}

func replyTokens(addresses []string) []string {
	var list []string
	seen := map[string]bool{}
	for _, a := range addresses {
		if t, ok := ReplyTokenOf(a); ok && !seen[t] {
			seen[t] = true
			list = append(list, t)
		}
	}
	return list
}

// maxReferences bounds how many references are looked up.
const maxReferences = 10

// referenceForms are made when first used: most functions never receive mail.
var referenceForms = sync.OnceValue(func() (f struct{ text, word *regexp.Regexp }) {
	f.text = regexp.MustCompile(`(?i)refer[eê]nc(?:e|ia)(?:\s|\x{a0})*:[\s>*\x{a0}]*([0-9a-z](?:[ -]?[0-9a-z]){5})(?:[^0-9a-z]|$)`)
	f.word = regexp.MustCompile(`(?:^|[^0-9A-Za-z])([0-9A-Za-z]{6})(?:[^0-9A-Za-z]|$)`)
	return f
})

// references are six-character references in a subject or, behind their word,
// in a text (05 §5.9 row 4).
func references(subject, whole string) []string {
	var list []string
	add := func(s string) {
		ref := NormalReference(s)
		for _, r := range list {
			if r == ref {
				return
			}
		}
		if ref != "" && len(list) < maxReferences {
			list = append(list, ref)
		}
	}
	for _, m := range referenceForms().text.FindAllStringSubmatch(subject, maxReferences) {
		add(m[1])
	}
	for rest := subject; ; {
		m := referenceForms().word.FindStringSubmatchIndex(rest)
		if m == nil {
			break
		}
		if w := rest[m[2]:m[3]]; strings.ContainsAny(w, "0123456789") || strings.ToUpper(w) == w {
			add(w)
		}
		rest = rest[m[3]:]
	}
	for _, at := range places(whole) {
		if m := referenceForms().text.FindStringSubmatch(whole[at:min(len(whole), at+80)]); m != nil {
			add(m[1])
		}
	}
	return list
}

// places are where the word for a reference begins, so that a long text is not
// searched by pattern.
func places(s string) []int {
	var list []int
	for _, w := range []string{"efer", "EFER"} {
		for at := 1; len(list) < 50 && at < len(s); {
			i := strings.Index(s[at:], w)
			if i < 0 {
				break
			}
			list = append(list, at+i-1)
			at += i + len(w)
		}
	}
	return list
}

// referenceLetters are Crockford's base32.
const referenceLetters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// NormalReference is a reference as it is looked up: upper case, O as 0, I and L
// as 1, without blanks and hyphens (05 §1.4); "" for what is none.
func NormalReference(s string) string {
	s = strings.NewReplacer("O", "0", "I", "1", "L", "1", " ", "", "-", "").Replace(strings.ToUpper(s))
	if len(s) != 6 || strings.Trim(s, referenceLetters) != "" {
		return ""
	}
	return s
}

// DuplicateKey tells a mail received twice (05 §5.11): SHA-256 in hex over its
// Message-ID and From, or without a Message-ID over From, Date, Subject and
// body.
func (r Received) DuplicateKey() string {
	if r.MessageID != "" {
		return hashOf(r.MessageID, r.From.Email)
	}
	return hashOf(r.From.Email, r.Date, r.Subject, r.BodyHash)
}

// OtherBodyKey is the key of a mail whose [Received.DuplicateKey] is taken by
// one with another body: nobody can take a customer's mail away by guessing its
// id.
func (r Received) OtherBodyKey() string { return r.DuplicateKey() + "+" + r.BodyHash }

func hashOf(fields ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(fields, "\n")))
	return hex.EncodeToString(sum[:])
}

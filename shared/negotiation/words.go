package negotiation

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// moneyWords are the codes and words of currencies (02 §8.5), in lower case.
var moneyWords = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`
		eur gbp usd brl chf
		euro euros pound pounds quid bucks dollar dollars
		libra libras dólar dólares dolar dolares reais
		cent cents cêntimo cêntimos centimo centimos penny pence`) {
		m[w] = true
	}
	return m
}()

// NamesMoney says whether a text holds a digit beside a currency sign, code or
// word, before or after it, with any spaces between (09, "automation before
// limits exist"). currency is the business's own code, known beside the common
// ones. Full-width and other compatible forms count, invisible characters do
// not hide anything.
func NamesMoney(text, currency string) bool {
	s := scanner{own: strings.ToLower(currency)}
	for _, r := range norm.NFKC.String(text) {
		if invisible(r) {
			continue
		}
		if s.next(r) {
			return true
		}
	}
	return s.next(' ')
}

// invisible characters, the soft hyphen among them, take no room.
func invisible(r rune) bool { return unicode.Is(unicode.Cf, r) }

// token is what the scanner last saw beside spaces.
type token int

const (
	nothing token = iota
	number
	money
)

// scanner walks a text one character at a time and keeps the word it is in and
// what stood before it.
type scanner struct {
	own  string
	last token
	word []rune
}

// next takes one character and says whether a number now stands beside money.
func (s *scanner) next(r rune) bool {
	if unicode.IsLetter(r) || unicode.IsMark(r) {
		s.word = append(s.word, unicode.ToLower(r))
		return false
	}
	found := s.endWord()
	switch {
	case unicode.IsDigit(r):
		return s.see(number) || found
	case unicode.Is(unicode.Sc, r):
		return s.see(money) || found
	case unicode.IsSpace(r), s.last == number && strings.ContainsRune(".,'’-–—", r), s.last == money && r == ':':
	default:
		s.last = nothing
	}
	return found
}

func (s *scanner) endWord() bool {
	if len(s.word) == 0 {
		return false
	}
	w := string(s.word)
	s.word = s.word[:0]
	if moneyWords[w] || w == s.own {
		return s.see(money)
	}
	s.last = nothing
	return false
}

func (s *scanner) see(t token) bool {
	beside := s.last != nothing && s.last != t
	s.last = t
	return beside
}

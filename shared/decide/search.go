package decide

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"typedinbox/shared/inbox"
)

// Bounds of the words an item is found by (01 §19.13).
const (
	MaxWords = 200 // an item's
	maxWord  = 40  // letters of one; longer ones are found by their beginning
)

// SearchWords are the words of a text as they are compared, each once, in their
// order: runs of letters and digits without accents, in lower case, ß as ss. Two
// texts that read alike give the same words, whatever their Unicode form.
func SearchWords(text string) []string {
	var w wordList
	w.add(text)
	return w.list
}

// wordList gathers words, each once, up to a limit; 0 is none.
type wordList struct {
	list  []string
	seen  map[string]bool
	limit int
}

// plainLetters are letters that decomposition leaves whole.
var plainLetters = strings.NewReplacer(
	"ß", "ss", "ẞ", "ss", "æ", "ae", "Æ", "ae", "œ", "oe", "Œ", "oe", "ø", "o", "Ø", "o", "ł", "l", "Ł", "l",
	"đ", "d", "Đ", "d", "ð", "d", "þ", "th", "ı", "i", "ς", "σ",
)

func (w *wordList) add(text string) {
	var word []rune
	end := func() {
		w.word(string(word))
		word = word[:0]
	}
	for _, r := range plainLetters.Replace(norm.NFKD.String(text)) {
		switch {
		case unicode.IsLetter(r) || unicode.IsNumber(r):
			if len(word) < maxWord {
				word = append(word, unicode.ToLower(r))
			}
		case unicode.Is(unicode.Mn, r) || unicode.Is(unicode.Cf, r): // accents, and marks nobody sees
		default:
			end()
		}
		if w.full() {
			return
		}
	}
	end()
}

func (w *wordList) full() bool { return w.limit > 0 && len(w.list) >= w.limit }

func (w *wordList) word(s string) {
	if s == "" || w.seen[s] || w.full() {
		return
	}
	if w.seen == nil {
		w.seen = map[string]bool{}
	}
	w.seen[s] = true
	w.list = append(w.list, s)
}

// national is how many of its last digits a number is found by without its
// country code.
const national = 9

func (w *wordList) phone(s string) {
	digits, ok := NormalPhone(s)
	if !ok {
		return
	}
	w.word(digits)
	w.word(digits[max(0, len(digits)-national):])
}

// SearchFor reads what somebody looks for: the words that all have to be found,
// each by its beginning, and the reference it may be, "" for none (03 §6.5). What
// looks like a number is one word.
func SearchFor(q string) (words []string, reference string) {
	reference = NormalReference(q)
	if digits, ok := NormalPhone(q); ok && strings.Trim(q, "0123456789+-()./ ") == "" {
		return []string{digits}, reference
	}
	return SearchWords(q), reference
}

// referenceLetters are those of an item's id.
const referenceLetters = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

// NormalReference is a reference as people type one: in upper case, O as 0, I
// and L as 1, without spaces and hyphens (05 §1.4); "" for what is none.
func NormalReference(s string) string {
	s = strings.NewReplacer("O", "0", "I", "1", "L", "1", " ", "", "-", "").Replace(strings.ToUpper(s))
	if len(s) != 6 || strings.Trim(s, referenceLetters) != "" {
		return ""
	}
	return s
}

// ItemWords are the words an item is found by, at most [MaxWords]: of its
// customer first, then of its subject, its payload and its conversation, the
// newest first, so that no text crowds out who it is about.
func ItemWords(r *inbox.Record, p *inbox.Party, thread []inbox.Entry) []string {
	w := wordList{limit: MaxWords}
	if p != nil && p.ErasedAt == nil {
		w.add(p.DisplayName)
		w.add(p.Contact.Name)
		w.phone(p.Contact.Phone)
		w.add(p.Contact.Email)
	}
	if r.Item.Subject != nil {
		w.add(*r.Item.Subject)
	}
	for _, text := range payloadTexts(r.Item.Payload) {
		w.add(text)
	}
	for _, t := range slices.Backward(thread) {
		w.add(t.Subject)
		w.add(t.BodyText)
	}
	return w.list
}

// payloadTexts are the words of a payload that people wrote or read.
func payloadTexts(p inbox.Payload) (texts []string) {
	say := func(more ...string) { texts = append(texts, more...) }
	address := func(a *inbox.PostalAddress) {
		if a != nil {
			say(a.StreetAddress, a.AddressLocality, a.AddressRegion, a.PostalCode)
		}
	}
	switch {
	case p.Booking != nil:
		say(p.Booking.ReservationFor.Name, p.Booking.Notes)
	case p.Order != nil:
		for _, l := range p.Order.OrderedItem {
			say(l.Name, l.SKU)
		}
		say(p.Order.Notes)
		address(p.Order.ShippingAddress)
		address(p.Order.BillingAddress)
	case p.Quote != nil:
		q := p.Quote
		say(q.ItemOffered.Name, q.ItemOffered.SKU, q.Description)
		address(q.DeliveryAddress)
		if q.Quote != nil {
			for _, l := range q.Quote.Lines {
				say(l.Name)
			}
			say(q.Quote.Notes)
		}
	case p.Message != nil:
		say(p.Message.Subject, p.Message.Text)
	case p.Refund != nil:
		say(p.Refund.Reason)
	}
	return texts
}

// wordy are the keys of payloads whose values are among the words.
var wordy = []string{
	"reservationFor", "notes", "orderedItem", "shippingAddress", "billingAddress", "itemOffered", "description",
	"deliveryAddress", "quote", "text", "subject", "reason",
}

// OweIndex adds to a write that its items' words are made findable, where they
// may have changed: on the job that is due at the commit, else on one of their
// own.
func OweIndex(w *Write, e Env) {
	for i := range w.Items {
		id := w.Items[i].Record.Item.ID
		because := newWords(w, &w.Items[i])
		if because == "" {
			continue
		}
		owed := inbox.Effect{ID: "index:" + because, Kind: inbox.EffectIndex}
		at := slices.IndexFunc(w.Jobs, func(j inbox.Job) bool { return j.Ready })
		if at < 0 {
			w.Jobs = append(job(id, []inbox.Effect{owed}, e), w.Jobs...)
			continue
		}
		if w.Jobs[at].ItemID != id {
			owed.ItemID = id
		}
		w.Jobs = slices.Clone(w.Jobs)
		w.Jobs[at].Effects = append(slices.Clip(w.Jobs[at].Effects), owed)
	}
}

// newWords names what in a write may have changed an item's words, "" for
// nothing.
func newWords(w *Write, i *ItemWrite) string {
	id := i.Record.Item.ID
	if i.Expect == 0 {
		return id
	}
	for _, t := range w.Entries {
		if t.ItemID == id {
			return t.ID
		}
	}
	for _, ev := range w.Events {
		if ev.ItemID == id && ev.Diff != nil && slices.ContainsFunc(wordy, func(k string) bool { _, ok := ev.Diff.Payload[k]; return ok }) {
			return ev.ID
		}
	}
	return ""
}

package decide

import (
	"strings"

	"golang.org/x/net/idna"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
)

// plan decides whose the item is (01 §15.2): the caller's own party, else a new
// one. Who gives the address or number of a customer known already is only a
// possible match: nothing of that customer's opens.
//
// What it reads of known customers is no condition of the write. Two strangers
// who come at once with one new address are both new, and nobody gains a right
// by it; a customer who is merged meanwhile is found through the party they were
// merged into.
func (b *birth) plan() *inbox.Problem {
	if b.r.PartyID != "" {
		return b.join()
	}
	b.rec.CustomerMatch = inbox.MatchNone
	switch k := knownFor(b.f.Known); {
	case k != nil && b.proves(k):
		return b.recognise(k)
	case k != nil:
		b.rec.CustomerMatch, b.rec.PossiblePartyID = inbox.MatchWeak, k.Party.ID
		b.f.Possible = &k.Party
	}
	b.write.Party = b.newParty()
	b.write.Contacts = contacts(b.write.Party.ID, b.r.Contact, b.e.Now)
	b.verify()
	return nil
}

// join makes the item the caller's own party's.
func (b *birth) join() *inbox.Problem {
	p := b.f.Party
	switch {
	case p == nil || p.ID != b.r.PartyID:
		return inbox.Refuse(inbox.CodeNotFound, "There is no customer under this id.")
	case p.ErasedAt != nil:
		return inbox.NotAllowed("", "This customer was erased.")
	}
	b.rec.CustomerMatch = inbox.MatchStrong
	b.write.Contacts = added(b.f.Known, contacts(p.ID, b.r.Contact, b.e.Now))
	if learned, news := learn(*p, b.r.Contact, b.e.Now); news {
		b.write.Parties = []inbox.Party{learned}
	}
	return nil
}

// partyID is the party an item of the create belongs to.
func (b *birth) partyID() string {
	if p := b.party(); p != nil {
		return p.ID
	}
	return ""
}

// party is the item's party as the write leaves it.
func (b *birth) party() *inbox.Party {
	switch {
	case b.write.Party != nil:
		return b.write.Party
	case len(b.write.Parties) > 0:
		return &b.write.Parties[0]
	}
	return b.f.Party
}

func (b *birth) newParty() *inbox.Party {
	p := &inbox.Party{ID: b.e.Source.ID(b.e.Now), Kind: b.partyKind(), CreatedAt: b.e.Now, UpdatedAt: b.e.Now}
	if c := b.r.Contact; c != nil {
		p.Contact, p.DisplayName, p.Locale = *c, strings.TrimSpace(c.Name), c.Locale
		if p.DisplayName == "" {
			p.DisplayName = strings.TrimSpace(c.Email)
		}
	}
	return p
}

// partyKind: a contact is a person's, never the agent's. Without one a
// customer's kind says which, and of whom the business wrote down nothing is
// known.
func (b *birth) partyKind() inbox.PartyKind {
	if c := b.r.Contact; c != nil && (c.Name != "" || c.Email != "" || c.Phone != "") {
		return inbox.PartyHuman
	}
	switch b.c.Kind {
	case inbox.CustomerHuman:
		return inbox.PartyHuman
	case inbox.CustomerAgent:
		return inbox.PartyAgent
	}
	return inbox.PartyUnknown
}

// contacts are the values a party can be found by; what cannot be normalised is
// kept on the party and not matched on (01 §15.1).
func contacts(partyID string, c *inbox.Contact, now inbox.Instant) []inbox.PartyContact {
	if c == nil {
		return nil
	}
	var list []inbox.PartyContact
	add := func(kind inbox.ContactKind, value string, ok bool) {
		if ok {
			list = append(list, inbox.PartyContact{PartyID: partyID, Kind: kind, Value: value, CreatedAt: now})
		}
	}
	email, ok := NormalEmail(c.Email)
	add(inbox.ContactEmail, email, ok)
	phone, ok := NormalPhone(c.Phone)
	add(inbox.ContactPhone, phone, ok)
	return list
}

const (
	maxEmail     = 320 // bytes
	maxLabel     = 63
	badInLocal   = `"()<>[]\,;:@`
	asciiBlanks  = " \t\r\n\v\f"
	minPhone     = 6 // digits
	maxPhone     = 20
	labelLetters = "abcdefghijklmnopqrstuvwxyz0123456789-"
)

// NormalEmail is an address as it is compared (01 §15.1): blanks around it cut,
// A–Z in lower case and nothing else folded, one dot behind the domain dropped,
// labels that are not ASCII in punycode. ok is false for what cannot be
// normalised and so is not matched on.
func NormalEmail(s string) (email string, ok bool) {
	s = strings.Trim(s, asciiBlanks)
	at := strings.LastIndexByte(s, '@')
	if at < 1 || len(s) > maxEmail || strings.ContainsFunc(s, blankOrControl) || strings.ContainsAny(s[:at], badInLocal) {
		return "", false
	}
	domain, err := idna.Punycode.ToASCII(lowerASCII(strings.TrimSuffix(s[at+1:], ".")))
	if err != nil {
		return "", false
	}
	for label := range strings.SplitSeq(domain, ".") {
		if label == "" || len(label) > maxLabel || strings.Trim(label, labelLetters) != "" {
			return "", false
		}
	}
	return lowerASCII(s[:at]) + "@" + domain, true
}

func blankOrControl(r rune) bool { return r <= ' ' || r == 0x7f }

func lowerASCII(s string) string {
	return strings.Map(func(r rune) rune {
		if 'A' <= r && r <= 'Z' {
			return r + 'a' - 'A'
		}
		return r
	}, s)
}

// NormalPhone is a number as it is compared: its digits alone, 6 to 20 of them.
func NormalPhone(s string) (phone string, ok bool) {
	digits := strings.Map(func(r rune) rune {
		if '0' <= r && r <= '9' {
			return r
		}
		return -1
	}, s)
	return digits, len(digits) >= minPhone && len(digits) <= maxPhone
}

// locale is the language the item's customer is written to: as the contact names
// it, else as their party has it from before; "" for neither (05 §1.2).
func (b *birth) locale() string {
	if l := locale(b.r.Contact); l != "" {
		return l
	}
	return spoken(b.party())
}

// spoken is the language a party gave, en or pt, "" for none.
func spoken(p *inbox.Party) string {
	if p == nil || p.ErasedAt != nil {
		return ""
	}
	return locale(&inbox.Contact{Locale: either(p.Locale, p.Contact.Locale)})
}

// locale is the language a contact names, en or pt, "" for none of the two
// (05 §1.2).
func locale(c *inbox.Contact) string {
	if c == nil || format.Language(c.Locale, []string{"en"}) != format.Language(c.Locale, []string{"pt"}) {
		return ""
	}
	return string(format.Language(c.Locale, nil))
}

package decide

import (
	"slices"
	"strings"

	"typedinbox/shared/inbox"
)

// People is what a verb may know of customers beside the item's own party.
// Fields a verb does not need are empty.
type People struct {
	Known    []Known            // who has the e-mail address or the number that a create gives
	Possible *inbox.Party       // of a weak match: who it may be, the root where merged
	Code     *inbox.OneTimeCode // the item's latest
	Tries    *inbox.CodeTries   // of the address that the code goes to
	Holders  []inbox.Party      // parties that have that address as their own
}

// Known is a customer who has an e-mail address or a number. Party is the root
// where the one who has it was merged.
type Known struct {
	Party   inbox.Party
	Contact inbox.PartyContact
}

// ContactsGiven are the normalised values of a contact, to look up who has them:
// the e-mail address first, then the number.
func ContactsGiven(c *inbox.Contact) []inbox.PartyContact { return contacts("", c, 0) }

// knownFor picks the customer that a create may be from: by e-mail, else by
// phone; first whose value is proven, then whose own it is, then the oldest.
// The merged and the erased are not known. nil for nobody.
func knownFor(all []Known) *Known {
	for _, kind := range []inbox.ContactKind{inbox.ContactEmail, inbox.ContactPhone} {
		var best *Known
		for i := range all {
			k := &all[i]
			if k.Contact.Kind == kind && k.Party.MergedInto == "" && k.Party.ErasedAt == nil && (best == nil || k.before(best)) {
				best = k
			}
		}
		if best != nil {
			return best
		}
	}
	return nil
}

func (k *Known) before(other *Known) bool {
	switch a, b := k.Contact.VerifiedAt != nil, other.Contact.VerifiedAt != nil; {
	case a != b:
		return a
	case k.Contact.Added != other.Contact.Added:
		return !k.Contact.Added
	case k.Party.CreatedAt != other.Party.CreatedAt:
		return k.Party.CreatedAt < other.Party.CreatedAt
	}
	return k.Party.ID < other.Party.ID
}

// added are contacts that a credential adds to its party: those it has not.
func added(known []Known, given []inbox.PartyContact) []inbox.PartyContact {
	given = slices.DeleteFunc(given, func(c inbox.PartyContact) bool {
		return slices.ContainsFunc(known, func(k Known) bool {
			return k.Party.ID == c.PartyID && k.Contact.Kind == c.Kind && k.Contact.Value == c.Value
		})
	})
	for i := range given {
		given[i].Added = true
	}
	return given
}

// learn fills in what a party did not say of itself before; news says whether
// there was anything.
func learn(p inbox.Party, c *inbox.Contact, now inbox.Instant) (learned inbox.Party, news bool) {
	if c == nil {
		return p, false
	}
	before := p
	fill := func(into *string, from string) {
		if *into == "" {
			*into = strings.TrimSpace(from)
		}
	}
	fill(&p.Contact.Name, c.Name)
	fill(&p.Contact.Email, c.Email)
	fill(&p.Contact.Phone, c.Phone)
	fill(&p.Contact.Locale, c.Locale)
	fill(&p.Locale, c.Locale)
	if p.DisplayName == "" || p.DisplayName == before.Contact.Email {
		p.DisplayName = either(p.Contact.Name, p.DisplayName)
	}
	fill(&p.DisplayName, p.Contact.Email)
	if p == before {
		return p, false
	}
	p.UpdatedAt = now
	return p, true
}

// reachedAt is the normalised address a one-time code to a party goes to: the
// proven one, else the one they gave; "" for none (01 §15.4).
func reachedAt(p *inbox.Party) string {
	if p == nil || p.ErasedAt != nil {
		return ""
	}
	if p.Verified != "" {
		return p.Verified
	}
	email, _ := NormalEmail(p.Contact.Email)
	return email
}

// ReachedAt is the address a one-time code to a party would go to, "" for none.
func ReachedAt(p *inbox.Party) string { return reachedAt(p) }

// verifiedParty says whether the party's e-mail address is proven.
func verifiedParty(p *inbox.Party) bool {
	email, ok := NormalEmail(p.Contact.Email)
	return ok && email == p.Verified
}

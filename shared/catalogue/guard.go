package catalogue

import (
	"strconv"
	"strings"

	"typedinbox/shared/inbox"
)

// Reasons of the refusals here (03 §4).
const (
	reasonOwnerOnly  = "owner_only"
	reasonOwnerMoney = "owner_money"
)

// entry is what the guards look at, the same for services and products.
type entry struct {
	withdrawal inbox.Withdrawal
	negotiable bool
	active     bool
	price      string // "" for an entry that names no amount
}

// newEntry is what an entry is compared with when there was none before.
var newEntry = entry{withdrawal: inbox.WithdrawalStandard, negotiable: true}

// GuardService says whether a caller may save a service as after; before is nil
// on a create (03 §2.4, 02 §6.4 and §6.6). What the owner's AI adds with a price
// comes back not active; everything it may not do, and the marks that are the
// owner's in person, are not_allowed.
func GuardService(before *inbox.Service, after inbox.Service, c inbox.Caller) (inbox.Service, *inbox.Problem) {
	var old *entry
	if before != nil {
		old = &entry{before.Withdrawal, before.Negotiable, before.Active, priceOf(before.Price)}
	}
	active, p := guard(old, entry{after.Withdrawal, after.Negotiable, after.Active, priceOf(after.Price)}, c)
	after.Active = active
	return after, p
}

// GuardProduct is [GuardService] for a product.
func GuardProduct(before *inbox.Product, after inbox.Product, c inbox.Caller) (inbox.Product, *inbox.Problem) {
	var old *entry
	if before != nil {
		old = &entry{before.Withdrawal, before.Negotiable, before.Active, amount(before.Price.Value, before.Price.Currency)}
	}
	active, p := guard(old, entry{after.Withdrawal, after.Negotiable, after.Active, amount(after.Price.Value, after.Price.Currency)}, c)
	after.Active = active
	return after, p
}

// guard answers whether the entry is saved active.
func guard(before *entry, after entry, c inbox.Caller) (active bool, p *inbox.Problem) {
	old := newEntry
	if before != nil {
		old = *before
	}
	owner := c.IsOwnerInPerson() || c.Kind == inbox.System
	switch {
	case after.negotiable != old.negotiable && !owner:
		return false, ownerOnly("negotiable")
	case after.withdrawal != old.withdrawal && !owner && !staff(c):
		return false, ownerOnly("withdrawal")
	case !c.IsAssistant():
		return after.active, nil
	case before == nil:
		return after.active && after.price == "", nil
	case after.price != old.price:
		return false, ownerMoney("A price of the catalogue is the owner's to change.")
	case after.active && !old.active && after.price != "":
		return false, ownerMoney("Something with a price is the owner's to publish.")
	}
	return after.active, nil
}

func staff(c inbox.Caller) bool { return c.Kind == inbox.Staff && c.IsPerson() }

func ownerOnly(field string) *inbox.Problem {
	return inbox.NotAllowed(reasonOwnerOnly, "Only the owner in person may change %s. Nothing was changed.", field).With("field", field)
}

// ownerMoney is the refusal for the owner's AI (02 §6.6, 03 §2.4).
func ownerMoney(why string) *inbox.Problem {
	return inbox.NotAllowed(reasonOwnerMoney, "%s Nothing was changed; tell the owner, who can do it under Settings → Catalogue.", why).
		With("draft_for_owner", true).With("ask_owner", true).With("where", "Settings → Catalogue")
}

// priceOf is a service's price in one string to compare, "" when it names no
// amount.
func priceOf(p *inbox.ServicePrice) string {
	if p == nil || p.Value == nil {
		return ""
	}
	return p.Model + " " + p.Per + " " + amount(*p.Value, p.Currency)
}

func amount(value int64, currency string) string {
	return strconv.FormatInt(value, 10) + " " + strings.ToUpper(currency)
}

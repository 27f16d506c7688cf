package decide

import (
	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
	"typedinbox/shared/negotiation"
	"typedinbox/shared/words"
)

// soldToBusinesses is the setting commerce.customers of a business that sells
// to no consumer.
const soldToBusinesses = "businesses"

// confirm is the confirm step (02 §5, 01 §1.6 step 5): a customer's booking or
// order that costs something is written only with the fingerprint of its terms
// as priced. It is priced again on every request, so what changed meanwhile is
// asked again.
func (b *birth) confirm() *inbox.Problem {
	total := totalOf(b.r.Payload)
	if !b.c.IsCustomer() || b.rec.Unpriced || total == nil || total.Value == 0 ||
		b.f.Settings.Commerce.Customers == soldToBusinesses {
		return nil
	}
	_, terms, sha := negotiation.Terms(b.r.Type, b.r.Payload)
	if b.agreed = b.r.TermsSHA == sha; b.agreed {
		return nil
	}
	summary := b.summary()
	p := inbox.Refuse(inbox.CodeConfirmTerms, "%s", words.AskToConfirm(b.lang(), summary)).
		With("summary", summary).With("terms_sha", sha).With("obligation_to_pay", true).With("terms", terms)
	if b.r.TermsSHA != "" {
		p = p.With("changed", true)
	}
	return p
}

// totalOf is what a booking or an order costs, nil for no price yet and for
// other types.
func totalOf(p inbox.Payload) *inbox.Money {
	switch {
	case p.Booking != nil:
		return p.Booking.TotalPrice
	case p.Order != nil:
		return &p.Order.TotalPrice
	}
	return nil
}

// lang is the language of what the creator is told before anything is written:
// the contact's, else the business's first.
func (b *birth) lang() format.Lang {
	return format.Language(locale(b.r.Contact), b.f.Business.Languages)
}

// summary is what the customer confirms, in their language (02 §5.3).
func (b *birth) summary() string {
	legal, days := b.f.Settings.Commerce.Legal, b.f.Settings.Returns.Days
	c := words.Contract{
		Type: b.r.Type, Zone: b.f.Business.Zone, Total: *totalOf(b.r.Payload),
		Trader: legal.LegalName, Address: legal.Address,
		Flag: exception(b.rec.WithdrawalFlags), Days: days,
	}
	if p := b.r.Payload.Booking; p != nil {
		c.Name, c.Start = p.ReservationFor.Name, &p.StartTime
		c.StartsWithin = int64(p.StartTime-b.e.Now) < int64(days)*inbox.Day
	}
	if p := b.r.Payload.Order; p != nil {
		c.Lines = linesOf(p.OrderedItem)
	}
	return words.Summary(b.lang(), c)
}

// exception is the first withdrawal flag that excepts the contract, standard
// when the right holds (02 §9.2).
func exception(flags []inbox.Withdrawal) inbox.Withdrawal {
	for _, f := range flags {
		if f != "" && f != inbox.WithdrawalStandard {
			return f
		}
	}
	return inbox.WithdrawalStandard
}

// linesOf are an order's lines with their totals, which are money by now.
func linesOf(lines []inbox.OrderLine) []words.Line {
	list := make([]words.Line, len(lines))
	for i, l := range lines {
		list[i] = words.Line{Quantity: l.Quantity, Name: l.Name}
		if total, err := l.Price.Times(l.Quantity); err == nil {
			list[i].Total = &total
		}
	}
	return list
}

package decide

import (
	"typedinbox/shared/catalogue"
	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
	"typedinbox/shared/negotiation"
	"typedinbox/shared/returns"
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
	return format.Language(b.locale(), b.f.Business.Languages)
}

// summary is what the customer confirms, in their language (02 §5.3).
func (b *birth) summary() string {
	c := contract(b.f, b.rec.WithdrawalFlags)
	if p := b.r.Payload.Booking; p != nil {
		c = forTime(c, p.ReservationFor.Name, p.StartTime, b.e.Now)
	} else {
		c = forGoods(c, b.r.Payload.Order.OrderedItem)
	}
	c.Total = *totalOf(b.r.Payload)
	return words.Summary(b.lang(), c)
}

// offeredContract is the contract that a yes to the business's offer makes; ok
// is false without one.
func offeredContract(f *Facts, now inbox.Instant) (c words.Contract, ok bool) {
	switch p := f.Record.Item.Payload; {
	case p.Booking != nil && p.Booking.Change != nil, p.Order != nil && p.Order.Change != nil:
		return changedContract(f, now)
	case p.Booking != nil && p.Booking.Proposed != nil:
		c = forTime(contract(f, f.Record.WithdrawalFlags), p.Booking.ReservationFor.Name, p.Booking.Proposed.StartTime, now)
		total := p.Booking.TotalPrice
		if p.Booking.Proposed.TotalPrice != nil {
			total = p.Booking.Proposed.TotalPrice
		}
		if total == nil {
			return c, false
		}
		c.Total = *total
	case p.Order != nil && p.Order.Proposed != nil:
		o := p.Order.Proposed
		c = forGoods(contract(f, catalogue.OrderFlags(o.OrderedItem, f.Products)), o.OrderedItem)
		c.Total = o.TotalPrice
	case p.Quote != nil && booksTime(p.Quote.Quote):
		name, flag := p.Quote.ItemOffered.Name, inbox.WithdrawalStandard
		if f.Service != nil {
			name, flag = f.Service.Name, f.Service.Withdrawal
		}
		c = forTime(contract(f, []inbox.Withdrawal{flag}), name, *p.Quote.Quote.StartTime, now)
		c.Total = p.Quote.Quote.TotalPrice
	case p.Quote != nil && p.Quote.Quote != nil:
		c = forGoods(contract(f, nil), orderOf(p.Quote))
		c.Total = p.Quote.Quote.TotalPrice
	default:
		return c, false
	}
	c.Personal = offered(f).Personal
	return c, true
}

// contract is a contract as far as the business and the flags of what it sells
// make it.
func contract(f *Facts, flags []inbox.Withdrawal) words.Contract {
	legal := f.Settings.Commerce.Legal
	return words.Contract{
		Zone: f.Business.Zone, Trader: legal.LegalName, Address: legal.Address, Country: legal.Country,
		Flag: returns.Exception(flags), Days: f.Settings.Returns.Days,
		NoConsumers: f.Settings.Commerce.Customers == soldToBusinesses,
	}
}

func forTime(c words.Contract, name string, start, now inbox.Instant) words.Contract {
	c.Type, c.Name, c.Start = inbox.TypeBooking, name, &start
	c.StartsWithin = int64(start-now) < int64(c.Days)*inbox.Day
	return c
}

func forGoods(c words.Contract, lines []inbox.OrderLine) words.Contract {
	c.Type, c.Lines = inbox.TypeOrder, linesOf(lines)
	return c
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

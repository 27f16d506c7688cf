package decide

import (
	"typedinbox/shared/catalogue"
	"typedinbox/shared/inbox"
)

// price prices the request as the catalogue does, for customers and for
// automation; what a person, a key with money or a connector writes down is
// taken as it is (01 §1.5). The service's own name stands in any case.
func (b *birth) price() *inbox.Problem {
	p := b.r.Payload.Booking
	if p == nil {
		return nil
	}
	b.rec.WithdrawalFlags = []inbox.Withdrawal{b.f.Service.Withdrawal}
	priced, unpriced, problems := catalogue.PriceBooking(*p, *b.f.Service, b.f.Business.Currency)
	if !b.c.IsCustomer() && !b.c.IsAutomation() {
		p.ReservationFor.Name = priced.ReservationFor.Name
		return nil
	}
	if len(problems) > 0 {
		return inbox.InvalidInput(problems...)
	}
	b.r.Payload.Booking, b.rec.Unpriced = &priced, unpriced
	return nil
}

// maxSubject is how much of a message's text becomes its subject, in
// characters (01 §1.4).
const maxSubject = 80

// subject is what the item is called (01 §1.4).
func subject(r CreateRequest) *string {
	switch p := r.Payload; {
	case p.Booking != nil:
		return inbox.Ptr(p.Booking.ReservationFor.Name)
	case r.Subject != "":
		return &r.Subject
	case p.Message != nil && p.Message.Subject != "":
		return inbox.Ptr(p.Message.Subject)
	case p.Message != nil:
		cut := p.Message.Text
		if text := []rune(cut); len(text) > maxSubject {
			cut = string(text[:maxSubject-3]) + "…"
		}
		return &cut
	}
	return nil
}

package decide

import "typedinbox/shared/inbox"

// businessOffer is the business's offer that waits for an answer, nil for none.
func (m *move) businessOffer() *inbox.Offer { return businessOffer(m.f) }

func businessOffer(f *Facts) *inbox.Offer {
	if o := f.Offer; o != nil && o.Status == inbox.OfferOpen && o.By == inbox.SideBusiness {
		return o
	}
	return nil
}

// proposalPresent: the business put something forward.
func (m *move) proposalPresent() *inbox.Problem {
	if p := m.before; p.Booking != nil && p.Booking.Proposed != nil || p.Order != nil && p.Order.Proposed != nil {
		return nil
	}
	return inbox.GuardFailed("proposal_present", "The business has proposed nothing.")
}

// offerOpen: a business offer waits for an answer, and its date has not passed.
// It can be taken at its last millisecond (01 §13.3).
func (m *move) offerOpen() *inbox.Problem {
	o := m.businessOffer()
	if o == nil {
		return noOffer()
	}
	return lapsed(o, m.e.Now)
}

func noOffer() *inbox.Problem {
	return inbox.Refuse(inbox.CodeNoOffer, "There is no open offer to answer. Nothing was written.")
}

// lapsed refuses a yes to an offer past its date.
func lapsed(o *inbox.Offer, now inbox.Instant) *inbox.Problem {
	if !isLapsed(o.ValidThrough, now) {
		return nil
	}
	return inbox.Refuse(inbox.CodeOfferExpired, "The offer could be accepted until %s. Nothing was written.", *o.ValidThrough).
		With("validThrough", *o.ValidThrough)
}

// isLapsed says whether the date until which an offer can be accepted has passed.
func isLapsed(validThrough *inbox.Instant, now inbox.Instant) bool {
	return validThrough != nil && now > *validThrough
}

// offerLapsed: the date of the business's offer has come; the sweep may close it
// from then on.
func (m *move) offerLapsed() *inbox.Problem {
	if o := m.businessOffer(); o != nil && o.ValidThrough != nil && *o.ValidThrough <= m.e.Now {
		return nil
	}
	return inbox.GuardFailed("offer_lapsed", "The offer can still be accepted.")
}

// offerNonBinding: the business's offer was made as one that may be taken back.
func (m *move) offerNonBinding() *inbox.Problem {
	if o := m.businessOffer(); o != nil && !o.Binding {
		return nil
	}
	return inbox.GuardFailed("offer_non_binding", "The offer binds the business until its date. Nothing was written.")
}

// checkPrice: a customer's counter names no price while the business takes none
// (01 §3 step 10).
func (m *move) checkPrice() *inbox.Problem {
	if !m.in.priced || !m.c.IsCustomer() || m.f.Settings.Negotiation.PriceCounters {
		return nil
	}
	return inbox.GuardFailed(string(priceCounters), "The business takes no price of the customer's own.")
}

// checkRound: a customer may answer up to negotiation.maxRounds (01 §3 step 18,
// 02 §1.6).
func (m *move) checkRound() *inbox.Problem {
	if !m.makes() || !m.c.IsCustomer() || m.round() <= m.f.Settings.Negotiation.MaxRounds {
		return nil
	}
	return inbox.GuardFailed(string(roundLeft), "The two sides have gone back and forth often enough: a person takes it from here.")
}

// pricedRefs are what a customer's price is for, to be counted (02 §6.5).
func pricedRefs(p inbox.Payload) []string {
	if p.Booking == nil {
		return nil
	}
	return []string{"service:" + p.Booking.ReservationFor.ServiceID}
}

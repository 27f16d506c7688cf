package decide

import "typedinbox/shared/inbox"

// show keeps on an offer of the business's what the customer is shown of it, in
// their language (02 §1.8). The sentence says what the disclosures do.
func (m *move) show(o *inbox.Offer) {
	f := *m.f
	f.Record, f.Offer = &m.rec, o
	o.Shown = &inbox.Shown{Lang: string(customerLang(&f)), Disclosures: m.disclosures(o)}
	m.point(o.Pointer())
	o.Shown.Human = customerHuman(&f)
}

// disclosures say of a time whether its places are held, of any offer whether it
// may be taken back and whether its price was chosen for this customer.
func (m *move) disclosures(o *inbox.Offer) []string {
	codes := []string{}
	switch isTime := m.booking() != nil; {
	case isTime && m.place != nil:
		codes = append(codes, inbox.DisclosureHeld)
	case isTime:
		codes = append(codes, inbox.DisclosureUnheld)
	}
	if !o.Binding {
		codes = append(codes, inbox.DisclosureWithdrawable)
	}
	if personalised(m.rec.Item.Payload) {
		codes = append(codes, inbox.DisclosurePersonalised)
	}
	return codes
}

// personalised says whether what the business put forward has a price that was
// chosen for this customer: the proposal's own, or a standing one that it keeps.
func personalised(p inbox.Payload) bool {
	switch {
	case p.Booking != nil && p.Booking.Change != nil:
		return p.Booking.Personalised != nil && samePrice(p.Booking.Change.TotalPrice, p.Booking.TotalPrice)
	case p.Order != nil && p.Order.Change != nil:
		return marked(p.Order.Change.OrderedItem, p.Order.Personalised) != nil
	case p.Booking != nil && p.Booking.Proposed != nil:
		t := p.Booking.Proposed
		return t.Personalised != nil || t.TotalPrice == nil && p.Booking.Personalised != nil
	case p.Order != nil && p.Order.Proposed != nil:
		return p.Order.Proposed.Personalised != nil
	}
	return false
}

package decide

import (
	"typedinbox/shared/inbox"
	"typedinbox/shared/returns"
	"typedinbox/shared/settings"
	"typedinbox/shared/words"
)

// About is what a sentence may say of the facts' item: what stands on it now.
func About(f Facts) words.About { return about(&f) }

func about(f *Facts) words.About {
	i := &f.Record.Item
	a := words.About{
		Type: i.Type, State: i.State, Reference: f.Record.Reference(), Zone: f.Business.Zone, Unpriced: f.Record.Unpriced,
		ByCustomer: f.Record.ClosedBy == inbox.SideCustomer, Offered: offered(f),
	}
	if i.Subject != nil {
		a.Subject = *i.Subject
	}
	switch p := i.Payload; {
	case p.Booking != nil:
		b := p.Booking
		a.Start, a.Price, a.Stated, a.Personal = &b.StartTime, b.TotalPrice, b.CustomerStatedPrice, personal(b.Personalised)
	case p.Order != nil:
		o := p.Order
		a.Price, a.Stated, a.Personal = &o.TotalPrice, o.CustomerStatedPrice, personal(o.Personalised)
		a.Lines, a.Delivery = orderLines(f.Record, o.OrderedItem), delivered(o.Delivery)
		a.PayURL, a.Due = o.PaymentURL, leftToPay(o)
	case p.Quote != nil:
		a.Start = p.Quote.RequestedFor
		if q := p.Quote.Quote; q != nil {
			a.Price = &q.TotalPrice
			if i.State == inbox.StateAccepted && q.StartTime != nil {
				a.Start = q.StartTime // what was agreed, no longer what was asked for
			}
		}
	case p.Refund != nil:
		a.Refund = refundOf(i, f.Settings)
	}
	return a
}

// RefundOf is what a sentence says of a refund, as the business's settings have
// it; nil for an item that is none.
func RefundOf(i *inbox.Item, s settings.Settings) *words.Refund { return refundOf(i, s) }

func refundOf(i *inbox.Item, s settings.Settings) *words.Refund {
	r := i.Payload.Refund
	if r == nil {
		return nil
	}
	w := &words.Refund{
		Kind: r.Kind, State: i.State, Amount: &r.Amount, Due: r.RefundDue, Goods: expectsGoods(r), ReturnBy: r.ReturnBy,
		FreePostage: r.Kind == returns.KindFaulty || s.Returns.Postage == postageOurs, RespondHours: s.Returns.RespondHours,
		Paid: r.PaidAmount, Ref: r.PaymentRef, ComplaintsURL: s.Commerce.Legal.ComplaintsURL,
	}
	if how := r.Instructions; how != nil {
		w.Method, w.Address, w.Note = how.Method, how.Address, how.Note
	}
	return w
}

// postageOurs is the setting by which the business pays for goods that come back.
const postageOurs = "business"

// leftToPay is what an order still costs its customer once its payment was asked
// for: the total less what was paid; nil when nothing is asked for or known to be
// left.
func leftToPay(o *inbox.Order) *inbox.Money {
	left := o.TotalPrice
	switch {
	case o.PaidAmount != nil:
		left.Value -= o.PaidAmount.Value
	case o.PaymentRef != "":
		return nil
	}
	if left.Value <= 0 {
		return nil
	}
	return &left
}

// orderLines are an order's lines with their totals. One that names nothing of
// the catalogue has none while nobody at the business took the request.
func orderLines(r *inbox.Record, lines []inbox.OrderLine) []words.Line {
	list := linesOf(lines)
	if !r.Unpriced || r.AgreedOffer != nil {
		return list
	}
	for i, l := range lines {
		if l.ProductID == "" && l.SKU == "" {
			list[i].Total = nil
		}
	}
	return list
}

// offered is what the business put forward: what waits for the customer's
// answer, or on a quote what they said yes to; nil for nothing.
func offered(f *Facts) *words.Offered {
	var w *words.Offered
	switch p := f.Record.Item.Payload; {
	case p.Booking != nil && p.Booking.Change != nil:
		c := p.Booking.Change
		w = &words.Offered{ChangeBy: c.By, Start: &c.StartTime, Price: c.TotalPrice}
		if long := int64(c.EndTime - c.StartTime); long != int64(p.Booking.EndTime-p.Booking.StartTime) {
			w.Lasts = int(long / inbox.Minute)
		}
		if w.Price == nil {
			w.Price = p.Booking.TotalPrice
		}
	case p.Order != nil && p.Order.Change != nil:
		c := p.Order.Change
		w = &words.Offered{ChangeBy: c.By, Price: &c.TotalPrice, Lines: linesOf(c.OrderedItem), Delivery: delivered(c.Delivery)}
	case p.Booking != nil && p.Booking.Proposed != nil:
		w = offeredTime(p.Booking, f.Record.Unpriced)
	case p.Order != nil && p.Order.Proposed != nil:
		o := p.Order.Proposed
		w = &words.Offered{
			Price: &o.TotalPrice, Personal: personal(o.Personalised), Lines: linesOf(o.OrderedItem), Delivery: delivered(o.Delivery),
		}
	case p.Quote != nil && p.Quote.Quote != nil:
		w = offeredQuote(p.Quote.Quote)
	default:
		return nil
	}
	if o := waits(f); o != nil && w.ChangeBy != inbox.SideCustomer {
		w.Held, w.Withdrawable = o.Held, o.Binding != nil && !*o.Binding
		if o.ValidThrough != nil {
			w.Until = o.ValidThrough
		}
	}
	return w
}

// offeredTime is another time, at its own price or else at the booking's.
func offeredTime(b *inbox.Booking, unpriced bool) *words.Offered {
	if t := b.Proposed; t.TotalPrice != nil {
		return &words.Offered{Start: &t.StartTime, Price: t.TotalPrice, Personal: personal(t.Personalised)}
	}
	return &words.Offered{Start: &b.Proposed.StartTime, Price: b.TotalPrice, Unpriced: unpriced, Personal: personal(b.Personalised)}
}

func offeredQuote(q *inbox.Quote) *words.Offered {
	w := &words.Offered{Price: &q.TotalPrice, Notes: q.Notes, Creates: inbox.Type(q.Creates), Start: q.StartTime}
	if q.ValidThrough > 0 {
		w.Until = &q.ValidThrough
	}
	for _, l := range q.Lines {
		line := words.Line{Quantity: l.Quantity, Name: l.Name}
		if total, err := l.Price.Times(l.Quantity); err == nil {
			line.Total = &total
		}
		w.Lines = append(w.Lines, line)
	}
	return w
}

// waits is the business's open offer, nil for none.
func waits(f *Facts) *inbox.OfferPointer {
	if o := f.Offer; o != nil && o.Status == inbox.OfferOpen && o.By == inbox.SideBusiness {
		return o.Pointer()
	}
	return openPointer(f.Record, inbox.SideBusiness)
}

func personal(p *inbox.Personalised) *words.Personal {
	if p == nil {
		return nil
	}
	return &words.Personal{List: p.ListPrice, Says: p.Says}
}

func delivered(d *inbox.Delivery) *words.Delivery {
	if d == nil {
		return nil
	}
	return &words.Delivery{Method: d.Method, When: d.When}
}

// Withdrawal is what a confirmation says of the right to withdraw from the
// contract that the facts' item is at a moment, nil for nothing: before anything
// is agreed, of a business that sells to businesses alone, of a booking that is
// not paid, once the time is over, and of what costs nothing (05 §3.3, 01 §14.1).
func Withdrawal(f Facts, now inbox.Instant) *words.Withdrawal {
	i, s := &f.Record.Item, f.Settings
	total := totalOf(i.Payload)
	right := rightOf(&f, now)
	if !right.Available && right.Why != returns.WhyExcepted || total == nil || total.Value == 0 {
		return nil
	}
	legal := s.Commerce.Legal
	return &words.Withdrawal{
		Excepted: right.Exception, Goods: i.Payload.Order != nil, Days: s.Returns.Days, Until: right.Until, Country: legal.Country,
		Trader: words.Trader{Name: legal.LegalName, Address: legal.Address, Phone: legal.Phone, Email: legal.Email, VATID: legal.VATID},
	}
}

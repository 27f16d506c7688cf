package decide

import (
	"typedinbox/shared/catalogue"
	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
	"typedinbox/shared/words"
)

// The customer's doors on a promise (01 §5.7, 02 §11.3).

func isPromise(r *inbox.Record) bool { return machine.Of(r.Item.Type).IsPromise(r.Item.State) }

// acceptingEvent is the event of a yes to what is open, before the offer itself
// is read.
func acceptingEvent(r *inbox.Record) string {
	if isPromise(r) {
		return "accept_change"
	}
	return "accept"
}

// changing is the change that a suggestion is, nil when it is not one clean one:
// another start of a booking, other quantities or another date of an order, never
// a price nor anything else (02 §4.1).
func changing(f *Facts, r inbox.MakeOfferRequest) *TransitionRequest {
	var input any
	var ok bool
	if f.Record.Item.Payload.Booking != nil {
		input, ok = changedTime(r)
	} else {
		input, ok = changedOrder(r)
	}
	if !ok {
		return nil
	}
	return &TransitionRequest{Event: "propose_change", Input: mustJSON(input)}
}

func changedTime(r inbox.MakeOfferRequest) (any, bool) {
	t := r.Terms
	if t.StartTime == nil {
		return nil, false
	}
	in := inbox.ChangeTimeInput{StartTime: *t.StartTime, Note: r.Note, ReasonCode: r.ReasonCode}
	t.StartTime = nil
	return in, isEmptySuggestion(t)
}

func changedOrder(r inbox.MakeOfferRequest) (any, bool) {
	t := r.Terms
	in := inbox.ChangeOrderInput{DeliveryWhen: t.DeliveryWhen, Note: r.Note, ReasonCode: r.ReasonCode}
	priced := false
	for _, l := range t.Lines {
		in.Lines = append(in.Lines, inbox.ChangeLine{Index: l.Index, Quantity: l.Quantity})
		priced = priced || l.UnitPrice != nil
	}
	t.Lines, t.DeliveryWhen = nil, nil
	return in, !priced && isEmptySuggestion(t) && (len(in.Lines) > 0 || in.DeliveryWhen != nil)
}

// changedContract is the contract that a yes to the business's change makes.
func changedContract(f *Facts, now inbox.Instant) (c words.Contract, ok bool) {
	p := f.Record.Item.Payload
	if b := p.Booking; b != nil {
		total := b.TotalPrice
		if b.Change.TotalPrice != nil {
			total = b.Change.TotalPrice
		}
		if total == nil {
			return c, false
		}
		c = forTime(contract(f, f.Record.WithdrawalFlags), b.ReservationFor.Name, b.Change.StartTime, now)
		c.Total = *total
		if samePrice(b.Change.TotalPrice, b.TotalPrice) {
			c.Personal = personal(b.Personalised)
		}
	} else {
		lines := p.Order.Change.OrderedItem
		c = forGoods(contract(f, catalogue.OrderFlags(lines, f.Products)), lines)
		c.Total, c.Personal = p.Order.Change.TotalPrice, personal(marked(lines, p.Order.Personalised))
	}
	return c, true
}

package model

import (
	"encoding/json"
	"slices"
	"time"

	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
)

// running is the right of withdrawal as the model counts it.
type running struct {
	agreed, runs bool
	until        *inbox.Instant
}

// agreedIn are the states of a contract (02 §9.1).
var agreedIn = map[inbox.Type][]inbox.State{
	inbox.TypeBooking: {"confirmed"},
	inbox.TypeOrder:   {"accepted", "awaiting_payment", "payment_failed", "paid", "fulfilling", "fulfilled", "completed"},
}

func wasSent(rec *inbox.Record) bool {
	return rec.Item.Type == inbox.TypeOrder && (rec.Item.State == "fulfilled" || rec.Item.State == "completed")
}

// right is the right of withdrawal at a moment, counted by hand from 02 §9.1 to
// §9.3 for a country without a calendar of its own.
func (d *trade) right(i *deal, rec *inbox.Record, at inbox.Instant) running {
	r := running{agreed: slices.Contains(agreedIn[rec.Item.Type], rec.Item.State)}
	if !r.agreed || d.terms.customers == "businesses" {
		return r
	}
	b, o := rec.Item.Payload.Booking, rec.Item.Payload.Order
	var begins *inbox.Instant
	switch {
	case b != nil:
		if i.paid == 0 || b.StartTime <= at {
			return r
		}
		begins = &i.confirmed
	case slices.ContainsFunc(o.OrderedItem, func(l inbox.OrderLine) bool { return l.ProductID == d.engraved }):
		return r
	case !wasSent(rec):
	case o.DeliveredAt != nil:
		begins = o.DeliveredAt
	default:
		begins = inbox.Ptr(o.FulfilledAt.Add(int64(d.terms.transit) * inbox.Day))
	}
	if begins != nil {
		r.until = inbox.Ptr(d.lastMoment(*begins))
	}
	r.runs = r.until == nil || at <= *r.until
	return r
}

// lastMoment is the end of the counted day, moved off weekends.
func (d *trade) lastMoment(begins inbox.Instant) inbox.Instant {
	y, m, day := begins.Time().In(d.terms.zone).Date()
	last := time.Date(y, m, day+max(14, d.terms.days), 0, 0, 0, 0, d.terms.zone)
	for last.Weekday() == time.Saturday || last.Weekday() == time.Sunday {
		last = last.AddDate(0, 0, 1)
	}
	y, m, day = last.Date()
	return inbox.Instant(time.Date(y, m, day+1, 0, 0, 0, 0, d.terms.zone).UnixMilli() - 1)
}

// inspect holds one promise with its refunds to what must hold whatever happened.
func (d *trade) inspect(i *deal) {
	d.t.Helper()
	rec := d.record(i.id)
	if rec == nil {
		d.t.Fatalf("item %s is gone", i.id)
	}
	d.money(i, rec)
	if rec.Rev == i.rev {
		return
	}
	i.rev = rec.Rev
	news := d.history(i, rec)
	open := d.ledger(i, rec)
	d.standing(i, rec, news, open)
	d.placesOf(rec, open)
	d.ends(i, rec)
}

// history: versions have no gaps. It answers the events that are new.
func (d *trade) history(i *deal, rec *inbox.Record) []inbox.Event {
	d.t.Helper()
	events, err := d.store.Events(d.ctx, i.id)
	d.must(err)
	for n, e := range events {
		if e.Seq != n+1 {
			d.t.Errorf("item %s: event %d stands at %d", i.id, e.Seq, n+1)
		}
	}
	if len(events) != rec.Item.Version {
		d.t.Errorf("item %s: %d events at version %d", i.id, len(events), rec.Item.Version)
	}
	news := events[min(i.events, len(events)):]
	i.events = len(events)
	for _, e := range news {
		if e.ActorKind == inbox.System {
			d.met[e.Event]++
		}
		if e.ToState == inbox.StateConfirmed && i.confirmed == 0 {
			i.confirmed = e.CreatedAt
		}
	}
	return news
}

// ledger: at most one offer is open, the pointer is to it, else to what was
// agreed. It answers the open one, nil for none.
func (d *trade) ledger(i *deal, rec *inbox.Record) *inbox.Offer {
	d.t.Helper()
	offers, err := d.store.Offers(d.ctx, i.id)
	d.must(err)
	var open *inbox.Offer
	for n, o := range offers {
		switch {
		case o.Status != inbox.OfferOpen:
		case open != nil:
			d.t.Errorf("item %s: two open offers", i.id)
		default:
			open = &offers[n]
		}
	}
	p := rec.Item.Payload.Offer()
	promised := machine.Of(rec.Item.Type).IsPromise(rec.Item.State)
	switch {
	case open != nil && (p == nil || p.ID != open.ID || p.Status != inbox.OfferOpen):
		d.t.Errorf("item %s: offer %s is open, the pointer says %+v", i.id, open.ID, p)
	case open == nil && promised && text(p) != text(rec.AgreedOffer):
		d.t.Errorf("item %s: agreed on %+v, the pointer says %+v", i.id, rec.AgreedOffer, p)
	case (open != nil && promised) != (machine.ChangeBy(rec.Item.Payload) != ""):
		d.t.Errorf("item %s: open %+v, change by %q", i.id, open, machine.ChangeBy(rec.Item.Payload))
	}
	return open
}

func text(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

// unchanging are the parts of a promise that no payment and no delivery touches:
// what was agreed, byte for byte, with its places.
func unchanging(rec *inbox.Record) string {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text(rec.Item.Payload)), &fields); err != nil {
		panic(err)
	}
	for _, moves := range []string{"change", "offer", "paymentRef", "paidAmount", "paymentUrl", "fulfilledAt", "deliveredAt"} {
		delete(fields, moves)
	}
	claims := slices.DeleteFunc(slices.Clone(rec.Claims), func(c inbox.Claim) bool { return c.Kind != inbox.ClaimBooking })
	return text(fields) + text(claims) + text(rec.WithdrawalFlags) + text(rec.AgreedOffer)
}

// agreeing are the events after which something else is agreed.
var agreeing = []string{"confirm", "accept", "accept_change"}

// standing: between two agreements the promise stays byte for byte, whatever is
// asked, declined, retracted and lapses; an accepted change is what was asked.
func (d *trade) standing(i *deal, rec *inbox.Record, news []inbox.Event, open *inbox.Offer) {
	d.t.Helper()
	if !machine.Of(rec.Item.Type).IsPromise(rec.Item.State) {
		if i.asked != nil {
			d.met["change ended with its promise"]++
		}
		i.asked = nil
		return
	}
	now := unchanging(rec)
	agreed := slices.ContainsFunc(news, func(e inbox.Event) bool { return slices.Contains(agreeing, e.Event) })
	if agreed && i.asked != nil {
		if b := rec.Item.Payload.Booking; b.StartTime != i.asked.StartTime || b.EndTime != i.asked.EndTime {
			d.t.Errorf("item %s: agreed on %s, asked for %s", i.id, b.StartTime, i.asked.StartTime)
		}
	}
	if !agreed && i.stands != now {
		d.t.Errorf("item %s changed by %v:\n%s\n%s", i.id, text(news), i.stands, now)
	}
	i.stands, i.asked, i.total = now, nil, -1
	switch p := rec.Item.Payload; {
	case p.Booking != nil:
		if i.asked = p.Booking.Change; p.Booking.TotalPrice != nil {
			i.total = p.Booking.TotalPrice.Value
		}
	case p.Order != nil:
		i.total = p.Order.TotalPrice.Value
	}
	if open != nil && open.ValidThrough == nil {
		d.t.Errorf("item %s: a change without a date", i.id)
	}
}

// placesOf: a booking that is promised, or was kept, has exactly one set of
// places, at its own time with the quarter of an hour after it; what is held
// besides is held for the open change.
func (d *trade) placesOf(rec *inbox.Record, open *inbox.Offer) {
	d.t.Helper()
	b := rec.Item.Payload.Booking
	if b == nil {
		if len(rec.Claims) > 0 {
			d.t.Errorf("order %s holds places", rec.Item.ID)
		}
		return
	}
	own := 0
	for _, c := range rec.Claims {
		switch {
		case c.Kind == inbox.ClaimHold && (open == nil || open.ID != c.OfferID || !open.Held()):
			d.t.Errorf("item %s: a hold for offer %s outlives it", rec.Item.ID, c.OfferID)
		case c.Kind == inbox.ClaimHold:
			d.met["held"]++
		case c.From != b.StartTime || c.To != b.EndTime.Add(15*inbox.Minute):
			d.t.Errorf("item %s: from %s to %s, its place from %s to %s", rec.Item.ID, b.StartTime, b.EndTime, c.From, c.To)
		default:
			own++
		}
	}
	keeps := slices.Contains([]inbox.State{"confirmed", "completed", "no_show"}, rec.Item.State)
	if want := map[bool]int{true: 1}[keeps]; own != want {
		d.t.Errorf("item %s: %d sets of places in %s", rec.Item.ID, own, rec.Item.State)
	}
}

// ends: a terminal state stays, but for the correction of an outcome.
func (d *trade) ends(i *deal, rec *inbox.Record) {
	d.t.Helper()
	switch table := machine.Of(rec.Item.Type); {
	case i.final != "" && rec.Item.State != i.final && !rec.Corrected:
		d.t.Errorf("item %s: from %s to %s", i.id, i.final, rec.Item.State)
	case table.IsTerminal(rec.Item.State):
		i.final = rec.Item.State
	}
}

// money: what was paid is what was recorded; its refunds pay back no more, owe no
// more, one goes on at a time, and each is as it should be.
func (d *trade) money(i *deal, rec *inbox.Record) {
	d.t.Helper()
	var amount *inbox.Money
	switch p := rec.Item.Payload; {
	case p.Booking != nil:
		amount = p.Booking.PaidAmount
	case p.Order != nil:
		amount = p.Order.PaidAmount
	}
	if (amount != nil) != (i.paid > 0) || amount != nil && amount.Value != i.paid || len(rec.Payments) != len(i.refs) {
		d.t.Errorf("item %s: paid %v by %+v, want %d", i.id, amount, rec.Payments, i.paid)
	}
	var back, owed int64
	goesOn := 0
	for _, id := range rec.Refunds {
		r := d.record(id)
		if r == nil {
			d.t.Fatalf("refund %s is gone", id)
		}
		if !slices.ContainsFunc(d.refunds, func(known *deal) bool { return known.id == id }) {
			d.refunds = append(d.refunds, &deal{id: id, token: i.token})
		}
		p := r.Item.Payload.Refund
		if *r.Item.LinkedItemID != i.id || p.OrderItemID != i.id || r.AccessTokenHash != rec.AccessTokenHash || r.Item.PartyID != rec.Item.PartyID {
			d.t.Errorf("refund %s belongs to %v", id, r.Item.LinkedItemID)
		}
		switch r.Item.State {
		case inbox.StateRefunded:
			back += p.PaidAmount.Value
			owed += p.PaidAmount.Value
		case "requested", "approved", "goods_received":
			goesOn++
			owed += p.Amount.Value
		}
		d.refundItself(r)
	}
	if back > i.paid || owed > i.paid {
		d.t.Errorf("item %s: paid %d, back %d, owed or back %d", i.id, i.paid, back, owed)
	}
	if goesOn > 1 || rec.RefundsRev < len(rec.Refunds) {
		d.t.Errorf("item %s: %d refunds go on, rev %d of %d", i.id, goesOn, rec.RefundsRev, len(rec.Refunds))
	}
}

// refundItself: what a refund says of itself fits its state.
func (d *trade) refundItself(r *inbox.Record) {
	d.t.Helper()
	p := r.Item.Payload.Refund
	agreed := r.Item.State == "approved" || r.Item.State == "goods_received"
	waits := *p.GoodsBack && p.EvidenceAt == nil
	switch {
	case agreed && (p.RefundDue != nil) == (waits || p.Amount.Value == 0):
		d.t.Errorf("refund %s in %s, goods back %v at %v, of %d, is due %v", r.Item.ID, r.Item.State, *p.GoodsBack, p.EvidenceAt, p.Amount.Value, p.RefundDue)
	case (p.PaidAmount != nil) != (r.Item.State == inbox.StateRefunded):
		d.t.Errorf("refund %s in %s paid back %v", r.Item.ID, r.Item.State, p.PaidAmount)
	case p.PaidAmount != nil && (p.PaidAmount.Value < p.Amount.Value || p.PaymentRef == "" && p.PaidAmount.Value > 0):
		d.t.Errorf("refund %s owed %v, paid back %v by %q", r.Item.ID, p.Amount, p.PaidAmount, p.PaymentRef)
	case p.OwedBefore != nil && p.OwedBefore.Value <= p.Amount.Value:
		d.t.Errorf("refund %s owed %v, settled for %v", r.Item.ID, p.OwedBefore, p.Amount)
	case (r.Item.ClosedAt != nil) != machine.Of(inbox.TypeRefund).IsTerminal(r.Item.State):
		d.t.Errorf("refund %s in %s, closed %v", r.Item.ID, r.Item.State, r.Item.ClosedAt)
	}
}

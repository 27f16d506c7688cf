package decide

import (
	"slices"

	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
	"typedinbox/shared/negotiation"
)

// How much of a conversation a customer reads at once: lines (03 §7), and bytes of
// text, so that an answer fits the row that keeps it for the request that comes
// again (01 §12.3).
const (
	threadLines = 50
	threadBytes = 100 << 10
)

// Who the item waits for (01 §5.7).
const (
	waitingOnYou = "you"
	waitingOnUs  = "us"
)

// CustomerView is the item of the facts as its customer reads it (03 §7,
// 05 §8): without flags, internal notes and the round of its pointer, spam as
// closed. requestedChange, withdrawal, refunds and receipts stay empty until
// their parts exist.
func CustomerView(f Facts, c inbox.Caller, e Env) inbox.CustomerView { return customerView(&f, c, e) }

func customerView(f *Facts, c inbox.Caller, e Env) inbox.CustomerView {
	events := allowed(f, c, e.Now)
	lang := customerLang(f)
	return inbox.CustomerView{
		Item: customerItem(f.Record), Human: customerHuman(f), Reference: f.Record.Reference(),
		Transitions: transitions(events, lang, f.Record, c), Offer: offerView(f, e.Now), Agreed: agreed(f), RequestedChange: requestedChange(f.Offer),
		WaitingOn: waitingOn(f.Record), Next: next(f.Record, append(events, unlisted(f, e.Now)...), lang),
		Withdrawal: withdrawal(f, e), Refunds: refundViews(f), Thread: thread(f.Thread), Receipts: []struct{}{},
		Identity: identity(f),
	}
}

func customerItem(r *inbox.Record) inbox.CustomerItem {
	i := r.Item
	p := i.Payload
	if o := p.Offer(); o != nil {
		seen := *o
		seen.Round = 0
		p = p.Clone()
		p.SetOffer(&seen)
	}
	return inbox.CustomerItem{
		ID: i.ID, Type: i.Type, State: machine.Of(i.Type).SeenByCustomer(i.State), Version: i.Version,
		PartyID: i.PartyID, LocationID: i.LocationID, Channel: i.Channel, Subject: i.Subject,
		LinkedItemID: i.LinkedItemID, CreatedAt: i.CreatedAt, UpdatedAt: i.UpdatedAt, ClosedAt: i.ClosedAt, Payload: p,
	}
}

// agreed are the terms that stand, nil before any agreement.
func agreed(f *Facts) *inbox.AgreedTerms {
	o := agreedOffer(f)
	if o == nil {
		return nil
	}
	return &inbox.AgreedTerms{Terms: o.Terms, TermsSHA: o.TermsSHA}
}

// requestedChange is the customer's own change that waits for an answer, nil for
// none.
func requestedChange(o *inbox.Offer) *inbox.RequestedChange {
	if o == nil || o.Status != inbox.OfferOpen || o.Kind != negotiation.KindChange || o.By != inbox.SideCustomer {
		return nil
	}
	return &inbox.RequestedChange{Terms: o.Terms, TermsSHA: o.TermsSHA, Until: o.ValidThrough}
}

func match(r *inbox.Record) inbox.Match {
	if r.CustomerMatch == "" {
		return inbox.MatchNone
	}
	return r.CustomerMatch
}

// theirTurn are the states in which the item waits for the customer.
var theirTurn = []inbox.State{
	inbox.StateProposed, inbox.StateQuoted, inbox.StateNeedsInfo, inbox.StateAwaitingPayment, inbox.StatePaymentFailed,
}

// waitingOn is whose turn it is; nil when the item is closed.
func waitingOn(r *inbox.Record) *string {
	switch {
	case r.Item.ClosedAt != nil || machine.Of(r.Item.Type).IsTerminal(r.Item.State):
		return nil
	case slices.Contains(theirTurn, r.Item.State) || changeIsOwn(r.Item.Payload):
		return inbox.Ptr(waitingOnYou)
	}
	return inbox.Ptr(waitingOnUs)
}

// thread is the newest lines addressed to or from the customer, oldest first: the
// newest one, and before it as many as there is room for.
func thread(entries []inbox.Entry) []inbox.ThreadLine {
	lines := make([]inbox.ThreadLine, 0, min(len(entries), threadLines))
	size := 0
	for i := range slices.Backward(entries) {
		t := &entries[i]
		if t.Direction == inbox.DirectionNote {
			continue
		}
		size += len(t.BodyText)
		if len(lines) == threadLines || len(lines) > 0 && size > threadBytes {
			break
		}
		l := inbox.ThreadLine{From: waitingOnUs, Text: t.BodyText, At: t.CreatedAt, Automated: t.WrittenBy == byAutomation}
		if t.Direction == inbox.DirectionIn {
			l.From = waitingOnYou
		}
		lines = append(lines, l)
	}
	slices.Reverse(lines)
	return lines
}

// OwnerView is the item of the facts as the business reads it (03 §7).
func OwnerView(f Facts, c inbox.Caller, e Env) inbox.OwnerView { return ownerView(&f, c, e) }

func ownerView(f *Facts, c inbox.Caller, e Env) inbox.OwnerView {
	return inbox.OwnerView{
		Item: f.Record.Item, Reference: f.Record.Reference(),
		Transitions: transitions(allowed(f, c, e.Now), ownerLang(f), f.Record, c),
		Human:       ownerHuman(f), Party: partyView(f.Party), Receipts: []struct{}{},
	}
}

func partyView(p *inbox.Party) *inbox.PartyView {
	if p == nil {
		return nil
	}
	return &inbox.PartyView{ID: p.ID, Name: p.DisplayName, Kind: p.Kind, Email: p.Contact.Email, Phone: p.Contact.Phone, Verified: verifiedParty(p)}
}

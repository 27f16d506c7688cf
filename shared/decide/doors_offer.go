package decide

import (
	"errors"
	"slices"
	"strings"

	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
	"typedinbox/shared/negotiation"
	"typedinbox/shared/words"
)

// The customer's doors that answer offers (01 §5.7, 02 §11).

// AcceptOffer takes the business's open offer, with the fingerprint of its
// terms. Status 200, body [inbox.CustomerResult]; 202 when a person has to look
// at the yes first.
//
// Problems, in this order: not_allowed, no_offer, offer_expired, offer_changed
// (with the current offer), confirm_terms (nothing is written), then those of
// the event.
func AcceptOffer(f Facts, c inbox.Caller, r inbox.AcceptOfferRequest, e Env) (Outcome, error) {
	if p := asCustomer(&f, c); p != nil {
		return Outcome{}, p
	}
	o := businessOffer(&f)
	if o == nil {
		return Outcome{}, noOffer()
	}
	if p := acceptable(&f, o, r, e); p != nil {
		return Outcome{}, p
	}
	m, p := fire(&f, c, TransitionRequest{Event: accepting(o)}, e)
	if passes(p, onYes) {
		return passOn(&f, c, words.Suggested{Yes: o.Human()}, e), nil
	}
	return m.outcome(p)
}

// acceptable: the offer can still be accepted, it is the one that is meant, and
// the terms are those that are said yes to.
func acceptable(f *Facts, o *inbox.Offer, r inbox.AcceptOfferRequest, e Env) *inbox.Problem {
	if p := lapsed(o, e.Now); p != nil {
		return p
	}
	if p := current(f, r.OfferID, e); p != nil {
		return p
	}
	return confirmed(f, o, r.TermsSHA, e)
}

// accepting is the event of a yes to an offer.
func accepting(o *inbox.Offer) string {
	if o.Kind == negotiation.KindChange {
		return "accept_change"
	}
	return "accept"
}

// current refuses an answer to another offer than the open one.
func current(f *Facts, offerID string, e Env) *inbox.Problem {
	if offerID == "" || f.Offer == nil || offerID == f.Offer.ID {
		return nil
	}
	return offerChanged(f, e)
}

func offerChanged(f *Facts, e Env) *inbox.Problem {
	return inbox.Refuse(inbox.CodeOfferChanged, "This is not the open offer any more. Nothing was written; read the current one and answer that.").
		With("offer", offerView(f, e.Now))
}

// confirmed asks a yes for the fingerprint of the terms it is to (02 §5.2).
func confirmed(f *Facts, o *inbox.Offer, sha string, e Env) *inbox.Problem {
	switch sha {
	case o.TermsSHA:
		return nil
	case "":
		summary := offerSummary(f, o, e)
		return inbox.Refuse(inbox.CodeConfirmTerms, "%s", words.AskToAccept(customerLang(f), summary)).
			With("summary", summary).With("terms_sha", o.TermsSHA).
			With("obligation_to_pay", obliges(f, o)).With("offer", offerView(f, e.Now))
	}
	return offerChanged(f, e)
}

// NeedsAccept lists the hour rows that [AcceptOffer] looks at.
func NeedsAccept(f Facts, c inbox.Caller) []inbox.HourRow {
	if f.Record == nil || openPointer(f.Record, inbox.SideBusiness) == nil {
		return nil
	}
	return Needs(f, c, TransitionRequest{Event: acceptingEvent(f.Record)})
}

// DeclineOffer says no to the business's open offer: to a time or changes to an
// order, which closes the request; to a quote; to a change, after which what was
// agreed stands. A customer's own open change is taken back. The reason in words
// is the note. Status 200, body [inbox.CustomerResult].
//
// Problems: not_allowed, no_offer, offer_changed, then those of the event.
func DeclineOffer(f Facts, c inbox.Caller, r inbox.DeclineOfferRequest, e Env) (Outcome, error) {
	if p := asCustomer(&f, c); p != nil {
		return Outcome{}, p
	}
	event := declining(&f)
	if event == "" {
		return Outcome{}, noOffer()
	}
	if p := current(&f, r.OfferID, e); p != nil {
		return Outcome{}, p
	}
	m, p := fire(&f, c, TransitionRequest{
		Event: event, Input: mustJSON(inbox.NoteInput{Note: r.Reason, ReasonCode: r.ReasonCode}),
	}, e)
	return m.outcome(p)
}

// declining is the event of a no, "" when there is nothing to say it to.
func declining(f *Facts) string {
	o := f.Offer
	switch {
	case o == nil || o.Status != inbox.OfferOpen:
		return ""
	case o.By == inbox.SideCustomer && o.Kind == negotiation.KindChange:
		return "retract_change"
	case o.By == inbox.SideCustomer:
		return ""
	case o.Kind == negotiation.KindChange:
		return "decline_change"
	case f.Record.Item.Type == inbox.TypeQuote:
		return "decline"
	}
	return "cancel"
}

// suggestions turn what a customer suggests into the input of the counter, by
// the form of the offer it answers; ok is false for what is not one clean
// counter and so goes to a person (02 §6.5, §11.3).
var suggestions = map[inbox.Form]func(*Facts, inbox.MakeOfferRequest) (input any, ok bool){
	inbox.FormTime:  suggestedTime,
	inbox.FormOrder: suggestedOrder,
	inbox.FormQuote: suggestedQuote,
}

// suggestedTime: another time, and nothing else but, where the business takes
// them, a price.
func suggestedTime(f *Facts, r inbox.MakeOfferRequest) (any, bool) {
	t := r.Terms
	in := inbox.CounterTimeInput{TotalPrice: t.TotalPrice, Note: r.Note, ReasonCode: r.ReasonCode}
	proposed := f.Record.Item.Payload.Booking.Proposed
	switch {
	case t.StartTime != nil:
		in.StartTime = *t.StartTime
	case t.TotalPrice != nil && proposed != nil:
		in.StartTime = proposed.StartTime
	default:
		return nil, false
	}
	t.StartTime, t.TotalPrice = nil, nil
	return in, isEmptySuggestion(t) && (in.TotalPrice == nil || f.Settings.Negotiation.PriceCounters)
}

// isEmptySuggestion says whether no value is named.
func isEmptySuggestion(s inbox.Suggestion) bool {
	return s.StartTime == nil && s.PartySize == nil && s.Quantity == nil && len(s.Lines) == 0 && s.DeliveryWhen == nil && s.TotalPrice == nil
}

// MakeOffer is a customer's answer with an offer of their own. One clean counter,
// on a promise one clean change, fires; anything else, a price where none is taken, and a round too many are
// kept as the customer's message for a person, and what the business put forward
// stands: passed on, never refused (01 §5.7). Status 200, body
// [inbox.CustomerResult]; 202 when it was passed on.
//
// Problems: not_allowed, no_offer, offer_changed, invalid_input when it says
// nothing at all, then those of the event.
func MakeOffer(f Facts, c inbox.Caller, r inbox.MakeOfferRequest, e Env) (Outcome, error) {
	if p := asCustomer(&f, c); p != nil {
		return Outcome{}, p
	}
	if businessOffer(&f) == nil && !isPromise(f.Record) {
		return Outcome{}, noOffer()
	}
	if p := current(&f, r.OfferID, e); p != nil {
		return Outcome{}, p
	}
	said := suggested(&f, r)
	if words.Suggestion(customerLang(&f), said) == "" {
		return Outcome{}, inbox.InvalidInput(inbox.FieldProblem{Path: "terms", Problem: inbox.Missing, Message: "say what should be otherwise"})
	}
	if suggested := suggesting(&f, r); suggested != nil {
		m, p := fire(&f, c, *suggested, e)
		if !passes(p, onOffer) {
			return m.outcome(asSuggested(p))
		}
	}
	return passOn(&f, c, said, e), nil
}

// suggestedNames are the fields of a suggestion by those of the input that it
// becomes.
var suggestedNames = strings.NewReplacer("startTime", "start_time", "deliveryWhen", "delivery_when",
	"unitPrice", "unit_price", "totalPrice", "total_price", "reasonCode", "reason_code")

// asSuggested is a refusal of the input that a suggestion became, by the fields
// that the customer sent.
func asSuggested(p *inbox.Problem) *inbox.Problem {
	if p == nil || p.Code != inbox.CodeInvalidInput {
		return p
	}
	fields := slices.Clone(p.Fields)
	for i := range fields {
		at := &fields[i].Path
		switch *at = suggestedNames.Replace(*at); {
		case *at == "input", strings.HasPrefix(*at, "input.orderedItem"): // sums of the lines as they would be
			*at = "terms"
		default:
			*at = strings.Replace(*at, "input.", "terms.", 1)
		}
	}
	return inbox.InvalidInput(fields...)
}

// SuggestTime is [MakeOffer] for another time.
func SuggestTime(f Facts, c inbox.Caller, r inbox.SuggestTimeRequest, e Env) (Outcome, error) {
	out, err := MakeOffer(f, c, offerOfTime(r), e)
	var p *inbox.Problem
	if errors.As(err, &p) && p.Code == inbox.CodeInvalidInput {
		return out, inbox.InvalidField("start_time", "%s", p.Fields[0].Message)
	}
	return out, err
}

func offerOfTime(r inbox.SuggestTimeRequest) inbox.MakeOfferRequest {
	return inbox.MakeOfferRequest{ItemID: r.ItemID, Terms: inbox.Suggestion{StartTime: &r.StartTime}, Note: r.Note}
}

// suggesting is the event that a suggestion is, a change on a promise and else a
// counter; nil when it is neither.
func suggesting(f *Facts, r inbox.MakeOfferRequest) *TransitionRequest {
	if isPromise(f.Record) {
		return changing(f, r)
	}
	o := businessOffer(f)
	if o == nil || suggestions[o.Form] == nil {
		return nil
	}
	input, ok := suggestions[o.Form](f, r)
	if !ok {
		return nil
	}
	return &TransitionRequest{Event: "counter", Input: mustJSON(input)}
}

// NeedsOffer lists the hour rows that [MakeOffer] looks at. The offer itself may
// not be read yet: its form is the one the item's type is proposed in.
func NeedsOffer(f Facts, c inbox.Caller, r inbox.MakeOfferRequest) []inbox.HourRow {
	switch {
	case f.Record == nil || f.Record.Item.Payload.Booking == nil:
		return nil
	case isPromise(f.Record):
		if t := changing(&f, r); t != nil {
			return Needs(f, c, *t)
		}
		return nil
	case openPointer(f.Record, inbox.SideBusiness) == nil:
		return nil
	}
	input, ok := suggestedTime(&f, r)
	if !ok {
		return nil
	}
	return Needs(f, c, TransitionRequest{Event: "counter", Input: mustJSON(input)})
}

// NeedsSuggestion is [NeedsOffer] for [SuggestTime].
func NeedsSuggestion(f Facts, c inbox.Caller, r inbox.SuggestTimeRequest) []inbox.HourRow {
	return NeedsOffer(f, c, offerOfTime(r))
}

// Guards past which a customer's door passes on to a person: on an offer of
// theirs, and on their yes to a change (01 §5.7).
var (
	onOffer = []machine.Guard{roundLeft, priceCounters, changesLeft, amendmentsLive, totalFixed}
	onYes   = []machine.Guard{amendmentsLive, totalFixed}
)

func passes(p *inbox.Problem, guards []machine.Guard) bool {
	return p != nil && slices.ContainsFunc(guards, func(g machine.Guard) bool { return refusedBy(p, g) })
}

// suggested is what the customer named, for a person to read.
func suggested(f *Facts, r inbox.MakeOfferRequest) words.Suggested {
	t := r.Terms
	s := words.Suggested{
		Start: t.StartTime, People: t.PartySize, Quantity: t.Quantity, Delivery: t.DeliveryWhen, Price: t.TotalPrice,
		Note: r.Note, Zone: f.Business.Zone,
	}
	for _, l := range t.Lines {
		s.Lines = append(s.Lines, words.SuggestedLine{Name: lineName(f.Record.Item.Payload, l.Index), Number: l.Index + 1, Quantity: l.Quantity, Price: l.UnitPrice})
	}
	return s
}

// lineName is what the line of the order that is put forward, else asked for, is
// called.
func lineName(p inbox.Payload, index int) string {
	if p.Order == nil {
		return ""
	}
	lines := p.Order.OrderedItem
	if p.Order.Proposed != nil {
		lines = p.Order.Proposed.OrderedItem
	}
	if index >= len(lines) {
		return ""
	}
	return lines[index].Name
}

// offerSummary is what a yes to the offer confirms, in the customer's language
// (02 §5.3): of one that costs something the whole contract, else what they were
// shown.
func offerSummary(f *Facts, o *inbox.Offer, e Env) string {
	if c, ok := offeredContract(f, e.Now); ok && obliges(f, o) {
		return words.Summary(customerLang(f), c)
	}
	return o.Human()
}

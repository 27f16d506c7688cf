package decide

import (
	"errors"
	"slices"

	"typedinbox/shared/catalogue"
	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
	"typedinbox/shared/words"
)

// LinkPage is what the page behind a link is made of, as the facts stand.
type LinkPage struct {
	Link    inbox.Link
	Status  LinkStatus
	Refusal *inbox.Problem // what a press would be refused with now, nil for nothing
	Version int            // of the item, for the form
	Say     words.PageInput
	// Again is where a request that lapsed can be made anew: the service's id,
	// and whether it is priced on request, so that a quote is asked for.
	Again   string
	OnQuote bool
	Test    bool // nothing here is real
}

// PageOfLink is the page behind a link (05 §6.5).
func PageOfLink(f Facts, l Pressed, e Env) LinkPage {
	p := LinkPage{
		Link: l.Link, Status: JudgeLink(f, l, e.Now), Version: f.Record.Item.Version,
		Test: f.Record.Item.Flags.Sandbox || f.Settings.TestMode, Say: saidOfLink(&f, l),
	}
	p.Say.Kind = kindOf(p.Status)
	switch p.Status {
	case LinkFresh:
		p.fresh(&f, l, e)
	case LinkUsed:
		p.Say.Did, p.Say.DidAt, p.Say.Still = l.Did, l.UsedAt, stillStands(&f, l)
	case LinkLate:
		p.late(&f, l)
	}
	return p
}

// kindOf is the page for a status, before anything was pressed.
func kindOf(s LinkStatus) words.PageKind {
	switch s {
	case LinkFresh:
		return words.PageAsk
	case LinkUsed:
		return words.PageDone
	}
	return words.PageKind(s)
}

// stillStands says whether what a link did still stands (05 §6.4): the item is
// where it took it, and of a change or of words for a person, what they were about
// has not moved since either.
func stillStands(f *Facts, l Pressed) bool {
	if l.Became != f.Record.Item.State {
		return false
	}
	agreed := 0
	if o := f.Record.AgreedOffer; o != nil {
		agreed = o.Rev
	}
	switch l.Did {
	case "propose_change":
		return machine.ChangeBy(f.Record.Item.Payload) == inbox.SideCustomer
	case "accept_change":
		return l.Offer == nil || agreed == l.Offer.Rev
	case "decline_change":
		return l.Offer == nil || agreed < l.Offer.Rev
	case inbox.LinkPassedOn:
		sha, allowed := LinkTerms(*f, l.Action)
		return allowed && sha == l.TermsSHA
	}
	return true
}

// saidOfLink is what every page of a link may say.
func saidOfLink(f *Facts, l Pressed) words.PageInput {
	in := words.PageInput{
		Lang: format.Lang(l.Lang), Action: l.Action, About: about(f), Business: f.Business.Name,
		Words: saidWith(f, l), Paid: len(f.Record.Payments) > 0 && isContract(f),
	}
	if f.Party != nil {
		in.Email = f.Party.Contact.Email
	}
	if b := booked(f.Record); b != nil && f.Record.Item.State == inbox.StateConfirmed && f.Settings.Booking.CancellationWindowMin > 0 {
		in.CancelBy = inbox.Ptr(b.StartTime.Add(-int64(f.Settings.Booking.CancellationWindowMin) * inbox.Minute))
	}
	return in
}

// saidWith is what the business said with what the link answers: the note of its
// offer, or the question.
func saidWith(f *Facts, l Pressed) string {
	if l.Offer != nil {
		return l.Offer.Note
	}
	if l.Action != inbox.LinkDetails {
		return ""
	}
	for _, t := range f.Thread {
		if t.ID == f.Record.AskedEntryID {
			return t.BodyText
		}
	}
	return ""
}

// fresh adds what a page with a form says: what pressing costs, and what it
// would be refused with.
func (p *LinkPage) fresh(f *Facts, l Pressed, e Env) {
	if v := offerView(f, e.Now); v != nil && accepts[l.Action] {
		p.Say.Pays = v.ObligationToPay
	}
	if by := p.Say.CancelBy; by != nil {
		p.Say.Late = *by < e.Now
	}
	if l.Action == inbox.LinkWithdraw {
		p.Say.Right = statedRight(f, e)
	}
	if !foreseen(l.Action) {
		return
	}
	out, err := PressLink(*f, l, Press{}, e)
	if p.Refusal = problemIn(err); p.Refusal != nil {
		p.Say.Refusal = RefusalOf(*f, p.Refusal, e.Now)
		if l.Action == inbox.LinkCancel { // the item is somewhere that cancels no more (05 §6.4)
			p.Status = LinkMoved
		}
		return
	}
	if l.Action == inbox.LinkCancel && err == nil {
		p.Say.Withdraws = paidBack(&out)
	}
}

// statedRight is the statement of a withdrawal as its page shows it (05 §6.7).
func statedRight(f *Facts, e Env) *words.Right {
	s := statement(f, nil, e)
	r := &words.Right{
		Text: s.Text, Name: s.Name, Contract: s.Contract, Label: s.Label, Confirm: s.Confirm, Available: s.Available, Until: s.Until,
		Days: f.Settings.Returns.Days, Goods: f.Record.Item.Payload.Order != nil,
	}
	if s.Why != "" {
		r.Why = whyNot(f, rightOf(f, e.Now))
	}
	if r.Concluded = f.Record.AgreedAt; r.Concluded == nil && f.Offer != nil && f.Offer.Status == inbox.OfferAccepted {
		r.Concluded = &f.Offer.UpdatedAt
	}
	return r
}

// paidBack is what a cancellation that is a withdrawal gives back, nil for any
// other.
func paidBack(out *Outcome) *words.PaysBack {
	if !slices.ContainsFunc(out.Write.Events, func(e inbox.Event) bool { return e.Event == "withdraw" }) {
		return nil
	}
	back := &words.PaysBack{}
	for i := range out.Write.Items {
		if r := out.Write.Items[i].Record.Item.Payload.Refund; r != nil {
			back.Amount, back.By = &r.Amount, r.RefundDue
		}
	}
	return back
}

func problemIn(err error) *inbox.Problem {
	var p *inbox.Problem
	errors.As(err, &p)
	return p
}

// late adds until when it was possible, and where it can be asked for anew.
func (p *LinkPage) late(f *Facts, l Pressed) {
	p.Say.Until = inbox.Ptr(l.Until)
	if l.Offer != nil && l.Offer.ValidThrough != nil && *l.Offer.ValidThrough < l.Until {
		p.Say.Until = l.Offer.ValidThrough
	}
	p.Say.Agreed = l.Offer != nil && l.Offer.Status == inbox.OfferAccepted
	b := booked(f.Record)
	if b == nil || f.Service == nil || !f.Service.Active || p.Say.Agreed {
		return
	}
	switch l.Action {
	case inbox.LinkAcceptTime, inbox.LinkDeclineTime, inbox.LinkOtherTime:
		p.Again = f.Service.ID
		p.OnQuote = f.Service.Price != nil && f.Service.Price.Model == catalogue.ModelQuote
	}
}

// RefusalOf names a refusal for the words of a page: by its guard, else by its
// code; a cancellation is too late, or its time has begun.
func RefusalOf(f Facts, p *inbox.Problem, now inbox.Instant) string {
	key := refusalKey(p)
	if guard, ok := p.Details["guard"].(string); ok && p.Code == inbox.CodeSlotTaken && guard != "" {
		key = guard
	}
	if key == string(withinCancellationWindow) || key == "outside_cancellation_window" {
		if b := booked(f.Record); b == nil || b.StartTime <= now {
			return "started"
		}
		return "too_late"
	}
	return key
}

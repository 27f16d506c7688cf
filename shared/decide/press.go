package decide

import (
	"slices"

	"typedinbox/shared/inbox"
)

// LinkStatus is where a link stands (05 §6.4, 09 "status of /c/*").
type LinkStatus string

// The statuses of a link.
const (
	LinkFresh    LinkStatus = "fresh"
	LinkUsed     LinkStatus = "used"
	LinkLate     LinkStatus = "late"     // past its date, within a day: the page says why
	LinkOver     LinkStatus = "over"     // past its date, later
	LinkMoved    LinkStatus = "moved"    // the item is somewhere else by now
	LinkReplaced LinkStatus = "replaced" // what it is bound to is not what stands
)

// Pressed is a link with what it is judged by beside the item's facts.
type Pressed struct {
	inbox.Link
	// Offer is the row of the ledger that the link is bound to, nil for a link
	// that is bound to none.
	Offer *inbox.Offer
}

// Press is what the form on a link's page says.
type Press struct {
	Start *inbox.Instant // the time chosen
	Text  string         // reason, note or details, by action
}

// StaleLink refuses a press on a link that cannot act any more.
type StaleLink struct{ Status LinkStatus }

func (s *StaleLink) Error() string { return "decide: the link is " + string(s.Status) }

// BoundTo finds the offer that a link is bound to among an item's offers: the
// business's newest with its fingerprint, nil for none.
func BoundTo(l inbox.Link, offers []inbox.Offer) *inbox.Offer {
	for i := len(offers) - 1; i >= 0; i-- {
		if o := &offers[i]; o.By == inbox.SideBusiness && o.TermsSHA == l.TermsSHA {
			return o
		}
	}
	return nil
}

// BindsOffer says whether links of the action are bound to an offer.
func BindsOffer(a inbox.LinkAction) bool {
	switch a {
	case inbox.LinkChangeTime, inbox.LinkDetails, inbox.LinkCancel, inbox.LinkWithdraw:
		return false
	}
	return true
}

// Siblings are the other actions that the mail of a link may offer and that its
// page links to, in a mail's order.
func Siblings(a inbox.LinkAction) []inbox.LinkAction {
	if a == inbox.LinkCancel {
		return []inbox.LinkAction{inbox.LinkChangeTime}
	}
	if !BindsOffer(a) {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(inbox.LinkActions), func(o inbox.LinkAction) bool { return o == a || !BindsOffer(o) })
}

// JudgeLink says where a link stands, in the order of 05 §6.4: used, past its
// date or its offer closed as expired, the item's state, what it is bound to.
func JudgeLink(f Facts, l Pressed, now inbox.Instant) LinkStatus {
	expired := l.Offer != nil && l.Offer.Status == inbox.OfferExpired
	sha, allowed := LinkTerms(f, l.Action)
	switch {
	case l.UsedAt != nil:
		return LinkUsed
	case now > l.Until && now >= l.ExpiresAt:
		return LinkOver
	case now > l.Until || expired:
		return LinkLate
	case !allowed:
		return LinkMoved
	case sha != l.TermsSHA:
		return LinkReplaced
	}
	return LinkFresh
}

// LinkCaller is who acts through a link: its item's customer (05 §6.4).
func LinkCaller(f Facts, l inbox.Link) inbox.Caller {
	party := f.Record.Item.PartyID
	return inbox.Caller{
		Actor: inbox.Actor{Kind: inbox.CustomerHuman, ID: "link:" + l.JTI, PartyID: party, Channel: inbox.ChannelActionLink},
		Tier:  inbox.TierVerified, Sandbox: f.Record.Item.Flags.Sandbox,
	}
}

// presses are what the actions of links do: the customer's own doors (05 §6.3).
var presses = map[inbox.LinkAction]func(Facts, inbox.Caller, Pressed, Press, Env) (Outcome, error){
	inbox.LinkAcceptTime:   pressAccept,
	inbox.LinkAcceptQuote:  pressAccept,
	inbox.LinkAcceptOrder:  pressAccept,
	inbox.LinkAcceptChange: pressAccept,
	inbox.LinkDeclineTime:  pressDecline,
	inbox.LinkDeclineQuote: pressDecline,
	inbox.LinkDeclineOrder: pressDecline,
	inbox.LinkKeepAsIs:     pressDecline,
	inbox.LinkOtherTime:    pressTime,
	inbox.LinkChangeTime:   pressTime,
	inbox.LinkDetails: func(f Facts, c inbox.Caller, _ Pressed, p Press, e Env) (Outcome, error) {
		return Details(f, c, p.Text, e)
	},
	inbox.LinkCancel: func(f Facts, c inbox.Caller, _ Pressed, p Press, e Env) (Outcome, error) {
		return Cancel(f, c, p.Text, e)
	},
	inbox.LinkWithdraw: func(f Facts, c inbox.Caller, l Pressed, p Press, e Env) (Outcome, error) {
		return Withdraw(f, c, inbox.WithdrawRequest{ItemID: l.ItemID, Confirm: true, Note: p.Text}, e)
	},
}

func pressAccept(f Facts, c inbox.Caller, l Pressed, _ Press, e Env) (Outcome, error) {
	return AcceptOffer(f, c, inbox.AcceptOfferRequest{ItemID: l.ItemID, TermsSHA: l.TermsSHA}, e)
}

func pressDecline(f Facts, c inbox.Caller, l Pressed, p Press, e Env) (Outcome, error) {
	return DeclineOffer(f, c, inbox.DeclineOfferRequest{ItemID: l.ItemID, Reason: p.Text}, e)
}

func pressTime(f Facts, c inbox.Caller, l Pressed, p Press, e Env) (Outcome, error) {
	return SuggestTime(f, c, suggestionOf(l, p), e)
}

func suggestionOf(l Pressed, p Press) inbox.SuggestTimeRequest {
	r := inbox.SuggestTimeRequest{ItemID: l.ItemID, Note: p.Text}
	if p.Start != nil {
		r.StartTime = *p.Start
	}
	return r
}

// PressLink acts for a link: what its door does and the use of the link, in one
// write (05 §6.3). The link is judged on these facts, so one whose terms do not
// stand any more is refused with [*StaleLink]; everything else that moved on the
// item is no matter.
//
// Problems: those of the door.
func PressLink(f Facts, l Pressed, p Press, e Env) (Outcome, error) {
	if s := JudgeLink(f, l, e.Now); s != LinkFresh {
		return Outcome{}, &StaleLink{s}
	}
	do, ok := presses[l.Action]
	if !ok {
		return Outcome{}, &StaleLink{LinkMoved}
	}
	out, err := do(f, LinkCaller(f, l.Link), l, p, e)
	if err == nil {
		out.Write.Link = l.used(&f, &out, e.Now)
	}
	return out, err
}

// used is the link as it stands after it acted.
func (l Pressed) used(f *Facts, out *Outcome, now inbox.Instant) *inbox.Link {
	used := l.Link
	used.UsedAt, used.Did, used.Became = &now, inbox.LinkPassedOn, f.Record.Item.State
	for _, ev := range out.Write.Events {
		if ev.ItemID == l.ItemID && ev.Event != inbox.EventFlags {
			used.Did, used.Became = ev.Event, ev.ToState
		}
	}
	return &used
}

// LinkNeeds lists the hour rows that a press of the link looks at.
func LinkNeeds(f Facts, l Pressed, p Press) []inbox.HourRow {
	if f.Record == nil {
		return nil
	}
	c := LinkCaller(f, l.Link)
	switch {
	case accepts[l.Action]:
		return NeedsAccept(f, c)
	case p.Start != nil:
		return NeedsSuggestion(f, c, suggestionOf(l, p))
	}
	return nil
}

// accepts are the actions that say yes to what the business put forward.
var accepts = map[inbox.LinkAction]bool{
	inbox.LinkAcceptTime: true, inbox.LinkAcceptQuote: true, inbox.LinkAcceptOrder: true, inbox.LinkAcceptChange: true,
}

// foreseen says whether the page of an action says beforehand when the press
// would be refused: it needs nothing else from the customer.
func foreseen(a inbox.LinkAction) bool { return accepts[a] || a == inbox.LinkCancel }

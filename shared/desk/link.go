package desk

import (
	"context"
	"errors"
	"slices"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

// LinkPage is the page behind a link with the ways that lead on from it.
type LinkPage struct {
	decide.LinkPage
	Others []LinkTo   // the other answers of the same mail, in a mail's order
	Times  *FreeTimes // to choose from, nil where there is nothing to choose
	// TimesAt is the token of the link that takes a chosen time: the page's own, or
	// where its time cannot be had any more the one of its mail that asks for
	// another.
	TimesAt LinkTo
}

// LinkTo is a link of the same mail.
type LinkTo struct {
	Action   inbox.LinkAction
	Token    string
	TermsSHA string
}

// Link is the page behind a link of a mail, as it stands now; it writes nothing,
// ever (05 §6.4). from is the first day of the times to choose from, "" for today.
// Problems: not_found for anything that is not exactly a link of ours.
func (d *Desk) Link(ctx context.Context, token, from string) (LinkPage, error) {
	l, err := d.linkOf(ctx, token)
	if err != nil {
		return LinkPage{}, err
	}
	return d.linkPage(ctx, l, from, nil)
}

// linkOf is the link of a token.
func (d *Desk) linkOf(ctx context.Context, token string) (*inbox.Link, error) {
	l, err := d.Store.LinkByToken(ctx, token, d.Clock())
	if err == nil && l == nil {
		return nil, inbox.NotFound()
	}
	return l, err
}

// linkPage reads the page of a link; refused is what a press of it met.
func (d *Desk) linkPage(ctx context.Context, l *inbox.Link, from string, refused *inbox.Problem) (LinkPage, error) {
	f, pressed, err := d.linkFacts(ctx, l)
	if err != nil {
		return LinkPage{}, err
	}
	p := LinkPage{LinkPage: decide.PageOfLink(f, pressed, d.env())}
	if refused != nil && refused.Code != inbox.CodeInvalidInput && p.Status == decide.LinkFresh {
		p.Refusal, p.Say.Refusal = refused, decide.RefusalOf(f, refused, d.Clock())
	}
	if p.Status != decide.LinkFresh {
		return p, nil
	}
	if p.Others, err = d.siblings(ctx, f, l); err != nil {
		return p, err
	}
	p.TimesAt = p.takesTime(LinkTo{l.Action, d.Store.LinkToken(l), l.TermsSHA})
	if p.TimesAt.Token != "" {
		p.Times, err = d.linkTimes(ctx, f, &p.LinkPage, from)
	}
	return p, err
}

// takesTime is the link that a chosen time is posted to.
func (p *LinkPage) takesTime(own LinkTo) LinkTo {
	if own.Action == inbox.LinkOtherTime || own.Action == inbox.LinkChangeTime {
		return own
	}
	for _, o := range p.Others {
		if o.Action == inbox.LinkOtherTime {
			return o
		}
	}
	return LinkTo{}
}

// linkFacts reads what a link is judged on.
func (d *Desk) linkFacts(ctx context.Context, l *inbox.Link) (f decide.Facts, pressed decide.Pressed, err error) {
	f, err = d.facts(ctx, store.Want{ItemID: l.ItemID, Thread: threadLines})
	if err != nil {
		return f, pressed, err
	}
	pressed, err = d.bound(ctx, l)
	if err != nil {
		return f, pressed, err
	}
	v := verb{rows: func(f decide.Facts) []inbox.HourRow { return decide.LinkNeeds(f, pressed, decide.Press{}) }}
	return f, pressed, d.loadRest(ctx, v, &f)
}

// bound adds the offer that a link is bound to: one storage call for a link that
// is bound to one.
func (d *Desk) bound(ctx context.Context, l *inbox.Link) (decide.Pressed, error) {
	p := decide.Pressed{Link: *l}
	if !decide.BindsOffer(l.Action) {
		return p, nil
	}
	offers, err := d.Store.Offers(ctx, l.ItemID)
	p.Offer = decide.BoundTo(*l, offers)
	return p, err
}

// siblings are the links of the same mail that can act now.
func (d *Desk) siblings(ctx context.Context, f decide.Facts, l *inbox.Link) ([]LinkTo, error) {
	links, err := d.Store.SiblingLinks(ctx, l, decide.Siblings(l.Action))
	var to []LinkTo
	for i := range links {
		o := decide.Pressed{Link: links[i]}
		if token := d.Store.LinkToken(&links[i]); token != "" && decide.JudgeLink(f, o, d.Clock()) == decide.LinkFresh {
			to = append(to, LinkTo{links[i].Action, token, links[i].TermsSHA})
		}
	}
	return to, err
}

// PressLink acts for a link, once (05 §6.4): what its page's form says, in one
// write with the link's use. terms are those the form was shown with. nil on
// success; else the page to show with the error that says why: a
// [*decide.StaleLink], or a problem: not_found, offer_changed when the form was of
// other terms, and those of the action's door.
func (d *Desk) PressLink(ctx context.Context, token, terms string, press decide.Press) (LinkPage, error) {
	l, err := d.linkOf(ctx, token)
	if err != nil {
		return LinkPage{}, err
	}
	page, err := d.linkPage(ctx, l, "", nil)
	switch {
	case err != nil:
		return page, err
	case page.Status != decide.LinkFresh:
		return page, &decide.StaleLink{Status: page.Status}
	case terms != l.TermsSHA:
		return page, inbox.Refuse(inbox.CodeOfferChanged, "")
	}
	err = d.press(ctx, l, press)
	var stale *decide.StaleLink
	var refused *inbox.Problem
	if errors.As(err, &stale) || errors.As(err, &refused) { // it is not as the page said
		if now, readErr := d.linkOf(ctx, token); readErr == nil {
			l = now
		}
		if again, readErr := d.linkPage(ctx, l, "", refused); readErr == nil {
			page = again
		}
	}
	return page, err
}

// press writes what a link does. The link and what it is bound to are read anew
// for every attempt.
func (d *Desk) press(ctx context.Context, l *inbox.Link, press decide.Press) error {
	call := inbox.Call{IdempotencyKey: "link:" + l.JTI}
	call.Caller = inbox.Caller{Actor: inbox.Actor{Kind: inbox.CustomerHuman, ID: "link:" + l.JTI, Channel: inbox.ChannelActionLink}, Tier: inbox.TierVerified}
	pressed := decide.Pressed{Link: *l}
	read := func(ctx context.Context, _ *decide.Facts) error {
		now, err := d.Store.Link(ctx, l.JTI, d.Clock())
		if err == nil && now == nil {
			return inbox.NotFound()
		}
		if err == nil {
			pressed, err = d.bound(ctx, now)
		}
		return err
	}
	_, err := d.act(ctx, "link:"+string(l.Action), press, verb{
		call: call, want: store.Want{ItemID: l.ItemID}, people: read,
		rows: func(f decide.Facts) []inbox.HourRow { return decide.LinkNeeds(f, pressed, press) },
		holds: func(f decide.Facts) bool {
			return slices.ContainsFunc([]string{"accept", "counter", "propose_change"}, func(event string) bool {
				return decide.NeedsHolds(f, decide.LinkCaller(f, *l), decide.TransitionRequest{Event: event})
			})
		},
		decide: func(f decide.Facts, e decide.Env) (decide.Outcome, error) {
			return decide.PressLink(f, pressed, press, e)
		},
	})
	return err
}

// Face is who the business is to people: its name and its languages. One storage
// call.
func (d *Desk) Face(ctx context.Context) (decide.Business, error) {
	f, err := d.facts(ctx, store.Want{})
	return f.Business, err
}

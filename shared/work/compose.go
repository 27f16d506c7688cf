package work

import (
	"context"
	"encoding/base64"
	"encoding/json"

	"typedinbox/shared/canon"
	"typedinbox/shared/decide"
	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
	"typedinbox/shared/words"
)

// Who a mail goes to, as its row says.
const (
	toCustomer = "customer"
	toOwner    = "owner"
)

// composed is a mail as it stands after its composition, with the facts it was
// made from.
type composed struct {
	mail  *inbox.Mail
	facts *facts
}

// notifyCustomer composes the mail to the customer about an event or a reply,
// unless the mail about a newer event tells it too. One that may be left to a
// newer mail is composed while the item stands as it was read, so that of two
// mails one is written, or both tell their own.
func (w *Worker) notifyCustomer(ctx context.Context, j *inbox.Job, e inbox.Effect) (*composed, error) {
	if words.MaySupersede(e.Event) {
		return w.whileStill(ctx, j, e, w.judgeNotice)
	}
	f, template, err := w.customerFacts(ctx, j, e)
	if err != nil {
		return nil, err
	}
	if template == "" {
		return nil, w.Store.FinishEffect(ctx, j, e.ID)
	}
	m, links, err := w.customerMail(ctx, f, e, template)
	if err != nil {
		return nil, err
	}
	return w.keep(ctx, j, f, m, links)
}

// judgeNotice composes a mail on what is committed now.
func (w *Worker) judgeNotice(ctx context.Context, j *inbox.Job, e inbox.Effect) (*composed, error) {
	f, template, err := w.customerFacts(ctx, j, e)
	if err != nil {
		return nil, err
	}
	if template == "" || f.overtaken() {
		return nil, w.Store.FinishEffect(ctx, j, e.ID)
	}
	m, links, err := w.customerMail(ctx, f, e, template)
	if err != nil {
		return nil, err
	}
	kept, err := w.Store.ComposeJudged(ctx, j, m, w.anchor(m), f.Record, links...)
	if err != nil {
		return nil, err
	}
	return &composed{kept, f}, nil
}

// customerFacts reads what a mail to the customer is made of and names it, ""
// for none.
func (w *Worker) customerFacts(ctx context.Context, j *inbox.Job, e inbox.Effect) (*facts, string, error) {
	f, err := w.load(ctx, j, e)
	if err != nil || f == nil {
		return nil, "", err
	}
	if err := w.takeOver(ctx, f); err != nil {
		return nil, "", err
	}
	template, _ := customerTemplate(f)
	return f, template, nil
}

// customerTemplate names the mail about the facts, false for none: words has the
// table from event to mail (05 §3.2).
func customerTemplate(f *facts) (string, bool) {
	if f.event == nil {
		if f.said() == "" {
			return "", false
		}
		return "reply", true
	}
	if f.event.Event == "propose_change" && decide.About(f.Facts).Offered == nil {
		return "", false // it is over, and whatever ended it is told or is nothing to tell
	}
	by := inbox.SideBusiness
	if c := f.event.ActorKind; c == inbox.CustomerAgent || c == inbox.CustomerHuman {
		by = inbox.SideCustomer
	}
	return words.CustomerTemplate(words.Cause{
		Type: f.Record.Item.Type, Event: f.event.Event, From: f.from(), By: by, Said: f.said() != "", Kind: f.refundKind(),
	})
}

// customerMail renders a mail to the customer with its links. It says of what a
// quote became what a confirmation says, and of a refund born with the event what
// goes back; a storage call for each of those.
func (w *Worker) customerMail(ctx context.Context, f *facts, e inbox.Effect, template string) (inbox.Mail, []inbox.Link, error) {
	if err := w.readBeside(ctx, f); err != nil {
		return inbox.Mail{}, nil, err
	}
	m, links := w.toCustomer(f, e, template)
	return m, links, w.countAutomatic(ctx, f, &m)
}

// toCustomer renders a mail to the customer and makes the links it has room for.
func (w *Worker) toCustomer(f *facts, e inbox.Effect, template string) (inbox.Mail, []inbox.Link) {
	now := w.Clock()
	m := w.row(f, e, toCustomer, template)
	m.Automatic, m.AutoSubmit = f.disclosed(), f.cause().submitted(template)
	about := decide.About(f.Facts)
	if about.Refund == nil {
		about.Refund = f.givenBack()
	}
	in := words.MailInput{
		Template: template, Lang: format.Lang(m.Lang), About: about, Business: f.Business.Name,
		Words: canon.HideLinks(f.said()), Automatic: m.Automatic, FromState: f.from(), AsAsked: f.asAsked(),
		CancelUntil: f.cancelUntil(now), Lapsed: f.lapsed(), Withdrawal: decide.Withdrawal(f.agreed(), now), Confirms: f.confirms(),
		ChangeBy: f.changeBy(), Paid: f.paid(), Notice: f.notice(), Country: f.Settings.Commerce.Legal.Country,
	}
	in.Statement = decide.Declared(f.Facts, in.Lang)
	if f.Party != nil {
		in.Name = f.Party.Contact.Name
	}
	links := w.links(f, &m, in.Withdrawal, in.Confirms)
	for _, l := range links {
		in.Links = append(in.Links, words.Link{Action: l.Action, URL: canon.CutLinkURL(w.PublicURL, l.JTI)})
	}
	m.Subject, m.Body = words.Mail(in)
	return m, links
}

// agreement is the item that the promise of a mail is: itself, or what a quote
// became.
func (f *facts) agreement() *inbox.Record {
	if f.contract != nil {
		return f.contract
	}
	return f.Record
}

// agreed are the facts of that item.
func (f *facts) agreed() decide.Facts {
	of := f.Facts
	of.Record = f.agreement()
	return of
}

// cancelUntil is the last moment to cancel a booking that is confirmed now.
func (f *facts) cancelUntil(now inbox.Instant) *inbox.Instant {
	i := f.agreement().Item
	if i.Payload.Booking == nil || i.State != inbox.StateConfirmed {
		return nil
	}
	return words.CancelUntil(i.Payload.Booking.StartTime, f.Settings.Booking.CancellationWindowMin, now)
}

// lapsed is until when the offer that the event closed could be accepted.
func (f *facts) lapsed() *inbox.Instant {
	if f.event == nil || f.event.Diff == nil {
		return nil
	}
	var before inbox.OfferPointer
	change, ok := f.event.Diff.Payload["offer"]
	if !ok || json.Unmarshal(change[0], &before) != nil {
		return nil
	}
	return before.ValidThrough
}

// row begins the mail of an effect: queued, or not to be sent and why.
func (w *Worker) row(f *facts, e inbox.Effect, recipient, template string) inbox.Mail {
	now := w.Clock()
	lang := decide.OwnerLang(f.Facts)
	if recipient == toCustomer {
		lang = decide.CustomerLang(f.Facts)
	}
	id := e.MailID
	if id == "" {
		id = w.Source.ID(now)
	}
	m := inbox.Mail{
		ID: id, JobKey: e.ID, ItemID: f.Record.Item.ID, Recipient: recipient, Template: template,
		Lang: string(words.Written(lang)), EventID: e.EventID, EntryID: e.EntryID,
		Status: inbox.MailQueued, CreatedAt: now, UpdatedAt: now,
	}
	w.judge(f, &m)
	return m
}

// judge marks a mail that is not to be sent (05 §3.7).
func (w *Worker) judge(f *facts, m *inbox.Mail) {
	if _, reason := w.address(f, m.Recipient); reason != "" {
		m.Status, m.SkipReason = inbox.MailSkipped, reason
	}
}

// keep stores a composed mail with its links and marks the effect done, in one transaction.
// The first mail to the customer begins the item's thread.
func (w *Worker) keep(ctx context.Context, j *inbox.Job, f *facts, m inbox.Mail, links []inbox.Link) (*composed, error) {
	kept, err := w.Store.ComposeMail(ctx, j, m, w.anchor(m), links...)
	if err != nil {
		return nil, err
	}
	return &composed{kept, f}, nil
}

// anchorBytes make the 22 characters of an anchor (05 §4.4).
const anchorBytes = 16

// anchor is the message id that an item's thread begins with, nil for a mail
// that begins none.
func (w *Worker) anchor(m inbox.Mail) *store.Anchor {
	if m.Recipient != toCustomer || m.Template == codeTemplate || w.MailDomain == "" {
		return nil
	}
	id := base64.RawURLEncoding.EncodeToString(w.Source.Bytes(anchorBytes))
	a := &store.Anchor{MessageID: "<a." + id + "@" + w.MailDomain + ">", CreatedAt: m.CreatedAt}
	if w.InboundDomain != "" {
		a.Plus = w.Ring.ReplyToken(m.ItemID)
	}
	return a
}

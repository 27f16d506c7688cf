package work

import (
	"context"
	"encoding/base64"
	"encoding/json"

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
	m, err := w.customerMail(ctx, f, e, template)
	if err != nil {
		return nil, err
	}
	return w.keep(ctx, j, f, m)
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
	m, err := w.customerMail(ctx, f, e, template)
	if err != nil {
		return nil, err
	}
	kept, err := w.Store.ComposeJudged(ctx, j, m, w.anchor(m), f.Record)
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
	by := inbox.SideBusiness
	if c := f.event.ActorKind; c == inbox.CustomerAgent || c == inbox.CustomerHuman {
		by = inbox.SideCustomer
	}
	return words.CustomerTemplate(words.Cause{
		Type: f.Record.Item.Type, Event: f.event.Event, From: f.from(), By: by, Said: f.said() != "",
	})
}

// notifyOwner composes the mail to the owner about what a customer did.
func (w *Worker) notifyOwner(ctx context.Context, j *inbox.Job, e inbox.Effect) (*composed, error) {
	f, err := w.load(ctx, j, e)
	if err != nil {
		return nil, err
	}
	template, mailed := ownerTemplate(f)
	if !mailed {
		return nil, w.Store.FinishEffect(ctx, j, e.ID)
	}
	return w.keep(ctx, j, f, w.toOwner(f, e, template))
}

func ownerTemplate(f *facts) (string, bool) {
	switch {
	case f == nil:
		return "", false
	case f.event == nil:
		return words.OwnerTemplate("", true)
	}
	return words.OwnerTemplate(f.event.Event, false)
}

// customerMail renders a mail to the customer. One about a quote that became a
// contract says of that contract what a confirmation says; one storage call then.
func (w *Worker) customerMail(ctx context.Context, f *facts, e inbox.Effect, template string) (inbox.Mail, error) {
	if link := f.Record.Item.LinkedItemID; link != nil && f.Record.Item.Type == inbox.TypeQuote {
		became, err := w.Store.Item(ctx, *link)
		if err != nil {
			return inbox.Mail{}, err
		}
		f.contract = became
	}
	return w.toCustomer(f, e, template), nil
}

// toCustomer renders a mail to the customer.
func (w *Worker) toCustomer(f *facts, e inbox.Effect, template string) inbox.Mail {
	m := w.row(f, e, toCustomer, template)
	m.Automatic, m.AutoSubmit = f.disclosed(), f.cause().submitted(template)
	in := words.MailInput{
		Template: template, Lang: format.Lang(m.Lang), About: decide.About(f.Facts), Business: f.Business.Name,
		Words: f.said(), Automatic: m.Automatic, FromState: f.from(),
		CancelUntil: f.cancelUntil(w.Clock()), Lapsed: f.lapsed(), Withdrawal: f.withdrawal(),
	}
	if f.Party != nil {
		in.Name = f.Party.Contact.Name
	}
	m.Subject, m.Body = words.Mail(in)
	return m
}

// agreement is the item that the promise of a mail is: itself, or what a quote
// became.
func (f *facts) agreement() *inbox.Record {
	if f.contract != nil {
		return f.contract
	}
	return f.Record
}

// cancelUntil is the last moment to cancel a booking that is confirmed now.
func (f *facts) cancelUntil(now inbox.Instant) *inbox.Instant {
	i := f.agreement().Item
	if i.Payload.Booking == nil || i.State != inbox.StateConfirmed {
		return nil
	}
	return words.CancelUntil(i.Payload.Booking.StartTime, f.Settings.Booking.CancellationWindowMin, now)
}

// withdrawal is what a confirmation says of the right of withdrawal.
func (f *facts) withdrawal() *words.Withdrawal {
	of := f.Facts
	of.Record = f.agreement()
	return decide.Withdrawal(of)
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

// toOwner renders a mail to the owner (05 §3.4).
func (w *Worker) toOwner(f *facts, e inbox.Effect, template string) inbox.Mail {
	m := w.row(f, e, toOwner, template)
	m.AutoSubmit = generated
	in := words.MailInput{
		Template: template, Lang: format.Lang(m.Lang), About: decide.About(f.Facts), FromState: f.from(),
		Text: f.heard(), AppURL: f.Settings.Notifications.AppURL, ItemID: f.Record.Item.ID,
	}
	if f.Party != nil {
		in.Name = f.Party.DisplayName
	}
	m.Subject, m.Body = words.Mail(in)
	return m
}

// row begins the mail of an effect: queued, or not to be sent and why.
func (w *Worker) row(f *facts, e inbox.Effect, recipient, template string) inbox.Mail {
	now := w.Clock()
	lang := decide.OwnerLang(f.Facts)
	if recipient == toCustomer {
		lang = decide.CustomerLang(f.Facts)
	}
	m := inbox.Mail{
		ID: w.Source.ID(now), JobKey: e.ID, ItemID: f.Record.Item.ID, Recipient: recipient, Template: template,
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

// keep stores a composed mail and marks the effect done, in one transaction.
// The first mail to the customer begins the item's thread.
func (w *Worker) keep(ctx context.Context, j *inbox.Job, f *facts, m inbox.Mail) (*composed, error) {
	kept, err := w.Store.ComposeMail(ctx, j, m, w.anchor(m))
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
	return &store.Anchor{MessageID: "<a." + id + "@" + w.MailDomain + ">", CreatedAt: m.CreatedAt}
}

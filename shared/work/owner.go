package work

import (
	"context"
	"slices"

	"typedinbox/shared/decide"
	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
	"typedinbox/shared/words"
)

// notifyOwner composes the mail to the owner about what a customer did, or about
// what a person has to know of an item.
func (w *Worker) notifyOwner(ctx context.Context, j *inbox.Job, e inbox.Effect) (*composed, error) {
	f, err := w.load(ctx, j, e)
	if err != nil {
		return nil, err
	}
	template, mailed := ownerTemplate(f, e)
	if mailed {
		mailed, err = w.firstOfHour(ctx, f, e, template)
	}
	if err != nil {
		return nil, err
	}
	if !mailed {
		return nil, w.Store.FinishEffect(ctx, j, e.ID)
	}
	m := w.toOwner(f, e, template)
	if err := w.countAlert(ctx, &m); err != nil {
		return nil, err
	}
	return w.keep(ctx, j, f, m, nil)
}

// ownerTemplate names the mail to the owner that an effect owes: its own name
// where it has one, else that of the event.
func ownerTemplate(f *facts, e inbox.Effect) (string, bool) {
	switch {
	case f == nil:
		return "", false
	case e.Event == inbox.AlertMailFailed || e.Event == inbox.AlertHeldReply:
		return words.OwnerTemplate(e.Event, false)
	case f.event == nil:
		return words.OwnerTemplate("", true)
	}
	return words.OwnerTemplate(f.event.Event, false)
}

// hourly are the mails of which one an hour and item is enough (05 §3.4).
var hourly = map[string]bool{"owner.held_reply": true, "owner.draft_offer": true}

// firstOfHour says whether a mail may be written that one an hour and item is
// enough of; of the others all may.
func (w *Worker) firstOfHour(ctx context.Context, f *facts, e inbox.Effect, template string) (bool, error) {
	if !hourly[template] {
		return true, nil
	}
	return w.Store.CountSent(ctx, template, f.Record.Item.ID, e.ID, w.Clock(), inbox.Hour, 1)
}

// toOwner renders a mail to the owner (05 §3.4).
func (w *Worker) toOwner(f *facts, e inbox.Effect, template string) inbox.Mail {
	m := w.row(f, e, toOwner, template)
	m.AutoSubmit = generated
	in := words.MailInput{
		Template: template, Lang: format.Lang(m.Lang), About: decide.About(f.Facts), FromState: f.from(),
		Text: f.heard(), Words: f.noted(), AppURL: f.Settings.Notifications.AppURL, ItemID: f.Record.Item.ID,
	}
	if f.Party != nil {
		in.Name = f.Party.DisplayName
	}
	if in.Text != "" && f.entry != nil {
		in.Unproven = slices.Contains(f.entry.Marks, inbox.MarkUnverified)
		if slices.Contains(f.entry.Marks, inbox.MarkOtherAddress) {
			in.Sender = f.entry.From
		}
	}
	m.Subject, m.Body = words.Mail(in)
	return m
}

// noted is the note inside that an effect is about, "" for none.
func (f *facts) noted() string {
	if f.entry == nil || f.entry.Direction != inbox.DirectionNote {
		return ""
	}
	return f.entry.BodyText
}

// The owner is mailed so many alerts in an hour; what comes on top is in one
// digest at the end of the clock hour (05 §3.4).
const (
	maxAlerts      = 20
	alertWindow    = inbox.Hour
	digestTemplate = "owner.digest"
)

// uncapped are the mails to the owner that always go.
var uncapped = map[string]bool{"owner.mail_failed": true, digestTemplate: true}

// countAlert counts a mail to the owner that would be sent. Past the number of
// them it is kept as not sent, and the digest tells of it.
func (w *Worker) countAlert(ctx context.Context, m *inbox.Mail) error {
	if m.Status != inbox.MailQueued || uncapped[m.Template] {
		return nil
	}
	w.alerts.Lock() // they count on one row: the jobs of a run take turns
	defer w.alerts.Unlock()
	allowed, err := w.Store.CountSent(ctx, "alert", toOwner, m.JobKey, m.CreatedAt, alertWindow, maxAlerts)
	if err != nil || allowed {
		return err
	}
	m.Status, m.SkipReason = inbox.MailSkipped, inbox.SkipAlertLimit
	return w.Store.AddToDigest(ctx, m.CreatedAt, inbox.Unmailed{JobKey: m.JobKey, Subject: m.Subject, ItemID: m.ItemID})
}

// digest composes the mail that tells of the alerts of an hour that were not
// mailed.
func (w *Worker) digest(ctx context.Context, j *inbox.Job, e inbox.Effect) (*composed, error) {
	d, err := w.Store.Digest(ctx, e.ID)
	if err != nil {
		return nil, err
	}
	if d == nil {
		return nil, w.Store.FinishEffect(ctx, j, e.ID)
	}
	f, err := w.read(ctx, inbox.OwnerMails, "")
	if err != nil {
		return nil, err
	}
	m := w.row(f, e, toOwner, digestTemplate)
	m.AutoSubmit = generated
	in := words.MailInput{Template: digestTemplate, Lang: format.Lang(m.Lang), AppURL: f.Settings.Notifications.AppURL, Digest: words.Digest{Count: d.Count}}
	for _, u := range d.Last {
		in.Digest.Last = append(in.Digest.Last, words.Entry{Subject: u.Subject, ItemID: u.ItemID})
	}
	m.Subject, m.Body = words.Mail(in)
	if _, err := w.Store.CountSent(ctx, "alert", toOwner, m.JobKey, m.CreatedAt, alertWindow, maxAlerts+1); err != nil {
		return nil, err
	}
	return w.keep(ctx, j, f, m, nil)
}

package work

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"typedinbox/shared/inbox"
	"typedinbox/shared/mail"
)

// sendTimeout is the real time one hand-over may take; with its mark it ends
// within the reserve of a run and well inside the lease.
const sendTimeout = 10 * time.Second

// send hands over one mail: it takes the send lease, sends, and writes what
// became of it (05 §4.5, §4.6). A mail that is sent, failed, skipped, not due or
// being sent by another run is left alone. f is what the mail was composed from,
// nil to read it again. An error means that the outcome could not be written; the
// end of the lease brings the mail again.
func (w *Worker) send(ctx context.Context, itemID, effectID string, f *facts) error {
	_, err := w.sendOne(ctx, itemID, effectID, f)
	return err
}

// sendOne says whether there was a mail to take.
func (w *Worker) sendOne(ctx context.Context, itemID, effectID string, f *facts) (bool, error) {
	now := w.Clock()
	m, err := w.Store.TakeSend(ctx, itemID, effectID, now, now.Add(lease))
	if err != nil || m == nil {
		return false, err
	}
	if f == nil {
		if f, err = w.read(ctx, itemID, ""); err != nil {
			return true, err
		}
	}
	if f == nil { // the item is gone, and whom to write to with it
		m.Status, m.SkipReason = inbox.MailSkipped, inbox.SkipErased
		return true, w.done(ctx, m)
	}
	if m.Template == codeTemplate {
		if f, err = w.withCode(ctx, f, m); err != nil {
			return true, err
		}
		if f == nil {
			m.Status, m.LastError = inbox.MailFailed, codeReplaced
			return true, w.done(ctx, m)
		}
	}
	if w.judge(f, m); m.Status == inbox.MailSkipped {
		return true, w.done(ctx, m)
	}
	sender, err := w.Store.Sender(ctx)
	if err != nil {
		return true, err
	}
	if err := w.mayReach(ctx, f, m, sender); err != nil {
		return true, err
	}
	if m.Status == inbox.MailSkipped {
		return true, w.done(ctx, m)
	}
	if until := w.blockedUntil(sender, now); until > 0 {
		m.Status, m.NextAt = inbox.MailRetrying, &until
		return true, w.done(ctx, m)
	}
	id, err := w.handOver(ctx, f, m)
	return true, w.settle(ctx, m, id, err)
}

// handOver builds the mail and gives it to the transport. What cannot be built
// will never be, so it is final. A panic counts as a failed attempt.
func (w *Worker) handOver(ctx context.Context, f *facts, m *inbox.Mail) (id string, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("work: panic: %v", v)
		}
	}()
	message, err := w.message(ctx, f, m)
	if err != nil {
		return "", err
	}
	raw, err := mail.Build(message)
	if err != nil {
		return "", &mail.SendError{Class: mail.Final, Cause: err}
	}
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	return w.Sender.Send(ctx, mail.Outgoing{
		MailID: m.ID, ItemID: m.ItemID, Template: m.Template, From: message.From.Email, To: message.To, Raw: raw,
	})
}

// message is the mail as it goes on the wire: always the text that was composed,
// to the address that holds now.
func (w *Worker) message(ctx context.Context, f *facts, m *inbox.Mail) (mail.Message, error) {
	to, _ := w.address(f, m.Recipient)
	from, _ := f.Settings.Sender(w.MailDomain)
	msg := mail.Message{
		MailID: m.ID, From: mail.Address{Name: w.fromName(f), Email: from}, To: to, ReplyTo: w.replyTo(f, m.Recipient),
		Subject: m.Subject, Body: m.Body, Lang: m.Lang, AutoSubmitted: m.AutoSubmit, Mark: w.Ring.MailMark(m.ID),
	}
	if f.code != nil {
		msg.Body = revealed(m.Body, f.code)
		return msg, nil
	}
	if m.Recipient != toCustomer {
		return msg, nil
	}
	var err error
	if msg.Body, err = w.whole(ctx, m); err == nil {
		msg.InReplyTo, msg.References, err = w.thread(ctx, m)
	}
	return msg, err
}

// settle writes what became of a hand-over (05 §4.7).
func (w *Worker) settle(ctx context.Context, m *inbox.Mail, id string, failure error) error {
	now := w.Clock()
	m.NextAt, m.UpdatedAt = nil, now
	if failure == nil {
		m.Status, m.ProviderID, m.SentAt, m.LastError = inbox.MailSent, id, &now, ""
		m.Attempts++
		return w.done(ctx, m)
	}
	m.Status, m.LastError = inbox.MailRetrying, masked(failure)
	switch class := mail.ClassOf(failure); class {
	case mail.Throttled:
		m.NextAt = inbox.Ptr(now.Add(lease))
	case mail.QuotaExceeded:
		m.NextAt = inbox.Ptr(nextHour(now))
	case mail.SenderBlocked:
		m.NextAt = inbox.Ptr(w.block(ctx, m.LastError))
		w.count(ctx, slog.LevelError, "the mail service takes nothing from us", MetricSenderBlocked, 1, slog.String("error", m.LastError))
	default:
		m.Attempts++
		if class == mail.Final || m.Attempts >= maxAttempts {
			return w.failMail(ctx, m)
		}
		m.NextAt = inbox.Ptr(now.Add(backOff(m.Attempts)))
	}
	return w.done(ctx, m)
}

// nextHour is the next full hour, when a used-up quota is looked at again.
func nextHour(now inbox.Instant) inbox.Instant { return (now/inbox.Hour + 1) * inbox.Hour }

// failMail gives a mail up. A customer's raises a flag on the item in the same
// write (05 §4.10).
func (w *Worker) failMail(ctx context.Context, m *inbox.Mail) error {
	ctx, cancel := marking(ctx)
	defer cancel()
	m.Status = inbox.MailFailed
	given, err := w.give(ctx, m)
	if given {
		w.count(ctx, slog.LevelError, "a mail failed for good", MetricMailsFailed, 1,
			slog.String("item", m.ItemID), slog.String("mail", m.ID), slog.String("to", m.Recipient), slog.String("error", m.LastError))
	}
	return err
}

// give writes that a mail failed and says whether it did: not when another run
// settled it meanwhile.
func (w *Worker) give(ctx context.Context, m *inbox.Mail) (bool, error) {
	if m.Recipient == toCustomer && m.Template != codeTemplate { // a code is asked for again (05 §4.10)
		return w.Desk.MailFailed(ctx, *m)
	}
	err := w.Store.MailDone(ctx, m)
	if leaseLost(err) {
		return false, nil
	}
	return err == nil, err
}

// done writes the outcome of a mail. When another run settled it meanwhile there
// is nothing to do.
func (w *Worker) done(ctx context.Context, m *inbox.Mail) error {
	ctx, cancel := marking(ctx)
	defer cancel()
	m.UpdatedAt = w.Clock()
	err := w.Store.MailDone(ctx, m)
	if leaseLost(err) {
		return nil
	}
	if err != nil {
		return errors.Join(errors.New("work: what became of a mail could not be written"), err)
	}
	return nil
}

// markTimeout is the real time the mark after a hand-over may take.
const markTimeout = 5 * time.Second

// marking is a context for the mark after a hand-over: it outlives a run that is
// being stopped, since an unmarked mail is sent again.
func marking(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(context.WithoutCancel(ctx), markTimeout)
}

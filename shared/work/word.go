package work

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"typedinbox/shared/inbox"
	"typedinbox/shared/mail"
	"typedinbox/shared/mail/ses"
	"typedinbox/shared/store"
)

// TakeMailEvent takes one event of the mail service's about a mail that was sent,
// as its queue holds it (05 §4.8). Twice is once, in any order; an event of a mail
// that is not ours, or that says nothing of its way, is let go. An error has it
// brought again.
func (w *Worker) TakeMailEvent(ctx context.Context, body []byte) error {
	e, ok, err := ses.ParseEvent(body)
	if err != nil || !ok {
		return err
	}
	return w.TakeEvent(ctx, e)
}

// TakeEvent is [Worker.TakeMailEvent] for an event that was read.
func (w *Worker) TakeEvent(ctx context.Context, e mail.Event) error {
	ref, err := w.Store.MailByID(ctx, e.MailID)
	if err == nil && ref == nil {
		ref, err = w.Store.MailByProvider(ctx, e.ProviderID)
	}
	if err != nil || ref == nil {
		return err
	}
	return w.takeWord(ctx, *ref, e)
}

// wordTries is how often a mail is read again because it moved meanwhile.
const wordTries = 8

// oldestWord is how long ago something may have been said; what bears another
// date, or none, was said now.
const oldestWord = 30 * 24 * time.Hour

var errWord = errors.New("work: a mail moved each time that something was said of it")

// takeWord takes what was said of one mail of ours.
func (w *Worker) takeWord(ctx context.Context, ref store.MailRef, e mail.Event) error {
	if now := w.Clock().Time(); e.At.After(now) || now.Sub(e.At) > oldestWord {
		e.At = now
	}
	for range wordTries {
		m, err := w.Store.Mail(ctx, ref.ItemID, ref.JobKey)
		if err != nil || m == nil {
			return err
		}
		done, err := w.heed(ctx, m, e)
		if done || err != nil {
			return err
		}
	}
	return errWord
}

// heed writes what a word does to a mail and to what stands behind it; false when
// the mail moved meanwhile. What the word says already is no work.
func (w *Worker) heed(ctx context.Context, m *inbox.Mail, e mail.Event) (bool, error) {
	next := *m
	if !tell(&next, e) {
		return true, nil
	}
	next.UpdatedAt = w.Clock()
	if next.ProviderID == "" {
		next.ProviderID = e.ProviderID
	}
	switch e.Kind {
	case mail.EventBounce, mail.EventReject:
		next.LastError = masked(fmt.Errorf("%s: %s", e.Kind, next.Delivery.Diagnostic))
		if err := w.suppress(ctx, &next, e); err != nil {
			return false, err
		}
		wrote, err := w.onItem(ctx, next, w.Desk.MailReturned)
		if wrote {
			w.count(ctx, slog.LevelError, "a mail came back", MetricMailsBounced, 1,
				slog.String("item", m.ItemID), slog.String("mail", m.ID), slog.String("to", m.Recipient), slog.String("status", e.Status))
		}
		return wrote, err
	case mail.EventComplaint:
		if err := w.suppress(ctx, &next, e); err != nil {
			return false, err
		}
		wrote, err := w.onItem(ctx, next, w.Desk.MailComplained)
		if wrote {
			w.count(ctx, slog.LevelError, "a mail was called unwanted", MetricMailsComplained, 1,
				slog.String("item", m.ItemID), slog.String("mail", m.ID), slog.String("to", m.Recipient))
		}
		return wrote, err
	case mail.EventDelivery:
		if err := w.reached(ctx, &next); err != nil {
			return false, err
		}
	}
	return w.onRow(ctx, next)
}

// onItem writes a word about a customer's mail with its item, one about any other
// on the mail's row alone; a code is asked for again.
func (w *Worker) onItem(ctx context.Context, m inbox.Mail, write func(context.Context, inbox.Mail) (bool, error)) (bool, error) {
	if m.Recipient != toCustomer || m.Template == codeTemplate || m.ItemID == inbox.OwnerMails {
		return w.onRow(ctx, m)
	}
	return write(ctx, m)
}

// onRow writes the mail's row alone, false when it moved.
func (w *Worker) onRow(ctx context.Context, m inbox.Mail) (bool, error) {
	err := w.Store.SaveMail(ctx, &m)
	if leaseLost(err) {
		return false, nil
	}
	return err == nil, err
}

// tell puts a word on a mail and says whether it is news. A mail that bounced
// stays so, whatever comes late; one whose word of being sent was lost is sent
// from any word that follows (05 §4.6).
func tell(m *inbox.Mail, e mail.Event) bool {
	was := inbox.DeliveryState("")
	if m.Delivery != nil {
		was = m.Delivery.State
	}
	open := m.Status == inbox.MailQueued || m.Status == inbox.MailRetrying
	if !isNews(e.Kind, was, open) {
		return false
	}
	at := inbox.InstantOf(e.At)
	if open {
		m.Status, m.SentAt, m.NextAt = inbox.MailSent, &at, nil
		m.Attempts++
	}
	m.SendingUntil = nil
	if state := states[e.Kind]; state != "" {
		m.Delivery = &inbox.MailDelivery{State: state, At: at, Status: e.Status, Diagnostic: masked(errors.New(e.Diagnostic))}
	}
	if e.Kind == mail.EventBounce || e.Kind == mail.EventReject {
		m.Status = inbox.MailFailed
	}
	return true
}

// states are how far a mail is by what was said of it.
var states = map[mail.EventKind]inbox.DeliveryState{
	mail.EventDelay: inbox.DeliveryDelayed, mail.EventDelivery: inbox.DeliveryDelivered, mail.EventComplaint: inbox.DeliveryComplained,
	mail.EventBounce: inbox.DeliveryBounced, mail.EventReject: inbox.DeliveryRejected,
}

// isNews says whether a word changes a mail of which something was said before.
func isNews(kind mail.EventKind, was inbox.DeliveryState, open bool) bool {
	switch kind {
	case mail.EventSend:
		return open
	case mail.EventDelay:
		return was == ""
	case mail.EventDelivery:
		return was == "" || was == inbox.DeliveryDelayed
	}
	return states[kind] != "" && states[kind] != was
}

// Soft bounces of an address that put it on the list (05 §4.8).
const (
	softBounces = 3
	softWindow  = 7 * inbox.Day
)

// suppress remembers that a mail did not reach its address. The same mail counts
// once.
func (w *Worker) suppress(ctx context.Context, m *inbox.Mail, e mail.Event) error {
	if e.Kind == mail.EventReject {
		return nil
	}
	hash, err := w.hashOf(ctx, m)
	if err != nil || hash == "" {
		return err
	}
	now := w.Clock()
	return w.Store.ChangeSuppression(ctx, hash, func(s *inbox.Suppression) *inbox.Suppression {
		switch {
		case s.Reason == inbox.SuppressHard:
			return nil
		case e.Kind == mail.EventComplaint:
			s.Reason = inbox.SuppressComplaint
		case e.Permanent:
			s.Reason = inbox.SuppressHard
		default:
			if !softer(s, m.ID, now) {
				return nil
			}
		}
		s.Since, s.MailID = now, m.ID
		return s
	})
}

// softer counts a soft bounce and says whether it is news.
func softer(s *inbox.Suppression, mailID string, now inbox.Instant) bool {
	var kept []inbox.SoftBounce
	for _, b := range s.Soft {
		if b.MailID == mailID {
			return false
		}
		if b.At.Add(softWindow) > now {
			kept = append(kept, b)
		}
	}
	s.Soft = append(kept, inbox.SoftBounce{MailID: mailID, At: now})
	if len(s.Soft) >= softBounces && s.Reason == "" {
		s.Reason = inbox.SuppressSoft
	}
	return true
}

// reached forgets soft bounces of an address that mail reaches (05 §4.8).
func (w *Worker) reached(ctx context.Context, m *inbox.Mail) error {
	hash, err := w.hashOf(ctx, m)
	if err != nil || hash == "" {
		return err
	}
	return w.Store.ChangeSuppression(ctx, hash, func(s *inbox.Suppression) *inbox.Suppression {
		if s.Rev == 0 || s.Reason != "" || len(s.Soft) == 0 {
			return nil
		}
		s.Soft = nil
		return s
	})
}

// hashOf is the hash of the address that a mail went to: as it was kept when it
// was sent, else of the one that holds now.
func (w *Worker) hashOf(ctx context.Context, m *inbox.Mail) (string, error) {
	if m.ToHash != "" {
		return m.ToHash, nil
	}
	f, err := w.read(ctx, m.ItemID, "")
	if err != nil || f == nil {
		return "", err
	}
	to, _ := w.address(f, m.Recipient)
	return w.addressHash(ctx, to)
}

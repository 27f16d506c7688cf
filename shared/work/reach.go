package work

import (
	"context"
	"log/slog"

	"typedinbox/shared/inbox"
)

// mayReach marks a mail that is not to be sent because its address is on the
// list of those that mail does not reach, or because the domain may not send
// (05 §3.7, §4.1, §4.9). It is asked when the mail is sent.
func (w *Worker) mayReach(ctx context.Context, f *facts, m *inbox.Mail, state inbox.SenderState) (err error) {
	if state.DKIM != "" && state.DKIM != inbox.DKIMVerified {
		m.Status, m.SkipReason = inbox.MailSkipped, inbox.SkipNoSender
		return nil
	}
	to, _ := w.address(f, m.Recipient)
	if m.ToHash, err = w.addressHash(ctx, to); err != nil || m.ToHash == "" {
		return err
	}
	s, err := w.Store.Suppression(ctx, m.ToHash)
	if err != nil || s == nil || !withheld(s.Reason, m) {
		return err
	}
	m.Status, m.SkipReason = inbox.MailSkipped, inbox.SkipSuppressed
	if m.Recipient != toCustomer || s.Reason == inbox.SuppressComplaint || f.Record.Item.Flags.NeedsHuman {
		return nil
	}
	return w.Desk.CallPerson(ctx, m.ItemID, notReached)
}

// notReached is the note that asks for a person where an address is not mailed.
const notReached = "Mail does not reach the customer's address, so nothing was mailed. Please reach them another way, or have the address tried again."

// withheld says whether a mail is not sent to an address on the list. One that
// complained still gets what tells a promise or its end, and what a person wrote;
// codes and sign-in mails are withheld by a hard bounce alone.
func withheld(why inbox.SuppressReason, m *inbox.Mail) bool {
	switch why {
	case inbox.SuppressHard, inbox.SuppressOwner:
		return true
	case inbox.SuppressSoft:
		return m.Template != codeTemplate && m.Template != "signin"
	case inbox.SuppressComplaint:
		return m.Template == "ack.booking" || m.Template == "ack.order" || m.Template == "ack.quote" || m.Automatic && chatter[m.Template]
	}
	return false
}

// blockedUntil is until when the mail service takes nothing from us, 0 for now:
// as this process knows, or as another wrote down.
func (w *Worker) blockedUntil(state inbox.SenderState, now inbox.Instant) inbox.Instant {
	if until := w.circuit.closedAt(now); until > 0 {
		return until
	}
	if state.BlockedUntil == nil || *state.BlockedUntil <= now {
		return 0
	}
	return *state.BlockedUntil
}

// block stops sending for a while after the mail service refused us as a sender,
// for every process, and warns the owner once a day (05 §4.7). What cannot be
// written down holds for this process alone.
func (w *Worker) block(ctx context.Context, said string) inbox.Instant {
	until := w.circuit.trip(w.Clock())
	_, err := w.Store.ChangeSender(ctx, func(s *inbox.SenderState) bool {
		if s.BlockedUntil != nil && *s.BlockedUntil >= until {
			return false
		}
		s.BlockedUntil = &until
		return true
	})
	if err == nil {
		err = w.warn(ctx, "sender", "The mail service does not send for us",
			"Mails wait and nothing is lost; the service is asked again every quarter of an hour. It said: "+said)
	}
	if err != nil {
		w.Log.LogAttrs(ctx, slog.LevelWarn, "that the sender is blocked could not be written down", slog.String("error", masked(err)))
	}
	return until
}

// lookEvery is how often the sending domain's state is read (05 §4.1).
const lookEvery = inbox.Hour

// lookAtSender reads once an hour whether what we send is signed, keeps it, and
// warns the owner while it is not. A look that fails is made again by the next
// sweep.
func (w *Worker) lookAtSender(ctx context.Context) {
	if w.DKIM == nil || w.MailDomain == "" {
		return
	}
	now := w.Clock()
	state, err := w.Store.Sender(ctx)
	if err != nil || state.CheckedAt != nil && now < state.CheckedAt.Add(lookEvery) {
		return
	}
	status, err := w.DKIM(ctx, w.MailDomain)
	if err == nil {
		_, err = w.Store.ChangeSender(ctx, func(s *inbox.SenderState) bool {
			s.DKIM, s.CheckedAt = status, &now
			return true
		})
	}
	if err == nil && status != inbox.DKIMVerified {
		err = w.warn(ctx, "dkim", "Mail cannot be sent yet",
			"The DKIM records of "+w.MailDomain+" are not verified ("+status+"), so mails are kept and not sent. Publish the records that the deployment printed.")
	}
	if err != nil {
		w.Log.LogAttrs(ctx, slog.LevelWarn, "the state of the sender could not be read", slog.String("error", masked(err)))
	}
}

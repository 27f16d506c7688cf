package work

import (
	"context"
	"errors"
	"slices"

	"typedinbox/shared/canon"
	"typedinbox/shared/inbox"
)

// How much automation may say to a customer without a person (05 §5.12): replies
// and news alone; what tells a promise, an end, money or a withdrawal always
// goes.
const (
	autoWindow     = inbox.Day
	autoPerItem    = 5
	autoPerAddress = 10
	autoPerMail    = 1 // answers to mail that came in, per address
)

// chatter are the mails that automation's limits bind.
var chatter = map[string]bool{"reply": true, "message.answered": true, "news": true}

// tooMuch is the note that asks for a person when automation said enough.
const tooMuch = "Automation has said enough to this customer for today, so its words were not mailed. Please answer in person."

// countAutomatic counts a mail of automation's that would be sent, and marks it
// when the item or the address had its number of them.
func (w *Worker) countAutomatic(ctx context.Context, f *facts, m *inbox.Mail) error {
	if m.Status != inbox.MailQueued || !chatter[m.Template] || !m.Automatic {
		return nil
	}
	to, _ := w.address(f, m.Recipient)
	hash, err := w.Store.AddressHash(ctx, to)
	if errors.Is(err, canon.ErrNoKey) {
		hash, err = "", nil
	}
	if err != nil {
		return err
	}
	mailed, never, err := w.answersMail(ctx, f)
	if err != nil {
		return err
	}
	if never {
		m.Status, m.SkipReason = inbox.MailSkipped, inbox.SkipAutomatic
		return w.Desk.CallPerson(ctx, m.ItemID, noMachine)
	}
	for _, limit := range []struct {
		kind, of string
		most     int
		binds    bool
	}{
		{"answer", hash, autoPerMail, mailed && hash != ""},
		{"item", m.ItemID, autoPerItem, true},
		{"address", hash, autoPerAddress, hash != ""},
	} {
		if !limit.binds {
			continue
		}
		allowed, err := w.Store.CountSent(ctx, limit.kind, limit.of, m.JobKey, m.CreatedAt, autoWindow, limit.most)
		if err != nil {
			return err
		}
		if !allowed {
			m.Status, m.SkipReason = inbox.MailSkipped, inbox.SkipAutomatic
			return w.Desk.CallPerson(ctx, m.ItemID, tooMuch)
		}
	}
	return nil
}

// noMachine is the note that asks for a person where no machine may answer.
const noMachine = "The customer's mail may be answered by a person alone (a list, or a mailbox nobody reads), so automation's words were not mailed. Please answer in person."

// answersMail says whether the customer's newest words on the item came by mail,
// and whether by one that no machine may answer (05 §5.10).
func (w *Worker) answersMail(ctx context.Context, f *facts) (mailed, never bool, err error) {
	entries, err := w.Store.Thread(ctx, f.Record.Item.ID, 0)
	for _, e := range slices.Backward(entries) {
		if e.Direction == inbox.DirectionIn {
			return e.Channel == inbox.ChannelEmail, slices.Contains(e.Marks, inbox.MarkNoAnswer), err
		}
	}
	return false, false, err
}

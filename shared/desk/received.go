package desk

import (
	"context"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

// ReceivedMail is a mail that came in, as far as package work has understood it.
type ReceivedMail struct {
	Caller  inbox.Caller
	Text    string // ≤ 20,000 characters
	Subject string
	Contact inbox.Contact // of a new item's customer
	Body    string        // the hash of what it says
	From    decide.FromMail
	// In is the delivery as it was read; its row ends with the write. Rev 0 has no
	// row.
	In *inbox.InMail
}

// NewFromMail makes a message item of a mail that answers none, 05 §5.8 step 10.
// [*store.Lost] with Message when the mail came in before.
func (d *Desk) NewFromMail(ctx context.Context, m ReceivedMail) (inbox.MailOutcome, error) {
	return d.receive(ctx, m, inbox.MailCreated, verb{want: store.Want{Contacts: decide.ContactsGiven(&m.Contact)}},
		func(f decide.Facts, e decide.Env) (decide.Outcome, error) {
			contact := m.Contact
			return decide.Create(f, m.Caller, decide.CreateRequest{
				Type: inbox.TypeMessage, Payload: inbox.Payload{Message: &inbox.Message{Text: m.Text, Subject: m.Subject}},
				Contact: &contact, Mail: &m.From,
			}, e)
		})
}

// HearMail takes a mail on the item that it answers, as the item's own customer
// (05 §5.8 step 9). [*store.Lost] with Message when the mail came in before.
func (d *Desk) HearMail(ctx context.Context, itemID string, m ReceivedMail) (inbox.MailOutcome, error) {
	return d.receive(ctx, m, inbox.MailReplied, verb{want: store.Want{ItemID: itemID}},
		func(f decide.Facts, e decide.Env) (decide.Outcome, error) {
			return decide.HearMail(f, m.Caller, m.Text, m.Subject, m.From, e)
		})
}

// NoteMail keeps a mail inside, on the item that it answers (05 §5.8 steps 6 and
// 8). [*store.Lost] with Message when the mail came in before.
func (d *Desk) NoteMail(ctx context.Context, itemID string, m ReceivedMail) (inbox.MailOutcome, error) {
	return d.receive(ctx, m, inbox.MailNoted, verb{want: store.Want{ItemID: itemID}},
		func(f decide.Facts, e decide.Env) (decide.Outcome, error) {
			return decide.NoteMail(f, m.Caller, m.Text, m.Subject, m.From, e), nil
		})
}

// receive runs a verb whose words a mail brings: with it the delivery ends, and
// what became of it is remembered under the mail's id.
func (d *Desk) receive(ctx context.Context, m ReceivedMail, outcome string, v verb,
	judge func(decide.Facts, decide.Env) (decide.Outcome, error),
) (told inbox.MailOutcome, err error) {
	v.call, v.mail = inbox.Call{Caller: m.Caller}, true
	v.decide = func(f decide.Facts, e decide.Env) (decide.Outcome, error) {
		out, err := judge(f, e)
		if err != nil {
			return out, err
		}
		told = inbox.MailOutcome{Outcome: outcome}
		for _, t := range out.Write.Entries {
			if t.MessageKey != "" {
				told.ItemID, told.EntryID = t.ItemID, t.ID
			}
		}
		out.Write.Mailed = decide.Mailed{Body: m.Body, In: m.In.ID, Outcome: outcome}
		if m.In.Rev > 0 {
			in := *m.In
			in.Outcome = inbox.Ptr(told)
			out.Write.Received = &in
		}
		return out, nil
	}
	_, err = d.run(ctx, v)
	return told, err
}

// MailReturned takes in one write that a customer's mail did not arrive
// (05 §4.8). m is the mail as it will stand, at the version it was read; it
// says whether it wrote: not when the mail moved meanwhile, which is the caller's
// to read again.
func (d *Desk) MailReturned(ctx context.Context, m inbox.Mail) (bool, error) {
	return d.mailWord(ctx, m, decide.MailReturned)
}

// MailComplained takes in one write that a customer's mail was called unwanted
// (05 §4.8); as [Desk.MailReturned].
func (d *Desk) MailComplained(ctx context.Context, m inbox.Mail) (bool, error) {
	return d.mailWord(ctx, m, decide.MailComplained)
}

// mailWord writes what a mail's later fate does to its item, again when the item
// moved. When the item is gone, the mail's row alone is written.
func (d *Desk) mailWord(ctx context.Context, m inbox.Mail, judge func(decide.Facts, inbox.Mail, decide.Env) decide.Outcome) (bool, error) {
	for range maxAttempts {
		f, err := d.facts(ctx, store.Want{ItemID: m.ItemID})
		if refusal(err) == inbox.CodeNotFound {
			err = d.tell(ctx, decide.Write{Mail: &m})
			_, lost := store.AsLost(err)
			return err == nil, unless(lost, err)
		}
		if err != nil {
			return false, err
		}
		err = d.tell(ctx, judge(f, m, d.env()).Write)
		if lost, ok := store.AsLost(err); !ok || !lost.Version {
			return err == nil, err
		}
		if now, err := d.Store.Mail(ctx, m.ItemID, m.JobKey); err != nil || now == nil || now.Version != m.Version {
			return false, err
		}
	}
	return false, inbox.Unavailable(nil)
}

func unless(not bool, err error) error {
	if not {
		return nil
	}
	return err
}

// CallPerson asks for a person at the business on an item (05 §5.12). An item
// that is not there is no error.
func (d *Desk) CallPerson(ctx context.Context, itemID, why string) error {
	for range maxAttempts {
		f, err := d.facts(ctx, store.Want{ItemID: itemID})
		if refusal(err) == inbox.CodeNotFound {
			return nil
		}
		if err != nil {
			return err
		}
		err = d.tell(ctx, decide.CallPerson(f, why, d.env()).Write)
		if lost, ok := store.AsLost(err); !ok || !lost.Version {
			return err
		}
	}
	return inbox.Unavailable(nil)
}

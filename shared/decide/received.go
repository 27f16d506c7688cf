package decide

import (
	"slices"
	"strings"

	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
)

// FromMail is what a received mail brings beside its words (05 §5.6, §5.8).
type FromMail struct {
	MessageID   string // without brackets, "" for none
	Key         string // what makes the mail unique, never ""
	InReplyTo   string
	From        string // the address it came from, normalised
	RawKey      string // of the raw mail's object, "" when it is not kept
	Attachments []inbox.Attachment
	Marks       []string // inbox.Mark…
	// Proven is the address that the receiving service proved, normalised, ""
	// for none (05 §5.2).
	Proven string
	// ItemID is the id of the item that the mail makes when it answers none.
	ItemID string
}

// enter puts on a thread entry what came with its words.
func (m *FromMail) enter(t *inbox.Entry) {
	if m == nil {
		return
	}
	t.MessageID, t.MessageKey, t.InReplyTo = m.MessageID, m.Key, m.InReplyTo
	t.From, t.RawKey, t.Attachments, t.Marks = m.From, m.RawKey, m.Attachments, m.Marks
}

func (m *FromMail) marked(mark string) bool { return m != nil && slices.Contains(m.Marks, mark) }

// itemID is the new item's id: a mail's is known before.
func (b *birth) itemID() string {
	if b.r.Mail != nil {
		return b.r.Mail.ItemID
	}
	return b.e.Source.ID(b.e.Now)
}

// putAside begins a message that the receiving service took for spam where spam
// is: nobody is told (05 §5.2).
func (b *birth) putAside() {
	if b.r.Mail.marked(inbox.MarkSpam) {
		b.rec.Item.State, b.rec.Item.ClosedAt = inbox.StateSpam, inbox.Ptr(b.e.Now)
	}
}

// proves says whether a create is surely the known customer's: a mail whose
// address is proven, and was proven for them before (01 §15.2).
func (b *birth) proves(k *Known) bool {
	m := b.r.Mail
	return m != nil && m.Proven != "" && k.Contact.Kind == inbox.ContactEmail &&
		k.Contact.Value == m.Proven && k.Contact.VerifiedAt != nil && !k.Contact.Added
}

// recognise makes the item the known customer's.
func (b *birth) recognise(k *Known) *inbox.Problem {
	b.rec.CustomerMatch = inbox.MatchStrong
	b.f.Party = &k.Party
	if learned, news := learn(k.Party, b.r.Contact, b.e.Now); news {
		b.write.Parties = []inbox.Party{learned}
	}
	return nil
}

// verify marks the new party's address as proven when the mail proves it
// (01 §15.2).
func (b *birth) verify() {
	m := b.r.Mail
	if m == nil || m.Proven == "" {
		return
	}
	for i := range b.write.Contacts {
		if c := &b.write.Contacts[i]; c.Kind == inbox.ContactEmail && c.Value == m.Proven {
			c.VerifiedAt = inbox.Ptr(b.e.Now)
			b.write.Party.Verified = m.Proven
		}
	}
}

// HearMail takes a mail on the item that it answers, as the item's own customer:
// details move a question back, a message that was answered opens again, spam is
// kept quietly, and anything else is kept as their message (05 §5.8 step 9). What
// the item's event refuses is kept as a message too. Status 200, body
// [inbox.CustomerResult].
func HearMail(f Facts, c inbox.Caller, text, subject string, m FromMail, e Env) (Outcome, error) {
	c.PartyID = f.Record.Item.PartyID
	w := speech{text: text, subject: subject, mail: &m}
	out, err := speak(&f, c, w, 200, e)
	if err != nil { // what is refused is kept as words
		out = appendInbound(&f, c, w, 200, e)
	}
	out.Write.prove(&f, m.Proven, e)
	return out, nil
}

// prove marks the address of the item's customer as proven when a mail from it
// was; another address proves nothing of theirs (05 §5.2, §5.9).
func (w *Write) prove(f *Facts, proven string, e Env) {
	p := f.Party
	if p == nil || proven == "" || p.ErasedAt != nil || p.MergedInto != "" || verifiedParty(p) || len(w.Parties) > 0 {
		return
	}
	if given, ok := NormalEmail(p.Contact.Email); !ok || given != proven {
		return
	}
	now := *p
	now.Verified, now.UpdatedAt = proven, e.Now
	w.Parties = []inbox.Party{now}
	w.Contacts = append(w.Contacts, inbox.PartyContact{
		PartyID: p.ID, Kind: inbox.ContactEmail, Value: proven, VerifiedAt: inbox.Ptr(e.Now), CreatedAt: p.CreatedAt,
	})
}

// NoteMail keeps a mail on an item as a note inside: a machine's, or what a user
// of the business wrote or forwarded from a mailbox of their own. No event, no
// word to anybody (05 §5.8 steps 6 and 8).
func NoteMail(f Facts, c inbox.Caller, text, subject string, m FromMail, e Env) Outcome {
	masked := mask(&text)
	mask(&subject)
	t := entry(f.Record.Item, c, e, speech{text: text, subject: subject, direction: inbox.DirectionNote, quiet: true, mail: &m})
	a := appended(&f, e, t)
	if masked {
		a.keep(maskedNote(f.Record.Item, e))
	}
	return Outcome{Write: a.write(e), Status: 200}
}

// Undelivered is why an item asks for a person after a mail that was sent did not
// arrive.
const undelivered = "A mail to the customer did not arrive."

// MailReturned is what a customer's mail that was sent and came back does, in one
// write as the system, like [MailFailed] (05 §4.8). m is the mail as it will
// stand.
func MailReturned(f Facts, m inbox.Mail, e Env) Outcome {
	note := "Subject: " + m.Subject + "."
	if d := m.Delivery; d != nil && d.Status+d.Diagnostic != "" {
		note += " The other side said: " + strings.TrimSpace(d.Status+" "+d.Diagnostic)
	}
	return alerted(mailFailed(f, m, undelivered, note, e), e)
}

// MailComplained keeps in one write that a customer's mail was called unwanted: a
// note inside; a person is asked for when a promise is open (05 §4.8).
func MailComplained(f Facts, m inbox.Mail, e Env) Outcome {
	const why = "The customer's mailbox reported a mail as unwanted."
	i := f.Record.Item
	if open := machine.Of(i.Type).IsPromise(i.State) && i.ClosedAt == nil; open {
		out := mailFailed(f, m, why, "Subject: "+m.Subject+".", e)
		out.Write.Items[0].Record.MailFailed = f.Record.MailFailed
		return out
	}
	a := appended(&f, e, systemNote(i, why+" Subject: "+m.Subject+".", e))
	w := a.write(e)
	w.Mail = &m
	return Outcome{Write: w}
}

// systemNote is a note that the inbox leaves for the business.
func systemNote(i inbox.Item, text string, e Env) inbox.Entry {
	return entry(i, inboxItself, e, speech{text: text, direction: inbox.DirectionNote, writtenBy: byAutomation, quiet: true})
}

// CallPerson asks for a person at the business on an item, with a note that says
// why; the state stays. It writes nothing new when a person is asked for already
// but the note.
func CallPerson(f Facts, why string, e Env) Outcome {
	a := appended(&f, e, systemNote(f.Record.Item, why, e))
	return Outcome{Write: a.callPerson(&f, inboxItself, e)}
}

package work

import (
	"strings"

	"typedinbox/shared/inbox"
	"typedinbox/shared/mail"
)

// address is where a mail goes, as it stands now, or why it is not sent
// (05 §3.7). It is asked when a mail is composed and again when it is sent: the
// address is on no row, so a new one is used and an erased one is gone.
func (w *Worker) address(f *facts, recipient string) (string, inbox.SkipReason) {
	if f.Record.Item.Flags.Sandbox {
		return "", inbox.SkipTestItem
	}
	to, reason, party := w.customer(f), inbox.SkipReason(""), f.Party
	if f.code != nil {
		to, party = f.code.Address, f.Possible
	}
	if recipient == toOwner {
		to = w.owner(f)
	}
	_, sends := f.Settings.Sender(w.MailDomain)
	switch {
	case recipient == toCustomer && party != nil && party.ErasedAt != nil:
		reason = inbox.SkipErased
	case to == "" || mail.CheckAddress(to) != nil:
		reason = inbox.SkipNoAddress
	case recipient == toCustomer && w.ours(to):
		reason = inbox.SkipOwnAddress
	case w.Sender == nil:
		reason = inbox.SkipNoService
	case !sends:
		reason = inbox.SkipNoSender
	}
	return to, reason
}

func (w *Worker) customer(f *facts) string {
	if f.Party == nil {
		return ""
	}
	return f.Party.Contact.Email
}

// owner is where the owner is told (05 §3.4).
func (w *Worker) owner(f *facts) string {
	if a := f.Settings.Notifications.OwnerEmail; a != "" {
		return a
	}
	return w.OwnerEmail
}

// ours says whether an address is at our own mail domain: a mail to it would
// come back to us.
func (w *Worker) ours(address string) bool {
	return w.MailDomain != "" && strings.HasSuffix(strings.ToLower(address), "@"+strings.ToLower(w.MailDomain))
}

// fromName is the display name of the sender: never the software's (05 §4.1).
func fromName(f *facts) string {
	if n := f.Settings.Email.FromName; n != "" {
		return n
	}
	return f.Business.Name
}

// replyTo is where an answer goes: for customers the business's mailbox, else
// the owner's address until mail is received; an answer to an owner's mail is no
// door (05 §3.4, §4.4).
func (w *Worker) replyTo(f *facts, recipient string) string {
	if recipient == toOwner {
		return "no-reply@" + w.MailDomain
	}
	if a := f.Settings.Email.ReplyTo; a != "" {
		return a
	}
	if a := w.owner(f); mail.CheckAddress(a) == nil {
		return a
	}
	return ""
}

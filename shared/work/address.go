package work

import (
	"net/url"
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

// ours says whether an address is at the domain where our own mail comes in: a
// mail to it would come back to us (05 §3.7).
func (w *Worker) ours(address string) bool {
	return w.InboundDomain != "" && strings.HasSuffix(strings.ToLower(address), "@"+strings.ToLower(w.InboundDomain))
}

// fromName is the display name of the sender: never the software's (05 §4.1). The
// transports have no name that a customer would know; without one of the
// business's it is the public host.
func (w *Worker) fromName(f *facts) string {
	if n := strings.TrimSpace(f.Settings.Email.FromName); n != "" {
		return n
	}
	if n := strings.TrimSpace(f.Business.Name); n != "" {
		return n
	}
	if u, err := url.Parse(w.PublicURL); err == nil {
		return u.Hostname()
	}
	return ""
}

// replyTo is where an answer goes: a customer's to the business's own mailbox
// where it names one, else to the item's address at the domain where mail comes
// in, else to the owner; an answer to an owner's mail is no door (05 §3.4, §4.4).
func (w *Worker) replyTo(f *facts, recipient string) string {
	domain := w.InboundDomain
	if domain == "" {
		domain = w.MailDomain
	}
	switch token := w.Ring.ReplyToken(f.Record.Item.ID); {
	case recipient != toCustomer:
		return "no-reply@" + domain
	case f.Settings.Email.ReplyTo != "":
		return f.Settings.Email.ReplyTo
	case w.InboundDomain != "" && token != "":
		return "reply+" + token + "@" + w.InboundDomain
	}
	if a := w.owner(f); mail.CheckAddress(a) == nil {
		return a
	}
	return ""
}

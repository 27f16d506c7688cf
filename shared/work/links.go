package work

import (
	"context"
	"slices"
	"strings"

	"typedinbox/shared/canon"
	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
	"typedinbox/shared/words"
)

// linkEvents are the events that links of which nobody waits for fire: such a
// link stands in a mail only while its event is there to be fired (05 §3.3).
var linkEvents = map[inbox.LinkAction]string{inbox.LinkChangeTime: "propose_change", inbox.LinkWithdraw: "withdraw"}

// links makes the links that a mail has room for and the item allows, and notes
// them on the mail (05 §6.3). There are none without a secret or a public origin:
// the mail then asks for a reply.
func (w *Worker) links(f *facts, m *inbox.Mail, right *words.Withdrawal, confirms bool) (links []inbox.Link) {
	if w.PublicURL == "" || !w.Ring.Ready() {
		return nil
	}
	of := f.agreed()
	for _, action := range words.LinksOf(m.Template, confirms) {
		terms, allowed := decide.LinkTerms(of, action)
		if !allowed || action == inbox.LinkWithdraw && (right == nil || right.IsExcepted()) || machine.Of(of.Record.Item.Type).Refuses(linkEvents[action], of.Record.Item.State) {
			continue
		}
		until := decide.LinkUntil(of, action, m.CreatedAt)
		if until <= m.CreatedAt {
			continue
		}
		jti, kid := w.Ring.NewLinkID(m.JobKey, string(action))
		links = append(links, inbox.Link{
			JTI: jti, KID: kid, ItemID: of.Record.Item.ID, Action: action, TermsSHA: terms,
			Until: until, ExpiresAt: until.Add(inbox.LinkGrace), Lang: m.Lang, MailKey: m.JobKey, CreatedAt: m.CreatedAt,
		})
		if m.Links == nil {
			m.Links = map[inbox.LinkAction]string{}
		}
		m.Links[action] = jti
	}
	return links
}

// whole puts the secret halves back into the links of a mail's text: those alone
// whose rows are this very mail's (05 §6.2). One storage call when it has any.
func (w *Worker) whole(ctx context.Context, m *inbox.Mail) (string, error) {
	if len(m.Links) == 0 {
		return m.Body, nil
	}
	var jtis []string
	for _, jti := range m.Links {
		jtis = append(jtis, jti)
	}
	slices.Sort(jtis)
	rows, err := w.Store.Links(ctx, jtis)
	if err != nil {
		return "", err
	}
	secrets := map[string]string{}
	for i := range rows {
		if l := &rows[i]; l.MailKey == m.JobKey && m.Links[l.Action] == l.JTI {
			secrets[l.JTI] = w.Ring.LinkSecret(l.KID, canon.LinkClaim{
				JTI: l.JTI, ItemID: l.ItemID, Action: string(l.Action), ExpiresMS: int64(l.ExpiresAt), TermsSHA: l.TermsSHA,
			})
		}
	}
	return canon.RestoreLinks(m.Body, func(jti string) string { return secrets[jti] }), nil
}

// Bounds of what a mail refers to (05 §4.3).
const (
	threadMails    = 2 // earlier mails of ours
	maxReferences  = 2000
	maxReferenceID = 6
)

// thread is what a mail to the customer answers and refers to: the item's anchor,
// the first and the last of the customer's own mails, and the last mails that
// were sent.
func (w *Worker) thread(ctx context.Context, m *inbox.Mail) (inReplyTo string, references []string, err error) {
	anchor, err := w.Store.Anchor(ctx, m.ItemID)
	if err != nil || anchor == nil {
		return "", nil, err
	}
	theirs, err := w.theirMails(ctx, m.ItemID)
	if err != nil {
		return "", nil, err
	}
	ours, err := w.sentMails(ctx, m.ItemID)
	if err != nil {
		return "", nil, err
	}
	inReplyTo, references = anchor.MessageID, []string{anchor.MessageID}
	if n := len(theirs); n > 0 {
		inReplyTo = theirs[n-1]
		references = append(references, theirs[0], theirs[n-1])
	}
	return inReplyTo, bounded(append(references, ours...)), nil
}

// theirMails are the message ids of a customer's own mails on an item, oldest
// first; none where no mail comes in.
func (w *Worker) theirMails(ctx context.Context, itemID string) (ids []string, err error) {
	if w.InboundDomain == "" {
		return nil, nil
	}
	entries, err := w.Store.Thread(ctx, itemID, 0)
	for i := range entries {
		if e := &entries[i]; e.Direction == inbox.DirectionIn && e.Channel == inbox.ChannelEmail {
			if id := messageID(e.MessageID); id != "" {
				ids = append(ids, id)
			}
		}
	}
	return ids, err
}

// messageID is a message id as a header has it, "" for what no header may hold.
func messageID(id string) string {
	id = strings.Trim(id, "<>")
	if id == "" || len(id) > maxReferences/4 || strings.ContainsFunc(id, func(r rune) bool { return r <= ' ' || r == '<' || r == '>' || r >= 127 }) {
		return ""
	}
	return "<" + id + ">"
}

// sentMails are the message ids of the last mails that were sent to the customer.
func (w *Worker) sentMails(ctx context.Context, itemID string) (ids []string, err error) {
	if w.WireDomain == "" {
		return nil, nil
	}
	mails, err := w.Store.Mails(ctx, itemID)
	for i := range mails {
		if mails[i].Recipient == toCustomer && mails[i].Template != codeTemplate && mails[i].ProviderID != "" {
			ids = append(ids, "<"+mails[i].ProviderID+"@"+w.WireDomain+">")
		}
	}
	return ids[max(0, len(ids)-threadMails):], err
}

// bounded are ids, each once, as many as a header may hold.
func bounded(ids []string) (kept []string) {
	length := 0
	for _, id := range ids {
		if slices.Contains(kept, id) {
			continue
		}
		if length += len(id) + 1; len(kept) == maxReferenceID || length > maxReferences {
			break
		}
		kept = append(kept, id)
	}
	return kept
}

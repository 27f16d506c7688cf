package desk

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strconv"
	"time"

	"typedinbox/shared/blob"
	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

// mailOf finds a mail of the log by its id. Problems: not_found.
func (d *Desk) mailOf(ctx context.Context, id string) (*inbox.Mail, error) {
	ref, err := d.Store.MailByID(ctx, id)
	if err != nil {
		return nil, err
	}
	if ref == nil {
		return nil, inbox.NotFound()
	}
	m, err := d.Store.Mail(ctx, ref.ItemID, ref.JobKey)
	if err == nil && (m == nil || m.ID != id) {
		return nil, inbox.NotFound()
	}
	return m, err
}

// GetMail is one mail of the log, its links cut (05 §4.5, 03 §5.2). Problems:
// not_found.
func (d *Desk) GetMail(ctx context.Context, _ inbox.Call, req inbox.MailRequest) (inbox.Answer, error) {
	m, err := d.mailOf(ctx, req.MailID)
	if err != nil {
		return inbox.Answer{}, err
	}
	return reading(decide.MailView(m), "")
}

// inPerson lets in the owner in person alone.
func inPerson(call inbox.Call) error {
	if call.IsOwnerInPerson() {
		return nil
	}
	return inbox.NotAllowed("owner_in_person", "Only the owner in person does this.")
}

// SendAgain sends a customer's mail again that failed (05 §4.10): one that
// carries links anew, as the item stands now, any other with the text it had. 200
// with the new mail of the log. The owner in person alone.
//
// Problems: not_allowed, not_found, guard_failed, idempotency_mismatch,
// unavailable.
func (d *Desk) SendAgain(ctx context.Context, call inbox.Call, req inbox.SendAgainRequest) (inbox.Answer, error) {
	if err := inPerson(call); err != nil {
		return inbox.Answer{}, err
	}
	m, err := d.mailOf(ctx, req.MailID)
	if err != nil {
		return inbox.Answer{}, err
	}
	return d.act(ctx, "send_again", req, verb{
		call: call, want: store.Want{ItemID: m.ItemID},
		people: func(ctx context.Context, _ *decide.Facts) (err error) {
			m, err = d.mailOf(ctx, req.MailID)
			return err
		},
		decide: func(f decide.Facts, e decide.Env) (decide.Outcome, error) { return decide.SendAgain(f, *m, e) },
	})
}

// Unsuppress has an address tried again, by its hash, and takes it off the mail
// service's own list when that can be found (05 §4.9). The owner in person alone.
// Problems: not_allowed.
func (d *Desk) Unsuppress(ctx context.Context, call inbox.Call, req inbox.SuppressionRequest) (inbox.Answer, error) {
	if err := inPerson(call); err != nil {
		return inbox.Answer{}, err
	}
	was, err := d.Store.Suppression(ctx, req.Hash)
	if err != nil {
		return inbox.Answer{}, err
	}
	if was != nil && d.Config.Unsuppress != nil {
		if err := d.unsuppress(ctx, *was); err != nil {
			return inbox.Answer{}, err
		}
	}
	removed, err := d.Store.DropSuppression(ctx, req.Hash)
	if err != nil {
		return inbox.Answer{}, err
	}
	return reading(inbox.Unsuppressed{Hash: req.Hash, Removed: removed}, "")
}

// unsuppress tells the mail service, when the address that the hash is of still
// is the customer's that the last mail went to.
func (d *Desk) unsuppress(ctx context.Context, was inbox.Suppression) error {
	m, err := d.mailOf(ctx, was.MailID)
	if refusal(err) == inbox.CodeNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	f, err := d.facts(ctx, store.Want{ItemID: m.ItemID})
	if refusal(err) == inbox.CodeNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	p, err := d.Store.Root(ctx, f.Record.Item.PartyID)
	if err != nil || p == nil || p.Contact.Email == "" {
		return err
	}
	hash, err := d.Store.AddressHash(ctx, p.Contact.Email)
	if err != nil || hash != was.Hash {
		return err
	}
	return d.Config.Unsuppress(ctx, p.Contact.Email)
}

// attachmentFor is how long the address of an attachment is good.
const attachmentFor = 5 * time.Minute

// Attachment is the nth file of a thread entry, from 1, as a signed address that
// serves a download: 303 (05 §5.6, 09). What was not found free of viruses is not
// served, and nothing is to the owner's assistant.
//
// Problems: not_allowed, not_found.
func (d *Desk) Attachment(ctx context.Context, call inbox.Call, req inbox.AttachmentRequest) (inbox.Answer, error) {
	if !call.IsOwnerSide() || call.IsAssistant() {
		return inbox.Answer{}, inbox.NotAllowed("attachment", "A file is for people at the business; an assistant reads its name, type and size.")
	}
	l, err := d.Store.Load(ctx, store.Want{ItemID: req.ItemID, EntryID: req.EntryID})
	if err != nil {
		return inbox.Answer{}, err
	}
	n, err := strconv.Atoi(req.N)
	if l.Record == nil || l.Entry == nil || err != nil || n < 1 || n > len(l.Entry.Attachments) || d.Blobs == nil {
		return inbox.Answer{}, inbox.NotFound()
	}
	a := l.Entry.Attachments[n-1]
	if !a.Kept || l.Entry.RawKey == "" || slices.Contains(l.Entry.Marks, inbox.MarkUnscanned) {
		return inbox.Answer{}, inbox.NotFound()
	}
	address, err := d.Blobs.Sign(ctx, AttachmentKey(l.Entry.RawKey, n), blob.Download{Name: a.Name, Type: a.Type}, attachmentFor)
	return inbox.Answer{Status: 303, Location: address}, err
}

// AttachmentKey is the object of the nth attachment, from 1, beside a raw mail's.
func AttachmentKey(rawKey string, n int) string { return fmt.Sprintf("%s/%d", path.Dir(rawKey), n) }

// RawKey is the object of a raw mail that is kept for an item or a notice.
func RawKey(prefix, owner, id string) string { return prefix + owner + "/" + id + "/raw" }

// Prefixes of the objects that mails are kept in (05 §5.1, §5.13).
const (
	PrefixIn         = "in/"
	PrefixItems      = "items/"
	PrefixNotices    = "notices/"
	PrefixQuarantine = "quarantine/"
)

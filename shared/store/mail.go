package store

import (
	"context"
	"encoding/json"
	"slices"

	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
)

// Anchor is the first message id of an item's mail thread, made once (05 §4.4).
type Anchor struct {
	MessageID string        `json:"messageId"`
	Plus      string        `json:"plus,omitempty"` // the token of the item's reply address that leads to it, "" for none
	CreatedAt inbox.Instant `json:"createdAt"`
}

// mailOpen says whether a mail may still be sent.
func mailOpen(m *inbox.Mail) bool {
	return m.Status == inbox.MailQueued || m.Status == inbox.MailRetrying
}

// mailRow is a mail as it is stored, under the key of the effect it does, so it
// is composed once. What may still be sent is in the due index.
func mailRow(m *inbox.Mail) (table.Row, error) {
	r, err := putDoc(mailKey(m.ItemID, m.JobKey), m)
	if err != nil {
		return nil, err
	}
	r[attrRev], r[attrState] = int64(m.Version), string(m.Status)
	if mailOpen(m) {
		at := m.CreatedAt
		if m.NextAt != nil {
			at = *m.NextAt
		}
		if m.SendingUntil != nil {
			at = max(at, *m.SendingUntil)
		}
		r[attrQueue], r[attrDue] = queue(queueMails, m.ID), stamp(at, m.ID)
	}
	return r, nil
}

// ComposeMail keeps a mail and marks its effect done on the leased job, in one
// transaction (05 §4.5). It answers the mail as it stands: the given one, or the
// one an earlier run composed for the same effect, whose mark is then set alone.
// The anchor of the item's thread is made with it when one is given and none
// stands, and the rows of the mail's links. [*Lost] with Version when the lease was lost. One storage call, two
// with an anchor; three more after an earlier run.
func (s *Store) ComposeMail(ctx context.Context, j *inbox.Job, m inbox.Mail, anchor *Anchor, links ...inbox.Link) (*inbox.Mail, error) {
	next, err := withEffectDone(*j, m.JobKey)
	if err != nil {
		return nil, err
	}
	m.Version = 1
	b, err := s.composing(ctx, &next, &m, anchor, links)
	if err != nil {
		return nil, err
	}
	err = s.save(ctx, b)
	if _, lost := AsLost(err); !lost {
		if err == nil {
			*j = next
		}
		return &m, err
	}
	earlier, readErr := s.Mail(ctx, m.ItemID, m.JobKey)
	if readErr != nil || earlier == nil {
		return nil, either2(readErr, err)
	}
	return earlier, s.FinishEffect(ctx, j, m.JobKey)
}

// composing is the transaction of a composition: mail, job, links, anchor.
func (s *Store) composing(ctx context.Context, j *inbox.Job, m *inbox.Mail, anchor *Anchor, links []inbox.Link) (*batch, error) {
	b := &batch{}
	mail, err := mailRow(m)
	if err != nil {
		return nil, err
	}
	b.create(mail)
	read := int64(j.Version)
	j.Version++
	job, err := jobRow(j)
	if err != nil {
		return nil, err
	}
	b.replace(job, read)
	if anchor != nil {
		if anchor, err = s.anchorNow(ctx, m.ItemID, anchor); err != nil {
			return nil, err
		}
	}
	if err := b.refs(m, anchor); err != nil {
		return nil, err
	}
	if err := b.links(links); err != nil {
		return nil, err
	}
	if anchor == nil {
		return b, nil
	}
	r, err := putDoc(anchorKey(m.ItemID), anchor)
	if err == nil {
		b.put(r)
	}
	return b, err
}

// anchorNow is the anchor as it must stand after a composition, nil when it
// stands so already: the first one that was made stays, with the newest token of
// the item's reply address (05 §4.4). One storage call.
func (s *Store) anchorNow(ctx context.Context, itemID string, made *Anchor) (*Anchor, error) {
	there, err := s.Anchor(ctx, itemID)
	if err != nil || there == nil {
		return made, err
	}
	if there.Plus == made.Plus {
		return nil, nil
	}
	there.Plus = made.Plus
	return there, nil
}

// Anchor reads the first message id of an item's mail thread, nil before its
// first mail: one storage call.
func (s *Store) Anchor(ctx context.Context, itemID string) (*Anchor, error) {
	r, err := s.get(ctx, anchorKey(itemID))
	if err != nil {
		return nil, err
	}
	return docOf[Anchor](r)
}

// Mail reads the mail of an effect, nil for none: one storage call.
func (s *Store) Mail(ctx context.Context, itemID, effectID string) (*inbox.Mail, error) {
	if effectID == "" {
		return nil, nil
	}
	r, err := s.get(ctx, mailKey(itemID, effectID))
	if err != nil {
		return nil, err
	}
	return docOf[inbox.Mail](r)
}

// Mails lists an item's mails, oldest first: one storage call for each MB.
func (s *Store) Mails(ctx context.Context, itemID string) ([]inbox.Mail, error) {
	rows, err := s.itemRows(ctx, itemID, sortMail)
	if err != nil {
		return nil, err
	}
	mails, err := docsOf[inbox.Mail](rows)
	slices.SortFunc(mails, func(a, b inbox.Mail) int {
		return compareText(stamp(a.CreatedAt, a.ID), stamp(b.CreatedAt, b.ID))
	})
	return mails, err
}

func compareText(a, b string) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// DueMails lists mails to send, earliest first: queued or retrying, their time
// come and not being sent.
func (s *Store) DueMails(ctx context.Context, now inbox.Instant, limit int) ([]inbox.Mail, error) {
	rows, err := s.dueRows(ctx, queueMails, now, limit)
	if err != nil {
		return nil, err
	}
	mails, err := docsOf[inbox.Mail](rows)
	return slices.DeleteFunc(mails, func(m inbox.Mail) bool { return !sendable(&m, now) }), err
}

// sendable says whether a mail may be sent at an instant.
func sendable(m *inbox.Mail, now inbox.Instant) bool {
	return mailOpen(m) && (m.NextAt == nil || *m.NextAt <= now) && (m.SendingUntil == nil || *m.SendingUntil <= now)
}

// TakeSend leases the sending of a mail until an instant (05 §4.6). It answers
// nil when there is nothing to send: the mail is sent, failed or skipped, not
// due, being sent, or another took it at the same time. Two storage calls.
func (s *Store) TakeSend(ctx context.Context, itemID, effectID string, now, until inbox.Instant) (*inbox.Mail, error) {
	m, err := s.Mail(ctx, itemID, effectID)
	if err != nil || m == nil || !sendable(m, now) {
		return nil, err
	}
	m.SendingUntil, m.UpdatedAt = &until, now
	err = s.saveMail(ctx, m, table.Eq{Name: attrRev, Value: int64(m.Version)})
	if _, lost := AsLost(err); lost {
		return nil, nil
	}
	return m, err
}

// MailDone writes what became of a mail that was taken: the caller sets Status,
// Attempts, NextAt, LastError, ProviderID and SentAt. A mail the service took is
// sent, whoever leased it since; any other result counts only under the lease.
// It ends the lease and with a provider id keeps the row that finds the mail by
// it. [*Lost] with Version when the mail is no longer queued or retrying, or the
// lease was lost: then there is nothing to do. One storage call.
func (s *Store) MailDone(ctx context.Context, m *inbox.Mail) error {
	m.SendingUntil = nil
	if m.Status == inbox.MailSent {
		return s.saveMail(ctx, m, stillOpen)
	}
	return s.saveMail(ctx, m, table.And{stillOpen, table.Eq{Name: attrRev, Value: int64(m.Version)}})
}

// SaveMail writes a mail as it will stand, at the version it was read, whatever
// its status. [*Lost] with Version when it moved. One storage call.
func (s *Store) SaveMail(ctx context.Context, m *inbox.Mail) error {
	return s.saveMail(ctx, m, table.Eq{Name: attrRev, Value: int64(m.Version)})
}

// saveMail writes a mail under a condition, raising its version, with the
// look-up row of its provider id.
func (s *Store) saveMail(ctx context.Context, m *inbox.Mail, cond table.Condition) error {
	next := *m
	next.Version++
	r, err := mailRow(&next)
	if err != nil {
		return err
	}
	b := &batch{}
	b.add(causeVersion, table.Action{Kind: table.Put, Key: keyOf(tableInbox, r), Row: r, If: cond})
	if m.ProviderID != "" {
		ref, err := putDoc(mailRefKey(refProvider, m.ProviderID), MailRef{ItemID: m.ItemID, JobKey: m.JobKey, MailID: m.ID})
		if err != nil {
			return err
		}
		b.put(ref)
	}
	if err := s.save(ctx, b); err != nil {
		return err
	}
	m.Version = next.Version
	return nil
}

// sentLately are the mails that somebody had lately: the key of each and when.
type sentLately struct {
	Keys []string        `json:"k"`
	At   []inbox.Instant `json:"t"`
}

// CountAck counts an acknowledgement to an address, unless it had max of them
// in the window (milliseconds) before now: then it answers false and counts
// nothing (05 §3.7). The same key counts once, however often it is tried. Two
// storage calls.
func (s *Store) CountAck(ctx context.Context, addressHash, key string, now inbox.Instant, window int64, max int) (bool, error) {
	return s.count(ctx, ackKey(addressHash), key, now, window, max)
}

// CountSent is [Store.CountAck] for mails of another kind, of an item or of an
// address (05 §5.12).
func (s *Store) CountSent(ctx context.Context, kind, of, key string, now inbox.Instant, window int64, max int) (bool, error) {
	return s.count(ctx, sentKey(kind, of), key, now, window, max)
}

func (s *Store) count(ctx context.Context, at table.Key, key string, now inbox.Instant, window int64, max int) (bool, error) {
	r := s.Budget()
	for {
		ok, again, err := s.countOnce(ctx, at, key, now, window, max)
		if !again {
			return ok, err
		}
		if err := r.Spend(ctx, err); err != nil {
			return false, err
		}
	}
}

func (s *Store) countOnce(ctx context.Context, at table.Key, key string, now inbox.Instant, window int64, max int) (ok, again bool, err error) {
	row, err := s.get(ctx, at)
	if err != nil {
		return false, false, err
	}
	had := sentLately{}
	if row != nil {
		if err := json.Unmarshal([]byte(row.String(attrDoc)), &had); err != nil {
			return false, false, err
		}
	}
	kept := sentLately{}
	for i, k := range had.Keys {
		if k == key {
			return true, false, nil
		}
		if had.At[i] > now.Add(-window) {
			kept.Keys, kept.At = append(kept.Keys, k), append(kept.At, had.At[i])
		}
	}
	if len(kept.Keys) >= max {
		return false, false, nil
	}
	kept.Keys, kept.At = append(kept.Keys, key), append(kept.At, now)
	r, err := putDoc(at, kept)
	if err != nil {
		return false, false, err
	}
	r[attrRev] = row.Int(attrRev) + 1
	r[table.TTL] = (int64(now)+window)/inbox.Second + 1
	b := &batch{}
	b.replace(r, row.Int(attrRev))
	err = s.save(ctx, b)
	_, lost := AsLost(err)
	return err == nil, lost, err
}

package store

import (
	"context"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
)

// ComposeJudged is [Store.ComposeMail] for a mail that is only right while its
// item stands as it was read: the composition is conditioned on the item's rev,
// so whatever moves the item in the meantime wins (05 §3.1, acknowledgements).
// [*Lost] with Version when the item moved or the lease was lost: read and judge
// again.
func (s *Store) ComposeJudged(ctx context.Context, j *inbox.Job, m inbox.Mail, anchor *Anchor, rec *inbox.Record, links ...inbox.Link) (*inbox.Mail, error) {
	next, err := withEffectDone(*j, m.JobKey)
	if err != nil {
		return nil, err
	}
	m.Version = 1
	b, err := s.composing(ctx, &next, &m, anchor, links)
	if err != nil {
		return nil, err
	}
	b.add(causeVersion, table.Action{
		Kind: table.Check, Key: itemKey(rec.Item.ID), If: table.Eq{Name: attrRev, Value: int64(rec.Rev)},
	})
	if err := s.save(ctx, b); err != nil {
		return nil, err
	}
	*j = next
	return &m, nil
}

// addMail writes what became of a mail in the write of its item (05 §4.10). It
// must stand as it was read: under the lease it was taken with, or as the mail
// service's word found it.
func addMail(b *batch, w decide.Write) error {
	if w.NewMail != nil {
		m := *w.NewMail
		m.Version = 1
		r, err := mailRow(&m)
		if err != nil {
			return err
		}
		b.create(r)
		if err := b.refs(&m, nil); err != nil {
			return err
		}
	}
	if w.Mail == nil {
		return nil
	}
	m := *w.Mail
	read := int64(m.Version)
	m.SendingUntil = nil
	m.Version++
	r, err := mailRow(&m)
	if err != nil {
		return err
	}
	b.add(causeVersion, table.Action{
		Kind: table.Put, Key: keyOf(tableInbox, r), Row: r, If: table.Eq{Name: attrRev, Value: read},
	})
	return nil
}

// stillOpen is the condition that a mail is neither sent nor given up.
var stillOpen = table.Or{
	table.Eq{Name: attrState, Value: string(inbox.MailQueued)}, table.Eq{Name: attrState, Value: string(inbox.MailRetrying)},
}

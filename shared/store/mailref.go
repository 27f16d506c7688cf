package store

import (
	"context"

	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
)

// Kinds of look-up rows that lead to a mail or to the item of its thread
// (05 §4.4). Ids are kept by their local part: a relay may rewrite the rest.
const (
	refProvider = "provider" // the mail service's id, which is the local part of the wire's
	refAnchor   = "anchor"   // the id an item's thread begins with
	refPlus     = "plus"     // the token of an item's reply address
	refMail     = "mail"     // our own id of a mail
)

// MailRef says which mail a look-up row leads to, or which item when it leads to
// no one mail.
type MailRef struct {
	ItemID string `json:"i"`
	JobKey string `json:"k,omitempty"`
	MailID string `json:"m,omitempty"`
}

// refs adds the look-up rows of a mail that is composed: by its own id, and with
// the anchor of an item's thread those that lead to the item.
func (b *batch) refs(m *inbox.Mail, anchor *Anchor) error {
	rows := []struct {
		kind, value string
		ref         MailRef
	}{{refMail, m.ID, MailRef{ItemID: m.ItemID, JobKey: m.JobKey, MailID: m.ID}}}
	if anchor != nil {
		rows = append(rows, struct {
			kind, value string
			ref         MailRef
		}{refAnchor, localPart(anchor.MessageID), MailRef{ItemID: m.ItemID}})
		if anchor.Plus != "" {
			rows = append(rows, struct {
				kind, value string
				ref         MailRef
			}{refPlus, anchor.Plus, MailRef{ItemID: m.ItemID}})
		}
	}
	for _, row := range rows {
		r, err := putDoc(mailRefKey(row.kind, row.value), row.ref)
		if err != nil {
			return err
		}
		b.put(r)
	}
	return nil
}

// localPart is a message id before its @, without brackets.
func localPart(id string) string {
	for len(id) > 0 && (id[0] == '<' || id[0] == ' ') {
		id = id[1:]
	}
	for i := range len(id) {
		if id[i] == '@' || id[i] == '>' {
			return id[:i]
		}
	}
	return id
}

// MailByProvider finds a mail by the mail service's id, nil for none: one
// storage call.
func (s *Store) MailByProvider(ctx context.Context, providerID string) (*MailRef, error) {
	return s.mailRef(ctx, refProvider, providerID)
}

// MailByID finds a mail by our own id, nil for none: one storage call.
func (s *Store) MailByID(ctx context.Context, mailID string) (*MailRef, error) {
	return s.mailRef(ctx, refMail, mailID)
}

func (s *Store) mailRef(ctx context.Context, kind, value string) (*MailRef, error) {
	if value == "" {
		return nil, nil
	}
	r, err := s.get(ctx, mailRefKey(kind, value))
	if err != nil {
		return nil, err
	}
	return docOf[MailRef](r)
}

// ByReplyTokens finds the item whose reply address one of the tokens is of, the
// first that leads anywhere; "" for none. One storage call.
func (s *Store) ByReplyTokens(ctx context.Context, tokens []string) (itemID string, err error) {
	keys := make([]table.Key, len(tokens))
	for i, t := range tokens {
		keys[i] = mailRefKey(refPlus, t)
	}
	ref, err := s.firstRef(ctx, keys)
	return ref.ItemID, err
}

// ByMessageIDs finds the mail of ours, or the item of its thread, that one of
// the message ids names, the first that leads anywhere; the zero MailRef for
// none. Ids are compared by local part. One storage call.
func (s *Store) ByMessageIDs(ctx context.Context, ids []string) (MailRef, error) {
	var keys []table.Key
	for _, id := range ids {
		if l := localPart(id); l != "" {
			keys = append(keys, mailRefKey(refAnchor, l), mailRefKey(refProvider, l))
		}
	}
	return s.firstRef(ctx, keys)
}

// firstRef reads look-up rows and answers the first that is there.
func (s *Store) firstRef(ctx context.Context, keys []table.Key) (MailRef, error) {
	if len(keys) == 0 {
		return MailRef{}, nil
	}
	found, err := s.getMany(ctx, keys)
	if err != nil {
		return MailRef{}, err
	}
	for _, k := range keys {
		if ref, err := docOf[MailRef](found[k]); ref != nil || err != nil {
			return *ref, err
		}
	}
	return MailRef{}, nil
}

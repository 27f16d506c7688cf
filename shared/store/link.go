package store

import (
	"context"
	"slices"

	"typedinbox/shared/canon"
	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
)

// linkRow is a link as it is stored.
func linkRow(l *inbox.Link, rev int) (table.Row, error) {
	r, err := putDoc(linkKey(l.JTI), l)
	if err != nil {
		return nil, err
	}
	r[attrRev] = int64(rev)
	r[table.TTL] = int64(l.ExpiresAt.Add(inbox.LinkKept))/inbox.Second + 1
	return r, nil
}

// links adds the rows of a mail's links; none may stand yet, as none of its mail
// does.
func (b *batch) links(links []inbox.Link) error {
	for i := range links {
		r, err := linkRow(&links[i], 1)
		if err != nil {
			return err
		}
		b.create(r)
	}
	return nil
}

// addLink marks the link that was pressed as used, in the write it acts in; it
// must stand as it was read (05 §6.3).
func addLink(b *batch, w decide.Write) error {
	if w.Link == nil {
		return nil
	}
	r, err := linkRow(w.Link, w.Link.Rev+1)
	if err != nil {
		return err
	}
	b.replace(r, int64(w.Link.Rev))
	return nil
}

// Link reads a link by its id; nil for none, and for one whose time to be kept
// is over. One storage call.
func (s *Store) Link(ctx context.Context, jti string, now inbox.Instant) (*inbox.Link, error) {
	r, err := s.get(ctx, linkKey(jti))
	if err != nil {
		return nil, err
	}
	l, err := docOf[inbox.Link](r)
	if l == nil || err != nil || now >= l.ExpiresAt.Add(inbox.LinkKept) {
		return nil, err
	}
	l.Rev = int(r.Int(attrRev))
	return l, nil
}

// Links reads links by their ids, in no order; those that are not there are left
// out. One storage call.
func (s *Store) Links(ctx context.Context, jtis []string) ([]inbox.Link, error) {
	keys := make([]table.Key, len(jtis))
	for i, jti := range jtis {
		keys[i] = linkKey(jti)
	}
	found, err := s.getMany(ctx, keys)
	if err != nil {
		return nil, err
	}
	var links []inbox.Link
	for _, k := range keys {
		l, err := docOf[inbox.Link](found[k])
		if err != nil {
			return nil, err
		}
		if l != nil {
			l.Rev = int(found[k].Int(attrRev))
			links = append(links, *l)
		}
	}
	return links, nil
}

// LinkByToken reads the link of a token; nil for anything that is not exactly a
// link of ours: its form, its id, its secret half under the key that its row
// names (05 §6.1). One storage call, none for what has not its form.
func (s *Store) LinkByToken(ctx context.Context, token string, now inbox.Instant) (*inbox.Link, error) {
	jti, secret, ok := canon.SplitLinkToken(token)
	if !ok {
		return nil, nil
	}
	l, err := s.Link(ctx, jti, now)
	if err != nil || l == nil || !s.ring.VerifyLink(l.KID, claimOf(l), secret) {
		return nil, err
	}
	return l, nil
}

// LinkToken is the token of a link, "" when its key is gone.
func (s *Store) LinkToken(l *inbox.Link) string {
	secret := s.ring.LinkSecret(l.KID, claimOf(l))
	if secret == "" {
		return ""
	}
	return l.JTI + "." + secret
}

func claimOf(l *inbox.Link) canon.LinkClaim {
	return canon.LinkClaim{JTI: l.JTI, ItemID: l.ItemID, Action: string(l.Action), ExpiresMS: int64(l.ExpiresAt), TermsSHA: l.TermsSHA}
}

// SiblingLinks reads the other links of a link's mail among the actions given, in
// their order. One storage call.
func (s *Store) SiblingLinks(ctx context.Context, l *inbox.Link, actions []inbox.LinkAction) ([]inbox.Link, error) {
	var jtis []string
	for _, a := range actions {
		if jti := s.ring.LinkID(l.KID, l.MailKey, string(a)); jti != "" && a != l.Action {
			jtis = append(jtis, jti)
		}
	}
	if len(jtis) == 0 {
		return nil, nil
	}
	found, err := s.Links(ctx, jtis)
	return slices.DeleteFunc(found, func(o inbox.Link) bool { return o.ItemID != l.ItemID || o.MailKey != l.MailKey }), err
}

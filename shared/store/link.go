package store

import (
	"context"

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

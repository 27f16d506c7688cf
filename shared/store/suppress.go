package store

import (
	"context"

	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
)

// suppressed is the one partition of the list, so that it can be listed; only
// mail that fails writes it.
const suppressed = "sup"

func suppressionKey(hash string) table.Key { return key(suppressed, hash) }

func suppressionOf(r table.Row) (*inbox.Suppression, error) {
	v, err := docOf[inbox.Suppression](r)
	if v != nil {
		v.Rev = int(r.Int(attrRev))
	}
	return v, err
}

// Suppression reads what is remembered of an address, by [Store.AddressHash];
// nil for nothing. One storage call.
func (s *Store) Suppression(ctx context.Context, hash string) (*inbox.Suppression, error) {
	if hash == "" || !usable(suppressionKey(hash)) {
		return nil, nil
	}
	r, err := s.get(ctx, suppressionKey(hash))
	if err != nil {
		return nil, err
	}
	return suppressionOf(r)
}

// ChangeSuppression rewrites what is remembered of an address by a function of
// what stands, again when it moved meanwhile; nil from the function leaves it.
// Two storage calls.
func (s *Store) ChangeSuppression(ctx context.Context, hash string, change func(*inbox.Suppression) *inbox.Suppression) error {
	budget := s.Budget()
	for {
		was, err := s.Suppression(ctx, hash)
		if err != nil {
			return err
		}
		if was == nil {
			was = &inbox.Suppression{Hash: hash}
		}
		next := change(was)
		if next == nil {
			return nil
		}
		r, err := putDoc(suppressionKey(hash), next)
		if err != nil {
			return err
		}
		r[attrRev] = int64(was.Rev + 1)
		b := &batch{}
		b.replace(r, int64(was.Rev))
		err = s.save(ctx, b)
		if _, lost := AsLost(err); !lost {
			return err
		}
		if err := budget.Spend(ctx, err); err != nil {
			return err
		}
	}
}

// DropSuppression forgets an address and says whether anything was remembered:
// one storage call, two when there was.
func (s *Store) DropSuppression(ctx context.Context, hash string) (bool, error) {
	was, err := s.Suppression(ctx, hash)
	if err != nil || was == nil {
		return false, err
	}
	b := &batch{}
	b.add(causeVersion, table.Action{Kind: table.Delete, Key: suppressionKey(hash)})
	return true, s.save(ctx, b)
}

// Suppressions lists the addresses that are mailed nothing, or little, by hash,
// at most limit: one storage call.
func (s *Store) Suppressions(ctx context.Context, limit int) ([]inbox.Suppression, error) {
	rows, err := s.queryAll(ctx, table.Query{Table: tableInbox, Partition: suppressed}, limit)
	if err != nil {
		return nil, err
	}
	list := []inbox.Suppression{}
	for _, r := range rows {
		v, err := suppressionOf(r)
		if err != nil {
			return nil, err
		}
		if v.Reason != "" {
			list = append(list, *v)
		}
	}
	return list, nil
}

// senderKey is the row of what is known of the sender.
var senderKey = key("cfg#sender", "d")

// Sender reads what is known of whether mail can be sent; the zero state before
// anything is. One storage call.
func (s *Store) Sender(ctx context.Context) (inbox.SenderState, error) {
	r, err := s.get(ctx, senderKey)
	if err != nil {
		return inbox.SenderState{}, err
	}
	v, err := docOf[inbox.SenderState](r)
	if v == nil || err != nil {
		return inbox.SenderState{}, err
	}
	v.Rev = int(r.Int(attrRev))
	return *v, nil
}

// ChangeSender rewrites what is known of the sender by a function of what stands,
// again when it moved meanwhile; false from the function leaves it. It says
// whether it wrote. Two storage calls.
func (s *Store) ChangeSender(ctx context.Context, change func(*inbox.SenderState) bool) (bool, error) {
	budget := s.Budget()
	for {
		v, err := s.Sender(ctx)
		if err != nil {
			return false, err
		}
		rev := v.Rev
		if !change(&v) {
			return false, nil
		}
		r, err := putDoc(senderKey, v)
		if err != nil {
			return false, err
		}
		r[attrRev] = int64(rev + 1)
		b := &batch{}
		b.replace(r, int64(rev))
		err = s.save(ctx, b)
		if _, lost := AsLost(err); !lost {
			return err == nil, err
		}
		if err := budget.Spend(ctx, err); err != nil {
			return false, err
		}
	}
}

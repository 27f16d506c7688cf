package store

import (
	"context"

	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
)

// attrUsed is when a key was last used, milliseconds.
const attrUsed = "u"

// touchEvery is how often the use of a key is written down (03 §2.2).
const touchEvery = inbox.Minute

// key adds a new API key: its row by hash, which a request is judged by, and
// its row by id, which lists and revokes it.
func (b *batch) key(k inbox.Key) error {
	used := k.LastUsedAt
	k.LastUsedAt = nil
	r, err := putDoc(apiKeyKey(k.Hash), k)
	if err != nil {
		return err
	}
	if used != nil {
		r[attrUsed] = int64(*used)
	}
	r[attrRev] = int64(1)
	b.create(r)
	list := newRow(apiKeyListKey(k.ID))
	list[attrOwner] = k.Hash
	b.create(list)
	return nil
}

// PutKey stores a new key; [*Lost] with Version when its id or hash is there
// already. One storage call, more while the database is busy.
func (s *Store) PutKey(ctx context.Context, k inbox.Key) error {
	budget := s.Budget()
	for {
		err := s.SaveSetUp(ctx, SetUp{Key: &k})
		if lost, ok := AsLost(err); !ok || !lost.Busy {
			return err
		}
		if err := budget.Spend(ctx, err); err != nil {
			return err
		}
	}
}

// KeyByHash reads the key of a hash, nil for none, whatever its dates say: one
// storage call.
func (s *Store) KeyByHash(ctx context.Context, hash string) (*inbox.Key, error) {
	r, err := s.get(ctx, apiKeyKey(hash))
	if err != nil {
		return nil, err
	}
	return apiKeyOf(r)
}

func apiKeyOf(r table.Row) (*inbox.Key, error) {
	k, err := docOf[inbox.Key](r)
	if k != nil && r.Has(attrUsed) {
		k.LastUsedAt = inbox.Ptr(inbox.Instant(r.Int(attrUsed)))
	}
	return k, err
}

// Keys lists every API key by id: one storage call for each 100.
func (s *Store) Keys(ctx context.Context) ([]inbox.Key, error) {
	list, err := s.queryAll(ctx, table.Query{Table: tableInbox, Partition: apiKeyListKey("").Partition}, 0)
	if err != nil {
		return nil, err
	}
	keys := make([]table.Key, len(list))
	for i, r := range list {
		keys[i] = apiKeyKey(r.String(attrOwner))
	}
	found, err := s.getMany(ctx, keys)
	if err != nil {
		return nil, err
	}
	var out []inbox.Key
	for _, r := range inOrder(keys, found) {
		k, err := apiKeyOf(r)
		if err != nil {
			return nil, err
		}
		out = append(out, *k)
	}
	return out, nil
}

// TouchKey writes down that a key was used, at most once a minute whoever asks:
// one storage call. A key that is gone stays gone.
func (s *Store) TouchKey(ctx context.Context, k *inbox.Key, now inbox.Instant) error {
	b := &batch{}
	b.add(causeVersion, table.Action{
		Kind: table.Update, Key: apiKeyKey(k.Hash), Set: table.Row{attrUsed: int64(now)},
		If: table.And{table.Exists(table.PartitionKey), table.Or{
			table.Absent(attrUsed), table.Lte{Name: attrUsed, Value: int64(now.Add(-touchEvery))},
		}},
	})
	err := s.db.Transact(ctx, "", b.actions)
	if _, ok := refused(err); ok {
		return nil
	}
	if err == nil {
		k.LastUsedAt = &now
	}
	return err
}

// RevokeKey marks a key revoked, by id: [*Lost] with Version when there is none
// or it is being changed. Two storage calls.
func (s *Store) RevokeKey(ctx context.Context, id string, now inbox.Instant) error {
	list, err := s.get(ctx, apiKeyListKey(id))
	if err != nil {
		return err
	}
	k, err := s.KeyByHash(ctx, list.String(attrOwner))
	if err != nil || k == nil {
		return either2(err, &Lost{Version: true})
	}
	k.RevokedAt = &now
	k.LastUsedAt = nil
	r, err := putDoc(apiKeyKey(k.Hash), k)
	if err != nil {
		return err
	}
	b := &batch{}
	b.add(causeVersion, table.Action{
		Kind: table.Update, Key: apiKeyKey(k.Hash), Set: table.Row{attrDoc: r[attrDoc]}, If: table.Exists(table.PartitionKey),
	})
	return s.save(ctx, b)
}

func either2(err, other error) error {
	if err != nil {
		return err
	}
	return other
}

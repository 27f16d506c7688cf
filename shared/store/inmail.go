package store

import (
	"context"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
)

// inMailKept is how long the row of a received mail stands: longer than the raw
// object that lies where the service put it, so that what was dealt with is never
// taken for new.
const inMailKept = 40 * inbox.Day

// receivedItem is the id that the rows of a received mail stand under.
func receivedItem(id string) string { return inbox.ReceivedItem + id }

func inMailKey(id string) table.Key { return key(itemPartition(receivedItem(id)), sortReceived) }

func inMailRow(m *inbox.InMail, rev int) (table.Row, error) {
	r, err := putDoc(inMailKey(m.ID), m)
	if err != nil {
		return nil, err
	}
	r[attrRev] = int64(rev)
	r[table.TTL] = int64(m.ReceivedAt.Add(inMailKept)) / inbox.Second
	return r, nil
}

func inMailOf(r table.Row) (*inbox.InMail, error) {
	m, err := docOf[inbox.InMail](r)
	if m != nil {
		m.Rev = int(r.Int(attrRev))
	}
	return m, err
}

// KeepInMail keeps a mail that came in with the job that deals with it, unless
// the same delivery was kept before; then it answers false (05 §5.1). The job is
// ready. One storage call.
func (s *Store) KeepInMail(ctx context.Context, m *inbox.InMail, jobID string) (bool, error) {
	row, err := inMailRow(m, 1)
	if err != nil {
		return false, err
	}
	item := receivedItem(m.ID)
	job, err := jobRow(&inbox.Job{
		ID: jobID, ItemID: item, RunAt: m.ReceivedAt, Ready: true, Version: 1, CreatedAt: m.ReceivedAt,
		Effects: []inbox.Effect{{ID: "receive:" + m.ID, Kind: inbox.EffectReceive}},
	})
	if err != nil {
		return false, err
	}
	b := &batch{}
	b.create(row)
	b.create(job)
	err = s.save(ctx, b)
	if _, lost := AsLost(err); lost {
		return false, nil
	}
	if err == nil {
		m.Rev = 1
	}
	return err == nil, err
}

// InMail reads a mail that came in, nil for none: one storage call.
func (s *Store) InMail(ctx context.Context, id string) (*inbox.InMail, error) {
	r, err := s.get(ctx, inMailKey(id))
	if err != nil {
		return nil, err
	}
	return inMailOf(r)
}

// InMailsKnown says which of the mails are kept: one storage call for each 100.
func (s *Store) InMailsKnown(ctx context.Context, ids []string) (map[string]bool, error) {
	keys := make([]table.Key, len(ids))
	for i, id := range ids {
		keys[i] = inMailKey(id)
	}
	found, err := s.getMany(ctx, keys)
	known := make(map[string]bool, len(found))
	for i, id := range ids {
		known[id] = found[keys[i]] != nil
	}
	return known, err
}

// SaveInMail writes a mail that came in as it will stand, at the rev it was read.
// [*Lost] with Version when it moved. One storage call.
func (s *Store) SaveInMail(ctx context.Context, m *inbox.InMail) error {
	b := &batch{}
	if err := b.inMail(m); err != nil {
		return err
	}
	if err := s.save(ctx, b); err != nil {
		return err
	}
	m.Rev++
	return nil
}

func (b *batch) inMail(m *inbox.InMail) error {
	r, err := inMailRow(m, m.Rev+1)
	if err == nil {
		b.replace(r, int64(m.Rev))
	}
	return err
}

// addReceived writes what became of the mail that a write comes from; it must
// stand as it was read, so a delivery is dealt with once.
func addReceived(b *batch, w decide.Write) error {
	if w.Received == nil {
		return nil
	}
	return b.inMail(w.Received)
}

// messageKept is how long it is remembered that a mail came in (05 §5.11).
const messageKept = 400 * inbox.Day

// EntryRef names what a message id stands for: a thread entry, or a notice.
type EntryRef struct {
	ItemID   string `json:"i,omitempty"`
	EntryID  string `json:"e,omitempty"`
	NoticeID string `json:"n,omitempty"`
	Body     string `json:"b,omitempty"` // of a mail, the hash of what it says
	In       string `json:"r,omitempty"` // of a mail, the delivery that was kept
	Outcome  string `json:"o,omitempty"` // what became of that
}

// mailMessageRow makes a mail's message id unique until it is too old to matter.
func mailMessageRow(messageKey string, ref EntryRef, now inbox.Instant) (table.Row, error) {
	r, err := putDoc(messageIDKey(messageKey), ref)
	if err != nil {
		return nil, err
	}
	r[attrExpires], r[table.TTL] = int64(now.Add(messageKept)), int64(now.Add(messageKept))/inbox.Second+1
	return r, nil
}

// messageAbsent is the condition that no message stands under an id, or one that
// is too old.
func messageAbsent(now inbox.Instant) table.Condition {
	return table.Or{table.Absent(table.PartitionKey), table.Lte{Name: attrExpires, Value: int64(now)}}
}

// Messages reads what message ids stand for, those too old left out: one storage
// call for each 100. A mail's is its message key, see [inbox.Entry].
func (s *Store) Messages(ctx context.Context, ids []string, now inbox.Instant) (map[string]EntryRef, error) {
	keys := make([]table.Key, len(ids))
	for i, id := range ids {
		keys[i] = messageIDKey(id)
	}
	found, err := s.getMany(ctx, keys)
	if err != nil {
		return nil, err
	}
	refs := map[string]EntryRef{}
	for i, id := range ids {
		r := found[keys[i]]
		if r == nil || r.Has(attrExpires) && r.Int(attrExpires) <= int64(now) {
			continue
		}
		ref, err := docOf[EntryRef](r)
		if err != nil {
			return nil, err
		}
		refs[id] = *ref
	}
	return refs, nil
}

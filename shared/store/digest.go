package store

import (
	"context"
	"slices"
	"time"

	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
)

// Sizes of a digest: of what it tells the last are named, and so many keys are
// kept to tell a repetition.
const (
	digestNamed = 30
	digestKeys  = 200
	digestKept  = 7 * inbox.Day
)

// Digest is what the owner was not mailed in an hour.
type Digest struct {
	Count int              `json:"n"`
	Last  []inbox.Unmailed `json:"last"` // oldest first
	Keys  []string         `json:"keys"`
}

// digestID names the digest of the clock hour that an instant is in, and with it
// the effect that mails it (05 §4.5).
func digestID(at inbox.Instant) string { return "digest:" + at.Time().Format("2006-01-02T15Z") }

// AddToDigest notes an alert that is not mailed in the digest of its clock hour.
// The first one owes the digest, due when the hour ends (05 §3.4). The same key
// counts once. Two storage calls.
func (s *Store) AddToDigest(ctx context.Context, at inbox.Instant, u inbox.Unmailed) error {
	r := s.Budget()
	for {
		err := s.addToDigest(ctx, at, u)
		if _, lost := AsLost(err); !lost {
			return err
		}
		if err := r.Spend(ctx, err); err != nil {
			return err
		}
	}
}

func (s *Store) addToDigest(ctx context.Context, at inbox.Instant, u inbox.Unmailed) error {
	id := digestID(at)
	row, err := s.get(ctx, digestKey(id))
	if err != nil {
		return err
	}
	d := Digest{}
	if row != nil {
		if err := readDoc(row, &d); err != nil {
			return err
		}
	}
	if slices.Contains(d.Keys, u.JobKey) {
		return nil
	}
	d.Count++
	d.Last, d.Keys = last(append(d.Last, u), digestNamed), last(append(d.Keys, u.JobKey), digestKeys)
	r, err := putDoc(digestKey(id), d)
	if err != nil {
		return err
	}
	r[attrRev] = row.Int(attrRev) + 1
	r[table.TTL] = int64(at.Add(digestKept))/inbox.Second + 1
	b := &batch{}
	b.replace(r, row.Int(attrRev))
	if row == nil {
		due, err := jobRow(&inbox.Job{
			ID: id, ItemID: inbox.OwnerMails, Effects: []inbox.Effect{{ID: id, Kind: inbox.EffectDigest}},
			RunAt: inbox.InstantOf(at.Time().Truncate(time.Hour).Add(time.Hour)), Version: 1, CreatedAt: at,
		})
		if err != nil {
			return err
		}
		b.put(due)
	}
	return s.save(ctx, b)
}

func last[T any](list []T, n int) []T { return list[max(0, len(list)-n):] }

// Digest reads a digest by the id of its effect, nil for none: one storage call.
func (s *Store) Digest(ctx context.Context, id string) (*Digest, error) {
	r, err := s.get(ctx, digestKey(id))
	if err != nil {
		return nil, err
	}
	return docOf[Digest](r)
}

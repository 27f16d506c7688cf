package store

import (
	"context"

	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
)

// Bucket is a token bucket (03 §17): Burst tokens at most, PerHour come back.
type Bucket struct {
	Class   string // emailSender, email
	Of      string // whom it limits, hashed; "" for everybody
	Burst   int
	PerHour int
}

func bucketKey(b Bucket) table.Key { return key("lim#"+b.Class+"#"+digest(b.Of), "b") }

// level is a bucket as it is stored.
type level struct {
	Millis int64         `json:"m"` // thousandths of a token
	At     inbox.Instant `json:"t"`
}

// TakeToken takes one token. When there is none it takes nothing and answers
// after how many milliseconds there is one, 0 when it took it. Two storage calls.
func (s *Store) TakeToken(ctx context.Context, of Bucket, now inbox.Instant) (wait int64, err error) {
	budget := s.Budget()
	for {
		r, err := s.get(ctx, bucketKey(of))
		if err != nil {
			return 0, err
		}
		l, err := docOf[level](r)
		if err != nil {
			return 0, err
		}
		next, wait := of.take(l, now)
		if wait > 0 {
			return wait, nil
		}
		row, err := putDoc(bucketKey(of), next)
		if err != nil {
			return 0, err
		}
		row[attrRev] = r.Int(attrRev) + 1
		full := int64(of.Burst) * inbox.Hour / int64(of.PerHour)
		row[table.TTL] = int64(now.Add(full))/inbox.Second + 1
		b := &batch{}
		b.replace(row, r.Int(attrRev))
		err = s.save(ctx, b)
		if _, lost := AsLost(err); !lost {
			return 0, err
		}
		if err := budget.Spend(ctx, err); err != nil {
			return 0, err
		}
	}
}

// take is the level after one token, or the wait for it.
func (of Bucket) take(l *level, now inbox.Instant) (next level, wait int64) {
	next = level{Millis: int64(of.Burst) * 1000, At: now}
	if l != nil {
		passed := max(0, int64(now-l.At))
		next.Millis = min(next.Millis, l.Millis+passed*int64(of.PerHour)*1000/inbox.Hour)
	}
	if next.Millis >= 1000 {
		next.Millis -= 1000
		return next, 0
	}
	return next, (1000-next.Millis)*inbox.Hour/(int64(of.PerHour)*1000) + 1
}

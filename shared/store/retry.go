package store

import (
	"context"
	"errors"
	"time"

	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
)

// What a read or a small write may try before it gives up (00 §3).
const (
	maxTries  = 8
	maxWait   = 2 * time.Second
	firstWait = 10 * time.Millisecond
)

// Budget is what one call may still spend on waiting for others: eight tries
// and two seconds in all. It is not for use from several goroutines.
type Budget struct {
	s     *Store
	tries int
	spent time.Duration
	next  time.Duration
}

// Budget makes a full budget.
func (s *Store) Budget() *Budget { return &Budget{s: s, next: firstWait} }

// Spend waits one try with full jitter, or answers an unavailable
// [*inbox.Problem] when the budget is used up.
func (r *Budget) Spend(ctx context.Context, cause error) error {
	r.tries++
	if r.tries >= maxTries || r.spent >= maxWait {
		return inbox.Unavailable(cause)
	}
	d := r.s.jitter(min(r.next, maxWait-r.spent))
	r.spent += d
	r.next *= 2
	return r.s.sleep(ctx, d)
}

// busy says whether an error means to try again later.
func busy(err error) bool {
	var c *table.Cancelled
	if errors.As(err, &c) {
		return !c.Has(table.ReasonCondition)
	}
	return errors.Is(err, table.ErrThrottled) || errors.Is(err, table.ErrUnknown)
}

// again runs f until it does not meet a busy database.
func (s *Store) again(ctx context.Context, f func() error) error {
	r := s.Budget()
	for {
		err := f()
		if err == nil || !busy(err) {
			return err
		}
		if err := r.Spend(ctx, err); err != nil {
			return err
		}
	}
}

// get reads one row; nil when it is absent or the key can be no row's.
func (s *Store) get(ctx context.Context, key table.Key) (row table.Row, err error) {
	if !usable(key) {
		return nil, nil
	}
	err = s.again(ctx, func() error { row, err = s.db.Get(ctx, key); return err })
	return row, err
}

// getMany reads rows by key, as many calls as hundreds of keys when the
// database processes them all. Absent rows are left out; a key that can be no
// row's is absent.
func (s *Store) getMany(ctx context.Context, keys []table.Key) (map[table.Key]table.Row, error) {
	found := make(map[table.Key]table.Row, len(keys))
	seen := make(map[table.Key]bool, len(keys))
	var want []table.Key
	for _, k := range keys {
		if !seen[k] && usable(k) {
			seen[k] = true
			want = append(want, k)
		}
	}
	r := s.Budget()
	for len(want) > 0 {
		n := min(len(want), table.MaxBatchGet)
		rows, left, err := s.db.BatchGet(ctx, want[:n])
		if err != nil && !busy(err) {
			return nil, err
		}
		if err != nil {
			left = want[:n]
		}
		for _, row := range rows {
			found[keyOf(want[0].Table, row)] = row
		}
		if len(left) > 0 {
			if err := r.Spend(ctx, table.ErrThrottled); err != nil {
				return nil, err
			}
		}
		want = append(append([]table.Key{}, left...), want[n:]...)
	}
	return found, nil
}

// query reads one page.
func (s *Store) query(ctx context.Context, q table.Query) (page table.Page, err error) {
	err = s.again(ctx, func() error { page, err = s.db.Query(ctx, q); return err })
	return page, err
}

// queryAll reads every page, up to limit rows when limit is over 0.
func (s *Store) queryAll(ctx context.Context, q table.Query, limit int) ([]table.Row, error) {
	var rows []table.Row
	for {
		if limit > 0 {
			q.Limit = limit - len(rows)
		}
		page, err := s.query(ctx, q)
		if err != nil {
			return nil, err
		}
		rows = append(rows, page.Rows...)
		if page.Next == "" || (limit > 0 && len(rows) >= limit) {
			return rows, nil
		}
		q.After = page.Next
	}
}

// write runs a small transaction under one token until the database is not
// busy. A condition that failed comes back as the *[table.Cancelled].
func (s *Store) write(ctx context.Context, actions ...table.Action) error {
	token := s.token()
	return s.again(ctx, func() error { return s.db.Transact(ctx, token, actions) })
}

// refused says whether a write was cancelled because a condition failed.
func refused(err error) (*table.Cancelled, bool) {
	var c *table.Cancelled
	ok := errors.As(err, &c)
	return c, ok && c.Has(table.ReasonCondition)
}

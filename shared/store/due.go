package store

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
)

// dueStamps reads the earliest entries of one kind of due work up to an
// instant, from all shards, in order.
func (s *Store) dueStamps(ctx context.Context, kind string, until inbox.Instant, limit int) ([]table.Row, error) {
	var all []table.Row
	for n := range dueShards {
		rows, err := s.queryAll(ctx, table.Query{
			Table: tableInbox, Index: indexDue, Partition: fmt.Sprintf("%s%d", kind, n),
			To: stamp(until, "~"),
		}, limit)
		if err != nil {
			return nil, err
		}
		all = append(all, rows...)
	}
	slices.SortFunc(all, func(a, b table.Row) int { return strings.Compare(a.String(attrDue), b.String(attrDue)) })
	return all[:min(limit, len(all))], nil
}

// dueRows reads the rows of due entries as they stand, in due order; rows that
// are gone are left out.
func (s *Store) dueRows(ctx context.Context, kind string, until inbox.Instant, limit int) ([]table.Row, error) {
	entries, err := s.dueStamps(ctx, kind, until, limit)
	if err != nil {
		return nil, err
	}
	keys := make([]table.Key, len(entries))
	for i, r := range entries {
		keys[i] = keyOf(tableInbox, r)
	}
	found, err := s.getMany(ctx, keys)
	if err != nil {
		return nil, err
	}
	return inOrder(keys, found), nil
}

// DueItems lists items whose deadline has come, earliest first, as they stand
// now: one storage call for each shard and one for each 100 items. The index
// may lag, so an item may come a little later, never wrongly.
func (s *Store) DueItems(ctx context.Context, now inbox.Instant, limit int) ([]inbox.Record, error) {
	rows, err := s.dueRows(ctx, queueItems, now, limit)
	if err != nil {
		return nil, err
	}
	var due []inbox.Record
	for _, r := range rows {
		rec, err := recordOf(r)
		if err != nil {
			return nil, err
		}
		if rec.DueAt != nil && *rec.DueAt <= now {
			due = append(due, *rec)
		}
	}
	return due, nil
}

// DueJobs lists jobs that may be taken, earliest first: due, not leased, not
// failed. Calls as [Store.DueItems].
func (s *Store) DueJobs(ctx context.Context, now inbox.Instant, limit int) ([]inbox.Job, error) {
	rows, err := s.dueRows(ctx, queueJobs, now, limit)
	if err != nil {
		return nil, err
	}
	jobs, err := docsOf[inbox.Job](rows)
	return slices.DeleteFunc(jobs, func(j inbox.Job) bool {
		return j.FailedAt != nil || j.RunAt > now || (j.LeaseUntil != nil && *j.LeaseUntil > now)
	}), err
}

// OpenJobs lists jobs that are not finished, whenever they are due, leased ones
// too, earliest first.
func (s *Store) OpenJobs(ctx context.Context, limit int) ([]inbox.Job, error) {
	rows, err := s.dueRows(ctx, queueJobs, inbox.Farthest, limit)
	if err != nil {
		return nil, err
	}
	jobs, err := docsOf[inbox.Job](rows)
	return slices.DeleteFunc(jobs, func(j inbox.Job) bool { return j.FailedAt != nil }), err
}

// FailedJobs lists jobs that failed for good, oldest first.
func (s *Store) FailedJobs(ctx context.Context, limit int) ([]inbox.Job, error) {
	rows, err := s.dueRows(ctx, queueFailed, inbox.Farthest, limit)
	if err != nil {
		return nil, err
	}
	jobs, err := docsOf[inbox.Job](rows)
	return slices.DeleteFunc(jobs, func(j inbox.Job) bool { return j.FailedAt == nil }), err
}

// NextDue is the earliest instant at which anything is due: a job, a mail or an
// item's deadline; nil when nothing waits. It reads the index alone.
func (s *Store) NextDue(ctx context.Context) (*inbox.Instant, error) {
	var next *inbox.Instant
	for _, kind := range []string{queueItems, queueJobs, queueMails} {
		entries, err := s.dueStamps(ctx, kind, inbox.Farthest, 1)
		if err != nil {
			return nil, err
		}
		for _, r := range entries {
			at, err := stampTime(r.String(attrDue))
			if err != nil {
				return nil, err
			}
			next = inbox.Earliest(next, &at)
		}
	}
	return next, nil
}

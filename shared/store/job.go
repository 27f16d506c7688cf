package store

import (
	"context"
	"fmt"
	"strings"

	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
)

// Kinds of due work, the first letter of a partition of the due index.
const (
	queueItems  = "i" // deadlines of items
	queueJobs   = "j" // jobs to run
	queueMails  = "m" // mails to send
	queueFailed = "f" // jobs that failed for good
)

// queue is the partition of the due index for one piece of work.
func queue(kind, id string) string { return fmt.Sprintf("%s%d", kind, shard(id, dueShards)) }

// jobRow is a job as it is stored. What may run is in the due index by its
// run-at, what is leased by the end of the lease, what failed for good in a
// queue of its own. Only a job that is ready carries the attribute the stream's
// filter looks at.
func jobRow(j *inbox.Job) (table.Row, error) {
	r, err := putDoc(jobKey(j.ItemID, j.ID), j)
	if err != nil {
		return nil, err
	}
	r[attrRev] = int64(j.Version)
	if j.Ready {
		r[attrReady] = true
	}
	kind, at := queueJobs, j.RunAt
	if j.LeaseUntil != nil {
		at = max(at, *j.LeaseUntil)
	}
	if j.FailedAt != nil {
		kind, at = queueFailed, *j.FailedAt
	}
	r[attrQueue], r[attrDue] = queue(kind, j.ID), stamp(at, j.ID)
	return r, nil
}

// JobNamed reads item and job from a row's key, for who gets changes from the
// table's stream; false when the row is no job.
func JobNamed(partition, sort string) (itemID, jobID string, ok bool) {
	itemID, ok = strings.CutPrefix(partition, itemPartition(""))
	if !ok {
		return "", "", false
	}
	jobID, ok = strings.CutPrefix(sort, sortJob)
	return itemID, jobID, ok
}

// ReadyJob reads item and job from a change of the table when it is what the
// stream's filter lets through: a job row with `ready`.
func ReadyJob(c table.Change) (itemID, jobID string, ok bool) {
	if c.Key.Table != tableInbox || c.New == nil || !c.New.Has(attrReady) {
		return "", "", false
	}
	return JobNamed(c.Key.Partition, c.Key.Sort)
}

// Job reads a job, nil when it is finished or never was: one storage call.
func (s *Store) Job(ctx context.Context, itemID, jobID string) (*inbox.Job, error) {
	r, err := s.get(ctx, jobKey(itemID, jobID))
	if err != nil {
		return nil, err
	}
	return docOf[inbox.Job](r)
}

// Jobs lists the jobs of an item that are not finished, oldest first: one
// storage call.
func (s *Store) Jobs(ctx context.Context, itemID string) ([]inbox.Job, error) {
	rows, err := s.itemRows(ctx, itemID, sortJob)
	if err != nil {
		return nil, err
	}
	return docsOf[inbox.Job](rows)
}

// TakeJob leases a job until an instant and counts the attempt. It answers nil
// when there is nothing to take: the job is finished, failed for good, not due,
// leased, or another took it at the same time. Two storage calls.
func (s *Store) TakeJob(ctx context.Context, itemID, jobID string, now, until inbox.Instant) (*inbox.Job, error) {
	j, err := s.Job(ctx, itemID, jobID)
	if err != nil || j == nil || j.FailedAt != nil || j.RunAt > now || (j.LeaseUntil != nil && *j.LeaseUntil > now) {
		return nil, err
	}
	j.LeaseUntil, j.Ready = &until, false
	j.Attempts++
	err = s.saveJob(ctx, j)
	if _, lost := AsLost(err); lost {
		return nil, nil
	}
	return j, err
}

// FinishEffect marks one effect of a leased job done. [*Lost] with Version when
// the lease was lost to another run. One storage call.
func (s *Store) FinishEffect(ctx context.Context, j *inbox.Job, effectID string) error {
	next, err := withEffectDone(*j, effectID)
	if err != nil {
		return err
	}
	if err := s.saveJob(ctx, &next); err != nil {
		return err
	}
	*j = next
	return nil
}

// withEffectDone copies a job with an effect marked.
func withEffectDone(j inbox.Job, effectID string) (inbox.Job, error) {
	j.Effects = append([]inbox.Effect(nil), j.Effects...)
	for i := range j.Effects {
		if j.Effects[i].ID == effectID {
			j.Effects[i].Done = true
			return j, nil
		}
	}
	return j, fmt.Errorf("store: job %s owes no effect %s", j.ID, effectID)
}

// CompleteJob takes a job away; what it owed is done, and its effects' own rows
// keep that it is. [*Lost] with Version when the lease was lost. One storage
// call.
func (s *Store) CompleteJob(ctx context.Context, j *inbox.Job) error {
	b := &batch{}
	b.add(causeVersion, table.Action{
		Kind: table.Delete, Key: jobKey(j.ItemID, j.ID), If: table.Eq{Name: attrRev, Value: int64(j.Version)},
	})
	return s.save(ctx, b)
}

// PutBackJob ends the lease and lets the job run again at an instant, for the
// sweep to find. The caller sets LastError, Attempts and PutOff. [*Lost] with
// Version when the lease was lost. One storage call.
func (s *Store) PutBackJob(ctx context.Context, j *inbox.Job, runAt inbox.Instant) error {
	j.LeaseUntil, j.Ready, j.RunAt = nil, false, runAt
	return s.saveJob(ctx, j)
}

// FailJob gives a job up for good: it is shown to the owner and raises the
// alarm. [*Lost] with Version when the lease was lost. One storage call.
func (s *Store) FailJob(ctx context.Context, j *inbox.Job, now inbox.Instant) error {
	j.LeaseUntil, j.Ready, j.FailedAt = nil, false, &now
	return s.saveJob(ctx, j)
}

// saveJob writes a job under its version, which it raises.
func (s *Store) saveJob(ctx context.Context, j *inbox.Job) error {
	read := int64(j.Version)
	next := *j
	next.Version++
	r, err := jobRow(&next)
	if err != nil {
		return err
	}
	b := &batch{}
	b.replace(r, read)
	if err := s.save(ctx, b); err != nil {
		return err
	}
	j.Version = next.Version
	return nil
}

// save runs a small batch, again under the same token while the database is
// busy. What a condition refused is a [*Lost].
func (s *Store) save(ctx context.Context, b *batch) error {
	err := s.write(ctx, b.actions...)
	if c, ok := refused(err); ok {
		return s.lost(ctx, b, 0, c)
	}
	return err
}

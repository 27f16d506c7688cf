package embedded

import (
	"context"
	"errors"
	"fmt"

	bolt "go.etcd.io/bbolt"
	berrors "go.etcd.io/bbolt/errors"

	"typedinbox/shared/table"
)

// job is one transaction on its way through a group.
type job struct {
	token   string
	actions []table.Action
	changes []table.Change // for the hook
	err     error
	done    chan struct{}
}

// Transact is [table.Database]'s.
func (d *Database) Transact(ctx context.Context, token string, actions []table.Action) error {
	if err := d.schema.Check(token, actions); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := d.refuse(actions); err != nil {
		return err
	}
	j := &job{token: token, actions: actions, done: make(chan struct{})}
	d.run(j)
	d.hook.deliver(j.changes, d.faults)
	if d.faults.hit(LoseAnswer) {
		return table.ErrUnknown
	}
	return j.err
}

// refuse is what faults answer before anything happens.
func (d *Database) refuse(actions []table.Action) error {
	switch {
	case d.faults.hit(Throttle):
		return table.ErrThrottled
	case d.faults.hit(ThrottleAction):
		return d.cancel(actions, table.ReasonThrottled)
	case d.faults.hit(Conflict):
		return d.cancel(actions, table.ReasonConflict)
	}
	return nil
}

func (d *Database) cancel(actions []table.Action, code table.ReasonCode) error {
	reasons := make([]table.Reason, len(actions))
	reasons[d.faults.pick(len(actions))].Code = code
	return &table.Cancelled{Reasons: reasons}
}

// run queues the job and waits until it is done, by this goroutine if it gets
// the turn, else by another.
func (d *Database) run(j *job) {
	d.mu.Lock()
	d.queue = append(d.queue, j)
	d.mu.Unlock()
	select {
	case <-j.done:
	case d.turn <- struct{}{}:
		d.lead(j)
	}
}

// maxGroup bounds the transactions of one commit of the file.
const maxGroup = 64

// lead runs what is queued, in order, a group in one commit of the file, until
// the job is done, and gives the turn back: others who wait take it for theirs.
// A job judges all its conditions before it writes, so one that fails leaves
// nothing for the others to see.
func (d *Database) lead(j *job) {
	defer func() { <-d.turn }()
	for {
		select {
		case <-j.done:
			return
		default:
			d.commit(d.take())
		}
	}
}

func (d *Database) take() []*job {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := min(len(d.queue), maxGroup)
	group := d.queue[:n:n]
	d.queue = d.queue[n:]
	if len(d.queue) == 0 {
		d.queue = nil
	}
	return group
}

func (d *Database) commit(group []*job) {
	defer func() {
		for _, j := range group {
			close(j.done)
		}
	}()
	late, age := d.late, d.age
	err := d.together(group)
	if err == nil {
		return
	}
	// The file refused to write: what was done is not known, unless the file
	// was closed, when nothing was.
	d.late, d.age = late, age
	err = fmt.Errorf("embedded: commit: %w", err)
	if !errors.Is(err, berrors.ErrDatabaseNotOpen) {
		err = fmt.Errorf("%w: %w", table.ErrUnknown, err)
	}
	for _, j := range group {
		j.changes, j.err = nil, err
	}
}

// together runs the group in one commit, or in none when it changed nothing.
func (d *Database) together(group []*job) error {
	tx, err := d.file.Begin(true)
	if err != nil {
		return err
	}
	age := d.age
	for _, j := range group {
		if err := d.apply(tx, j); err != nil {
			return errors.Join(err, tx.Rollback())
		}
	}
	if d.age == age {
		return tx.Rollback()
	}
	return tx.Commit()
}

// apply runs one job. The error is the file's and ends the whole group; the
// job's own outcome is in the job.
func (d *Database) apply(tx *bolt.Tx, j *job) error {
	tokens := tokenBook{tx: tx, now: d.now()}
	var digest []byte
	if j.token != "" {
		digest = actionsDigest(j.actions)
		if known, same := tokens.find(j.token, digest); known {
			if !same {
				j.err = table.ErrTokenReused
			}
			return nil
		}
	}
	writes, err := d.plan(tx, j.actions)
	if err != nil {
		j.err = err
		return nil //nolint:nilerr // the refusal is one job's, the batch goes on
	}
	if j.token != "" {
		if err := tokens.keep(j.token, digest); err != nil {
			return err
		}
	}
	return d.write(tx, j, writes)
}

// Settle ends what faults hold back: indexes catch up, and hook calls kept for
// later are made.
func (d *Database) Settle() error {
	d.turn <- struct{}{}
	err := func() error {
		defer func() { <-d.turn }()
		if len(d.late) == 0 {
			return nil
		}
		return d.file.Update(func(tx *bolt.Tx) error { return d.catchUp(tx, 0) })
	}()
	d.hook.flush()
	return err
}

package work

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"typedinbox/shared/desk"
	"typedinbox/shared/inbox"
)

// effects are the handlers, by kind. Each does its work once under the effect's
// id and marks it done on the job; it answers the mail it composed, nil for none.
var effects = map[inbox.EffectKind]func(*Worker, context.Context, *inbox.Job, inbox.Effect) (*composed, error){
	inbox.EffectNotifyCustomer: (*Worker).notifyCustomer,
	inbox.EffectNotifyOwner:    (*Worker).notifyOwner,
	inbox.EffectAcknowledge:    (*Worker).acknowledge,
	inbox.EffectRefundDue:      (*Worker).refundDue,
	inbox.EffectDigest:         (*Worker).digest,
	inbox.EffectIndex:          (*Worker).index,
	inbox.EffectCode:           (*Worker).mailCode,
	inbox.EffectMerge:          (*Worker).merge,
	inbox.EffectReceive:        (*Worker).receive,
	inbox.EffectNotice:         (*Worker).mailNotices,
}

// RunJob does what a job owes: it takes the lease, does the effects that are not
// done, and takes the job away, or puts what failed back with a growing wait,
// or after the last attempt gives it up, visibly (00 §3). A job that is finished,
// leased, not due or taken by another run is left alone. An error means that the
// job could neither be done nor put back; the end of its lease brings it again.
func (w *Worker) RunJob(ctx context.Context, itemID, jobID string) error {
	_, err := w.runJob(ctx, itemID, jobID)
	return err
}

// errEnded is why a job is given up whose process died during each attempt.
var errEnded = errors.New("work: the process ended during each attempt")

// runJob says whether there was a job to take.
func (w *Worker) runJob(ctx context.Context, itemID, jobID string) (taken bool, err error) {
	now := w.Clock()
	j, err := w.Store.TakeJob(ctx, itemID, jobID, now, now.Add(lease))
	if err != nil || j == nil {
		return false, err
	}
	var mails []*composed
	failure := errEnded
	if j.Attempts <= maxAttempts {
		mails, failure = w.do(ctx, j)
	}
	switch {
	case leaseLost(failure): // another run has it
	case failure != nil:
		err = w.again(ctx, j, failure)
	default:
		err = w.Store.CompleteJob(ctx, j)
	}
	if leaseLost(err) {
		err = nil
	}
	w.deliver(ctx, mails)
	return true, err
}

// deliver sends what was composed, whatever became of the rest of the job. A
// mail that cannot be sent now is found by the sweep, so it is no failure of the
// job.
func (w *Worker) deliver(ctx context.Context, mails []*composed) {
	for _, m := range mails {
		if err := w.send(ctx, m.mail.ItemID, m.mail.JobKey, m.facts); err != nil {
			w.Log.LogAttrs(ctx, slog.LevelWarn, "a mail was not sent and stays queued",
				slog.String("item", m.mail.ItemID), slog.String("mail", m.mail.ID), slog.String("error", masked(err)))
		}
	}
}

// do does the effects that are not done. One that fails does not keep the others
// from being done.
func (w *Worker) do(ctx context.Context, j *inbox.Job) (mails []*composed, failure error) {
	for _, e := range j.Effects {
		if e.Done {
			continue
		}
		m, err := w.effect(ctx, j, e)
		if leaseLost(err) {
			return mails, err
		}
		if err != nil {
			failure = errors.Join(failure, fmt.Errorf("%s: %w", e.ID, err))
		}
		if m != nil {
			mails = append(mails, m)
		}
	}
	return mails, failure
}

// effect does one effect. A panic is its error, so that the job is put back and
// in the end given up instead of stopping the process again and again.
func (w *Worker) effect(ctx context.Context, j *inbox.Job, e inbox.Effect) (m *composed, err error) {
	defer func() {
		if v := recover(); v != nil {
			err = fmt.Errorf("work: panic: %v", v)
		}
	}()
	handle, ok := effects[e.Kind]
	if !ok {
		return nil, fmt.Errorf("%w: %s", errUnknownEffect, e.Kind)
	}
	return handle(w, ctx, j, e)
}

// again puts a job back, or gives it up after the last attempt.
func (w *Worker) again(ctx context.Context, j *inbox.Job, failure error) error {
	if later := (*putOff)(nil); errors.As(failure, &later) {
		j.Attempts--
		return w.Store.PutBackJob(ctx, j, later.until)
	}
	if j.Attempts >= maxAttempts {
		return w.giveUp(ctx, j, failure)
	}
	j.LastError = masked(failure)
	return w.Store.PutBackJob(ctx, j, w.Clock().Add(backOff(j.Attempts)))
}

// givenUp is the note that asks for a person where a job failed for good.
const givenUp = "What was to follow here failed again and again and was given up: a mail to you or to the customer may not have gone out. Please look at it."

// giveUp fails a job for good: the owner sees it on its item, and it raises the
// alarm (00 §3).
func (w *Worker) giveUp(ctx context.Context, j *inbox.Job, failure error) error {
	if err := w.callOwner(ctx, j); err != nil {
		w.Log.LogAttrs(ctx, slog.LevelWarn, "nobody was called to a job that is given up",
			slog.String("item", j.ItemID), slog.String("error", masked(err)))
	}
	j.LastError = masked(failure)
	if err := w.Store.FailJob(ctx, j, w.Clock()); err != nil {
		return err
	}
	w.count(ctx, slog.LevelError, "a job failed for good", MetricJobsFailed, 1,
		slog.String("item", j.ItemID), slog.String("job", j.ID), slog.String("error", j.LastError))
	return nil
}

// callOwner tells the owner of a job that is given up: on its item, of a mail that
// came in by a notice, as nothing that came in is dropped (05 §5.13).
func (w *Worker) callOwner(ctx context.Context, j *inbox.Job) error {
	id, received := strings.CutPrefix(j.ItemID, inbox.ReceivedItem)
	switch {
	case !owesMore(j):
		return nil
	case !received:
		return w.Desk.CallPerson(ctx, j.ItemID, givenUp)
	}
	return w.warn(ctx, "receive:"+id, "A mail that came in was not dealt with",
		"It failed again and again and was given up, so it is in no conversation. As it came it is kept for 30 days in the bucket of mail: "+desk.PrefixIn+id)
}

// owesMore says whether anything but the search's words is left of a job: the
// note about those would owe them again.
func owesMore(j *inbox.Job) bool {
	return slices.ContainsFunc(j.Effects, func(e inbox.Effect) bool { return !e.Done && e.Kind != inbox.EffectIndex })
}

// maxError is how much of an error is kept, in bytes (05 §4.5).
const maxError = 300

var address = regexp.MustCompile(`[^\s<>"'(),;:]+@[^\s<>"'(),;:]+`)

// masked is an error as it is kept and logged: without addresses, and short.
func masked(err error) string {
	s := address.ReplaceAllString(err.Error(), "•••@•••")
	if len(s) <= maxError {
		return s
	}
	s = s[:maxError]
	for !utf8.ValidString(s) {
		s = s[:len(s)-1]
	}
	return s
}

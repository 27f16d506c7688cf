package work

import (
	"context"

	"typedinbox/shared/inbox"
	"typedinbox/shared/returns"
)

// refundDueTemplate is the mail that reminds the business of a refund.
const refundDueTemplate = "owner.refund_due"

// refundDue reminds the business of a refund three days before it is due and on
// the day, unless it is paid or dropped by then: it is judged when it is due, on
// what is committed, and only counts when the refund still stands as it was
// judged (01 §13.1, 05 §3.4).
func (w *Worker) refundDue(ctx context.Context, j *inbox.Job, e inbox.Effect) (*composed, error) {
	return w.whileStill(ctx, j, e, w.judgeRefundDue)
}

func (w *Worker) judgeRefundDue(ctx context.Context, j *inbox.Job, e inbox.Effect) (*composed, error) {
	f, err := w.load(ctx, j, e)
	if err != nil {
		return nil, err
	}
	if f == nil || !returns.Promises(f.Record) || f.Record.Item.Payload.Refund.Amount.Value == 0 {
		return nil, w.Store.FinishEffect(ctx, j, e.ID)
	}
	m := w.toOwner(f, e, refundDueTemplate)
	if err := w.countAlert(ctx, &m); err != nil {
		return nil, err
	}
	kept, err := w.Store.ComposeJudged(ctx, j, m, nil, f.Record)
	if err != nil {
		return nil, err
	}
	return &composed{kept, f}, nil
}

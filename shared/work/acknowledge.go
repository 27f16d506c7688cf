package work

import (
	"context"
	"errors"
	"slices"

	"typedinbox/shared/canon"
	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
	"typedinbox/shared/words"
)

// Bounds of acknowledgements: how many one address gets in which time (05 §3.7).
const (
	ackMax    = 3
	ackWindow = inbox.Day
)

var errMoving = errors.New("work: the item moved each time its mail was judged")

// acknowledge tells the customer that the request came, unless they heard
// something since: it is judged when it is due, on what is committed, and only
// counts when the item still stands as it was judged (05 §3.1).
func (w *Worker) acknowledge(ctx context.Context, j *inbox.Job, e inbox.Effect) (*composed, error) {
	return w.whileStill(ctx, j, e, w.judgeAck)
}

// judgeAck composes the acknowledgement on what is committed now.
func (w *Worker) judgeAck(ctx context.Context, j *inbox.Job, e inbox.Effect) (*composed, error) {
	f, heard, err := w.heardSince(ctx, j, e)
	if err != nil {
		return nil, err
	}
	template, mailed := "", false
	if f != nil && !heard {
		template, mailed = words.CustomerTemplate(words.Cause{Type: f.Record.Item.Type, Event: inbox.EventCreate, By: inbox.SideCustomer})
	}
	if !mailed {
		return nil, w.Store.FinishEffect(ctx, j, e.ID)
	}
	m, links := w.toCustomer(f, e, template)
	if err := w.countAck(ctx, f, &m); err != nil {
		return nil, err
	}
	kept, err := w.Store.ComposeJudged(ctx, j, m, w.anchor(m), f.Record, links...)
	if err != nil {
		return nil, err
	}
	return &composed{kept, f}, nil
}

// heardSince reads the facts of an acknowledgement and says whether the customer
// was told anything since the create, or the request is not waiting any more.
// The item is read first: what is committed after that moves its rev.
func (w *Worker) heardSince(ctx context.Context, j *inbox.Job, e inbox.Effect) (*facts, bool, error) {
	f, err := w.load(ctx, j, e)
	if err != nil || f == nil {
		return nil, false, err
	}
	if f.Record.Item.State != machine.Of(f.Record.Item.Type).Initial {
		return f, true, nil
	}
	events, err := w.Store.Events(ctx, j.ItemID)
	if err != nil {
		return nil, false, err
	}
	if slices.ContainsFunc(events, func(ev inbox.Event) bool { return notifiesCustomer(&ev) }) {
		return f, true, nil
	}
	entries, err := w.Store.Thread(ctx, j.ItemID, 0)
	return f, slices.ContainsFunc(entries, func(e inbox.Entry) bool { return e.Direction == inbox.DirectionOut }), err
}

// notifiesCustomer says whether an event is one that the customer is told of:
// one of its rows owes them a word. A create's own word is the acknowledgement.
func notifiesCustomer(ev *inbox.Event) bool {
	return ev.FromState != nil && slices.ContainsFunc(machine.Of(ev.Type).Rows, func(r *machine.Row) bool {
		return r.Event == ev.Event && r.Does(machine.NotifyCustomer) && slices.Contains(r.From, *ev.FromState)
	})
}

// countAck counts an acknowledgement that would be sent, and marks it when the
// address had its number of them. Without a secret nothing that stands for an
// address is stored, so nothing is counted.
func (w *Worker) countAck(ctx context.Context, f *facts, m *inbox.Mail) error {
	if m.Status != inbox.MailQueued {
		return nil
	}
	to, _ := w.address(f, m.Recipient)
	hash, err := w.Store.AddressHash(ctx, to)
	if errors.Is(err, canon.ErrNoKey) {
		return nil
	}
	if err != nil {
		return err
	}
	allowed, err := w.Store.CountAck(ctx, hash, m.JobKey, m.CreatedAt, ackWindow, ackMax)
	if err == nil && !allowed {
		m.Status, m.SkipReason = inbox.MailSkipped, inbox.SkipAckLimit
	}
	return err
}

// Package desk holds the operations on items: one method per operation of 03,
// whoever calls and through whatever door. A method reads the facts, lets
// package decide judge, commits one write, and tries again as 00 §3 says.
//
// Every method answers an [inbox.Answer] or an *[inbox.Problem]; any other
// error is told as internal by the door.
package desk

import (
	"context"
	"encoding/json"

	"typedinbox/shared/blob"
	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

// maxAttempts is how often a verb is judged from the start after its item
// moved (00 §3).
const maxAttempts = 3

// Config is what a desk is made of.
type Config struct {
	Store  *store.Store
	Clock  func() inbox.Instant
	Source *inbox.Source
	// Blobs holds what came with mails, nil when nothing is received.
	Blobs blob.Store
	// Unsuppress takes an address off the mail service's own list, nil when it
	// keeps none (05 §4.9).
	Unsuppress func(ctx context.Context, address string) error
}

// Desk is the operations on items.
type Desk struct{ Config }

// New makes a desk.
func New(c Config) *Desk { return &Desk{c} }

// verb is one write asked for: what it reads first, how it is judged, and the
// request it must be recognised by when it comes again.
type verb struct {
	call        inbox.Call
	fingerprint string
	locale      string            // of the contact that a create names
	want        store.Want        // the first read
	thread      bool              // the answer shows the conversation
	mail        bool              // a received mail brings the words; that it came before is the caller's to judge
	entryID     string            // the thread entry the input names
	lines       []inbox.OrderLine // those that the input names
	rows        func(f decide.Facts) []inbox.HourRow
	holds       func(f decide.Facts) bool                        // whether places may be held, so that those held are counted
	people      func(ctx context.Context, f *decide.Facts) error // what else it reads of people
	decide      func(f decide.Facts, e decide.Env) (decide.Outcome, error)
}

// run judges and commits a verb, and tells a customer of a refusal in their
// language.
func (d *Desk) run(ctx context.Context, v verb) (inbox.Answer, error) {
	var facts decide.Facts
	answer, err := d.answer(ctx, v, &facts)
	return answer, decide.Told(facts, v.call.Caller, v.locale, d.Clock(), err)
}

// answer judges and commits a verb (01 §3 steps 1, 2, 19 and 20); facts are left
// as they were read last.
func (d *Desk) answer(ctx context.Context, v verb, facts *decide.Facts) (inbox.Answer, error) {
	if v.call.IdempotencyKey != "" {
		v.want.IdemScope, v.want.IdemKey, v.want.Now = v.call.IdempotencyScope(), v.call.IdempotencyKey, d.Clock()
	}
	budget := d.Store.Budget()
	var lost error
	for attempts := 1; ; {
		read, stored, err := d.load(ctx, v)
		if moved(*facts, read) {
			attempts++
		}
		*facts = read
		if err != nil {
			return inbox.Answer{}, err
		}
		if stored != nil {
			return stored.Replay(v.fingerprint)
		}
		if attempts > maxAttempts {
			return inbox.Answer{}, inbox.Unavailable(lost)
		}
		answer, again, err := d.attempt(ctx, v, read, budget)
		if !again {
			return answer, err
		}
		lost = err
		if err := budget.Spend(ctx, err); err != nil {
			return inbox.Answer{}, err
		}
	}
}

// moved says whether an item's version moved between two reads. Words and marks
// move its row alone: whoever loses to those takes turns within the budget, as at
// an hour row.
func moved(before, now decide.Facts) bool {
	return before.Record != nil && now.Record != nil && before.Record.Item.Version != now.Record.Item.Version
}

// attempt judges the facts and commits, re-reading places that were lost. It
// asks for another attempt when the item moved, or was seen to move in the facts
// that a refusal comes of.
func (d *Desk) attempt(ctx context.Context, v verb, facts decide.Facts, b *store.Budget) (a inbox.Answer, again bool, err error) {
	for {
		env := decide.Env{Now: d.Clock(), Source: d.Source}
		out, err := v.decide(facts, env)
		if err != nil {
			return inbox.Answer{}, torn(facts), err
		}
		answer, err := answerOf(&out, v, env.Now)
		if err != nil {
			return inbox.Answer{}, false, err
		}
		decide.OweIndex(&out.Write, env)
		err = d.Store.Commit(ctx, out.Write)
		lost, isLost := store.AsLost(err)
		switch {
		case err == nil && out.Refused != nil:
			return inbox.Answer{}, false, out.Refused
		case err == nil:
			return answer, false, nil
		case !isLost:
			return inbox.Answer{}, false, err
		case lost.Idem != nil:
			answer, err := lost.Idem.Replay(v.fingerprint)
			return answer, false, err
		case lost.Message != nil && v.mail:
			return inbox.Answer{}, false, err
		case lost.Message != nil:
			return inbox.Answer{}, false, inbox.InvalidField("message_id", "a message with this id was received before")
		case lost.Version:
			return inbox.Answer{}, true, err
		case lost.Full:
			return inbox.Answer{}, false, inbox.Refuse(inbox.CodeSlotTaken, "That hour takes no more bookings. Nothing was written; ask for another time.")
		}
		if err := b.Spend(ctx, err); err != nil {
			return inbox.Answer{}, false, err
		}
		if lost.Rows {
			if facts.Places, err = d.Store.PlacesOf(ctx, rowsRead(facts.Places)); err != nil {
				return inbox.Answer{}, false, err
			}
		}
	}
}

// torn says whether the item moved between the reads of it and of its offer:
// such facts were never true together. A write on them is lost by its version; a
// refusal is not, so it is judged again.
func torn(f decide.Facts) bool {
	if f.Record == nil || f.Offer == nil {
		return false
	}
	o := f.Record.Item.Payload.Offer()
	return o != nil && o.ID == f.Offer.ID && o.Status != f.Offer.Status
}

// rowsRead lists the hour rows a decision was made on.
func rowsRead(p inbox.Places) []inbox.HourRow {
	rows := make([]inbox.HourRow, 0, len(p.Revs))
	for r := range p.Revs {
		rows = append(rows, r)
	}
	return rows
}

// answerOf renders an outcome and, when the caller sent a key, keeps it in the
// write for the request that comes again.
func answerOf(out *decide.Outcome, v verb, now inbox.Instant) (inbox.Answer, error) {
	body, err := json.Marshal(out.Body)
	if err != nil {
		return inbox.Answer{}, err
	}
	if v.call.IdempotencyKey != "" && out.Refused == nil {
		out.Write.Idem = &decide.Idempotency{
			Scope: v.call.IdempotencyScope(), Key: v.call.IdempotencyKey, Fingerprint: v.fingerprint,
			Status: out.Status, Answer: body, ExpiresAt: now.Add(store.IdempotencyRetention),
		}
	}
	return inbox.Answer{Status: out.Status, Body: body}, nil
}

// fingerprint is what a repeated request is recognised by.
func fingerprint(op string, c inbox.Call, input any) (string, error) {
	return store.Fingerprint(op, c.IdempotencyScope(), input)
}

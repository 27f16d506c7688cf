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
	"time"

	"typedinbox/shared/canon"
	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

// Numbers of 00 §3: what a write may try before it gives up.
const (
	maxAttempts = 3               // from the start, after a lost version
	maxTries    = 8               // inside an attempt, after lost places or a clash
	maxWait     = 2 * time.Second // in all, for those tries
	firstWait   = 10 * time.Millisecond
	lastWait    = 400 * time.Millisecond
)

// idempotencyDays is how long an answer is kept for its key (01 §12.3).
const idempotencyDays = 30

// Config is what a desk is made of.
type Config struct {
	Store  *store.Store
	Clock  func() inbox.Instant
	Source *inbox.Source
	// Sleep waits up to d, jittered by the caller; only jitter uses real time.
	Sleep func(ctx context.Context, d time.Duration) error
	// Jitter picks a wait in [0, d).
	Jitter func(d time.Duration) time.Duration
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
	want        store.Want // the first read
	thread      bool       // the answer shows the conversation
	entryID     string     // the thread entry the input names
	rows        func(f decide.Facts) []inbox.HourRow
	decide      func(f decide.Facts, e decide.Env) (decide.Outcome, error)
}

// run judges and commits a verb (01 §3 steps 1, 2, 19 and 20).
func (d *Desk) run(ctx context.Context, v verb) (inbox.Answer, error) {
	if v.call.IdempotencyKey != "" {
		v.want.IdemScope, v.want.IdemKey = v.call.IdempotencyScope(), v.call.IdempotencyKey
	}
	budget := &budget{desk: d}
	var lost error
	for range maxAttempts {
		facts, stored, err := d.load(ctx, v)
		if err != nil {
			return inbox.Answer{}, err
		}
		if stored != nil {
			return replay(stored, v.fingerprint)
		}
		answer, again, err := d.attempt(ctx, v, facts, budget)
		if !again {
			return answer, err
		}
		lost = err
	}
	return inbox.Answer{}, inbox.Unavailable(lost)
}

// attempt judges the facts and commits, re-reading places that were lost. It
// asks for another attempt when the item moved.
func (d *Desk) attempt(ctx context.Context, v verb, facts decide.Facts, b *budget) (a inbox.Answer, again bool, err error) {
	for {
		env := decide.Env{Now: d.Clock(), Source: d.Source}
		out, err := v.decide(facts, env)
		if err != nil {
			return inbox.Answer{}, false, err
		}
		answer, err := answerOf(&out, v, env.Now)
		if err != nil {
			return inbox.Answer{}, false, err
		}
		err = d.Store.Commit(ctx, out.Write)
		lost, isLost := store.AsLost(err)
		switch {
		case err == nil:
			return answer, false, nil
		case !isLost:
			return inbox.Answer{}, false, err
		case lost.Idem != nil:
			answer, err := replay(lost.Idem, v.fingerprint)
			return answer, false, err
		case lost.Version:
			return inbox.Answer{}, true, err
		}
		if err := b.wait(ctx, err); err != nil {
			return inbox.Answer{}, false, err
		}
		if lost.Rows {
			if facts.Places, err = d.Store.PlacesOf(ctx, rowsRead(facts.Places)); err != nil {
				return inbox.Answer{}, false, err
			}
		}
	}
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
	if v.call.IdempotencyKey != "" {
		out.Write.Idem = &decide.Idempotency{
			Scope: v.call.IdempotencyScope(), Key: v.call.IdempotencyKey, Fingerprint: v.fingerprint,
			Status: out.Status, Answer: body, ExpiresAt: now.Add(idempotencyDays * inbox.Day),
		}
	}
	return inbox.Answer{Status: out.Status, Body: body}, nil
}

// replay answers a request that was answered before, or refuses another one
// under the same key (01 §12.3).
func replay(s *store.StoredAnswer, fingerprint string) (inbox.Answer, error) {
	if s.Fingerprint != fingerprint {
		return inbox.Answer{}, inbox.Refuse(inbox.CodeIdempotencyMismatch,
			"This idempotency key already stands for another request. Nothing was written; send this one under a new key.")
	}
	return inbox.Answer{Status: 200, Body: inbox.MarkReplayed(s.Answer), Replayed: true}, nil
}

// budget is what a call may still spend on waiting for others.
type budget struct {
	desk  *Desk
	tries int
	spent time.Duration
	next  time.Duration
}

// wait spends one try, with full jitter, or answers unavailable.
func (b *budget) wait(ctx context.Context, cause error) error {
	b.tries++
	if b.next == 0 {
		b.next = firstWait
	}
	d := b.desk.Jitter(min(b.next, maxWait-b.spent))
	if b.tries >= maxTries || b.spent >= maxWait {
		return inbox.Unavailable(cause)
	}
	b.spent += d
	b.next = min(2*b.next, lastWait)
	return b.desk.Sleep(ctx, d)
}

// fingerprint is what a repeated request is recognised by: the operation, its
// scope and the validated input without credentials (01 §12.2).
func fingerprint(op string, c inbox.Call, input any) (string, error) {
	raw, err := json.Marshal(input)
	if err != nil {
		return "", err
	}
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(raw, &fields); err != nil {
		return "", err
	}
	for _, name := range inbox.Credentials {
		delete(fields, name)
	}
	return canon.Fingerprint(map[string]any{"op": op, "scope": c.IdempotencyScope(), "input": fields}), nil
}

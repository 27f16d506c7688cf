// Package office holds the owner's set-up operations: profile, catalogue,
// opening hours, settings, and what the business shows of them in public. A
// write changes one document under its version, in one transaction with the
// answer of its request.
//
// Every method answers an [inbox.Answer] or an *[inbox.Problem]; any other
// error is told as internal by the door.
package office

import (
	"context"
	"encoding/json"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

// Config is what an office is made of.
type Config struct {
	Store  *store.Store
	Clock  func() inbox.Instant
	Source *inbox.Source
	// MailDomain is the stack's domain that mail is sent from, "" for none.
	MailDomain string
	// MailService names the transport: ses, mailbox, or "" for none.
	MailService string
	// OwnerEmail is where the owner is written to until the settings say more.
	OwnerEmail string
	// InboundDomain is where mail arrives, "" when none does.
	InboundDomain string
	// PublicURL is the origin that links in mails begin with, "" when they have none.
	PublicURL string
}

// Office is the set-up operations.
type Office struct{ Config }

// New makes an office.
func New(c Config) *Office { return &Office{c} }

// maxAttempts is how often a write is judged again after its document moved.
const maxAttempts = 3

// change is what a set-up write decided: the documents and the answer.
type change struct {
	setUp  store.SetUp
	status int
	body   any
	where  string // Location of what was made
	etag   string
}

// write runs a set-up write: the request's stored answer, else judge and
// commit, again while the document moves. The operation's name is the same for
// every door, so twins of a request meet (03 §3).
func (o *Office) write(ctx context.Context, call inbox.Call, operation string, input any,
	judge func(ctx context.Context, now inbox.Instant) (change, error),
) (inbox.Answer, error) {
	print, err := store.Fingerprint(operation, "", input)
	if err != nil {
		return inbox.Answer{}, err
	}
	budget := o.Store.Budget()
	for attempt := 1; ; {
		now := o.Clock()
		stored, err := o.stored(ctx, call, now)
		if err != nil {
			return inbox.Answer{}, err
		}
		if stored != nil {
			return stored.Replay(print)
		}
		c, err := judge(ctx, now)
		if err != nil {
			return inbox.Answer{}, err
		}
		body, err := json.Marshal(c.body)
		if err != nil {
			return inbox.Answer{}, err
		}
		if call.IdempotencyKey != "" {
			c.setUp.Idem = &decide.Idempotency{
				Scope: call.IdempotencyScope(), Key: call.IdempotencyKey, Fingerprint: print,
				Status: c.status, Answer: body, ExpiresAt: now.Add(store.IdempotencyRetention),
			}
		}
		err = o.Store.SaveSetUp(ctx, c.setUp)
		lost, isLost := store.AsLost(err)
		switch {
		case err == nil:
			return inbox.Answer{Status: c.status, Body: body, Location: c.where, ETag: c.etag}, nil
		case !isLost:
			return inbox.Answer{}, err
		case lost.Idem != nil:
			return lost.Idem.Replay(print)
		case lost.SKU:
			return inbox.Answer{}, inbox.InvalidField("sku", "another product has this sku")
		case lost.Version:
			if attempt++; attempt > maxAttempts {
				return inbox.Answer{}, inbox.Unavailable(err)
			}
		}
		if err := budget.Spend(ctx, err); err != nil {
			return inbox.Answer{}, err
		}
	}
}

// stored is the answer that stands under the request's key, nil for none.
func (o *Office) stored(ctx context.Context, call inbox.Call, now inbox.Instant) (*store.StoredAnswer, error) {
	if call.IdempotencyKey == "" {
		return nil, nil
	}
	return o.Store.Answered(ctx, call.IdempotencyScope(), call.IdempotencyKey, now)
}

// reading is the answer of a read.
func reading(body any) (inbox.Answer, error) {
	b, err := json.Marshal(body)
	return inbox.Answer{Status: 200, Body: b}, err
}

// effective reads profile and settings and applies the fall-backs.
func (o *Office) effective(ctx context.Context, want store.Want) (*store.Loaded, error) {
	want.Settings, want.Profile = true, true
	return o.Store.Load(ctx, want)
}

package work

import (
	"context"
	"errors"
	"log/slog"
	"sync"
	"time"

	"typedinbox/shared/blob"
	"typedinbox/shared/canon"
	"typedinbox/shared/desk"
	"typedinbox/shared/inbox"
	"typedinbox/shared/mail"
	"typedinbox/shared/store"
)

// Config is what a worker is made of.
type Config struct {
	Store  *store.Store
	Desk   *desk.Desk
	Sender mail.Sender // nil: no mail service is connected
	Clock  func() inbox.Instant
	Source *inbox.Source
	Ring   canon.Ring
	// MailDomain is the stack's domain that mail is sent from, "" for none.
	MailDomain string
	// InboundDomain is where mail is received, "" when none is (05 §5.1).
	InboundDomain string
	// PublicURL is the origin of the pages behind links, without a slash at its
	// end; "" leaves links out of mails.
	PublicURL string
	// OwnerEmail is where the owner is told unless notifications.ownerEmail is
	// set: the address of the first owner, "" for none.
	OwnerEmail string
	// WireDomain is the domain of the Message-ID the transport puts on a mail, by
	// which later mails of the item refer to it: eu-west-1.amazonses.com. "" leaves
	// those references out (05 §4.3).
	WireDomain string
	// AtOnce bounds how many pieces of work a sweep does at once; 0: as many as
	// their kind allows. With 1 a run has one order and can be played again.
	AtOnce int
	Log    *slog.Logger // nil discards
	// Blobs holds raw mails and what came with them, nil when none is received.
	Blobs blob.Store
	// DKIM reads whether what is sent from a domain is signed: SUCCESS, else what
	// the mail service says; nil where nothing has to be (05 §4.1).
	DKIM func(ctx context.Context, domain string) (string, error)
}

// Worker does what is owed. It is safe for concurrent use; any number of them
// may work on one table.
type Worker struct {
	Config
	circuit circuit
	alerts  sync.Mutex
}

// New makes a worker.
func New(c Config) *Worker {
	if c.Log == nil {
		c.Log = slog.New(slog.DiscardHandler)
	}
	return &Worker{Config: c}
}

// Due is the earliest instant at which anything is due: a job, a mail or an
// item's deadline; nil when nothing waits.
func (w *Worker) Due(ctx context.Context) (*inbox.Instant, error) { return w.Store.NextDue(ctx) }

// lease is how long a run holds a job or the sending of a mail (05 §4.6).
const lease = 60 * inbox.Second

// maxAttempts is how often a job or a mail is tried in all (05 §4.7).
const maxAttempts = 8

// Bounds of the wait between attempts.
const (
	firstBackOff = 30 * inbox.Second
	maxBackOff   = 6 * inbox.Hour
)

// backOff is the wait after the n-th attempt, n from 1: 60 s, 2 min, 4 min …, at
// most 6 h (05 §4.7).
func backOff(n int) int64 { return min(int64(firstBackOff)<<min(n, 20), maxBackOff) }

// reserve is the real time a run leaves unused before its deadline, enough for
// what has begun to end.
const reserve = 15 * time.Second

// near says whether the run's own time is nearly used up. Leases, back-off and
// deadlines of items go by the worker's clock; this alone is real time, since it
// is the process that would be stopped.
func near(ctx context.Context) bool {
	if ctx.Err() != nil {
		return true
	}
	deadline, ok := ctx.Deadline()
	return ok && time.Until(deadline) < reserve
}

// leaseLost says whether an error means that another run has the job or mail.
func leaseLost(err error) bool {
	lost, ok := store.AsLost(err)
	return ok && lost.Version
}

// circuit remembers until when the mail service takes nothing from us.
type circuit struct {
	mu    sync.Mutex
	until inbox.Instant
}

// open is how long the sender pauses after the service refused it (05 §4.7).
const openFor = 15 * inbox.Minute

func (c *circuit) trip(now inbox.Instant) inbox.Instant {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.until = max(c.until, now.Add(openFor))
	return c.until
}

// closedAt is when the sender may try again, 0 for now.
func (c *circuit) closedAt(now inbox.Instant) inbox.Instant {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.until <= now {
		return 0
	}
	return c.until
}

// errUnknownEffect is for a job that a later release wrote.
var errUnknownEffect = errors.New("work: an effect this release does not know")

package store

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	mathrand "math/rand/v2"
	"time"

	"typedinbox/shared/canon"
	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
)

// Store reads and writes rows. It is safe for concurrent use.
type Store struct {
	db     table.Database
	ring   canon.Ring
	source *inbox.Source // tokens, salts and nonces; never ids
	sleep  func(context.Context, time.Duration) error
	jitter func(time.Duration) time.Duration
}

// Option changes how a store is made.
type Option func(*Store)

// WithSource takes request tokens, salts and nonces from src instead of the
// system's randomness.
func WithSource(src *inbox.Source) Option { return func(s *Store) { s.source = src } }

// WithSleep replaces how a read or a small write waits before it is tried again.
func WithSleep(sleep func(context.Context, time.Duration) error) Option {
	return func(s *Store) { s.sleep = sleep }
}

// New makes a store on a database that has [Schema]. ring seals stored answers
// and binds cursors.
func New(db table.Database, ring canon.Ring, options ...Option) *Store {
	s := &Store{db: db, ring: ring, source: inbox.NewSource(rand.Reader), sleep: sleep, jitter: jitter}
	for _, o := range options {
		o(s)
	}
	return s
}

// Ring is the ring the store seals with.
func (s *Store) Ring() canon.Ring { return s.ring }

// tokenBytes is how random a request token is; as text it has 22 characters.
const tokenBytes = 16

func (s *Store) token() string {
	return base64.RawURLEncoding.EncodeToString(s.source.Bytes(tokenBytes))
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func jitter(d time.Duration) time.Duration {
	if d <= 0 {
		return 0
	}
	return time.Duration(mathrand.Int64N(int64(d)))
}

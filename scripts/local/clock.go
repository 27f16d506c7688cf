package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"typedinbox/shared/inbox"
)

// clock is what the whole run reads the time from. With a start it is virtual:
// it stands still and moves only through the control door, never back.
type clock struct {
	mu      sync.Mutex
	virtual bool
	at      inbox.Instant
	file    string // where a virtual clock remembers what it last was, "" for nowhere
}

var errBack = errors.New("the clock only moves forward")

// newClock makes the run's clock; now is NOW, "" for real time. A start before
// what the data directory last saw is refused.
func newClock(now, dir string) (*clock, error) {
	c := &clock{}
	if dir != "" {
		c.file = filepath.Join(dir, "clock")
	}
	seen, err := c.seen()
	if err != nil {
		return nil, err
	}
	if now == "" {
		if real := inbox.InstantOf(time.Now()); seen > real {
			return nil, fmt.Errorf("DATA_DIR was used at %s, which is later than now; set NOW to that or later, or use another DATA_DIR", seen)
		}
		return c, nil
	}
	at, err := inbox.ParseInstant(now)
	if err != nil {
		return nil, fmt.Errorf("NOW %w", err)
	}
	if at < seen {
		return nil, fmt.Errorf("NOW is %s but DATA_DIR was used at %s; the clock never goes back", at, seen)
	}
	c.virtual = true
	return c, c.set(at)
}

// seen is the latest instant the data directory was used at, 0 for never.
func (c *clock) seen() (inbox.Instant, error) {
	if c.file == "" {
		return 0, nil
	}
	raw, err := os.ReadFile(c.file)
	if errors.Is(err, os.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	return inbox.ParseInstant(strings.TrimSpace(string(raw)))
}

// now is the run's present.
func (c *clock) now() inbox.Instant {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.virtual {
		return c.at
	}
	return inbox.InstantOf(time.Now())
}

// set moves a virtual clock forward.
func (c *clock) set(at inbox.Instant) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at < c.at {
		return errBack
	}
	c.at = at
	return c.remember(at)
}

// remember writes down the instant, so a later start cannot fall before it.
func (c *clock) remember(at inbox.Instant) error {
	if c.file == "" {
		return nil
	}
	return os.WriteFile(c.file, []byte(at.String()+"\n"), 0o600)
}

// stop writes down when a run in real time ended.
func (c *clock) stop() error {
	if c.virtual {
		return nil
	}
	return c.remember(c.now())
}

package model

import (
	"context"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync"

	"typedinbox/shared/table"
)

// The wrappers here plant the mistakes that the histories must find. Each keeps
// everything else of the database as it is.

// jostled gives the processor away after reads and before writes, so that
// others come between the two even on one core.
type jostled struct {
	table.Database
	mu sync.Mutex
	r  *rand.Rand
}

func (d *jostled) yield() {
	d.mu.Lock()
	n := d.r.IntN(4)
	d.mu.Unlock()
	for range n {
		runtime.Gosched()
	}
}

func (d *jostled) BatchGet(ctx context.Context, keys []table.Key) ([]table.Row, []table.Key, error) {
	defer d.yield()
	return d.Database.BatchGet(ctx, keys)
}

func (d *jostled) Query(ctx context.Context, q table.Query) (table.Page, error) {
	defer d.yield()
	return d.Database.Query(ctx, q)
}

func (d *jostled) Transact(ctx context.Context, token string, actions []table.Action) error {
	d.yield()
	return d.Database.Transact(ctx, token, actions)
}

// unconditional drops the conditions of the actions it is told of.
type unconditional struct {
	table.Database
	of func(table.Key) bool
}

func (d unconditional) Transact(ctx context.Context, token string, actions []table.Action) error {
	loose := append([]table.Action(nil), actions...)
	for i := range loose {
		if d.of(loose[i].At()) {
			loose[i].If = nil
		}
	}
	return d.Database.Transact(ctx, token, loose)
}

// isHour says whether a key is an hour row's: there the places are.
func isHour(k table.Key) bool { return k.Table == "inbox" && strings.HasPrefix(k.Partition, "h#") }

// isItem says whether a key is an item's: its row carries the version that was
// judged.
func isItem(k table.Key) bool {
	return k.Table == "inbox" && strings.HasPrefix(k.Partition, "i#") && k.Sort == "i"
}

// isEvent says whether a key is an event's.
func isEvent(k table.Key) bool { return k.Table == "events" }

// claimsLater writes places only after the transaction that they belong to,
// when the next one begins.
type claimsLater struct {
	table.Database
	mu   *sync.Mutex
	owed *[]table.Action
}

func newClaimsLater(db table.Database) table.Database {
	return claimsLater{Database: db, mu: new(sync.Mutex), owed: new([]table.Action)}
}

func (d claimsLater) Transact(ctx context.Context, token string, actions []table.Action) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, a := range *d.owed {
		if err := d.Database.Transact(ctx, "", []table.Action{a}); err != nil {
			return err
		}
	}
	*d.owed = nil
	var now, later []table.Action
	for _, a := range actions {
		if isHour(a.At()) {
			a.If = nil
			later = append(later, a)
		} else {
			now = append(now, a)
		}
	}
	err := d.Database.Transact(ctx, token, now)
	if err == nil {
		*d.owed = later
	}
	return err
}

package store_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"typedinbox/shared/store"
	"typedinbox/shared/table"
	"typedinbox/shared/table/dynamo"
	"typedinbox/shared/table/embedded"
	"typedinbox/shared/table/tabletest/awslocal"
)

// backend is a kind of database the suite runs on.
type backend struct {
	open func(t testing.TB) table.Database
	lags bool
}

// backends are the embedded table, plain and with each of its faults, and the
// DynamoDB driver.
var backends = map[string]backend{
	"embedded":       {open: func(t testing.TB) table.Database { return open(t, nil, nil) }},
	"conflict":       {open: faulty(embedded.Conflict, .2)},
	"throttle":       {open: faulty(embedded.Throttle, .1)},
	"throttle one":   {open: faulty(embedded.ThrottleAction, .2)},
	"lost answer":    {open: faulty(embedded.LoseAnswer, .2)},
	"cut page":       {open: faulty(embedded.CutPage, .5)},
	"unprocessed":    {open: faulty(embedded.LeaveUnprocessed, .3)},
	"duplicate hook": {open: faulty(embedded.DuplicateHook, .5)},
	"reorder hook":   {open: faulty(embedded.ReorderHook, .5)},
	"index lag": {lags: true, open: func(t testing.TB) table.Database {
		return open(t, embedded.NewFaults(1).IndexLag(3), nil)
	}},
	"dynamodb": {open: kumo},
}

func faulty(f embedded.Fault, share float64) func(testing.TB) table.Database {
	return func(t testing.TB) table.Database {
		return open(t, embedded.NewFaults(1).Rate(f, share), func([]table.Change) {})
	}
}

func open(t testing.TB, f *embedded.Faults, hook func([]table.Change)) *embedded.Database {
	t.Helper()
	db, err := embedded.Open(embedded.Options{Path: embedded.Memory, Schema: store.Schema(), Faults: f, Hook: hook})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if f != nil {
			f.Off()
		}
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

var tables atomic.Int64

// kumo is the DynamoDB driver on the local stand-in, on tables of its own.
func kumo(t testing.TB) table.Database {
	t.Helper()
	if testing.Short() {
		t.Skip("not with -short")
	}
	client := dynamo.Client(awslocal.Env(awslocal.Start(t)))
	n := tables.Add(1)
	names := map[string]string{"inbox": fmt.Sprintf("inbox-%d", n), "events": fmt.Sprintf("events-%d", n)}
	if err := dynamo.CreateTables(context.Background(), client, names, store.Schema()); err != nil {
		t.Fatal(err)
	}
	return dynamo.New(client, names, store.Schema())
}

// onEach runs a test on every backend.
func onEach(t *testing.T, f func(t *testing.T, w *world)) {
	for name, b := range backends {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, b.open(t))
			w.lags = b.lags
			f(t, w)
		})
	}
}

// crashing is a table whose first n answers to transactions are lost.
func crashing(t testing.TB, n int) (table.Database, *embedded.Faults) {
	faults := embedded.NewFaults(1)
	for range n {
		faults.Script(embedded.LoseAnswer, true)
	}
	return open(t, faults, nil), faults
}

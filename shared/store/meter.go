package store

import (
	"context"
	"sync/atomic"

	"typedinbox/shared/table"
)

// Meter counts what a database is asked: storage calls, and the write units of
// transactions that committed, by the model of [Units]. It is for benchmarks
// and tests; what it reads to know the rows before a write is not counted.
type Meter struct {
	table.Database
	calls atomic.Int64
	units atomic.Int64
}

// NewMeter counts on top of a database.
func NewMeter(db table.Database) *Meter { return &Meter{Database: db} }

// Reset sets both counts to nothing.
func (m *Meter) Reset() { m.calls.Store(0); m.units.Store(0) }

// Calls is how many storage calls were made since the last reset.
func (m *Meter) Calls() int { return int(m.calls.Load()) }

// Units is how many write units committed since the last reset.
func (m *Meter) Units() int { return int(m.units.Load()) }

// Get counts a call.
func (m *Meter) Get(ctx context.Context, k table.Key) (table.Row, error) {
	m.calls.Add(1)
	return m.Database.Get(ctx, k)
}

// BatchGet counts a call.
func (m *Meter) BatchGet(ctx context.Context, keys []table.Key) ([]table.Row, []table.Key, error) {
	m.calls.Add(1)
	return m.Database.BatchGet(ctx, keys)
}

// Query counts a call.
func (m *Meter) Query(ctx context.Context, q table.Query) (table.Page, error) {
	m.calls.Add(1)
	return m.Database.Query(ctx, q)
}

// Transact counts a call, and its units when it commits.
func (m *Meter) Transact(ctx context.Context, token string, actions []table.Action) error {
	m.calls.Add(1)
	old := make(map[table.Key]table.Row, len(actions))
	for _, a := range actions {
		r, err := m.Database.Get(ctx, a.At())
		if err != nil {
			return err
		}
		old[a.At()] = r
	}
	err := m.Database.Transact(ctx, token, actions)
	if err == nil {
		m.units.Add(int64(Units(actions, old)))
	}
	return err
}

// Units is the model of what a transaction costs in write units (08 §7): for
// each row two for each KB begun, of the larger of before and after; for each
// index one for an entry that comes or goes and two for one that moves. Entries
// hold keys alone, so they are under 1 KB and a change that keeps them is free.
func Units(actions []table.Action, old map[table.Key]table.Row) int {
	units := 0
	for _, a := range actions {
		before := old[a.At()]
		after := applied(a, before)
		units += table.WriteUnits(max(table.Size(before), table.Size(after)))
		t, _ := Schema().Table(a.Key.Table)
		for _, i := range t.Indexes {
			units += indexUnits(i, before, after)
		}
	}
	return units
}

func indexUnits(i table.IndexSchema, before, after table.Row) int {
	p1, s1, in1 := i.Entry(before)
	p2, s2, in2 := i.Entry(after)
	switch {
	case in1 && in2 && (p1 != p2 || s1 != s2):
		return 2
	case in1 != in2:
		return 1
	}
	return 0
}

// applied is the row after an action.
func applied(a table.Action, before table.Row) table.Row {
	switch a.Kind {
	case table.Put:
		return a.Row
	case table.Delete:
		return nil
	case table.Check:
		return before
	}
	r := before.Clone()
	if r == nil {
		r = table.Row{table.PartitionKey: a.Key.Partition, table.SortKey: a.Key.Sort}
	}
	for name, v := range a.Set {
		r[name] = v
	}
	for _, name := range a.Remove {
		delete(r, name)
	}
	for name, n := range a.Add {
		r[name] = r.Int(name) + n
	}
	return r
}

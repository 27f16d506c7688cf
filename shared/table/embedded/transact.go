package embedded

import (
	"fmt"
	"math"

	bolt "go.etcd.io/bbolt"

	"typedinbox/shared/table"
)

// write is what one action does to its row.
type write struct {
	store *tableStore
	key   table.Key
	old   table.Row // nil: absent
	row   table.Row // nil: deleted
	check bool      // nothing is written
}

// plan judges all conditions and builds all rows; nothing is written yet. The
// error is the transaction's outcome.
func (d *Database) plan(tx *bolt.Tx, actions []table.Action) ([]write, error) {
	writes := make([]write, len(actions))
	var reasons []table.Reason
	for i := range actions {
		a, w := &actions[i], &writes[i]
		w.key = a.At()
		w.store = d.stores[w.key.Table]
		var err error
		if w.old, err = w.store.load(tx, w.key); err != nil {
			return nil, err
		}
		if !table.Holds(a.If, w.old) {
			if reasons == nil {
				reasons = make([]table.Reason, len(actions))
			}
			reasons[i] = table.Reason{Code: table.ReasonCondition, Old: w.old}
		}
	}
	if reasons != nil {
		return nil, &table.Cancelled{Reasons: reasons}
	}
	total := 0
	for i := range writes {
		if err := writes[i].build(&actions[i]); err != nil {
			return nil, fmt.Errorf("table: action %d, %s of %s: %w", i, actions[i].Kind, writes[i].key, err)
		}
		total += table.Size(writes[i].row)
	}
	if total > table.MaxTransaction {
		return nil, fmt.Errorf("%w: %d bytes in one transaction", table.ErrLimit, total)
	}
	return writes, nil
}

// build makes the row as it will stand.
func (w *write) build(a *table.Action) error {
	switch a.Kind {
	case table.Put:
		w.row = a.Row
	case table.Check:
		w.check = true
	case table.Update:
		row, err := updated(w.old, a)
		if err != nil {
			return err
		}
		w.row = row
		return w.store.schema.CheckRow(row)
	}
	return nil
}

// updated is the row with an update's changes; old stays as it is.
func updated(old table.Row, a *table.Action) (table.Row, error) {
	row := make(table.Row, len(old)+len(a.Set)+len(a.Add)+2)
	row[table.PartitionKey], row[table.SortKey] = a.Key.Partition, a.Key.Sort
	for name, v := range old {
		row[name] = v
	}
	for name, v := range a.Set {
		row[name] = v
	}
	for _, name := range a.Remove {
		delete(row, name)
	}
	for name, n := range a.Add {
		sum, err := add(row[name], n)
		if err != nil {
			return nil, fmt.Errorf("attribute %q: %w", name, err)
		}
		row[name] = sum
	}
	return row, nil
}

func add(v any, n int64) (int64, error) {
	var old int64
	if v != nil {
		var ok bool
		if old, ok = v.(int64); !ok {
			return 0, fmt.Errorf("adds to a %T", v)
		}
	}
	if n > 0 && old > math.MaxInt64-n || n < 0 && old < math.MinInt64-n {
		return 0, fmt.Errorf("%d and %d is no int64", old, n)
	}
	return old + n, nil
}

// write puts the planned rows into the file and says what changed. The error
// is the file's.
func (d *Database) write(tx *bolt.Tx, j *job, writes []write) error {
	d.age++
	for i := range writes {
		w := &writes[i]
		if w.check {
			continue
		}
		if err := w.put(tx); err != nil {
			return err
		}
		d.noteEntries(w)
		if d.hook.call != nil && w.store.schema.Stream && (w.row != nil || w.old != nil) {
			j.changes = append(j.changes, table.Change{Key: w.key, New: w.row.Clone()})
		}
	}
	return d.catchUp(tx, d.faults.indexLag())
}

func (w *write) put(tx *bolt.Tx) error {
	rows := tx.Bucket(w.store.rows)
	key := rowKey(w.key.Partition, w.key.Sort)
	if w.row == nil {
		return rows.Delete(key)
	}
	value, err := appendRow(make([]byte, 0, table.Size(w.row)+4*len(w.row)+16), w.row)
	if err != nil {
		return err
	}
	return rows.Put(key, value)
}

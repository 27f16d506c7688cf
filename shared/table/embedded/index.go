package embedded

import (
	"bytes"

	bolt "go.etcd.io/bbolt"
)

// delta is a change of one index entry: gone leaves, come enters.
type delta struct {
	bucket     []byte
	gone, come []byte // entry keys or nil
	age        int    // the commit it belongs to
}

// noteEntries queues the changes a write makes to the indexes of its table.
func (d *Database) noteEntries(w *write) {
	for i := range w.store.schema.Indexes {
		change := delta{bucket: w.store.entries[i], age: d.age}
		index := &w.store.schema.Indexes[i]
		if p, s, ok := index.Entry(w.old); ok {
			change.gone = entryKey(p, s, w.key)
		}
		if p, s, ok := index.Entry(w.row); ok {
			change.come = entryKey(p, s, w.key)
		}
		if !bytes.Equal(change.gone, change.come) {
			d.late = append(d.late, change)
		}
	}
}

// catchUp brings the indexes to where they were lag commits ago; with no lag,
// to now.
func (d *Database) catchUp(tx *bolt.Tx, lag int) error {
	n := 0
	for ; n < len(d.late) && d.late[n].age <= d.age-lag; n++ {
		if err := d.late[n].apply(tx); err != nil {
			return err
		}
	}
	if d.late = d.late[n:]; len(d.late) == 0 {
		d.late = nil
	}
	return nil
}

func (c *delta) apply(tx *bolt.Tx) error {
	entries := tx.Bucket(c.bucket)
	if c.gone != nil {
		if err := entries.Delete(c.gone); err != nil {
			return err
		}
	}
	if c.come != nil {
		return entries.Put(c.come, nil)
	}
	return nil
}

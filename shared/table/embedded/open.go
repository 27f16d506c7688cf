// Package embedded runs the storage port on one file of go.etcd.io/bbolt, with
// DynamoDB's limits and answers, a hook in place of the stream, and faults on
// demand (00 §4). It is the table of the local run and of the tests.
//
// Writers form groups: whoever holds the turn runs all transactions that wait,
// one after the other, in one commit of the file. Readers never wait.
package embedded

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	bolt "go.etcd.io/bbolt"

	"typedinbox/shared/table"
)

// Memory is the path of a database that keeps nothing: a temporary file, not
// synced, removed by Close.
const Memory = ":memory:"

// Options of [Open].
type Options struct {
	Path   string // file, made when absent; [Memory] keeps nothing
	NoSync bool   // commits do not wait for the disk; always so for [Memory]
	Schema table.Schema
	// Now is the time client request tokens are judged by; nil is time.Now.
	Now func() time.Time
	// Hook is called after a commit, by the goroutine that committed and before
	// its Transact answers, with the changed rows of tables that stream. It may
	// use the database. Faults may call it twice, late and out of order.
	Hook   func([]table.Change)
	Faults *Faults // nil: none
}

// Database is one open file. It is safe for concurrent use.
type Database struct {
	file   *bolt.DB
	path   string // to remove on Close, or ""
	schema table.Schema
	stores map[string]*tableStore // by role
	now    func() time.Time
	hook   hook
	faults *Faults

	turn  chan struct{} // held by who writes the file
	mu    sync.Mutex    // guards queue
	queue []*job
	late  []delta // index changes held back; guarded by turn
	age   int     // commits so far; guarded by turn
}

// tableStore is a table's place in the file.
type tableStore struct {
	schema  table.TableSchema
	rows    []byte   // bucket
	entries [][]byte // bucket of each index
}

var _ table.Database = (*Database)(nil)

// lockWait is how long Open waits for another process to let go of the file.
const lockWait = time.Second

// mapSize is the address space reserved for the file, so that it seldom has to
// be mapped anew, for which readers and writer would wait for each other.
const mapSize = 1 << 30

// Open opens or makes the file, and builds indexes that the schema has and the
// file has not.
func Open(o Options) (*Database, error) {
	d := &Database{schema: o.Schema, now: o.Now, faults: o.Faults, turn: make(chan struct{}, 1)}
	d.hook.call = o.Hook
	if d.now == nil {
		d.now = time.Now
	}
	path := o.Path
	switch path {
	case "":
		return nil, errors.New("embedded: no path")
	case Memory:
		f, err := os.CreateTemp("", "inbox-*.db")
		if err != nil {
			return nil, fmt.Errorf("embedded: %w", err)
		}
		_ = f.Close()
		path, d.path = f.Name(), f.Name()
	}
	file, err := bolt.Open(path, 0o600, &bolt.Options{
		Timeout: lockWait, FreelistType: bolt.FreelistMapType, NoFreelistSync: true, NoStatistics: true,
		NoSync: o.NoSync || o.Path == Memory, NoGrowSync: o.NoSync || o.Path == Memory, InitialMmapSize: mapSize,
	})
	if err != nil {
		d.remove()
		return nil, fmt.Errorf("embedded: open %s: %w", o.Path, err)
	}
	d.file = file
	if err := file.Update(d.prepare); err != nil {
		return nil, errors.Join(err, d.close())
	}
	return d, nil
}

// Close delivers what faults held back and closes the file. The database must
// not be used any more.
func (d *Database) Close() error {
	return errors.Join(d.Settle(), d.close())
}

func (d *Database) close() error {
	err := d.file.Close()
	d.remove()
	return err
}

func (d *Database) remove() {
	if d.path != "" {
		_ = os.Remove(d.path)
	}
}

// The buckets that are no table's.
var (
	metaBucket = []byte("meta")
	layoutKey  = []byte("layout")
	layout     = []byte("1") // of the whole file
)

func (d *Database) prepare(tx *bolt.Tx) error {
	meta, err := tx.CreateBucketIfNotExists(metaBucket)
	if err != nil {
		return err
	}
	switch found := meta.Get(layoutKey); {
	case found == nil:
		if err := meta.Put(layoutKey, layout); err != nil {
			return err
		}
	case !bytes.Equal(found, layout):
		return fmt.Errorf("embedded: the file has layout %q, this program reads %q", found, layout)
	}
	d.stores = map[string]*tableStore{}
	for _, t := range d.schema.Tables {
		store := &tableStore{schema: t, rows: []byte("rows/" + t.Name)}
		if _, err := tx.CreateBucketIfNotExists(store.rows); err != nil {
			return err
		}
		if err := store.prepareIndexes(tx); err != nil {
			return err
		}
		d.stores[t.Name] = store
	}
	return nil
}

// prepareIndexes fills the buckets of new indexes and drops those of gone
// ones. A bucket's name holds the definition, so a changed index is a new one.
func (s *tableStore) prepareIndexes(tx *bolt.Tx) error {
	wanted := map[string]bool{}
	for _, i := range s.schema.Indexes {
		name := fmt.Sprintf("index/%s/%s/%s/%s", s.schema.Name, i.Name, i.Partition, i.Sort)
		wanted[name] = true
		s.entries = append(s.entries, []byte(name))
		if tx.Bucket([]byte(name)) != nil {
			continue
		}
		if err := s.fill(tx, i, []byte(name)); err != nil {
			return err
		}
	}
	prefix := []byte("index/" + s.schema.Name + "/")
	var gone [][]byte
	c := tx.Cursor()
	for name, _ := c.Seek(prefix); bytes.HasPrefix(name, prefix); name, _ = c.Next() {
		if !wanted[string(name)] {
			gone = append(gone, bytes.Clone(name))
		}
	}
	for _, name := range gone {
		if err := tx.DeleteBucket(name); err != nil {
			return err
		}
	}
	return nil
}

func (s *tableStore) fill(tx *bolt.Tx, i table.IndexSchema, name []byte) error {
	entries, err := tx.CreateBucket(name)
	if err != nil {
		return err
	}
	return tx.Bucket(s.rows).ForEach(func(key, value []byte) error {
		partition, sort, err := cutPart(key)
		if err != nil {
			return err
		}
		r, err := decodeRow(partition, string(sort), value)
		if err != nil {
			return err
		}
		if ip, is, ok := i.Entry(r); ok {
			return entries.Put(entryKey(ip, is, table.Key{Partition: partition, Sort: string(sort)}), nil)
		}
		return nil
	})
}

package embedded

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"
	"time"

	bolt "go.etcd.io/bbolt"

	"typedinbox/shared/table"
)

// tokenLife is how long a client request token is remembered (08 §4).
const tokenLife = 10 * time.Minute

var tokenBucket = []byte("tokens")

// tokenBook is the tokens of transactions that were done: one bucket for each
// ten minutes, so that old ones go in one stroke. A token's value is the time,
// 8 bytes of Unix nanoseconds, and the digest of its actions.
type tokenBook struct {
	tx  *bolt.Tx
	now time.Time
}

func window(t time.Time) int64 { return t.UnixNano() / int64(tokenLife) }

func windowName(n int64) []byte { return binary.BigEndian.AppendUint64(nil, uint64(n)) }

// find says whether the token is remembered, and for the same actions.
func (b tokenBook) find(token string, digest []byte) (known, same bool) {
	book := b.tx.Bucket(tokenBucket)
	if book == nil {
		return false, false
	}
	for _, n := range [...]int64{window(b.now), window(b.now) - 1} {
		page := book.Bucket(windowName(n))
		if page == nil {
			continue
		}
		if v := page.Get([]byte(token)); len(v) > 8 {
			at := time.Unix(0, int64(binary.BigEndian.Uint64(v)))
			return b.now.Sub(at) < tokenLife, bytes.Equal(v[8:], digest)
		}
	}
	return false, false
}

// keep remembers a token and forgets those of windows long past.
func (b tokenBook) keep(token string, digest []byte) error {
	book, err := b.tx.CreateBucketIfNotExists(tokenBucket)
	if err != nil {
		return err
	}
	name := windowName(window(b.now))
	page := book.Bucket(name)
	if page == nil {
		if page, err = book.CreateBucket(name); err != nil {
			return err
		}
		if err := b.forget(book); err != nil {
			return err
		}
	}
	value := binary.BigEndian.AppendUint64(make([]byte, 0, 8+len(digest)), uint64(b.now.UnixNano()))
	return page.Put([]byte(token), append(value, digest...))
}

func (b tokenBook) forget(book *bolt.Bucket) error {
	var old [][]byte
	oldest := windowName(window(b.now) - 1)
	c := book.Cursor()
	for name, _ := c.First(); name != nil && bytes.Compare(name, oldest) < 0; name, _ = c.Next() {
		old = append(old, bytes.Clone(name))
	}
	for _, name := range old {
		if err := book.DeleteBucket(name); err != nil {
			return err
		}
	}
	return nil
}

// actionsDigest is the same for the same actions, whatever the order of their
// attributes.
func actionsDigest(actions []table.Action) []byte {
	var b []byte
	for i := range actions {
		a := &actions[i]
		at := a.At()
		b = append(b, byte(a.Kind))
		for _, s := range [...]string{at.Table, at.Partition, at.Sort} {
			b = appendText(b, s)
		}
		b = appendSorted(b, a.Row)
		b = appendSorted(b, a.Set)
		b = appendStrings(b, a.Remove)
		b = binary.AppendUvarint(b, uint64(len(a.Add)))
		for _, name := range slices.Sorted(maps.Keys(a.Add)) {
			b = binary.AppendVarint(appendText(b, name), a.Add[name])
		}
		b = appendCondition(b, a.If)
	}
	sum := sha256.Sum256(b)
	return sum[:]
}

func appendStrings(b []byte, list []string) []byte {
	b = binary.AppendUvarint(b, uint64(len(list)))
	for _, s := range list {
		b = appendText(b, s)
	}
	return b
}

func appendSorted(b []byte, r table.Row) []byte {
	b = binary.AppendUvarint(b, uint64(len(r)))
	for _, name := range slices.Sorted(maps.Keys(r)) {
		b = appendText(b, name)
		switch v := r[name].(type) {
		case string:
			b = appendText(append(b, kindString), v)
		case int64:
			b = binary.AppendVarint(append(b, kindInt), v)
		case []byte:
			b = appendText(append(b, kindBytes), v)
		case bool:
			b = appendBool(b, v)
		}
	}
	return b
}

func appendBool(b []byte, v bool) []byte {
	if v {
		return append(b, kindTrue)
	}
	return append(b, kindFalse)
}

func appendCondition(b []byte, c table.Condition) []byte {
	switch c := c.(type) {
	case nil:
		return append(b, 0)
	case table.Absent:
		return appendText(append(b, 'a'), string(c))
	case table.Exists:
		return appendText(append(b, 'e'), string(c))
	case table.Eq:
		return appendOperand(append(b, '='), c.Name, c.Value)
	case table.Lt:
		return appendOperand(append(b, '<'), c.Name, c.Value)
	case table.Lte:
		return appendOperand(append(b, 'l'), c.Name, c.Value)
	case table.Not:
		return appendCondition(append(b, '!'), c.Of)
	case table.And:
		return appendConditions(append(b, '&'), c)
	case table.Or:
		return appendConditions(append(b, '|'), c)
	}
	return b
}

func appendConditions(b []byte, parts []table.Condition) []byte {
	b = binary.AppendUvarint(b, uint64(len(parts)))
	for _, part := range parts {
		b = appendCondition(b, part)
	}
	return b
}

func appendOperand(b []byte, name string, v any) []byte {
	return appendSorted(b, table.Row{name: v})
}

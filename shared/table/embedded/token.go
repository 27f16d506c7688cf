package embedded

import (
	"bytes"
	"encoding/binary"
	"time"

	bolt "go.etcd.io/bbolt"
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

package inbox

import (
	"io"
	"strings"
	"sync"

	"github.com/oklog/ulid/v2"
)

// ValidID says whether s has the form of a ULID: 26 characters of Crockford
// base32, upper case (01 §1.1).
func ValidID(s string) bool {
	_, err := ulid.ParseStrict(s)
	return err == nil && s == strings.ToUpper(s)
}

// Reference is the six characters people see instead of an id: the id's last
// six, upper case. It is a handle for people, never a key (01 §1.2).
func Reference(id string) string {
	if len(id) < 6 {
		return strings.ToUpper(id)
	}
	return strings.ToUpper(id[len(id)-6:])
}

// Source is where ids and random bytes come from. One request has one source;
// given the same reader and clock it gives the same ids again. It may be used
// from several goroutines.
type Source struct {
	mu     sync.Mutex
	random io.Reader
	last   ulid.ULID
}

// NewSource reads its randomness from r: crypto/rand.Reader in production, a
// seeded stream in tests.
func NewSource(r io.Reader) *Source { return &Source{random: r} }

// ID mints a ULID for an instant. Ids minted one after another never sort
// backwards within a source, so entries of one write keep their order.
func (s *Source) ID(now Instant) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	var id ulid.ULID
	must(id.SetTime(uint64(now)))
	var entropy [10]byte
	_, err := io.ReadFull(s.random, entropy[:])
	must(err)
	must(id.SetEntropy(entropy[:]))
	if id.Time() == s.last.Time() && id.Compare(s.last) <= 0 {
		id = next(s.last)
	}
	s.last = id
	return id.String()
}

// Bytes gives n random bytes.
func (s *Source) Bytes(n int) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := make([]byte, n)
	_, err := io.ReadFull(s.random, b)
	must(err)
	return b
}

// next is the ULID that follows within the same millisecond.
func next(id ulid.ULID) ulid.ULID {
	for i := len(id) - 1; i >= 6; i-- {
		id[i]++
		if id[i] != 0 {
			break
		}
	}
	return id
}

// must stops the process when the system's randomness fails or a clock stands
// outside the years a ULID can hold: there is no id to go on with.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

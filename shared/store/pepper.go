package store

import (
	"context"
	"encoding/hex"
	"strings"

	"typedinbox/shared/canon"
)

// pepperKey is the row of the pepper that address hashes are made with.
var pepperKey = key("cfg#pepper", "d")

// pepperBytes is how long a pepper is.
const pepperBytes = 32

// pepperDoc keeps the pepper sealed.
type pepperDoc struct {
	Sealed string `json:"sealed"`
}

// AddressHash is what stands for an e-mail address where addresses are counted:
// HMAC-SHA-256 in hex of the address in lower case, under a pepper that is made
// once and kept sealed, so that a new instance secret empties no count (05 §4.5,
// 09). [canon.ErrNoKey] without a secret. One storage call, two more the first
// time.
func (s *Store) AddressHash(ctx context.Context, address string) (string, error) {
	pepper, err := s.pepper(ctx)
	if err != nil {
		return "", err
	}
	return hex.EncodeToString(canon.MAC(pepper, []byte(strings.ToLower(address)))), nil
}

// pepper reads the pepper, or makes it.
func (s *Store) pepper(ctx context.Context) ([]byte, error) {
	if !s.ring.Ready() {
		return nil, canon.ErrNoKey
	}
	pepper, err := s.storedPepper(ctx)
	if err != nil || pepper != nil {
		return pepper, err
	}
	pepper = s.source.Bytes(pepperBytes)
	sealed, err := s.ring.Seal(canon.SealPepper, pepperKey.Partition, pepper, s.source.Bytes(canon.NonceSize))
	if err != nil {
		return nil, err
	}
	row, err := putDoc(pepperKey, pepperDoc{Sealed: sealed})
	if err != nil {
		return nil, err
	}
	b := &batch{}
	b.create(row)
	err = s.save(ctx, b)
	if _, lost := AsLost(err); lost { // another made it at the same time
		return s.storedPepper(ctx)
	}
	return pepper, err
}

// storedPepper is nil before the first one is made.
func (s *Store) storedPepper(ctx context.Context) ([]byte, error) {
	row, err := s.get(ctx, pepperKey)
	if err != nil {
		return nil, err
	}
	doc, err := docOf[pepperDoc](row)
	if err != nil || doc == nil {
		return nil, err
	}
	return s.ring.Open(canon.SealPepper, pepperKey.Partition, doc.Sealed)
}

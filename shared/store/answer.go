package store

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"typedinbox/shared/canon"
	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
)

// IdempotencyRetention is how long a stored answer is kept, in milliseconds
// (01 §12.3). Commit takes the write's instant to be this much before the
// row's expiry.
const IdempotencyRetention = 30 * inbox.Day

// Attributes of a stored answer.
const (
	attrFingerprint = "f" // SHA-256 as bytes
	attrStatus      = "s"
	attrAnswer      = "a" // gzip, sealed
)

// maxAnswer bounds what a stored answer may unpack to.
const maxAnswer = 4 << 20

// StoredAnswer is what a request under an idempotency key was told.
type StoredAnswer struct {
	Fingerprint string
	Status      int
	Answer      []byte // the body, byte for byte
	ExpiresAt   inbox.Instant
}

// answerAction writes an idempotency row, on condition that there is none or
// that it has expired.
func (s *Store) answerAction(i *decide.Idempotency) (table.Action, error) {
	k := answerKey(i.Scope, i.Key)
	print, err := hex.DecodeString(i.Fingerprint)
	if err != nil {
		return table.Action{}, fmt.Errorf("store: fingerprint: %w", err)
	}
	sealed, err := s.seal(k, i.Answer)
	if err != nil {
		return table.Action{}, err
	}
	r := newRow(k)
	r[attrExpires] = int64(i.ExpiresAt)
	r[table.TTL] = int64(i.ExpiresAt)/inbox.Second + 1
	r[attrFingerprint], r[attrStatus], r[attrAnswer] = print, int64(i.Status), sealed
	now := int64(i.ExpiresAt.Add(-IdempotencyRetention))
	return table.Action{Kind: table.Put, Key: k, Row: r, If: table.Or{
		table.Absent(table.PartitionKey), table.Lte{Name: attrExpires, Value: now},
	}}, nil
}

// answerOf reads an idempotency row; nil when it is absent or has expired.
func (s *Store) answerOf(r table.Row, now inbox.Instant) (*StoredAnswer, error) {
	if r == nil || r.Int(attrExpires) <= int64(now) {
		return nil, nil
	}
	body, err := s.unseal(keyOf(tableInbox, r), r.Bytes(attrAnswer))
	if err != nil {
		return nil, err
	}
	return &StoredAnswer{
		Fingerprint: hex.EncodeToString(r.Bytes(attrFingerprint)), Status: int(r.Int(attrStatus)),
		Answer: body, ExpiresAt: inbox.Instant(r.Int(attrExpires)),
	}, nil
}

var packers = sync.Pool{New: func() any {
	w, _ := gzip.NewWriterLevel(io.Discard, gzip.BestSpeed)
	return w
}}

// seal compresses and seals an answer for its row. Access tokens are in
// answers, so none is stored in the clear. The sealed text is kept as bytes:
// nonce, then box.
func (s *Store) seal(k table.Key, plain []byte) ([]byte, error) {
	var packed bytes.Buffer
	w := packers.Get().(*gzip.Writer)
	defer packers.Put(w)
	w.Reset(&packed)
	if _, err := w.Write(plain); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	text, err := s.ring.Seal(canon.SealAnswer, k.String(), packed.Bytes(), s.source.Bytes(canon.NonceSize))
	if err != nil {
		return nil, err
	}
	nonce, box, ok := strings.Cut(strings.TrimPrefix(text, sealedPrefix), ".")
	n, err1 := base64.RawURLEncoding.DecodeString(nonce)
	b, err2 := base64.RawURLEncoding.DecodeString(box)
	if !ok || errors.Join(err1, err2) != nil {
		return nil, errors.New("store: the sealed answer has another form")
	}
	return append(n, b...), nil
}

const sealedPrefix = "v1."

func (s *Store) unseal(k table.Key, sealed []byte) ([]byte, error) {
	if len(sealed) < canon.NonceSize {
		return nil, canon.ErrSealed
	}
	enc := base64.RawURLEncoding.EncodeToString
	text := sealedPrefix + enc(sealed[:canon.NonceSize]) + "." + enc(sealed[canon.NonceSize:])
	packed, err := s.ring.Open(canon.SealAnswer, k.String(), text)
	if err != nil {
		return nil, err
	}
	r, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(r, maxAnswer))
}

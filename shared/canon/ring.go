package canon

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"
)

// MinSecret is the shortest instance secret taken, in bytes. What the stack
// generates is longer.
const MinSecret = 16

// NonceSize is how many random bytes [Ring.Seal] needs.
const NonceSize = 12

// Errors of the ring.
var (
	// ErrNoKey: the inbox has no instance secret; it stores and marks nothing
	// that needs one, everything else works (04 §1.11).
	ErrNoKey = errors.New("canon: no instance secret is set")
	// ErrSealed: no key of the ring opens the box, it belongs to another row,
	// or a byte of it changed. The three are not told apart.
	ErrSealed = errors.New("canon: the sealed value cannot be opened")
)

// Ring holds the keys derived from INBOX_SECRET_KEY, newest first. The zero
// ring has none. It is safe for concurrent use and never changes.
type Ring struct{ secrets []derived }

// derived holds one secret's key per purpose: ready ciphers, raw MAC keys.
type derived struct {
	seal map[Purpose]cipher.AEAD
	mac  map[Purpose][]byte
}

// NewRing reads one or several secrets separated by commas or line breaks,
// newest first; blanks are dropped (04 §1.11). A secret under [MinSecret] bytes
// is an error that does not repeat it; no secret at all is a ring without keys.
func NewRing(secret string) (Ring, error) {
	var r Ring
	for s := range strings.FieldsFuncSeq(secret, func(c rune) bool { return c == ',' || c == '\n' || c == '\r' }) {
		s = strings.TrimSpace(s)
		if s == "" {
			continue
		}
		if len(s) < MinSecret {
			return Ring{}, fmt.Errorf("canon: secret %d of the ring is shorter than %d bytes", len(r.secrets)+1, MinSecret)
		}
		d, err := derive(s)
		if err != nil {
			return Ring{}, err
		}
		r.secrets = append(r.secrets, d)
	}
	return r, nil
}

func derive(secret string) (derived, error) {
	d := derived{seal: map[Purpose]cipher.AEAD{}, mac: map[Purpose][]byte{}}
	for _, l := range labels {
		key, err := hkdf.Key(sha256.New, []byte(secret), nil, labelPrefix+string(l.purpose), l.key)
		if err != nil {
			return d, err
		}
		if l.mac > 0 {
			d.mac[l.purpose] = key
			continue
		}
		block, err := aes.NewCipher(key)
		if err != nil {
			return d, err
		}
		if d.seal[l.purpose], err = cipher.NewGCM(block); err != nil {
			return d, err
		}
	}
	return d, nil
}

// Ready says whether the ring has a key.
func (r Ring) Ready() bool { return len(r.secrets) > 0 }

// Seal encrypts with the newest key, AES-256-GCM, bound to the purpose and to
// the row it will stand in: `v1.<nonce>.<ciphertext and tag>`, both base64url
// (04 §1.11). nonce is [NonceSize] random bytes, never used twice. Without a
// key it answers [ErrNoKey].
func (r Ring) Seal(p Purpose, row string, plain, nonce []byte) (string, error) {
	if !r.Ready() {
		return "", ErrNoKey
	}
	if len(nonce) != NonceSize {
		return "", fmt.Errorf("canon: the nonce has %d bytes, not %d", len(nonce), NonceSize)
	}
	box := r.secrets[0].seal[p].Seal(nil, nonce, plain, bound(p, row))
	return "v1." + base64.RawURLEncoding.EncodeToString(nonce) + "." + base64.RawURLEncoding.EncodeToString(box), nil
}

// Open decrypts what [Ring.Seal] made for the same purpose and row under any
// key of the ring, else it answers [ErrSealed], or [ErrNoKey] without keys.
func (r Ring) Open(p Purpose, row, sealed string) ([]byte, error) {
	if !r.Ready() {
		return nil, ErrNoKey
	}
	version, rest, _ := strings.Cut(sealed, ".")
	n, c, _ := strings.Cut(rest, ".")
	nonce, err := base64.RawURLEncoding.DecodeString(n)
	box, err2 := base64.RawURLEncoding.DecodeString(c)
	if version != "v1" || err != nil || err2 != nil || len(nonce) != NonceSize {
		return nil, ErrSealed
	}
	for _, s := range r.secrets {
		if plain, err := s.seal[p].Open(nil, nonce, box, bound(p, row)); err == nil {
			return plain, nil
		}
	}
	return nil, ErrSealed
}

func bound(p Purpose, row string) []byte { return []byte(string(p) + "|" + row) }

// MAC is the HMAC-SHA-256 of data under the newest key, cut to the length the
// purpose uses. nil without a key.
func (r Ring) MAC(p Purpose, data []byte) []byte {
	if !r.Ready() {
		return nil
	}
	return r.secrets[0].tag(p, data)
}

// Verify checks a MAC against every key of the ring, in constant time (09,
// "raw mail").
func (r Ring) Verify(p Purpose, data, mac []byte) bool {
	ok := false
	for _, s := range r.secrets {
		if hmac.Equal(s.tag(p, data), mac) {
			ok = true
		}
	}
	return ok
}

func (d derived) tag(p Purpose, data []byte) []byte {
	return MAC(d.mac[p], data)[:macSize(p)]
}

func macSize(p Purpose) int {
	for _, l := range labels {
		if l.purpose == p {
			return l.mac
		}
	}
	panic("canon: no label for " + string(p))
}

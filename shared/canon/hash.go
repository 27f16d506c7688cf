package canon

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"slices"
)

// SHA256Hex is the SHA-256 of b in lower-case hex, 64 characters.
func SHA256Hex(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// MAC is HMAC-SHA-256 under a salt or key of the caller's, 32 bytes. An event's
// personal values enter its hash as MACs under their own salts (00 §4).
func MAC(salt, value []byte) []byte {
	h := hmac.New(sha256.New, salt)
	h.Write(value)
	return h.Sum(nil)
}

// TermsSHA is the fingerprint of an offer's terms (02 §1.5): base64url without
// padding of SHA-256 over the canonical {"kind": form, …terms}, 43 characters.
// terms is anything that encodes to a JSON object. It panics on terms that are
// no object or cannot be encoded: terms are the inbox's own, never a caller's
// bytes.
func TermsSHA(form string, terms any) string {
	object := mustObject(terms)
	object["kind"] = mustRaw(form)
	sum := sha256.Sum256(mustJSON(object))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// Fingerprint is what an idempotency key is tied to (01 §12.2): SHA-256 in
// lower-case hex over the canonical form of v, an object of validated input,
// without the top-level keys named in drop (credentials, the key itself). Like
// [TermsSHA] it panics on a value that cannot be encoded.
func Fingerprint(v any, drop ...string) string {
	if len(drop) == 0 {
		return SHA256Hex(mustJSON(v))
	}
	object := mustObject(v)
	for key := range object {
		if slices.Contains(drop, key) {
			delete(object, key)
		}
	}
	return SHA256Hex(mustJSON(object))
}

func mustJSON(v any) []byte {
	b, err := JSON(v)
	if err != nil {
		panic(err)
	}
	return b
}

func mustRaw(v any) json.RawMessage { return mustJSON(v) }

func mustObject(v any) map[string]json.RawMessage {
	var object map[string]json.RawMessage
	if err := json.Unmarshal(mustJSON(v), &object); err != nil || object == nil {
		panic("canon: not an object")
	}
	return object
}

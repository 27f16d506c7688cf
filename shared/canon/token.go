package canon

import (
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"strings"
)

// TokenBytes is how many random bytes an access token or an API key holds
// (01 §1.2, 03 §9.1).
const TokenBytes = 24

// NewAccessToken is an item's access token: [TokenBytes] random bytes in
// base64url without padding, 32 characters. It panics on fewer bytes.
func NewAccessToken(random []byte) string { return body(random) }

func body(random []byte) string {
	if len(random) != TokenBytes {
		panic("canon: a token takes 24 random bytes")
	}
	return base64.RawURLEncoding.EncodeToString(random)
}

// HashToken is what is stored of a token or key: SHA-256 in lower-case hex over
// the whole string.
func HashToken(token string) string {
	sum := sha256.Sum256([]byte(token))
	return hex.EncodeToString(sum[:])
}

// EqualHash compares two hashes in constant time. Two empty ones are not equal:
// an item without a token is opened by none.
func EqualHash(a, b string) bool {
	return a != "" && subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1
}

// Prefixes of API keys (03 §9.1). An integration key carries the owner's.
const (
	OwnerKeyPrefix = "sdi_own_"
	AgentKeyPrefix = "sdi_agent_"
)

// NewKey is an API key: a prefix and [TokenBytes] random bytes in base64url.
func NewKey(prefix string, random []byte) string { return prefix + body(random) }

// IsKey says whether a string begins like an API key of either kind.
func IsKey(s string) bool {
	return strings.HasPrefix(s, OwnerKeyPrefix) || strings.HasPrefix(s, AgentKeyPrefix)
}

// KeyHint is what is shown of a key later on: its first 12 characters, an
// ellipsis, its last four (03 §9.1).
func KeyHint(key string) string {
	if len(key) < 20 {
		return "…"
	}
	return key[:12] + "…" + key[len(key)-4:]
}

var mailBase32 = base32.StdEncoding.WithPadding(base32.NoPadding)

// ReplyToken is the part of an item's reply address after "reply+": 26
// lower-case characters, the same for the life of the newest key (05 §4.4).
// "" without a key. Receivers compare it in lower case.
func (r Ring) ReplyToken(itemID string) string {
	return strings.ToLower(mailBase32.EncodeToString(r.MAC(ReplyAddress, []byte(itemID))))
}

// MailMark is the value of X-Inbox-Mail: the mail's id, a dot, eight characters
// of MAC (05 §4.3). "" without a key.
func (r Ring) MailMark(mailID string) string {
	if !r.Ready() {
		return ""
	}
	return mailID + "." + base64.RawURLEncoding.EncodeToString(r.MAC(OwnMail, []byte(mailID)))
}

// OwnMailID reads a mark that any key of the ring made; false for any other
// string.
func (r Ring) OwnMailID(mark string) (mailID string, ok bool) {
	id, tag, found := strings.Cut(strings.TrimSpace(mark), ".")
	mac, err := base64.RawURLEncoding.DecodeString(tag)
	if !found || err != nil || !r.Verify(OwnMail, []byte(id), mac) {
		return "", false
	}
	return id, true
}

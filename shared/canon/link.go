package canon

import (
	"crypto/hmac"
	"encoding/base64"
	"encoding/binary"
	"regexp"
	"strconv"
	"strings"
)

// linkHalf is how many characters each half of a link's token has: 132 bits.
const linkHalf = 22

// LinkPath begins the path of a page behind a link; the token follows.
const LinkPath = "/c/"

// cutMark stands in a kept mail where the secret half of a link's token was
// (05 §6.2).
const cutMark = ".…"

// LinkClaim is what the secret half of a link's token vouches for (05 §6.1).
type LinkClaim struct {
	JTI       string
	ItemID    string
	Action    string
	ExpiresMS int64
	TermsSHA  string
}

// NewLinkID is the id of a mail's link: the same for the same mail key and
// action, so a composition that is tried again yields the same links. kid names
// the key it was made with, for [Ring.LinkSecret]. Both "" without a key.
func (r Ring) NewLinkID(mailKey, action string) (jti, kid string) {
	if !r.Ready() {
		return "", ""
	}
	d := r.secrets[0]
	return d.half("link-id", mailKey, action), d.kid()
}

// LinkID is the id that [Ring.NewLinkID] gave under the key of a kid, "" when that
// key is not in the ring any more.
func (r Ring) LinkID(kid, mailKey, action string) string {
	for _, d := range r.secrets {
		if d.kid() == kid {
			return d.half("link-id", mailKey, action)
		}
	}
	return ""
}

// LinkSecret is the secret half of a link's token under the key a link names,
// "" when that key is not in the ring any more.
func (r Ring) LinkSecret(kid string, c LinkClaim) string {
	for _, d := range r.secrets {
		if d.kid() == kid {
			return d.half("link-act", c.JTI, c.ItemID, c.Action, strconv.FormatInt(c.ExpiresMS, 10), c.TermsSHA)
		}
	}
	return ""
}

// VerifyLink compares a secret half with the one that the claim has under the
// key of a kid, in constant time.
func (r Ring) VerifyLink(kid string, c LinkClaim, secret string) bool {
	want := r.LinkSecret(kid, c)
	return want != "" && hmac.Equal([]byte(want), []byte(secret))
}

// half is the first half-token of the MAC over framed fields.
func (d derived) half(fields ...string) string {
	return base64.RawURLEncoding.EncodeToString(d.tag(ActionLink, frame(fields...)))[:linkHalf]
}

// kidSize is how many characters name a key.
const kidSize = 8

// kid names the secret without telling anything of it.
func (d derived) kid() string { return d.half("link-kid")[:kidSize] }

// frame joins fields so that no two lists of them give the same bytes: each is
// its length in two bytes, big-endian, and its text (05 §6.1).
func frame(fields ...string) []byte {
	var b []byte
	for _, f := range fields {
		b = binary.BigEndian.AppendUint16(b, uint16(len(f)))
		b = append(b, f...)
	}
	return b
}

var linkToken = regexp.MustCompile(`^[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{22}$`)

// SplitLinkToken reads a link's token; false for what has not its form.
func SplitLinkToken(token string) (jti, secret string, ok bool) {
	if !linkToken.MatchString(token) {
		return "", "", false
	}
	return token[:linkHalf], token[linkHalf+1:], true
}

// CutLinkURL is a link as it is kept: without its secret half. origin is the
// public base of the inbox, without a slash at its end.
func CutLinkURL(origin, jti string) string { return origin + LinkPath + jti + cutMark }

var cutLink = regexp.MustCompile(regexp.QuoteMeta(LinkPath) + `([A-Za-z0-9_-]{22})` + regexp.QuoteMeta(cutMark))

// CutLinks lists the ids of the links that stand cut in a text, each once.
func CutLinks(text string) []string {
	var ids []string
	seen := map[string]bool{}
	for _, m := range cutLink.FindAllStringSubmatch(text, -1) {
		if !seen[m[1]] {
			seen[m[1]] = true
			ids = append(ids, m[1])
		}
	}
	return ids
}

// RestoreLinks puts back the secret halves that secret knows; "" leaves a link
// cut.
func RestoreLinks(text string, secret func(jti string) string) string {
	return cutLink.ReplaceAllStringFunc(text, func(cut string) string {
		jti := strings.TrimSuffix(strings.TrimPrefix(cut, LinkPath), cutMark)
		if s := secret(jti); s != "" {
			return LinkPath + jti + "." + s
		}
		return cut
	})
}

var fullLink = regexp.MustCompile(regexp.QuoteMeta(LinkPath) + `([A-Za-z0-9_-]{22})\.[A-Za-z0-9_-]{22}`)

// HideLinks cuts every whole link in a text that came from outside, as when a
// customer quotes our mail: no secret half is ever kept.
func HideLinks(text string) string { return fullLink.ReplaceAllString(text, LinkPath+"$1"+cutMark) }

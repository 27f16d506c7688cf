package identity

import (
	"context"
	"log/slog"
	"strings"

	"typedinbox/shared/canon"
	"typedinbox/shared/inbox"
)

// touchEvery is how often the use of one key is written down (03 §2.2).
const touchEvery = 1 * inbox.Minute

// anonymousHex is how many hex digits of the hash name an anonymous caller.
const anonymousHex = 16

// KeyStore is where API keys are kept.
type KeyStore interface {
	// KeyByHash is the key of a hash, nil for none.
	KeyByHash(ctx context.Context, hash string) (*inbox.Key, error)
	// TouchKey writes down that a key was used.
	TouchKey(ctx context.Context, key *inbox.Key, now inbox.Instant) error
	// PartyRoot is the party that one was merged into, itself for none.
	PartyRoot(ctx context.Context, id string) (string, error)
	// PutKey stores a new key.
	PutKey(ctx context.Context, key inbox.Key) error
}

// Identity resolves callers.
type Identity struct {
	keys  KeyStore
	clock func() inbox.Instant
}

// New makes an Identity on a store of keys and a clock.
func New(keys KeyStore, clock func() inbox.Instant) *Identity {
	return &Identity{keys: keys, clock: clock}
}

// Credentials is what a request says about who sends it, as the door read it.
type Credentials struct {
	Authorization string // the header as it came
	AccessToken   string // of an item, see [AccessToken]
	ClientIP      string // the peer's address, never a header a client can set
	UserAgent     string
	Channel       inbox.Channel
	Host          string // the host that was asked, with or without a port
	Sandbox       string // the header X-Sandbox
}

// Resolve says who is calling (03 §2.2, steps 1, 3 and 6). The error is that of
// the key store alone.
func (i *Identity) Resolve(ctx context.Context, c Credentials) (inbox.Caller, error) {
	caller := anonymous(c)
	key, err := i.key(ctx, bearer(c.Authorization))
	if err != nil {
		return inbox.Caller{}, err
	}
	if key != nil {
		caller = keyed(key, c.Channel)
	}
	if caller.PartyID != "" {
		if caller.PartyID, err = i.keys.PartyRoot(ctx, caller.PartyID); err != nil {
			return inbox.Caller{}, err
		}
	}
	caller.AccessToken = c.AccessToken
	caller.Sandbox = Sandbox(c)
	return caller, nil
}

// key finds the live key a bearer names, nil for none, and writes down at most
// once a minute that it was used.
func (i *Identity) key(ctx context.Context, secret string) (*inbox.Key, error) {
	if !canon.IsKey(secret) {
		return nil, nil
	}
	hash := canon.HashToken(secret)
	key, err := i.keys.KeyByHash(ctx, hash)
	if err != nil || key == nil {
		return nil, err
	}
	now := i.clock()
	if !canon.EqualHash(key.Hash, hash) || !strings.HasPrefix(secret, prefixOf(key.Kind)) || !key.Live(now) {
		return nil, nil
	}
	if key.LastUsedAt == nil || now >= key.LastUsedAt.Add(touchEvery) {
		if err := i.keys.TouchKey(ctx, key, now); err != nil {
			// The mark is for people to read; the request does not depend on it.
			slog.WarnContext(ctx, "the use of a key was not written down", "key_id", key.ID, "error", err)
		}
	}
	return key, nil
}

// bearer is the credential of an Authorization header, "" for any other scheme
// or form.
func bearer(header string) string {
	scheme, secret, ok := strings.Cut(header, " ")
	if !ok || !strings.EqualFold(scheme, "bearer") {
		return ""
	}
	return strings.Trim(secret, " ")
}

// anonymous is the caller without a credential (03 §2.2 step 3).
func anonymous(c Credentials) inbox.Caller {
	kind := inbox.CustomerAgent
	if c.Channel == inbox.ChannelForm || c.Channel == inbox.ChannelEmail {
		kind = inbox.CustomerHuman
	}
	id := "anon:" + canon.HashToken(c.ClientIP + "|" + c.UserAgent)[:anonymousHex]
	return inbox.Caller{
		Actor: inbox.Actor{Kind: kind, ID: id, Channel: c.Channel},
		Tier:  inbox.TierAnonymous,
	}
}

// keyed is the caller of a key (03 §2.2, the table).
func keyed(k *inbox.Key, channel inbox.Channel) inbox.Caller {
	c := inbox.Caller{
		Actor: inbox.Actor{ID: k.ID, Channel: channel},
		Tier:  inbox.TierVerified,
		KeyID: k.ID,
	}
	switch k.Kind {
	case inbox.KeyOwner:
		c.Kind, c.Scopes, c.Proven = inbox.Owner, []inbox.Scope{inbox.ScopeAll}, true
		c.Name, c.UserID = k.Name, k.UserID
		if k.UserID != "" {
			c.ID = k.UserID
		}
	case inbox.KeyIntegration:
		c.Kind, c.Scopes, c.Name = inbox.Integration, chosen(k.Scopes), k.Name
	case inbox.KeyAgent:
		c.Kind, c.PartyID = inbox.CustomerAgent, k.PartyID
	}
	return c
}

// Sandbox says whether a request asks to be a test (03 §18). In test mode every
// one is; that is a setting, and judged where the settings are read.
func Sandbox(c Credentials) bool {
	return c.Sandbox == "1" || strings.HasPrefix(strings.ToLower(c.Host), "sandbox.")
}

// AccessToken is the item token among the places it may stand in: the body
// wins, then the query, then the header (03 §6.1).
func AccessToken(body, query, header string) string {
	switch {
	case body != "":
		return body
	case query != "":
		return query
	}
	return header
}

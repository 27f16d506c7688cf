package identity_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/canon"
	"typedinbox/shared/identity"
	"typedinbox/shared/inbox"
)

// now is 2026-10-01T09:00:00Z.
const now = inbox.Instant(1790845200000)

// keys is a key store in memory that counts what it was asked.
type keys struct {
	byHash  map[string]*inbox.Key
	reads   int
	touched []inbox.Instant
	fail    error
	noTouch error
	noPut   error
	roots   map[string]string
	noRoot  error
}

func (k *keys) KeyByHash(_ context.Context, hash string) (*inbox.Key, error) {
	k.reads++
	return k.byHash[hash], k.fail
}

func (k *keys) TouchKey(_ context.Context, key *inbox.Key, at inbox.Instant) error {
	k.touched = append(k.touched, at)
	if k.noTouch == nil {
		key.LastUsedAt = &at
	}
	return k.noTouch
}

func (k *keys) PartyRoot(_ context.Context, id string) (string, error) {
	if root, ok := k.roots[id]; ok {
		return root, k.noRoot
	}
	return id, k.noRoot
}

func (k *keys) PutKey(_ context.Context, key inbox.Key) error {
	if k.byHash == nil {
		k.byHash = map[string]*inbox.Key{}
	}
	k.byHash[key.Hash] = &key
	return k.noPut
}

// secretOf is a key's secret, made of one repeated letter.
func secretOf(prefix string, letter byte) string {
	return canon.NewKey(prefix, slices.Repeat([]byte{letter}, canon.TokenBytes))
}

func store(list ...inbox.Key) *keys {
	k := &keys{}
	for _, key := range list {
		_ = k.PutKey(context.Background(), key)
	}
	return k
}

var (
	ownerSecret = secretOf(canon.OwnerKeyPrefix, 'o')
	shopSecret  = secretOf(canon.OwnerKeyPrefix, 's')
	agentSecret = secretOf(canon.AgentKeyPrefix, 'a')
)

func ownerKey() inbox.Key {
	return inbox.Key{ID: "K-OWNER", Hash: canon.HashToken(ownerSecret), Kind: inbox.KeyOwner, Name: "laptop", Scopes: []inbox.Scope{"*"}}
}

func shopKey() inbox.Key {
	return inbox.Key{ID: "K-SHOP", Hash: canon.HashToken(shopSecret), Kind: inbox.KeyIntegration, Name: "shop",
		Scopes: []inbox.Scope{inbox.ScopeInboxRead, inbox.ScopeCatalogueWrite}}
}

func agentKey() inbox.Key {
	return inbox.Key{ID: "K-AGENT", Hash: canon.HashToken(agentSecret), Kind: inbox.KeyAgent, PartyID: "P1", Scopes: []inbox.Scope{"public"}}
}

func TestResolve(t *testing.T) {
	with := func(k inbox.Key, change func(*inbox.Key)) inbox.Key { change(&k); return k }
	bearer := func(s string) identity.Credentials {
		return identity.Credentials{Authorization: "Bearer " + s, Channel: inbox.ChannelREST, ClientIP: "192.0.2.7", UserAgent: "test/1"}
	}
	anonymous := inbox.Caller{
		Actor: inbox.Actor{Kind: inbox.CustomerAgent, ID: "anon:" + canon.HashToken("192.0.2.7|test/1")[:16], Channel: inbox.ChannelREST},
		Tier:  inbox.TierAnonymous,
	}
	owner := inbox.Caller{Actor: inbox.Actor{Kind: inbox.Owner, ID: "K-OWNER", Channel: inbox.ChannelREST}, Tier: inbox.TierVerified,
		Scopes: []inbox.Scope{"*"}, KeyID: "K-OWNER", Name: "laptop", Proven: true}
	shop := inbox.Caller{Actor: inbox.Actor{Kind: inbox.Integration, ID: "K-SHOP", Channel: inbox.ChannelREST}, Tier: inbox.TierVerified,
		Scopes: []inbox.Scope{inbox.ScopeInboxRead, inbox.ScopeCatalogueWrite}, KeyID: "K-SHOP", Name: "shop"}
	agent := inbox.Caller{Actor: inbox.Actor{Kind: inbox.CustomerAgent, ID: "K-AGENT", PartyID: "P1", Channel: inbox.ChannelREST},
		Tier: inbox.TierVerified, KeyID: "K-AGENT"}
	change := func(c inbox.Caller, f func(*inbox.Caller)) inbox.Caller { f(&c); return c }

	cases := map[string]struct {
		keys  []inbox.Key
		creds identity.Credentials
		want  inbox.Caller
	}{
		"ok/owner key":       {[]inbox.Key{ownerKey()}, bearer(ownerSecret), owner},
		"ok/integration key": {[]inbox.Key{shopKey()}, bearer(shopSecret), shop},
		"ok/agent key":       {[]inbox.Key{agentKey()}, bearer(agentSecret), agent},
		"ok/owner key of a user": {[]inbox.Key{with(ownerKey(), func(k *inbox.Key) { k.UserID = "U1" })}, bearer(ownerSecret),
			change(owner, func(c *inbox.Caller) { c.ID, c.UserID = "U1", "U1" })},
		"ok/scheme in any case": {[]inbox.Key{ownerKey()}, identity.Credentials{Authorization: "bEARER  " + ownerSecret + " ", Channel: inbox.ChannelREST}, owner},
		"ok/key that ends later": {[]inbox.Key{with(ownerKey(), func(k *inbox.Key) { k.ExpiresAt = inbox.Ptr(now + 1) })},
			bearer(ownerSecret), owner},
		"ok/a row with more than a key may hold": {[]inbox.Key{with(shopKey(), func(k *inbox.Key) {
			k.Scopes = append(k.Scopes, inbox.ScopeAll, inbox.ScopeKeysWrite, inbox.ScopeOffline, "made:up")
		})}, bearer(shopSecret), shop},
		"ok/no credential": {nil, identity.Credentials{Channel: inbox.ChannelREST, ClientIP: "192.0.2.7", UserAgent: "test/1"}, anonymous},
		"ok/a person on a form": {nil, identity.Credentials{Channel: inbox.ChannelForm, ClientIP: "192.0.2.7", UserAgent: "test/1"},
			change(anonymous, func(c *inbox.Caller) { c.Kind, c.Channel = inbox.CustomerHuman, inbox.ChannelForm })},
		"ok/owner key on the assistant's door": {[]inbox.Key{ownerKey()},
			identity.Credentials{Authorization: "Bearer " + ownerSecret, Channel: inbox.ChannelMCPOwner},
			change(owner, func(c *inbox.Caller) { c.Channel = inbox.ChannelMCPOwner })},

		"fail/unknown key":           {nil, bearer(ownerSecret), anonymous},
		"fail/revoked":               {[]inbox.Key{with(ownerKey(), func(k *inbox.Key) { k.RevokedAt = inbox.Ptr(now - 1) })}, bearer(ownerSecret), anonymous},
		"fail/revoked in the future": {[]inbox.Key{with(ownerKey(), func(k *inbox.Key) { k.RevokedAt = inbox.Ptr(now + 1) })}, bearer(ownerSecret), anonymous},
		"fail/expired this instant":  {[]inbox.Key{with(ownerKey(), func(k *inbox.Key) { k.ExpiresAt = inbox.Ptr(now) })}, bearer(ownerSecret), anonymous},
		"fail/kind of another prefix": {[]inbox.Key{with(agentKey(), func(k *inbox.Key) { k.Kind = inbox.KeyOwner })},
			bearer(agentSecret), anonymous},
		"fail/row of another hash": {nil, bearer(ownerSecret), anonymous},
		"fail/other scheme":        {[]inbox.Key{ownerKey()}, func() identity.Credentials { c := bearer(""); c.Authorization = "Basic " + ownerSecret; return c }(), anonymous},
		"fail/no scheme":           {[]inbox.Key{ownerKey()}, func() identity.Credentials { c := bearer(""); c.Authorization = ownerSecret; return c }(), anonymous},
		"fail/empty bearer":        {[]inbox.Key{ownerKey()}, bearer(""), anonymous},
		"fail/token of an app":     {[]inbox.Key{ownerKey()}, bearer("sdi_at_" + strings.Repeat("a", 32)), anonymous},
		"fail/key cut short":       {[]inbox.Key{ownerKey()}, bearer(ownerSecret[:len(ownerSecret)-1]), anonymous},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			k := store(c.keys...)
			if name == "fail/row of another hash" {
				k = store()
				other := ownerKey()
				other.Hash = canon.HashToken("something else")
				k.byHash = map[string]*inbox.Key{canon.HashToken(ownerSecret): &other}
			}
			got, err := identity.New(k, func() inbox.Instant { return now }).Resolve(context.Background(), c.creds)
			if err != nil {
				t.Fatal(err)
			}
			if !equal(got, c.want) {
				t.Errorf("\n got %+v\nwant %+v", got, c.want)
			}
		})
	}
}

func equal(a, b inbox.Caller) bool {
	return a.Actor == b.Actor && a.Tier == b.Tier && slices.Equal(a.Scopes, b.Scopes) && a.KeyID == b.KeyID && a.Name == b.Name &&
		a.UserID == b.UserID && a.Proven == b.Proven && a.AccessToken == b.AccessToken && a.Sandbox == b.Sandbox
}

func TestResolveReadsNothingWithoutAKey(t *testing.T) {
	for _, header := range []string{"", "Bearer", "Bearer ", "Bearer hello", "Bearer sdi_at_x", "Basic abc", "Negotiate"} {
		k := &keys{fail: errors.New("must not be asked")}
		if _, err := identity.New(k, func() inbox.Instant { return now }).Resolve(context.Background(), identity.Credentials{Authorization: header}); err != nil || k.reads != 0 {
			t.Errorf("%q: %d reads, %v", header, k.reads, err)
		}
	}
}

func TestResolveTellsThatStorageFailed(t *testing.T) {
	broken := errors.New("storage")
	k := &keys{fail: broken}
	_, err := identity.New(k, func() inbox.Instant { return now }).Resolve(context.Background(), identity.Credentials{Authorization: "Bearer " + ownerSecret})
	if !errors.Is(err, broken) {
		t.Errorf("an owner would be taken for a stranger: %v", err)
	}
}

func TestLastUsedIsWrittenOnceAMinute(t *testing.T) {
	k, at := store(ownerKey()), now
	id := identity.New(k, func() inbox.Instant { return at })
	for _, after := range []int64{0, 1, 59_999, 60_000, 60_001, 119_999, 120_000} {
		at = now.Add(after)
		if _, err := id.Resolve(context.Background(), identity.Credentials{Authorization: "Bearer " + ownerSecret}); err != nil {
			t.Fatal(err)
		}
	}
	want := []inbox.Instant{now, now.Add(60_000), now.Add(120_000)}
	if !slices.Equal(k.touched, want) {
		t.Errorf("written at %v, want %v", k.touched, want)
	}
}

func TestAMarkThatFailsDoesNotStopTheRequest(t *testing.T) {
	k := store(ownerKey())
	k.noTouch = errors.New("throttled")
	got, err := identity.New(k, func() inbox.Instant { return now }).Resolve(context.Background(), identity.Credentials{Authorization: "Bearer " + ownerSecret})
	if err != nil || got.Kind != inbox.Owner {
		t.Errorf("got %v, %v", got.Kind, err)
	}
}

func TestStrangersAreToldApart(t *testing.T) {
	id := identity.New(store(), func() inbox.Instant { return now })
	who := func(ip, agent string) string {
		c, err := id.Resolve(context.Background(), identity.Credentials{ClientIP: ip, UserAgent: agent})
		if err != nil {
			t.Fatal(err)
		}
		return c.ID
	}
	seen := map[string]bool{}
	for _, pair := range [][2]string{{"192.0.2.1", "a"}, {"192.0.2.2", "a"}, {"192.0.2.1", "b"}, {"192.0.2.1", ""}, {"", ""}} {
		name := who(pair[0], pair[1])
		if seen[name] || len(name) != len("anon:")+16 || name != who(pair[0], pair[1]) {
			t.Errorf("%v: %s", pair, name)
		}
		seen[name] = true
	}
}

func TestSandbox(t *testing.T) {
	cases := map[string]struct {
		c    identity.Credentials
		want bool
	}{
		"ok/header":                {identity.Credentials{Sandbox: "1"}, true},
		"ok/host":                  {identity.Credentials{Host: "sandbox.example.com:443"}, true},
		"ok/host in capitals":      {identity.Credentials{Host: "SANDBOX.example.com"}, true},
		"fail/nothing":             {identity.Credentials{}, false},
		"fail/another value":       {identity.Credentials{Sandbox: "true"}, false},
		"fail/header zero":         {identity.Credentials{Sandbox: "0"}, false},
		"fail/host that ends so":   {identity.Credentials{Host: "my.sandbox.example.com"}, false},
		"fail/host that starts so": {identity.Credentials{Host: "sandboxes.example.com"}, false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := identity.New(store(), func() inbox.Instant { return now }).Resolve(context.Background(), c.c)
			if err != nil || got.Sandbox != c.want {
				t.Errorf("got %v, %v", got.Sandbox, err)
			}
		})
	}
}

func TestAccessToken(t *testing.T) {
	cases := map[string][4]string{ // body, query, header, want
		"ok/body first":   {"b", "q", "h", "b"},
		"ok/then query":   {"", "q", "h", "q"},
		"ok/then header":  {"", "", "h", "h"},
		"fail/none given": {"", "", "", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := identity.AccessToken(c[0], c[1], c[2]); got != c[3] {
				t.Errorf("got %q", got)
			}
		})
	}
}

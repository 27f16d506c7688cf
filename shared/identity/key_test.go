package identity_test

import (
	"bytes"
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/canon"
	"typedinbox/shared/identity"
	"typedinbox/shared/inbox"
)

func source() *inbox.Source { return inbox.NewSource(rand.NewChaCha8([32]byte{1})) }

func TestMint(t *testing.T) {
	future := inbox.Ptr(now + 1)
	cases := map[string]struct {
		r      identity.MintRequest
		prefix string
		scopes []inbox.Scope
		faults []string // path:problem
	}{
		"ok/owner":       {identity.MintRequest{Kind: inbox.KeyOwner, CreatedBy: "operator"}, "sdi_own_", []inbox.Scope{"*"}, nil},
		"ok/owner user":  {identity.MintRequest{Kind: inbox.KeyOwner, UserID: "U1"}, "sdi_own_", []inbox.Scope{"*"}, nil},
		"ok/agent":       {identity.MintRequest{Kind: inbox.KeyAgent, PartyID: "P1"}, "sdi_agent_", []inbox.Scope{"public"}, nil},
		"ok/integration": {identity.MintRequest{Kind: inbox.KeyIntegration, Scopes: []inbox.Scope{"inbox:write", "inbox:read", "inbox:read"}, ExpiresAt: future}, "sdi_own_", []inbox.Scope{"inbox:read", "inbox:write"}, nil},
		"ok/long name":   {identity.MintRequest{Kind: inbox.KeyOwner, Name: strings.Repeat("é", 80)}, "sdi_own_", []inbox.Scope{"*"}, nil},

		"fail/no kind":          {r: identity.MintRequest{}, faults: []string{"kind:missing"}},
		"fail/other kind":       {r: identity.MintRequest{Kind: "root"}, faults: []string{"kind:invalid"}},
		"fail/no scope":         {r: identity.MintRequest{Kind: inbox.KeyIntegration}, faults: []string{"scopes:missing"}},
		"fail/all":              {r: identity.MintRequest{Kind: inbox.KeyIntegration, Scopes: []inbox.Scope{"*"}}, faults: []string{"scopes:invalid"}},
		"fail/keys:write":       {r: identity.MintRequest{Kind: inbox.KeyIntegration, Scopes: []inbox.Scope{"keys:write"}}, faults: []string{"scopes:invalid"}},
		"fail/offline_access":   {r: identity.MintRequest{Kind: inbox.KeyIntegration, Scopes: []inbox.Scope{"offline_access"}}, faults: []string{"scopes:invalid"}},
		"fail/unknown scope":    {r: identity.MintRequest{Kind: inbox.KeyIntegration, Scopes: []inbox.Scope{"inbox:read", "x"}}, faults: []string{"scopes:invalid"}},
		"fail/owner scopes":     {r: identity.MintRequest{Kind: inbox.KeyOwner, Scopes: []inbox.Scope{"inbox:read"}}, faults: []string{"scopes:invalid"}},
		"fail/owner as party":   {r: identity.MintRequest{Kind: inbox.KeyOwner, PartyID: "P1"}, faults: []string{"party_id:invalid"}},
		"fail/agent as user":    {r: identity.MintRequest{Kind: inbox.KeyAgent, UserID: "U1"}, faults: []string{"user_id:invalid"}},
		"fail/name too long":    {r: identity.MintRequest{Kind: inbox.KeyOwner, Name: strings.Repeat("é", 81)}, faults: []string{"name:invalid"}},
		"fail/name of lines":    {r: identity.MintRequest{Kind: inbox.KeyOwner, Name: "a\nb"}, faults: []string{"name:invalid"}},
		"fail/ends now":         {r: identity.MintRequest{Kind: inbox.KeyOwner, ExpiresAt: inbox.Ptr(now)}, faults: []string{"expires_at:invalid"}},
		"fail/several at once":  {r: identity.MintRequest{Kind: "x", PartyID: "P", ExpiresAt: inbox.Ptr(now)}, faults: []string{"kind:invalid", "party_id:invalid", "expires_at:invalid"}},
		"fail/integration user": {r: identity.MintRequest{Kind: inbox.KeyIntegration, Scopes: []inbox.Scope{"inbox:read"}, UserID: "U"}, faults: []string{"user_id:invalid"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			secret, key, err := identity.Mint(c.r, now, source())
			if len(c.faults) > 0 {
				checkFaults(t, err, c.faults)
				if secret != "" {
					t.Error("a refused key has a secret")
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if !strings.HasPrefix(secret, c.prefix) || len(secret) != len(c.prefix)+32 {
				t.Errorf("secret of the wrong form: %d characters", len(secret))
			}
			if key.Hash != canon.HashToken(secret) || !strings.HasPrefix(secret, key.Hint[:12]) || !strings.HasSuffix(key.Hint, secret[len(secret)-4:]) {
				t.Errorf("hash or hint: %+v", key)
			}
			if !slices.Equal(key.Scopes, c.scopes) || key.Name == "" || key.CreatedAt != now || !inbox.ValidID(key.ID) || !key.Live(now) {
				t.Errorf("key %+v", key)
			}
		})
	}
}

func checkFaults(t *testing.T, err error, want []string) {
	t.Helper()
	var p *inbox.Problem
	if !errors.As(err, &p) || p.Code != inbox.CodeInvalidInput {
		t.Fatalf("got %v", err)
	}
	var got []string
	for _, f := range p.Fields {
		got = append(got, f.Path+":"+string(f.Problem))
	}
	if !slices.Equal(got, want) {
		t.Errorf("fields %v, want %v", got, want)
	}
}

func TestAMintedKeyOpens(t *testing.T) {
	for _, r := range []identity.MintRequest{
		{Kind: inbox.KeyOwner}, {Kind: inbox.KeyAgent, PartyID: "P1"},
		{Kind: inbox.KeyIntegration, Scopes: []inbox.Scope{inbox.ScopeInboxRead}},
	} {
		id := identity.New(store(), func() inbox.Instant { return now })
		secret, key, err := id.MintKey(context.Background(), r, source())
		if err != nil {
			t.Fatal(err)
		}
		c, err := id.Resolve(context.Background(), identity.Credentials{Authorization: "Bearer " + secret})
		if err != nil || c.KeyID != key.ID || c.PartyID != r.PartyID {
			t.Errorf("%s: %+v, %v", r.Kind, c, err)
		}
	}
}

func TestAKeyThatWasNotStoredIsNotShown(t *testing.T) {
	k := store()
	k.noPut = errors.New("throttled")
	id := identity.New(k, func() inbox.Instant { return now })
	for name, r := range map[string]identity.MintRequest{"storage": {Kind: inbox.KeyOwner}, "input": {Kind: "x"}} {
		if secret, _, err := id.MintKey(context.Background(), r, source()); err == nil || secret != "" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestMintTakesItsRandomnessFromTheSource(t *testing.T) {
	a, _, _ := identity.Mint(identity.MintRequest{Kind: inbox.KeyOwner}, now, inbox.NewSource(bytes.NewReader(make([]byte, 64))))
	b, _, _ := identity.Mint(identity.MintRequest{Kind: inbox.KeyOwner}, now, inbox.NewSource(bytes.NewReader(make([]byte, 64))))
	c, _, _ := identity.Mint(identity.MintRequest{Kind: inbox.KeyOwner}, now, source())
	if a != b || a == c {
		t.Error("the secret does not follow the source")
	}
}

func TestRequireScope(t *testing.T) {
	on := func(kind inbox.ActorKind, channel inbox.Channel, scopes ...inbox.Scope) inbox.Caller {
		return inbox.Caller{Actor: inbox.Actor{Kind: kind, Channel: channel}, Scopes: scopes, Proven: kind == inbox.Owner}
	}
	owner := on(inbox.Owner, inbox.ChannelREST, "*")
	read := []inbox.Scope{inbox.ScopeSettingsRead, inbox.ScopeCatalogueWrite}
	cases := map[string]struct {
		caller inbox.Caller
		anyOf  []inbox.Scope
		reason string
	}{
		"ok/owner":                   {owner, read, ""},
		"ok/first of two":            {on(inbox.Integration, inbox.ChannelREST, inbox.ScopeSettingsRead), read, ""},
		"ok/second of two":           {on(inbox.Integration, inbox.ChannelREST, inbox.ScopeCatalogueWrite), read, ""},
		"ok/the owner's own":         {owner, []inbox.Scope{"*"}, ""},
		"ok/nothing said":            {owner, nil, ""},
		"fail/neither":               {on(inbox.Integration, inbox.ChannelREST, inbox.ScopeInboxRead), read, "scope"},
		"fail/no scope at all":       {on(inbox.Integration, inbox.ChannelREST), read, "scope"},
		"fail/key for the owner's":   {on(inbox.Integration, inbox.ChannelREST, "*"), []inbox.Scope{"*"}, "owner_in_person"},
		"fail/owner's key over MCP":  {on(inbox.Owner, inbox.ChannelMCPOwner, "*"), []inbox.Scope{"*"}, "owner_in_person"},
		"fail/staff for the owner's": {on(inbox.Staff, inbox.ChannelOwnerUI, "*"), []inbox.Scope{"*"}, "owner_in_person"},
		"fail/key, nothing said":     {on(inbox.Integration, inbox.ChannelREST, inbox.ScopeInboxRead), nil, "owner_in_person"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			err := identity.RequireScope(c.caller, c.anyOf, "do_it")
			if c.reason == "" {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			var p *inbox.Problem
			if !errors.As(err, &p) || p.Code != inbox.CodeNotAllowed {
				t.Fatalf("got %v", err)
			}
			if _, ok := p.Details["held_scopes"].([]string); !ok || len(p.Details["required_scopes"].([]string)) == 0 {
				t.Errorf("details %v", p.Details)
			}
			if r, _ := p.Details["reason"].(string); c.reason != "scope" && r != c.reason {
				t.Errorf("reason %q", r)
			}
		})
	}
}

func TestRequireOwnerSide(t *testing.T) {
	for kind, open := range map[inbox.ActorKind]bool{
		inbox.Owner: true, inbox.Staff: true, inbox.OwnerAI: true, inbox.Integration: true,
		inbox.CustomerAgent: false, inbox.CustomerHuman: false, inbox.System: false, inbox.Connector: false, inbox.Rule: false,
	} {
		err := identity.RequireOwnerSide(inbox.Caller{Actor: inbox.Actor{Kind: kind}})
		if (err == nil) != open {
			t.Errorf("%s: %v", kind, err)
		}
		var p *inbox.Problem
		if err != nil && (!errors.As(err, &p) || p.Code != inbox.CodeUnauthorized) {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

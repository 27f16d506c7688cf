package identity

import (
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"typedinbox/shared/canon"
	"typedinbox/shared/inbox"
)

// maxKeyName is how long the name of a key may be, in characters (03 §6.5).
const maxKeyName = 80

// choosable lists the scopes an integration key may hold (03 §9.1, §9.2):
// neither keys:write nor offline_access, never all.
var choosable = []inbox.Scope{
	inbox.ScopeInboxRead, inbox.ScopeInboxWrite, inbox.ScopeEventsRead, inbox.ScopeCatalogueWrite,
	inbox.ScopeAvailabilityWrite, inbox.ScopeSettingsRead, inbox.ScopeSettingsWrite, inbox.ScopeSetupRun,
	inbox.ScopeIntegrationsWrite, inbox.ScopeCustomersErase, inbox.ScopeMoneyWrite,
}

// MintRequest is a key to be made. Scopes are an integration key's; an owner key
// holds all and an agent key the public door. PartyID is an agent key's.
type MintRequest struct {
	Kind      inbox.KeyKind
	Name      string // "" takes the kind's name
	Scopes    []inbox.Scope
	PartyID   string
	UserID    string // whose key an owner key is, "" for nobody in particular
	CreatedBy string
	ExpiresAt *inbox.Instant // nil: never
}

// Mint makes a key and its secret, which is shown once and stored nowhere
// (03 §9.1). It refuses with invalid_input.
func Mint(r MintRequest, now inbox.Instant, source *inbox.Source) (secret string, key inbox.Key, err error) {
	if fields := r.check(now); len(fields) > 0 {
		return "", inbox.Key{}, inbox.InvalidInput(fields...)
	}
	secret = canon.NewKey(prefixOf(r.Kind), source.Bytes(canon.TokenBytes))
	key = inbox.Key{
		ID: source.ID(now), Hash: canon.HashToken(secret), Hint: canon.KeyHint(secret),
		Name: r.Name, Kind: r.Kind, PartyID: r.PartyID, UserID: r.UserID,
		CreatedBy: r.CreatedBy, CreatedAt: now, ExpiresAt: r.ExpiresAt,
	}
	switch r.Kind {
	case inbox.KeyOwner:
		key.Scopes = []inbox.Scope{inbox.ScopeAll}
	case inbox.KeyAgent:
		key.Scopes = []inbox.Scope{inbox.ScopePublic}
	default:
		key.Scopes = chosen(r.Scopes)
	}
	if key.Name == "" {
		key.Name = string(r.Kind)
	}
	return secret, key, nil
}

// MintKey is [Mint] at the clock's now, with the key stored.
func (i *Identity) MintKey(ctx context.Context, r MintRequest, source *inbox.Source) (secret string, key inbox.Key, err error) {
	secret, key, err = Mint(r, i.clock(), source)
	if err != nil {
		return "", inbox.Key{}, err
	}
	if err := i.keys.PutKey(ctx, key); err != nil {
		return "", inbox.Key{}, err
	}
	return secret, key, nil
}

func (r MintRequest) check(now inbox.Instant) (faults []inbox.FieldProblem) {
	fault := func(path string, f inbox.Fault, message string) {
		faults = append(faults, inbox.FieldProblem{Path: path, Problem: f, Message: message})
	}
	switch r.Kind {
	case inbox.KeyOwner, inbox.KeyAgent:
		if len(r.Scopes) > 0 {
			fault("scopes", inbox.Invalid, "only an integration key takes scopes")
		}
	case inbox.KeyIntegration:
		if len(r.Scopes) == 0 {
			fault("scopes", inbox.Missing, "an integration key needs at least one scope")
		}
		for _, s := range r.Scopes {
			if !slices.Contains(choosable, s) {
				fault("scopes", inbox.Invalid, "a key cannot hold "+string(s))
			}
		}
	case "":
		fault("kind", inbox.Missing, "must be owner, integration or agent")
	default:
		fault("kind", inbox.Invalid, "must be owner, integration or agent")
	}
	if r.PartyID != "" && r.Kind != inbox.KeyAgent {
		fault("party_id", inbox.Invalid, "only an agent key stands for a customer")
	}
	if r.UserID != "" && r.Kind != inbox.KeyOwner {
		fault("user_id", inbox.Invalid, "only an owner key stands for a user")
	}
	if utf8.RuneCountInString(r.Name) > maxKeyName || strings.ContainsFunc(r.Name, isControl) {
		fault("name", inbox.Invalid, "at most 80 characters in one line")
	}
	if r.ExpiresAt != nil && *r.ExpiresAt <= now {
		fault("expires_at", inbox.Invalid, "must lie in the future")
	}
	return faults
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// chosen keeps what an integration key may hold, each scope once, in the order
// of 03 §9.2, whatever stands in the row.
func chosen(scopes []inbox.Scope) []inbox.Scope {
	kept := []inbox.Scope{}
	for _, s := range choosable {
		if slices.Contains(scopes, s) {
			kept = append(kept, s)
		}
	}
	return kept
}

func prefixOf(k inbox.KeyKind) string {
	if k == inbox.KeyAgent {
		return canon.AgentKeyPrefix
	}
	return canon.OwnerKeyPrefix
}

package identity

import (
	"slices"
	"strings"

	"typedinbox/shared/inbox"
)

// RequireOwnerSide refuses whoever brings no credential of the business's:
// unauthorized. The door adds WWW-Authenticate (03 §4).
func RequireOwnerSide(c inbox.Caller) error {
	if c.IsOwnerSide() {
		return nil
	}
	return inbox.Refuse(inbox.CodeUnauthorized,
		"This is the business's door. Send a key of the business as Authorization: Bearer.")
}

// RequireScope lets through an owner-side caller that holds any one of the
// scopes (03 §9.2). "*" is the owner in person alone, and an operation without a
// scope counts as one that needs it. The refusal is not_allowed with
// required_scopes and held_scopes.
func RequireScope(c inbox.Caller, anyOf []inbox.Scope, operation string) error {
	if len(anyOf) == 0 || slices.Contains(anyOf, inbox.ScopeAll) {
		if c.IsOwnerInPerson() {
			return nil
		}
		p := inbox.NotAllowed("owner_in_person", "%s is the owner's alone to do. Nothing was changed.", operation)
		return scopes(p, []inbox.Scope{inbox.ScopeAll}, c)
	}
	if slices.ContainsFunc(anyOf, c.Has) {
		return nil
	}
	p := inbox.NotAllowed("", "%s needs the scope %s, which this credential does not hold. Nothing was changed.",
		operation, strings.Join(texts(anyOf), " or "))
	return scopes(p, anyOf, c)
}

func scopes(p *inbox.Problem, required []inbox.Scope, c inbox.Caller) *inbox.Problem {
	return p.With("required_scopes", texts(required)).With("held_scopes", texts(c.Scopes))
}

func texts(scopes []inbox.Scope) []string {
	out := make([]string, len(scopes))
	for i, s := range scopes {
		out[i] = string(s)
	}
	return out
}

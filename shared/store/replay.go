package store

import (
	"encoding/json"

	"typedinbox/shared/canon"
	"typedinbox/shared/inbox"
)

// Fingerprint is what a repeated request is recognised by: the operation and the
// validated input without credentials, and for items the scope (01 §12.2). Scope
// is "" for set-up writes, so that twins of a request at two doors meet.
func Fingerprint(operation, scope string, input any) (string, error) {
	raw, err := json.Marshal(input)
	if err != nil {
		return "", err
	}
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(raw, &fields); err != nil {
		return "", err
	}
	for _, name := range inbox.Credentials {
		delete(fields, name)
	}
	whole := map[string]any{"op": operation, "input": fields}
	if scope != "" {
		whole["scope"] = scope
	}
	return canon.Fingerprint(whole), nil
}

// Replay answers a request that was answered before, or refuses another one
// under the same key as idempotency_mismatch (01 §12.3).
func (a *StoredAnswer) Replay(fingerprint string) (inbox.Answer, error) {
	if a.Fingerprint != fingerprint {
		return inbox.Answer{}, inbox.Refuse(inbox.CodeIdempotencyMismatch,
			"This idempotency key already stands for another request. Nothing was written; send this one under a new key.")
	}
	return inbox.Answer{Status: 200, Body: inbox.MarkReplayed(a.Answer), Replayed: true}, nil
}

package store_test

import (
	"errors"
	"testing"

	"typedinbox/shared/canon"
	"typedinbox/shared/store"
)

// TestAddressHashSecrets: without a secret there is no hash, and another secret
// does not open the pepper, but a new one put in front of the old does; two
// inboxes have two peppers.
func TestAddressHashSecrets(t *testing.T) {
	w := newWorld(t, open(t, nil, nil))
	const address = "ana@example.com"
	first := must(w.AddressHash(w.ctx, address))(t)
	for name, c := range map[string]struct {
		secret string
		err    error
	}{
		"ok/newer in front": {"another-secret-that-is-long-enough,a-secret-for-tests-that-is-long-enough", nil},
		"fail/none":         {"", canon.ErrNoKey},
		"fail/another":      {"another-secret-that-is-long-enough", canon.ErrSealed},
	} {
		t.Run(name, func(t *testing.T) {
			h, err := store.New(w.db, must(canon.NewRing(c.secret))(t)).AddressHash(w.ctx, address)
			if !errors.Is(err, c.err) || err == nil && h != first {
				t.Errorf("%s %v", h, err)
			}
		})
	}
	other := store.New(open(t, nil, nil), ring(t), store.WithSource(source(77)))
	if must(other.AddressHash(w.ctx, address))(t) == first {
		t.Error("two inboxes have one pepper")
	}
}

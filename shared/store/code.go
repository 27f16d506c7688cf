package store

import (
	"context"

	"typedinbox/shared/canon"
	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
)

// attrSealed is the one-time code itself, sealed, while it can be used.
const attrSealed = "x1"

// addCode keeps a one-time code and counts what was sent or guessed, each under
// the rev it was read at (01 §15.4, §19.8).
func (s *Store) addCode(b *batch, w decide.Write) error {
	if w.Code != nil {
		r, err := s.codeRow(w.Code)
		if err != nil {
			return err
		}
		b.replace(r, int64(w.Code.Rev))
	}
	if w.Tries == nil {
		return nil
	}
	k := triesKey(w.Tries.Address)
	r, err := putDoc(k, w.Tries)
	if err != nil {
		return err
	}
	r[attrRev] = int64(w.Tries.Rev) + 1
	r[table.TTL] = int64(newest(w.Tries).Add(inbox.Day))/inbox.Second + 1
	b.replace(r, int64(w.Tries.Rev))
	return nil
}

// newest is the last time an address was sent a code or guessed at.
func newest(t *inbox.CodeTries) (at inbox.Instant) {
	for _, list := range [][]inbox.Instant{t.Sends, t.Guesses} {
		for _, i := range list {
			at = max(at, i)
		}
	}
	return at
}

// codeRow is an item's one-time code as it is stored.
func (s *Store) codeRow(c *inbox.OneTimeCode) (table.Row, error) {
	k := codeKey(c.ItemID)
	r, err := putDoc(k, c)
	if err != nil {
		return nil, err
	}
	r[attrRev] = int64(c.Rev) + 1
	if c.Digits != "" && c.UsedAt == nil {
		sealed, err := s.ring.Seal(canon.SealCode, k.String()+c.ID, []byte(c.Digits), s.source.Bytes(canon.NonceSize))
		if err != nil {
			return nil, err
		}
		r[attrSealed] = sealed
	}
	return r, nil
}

// codeOf reads the row of a one-time code; nil of nil.
func (s *Store) codeOf(r table.Row) (*inbox.OneTimeCode, error) {
	c, err := docOf[inbox.OneTimeCode](r)
	if c == nil || err != nil {
		return nil, err
	}
	c.Rev = int(r.Int(attrRev))
	if sealed := r.String(attrSealed); sealed != "" {
		digits, err := s.ring.Open(canon.SealCode, codeKey(c.ItemID).String()+c.ID, sealed)
		if err == nil { // under a lost secret it can still be guessed, and not mailed
			c.Digits = string(digits)
		}
	}
	return c, nil
}

// Code reads an item's latest one-time code, nil for none: one storage call.
func (s *Store) Code(ctx context.Context, itemID string) (*inbox.OneTimeCode, error) {
	r, err := s.get(ctx, codeKey(itemID))
	if err != nil {
		return nil, err
	}
	return s.codeOf(r)
}

// Tries reads what was sent and guessed at an address, by [decide.AddressKey];
// nil for nothing. One storage call.
func (s *Store) Tries(ctx context.Context, address string) (*inbox.CodeTries, error) {
	r, err := s.get(ctx, triesKey(address))
	if err != nil {
		return nil, err
	}
	t, err := docOf[inbox.CodeTries](r)
	if t != nil {
		t.Address, t.Rev = address, int(r.Int(attrRev))
	}
	return t, err
}

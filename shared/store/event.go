package store

import (
	"context"
	"crypto/hmac"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"

	"typedinbox/shared/canon"
	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
)

// saltBytes is the length of the salt of one personal value.
const saltBytes = 16

// maxDiffValue is the largest value kept in a diff; of a larger one the hash
// and the length are (01 §19.10).
const maxDiffValue = 20 << 10

// attrMarks holds an event's personal values as they went into its hash.
const attrMarks = "s"

// mark is one personal value's salt and MAC. An erasure blanks value and salt
// and leaves the MAC, so the chain still verifies (00 §4).
type mark struct {
	Salt []byte `json:"s,omitempty"`
	MAC  []byte `json:"m"`
}

// marks by path: reason, meta.actor_name, meta.input.note, diff.payload.notes.0
// (before) and .1 (after).
type marks map[string]mark

// chain completes an event: large values cut, hash computed. The salt of each
// personal value comes from random. It answers the event as it is stored.
func chain(e inbox.Event, random func(int) []byte) (inbox.Event, marks, error) {
	e.Diff = cutDiff(e.Diff)
	e.Hash = ""
	m := marks{}
	hash, err := hashEvent(e, func(path string, value []byte) (string, error) {
		salt := random(saltBytes)
		mac := canon.MAC(salt, value)
		m[path] = mark{Salt: salt, MAC: mac}
		return base64.RawURLEncoding.EncodeToString(mac), nil
	})
	e.Hash = hash
	return e, m, err
}

// verify says what is wrong with a stored event's hash; nil when it holds.
func verify(e inbox.Event, m marks) error {
	used := 0
	hash, err := hashEvent(e, func(path string, value []byte) (string, error) {
		k, ok := m[path]
		if !ok {
			return "", fmt.Errorf("personal value %s has no MAC", path)
		}
		if len(k.Salt) > 0 && !hmac.Equal(canon.MAC(k.Salt, value), k.MAC) {
			return "", fmt.Errorf("personal value %s was changed", path)
		}
		used++
		return base64.RawURLEncoding.EncodeToString(k.MAC), nil
	})
	switch {
	case err != nil:
		return err
	case hash != e.Hash:
		return fmt.Errorf("its hash does not match")
	case used != len(m):
		return fmt.Errorf("a personal value is gone")
	}
	return nil
}

// hashEvent is SHA-256 over the canonical event without its own hash, with the
// previous one in it and each personal value replaced by what replace answers.
// A null is no value.
func hashEvent(e inbox.Event, replace replacer) (string, error) {
	raw, err := json.Marshal(e)
	if err != nil {
		return "", err
	}
	var top object
	if err := json.Unmarshal(raw, &top); err != nil {
		return "", err
	}
	delete(top, "hash")
	if err := replacePersonal(top, replace); err != nil {
		return "", err
	}
	b, err := canon.JSON(top)
	return canon.SHA256Hex(b), err
}

// replacer answers what stands for a personal value in an event's hash.
type replacer func(path string, value []byte) (string, error)

type object = map[string]json.RawMessage

// replacePersonal replaces every value at a personal path of an event.
func replacePersonal(event object, replace replacer) error {
	if inbox.Personal.Reason {
		if err := replaceKeys(event, "", []string{"reason"}, replace); err != nil {
			return err
		}
	}
	if err := inside(event, "meta", func(meta object) error {
		if err := replaceKeys(meta, "meta.", inbox.Personal.Meta, replace); err != nil {
			return err
		}
		return inside(meta, "input", func(input object) error {
			return replaceKeys(input, "meta.input.", inbox.Personal.Input, replace)
		})
	}); err != nil {
		return err
	}
	return inside(event, "diff", func(diff object) error {
		return inside(diff, "payload", func(payload object) error {
			return replacePairs(payload, replace)
		})
	})
}

// inside changes the object under a key and writes it back; anything but an
// object is left alone.
func inside(parent object, name string, change func(object) error) error {
	raw := parent[name]
	if len(raw) == 0 || raw[0] != '{' {
		return nil
	}
	var child object
	if err := json.Unmarshal(raw, &child); err != nil {
		return err
	}
	if err := change(child); err != nil {
		return err
	}
	b, err := json.Marshal(child)
	parent[name] = b
	return err
}

func replaceKeys(from object, prefix string, names []string, replace replacer) error {
	for _, name := range names {
		raw, ok := from[name]
		if !ok {
			continue
		}
		b, err := replaced(prefix+name, raw, replace)
		if err != nil {
			return err
		}
		from[name] = b
	}
	return nil
}

// replacePairs replaces before and after of each personal key of the payload,
// in the order of their names so that salts are drawn in one order.
func replacePairs(payload object, replace replacer) error {
	names := slices.Sorted(slices.Values(inbox.Personal.Payload))
	for _, name := range names {
		raw, ok := payload[name]
		if !ok {
			continue
		}
		var pair [2]json.RawMessage
		if err := json.Unmarshal(raw, &pair); err != nil {
			return err
		}
		for i := range pair {
			b, err := replaced(fmt.Sprintf("diff.payload.%s.%d", name, i), pair[i], replace)
			if err != nil {
				return err
			}
			pair[i] = b
		}
		b, err := json.Marshal(pair)
		if err != nil {
			return err
		}
		payload[name] = b
	}
	return nil
}

func replaced(path string, raw json.RawMessage, replace replacer) (json.RawMessage, error) {
	if len(raw) == 0 || string(raw) == "null" {
		return raw, nil
	}
	value, err := canon.Canonical(raw)
	if err != nil {
		return nil, err
	}
	mac, err := replace(path, value)
	if err != nil {
		return nil, err
	}
	return json.Marshal(mac)
}

// cutDiff replaces values over 20 KB by their hash and length.
func cutDiff(d *inbox.Diff) *inbox.Diff {
	if d == nil {
		return nil
	}
	cut := *d
	cut.Payload = make(map[string][2]json.RawMessage, len(d.Payload))
	for name, pair := range d.Payload {
		for i, raw := range pair {
			if len(raw) > maxDiffValue {
				pair[i] = fmt.Appendf(nil, `{"sha256":"%s","bytes":%d}`, canon.SHA256Hex(raw), len(raw))
			}
		}
		cut.Payload[name] = pair
	}
	if d.Payload == nil {
		cut.Payload = nil
	}
	return &cut
}

// eventRow is an event as it is stored.
func eventRow(e inbox.Event, m marks) (table.Row, error) {
	r, err := putDoc(eventKey(e.ItemID, e.Seq), e)
	if err != nil || len(m) == 0 {
		return r, err
	}
	b, err := json.Marshal(m)
	r[attrMarks] = string(b)
	return r, err
}

// eventOf reads an event's row.
func eventOf(r table.Row) (e inbox.Event, m marks, err error) {
	if err = readDoc(r, &e); err != nil {
		return e, nil, err
	}
	if r.Has(attrMarks) {
		err = json.Unmarshal([]byte(r.String(attrMarks)), &m)
	}
	return e, m, err
}

// Events is an item's history, oldest first: one storage call for each MB.
func (s *Store) Events(ctx context.Context, itemID string) ([]inbox.Event, error) {
	rows, err := s.eventRows(ctx, itemID)
	if err != nil {
		return nil, err
	}
	return docsOf[inbox.Event](rows)
}

func (s *Store) eventRows(ctx context.Context, itemID string) ([]table.Row, error) {
	q := table.Query{Table: tableEvents, Partition: itemID}
	if !usable(table.Key{Table: tableEvents, Partition: itemID, Sort: "0"}) {
		return nil, nil
	}
	return s.queryAll(ctx, q, 0)
}

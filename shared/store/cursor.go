package store

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"

	"typedinbox/shared/canon"
	"typedinbox/shared/inbox"
)

// cursorMark is how many bytes of a cursor bind it to its filter and inbox.
const cursorMark = 16

// cursor is where a list stopped, bound to the list's filter: mark and stamp.
func (s *Store) cursor(q ListQuery, at string) string {
	text := q.filter() + at
	mark := s.ring.MAC(canon.ListCursor, []byte(text))
	if mark == nil {
		sum := sha256.Sum256([]byte(text))
		mark = sum[:]
	}
	return base64.RawURLEncoding.EncodeToString(append(mark[:cursorMark:cursorMark], at...))
}

// openCursor is the stamp in a list's cursor, "" to begin.
func (s *Store) openCursor(q ListQuery) (string, error) {
	if q.Cursor == "" {
		return "", nil
	}
	b, err := base64.RawURLEncoding.Strict().DecodeString(q.Cursor)
	if err == nil && len(b) > cursorMark {
		mark, at := b[:cursorMark], string(b[cursorMark:])
		if s.marked(q.filter()+at, mark) {
			return at, nil
		}
	}
	return "", inbox.InvalidField("cursor", "is not a cursor of this list with these filters")
}

func (s *Store) marked(text string, mark []byte) bool {
	if s.ring.Ready() {
		return s.ring.Verify(canon.ListCursor, []byte(text), mark)
	}
	sum := sha256.Sum256([]byte(text))
	return hmac.Equal(sum[:cursorMark], mark)
}

// filter is what a cursor is bound to: everything that decides which items a
// list holds.
func (q ListQuery) filter() string {
	text := fmt.Sprintf("%q %q %s %s %t %t\n", q.Type, q.State, tristate(q.NeedsHuman), tristate(q.MailFailed), q.Open, q.Sandbox)
	if q.Both {
		text += "both\n"
	}
	if q.Searching {
		text += fmt.Sprintf("%q %q\n", q.Words, q.Reference)
	}
	return text
}

func tristate(b *bool) string {
	if b == nil {
		return "any"
	}
	return fmt.Sprint(*b)
}

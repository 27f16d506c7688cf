package table

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
)

// ErrCursor: the cursor was not given by this query (the same but for its
// limit), or is no cursor at all.
var ErrCursor = errors.New("table: cursor of another query")

// Position is where a page ended: the last row's sort value in the order of
// the query and, in an index, the row's own key. The zero Position is the
// beginning.
type Position struct {
	Sort         string // sort key of the table, or value of the index's sort attribute
	RowPartition string // index only
	RowSort      string // index only
}

const (
	cursorVersion = 1
	cursorMark    = 8 // bytes of the query's digest in a cursor
)

// EncodeCursor gives the cursor of a position in a query's answer: URL-safe
// text, never "". It holds keys in the clear and is bound to the query, not
// signed: whoever changes it moves inside the query's own range.
func EncodeCursor(q Query, p Position) string {
	b := append([]byte{cursorVersion}, queryMark(q)...)
	b = appendText(b, p.Sort)
	b = appendText(b, p.RowPartition)
	b = appendText(b, p.RowSort)
	return base64.RawURLEncoding.EncodeToString(b)
}

// DecodeCursor gives the position in q.After, the zero one of ""; [ErrCursor]
// when the cursor is not of this query or lies outside its range.
func DecodeCursor(q Query) (Position, error) {
	if q.After == "" {
		return Position{}, nil
	}
	b, err := base64.RawURLEncoding.DecodeString(q.After)
	if err != nil || len(b) < 1+cursorMark || b[0] != cursorVersion ||
		string(b[1:1+cursorMark]) != string(queryMark(q)) {
		return Position{}, ErrCursor
	}
	var p Position
	rest := b[1+cursorMark:]
	for _, to := range [...]*string{&p.Sort, &p.RowPartition, &p.RowSort} {
		text, after, ok := cutText(rest)
		if !ok {
			return Position{}, ErrCursor
		}
		*to, rest = text, after
	}
	if len(rest) != 0 || !p.within(q) {
		return Position{}, ErrCursor
	}
	return p, nil
}

// within says whether the position can be an answer's of this query.
func (p Position) within(q Query) bool {
	if p == (Position{}) {
		return true
	}
	if (q.Index != "") != (p.RowPartition != "" && p.RowSort != "") || p.Sort == "" {
		return false
	}
	return p.Sort >= q.From && (q.To == "" || p.Sort <= q.To)
}

// CheckQuery says whether a query names a table, an index and a partition of
// the schema; any error is the caller's mistake.
func (s Schema) CheckQuery(q Query) (TableSchema, IndexSchema, error) {
	t, ok := s.Table(q.Table)
	if !ok {
		return t, IndexSchema{}, fmt.Errorf("table: query of unknown table %q", q.Table)
	}
	i, ok := t.Index(q.Index)
	if q.Index != "" && !ok {
		return t, i, fmt.Errorf("table: query of unknown index %q of %q", q.Index, q.Table)
	}
	if q.Partition == "" || q.Limit < 0 {
		return t, i, fmt.Errorf("table: query of %q without a partition, or with a negative limit", q.Table)
	}
	return t, i, nil
}

func queryMark(q Query) []byte {
	var b []byte
	for _, s := range [...]string{q.Table, q.Index, q.Partition, q.From, q.To} {
		b = appendText(b, s)
	}
	if q.Desc {
		b = append(b, 1)
	}
	sum := sha256.Sum256(b)
	return sum[:cursorMark]
}

func appendText(b []byte, s string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

func cutText(b []byte) (s string, rest []byte, ok bool) {
	n, w := binary.Uvarint(b)
	if w <= 0 || n > uint64(len(b)-w) {
		return "", nil, false
	}
	return string(b[w : w+int(n)]), b[w+int(n):], true
}

// PositionOf is the position of a row in the query's answer; i is the query's
// index, if it has one.
func (q Query) PositionOf(r Row, i IndexSchema) Position {
	if q.Index == "" {
		return Position{Sort: r.String(SortKey)}
	}
	return Position{Sort: r.String(i.Sort), RowPartition: r.String(PartitionKey), RowSort: r.String(SortKey)}
}

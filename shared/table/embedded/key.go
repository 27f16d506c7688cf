package embedded

import (
	"bytes"
	"errors"
	"strings"

	"typedinbox/shared/table"
)

// Keys in the file are tuples of texts whose byte order is the order of the
// tuples: each text but the last has 00 written as 00 FF and ends with 00 01;
// the last stands as it is. A row's tuple is (partition, sort); an index
// entry's (index partition, index sort, partition, sort).
const (
	escape     = 0x00
	escaped    = 0xff
	terminator = 0x01
)

var errKey = errors.New("embedded: corrupt key")

func appendPart(b []byte, s string) []byte {
	for {
		i := strings.IndexByte(s, escape)
		if i < 0 {
			return append(append(b, s...), escape, terminator)
		}
		b = append(append(b, s[:i]...), escape, escaped)
		s = s[i+1:]
	}
}

// cutPart takes the first text off a tuple.
func cutPart(b []byte) (s string, rest []byte, err error) {
	i := bytes.IndexByte(b, escape)
	if i < 0 || i+1 >= len(b) {
		return "", nil, errKey
	}
	if b[i+1] == terminator { // the usual case: nothing was escaped
		return string(b[:i]), b[i+2:], nil
	}
	var text []byte
	for i >= 0 && i+1 < len(b) {
		text = append(text, b[:i]...)
		mark := b[i+1]
		b = b[i+2:]
		switch mark {
		case terminator:
			return string(text), b, nil
		case escaped:
			text = append(text, escape)
		default:
			return "", nil, errKey
		}
		i = bytes.IndexByte(b, escape)
	}
	return "", nil, errKey
}

func rowKey(partition, sort string) []byte {
	b := make([]byte, 0, len(partition)+len(sort)+2)
	return append(appendPart(b, partition), sort...)
}

func entryKey(indexPartition, indexSort string, k table.Key) []byte {
	b := make([]byte, 0, len(indexPartition)+len(indexSort)+len(k.Partition)+len(k.Sort)+6)
	b = appendPart(appendPart(b, indexPartition), indexSort)
	return append(appendPart(b, k.Partition), k.Sort...)
}

// span is the half-open range of keys [low, high) a query runs over, all of
// which begin with prefix.
type span struct{ prefix, low, high []byte }

// after is the smallest key above all that begin with b, where b ends with a
// part's terminator.
func after(b []byte) []byte {
	end := append([]byte(nil), b...)
	end[len(end)-1]++
	return end
}

func next(key []byte) []byte { return append(append([]byte(nil), key...), 0) }

// querySpan gives the keys a query asks for beyond its position.
func querySpan(q table.Query, p table.Position) span {
	prefix := appendPart(nil, q.Partition)
	with := func(sort string) []byte { return append(append([]byte(nil), prefix...), sort...) }
	s := span{prefix: prefix, low: prefix, high: after(prefix)}
	switch {
	case q.Index == "":
		s.low = with(q.From)
		if q.To != "" {
			s.high = next(with(q.To))
		}
	default:
		if q.From != "" {
			s.low = appendPart(with(""), q.From)
		}
		if q.To != "" {
			s.high = after(appendPart(with(""), q.To))
		}
	}
	if p == (table.Position{}) {
		return s
	}
	last := with(p.Sort)
	if q.Index != "" {
		last = entryKey(q.Partition, p.Sort, table.Key{Partition: p.RowPartition, Sort: p.RowSort})
	}
	if q.Desc {
		s.high = last
	} else {
		s.low = next(last)
	}
	return s
}

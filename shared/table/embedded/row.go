package embedded

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"

	"typedinbox/shared/table"
)

// A stored row is rowVersion and then its attributes but the key, each: name,
// kind, value. Texts and bytes are a uvarint length and the bytes, numbers a
// zigzag varint. The order of attributes means nothing.
const rowVersion = 1

const (
	kindString = iota + 1
	kindInt
	kindFalse
	kindTrue
	kindBytes
)

var errCorrupt = errors.New("embedded: corrupt row")

// appendRow encodes a row without its key.
func appendRow(b []byte, r table.Row) ([]byte, error) {
	b = append(b, rowVersion)
	for name, v := range r {
		if name == table.PartitionKey || name == table.SortKey {
			continue
		}
		b = appendText(b, name)
		switch v := v.(type) {
		case string:
			b = appendText(append(b, kindString), v)
		case int64:
			b = binary.AppendVarint(append(b, kindInt), v)
		case bool:
			kind := byte(kindFalse)
			if v {
				kind = kindTrue
			}
			b = append(b, kind)
		case []byte:
			b = appendText(append(b, kindBytes), v)
		default:
			return nil, fmt.Errorf("embedded: attribute %q is a %T", name, v)
		}
	}
	return b, nil
}

func appendText[T string | []byte](b []byte, s T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(s))), s...)
}

// decodeRow gives the row with its key; errCorrupt when the bytes are none.
// The row keeps nothing of b.
func decodeRow(partition, sort string, b []byte) (table.Row, error) {
	if len(b) == 0 || b[0] != rowVersion {
		return nil, errCorrupt
	}
	d := decoder{text: string(b[1:])} // one copy, which all the row's strings share
	r := make(table.Row, 12)
	r[table.PartitionKey], r[table.SortKey] = partition, sort
	for len(d.text) > 0 && !d.bad {
		name := d.cut()
		if v := d.value(); !d.bad {
			d.bad = r.Has(name)
			r[name] = v
		}
	}
	if d.bad {
		return nil, errCorrupt
	}
	return r, nil
}

type decoder struct {
	text string
	bad  bool
}

func (d *decoder) value() any {
	switch d.byte() {
	case kindString:
		return d.cut()
	case kindInt:
		return d.int()
	case kindFalse:
		return false
	case kindTrue:
		return true
	case kindBytes:
		return []byte(d.cut())
	}
	d.bad = true
	return nil
}

func (d *decoder) byte() byte {
	if d.text == "" {
		d.bad = true
		return 0
	}
	c := d.text[0]
	d.text = d.text[1:]
	return c
}

func (d *decoder) uint() uint64 {
	var n uint64
	for shift := 0; shift < 64; shift += 7 {
		c := d.byte()
		if d.bad || shift == 63 && c > 1 {
			break
		}
		n |= uint64(c&0x7f) << shift
		if c < 0x80 {
			return n
		}
	}
	d.bad = true
	return 0
}

func (d *decoder) int() int64 {
	u := d.uint()
	n := int64(u >> 1 & math.MaxInt64)
	if u&1 != 0 {
		n = ^n
	}
	return n
}

func (d *decoder) cut() string {
	n := d.uint()
	if d.bad || n > uint64(len(d.text)) {
		d.bad = true
		return ""
	}
	s := d.text[:n]
	d.text = d.text[n:]
	return s
}

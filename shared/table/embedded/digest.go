package embedded

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"

	"typedinbox/shared/table"
)

// actionsDigest is the same for the same actions, whatever the order of their
// attributes.
func actionsDigest(actions []table.Action) []byte {
	d := digester{text: make([]byte, 0, 4<<10)}
	for i := range actions {
		a := &actions[i]
		at := a.At()
		d.text = append(d.text, byte(a.Kind))
		d.add(at.Table, at.Partition, at.Sort)
		d.row(a.Row)
		d.row(a.Set)
		d.count(len(a.Remove))
		d.add(a.Remove...)
		d.adds(a.Add)
		d.condition(a.If)
	}
	sum := sha256.Sum256(d.text)
	return sum[:]
}

// digester collects what goes into a digest, every part with its length.
type digester struct {
	text  []byte
	names []string // to sort
}

func (d *digester) count(n int) { d.text = binary.AppendUvarint(d.text, uint64(n)) }

func (d *digester) add(texts ...string) {
	for _, s := range texts {
		d.text = appendText(d.text, s)
	}
}

func (d *digester) row(r table.Row) {
	d.count(len(r))
	d.names = d.names[:0]
	for name := range r {
		d.names = append(d.names, name)
	}
	slices.Sort(d.names)
	for _, name := range d.names {
		d.attribute(name, r[name])
	}
}

func (d *digester) adds(numbers map[string]int64) {
	d.count(len(numbers))
	d.names = d.names[:0]
	for name := range numbers {
		d.names = append(d.names, name)
	}
	slices.Sort(d.names)
	for _, name := range d.names {
		d.attribute(name, numbers[name])
	}
}

func (d *digester) attribute(name string, v any) {
	d.text = appendText(d.text, name)
	switch v := v.(type) {
	case string:
		d.text = appendText(append(d.text, kindString), v)
	case int64:
		d.text = binary.AppendVarint(append(d.text, kindInt), v)
	case []byte:
		d.text = appendText(append(d.text, kindBytes), v)
	case bool:
		kind := byte(kindFalse)
		if v {
			kind = kindTrue
		}
		d.text = append(d.text, kind)
	}
}

func (d *digester) condition(c table.Condition) {
	switch c := c.(type) {
	case nil:
		d.text = append(d.text, 0)
	case table.Absent:
		d.text = appendText(append(d.text, 'a'), string(c))
	case table.Exists:
		d.text = appendText(append(d.text, 'e'), string(c))
	case table.Eq:
		d.text = append(d.text, '=')
		d.attribute(c.Name, c.Value)
	case table.Lt:
		d.text = append(d.text, '<')
		d.attribute(c.Name, c.Value)
	case table.Lte:
		d.text = append(d.text, 'l')
		d.attribute(c.Name, c.Value)
	case table.Not:
		d.text = append(d.text, '!')
		d.condition(c.Of)
	case table.And:
		d.conditions('&', c)
	case table.Or:
		d.conditions('|', c)
	}
}

func (d *digester) conditions(mark byte, parts []table.Condition) {
	d.text = append(d.text, mark)
	d.count(len(parts))
	for _, part := range parts {
		d.condition(part)
	}
}

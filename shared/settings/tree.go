package settings

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"reflect"
	"strings"
)

// node is a section or a key of the document, as [Table] nests them.
type node struct {
	name     string
	row      *Row // of a key
	index    []int
	children []*node
}

// origin is the segment of a path that stands for a network's origin.
const origin = "<origin>"

// root is the whole document, keys holds every node with a row but those of
// networks, networkRoot the keys of one network.
var (
	root        = buildTree()
	keys        = root.leaves(nil)
	networkRoot = root.child("networks").child(origin)
)

func buildTree() *node {
	r := &node{}
	for i := range Table {
		n := r
		for name := range strings.SplitSeq(Table[i].Path, ".") {
			c := n.child(name)
			if c == nil {
				c = &node{name: name}
				n.children = append(n.children, c)
			}
			n = c
		}
		n.row = &Table[i]
	}
	for _, c := range r.children {
		if c.name != "networks" {
			c.place(reflect.TypeFor[Settings](), nil)
		}
	}
	for _, c := range r.child("networks").child(origin).children {
		c.place(reflect.TypeFor[Network](), nil)
	}
	return r
}

// place finds the field of the effective struct that holds the node.
func (n *node) place(t reflect.Type, index []int) {
	for i := range t.NumField() {
		f := t.Field(i)
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != n.name {
			continue
		}
		n.index = append(index[:len(index):len(index)], i)
		for _, c := range n.children {
			c.place(f.Type, n.index)
		}
		return
	}
	panic("settings: no field for " + n.name)
}

func (n *node) child(name string) *node {
	for _, c := range n.children {
		if c.name == name {
			return c
		}
	}
	return nil
}

// leaves lists the keys below a node, those of networks apart.
func (n *node) leaves(out []*node) []*node {
	if n.row != nil {
		return append(out, n)
	}
	for _, c := range n.children {
		if c.name != "networks" {
			out = c.leaves(out)
		}
	}
	return out
}

var errNotObject = errors.New("not one JSON object")

// parse reads one JSON object, numbers as they are written.
func parse(raw []byte) (map[string]any, error) {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return nil, err
	}
	m, ok := v.(map[string]any)
	if _, err := d.Token(); err != io.EOF || !ok {
		return nil, errNotObject
	}
	return m, nil
}

// lookup finds a path below an object; false when a part of it is not there.
func lookup(m map[string]any, path string) (any, bool) {
	for {
		name, rest, more := strings.Cut(path, ".")
		v, ok := m[name]
		if !more || !ok {
			return v, ok
		}
		if m, ok = v.(map[string]any); !ok {
			return nil, false
		}
		path = rest
	}
}

package schema

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"sync"
)

// kind says how a type is read.
type kind int

const (
	kindString kind = iota
	kindBool
	kindInt
	kindFloat
	kindStruct
	kindList
	kindArray
	kindMap
	kindPointer
	kindOptional
	kindRaw    // json.RawMessage
	kindOpaque // has an UnmarshalJSON of its own
)

// plan is how one type is read, made once per type.
type plan struct {
	kind   kind
	typ    reflect.Type
	elem   *plan // of a list, map, pointer or optional
	fields []field
	byName map[string]int
}

// field is one field of a struct, promoted ones included.
type field struct {
	limits
	name  string
	query string // name in a query string, "" for none
	index []int
	typ   reflect.Type
	plan  *plan
	omits bool // omitempty or omitzero: an output may lack it
}

var (
	rawType         = reflect.TypeFor[json.RawMessage]()
	unmarshalerType = reflect.TypeFor[json.Unmarshaler]()
	optionalType    = reflect.TypeFor[optional]()
	plans           sync.Map // reflect.Type → *plan
)

// planOf answers a type's plan. A type that cannot be an input is a mistake in
// the program and panics, at the latest in the first test that decodes it.
func planOf(t reflect.Type) *plan {
	if p, ok := plans.Load(t); ok {
		return p.(*plan)
	}
	building := map[reflect.Type]*plan{}
	p := build(t, building)
	plans.Store(t, p)
	return p
}

// build makes a plan; building holds the unfinished ones, so a type may hold
// itself.
func build(t reflect.Type, building map[reflect.Type]*plan) *plan {
	if p, ok := building[t]; ok {
		return p
	}
	p := &plan{typ: t}
	building[t] = p
	switch {
	case t == rawType:
		p.kind = kindRaw
		return p
	case reflect.PointerTo(t).Implements(optionalType):
		p.kind = kindOptional
		p.elem = build(reflect.New(t).Interface().(optional).inner(), building)
		return p
	case t.Kind() != reflect.Pointer && reflect.PointerTo(t).Implements(unmarshalerType):
		p.kind = kindOpaque
		return p
	}
	switch t.Kind() {
	case reflect.String:
		p.kind = kindString
	case reflect.Bool:
		p.kind = kindBool
	case reflect.Int, reflect.Int64, reflect.Int32:
		p.kind = kindInt
	case reflect.Float64:
		p.kind = kindFloat
	case reflect.Slice:
		p.kind, p.elem = kindList, build(t.Elem(), building)
	case reflect.Array:
		p.kind, p.elem = kindArray, build(t.Elem(), building)
	case reflect.Map:
		p.kind, p.elem = kindMap, build(t.Elem(), building)
	case reflect.Pointer:
		p.kind, p.elem = kindPointer, build(t.Elem(), building)
	case reflect.Struct:
		p.kind = kindStruct
		p.addFields(building)
	default:
		panic(fmt.Sprintf("schema: %s cannot be an input", t))
	}
	return p
}

// fieldsOf lists the fields of a struct, those of embedded structs promoted,
// without their plans. A field with a path or header tag is
// the door's to fill.
func fieldsOf(t reflect.Type, index []int) []field {
	var out []field
	for i := range t.NumField() {
		sf := t.Field(i)
		at := append(index[:len(index):len(index)], i)
		name, options, _ := strings.Cut(sf.Tag.Get("json"), ",")
		query := sf.Tag.Get("query")
		switch {
		case sf.Anonymous && name == "" && sf.Type.Kind() == reflect.Struct:
			out = append(out, fieldsOf(sf.Type, at)...)
			continue
		case !sf.IsExported() || (name == "-" && query == "") || sf.Tag.Get("path") != "" || sf.Tag.Get("header") != "":
			continue
		case name == "" && query != "":
			name = "-" // of the query string alone
		case name == "":
			name = sf.Name
		}
		l, err := parseTag(sf.Tag.Get("in"))
		if err != nil {
			panic(fmt.Sprintf("schema: %s.%s: %v", t, sf.Name, err))
		}
		out = append(out, field{limits: l, name: name, query: query, index: at, typ: sf.Type, omits: strings.Contains(options, "omit")})
	}
	return out
}

// addFields gives a struct's plan its fields.
func (p *plan) addFields(building map[reflect.Type]*plan) {
	p.byName = map[string]int{}
	p.fields = fieldsOf(p.typ, nil)
	for i := range p.fields {
		f := &p.fields[i]
		f.plan = build(f.typ, building)
		if f.name == "-" {
			continue
		}
		if _, twice := p.byName[f.name]; twice {
			panic(fmt.Sprintf("schema: %s names %s twice", p.typ, f.name))
		}
		p.byName[f.name] = i
	}
}

package schema

import (
	"maps"
	"reflect"
	"slices"
	"time"
)

// Schemer is a type that gives its own JSON Schema.
type Schemer interface{ JSONSchema() map[string]any }

// Choice is a type that is written as one of several others.
type Choice interface{ JSONChoices() []any }

// Demand is an input that needs fields which the type it shares them with does
// not: what makes a thing needs its name, what changes it does not.
type Demand interface{ JSONRequired() []string }

// Describe is the JSON Schema (2020-12) of a type as an input: what only the
// inbox writes and what stands in the path is not in it, other properties are
// allowed and dropped.
func Describe(t reflect.Type) map[string]any {
	return describer{open: map[reflect.Type]bool{}}.of(t, &limits{})
}

// DescribeOutput is the JSON Schema of a type as an answer: every property is
// required unless it is left out when empty (omitempty, omitzero); a pointer that
// is always written may be null.
func DescribeOutput(t reflect.Type) map[string]any {
	return describer{output: true, open: map[reflect.Type]bool{}}.of(t, &limits{})
}

// Parameter is one parameter of a query string, for OpenAPI.
type Parameter struct {
	Name     string
	Required bool
	List     bool // repeated or comma-separated
	Schema   map[string]any
}

// DescribeQuery lists what [DecodeQuery] reads of a type, in its order.
func DescribeQuery(t reflect.Type) []Parameter {
	var out []Parameter
	d := describer{open: map[reflect.Type]bool{}}
	for _, f := range fieldsOf(t, nil) {
		if f.query != "" {
			out = append(out, Parameter{f.query, f.required, f.typ.Kind() == reflect.Slice, d.field(&f)})
		}
	}
	return out
}

// describer walks types; open holds those being described, so a type that
// holds itself ends as "anything".
type describer struct {
	output bool
	open   map[reflect.Type]bool
}

var (
	timeType      = reflect.TypeFor[time.Time]()
	schemerType   = reflect.TypeFor[Schemer]()
	choiceType    = reflect.TypeFor[Choice]()
	demandType    = reflect.TypeFor[Demand]()
	marshalerType = reflect.TypeFor[interface{ MarshalJSON() ([]byte, error) }]()
)

func (d describer) of(t reflect.Type, l *limits) map[string]any {
	if s, ok := d.own(t); ok {
		return s
	}
	switch t.Kind() {
	case reflect.Pointer:
		return d.of(t.Elem(), l)
	case reflect.String:
		return l.describeString()
	case reflect.Bool:
		return map[string]any{"type": "boolean"}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return l.num.describe("integer", "minimum", "maximum")
	case reflect.Float32, reflect.Float64:
		return l.num.describe("number", "minimum", "maximum")
	case reflect.Array:
		n := float64(t.Len())
		s := bounds{set: true, min: n, max: n}.describe("array", "minItems", "maxItems")
		s["items"] = d.of(t.Elem(), l)
		return s
	case reflect.Slice:
		s := l.items.describe("array", "minItems", "maxItems")
		s["items"] = d.of(t.Elem(), l)
		return s
	case reflect.Map:
		s := l.items.describe("object", "minProperties", "maxProperties")
		s["additionalProperties"] = d.of(t.Elem(), l)
		return s
	case reflect.Struct:
		return d.object(t)
	}
	return map[string]any{} // an interface: anything
}

// own is the schema of types that are not read field by field.
func (d describer) own(t reflect.Type) (map[string]any, bool) {
	switch {
	case t == rawType:
		return map[string]any{}, true
	case t == timeType:
		return map[string]any{"type": "string", "format": "date-time"}, true
	case t.Kind() == reflect.Interface || t.Kind() == reflect.Pointer:
		return nil, false
	case reflect.PointerTo(t).Implements(optionalType):
		return d.of(reflect.New(t).Interface().(optional).inner(), &limits{}), true
	case reflect.PointerTo(t).Implements(schemerType):
		return reflect.New(t).Interface().(Schemer).JSONSchema(), true
	case reflect.PointerTo(t).Implements(choiceType):
		var choices []any
		for _, v := range reflect.New(t).Interface().(Choice).JSONChoices() {
			choices = append(choices, d.of(reflect.TypeOf(v), &limits{}))
		}
		return map[string]any{"anyOf": choices}, true
	case reflect.PointerTo(t).Implements(marshalerType) && t.Kind() == reflect.Struct:
		return map[string]any{}, true // writes itself in a way nobody described
	}
	return nil, false
}

func (d describer) object(t reflect.Type) map[string]any {
	s := map[string]any{"type": "object"}
	if d.open[t] {
		return s
	}
	d.open[t] = true
	defer delete(d.open, t)
	properties, required := map[string]any{}, []string{}
	for _, f := range fieldsOf(t, nil) {
		if f.name == "-" || (!d.output && f.out) {
			continue
		}
		properties[f.name] = d.field(&f)
		if (d.output && !f.omits) || (!d.output && f.required) {
			required = append(required, f.name)
		}
	}
	if !d.output && t.Implements(demandType) {
		required = append(required, reflect.Zero(t).Interface().(Demand).JSONRequired()...)
	}
	s["properties"] = properties
	if len(required) > 0 {
		slices.Sort(required)
		s["required"] = required
	}
	return s
}

// field describes one field with its own limits, null and default.
func (d describer) field(f *field) map[string]any {
	l, ft := f.limits, f.typ
	var s map[string]any
	if isOptional(ft) {
		s = maps.Clone(d.of(reflect.New(ft).Interface().(optional).inner(), &l))
	} else {
		s = maps.Clone(d.of(ft, &l))
	}
	switch {
	case f.object:
		s["type"] = "object"
	case f.beside == "integer":
		return nullable(l.num.describe("integer", "minimum", "maximum"))
	case f.beside == "string":
		return nullable(l.describeString())
	}
	if f.hasFallback && !d.output {
		s["default"] = fallbackValue(f)
	}
	pointer := ft.Kind() == reflect.Pointer || ft.Kind() == reflect.Map || ft.Kind() == reflect.Interface
	if (f.nullable && (pointer || isOptional(ft))) || (d.output && pointer && !f.omits) {
		return nullable(s)
	}
	return s
}

func isOptional(t reflect.Type) bool {
	return t.Kind() == reflect.Struct && reflect.PointerTo(t).Implements(optionalType)
}

// nullable lets a schema be null as well.
func nullable(s map[string]any) map[string]any {
	name, simple := s["type"].(string)
	switch {
	case len(s) == 0:
		return s
	case simple && s["enum"] == nil:
		s["type"] = []string{name, "null"}
		return s
	}
	return map[string]any{"anyOf": []any{s, map[string]any{"type": "null"}}}
}

func fallbackValue(f *field) any {
	v := reflect.New(f.typ).Elem()
	setText(planOf(f.typ), f.fallback, v)
	return v.Interface()
}

func (b bounds) describe(name, low, high string) map[string]any {
	s := map[string]any{"type": name}
	if b.set {
		s[low], s[high] = int64(b.min), int64(b.max)
	}
	return s
}

func (l *limits) describeString() map[string]any {
	s := map[string]any{"type": "string"}
	if l.chars.set {
		if l.chars.min > 0 {
			s["minLength"] = int64(l.chars.min)
		}
		s["maxLength"] = int64(l.chars.max)
	}
	if l.enum != nil {
		s["enum"] = l.enum
	}
	if l.match != nil {
		s["pattern"] = l.match.String()
	}
	switch l.format {
	case "url":
		s["format"], s["maxLength"] = "uri", maxURL
	case "words":
		s["pattern"] = `\S`
	case "terms_sha":
		s["pattern"] = termsSHA.String()
	case "currency":
		s["pattern"] = "^[A-Za-z]{3}$"
	case "email", "date":
		s["format"] = l.format
	}
	return s
}

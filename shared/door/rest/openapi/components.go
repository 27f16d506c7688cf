package openapi

import (
	"encoding/json"
	"maps"
	"reflect"
	"strings"

	"typedinbox/shared/inbox"
	"typedinbox/shared/operation"
	"typedinbox/shared/schema"
)

const problemName = "Problem"

// components are the schemas the operations share, by name: every input and
// answer, and every struct inside an answer that has a name of its own. Where a
// component's schema stands inside another, a reference stands instead.
type components struct {
	schemas  object
	names    map[string]string // schema as JSON → component
	refusals object            // responses with problems, by their codes
}

func newComponents(ops []*operation.Op) *components {
	c := &components{schemas: object{}, names: map[string]string{}, refusals: object{}}
	c.schemas[problemName] = problemSchema()
	for _, op := range ops {
		if op.In != nil && op.Keyed() {
			c.add(inputName(op.In), schema.Describe(op.In))
		}
		for _, out := range op.Out {
			for _, t := range out.Types {
				c.addOutput(t, map[reflect.Type]bool{})
			}
		}
	}
	return c
}

// addOutput names a type of an answer and the structs inside it.
func (c *components) addOutput(t reflect.Type, seen map[reflect.Type]bool) {
	for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || seen[t] {
		return
	}
	seen[t] = true
	if choice, ok := reflect.New(t).Interface().(schema.Choice); ok {
		for _, v := range choice.JSONChoices() {
			c.addOutput(reflect.TypeOf(v), seen)
		}
	}
	if s := schema.DescribeOutput(t); t.NumField() > 0 && t.Name() != "" && c.names[textOf(s)] == "" {
		c.add(outputName(t), s)
	}
	for i := range t.NumField() {
		if f := t.Field(i); f.IsExported() {
			c.addOutput(f.Type, seen)
		}
	}
}

// add keeps a schema under a name. Of two with one schema, the first is the one
// that stands for it inside others.
func (c *components) add(name string, s object) {
	c.schemas[name] = s
	if text := textOf(s); c.names[text] == "" {
		c.names[text] = name
	}
}

func (c *components) input(t reflect.Type) object { return schema.Describe(t) }

func (c *components) refTo(name string) object { return object{"$ref": "#/components/schemas/" + name} }

// output is the reference to an answer's type, or its schema when it has no name.
func (c *components) output(t reflect.Type) object {
	s := schema.DescribeOutput(t)
	if name, ok := c.names[textOf(s)]; ok {
		return c.refTo(name)
	}
	return s
}

func (c *components) document() object {
	schemas := object{}
	for name, s := range c.schemas {
		schemas[name] = c.inside(s.(object))
	}
	return object{
		"schemas":   schemas,
		"responses": c.refusals,
		"securitySchemes": object{"ownerKey": object{
			"type": "http", "scheme": "bearer",
			"description": "A key of the business: sdi_own_…",
		}},
	}
}

// inside replaces the components that stand inside a schema by references.
func (c *components) inside(s object) object {
	out := make(object, len(s))
	for key, value := range s {
		out[key] = c.replace(value)
	}
	return out
}

func (c *components) replace(value any) any {
	switch v := value.(type) {
	case object:
		if name, ok := c.names[textOf(v)]; ok {
			return c.refTo(name)
		}
		if some, ok := withoutNull(v); ok && c.names[textOf(some)] != "" {
			return object{"anyOf": []any{c.refTo(c.names[textOf(some)]), object{"type": "null"}}}
		}
		return c.inside(v)
	case []any:
		list := make([]any, len(v))
		for i, e := range v {
			list[i] = c.replace(e)
		}
		return list
	}
	return value
}

// withoutNull is the schema of an object that may be null, without the null.
func withoutNull(s object) (object, bool) {
	types, ok := s["type"].([]string)
	if !ok || len(types) != 2 || types[1] != "null" {
		return nil, false
	}
	some := maps.Clone(s)
	some["type"] = types[0]
	return some, true
}

func textOf(s object) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err) // a schema of ours that is no JSON
	}
	return string(b)
}

// inputName and outputName name a component after its Go type: an input keeps
// its name (CreateBookingRequest), a page says of what (PageOfSlot).
func inputName(t reflect.Type) string { return t.Name() }

func outputName(t reflect.Type) string {
	name, of, generic := strings.Cut(t.Name(), "[")
	if !generic {
		return name
	}
	of = strings.TrimSuffix(of, "]")
	return name + "Of" + of[strings.LastIndexByte(of, '.')+1:]
}

// problemSchema describes the problem document (RFC 9457, 03 §4).
func problemSchema() object {
	codes := make([]string, len(inbox.Problems))
	for i, p := range inbox.Problems {
		codes[i] = string(p.Code)
	}
	field := object{"type": "object", "required": []string{"message", "path", "problem"}, "properties": object{
		"path":    object{"type": "string", "description": "the field, such as payload.startTime"},
		"problem": object{"type": "string", "enum": []string{string(inbox.Missing), string(inbox.Invalid)}},
		"message": object{"type": "string"},
	}}
	return object{"type": "object", "required": []string{"code", "detail", "status", "title", "type"}, "properties": object{
		"type":     object{"type": "string", "format": "uri"},
		"title":    object{"type": "string"},
		"status":   object{"type": "integer", "minimum": 400, "maximum": 599},
		"detail":   object{"type": "string"},
		"code":     object{"type": "string", "enum": codes},
		"fields":   object{"type": "array", "items": field},
		"details":  object{"type": "object", "description": "for machines; what it holds depends on the code"},
		"instance": object{"type": "string", "description": "the id of the request, of internal alone"},
	}}
}

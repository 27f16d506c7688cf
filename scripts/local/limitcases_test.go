package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"typedinbox/shared/inbox"
)

// limitCase is one body of a request with one field at or past its limit.
type limitCase struct {
	name  string
	path  string      // of the field
	fault inbox.Fault // "" when the field is within its limits
	body  any
	// null in place of a field that may be left out counts as left out. The
	// document does not say so: nobody need send it.
	null bool
}

// limits makes the cases of a JSON Schema around a body that is valid: every
// field it describes, from both sides. prefix stands before the paths.
func limits(schema map[string]any, valid map[string]any, prefix string) []limitCase {
	g := &limiter{}
	if valid == nil {
		valid = map[string]any{}
	}
	g.object(schema, plain(valid).(map[string]any), prefix, func(v any) any { return v })
	return g.cases
}

type limiter struct{ cases []limitCase }

// put places a value where the walk stands and answers the whole body.
type put func(any) any

func (g *limiter) add(path, what string, fault inbox.Fault, body any) {
	g.cases = append(g.cases, limitCase{name: fmt.Sprintf("%s %s", path, what), path: path, fault: fault, body: body, null: what == "null"})
}

// plain is a value as JSON reads it.
func plain(v any) any {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	var out any
	if err := json.Unmarshal(raw, &out); err != nil {
		panic(err)
	}
	return out
}

// described is a schema as JSON has it, one that may be null as what it is else.
func described(schema map[string]any) map[string]any {
	if either, ok := schema["anyOf"].([]any); ok {
		schema = either[0].(map[string]any)
	}
	if types, ok := schema["type"].([]any); ok {
		schema = maps.Clone(schema)
		schema["type"] = types[0]
	}
	return schema
}

func below(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

func names(v any) []string {
	var list []string
	for _, n := range asList(v) {
		list = append(list, n.(string))
	}
	return list
}

func asList(v any) []any { l, _ := v.([]any); return l }

func (g *limiter) object(schema, current map[string]any, path string, put put) {
	properties, _ := schema["properties"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		field := described(properties[name].(map[string]any))
		at := below(path, name)
		with := func(v any) any {
			next := maps.Clone(current)
			next[name] = v
			return put(next)
		}
		null := inbox.Fault("")
		if slices.Contains(names(schema["required"]), name) {
			null = inbox.Missing
			next := maps.Clone(current)
			delete(next, name)
			g.add(at, "left out", inbox.Missing, put(next))
		}
		g.add(at, "null", null, with(nil))
		value, ok := current[name]
		if !ok {
			value = sample(field)
		}
		g.field(field, value, at, with)
	}
	if more, ok := schema["additionalProperties"].(map[string]any); ok {
		g.field(described(more), sample(described(more)), below(path, "mon"), func(v any) any { return put(map[string]any{"mon": v}) })
	}
}

// field makes the cases of one value.
func (g *limiter) field(schema map[string]any, value any, path string, put put) {
	switch schema["type"] {
	case "object":
		g.add(path, "a string", inbox.Invalid, put("x"))
		g.add(path, "a list", inbox.Invalid, put([]any{}))
		current, ok := value.(map[string]any)
		if !ok {
			current = map[string]any{}
		}
		g.object(schema, current, path, put)
	case "array":
		g.list(schema, value, path, put)
	case "string":
		g.text(schema, path, put)
	case "integer":
		g.number(schema, path, put)
	case "boolean":
		g.add(path, "true", "", put(true))
		g.add(path, "a string", inbox.Invalid, put("true"))
		g.add(path, "a number", inbox.Invalid, put(1))
	}
}

func (g *limiter) list(schema map[string]any, value any, path string, put put) {
	items := described(schema["items"].(map[string]any))
	element := sample(items)
	if have := asList(value); len(have) > 0 {
		element = have[0]
	}
	many := func(n int) any { return slices.Repeat([]any{element}, n) }
	g.add(path, "no list", inbox.Invalid, put("x"))
	if hi, ok := schema["maxItems"].(float64); ok {
		lo := int(schema["minItems"].(float64))
		g.add(path, "full", "", put(many(int(hi))))
		g.add(path, "one too many", inbox.Invalid, put(many(int(hi)+1)))
		if lo > 0 {
			g.add(path, "one too few", inbox.Invalid, put(many(lo-1)))
		}
	}
	n := 1
	if lo, ok := schema["minItems"].(float64); ok {
		n = max(1, int(lo))
	}
	rest := slices.Repeat([]any{element}, n-1)
	one := func(v any) any { return put(append([]any{v}, rest...)) }
	g.add(below(path, "0"), "null", inbox.Missing, one(nil))
	g.field(items, element, below(path, "0"), one)
}

func (g *limiter) text(schema map[string]any, path string, put put) {
	g.add(path, "a number", inbox.Invalid, put(7))
	g.add(path, "an object", inbox.Invalid, put(map[string]any{}))
	g.add(path, "with a control character", inbox.Invalid, put("a\u0000b"))
	if enum := asList(schema["enum"]); enum != nil {
		for _, v := range enum {
			g.add(path, fmt.Sprint("one of the list: ", v), "", put(v))
		}
		g.add(path, "none of the list", inbox.Invalid, put("nothing"))
		return
	}
	if s, ok := formats[formatOf(schema)]; ok {
		for _, v := range s.good {
			g.add(path, fmt.Sprintf("%.30q", v), "", put(v))
		}
		for _, v := range s.bad {
			g.add(path, fmt.Sprintf("%.30q", v), inbox.Invalid, put(v))
		}
		return
	}
	lo, _ := schema["minLength"].(float64)
	hi, ok := schema["maxLength"].(float64)
	if !ok {
		return
	}
	// A character outside the first plane counts as one.
	g.add(path, "at most", "", put(strings.Repeat("𝔞", int(hi))))
	g.add(path, "one over", inbox.Invalid, put(strings.Repeat("a", int(hi)+1)))
	if lo > 0 {
		g.add(path, "at least", "", put(strings.Repeat("a", int(lo))))
		g.add(path, "one under", inbox.Invalid, put(strings.Repeat("a", int(lo)-1)))
	}
}

func (g *limiter) number(schema map[string]any, path string, put put) {
	g.add(path, "a string", inbox.Invalid, put("1"))
	g.add(path, "a fraction", inbox.Invalid, put(1.5))
	lo, ok := schema["minimum"].(float64)
	if !ok {
		return
	}
	hi := schema["maximum"].(float64)
	g.add(path, "the least", "", put(int64(lo)))
	g.add(path, "one under", inbox.Invalid, put(int64(lo)-1))
	g.add(path, "the most", "", put(int64(hi)))
	g.add(path, "one over", inbox.Invalid, put(int64(hi)+1))
}

// formats are strings with a form of their own.
var formats = map[string]struct{ good, bad []string }{
	"email": {
		[]string{"a@b.co", strings.Repeat("a", 64) + "@b.co", "a@" + strings.Repeat(strings.Repeat("b", 61)+".", 4) + "co"},
		[]string{"a", "a@b", "@b.co", "a b@c.co", strings.Repeat("a", 65) + "@b.co", "A <a@b.co>", "a@b..co"},
	},
	"date-time": {
		[]string{"2027-03-02T10:00:00Z", "2027-03-02T10:00:00.123+01:00"},
		[]string{"2027-03-02T10:00:00", "2027-03-02", "tomorrow", "2027-02-30T10:00:00Z"},
	},
	"^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$": {[]string{"09:00"}, nil}, // a fault is the window's
	"date":                {[]string{"2027-03-02"}, []string{"2027-02-30", "2027-3-2", "2027-03-02T10:00:00Z"}},
	"^[A-Za-z]{3}$":       {[]string{"EUR", "eur"}, []string{"EU", "EURO", "E1R"}},
	"^[A-Za-z]{2}$":       {[]string{"PT", "pt"}, []string{"P", "PRT", "1!", "  "}},
	"^[A-Za-z0-9_-]{43}$": {[]string{strings.Repeat("A", 43)}, []string{strings.Repeat("A", 42), strings.Repeat("A", 44), strings.Repeat("+", 43)}},
}

func formatOf(schema map[string]any) string {
	for _, name := range []string{"format", "pattern"} {
		if s, ok := schema[name].(string); ok {
			return s
		}
	}
	return ""
}

// sample is a small valid value of a schema.
func sample(schema map[string]any) any {
	switch schema["type"] {
	case "object":
		value := map[string]any{}
		properties, _ := schema["properties"].(map[string]any)
		for _, name := range names(schema["required"]) {
			value[name] = sample(described(properties[name].(map[string]any)))
		}
		return value
	case "array":
		lo, _ := schema["minItems"].(float64)
		return slices.Repeat([]any{sample(described(schema["items"].(map[string]any)))}, int(lo))
	case "integer":
		lo, _ := schema["minimum"].(float64)
		return lo
	case "boolean":
		return true
	}
	if enum := asList(schema["enum"]); enum != nil {
		return enum[0]
	}
	if s, ok := formats[formatOf(schema)]; ok {
		return s.good[0]
	}
	lo, _ := schema["minLength"].(float64)
	return strings.Repeat("a", max(1, int(lo)))
}

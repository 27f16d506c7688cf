package dynamo

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"

	"typedinbox/shared/table"
)

// filled writes an expression with its names and values in place.
func filled(t *testing.T, e *string, r rendered) string {
	t.Helper()
	text := aws.ToString(e)
	for _, placeholder := range slices.Sorted(maps.Keys(r.names)) {
		if len(placeholder) != 1+nameWidth {
			t.Errorf("placeholder %q", placeholder)
		}
		text = strings.ReplaceAll(text, placeholder, r.names[placeholder])
	}
	values, err := decode(r.values)
	if err != nil {
		t.Fatal(err)
	}
	for _, placeholder := range slices.Backward(slices.Sorted(maps.Keys(values))) {
		text = strings.ReplaceAll(text, placeholder, show(values[placeholder]))
	}
	return text
}

func show(v any) string {
	switch v := v.(type) {
	case string:
		return "'" + v + "'"
	case int64:
		return "i" + strings.Repeat("1", int(v))
	}
	return "?"
}

func TestCondition(t *testing.T) {
	for want, c := range map[string]table.Condition{
		"attribute_not_exists (pk)": table.Absent("pk"),
		"attribute_exists (a.b)":    table.Exists("a.b"),
		"s = 'v'":                   table.Eq{Name: "s", Value: "v"},
		"n < i1":                    table.Lt{Name: "n", Value: int64(1)},
		"n <= i11":                  table.Lte{Name: "n", Value: int64(2)},
		"NOT (s = 'v')":             table.Not{Of: table.Eq{Name: "s", Value: "v"}},
		"(s = 'v') AND (n < i1)":    table.And{table.Eq{Name: "s", Value: "v"}, table.Lt{Name: "n", Value: int64(1)}},
		"attribute_exists (x)":      table.Or{table.Exists("x")},
		"(attribute_exists (a)) OR (attribute_exists (b)) OR (attribute_exists (c))":          table.Or{table.Exists("a"), table.Exists("b"), table.Exists("c")},
		"(attribute_exists (pk)) OR (attribute_not_exists (pk))":                              table.And{},
		"(attribute_exists (pk)) AND (attribute_not_exists (pk))":                             table.Or{},
		"(NOT ((attribute_exists (a)) OR (attribute_exists (b)))) AND (attribute_exists (c))": table.And{table.Not{Of: table.Or{table.Exists("a"), table.Exists("b")}}, table.Exists("c")},
	} {
		r, err := renderAction(&table.Action{Kind: table.Check, If: c})
		if err != nil {
			t.Fatal(err)
		}
		if got := filled(t, r.condition, r); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestUpdate(t *testing.T) {
	for want, a := range map[string]table.Action{
		"SET s = 'v'":                          {Set: table.Row{"s": "v"}},
		"REMOVE a, b":                          {Remove: []string{"a", "b"}},
		"ADD n i1":                             {Add: map[string]int64{"n": 1}},
		"ADD n i1 REMOVE a SET s = 'v'":        {Set: table.Row{"s": "v"}, Remove: []string{"a"}, Add: map[string]int64{"n": 1}},
		"SET s = 'v' if attribute_exists (pk)": {Set: table.Row{"s": "v"}, If: table.Exists("pk")},
	} {
		a.Kind = table.Update
		r, err := renderAction(&a)
		if err != nil {
			t.Fatal(err)
		}
		got := filled(t, r.update, r)
		if r.condition != nil {
			got += " if " + filled(t, r.condition, r)
		}
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// The longest expressions the port lets through fit what DynamoDB takes.
func TestLongest(t *testing.T) {
	const limit = 4 << 10
	var or table.Or
	set := table.Row{}
	for i := range table.MaxTerms {
		or = append(or, table.Eq{Name: "a", Value: int64(i)})
		set[strings.Repeat("a", i+1)] = "v"
	}
	for name, a := range map[string]table.Action{
		"set": {Kind: table.Update, Set: set}, "or": {Kind: table.Check, If: or[:table.MaxTerms-1]},
	} {
		r, err := renderAction(&a)
		if err != nil {
			t.Fatal(err)
		}
		if n := max(len(aws.ToString(r.update)), len(aws.ToString(r.condition))); n > limit || n == 0 {
			t.Errorf("%s: an expression of %d bytes", name, n)
		}
	}
}

package schema

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

func (c cents) JSONSchema() map[string]any {
	return map[string]any{"type": "object", "required": []string{"value"}}
}

type either struct{}

func (either) JSONChoices() []any { return []any{inner{}, base{}} }

type answer struct {
	ID     string         `json:"id"`
	Subj   *string        `json:"subject"`
	Gone   *string        `json:"gone,omitempty"`
	Inner  inner          `json:"inner"`
	Price  *cents         `json:"price"`
	List   []inner        `json:"list"`
	Bag    map[string]any `json:"bag"`
	Either either         `json:"either"`
	Self   *answer        `json:"self,omitempty"`
	At     time.Time      `json:"at"`
	N      uint16         `json:"n"`
	Any    any            `json:"any"`
	Note   base2
}

// making is inner with a count that it needs.
type making struct{ inner }

func (making) JSONRequired() []string { return []string{"count"} }

// TestDescribe reads the description as JSON, since that is what it becomes.
func TestDescribe(t *testing.T) {
	tests := map[string]struct {
		got  any
		want string
	}{
		"ok/input": {Describe(reflect.TypeFor[inner]()), `{"type":"object","required":["name"],"properties":{
			"name":{"type":"string","minLength":1,"maxLength":5},
			"count":{"type":"integer","minimum":1,"maximum":9},
			"price":{"type":"object","required":["value"]}}}`},
		"ok/output": {DescribeOutput(reflect.TypeFor[inner]()), `{"type":"object","required":["name"],"properties":{
			"name":{"type":"string","minLength":1,"maxLength":5},
			"count":{"type":"integer","minimum":1,"maximum":9},
			"price":{"type":"object","required":["value"]},
			"inbox":{"type":"string"}}}`},
		"ok/formats": {Describe(reflect.TypeFor[struct {
			Mail string          `json:"mail" in:"email"`
			URL  string          `json:"url" in:"url"`
			Day  string          `json:"day" in:"date"`
			Cur  string          `json:"cur" in:"currency"`
			Code string          `json:"code" in:"match=^a,b$"`
			Enum *string         `json:"enum" in:"enum=a|b,nullable"`
			Obj  json.RawMessage `json:"obj" in:"object"`
			Any  json.RawMessage `json:"any"`
			Num  json.RawMessage `json:"num" in:"any=integer,num=0..7"`
			Host json.RawMessage `json:"host" in:"any=string,len=1..9"`
			Opt  Optional[int]   `json:"opt,omitzero" in:"nullable,num=0..9"`
			On   bool            `json:"on" in:"default=true"`
			Sort int             `json:"sort" in:"default=7"`
			F    float64         `json:"f" in:"num=0..50"`
			M    map[string]int  `json:"m" in:"items=0..5"`
			L    []string        `json:"l" in:"items=1..2,len=0..3"`
			P    [2]string       `json:"p"`
		}]()), `{"type":"object","properties":{
			"mail":{"type":"string","format":"email"},
			"url":{"type":"string","format":"uri","maxLength":2000},
			"day":{"type":"string","format":"date"},
			"cur":{"type":"string","pattern":"^[A-Za-z]{3}$"},
			"code":{"type":"string","pattern":"^a,b$"},
			"enum":{"anyOf":[{"type":"string","enum":["a","b"]},{"type":"null"}]},
			"obj":{"type":"object"}, "any":{},
			"num":{"type":["integer","null"],"minimum":0,"maximum":7},
			"host":{"type":["string","null"],"minLength":1,"maxLength":9},
			"opt":{"type":["integer","null"],"minimum":0,"maximum":9},
			"on":{"type":"boolean","default":true}, "sort":{"type":"integer","default":7},
			"f":{"type":"number","minimum":0,"maximum":50},
			"m":{"type":"object","minProperties":0,"maxProperties":5,"additionalProperties":{"type":"integer"}},
			"p":{"type":"array","minItems":2,"maxItems":2,"items":{"type":"string"}},
			"l":{"type":"array","minItems":1,"maxItems":2,"items":{"type":"string","maxLength":3}}}}`},
		"ok/answer": {DescribeOutput(reflect.TypeFor[answer]()), `{"type":"object",
			"required":["Note","any","at","bag","either","id","inner","list","n","price","subject"],"properties":{
			"id":{"type":"string"}, "subject":{"type":["string","null"]}, "gone":{"type":"string"},
			"inner":{"type":"object","required":["name"],"properties":{"name":{"type":"string","minLength":1,"maxLength":5},"count":{"type":"integer","minimum":1,"maximum":9},"price":{"type":"object","required":["value"]},"inbox":{"type":"string"}}},
			"price":{"type":["object","null"],"required":["value"]},
			"list":{"type":"array","items":{"type":"object","required":["name"],"properties":{"name":{"type":"string","minLength":1,"maxLength":5},"count":{"type":"integer","minimum":1,"maximum":9},"price":{"type":"object","required":["value"]},"inbox":{"type":"string"}}}},
			"bag":{"type":["object","null"],"additionalProperties":{}},
			"either":{"anyOf":[{"type":"object","required":["name"],"properties":{"name":{"type":"string","minLength":1,"maxLength":5},"count":{"type":"integer","minimum":1,"maximum":9},"price":{"type":"object","required":["value"]},"inbox":{"type":"string"}}},
				{"type":"object","properties":{"id":{"type":"string","maxLength":3}}}]},
			"self":{"type":"object"}, "at":{"type":"string","format":"date-time"}, "n":{"type":"integer"}, "any":{},
			"Note":{"type":"object","properties":{"note":{"type":"string"}}}}}`},
		"ok/demand": {Describe(reflect.TypeFor[making]()), `{"type":"object","required":["count","name"],"properties":{
			"name":{"type":"string","minLength":1,"maxLength":5},
			"count":{"type":"integer","minimum":1,"maximum":9},
			"price":{"type":"object","required":["value"]}}}`},
		"ok/list":   {DescribeOutput(reflect.TypeFor[[]string]()), `{"type":"array","items":{"type":"string"}}`},
		"ok/scalar": {DescribeOutput(reflect.TypeFor[int]()), `{"type":"integer"}`},
	}
	for name, c := range tests {
		t.Run(name, func(t *testing.T) {
			var got, want any
			written, err := json.Marshal(c.got)
			if err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(written, &got); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(c.want), &want); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(got, want) {
				t.Errorf("got  %s\nwant %s", written, c.want)
			}
		})
	}
}

func TestDescribeQuery(t *testing.T) {
	got := DescribeQuery(reflect.TypeFor[list]())
	if len(got) != 11 {
		t.Fatalf("%d parameters", len(got))
	}
	byName := map[string]Parameter{}
	for _, p := range got {
		byName[p.Name] = p
	}
	if p := byName["from"]; !p.Required || p.List {
		t.Errorf("%+v", p)
	}
	if p := byName["types"]; p.Required || !p.List || p.Schema["type"] != "array" {
		t.Errorf("%+v", p)
	}
	if p := byName["limit"]; p.Schema["default"] != 50 || p.Schema["maximum"] != int64(100) {
		t.Errorf("%+v", p)
	}
	if got[0].Name != "type" || got[len(got)-1].Name != "q" {
		t.Error("not in the order of the struct")
	}
}

// The description says of an input what the decoder does, whoever reads it.
func TestDescriptionAgrees(t *testing.T) {
	compiler := jsonschema.NewCompiler()
	written, err := json.Marshal(Describe(reflect.TypeFor[agreeing]()))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(written))
	if err != nil {
		t.Fatal(err)
	}
	if err := compiler.AddResource("mem:thing", doc); err != nil {
		t.Fatal(err)
	}
	described, err := compiler.Compile("mem:thing")
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range []string{
		`{}`, `{"name":"a"}`, `{"name":"abcdef"}`, `{"name":"😀😀😀😀😀"}`, `{"name":""}`, `{"name":"a","n":0}`, `{"name":"a","n":10}`,
		`{"name":"a","n":"1"}`, `{"name":"a","n":1.5}`, `{"name":"a","list":[]}`, `{"name":"a","list":["x","y"]}`, `{"name":"a","list":["x","y","z"]}`,
		`{"name":"a","list":["xxxx"]}`, `{"name":"a","enum":"a"}`, `{"name":"a","enum":"c"}`, `{"name":"a","unknown":1}`, `{"name":"a","obj":{}}`,
		`{"name":"a","obj":[]}`, `{"name":"a","opt":null}`, `{"name":"a","opt":10}`, `{"name":"a","in":{"name":"x"}}`, `{"name":"a","in":{}}`, `[]`, `"x"`,
	} {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(in))
		if err != nil {
			t.Fatal(err)
		}
		_, problems := Decode[agreeing]([]byte(in), "")
		if takes := described.Validate(value) == nil; takes != (problems == nil) {
			t.Errorf("%s: the schema takes it: %v, the decoder: %v", in, takes, problems)
		}
	}
}

type agreeing struct {
	Name string          `json:"name" in:"required,len=1..5"`
	N    int             `json:"n" in:"num=1..9"`
	List []string        `json:"list" in:"items=1..2,len=1..3"`
	Enum string          `json:"enum" in:"enum=a|b"`
	Obj  json.RawMessage `json:"obj" in:"object"`
	Opt  Optional[int]   `json:"opt,omitzero" in:"nullable,num=0..9"`
	In   *inner          `json:"in"`
}

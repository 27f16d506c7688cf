package check

import (
	"encoding/json"
	"fmt"
	"path"
	"sort"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Main is the stack's own template; the others hang under it.
const Main = "template.yaml"

// Deployment is the templates of the stack by path, as JSON would have them:
// maps, lists, strings, numbers, booleans; short forms of functions written out.
type Deployment struct {
	Product   Product
	Templates map[string]Tree
	Read      func(path string) ([]byte, error) // of the project's files
	List      func(dir string) ([]string, error)
}

// Product is what the deployment has to fit, as infra/describe prints it.
type Product struct {
	Tables  []Table
	TTL     string
	Keys    [2]string         // of every table
	Routes  map[string]string // route key → function
	Metrics []string          // that the workers count
}

// Table is a table of the store.
type Table struct {
	Name    string
	Stream  bool
	Indexes []struct{ Name, Partition, Sort string }
}

// Tree is one template or a part of it.
type Tree = map[string]any

// Load reads the main template and every nested one it names.
func Load(p Product, read func(string) ([]byte, error), list func(string) ([]string, error)) (*Deployment, error) {
	d := &Deployment{Product: p, Templates: map[string]Tree{}, Read: read, List: list}
	if err := d.load(Main); err != nil {
		return nil, err
	}
	for _, r := range d.Resources(Main) {
		if url, ok := at(r.Body, "Properties", "TemplateURL").(string); ok && r.Type == "AWS::CloudFormation::Stack" {
			if err := d.load(url); err != nil {
				return nil, err
			}
		}
	}
	return d, nil
}

func (d *Deployment) load(name string) error {
	raw, err := d.Read(name)
	if err != nil {
		return err
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(raw, &doc); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	v, err := plain(&doc)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	t, ok := v.(Tree)
	if !ok {
		return fmt.Errorf("%s: not a mapping", name)
	}
	d.Templates[name] = t
	return nil
}

// Resource is one resource of a template.
type Resource struct {
	File, ID, Type string
	Body           Tree
}

func (r Resource) String() string { return path.Base(r.File) + ": " + r.ID }

// Prop is a property of the resource by its path; nil when it is not there.
func (r Resource) Prop(keys ...string) any {
	return at(r.Body, append([]string{"Properties"}, keys...)...)
}

// Resources of one template, by id.
func (d *Deployment) Resources(file string) []Resource {
	all, _ := d.Templates[file]["Resources"].(Tree)
	var out []Resource
	for _, id := range names(all) {
		body, _ := all[id].(Tree)
		typ, _ := body["Type"].(string)
		out = append(out, Resource{File: file, ID: id, Type: typ, Body: body})
	}
	return out
}

// All resources of a type, over all templates; every type when it is "".
func (d *Deployment) All(typ string) (out []Resource) {
	for _, file := range names(d.Templates) {
		for _, r := range d.Resources(file) {
			if typ == "" || r.Type == typ {
				out = append(out, r)
			}
		}
	}
	return out
}

// Functions of the main template.
func (d *Deployment) Functions() []Resource { return d.All("AWS::Serverless::Function") }

// Stack is the resource that nests a template.
func (d *Deployment) Stack(file string) (Resource, bool) {
	for _, r := range d.All("AWS::CloudFormation::Stack") {
		if r.Prop("TemplateURL") == file {
			return r, true
		}
	}
	return Resource{}, false
}

// at walks down maps; nil when a step is missing.
func at(v any, keys ...string) any {
	for _, k := range keys {
		m, ok := v.(Tree)
		if !ok {
			return nil
		}
		v = m[k]
	}
	return v
}

func names[V any](m map[string]V) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Strings(out)
	return out
}

func list(v any) []any { a, _ := v.([]any); return a }

// text is a value on one line, functions included: what is compared and shown.
func text(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(b)
}

// plain turns a YAML node into what JSON would hold. !Ref, !GetAtt and the
// other short forms become their long ones.
func plain(n *yaml.Node) (any, error) {
	if t := n.Tag; strings.HasPrefix(t, "!") && !strings.HasPrefix(t, "!!") {
		return function(n, t[1:])
	}
	switch n.Kind {
	case yaml.DocumentNode:
		return plain(n.Content[0])
	case yaml.AliasNode:
		return nil, fmt.Errorf("line %d: CloudFormation takes no YAML aliases", n.Line)
	case yaml.MappingNode:
		m := Tree{}
		for i := 0; i < len(n.Content); i += 2 {
			k := n.Content[i].Value
			if _, twice := m[k]; twice {
				return nil, fmt.Errorf("line %d: %s stands twice", n.Content[i].Line, k)
			}
			v, err := plain(n.Content[i+1])
			if err != nil {
				return nil, err
			}
			m[k] = v
		}
		return m, nil
	case yaml.SequenceNode:
		a := make([]any, 0, len(n.Content))
		for _, c := range n.Content {
			v, err := plain(c)
			if err != nil {
				return nil, err
			}
			a = append(a, v)
		}
		return a, nil
	}
	return scalar(n)
}

func function(n *yaml.Node, name string) (any, error) {
	c := *n
	c.Tag = ""
	v, err := plain(&c)
	if err != nil {
		return nil, err
	}
	if name == "Ref" || name == "Condition" {
		return Tree{name: v}, nil
	}
	if s, ok := v.(string); ok && name == "GetAtt" {
		if id, attr, ok := strings.Cut(s, "."); ok {
			v = []any{id, attr}
		}
	}
	return Tree{"Fn::" + name: v}, nil
}

func scalar(n *yaml.Node) (any, error) {
	switch n.ShortTag() {
	case "!!int", "!!float":
		return json.Number(n.Value), nil
	case "!!bool":
		return n.Value == "true", nil
	case "!!null":
		return nil, nil
	}
	return n.Value, nil // dates such as 2012-10-17 stay text
}

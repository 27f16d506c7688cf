package settings

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"typedinbox/shared/inbox"
)

// Redacted is what a secret reads as; written back it keeps the stored secret
// (03 §11.1).
const Redacted = "(redacted)"

// MaxBytes is the largest document stored (03 §11.1).
const MaxBytes = 200 << 10

const (
	notYet    = "is not available yet"
	notObject = "must be an object"
)

// Patch applies a merge patch (RFC 7396) to a stored document, raw or nil, and
// answers the document to store. It is strict along the paths the patch
// touches and looks at nothing else, so an old stored value never blocks an
// unrelated change. mailDomain is the stack's; email.fromAddress must be at it.
//
// With problems, each at `doc.<path>`, nothing is to be stored. A value equal to
// the default of a key that is not stored is not stored either: defaults are
// never written back, also when a reader writes the document as it was read.
func Patch(raw, patch []byte, mailDomain string) (next []byte, problems []inbox.FieldProblem) {
	changes, err := parse(patch)
	if err != nil {
		return nil, []inbox.FieldProblem{invalid("doc", notObject)}
	}
	stored, err := parse(raw)
	if err != nil {
		stored = map[string]any{}
	}
	p := patcher{stored: stored, mailDomain: mailDomain}
	p.networks(changes)
	p.section(root, "doc", changes, stored)
	next, err = encode(merge(p.stored, changes))
	if err == nil && len(next) > MaxBytes {
		p.invalid("doc", fmt.Sprintf("must not be larger than %d KB", MaxBytes>>10))
	}
	if len(p.problems) > 0 || err != nil {
		return nil, p.problems
	}
	return next, nil
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

func invalid(path, message string) inbox.FieldProblem {
	return inbox.FieldProblem{Path: path, Problem: inbox.Invalid, Message: message}
}

// patcher checks a patch against the document it is for, and takes out of it
// what is not to be stored.
type patcher struct {
	stored     map[string]any
	mailDomain string
	problems   []inbox.FieldProblem
}

func (p *patcher) invalid(path, message string) {
	p.problems = append(p.problems, invalid(path, message))
}

// section checks the part of a patch below a section: known keys in the order
// of the table, then what is unknown. Unknown keys are refused at the top and
// dropped below (03 §3).
func (p *patcher) section(n *node, path string, patch, stored map[string]any) {
	known := map[string]bool{}
	for _, c := range n.children {
		known[c.name] = true
		if v, touched := patch[c.name]; touched && !(n == root && c.name == "networks") {
			p.child(c, path+"."+c.name, patch, stored, v)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(patch)) {
		switch {
		case known[name]:
		case n == root:
			p.invalid(path+"."+name, "is not a setting")
		default:
			delete(patch, name)
		}
	}
}

// child checks one entry of a patch: a key, or a section of its own.
func (p *patcher) child(c *node, path string, patch, stored map[string]any, v any) {
	if c.row != nil {
		p.key(c.row, path, patch, stored, v)
		return
	}
	switch v := v.(type) {
	case nil: // removes the section
	case map[string]any:
		old, _ := stored[c.name].(map[string]any)
		p.section(c, path, v, old)
		if _, there := stored[c.name]; !there && len(v) == 0 {
			delete(patch, c.name)
		}
	default:
		p.invalid(path, notObject)
	}
}

// key checks the value of one key; null removes it.
func (p *patcher) key(r *Row, path string, patch, stored map[string]any, v any) {
	name := path[strings.LastIndexByte(path, '.')+1:]
	old, there := stored[name]
	switch {
	case r.Kind == KindVersion, r.Secret && v == Redacted, v == nil && !there:
		delete(patch, name)
	case v == nil, there && r.unchanged(old, v):
	case r.Later && available(v):
		p.invalid(path, notYet)
	default:
		value, message := r.strict(v)
		switch {
		case message != "":
			p.invalid(path, message)
		case r.Path == "email.fromAddress" && !atDomain(v.(string), p.mailDomain):
			p.invalid(path, p.domainMessage())
		case !there && r.isDefault(value):
			delete(patch, name)
		}
	}
}

// unchanged: the value stands already and is one that is read. It is taken even
// where it could not be set today.
func (r *Row) unchanged(old, v any) bool {
	_, message := r.read(v)
	return message == "" && reflect.DeepEqual(old, v)
}

// available says whether a value would switch on what does not exist yet.
func available(v any) bool {
	switch v := v.(type) {
	case bool:
		return v
	case map[string]any:
		for _, entry := range v {
			if entry != nil {
				return true
			}
		}
	}
	return false
}

func atDomain(address, domain string) bool {
	return domain != "" && strings.EqualFold(address[strings.LastIndexByte(address, '@')+1:], domain)
}

func (p *patcher) domainMessage() string {
	if p.mailDomain == "" {
		return "cannot be set: this inbox has no mail domain"
	}
	return "must be an address at " + p.mailDomain
}

// isDefault says whether a value read is what the key holds when unset.
func (r *Row) isDefault(value any) bool {
	if r.Default == nil {
		return false
	}
	switch d := r.Default.(type) {
	case int:
		if n, ok := value.(int64); ok {
			return n == int64(d)
		}
	case map[string]any:
		return reflect.ValueOf(value).Len() == 0
	case []string:
		return slices.Equal(d, value.([]string))
	}
	return r.Default == value
}

package check

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"
)

// Events of a function, by name.
func eventsOf(r Resource) Tree { t, _ := r.Prop("Events").(Tree); return t }

// Folder is a function's name: that of its folder.
func folder(r Resource) string {
	uri, _ := r.Prop("CodeUri").(string)
	return strings.TrimSuffix(strings.TrimPrefix(uri, "functions/"), "/")
}

// routes compares the routes of the template with the operation table.
func routes(d *Deployment, _ *Schemas, say sayer) {
	served := map[string]string{}
	for _, f := range d.Functions() {
		for _, name := range names(eventsOf(f)) {
			e := eventsOf(f)[name]
			if at(e, "Type") != "HttpApi" {
				continue
			}
			key := "$default"
			if path := at(e, "Properties", "Path"); path != nil {
				key = text(at(e, "Properties", "Method")) + " " + text(path)
			}
			if other, twice := served[key]; twice {
				say("%s is served by %s and by %s", key, other, folder(f))
			}
			served[key] = folder(f)
		}
	}
	wanted := d.Product.Routes
	for _, key := range names(wanted) {
		if served[key] == "" {
			say("%s of the operation table is no route", key)
		} else if served[key] != wanted[key] {
			say("%s is served by %s and belongs to %s", key, served[key], wanted[key])
		}
	}
	for _, key := range names(served) {
		if wanted[key] == "" {
			say("%s is a route of no operation", key)
		}
	}
}

// Registry is where the local run keeps function name → constructor.
const Registry = "scripts/local/registry.go"

// functions holds template, folders and the local run's registry equal.
func functions(d *Deployment, _ *Schemas, say sayer) {
	inTemplate := map[string]bool{}
	for _, f := range d.Functions() {
		name := folder(f)
		inTemplate[name] = true
		if want := camel(name); f.ID != want {
			say("%s is the code of %s and should be called %s", name, f.ID, want)
		}
		for property, want := range map[string]string{
			"CodeUri":       "functions/" + name + "/",
			"FunctionName":  `{"Fn::Sub":"${InboxName}-` + name + `"}`,
			"Role":          `{"Fn::GetAtt":["Roles","Outputs.` + f.ID + `"]}`,
			"LoggingConfig": `{"LogGroup":{"Ref":"` + f.ID + `Log"}}`,
		} {
			if got := text(f.Prop(property)); got != want {
				say("%s: %s is %s, not %s", f, property, got, want)
			}
		}
		if _, err := d.Read("functions/" + name + "/main.go"); err != nil {
			say("%s: there is no functions/%s/main.go", f, name)
		}
	}
	folders, err := d.List("functions")
	if err != nil {
		say("functions: %v", err)
	}
	for _, name := range folders {
		if !inTemplate[name] {
			say("functions/%s is not in the template", name)
		}
	}
	registered(d, inTemplate, say)
}

func registered(d *Deployment, inTemplate map[string]bool, say sayer) {
	src, err := d.Read(Registry)
	if err != nil {
		say("the local registry cannot be read: %v", err)
		return
	}
	known, err := registryNames(src)
	if err != nil {
		say("%s: %v", Registry, err)
	}
	for _, name := range names(inTemplate) {
		if !known[name] {
			say("%s is not in the local registry", name)
		}
	}
	for _, name := range names(known) {
		if !inTemplate[name] {
			say("%s is in the local registry and not in the template", name)
		}
	}
}

// registryNames are the functions the local run has: the keys of its `registry`
// and the names in its `workers`.
func registryNames(src []byte) (map[string]bool, error) {
	f, err := parser.ParseFile(token.NewFileSet(), Registry, src, 0)
	if err != nil {
		return nil, err
	}
	found := map[string]bool{}
	for _, name := range []string{"registry", "workers"} {
		lit := literal(f, name)
		if lit == nil {
			return found, fmt.Errorf("there is no %s", name)
		}
		for _, e := range lit.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Key
			}
			if s, ok := e.(*ast.BasicLit); ok && s.Kind == token.STRING {
				name, err := strconv.Unquote(s.Value)
				if err != nil {
					return found, err
				}
				found[name] = true
			}
		}
	}
	return found, nil
}

// literal is the composite literal that a package variable is set to.
func literal(f *ast.File, name string) *ast.CompositeLit {
	for _, d := range f.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok {
			continue
		}
		for _, s := range g.Specs {
			v, ok := s.(*ast.ValueSpec)
			if ok && len(v.Names) == 1 && v.Names[0].Name == name && len(v.Values) == 1 {
				lit, _ := v.Values[0].(*ast.CompositeLit)
				return lit
			}
		}
	}
	return nil
}

// camel is the logical id of a function: get-item is GetItem.
func camel(name string) string {
	var b strings.Builder
	for _, part := range strings.Split(name, "-") {
		if part != "" {
			b.WriteString(strings.ToUpper(part[:1]) + part[1:])
		}
	}
	return b.String()
}

// workers are the functions that answer no request, with their memory (09).
var workers = map[string]string{"receive-mail": "512", "mail-feedback": "256", "outbox": "512", "sweep": "256", "daily": "256"}

// runtime holds every function to 08 §1.
func runtime(d *Deployment, _ *Schemas, say sayer) {
	globals, _ := at(d.Templates[Main], "Globals", "Function").(Tree)
	for _, f := range d.Functions() {
		get := func(name string) string {
			if v := f.Prop(name); v != nil {
				return text(v)
			}
			return text(globals[name])
		}
		timeout, memory := "10", "256"
		if m, ok := workers[folder(f)]; ok {
			timeout, memory = "60", m
		}
		for name, want := range map[string]string{"Runtime": "provided.al2023", "Architectures": `["arm64"]`, "Handler": "bootstrap", "Timeout": timeout, "MemorySize": memory} {
			if got := get(name); got != want {
				say("%s: %s is %s, not %s", f, name, got, want)
			}
		}
		if at(f.Body, "Metadata", "BuildMethod") != "go1.x" {
			say("%s: is not built with BuildMethod go1.x", f)
		}
	}
}

package check

import (
	"regexp"
	"strings"
)

type sayer = func(format string, args ...any)

// fitTypes judges every resource, and the properties all functions share.
func fitTypes(d *Deployment, s *Schemas, say sayer) {
	for _, r := range d.All("") {
		for _, c := range s.Judge(r.Type, r.Body["Properties"]) {
			say("%s: %s", r, c)
		}
		for k := range r.Body {
			switch k {
			case "Type", "Properties", "Metadata", "DependsOn", "Condition", "DeletionPolicy", "UpdateReplacePolicy", "UpdatePolicy", "CreationPolicy":
			default:
				say("%s: %s is no part of a resource", r, k)
			}
		}
		readOnly(r, s, say)
	}
	for _, c := range s.Judge("AWS::Serverless::Function", at(d.Templates[Main], "Globals", "Function")) {
		say("Globals.Function: %s", c)
	}
}

// readOnly finds properties that can only be read.
func readOnly(r Resource, s *Schemas, say sayer) {
	if strings.HasPrefix(r.Type, "AWS::Serverless::") {
		return
	}
	source, err := s.Source(r.Type)
	if err != nil {
		return // told by fitTypes
	}
	for _, p := range list(source["readOnlyProperties"]) {
		name := strings.TrimPrefix(text(p), "/properties/")
		if r.Prop(strings.Split(name, "/")...) != nil {
			say("%s: %s can only be read", r, name)
		}
	}
}

// samAttributes are what GetAtt gives of SAM's own resources.
var samAttributes = map[string][]string{
	"AWS::Serverless::Function": {"Arn"},
	"AWS::Serverless::HttpApi":  {},
}

var substitution = regexp.MustCompile(`\$\{([^!}][^}]*)\}`)

// references follows Ref, GetAtt, Sub, If and Condition.
func references(d *Deployment, s *Schemas, say sayer) {
	for _, file := range names(d.Templates) {
		t := d.Templates[file]
		f := follower{d, s, file, t, say, map[string]bool{}}
		for _, part := range []string{"Conditions", "Globals", "Resources", "Outputs"} {
			f.walk(t[part], part)
		}
		params, _ := t["Parameters"].(Tree)
		for _, p := range names(params) {
			if !f.used[p] {
				say("%s: parameter %s is never used", file, p)
			}
		}
	}
}

type follower struct {
	d    *Deployment
	s    *Schemas
	file string
	t    Tree
	say  sayer
	used map[string]bool
}

func (f *follower) walk(v any, where string) {
	switch x := v.(type) {
	case []any:
		for _, e := range x {
			f.walk(e, where)
		}
	case Tree:
		for _, k := range names(x) {
			f.function(k, x[k], where)
			f.walk(x[k], where+"/"+k)
		}
	}
}

func (f *follower) function(name string, arg any, where string) {
	s, isText := arg.(string)
	switch {
	case name == "Ref" && isText:
		f.ref(s, where)
	case name == "Fn::GetAtt":
		if a := list(arg); len(a) == 2 {
			f.attribute(text(a[0]), text(a[1]), where)
		}
	case name == "Fn::Sub" && isText:
		f.substitutions(s, nil, where)
	case name == "Fn::Sub" && len(list(arg)) == 2:
		f.substitutions(text(list(arg)[0]), list(arg)[1], where)
	case name == "Fn::If":
		if a := list(arg); len(a) > 0 {
			f.condition(text(a[0]), where)
		}
	case name == "Condition" && isText:
		f.condition(s, where)
	}
}

// substitutions follows what stands in ${} of a text, but for the names that the
// text brings itself.
func (f *follower) substitutions(s string, own any, where string) {
	for _, m := range substitution.FindAllStringSubmatch(s, -1) {
		id, attr, isAttribute := strings.Cut(m[1], ".")
		switch {
		case at(own, m[1]) != nil:
		case isAttribute:
			f.attribute(id, attr, where)
		default:
			f.ref(m[1], where)
		}
	}
}

func (f *follower) ref(name, where string) {
	f.used[name] = true
	if strings.HasPrefix(name, "AWS::") || at(f.t, "Parameters", name) != nil || at(f.t, "Resources", name) != nil {
		return
	}
	f.say("%s: %s refers to %s, which does not exist", f.file, where, name)
}

func (f *follower) condition(name, where string) {
	if at(f.t, "Conditions", name) == nil && !strings.Contains(where, "Action") && !strings.Contains(where, "AssumeRole") {
		f.say("%s: %s names condition %s, which does not exist", f.file, where, name)
	}
}

func (f *follower) attribute(id, attr, where string) {
	body, ok := at(f.t, "Resources", id).(Tree)
	if !ok {
		f.say("%s: %s refers to %s, which does not exist", f.file, where, id)
		return
	}
	r := Resource{f.file, id, text(body["Type"]), body}
	if out, nested := strings.CutPrefix(attr, "Outputs."); nested {
		if url, _ := r.Prop("TemplateURL").(string); at(f.d.Templates[url], "Outputs", out) == nil {
			f.say("%s: %s wants output %s of %s, which it does not have", f.file, where, out, id)
		}
		return
	}
	if known, ok := samAttributes[r.Type]; ok {
		if !contains(known, attr) {
			f.say("%s: %s wants %s of %s, which it does not have", f.file, where, attr, id)
		}
		return
	}
	source, err := f.s.Source(r.Type)
	if err != nil {
		return // told by fitTypes
	}
	path := "/properties/" + strings.ReplaceAll(attr, ".", "/")
	for _, p := range append(list(source["readOnlyProperties"]), list(source["primaryIdentifier"])...) {
		if text(p) == path {
			return
		}
	}
	if at(source, "properties", attr) == nil {
		f.say("%s: %s wants %s of %s, which it does not have", f.file, where, attr, id)
	}
}

func contains(all []string, s string) bool {
	for _, a := range all {
		if a == s {
			return true
		}
	}
	return false
}

// parameters holds nested stacks to the parameters of their templates.
func parameters(d *Deployment, _ *Schemas, say sayer) {
	for _, r := range d.All("AWS::CloudFormation::Stack") {
		declared, _ := at(d.Templates[text(r.Prop("TemplateURL"))], "Parameters").(Tree)
		given, _ := r.Prop("Parameters").(Tree)
		for _, p := range names(given) {
			if declared[p] == nil {
				say("%s: gives %s, which its template does not declare", r, p)
			}
		}
		for _, p := range names(declared) {
			if given[p] == nil && at(declared[p], "Default") == nil {
				say("%s: does not give %s", r, p)
			}
		}
	}
}

package check

import (
	"slices"
	"strings"
)

// order looks for resources of a template that wait for each other, which
// CloudFormation refuses. What SAM makes of a function's HTTP events waits for the
// API, and the API for the functions, so those events are left out; whatever else
// of a function names the API would be a circle.
func order(d *Deployment, _ *Schemas, say sayer) {
	for _, file := range names(d.Templates) {
		waits := map[string][]string{}
		for _, r := range d.Resources(file) {
			waits[r.ID] = waitsFor(d, r)
			if r.Type == "AWS::Serverless::Function" && len(eventsOf(r)) > 0 {
				for _, api := range d.Resources(file) {
					if api.Type == "AWS::Serverless::HttpApi" {
						waits[api.ID] = append(waits[api.ID], r.ID)
					}
				}
			}
		}
		if circle := circleIn(waits); circle != nil {
			say("%s: %s wait for each other", file, strings.Join(circle, ", "))
		}
	}
}

// waitsFor lists the resources that one names. Every function has the shared
// properties too.
func waitsFor(d *Deployment, r Resource) (on []string) {
	add := func(id string) {
		if id, _, _ = strings.Cut(id, "."); at(d.Templates[r.File], "Resources", id) != nil && id != r.ID {
			on = append(on, id)
		}
	}
	var walk func(v any)
	walk = func(v any) {
		switch x := v.(type) {
		case []any:
			for _, e := range x {
				walk(e)
			}
		case Tree:
			for _, k := range names(x) {
				s, isText := x[k].(string)
				switch {
				case r.Type == "AWS::Serverless::Function" && k == "Events":
					continue
				case k == "Ref" && isText:
					add(s)
				case k == "Fn::GetAtt" && len(list(x[k])) > 0:
					add(text(list(x[k])[0]))
				case k == "Fn::Sub":
					for _, m := range substitution.FindAllStringSubmatch(text(x[k]), -1) {
						add(m[1])
					}
				case k == "DependsOn":
					for _, id := range each(x[k]) {
						add(text(id))
					}
				}
				walk(x[k])
			}
		}
	}
	walk(r.Body)
	if r.Type == "AWS::Serverless::Function" {
		walk(at(d.Templates[r.File], "Globals", "Function"))
	}
	return on
}

// circleIn is the way round of resources that wait for each other, nil for none.
func circleIn(waits map[string][]string) []string {
	done := map[string]bool{}
	var way []string
	var visit func(id string) []string
	visit = func(id string) []string {
		if i := slices.Index(way, id); i >= 0 {
			return slices.Clone(way[i:])
		}
		if done[id] {
			return nil
		}
		way = append(way, id)
		for _, next := range waits[id] {
			if circle := visit(next); circle != nil {
				return circle
			}
		}
		way, done[id] = way[:len(way)-1], true
		return nil
	}
	for _, id := range names(waits) {
		if circle := visit(id); circle != nil {
			return circle
		}
	}
	return nil
}

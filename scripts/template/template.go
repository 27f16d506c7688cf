// Package template reads from the deployment template what a run on one machine
// needs to know of it: the functions and their routes (00 §7).
package template

import (
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// Function is one function of the template.
type Function struct {
	Name    string        // of its folder
	Timeout time.Duration // its own, else the template's
	Routes  []Route       // in the order of their keys
}

// Route is one HTTP event: method and path as the template writes them, the method
// in capitals; both "" for $default.
type Route struct{ Method, Path string }

// Key names the route as the gateway does.
func (r Route) Key() string {
	if r.Path == "" {
		return "$default"
	}
	return r.Method + " " + r.Path
}

// Read lists the functions of a template, by name.
func Read(file string) ([]Function, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var t struct {
		Globals struct {
			Function struct {
				Timeout int `yaml:"Timeout"`
			} `yaml:"Function"`
		} `yaml:"Globals"`
		Resources map[string]struct {
			Type       string    `yaml:"Type"`
			Properties yaml.Node `yaml:"Properties"`
		} `yaml:"Resources"`
	}
	if err := yaml.Unmarshal(raw, &t); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var all []Function
	for id, r := range t.Resources {
		if r.Type != "AWS::Serverless::Function" {
			continue
		}
		p := properties{Timeout: t.Globals.Function.Timeout}
		if err := r.Properties.Decode(&p); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", file, id, err)
		}
		all = append(all, p.function())
	}
	slices.SortFunc(all, func(a, b Function) int { return strings.Compare(a.Name, b.Name) })
	return all, nil
}

// properties are what a function has in the template.
type properties struct {
	CodeUri string `yaml:"CodeUri"`
	Timeout int    `yaml:"Timeout"`
	Events  map[string]struct {
		Type       string `yaml:"Type"`
		Properties struct {
			Method string `yaml:"Method"`
			Path   string `yaml:"Path"`
		} `yaml:"Properties"`
	} `yaml:"Events"`
}

func (p properties) function() Function {
	f := Function{Name: path.Base(p.CodeUri), Timeout: time.Duration(p.Timeout) * time.Second}
	for _, e := range p.Events {
		if e.Type != "HttpApi" {
			continue
		}
		r := Route{Method: strings.ToUpper(e.Properties.Method), Path: e.Properties.Path}
		if r.Path == "" || r.Path == "$default" {
			r = Route{}
		}
		f.Routes = append(f.Routes, r)
	}
	slices.SortFunc(f.Routes, func(a, b Route) int { return strings.Compare(a.Key(), b.Key()) })
	return f
}

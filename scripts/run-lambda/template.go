package main

import (
	"fmt"
	"os"
	"path"
	"sort"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// function is one function of the template.
type function struct {
	name    string // of its folder
	timeout time.Duration
	routes  []route
}

// route is one HTTP event: method and path as the template writes them, both ""
// for $default.
type route struct{ method, path string }

// key names the route as the gateway does.
func (r route) key() string {
	if r.path == "" {
		return "$default"
	}
	return r.method + " " + r.path
}

// properties is what the run needs to know of a function.
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

// readTemplate lists the functions of a template, by name.
func readTemplate(file string) ([]function, error) {
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
	var all []function
	for id, r := range t.Resources {
		if r.Type != "AWS::Serverless::Function" {
			continue
		}
		p := properties{Timeout: t.Globals.Function.Timeout}
		if err := r.Properties.Decode(&p); err != nil {
			return nil, fmt.Errorf("%s: %s: %w", file, id, err)
		}
		all = append(all, functionOf(p))
	}
	sort.Slice(all, func(i, j int) bool { return all[i].name < all[j].name })
	return all, nil
}

func functionOf(p properties) function {
	f := function{name: path.Base(p.CodeUri), timeout: time.Duration(p.Timeout) * time.Second}
	for _, e := range p.Events {
		if e.Type != "HttpApi" {
			continue
		}
		r := route{method: strings.ToUpper(e.Properties.Method), path: e.Properties.Path}
		if r.path == "" || r.path == "$default" {
			r = route{}
		}
		f.routes = append(f.routes, r)
	}
	return f
}

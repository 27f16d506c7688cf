package main

import (
	"fmt"
	"net/http"
	"os"
	"path"
	"sort"
	"strings"

	"gopkg.in/yaml.v3"
)

// route is one path of the template and the function behind it.
type route struct {
	method   string // "" for every method
	path     string // as net/http writes patterns; "" for $default
	function string
}

// readRoutes takes the routes from the deployment template, so a function that
// it does not route is not reachable here either (00 §7).
func readRoutes(file string) ([]route, error) {
	raw, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var template struct {
		Resources map[string]struct {
			Type       string    `yaml:"Type"`
			Properties yaml.Node `yaml:"Properties"`
		} `yaml:"Resources"`
	}
	if err := yaml.Unmarshal(raw, &template); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var routes []route
	for _, r := range template.Resources {
		if r.Type != "AWS::Serverless::Function" {
			continue
		}
		found, err := functionRoutes(&r.Properties)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		routes = append(routes, found...)
	}
	sort.Slice(routes, func(i, j int) bool { return routes[i].path+routes[i].method < routes[j].path+routes[j].method })
	return routes, nil
}

// functionRoutes reads the HTTP events of one function.
func functionRoutes(properties *yaml.Node) ([]route, error) {
	var p struct {
		CodeUri string `yaml:"CodeUri"`
		Events  map[string]struct {
			Type       string `yaml:"Type"`
			Properties struct {
				Method string `yaml:"Method"`
				Path   string `yaml:"Path"`
			} `yaml:"Properties"`
		} `yaml:"Events"`
	}
	if err := properties.Decode(&p); err != nil {
		return nil, err
	}
	var routes []route
	for _, e := range p.Events {
		if e.Type != "HttpApi" {
			continue
		}
		r := route{method: strings.ToUpper(e.Properties.Method), path: e.Properties.Path, function: path.Base(p.CodeUri)}
		if r.path == "" || r.path == "$default" {
			r = route{function: r.function}
		}
		if r.method == "ANY" {
			r.method = ""
		}
		routes = append(routes, r)
	}
	return routes, nil
}

// methods are the functions of one path by method, "" for any.
type methods map[string]http.Handler

// mux serves the template's routes with the functions of the registry, the way
// an HTTP API matches: a literal path before a parameter, $default for the rest
// and for a method that the path does not route. HEAD is no GET there.
func mux(routes []route, functions map[string]http.Handler) (http.Handler, error) {
	var fallback http.Handler
	paths := map[string]methods{}
	for _, r := range routes {
		h, ok := functions[r.function]
		switch {
		case !ok:
			return nil, fmt.Errorf("the template routes %s %s to %s, which this run does not have", r.method, r.path, r.function)
		case r.path == "":
			fallback = h
		case paths[r.path] == nil:
			paths[r.path] = methods{r.method: h}
		default:
			paths[r.path][r.method] = h
		}
	}
	if fallback == nil {
		return nil, fmt.Errorf("the template has no $default route")
	}
	m := http.NewServeMux()
	for path, by := range paths {
		m.Handle(exact(path), by.or(fallback))
	}
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		if h, pattern := m.Handler(req); pattern != "" {
			h.ServeHTTP(w, req)
			return
		}
		fallback.ServeHTTP(w, req)
	}), nil
}

// or is the functions of a path, and what takes the methods it does not route.
func (by methods) or(fallback http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		for _, method := range []string{req.Method, ""} {
			if h := by[method]; h != nil {
				h.ServeHTTP(w, req)
				return
			}
		}
		fallback.ServeHTTP(w, req)
	})
}

// exact makes a pattern that ends in a slash match that path alone.
func exact(p string) string {
	if strings.HasSuffix(p, "/") {
		return p + "{$}"
	}
	return strings.ReplaceAll(p, "+}", "...}")
}

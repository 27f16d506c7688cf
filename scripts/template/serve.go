package template

import (
	"errors"
	"net/http"
	"path"
	"strings"
)

// MaxBody is the largest body that the gateway takes, in bytes.
const MaxBody = 10 << 20

// Serve matches requests to routes as an HTTP API does: a literal path before a
// parameter; HEAD is no GET; $default takes the rest, a method that the path does
// not route among it. A method ANY takes those that have no route of their own.
func Serve(routes map[Route]http.Handler) (http.Handler, error) {
	fallback := routes[Route{}]
	if fallback == nil {
		return nil, errors.New("the template has no $default route")
	}
	paths := map[string]methods{}
	for r, h := range routes {
		if r.Path == "" {
			continue
		}
		if paths[r.Path] == nil {
			paths[r.Path] = methods{"": fallback}
		}
		paths[r.Path][strings.TrimSuffix(r.Method, "ANY")] = h
	}
	m := http.NewServeMux()
	for p, by := range paths {
		m.Handle(pattern(p), by)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, found := m.Handler(r); found == "" || !clean(r.URL.Path) {
			fallback.ServeHTTP(w, r)
			return
		}
		m.ServeHTTP(w, r)
	}), nil
}

// clean says whether a path is as it is routed; the mux would redirect any other.
func clean(p string) bool { return path.Clean(p) == p || path.Clean(p)+"/" == p }

// methods are the handlers of one path, "" for the methods that have none.
type methods map[string]http.Handler

func (by methods) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := by[r.Method]
	if h == nil {
		h = by[""]
	}
	h.ServeHTTP(w, r)
}

// pattern is a path of the template as net/http writes it.
func pattern(p string) string {
	p = strings.ReplaceAll(p, "+}", "...}")
	if strings.HasSuffix(p, "/") {
		p += "{$}" // that path alone
	}
	return p
}

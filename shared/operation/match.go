package operation

import (
	"slices"
	"strings"
)

// Find is the route among several that a method and an escaped path name, with
// the path's parameters still escaped. Of two that fit, the one whose first
// parameter comes later wins, as in the HTTP API.
func Find(routes []Route, method, escaped string) (r Route, params map[string]string, ok bool) {
	best := -1
	for _, candidate := range routes {
		if candidate.Method != method {
			continue
		}
		got, fits := match(candidate.Path, escaped)
		fixed := strings.IndexByte(candidate.Path+"{", '{')
		if fits && fixed > best {
			r, params, ok, best = candidate, got, true, fixed
		}
	}
	return r, params, ok
}

// match fits an escaped path into a pattern, segment by segment. A parameter is
// never empty.
func match(pattern, escaped string) (map[string]string, bool) {
	want, have := strings.Split(pattern, "/"), strings.Split(escaped, "/")
	if len(want) != len(have) {
		return nil, false
	}
	var params map[string]string
	for i, segment := range want {
		name, isParam := Param(segment)
		switch {
		case isParam && have[i] == "":
			return nil, false
		case isParam:
			if params == nil {
				params = map[string]string{}
			}
			params[name] = have[i]
		case segment != have[i]:
			return nil, false
		}
	}
	return params, true
}

// Methods lists the methods that a path has among the routes, and those of them
// that a page of another origin may use; both sorted.
func Methods(routes []Route, escaped string) (all, cors []string) {
	for _, r := range routes {
		if _, ok := match(r.Path, escaped); ok {
			all = append(all, r.Method)
			if r.Op.CORS {
				cors = append(cors, r.Method)
			}
		}
	}
	slices.Sort(all)
	slices.Sort(cors)
	return slices.Compact(all), slices.Compact(cors)
}

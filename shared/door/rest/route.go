package rest

import (
	"context"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"typedinbox/shared/inbox"
	"typedinbox/shared/operation"
)

// exchange is one request on its way.
type exchange struct {
	*http.Request
	op      *operation.Op
	route   string            // the pattern, for the log
	params  map[string]string // of the path, decoded
	id      string            // of the request
	origin  string
	caller  inbox.Caller
	problem *inbox.Problem // what was answered, for the log
}

// route is an operation with what serves it.
type route struct {
	op    *operation.Op
	serve func(s Site, x *exchange) (inbox.Answer, error)
}

// on serves an operation with a function of the core. The operation's input type
// is the function's, or the program is wrong.
func on[T any](op *operation.Op, f func(context.Context, inbox.Call, T) (inbox.Answer, error)) route {
	if op.In != reflect.TypeFor[T]() {
		panic("rest: " + op.ID + " takes " + op.In.String() + ", not " + reflect.TypeFor[T]().String())
	}
	b := binderOf[T](op)
	return route{op, func(s Site, x *exchange) (inbox.Answer, error) {
		if err := s.admit(x); err != nil {
			return inbox.Answer{}, err
		}
		call, req, err := b.bind(x)
		if err != nil {
			return inbox.Answer{}, err
		}
		return f(x.Context(), call, req)
	}}
}

// plain serves an operation that asks nobody who is calling.
func plain(op *operation.Op, f func(x *exchange) (inbox.Answer, error)) route {
	return route{op, func(_ Site, x *exchange) (inbox.Answer, error) { return f(x) }}
}

// find is the route among several that a method and an escaped path name. Of two
// that fit, the one whose first parameter comes later wins.
func find(routes []operation.Route, method, escaped string) (r operation.Route, params map[string]string, ok bool) {
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
		name, isParam := operation.Param(segment)
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

// methods lists the methods a path has, in the order of the alphabet.
func methods(routes []operation.Route, escaped string) (names []string, cors []string) {
	for _, r := range routes {
		if _, ok := match(r.Path, escaped); ok {
			names = append(names, r.Method)
			if r.Op.CORS {
				cors = append(cors, r.Method)
			}
		}
	}
	slices.Sort(names)
	slices.Sort(cors)
	return slices.Compact(names), slices.Compact(cors)
}

// decode undoes the percent-encoding of the path's parameters. Bytes that are no
// text are bad_request.
func decode(params map[string]string) error {
	for name, escaped := range params {
		value, err := url.PathUnescape(escaped)
		if err != nil || !utf8.ValidString(value) {
			return inbox.Refuse(inbox.CodeBadRequest, "The path cannot be read; check its percent signs.")
		}
		params[name] = value
	}
	return nil
}

package rest

import (
	"fmt"
	"net/http"
	"runtime/debug"
	"time"

	"typedinbox/shared/identity"
	"typedinbox/shared/inbox"
	"typedinbox/shared/operation"
)

// function is the handler of one function: its routes, and for anything else the
// answer of the route that takes the rest.
func (s Site) function(routes ...route) http.Handler {
	var known []operation.Route
	serve := map[*operation.Op]route{}
	for _, r := range routes {
		serve[r.op] = r
		for _, path := range r.op.Paths {
			known = append(known, operation.Route{Method: r.op.Method, Path: path, Function: r.op.Function, Op: r.op})
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		x := &exchange{Request: r, route: operation.Fallback, id: requestID(r), origin: s.origin(r)}
		found, params, ok := operation.Find(known, r.Method, r.URL.EscapedPath())
		var answer reply
		if ok {
			x.op, x.route, x.params = found.Op, found.Key(), params
			answer = s.run(x, serve[found.Op])
		} else {
			answer = s.unrouted(x)
		}
		answer.write(w)
		s.record(x, answer.status, time.Since(start))
	})
}

// run serves a route and turns whatever happens into an answer.
func (s Site) run(x *exchange, r route) (out reply) {
	defer func() {
		if v := recover(); v != nil {
			s.log().ErrorContext(x.Context(), "the handler panicked", "request_id", x.id, "route", x.route,
				"panic", fmt.Sprint(v), "stack", string(debug.Stack()))
			out = s.refuse(x, inbox.Refuse(inbox.CodeInternal, ""))
		}
	}()
	if err := decode(x.params); err != nil {
		return s.refuse(x, err)
	}
	answer, err := r.serve(s, x)
	if err != nil {
		return s.refuse(x, err)
	}
	return s.render(x, answer)
}

// admit resolves the caller and judges whether the door is open to them
// (03 §9.2): before anything of the input is read.
func (s Site) admit(x *exchange) (err error) {
	query := ""
	if x.Method == http.MethodGet {
		query = x.URL.Query().Get("access_token")
	}
	if x.caller, err = s.caller(x.Request, query); err != nil {
		return err
	}
	if x.op.Auth == operation.Owner {
		if err := identity.RequireOwnerSide(x.caller); err != nil {
			return err
		}
		return identity.RequireScope(x.caller, x.op.Scopes, x.op.Name)
	}
	if x.caller.IsOwnerSide() && len(x.op.Scopes) > 0 {
		return identity.RequireScope(x.caller, x.op.Scopes, x.op.Name)
	}
	return nil
}

// record writes the one line of a request. It names the route's pattern, never
// the path or the query: they may carry secrets (03 §3).
func (s Site) record(x *exchange, status int, took time.Duration) {
	attrs := []any{
		"request_id", x.id, "route", x.route, "status", status, "ms", float64(took.Microseconds()) / 1000,
		"actor", string(x.caller.Kind), "key_id", x.caller.KeyID,
	}
	if x.problem == nil {
		s.log().InfoContext(x.Context(), "request", attrs...)
		return
	}
	attrs = append(attrs, "code", string(x.problem.Code))
	if x.problem.Cause != nil {
		attrs = append(attrs, "error", x.problem.Cause.Error())
	}
	if status >= http.StatusInternalServerError {
		s.log().ErrorContext(x.Context(), "request", attrs...)
		return
	}
	s.log().InfoContext(x.Context(), "request", attrs...)
}

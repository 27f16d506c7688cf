package rest

import (
	"context"
	"net/http"
	"net/url"
	"reflect"
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

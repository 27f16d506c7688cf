package rest

import (
	"net/url"
	"reflect"
	"unicode/utf8"

	"typedinbox/shared/identity"
	"typedinbox/shared/inbox"
	"typedinbox/shared/operation"
	"typedinbox/shared/schema"
)

// maxKey is how long an idempotency key may be, in characters (01 §12.1).
const maxKey = 200

// keyHeader is the header of the idempotency key, and the path of its problems.
const keyHeader = "Idempotency-Key"

// binder reads requests of one type: the body or the query by its schema, the
// fields with a path or a header tag from there.
type binder[T any] struct {
	op      *operation.Op
	path    map[string][]int // by the name in the pattern
	headers map[string][]int // by the header's name
	token   []int            // the field of the access token, nil for none
	key     []int            // the field of the idempotency key, nil for none
}

func binderOf[T any](op *operation.Op) binder[T] {
	b := binder[T]{op: op, path: map[string][]int{}, headers: map[string][]int{}}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[T]()) {
		if name := f.Tag.Get("path"); name != "" {
			b.path[name] = f.Index
		}
		if name := f.Tag.Get("header"); name != "" {
			b.headers[name] = f.Index
		}
		switch {
		case f.Name == "AccessToken":
			b.token = f.Index
		case f.Name == "IdempotencyKey":
			b.key = f.Index
		}
	}
	return b
}

// bind reads the input. Every fault of it is told at once (03 §4).
func (b binder[T]) bind(x *exchange) (call inbox.Call, req T, err error) {
	var faults []inbox.FieldProblem
	if b.op.Writes() {
		req, faults, err = body[T](x)
	} else {
		req, faults, err = query[T](x.URL)
	}
	if err != nil {
		return call, req, err
	}
	v := reflect.ValueOf(&req).Elem()
	for name, index := range b.path {
		v.FieldByIndex(index).SetString(x.params[name])
	}
	for name, index := range b.headers {
		v.FieldByIndex(index).SetString(x.Header.Get(name))
	}
	call = inbox.Call{Caller: x.caller, Origin: x.origin}
	call.AccessToken = identity.AccessToken(text(v, b.token), "", x.caller.AccessToken)
	if b.op.Writes() {
		var fault *inbox.FieldProblem
		if call.IdempotencyKey, fault = key(text(v, b.key), x.Header.Get(keyHeader)); fault != nil {
			faults = append(faults, *fault)
		}
	}
	if len(faults) > 0 {
		return call, req, inbox.InvalidInput(faults...)
	}
	return call, req, nil
}

// text is the string in a field, "" where there is no such field.
func text(v reflect.Value, index []int) string {
	if index == nil {
		return ""
	}
	return v.FieldByIndex(index).String()
}

// key is the idempotency key of a body and a header (03 §3): either, or both
// when they say the same. The schema has judged the body's.
func key(body, header string) (string, *inbox.FieldProblem) {
	fault := func(message string) (string, *inbox.FieldProblem) {
		return "", &inbox.FieldProblem{Path: keyHeader, Problem: inbox.Invalid, Message: message}
	}
	switch {
	case header == "":
		return body, nil
	case !utf8.ValidString(header) || utf8.RuneCountInString(header) > maxKey:
		return fault("must have at most 200 characters")
	case body != "" && body != header:
		return fault("says another key than idempotency_key in the body")
	}
	return header, nil
}

// query reads the query string of a read.
func query[T any](u *url.URL) (T, []inbox.FieldProblem, error) {
	var none T
	values, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return none, nil, inbox.Refuse(inbox.CodeBadRequest, "The query string cannot be read; check its percent signs.")
	}
	req, problems := schema.DecodeQuery[T](values)
	return req, faultsOf(problems), nil
}

func faultsOf(problems []schema.Problem) []inbox.FieldProblem {
	faults := make([]inbox.FieldProblem, len(problems))
	for i, p := range problems {
		faults[i] = inbox.FieldProblem{Path: p.Path, Problem: inbox.Fault(p.Problem), Message: p.Message}
	}
	return faults
}

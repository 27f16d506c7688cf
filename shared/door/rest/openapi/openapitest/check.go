// Package openapitest holds the traffic of tests against the OpenAPI document:
// what a handler accepts the document must allow, and what a handler answers the
// document must describe (00 §8).
package openapitest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
	"github.com/pb33f/libopenapi-validator/config"
	"github.com/pb33f/libopenapi-validator/errors"

	"typedinbox/shared/door/rest/openapi"
	"typedinbox/shared/inbox"
	"typedinbox/shared/operation"
)

// checker is the validator of the document. It is made once per process and asked by
// one request at a time.
var checker = sync.OnceValues(func() (validator.Validator, error) {
	document, err := libopenapi.NewDocument(openapi.Document())
	if err != nil {
		return nil, err
	}
	v, errs := validator.NewValidator(document, config.WithoutSecurityValidation())
	if len(errs) > 0 {
		return nil, fmt.Errorf("openapitest: %v", errs)
	}
	return v, nil
})

var one sync.Mutex

// Check passes requests on to a handler and fails the test when a request that
// was accepted, or any answer, is not what the document says. Requests that no
// route takes are passed on; a problem they are answered with is held against
// the table of problems.
func Check(t testing.TB, next http.Handler) http.Handler {
	t.Helper()
	v, err := checker()
	if err != nil {
		t.Fatal(err)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Errorf("%s %s: %v", r.Method, r.URL.Path, err)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		seen := r.Clone(r.Context())
		rec := httptest.NewRecorder()
		next.ServeHTTP(rec, r)
		for _, fault := range faults(v, seen, body, rec) {
			t.Error(fault)
		}
		maps.Copy(w.Header(), rec.Header())
		w.WriteHeader(rec.Code)
		_, _ = w.Write(rec.Body.Bytes()) // a test that hung up wants no answer
	})
}

// faults says what is not as described.
func faults(v validator.Validator, r *http.Request, body []byte, rec *httptest.ResponseRecorder) []string {
	route, _, ok := operation.Find(operation.Routes(), r.Method, r.URL.EscapedPath())
	if !ok {
		return problemFaults(r.Method+" "+r.URL.Path, rec)
	}
	list := problemFaults(route.Key(), rec)
	one.Lock()
	defer one.Unlock()
	if rec.Code < 300 {
		r.Body = io.NopCloser(bytes.NewReader(body))
		if ok, errs := v.ValidateHttpRequestSync(r); !ok {
			list = append(list, told(route.Key()+": accepted what the document does not allow", errs, body)...)
		}
	}
	if rec.Code == http.StatusNotModified {
		return list // has no body to describe
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	if ok, errs := v.ValidateHttpResponse(r, rec.Result()); !ok {
		list = append(list, told(fmt.Sprintf("%s: answered %d otherwise than the document says", route.Key(), rec.Code), errs, rec.Body.Bytes())...)
	}
	return list
}

func told(what string, errs []*errors.ValidationError, body []byte) []string {
	var list []string
	for _, e := range errs {
		line := what + ": " + e.Message + ": " + e.Reason
		for _, s := range e.SchemaValidationErrors {
			line += "; " + s.FieldPath + ": " + s.Reason
		}
		list = append(list, line+"\n"+string(body))
	}
	return list
}

// problemFaults holds a problem document against the table of problems.
func problemFaults(what string, rec *httptest.ResponseRecorder) []string {
	isProblem := strings.HasPrefix(rec.Header().Get("Content-Type"), "application/problem+json")
	if !isProblem {
		return nil
	}
	var p struct {
		Type, Title, Detail string
		Code                inbox.Code
		Status              int
	}
	if err := json.Unmarshal(rec.Body.Bytes(), &p); err != nil {
		return []string{what + ": a problem that is no JSON: " + err.Error()}
	}
	kind := inbox.KindOf(p.Code)
	if kind.Status == 0 || kind.Status != rec.Code || p.Status != rec.Code || p.Title != kind.Title || p.Detail == "" ||
		!strings.HasSuffix(p.Type, "/problems/"+string(p.Code)) {
		return []string{fmt.Sprintf("%s: answered %d with a problem of no kind: %s", what, rec.Code, rec.Body)}
	}
	return nil
}

package rest_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"typedinbox/shared/canon"
	"typedinbox/shared/inbox"
	"typedinbox/shared/operation"
)

// FuzzBind throws anything at the reading of a request. It never fails on our
// side, it answers nothing the table does not list, and what reaches the core is
// whole: it can be fingerprinted, and its key is within bounds.
func FuzzBind(f *testing.F) {
	for i, op := range served {
		s := samples[op.ID]
		target, query, _ := strings.Cut(s[0], "?")
		f.Add(uint8(i), target, query, "application/json", "k1", "token", s[1])
	}
	f.Add(uint8(4), "/v1/bookings", "", "application/json", strings.Repeat("k", 201), "", `{"payload":{"startTime":"x"}}`)
	f.Add(uint8(6), "/v1/items/%ff", "access_token=%", "", "", "", "")
	f.Add(uint8(12), "/v1/owner/items/a%2fb/transitions", "", "application/json", "", "", `{"event":"x","input":{"a":1,"a":2}}`)
	f.Add(uint8(16), "/v1/owner/profile", "", "application/json", "", "", `{"domain":null,"languages":["\ud800"]}`)
	f.Add(uint8(26), "/v1/owner/availability", "", "application/json", "", "", `{"weekly":{"mon":[["25:00"]],"":[[]]}}`)
	f.Fuzz(func(t *testing.T, which uint8, target, query, media, key, token, body string) {
		op := served[int(which)%len(served)]
		d := open()
		r := &http.Request{Method: op.Method, Host: "example.com", URL: addressed(op, target, query), Body: http.NoBody, ContentLength: int64(len(body)),
			Header: http.Header{"Authorization": {"Bearer owner"}, "Content-Type": {media}, "Idempotency-Key": {key}, "X-Access-Token": {token}, "If-None-Match": {token}}}
		if body != "" {
			r.Body = reader{strings.NewReader(body)}
		}
		a := d.do(t, r)
		if a.Code >= 500 {
			t.Fatalf("%s: %d %s", op.ID, a.Code, a.Body)
		}
		if d.core.asked == 0 {
			if op.Function != operation.FallbackFunction {
				checkRefusal(t, op, a)
			}
			return
		}
		if _, err := canon.JSON(d.core.req); err != nil {
			t.Fatalf("%s: the core was asked what has no canonical form: %v", op.ID, err)
		}
		if k := d.core.call.IdempotencyKey; utf8.RuneCountInString(k) > 200 || !utf8.ValidString(k) || (!op.Keyed() && k != "") {
			t.Fatalf("key %q", k)
		}
	})
}

type reader struct{ *strings.Reader }

func (reader) Close() error { return nil }

// addressed is the target when the operation serves it, else the operation's own
// path with the target in place of its parameters.
func addressed(op *operation.Op, target, query string) *url.URL {
	u := &url.URL{Path: target, RawQuery: query}
	if path, err := url.PathUnescape(target); err == nil {
		u.Path, u.RawPath = path, target
	}
	if route, _, ok := operation.Find(operation.Routes(), op.Method, u.EscapedPath()); ok && route.Op == op {
		return u
	}
	segments := strings.Split(op.Paths[0], "/")
	for i, segment := range segments {
		if _, ok := operation.Param(segment); ok {
			segments[i] = "x" + url.PathEscape(target)
		}
	}
	escaped := strings.Join(segments, "/")
	path, _ := url.PathUnescape(escaped)
	return &url.URL{Path: path, RawPath: escaped, RawQuery: query}
}

func checkRefusal(t *testing.T, op *operation.Op, a answer) {
	t.Helper()
	if !slices.Contains(op.Refusals(), inbox.Code(a.problem.Code)) {
		t.Fatalf("%s: refused with %q, which the table does not list\n%s", op.ID, a.problem.Code, a.Body)
	}
	if a.problem.Code == string(inbox.CodeInvalidInput) && len(a.problem.Fields) == 0 {
		t.Fatalf("%s: no field is named\n%s", op.ID, a.Body)
	}
	for _, f := range a.problem.Fields {
		if f.Path == "" || f.Message == "" || (f.Problem != inbox.Missing && f.Problem != inbox.Invalid) {
			t.Fatalf("%s: field %+v", op.ID, f)
		}
	}
}

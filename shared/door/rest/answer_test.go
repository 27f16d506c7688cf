package rest_test

import (
	"errors"
	"fmt"
	"math"
	"net/http/httptest"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/operation"
)

// TestHeadersOfAnswers: caching, CORS and content type come from the table.
func TestHeadersOfAnswers(t *testing.T) {
	for _, op := range served {
		a := open().sample(t, op, "Authorization", "Bearer owner")
		h := a.Header()
		if h.Get("Cache-Control") != op.Cache {
			t.Errorf("%s: Cache-Control %q", op.ID, h.Get("Cache-Control"))
		}
		if (h.Get("Access-Control-Allow-Origin") == "*") != op.CORS {
			t.Errorf("%s: CORS %q", op.ID, h.Get("Access-Control-Allow-Origin"))
		}
		for _, exposed := range []string{"Idempotent-Replayed", "Retry-After", "WWW-Authenticate", "Location", "Allow", "ETag", "Sdi-Signature"} {
			if strings.Contains(h.Get("Access-Control-Expose-Headers"), exposed) != op.CORS {
				t.Errorf("%s: exposes %q", op.ID, h.Get("Access-Control-Expose-Headers"))
			}
		}
		if h.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s: credentials are allowed", op.ID)
		}
		want := "application/json"
		if op.ID == "get_problem" {
			want = "text/html; charset=utf-8"
		}
		if h.Get("Content-Type") != want || h.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: %v", op.ID, h)
		}
	}
}

// TestRefusalsCarryCORSToo, or a page could not read why.
func TestRefusalsCarryCORSToo(t *testing.T) {
	d := open()
	if a := d.send(t, "POST", "/v1/bookings", `{`); a.Header().Get("Access-Control-Allow-Origin") != "*" {
		t.Error("a public refusal is hidden from pages")
	}
	if a := d.send(t, "GET", "/v1/owner/items", ""); a.Header().Get("Access-Control-Allow-Origin") != "" {
		t.Error("the owner's door is open to pages of other origins")
	}
}

func TestAnswers(t *testing.T) {
	body := []byte(`{"view":{},"replayed":false}`)
	cases := map[string]struct {
		answer inbox.Answer
		status int
		header map[string]string
		absent []string
	}{
		"ok/made":     {inbox.Answer{Status: 201, Body: body, Location: "/v1/items/I1"}, 201, map[string]string{"Location": "/v1/items/I1"}, []string{"Idempotent-Replayed", "ETag", "Retry-After"}},
		"ok/replayed": {inbox.Answer{Status: 200, Body: body, Replayed: true}, 200, map[string]string{"Idempotent-Replayed": "true"}, []string{"Location"}},
		"ok/kept":     {inbox.Answer{Status: 202, Body: body}, 202, nil, []string{"Idempotent-Replayed"}},
		"ok/its own cache": {inbox.Answer{Status: 200, Body: body, CacheControl: "private, max-age=1"}, 200,
			map[string]string{"Cache-Control": "private, max-age=1"}, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := open()
			d.core.answer = c.answer
			a := d.sample(t, &operation.CreateBooking)
			a.ok(t, c.status)
			if a.Body.String() != string(body) {
				t.Errorf("body %s", a.Body)
			}
			for h, want := range c.header {
				if a.Header().Get(h) != want {
					t.Errorf("%s: %q", h, a.Header().Get(h))
				}
			}
			for _, h := range c.absent {
				if a.Header().Get(h) != "" {
					t.Errorf("%s: %q", h, a.Header().Get(h))
				}
			}
		})
	}
}

// TestETag holds 03 §3, Versions.
func TestETag(t *testing.T) {
	const tag = `W/"3-01ABC"`
	cases := map[string]struct {
		given string
		want  int
	}{
		"ok/the same":        {tag, 304},
		"ok/compared weakly": {`"3-01ABC"`, 304},
		"ok/one of several":  {`W/"1-0", ` + tag, 304},
		"ok/any":             {"*", 304},
		"fail/another":       {`W/"2-01ABC"`, 200},
		"fail/none":          {"", 200},
		"fail/unquoted":      {"3-01ABC", 200},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			for _, op := range []*operation.Op{&operation.GetItemStatus, &operation.GetItem, &operation.GetSettings} {
				d := open()
				d.core.answer = inbox.Answer{Status: 200, Body: []byte(`{}`), ETag: tag}
				a := d.sample(t, op, "Authorization", "Bearer owner", "If-None-Match", c.given)
				a.ok(t, c.want)
				if a.Header().Get("ETag") != tag || a.Header().Get("Cache-Control") != "no-store" {
					t.Errorf("%s: %v", op.ID, a.Header())
				}
				if polled := a.Header().Get("Retry-After") == "60"; polled != (op == &operation.GetItemStatus) { // 05 §8
					t.Errorf("%s: Retry-After %q", op.ID, a.Header().Get("Retry-After"))
				}
				if c.want == 304 && (a.Body.Len() != 0 || a.Header().Get("Content-Type") != "") {
					t.Errorf("%s: 304 with %q", op.ID, a.Body)
				}
			}
		})
	}
}

func TestETagOfACoreThatKnows(t *testing.T) {
	d := open()
	d.core.answer = inbox.Answer{Status: 304, ETag: `W/"1-0"`}
	a := d.sample(t, &operation.GetItemStatus, "If-None-Match", `W/"1-0"`)
	a.ok(t, 304)
	if req := d.core.req.(inbox.ItemStatusQuery); req.IfNoneMatch != `W/"1-0"` || a.Body.Len() != 0 {
		t.Errorf("asked %+v, told %q", req, a.Body)
	}
}

// TestAWriteIsNeverNotModified, whatever a client sends along.
func TestAWriteIsNeverNotModified(t *testing.T) {
	d := open()
	d.core.answer = inbox.Answer{Status: 200, Body: []byte(`{}`), ETag: `W/"1"`}
	d.sample(t, &operation.UpdateSettings, "Authorization", "Bearer owner", "If-None-Match", "*").ok(t, 200)
}

// TestProblems: every code of the table is told with its status and title.
func TestProblems(t *testing.T) {
	for _, kind := range inbox.Problems {
		t.Run("fail/"+string(kind.Code), func(t *testing.T) {
			d := open()
			d.core.err = inbox.Refuse(kind.Code, "Because.").With("reason", "why")
			a := d.sample(t, &operation.CancelItem)
			a.refused(t, kind.Code)
			if kind.Code == inbox.CodeInternal {
				if a.problem.Detail == "Because." || a.problem.Details != nil || a.problem.Instance == "" {
					t.Errorf("told %+v", a.problem)
				}
				return
			}
			if a.problem.Detail != "Because." || a.problem.Details["reason"] != "why" || a.problem.Instance != "" {
				t.Errorf("told %+v", a.problem)
			}
			if waits := kind.Code == inbox.CodeTooManyRequests || kind.Code == inbox.CodeUnavailable; waits != (a.Header().Get("Retry-After") == "1") {
				t.Errorf("Retry-After %q", a.Header().Get("Retry-After"))
			}
		})
	}
}

func TestProblemsOfOtherShapes(t *testing.T) {
	cases := map[string]struct {
		err  error
		code inbox.Code
		has  string
	}{
		"fail/wrapped":            {fmt.Errorf("while acting: %w", inbox.GuardFailed("within_window", "Too late.")), inbox.CodeGuardFailed, `"guard":"within_window"`},
		"fail/fields":             {inbox.InvalidField("input.note", "is too long"), inbox.CodeInvalidInput, `"fields":[{"path":"input.note","problem":"invalid","message":"is too long"}]`},
		"fail/seconds":            {&inbox.Problem{Code: inbox.CodeUnavailable, RetryAfter: 7}, inbox.CodeUnavailable, `"detail":"The write met too many others.`},
		"fail/without a sentence": {&inbox.Problem{Code: inbox.CodeNotFound}, inbox.CodeNotFound, `"detail":"There is nothing under this id or path."`},
		"fail/any other error":    {errors.New("secret: table arn"), inbox.CodeInternal, ""},
		"fail/code of nobody":     {&inbox.Problem{Code: "made_up", Detail: "secret"}, inbox.CodeInternal, ""},
		"fail/details no JSON":    {inbox.Refuse(inbox.CodeSlotTaken, "secret").With("x", math.NaN()), inbox.CodeInternal, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := open()
			d.core.err = c.err
			a := d.sample(t, &operation.CancelItem)
			a.refused(t, c.code)
			if !strings.Contains(a.Body.String(), c.has) || strings.Contains(a.Body.String(), "secret") {
				t.Errorf("body %s", a.Body)
			}
			if name == "fail/seconds" && a.Header().Get("Retry-After") != "7" {
				t.Errorf("Retry-After %q", a.Header().Get("Retry-After"))
			}
		})
	}
}

func TestPanics(t *testing.T) {
	for name, v := range map[string]any{"error": errors.New("secret"), "string": "secret", "number": 7} {
		d := open()
		d.core.panics = v
		a := d.sample(t, &operation.CancelItem, "X-Request-Id", "req-1")
		a.refused(t, inbox.CodeInternal)
		if a.problem.Instance != "req-1" || strings.Contains(a.Body.String(), "secret") {
			t.Errorf("%s: %s", name, a.Body)
		}
		if !strings.Contains(d.log.String(), `"route":"POST /v1/items/{id}/cancel"`) || !strings.Contains(d.log.String(), "req-1") {
			t.Errorf("%s: log %s", name, d.log)
		}
	}
}

// TestOrigin: the configured one, else that of the request.
func TestOrigin(t *testing.T) {
	cases := map[string]struct{ public, target, want string }{
		"ok/configured":       {"https://book.example.com", "http://internal:8080/v1/nothing", "https://book.example.com"},
		"ok/slash at the end": {"https://book.example.com/", "http://internal/v1/nothing", "https://book.example.com"},
		"ok/asked over http":  {"", "http://127.0.0.1:8787/v1/nothing", "http://127.0.0.1:8787"},
		"ok/asked over https": {"", "https://inbox.example.com/v1/nothing", "https://inbox.example.com"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := open()
			d.site.PublicURL = c.public
			d.wire()
			a := d.do(t, httptest.NewRequest("GET", c.target, nil))
			if a.problem.Type != c.want+"/problems/not_found" {
				t.Errorf("type %s", a.problem.Type)
			}
		})
	}
	d := open()
	d.site.PublicURL = ""
	d.wire()
	r := httptest.NewRequest("GET", "/v1/business", nil)
	r.Host = "plain.example.com"
	d.do(t, r).ok(t, 200)
	if d.core.call.Origin != "http://plain.example.com" {
		t.Errorf("origin %s", d.core.call.Origin)
	}
}

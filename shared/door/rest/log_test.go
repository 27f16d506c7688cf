package rest_test

import (
	"encoding/json"
	"errors"
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"

	"typedinbox/shared/door/rest"
	"typedinbox/shared/inbox"
)

// TestLog: one line per request, with the route's pattern and without a path, a
// query or anything of the body (03 §3).
func TestLog(t *testing.T) {
	type line struct {
		Level, Msg, Route, Code, Error, Actor string
		RequestID                             string `json:"request_id"`
		KeyID                                 string `json:"key_id"`
		Status                                int
		Ms                                    *float64
	}
	cases := map[string]struct {
		method, target, body string
		headers              []string
		err                  error
		want                 line
	}{
		"ok/read with a token": {"GET", "/v1/items/SECRET1?access_token=SECRET2SECRET2SE", "", []string{"X-Access-Token", "SECRET3"}, nil,
			line{Level: "INFO", Route: "GET /v1/items/{id}", Status: 200, Actor: "customer_agent"}},
		"ok/key": {"GET", "/v1/owner/items?cursor=SECRET", "", []string{"Authorization", "Bearer key inbox:read"}, nil,
			line{Level: "INFO", Route: "GET /v1/owner/items", Status: 200, Actor: "integration", KeyID: "K2"}},
		"fail/input": {"POST", "/v1/messages", `{"body":"","subject":"SECRET"}`, nil, nil,
			line{Level: "INFO", Route: "POST /v1/messages", Status: 422, Code: "invalid_input", Actor: "customer_agent"}},
		"fail/unknown path": {"GET", "/c/SECRET", "", nil, nil, line{Level: "INFO", Route: "$default", Status: 404, Code: "not_found"}},
		"fail/internal": {"POST", "/v1/messages", `{"body":"SECRET"}`, nil, errors.New("disk"),
			line{Level: "ERROR", Route: "POST /v1/messages", Status: 500, Code: "internal", Error: "disk", Actor: "customer_agent"}},
		"fail/busy": {"POST", "/v1/messages", `{"body":"SECRET"}`, nil, inbox.Unavailable(errors.New("throttled")),
			line{Level: "ERROR", Route: "POST /v1/messages", Status: 503, Code: "unavailable", Error: "throttled", Actor: "customer_agent"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := open()
			d.core.err = c.err
			d.send(t, c.method, c.target, c.body, append(c.headers, "X-Request-Id", "req-1")...)
			text := d.log.String()
			if strings.Contains(text, "SECRET") || strings.Count(text, "\n") != 1 {
				t.Fatalf("log %s", text)
			}
			var got line
			if err := json.Unmarshal([]byte(text), &got); err != nil {
				t.Fatal(err)
			}
			if got.Ms == nil || got.Msg != "request" || got.RequestID != "req-1" {
				t.Errorf("log %s", text)
			}
			got.Ms, got.Msg, got.RequestID = nil, "", ""
			if got != c.want {
				t.Errorf("\n got %+v\nwant %+v", got, c.want)
			}
		})
	}
}

// TestRequestID: the gateway's is kept, one of another form or none is made.
func TestRequestID(t *testing.T) {
	cases := map[string]struct {
		given string
		kept  bool
	}{
		"ok/gateway's":      {"JKJaXmPLvHcESHA=", true},
		"ok/uuid":           {"9f1c2d3e-0000-4000-8000-000000000000", true},
		"fail/none":         {"", false},
		"fail/two lines":    {"a\nb", false},
		"fail/spaces":       {"a b", false},
		"fail/far too long": {strings.Repeat("a", 65), false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := open()
			d.core.err = errors.New("x")
			r := httptest.NewRequest("POST", "/v1/items/I1/cancel", nil)
			r.Header["X-Request-Id"] = []string{c.given}
			a := d.do(t, r)
			if (a.problem.Instance == c.given) != c.kept || a.problem.Instance == "" {
				t.Errorf("instance %q", a.problem.Instance)
			}
		})
	}
}

// TestWithoutALoggerTheDefaultIsUsed.
func TestWithoutALoggerTheDefaultIsUsed(t *testing.T) {
	before := slog.Default()
	defer slog.SetDefault(before)
	var out strings.Builder
	slog.SetDefault(slog.New(slog.NewJSONHandler(&out, nil)))
	w := httptest.NewRecorder()
	rest.Discovery(rest.Site{}, version, nil).ServeHTTP(w, httptest.NewRequest("GET", "/healthz", nil))
	if w.Code != 200 || !strings.Contains(out.String(), `"route":"GET /healthz"`) {
		t.Errorf("%d, log %s", w.Code, &out)
	}
}

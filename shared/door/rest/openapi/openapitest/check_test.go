package openapitest_test

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"typedinbox/shared/door/rest/openapi/openapitest"
)

// witness is a test that keeps what it was told instead of failing.
type witness struct {
	testing.TB
	faults []string
}

func (w *witness) Helper()                      {}
func (w *witness) Error(args ...any)            { w.faults = append(w.faults, fmt.Sprint(args...)) }
func (w *witness) Errorf(f string, args ...any) { w.faults = append(w.faults, fmt.Sprintf(f, args...)) }

const (
	asksForTime = `{"payload":{"reservationFor":{"serviceId":"S1","name":"Cut"},"startTime":"2026-10-01T09:00:00Z","endTime":"2026-10-01T10:00:00Z"}}`
	slots       = `{"service":{"id":"S1","name":"Cut","durationMin":60},"slots":[]}`
	window      = "/v1/availability?service_id=S1&from=2026-10-01T00:00:00Z&to=2026-10-02T00:00:00Z"
	notFound    = `{"type":"https://x/problems/not_found","title":"Not found","status":404,"detail":"There is nothing under this path.","code":"not_found"}`
	guardFailed = `{"type":"https://x/problems/guard_failed","title":"A condition does not hold","status":409,"detail":"No.","code":"guard_failed"}`
)

func TestCheck(t *testing.T) {
	cases := map[string]struct {
		method, target, body string
		status               int
		media, answer        string
	}{
		"ok/answer as described":  {"GET", window, "", 200, "application/json", slots},
		"ok/problem as described": {"POST", "/v1/items/I1/cancel", `{}`, 409, "application/problem+json", guardFailed},
		"ok/bad input that was refused": {"POST", "/v1/bookings", `{"payload":1}`, 422, "application/problem+json",
			`{"type":"https://x/problems/invalid_input","title":"The input needs a correction","status":422,"detail":"No.","code":"invalid_input","fields":[{"path":"payload","problem":"invalid","message":"must be an object"}]}`},
		"ok/not modified":                {"GET", "/v1/items/I1", "", 304, "", ""},
		"ok/page":                        {"GET", "/problems/not_found", "", 200, "text/html; charset=utf-8", "<!doctype html>"},
		"ok/no route":                    {"GET", "/v1/nothing", "", 404, "application/problem+json", notFound},
		"ok/a door of another kind":      {"POST", "/_local/work", "", 200, "application/json", `{"ran":1}`},
		"ok/booleans as numbers":         {"GET", "/v1/owner/items?open_only=1", "", 200, "application/json", `{"items":[],"next_cursor":null}`},
		"fail/field missing":             {"GET", window, "", 200, "application/json", `{"slots":[]}`},
		"fail/field of another type":     {"GET", window, "", 200, "application/json", strings.Replace(slots, "60", `"60"`, 1)},
		"fail/status nobody described":   {"GET", window, "", 207, "application/json", slots},
		"fail/accepted bad input":        {"GET", "/v1/availability?service_id=S1", "", 200, "application/json", slots},
		"fail/accepted a bad body":       {"POST", "/v1/bookings", strings.Replace(asksForTime, `"S1"`, "7", 1), 202, "application/json", `{}`},
		"fail/problem not listed":        {"GET", window, "", 409, "application/problem+json", guardFailed},
		"fail/problem of another status": {"POST", "/v1/items/I1/cancel", `{}`, 422, "application/problem+json", guardFailed},
		"fail/problem nobody knows":      {"GET", "/v1/nothing", "", 404, "application/problem+json", strings.Replace(notFound, `"not_found"}`, `"gone"}`, 1)},
		"fail/problem that is no JSON":   {"GET", "/v1/nothing", "", 404, "application/problem+json", `{`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			seen := ""
			w := &witness{TB: t}
			h := openapitest.Check(w, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				body, _ := io.ReadAll(r.Body)
				seen = string(body)
				if c.media != "" {
					w.Header().Set("Content-Type", c.media)
				}
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.answer)
			}))
			rec := httptest.NewRecorder()
			r := httptest.NewRequest(c.method, c.target, strings.NewReader(c.body))
			if c.body != "" {
				r.Header.Set("Content-Type", "application/json")
			}
			h.ServeHTTP(rec, r)
			if seen != c.body || rec.Code != c.status || rec.Body.String() != c.answer || rec.Header().Get("Content-Type") != c.media {
				t.Errorf("passed on %q, answered %d %q", seen, rec.Code, rec.Body)
			}
			if good := strings.HasPrefix(name, "ok/"); good != (len(w.faults) == 0) {
				t.Errorf("faults %v", w.faults)
			}
		})
	}
}

package rest_test

import (
	"net/http/httptest"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

func TestUnrouted(t *testing.T) {
	cases := map[string]struct {
		method, path string
		code         inbox.Code
		allow        string
		cors         bool
	}{
		"fail/unknown path":            {"GET", "/v1/nothing", inbox.CodeNotFound, "", false},
		"fail/root":                    {"GET", "/", inbox.CodeNotFound, "", false},
		"fail/unknown, posted":         {"POST", "/v1/nothing", inbox.CodeNotFound, "", false},
		"fail/slash at the end":        {"GET", "/v1/business/", inbox.CodeNotFound, "", false},
		"fail/two slashes":             {"GET", "//v1/business", inbox.CodeNotFound, "", false},
		"fail/empty id":                {"GET", "/v1/items/", inbox.CodeNotFound, "", false},
		"fail/not there yet":           {"POST", "/v1/items/I1/receipt-ack", inbox.CodeNotFound, "", false},
		"fail/local door":              {"GET", "/_local/check", inbox.CodeNotFound, "", false},
		"fail/other method":            {"GET", "/v1/bookings", inbox.CodeMethodNotAllowed, "POST", true},
		"fail/head of a read":          {"HEAD", "/v1/business", inbox.CodeMethodNotAllowed, "GET", true},
		"fail/several allowed":         {"POST", "/v1/owner/settings", inbox.CodeMethodNotAllowed, "GET, PUT", false},
		"fail/several routes":          {"GET", "/v1/owner/availability/closures", inbox.CodeMethodNotAllowed, "DELETE, PUT", false},
		"fail/delete of an item":       {"DELETE", "/v1/items/I1", inbox.CodeMethodNotAllowed, "GET", true},
		"fail/method nobody knows":     {"BREW", "/healthz", inbox.CodeMethodNotAllowed, "GET", true},
		"fail/options of nothing":      {"OPTIONS", "/v1/nothing", inbox.CodeNotFound, "", false},
		"fail/patch of a collection":   {"PATCH", "/v1/owner/services", inbox.CodeMethodNotAllowed, "GET, POST", false},
		"fail/get of one service":      {"GET", "/v1/owner/services/S1", inbox.CodeMethodNotAllowed, "DELETE, PATCH", false},
		"fail/post of an owner's item": {"POST", "/v1/owner/items/I1", inbox.CodeMethodNotAllowed, "GET", false},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := open()
			a := d.send(t, c.method, c.path, "")
			a.refused(t, c.code)
			if a.Header().Get("Allow") != c.allow || (a.Header().Get("Access-Control-Allow-Origin") == "*") != c.cors {
				t.Errorf("%v", a.Header())
			}
			if d.core.asked != 0 {
				t.Error("the core was asked")
			}
		})
	}
}

// TestUnroutedPages: what is told below the paths of pages has their headers
// (05 §6.9).
func TestUnroutedPages(t *testing.T) {
	for path, paged := range map[string]bool{"/c/": true, "/c/a.b/": true, "/p/x": true, "/v1/nothing": false} {
		for _, method := range []string{"GET", "PUT", "OPTIONS"} {
			h := open().send(t, method, path, "").Header()
			for _, name := range []string{"Referrer-Policy", "X-Robots-Tag", "Content-Security-Policy"} {
				if (h.Get(name) != "") != paged {
					t.Errorf("%s %s: %s %q", method, path, name, h.Get(name))
				}
			}
			if h.Get("Cache-Control") != "no-store" {
				t.Errorf("%s %s: kept %q", method, path, h.Get("Cache-Control"))
			}
		}
	}
	if h := open().send(t, "DELETE", "/c/a.b", "").Header(); h.Get("Referrer-Policy") != "no-referrer" || h.Get("Allow") != "GET, HEAD, POST" {
		t.Errorf("%v", h)
	}
}

func TestPreflight(t *testing.T) {
	cases := map[string]struct{ path, allow, methods string }{
		"ok/public write":  {"/v1/bookings", "POST", "POST"},
		"ok/public read":   {"/v1/business", "GET", "GET"},
		"ok/item":          {"/v1/items/I1", "GET", "GET"},
		"ok/document":      {"/openapi.json", "GET", "GET"},
		"fail/owner":       {"/v1/owner/items", "GET", ""},
		"fail/owner write": {"/v1/owner/services/S1", "DELETE, PATCH", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			a := open().send(t, "OPTIONS", c.path, "", "Origin", "https://shop.example", "Access-Control-Request-Method", "POST",
				"Access-Control-Request-Headers", "content-type, idempotency-key")
			a.ok(t, 204)
			h := a.Header()
			if h.Get("Allow") != c.allow || h.Get("Access-Control-Allow-Methods") != c.methods || a.Body.Len() != 0 {
				t.Errorf("%v", h)
			}
			open := c.methods != ""
			if (h.Get("Access-Control-Allow-Origin") == "*") != open || h.Get("Access-Control-Allow-Credentials") != "" {
				t.Errorf("%v", h)
			}
			for _, name := range []string{"Authorization", "Content-Type", "Idempotency-Key", "X-Access-Token", "X-Sandbox", "If-None-Match"} {
				if strings.Contains(h.Get("Access-Control-Allow-Headers"), name) != open {
					t.Errorf("%s: %v", name, h)
				}
			}
		})
	}
}

// TestAFunctionServesItsRoutesAlone: what reaches the wrong function is not
// found there, and never served.
func TestAFunctionServesItsRoutesAlone(t *testing.T) {
	d := open()
	for name, handler := range d.byName {
		w := httptest.NewRecorder()
		path := "/v1/business"
		if name == "get-business" {
			path = "/v1/services"
		}
		handler.ServeHTTP(w, httptest.NewRequest("GET", path, nil))
		if w.Code != 404 {
			t.Errorf("%s serves %s: %d", name, path, w.Code)
		}
	}
	if d.core.asked != 0 {
		t.Error("the core was asked")
	}
}

package operation_test

import (
	"maps"
	"strings"
	"testing"

	"typedinbox/shared/operation"
)

func TestFind(t *testing.T) {
	cases := map[string]struct {
		method, path, want string
		params             map[string]string
	}{
		"ok/fixed":                  {"GET", "/v1/business", "GET /v1/business", nil},
		"ok/parameter":              {"GET", "/v1/items/01ABC", "GET /v1/items/{id}", map[string]string{"id": "01ABC"}},
		"ok/parameter inside":       {"POST", "/v1/items/x/cancel", "POST /v1/items/{id}/cancel", map[string]string{"id": "x"}},
		"ok/fixed before parameter": {"PUT", "/v1/owner/availability/closures", "PUT /v1/owner/availability/closures", nil},
		"ok/word as a parameter":    {"DELETE", "/v1/owner/availability/closures", "DELETE /v1/owner/availability/{service_id}", map[string]string{"service_id": "closures"}},
		"ok/escaped parameter":      {"GET", "/v1/items/a%2Fb", "GET /v1/items/{id}", map[string]string{"id": "a%2Fb"}},
		"fail/other method":         {"POST", "/v1/business", "", nil},
		"fail/head":                 {"HEAD", "/v1/business", "", nil},
		"fail/slash at the end":     {"GET", "/v1/business/", "", nil},
		"fail/two slashes":          {"GET", "//v1/business", "", nil},
		"fail/empty parameter":      {"GET", "/v1/items/", "", nil},
		"fail/empty inside":         {"POST", "/v1/items//cancel", "", nil},
		"fail/too long":             {"GET", "/v1/items/a/b", "", nil},
		"fail/capitals":             {"GET", "/V1/business", "", nil},
		"ok/root":                   {"GET", "/", "GET /", nil},
		"ok/link":                   {"HEAD", "/c/abc.def", "HEAD /c/{token}", map[string]string{"token": "abc.def"}},
		"ok/word before a link":     {"GET", "/c/privacy", "GET /c/privacy", nil},
		"fail/root posted":          {"POST", "/", "", nil},
		"fail/nothing":              {"GET", "", "", nil},
		"fail/escaped word":         {"GET", "/v1/%62usiness", "", nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r, params, ok := operation.Find(operation.Routes(), c.method, c.path)
			if ok != (c.want != "") || (ok && r.Key() != c.want) || !maps.Equal(params, c.params) {
				t.Errorf("got %v %s %v", ok, r.Key(), params)
			}
		})
	}
}

// TestTheMoreFixedRouteWins whatever the order of the table.
func TestTheMoreFixedRouteWins(t *testing.T) {
	a := operation.Route{Method: "GET", Path: "/a/{x}", Op: &operation.GetHealth}
	b := operation.Route{Method: "GET", Path: "/a/b", Op: &operation.GetHealth}
	for _, routes := range [][]operation.Route{{a, b}, {b, a}} {
		if r, _, _ := operation.Find(routes, "GET", "/a/b"); r.Path != "/a/b" {
			t.Errorf("%v: %s", routes, r.Path)
		}
		if r, _, _ := operation.Find(routes, "GET", "/a/c"); r.Path != "/a/{x}" {
			t.Errorf("%v: %s", routes, r.Path)
		}
	}
}

func TestMethods(t *testing.T) {
	cases := map[string][3]string{ // path, all, cors
		"ok/public":        {"/v1/bookings", "POST", "POST"},
		"ok/owner":         {"/v1/owner/settings", "GET PUT", ""},
		"ok/several paths": {"/v1/owner/availability/closures", "DELETE PUT", ""},
		"fail/unknown":     {"/v1/nothing", "", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			all, cors := operation.Methods(operation.Routes(), c[0])
			if strings.Join(all, " ") != c[1] || strings.Join(cors, " ") != c[2] {
				t.Errorf("got %v, %v", all, cors)
			}
		})
	}
}

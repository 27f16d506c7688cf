package template_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"typedinbox/scripts/template"
)

// says answers with the name of a handler and the value of a parameter.
func says(name string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = w.Write([]byte(name + r.PathValue("id")))
	})
}

func TestServe(t *testing.T) {
	h, err := template.Serve(map[template.Route]http.Handler{
		{}:                     says("default"),
		{"GET", "/"}:           says("front"),
		{"GET", "/items"}:      says("list"),
		{"POST", "/items"}:     says("make"),
		{"GET", "/items/{id}"}: says("one "),
		{"GET", "/items/next"}: says("next"),
		{"ANY", "/any"}:        says("any"),
		{"GET", "/any"}:        says("get any"),
		{"GET", "/files/{p+}"}: says("file"),
		{"GET", "/trailing/"}:  says("trailing"),
	})
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]string{
		"GET /":           "front",
		"GET /items":      "list",
		"POST /items":     "make",
		"HEAD /items":     "default",
		"DELETE /items":   "default",
		"GET /items/7":    "one 7",
		"GET /items/next": "next",
		"GET /items/":     "default",
		"GET /any":        "get any",
		"PUT /any":        "any",
		"GET /files/a/b":  "file",
		"GET /trailing/":  "trailing",
		"GET /trailing/x": "default",
		"GET /nothing":    "default",
		"GET //items":     "default",
		"GET /items/../x": "default",
	}
	for request, want := range cases {
		t.Run(request, func(t *testing.T) {
			r := httptest.NewRequest("GET", "/", nil)
			r.Method, r.URL.Path, _ = strings.Cut(request, " ")
			w := httptest.NewRecorder()
			h.ServeHTTP(w, r)
			if got := w.Body.String(); got != want {
				t.Errorf("%d %q, want %q", w.Code, got, want)
			}
		})
	}
	if _, err := template.Serve(map[template.Route]http.Handler{{"GET", "/"}: says("front")}); err == nil {
		t.Error("a template without $default is served")
	}
}

package rest_test

import (
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

func TestHealth(t *testing.T) {
	a := open().send(t, "GET", "/healthz", "")
	a.ok(t, 200)
	if got := a.Body.String(); got != `{"ok":true,"version":"9.9.9"}` {
		t.Errorf("body %s", got)
	}
}

func TestDocumentIsServedAsMade(t *testing.T) {
	a := open().send(t, "GET", "/openapi.json", "")
	a.ok(t, 200)
	if a.Body.String() != `{"openapi":"3.1.0"}` {
		t.Errorf("body %s", a.Body)
	}
}

// TestSystemAsksNobody: health must not depend on keys that can be read.
func TestSystemAsksNobody(t *testing.T) {
	d := open()
	d.site.Callers = nil
	d.wire()
	for _, path := range []string{"/healthz", "/openapi.json", "/problems/internal"} {
		d.send(t, "GET", path, "", "Authorization", "Bearer owner").ok(t, 200)
	}
}

func TestProblemPages(t *testing.T) {
	d := open()
	for _, kind := range inbox.Problems {
		a := d.send(t, "GET", "/problems/"+string(kind.Code), "")
		a.ok(t, 200)
		page := a.Body.String()
		for _, part := range []string{"<code>" + string(kind.Code) + "</code>", `<html lang="en">`, "<h1>", "<title>"} {
			if !strings.Contains(page, part) {
				t.Errorf("%s: no %s", kind.Code, part)
			}
		}
		if strings.Contains(page, "$") || strings.Contains(page, "<script") {
			t.Errorf("%s: %s", kind.Code, page)
		}
	}
	for _, path := range []string{"/problems/nothing", "/problems/%3Cscript%3E", "/problems/Not_Found"} {
		d.send(t, "GET", path, "").refused(t, inbox.CodeNotFound)
	}
}

package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestUnreadablePath: a path that net/http cannot read is told as the functions
// tell it, and what a door says passes as it is.
func TestUnreadablePath(t *testing.T) {
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprint(w, "seen ", r.URL.Path)
	}))
	const origin = "http://inbox.example"
	server.Listener = readingProblems(server.Listener, origin)
	server.Start()
	defer server.Close()
	for name, c := range map[string]struct {
		path string
		body string // of an answer of a door
	}{
		"ok/as it is":           {"/v1/business", "seen /v1/business"},
		"ok/encoded":            {"/v1/items/%25", "seen /v1/items/%"},
		"fail/bare per cent":    {"/v1/items/%", ""},
		"fail/no hex digits":    {"/v1/items/%zz", ""},
		"fail/cut off":          {"/c/abc%2", ""},
		"fail/before a query":   {"/v1/items/%?access_token=x", ""},
		"fail/as long as it is": {"/" + strings.Repeat("a", 3000) + "%", ""},
	} {
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: inbox.example\r\nConnection: close\r\n\r\n", c.path)
		raw, err := io.ReadAll(conn)
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.Close()
		head, body, _ := strings.Cut(string(raw), "\r\n\r\n")
		if c.body != "" {
			if !strings.HasPrefix(head, "HTTP/1.1 200 ") || body != c.body {
				t.Errorf("%s: %s", name, raw)
			}
			continue
		}
		var p struct {
			Type, Code, Detail string
			Status             int
		}
		if !strings.HasPrefix(head, "HTTP/1.1 400 ") || !strings.Contains(head, "\r\nContent-Type: application/problem+json\r\n") ||
			json.Unmarshal([]byte(body), &p) != nil || p.Code != "bad_request" || p.Status != 400 ||
			p.Type != origin+"/problems/bad_request" || p.Detail == "" {
			t.Errorf("%s: %s", name, raw)
		}
	}
}

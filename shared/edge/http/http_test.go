package http

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"
)

// event is a plain request as the gateway sends it.
func event(change func(*Event)) Event {
	e := Event{Version: "2.0", RouteKey: "POST /v1/bookings", RawPath: "/v1/bookings",
		Headers: map[string]string{"host": "book.example.com", "content-type": "application/json"}, Body: `{}`}
	rc := &e.RequestContext
	rc.DomainName, rc.RequestID = "book.example.com", "req-1"
	rc.HTTP.Method, rc.HTTP.Path, rc.HTTP.SourceIP = "POST", "/v1/bookings", "203.0.113.9"
	if change != nil {
		change(&e)
	}
	return e
}

func header(name, value string) func(*Event) {
	return func(e *Event) { e.Headers[name] = value }
}

func body(s string, encoded bool) func(*Event) {
	return func(e *Event) { e.Body, e.IsBase64Encoded = s, encoded }
}

// echo answers with what see makes of the request.
func echo(see func(*http.Request) string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, see(r)) })
}

func values(name string) func(*http.Request) string {
	return func(r *http.Request) string { return strings.Join(r.Header.Values(name), " | ") }
}

const signature = `sig1=("@method" "content-digest");created=1;keyid="a,b", sig2=("@path");created=2`

// What a handler sees of an event. Defect, where set, is what the adapter alone
// makes of it: the day it no longer does, the repair can go.
func TestRequest(t *testing.T) {
	binary := "\x00\xff\xfe\x80raw"
	cases := map[string]struct {
		change func(*Event)
		see    func(*http.Request) string
		want   string
		defect string
	}{
		"ok/commas in a header":          {header("signature-input", signature), values("Signature-Input"), signature, `sig1=("@method" "content-digest");created=1;keyid="a | b" | sig2=("@path");created=2`},
		"ok/entity tags":                 {header("if-none-match", `W/"3-A", W/"4,B"`), values("If-None-Match"), `W/"3-A", W/"4,B"`, `W/"3-A" | W/"4 | B"`},
		"ok/a field sent twice":          {header("accept", "text/html,application/json"), values("Accept"), "text/html,application/json", "text/html | application/json"},
		"ok/blanks at the ends stay":     {header("x-note", " a "), values("X-Note"), " a ", "a"},
		"ok/cookies":                     {func(e *Event) { e.Cookies = []string{"a=1", "b=2"} }, values("Cookie"), "a=1; b=2", "a=1 | b=2"},
		"ok/body as text":                {body("{\"a\": 1}\n", false), rawBody, "{\"a\": 1}\n", ""},
		"ok/body decoded once":           {body(base64.StdEncoding.EncodeToString([]byte(binary)), true), rawBody, binary, ""},
		"ok/body that looks encoded":     {body("eyJhIjoxfQ==", false), rawBody, "eyJhIjoxfQ==", ""},
		"ok/length is that of the bytes": {body(base64.StdEncoding.EncodeToString([]byte(binary)), true), func(r *http.Request) string { return string(rune('0' + r.ContentLength)) }, "7", ""},
		"ok/address has a port":          {nil, func(r *http.Request) string { return r.RemoteAddr }, "203.0.113.9:0", "203.0.113.9"},
		"ok/address of IPv6":             {func(e *Event) { e.RequestContext.HTTP.SourceIP = "2001:db8::1" }, func(r *http.Request) string { return r.RemoteAddr }, "[2001:db8::1]:0", "2001:db8::1"},
		"ok/address is never a header's": {header("x-forwarded-for", "198.51.100.1"), func(r *http.Request) string { return r.RemoteAddr }, "203.0.113.9:0", "203.0.113.9"},
		"ok/request id is the gateway's": {header("x-request-id", "forged"), values(RequestID), "req-1", "forged"},
		"ok/host":                        {nil, func(r *http.Request) string { return r.Host + r.Header.Get("Host") }, "book.example.com", "book.example.combook.example.com"},
		"ok/query":                       {func(e *Event) { e.RawQueryString = "from=a%2Cb&to=c" }, func(r *http.Request) string { return r.URL.Query().Get("from") }, "a,b", ""},
		"ok/decoded question mark":       {func(e *Event) { e.RawPath = "/v1/items/a?access_token=b" }, func(r *http.Request) string { return r.URL.Path + "|" + r.URL.RawQuery }, "/v1/items/a?access_token=b|", "/v1/items/a|access_token=b"},
		"ok/decoded hash":                {func(e *Event) { e.RawPath = "/v1/items/a#b" }, func(r *http.Request) string { return r.URL.Path }, "/v1/items/a#b", "/v1/items/a"},
		"ok/encoded slash":               {func(e *Event) { e.RawPath = "/v1/items/a%2Fb" }, func(r *http.Request) string { return r.URL.EscapedPath() }, "/v1/items/a%2Fb", ""},
		"ok/path from the context":       {func(e *Event) { e.RawPath = "" }, func(r *http.Request) string { return r.URL.Path }, "/v1/bookings", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			h := echo(c.see)
			got, err := Handler(h)(context.Background(), event(c.change))
			if err != nil || got.StatusCode != 200 {
				t.Fatalf("status %d, error %v", got.StatusCode, err)
			}
			if s := text(t, got); s != c.want {
				t.Errorf("got  %q\nwant %q", s, c.want)
			}
			if c.defect == "" {
				return
			}
			bare, err := httpadapter.NewV2(h).ProxyWithContext(context.Background(), event(c.change))
			if err != nil || text(t, bare) != c.defect {
				t.Errorf("the adapter alone gives %q (error %v), not the defect %q: is the repair still needed?", text(t, bare), err, c.defect)
			}
		})
	}
}

func rawBody(r *http.Request) string {
	b, err := io.ReadAll(r.Body)
	if err != nil {
		return err.Error()
	}
	return string(b)
}

// text is a response's body, decoded.
func text(t *testing.T, r Response) string {
	t.Helper()
	if !r.IsBase64Encoded {
		return r.Body
	}
	b, err := base64.StdEncoding.DecodeString(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestAnswer(t *testing.T) {
	cases := map[string]struct {
		method  string
		handler http.HandlerFunc
		status  int
		headers map[string]string
		cookies []string
		body    string
	}{
		"ok/handler that writes nothing": {handler: func(http.ResponseWriter, *http.Request) {}, status: 200},
		"ok/header alone":                {handler: func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("ETag", `W/"1-0"`) }, status: 200, headers: map[string]string{"Etag": `W/"1-0"`}},
		"ok/first status wins": {handler: func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(409)
			w.WriteHeader(200)
		}, status: 409},
		"ok/body after a status": {handler: func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(201)
			_, _ = io.WriteString(w, "made")
			w.WriteHeader(500)
		}, status: 201, body: "made"},
		"ok/informational is no answer": {handler: func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(103)
			w.WriteHeader(202)
		}, status: 202},
		"ok/many values": {handler: func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Add("Vary", "Accept")
			w.Header().Add("Vary", "Origin")
			w.Header().Add("Set-Cookie", "a=1; Path=/")
			w.Header().Add("Set-Cookie", "b=2; Expires=Thu, 01 Jan 2026 00:00:00 GMT")
		}, status: 200, headers: map[string]string{"Vary": "Accept,Origin"}, cookies: []string{"a=1; Path=/", "b=2; Expires=Thu, 01 Jan 2026 00:00:00 GMT"}},
		"ok/bytes that are not text": {handler: func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte{0xff, 0xfe}) }, status: 200, body: "\xff\xfe"},
		"ok/head has no body": {method: "HEAD", handler: func(w http.ResponseWriter, _ *http.Request) {
			_, _ = io.WriteString(w, "x")
		}, status: 200},
		"ok/not modified has no body": {handler: func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(304)
			if _, err := io.WriteString(w, "x"); err == nil {
				panic("a body was taken")
			}
		}, status: 304},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := Handler(c.handler)(context.Background(), event(func(e *Event) {
				if c.method != "" {
					e.RequestContext.HTTP.Method = c.method
				}
			}))
			if err != nil || got.StatusCode != c.status || text(t, got) != c.body {
				t.Fatalf("got %d %q, error %v; want %d %q", got.StatusCode, text(t, got), err, c.status, c.body)
			}
			for k, v := range c.headers {
				if got.Headers[k] != v {
					t.Errorf("%s: got %q, want %q", k, got.Headers[k], v)
				}
			}
			if strings.Join(got.Cookies, "\n") != strings.Join(c.cookies, "\n") {
				t.Errorf("cookies %q, want %q", got.Cookies, c.cookies)
			}
		})
	}
}

// The adapter alone makes an error of the function of an empty handler, and
// lets the last status win.
func TestAnswerDefects(t *testing.T) {
	if _, err := httpadapter.NewV2(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})).ProxyWithContext(context.Background(), event(nil)); err == nil {
		t.Error("an empty handler is no error any more: is the repair still needed?")
	}
	last, _ := httpadapter.NewV2(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(409)
		w.WriteHeader(200)
	})).ProxyWithContext(context.Background(), event(nil))
	if last.StatusCode != 200 {
		t.Error("the first status wins already: is the repair still needed?")
	}
}

func TestPanic(t *testing.T) {
	var logged bytes.Buffer
	old := slog.Default()
	slog.SetDefault(slog.New(slog.NewJSONHandler(&logged, nil)))
	t.Cleanup(func() { slog.SetDefault(old) })
	h := Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Set-Cookie", "half=1")
		w.WriteHeader(201)
		_, _ = io.WriteString(w, `{"half":`)
		panic("secret of the handler")
	}))
	got, err := h(context.Background(), event(nil))
	if err != nil {
		t.Fatal(err)
	}
	d := decode(t, got)
	if got.StatusCode != 500 || d.Code != "internal" || d.Instance != "req-1" || d.Type != "https://book.example.com/problems/internal" {
		t.Errorf("got %d %+v", got.StatusCode, d)
	}
	if len(got.Cookies) != 0 || strings.Contains(got.Body, "half") || strings.Contains(got.Body, "secret") {
		t.Errorf("half an answer or the panic's words left: %+v", got)
	}
	if !strings.Contains(logged.String(), "req-1") || !strings.Contains(logged.String(), "secret of the handler") {
		t.Errorf("log lacks request id or panic: %s", logged.String())
	}
	if again, err := h(context.Background(), event(nil)); err != nil || again.StatusCode != 500 {
		t.Error("the process did not go on")
	}
}

func TestUnreadablePath(t *testing.T) {
	for name, path := range map[string]string{
		"fail/bare percent":   "/v1/items/100%",
		"fail/half an escape": "/v1/items/%4",
		"fail/not hex":        "/%zz",
		"fail/control":        "/v1/\x00",
	} {
		t.Run(name, func(t *testing.T) {
			reached := false
			h := http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true })
			got, err := Handler(h)(context.Background(), event(func(e *Event) { e.RawPath = path }))
			if err != nil || reached {
				t.Fatalf("error %v, reached %v", err, reached)
			}
			if d := decode(t, got); got.StatusCode != 400 || d.Code != "bad_request" || got.Headers["Content-Type"] != "application/problem+json" {
				t.Errorf("got %d %+v %v", got.StatusCode, d, got.Headers)
			}
			if _, err := httpadapter.NewV2(h).ProxyWithContext(context.Background(), event(func(e *Event) { e.RawPath = path })); err == nil {
				t.Error("the adapter reads it now: is the repair still needed?")
			}
		})
	}
}

func decode(t *testing.T, r Response) (d document) {
	t.Helper()
	if err := json.Unmarshal([]byte(r.Body), &d); err != nil {
		t.Fatalf("%q: %v", r.Body, err)
	}
	return d
}

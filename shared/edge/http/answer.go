package http

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"maps"
	"net/http"
	"runtime/debug"

	"typedinbox/shared/inbox"
)

// answer collects what a handler writes. The first status counts, as in
// net/http; nothing leaves before the handler has returned, so a panic half way
// leaves no half answer.
type answer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *answer) Header() http.Header { return a.header }

// WriteHeader keeps the first final status; informational ones have no way
// through the gateway.
func (a *answer) WriteHeader(status int) {
	if a.status == 0 && status >= 200 {
		a.status = status
	}
}

func (a *answer) Write(b []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	if a.status == http.StatusNoContent || a.status == http.StatusNotModified {
		return 0, http.ErrBodyNotAllowed
	}
	return a.body.Write(b)
}

// buffered runs the handler, turns a panic into the problem internal, and
// writes a status even when the handler wrote nothing.
func buffered(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := serve(next, r)
		maps.Copy(w.Header(), a.header)
		a.WriteHeader(http.StatusOK)
		if a.body.Len() > 0 && r.Method != http.MethodHead {
			_, _ = w.Write(a.body.Bytes()) // into memory: it cannot fail
		}
		w.WriteHeader(a.status) // last, since Write sets one of its own
	})
}

func serve(next http.Handler, r *http.Request) (a *answer) {
	a = &answer{header: http.Header{}}
	defer func() {
		v := recover()
		if v == nil {
			return
		}
		id := r.Context().Value(eventKey{}).(*Event).RequestContext.RequestID
		slog.ErrorContext(r.Context(), "handler panicked", "request", id, "panic", fmt.Sprint(v), "stack", string(debug.Stack()))
		a = problem(r.Host, id, inbox.Refuse(inbox.CodeInternal, ""))
	}()
	next.ServeHTTP(a, r)
	return a
}

// document is the problem as RFC 9457 has it and 03 §4 fills it.
type document struct {
	Type     string     `json:"type"`
	Title    string     `json:"title"`
	Status   int        `json:"status"`
	Detail   string     `json:"detail"`
	Code     inbox.Code `json:"code"`
	Instance string     `json:"instance,omitempty"`
}

// problem is the answer of a problem that arises before or behind the door.
// The request's id is told for our own faults alone.
func problem(host, requestID string, p *inbox.Problem) *answer {
	kind := inbox.KindOf(p.Code)
	d := document{Type: "https://" + host + "/problems/" + string(p.Code), Title: kind.Title,
		Status: kind.Status, Detail: p.Detail, Code: p.Code, Instance: requestID}
	if d.Detail == "" {
		d.Detail = kind.Means
	}
	a := &answer{header: http.Header{}, status: kind.Status}
	a.header.Set("Content-Type", "application/problem+json")
	a.header.Set("Cache-Control", "no-store")
	if err := json.NewEncoder(&a.body).Encode(d); err != nil {
		panic(err) // five strings and a number
	}
	return a
}

// refused is the gateway's answer to an event that no handler sees.
func refused(e Event, p *inbox.Problem) Response {
	host := e.Headers["host"]
	if host == "" {
		host = e.RequestContext.DomainName
	}
	a := problem(host, "", p)
	headers := make(map[string]string, len(a.header))
	for name := range a.header {
		headers[name] = a.header.Get(name)
	}
	return Response{StatusCode: a.status, Headers: headers, Body: a.body.String()}
}

package rest

import (
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"

	"typedinbox/shared/inbox"
	"typedinbox/shared/operation"
)

// problemJSON is the media type of a problem document (RFC 9457).
const problemJSON = "application/problem+json"

// exposed lists the response headers a page of another origin may read (03 §3).
var exposed = strings.Join([]string{"Idempotent-Replayed", "Sdi-Signature", "Retry-After", "WWW-Authenticate", "Location", "Allow", "ETag"}, ", ")

// reply is a whole answer, ready to be written.
type reply struct {
	status int
	header http.Header
	body   []byte
}

func (a reply) write(w http.ResponseWriter) {
	h := w.Header()
	for name, values := range a.header {
		h[name] = values
	}
	w.WriteHeader(a.status)
	if len(a.body) > 0 {
		_, _ = w.Write(a.body) // the reader has gone; there is nobody to tell
	}
}

// render turns an operation's answer into the door's.
func (s Site) render(x *exchange, a inbox.Answer) reply {
	h := headers(x.op)
	h.Set("Cache-Control", x.op.Cache)
	if a.CacheControl != "" {
		h.Set("Cache-Control", a.CacheControl)
	}
	set(h, "Etag", a.ETag)
	if x.op.Poll > 0 {
		h.Set("Retry-After", strconv.Itoa(x.op.Poll))
	}
	if a.Status == http.StatusNotModified || (!x.op.Writes() && matches(x.Header.Values("If-None-Match"), a.ETag)) {
		return reply{status: http.StatusNotModified, header: h}
	}
	set(h, "Location", a.Location)
	if a.Replayed {
		h.Set("Idempotent-Replayed", "true")
	}
	if len(a.Body) > 0 {
		h.Set("Content-Type", mediaOf(x.op, a.Status))
	}
	return reply{status: a.Status, header: h, body: a.Body}
}

// mediaOf is the content type of an operation's answer of a status.
func mediaOf(op *operation.Op, status int) string {
	for _, out := range op.Out {
		if out.Status == status && out.Media != "" {
			return out.Media
		}
	}
	return operation.JSON
}

func set(h http.Header, name, value string) {
	if value != "" {
		h.Set(name, value)
	}
}

// headers are those of every answer of an operation, refusals included.
func headers(op *operation.Op) http.Header {
	h := http.Header{"X-Content-Type-Options": {"nosniff"}}
	if op != nil && op.CORS {
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Access-Control-Expose-Headers", exposed)
	}
	return h
}

// matches says whether a tag is among those of If-None-Match, compared weakly
// (RFC 9110 §13.1.2).
func matches(header []string, tag string) bool {
	if tag == "" {
		return false
	}
	for _, line := range header {
		for _, candidate := range strings.Split(line, ",") {
			candidate = strings.TrimSpace(candidate)
			if candidate == "*" || weak(candidate) == weak(tag) {
				return true
			}
		}
	}
	return false
}

func weak(tag string) string { return strings.TrimPrefix(tag, "W/") }

// document is a problem as RFC 9457 and 03 §4 write it.
type document struct {
	Type     string               `json:"type"`
	Title    string               `json:"title"`
	Status   int                  `json:"status"`
	Detail   string               `json:"detail"`
	Code     inbox.Code           `json:"code"`
	Fields   []inbox.FieldProblem `json:"fields,omitempty"`
	Details  map[string]any       `json:"details,omitempty"`
	Instance string               `json:"instance,omitempty"` // of internal alone: the request's id
}

// refuse turns an error into the door's answer. Whatever is no problem of the
// table is told as internal, without a word of what it was.
func (s Site) refuse(x *exchange, err error) reply {
	var p *inbox.Problem
	if !errors.As(err, &p) || p.Status() == 0 {
		p = &inbox.Problem{Code: inbox.CodeInternal, Cause: err}
	}
	x.problem = p
	kind := inbox.KindOf(p.Code)
	d := document{Type: x.origin + "/problems/" + string(p.Code), Title: kind.Title, Status: kind.Status,
		Detail: p.Detail, Code: p.Code, Fields: p.Fields, Details: p.Details}
	if p.Code == inbox.CodeInternal {
		d.Detail, d.Fields, d.Details, d.Instance = "", nil, nil, x.id
	}
	if d.Detail == "" {
		d.Detail = kind.Means
	}
	body, err := json.Marshal(d)
	if err != nil { // details hold something that is no JSON
		return s.refuse(x, err)
	}
	h := headers(x.op)
	h.Set("Content-Type", problemJSON)
	h.Set("Cache-Control", operation.NoStore)
	if p.Code == inbox.CodeUnauthorized {
		h.Set("Www-Authenticate", `Bearer realm="owner"`)
	}
	if wait := retryAfter(p); wait > 0 {
		h.Set("Retry-After", strconv.Itoa(wait))
	}
	set(h, "Allow", strings.Join(p.Allow, ", "))
	return reply{status: kind.Status, header: h, body: body}
}

// retryAfter is in how many seconds to try again, 0 where that is no answer. It
// is never less than one where a code asks for it (03 §4).
func retryAfter(p *inbox.Problem) int {
	if p.Code == inbox.CodeUnavailable || p.Code == inbox.CodeTooManyRequests {
		return max(p.RetryAfter, 1)
	}
	return p.RetryAfter
}

// Package http is the one place that knows API Gateway's HTTP API: it turns a
// payload 2.0 event into a request for a net/http handler and the answer back.
// The adapter it builds on has five faults that are repaired here, once (08 §3).
package http

import (
	"context"
	"net"
	"net/http"
	"strings"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
	"github.com/awslabs/aws-lambda-go-api-proxy/httpadapter"

	"typedinbox/shared/inbox"
)

// RequestID is the header in which a handler finds the gateway's id of the
// request. It is always ours: one that a client sent is overwritten.
const RequestID = "X-Request-Id"

// Event is what the gateway sends, payload format 2.0.
type Event = events.APIGatewayV2HTTPRequest

// Response is what the gateway takes.
type Response = events.APIGatewayV2HTTPResponse

// Start serves a handler as a Lambda function; it does not return.
func Start(h http.Handler) { lambda.Start(Handler(h)) }

// Handler makes a handler answer events. It never answers an error: what the
// handler does wrong is told as the problem internal, what the visitor's path
// does wrong as bad_request.
func Handler(h http.Handler) func(context.Context, Event) (Response, error) {
	adapter := httpadapter.NewV2(buffered(restored(h)))
	return func(ctx context.Context, e Event) (Response, error) {
		e.RawPath = pathOf(e)
		if !readable(e) {
			return refused(e, inbox.Refuse(inbox.CodeBadRequest, "The path cannot be read; check its percent signs.")), nil
		}
		return adapter.ProxyWithContext(context.WithValue(ctx, eventKey{}, &e), e)
	}
}

type eventKey struct{}

// pathOf is the event's path, such that what the gateway decoded in it cannot
// be taken for the beginning of a query or a fragment.
func pathOf(e Event) string {
	p := e.RawPath
	if p == "" {
		p = e.RequestContext.HTTP.Path
	}
	return strings.NewReplacer("?", "%3F", "#", "%23").Replace(p)
}

// readable says whether the adapter can read the event. What it cannot read it
// would print, path and all, and answer as an error of the function.
func readable(e Event) bool {
	u := "https://" + e.RequestContext.DomainName + "/" + strings.TrimPrefix(e.RawPath, "/")
	if e.RawQueryString != "" {
		u += "?" + e.RawQueryString
	}
	_, err := http.NewRequest(e.RequestContext.HTTP.Method, u, http.NoBody)
	return err == nil
}

// restored gives the handler the headers as they arrived, the client's address
// as the gateway saw it, and the gateway's id of the request.
func restored(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e := r.Context().Value(eventKey{}).(*Event)
		r.Header = headersOf(e)
		r.Host = e.RequestContext.DomainName
		if host := r.Header.Get("Host"); host != "" {
			r.Host = host
			r.Header.Del("Host")
		}
		r.Header.Set(RequestID, e.RequestContext.RequestID)
		r.RemoteAddr = net.JoinHostPort(e.RequestContext.HTTP.SourceIP, "0")
		next.ServeHTTP(w, r)
	})
}

// headersOf takes every header from the event's own value, commas included: a
// field that came more than once was joined by the gateway, which RFC 9110
// §5.3 says means the same.
func headersOf(e *Event) http.Header {
	h := make(http.Header, len(e.Headers)+2)
	for name, value := range e.Headers {
		h.Set(name, value)
	}
	if len(e.Cookies) > 0 {
		h.Set("Cookie", strings.Join(e.Cookies, "; "))
	}
	return h
}

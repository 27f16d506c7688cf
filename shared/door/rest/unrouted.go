package rest

import (
	"net/http"
	"slices"
	"strings"

	"typedinbox/shared/inbox"
	"typedinbox/shared/operation"
)

// requestHeaders lists the request headers a page of another origin may send
// (03 §1).
var requestHeaders = strings.Join([]string{
	"Authorization", "Content-Type", "Idempotency-Key", "If-None-Match", "X-Access-Token", "X-Sandbox",
	"Sdi-Pass", "Sdi-Agent-Key", "Signature-Agent", "Signature-Input", "Signature", "Content-Digest",
}, ", ")

// pageHeaders stand on every answer below the paths of pages, whoever gives it:
// such a path may hold a link's token (05 §6.9).
var pageHeaders = map[string]string{
	"Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex, nofollow",
	"Content-Security-Policy": "default-src 'none'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
}

// unrouted answers what no route takes (03 §5.5, 08 §3): 404 for an unknown
// path, 405 with Allow for another method on a known one, and preflights.
func (s Site) unrouted(x *exchange) reply {
	answer := s.refused(x)
	if path := x.URL.Path; strings.HasPrefix(path, "/c/") || strings.HasPrefix(path, "/p/") {
		for name, value := range pageHeaders {
			answer.header.Set(name, value)
		}
	}
	return answer
}

func (s Site) refused(x *exchange) reply {
	allowed, cors := operation.Methods(operation.Routes(), x.URL.EscapedPath())
	switch {
	case len(allowed) == 0 || slices.Contains(allowed, x.Method): // or another function's
		return s.refuse(x, inbox.Refuse(inbox.CodeNotFound, "There is nothing under this path."))
	case x.Method == http.MethodOptions:
		return preflight(allowed, cors)
	}
	p := inbox.Refuse(inbox.CodeMethodNotAllowed, "This path takes %s.", strings.Join(allowed, ", "))
	p.Allow = allowed
	answer := s.refuse(x, p)
	if len(cors) > 0 {
		answer.header.Set("Access-Control-Allow-Origin", "*")
		answer.header.Set("Access-Control-Expose-Headers", exposed)
	}
	return answer
}

// preflight tells a browser what a page of another origin may do. Doors that are
// not for such pages answer without a word of it, and the browser refuses.
func preflight(allowed, cors []string) reply {
	h := http.Header{"Cache-Control": {operation.NoStore}, "X-Content-Type-Options": {"nosniff"}}
	h.Set("Allow", strings.Join(allowed, ", "))
	if len(cors) > 0 {
		h.Set("Access-Control-Allow-Origin", "*")
		h.Set("Access-Control-Allow-Methods", strings.Join(cors, ", "))
		h.Set("Access-Control-Allow-Headers", requestHeaders)
		h.Set("Access-Control-Max-Age", "600")
	}
	return reply{status: http.StatusNoContent, header: h}
}

package rest

import (
	"context"
	"crypto/rand"
	"log/slog"
	"net"
	"net/http"
	"strings"

	"typedinbox/shared/identity"
	"typedinbox/shared/inbox"
)

// RequestID is the header in which the gateway's glue leaves the id of a
// request. Without it the door makes one.
const RequestID = "X-Request-Id"

// Site is what every handler needs beside its operation.
type Site struct {
	// PublicURL is the public origin of this inbox without a trailing slash; ""
	// derives it from the host that was asked (03 §1).
	PublicURL string
	// Callers says who is calling; the functions of the system need none.
	Callers Callers
	// Log takes one line per request; nil is slog.Default().
	Log *slog.Logger
}

// Callers resolves who is calling (03 §2.2).
type Callers interface {
	Resolve(ctx context.Context, c identity.Credentials) (inbox.Caller, error)
}

func (s Site) log() *slog.Logger {
	if s.Log != nil {
		return s.Log
	}
	return slog.Default()
}

// origin is scheme and host for links in answers.
func (s Site) origin(r *http.Request) string {
	if s.PublicURL != "" {
		return strings.TrimSuffix(s.PublicURL, "/")
	}
	scheme := r.URL.Scheme
	switch {
	case scheme != "":
	case r.TLS != nil:
		scheme = "https"
	default:
		scheme = "http"
	}
	return scheme + "://" + r.Host
}

// caller says who is calling. The token of a body is not known yet.
func (s Site) caller(r *http.Request, query string) (inbox.Caller, error) {
	return s.Callers.Resolve(r.Context(), identity.Credentials{
		Authorization: r.Header.Get("Authorization"),
		AccessToken:   identity.AccessToken("", query, r.Header.Get("X-Access-Token")),
		ClientIP:      clientIP(r),
		UserAgent:     r.UserAgent(),
		Channel:       inbox.ChannelREST,
		Host:          r.Host,
		Sandbox:       r.Header.Get("X-Sandbox"),
	})
}

// clientIP is the peer's address, never what a header claims (03 §20).
func clientIP(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return r.RemoteAddr
	}
	return host
}

// requestID is the gateway's id when it reads like one, else a new one. It ends
// in logs, so nothing a client could send gets past.
func requestID(r *http.Request) string {
	id := r.Header.Get(RequestID)
	if id == "" || len(id) > 64 || strings.Trim(id, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_=") != "" {
		return rand.Text()
	}
	return id
}

package pages

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"time"

	"typedinbox/shared/format"
	"typedinbox/shared/identity"
	"typedinbox/shared/inbox"
)

// Site is what every page needs beside what it shows.
type Site struct {
	// Callers says who sends a form; the pages behind links need none.
	Callers Callers
	// Log takes one line per request; nil is slog.Default().
	Log *slog.Logger
}

// Callers resolves who is calling (03 §2.2).
type Callers interface {
	Resolve(ctx context.Context, c identity.Credentials) (inbox.Caller, error)
}

// requestID is the header in which the gateway's glue leaves the id of a request.
const requestID = "X-Request-Id"

// maxForm is how much of a form is read (03 §3).
const maxForm = 64 << 10

// answer is a whole page, or where the reader is sent.
type answer struct {
	status   int
	page     page
	location string // of a 303
	cache    string // Cache-Control, "" for no-store
	retry    int    // seconds, 0 for none
	allow    string // the methods there are, of a 405
	// byBrowser says that a page which may be kept is in the browser's language.
	byBrowser bool
	err       error // for the log
}

// serve answers one request and writes its one line: the route's pattern, never
// the path or a query, which may hold a token (05 §6.2).
func (s Site) serve(w http.ResponseWriter, r *http.Request, route string, f func() answer) {
	start := time.Now()
	a := s.guarded(r, route, f)
	a.write(w)
	attrs := []any{"request_id", r.Header.Get(requestID), "route", route, "status", a.status, "ms", float64(time.Since(start).Microseconds()) / 1000}
	var p *inbox.Problem
	if errors.As(a.err, &p) {
		attrs = append(attrs, "code", string(p.Code))
	} else if a.err != nil && a.status >= http.StatusInternalServerError {
		attrs = append(attrs, "error", a.err.Error())
	}
	if a.status >= http.StatusInternalServerError {
		s.log().ErrorContext(r.Context(), "request", attrs...)
		return
	}
	s.log().InfoContext(r.Context(), "request", attrs...)
}

// guarded turns a panic into the page of a fault.
func (s Site) guarded(r *http.Request, route string, f func() answer) (a answer) {
	defer func() {
		if v := recover(); v != nil {
			s.log().ErrorContext(r.Context(), "the page panicked", "request_id", r.Header.Get(requestID), "route", route,
				"panic", fmt.Sprint(v), "stack", string(debug.Stack()))
			a = answer{status: http.StatusInternalServerError, page: plainPage(format.AcceptLanguage(r.Header.Get("Accept-Language"), nil), "", "fault")}
		}
	}()
	return f()
}

func (s Site) log() *slog.Logger {
	if s.Log != nil {
		return s.Log
	}
	return slog.Default()
}

// write sends the answer with the headers that every page and redirect has
// (05 §6.9).
func (a answer) write(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Cache-Control", either(a.cache, "no-store"))
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Robots-Tag", "noindex, nofollow")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Content-Security-Policy", policy)
	if a.byBrowser {
		h.Set("Vary", "Accept-Language")
	}
	if a.allow != "" {
		h.Set("Allow", a.allow)
	}
	if a.retry > 0 {
		h.Set("Retry-After", strconv.Itoa(a.retry))
	}
	if a.location != "" {
		h.Set("Location", a.location)
		w.WriteHeader(http.StatusSeeOther)
		return
	}
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Language", string(a.page.lang))
	w.WriteHeader(a.status)
	_, _ = w.Write([]byte(a.page.html())) // the reader has gone; there is nobody to tell
}

func either(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// caller is who sends a form: a person, anonymous (05 §7).
func (s Site) caller(r *http.Request) (inbox.Caller, error) {
	return s.Callers.Resolve(r.Context(), identity.Credentials{
		ClientIP: clientIP(r), UserAgent: r.UserAgent(), Channel: inbox.ChannelForm, Host: r.Host,
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

// onceKey is a new key of a form.
func onceKey() string { return rand.Text() }

// isOnce says whether a form's key is one that a page gave, or looks like it.
func isOnce(s string) bool {
	return len(s) >= 16 && len(s) <= 64 && strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") == ""
}

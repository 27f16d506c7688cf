package pages_test

import (
	"crypto/sha256"
	"encoding/base64"
	"net/url"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

// TestHeaders: every page, redirect and error has them, and the policy allows
// the style sheet that stands on the page and nothing else (05 §6.9).
func TestHeaders(t *testing.T) {
	w := newWorld(t)
	tokens := w.mail(w.proposed(), inbox.LinkAcceptTime, inbox.LinkDeclineTime)
	form, to := w.get(tokens[inbox.LinkAcceptTime]).form()
	for name, s := range map[string]shown{
		"page": w.get(tokens[inbox.LinkDeclineTime]), "redirect": w.do(w.links, "POST", to, form), "unknown": w.get("x"),
		"garbled": w.do(w.links, "POST", "/c/"+tokens[inbox.LinkDeclineTime], url.Values{"a": {"b"}}),
		"moved":   w.get(tokens[inbox.LinkDeclineTime]), "head": w.do(w.links, "HEAD", "/c/"+tokens[inbox.LinkAcceptTime], nil),
		"front": w.do(w.front, "GET", "/", nil), "book": w.do(w.front, "GET", "/p/book?service=SVC", nil), "nowhere": w.do(w.front, "GET", "/p/x", nil),
	} {
		t.Run(name, func(t *testing.T) {
			want := map[string]string{
				"Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex, nofollow", "X-Content-Type-Options": "nosniff",
			}
			if name == "front" {
				want["Cache-Control"] = "private, max-age=60"
			}
			if vary := s.header.Get("Vary"); (vary == "Accept-Language") != (name == "front") { // what is kept is in the browser's language
				t.Errorf("Vary: %q", vary)
			}
			for header, value := range want {
				if got := s.header.Get(header); got != value {
					t.Errorf("%s: %q", header, got)
				}
			}
			policy := s.header.Get("Content-Security-Policy")
			for _, part := range []string{"default-src 'none'", "form-action 'self'", "base-uri 'none'", "frame-ancestors 'none'"} {
				if !strings.Contains(policy, part) {
					t.Errorf("policy %q", policy)
				}
			}
			if s.header.Get("Set-Cookie") != "" {
				t.Error("a cookie")
			}
			if s.body == "" {
				return
			}
			_, rest, _ := strings.Cut(s.body, "<style>")
			sheet, _, _ := strings.Cut(rest, "</style>")
			sum := sha256.Sum256([]byte(sheet))
			if sheet == "" || !strings.Contains(policy, "style-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'") {
				t.Errorf("the policy is not of the style sheet: %s", policy)
			}
		})
	}
}

// TestAccessible: what can be told of a page without a browser: its language,
// one heading, landmarks, a label for every field, nothing fetched from
// elsewhere, no script.
func TestAccessible(t *testing.T) {
	w := newWorld(t)
	tokens := w.mail(w.proposed(), inbox.LinkAcceptTime, inbox.LinkDeclineTime, inbox.LinkOtherTime)
	details := w.mail(w.questioned(), inbox.LinkDetails)
	withdraw := w.mail(w.acceptedOrder(), inbox.LinkWithdraw, inbox.LinkCancel)
	for name, s := range map[string]shown{
		"accept": w.get(tokens[inbox.LinkAcceptTime]), "decline": w.get(tokens[inbox.LinkDeclineTime]), "times": w.get(tokens[inbox.LinkOtherTime]),
		"details": w.get(details[inbox.LinkDetails]), "withdraw": w.get(withdraw[inbox.LinkWithdraw]), "cancel": w.get(withdraw[inbox.LinkCancel]),
		"alert": w.press(tokens[inbox.LinkOtherTime]), "unknown": w.get("x"),
		"front": w.do(w.front, "GET", "/", nil), "book": w.do(w.front, "GET", "/p/book?service=SVC", nil),
		"quote": w.do(w.front, "GET", "/p/quote", nil), "message": w.do(w.front, "GET", "/p/message", nil), "sent": w.do(w.front, "GET", "/p/sent?sent=booking", nil),
	} {
		t.Run(name, func(t *testing.T) {
			count, labelled, ids := map[string]int{}, map[string]bool{}, map[string]bool{}
			for n := range s.nodes() {
				count[n.Data]++
				if n.Data == "label" {
					labelled[attribute(n, "for")] = true
				}
				if id := attribute(n, "id"); id != "" {
					if ids[id] {
						t.Errorf("two elements are #%s", id)
					}
					ids[id] = true
				}
				if src := attribute(n, "src"); src != "" {
					t.Errorf("fetches %s", src)
				}
				if href := attribute(n, "href"); href != "" && !strings.HasPrefix(href, "/") {
					t.Errorf("leads to %s", href)
				}
			}
			for n := range s.nodes() {
				kind := attribute(n, "type")
				field := n.Data == "textarea" || n.Data == "input" && kind != "hidden" && kind != "radio"
				if field && !labelled[attribute(n, "id")] {
					t.Errorf("%s has no label", attribute(n, "name"))
				}
				if kind == "radio" && n.Parent.Data != "label" {
					t.Error("a time without a label")
				}
				if n.Data == "html" && attribute(n, "lang") != "en" {
					t.Error("no language")
				}
			}
			if count["h1"] != 1 || count["main"] != 1 || count["header"] != 1 || count["title"] != 1 || count["script"]+count["img"]+count["link"]+count["iframe"] != 0 {
				t.Errorf("%v", count)
			}
			if count["fieldset"] != count["legend"] {
				t.Error("a group without its name")
			}
		})
	}
}

// TestNoTokenInTheLog: a line names the route's pattern and nothing of the path,
// the query or the form.
func TestNoTokenInTheLog(t *testing.T) {
	w := newWorld(t)
	token := w.mail(w.asked(), inbox.LinkCancel)[inbox.LinkCancel]
	w.get(token)
	w.press(token, "text", "A secret reason").is(303)
	w.get(token[:44] + "A")
	w.get("nonsense")
	w.do(w.front, "GET", "/p/book?service=SVC&from=2026-10-09", nil)
	log := w.log.String()
	for _, secret := range []string{token, token[:22], token[23:], "A secret reason", "from=2026", "SVC"} {
		if strings.Contains(log, secret) {
			t.Errorf("the log holds %q", secret)
		}
	}
	for _, line := range []string{`route="GET /c/{token}" status=200`, `route="POST /c/{token}" status=303`, `route="GET /c/{token}" status=404`, `route="GET /p/book" status=200`} {
		if !strings.Contains(log, line) {
			t.Errorf("the log lacks %q:\n%s", line, log)
		}
	}
}

package main

import (
	"bufio"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

// letterFrom is a raw mail.
func letterFrom(from, to, subject, text string, headers ...string) string {
	h := append([]string{"From: " + from, "To: " + to, "Subject: " + subject, "MIME-Version: 1.0", "Content-Type: text/plain; charset=utf-8"}, headers...)
	return strings.Join(h, "\r\n") + "\r\n\r\n" + strings.ReplaceAll(text, "\n", "\r\n") + "\r\n"
}

// arrives delivers a raw mail and does what comes of it.
func (c *client) arrives(raw, query string) answer {
	c.t.Helper()
	a := c.post("/_local/mail-in"+query, raw).is(200)
	c.settle()
	return a
}

// link is the address behind a label of the newest mail to somebody.
func (c *client) link(to, label string) string {
	c.t.Helper()
	sent := c.mails(to)
	m := regexp.MustCompile(regexp.QuoteMeta(label) + `: (\S+)`).FindStringSubmatch(sent[0].Text)
	if m == nil {
		c.t.Fatalf("no link %q in\n%s", label, sent[0].Text)
	}
	return strings.TrimPrefix(m[1], c.url)
}

var hiddenField = regexp.MustCompile(`<input type="hidden" name="([a-z_]+)" value="([^"]*)"`)

// press presses the button of a link's page.
func (c *client) press(path string) answer {
	c.t.Helper()
	page := c.get(path).is(200)
	form := url.Values{}
	for _, f := range hiddenField.FindAllStringSubmatch(string(page.raw), -1) {
		form.Set(f[1], f[2])
	}
	return c.saying("Content-Type", "application/x-www-form-urlencoded").post(path, form.Encode())
}

// TestMailSession is a customer who has nothing but a mailbox: request by mail,
// question, details by reply, another time, accepted by link, cancelled by link.
func TestMailSession(t *testing.T) {
	c := serve(t, nil)
	owner := c.owner()
	const rita = "rita@example.com"
	first := c.arrives(letterFrom("Rita <"+rita+">", "hello@"+inboundDomain, "A portrait", "Could I have a portrait taken next week?", "Message-ID: <r1@example.com>"), "")
	if first.str("outcome") != "created" || first.str("item_id") == "" {
		t.Fatalf("became %s", first.raw)
	}
	owner.post("/v1/owner/items/"+first.str("item_id")+"/replies", map[string]any{"body": "With pleasure, we write it down for you."}).is(200)
	if got := c.mails(rita)[0]; got.Subject != "Re: A portrait" || got.Headers["In-Reply-To"] != "<r1@example.com>" || got.Headers["Auto-Submitted"] != "" {
		t.Errorf("answered %q %v", got.Subject, got.Headers)
	}

	service := c.service("Portrait session")
	slots := c.slots(service, 6)
	id := owner.post("/v1/bookings", booking(service, slots[0], rita)).is(201).str("view.item.id")
	owner.fire(id, "request_info", map[string]any{"note": "Indoors or outdoors?"}).is(200)
	question := c.mails(rita)[0]
	reply := c.arrives(letterFrom(rita, strings.ToUpper(question.ReplyTo), "Re: "+question.Subject,
		"Outdoors, please.\n\nOn Monday, Studio Lumen wrote:\n> "+strings.ReplaceAll(question.Text, "\n", "\n> ")), "")
	if reply.str("outcome") != "replied" || reply.str("item_id") != id {
		t.Fatalf("the reply became %s", reply.raw)
	}
	detail := owner.get("/v1/owner/items/" + id).is(200)
	if got := detail.str("item.state"); got != "requested" {
		t.Errorf("state %q", got)
	}
	if !strings.Contains(string(detail.raw), `"body":"Outdoors, please."`) {
		t.Errorf("the thread does not hold the reply alone: %s", detail.raw)
	}

	owner.post("/v1/owner/items/"+id+"/offers", map[string]any{"input": map[string]any{"startTime": slots[5].StartTime, "endTime": slots[5].EndTime}}).is(200)
	accept := c.link(rita, "Accept this time")
	c.press(accept).is(200) // 303 to the page that says it is done
	if got := owner.get("/v1/owner/items/" + id).str("item.state"); got != "confirmed" {
		t.Fatalf("state %q", got)
	}
	cancel := c.link(rita, "Cancel this booking")
	c.press(cancel).is(200)
	if got := owner.get("/v1/owner/items/" + id).str("item.state"); got != "cancelled_by_customer" {
		t.Errorf("state %q", got)
	}
	if got := templates(c.mails(rita)); got != "reply needs_info booking.proposed booking.accepted cancelled.as_asked" {
		t.Errorf("the customer was told %q", got)
	}
	if findings := c.get("/_local/check").at("findings"); fmt.Sprint(findings) != "[]" {
		t.Errorf("the table: %v", findings)
	}
}

// TestMailIn: the local door delivers as the mail service does.
func TestMailIn(t *testing.T) {
	c := serve(t, nil)
	owner := c.owner()
	for name, l := range map[string]struct {
		raw, query, outcome string
	}{
		"ok/message":     {letterFrom("a@example.com", "x@"+inboundDomain, "Hello", "Hello"), "", "created"},
		"ok/null path":   {letterFrom("b@example.com", "x@"+inboundDomain, "Hello", "Hello"), "?from=", "noticed"},
		"ok/return path": {"Return-Path: <>\r\n" + letterFrom("c@example.com", "x@"+inboundDomain, "Hello", "Hello"), "", "noticed"},
		"ok/no sender":   {letterFrom("", "x@"+inboundDomain, "Hello", "Hello"), "?from=x@example.com", "noticed"},
		"ok/virus":       {letterFrom("d@example.com", "x@"+inboundDomain, "Hello", "Hello"), "?virus=FAIL", "noticed"},
		"ok/spam":        {letterFrom("e@example.com", "x@"+inboundDomain, "Hello", "Hello"), "?spam=fail", "created"},
		"ok/to no-reply": {letterFrom("f@example.com", "x@elsewhere.example", "Hello", "Hello"), "?to=no-reply@" + inboundDomain, "noticed"},
	} {
		if got := c.arrives(l.raw, l.query); got.str("outcome") != l.outcome {
			t.Errorf("%s: became %s", name, got.raw)
		}
	}
	twice := letterFrom("g@example.com", "x@"+inboundDomain, "Hello", "Hello", "Message-ID: <g@example.com>")
	if a, b := c.arrives(twice, ""), c.arrives(twice, ""); a.str("outcome") != "created" || b.str("outcome") != "duplicate" || a.str("item_id") != b.str("item_id") {
		t.Errorf("twice: %s, %s", a.raw, b.raw)
	}
	for i := range 12 {
		got := c.arrives(letterFrom("loop@example.com", "x@"+inboundDomain, "Hello", fmt.Sprint(i)), "").str("outcome")
		if want := map[bool]string{true: "created", false: "limited"}[i < 10]; got != want {
			t.Errorf("mail %d: %s", i, got)
		}
	}
	c.post("/_local/mail-in", "").is(http.StatusUnprocessableEntity)
	c.post("/_local/mail-in?spf=MAYBE", twice).is(http.StatusUnprocessableEntity)

	notices := owner.get("/v1/owner/notices").is(200)
	list, _ := notices.at("items").([]any)
	if len(list) != 5 {
		t.Errorf("%d notices: %s", len(list), notices.raw)
	}
	id := notices.str("items.0.id")
	owner.post("/v1/owner/notices/"+id+"/seen", nil).is(200)
	owner.with(c.assistantKey()).get("/v1/owner/notices").refused(http.StatusForbidden, inbox.CodeNotAllowed)
}

// assistantKey is a key of an integration that may read the inbox.
func (c *client) assistantKey() string {
	return c.post("/_local/key", map[string]any{"kind": "integration", "scopes": []string{"inbox:read", "inbox:write"}}).is(200).str("key")
}

// TestMailEvent: what the mail service says later is seen on the item, and the
// owner has it sent again.
func TestMailEvent(t *testing.T) {
	c := serve(t, nil)
	owner := c.owner()
	service := c.service("Portrait session")
	made := c.book(booking(service, last(c.slots(service, 6)), customer)).is(201)
	id := made.str("view.item.id")
	owner.fire(id, "confirm", nil).is(200)
	sent := c.mails(customer)[0]
	say := func(body map[string]any) answer { return c.post("/_local/mail-event", body) }
	if got := say(map[string]any{"mail_id": sent.ID, "kind": "delivery"}).is(200); got.str("delivery.state") != "delivered" || got.str("status") != "sent" {
		t.Errorf("delivered: %s", got.raw)
	}
	bounced := say(map[string]any{"mail_id": sent.ID, "kind": "bounce", "bounce_type": "permanent"}).is(200)
	c.settle()
	if bounced.str("status") != "failed" || bounced.str("delivery.state") != "bounced" || bounced.str("address_hash") == "" {
		t.Errorf("bounced: %s", bounced.raw)
	}
	detail := owner.get("/v1/owner/items/" + id).is(200)
	if detail.at("item.flags.needsHuman") != true {
		t.Errorf("nobody is asked for: %s", detail.raw)
	}
	status := owner.get("/v1/owner/mail").is(200)
	hash := status.str("suppressions.0.hash")
	if hash == "" || hash != bounced.str("address_hash") || status.str("inbound_address") != "inbox@"+inboundDomain {
		t.Errorf("status %s", status.raw)
	}
	owner.do("DELETE", "/v1/owner/suppressions/"+hash, nil).is(200)
	again := owner.post("/v1/owner/mail/"+bounced.str("id")+"/send-again", nil).is(200)
	if again.str("id") == bounced.str("id") {
		t.Errorf("again %s", again.raw)
	}
	if got := templates(c.mails(customer)); got != "booking.confirmed booking.confirmed" {
		t.Errorf("sent %q", got)
	}
	if got := owner.get("/v1/owner/mail/" + again.str("id")).is(200); got.str("status") != "sent" || strings.Contains(string(got.raw), "/c/") && !strings.Contains(string(got.raw), "…") {
		t.Errorf("the log %s", got.raw)
	}
	for name, body := range map[string]map[string]any{
		"fail/no such mail": {"mail_id": "x", "kind": "bounce"},
		"fail/no such kind": {"mail_id": sent.ID, "kind": "lost"},
		"fail/no such type": {"mail_id": sent.ID, "kind": "bounce", "bounce_type": "soft"},
	} {
		if got := say(body); got.status != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d %s", name, got.status, got.raw)
		}
	}
}

// TestTooLargeIsHeard: who sends a body that is too large, and listens only when
// all of it is sent, hears the refusal.
func TestTooLargeIsHeard(t *testing.T) {
	bare := httptest.NewServer(serve(t, nil).w.handler)
	defer bare.Close()
	conn, err := net.Dial("tcp", bare.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	const size = 6 << 20
	head := fmt.Sprintf("POST /v1/email/inbound HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n", size)
	if _, err := conn.Write([]byte(head + strings.Repeat("x", size))); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil || answer.StatusCode != http.StatusUnauthorized {
		t.Errorf("%v, %v", answer, err)
	}
}

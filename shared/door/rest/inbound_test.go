package rest_test

import (
	"bytes"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/operation"
)

const rawMail = "From: ana@example.com\r\nSubject: Hello\r\n\r\n\xff bytes as they are\x00\r\n"

// TestInboundMail: the raw mail as it came, the envelope as far as it was said,
// and nobody let in for a credential of another door.
func TestInboundMail(t *testing.T) {
	ana, nobody := "ana@example.com", ""
	cases := map[string]struct {
		headers []string
		want    inbox.InboundMailRequest
	}{
		"ok/mail alone":             {nil, inbox.InboundMailRequest{}},
		"ok/no type":                {[]string{"Content-Type", ""}, inbox.InboundMailRequest{}},
		"ok/another type":           {[]string{"Content-Type", "application/octet-stream"}, inbox.InboundMailRequest{}},
		"ok/envelope":               {[]string{"X-Envelope-From", ana, "X-Envelope-To", "x@in.example.com"}, inbox.InboundMailRequest{EnvelopeFrom: &ana, EnvelopeTo: []string{"x@in.example.com"}}},
		"ok/addresses in brackets":  {[]string{"X-Envelope-From", " <ana@example.com> ", "X-Envelope-To", "<a@in.example.com>, ,b@in.example.com,"}, inbox.InboundMailRequest{EnvelopeFrom: &ana, EnvelopeTo: []string{"a@in.example.com", "b@in.example.com"}}},
		"ok/null path":              {[]string{"X-Envelope-From", "<>"}, inbox.InboundMailRequest{EnvelopeFrom: &nobody}},
		"ok/null path, empty":       {[]string{"X-Envelope-From", ""}, inbox.InboundMailRequest{EnvelopeFrom: &nobody}},
		"ok/an owner is nobody too": {[]string{"Authorization", "Bearer owner"}, inbox.InboundMailRequest{}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := open()
			d.core.answer = inbox.Answer{Status: 202, Body: []byte(`{"outcome":"created","item_id":"I1"}`)}
			a := d.send(t, "POST", "/v1/email/inbound", rawMail, append([]string{"Content-Type", "message/rfc822", "X-Inbox-Email-Secret", "s3cret"}, c.headers...)...)
			a.ok(t, 202)
			c.want.Raw, c.want.Secret = []byte(rawMail), "s3cret"
			if got := d.core.req; !reflect.DeepEqual(got, c.want) {
				t.Errorf("\n got %+v\nwant %+v", got, c.want)
			}
			who := d.core.call
			if who.Kind != inbox.CustomerHuman || who.Channel != inbox.ChannelEmail || who.Tier != inbox.TierAnonymous || who.IsOwnerSide() || who.Origin != origin {
				t.Errorf("called by %+v", who)
			}
			if strings.Contains(d.log.String(), "s3cret") || strings.Contains(d.log.String(), "ana@") {
				t.Errorf("log %s", d.log)
			}
		})
	}
}

// A mail handed over in test mode's ways is a test (03 §18), however the host is
// written.
func TestInboundMailOfATest(t *testing.T) {
	for name, c := range map[string]struct {
		host, header string
		test         bool
	}{
		"ok/neither":          {"inbox.example.com", "", false},
		"ok/header":           {"inbox.example.com", "1", true},
		"ok/another header":   {"inbox.example.com", "true", false},
		"ok/host":             {"sandbox.example.com", "", true},
		"ok/host in capitals": {"SANDBOX.example.com:443", "", true},
	} {
		d := open()
		r := httptest.NewRequest("POST", "/v1/email/inbound", strings.NewReader(rawMail))
		r.Host = c.host
		r.Header.Set("X-Inbox-Email-Secret", "s3cret")
		r.Header.Set("X-Sandbox", c.header)
		d.do(t, r)
		if d.core.call.Sandbox != c.test {
			t.Errorf("%s: %v", name, d.core.call.Sandbox)
		}
	}
}

// TestInboundMailRefused: nothing of a mail is read from who names no secret, and
// of one that is too large no more than shows it; the core judges the secret
// before the size.
func TestInboundMailRefused(t *testing.T) {
	cases := map[string]struct {
		size   int
		secret string
		read   int // -1: the core is not asked
	}{
		"fail/no secret":        {10, "", -1},
		"fail/no secret, huge":  {operation.MaxMail + 1, "", -1},
		"fail/empty":            {0, "s3cret", 0},
		"ok/as large as may be": {operation.MaxMail, "s3cret", operation.MaxMail},
		"fail/one byte more":    {operation.MaxMail + 1, "s3cret", operation.MaxMail + 1},
		"fail/far more":         {2 * operation.MaxMail, "s3cret", operation.MaxMail + 1},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := open()
			r := httptest.NewRequest("POST", "/v1/email/inbound", bytes.NewReader(bytes.Repeat([]byte("x"), c.size)))
			if c.secret != "" {
				r.Header.Set("X-Inbox-Email-Secret", c.secret)
			}
			a := d.do(t, r)
			if c.read < 0 {
				a.refused(t, inbox.CodeUnauthorized)
				if d.core.asked != 0 {
					t.Error("the core was asked")
				}
				return
			}
			a.ok(t, 200)
			if got := d.core.req.(inbox.InboundMailRequest); len(got.Raw) != c.read {
				t.Errorf("%d bytes", len(got.Raw))
			}
		})
	}
}

// TestAttachmentsAreElsewhere: the answer is where the download is, and no body.
func TestAttachmentsAreElsewhere(t *testing.T) {
	d := open()
	d.core.answer = inbox.Answer{Status: 303, Location: "https://bucket.example/x?sig=1"}
	a := d.send(t, "GET", "/v1/owner/items/I1/entries/E1/attachments/2", "", "Authorization", "Bearer owner")
	if a.Code != 303 || a.Header().Get("Location") != "https://bucket.example/x?sig=1" || a.Body.Len() != 0 || a.Header().Get("Content-Type") != "" || a.Header().Get("Cache-Control") != "no-store" {
		t.Errorf("%d %v %q", a.Code, a.Header(), a.Body)
	}
	if got := d.core.req; got != (inbox.AttachmentRequest{ItemID: "I1", EntryID: "E1", N: "2"}) {
		t.Errorf("asked %+v", got)
	}
	if strings.Contains(d.log.String(), "sig=1") {
		t.Errorf("log %s", d.log)
	}
}

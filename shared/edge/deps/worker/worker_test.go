package worker

import (
	"testing"

	"typedinbox/shared/edge/deps"
)

func TestNew(t *testing.T) {
	for name, c := range map[string]struct{ region, wire string }{
		"ok/first region": {"us-east-1", "email.amazonses.com"},
		"ok/another":      {"eu-west-1", "eu-west-1.amazonses.com"},
		"ok/none":         {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := New(&deps.Function{Config: deps.Config{MailDomain: "example.com", PublicURL: "https://book.example.com", OwnerEmail: "owner@example.com"}}, nil, nil, c.region)
			if w.WireDomain != c.wire || w.MailDomain != "example.com" || w.InboundDomain != "in.example.com" || w.PublicURL != "https://book.example.com" || w.OwnerEmail != "owner@example.com" || w.Desk == nil || w.Sender != nil {
				t.Errorf("made %+v", w.Config)
			}
		})
	}
}

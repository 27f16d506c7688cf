package sender

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"typedinbox/shared/mail"
)

func TestSend(t *testing.T) {
	for name, c := range map[string]struct {
		status int
		body   string
		id     string
		class  mail.Class
	}{
		"ok/sent":              {200, `{"MessageId":"m-1"}`, "m-1", 0},
		"fail/asked just once": {500, `{}`, "", mail.Retryable},
	} {
		t.Run(name, func(t *testing.T) {
			var calls int
			var sent struct{ ConfigurationSetName, FromEmailAddress string }
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				calls++
				if r.URL.Path != "/v2/email/outbound-emails" {
					t.Errorf("called %s", r.URL.Path)
				}
				if err := json.NewDecoder(r.Body).Decode(&sent); err != nil {
					t.Error(err)
				}
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.body)
			}))
			defer srv.Close()
			env := map[string]string{"AWS_ENDPOINT_URL_SESV2": srv.URL, "AWS_REGION": "eu-west-1", "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"}
			s := New(func(n string) string { return env[n] }, "inbox")
			id, err := s.Send(context.Background(), mail.Outgoing{MailID: "M", Template: "reply", From: "hello@example.com", To: "ana@example.com", Raw: []byte("x")})
			if id != c.id || (err == nil) != (c.id != "") || (err != nil && mail.ClassOf(err) != c.class) {
				t.Errorf("got %q, %v", id, err)
			}
			if calls != 1 || sent.ConfigurationSetName != "inbox" || sent.FromEmailAddress != "hello@example.com" {
				t.Errorf("%d calls, %+v", calls, sent)
			}
		})
	}
}

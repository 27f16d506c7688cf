package work_test

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	netmail "net/mail"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"

	"typedinbox/shared/inbox"
	"typedinbox/shared/mail/ses"
	"typedinbox/shared/table/tabletest/awslocal"
	"typedinbox/shared/work"
)

// TestOnAWS runs a booking on the stand-ins of DynamoDB and SES: the raw mail that
// the service took is the one in the log.
func TestOnAWS(t *testing.T) {
	w := newWorld(t, kumo(t))
	endpoint := awslocal.Start(t)
	client := sesv2.New(sesv2.Options{Region: "eu-west-1", BaseEndpoint: &endpoint, Credentials: aws.CredentialsProviderFunc(
		func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "local", SecretAccessKey: "local"}, nil
		})})
	w.with(func(c *work.Config) { c.Sender = ses.New(client, "") })
	if _, err := client.CreateEmailIdentity(w.ctx, &sesv2.CreateEmailIdentityInput{EmailIdentity: aws.String(domain)}); err != nil {
		t.Fatal(err)
	}
	o := w.asked(email("on-aws@example.com"))
	w.fire(owner, o, "confirm", "")
	w.sweep()
	m := w.mailed(o.id, "booking.confirmed")
	if m.Status != inbox.MailSent || m.ProviderID == "" {
		t.Fatalf("%s: %s", m.Status, m.LastError)
	}
	answer, err := http.Get(endpoint + "/kumo/ses/v2/sent-emails")
	w.must(err)
	defer answer.Body.Close()
	var all struct {
		SentEmails []struct {
			MessageId string
			RawData   []byte
		}
	}
	w.must(json.NewDecoder(answer.Body).Decode(&all))
	for _, s := range all.SentEmails {
		if s.MessageId != m.ProviderID {
			continue
		}
		raw, err := netmail.ReadMessage(bytes.NewReader(s.RawData))
		w.must(err)
		if raw.Header.Get("To") != "on-aws@example.com" || raw.Header.Get("Subject") != m.Subject || raw.Header.Get("Reply-To") != ownerEmail {
			t.Errorf("sent %v", raw.Header)
		}
		ref, err := w.store.MailByProvider(w.ctx, m.ProviderID)
		if err != nil || ref == nil || ref.MailID != m.ID {
			t.Errorf("found %+v %v by the service's id", ref, err)
		}
		return
	}
	t.Errorf("the service took %d mails, none with id %s", len(all.SentEmails), m.ProviderID)
}

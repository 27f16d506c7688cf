package ses

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"

	"typedinbox/shared/mail"
	"typedinbox/shared/table/tabletest/awslocal"
)

// taken is a mail as the stand-in keeps it.
type taken struct {
	MessageId            string
	FromEmailAddress     string
	Destination          struct{ ToAddresses, CcAddresses, BccAddresses []string }
	RawData              []byte
	ConfigurationSetName string
}

// takenBy lists the mails a stand-in took to an address.
func takenBy(t *testing.T, endpoint, to string) (list []taken) {
	t.Helper()
	answer, err := http.Get(endpoint + "/kumo/ses/v2/sent-emails")
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	var all struct{ SentEmails []taken }
	if err := json.NewDecoder(answer.Body).Decode(&all); err != nil {
		t.Fatal(err)
	}
	for _, m := range all.SentEmails {
		if len(m.Destination.ToAddresses) == 1 && m.Destination.ToAddresses[0] == to {
			list = append(list, m)
		}
	}
	return list
}

func clientOf(endpoint string) *sesv2.Client {
	return sesv2.New(sesv2.Options{
		Region: "eu-west-1", BaseEndpoint: &endpoint, Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "local", SecretAccessKey: "local"}, nil
		}),
	})
}

// TestOnTheWire hands a built mail to the stand-in of the service, over HTTP:
// what it took is byte for byte what was built.
func TestOnTheWire(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short")
	}
	endpoint := awslocal.Start(t)
	client := clientOf(endpoint)
	if _, err := client.CreateEmailIdentity(t.Context(), &sesv2.CreateEmailIdentityInput{EmailIdentity: aws.String("b.example")}); err != nil {
		t.Fatal(err)
	}
	raw, err := mail.Build(mail.Message{
		MailID: out.MailID, From: mail.Address{Name: "Estúdio Lúmen", Email: "a@b.example"}, To: "wire@d.example",
		ReplyTo: "owner@b.example", Subject: "Confirmed: sessão", Body: "Olá\n.\nadeus\n", Lang: "en", Mark: "M.abcdefgh",
	})
	if err != nil {
		t.Fatal(err)
	}
	o := out
	o.To, o.Raw = "wire@d.example", raw
	id, err := New(client, "").Send(t.Context(), o)
	if err != nil || id == "" {
		t.Fatalf("%q %v", id, err)
	}
	list := takenBy(t, endpoint, o.To)
	if len(list) != 1 {
		t.Fatalf("took %d mails", len(list))
	}
	m := list[0]
	if m.MessageId != id || m.FromEmailAddress != "a@b.example" || string(m.RawData) != string(raw) || m.Destination.CcAddresses != nil || m.Destination.BccAddresses != nil {
		t.Errorf("took %+v\n%s", m, m.RawData)
	}
}

// TestServiceGone: a service that cannot be reached, or fails, is worth another
// try, and it is asked once.
func TestServiceGone(t *testing.T) {
	calls := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		calls++
		w.WriteHeader(http.StatusBadGateway)
	}))
	_, err := New(clientOf(server.URL), "").Send(t.Context(), out)
	if mail.ClassOf(err) != mail.Retryable || err == nil || calls != 1 {
		t.Errorf("%v after %d calls", err, calls)
	}
	server.Close()
	if _, err := New(clientOf(server.URL), "").Send(t.Context(), out); err == nil || mail.ClassOf(err) != mail.Retryable {
		t.Errorf("%v", err)
	}
}

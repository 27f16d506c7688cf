package ses

import (
	"context"
	"errors"
	"net/http"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"
	"github.com/aws/aws-sdk-go-v2/service/sesv2/types"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"typedinbox/shared/mail"
)

// answers is a client that keeps what it was given and answers one thing.
type answers struct {
	got *sesv2.SendEmailInput
	err error
}

func (a *answers) SendEmail(_ context.Context, in *sesv2.SendEmailInput, opts ...func(*sesv2.Options)) (*sesv2.SendEmailOutput, error) {
	var o sesv2.Options
	for _, f := range opts {
		f(&o)
	}
	if _, none := o.Retryer.(aws.NopRetryer); !none {
		return nil, errors.New("the SDK would retry")
	}
	a.got = in
	if a.err != nil {
		return nil, a.err
	}
	return &sesv2.SendEmailOutput{MessageId: aws.String("0100-id")}, nil
}

var out = mail.Outgoing{MailID: "01J0MAIL00000000000000000A", Template: "booking.confirmed", From: "a@b.example", To: "c@d.example", Raw: []byte("raw")}

func TestSend(t *testing.T) {
	client := &answers{}
	id, err := New(client, "studio").Send(t.Context(), out)
	if err != nil || id != "0100-id" {
		t.Fatalf("%q %v", id, err)
	}
	in := client.got
	if string(in.Content.Raw.Data) != "raw" || aws.ToString(in.FromEmailAddress) != out.From ||
		len(in.Destination.ToAddresses) != 1 || in.Destination.ToAddresses[0] != out.To ||
		aws.ToString(in.ConfigurationSetName) != "studio" || in.Destination.BccAddresses != nil || in.Destination.CcAddresses != nil {
		t.Errorf("sent %+v", in)
	}
	tags := map[string]string{}
	for _, tag := range in.EmailTags {
		tags[*tag.Name] = *tag.Value
	}
	if tags["mail_id"] != out.MailID || tags["kind"] != "booking_confirmed" {
		t.Errorf("tags %v", tags)
	}
}

func TestClasses(t *testing.T) {
	cases := map[string]struct {
		err  error
		want mail.Class
	}{
		"ok/too many requests":        {&types.TooManyRequestsException{}, mail.Throttled},
		"ok/daily quota":              {&types.TooManyRequestsException{Message: aws.String("Daily message quota exceeded.")}, mail.QuotaExceeded},
		"ok/limit":                    {&types.LimitExceededException{}, mail.QuotaExceeded},
		"ok/paused":                   {&types.SendingPausedException{}, mail.SenderBlocked},
		"ok/suspended":                {&types.AccountSuspendedException{}, mail.SenderBlocked},
		"ok/mail from not verified":   {&types.MailFromDomainNotVerifiedException{}, mail.SenderBlocked},
		"ok/address not verified":     {&types.MessageRejected{Message: aws.String("Email address is not verified.")}, mail.SenderBlocked},
		"ok/rejected":                 {&types.MessageRejected{Message: aws.String("Bad content")}, mail.Final},
		"ok/bad request":              {&types.BadRequestException{}, mail.Final},
		"ok/no configuration set":     {&types.NotFoundException{}, mail.Final},
		"ok/server error":             {&types.InternalServiceErrorException{}, mail.Retryable},
		"ok/no answer":                {context.DeadlineExceeded, mail.Retryable},
		"ok/gateway without document": {&smithyhttp.ResponseError{Response: &smithyhttp.Response{Response: &http.Response{StatusCode: 502}}, Err: errors.New("bad gateway")}, mail.Retryable},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			_, err := New(&answers{err: c.err}, "").Send(t.Context(), out)
			if got := mail.ClassOf(err); got != c.want || !errors.Is(err, c.err) {
				t.Errorf("class %v of %v, want %v", got, err, c.want)
			}
		})
	}
}

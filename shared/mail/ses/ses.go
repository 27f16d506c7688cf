// Package ses hands mails to Amazon SES v2 as raw MIME (05 §4.2). The SDK's own
// retries are off: the lease and the back-off are ours (05 §4.6).
package ses

import (
	"context"
	"errors"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"
	"github.com/aws/aws-sdk-go-v2/service/sesv2/types"
	"github.com/aws/smithy-go"

	"typedinbox/shared/mail"
)

// Client is the one call of the service that is needed.
type Client interface {
	SendEmail(ctx context.Context, in *sesv2.SendEmailInput, opts ...func(*sesv2.Options)) (*sesv2.SendEmailOutput, error)
}

// Sender sends through one configuration set.
type Sender struct {
	client Client
	set    string
}

// New makes a sender; set is the stack's configuration set.
func New(client Client, set string) *Sender { return &Sender{client: client, set: set} }

// Name of the transport.
func (*Sender) Name() string { return "ses" }

// Send hands one mail over and answers the service's message id.
func (s *Sender) Send(ctx context.Context, out mail.Outgoing) (string, error) {
	in := &sesv2.SendEmailInput{
		FromEmailAddress: aws.String(out.From),
		Destination:      &types.Destination{ToAddresses: []string{out.To}},
		Content:          &types.EmailContent{Raw: &types.RawMessage{Data: out.Raw}},
		EmailTags: []types.MessageTag{
			{Name: aws.String("mail_id"), Value: aws.String(out.MailID)},
			{Name: aws.String("kind"), Value: aws.String(strings.ReplaceAll(out.Template, ".", "_"))},
		},
	}
	if s.set != "" {
		in.ConfigurationSetName = aws.String(s.set)
	}
	answer, err := s.client.SendEmail(ctx, in, func(o *sesv2.Options) { o.Retryer = aws.NopRetryer{} })
	if err != nil {
		return "", &mail.SendError{Class: classify(err), Cause: err}
	}
	return aws.ToString(answer.MessageId), nil
}

// classify reads the service's refusal (05 §4.7, 09).
func classify(err error) mail.Class {
	var api smithy.APIError
	if !errors.As(err, &api) {
		return mail.Retryable
	}
	text := strings.ToLower(api.ErrorMessage())
	switch api.ErrorCode() {
	case "LimitExceededException":
		return mail.QuotaExceeded
	case "TooManyRequestsException", "Throttling", "ThrottlingException":
		if strings.Contains(text, "daily message quota exceeded") {
			return mail.QuotaExceeded
		}
		return mail.Throttled
	case "SendingPausedException", "AccountSuspendedException", "MailFromDomainNotVerifiedException":
		return mail.SenderBlocked
	case "MessageRejected":
		if strings.Contains(text, "not verified") {
			return mail.SenderBlocked
		}
		return mail.Final
	case "BadRequestException", "NotFoundException":
		return mail.Final
	}
	return mail.Retryable
}

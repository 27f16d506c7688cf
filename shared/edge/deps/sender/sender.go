// Package sender makes the transport that sends mail through SES. It stands
// apart so that only functions that send link the service's client.
package sender

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"

	"typedinbox/shared/edge/deps"
	"typedinbox/shared/mail/ses"
)

// New makes the transport. set is the stack's configuration set. The SDK does
// not try again by itself: the lease is ours (08 §1).
func New(getenv func(string) string, set string) *ses.Sender {
	return ses.New(client(getenv, aws.NopRetryer{}), set)
}

// Unsuppress takes addresses off the mail service's own list of those that
// bounced.
func Unsuppress(getenv func(string) string) func(ctx context.Context, address string) error {
	return ses.Unsuppress(client(getenv, nil))
}

// DKIM asks the mail service whether a domain's keys are verified.
func DKIM(getenv func(string) string) func(ctx context.Context, domain string) (string, error) {
	return ses.DKIM(client(getenv, nil))
}

func client(getenv func(string) string, retryer aws.Retryer) *sesv2.Client {
	s := deps.ServiceOf(getenv, "SESV2")
	return sesv2.New(sesv2.Options{
		Region: s.Region, Credentials: s.Credentials, BaseEndpoint: s.Endpoint, HTTPClient: s.HTTP, Retryer: retryer,
	})
}

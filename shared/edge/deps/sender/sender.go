// Package sender makes the transport that sends mail through SES. It stands
// apart so that only functions that send link the service's client.
package sender

import (
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sesv2"

	"typedinbox/shared/edge/deps"
	"typedinbox/shared/mail/ses"
)

// New makes the transport. set is the stack's configuration set. The SDK does
// not try again by itself: the lease is ours (08 §1).
func New(getenv func(string) string, set string) *ses.Sender {
	s := deps.ServiceOf(getenv, "SESV2")
	client := sesv2.New(sesv2.Options{
		Region: s.Region, Credentials: s.Credentials, BaseEndpoint: s.Endpoint, HTTPClient: s.HTTP, Retryer: aws.NopRetryer{},
	})
	return ses.New(client, set)
}

package ses

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/sesv2"
)

// IdentityClient is the call by which the sending domain's state is read.
type IdentityClient interface {
	GetEmailIdentity(ctx context.Context, in *sesv2.GetEmailIdentityInput, opts ...func(*sesv2.Options)) (*sesv2.GetEmailIdentityOutput, error)
}

// notStarted is the DKIM status of a domain that nobody began to verify.
const notStarted = "NOT_STARTED"

// DKIM reads the DKIM status of sending domains: SUCCESS when what we send is
// signed (05 §4.1).
func DKIM(client IdentityClient) func(ctx context.Context, domain string) (string, error) {
	return func(ctx context.Context, domain string) (string, error) {
		out, err := client.GetEmailIdentity(ctx, &sesv2.GetEmailIdentityInput{EmailIdentity: &domain})
		if err != nil {
			return "", err
		}
		if out.DkimAttributes == nil || out.DkimAttributes.Status == "" {
			return notStarted, nil
		}
		return string(out.DkimAttributes.Status), nil
	}
}

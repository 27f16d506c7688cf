package deps

import (
	"context"
	"net"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
)

// Service is where and as whom an AWS service is called.
type Service struct {
	Region      string
	Credentials aws.CredentialsProvider
	Endpoint    *string // nil: the service's own
	HTTP        *awshttp.BuildableClient
}

// How long a call may take. The dial is short, so that a connection that cannot
// be made leaves time to try again.
const (
	dialTimeout = time.Second
	callTimeout = 10 * time.Second
)

// ServiceOf reads Lambda's environment variables instead of loading the SDK's
// whole configuration (08 §4). id is the service's part of AWS_ENDPOINT_URL_….
func ServiceOf(getenv func(string) string, id string) Service {
	key := aws.Credentials{
		AccessKeyID:     getenv("AWS_ACCESS_KEY_ID"),
		SecretAccessKey: getenv("AWS_SECRET_ACCESS_KEY"),
		SessionToken:    getenv("AWS_SESSION_TOKEN"),
		Source:          "environment",
	}
	s := Service{
		Region:      first(getenv, "AWS_REGION", "AWS_DEFAULT_REGION"),
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) { return key, nil }),
		HTTP: awshttp.NewBuildableClient().WithTimeout(callTimeout).
			WithDialerOptions(func(d *net.Dialer) { d.Timeout = dialTimeout }),
	}
	if url := first(getenv, "AWS_ENDPOINT_URL_"+id, "AWS_ENDPOINT_URL"); url != "" {
		s.Endpoint = &url
	}
	return s
}

func first(getenv func(string) string, names ...string) string {
	for _, n := range names {
		if v := getenv(n); v != "" {
			return v
		}
	}
	return ""
}

package dynamo

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
)

// How long a call may take. DynamoDB answers in milliseconds; a connection that
// went stale while the process was frozen must not eat the whole request.
const (
	dialTimeout = time.Second
	callTimeout = 5 * time.Second
)

// Client makes a client from Lambda's environment variables alone (08 §4):
// region, credentials, AWS_ENDPOINT_URL_DYNAMODB or else AWS_ENDPOINT_URL. It
// never retries; package store does (00 §3).
func Client(getenv func(string) string) *dynamodb.Client {
	first := func(names ...string) string {
		for _, name := range names {
			if v := getenv(name); v != "" {
				return v
			}
		}
		return ""
	}
	credentials := aws.Credentials{
		AccessKeyID:     getenv("AWS_ACCESS_KEY_ID"),
		SecretAccessKey: getenv("AWS_SECRET_ACCESS_KEY"),
		SessionToken:    getenv("AWS_SESSION_TOKEN"),
		Source:          "environment",
	}
	options := dynamodb.Options{
		Region: first("AWS_REGION", "AWS_DEFAULT_REGION"),
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return credentials, nil
		}),
		Retryer: aws.NopRetryer{},
		HTTPClient: heldBody{awshttp.NewBuildableClient().WithTimeout(callTimeout).
			WithDialerOptions(func(d *net.Dialer) { d.Timeout = dialTimeout })},
	}
	if endpoint := first("AWS_ENDPOINT_URL_DYNAMODB", "AWS_ENDPOINT_URL"); endpoint != "" {
		options.BaseEndpoint = &endpoint
	}
	return dynamodb.New(options)
}

// heldBody sends requests whose body nobody can close. The SDK closes it as
// soon as the answer begins; when that is before the transport has seen the
// body's end, the transport takes it for a failed write and drops the
// connection with the rest of the answer on it. With GetBody, a request that
// met a connection gone stale is sent again by the transport, if nothing of it
// was written.
type heldBody struct{ client *awshttp.BuildableClient }

func (h heldBody) Do(req *http.Request) (*http.Response, error) {
	if req.Body != nil {
		text, err := io.ReadAll(req.Body)
		if err != nil {
			return nil, err
		}
		req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }
		req.Body, _ = req.GetBody()
	}
	return h.client.Do(req)
}

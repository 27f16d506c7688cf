package dynamo

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
)

func env(vars map[string]string) func(string) string {
	return func(name string) string { return vars[name] }
}

func TestClient(t *testing.T) {
	for name, c := range map[string]struct {
		vars             map[string]string
		region, endpoint string
	}{
		"ok/lambda":             {map[string]string{"AWS_REGION": "eu-west-1"}, "eu-west-1", ""},
		"ok/default region":     {map[string]string{"AWS_DEFAULT_REGION": "us-east-1"}, "us-east-1", ""},
		"ok/endpoint":           {map[string]string{"AWS_ENDPOINT_URL": "http://all"}, "", "http://all"},
		"ok/endpoint, dynamodb": {map[string]string{"AWS_ENDPOINT_URL": "http://all", "AWS_ENDPOINT_URL_DYNAMODB": "http://one"}, "", "http://one"},
	} {
		t.Run(name, func(t *testing.T) {
			c.vars["AWS_ACCESS_KEY_ID"], c.vars["AWS_SECRET_ACCESS_KEY"], c.vars["AWS_SESSION_TOKEN"] = "key", "secret", "session"
			o := Client(env(c.vars)).Options()
			if o.Region != c.region {
				t.Errorf("region %q", o.Region)
			}
			if got := o.BaseEndpoint; (got == nil) != (c.endpoint == "") || got != nil && *got != c.endpoint {
				t.Errorf("endpoint %v", got)
			}
			if o.Retryer.MaxAttempts() != 1 {
				t.Errorf("%d attempts", o.Retryer.MaxAttempts())
			}
			got, err := o.Credentials.Retrieve(t.Context())
			if err != nil || got.AccessKeyID != "key" || got.SecretAccessKey != "secret" || got.SessionToken != "session" {
				t.Errorf("credentials %v, %v", got, err)
			}
		})
	}
}

// closable is a request body that ends in an error once it is closed, as the
// SDK's does.
type closable struct {
	text   io.Reader
	mu     sync.Mutex
	closed bool
}

func (c *closable) Read(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.closed {
		return 0, errors.New("closed")
	}
	return c.text.Read(b)
}

func (c *closable) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	return nil
}

// An answer that begins before the request was read to its end arrives whole,
// although the SDK closes the request's body then.
func TestHeldBody(t *testing.T) {
	const size = 8 << 20 // more than the sockets hold
	closed := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c := http.NewResponseController(w)
		_ = c.EnableFullDuplex()
		_, _ = io.WriteString(w, "first ")
		_ = c.Flush()
		<-closed
		n, err := io.Copy(io.Discard, r.Body)
		if n != size || err != nil {
			t.Errorf("%d bytes arrived, %v", n, err)
		}
		_, _ = io.WriteString(w, "last")
	}))
	defer server.Close()

	body := &closable{text: strings.NewReader(strings.Repeat("x", size))}
	req, err := http.NewRequest(http.MethodPost, server.URL, body)
	if err != nil {
		t.Fatal(err)
	}
	req.ContentLength = size
	answer, err := heldBody{awshttp.NewBuildableClient().WithTimeout(10 * time.Second)}.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	if err := body.Close(); err != nil {
		t.Fatal(err)
	}
	if err := req.Body.Close(); err != nil {
		t.Fatal(err)
	}
	close(closed)
	text, err := io.ReadAll(answer.Body)
	if string(text) != "first last" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}

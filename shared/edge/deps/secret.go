package deps

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"

	"typedinbox/shared/canon"
)

// secretTries is how often the secret is asked for when the service stumbles.
const secretTries = 3

// maxSecret is the largest secret the service keeps, and more than an answer
// takes.
const maxSecret = 128 << 10

// ring reads INBOX_SECRET_KEY from Secrets Manager and derives the keys. The
// secret stands in no environment variable and in no error.
//
// It is the one call that is made of the service, once per container, so it is
// made with the SDK's signer alone: the service's client is a third of a
// megabyte in every binary (docs/decisions/secret-without-client.md).
func ring(ctx context.Context, getenv func(string) string, arn string) (canon.Ring, error) {
	var secret string
	var err error
	for range secretTries {
		var again bool
		if secret, again, err = askSecret(ctx, ServiceOf(getenv, "SECRETS_MANAGER"), arn); !again {
			break
		}
	}
	if err != nil {
		return canon.Ring{}, fmt.Errorf("deps: the inbox's secret cannot be read: %w", err)
	}
	r, err := canon.NewRing(secret)
	if err == nil && !r.Ready() {
		err = canon.ErrNoKey
	}
	return r, err
}

// askSecret makes the call; again says that another try may help.
func askSecret(ctx context.Context, s Service, arn string) (secret string, again bool, err error) {
	req, err := secretRequest(ctx, s, arn)
	if err != nil {
		return "", false, err
	}
	res, err := s.HTTP.Do(req)
	if err != nil {
		return "", ctx.Err() == nil, err
	}
	defer func() { _ = res.Body.Close() }()
	var answer struct {
		SecretString string
		Type         string `json:"__type"`
	}
	err = json.NewDecoder(io.LimitReader(res.Body, maxSecret)).Decode(&answer)
	if res.StatusCode != http.StatusOK {
		return "", res.StatusCode >= 500 || strings.Contains(answer.Type, "Throttling"), fmt.Errorf("%s %s", res.Status, answer.Type)
	}
	if err != nil {
		return "", true, fmt.Errorf("an answer that is no JSON") // the decoder's error could quote the secret
	}
	return answer.SecretString, false, nil
}

// secretRequest is the signed request.
func secretRequest(ctx context.Context, s Service, arn string) (*http.Request, error) {
	body, err := json.Marshal(map[string]string{"SecretId": arn})
	if err != nil {
		return nil, err
	}
	endpoint := "https://secretsmanager." + s.Region + ".amazonaws.com"
	switch {
	case s.Endpoint != nil:
		endpoint = *s.Endpoint
	case strings.HasPrefix(s.Region, "cn-"):
		endpoint += ".cn"
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, endpoint, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/x-amz-json-1.1")
	req.Header.Set("X-Amz-Target", "secretsmanager.GetSecretValue")
	credentials, err := s.Credentials.Retrieve(ctx)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(body)
	return req, v4.NewSigner().SignHTTP(ctx, credentials, req, hex.EncodeToString(sum[:]), "secretsmanager", s.Region, time.Now())
}

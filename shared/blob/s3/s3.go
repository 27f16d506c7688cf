// Package s3 keeps objects in one S3 bucket, private and encrypted by the
// bucket's own settings (05 §5.1, 08 §1).
package s3

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/service/s3"

	"typedinbox/shared/blob"
)

// callTimeout is how long one call may take; the largest object is a mail of
// 25 MiB.
const callTimeout = 30 * time.Second

// Store keeps objects in a bucket.
type Store struct {
	client *s3.Client
	signer *s3.PresignClient
	bucket string
}

// Open makes a store from Lambda's environment variables alone (08 §4): region,
// credentials, AWS_ENDPOINT_URL_S3 or else AWS_ENDPOINT_URL. A stand-in at an
// endpoint is asked by path, since it has no name of its own for each bucket.
func Open(getenv func(string) string, bucket string) *Store {
	key := aws.Credentials{
		AccessKeyID: getenv("AWS_ACCESS_KEY_ID"), SecretAccessKey: getenv("AWS_SECRET_ACCESS_KEY"),
		SessionToken: getenv("AWS_SESSION_TOKEN"), Source: "environment",
	}
	o := s3.Options{
		Region:      first(getenv, "AWS_REGION", "AWS_DEFAULT_REGION"),
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) { return key, nil }),
		HTTPClient:  awshttp.NewBuildableClient().WithTimeout(callTimeout),
		// The service checks what it is sent by the signature's own hash.
		RequestChecksumCalculation: aws.RequestChecksumCalculationWhenRequired,
		ResponseChecksumValidation: aws.ResponseChecksumValidationWhenRequired,
	}
	if url := first(getenv, "AWS_ENDPOINT_URL_S3", "AWS_ENDPOINT_URL"); url != "" {
		o.BaseEndpoint, o.UsePathStyle = &url, true
	}
	client := s3.New(o)
	return &Store{client: client, signer: s3.NewPresignClient(client), bucket: bucket}
}

func first(getenv func(string) string, names ...string) string {
	for _, n := range names {
		if v := getenv(n); v != "" {
			return v
		}
	}
	return ""
}

// CreateBucket makes the bucket, for stand-ins alone; in production it is the
// stack's.
func (s *Store) CreateBucket(ctx context.Context) error {
	_, err := s.client.CreateBucket(ctx, &s3.CreateBucketInput{Bucket: &s.bucket})
	return err
}

func check(key string) error {
	if err := blob.CheckKey(key); err != nil {
		return fmt.Errorf("%w: %q", err, key)
	}
	return nil
}

// Put writes an object.
func (s *Store) Put(ctx context.Context, key string, data []byte) error {
	if err := check(key); err != nil {
		return err
	}
	_, err := s.client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: &s.bucket, Key: &key, Body: bytes.NewReader(data), ContentLength: aws.Int64(int64(len(data))),
		ContentType: aws.String("application/octet-stream"),
	})
	return err
}

// Get reads an object.
func (s *Store) Get(ctx context.Context, key string) ([]byte, error) {
	if err := check(key); err != nil {
		return nil, err
	}
	out, err := s.client.GetObject(ctx, &s3.GetObjectInput{Bucket: &s.bucket, Key: &key})
	if err != nil {
		return nil, missing(err, key)
	}
	defer out.Body.Close()
	return io.ReadAll(out.Body)
}

// missing tells an object that is not there from every other failure. Without
// the right to list, the service says of both that access is denied; our roles
// may list what they read.
func missing(err error, key string) error {
	var answer *awshttp.ResponseError
	if errors.As(err, &answer) && answer.HTTPStatusCode() == http.StatusNotFound {
		return fmt.Errorf("%w: %s", blob.ErrNotFound, key)
	}
	return err
}

// Copy has the service copy an object.
func (s *Store) Copy(ctx context.Context, from, to string) error {
	if err := errors.Join(check(from), check(to)); err != nil {
		return err
	}
	source := s.bucket + "/" + strings.ReplaceAll(url.PathEscape(from), "%2F", "/")
	_, err := s.client.CopyObject(ctx, &s3.CopyObjectInput{Bucket: &s.bucket, Key: &to, CopySource: &source})
	if err != nil {
		return missing(err, from)
	}
	return nil
}

// Delete takes an object away.
func (s *Store) Delete(ctx context.Context, key string) error {
	if err := check(key); err != nil {
		return err
	}
	_, err := s.client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &s.bucket, Key: &key})
	if errors.Is(missing(err, key), blob.ErrNotFound) {
		return nil
	}
	return err
}

// List reads one page.
func (s *Store) List(ctx context.Context, prefix, after string, limit int) ([]blob.Info, error) {
	in := &s3.ListObjectsV2Input{Bucket: &s.bucket, MaxKeys: aws.Int32(int32(max(1, min(limit, blob.MaxPage))))}
	if prefix != "" {
		in.Prefix = &prefix
	}
	if after != "" {
		in.StartAfter = &after
	}
	out, err := s.client.ListObjectsV2(ctx, in)
	if err != nil {
		return nil, err
	}
	infos := make([]blob.Info, len(out.Contents))
	for i, o := range out.Contents {
		infos[i] = blob.Info{Key: aws.ToString(o.Key), Bytes: aws.ToInt64(o.Size), At: aws.ToTime(o.LastModified)}
	}
	return infos, nil
}

// Sign makes a presigned GET. The service adds no nosniff of its own, so what a
// browser might render is served as bytes ([blob.MediaType]).
func (s *Store) Sign(ctx context.Context, key string, d blob.Download, expires time.Duration) (string, error) {
	if err := check(key); err != nil {
		return "", err
	}
	req, err := s.signer.PresignGetObject(ctx, &s3.GetObjectInput{
		Bucket: &s.bucket, Key: &key,
		ResponseContentDisposition: aws.String(blob.Disposition(d.Name)),
		ResponseContentType:        aws.String(blob.MediaType(d.Type)),
	}, s3.WithPresignExpires(expires))
	if err != nil {
		return "", err
	}
	return req.URL, nil
}

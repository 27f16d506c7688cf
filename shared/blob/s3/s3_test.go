package s3_test

import (
	"context"
	"fmt"
	"sync/atomic"
	"testing"

	"typedinbox/shared/blob/blobtest"
	"typedinbox/shared/blob/s3"
	"typedinbox/shared/table/tabletest/awslocal"
)

var buckets atomic.Int64

// TestSuite runs against a stand-in for S3 (08 §5).
func TestSuite(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short")
	}
	env := awslocal.Env(awslocal.Start(t))
	blobtest.Run(t, func(t *testing.T) blobtest.Harness {
		s := s3.Open(env, fmt.Sprintf("blobs-%d", buckets.Add(1)))
		if err := s.CreateBucket(context.Background()); err != nil {
			t.Fatal(err)
		}
		return blobtest.Harness{Store: s, Skip: map[blobtest.Gap]string{}}
	})
}

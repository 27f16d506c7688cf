// Command daily runs once a day: it prunes what is past its time, recomputes
// deadlines after settings changed, and checks the table.
package main

import (
	"os"

	"typedinbox/shared/blob/s3"
	"typedinbox/shared/edge/deps"
	"typedinbox/shared/edge/deps/worker"
	"typedinbox/shared/edge/stream"
)

func main() {
	f := deps.OpenSealed()
	stream.StartClock(worker.New(f, nil, s3.Open(os.Getenv, f.Bucket), os.Getenv("AWS_REGION")).Daily)
}

// Command sweep runs every minute: it does the jobs and mails that are due and
// fires the deadlines that have passed.
package main

import (
	"context"
	"os"

	"typedinbox/shared/blob/s3"
	"typedinbox/shared/edge/deps"
	"typedinbox/shared/edge/deps/sender"
	"typedinbox/shared/edge/deps/worker"
	"typedinbox/shared/edge/stream"
)

func main() {
	f := deps.OpenSealed()
	w := worker.New(f, sender.New(os.Getenv, f.Name), s3.Open(os.Getenv, f.Bucket), os.Getenv("AWS_REGION"))
	w.DKIM = sender.DKIM(os.Getenv)
	stream.StartClock(func(ctx context.Context) error {
		_, err := w.Sweep(ctx)
		return err
	})
}

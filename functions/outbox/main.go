// Command outbox does what a write owes, mail first of all: it is handed the
// job rows that are ready by the table's stream.
package main

import (
	"os"

	"typedinbox/shared/blob/s3"
	"typedinbox/shared/edge/deps"
	"typedinbox/shared/edge/deps/sender"
	"typedinbox/shared/edge/deps/worker"
	"typedinbox/shared/edge/stream"
)

func main() {
	f := deps.OpenSealed()
	stream.StartJobs(worker.New(f, sender.New(os.Getenv, f.Name), s3.Open(os.Getenv, f.Bucket), os.Getenv("AWS_REGION")), f.Log)
}

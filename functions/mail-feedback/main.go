// Command mail-feedback takes in what the mail service says became of our mails:
// delivered, delayed, returned, complained about.
package main

import (
	"os"

	"typedinbox/shared/edge/deps"
	"typedinbox/shared/edge/deps/worker"
	"typedinbox/shared/edge/stream"
)

func main() {
	f := deps.OpenSealed()
	stream.StartQueue(worker.New(f, nil, nil, os.Getenv("AWS_REGION")).TakeMailEvent, f.Log)
}

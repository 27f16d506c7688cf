// Command receive-mail takes note of a mail that the mail service received: it
// alone is told verdicts and envelope. The outbox deals with it.
package main

import (
	"os"

	"typedinbox/shared/edge/deps"
	"typedinbox/shared/edge/deps/worker"
	"typedinbox/shared/edge/stream"
)

func main() {
	f := deps.Open()
	stream.StartReceipts(worker.New(f, nil, nil, os.Getenv("AWS_REGION")).TakeReceipt)
}

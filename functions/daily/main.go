// Command daily runs once a day: it prunes what is past its time, recomputes
// deadlines after settings changed, and checks the table.
package main

import (
	"os"

	"typedinbox/shared/edge/deps"
	"typedinbox/shared/edge/deps/worker"
	"typedinbox/shared/edge/stream"
)

func main() {
	f := deps.OpenSealed()
	stream.StartClock(worker.New(f, nil, os.Getenv("AWS_REGION")).Daily)
}

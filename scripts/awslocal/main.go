// Command awslocal serves stand-ins for the AWS services the inbox uses
// (DynamoDB, SES v2, S3, Secrets Manager) on a random port of this machine,
// for tests and for the local run of the real bootstraps (08 §5). It is a
// module of its own, so that none of it enters the project's module graph.
//
// It prints its URL on one line and serves until its standard input ends or it
// is told to stop; what it held is gone then.
package main

import (
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"

	"github.com/sivchari/kumo"
)

func main() {
	server := kumo.NewServer()
	defer server.Close()
	fmt.Println(server.URL)

	stop := make(chan os.Signal, 1)
	signal.Notify(stop, os.Interrupt, syscall.SIGTERM)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_, _ = io.Copy(io.Discard, os.Stdin)
	}()
	select {
	case <-stop:
	case <-ended:
	}
}

// Command inbound-mail takes raw mail that arrived elsewhere.
package main

import (
	"os"

	"typedinbox/shared/blob/s3"
	"typedinbox/shared/door/rest"
	"typedinbox/shared/edge/deps"
	"typedinbox/shared/edge/deps/worker"
	"typedinbox/shared/edge/http"
)

func main() {
	f := deps.OpenSealed()
	http.Start(rest.InboundMail(rest.Site{PublicURL: f.PublicURL, Log: f.Log}, worker.New(f, nil, s3.Open(os.Getenv, f.Bucket), os.Getenv("AWS_REGION"))))
}

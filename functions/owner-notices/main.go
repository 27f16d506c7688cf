// Command owner-notices lists mail that answers no item and was written by no
// person, and makes a message of it when the owner says so.
package main

import (
	"os"

	"typedinbox/shared/blob/s3"
	"typedinbox/shared/desk"
	"typedinbox/shared/door/rest"
	"typedinbox/shared/edge/deps"
	"typedinbox/shared/edge/http"
)

func main() {
	f := deps.OpenSealed()
	core := desk.New(desk.Config{Store: f.Store, Clock: f.Clock, Source: f.Source, Blobs: s3.Open(os.Getenv, f.Bucket)})
	http.Start(rest.OwnerNotices(rest.Site{PublicURL: f.PublicURL, Callers: f.Identity(), Log: f.Log}, core))
}

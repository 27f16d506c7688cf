// Command owner-mail says how mail is sent and what became of each, sends one
// again, and leads to what came with the mails received.
package main

import (
	"os"

	"typedinbox/shared/blob/s3"
	"typedinbox/shared/desk"
	"typedinbox/shared/door/rest"
	"typedinbox/shared/edge/deps"
	"typedinbox/shared/edge/deps/sender"
	"typedinbox/shared/edge/http"
	"typedinbox/shared/office"
)

func main() {
	f := deps.OpenSealed()
	status := office.New(office.Config{Store: f.Store, Clock: f.Clock, Source: f.Source, MailDomain: f.MailDomain,
		MailService: "ses", OwnerEmail: f.OwnerEmail, InboundDomain: f.InboundDomain(), PublicURL: f.PublicURL})
	core := desk.New(desk.Config{Store: f.Store, Clock: f.Clock, Source: f.Source,
		Blobs: s3.Open(os.Getenv, f.Bucket), Unsuppress: sender.Unsuppress(os.Getenv)})
	http.Start(rest.OwnerMail(rest.Site{PublicURL: f.PublicURL, Callers: f.Identity(), Log: f.Log}, status, core))
}

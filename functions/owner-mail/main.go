// Command owner-mail says how mail is sent.
package main

import (
	"typedinbox/shared/door/rest"
	"typedinbox/shared/edge/deps"
	"typedinbox/shared/edge/http"
	"typedinbox/shared/office"
)

func main() {
	f := deps.Open()
	core := office.New(office.Config{Store: f.Store, Clock: f.Clock, Source: f.Source,
		MailDomain: f.MailDomain, MailService: "ses", OwnerEmail: f.OwnerEmail})
	http.Start(rest.OwnerMail(rest.Site{PublicURL: f.PublicURL, Callers: f.Identity(), Log: f.Log}, core))
}

// Command owner-catalogue reads and writes services and products.
package main

import (
	"typedinbox/shared/door/rest"
	"typedinbox/shared/edge/deps"
	"typedinbox/shared/edge/http"
	"typedinbox/shared/office"
)

func main() {
	f := deps.OpenSealed()
	core := office.New(office.Config{Store: f.Store, Clock: f.Clock, Source: f.Source,
		MailDomain: f.MailDomain, MailService: "ses", OwnerEmail: f.OwnerEmail})
	http.Start(rest.OwnerCatalogue(rest.Site{PublicURL: f.PublicURL, Callers: f.Identity(), Log: f.Log}, core))
}

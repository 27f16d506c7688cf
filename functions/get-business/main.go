// Command get-business says who the business is and what can be asked of it.
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
	http.Start(rest.GetBusiness(rest.Site{PublicURL: f.PublicURL, Callers: f.Identity(), Log: f.Log}, core))
}

// Command owner-items lists items and shows one to the business.
package main

import (
	"typedinbox/shared/desk"
	"typedinbox/shared/door/rest"
	"typedinbox/shared/edge/deps"
	"typedinbox/shared/edge/http"
)

func main() {
	f := deps.OpenSealed()
	core := desk.New(desk.Config{Store: f.Store, Clock: f.Clock, Source: f.Source})
	http.Start(rest.OwnerItems(rest.Site{PublicURL: f.PublicURL, Callers: f.Identity(), Log: f.Log}, core))
}

// Command owner-returns opens a return that a customer asked the business for.
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
	http.Start(rest.OwnerReturns(rest.Site{PublicURL: f.PublicURL, Callers: f.Identity(), Log: f.Log}, core))
}

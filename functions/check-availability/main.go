// Command check-availability answers which times are free.
package main

import (
	"typedinbox/shared/desk"
	"typedinbox/shared/door/rest"
	"typedinbox/shared/edge/deps"
	"typedinbox/shared/edge/http"
)

func main() {
	f := deps.Open()
	core := desk.New(desk.Config{Store: f.Store, Clock: f.Clock, Source: f.Source})
	http.Start(rest.CheckAvailability(rest.Site{PublicURL: f.PublicURL, Callers: f.Identity(), Log: f.Log}, core))
}

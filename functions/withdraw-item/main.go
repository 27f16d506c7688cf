// Command withdraw-item takes a customer's withdrawal from a contract, in two steps.
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
	http.Start(rest.WithdrawItem(rest.Site{PublicURL: f.PublicURL, Callers: f.Identity(), Log: f.Log}, core))
}

// Command customer-page serves the pages behind the links of mails.
package main

import (
	"typedinbox/shared/desk"
	"typedinbox/shared/door/pages"
	"typedinbox/shared/edge/deps"
	"typedinbox/shared/edge/http"
)

func main() {
	f := deps.OpenSealed()
	core := desk.New(desk.Config{Store: f.Store, Clock: f.Clock, Source: f.Source})
	http.Start(pages.Customer(pages.Site{Log: f.Log}, core))
}

// Command front-page is the business's own page and its forms.
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
	http.Start(pages.Front(pages.Site{Callers: f.Identity(), Log: f.Log}, core))
}

// Command discovery serves health, the OpenAPI document, the pages of the
// problems, and every path and method that is no route.
package main

import (
	"typedinbox/shared/door/rest"
	"typedinbox/shared/door/rest/openapi"
	"typedinbox/shared/edge/deps"
	"typedinbox/shared/edge/http"
)

func main() {
	f := deps.Bare()
	http.Start(rest.Discovery(rest.Site{PublicURL: f.PublicURL, Log: f.Log}, deps.Version(), openapi.Document))
}

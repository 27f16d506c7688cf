package rest

import (
	"encoding/json"
	"html"
	"net/http"
	"strconv"
	"strings"

	"typedinbox/shared/inbox"
	"typedinbox/shared/operation"
)

// Discovery is the function discovery: health, the OpenAPI document, the pages
// of the problems, and everything no other route takes (08 §2). The document is
// made when it is first asked for.
func Discovery(s Site, version string, document func() []byte) http.Handler {
	return s.function(
		plain(&operation.GetHealth, func(*exchange) (inbox.Answer, error) {
			body, err := json.Marshal(inbox.Health{OK: true, Version: version})
			return inbox.Answer{Status: http.StatusOK, Body: body}, err
		}),
		plain(&operation.GetOpenAPI, func(*exchange) (inbox.Answer, error) {
			return inbox.Answer{Status: http.StatusOK, Body: document()}, nil
		}),
		plain(&operation.GetProblem, func(x *exchange) (inbox.Answer, error) {
			page, err := problemPage(inbox.Code(x.params["code"]))
			return inbox.Answer{Status: http.StatusOK, Body: page}, err
		}),
	)
}

// page is the frame of a problem's page; $ marks are filled in escaped.
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>$title</title>
<style>body{font:1rem/1.5 system-ui,sans-serif;max-width:40rem;margin:3rem auto;padding:0 1rem}code{font-size:1.1em}</style>
</head>
<body>
<main>
<h1>$title</h1>
<p><code>$code</code> · HTTP $status</p>
<p>$means</p>
</main>
</body>
</html>
`

// problemPage says in words what a code means; a code that does not exist is
// not_found.
func problemPage(code inbox.Code) ([]byte, error) {
	kind := inbox.KindOf(code)
	if kind.Status == 0 {
		return nil, inbox.Refuse(inbox.CodeNotFound, "There is no problem of this code.")
	}
	return []byte(strings.NewReplacer(
		"$title", html.EscapeString(kind.Title), "$code", html.EscapeString(string(kind.Code)),
		"$status", strconv.Itoa(kind.Status), "$means", html.EscapeString(kind.Means),
	).Replace(page)), nil
}

package main

import (
	"html/template"
	"net/http"

	"typedinbox/shared/inbox"
)

// controlPage shows mailbox, clock and jobs to a person.
var controlPage = template.Must(template.New("local").Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Local run</title>
<style>
body{font:1rem/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem}
pre{white-space:pre-wrap;background:#f4f4f4;padding:1rem;border-radius:.3rem}
summary{cursor:pointer;padding:.4rem 0}table{border-collapse:collapse}td,th{padding:.2rem .8rem .2rem 0;text-align:left}
</style>
</head>
<body>
<main>
<h1>Local run</h1>
<p>Clock: <strong>{{.Now}}</strong>{{if .Virtual}} (virtual; move it with <code>POST /_local/clock</code>){{end}}</p>
<h2>Mailbox</h2>
{{range .Mails}}<details><summary>{{.Subject}} — to {{.To}}</summary><pre>{{.Text}}</pre></details>
{{else}}<p>No mail yet.</p>{{end}}
<h2>Jobs</h2>
{{if .Jobs}}<table><tr><th>Item</th><th>Owes</th><th>Due</th><th>Attempts</th><th>Last error</th></tr>
{{range .Jobs}}<tr><td>{{.ItemID}}</td><td>{{range .Effects}}{{.Kind}} {{end}}</td><td>{{.RunAt}}</td><td>{{.Attempts}}</td><td>{{.LastError}}</td></tr>
{{end}}</table>{{else}}<p>Nothing is owed.</p>{{end}}
</main>
</body>
</html>
`))

func (w *world) page(rw http.ResponseWriter, r *http.Request) {
	open, err := w.store.OpenJobs(r.Context(), 100)
	if err != nil {
		http.Error(rw, err.Error(), http.StatusInternalServerError)
		return
	}
	failed, err := w.store.FailedJobs(r.Context(), 100)
	if err != nil {
		http.Error(rw, err.Error(), http.StatusInternalServerError)
		return
	}
	rw.Header().Set("Content-Type", "text/html; charset=utf-8")
	rw.Header().Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'")
	_ = controlPage.Execute(rw, struct { // the peer may be gone
		Now     inbox.Instant
		Virtual bool
		Mails   []sentMail
		Jobs    []inbox.Job
	}{w.clock.now(), w.clock.virtual, w.mailbox.list("", 0), append(failed, open...)})
}

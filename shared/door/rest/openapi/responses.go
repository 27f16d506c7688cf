package openapi

import (
	"net/http"
	"strconv"
	"strings"

	"typedinbox/shared/inbox"
	"typedinbox/shared/operation"
)

const problemJSON = "application/problem+json"

// responses describes every answer an operation may give, by status.
func (c *components) responses(op *operation.Op) object {
	all := object{}
	for _, out := range op.Out {
		all[strconv.Itoa(out.Status)] = c.success(op, out)
	}
	if op.Tag {
		all["304"] = object{"description": "Nothing changed since the ETag that was sent.", "headers": headers(tagged(op)...)}
	}
	byStatus := map[int][]inbox.ProblemKind{}
	for _, code := range op.Refusals() {
		kind := inbox.KindOf(code)
		byStatus[kind.Status] = append(byStatus[kind.Status], kind)
	}
	for status, kinds := range byStatus {
		all[strconv.Itoa(status)] = c.refusal(status, kinds)
	}
	return all
}

func (c *components) success(op *operation.Op, out operation.Output) object {
	if out.Status == http.StatusSeeOther {
		return object{"description": "Goes on at another address.", "headers": headers("Location")}
	}
	media, body := out.Media, object{"type": "string"}
	if media == "" {
		media = operation.JSON
		var alternatives []object
		for _, t := range out.Types {
			alternatives = append(alternatives, c.output(t))
		}
		body = alternatives[0]
		if len(alternatives) > 1 {
			body = object{"anyOf": alternatives}
		}
	}
	media, _, _ = strings.Cut(media, ";")
	r := object{"description": describe(op, out.Status), "content": object{media: object{"schema": body}}}
	var names []string
	if op.Keyed() && out.Status == 200 {
		names = append(names, "Idempotent-Replayed")
	}
	names = append(names, tagged(op)...)
	if len(names) > 0 {
		r["headers"] = headers(names...)
	}
	return r
}

// tagged are the headers of an answer that is asked for again and again.
func tagged(op *operation.Op) (names []string) {
	if op.Tag {
		names = append(names, "ETag")
	}
	if op.Poll > 0 {
		names = append(names, "Retry-After")
	}
	return names
}

func describe(op *operation.Op, status int) string {
	switch {
	case op.Auth == operation.Page && status >= 400:
		return "The same as a page: " + strings.ToLower(http.StatusText(status)) + "."
	case op.Auth == operation.Page:
		return "The page."
	case op.Auth == operation.Secret:
		return "Taken; the body says what became of it."
	case status == 201:
		return "Made."
	case status == 202:
		return "Kept for a person to look at."
	case op.Writes():
		return "Done, now or by an earlier request with the same idempotency key."
	}
	return "What was asked for."
}

// refusal refers to the response that describes the problems of one status; many
// operations share it.
func (c *components) refusal(status int, kinds []inbox.ProblemKind) object {
	var codes, lines []string
	for _, k := range kinds {
		codes = append(codes, string(k.Code))
		lines = append(lines, "`"+string(k.Code)+"`: "+k.Means)
	}
	r := object{
		"description": strings.Join(lines, "\n\n"),
		"content": object{problemJSON: object{"schema": object{
			"allOf": []object{
				c.refTo(problemName),
				{"properties": object{"code": object{"enum": codes}, "status": object{"const": status}}},
			},
		}}},
	}
	switch status {
	case 401:
		r["headers"] = headers("WWW-Authenticate")
	case 429, 503:
		r["headers"] = headers("Retry-After")
	}
	name := strings.Join(codes, ".")
	c.refusals[name] = r
	return object{"$ref": "#/components/responses/" + name}
}

// headerSchemas says what the response headers of 03 §1 hold.
var headerSchemas = map[string]object{
	"ETag":                {"description": "A weak tag of this answer.", "schema": object{"type": "string"}},
	"Location":            {"description": "Where it goes on.", "schema": object{"type": "string"}},
	"Idempotent-Replayed": {"description": "true when an earlier request with the same key was answered so.", "schema": object{"type": "string", "enum": []string{"true"}}},
	"Retry-After":         {"description": "Whole seconds to wait.", "schema": object{"type": "integer", "minimum": 1}},
	"WWW-Authenticate":    {"description": "Which credential opens this door.", "schema": object{"type": "string"}},
}

func headers(names ...string) object {
	h := object{}
	for _, n := range names {
		h[n] = headerSchemas[n]
	}
	return h
}

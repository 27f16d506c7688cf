package openapi

import (
	"typedinbox/shared/operation"
	"typedinbox/shared/schema"
)

// parameters lists what an operation takes beside its body: path, query and the
// headers of 03 §1.
func parameters(op *operation.Op) []object {
	var list []object
	for _, name := range op.Params() {
		list = append(list, object{"name": name, "in": "path", "required": true, "schema": object{"type": "string"}})
	}
	if op.Auth == operation.Secret {
		return append(list, mailHeaders()...)
	}
	if op.In == nil {
		return list
	}
	for _, p := range schema.DescribeQuery(op.In) {
		list = append(list, queryParameter(p))
	}
	if op.Keyed() {
		list = append(list, header("Idempotency-Key", object{"type": "string", "minLength": 1, "maxLength": 200},
			"Names this request: sent again with the same key it is answered as the first time and nothing is written twice. Expected on every write; the same as idempotency_key in the body."))
	}
	if op.Auth == operation.Token || op.ID == operation.SendMessage.ID {
		list = append(list, header("X-Access-Token", object{"type": "string"}, "The item's access token, where neither body nor query holds it."))
	}
	if op.Tag {
		list = append(list, header("If-None-Match", object{"type": "string"}, "The ETag of what is known already; 304 when it still holds."))
	}
	if op.Auth != operation.Owner {
		list = append(list, header("X-Sandbox", object{"type": "string", "enum": []string{"1"}}, "Marks the request as a test: same rules, no mail."))
	}
	return list
}

// mailHeaders are the headers of a raw mail that is handed over (03 §15).
func mailHeaders() []object {
	secret := header("X-Inbox-Email-Secret", object{"type": "string"}, "The secret that the settings hold as email.inboundSecret.")
	return []object{
		secret,
		header("X-Envelope-From", object{"type": "string"}, "The envelope's sender; empty for the null path."),
		header("X-Envelope-To", object{"type": "string"}, "The envelope's recipients, separated by commas."),
	}
}

func header(name string, s object, description string) object {
	return object{"name": name, "in": "header", "required": false, "schema": s, "description": description}
}

// queryParameter describes one parameter of a query string. Booleans may also be
// written 1 and 0 (03 §3).
func queryParameter(p schema.Parameter) object {
	s := p.Schema
	if s["type"] == "boolean" {
		s = object{"type": "string", "enum": []string{"true", "false", "1", "0"}}
	}
	q := object{"name": p.Name, "in": "query", "required": p.Required, "schema": s}
	if p.List {
		q["style"], q["explode"] = "form", false
	}
	return q
}

// Package openapi writes the OpenAPI 3.1 document of the HTTP door (03 §10.2).
// Everything in it comes from the table of operations, the inputs' and answers'
// own types and the table of problems, so it cannot say anything else than the
// handlers do. The function discovery alone links it.
package openapi

import (
	"encoding/json"
	"strings"
	"sync"

	"typedinbox/shared/inbox"
	"typedinbox/shared/operation"
)

//go:generate go test . -run TestCommitted -update

// object is a JSON object.
type object = map[string]any

// Document is the document of this door, made once per process.
func Document() []byte { return document() }

var document = sync.OnceValue(func() []byte { return Build(operation.All) })

// Build writes the document of some operations: JSON, indented, the same bytes
// for the same table.
func Build(ops []*operation.Op) []byte {
	c := newComponents(ops)
	paths := object{}
	for _, op := range ops {
		for _, path := range op.Paths {
			item, ok := paths[path].(object)
			if !ok {
				item = object{}
				paths[path] = item
			}
			item[strings.ToLower(op.Method)] = c.operation(op)
		}
	}
	document, err := json.MarshalIndent(object{
		"openapi": "3.1.0",
		"info": object{
			"title": "Inbox", "version": "1",
			"description": "Book, ask and write to one business, and answer for it. " +
				"Every write takes an idempotency key: send one, and a request that was repeated is answered as the first was.",
		},
		"servers": []object{{"url": "/"}},
		"tags": []object{
			{"name": "public", "description": "For anyone."},
			{"name": "token", "description": "For who holds the item's access token."},
			{"name": "owner", "description": "For the business, with a key."},
			{"name": "page", "description": "Pages for people."},
			{"name": "secret", "description": "For a mail system that knows the secret of this door."},
		},
		"paths":      paths,
		"components": c.document(),
	}, "", " ")
	if err != nil {
		panic(err) // a schema of ours that is no JSON
	}
	return append(document, '\n')
}

// operation describes one operation.
func (c *components) operation(op *operation.Op) object {
	o := object{
		"operationId": op.ID,
		"summary":     op.Summary,
		"tags":        []string{string(op.Auth)},
		"responses":   c.responses(op),
	}
	if p := parameters(op); len(p) > 0 {
		o["parameters"] = p
	}
	if op.MaxBody > 0 {
		o["requestBody"] = c.requestBody(op)
	}
	if op.Auth == operation.Owner {
		o["security"] = []object{{"ownerKey": []string{}}}
		o["description"] = "Needs one of the scopes " + scopeList(op.Scopes) + "."
	}
	return o
}

// requestBody describes the body of a write. What a form or a raw mail holds is
// not described.
func (c *components) requestBody(op *operation.Op) object {
	switch op.Body {
	case operation.Form:
		return object{"required": true, "content": object{op.Body: object{"schema": object{"type": "object"}}}}
	case operation.Mail:
		return object{"required": true, "content": object{op.Body: object{"schema": object{"type": "string", "minLength": 1, "maxLength": op.MaxBody}}}}
	}
	_, required := c.input(op.In)["required"]
	return object{"required": required, "content": object{operation.JSON: object{"schema": c.refTo(inputName(op.In))}}}
}

func scopeList(scopes []inbox.Scope) string {
	names := make([]string, len(scopes))
	for i, s := range scopes {
		names[i] = string(s)
	}
	return strings.Join(names, ", ")
}

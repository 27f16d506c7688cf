package rest

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"typedinbox/shared/canon"
	"typedinbox/shared/inbox"
	"typedinbox/shared/schema"
)

// body reads the JSON object of a write. No body counts as an empty object:
// what is missing then, the schema says.
func body[T any](x *exchange) (T, []inbox.FieldProblem, error) {
	var none T
	raw, err := read(x.Request, x.op.MaxBody)
	if err != nil {
		return none, nil, err
	}
	if len(raw) == 0 {
		raw = []byte("{}")
	} else if err := readable(x.Header, raw); err != nil {
		return none, nil, err
	}
	req, problems := schema.DecodeOf[T](raw, "", x.caller.IsCustomer())
	return req, faultsOf(problems), nil
}

// read takes the whole body, at most limit bytes of it.
func read(r *http.Request, limit int64) ([]byte, error) {
	tooLarge := func() error {
		return inbox.Refuse(inbox.CodePayloadTooLarge, "The body may have at most %d bytes. Nothing was written.", limit)
	}
	if r.Body == nil {
		return nil, nil
	}
	if r.ContentLength > limit {
		return nil, tooLarge()
	}
	raw, err := io.ReadAll(io.LimitReader(r.Body, limit+1))
	switch {
	case int64(len(raw)) > limit:
		return nil, tooLarge()
	case err != nil:
		return nil, brokenOff(err)
	}
	return raw, nil
}

// brokenOff is said of a body that ended before its end.
func brokenOff(err error) error {
	p := inbox.Refuse(inbox.CodeBadRequest, "The body broke off before its end. Nothing was written.")
	p.Cause = err
	return p
}

// readable says whether a body is what a write takes: one JSON object without
// ambiguity. What has no canonical form (a name written twice, half a character,
// a number no double holds) could be read in two ways, and is refused as well.
func readable(h http.Header, raw []byte) error {
	if !isJSON(h) {
		return inbox.Refuse(inbox.CodeUnsupportedMedia, "Send the body as Content-Type: application/json in UTF-8. Nothing was written.")
	}
	if err := schema.Check(raw); err != nil {
		return invalidJSON(err.Error())
	}
	if _, err := canon.Canonical(raw); err != nil {
		if cause := errors.Unwrap(err); cause != nil {
			err = cause
		}
		return invalidJSON("the body is ambiguous (" + err.Error() + ")")
	}
	if trimmed := bytes.TrimLeft(raw, " \t\r\n"); trimmed[0] != '{' {
		return invalidJSON("the body is no object")
	}
	return nil
}

func invalidJSON(why string) error {
	return inbox.Refuse(inbox.CodeInvalidJSON, "%s. Nothing was written.", strings.ToUpper(why[:1])+why[1:])
}

func isJSON(h http.Header) bool {
	media, params, err := mime.ParseMediaType(h.Get("Content-Type"))
	if err != nil || media != "application/json" {
		return false
	}
	if charset, said := params["charset"]; said && !strings.EqualFold(charset, "utf-8") {
		return false
	}
	encoding := h.Get("Content-Encoding")
	return encoding == "" || strings.EqualFold(encoding, "identity")
}

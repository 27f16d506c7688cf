package openapi_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"

	"typedinbox/shared/door/rest/openapi"
	"typedinbox/shared/inbox"
	"typedinbox/shared/operation"
)

var update = flag.Bool("update", false, "write docs/openapi.json anew")

const committed = "../../../../docs/openapi.json"

func TestCommitted(t *testing.T) {
	want := openapi.Document()
	if *update {
		if err := os.WriteFile(committed, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(committed)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("docs/openapi.json is not what the table of operations says: run make generate")
	}
}

func TestItIsOpenAPI(t *testing.T) {
	document, err := libopenapi.NewDocument(openapi.Document())
	if err != nil {
		t.Fatal(err)
	}
	if document.GetVersion() != "3.1.0" {
		t.Errorf("version %s", document.GetVersion())
	}
	v, errs := validator.NewValidator(document)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	if ok, faults := v.ValidateDocument(); !ok {
		for _, f := range faults {
			t.Errorf("%s: %s %+v", f.Message, f.Reason, f.SchemaValidationErrors)
		}
	}
	if _, err := document.BuildV3Model(); err != nil {
		t.Error(err)
	}
}

// described is the part of the document the tests below look at.
type described struct {
	Paths map[string]map[string]struct {
		OperationID string                `json:"operationId"`
		Security    []map[string][]string `json:"security"`
		Parameters  []struct {
			Name, In string
			Required bool
			Schema   map[string]any
		} `json:"parameters"`
		RequestBody *struct {
			Required bool
			Content  map[string]struct{ Schema map[string]any }
		} `json:"requestBody"`
		Responses map[string]map[string]any `json:"responses"`
	} `json:"paths"`
	Components struct {
		Schemas         map[string]map[string]any
		Responses       map[string]map[string]any
		SecuritySchemes map[string]map[string]any
	} `json:"components"`
}

func read(t *testing.T) described {
	t.Helper()
	var d described
	if err := json.Unmarshal(openapi.Document(), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

func TestEveryRouteIsDescribed(t *testing.T) {
	d := read(t)
	count := 0
	for _, item := range d.Paths {
		count += len(item)
	}
	if routes := operation.Routes(); count != len(routes) {
		t.Errorf("%d routes described, %d exist", count, len(routes))
	}
	for _, r := range operation.Routes() {
		o, ok := d.Paths[r.Path][strings.ToLower(r.Method)]
		if !ok || o.OperationID != r.Op.ID {
			t.Errorf("%s: described as %q", r.Key(), o.OperationID)
			continue
		}
		if secured := len(o.Security) == 1 && o.Security[0]["ownerKey"] != nil; secured != (r.Op.Auth == operation.Owner) {
			t.Errorf("%s: security %v", r.Key(), o.Security)
		}
		if (o.RequestBody != nil) != r.Op.Writes() {
			t.Errorf("%s: request body %v", r.Key(), o.RequestBody)
		}
		keyed := false
		for _, p := range o.Parameters {
			keyed = keyed || p.In == "header" && p.Name == "Idempotency-Key" && !p.Required
		}
		if keyed != r.Op.Keyed() {
			t.Errorf("%s: Idempotency-Key described: %v", r.Key(), keyed)
		}
		for _, code := range r.Op.Refusals() {
			status := inbox.KindOf(code).Status
			ref, _ := o.Responses[strconv.Itoa(status)]["$ref"].(string)
			raw, err := json.Marshal(d.Components.Responses[strings.TrimPrefix(ref, "#/components/responses/")])
			if err != nil || !bytes.Contains(raw, []byte(`"`+string(code)+`"`)) {
				t.Errorf("%s: %s is not described under %d", r.Key(), code, status)
			}
		}
	}
	if d.Components.SecuritySchemes["ownerKey"]["scheme"] != "bearer" || len(d.Components.SecuritySchemes) != 1 {
		t.Errorf("security schemes %v", d.Components.SecuritySchemes)
	}
}

func TestQueryParameters(t *testing.T) {
	got := map[string]string{}
	for _, p := range read(t).Paths["/v1/availability"]["get"].Parameters {
		if p.In == "query" {
			got[p.Name] = "optional"
			if p.Required {
				got[p.Name] = "required"
			}
		}
	}
	want := map[string]string{"service_id": "required", "from": "required", "to": "required", "limit": "optional", "party_size": "optional"}
	for name, how := range want {
		if got[name] != how {
			t.Errorf("%s is %q, want %q", name, got[name], how)
		}
	}
	if len(got) != len(want) {
		t.Errorf("parameters %v", got)
	}
}

func TestWhatOnlyTheInboxWritesIsNoInput(t *testing.T) {
	d := read(t)
	ref := d.Paths["/v1/bookings"]["post"].RequestBody.Content["application/json"].Schema["$ref"].(string)
	raw, _ := json.Marshal(d.Components.Schemas[strings.TrimPrefix(ref, "#/components/schemas/")])
	for _, field := range []string{"proposed", "customerStatedPrice", "personalised", `"offer"`} {
		if strings.Contains(string(raw), field) {
			t.Errorf("%s is described as an input", field)
		}
	}
	for _, field := range []string{"terms_sha", "idempotency_key", "access_token", "startTime"} {
		if !strings.Contains(string(raw), field) {
			t.Errorf("%s is not described", field)
		}
	}
}

// TestReferencesResolve: none dangles, and every component is referred to.
func TestReferencesResolve(t *testing.T) {
	d := read(t)
	raw := string(openapi.Document())
	used := map[string]bool{}
	for _, part := range strings.Split(raw, `"#/components/schemas/`)[1:] {
		name, _, _ := strings.Cut(part, `"`)
		used[name] = true
		if d.Components.Schemas[name] == nil {
			t.Errorf("%s is referred to and not there", name)
		}
	}
	for name := range d.Components.Schemas {
		if strings.ContainsAny(name, "[]./*") {
			t.Errorf("name %q", name)
		}
		if !used[name] {
			t.Errorf("nobody refers to %s", name)
		}
	}
}

func TestTheDocumentIsTheSameEveryTime(t *testing.T) {
	for range 5 {
		if !bytes.Equal(openapi.Build(operation.All), openapi.Document()) {
			t.Fatal("two builds differ")
		}
	}
}

package operation_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/operation"
)

// functions lists the folders of 08 §2 that may own an operation's route.
var functions = strings.Fields(`get-business list-services list-products check-availability request-quote create-booking
	create-order send-message get-item answer-offer provide-details withdraw-item request-return cancel-item
	acknowledge-receipt verify-customer owner-items transition-item owner-offers reply owner-returns owner-customers
	owner-profile owner-catalogue owner-availability owner-rules owner-settings owner-networks owner-receipts
	owner-webhooks owner-events owner-feeds owner-keys owner-users sign-in oauth discovery mcp-public mcp-owner
	front-page customer-page app inbound-mail owner-mail owner-notices receive-mail mail-feedback outbox sweep
	ping-networks import-feeds daily phone-webhook voice-tools stream-events erase-customer`)

// golden is every route with its function and who may call it, as 03 §5 has
// them: the one place where a wrong scope, door or method shows at a glance.
var golden = `
GET /v1/business get-business public
GET /v1/services list-services public
GET /v1/products list-products public
GET /v1/availability check-availability public
POST /v1/quotes request-quote public inbox:write
POST /v1/bookings create-booking public inbox:write
POST /v1/orders create-order public inbox:write
POST /v1/messages send-message public inbox:write
GET /v1/items/{id} get-item token inbox:read
POST /v1/items/{id}/accept answer-offer token inbox:write
POST /v1/items/{id}/offers/{offer}/accept answer-offer token inbox:write
POST /v1/items/{id}/decline answer-offer token inbox:write
POST /v1/items/{id}/offers/{offer}/decline answer-offer token inbox:write
POST /v1/items/{id}/offers answer-offer token inbox:write
POST /v1/items/{id}/counter answer-offer token inbox:write
POST /v1/items/{id}/details provide-details token inbox:write
POST /v1/items/{id}/withdraw withdraw-item token inbox:write
POST /v1/items/{id}/returns request-return token inbox:write
POST /v1/items/{id}/cancel cancel-item token inbox:write
POST /v1/customers/verify verify-customer token inbox:write
GET /v1/owner/items owner-items owner inbox:read
GET /v1/owner/items/{id} owner-items owner inbox:read
POST /v1/owner/items/{id}/transitions transition-item owner inbox:write
GET /v1/owner/items/{id}/offers owner-offers owner inbox:read
POST /v1/owner/items/{id}/offers owner-offers owner inbox:write
POST /v1/owner/items/{id}/replies reply owner inbox:write
POST /v1/owner/items/{id}/returns owner-returns owner inbox:write
GET /v1/owner/customers/{party_id} owner-customers owner inbox:read
GET /v1/owner/profile owner-profile owner settings:read
PUT /v1/owner/profile owner-profile owner settings:write
GET /v1/owner/services owner-catalogue owner settings:read catalogue:write
POST /v1/owner/services owner-catalogue owner catalogue:write
PATCH /v1/owner/services/{id} owner-catalogue owner catalogue:write
DELETE /v1/owner/services/{id} owner-catalogue owner catalogue:write
GET /v1/owner/products owner-catalogue owner settings:read catalogue:write
POST /v1/owner/products owner-catalogue owner catalogue:write
PATCH /v1/owner/products/{id} owner-catalogue owner catalogue:write
DELETE /v1/owner/products/{id} owner-catalogue owner catalogue:write
GET /v1/owner/catalogue/floors owner-catalogue owner *
PUT /v1/owner/catalogue/floors owner-catalogue owner *
GET /v1/owner/availability owner-availability owner settings:read availability:write
PUT /v1/owner/availability owner-availability owner availability:write
DELETE /v1/owner/availability/{service_id} owner-availability owner availability:write
PUT /v1/owner/availability/closures owner-availability owner availability:write
GET /v1/owner/settings owner-settings owner settings:read
PUT /v1/owner/settings owner-settings owner settings:write
GET /v1/owner/mail owner-mail owner inbox:read
GET /v1/owner/mail/{id} owner-mail owner inbox:read
POST /v1/owner/mail/{id}/send-again owner-mail owner *
DELETE /v1/owner/suppressions/{hash} owner-mail owner *
GET /v1/owner/items/{id}/entries/{entry}/attachments/{n} owner-mail owner inbox:read
GET /v1/owner/notices owner-notices owner *
POST /v1/owner/notices/{id}/seen owner-notices owner *
POST /v1/owner/notices/{id}/to-message owner-notices owner *
GET /healthz discovery public
GET /openapi.json discovery public
GET /problems/{code} discovery public
GET /c/{token} customer-page page
HEAD /c/{token} customer-page page
POST /c/{token} customer-page page
GET /c/privacy customer-page page
HEAD /c/privacy customer-page page
GET / front-page page
GET /p/book front-page page
GET /p/quote front-page page
GET /p/message front-page page
GET /p/sent front-page page
POST /p/book front-page page
POST /p/quote front-page page
POST /p/message front-page page
POST /v1/email/inbound inbound-mail secret
`

func TestRoutes(t *testing.T) {
	var got []string
	for _, r := range operation.Routes() {
		line := r.Key() + " " + r.Function + " " + string(r.Op.Auth)
		for _, s := range r.Op.Scopes {
			line += " " + string(s)
		}
		got = append(got, line)
	}
	want := strings.Split(strings.TrimSpace(golden), "\n")
	if !slices.Equal(got, want) {
		t.Errorf("routes are\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestEveryOwnerRouteIsInTheScopeMap(t *testing.T) {
	known := []inbox.Scope{inbox.ScopeAll, inbox.ScopeInboxRead, inbox.ScopeInboxWrite, inbox.ScopeEventsRead,
		inbox.ScopeCatalogueWrite, inbox.ScopeAvailabilityWrite, inbox.ScopeSettingsRead, inbox.ScopeSettingsWrite,
		inbox.ScopeSetupRun, inbox.ScopeIntegrationsWrite, inbox.ScopeKeysWrite, inbox.ScopeCustomersErase, inbox.ScopeMoneyWrite}
	for _, r := range operation.Routes() {
		atOwner := strings.HasPrefix(r.Path, "/v1/owner/")
		if atOwner != (r.Op.Auth == operation.Owner) {
			t.Errorf("%s: path and door differ", r.Key())
		}
		if atOwner && len(r.Op.Scopes) == 0 {
			t.Errorf("%s: no scope; say * when it is the owner's alone", r.Key())
		}
		for _, s := range r.Op.Scopes {
			if !slices.Contains(known, s) {
				t.Errorf("%s: unknown scope %s", r.Key(), s)
			}
			if read := strings.HasSuffix(string(s), ":read"); read && r.Op.Writes() {
				t.Errorf("%s: %s opens a write", r.Key(), s)
			}
		}
	}
}

func TestIDsAndRoutesAreUnique(t *testing.T) {
	ids, routes := map[string]bool{}, map[string]bool{}
	parameter := regexp.MustCompile(`\{[^}]*\}`)
	for _, op := range operation.All {
		if ids[op.ID] || operation.ByID(op.ID) != op {
			t.Errorf("id %s stands twice", op.ID)
		}
		ids[op.ID] = true
	}
	for _, r := range operation.Routes() {
		key := r.Method + " " + parameter.ReplaceAllString(r.Path, "{}")
		if routes[key] {
			t.Errorf("route %s stands twice", r.Key())
		}
		routes[key] = true
	}
	if operation.ByID("nothing_such") != nil {
		t.Error("an id nobody has is found")
	}
}

// TestAllHoldsEveryEntry reads the source: a row that was written but not listed
// would have no route.
func TestAllHoldsEveryEntry(t *testing.T) {
	files, err := filepath.Glob("[a-z]*[a-z].go")
	if err != nil {
		t.Fatal(err)
	}
	written := 0
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.CompositeLit); ok {
				if name, ok := lit.Type.(*ast.Ident); ok && name.Name == "Op" {
					written++
				}
			}
			return true
		})
	}
	if written == 0 || written != len(operation.All) {
		t.Errorf("%d rows are written, %d are listed", written, len(operation.All))
	}
}

// restOnly are the writes that are no tool of the assistants' (03 §8.2).
var restOnly = map[string]bool{
	"owner_set_floors": true, "owner_send_again": true, "owner_unsuppress": true, "owner_see_notice": true, "owner_notice_to_message": true,
}

func TestEveryRowIsWhole(t *testing.T) {
	name := regexp.MustCompile(`^[a-z]+(_[a-z]+)*$`)
	for _, op := range operation.All {
		t.Run(op.ID, func(t *testing.T) {
			if !name.MatchString(op.ID) || !name.MatchString(op.Name) {
				t.Errorf("id %q or name %q", op.ID, op.Name)
			}
			if !slices.Contains(functions, op.Function) {
				t.Errorf("%q is no function of 08 §2", op.Function)
			}
			if op.Summary == "" || !strings.HasSuffix(op.Summary, ".") {
				t.Errorf("summary %q", op.Summary)
			}
			if len(op.Out) == 0 || op.Out[0].Status != 200 && op.Auth != operation.Secret && op.Out[0].Status != 303 {
				t.Error("every operation can answer 200, a repeated request at least, but for raw mail and what is elsewhere")
			}
			for _, out := range op.Out {
				if redirect := out.Status == 303; redirect && (out.Media != "" || len(out.Types) > 0) || !redirect && (out.Media == "") == (len(out.Types) == 0) {
					t.Errorf("%d: a JSON answer has types, another has none", out.Status)
				}
			}
			if op.Writes() != (op.MaxBody > 0) || op.MaxBody > map[string]int64{"": operation.MaxBody, operation.Form: operation.MaxForm, operation.Mail: operation.MaxMail}[op.Body] {
				t.Errorf("body limit %d of a %s", op.MaxBody, op.Method)
			}
			if (op.Auth == operation.Page || op.Auth == operation.Secret) != (op.In == nil) && op.Function != operation.FallbackFunction {
				t.Error("pages and raw mail have no input type, and everything else has one")
			}
			if op.Writes() && (op.Cache != operation.NoStore || op.Tag) {
				t.Error("a write is never cached")
			}
			if op.CORS != (op.Auth == operation.Public || op.Auth == operation.Token) {
				t.Error("browsers of any origin read the public doors and no other (03 §3)")
			}
			if op.Hint == operation.Read && op.Writes() || op.Keyed() && (op.Hint == operation.NoTool) != restOnly[op.ID] {
				t.Errorf("annotation %q of a %s", op.Hint, op.Method)
			}
		})
	}
}

// TestCacheTable holds the table of 03 §3.
func TestCacheTable(t *testing.T) {
	cached := map[string]string{
		"get_business_profile": "public, max-age=300",
		"list_services":        "public, max-age=60",
		"list_products":        "public, max-age=60",
		"show_privacy":         "public, max-age=300",
		"head_privacy":         "public, max-age=300",
		"show_front_page":      "private, max-age=60",
	}
	for _, op := range operation.All {
		want := cached[op.ID]
		if want == "" {
			want = "no-store"
		}
		if op.Cache != want {
			t.Errorf("%s: %s, want %s", op.ID, op.Cache, want)
		}
	}
}

// TestPathParametersHaveAField: a parameter that no field takes would be lost.
func TestPathParametersHaveAField(t *testing.T) {
	for _, op := range operation.All {
		if op.In == nil {
			continue
		}
		var named []string
		for i := range op.In.NumField() {
			if name := op.In.Field(i).Tag.Get("path"); name != "" {
				named = append(named, name)
			}
		}
		if !slices.Equal(named, op.Params()) {
			t.Errorf("%s: path has %v, the input %v", op.ID, op.Params(), named)
		}
	}
}

func TestRefusals(t *testing.T) {
	cases := map[string]struct {
		op   *operation.Op
		has  []inbox.Code
		lack []inbox.Code
	}{
		"ok/public read":        {&operation.CheckAvailability, []inbox.Code{"invalid_input", "internal", "unavailable"}, []inbox.Code{"unauthorized", "not_allowed", "invalid_json", "not_found"}},
		"ok/read without input": {&operation.GetBusinessProfile, []inbox.Code{"internal"}, []inbox.Code{"invalid_input"}},
		"ok/create":             {&operation.CreateBooking, []inbox.Code{"invalid_json", "payload_too_large", "unsupported_media_type", "idempotency_mismatch", "not_allowed", "not_found"}, []inbox.Code{"unauthorized"}},
		"ok/token":              {&operation.GetItemStatus, []inbox.Code{"not_allowed", "not_found"}, []inbox.Code{"unauthorized", "idempotency_mismatch"}},
		"ok/owner":              {&operation.TransitionItem, []inbox.Code{"unauthorized", "not_allowed", "not_found", "unknown_event", "version_conflict", "outside_limits"}, nil},
		"ok/raw mail":           {&operation.InboundMail, []inbox.Code{"unauthorized", "payload_too_large", "too_many_requests", "invalid_input"}, []inbox.Code{"invalid_json", "unsupported_media_type", "idempotency_mismatch", "not_allowed"}},
		"ok/system":             {&operation.GetHealth, []inbox.Code{"internal"}, []inbox.Code{"unavailable"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := c.op.Refusals()
			for _, code := range c.has {
				if !slices.Contains(got, code) {
					t.Errorf("lacks %s", code)
				}
			}
			for _, code := range c.lack {
				if slices.Contains(got, code) {
					t.Errorf("has %s", code)
				}
			}
		})
	}
	for _, op := range operation.All {
		for _, code := range op.Refusals() {
			if inbox.KindOf(code).Status == 0 {
				t.Errorf("%s: %s is no problem of the table", op.ID, code)
			}
		}
	}
}

func TestParam(t *testing.T) {
	for segment, want := range map[string]string{"{id}": "id", "{service_id}": "service_id", "id": "", "": "", "{}": "", "{id": "", "id}": ""} {
		if got, ok := operation.Param(segment); got != want || ok != (want != "") {
			t.Errorf("%q: %q, %v", segment, got, ok)
		}
	}
}

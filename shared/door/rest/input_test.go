package rest_test

import (
	"bytes"
	"io"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"

	"typedinbox/shared/catalogue"
	"typedinbox/shared/inbox"
	"typedinbox/shared/operation"
)

// TestBody holds what a write takes as its body (03 §3, 03 §4).
func TestBody(t *testing.T) {
	const cancel = "/v1/items/I1/cancel"
	deep := strings.Repeat(`{"a":`, 40) + "1" + strings.Repeat("}", 40)
	cases := map[string]struct {
		target, body, media string
		want                inbox.Code // "" for taken
		faults              string
	}{
		"ok/object":             {cancel, `{"reason":"ill"}`, "application/json", "", ""},
		"ok/white space around": {cancel, " \n{\"reason\":\"ill\"}\r\n\t ", "application/json", "", ""},
		"ok/charset":            {cancel, `{}`, `application/json; charset=UTF-8`, "", ""},
		"ok/media in capitals":  {cancel, `{}`, "Application/JSON", "", ""},
		"ok/no body":            {cancel, "", "", "", ""},
		"ok/no body, any type":  {cancel, "", "text/plain", "", ""},
		"ok/unknown fields":     {cancel, `{"reason":"ill","made_up":[1,{"x":null}]}`, "application/json", "", ""},
		"ok/null is left out":   {cancel, `{"reason":null}`, "application/json", "", ""},
		"ok/escaped text":       {cancel, `{"reason":"\ud83d\ude00"}`, "application/json", "", ""},

		"fail/no type":             {cancel, `{}`, "", "unsupported_media_type", ""},
		"fail/text":                {cancel, `{}`, "text/plain", "unsupported_media_type", ""},
		"fail/form":                {cancel, `a=b`, "application/x-www-form-urlencoded", "unsupported_media_type", ""},
		"fail/problem as a body":   {cancel, `{}`, "application/problem+json", "unsupported_media_type", ""},
		"fail/other charset":       {cancel, `{}`, "application/json; charset=latin1", "unsupported_media_type", ""},
		"fail/type of nonsense":    {cancel, `{}`, "json;;", "unsupported_media_type", ""},
		"fail/cut off":             {cancel, `{"reason":"il`, "application/json", "invalid_json", ""},
		"fail/garbage behind":      {cancel, `{} {}`, "application/json", "invalid_json", ""},
		"fail/comma at the end":    {cancel, `{"reason":"x",}`, "application/json", "invalid_json", ""},
		"fail/single quotes":       {cancel, `{'reason':'x'}`, "application/json", "invalid_json", ""},
		"fail/blank":               {cancel, " ", "application/json", "invalid_json", ""},
		"fail/byte order mark":     {cancel, "\ufeff{}", "application/json", "invalid_json", ""},
		"fail/list":                {cancel, `[]`, "application/json", "invalid_json", ""},
		"fail/null":                {cancel, `null`, "application/json", "invalid_json", ""},
		"fail/string":              {cancel, `"reason"`, "application/json", "invalid_json", ""},
		"fail/number":              {cancel, `12`, "application/json", "invalid_json", ""},
		"fail/not UTF-8":           {cancel, "{\"reason\":\"\xff\"}", "application/json", "invalid_json", ""},
		"fail/half a character":    {cancel, `{"reason":"\ud800"}`, "application/json", "invalid_json", ""},
		"fail/name twice":          {cancel, `{"reason":"a","reason":"b"}`, "application/json", "invalid_json", ""},
		"fail/name twice inside":   {"/v1/owner/settings", `{"doc":{"a":1,"a":2}}`, "application/json", "invalid_json", ""},
		"fail/number of no double": {cancel, `{"x":1e999}`, "application/json", "invalid_json", ""},
		"fail/nested too deep":     {cancel, `{"x":` + deep + `}`, "application/json", "invalid_json", ""},
		"fail/brackets bomb":       {cancel, strings.Repeat("[", 500_000), "application/json", "invalid_json", ""},
		"fail/wrong type":          {cancel, `{"reason":5}`, "application/json", "invalid_input", "reason:invalid"},
		"fail/too long":            {cancel, `{"reason":"` + strings.Repeat("x", 2001) + `"}`, "application/json", "invalid_input", "reason:invalid"},

		"fail/nothing where something is needed": {"/v1/bookings", "", "", "invalid_input", "payload:missing"},
		"fail/several at once": {"/v1/bookings", `{"payload":{"reservationFor":{"name":""},"startTime":"tomorrow"},"message":7}`, "application/json", "invalid_input",
			"payload.reservationFor.serviceId:missing payload.reservationFor.name:invalid payload.startTime:invalid payload.endTime:missing message:invalid"},
		"fail/payment that is none": {"/v1/bookings", strings.Replace(booking, `"startTime"`, `"paymentRef":7,"paidAmount":"all","startTime"`, 1), "application/json", "invalid_input",
			"payload.paymentRef:invalid payload.paidAmount:invalid"},
		"fail/a resource, though blank": {"/v1/bookings", strings.Replace(booking, `"startTime"`, `"resourceId":"","startTime"`, 1), "application/json", "invalid_input", "payload.resourceId:invalid"},
		"fail/a blank name":             {"/v1/bookings", strings.Replace(booking, `"Cut"`, `" "`, 1), "application/json", "invalid_input", "payload.reservationFor.name:invalid"},
		"fail/a country of no letters":  {"/v1/quotes", `{"payload":{"itemOffered":{"name":"Roof"},"description":"new","deliveryAddress":{"addressCountry":"1!"}}}`, "application/json", "invalid_input", "payload.deliveryAddress.addressCountry:invalid"},
		"fail/nine passes":              {"/v1/bookings", strings.Replace(booking, `{"payload"`, `{"pass":"a b c d e f g h i","payload"`, 1), "application/json", "invalid_input", "pass:invalid"},
		"fail/time without an offset":   {"/v1/bookings", strings.Replace(booking, "09:00:00Z", "09:00:00", 1), "application/json", "invalid_input", "payload.startTime:invalid"},
		"fail/version below one":        {"/v1/owner/items/I1/transitions", `{"event":"confirm","expected_version":0}`, "application/json", "invalid_input", "expected_version:invalid"},
		"fail/lines of a withdrawal": {"/v1/items/I1/withdraw", `{"confirm_withdrawal":"yes","lines":[{"index":200,"quantity":0},{"quantity":1}]}`, "application/json", "invalid_input",
			"confirm_withdrawal:invalid lines.0.index:invalid lines.0.quantity:invalid lines.1.index:missing"},
		"fail/return without a reason": {"/v1/items/I1/returns", `{"wants":"money","note":"x"}`, "application/json", "invalid_input", "reason:missing wants:invalid"},
		"fail/blank words of a return": {"/v1/owner/items/I1/returns", `{"reason":"other","note":" ","asked_at":"today"}`, "application/json", "invalid_input", "note:invalid asked_at:invalid"},
		"fail/input is no object":      {"/v1/owner/items/I1/transitions", `{"event":"confirm","input":[1]}`, "application/json", "invalid_input", "input:invalid"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := open()
			method := "POST"
			if c.target == "/v1/owner/settings" {
				method = "PUT"
			}
			r := httptest.NewRequest(method, c.target, strings.NewReader(c.body))
			r.Header.Set("Authorization", "Bearer owner")
			if c.media != "" {
				r.Header.Set("Content-Type", c.media)
			}
			a := d.do(t, r)
			if c.want == "" {
				a.ok(t, 200)
				return
			}
			a.refused(t, c.want)
			if d.core.asked != 0 {
				t.Error("the core was asked")
			}
			if got := a.problem.faults(); got != c.faults {
				t.Errorf("fields %q, want %q", got, c.faults)
			}
			if c.want == inbox.CodeInvalidInput && !strings.Contains(a.problem.Detail, "same idempotency key") {
				t.Errorf("detail %q", a.problem.Detail)
			}
		})
	}
}

// TestDropped: a customer's create is not refused for a field that only the inbox
// or the business writes, whatever it holds (03 §6.2).
func TestDropped(t *testing.T) {
	for name, field := range map[string]string{
		"ok/a payment": `"paymentRef":7,"paidAmount":"all"`, "ok/of the inbox": `"offer":1,"proposed":"x","change":[],"customerStatedPrice":"x","personalised":5`,
	} {
		r := httptest.NewRequest("POST", "/v1/bookings", strings.NewReader(strings.Replace(booking, `"startTime"`, field+`,"startTime"`, 1)))
		r.Header.Set("Content-Type", "application/json")
		d := open()
		if d.do(t, r); d.core.asked != 1 {
			t.Errorf("%s: refused", name)
		}
	}
}

// TestBodySize holds the limit from both sides, with and without a length said.
func TestBodySize(t *testing.T) {
	body := func(size int) []byte {
		head, tail := `{"reason":"`, `"}`
		return []byte(head + strings.Repeat("x", size-len(head)-len(tail)) + tail)
	}
	cases := map[string]struct {
		size    int
		chunked bool
		want    inbox.Code
	}{
		"ok/as much as may be":         {operation.MaxBody, false, inbox.CodeInvalidInput}, // read whole, then judged: too long a reason
		"ok/as much, length unsaid":    {operation.MaxBody, true, inbox.CodeInvalidInput},
		"fail/one more":                {operation.MaxBody + 1, false, inbox.CodePayloadTooLarge},
		"fail/one more, length unsaid": {operation.MaxBody + 1, true, inbox.CodePayloadTooLarge},
		"fail/far more":                {10 * operation.MaxBody, true, inbox.CodePayloadTooLarge},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var in io.Reader = bytes.NewReader(body(c.size))
			if c.chunked {
				in = io.MultiReader(in) // hides how long it is
			}
			r := httptest.NewRequest("POST", "/v1/items/I1/cancel", in)
			r.Header.Set("Content-Type", "application/json")
			if c.chunked != (r.ContentLength < 0) {
				t.Fatalf("length %d", r.ContentLength)
			}
			open().do(t, r).refused(t, c.want)
		})
	}
}

// TestALengthThatLies: the length said is over the limit, whatever follows.
func TestALengthThatLies(t *testing.T) {
	r := httptest.NewRequest("POST", "/v1/items/I1/cancel", strings.NewReader("{}"))
	r.ContentLength = operation.MaxBody + 1
	r.Header.Set("Content-Type", "application/json")
	open().do(t, r).refused(t, inbox.CodePayloadTooLarge)
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }

func TestABodyThatBreaksOff(t *testing.T) {
	r := httptest.NewRequest("POST", "/v1/items/I1/cancel", broken{})
	r.Header.Set("Content-Type", "application/json")
	open().do(t, r).refused(t, inbox.CodeBadRequest)
}

func TestContentEncodings(t *testing.T) {
	for encoding, want := range map[string]int{"": 200, "identity": 200, "gzip": 415, "br": 415} {
		a := open().send(t, "POST", "/v1/items/I1/cancel", `{}`, "Content-Encoding", encoding)
		if a.Code != want {
			t.Errorf("%q: %d", encoding, a.Code)
		}
	}
}

// TestABodyOfAReadIsNotLookedAt.
func TestABodyOfAReadIsNotLookedAt(t *testing.T) {
	open().send(t, "GET", "/v1/business", `{`, "Content-Type", "text/plain").ok(t, 200)
}

// TestIdempotencyKey holds 03 §3.
func TestIdempotencyKey(t *testing.T) {
	long := strings.Repeat("é", 200)
	cases := map[string]struct{ body, header, want, faults string }{
		"ok/body":                 {`{"idempotency_key":"a"}`, "", "a", ""},
		"ok/header":               {`{}`, "b", "b", ""},
		"ok/header without body":  {"", "b", "b", ""},
		"ok/both the same":        {`{"idempotency_key":"a"}`, "a", "a", ""},
		"ok/none":                 {`{}`, "", "", ""},
		"ok/null":                 {`{"idempotency_key":null}`, "a", "a", ""},
		"ok/longest header":       {`{}`, long, long, ""},
		"ok/longest body":         {`{"idempotency_key":"` + long + `"}`, "", long, ""},
		"fail/both and different": {`{"idempotency_key":"a"}`, "b", "", "Idempotency-Key:invalid"},
		"fail/header too long":    {`{}`, long + "x", "", "Idempotency-Key:invalid"},
		"fail/body too long":      {`{"idempotency_key":"` + long + `x"}`, "", "", "idempotency_key:invalid"},
		"fail/body empty":         {`{"idempotency_key":""}`, "", "", "idempotency_key:invalid"},
		"fail/body a number":      {`{"idempotency_key":1}`, "", "", "idempotency_key:invalid"},
		"fail/header not UTF-8":   {`{}`, "\xff", "", "Idempotency-Key:invalid"},
		"fail/with other faults":  {`{"reason":1,"idempotency_key":"a"}`, "b", "", "reason:invalid Idempotency-Key:invalid"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := open()
			a := d.send(t, "POST", "/v1/items/I1/cancel", c.body, "Idempotency-Key", c.header)
			if c.faults != "" {
				a.refused(t, inbox.CodeInvalidInput)
				if a.problem.faults() != c.faults {
					t.Errorf("fields %s", a.problem.faults())
				}
				return
			}
			a.ok(t, 200)
			if d.core.call.IdempotencyKey != c.want {
				t.Errorf("key %q", d.core.call.IdempotencyKey)
			}
		})
	}
}

// TestEveryWriteTakesAnIdempotencyKey, set-up included (03 §3).
func TestEveryWriteTakesAnIdempotencyKey(t *testing.T) {
	for _, op := range served {
		if op.In == nil {
			continue
		}
		d := open()
		d.sample(t, op, "Authorization", "Bearer owner", "Idempotency-Key", "k1").ok(t, 200)
		if got := d.core.call.IdempotencyKey; (got == "k1") != op.Writes() {
			t.Errorf("%s: key %q", op.ID, got)
		}
		if d.core.call.Origin != origin {
			t.Errorf("%s: origin %q", op.ID, d.core.call.Origin)
		}
	}
}

// TestPathAndQuery holds what the core is asked.
func TestPathAndQuery(t *testing.T) {
	some := func(n int) *int { return &n }
	yes, no := true, false
	cases := map[string]struct {
		method, target, body string
		want                 any
	}{
		"ok/id in the path":       {"GET", "/v1/owner/items/I1", "", inbox.ItemRequest{ItemID: "I1"}},
		"ok/escaped id":           {"GET", "/v1/owner/items/a%2Fb%20%C3%A9", "", inbox.ItemRequest{ItemID: "a/b é"}},
		"ok/plus stays a plus":    {"GET", "/v1/owner/items/a+b", "", inbox.ItemRequest{ItemID: "a+b"}},
		"ok/dots":                 {"GET", "/v1/owner/items/..", "", inbox.ItemRequest{ItemID: ".."}},
		"ok/very long id":         {"GET", "/v1/owner/items/" + strings.Repeat("x", 3000), "", inbox.ItemRequest{ItemID: strings.Repeat("x", 3000)}},
		"ok/path before the body": {"POST", "/v1/items/I1/details", `{"item_id":"I2","details":"x"}`, inbox.ProvideDetailsRequest{ItemID: "I1", Details: "x"}},
		"ok/trimmed":              {"POST", "/v1/items/I1/details", `{"details":"  x "}`, inbox.ProvideDetailsRequest{ItemID: "I1", Details: "x"}},
		"ok/lines of a withdrawal": {"POST", "/v1/items/I1/withdraw", `{"confirm_withdrawal":true,"lines":[{"index":0,"quantity":2}],"note":"x"}`,
			inbox.WithdrawRequest{ItemID: "I1", Confirm: true, Lines: []inbox.ReturnLine{{Index: 0, Quantity: 2}}, Note: "x"}},
		"ok/service in the path":   {"PATCH", "/v1/owner/services/S1", `{"sort":3}`, catalogue.PatchServiceRequest{ServiceID: "S1", ServiceInput: catalogue.ServiceInput{Sort: some(3)}}},
		"ok/service id by its own": {"DELETE", "/v1/owner/availability/S1", "", inbox.ClearHoursRequest{ServiceID: "S1"}},
		"ok/booleans":              {"GET", "/v1/owner/items?needs_human=1&open_only=0&sandbox=true&mail_failed=false", "", inbox.ListItemsQuery{NeedsHuman: &yes, OpenOnly: &no, Sandbox: &yes, MailFailed: &no}},
		"ok/numbers":               {"GET", "/v1/services?limit=7&cursor=c", "", inbox.PageQuery{Limit: some(7), Cursor: "c"}},
		"ok/last of two":           {"GET", "/v1/services?limit=7&limit=8", "", inbox.PageQuery{Limit: some(8)}},
		"ok/empty is absent":       {"GET", "/v1/services?limit=&cursor=", "", inbox.PageQuery{}},
		"ok/unknown is dropped":    {"GET", "/v1/services?utm_source=x", "", inbox.PageQuery{}},
		"ok/no query at all":       {"GET", "/v1/products", "", inbox.ProductsQuery{}},
		"ok/a plus nobody escaped": {"GET", "/v1/availability?service_id=S&from=2026-10-01T09:00:00+02:00&to=2026-10-02T00:00:00Z", "",
			inbox.AvailabilityQuery{ServiceID: "S", From: 1790838000000, To: 1790899200000}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := open()
			d.send(t, c.method, c.target, c.body, "Authorization", "Bearer owner").ok(t, 200)
			if !reflect.DeepEqual(d.core.req, c.want) {
				t.Errorf("\n got %+v\nwant %+v", d.core.req, c.want)
			}
		})
	}
}

func TestQueriesRefused(t *testing.T) {
	cases := map[string]struct {
		target string
		code   inbox.Code
		faults string
	}{
		"fail/bare percent sign":      {"/v1/services?cursor=%", inbox.CodeBadRequest, ""},
		"fail/bad escape":             {"/v1/services?cursor=%zz", inbox.CodeBadRequest, ""},
		"fail/of an empty input":      {"/v1/business?%", inbox.CodeBadRequest, ""},
		"fail/limit of nothing":       {"/v1/services?limit=0", inbox.CodeInvalidInput, "limit:invalid"},
		"fail/limit too high":         {"/v1/services?limit=101", inbox.CodeInvalidInput, "limit:invalid"},
		"fail/limit is a word":        {"/v1/services?limit=many", inbox.CodeInvalidInput, "limit:invalid"},
		"fail/cursor too long":        {"/v1/services?cursor=" + strings.Repeat("c", 201), inbox.CodeInvalidInput, "cursor:invalid"},
		"fail/boolean in words":       {"/v1/owner/items?open_only=yes", inbox.CodeInvalidInput, "open_only:invalid"},
		"fail/type nobody has":        {"/v1/owner/items?type=parcel", inbox.CodeInvalidInput, "type:invalid"},
		"fail/all that is needed":     {"/v1/availability", inbox.CodeInvalidInput, "service_id:missing from:missing to:missing"},
		"fail/no offset":              {"/v1/availability?service_id=S&from=2026-10-01T09:00:00&to=2026-10-02T00:00:00Z", inbox.CodeInvalidInput, "from:invalid"},
		"fail/search too long":        {"/v1/products?q=" + strings.Repeat("q", 101), inbox.CodeInvalidInput, "q:invalid"},
		"fail/bytes that are no text": {"/v1/products?q=%ff", inbox.CodeInvalidInput, "q:invalid"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := open()
			a := d.send(t, "GET", c.target, "", "Authorization", "Bearer owner")
			a.refused(t, c.code)
			if a.problem.faults() != c.faults || d.core.asked != 0 {
				t.Errorf("fields %q, asked %d", a.problem.faults(), d.core.asked)
			}
		})
	}
}

// TestPathsRefused: what no text can be made of is bad_request.
func TestPathsRefused(t *testing.T) {
	for _, path := range []string{"/v1/items/%ff", "/v1/items/a%c3", "/problems/%80"} {
		open().send(t, "GET", path, "").refused(t, inbox.CodeBadRequest)
	}
}

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"typedinbox/scripts/template"
	"typedinbox/shared/inbox"
	"typedinbox/shared/table/tabletest/awslocal"
)

const root = "../.."

// The real binaries serve a business from its set-up to a cancelled booking, on
// the stand-ins: the sample events, then requests over the routes, the outbox,
// the sweep and the day's upkeep. What a role does not allow is refused, and
// what it allows in vain is told, so the roles are as the functions need them.
func TestBootstraps(t *testing.T) {
	if testing.Short() {
		t.Skip("builds every function")
	}
	dir, err := binaries()
	if err != nil {
		t.Fatal(err)
	}
	r, err := start(context.Background(), options{root: root, dir: dir, port: "0", endpoint: awslocal.Start(t),
		suffix: "-" + strings.ToLower(requestID()), still: true, log: slog.New(slog.NewTextHandler(os.Stderr, nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.close)
	s := &session{t: t, run: r, vars: map[string]string{}}

	s.samples()
	s.routes()
	s.work()

	r.guard.mu.Lock()
	refused := r.guard.refused
	r.guard.mu.Unlock()
	for _, f := range refused {
		t.Errorf("refused for want of a right: %s", f)
	}
	for _, u := range r.guard.unused() {
		if spare[u] == "" {
			t.Errorf("a right that nothing needed: %s", u)
		}
	}
	for u := range spare {
		if !contains(r.guard.unused(), u) {
			t.Errorf("needed after all, take it off the list: %s", u)
		}
	}
}

// spare are rights that are needed where this test does not get, with the
// reason.
var spare = map[string]string{
	"sweep: dynamodb:Query on index/party": "customers who are one by now, looked at again after a minute",
	"sweep: dynamodb:UpdateItem on inbox":  "a lapsed booking frees its places",
	"sweep: dynamodb:PutItem on events":    "a deadline that has passed",
	"sweep: dynamodb:GetItem on events":    "the same, with its answer lost",
	"outbox: dynamodb:GetItem on events":   "a mail that failed for good, with the answer of its mark lost",
	"daily: dynamodb:PutItem on inbox":     "a deadline that moves when settings are shortened",
	"daily: dynamodb:DeleteItem on inbox":  "a row that is 90 days old",

	"daily: s3:DeleteObject on blobs/in":         "a raw mail that is 30 days old, where no lifecycle took it",
	"daily: s3:DeleteObject on blobs/notices":    "one of a notice that is 90 days old",
	"daily: s3:DeleteObject on blobs/quarantine": "one with a virus that is 30 days old",
	"outbox: s3:ListBucket on bucket":            "asked by the service alone, for a raw mail that is gone",
	"sweep: s3:ListBucket on bucket":             "the same",
	"sweep: s3:GetObject on blobs/in":            "a mail that is tried again, or was put off",
	"sweep: s3:PutObject on blobs/items":         "the same",
	"sweep: s3:PutObject on blobs/notices":       "the same",
	"sweep: s3:PutObject on blobs/quarantine":    "the same",
}

// session replays sample events and sends requests, with what earlier ones
// answered.
type session struct {
	t    *testing.T
	run  *run
	vars map[string]string
}

// samples replays the sample event of every function in the order in which they
// make sense.
func (s *session) samples() {
	s.t.Helper()
	s.event("discovery", 200, "ok")
	s.vars["SERVICE_ID"] = s.event("owner-catalogue", 201, "id")
	s.event("owner-availability", 200, "")
	day := time.Now().UTC().AddDate(0, 0, 7).Truncate(24 * time.Hour)
	s.vars["START"] = day.Add(10 * time.Hour).Format(inbox.InstantLayout)
	s.vars["END"] = day.Add(11 * time.Hour).Format(inbox.InstantLayout)
	s.event("check-availability", 200, "slots")
	s.booked(s.answer("create-booking", 201))
	s.quoted(s.answer("request-quote", 201))
	s.ordered(s.answer("create-order", 201))
	for _, f := range []string{"withdraw-item", "request-return", "owner-returns"} {
		s.event(f, 409, "code") // nothing is agreed, nothing was sent
	}
	for _, f := range []string{"owner-offers", "owner-customers"} {
		s.event(f, 200, "")
	}
	s.event("answer-offer", 200, "")
	s.event("verify-customer", 409, "code") // the customer is known from nowhere
	for _, f := range []string{"get-business", "list-services", "list-products", "owner-items", "owner-profile", "owner-settings", "owner-mail"} {
		s.event(f, 200, "")
	}
	if answer := s.invoke("front-page"); !strings.Contains(string(answer), `"statusCode":200`) {
		s.t.Errorf("front-page: %s", answer)
	}
	s.event("send-message", 201, "access_token")
	s.event("get-item", 200, "human")
	s.event("provide-details", 202, "")
	s.event("transition-item", 200, "")
	s.event("reply", 200, "")
	s.event("cancel-item", 200, "")
	for _, f := range []string{"outbox", "sweep", "daily"} {
		if answer := s.invoke(f); strings.Contains(string(answer), "errorMessage") {
			s.t.Errorf("%s: %s", f, answer)
		}
	}
}

// booked keeps what a customer keeps of a booking.
func (s *session) booked(answer map[string]any) {
	view, _ := answer["view"].(map[string]any)
	item, _ := view["item"].(map[string]any)
	s.vars["ITEM_ID"], _ = item["id"].(string)
	s.vars["PARTY_ID"], _ = item["partyId"].(string)
	s.vars["ACCESS_TOKEN"], _ = answer["access_token"].(string)
}

// quoted keeps what a customer keeps of a request for a quote.
func (s *session) quoted(answer map[string]any) {
	view, _ := answer["view"].(map[string]any)
	item, _ := view["item"].(map[string]any)
	s.vars["QUOTE_ID"], _ = item["id"].(string)
	s.vars["QUOTE_TOKEN"], _ = answer["access_token"].(string)
}

// asked keeps the id of a message.
func (s *session) asked(answer map[string]any) {
	view, _ := answer["view"].(map[string]any)
	item, _ := view["item"].(map[string]any)
	s.vars["MESSAGE_ID"], _ = item["id"].(string)
}

// writers are the functions that write history. Each loses the answer of its
// first transaction over the routes, so it has to find out what became of it.
var writers = []string{"send-message", "provide-details", "cancel-item", "transition-item"}

// routes sends requests as they come over HTTP.
func (s *session) routes() {
	s.t.Helper()
	booking := `{"payload":{"reservationFor":{"serviceId":"${SERVICE_ID}","name":"Portrait"},"startTime":"${START}","endTime":"${END}"},"contact":{"name":"Ana","email":"ana@example.com"}}`
	s.booked(s.send("POST /v1/bookings", booking, "key=one", 201))
	s.send("POST /v1/bookings", booking, "key=one", 200)
	for _, f := range writers {
		s.run.guard.next(f, loseAnswer)
	}
	for _, r := range []struct {
		route, body, with string
		status            int
	}{
		{"GET /v1/items/${ITEM_ID}", "", "token", 200},
		{"GET /v1/items/${ITEM_ID}", "", "", 403},
		{"GET /v1/items/${ITEM_ID}", "", "owner", 200},
		{"POST /v1/owner/items/${ITEM_ID}/transitions", `{"event":"request_info","input":{"question":"How many people?"}}`, "owner", 200},
		{"POST /v1/items/${ITEM_ID}/details", `{"details":"Two."}`, "token key=two", 200},
		{"POST /v1/items/${ITEM_ID}/details", `{"details":"Three."}`, "owner", 403},
		{"POST /v1/owner/items/${ITEM_ID}/transitions", `{"event":"confirm","input":{}}`, "owner key=three", 200},
		{"POST /v1/messages", `{"item_id":"${ITEM_ID}","body":"Where is it?"}`, "token", 200},
		{"POST /v1/owner/items/${ITEM_ID}/replies", `{"body":"At the harbour."}`, "owner key=four", 200},
		{"GET /v1/owner/items", "", "owner", 200},
		{"GET /v1/owner/items?state=confirmed&type=booking", "", "owner", 200},
		{"GET /v1/owner/items?open_only=false", "", "owner", 200},
		{"GET /v1/owner/items?needs_human=true", "", "owner", 200},
		{"GET /v1/owner/items?mail_failed=true", "", "owner", 200},
		{"GET /v1/owner/items/${ITEM_ID}", "", "owner", 200},
		{"GET /v1/owner/items", "", "", 401},
		{"POST /v1/items/${ITEM_ID}/cancel", `{"reason":"I am ill."}`, "token key=five", 200},
		{"GET /v1/owner/services", "", "owner", 200},
		{"PATCH /v1/owner/services/${SERVICE_ID}", `{"description":"An hour."}`, "owner", 200},
		{"DELETE /v1/owner/availability/${SERVICE_ID}", "", "owner", 200},
		{"PUT /v1/owner/availability/closures", `{"closures":[{"from":"2030-12-24","to":"2030-12-26"}]}`, "owner key=six", 200},
		{"GET /v1/owner/availability", "", "owner", 200},
		{"DELETE /v1/owner/services/${SERVICE_ID}", "", "owner", 200},
		{"PUT /v1/owner/profile", `{"name":"Ana's studio"}`, "owner key=seven", 200},
		{"PUT /v1/owner/settings", `{"doc":{"notifications":{"ownerEmail":"owner@inbox.invalid"}}}`, "owner key=eight", 200},
		{"GET /v1/owner/mail", "", "owner", 200},
		{"GET /v1/business", "", "owner", 200},
		{"GET /v1/services", "", "owner", 200},
		{"GET /v1/products", "", "owner", 200},
		{"GET /v1/availability?service_id=${SERVICE_ID}&from=${START}&to=${END}", "", "owner", 422}, // archived by now
		{"GET /healthz", "", "", 200},
		{"GET /openapi.json", "", "", 200},
		{"GET /problems/slot_taken", "", "", 200},
		{"DELETE /v1/business", "", "", 405},
		{"GET /nowhere", "", "", 404},
		{"GET /v1/100%25", "", "", 400}, // decoded by the gateway to a bare percent sign
	} {
		s.send(r.route, r.body, r.with, r.status)
	}
	s.run.guard.next("create-booking", loseAnswer)
	service := s.send("POST /v1/owner/services", `{"name":"Portrait","duration_min":60}`, "owner", 201)
	s.vars["SERVICE_ID"], _ = service["id"].(string)
	s.booked(s.send("POST /v1/bookings", booking, "key=ten", 201))
	s.run.guard.next("send-message", loseAnswer)
	s.asked(s.send("POST /v1/messages", `{"body":"Do you take dogs?","contact":{"email":"ana@example.com"}}`, "", 201))
	s.run.guard.next("reply", loseAnswer)
	s.send("POST /v1/owner/items/${MESSAGE_ID}/replies", `{"body":"We do."}`, "owner", 200)
	product := s.send("POST /v1/owner/products", `{"name":"Print","sku":"P-1","price":{"value":1200,"currency":"EUR"}}`, "owner key=nine", 201)
	s.vars["PRODUCT_ID"], _ = product["id"].(string)
	s.send("PATCH /v1/owner/products/${PRODUCT_ID}", `{"sku":"P-2"}`, "owner", 200)
	s.send("GET /v1/owner/products", "", "owner", 200)
	s.offers()
	s.returns()
	s.pages()
	s.mail()
	s.send("DELETE /v1/owner/products/${PRODUCT_ID}", "", "owner", 200)
}

// offers sends what is asked for, put forward and answered, each first with its
// answer lost; then what the owner looks up.
func (s *session) offers() {
	s.t.Helper()
	for _, f := range []string{"request-quote", "create-order", "owner-offers", "answer-offer", "verify-customer"} {
		s.run.guard.next(f, loseAnswer)
	}
	s.quoted(s.send("POST /v1/quotes", `{"payload":{"itemOffered":{"name":"A wedding","serviceId":"${SERVICE_ID}"},"description":"All day.","requestedFor":"${START}"},"contact":{"email":"ana@example.com"}}`, "key=quote", 201))
	s.send("POST /v1/owner/items/${QUOTE_ID}/offers", `{"input":{"totalPrice":{"value":90000,"currency":"EUR"},"creates":"booking"}}`, "owner key=offer", 200)
	s.send("POST /v1/items/${QUOTE_ID}/offers", `{"terms":{"start_time":"${END}"}}`, "quote", 200)
	s.send("POST /v1/owner/items/${QUOTE_ID}/offers", `{"input":{"totalPrice":{"value":80000,"currency":"EUR"},"creates":"booking"}}`, "owner", 200)
	s.send("GET /v1/owner/items/${QUOTE_ID}/offers", "", "owner", 200)
	s.send("POST /v1/items/${QUOTE_ID}/accept", s.agreed("POST /v1/items/${QUOTE_ID}/accept", `{}`, "quote"), "quote key=yes", 200)
	order := `{"payload":{"orderedItem":[{"sku":"P-2","name":"Print","quantity":2,"price":{"value":1200,"currency":"EUR"}}],"totalPrice":{"value":2400,"currency":"EUR"}}}`
	s.send("POST /v1/orders", s.agreed("POST /v1/orders", order, ""), "key=order", 201)
	s.send("POST /v1/customers/verify", `{"item_id":"${ITEM_ID}"}`, "token", 202)
	s.send("POST /v1/customers/verify", `{"item_id":"${ITEM_ID}","code":"000000"}`, "token", 422)
	code, err := s.run.cloud.store.Code(context.Background(), s.vars["ITEM_ID"])
	if err != nil || code == nil {
		s.t.Fatalf("no code: %v", err)
	}
	s.send("POST /v1/customers/verify", `{"item_id":"${ITEM_ID}","code":"`+code.Digits+`"}`, "token", 200)
	s.send("POST /v1/customers/verify", `{"item_id":"${ITEM_ID}"}`, "owner", 403) // and its key was used
	s.send("GET /v1/owner/customers/${PARTY_ID}", "", "owner", 200)
	s.send("GET /v1/owner/items?q=wedding", "", "owner", 200)
	s.send("PUT /v1/owner/catalogue/floors", `{"floors":[{"kind":"product","ref_id":"${PRODUCT_ID}","floor_minor":1000}]}`, "owner", 200)
	s.send("GET /v1/owner/catalogue/floors", "", "owner", 200)
}

// agreed is a body with the fingerprint of the terms it is refused without.
func (s *session) agreed(route, body, with string) string {
	s.t.Helper()
	asked := s.send(route, body, with, 409)
	details, _ := asked["details"].(map[string]any)
	separator := ","
	if body == "{}" {
		separator = ""
	}
	return fmt.Sprintf(`%s%s"terms_sha":"%v"}`, strings.TrimSuffix(body, "}"), separator, details["terms_sha"])
}

// work runs what was left to the outbox, the sweep and the day's upkeep.
func (s *session) work() {
	s.t.Helper()
	ctx := context.Background()
	s.run.guard.next("outbox", rejectMail)
	if err := s.run.drain(ctx); err != nil {
		s.t.Fatal(err)
	}
	s.run.guard.next("outbox", "")
	if event, err := s.run.cloud.readyJobs(ctx); err != nil || event != nil {
		s.t.Fatalf("still ready: %s, %v", event, err)
	}
	mails, err := s.run.cloud.store.Mails(ctx, s.vars["ITEM_ID"])
	if err != nil || len(mails) == 0 {
		s.t.Fatalf("no mail on the item: %v", err)
	}
	s.invoke("sweep")
	s.invoke("daily")
}

// filled puts what is known into a text.
func (s *session) filled(text string) string {
	if strings.Contains(text, "${OWNER_KEY}") {
		s.vars["OWNER_KEY"] = s.freshKey()
	}
	for k, v := range s.vars {
		text = strings.ReplaceAll(text, "${"+k+"}", v)
	}
	return text
}

// invoke runs a function on its sample event.
func (s *session) invoke(function string) []byte {
	s.t.Helper()
	return s.invokeWith(function, strings.NewReplacer())
}

// invokeWith is invoke with the event changed.
func (s *session) invokeWith(function string, change *strings.Replacer) []byte {
	s.t.Helper()
	raw, err := os.ReadFile(filepath.Join(root, "events", function+".json"))
	if err != nil {
		s.t.Fatal(err)
	}
	res, err := http.Post(s.run.url+"/_local/invoke/"+function, "application/json", strings.NewReader(change.Replace(compact(s.filled(string(raw))))))
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	answer, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != 200 {
		s.t.Fatalf("%s: %d %s (error %v)", function, res.StatusCode, answer, err)
	}
	return answer
}

// compact is JSON without blanks between its parts.
func compact(text string) string {
	var b bytes.Buffer
	if json.Compact(&b, []byte(text)) != nil {
		return text
	}
	return b.String()
}

// answer runs a function on its sample event and reads the JSON it answers.
func (s *session) answer(function string, status int) (body map[string]any) {
	s.t.Helper()
	var a struct {
		StatusCode int
		Body       string
	}
	if err := json.Unmarshal(s.invoke(function), &a); err != nil || a.StatusCode != status {
		s.t.Fatalf("%s: answered %d %s (error %v), want %d", function, a.StatusCode, a.Body, err, status)
	}
	if err := json.Unmarshal([]byte(a.Body), &body); err != nil {
		s.t.Fatalf("%s: %v in %s", function, err, a.Body)
	}
	return body
}

// event is answer for one field, which must be there.
func (s *session) event(function string, status int, field string) string {
	s.t.Helper()
	body := s.answer(function, status)
	if v := body[field]; field != "" {
		if v == nil || v == "" {
			s.t.Fatalf("%s: no %s in %v", function, field, body)
		}
		return fmt.Sprint(v)
	}
	return ""
}

// freshKey is an owner key that was never used: the first use of a key in a
// minute is written down.
func (s *session) freshKey() string {
	s.t.Helper()
	key, err := s.run.cloud.ownerKey(context.Background())
	if err != nil {
		s.t.Fatal(err)
	}
	return key
}

// send sends a request over its route. with says as whom: owner, token, and
// key=… for an idempotency key.
func (s *session) send(route, body, with string, status int) (answer map[string]any) {
	s.t.Helper()
	method, path, _ := strings.Cut(s.filled(route), " ")
	req, err := http.NewRequest(method, s.run.url+path, strings.NewReader(s.filled(body)))
	if err != nil {
		s.t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, w := range strings.Fields(with) {
		switch name, value, _ := strings.Cut(w, "="); name {
		case "owner":
			req.Header.Set("Authorization", "Bearer "+s.freshKey())
		case "order":
			req.Header.Set("X-Access-Token", s.vars["ORDER_TOKEN"])
		case "quote":
			req.Header.Set("X-Access-Token", s.vars["QUOTE_TOKEN"])
		case "token":
			req.Header.Set("X-Access-Token", s.vars["ACCESS_TOKEN"])
		case "key":
			req.Header.Set("Idempotency-Key", value)
		}
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	text, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != status {
		s.t.Errorf("%s: %d %s (error %v), want %d", route, res.StatusCode, text, err, status)
	}
	_ = json.Unmarshal(text, &answer) // pages are no JSON
	return answer
}

// Every function has a sample event, and an HTTP one is of a route of its own.
func TestEvents(t *testing.T) {
	functions, err := template.Read(filepath.Join(root, "template.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(root, "events", "*.json"))
	if err != nil || len(files) != len(functions) {
		t.Errorf("%d sample events for %d functions (error %v)", len(files), len(functions), err)
	}
	for _, f := range functions {
		raw, err := os.ReadFile(filepath.Join(root, "events", f.Name+".json"))
		if err != nil {
			t.Error(err)
			continue
		}
		var e struct{ RouteKey string }
		if err := json.Unmarshal(raw, &e); err != nil {
			t.Errorf("%s: %v", f.Name, err)
		}
		known := len(f.Routes) == 0 && e.RouteKey == ""
		for _, r := range f.Routes {
			known = known || r.Key() == e.RouteKey
		}
		if !known {
			t.Errorf("%s: its sample is of %q, not a route of its own", f.Name, e.RouteKey)
		}
		if f.Timeout == 0 {
			t.Errorf("%s has no timeout", f.Name)
		}
	}
}

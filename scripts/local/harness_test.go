package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"typedinbox/shared/door/rest/openapi/openapitest"
	"typedinbox/shared/inbox"
)

// monday is a working day of the demo business, 08:00 in Lisbon.
const monday = "2027-03-01T08:00:00.000Z"

// client speaks to a run as a program outside does.
type client struct {
	t      *testing.T
	w      *world
	url    string
	bearer string
	header http.Header
}

// serve starts a run on a virtual clock and checks every request and answer of
// its doors against the OpenAPI document.
func serve(t *testing.T, change func(*options)) *client {
	t.Helper()
	o := options{dataDir: ":memory:", now: monday, demo: "appointments", template: "../../template.yaml"}
	if change != nil {
		change(&o)
	}
	server := httptest.NewUnstartedServer(nil)
	o.origin = "http://" + server.Listener.Addr().String()
	w, err := start(o)
	if err != nil {
		t.Fatal(err)
	}
	server.Config.Handler = openapitest.Check(t, w.handler)
	server.Start()
	t.Cleanup(func() {
		server.Close()
		if err := w.close(); err != nil {
			t.Error(err)
		}
	})
	return &client{t: t, w: w, url: server.URL}
}

// owner is the same client with a full owner key.
func (c *client) owner() *client { return c.with(c.post("/_local/owner", nil).str("key")) }

// with is the same client with a bearer.
func (c *client) with(bearer string) *client {
	other := *c
	other.bearer = bearer
	return &other
}

// saying is the same client with one more header.
func (c *client) saying(name, value string) *client {
	other := *c
	other.header = c.header.Clone()
	if other.header == nil {
		other.header = http.Header{}
	}
	other.header.Set(name, value)
	return &other
}

// answer is what a door said.
type answer struct {
	t      *testing.T
	what   string
	status int
	header http.Header
	raw    []byte
	body   map[string]any
}

func (c *client) get(path string) answer { return c.do("GET", path, nil) }

func (c *client) post(path string, body any) answer { return c.do("POST", path, body) }

// do sends a request; a string body goes as it is. What a write owes is done
// before it returns, so that mails come in the order of what caused them: the
// stream hands jobs over beside the requests. With faults on, or a table elsewhere, it is left
// alone.
func (c *client) do(method, path string, body any) answer {
	c.t.Helper()
	a, err := c.try(method, path, body)
	if err != nil {
		c.t.Fatal(err)
	}
	if method != http.MethodGet && !isControl(path) && c.w.faults == nil && c.w.endpoint == "" {
		c.settle()
	}
	return a
}

// settle runs the jobs that are due now, and nothing else.
func (c *client) settle() {
	c.t.Helper()
	c.w.gate.Lock()
	defer c.w.gate.Unlock()
	ctx := context.Background()
	jobs, err := c.w.store.DueJobs(ctx, c.w.clock.now(), 100)
	for _, j := range jobs {
		if err == nil {
			err = c.w.worker.RunJob(ctx, j.ItemID, j.ID)
		}
	}
	if err != nil {
		c.t.Fatal(err)
	}
}

// try is do for goroutines, which may not end a test.
func (c *client) try(method, path string, body any) (answer, error) {
	var in io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		in = strings.NewReader(b)
	default:
		raw, err := json.Marshal(b)
		if err != nil {
			return answer{}, err
		}
		in = bytes.NewReader(raw)
	}
	r, err := http.NewRequest(method, c.url+path, in)
	if err != nil {
		return answer{}, err
	}
	for name, values := range c.header {
		r.Header[name] = values
	}
	if in != nil && r.Header.Get("Content-Type") == "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if c.bearer != "" {
		r.Header.Set("Authorization", "Bearer "+c.bearer)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return answer{}, err
	}
	defer resp.Body.Close()
	a := answer{t: c.t, what: method + " " + path, status: resp.StatusCode, header: resp.Header}
	if a.raw, err = io.ReadAll(resp.Body); err != nil {
		return a, err
	}
	_ = json.Unmarshal(a.raw, &a.body) // lists and pages are read raw
	return a, nil
}

// is fails the test unless the answer has a status.
func (a answer) is(status int) answer {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("%s: status %d, want %d\n%s", a.what, a.status, status, a.raw)
	}
	return a
}

// refused fails the test unless the answer is a problem of a code.
func (a answer) refused(status int, code inbox.Code) answer {
	a.t.Helper()
	a.is(status)
	if got := a.str("code"); got != string(code) {
		a.t.Fatalf("%s: code %q, want %q\n%s", a.what, got, code, a.raw)
	}
	if got := a.header.Get("Content-Type"); got != "application/problem+json" {
		a.t.Fatalf("%s: content type %q", a.what, got)
	}
	return a
}

// at is the value at a path such as view.item.id or items.0.item.
func (a answer) at(path string) any {
	var v any = a.body
	for _, step := range strings.Split(path, ".") {
		switch in := v.(type) {
		case map[string]any:
			v = in[step]
		case []any:
			var i int
			if _, err := fmt.Sscan(step, &i); err != nil || i >= len(in) {
				return nil
			}
			v = in[i]
		default:
			return nil
		}
	}
	return v
}

// str is a string at a path, "" when it is none.
func (a answer) str(path string) string { s, _ := a.at(path).(string); return s }

// slots asks for the free times of a service over some days from now.
func (c *client) slots(service string, days int64) []inbox.Slot {
	c.t.Helper()
	now := c.w.clock.now()
	a := c.get(fmt.Sprintf("/v1/availability?service_id=%s&from=%s&to=%s", service, now, now.Add(days*inbox.Day))).is(200)
	var said inbox.Slots
	if err := json.Unmarshal(a.raw, &said); err != nil {
		c.t.Fatal(err)
	}
	return said.Slots
}

// service is the id of a service of the demo by its name.
func (c *client) service(name string) string {
	c.t.Helper()
	list := c.get("/v1/services").is(200)
	services, _ := list.at("items").([]any)
	for i := range services {
		if list.str(fmt.Sprintf("items.%d.name", i)) == name {
			return list.str(fmt.Sprintf("items.%d.id", i))
		}
	}
	c.t.Fatalf("no service %q", name)
	return ""
}

// booking is the body of a request for a slot.
func booking(service string, s inbox.Slot, email string) map[string]any {
	return map[string]any{
		"payload": map[string]any{
			"reservationFor": map[string]any{"serviceId": service, "name": "as the catalogue says"},
			"startTime":      s.StartTime, "endTime": s.EndTime,
		},
		"contact": map[string]any{"name": "Customer One", "email": email},
	}
}

// book asks for a booking as a customer does: when its terms have to be
// confirmed, again with a yes to them.
func (c *client) book(body map[string]any) answer {
	c.t.Helper()
	a := c.post("/v1/bookings", body)
	if a.str("code") == string(inbox.CodeConfirmTerms) {
		return c.post("/v1/bookings", agreeing(body, a))
	}
	return a
}

// confirmed is a request that costs something with the fingerprint of the terms
// that its first sending was refused with.
func (c *client) confirmed(path string, body map[string]any) map[string]any {
	c.t.Helper()
	return agreeing(body, c.post(path, body).refused(409, inbox.CodeConfirmTerms))
}

// agreeing is a request with a yes to the terms it was asked about.
func agreeing(body map[string]any, asked answer) map[string]any {
	yes := maps.Clone(body)
	yes["terms_sha"] = asked.str("details.terms_sha")
	return yes
}

// fire fires an event as the owner.
func (c *client) fire(item, event string, input map[string]any) answer {
	body := map[string]any{"event": event}
	if input != nil {
		body["input"] = input
	}
	return c.post("/v1/owner/items/"+item+"/transitions", body)
}

// advance moves the clock.
func (c *client) advance(by string) answer {
	c.t.Helper()
	return c.post("/_local/clock", map[string]any{"advance": by}).is(200)
}

// mails lists what was sent to an address, newest first.
func (c *client) mails(to string) []sentMail {
	c.t.Helper()
	c.post("/_local/work", nil).is(200)
	var list []sentMail
	if err := json.Unmarshal(c.get("/_local/mail?to="+to).is(200).raw, &list); err != nil {
		c.t.Fatal(err)
	}
	return list
}

// templates are the mails' templates, oldest first.
func templates(list []sentMail) string {
	names := make([]string, len(list))
	for i, m := range list {
		names[len(list)-1-i] = m.Template
	}
	return strings.Join(names, " ")
}

// clean fails the test unless the table's recount finds nothing.
func (c *client) clean() {
	c.t.Helper()
	if a := c.get("/_local/check").is(200); a.at("ok") != true {
		c.t.Fatalf("check: %s", a.raw)
	}
}

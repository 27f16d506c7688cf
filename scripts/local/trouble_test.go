package main

import (
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"typedinbox/shared/inbox"
	"typedinbox/shared/mail"
	"typedinbox/shared/table/embedded"
)

// troubled starts a run whose faults are off until the test turns them on. The
// service has no price, so a create is one request.
func troubled(t *testing.T) (c *client, faults *embedded.Faults, service string) {
	faults = embedded.NewFaults(1)
	c = serve(t, func(o *options) { o.faults = faults })
	t.Cleanup(faults.Off)
	return c, faults, c.service("Consultation")
}

// TestBusyTable: a table that throttles or conflicts without end is 503 with a
// wait, writes nothing, and leaves the key free for the retry (00 §3).
func TestBusyTable(t *testing.T) {
	for name, fault := range map[string]embedded.Fault{
		"conflict": embedded.Conflict, "throttled action": embedded.ThrottleAction, "throttled": embedded.Throttle,
	} {
		t.Run("fail/"+name, func(t *testing.T) {
			t.Parallel()
			c, faults, service := troubled(t)
			owner := c.owner()
			slots := c.slots(service, 6)
			made := c.post("/v1/bookings", booking(service, slots[5], customer)).is(201)
			id := made.str("view.item.id")
			mine := c.saying("X-Access-Token", made.str("access_token"))
			c.post("/_local/work", nil).is(200)
			tried := func(a answer, err error) answer {
				if err != nil {
					t.Error(err)
				}
				return a
			}
			writes := map[string]func() answer{
				"create": func() answer {
					return c.saying("Idempotency-Key", "a").post("/v1/bookings", booking(service, slots[7], customer))
				},
				"confirm": func() answer {
					return tried(owner.saying("Idempotency-Key", "b").try("POST", "/v1/owner/items/"+id+"/transitions", map[string]any{"event": "confirm"}))
				},
				"details": func() answer {
					return tried(mine.saying("Idempotency-Key", "c").try("POST", "/v1/items/"+id+"/details", map[string]any{"details": "Outdoors."}))
				},
				"reply": func() answer {
					return tried(owner.saying("Idempotency-Key", "d").try("POST", "/v1/owner/items/"+id+"/replies", map[string]any{"body": "Noted."}))
				},
				"hours": func() answer {
					return tried(owner.saying("Idempotency-Key", "e").try("PUT", "/v1/owner/availability", map[string]any{"weekly": map[string]any{"mon": []any{[]string{"00:00", "24:00"}}}}))
				},
				"settings": func() answer {
					return tried(owner.saying("Idempotency-Key", "f").try("PUT", "/v1/owner/settings", map[string]any{"doc": map[string]any{"booking": map[string]any{"maxHolds": 3}}}))
				},
			}
			faults.Rate(fault, 1)
			names := slices.Sorted(maps.Keys(writes))
			answers := make([]answer, len(names))
			together(len(names), func(i int) { answers[i] = writes[names[i]]() })
			for i, a := range answers {
				if wait, err := strconv.Atoi(a.header.Get("Retry-After")); err != nil || wait < 1 {
					t.Errorf("%s: Retry-After %q", names[i], a.header.Get("Retry-After"))
				}
				a.refused(503, inbox.CodeUnavailable)
			}
			faults.Off()
			c.clean()
			if a := owner.get("/v1/owner/items/" + id).is(200); a.at("item.version") != 1.0 || len(a.at("thread").([]any)) != 0 {
				t.Errorf("something was written: %s", a.raw)
			}
			for _, what := range names {
				a := writes[what]()
				if a.status >= 300 || a.header.Get("Idempotent-Replayed") != "" {
					t.Errorf("the retry of %s: %d %s", what, a.status, a.raw)
				}
			}
			if n := len(owner.get("/v1/owner/items").at("items").([]any)); n != 2 {
				t.Errorf("%d items", n)
			}
			c.clean()
		})
	}
}

// TestLostAnswers: every answer of the table is lost after its commit; nothing is
// written twice and everybody is told what was done.
func TestLostAnswers(t *testing.T) {
	c, faults, service := troubled(t)
	owner := c.owner()
	slot := c.slots(service, 6)[5]
	for n := range 5 {
		faults.Script(embedded.LoseAnswer, slicesOf(true, n+1)...)
		made := c.post("/v1/bookings", booking(service, slot, customer)).is(201)
		faults.Script(embedded.LoseAnswer, slicesOf(true, n+1)...)
		owner.fire(made.str("view.item.id"), "request_info", map[string]any{"note": "Indoors?"}).is(200)
		faults.Script(embedded.LoseAnswer, slicesOf(false, 50)...)
	}
	faults.Off()
	if n := len(owner.get("/v1/owner/items").at("items").([]any)); n != 5 {
		t.Errorf("%d items", n)
	}
	if got := len(c.mails(customer)); got != 5 {
		t.Errorf("%d mails", got)
	}
	c.clean()
}

func slicesOf(v bool, n int) (list []bool) {
	for range n {
		list = append(list, v)
	}
	return list
}

// TestCrashBeforeMail: whatever ends the process between a commit and its mail,
// the mail goes out once (00 §3).
func TestCrashBeforeMail(t *testing.T) {
	away := &mail.SendError{Class: mail.Retryable, Cause: errors.New("away")}
	for name, crash := range map[string]func(c *client, f *embedded.Faults){
		"ok/the stream delivers nothing": func(c *client, _ *embedded.Faults) { c.w.lifeless(true) },
		"ok/the mail service is away":    func(c *client, _ *embedded.Faults) { c.w.mailbox.fails = []error{away, away, away} },
		"ok/delivered twice, late and mixed": func(_ *client, f *embedded.Faults) {
			f.Rate(embedded.DuplicateHook, 1).Rate(embedded.ReorderHook, .5)
		},
	} {
		t.Run(name, func(t *testing.T) {
			c, faults, service := troubled(t)
			crash(c, faults)
			made := c.post("/v1/bookings", booking(service, c.slots(service, 6)[5], customer)).is(201)
			c.owner().fire(made.str("view.item.id"), "confirm", nil).is(200)
			c.w.lifeless(false)
			faults.Off()
			c.advance("1h")
			if got := templates(c.mails(ownersMail)) + ", " + templates(c.mails(customer)); got != "owner.create, booking.confirmed" {
				t.Errorf("mails %q", got)
			}
			c.clean()
		})
	}
}

// lifeless stops what runs after commits, as the end of the process would.
func (w *world) lifeless(yes bool) {
	w.gate.Lock()
	defer w.gate.Unlock()
	w.ended = yes
}

// TestJobAgain: a job that is run again, after it was finished or while another
// run has it, sends nothing.
func TestJobAgain(t *testing.T) {
	c, _, service := troubled(t)
	c.w.lifeless(true)
	id := c.post("/v1/bookings", booking(service, c.slots(service, 6)[5], customer)).is(201).str("view.item.id")
	jobs, err := c.w.store.Jobs(t.Context(), id)
	if err != nil || len(jobs) != 2 {
		t.Fatalf("%d jobs, %v", len(jobs), err)
	}
	now := c.w.clock.now()
	for _, j := range jobs {
		if !j.Ready {
			continue
		}
		held, err := c.w.store.TakeJob(t.Context(), id, j.ID, now, now.Add(inbox.Minute))
		if err != nil || held == nil {
			t.Fatalf("the job could not be taken: %v", err)
		}
		for range 2 {
			if err := c.w.worker.RunJob(t.Context(), id, j.ID); err != nil {
				t.Error(err)
			}
		}
		if n := len(c.w.mailbox.list("", 0)); n != 0 {
			t.Errorf("%d mails while another run has the job", n)
		}
		c.w.lifeless(false)
		c.advance("1m")
		for range 3 {
			if err := c.w.worker.RunJob(t.Context(), id, j.ID); err != nil {
				t.Error(err)
			}
		}
	}
	if got := templates(c.mails(ownersMail)); got != "owner.create" {
		t.Errorf("mails %q", got)
	}
}

// begin starts a run on a data directory that outlives it.
func begin(t *testing.T, dir, now string) (*client, func()) {
	t.Helper()
	server := httptest.NewUnstartedServer(nil)
	w, err := start(options{dataDir: dir, now: now, demo: "appointments", template: "../../template.yaml", origin: "http://" + server.Listener.Addr().String()})
	if err != nil {
		t.Fatal(err)
	}
	server.Config.Handler = w.handler
	server.Start()
	return &client{t: t, w: w, url: server.URL}, func() {
		server.Close()
		if err := w.close(); err != nil {
			t.Error(err)
		}
	}
}

// TestRestart: a run on the same data directory goes on where the last one
// ended (00 §7).
func TestRestart(t *testing.T) {
	dir := t.TempDir()
	c, end := begin(t, dir, monday)
	owner := c.owner()
	service := c.service("Consultation")
	slot := c.slots(service, 6)[5]
	made := c.saying("Idempotency-Key", "one").post("/v1/bookings", booking(service, slot, customer)).is(201)
	id, token := made.str("view.item.id"), made.str("access_token")
	owner.fire(id, "confirm", nil).is(200)
	before := c.mails("")
	key := owner.bearer
	c.advance("2h")
	end()

	for name, now := range map[string]string{
		"fail/earlier":                 "2027-03-01T09:59:59.999Z",
		"fail/no time":                 "yesterday",
		"fail/real time before it":     "",
		"fail/at the time of the data": monday,
	} {
		t.Run(name, func(t *testing.T) {
			if inbox.InstantOf(time.Now()) > mustInstant("2027-03-01T10:00:00Z") && now == "" {
				t.Skip("real time is past the data")
			}
			if w, err := start(options{dataDir: dir, now: now, demo: "appointments", template: "../../template.yaml"}); err == nil {
				t.Error("started", w.close())
			}
		})
	}

	c, end = begin(t, dir, "2027-03-01T10:00:00Z")
	defer end()
	owner = c.with(key)
	if got := owner.get("/v1/owner/items/" + id).is(200).str("item.state"); got != "confirmed" {
		t.Errorf("state %q", got)
	}
	c.saying("X-Access-Token", token).get("/v1/items/" + id).is(200)
	after := c.mails("")
	if len(after) != len(before) || after[0].ID != before[0].ID || after[0].Raw != before[0].Raw {
		t.Errorf("%d mails, before %d", len(after), len(before))
	}
	again := c.saying("Idempotency-Key", "one").post("/v1/bookings", booking(service, slot, customer)).is(200)
	if string(again.raw) != string(inbox.MarkReplayed(made.raw)) {
		t.Errorf("the repeated request: %s\nfirst %s", again.raw, made.raw)
	}
	if n := len(c.get("/v1/services").at("items").([]any)); n != 3 {
		t.Errorf("%d services: the demo was furnished again", n)
	}
	info, err := os.Stat(filepath.Join(dir, "secret"))
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("secret %v %v", info, err)
	}
	c.clean()
}

func mustInstant(s string) inbox.Instant {
	i, err := inbox.ParseInstant(s)
	if err != nil {
		panic(err)
	}
	return i
}

// TestClockDoor: the clock moves forward, in a run that has one (00 §7).
func TestClockDoor(t *testing.T) {
	c := serve(t, nil)
	for name, cs := range map[string]struct {
		body   any
		status int
		now    string // after a move
	}{
		"fail/back":             {map[string]any{"set": "2027-03-01T07:59:59.999Z"}, 422, ""},
		"fail/back by duration": {map[string]any{"advance": "-1s"}, 422, ""},
		"fail/no duration":      {map[string]any{"advance": "two days"}, 422, ""},
		"fail/nothing":          {map[string]any{}, 422, ""},
		"fail/both":             {map[string]any{"set": monday, "advance": "1h"}, 422, ""},
		"fail/no instant":       {map[string]any{"set": "2027-03-02"}, 422, ""},
		"fail/no JSON":          {"{", 422, ""},
		"ok/not at all":         {map[string]any{"set": monday}, 200, monday},
	} {
		t.Run(name, func(t *testing.T) {
			a := c.post("/_local/clock", cs.body)
			if a.t = t; a.is(cs.status).str("now") != cs.now {
				t.Errorf("%s", a.raw)
			}
			if cs.status == 422 && a.str("error") == "" {
				t.Errorf("no word of why: %s", a.raw)
			}
			if now := c.get("/_local/about").str("now"); now != monday {
				t.Errorf("the clock is at %s", now)
			}
		})
	}
	c.post("/v1/messages", map[string]any{"body": "Hello.", "contact": map[string]any{"email": customer}}).is(201)
	if got := c.post("/_local/clock", map[string]any{"advance": "48h", "work": false}).is(200); got.str("now") != "2027-03-03T08:00:00.000Z" || got.at("ran.items") != 0.0 {
		t.Errorf("%s", got.raw)
	}
	real := serve(t, func(o *options) { o.now = "" })
	if a := real.post("/_local/clock", map[string]any{"advance": "1h"}).is(422); !strings.Contains(a.str("error"), "real time") {
		t.Errorf("%s", a.raw)
	}
}

// TestVisits: the clock visits every instant at which something is due, with the
// clock set to it.
func TestVisits(t *testing.T) {
	c, _, service := troubled(t)
	id := c.post("/v1/bookings", booking(service, last(c.slots(service, 6)), customer)).is(201).str("view.item.id")
	c.advance("240h")
	detail := c.owner().get("/v1/owner/items/" + id).is(200)
	if at := detail.str("events.1.at"); detail.str("item.state") != "expired" || at != "2027-03-04T08:00:00.000Z" {
		t.Errorf("expired at %s: %s", at, detail.raw)
	}
	for _, m := range c.mails(customer) {
		want := map[string]string{"ack.booking": "2027-03-01T08:01:30.000Z", "booking.expired": "2027-03-04T08:00:00.000Z"}[m.Template]
		if m.At.String() != want {
			t.Errorf("%s went out at %s, want %s", m.Template, m.At, want)
		}
	}
}

// TestLocalDoors: the doors of 00 §7 say what the table says, and those whose
// part does not exist are not there.
func TestLocalDoors(t *testing.T) {
	c := serve(t, nil)
	about := c.get("/_local/about").is(200)
	for _, list := range []string{"real", "standins"} {
		if words, ok := about.at(list).([]any); !ok || len(words) == 0 {
			t.Errorf("about has no list %s: %s", list, about.raw)
		}
	}
	if n := strings.Count(string(about.raw), "stream: "); n != 1 {
		t.Errorf("what stands in for the stream is told %d times: %s", n, about.raw)
	}
	for _, door := range []string{"GET texts", "GET calls", "POST phone-event"} {
		method, path, _ := strings.Cut(door, " ")
		c.do(method, "/_local/"+path, nil).is(http.StatusNotFound)
	}
	if page := c.get("/_local/").is(200); !strings.HasPrefix(page.header.Get("Content-Type"), "text/html") {
		t.Errorf("the page is %s", page.header.Get("Content-Type"))
	}
	if owner := c.post("/_local/owner", nil).is(200); !strings.HasPrefix(owner.str("key"), "sdi_own_") || owner.at("sign_in_url") != nil {
		t.Errorf("%s", owner.raw)
	}
	for name, body := range map[string]map[string]any{
		"fail/no kind":                {},
		"fail/unknown kind":           {"kind": "guest"},
		"fail/no scopes":              {"kind": "integration"},
		"fail/unknown scope":          {"kind": "integration", "scopes": []string{"inbox:everything"}},
		"fail/all scopes":             {"kind": "integration", "scopes": []string{"*"}},
		"fail/keys":                   {"kind": "integration", "scopes": []string{"keys:write"}},
		"fail/owner with scopes":      {"kind": "owner", "scopes": []string{"inbox:read"}},
		"fail/integration, party":     {"kind": "integration", "scopes": []string{"inbox:read"}, "party_id": "x"},
		"fail/expired from the start": {"kind": "owner", "expires_at": monday},
	} {
		t.Run(name, func(t *testing.T) {
			a := c.post("/_local/key", body)
			if a.t = t; a.is(422).str("error") == "" {
				t.Errorf("%s", a.raw)
			}
		})
	}
	if jobs := c.get("/_local/jobs").is(200); fmt.Sprint(jobs.at("due"), jobs.at("leased"), jobs.at("failed")) != "[] [] []" {
		t.Errorf("%s", jobs.raw)
	}
	if check := c.get("/_local/check").is(200); check.at("ok") != true || fmt.Sprint(check.at("findings")) != "[]" {
		t.Errorf("%s", check.raw)
	}
}

// TestJobsDoor shows work in each of its states.
func TestJobsDoor(t *testing.T) {
	c, _, service := troubled(t)
	c.w.lifeless(true)
	id := c.post("/v1/bookings", booking(service, c.slots(service, 6)[5], customer)).is(201).str("view.item.id")
	count := func(kind string) int { return len(c.get("/_local/jobs").is(200).at(kind).([]any)) }
	if due, later := count("due"), count("later"); due != 1 || later != 1 {
		t.Fatalf("%d due, %d later", due, later)
	}
	jobs, err := c.w.store.Jobs(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	now := c.w.clock.now()
	for _, j := range jobs {
		if !j.Ready {
			continue
		}
		held, err := c.w.store.TakeJob(t.Context(), id, j.ID, now, now.Add(inbox.Minute))
		if err != nil || held == nil || count("leased") != 1 || count("due") != 0 {
			t.Fatalf("leased: %v %v, %d", held, err, count("leased"))
		}
		if err := c.w.store.FailJob(t.Context(), held, now); err != nil {
			t.Fatal(err)
		}
	}
	if count("failed") != 1 || count("leased") != 0 {
		t.Errorf("%d failed, %d leased", count("failed"), count("leased"))
	}
}

// TestMailDoor narrows the mailbox by recipient and by time.
func TestMailDoor(t *testing.T) {
	c, _, service := troubled(t)
	id := c.post("/v1/bookings", booking(service, c.slots(service, 6)[70], customer)).is(201).str("view.item.id")
	c.mails("")
	c.advance("1h")
	c.owner().fire(id, "confirm", nil).is(200)
	all := c.mails("")
	if len(all) != 3 || all[0].Template != "booking.confirmed" {
		t.Fatalf("%q", templates(all))
	}
	count := func(query string) string { return string(c.get("/_local/mail?" + query).is(200).raw) }
	for query, want := range map[string]int{
		"to=" + customer: 2, "to=CUSTOMER@example.com": 2, "to=nobody@example.com": 0,
		"since=2027-03-01T09:00:00Z": 1, "since=2027-03-01T09:00:00.001Z": 0, "to=" + ownersMail + "&since=2027-03-01T09:00:00Z": 0,
	} {
		if got := strings.Count(count(query), `"raw"`); got != want {
			t.Errorf("%s: %d mails, want %d", query, got, want)
		}
	}
	for _, m := range all {
		if m.ID == "" || m.From == "" || m.Subject == "" || m.Text == "" || m.Raw == "" || m.ItemID != id || m.Headers["Message-Id"] == "" {
			t.Errorf("%+v", m)
		}
	}
	c.get("/_local/mail?since=yesterday").is(422)
}

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

	"typedinbox/shared/inbox"
	"typedinbox/shared/table/tabletest/awslocal"
)

const root = "../.."

// built are the functions whose binaries the test builds and runs; every
// function has a sample event that is looked at without (TestEvents).
var built = []string{"discovery", "owner-catalogue", "owner-availability", "create-booking", "get-item", "outbox"}

// The real binaries answer the sample events and the requests of the routes, on
// the stand-ins, and the mail of a booking leaves through the outbox.
func TestBootstraps(t *testing.T) {
	if testing.Short() {
		t.Skip("builds function binaries")
	}
	dir, err := binaries()
	if err != nil {
		t.Fatal(err)
	}
	r, err := start(context.Background(), options{root: root, dir: dir, port: "0", endpoint: awslocal.Start(t),
		suffix: "-" + strings.ToLower(requestID()), only: built, log: slog.New(slog.NewTextHandler(os.Stderr, nil))})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.close)
	s := &session{t: t, run: r, vars: map[string]string{"OWNER_KEY": r.key}}

	s.event("discovery", 200, "ok")
	s.vars["SERVICE_ID"] = s.event("owner-catalogue", 201, "id")
	s.event("owner-availability", 200, "")
	day := time.Now().UTC().AddDate(0, 0, 7).Truncate(24 * time.Hour)
	s.vars["START"] = day.Add(10 * time.Hour).Format(inbox.InstantLayout)
	s.vars["END"] = day.Add(11 * time.Hour).Format(inbox.InstantLayout)
	booked := s.answer("create-booking", 201)
	view, _ := booked["view"].(map[string]any)
	item, _ := view["item"].(map[string]any)
	s.vars["ITEM_ID"], _ = item["id"].(string)
	s.vars["ACCESS_TOKEN"], _ = booked["access_token"].(string)
	s.event("get-item", 200, "human")

	s.drained()
	s.get("/healthz", "", 200)
	s.get("/v1/items/"+s.vars["ITEM_ID"], s.vars["ACCESS_TOKEN"], 200)
	s.get("/v1/items/"+s.vars["ITEM_ID"], "", 403)
	s.get("/nowhere", "", 404)
	s.get("/v1/100%25", "", 400) // decoded by the gateway to a bare percent sign
}

// session replays sample events with what earlier ones answered.
type session struct {
	t    *testing.T
	run  *run
	vars map[string]string
}

// sample is a function's event with its variables filled in.
func (s *session) sample(function string) []byte {
	s.t.Helper()
	raw, err := os.ReadFile(filepath.Join(root, "events", function+".json"))
	if err != nil {
		s.t.Fatal(err)
	}
	for k, v := range s.vars {
		raw = bytes.ReplaceAll(raw, []byte("${"+k+"}"), []byte(v))
	}
	return raw
}

// answer sends the sample event and reads the JSON of an answer.
func (s *session) answer(function string, status int) (body map[string]any) {
	s.t.Helper()
	res, err := http.Post(s.run.url+"/_local/invoke/"+function, "application/json", bytes.NewReader(s.sample(function)))
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	var a struct {
		StatusCode int
		Body       string
	}
	if err := json.NewDecoder(res.Body).Decode(&a); err != nil || a.StatusCode != status {
		s.t.Fatalf("%s: answered %d %s (error %v), want %d", function, a.StatusCode, a.Body, err, status)
	}
	if err := json.Unmarshal([]byte(a.Body), &body); err != nil {
		s.t.Fatalf("%s: %v in %s", function, err, a.Body)
	}
	return body
}

// event sends the sample event and gives one field of the answer, which must be
// there.
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

// drained runs the outbox on the jobs of the booking until none is ready.
func (s *session) drained() {
	s.t.Helper()
	ctx := context.Background()
	event, err := s.run.cloud.readyJobs(ctx)
	if err != nil || event == nil {
		s.t.Fatalf("the booking left no ready job: %s, %v", event, err)
	}
	if err := s.run.drain(ctx); err != nil {
		s.t.Fatal(err)
	}
	if event, err = s.run.cloud.readyJobs(ctx); err != nil || event != nil {
		s.t.Fatalf("still ready: %s, %v", event, err)
	}
	mails, err := s.run.cloud.store.Mails(ctx, s.vars["ITEM_ID"])
	if err != nil || len(mails) == 0 {
		s.t.Fatalf("no mail on the item: %v", err)
	}
}

func (s *session) get(path, token string, status int) {
	s.t.Helper()
	req, err := http.NewRequest(http.MethodGet, s.run.url+path, http.NoBody)
	if err != nil {
		s.t.Fatal(err)
	}
	if token != "" {
		req.Header.Set("X-Access-Token", token)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	defer func() { _ = res.Body.Close() }()
	if body, _ := io.ReadAll(res.Body); res.StatusCode != status {
		s.t.Errorf("GET %s: %d %s, want %d", path, res.StatusCode, body, status)
	}
}

// Every function has a sample event, and an HTTP one is of a route of its own.
func TestEvents(t *testing.T) {
	functions, err := readTemplate(filepath.Join(root, "template.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(root, "events", "*.json"))
	if err != nil || len(files) != len(functions) {
		t.Errorf("%d sample events for %d functions (error %v)", len(files), len(functions), err)
	}
	for _, f := range functions {
		raw, err := os.ReadFile(filepath.Join(root, "events", f.name+".json"))
		if err != nil {
			t.Error(err)
			continue
		}
		var e struct{ RouteKey string }
		if err := json.Unmarshal(raw, &e); err != nil {
			t.Errorf("%s: %v", f.name, err)
		}
		known := len(f.routes) == 0 && e.RouteKey == ""
		for _, r := range f.routes {
			known = known || r.key() == e.RouteKey
		}
		if !known {
			t.Errorf("%s: its sample is of %q, not a route of its own", f.name, e.RouteKey)
		}
		if f.timeout == 0 {
			t.Errorf("%s has no timeout", f.name)
		}
	}
}

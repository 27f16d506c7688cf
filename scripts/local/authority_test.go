package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/operation"
)

// key mints a key at the control door.
func (c *client) key(body map[string]any) *client {
	c.t.Helper()
	return c.with(c.post("/_local/key", body).is(200).str("key"))
}

// twoItems are bookings of two customers.
func twoItems(c *client) (service string, mine, theirs answer) {
	service = c.service("Consultation")
	slots := c.slots(service, 6)
	mine = c.post("/v1/bookings", booking(service, slots[9], "mine@example.com")).is(201)
	theirs = c.post("/v1/bookings", booking(service, slots[20], "theirs@example.com")).is(201)
	return service, mine, theirs
}

// TestTokenAttacks: an item opens to its own token alone, wherever it stands;
// body before query before header (03 §6.1).
func TestTokenAttacks(t *testing.T) {
	c := serve(t, nil)
	_, mine, theirs := twoItems(c)
	id, token, other := mine.str("view.item.id"), mine.str("access_token"), theirs.str("access_token")
	flipped := "A" + token[1:]
	if token[0] == 'A' {
		flipped = "B" + token[1:]
	}
	wrong := map[string]string{
		"another item's": other, "cut": token[:31], "cut to 16": token[:16], "longer": token + "A", "padded": token + "=",
		"upper case": strings.ToUpper(token), "flipped": flipped, "twice": token + token, "none": "",
	}
	for name, bad := range wrong {
		t.Run("fail/"+name, func(t *testing.T) {
			for where, a := range map[string]answer{
				"header": c.saying("X-Access-Token", bad).get("/v1/items/" + id),
				"query":  c.get("/v1/items/" + id + "?access_token=" + url.QueryEscape(bad)),
				"bearer": c.with(bad).get("/v1/items/" + id),
				"cancel": c.saying("X-Access-Token", bad).post("/v1/items/"+id+"/cancel", map[string]any{}),
				"words":  c.saying("X-Access-Token", bad).post("/v1/items/"+id+"/details", map[string]any{"details": "x"}),
			} {
				a.t = t
				a.refused(403, inbox.CodeNotAllowed)
				if bytes.Contains(a.raw, []byte("mine@example.com")) || bytes.Contains(a.raw, []byte("Consultation")) {
					t.Errorf("%s tells of the item: %s", where, a.raw)
				}
			}
			if bad == "" {
				return
			}
			a := c.post("/v1/messages", map[string]any{"item_id": id, "body": "x", "access_token": bad})
			a.t = t
			a.refused(403, inbox.CodeNotAllowed)
		})
	}
	words := map[string]any{"item_id": id, "body": "Mine."}
	with := func(token string) map[string]any {
		return map[string]any{"item_id": id, "body": "Mine.", "access_token": token}
	}
	for name, cs := range map[string]struct {
		a      answer
		status int
	}{
		"ok/header":                    {c.saying("X-Access-Token", token).get("/v1/items/" + id), 200},
		"ok/query":                     {c.get("/v1/items/" + id + "?access_token=" + token), 200},
		"ok/query before header":       {c.saying("X-Access-Token", other).get("/v1/items/" + id + "?access_token=" + token), 200},
		"fail/query before header":     {c.saying("X-Access-Token", token).get("/v1/items/" + id + "?access_token=" + other), 403},
		"ok/body":                      {c.post("/v1/messages", with(token)), 200},
		"ok/body before header":        {c.saying("X-Access-Token", other).post("/v1/messages", with(token)), 200},
		"fail/body before header":      {c.saying("X-Access-Token", token).post("/v1/messages", with(other)), 403},
		"ok/header of a write":         {c.saying("X-Access-Token", token).post("/v1/messages", words), 200},
		"fail/query of a write":        {c.post("/v1/messages?access_token="+token, words), 403},
		"fail/as a bearer":             {c.with(token).get("/v1/items/" + id), 403},
		"fail/cookie":                  {c.saying("Cookie", "sdi_session="+token+"; access_token="+token).get("/v1/items/" + id), 403},
		"fail/the owner's door":        {c.saying("X-Access-Token", token).get("/v1/owner/items/" + id), 401},
		"fail/the owner's by a bearer": {c.with(token).get("/v1/owner/items/" + id), 401},
	} {
		t.Run(name, func(t *testing.T) {
			cs.a.t = t
			cs.a.is(cs.status)
		})
	}
	if got := c.owner().get("/v1/owner/items/" + id).at("item.version"); got != 1.0 {
		t.Errorf("version %v after refusals and words", got)
	}
}

// TestKeys: what each kind of key opens, and that a dead one opens nothing
// (03 §2.2, §9).
func TestKeys(t *testing.T) {
	c := serve(t, nil)
	service, mine, theirs := twoItems(c)
	id, foreign := mine.str("view.item.id"), theirs.str("view.item.id")
	owner := c.owner()
	party := mine.str("view.item.partyId")
	agent := c.key(map[string]any{"kind": "agent", "party_id": party})
	stranger := c.key(map[string]any{"kind": "agent"})
	expiring := c.key(map[string]any{"kind": "owner", "expires_at": "2027-03-01T08:00:00.001Z"})
	expiring.get("/v1/owner/items").is(200)
	slots := c.slots(service, 6)

	t.Run("ok/an agent reads its party's items without a token", func(t *testing.T) {
		agent.get("/v1/items/" + id).is(200)
		agent.get("/v1/items/"+foreign).refused(403, inbox.CodeNotAllowed)
		stranger.get("/v1/items/"+id).refused(403, inbox.CodeNotAllowed)
		stranger.saying("X-Access-Token", mine.str("access_token")).get("/v1/items/" + id).is(200)
	})
	t.Run("ok/an agent books for its party and gets no token", func(t *testing.T) {
		made := agent.post("/v1/bookings", booking(service, slots[30], customer)).is(201)
		if made.str("access_token") != "" || made.str("accessToken") != "" || made.str("view.item.partyId") != party {
			t.Errorf("%s", made.raw)
		}
		without := stranger.post("/v1/bookings", booking(service, slots[31], customer)).is(201)
		if without.str("access_token") == "" {
			t.Errorf("an agent without a party got no token: %s", without.raw)
		}
	})
	t.Run("fail/customers at the owner's door", func(t *testing.T) {
		for _, who := range []*client{c, agent, stranger, c.with("sdi_own_" + strings.Repeat("A", 32)), c.with("sdi_at_x"), c.with("x y z")} {
			for _, op := range operation.All {
				if op.Auth != operation.Owner {
					continue
				}
				a := who.do(op.Method, strings.NewReplacer("{id}", id, "{service_id}", service).Replace(op.Paths[0]), bodyOf(op))
				a.refused(401, inbox.CodeUnauthorized)
				if got := a.header.Get("WWW-Authenticate"); got != `Bearer realm="owner"` {
					t.Errorf("%s: WWW-Authenticate %q", op.ID, got)
				}
			}
		}
	})
	t.Run("fail/wrong forms of a good key", func(t *testing.T) {
		key := owner.bearer
		for _, header := range []string{
			"Bearer " + key + "A", "Bearer " + key[:len(key)-1], "Bearer " + strings.ToUpper(key), "Basic " + key, key,
			"Bearer sdi_agent_" + strings.TrimPrefix(key, "sdi_own_"), "Bearer " + key + " " + key,
		} {
			c.saying("Authorization", header).get("/v1/owner/items").refused(401, inbox.CodeUnauthorized)
		}
		c.get("/v1/owner/items?access_token="+key+"&key="+key).refused(401, inbox.CodeUnauthorized)
		c.saying("X-Access-Token", key).get("/v1/owner/items").refused(401, inbox.CodeUnauthorized)
		c.saying("authorization", "bearer "+key).get("/v1/owner/items").is(200)
	})
	t.Run("ok/the owner at the customer's door", func(t *testing.T) {
		if a := owner.get("/v1/items/" + id).is(200); a.at("item.flags") == nil || a.at("events") == nil {
			t.Errorf("not the owner's view: %s", a.raw)
		}
		made := owner.post("/v1/bookings", booking(service, slots[40], customer)).is(201)
		if made.str("access_token") != "" {
			t.Error("the business got a token")
		}
		if got := owner.get("/v1/owner/items/" + made.str("view.item.id")).str("events.0.by.kind"); got != "owner" {
			t.Errorf("written down by %q", got)
		}
		owner.post("/v1/items/"+id+"/cancel", map[string]any{}).refused(403, inbox.CodeNotAllowed)
		owner.post("/v1/items/"+id+"/details", map[string]any{"details": "x"}).refused(403, inbox.CodeNotAllowed)
	})
	t.Run("fail/expired and revoked", func(t *testing.T) {
		c.advance("1ms")
		expiring.get("/v1/owner/items").refused(401, inbox.CodeUnauthorized)
		minted := c.post("/_local/key", map[string]any{"kind": "owner"}).is(200)
		revoked := c.with(minted.str("key"))
		revoked.get("/v1/owner/items").is(200)
		if err := c.w.store.RevokeKey(t.Context(), minted.str("id"), c.w.clock.now()); err != nil {
			t.Fatal(err)
		}
		revoked.get("/v1/owner/items").refused(401, inbox.CodeUnauthorized)
		revoked.post("/v1/owner/items/"+id+"/transitions", map[string]any{"event": "confirm"}).refused(401, inbox.CodeUnauthorized)
		revoked.get("/v1/items/"+id).refused(403, inbox.CodeNotAllowed)
	})
}

// bodyOf is an empty body for operations that take one.
func bodyOf(op *operation.Op) any {
	if op.Writes() {
		return map[string]any{}
	}
	return nil
}

// TestScopes tries every door that asks for scopes with a key of each scope:
// it opens to those the table names and to no other, and says which (03 §9.2).
func TestScopes(t *testing.T) {
	c := serve(t, nil)
	_, mine, _ := twoItems(c)
	id := mine.str("view.item.id")
	for _, scope := range []inbox.Scope{
		inbox.ScopeInboxRead, inbox.ScopeInboxWrite, inbox.ScopeEventsRead, inbox.ScopeCatalogueWrite, inbox.ScopeAvailabilityWrite,
		inbox.ScopeSettingsRead, inbox.ScopeSettingsWrite, inbox.ScopeSetupRun, inbox.ScopeIntegrationsWrite, inbox.ScopeCustomersErase, inbox.ScopeMoneyWrite,
	} {
		key := c.key(map[string]any{"kind": "integration", "scopes": []inbox.Scope{scope}})
		for _, op := range operation.All {
			if len(op.Scopes) == 0 {
				continue
			}
			t.Run(fmt.Sprint(scope, "/", op.ID), func(t *testing.T) {
				// An input that is no object shows that the door let the caller in.
				var in any
				if op.Writes() {
					in = "[]"
				}
				a := key.do(op.Method, strings.NewReplacer("{id}", id, "{service_id}", "x").Replace(op.Paths[0]), in)
				a.t = t
				opens := false
				for _, s := range op.Scopes {
					opens = opens || s == scope
				}
				switch {
				case opens && a.status != 400 && a.status != 200 && a.status != 404:
					t.Errorf("%d %s", a.status, a.raw)
				case !opens:
					a.refused(403, inbox.CodeNotAllowed)
					if fmt.Sprint(a.at("details.held_scopes")) != fmt.Sprint([]inbox.Scope{scope}) || fmt.Sprint(a.at("details.required_scopes")) != fmt.Sprint(op.Scopes) {
						t.Errorf("details %v", a.at("details"))
					}
				}
			})
		}
	}
}

// TestSandbox: tests stay among themselves (03 §18).
func TestSandbox(t *testing.T) {
	c := serve(t, nil)
	service := c.service("Portrait session")
	owner := c.owner()
	owner.do("PUT", "/v1/owner/settings", map[string]any{"doc": map[string]any{"commerce": map[string]any{"customers": "businesses"}}}).is(200)
	slot := c.slots(service, 6)[9]
	sandbox := c.saying("X-Sandbox", "1")
	made := sandbox.post("/v1/bookings", booking(service, slot, customer)).is(201)
	id := made.str("view.item.id")
	owner.fire(id, "confirm", nil).is(200)
	ids := func(query string) string { return string(owner.get("/v1/owner/items" + query).is(200).raw) }
	if strings.Contains(ids("?open_only=false"), id) || !strings.Contains(ids("?open_only=false&sandbox=true"), id) {
		t.Error("the test item is in the wrong list")
	}
	free := func(c *client) bool {
		for _, s := range c.slots(service, 6) {
			if s.StartTime == slot.StartTime {
				return true
			}
		}
		return false
	}
	if !free(c) || free(sandbox) {
		t.Errorf("free for real %t, for tests %t; want the test to hold a place among tests alone", free(c), free(sandbox))
	}
	if bytes.Contains(made.raw, []byte(`"flags"`)) {
		t.Error("a customer reads the flags")
	}
	real := c.post("/v1/bookings", booking(service, slot, "real@example.com")).is(201).str("view.item.id")
	owner.fire(real, "confirm", nil).is(200)
	other := sandbox.post("/v1/bookings", booking(service, slot, customer)).is(201).str("view.item.id")
	owner.fire(other, "confirm", nil).refused(409, inbox.CodeSlotTaken)
	c.advance("1h")
	if got := c.mails(customer); len(got) != 0 {
		t.Errorf("mails of tests: %q", templates(got))
	}
	detail := owner.get("/v1/owner/items/" + id)
	for i, m := range detail.at("mail").([]any) {
		if skip := detail.str(fmt.Sprintf("mail.%d.skip_reason", i)); skip != "test_item" {
			t.Errorf("mail %v", m)
		}
	}
	bare := httptest.NewServer(c.w.handler)
	defer bare.Close()
	for _, value := range []string{"0", "true", "yes", ""} {
		undescribed := *c.saying("X-Sandbox", value) // the document knows 1 alone
		undescribed.url = bare.URL
		made := undescribed.post("/v1/messages", map[string]any{"body": "Hello."}).is(201)
		if !strings.Contains(ids("?limit=100"), made.str("view.item.id")) {
			t.Errorf("X-Sandbox %q made a test", value)
		}
	}
	owner.do("PUT", "/v1/owner/settings", map[string]any{"doc": map[string]any{"testMode": true}}).is(200)
	test := c.post("/v1/messages", map[string]any{"body": "Hello.", "contact": map[string]any{"email": customer}}).is(201).str("view.item.id")
	if !strings.Contains(ids("?sandbox=true"), test) || len(c.mails(customer)) != 0 {
		t.Error("an item of test mode is no test")
	}
	c.clean()
}

// journal keeps what is logged.
type journal struct {
	mu sync.Mutex
	bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.Buffer.Write(p)
}

// TestLogsKeepSecrets follows a whole life with everything logged, debug
// included, and looks for what no log may hold (03 §3, 08 §1).
func TestLogsKeepSecrets(t *testing.T) {
	var log journal
	logger := slog.New(slog.NewJSONHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	usual := slog.Default()
	slog.SetDefault(logger)
	t.Cleanup(func() { slog.SetDefault(usual) })
	c := serve(t, func(o *options) { o.log, o.secret = logger, "a-secret-key-of-the-whole-inbox-0123456789" })
	service := c.service("Consultation")
	owner := c.owner()
	slot := c.slots(service, 6)[9]
	body := booking(service, slot, "secret.customer@example.com")
	body["contact"].(map[string]any)["name"], body["contact"].(map[string]any)["phone"] = "Zacharias Quux", "+351 912 345 678"
	body["message"] = "My words are private."
	made := c.saying("Idempotency-Key", "idem-private").post("/v1/bookings", body).is(201)
	id, token := made.str("view.item.id"), made.str("access_token")
	agent := c.key(map[string]any{"kind": "agent", "party_id": made.str("view.item.partyId")})
	reader := c.key(map[string]any{"kind": "integration", "scopes": []string{"inbox:read"}})
	for _, a := range []answer{
		c.get("/v1/items/" + id + "?access_token=" + token), c.get("/v1/items/" + id + "?access_token=" + strings.Repeat("z", 400)),
		c.saying("X-Access-Token", token).get("/v1/items/" + id), agent.get("/v1/items/" + id), reader.fire(id, "confirm", nil),
		c.get("/c/link-secret?k=query-secret"), c.get("/auth/link-secret"), c.get("/nowhere/path-secret"),
		c.post("/v1/bookings", `{"payload":"path-secret"`), c.with("sdi_own_bearer-secret").get("/v1/owner/items"),
		c.saying("X-Access-Token", token).post("/v1/items/"+id+"/details", map[string]any{"details": "path-secret"}),
		owner.fire(id, "confirm", map[string]any{"note": "My note is private."}),
	} {
		if a.status >= 500 {
			t.Errorf("%s: %d", a.what, a.status)
		}
	}
	c.w.mailbox.fails = []error{fmt.Errorf("cannot deliver to <secret.customer@example.com>")}
	owner.post("/v1/owner/items/"+id+"/replies", map[string]any{"body": "My reply is private."}).is(200)
	c.advance("100h")
	c.clean()
	lines := log.String()
	if n := strings.Count(lines, `"msg":"request"`); n < 15 {
		t.Fatalf("only %d requests were logged", n)
	}
	for what, secret := range map[string]string{
		"item id in a path": "/v1/items/" + id, "access token": token, "owner key": owner.bearer, "agent key": agent.bearer,
		"integration key": reader.bearer, "address": "secret.customer@", "name": "Zacharias", "phone": "912 345", "words": "private",
		"link": "link-secret", "query": "query-secret", "path": "path-secret", "bearer": "bearer-secret", "query string": "access_token=",
		"idempotency key": "idem-private", "secret key": "a-secret-key-of", "owner's address": ownersMail,
	} {
		if at := strings.Index(lines, secret); at >= 0 {
			t.Errorf("the log holds the %s: …%s…", what, lines[max(0, at-200):min(len(lines), at+80)])
		}
	}
	for line := range strings.Lines(lines) {
		var l struct{ Msg, Route string }
		if err := json.Unmarshal([]byte(line), &l); err != nil {
			t.Errorf("no JSON: %s", line)
		}
		if l.Msg == "request" && l.Route != "$default" && !strings.Contains(l.Route, " /v1/") && !strings.HasSuffix(l.Route, " /c/{token}") {
			t.Errorf("a request without its route: %s", line)
		}
	}
}

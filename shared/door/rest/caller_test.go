package rest_test

import (
	"errors"
	"net/http/httptest"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/operation"
)

// TestWhoMayCallWhat walks every operation with every kind of caller.
func TestWhoMayCallWhat(t *testing.T) {
	for _, op := range served {
		t.Run("ok/"+op.ID+" by the owner", func(t *testing.T) {
			d := open()
			d.sample(t, op, "Authorization", "Bearer owner").ok(t, 200)
			if asked := d.core.asked == 1; asked != (op.Function != operation.FallbackFunction) {
				t.Errorf("the core was asked %d times", d.core.asked)
			}
		})
		for _, scope := range op.Scopes {
			if scope == inbox.ScopeAll {
				t.Run("fail/"+op.ID+" by a key that claims everything", func(t *testing.T) {
					open().sample(t, op, "Authorization", "Bearer key *").refused(t, inbox.CodeNotAllowed)
				})
				continue
			}
			t.Run("ok/"+op.ID+" by a key with "+string(scope), func(t *testing.T) {
				open().sample(t, op, "Authorization", "Bearer key "+string(scope)).ok(t, 200)
			})
		}
		if op.Auth != operation.Owner {
			t.Run("ok/"+op.ID+" by anyone", func(t *testing.T) { open().sample(t, op).ok(t, 200) })
		}
		if op.Auth == operation.Owner {
			t.Run("fail/"+op.ID+" by anyone", func(t *testing.T) {
				d := open()
				a := d.sample(t, op)
				a.refused(t, inbox.CodeUnauthorized)
				if a.Header().Get("WWW-Authenticate") != `Bearer realm="owner"` || d.core.asked != 0 {
					t.Errorf("%v, asked %d", a.Header(), d.core.asked)
				}
			})
		}
		if len(op.Scopes) > 0 {
			t.Run("fail/"+op.ID+" by a key without the scope", func(t *testing.T) {
				d := open()
				a := d.sample(t, op, "Authorization", "Bearer key events:read integrations:write")
				a.refused(t, inbox.CodeNotAllowed)
				if d.core.asked != 0 {
					t.Error("the core was asked")
				}
				required, _ := a.problem.Details["required_scopes"].([]any)
				held, _ := a.problem.Details["held_scopes"].([]any)
				if len(required) != len(op.Scopes) || len(held) != 2 {
					t.Errorf("details %v", a.problem.Details)
				}
			})
		}
	}
}

// TestTheDoorIsJudgedBeforeTheInput: a stranger learns nothing of what the
// owner's door takes.
func TestTheDoorIsJudgedBeforeTheInput(t *testing.T) {
	d := open()
	d.send(t, "POST", "/v1/owner/items/I1/transitions", `{`).refused(t, inbox.CodeUnauthorized)
	d.send(t, "PUT", "/v1/owner/settings", strings.Repeat(" ", 2<<20)).refused(t, inbox.CodeUnauthorized)
	d.send(t, "GET", "/v1/owner/items?limit=x", "").refused(t, inbox.CodeUnauthorized)
	d.send(t, "GET", "/v1/owner/items?%zz", "").refused(t, inbox.CodeUnauthorized)
}

func TestCredentialsAsTheDoorReadsThem(t *testing.T) {
	d := open()
	r := httptest.NewRequest("GET", "http://sandbox.example.com/v1/business", nil)
	r.RemoteAddr = "203.0.113.9:4711"
	for name, value := range map[string]string{"Authorization": "Bearer x", "User-Agent": "agent/1", "X-Sandbox": "1",
		"X-Forwarded-For": "198.51.100.1", "X-Real-Ip": "198.51.100.1", "X-Access-Token": "token"} {
		r.Header.Set(name, value)
	}
	d.do(t, r).ok(t, 200)
	c := d.callers.creds
	if c.ClientIP != "203.0.113.9" {
		t.Errorf("address %q, which a header must not change", c.ClientIP)
	}
	if c.Authorization != "Bearer x" || c.UserAgent != "agent/1" || c.Sandbox != "1" || c.Host != "sandbox.example.com" ||
		c.AccessToken != "token" || c.Channel != inbox.ChannelREST {
		t.Errorf("credentials %+v", c)
	}
	if !d.core.call.Sandbox {
		t.Error("the mark of a test is lost")
	}
}

func TestAddressesWithoutAPort(t *testing.T) {
	for given, want := range map[string]string{"203.0.113.9": "203.0.113.9", "[2001:db8::1]:80": "2001:db8::1", "2001:db8::1": "2001:db8::1", "": ""} {
		d := open()
		r := httptest.NewRequest("GET", "/v1/business", nil)
		r.RemoteAddr = given
		d.do(t, r)
		if d.callers.creds.ClientIP != want {
			t.Errorf("%q: %q", given, d.callers.creds.ClientIP)
		}
	}
}

// TestAccessToken: the body wins, then the query of a read, then the header.
func TestAccessToken(t *testing.T) {
	const long, other = "bbbbbbbbbbbbbbbb", "hhhhhhhhhhhhhhhh"
	cases := map[string]struct {
		method, target, body, header, want string
	}{
		"ok/body before header":      {"POST", "/v1/items/I1/cancel", `{"access_token":"` + long + `"}`, other, long},
		"ok/header of a write":       {"POST", "/v1/items/I1/cancel", `{}`, other, other},
		"ok/query before header":     {"GET", "/v1/items/I1?access_token=" + long, "", other, long},
		"ok/header of a read":        {"GET", "/v1/items/I1", "", other, other},
		"ok/message on an item":      {"POST", "/v1/messages", `{"item_id":"I1","body":"x","access_token":"` + long + `"}`, "", long},
		"ok/none":                    {"GET", "/v1/items/I1", "", "", ""},
		"fail/in a write's query":    {"POST", "/v1/items/I1/cancel?access_token=" + long, `{}`, "", ""},
		"fail/empty in query":        {"GET", "/v1/items/I1?access_token=", "", other, other},
		"fail/number is no token":    {"POST", "/v1/items/I1/cancel", `{"access_token":5}`, "", "422"},
		"fail/shorter than a token":  {"POST", "/v1/items/I1/cancel", `{"access_token":"short"}`, "", "422"},
		"fail/longer than any token": {"GET", "/v1/items/I1?access_token=" + strings.Repeat("x", 201), "", "", "422"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			d := open()
			a := d.send(t, c.method, c.target, c.body, "X-Access-Token", c.header)
			if c.want == "422" {
				a.refused(t, inbox.CodeInvalidInput)
				if a.problem.faults() != "access_token:invalid" {
					t.Errorf("fields %s", a.problem.faults())
				}
				return
			}
			a.ok(t, 200)
			if d.core.call.AccessToken != c.want {
				t.Errorf("token %q, want %q", d.core.call.AccessToken, c.want)
			}
		})
	}
}

func TestCallersThatCannotBeRead(t *testing.T) {
	d := open()
	d.callers.err = inbox.Unavailable(errors.New("throttled"))
	a := d.sample(t, &operation.ListItems)
	a.refused(t, inbox.CodeUnavailable)
	if a.Header().Get("Retry-After") != "1" {
		t.Errorf("Retry-After %q", a.Header().Get("Retry-After"))
	}
	d.callers.err = errors.New("broken")
	d.sample(t, &operation.GetBusinessProfile).refused(t, inbox.CodeInternal)
}

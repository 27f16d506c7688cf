package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/canon"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
	"typedinbox/shared/table"
	"typedinbox/shared/table/embedded"
)

// stack is an account with one stack.
type stack struct {
	out    map[string]string
	db     table.Database
	opened map[string]string
}

func (s *stack) outputs(_ context.Context, name string) (map[string]string, error) {
	if name != "inbox" {
		return nil, errors.New("there is no stack " + name)
	}
	return s.out, nil
}

func (s *stack) open(_ context.Context, tables map[string]string) (table.Database, error) {
	s.opened = tables
	return s.db, nil
}

func TestMint(t *testing.T) {
	outputs := map[string]string{"InboxTable": "T-1", "EventsTable": "E-1", "Address": "https://book.example.com"}
	for name, c := range map[string]struct {
		args   []string
		out    map[string]string
		kind   inbox.KeyKind
		scopes []inbox.Scope
		prefix string
		err    string
	}{
		"ok/owner by default": {[]string{"--stack", "inbox"}, outputs, inbox.KeyOwner, []inbox.Scope{inbox.ScopeAll}, "sdi_own_", ""},
		"ok/integration": {[]string{"--stack=inbox", "--kind=integration", "--name=site", "--scopes=inbox:read, events:read"}, outputs,
			inbox.KeyIntegration, []inbox.Scope{inbox.ScopeInboxRead, inbox.ScopeEventsRead}, "sdi_own_", ""},
		"ok/agent that ends": {[]string{"--stack", "inbox", "--kind", "agent", "--expires", "2999-01-01T00:00:00Z"}, outputs,
			inbox.KeyAgent, []inbox.Scope{inbox.ScopePublic}, "sdi_agent_", ""},
		"fail/no stack":           {[]string{"--kind", "owner"}, outputs, "", nil, "", "--stack NAME is required"},
		"fail/words beside":       {[]string{"--stack", "inbox", "owner"}, outputs, "", nil, "", "nothing stands beside"},
		"fail/unknown stack":      {[]string{"--stack", "other"}, outputs, "", nil, "", "no stack other"},
		"fail/not an inbox":       {[]string{"--stack", "inbox"}, map[string]string{"Url": "x"}, "", nil, "", "is it an inbox?"},
		"fail/unknown kind":       {[]string{"--stack", "inbox", "--kind", "admin"}, outputs, "", nil, "", "kind"},
		"fail/scope of the owner": {[]string{"--stack", "inbox", "--kind", "integration", "--scopes", "*"}, outputs, "", nil, "", "scopes"},
		"fail/ended already":      {[]string{"--stack", "inbox", "--expires", "2000-01-01T00:00:00Z"}, outputs, "", nil, "", "in the past"},
		"fail/no instant":         {[]string{"--stack", "inbox", "--expires", "tomorrow"}, outputs, "", nil, "", "--expires must be"},
		"fail/unknown flag":       {[]string{"--stack", "inbox", "--role", "x"}, outputs, "", nil, "", "not defined"},
	} {
		t.Run(name, func(t *testing.T) {
			db, err := embedded.Open(embedded.Options{Path: ":memory:", Schema: store.Schema()})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = db.Close() }()
			s := &stack{out: c.out, db: db}
			var out bytes.Buffer
			err = mint(context.Background(), c.args, &out, io.Discard, s)
			if c.err != "" {
				if err == nil || !strings.Contains(err.Error(), c.err) || out.Len() != 0 {
					t.Fatalf("error %v, printed %q; want %q", err, out.String(), c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			secret := strings.TrimSuffix(out.String(), "\n")
			key, err := store.New(db, canon.Ring{}).KeyByHash(context.Background(), canon.HashToken(secret))
			if err != nil || key == nil {
				t.Fatalf("the key printed is not stored: %v", err)
			}
			if !strings.HasPrefix(secret, c.prefix) || key.Kind != c.kind || !slices.Equal(key.Scopes, c.scopes) || key.CreatedBy != "operator" {
				t.Errorf("printed %s…, stored %+v", secret[:10], key)
			}
			if s.opened["inbox"] != "T-1" || s.opened["events"] != "E-1" {
				t.Errorf("opened %v", s.opened)
			}
		})
	}
}

package desk_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
	"typedinbox/shared/table"
)

// crowd writes before each of the first writes of somebody else.
type crowd struct {
	table.Database
	left int
	push func(n int)
}

func (c *crowd) Transact(ctx context.Context, token string, actions []table.Action) error {
	if c.left > 0 {
		n := c.left
		push := c.push
		c.left, c.push = 0, nil
		push(n)
		c.left, c.push = n-1, push
	}
	return c.Database.Transact(ctx, token, actions)
}

// TestTurns: a verb whose item's version moves is judged three times in all; one
// whose item's row moves for words alone takes turns, at most eight (00 §3).
func TestTurns(t *testing.T) {
	words := func(w *world, id string, n int) {
		_, err := w.Reply(w.ctx, inbox.Call{Caller: owner}, inbox.ReplyRequest{ItemID: id, Body: fmt.Sprint("note ", n), Internal: true})
		w.must(err)
	}
	events := func(w *world, id string, n int) {
		w.put(id, now.Add(6*inbox.Day).Add(int64(n)*inbox.Hour))
	}
	for name, c := range map[string]struct {
		push   func(*world, string, int)
		writes int
		code   inbox.Code
	}{
		"ok/nobody else":          {words, 0, ""},
		"ok/seven words first":    {words, 7, ""},
		"fail/eight words first":  {words, 8, inbox.CodeUnavailable},
		"ok/two events first":     {events, 2, ""},
		"fail/three events first": {events, 3, inbox.CodeUnavailable},
	} {
		t.Run(name, func(t *testing.T) {
			m := &crowd{}
			w := newWorldOn(t, func(db table.Database) table.Database { m.Database = db; return m })
			id, mine, _ := w.proposed()
			m.left, m.push = c.writes, func(n int) { c.push(w, id, n) }
			_, err := w.SendMessage(w.ctx, mine, inbox.SendMessageRequest{ItemID: id, Body: "Is there parking?"})
			var p *inbox.Problem
			if errors.As(err, &p); (p == nil) != (c.code == "") || p != nil && p.Code != c.code {
				t.Errorf("answered %v, want %q", err, c.code)
			}
		})
	}
}

// TestKeyOfATest: the key of a test that is sent again in earnest stands for
// another request, either way, so nobody takes a test's answer for a booking.
func TestKeyOfATest(t *testing.T) {
	create := func(w *world, sandbox bool) (inbox.Answer, error) {
		c := agent
		c.Sandbox = sandbox
		return w.SendMessage(w.ctx, inbox.Call{Caller: c, IdempotencyKey: "k1"}, inbox.SendMessageRequest{Body: "Is there parking?"})
	}
	for name, c := range map[string]struct {
		first, second bool
		code          inbox.Code
	}{
		"ok/real twice":            {false, false, ""},
		"ok/test twice":            {true, true, ""},
		"fail/real after a test":   {true, false, inbox.CodeIdempotencyMismatch},
		"fail/a test after a real": {false, true, inbox.CodeIdempotencyMismatch},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			_, err := create(w, c.first)
			w.must(err)
			a, err := create(w, c.second)
			var p *inbox.Problem
			if errors.As(err, &p); (p == nil) != (c.code == "") || p != nil && p.Code != c.code || p == nil && !a.Replayed {
				t.Errorf("answered %v, want %q", err, c.code)
			}
		})
	}
}

// TestListInTestMode: tests stand beside what is real while test mode is on, else
// only where they are asked for (03 §18).
func TestListInTestMode(t *testing.T) {
	yes, no := true, false
	for name, c := range map[string]struct {
		testMode bool
		sandbox  *bool
		want     int
	}{
		"ok/real alone":           {false, nil, 1},
		"ok/tests asked for":      {false, &yes, 2},
		"ok/test mode":            {true, nil, 3},
		"ok/test mode, real ones": {true, &no, 1},
		"ok/test mode, tests":     {true, &yes, 2},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			for _, sandbox := range []bool{false, true, true} {
				caller := agent
				caller.Sandbox = sandbox
				_, err := w.SendMessage(w.ctx, inbox.Call{Caller: caller}, inbox.SendMessageRequest{Body: "Is there parking?"})
				w.must(err)
			}
			if c.testMode {
				w.must(w.store.SaveSetUp(w.ctx, store.SetUp{Settings: &store.SettingsDoc{Version: 1, Doc: json.RawMessage(`{"testMode":true}`)}}))
			}
			a, err := w.ListItems(w.ctx, inbox.Call{Caller: owner}, inbox.ListItemsQuery{Sandbox: c.sandbox})
			w.must(err)
			var page inbox.Page[inbox.OwnerView]
			w.must(json.Unmarshal(a.Body, &page))
			if len(page.Items) != c.want {
				t.Errorf("%d items, want %d", len(page.Items), c.want)
			}
		})
	}
}

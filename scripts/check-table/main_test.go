package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"typedinbox/shared/canon"
	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
	"typedinbox/shared/table"
	"typedinbox/shared/table/dynamo"
	"typedinbox/shared/table/embedded"
	"typedinbox/shared/table/tabletest/awslocal"
)

const itemID = "01K5ZZZZZZZZZZZZZZZZZZ1TEM"

// keep writes down one message; broken leaves out the beginning of its history.
func keep(t *testing.T, db table.Database, broken bool) {
	t.Helper()
	now := inbox.Instant(1790845200000)
	rec := inbox.Record{Rev: 1, LastEventID: "01K5ZZZZZZZZZZZZZZZZZ0EVNT", Item: inbox.Item{
		ID: itemID, Type: inbox.TypeMessage, State: inbox.StateOpen, Version: 1, Channel: inbox.ChannelREST,
		CreatedAt: now, UpdatedAt: now, Payload: inbox.Payload{Message: &inbox.Message{Text: "Hello"}},
	}}
	e := inbox.Event{
		ID: rec.LastEventID, ItemID: itemID, Type: inbox.TypeMessage, Seq: 1, Event: inbox.EventCreate, ToState: inbox.StateOpen,
		ActorKind: inbox.CustomerAgent, ActorID: "anon:1", CreatedAt: now, Meta: inbox.Meta{Channel: inbox.ChannelREST},
	}
	w := decide.Write{Items: []decide.ItemWrite{{Record: rec}}, Events: []inbox.Event{e}}
	if err := store.New(db, canon.Ring{}).Commit(context.Background(), w); err != nil {
		t.Fatal(err)
	}
	if !broken {
		return
	}
	gone := table.Action{Kind: table.Delete, Key: table.Key{Table: "events", Partition: itemID, Sort: "000001"}}
	if err := db.Transact(context.Background(), "", []table.Action{gone}); err != nil {
		t.Fatal(err)
	}
}

// local makes a data directory with a table in it.
func local(t *testing.T, broken bool) string {
	t.Helper()
	dir := t.TempDir()
	db, err := embedded.Open(embedded.Options{Path: filepath.Join(dir, "inbox.db"), Schema: store.Schema()})
	if err != nil {
		t.Fatal(err)
	}
	keep(t, db, broken)
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestRun(t *testing.T) {
	none := func(string) string { return "" }
	endpoint := awslocal.Start(t)
	deployed := func(t *testing.T, broken bool) []string {
		names := map[string]string{"inbox": fmt.Sprintf("check-%v", broken), "events": fmt.Sprintf("check-events-%v", broken)}
		client := dynamo.Client(awslocal.Env(endpoint))
		if err := dynamo.CreateTables(context.Background(), client, names, store.Schema()); err != nil {
			t.Fatal(err)
		}
		keep(t, dynamo.New(client, names, store.Schema()), broken)
		return []string{"-inbox", names["inbox"], "-events", names["events"]}
	}
	cases := map[string]struct {
		args   func(t *testing.T) []string
		getenv func(string) string
		fit    bool
		err    string
		said   string
	}{
		"ok/local":              {func(t *testing.T) []string { return []string{"-data", local(t, false)} }, none, true, "", "0 findings\n"},
		"ok/deployed":           {func(t *testing.T) []string { return deployed(t, false) }, awslocal.Env(endpoint), true, "", "0 findings\n"},
		"fail/local, broken":    {func(t *testing.T) []string { return []string{"-data", local(t, true)} }, none, false, "", itemID},
		"fail/deployed, broken": {func(t *testing.T) []string { return deployed(t, true) }, awslocal.Env(endpoint), false, "", itemID},
		"fail/no table":         {func(t *testing.T) []string { return []string{"-data", t.TempDir()} }, none, true, "no table to check", ""},
		"fail/one table":        {func(*testing.T) []string { return []string{"-inbox", "a"} }, none, true, "name both", ""},
		"fail/unknown argument": {func(*testing.T) []string { return []string{"-stack", "a"} }, none, true, "-stack", ""},
		"fail/a run has the file": {func(t *testing.T) []string {
			dir := local(t, false)
			db, err := embedded.Open(embedded.Options{Path: filepath.Join(dir, "inbox.db"), Schema: store.Schema()})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = db.Close() })
			return []string{"-data", dir}
		}, none, true, "/_local/check", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			n, err := run(context.Background(), c.args(t), c.getenv, &out)
			if (err != nil) != (c.err != "") || err != nil && !strings.Contains(err.Error(), c.err) {
				t.Fatalf("%v, want %q", err, c.err)
			}
			if (n == 0) != c.fit || !strings.Contains(out.String(), c.said) {
				t.Errorf("%d findings:\n%s", n, out.String())
			}
		})
	}
}

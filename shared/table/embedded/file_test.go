package embedded_test

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"sync"
	"testing"
	"time"

	"typedinbox/shared/table"
	"typedinbox/shared/table/embedded"
	"typedinbox/shared/table/tabletest"
)

var ctx = context.Background()

func at(sort string) table.Key {
	return table.Key{Table: tabletest.Main, Partition: "p", Sort: sort}
}

func row(sort string, more table.Row) table.Row {
	r := table.Row{table.PartitionKey: "p", table.SortKey: sort}
	for name, v := range more {
		r[name] = v
	}
	return r
}

func put(sort string, more table.Row) table.Action {
	return table.Action{Kind: table.Put, Key: table.Key{Table: tabletest.Main}, Row: row(sort, more)}
}

func add(sort, name string, n int64) table.Action {
	return table.Action{Kind: table.Update, Key: at(sort), Add: map[string]int64{name: n}}
}

func must(t testing.TB, d table.Database, actions ...table.Action) {
	t.Helper()
	if err := d.Transact(ctx, "", actions); err != nil {
		t.Fatal(err)
	}
}

func get(t testing.TB, d table.Database, sort string) table.Row {
	t.Helper()
	r, err := d.Get(ctx, at(sort))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func listed(t testing.TB, d table.Database, index, partition string) []string {
	t.Helper()
	page, err := d.Query(ctx, table.Query{Table: tabletest.Main, Index: index, Partition: partition})
	if err != nil {
		t.Fatal(err)
	}
	var sorts []string
	for _, r := range page.Rows {
		sorts = append(sorts, r.String(table.SortKey))
	}
	return sorts
}

func reopen(t *testing.T, d *embedded.Database, o embedded.Options) *embedded.Database {
	t.Helper()
	if d != nil {
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
	}
	d, err := embedded.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestFileKeeps(t *testing.T) {
	o := embedded.Options{Path: filepath.Join(t.TempDir(), "inbox.db"), Schema: tabletest.Schema()}
	d := reopen(t, nil, o)
	must(t, d, put("x", table.Row{"n": int64(1), tabletest.OpenPartition: "o", tabletest.OpenSort: "1"}))
	if err := d.Transact(ctx, "token", []table.Action{add("x", "n", 1)}); err != nil {
		t.Fatal(err)
	}
	d = reopen(t, d, o)
	defer d.Close()
	if err := d.Transact(ctx, "token", []table.Action{add("x", "n", 1)}); err != nil {
		t.Fatal(err)
	}
	if got := get(t, d, "x").Int("n"); got != 2 {
		t.Errorf("n is %d", got)
	}
	if got := listed(t, d, tabletest.Open, "o"); !reflect.DeepEqual(got, []string{"x"}) {
		t.Errorf("index %v", got)
	}
}

func TestFileOpenTwice(t *testing.T) {
	o := embedded.Options{Path: filepath.Join(t.TempDir(), "inbox.db"), Schema: tabletest.Schema()}
	d := reopen(t, nil, o)
	defer d.Close()
	if other, err := embedded.Open(o); err == nil {
		t.Error("opened twice")
		_ = other.Close()
	}
}

func TestFileOfNoDatabase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "text")
	if err := os.WriteFile(path, []byte("this is no database, and longer than a page is not needed"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{"text": path, "folder": t.TempDir(), "nothing": "", "no folder": "/nowhere/at/all/inbox.db"} {
		if d, err := embedded.Open(embedded.Options{Path: path, Schema: tabletest.Schema()}); err == nil {
			t.Errorf("%s: opened", name)
			_ = d.Close()
		}
	}
}

func TestMemoryLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	d := reopen(t, nil, embedded.Options{Path: embedded.Memory, Schema: tabletest.Schema()})
	must(t, d, put("x", nil))
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

func TestClosed(t *testing.T) {
	d := reopen(t, nil, embedded.Options{Path: embedded.Memory, Schema: tabletest.Schema()})
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	if err := d.Transact(ctx, "", []table.Action{put("x", nil)}); err == nil || errors.Is(err, table.ErrUnknown) {
		t.Errorf("transact: %v", err)
	}
	if _, err := d.Get(ctx, at("x")); err == nil {
		t.Error("get of a closed database")
	}
}

// An index that is new, or whose attributes changed, is built from the rows;
// one that is gone leaves nothing to go stale.
func TestIndexesFollowTheSchema(t *testing.T) {
	full, bare, turned := tabletest.Schema(), tabletest.Schema(), tabletest.Schema()
	bare.Tables[0].Indexes = nil
	turned.Tables[0].Indexes[0].Sort = "other"
	o := embedded.Options{Path: filepath.Join(t.TempDir(), "inbox.db"), Schema: bare}
	d := reopen(t, nil, o)
	must(t, d, put("a", table.Row{tabletest.OpenPartition: "o", tabletest.OpenSort: "2", "other": "1"}),
		put("b", table.Row{tabletest.OpenPartition: "o", tabletest.OpenSort: "1", "other": "2"}), put("c", nil))
	for _, step := range []struct {
		schema table.Schema
		want   []string
	}{{full, []string{"b", "a"}}, {turned, []string{"a", "b"}}, {bare, nil}, {full, []string{"b", "a"}}} {
		o.Schema = step.schema
		d = reopen(t, d, o)
		if len(step.schema.Tables[0].Indexes) == 0 {
			continue
		}
		if got := listed(t, d, tabletest.Open, "o"); !reflect.DeepEqual(got, step.want) {
			t.Errorf("list %v, want %v", got, step.want)
		}
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
}

func TestTokensLive(t *testing.T) {
	start := time.Date(2026, 3, 4, 10, 9, 59, 0, time.UTC)
	for name, c := range map[string]struct {
		later time.Duration
		want  int64
	}{
		"ok/at once":                {0, 1},
		"ok/next window":            {2 * time.Second, 1},
		"ok/just below ten minutes": {10*time.Minute - 1, 1},
		"ok/ten minutes":            {10 * time.Minute, 2},
		"ok/a day":                  {24 * time.Hour, 2},
	} {
		t.Run(name, func(t *testing.T) {
			now := start
			d := open(t, embedded.Options{Now: func() time.Time { return now }})
			once := func(token string) {
				if err := d.Transact(ctx, token, []table.Action{add("x", "n", 1)}); err != nil {
					t.Fatal(err)
				}
			}
			once("token")
			now = now.Add(c.later)
			once("token")
			if got := get(t, d, "x").Int("n"); got != c.want {
				t.Errorf("done %d times, want %d", got, c.want)
			}
			once("token")
			if got := get(t, d, "x").Int("n"); got != c.want {
				t.Errorf("a third time right after: %d, want %d", got, c.want)
			}
		})
	}
}

func TestAddBeyondInt64(t *testing.T) {
	d := open(t, embedded.Options{})
	must(t, d, put("max", table.Row{"n": int64(math.MaxInt64)}), put("min", table.Row{"n": int64(math.MinInt64)}))
	for _, a := range []table.Action{add("max", "n", 1), add("min", "n", -1), add("max", "n", math.MaxInt64)} {
		if err := d.Transact(ctx, "", []table.Action{put("y", nil), a}); err == nil {
			t.Errorf("%v was added", a.Add)
		}
	}
	if get(t, d, "y") != nil {
		t.Error("half a transaction was done")
	}
	must(t, d, add("max", "n", math.MinInt64), add("min", "n", math.MaxInt64))
}

// Readers go on while a writer commits, and see whole transactions.
func TestReadersSeeWholeTransactions(t *testing.T) {
	d := open(t, embedded.Options{})
	must(t, d, put("a", table.Row{"n": int64(0)}), put("b", table.Row{"n": int64(0)}))
	const writes = 300
	start, done := make(chan struct{}), make(chan struct{})
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			<-start
			for last := int64(0); ; {
				rows, _, err := d.BatchGet(ctx, []table.Key{at("a"), at("b")})
				if err != nil || len(rows) != 2 || rows[0].Int("n") != rows[1].Int("n") || rows[0].Int("n") < last {
					t.Errorf("rows %v after %d, %v", rows, last, err)
					return
				}
				last = rows[0].Int("n")
				select {
				case <-done:
					return
				default:
				}
			}
		})
	}
	close(start)
	for range writes {
		must(t, d, add("a", "n", 1), add("b", "n", 1))
	}
	close(done)
	wait.Wait()
	if got := get(t, d, "a").Int("n"); got != writes {
		t.Errorf("n is %d", got)
	}
}

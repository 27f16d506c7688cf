package embedded_test

import (
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"

	"typedinbox/shared/table"
	"typedinbox/shared/table/embedded"
	"typedinbox/shared/table/tabletest"
)

func TestFaultsRefuse(t *testing.T) {
	for name, c := range map[string]struct {
		fault embedded.Fault
		code  table.ReasonCode // "" when the call as a whole is refused
	}{
		"conflict":        {embedded.Conflict, table.ReasonConflict},
		"throttle":        {embedded.Throttle, ""},
		"throttle action": {embedded.ThrottleAction, table.ReasonThrottled},
	} {
		t.Run(name, func(t *testing.T) {
			f := embedded.NewFaults(1).Script(c.fault, false, true, false)
			d := open(t, embedded.Options{Faults: f})
			actions := []table.Action{add("x", "n", 1), put("y", nil)}
			must(t, d, actions...)
			err := d.Transact(ctx, "", actions)
			var cancelled *table.Cancelled
			switch {
			case c.code == "" && !errors.Is(err, table.ErrThrottled):
				t.Errorf("answer %v", err)
			case c.code != "" && (!errors.As(err, &cancelled) || len(cancelled.Reasons) != 2 || !cancelled.Has(c.code)):
				t.Errorf("answer %v", err)
			}
			if got := get(t, d, "x").Int("n"); got != 1 || f.Count(c.fault) != 1 {
				t.Errorf("n is %d, %d faults", got, f.Count(c.fault))
			}
			must(t, d, actions...)
		})
	}
}

func TestFaultsThrottleReads(t *testing.T) {
	f := embedded.NewFaults(1)
	d := open(t, embedded.Options{Faults: f})
	f.Script(embedded.Throttle, true, true, true)
	_, get := d.Get(ctx, at("x"))
	_, _, batch := d.BatchGet(ctx, []table.Key{at("x")})
	_, query := d.Query(ctx, table.Query{Table: tabletest.Main, Partition: "p"})
	for _, err := range []error{get, batch, query} {
		if !errors.Is(err, table.ErrThrottled) {
			t.Errorf("answer %v", err)
		}
	}
}

func TestFaultsLoseAnswer(t *testing.T) {
	f := embedded.NewFaults(1).Script(embedded.LoseAnswer, true, false)
	heard := 0
	d := open(t, embedded.Options{Faults: f, Hook: func([]table.Change) { heard++ }})
	for i, want := range []error{table.ErrUnknown, nil} {
		if err := d.Transact(ctx, "token", []table.Action{add("x", "n", 1)}); !errors.Is(err, want) {
			t.Errorf("call %d: %v, want %v", i, err, want)
		}
		if got := get(t, d, "x").Int("n"); got != 1 || heard != 1 {
			t.Errorf("call %d: n is %d, the hook heard %d", i, got, heard)
		}
	}
}

func TestFaultsCutPage(t *testing.T) {
	f := embedded.NewFaults(1).Script(embedded.CutPage, true, false, true, true)
	d := open(t, embedded.Options{Faults: f})
	for i := range 9 {
		must(t, d, put(fmt.Sprint(i), nil))
	}
	q := table.Query{Table: tabletest.Main, Partition: "p", Limit: 1}
	empty, got := 0, 0
	for {
		page, err := d.Query(ctx, q)
		if err != nil {
			t.Fatal(err)
		}
		got += len(page.Rows)
		if len(page.Rows) == 0 && page.Next != "" {
			empty++
		}
		if q.After = page.Next; q.After == "" {
			break
		}
	}
	if got != 9 || empty < 3 || f.Count(embedded.CutPage) != 3 {
		t.Errorf("%d rows, %d empty pages, %d cut", got, empty, f.Count(embedded.CutPage))
	}
}

func TestFaultsLeaveUnprocessed(t *testing.T) {
	f := embedded.NewFaults(3).Script(embedded.LeaveUnprocessed, true)
	d := open(t, embedded.Options{Faults: f})
	must(t, d, put("a", nil), put("b", nil), put("c", nil))
	keys := []table.Key{at("a"), at("b"), at("c")}
	rows, left, err := d.BatchGet(ctx, keys)
	if err != nil || len(left) == 0 || len(rows)+len(left) != 3 {
		t.Errorf("%d rows, %v left, %v", len(rows), left, err)
	}
	if rows, left, err = d.BatchGet(ctx, keys); err != nil || len(left) != 0 || len(rows) != 3 {
		t.Errorf("then %d rows, %v left, %v", len(rows), left, err)
	}
}

func TestFaultsIndexLag(t *testing.T) {
	f := embedded.NewFaults(1).IndexLag(2)
	d := open(t, embedded.Options{Faults: f})
	due := func(sort string) table.Action {
		return put(sort, table.Row{tabletest.DuePartition: "d", tabletest.DueSort: sort})
	}
	seen := func() []string { return listed(t, d, tabletest.Due, "d") }
	want := func(what string, sorts ...string) {
		t.Helper()
		if got := seen(); !reflect.DeepEqual(got, sorts) {
			t.Errorf("%s: index shows %v, want %v", what, got, sorts)
		}
	}
	must(t, d, due("a"))
	want("one commit")
	must(t, d, due("b"))
	want("two commits")
	must(t, d, due("c"))
	want("three commits", "a")
	if get(t, d, "c") == nil {
		t.Error("reads by key lag too")
	}
	must(t, d, put("a", nil))
	want("four commits", "a", "b")
	if err := d.Settle(); err != nil {
		t.Fatal(err)
	}
	want("settled", "b", "c")
	f.Off()
	must(t, d, due("d"))
	want("off", "b", "c", "d")
}

// heard collects hook calls.
type heard struct {
	mu    sync.Mutex
	calls [][]table.Change
}

func (h *heard) hook(c []table.Change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.calls = append(h.calls, c)
}

func TestHook(t *testing.T) {
	var h heard
	d := open(t, embedded.Options{Hook: h.hook})
	other := table.Action{Kind: table.Put, Key: table.Key{Table: tabletest.Other}, Row: row("x", nil)}
	must(t, d, put("x", table.Row{"b": []byte("bytes")}), other, table.Action{Kind: table.Check, Key: at("z"), If: table.Absent("pk")})
	must(t, d, add("x", "n", 1), table.Action{Kind: table.Delete, Key: at("never")})
	must(t, d, table.Action{Kind: table.Delete, Key: at("x")})
	must(t, d, table.Action{Kind: table.Delete, Key: table.Key{Table: tabletest.Other, Partition: "p", Sort: "x"}})
	if err := d.Transact(ctx, "", []table.Action{put("y", nil), {Kind: table.Check, Key: at("z"), If: table.Exists("pk")}}); err == nil {
		t.Error("not cancelled")
	}
	want := [][]table.Change{
		{{Key: at("x"), New: row("x", table.Row{"b": []byte("bytes")})}},
		{{Key: at("x"), New: row("x", table.Row{"b": []byte("bytes"), "n": int64(1)})}},
		{{Key: at("x")}},
	}
	if !reflect.DeepEqual(h.calls, want) {
		t.Errorf("heard %v, want %v", h.calls, want)
	}
}

func TestHookOwnsItsRows(t *testing.T) {
	var h heard
	d := open(t, embedded.Options{Hook: h.hook, Faults: embedded.NewFaults(1).Script(embedded.DuplicateHook, true)})
	a := put("x", table.Row{"b": []byte("bytes")})
	must(t, d, a)
	a.Row["b"].([]byte)[0] = 'X'
	if len(h.calls) != 2 {
		t.Fatalf("%d calls", len(h.calls))
	}
	h.calls[0][0].New["b"].([]byte)[1] = 'Y'
	if got := string(h.calls[1][0].New.Bytes("b")); got != "bytes" {
		t.Errorf("the second call's row is %q", got)
	}
}

func TestHookMayUseTheDatabase(t *testing.T) {
	var d *embedded.Database
	d = open(t, embedded.Options{Hook: func(changes []table.Change) {
		if changes[0].Key.Sort != "job" {
			return
		}
		if err := d.Transact(ctx, "", []table.Action{add("done", "n", 1)}); err != nil {
			t.Error(err)
		}
	}})
	must(t, d, put("job", nil))
	if get(t, d, "done").Int("n") != 1 {
		t.Error("the hook's write is missing")
	}
}

func TestFaultsReorderHook(t *testing.T) {
	var h heard
	f := embedded.NewFaults(1).Script(embedded.ReorderHook, true, true, false, true)
	d := open(t, embedded.Options{Hook: h.hook, Faults: f})
	for _, sort := range []string{"1", "2", "3", "4"} {
		must(t, d, put(sort, nil))
	}
	order := func() (sorts []string) {
		for _, c := range h.calls {
			sorts = append(sorts, c[0].Key.Sort)
		}
		return sorts
	}
	if got := order(); !reflect.DeepEqual(got, []string{"3", "2", "1"}) {
		t.Errorf("heard %v", got)
	}
	if err := d.Settle(); err != nil {
		t.Fatal(err)
	}
	if got := order(); !reflect.DeepEqual(got, []string{"3", "2", "1", "4"}) {
		t.Errorf("settled, heard %v", got)
	}
}

// Every commit is heard once at least, whatever the faults.
func TestFaultsLoseNoHookCall(t *testing.T) {
	var h heard
	f := embedded.NewFaults(7).Rate(embedded.ReorderHook, 0.5).Rate(embedded.DuplicateHook, 0.5).Rate(embedded.LoseAnswer, 0.3)
	d, err := embedded.Open(embedded.Options{Path: embedded.Memory, Schema: tabletest.Schema(), Hook: h.hook, Faults: f})
	if err != nil {
		t.Fatal(err)
	}
	start := make(chan struct{})
	var wait sync.WaitGroup
	for i := range 64 {
		wait.Go(func() {
			<-start
			if err := d.Transact(ctx, "", []table.Action{put(fmt.Sprint(i), nil)}); err != nil && !errors.Is(err, table.ErrUnknown) {
				t.Error(err)
			}
		})
	}
	close(start)
	wait.Wait()
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	sorts := map[string]bool{}
	for _, c := range h.calls {
		sorts[c[0].Key.Sort] = true
	}
	if len(sorts) != 64 || len(h.calls) == 64 {
		t.Errorf("%d rows heard in %d calls", len(sorts), len(h.calls))
	}
}

func TestFaultsAreRepeatable(t *testing.T) {
	run := func(seed uint64) (outcomes []string) {
		f := embedded.NewFaults(seed).Rate(embedded.Conflict, 0.3).Rate(embedded.Throttle, 0.2).Rate(embedded.LoseAnswer, 0.2)
		d := open(t, embedded.Options{Faults: f})
		for range 50 {
			outcomes = append(outcomes, fmt.Sprint(d.Transact(ctx, "", []table.Action{add("x", "n", 1), put("y", nil)})))
		}
		return outcomes
	}
	if !reflect.DeepEqual(run(5), run(5)) {
		t.Error("one seed, two runs")
	}
	if reflect.DeepEqual(run(5), run(6)) {
		t.Error("two seeds, one run")
	}
}

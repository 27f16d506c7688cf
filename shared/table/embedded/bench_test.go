package embedded_test

import (
	"fmt"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"testing"

	"typedinbox/shared/table"
	"typedinbox/shared/table/embedded"
	"typedinbox/shared/table/tabletest"
)

// eight is a transaction of the shape of a booking's: versions raised under
// conditions, rows put if absent, a counter.
func eight(n int) []table.Action {
	at := func(p, s string) table.Key { return table.Key{Table: tabletest.Main, Partition: p, Sort: s} }
	row := func(k table.Key) table.Row {
		return table.Row{
			table.PartitionKey: k.Partition, table.SortKey: k.Sort, "rev": int64(n), "state": "requested",
			"body": []byte(`{"name":"Ana","startTime":"2026-03-04T10:00:00Z","service":"cut","note":"first time"}`),
		}
	}
	item := fmt.Sprintf("item-%012d", n*7919%1_000_003)
	put := func(k table.Key) table.Action {
		return table.Action{Kind: table.Put, Key: table.Key{Table: k.Table}, Row: row(k), If: table.Absent(table.PartitionKey)}
	}
	first := put(at(item, "item"))
	first.Row[tabletest.OpenPartition], first.Row[tabletest.OpenSort] = fmt.Sprint("open#", n%16), item
	return []table.Action{
		first, put(at(item, "event#1")), put(at(item, "offer#1")), put(at(item, "entry#1")),
		put(at("party-"+item, "party")), put(at("idem-"+item, "key")), put(at("job-"+item, "job")),
		{Kind: table.Update, Key: at(fmt.Sprint("hour-", n%500), "claims"), Set: table.Row{"c_": item}, Add: map[string]int64{"rev": 1}},
	}
}

func open(b testing.TB, o embedded.Options) *embedded.Database {
	b.Helper()
	if o.Path == "" {
		o.Path = embedded.Memory
	}
	o.Schema = tabletest.Schema()
	d, err := embedded.Open(o)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := d.Close(); err != nil {
			b.Error(err)
		}
	})
	return d
}

func BenchmarkTransactEight(b *testing.B) { transacts(b, embedded.Options{}, false) }

func BenchmarkTransactEightToken(b *testing.B) { transacts(b, embedded.Options{}, true) }

func BenchmarkTransactEightHook(b *testing.B) {
	transacts(b, embedded.Options{Hook: func([]table.Change) {}}, true)
}

// BenchmarkTransactEightSync waits for the disk.
func BenchmarkTransactEightSync(b *testing.B) {
	transacts(b, embedded.Options{Path: filepath.Join(b.TempDir(), "inbox.db")}, true)
}

func transacts(b *testing.B, o embedded.Options, tokens bool) {
	d := open(b, o)
	b.ReportAllocs()
	n, token := 0, ""
	for b.Loop() {
		n++
		if tokens {
			token = fmt.Sprint("token-", n)
		}
		if err := d.Transact(ctx, token, eight(n)); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkTransactEightCrowd is 64 writers at once, who share commits.
func BenchmarkTransactEightCrowd(b *testing.B) {
	for _, sync := range []bool{false, true} {
		b.Run(fmt.Sprint("sync ", sync), func(b *testing.B) {
			o := embedded.Options{}
			if sync {
				o.Path = filepath.Join(b.TempDir(), "inbox.db")
			}
			d := open(b, o)
			var n atomic.Int64
			b.SetParallelism(64 / runtime.GOMAXPROCS(0))
			b.RunParallel(func(p *testing.PB) {
				for p.Next() {
					if err := d.Transact(ctx, "", eight(int(n.Add(1)))); err != nil {
						b.Error(err)
					}
				}
			})
		})
	}
}

func BenchmarkReads(b *testing.B) {
	d := open(b, embedded.Options{})
	const rows = 2000
	var keys []table.Key
	for n := range rows {
		actions := eight(n)
		must(b, d, actions...)
		if n < 10 {
			keys = append(keys, actions[0].At(), actions[1].At())
		}
	}
	b.Run("get", func(b *testing.B) {
		for b.Loop() {
			if r, err := d.Get(ctx, keys[0]); r == nil || err != nil {
				b.Fatal(r, err)
			}
		}
	})
	b.Run("batch of 20", func(b *testing.B) {
		for b.Loop() {
			if r, _, err := d.BatchGet(ctx, keys); len(r) != len(keys) || err != nil {
				b.Fatal(len(r), err)
			}
		}
	})
	b.Run("partition of 4", func(b *testing.B) {
		for b.Loop() {
			if p, err := d.Query(ctx, table.Query{Table: tabletest.Main, Partition: keys[0].Partition}); len(p.Rows) != 4 || err != nil {
				b.Fatal(len(p.Rows), err)
			}
		}
	})
	b.Run("index page of 50", func(b *testing.B) {
		q := table.Query{Table: tabletest.Main, Index: tabletest.Open, Partition: "open#1", Desc: true, Limit: 50}
		for b.Loop() {
			if p, err := d.Query(ctx, q); len(p.Rows) != 50 || err != nil {
				b.Fatal(len(p.Rows), err)
			}
		}
	})
}

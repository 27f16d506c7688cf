package embedded_test

import (
	"context"
	"fmt"
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

func BenchmarkTransactEight(b *testing.B) {
	d := open(b, embedded.Options{})
	ctx := context.Background()
	n := 0
	for b.Loop() {
		n++
		if err := d.Transact(ctx, "", eight(n)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkTransactEightToken(b *testing.B) {
	d := open(b, embedded.Options{})
	ctx := context.Background()
	n := 0
	for b.Loop() {
		n++
		if err := d.Transact(ctx, fmt.Sprintf("token-%d", n), eight(n)); err != nil {
			b.Fatal(err)
		}
	}
}

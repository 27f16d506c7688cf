// Command describe prints what the deployment has to fit: the tables of the
// store, the routes of the operations, and the metrics that are counted, as
// JSON. The checker of the templates, a module of its own, reads it.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"typedinbox/shared/operation"
	"typedinbox/shared/store"
	"typedinbox/shared/table"
	"typedinbox/shared/work"
)

// description is what is printed.
type description struct {
	Tables  []table.TableSchema
	TTL     string
	Keys    [2]string
	Routes  map[string]string // route key → function
	Metrics []string
}

func main() {
	d := description{
		Tables: store.Schema().Tables, TTL: table.TTL, Keys: [2]string{table.PartitionKey, table.SortKey},
		Routes: map[string]string{operation.Fallback: operation.FallbackFunction},
		Metrics: []string{
			work.MetricJobsFailed, work.MetricMailsFailed, work.MetricSenderBlocked, work.MetricSweepFailed, work.MetricCheckFindings,
			work.MetricMailsReceived, work.MetricMailsBounced, work.MetricMailsComplained,
		},
	}
	for _, r := range operation.Routes() {
		d.Routes[r.Key()] = r.Function
	}
	if err := json.NewEncoder(os.Stdout).Encode(d); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

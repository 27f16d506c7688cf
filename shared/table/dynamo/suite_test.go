package dynamo_test

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"testing"

	"typedinbox/shared/table"
	"typedinbox/shared/table/dynamo"
	"typedinbox/shared/table/tabletest"
	"typedinbox/shared/table/tabletest/awslocal"
)

var opened atomic.Int64

// open makes fresh tables at an endpoint.
func open(t *testing.T, endpoint string) table.Database {
	t.Helper()
	client := dynamo.Client(awslocal.Env(endpoint))
	names := map[string]string{}
	for _, table := range tabletest.Schema().Tables {
		names[table.Name] = fmt.Sprintf("%s-%d-%d", table.Name, os.Getpid(), opened.Add(1))
	}
	if err := dynamo.CreateTables(context.Background(), client, names, tabletest.Schema()); err != nil {
		t.Fatal(err)
	}
	return dynamo.New(client, names, tabletest.Schema())
}

// kumoGaps is where the stand-in is known to fall short of DynamoDB (08 §5).
var kumoGaps = map[tabletest.Gap]string{
	tabletest.Tokens:     "ClientRequestToken is ignored",
	tabletest.OldImages:  "a failed condition returns no item",
	tabletest.Exact:      "numbers are float64",
	tabletest.IndexTies:  "rows are lost when an index with equal keys is paged",
	tabletest.HalfKeys:   "an index shows rows that have its partition attribute alone",
	tabletest.GoneCursor: "a start key that is gone begins anew",
	tabletest.Growth:     "there are no size limits",
	tabletest.Pages:      "there are no size limits",
	tabletest.AddKinds:   "ADD replaces a string by the number",
}

func TestSuiteOnKumo(t *testing.T) {
	endpoint := awslocal.Start(t)
	tabletest.Run(t, func(t *testing.T) tabletest.Harness {
		return tabletest.Harness{DB: open(t, endpoint), Skip: kumoGaps}
	})
}

// TestSuiteOnEndpoint runs the whole suite on a DynamoDB of the caller's:
// scripts/dynamodb-local.sh starts one.
func TestSuiteOnEndpoint(t *testing.T) {
	endpoint := os.Getenv("TABLE_TEST_ENDPOINT")
	if endpoint == "" {
		t.Skip("TABLE_TEST_ENDPOINT is not set: `make test-dynamodb-local` sets it")
	}
	tabletest.Run(t, func(t *testing.T) tabletest.Harness {
		return tabletest.Harness{DB: tabletest.Patient(open(t, endpoint))}
	})
}

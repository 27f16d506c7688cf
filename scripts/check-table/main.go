// Command check-table recounts an inbox from its rows: versions, the chain of
// each history, open offers, deadlines, and every place against the items that
// hold it (00 §4). It prints what does not fit, a line each, and ends with 1 then.
//
//	check-table                            the local run's table in ./data
//	check-table -data DIR                  another one
//	check-table -inbox NAME -events NAME   the tables of a deployment, with the
//	                                       AWS credentials and region of the environment
//
// A local run holds its file; while it runs ask it at /_local/check instead.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"typedinbox/shared/canon"
	"typedinbox/shared/store"
	"typedinbox/shared/table"
	"typedinbox/shared/table/dynamo"
	"typedinbox/shared/table/embedded"
)

func main() {
	findings, err := run(context.Background(), os.Args[1:], os.Getenv, os.Stdout)
	if err != nil {
		fmt.Fprintln(os.Stderr, "check-table:", err)
		os.Exit(2)
	}
	if findings > 0 {
		os.Exit(1)
	}
}

// run checks the table that the arguments name and says how much does not fit.
func run(ctx context.Context, args []string, getenv func(string) string, out io.Writer) (findings int, err error) {
	flags := flag.NewFlagSet("check-table", flag.ContinueOnError)
	data := flags.String("data", "data", "the local run's data directory")
	inbox := flags.String("inbox", "", "name of the deployment's inbox table")
	events := flags.String("events", "", "name of the deployment's events table")
	if err := flags.Parse(args); err != nil {
		return 0, err
	}
	if (*inbox == "") != (*events == "") {
		return 0, errors.New("a deployment has two tables: name both with -inbox and -events")
	}
	var db table.Database
	if *inbox != "" {
		db = dynamo.New(dynamo.Client(getenv), map[string]string{"inbox": *inbox, "events": *events}, store.Schema())
	} else {
		local, err := open(*data)
		if err != nil {
			return 0, err
		}
		defer func() { err = errors.Join(err, local.Close()) }()
		db = local
	}
	list, err := store.New(db, canon.Ring{}).Check(ctx)
	for _, f := range list {
		fmt.Fprintln(out, f)
	}
	fmt.Fprintf(out, "%d findings\n", len(list))
	return len(list), err
}

// open opens the local run's table, which must be there.
func open(dir string) (*embedded.Database, error) {
	file := filepath.Join(dir, "inbox.db")
	if _, err := os.Stat(file); err != nil {
		return nil, fmt.Errorf("there is no table to check: %w", err)
	}
	db, err := embedded.Open(embedded.Options{Path: file, Schema: store.Schema()})
	if err != nil {
		return nil, fmt.Errorf("%w (a local run that holds it answers at /_local/check)", err)
	}
	return db, nil
}

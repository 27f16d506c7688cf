// Package stream is the glue for what comes from the table's stream and from
// the clock: it turns their events into work and tells Lambda what to bring
// again.
package stream

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strconv"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"

	"typedinbox/shared/store"
	"typedinbox/shared/table"
)

// inboxTable is the role of the table whose changes are streamed.
const inboxTable = "inbox"

// reserve is the time a run leaves unused. Jobs it would not finish before go
// back to the stream instead of dying half way with their lease.
const reserve = 15 * time.Second

// Runner does the work of one job. It answers an error only when the job could
// neither be done nor put back; a job that is finished, leased or put back is
// no error.
type Runner interface {
	RunJob(ctx context.Context, itemID, jobID string) error
}

// StartJobs serves the table's stream; it does not return.
func StartJobs(r Runner, log *slog.Logger) { lambda.Start(Jobs(r, log)) }

// StartClock serves a schedule; it does not return. What the event says does
// not matter, only that the time has come. An error makes Lambda try the run
// again and then keep it in the dead-letter queue.
func StartClock(run func(ctx context.Context) error) {
	lambda.Start(func(ctx context.Context, _ any) error { return run(ctx) })
}

// Jobs makes a runner answer stream events. One record that fails does not stop
// the others: it alone is named in the answer. Lambda then brings everything
// from the first such record again, which is harmless, since a job that was
// done is no longer there to take.
func Jobs(r Runner, log *slog.Logger) func(context.Context, events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
	return func(ctx context.Context, e events.DynamoDBEvent) (events.DynamoDBEventResponse, error) {
		failed := []events.DynamoDBBatchItemFailure{}
		for _, record := range e.Records {
			if err := one(ctx, r, record, log); err != nil {
				log.ErrorContext(ctx, "a job could not be run", "record", record.EventID, "error", err.Error())
				failed = append(failed, events.DynamoDBBatchItemFailure{ItemIdentifier: record.Change.SequenceNumber})
			}
		}
		return events.DynamoDBEventResponse{BatchItemFailures: failed}, nil
	}
}

// errShort is why a job is left for the next run.
var errShort = fmt.Errorf("stream: less than %s left", reserve)

// one runs the job of a record. A record that is no ready job is not an error:
// bringing it again would not make it one.
func one(ctx context.Context, r Runner, record events.DynamoDBEventRecord, log *slog.Logger) (err error) {
	defer func() {
		if v := recover(); v != nil {
			log.ErrorContext(ctx, "a job panicked", "record", record.EventID, "stack", string(debug.Stack()))
			err = fmt.Errorf("stream: panic: %v", v)
		}
	}()
	change, err := changeOf(record.Change)
	if err != nil {
		log.ErrorContext(ctx, "a record cannot be read and is left out", "record", record.EventID, "error", err.Error())
		return nil
	}
	itemID, jobID, ok := store.ReadyJob(change)
	if !ok {
		return nil
	}
	if deadline, ok := ctx.Deadline(); ok && time.Until(deadline) < reserve {
		return errShort
	}
	return r.RunJob(ctx, itemID, jobID)
}

// changeOf reads a stream record as the change of a table.
func changeOf(r events.DynamoDBStreamRecord) (table.Change, error) {
	keys, err := rowOf(r.Keys)
	if err != nil {
		return table.Change{}, err
	}
	c := table.Change{Key: table.Key{Table: inboxTable, Partition: keys.String(table.PartitionKey), Sort: keys.String(table.SortKey)}}
	if c.Key.Partition == "" || c.Key.Sort == "" {
		return c, fmt.Errorf("stream: a record without a key")
	}
	if len(r.NewImage) > 0 {
		c.New, err = rowOf(r.NewImage)
	}
	return c, err
}

// rowOf reads an image with the kinds of value a row has.
func rowOf(image map[string]events.DynamoDBAttributeValue) (table.Row, error) {
	row := make(table.Row, len(image))
	for name, v := range image {
		switch v.DataType() {
		case events.DataTypeString:
			row[name] = v.String()
		case events.DataTypeBoolean:
			row[name] = v.Boolean()
		case events.DataTypeBinary:
			row[name] = v.Binary()
		case events.DataTypeNumber:
			n, err := strconv.ParseInt(v.Number(), 10, 64)
			if err != nil {
				return nil, fmt.Errorf("stream: attribute %s: %w", name, err)
			}
			row[name] = n
		default:
			return nil, fmt.Errorf("stream: attribute %s is of no kind that a row has", name)
		}
	}
	return row, nil
}

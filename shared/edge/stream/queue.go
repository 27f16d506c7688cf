package stream

import (
	"context"
	"fmt"
	"log/slog"
	"runtime/debug"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"
)

// TakeMessage takes one message of a queue, as it was put there. An error leaves
// it in the queue, to be brought again.
type TakeMessage func(ctx context.Context, body []byte) error

// StartQueue serves a queue; it does not return.
func StartQueue(take TakeMessage, log *slog.Logger) { lambda.Start(Queue(take, log)) }

// Queue makes a function answer the messages of a queue. One that fails does not
// stop the others: it alone is named in the answer and comes again, and at last
// ends in the queue's dead letters.
func Queue(take TakeMessage, log *slog.Logger) func(context.Context, events.SQSEvent) (events.SQSEventResponse, error) {
	return func(ctx context.Context, e events.SQSEvent) (events.SQSEventResponse, error) {
		failed := []events.SQSBatchItemFailure{}
		for _, m := range e.Records {
			if err := message(ctx, take, m, log); err != nil {
				log.ErrorContext(ctx, "a message could not be taken", "message", m.MessageId, "error", err.Error())
				failed = append(failed, events.SQSBatchItemFailure{ItemIdentifier: m.MessageId})
			}
		}
		return events.SQSEventResponse{BatchItemFailures: failed}, nil
	}
}

// message takes one message; a panic is its failure alone.
func message(ctx context.Context, take TakeMessage, m events.SQSMessage, log *slog.Logger) (err error) {
	defer func() {
		if v := recover(); v != nil {
			log.ErrorContext(ctx, "taking a message panicked", "message", m.MessageId, "stack", string(debug.Stack()))
			err = fmt.Errorf("stream: panic: %v", v)
		}
	}()
	return take(ctx, []byte(m.Body))
}

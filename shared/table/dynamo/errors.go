package dynamo

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"typedinbox/shared/table"
)

// What DynamoDB says of a whole call, by its error code.
const (
	nothing      = iota // the caller's mistake, or no access: nothing happened, and trying again is no use
	throttled           // nothing happened
	conflict            // nothing happened: another transaction was at the row
	tokenReused         // nothing happened
	overLimit           // nothing happened
	indefinite          // it may have happened
	neverArrived        // the connection was not made: nothing happened
)

var kinds = map[string]int{
	"ProvisionedThroughputExceededException": throttled,
	"ThrottlingException":                    throttled,
	"RequestLimitExceeded":                   throttled,
	"LimitExceededException":                 throttled,
	"TransactionConflictException":           conflict,
	"ReplicatedWriteConflictException":       conflict,
	"TransactionInProgressException":         conflict,
	"IdempotentParameterMismatchException":   tokenReused,
	"InternalServerError":                    indefinite,
	"InternalFailure":                        indefinite,
	"ServiceUnavailable":                     indefinite,
	"ServiceUnavailableException":            indefinite,
}

// kindOf sorts an error of the SDK.
func kindOf(err error) int {
	var api smithy.APIError
	if errors.As(err, &api) {
		if kind, known := kinds[api.ErrorCode()]; known {
			return kind
		}
		if tooLarge(api.ErrorCode(), api.ErrorMessage()) {
			return overLimit
		}
		var response *smithyhttp.ResponseError
		if errors.As(err, &response) && response.HTTPStatusCode() >= 500 {
			return indefinite
		}
		return nothing
	}
	var dial *net.OpError
	if errors.As(err, &dial) && dial.Op == "dial" {
		return neverArrived
	}
	var sent *smithyhttp.RequestSendError
	var cancelled *aws.RequestCanceledError
	var answer *smithy.DeserializationError
	if errors.As(err, &sent) || errors.As(err, &cancelled) || errors.As(err, &answer) ||
		errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return indefinite
	}
	return nothing
}

// tooLarge tells a size refused by DynamoDB from the caller's other mistakes,
// for which it has one code.
func tooLarge(code, message string) bool {
	if code == "ItemCollectionSizeLimitExceededException" || code == "TransactionSizeLimitExceeded" {
		return true
	}
	message = strings.ToLower(message)
	return strings.HasPrefix(code, "Validation") && strings.Contains(message, "size") && strings.Contains(message, "exceed")
}

// readError says what came of a read: one that may be tried again, whatever
// kept it from being answered, is ErrThrottled. The client's own time limit of a
// call counts among those; only the caller's own end does not.
func readError(ctx context.Context, err error) error {
	var given *aws.RequestCanceledError
	if ctx.Err() != nil || errors.Is(err, context.Canceled) || errors.As(err, &given) {
		return fmt.Errorf("table: read: %w", err)
	}
	switch kindOf(err) {
	case throttled, indefinite, neverArrived, conflict:
		return fmt.Errorf("%w: %w", table.ErrThrottled, err)
	}
	return fmt.Errorf("table: read: %w", err)
}

// writeError says what came of a write of n actions.
func writeError(err error, n int) error {
	var cancelled *types.TransactionCanceledException
	if errors.As(err, &cancelled) {
		return cancelledError(cancelled, n)
	}
	var failed *types.ConditionalCheckFailedException
	if errors.As(err, &failed) {
		old, decodeErr := decode(failed.Item)
		if decodeErr != nil {
			return decodeErr
		}
		return &table.Cancelled{Reasons: []table.Reason{{Code: table.ReasonCondition, Old: old}}}
	}
	switch kindOf(err) {
	case throttled, neverArrived:
		return fmt.Errorf("%w: %w", table.ErrThrottled, err)
	case conflict:
		return conflicted(n)
	case tokenReused:
		return table.ErrTokenReused
	case overLimit:
		return fmt.Errorf("%w: %w", table.ErrLimit, err)
	case indefinite:
		return fmt.Errorf("%w: %w", table.ErrUnknown, err)
	}
	return fmt.Errorf("table: write: %w", err)
}

// conflicted is a clash of the whole call: every action has the reason.
func conflicted(n int) error {
	reasons := make([]table.Reason, n)
	for i := range reasons {
		reasons[i].Code = table.ReasonConflict
	}
	return &table.Cancelled{Reasons: reasons}
}

var reasonCodes = map[string]table.ReasonCode{
	"":                              table.ReasonNone,
	"None":                          table.ReasonNone,
	"ConditionalCheckFailed":        table.ReasonCondition,
	"TransactionConflict":           table.ReasonConflict,
	"TransactionInProgress":         table.ReasonConflict,
	"ThrottlingError":               table.ReasonThrottled,
	"ProvisionedThroughputExceeded": table.ReasonThrottled,
	"RequestLimitExceeded":          table.ReasonThrottled,
}

func cancelledError(c *types.TransactionCanceledException, n int) error {
	out := &table.Cancelled{Reasons: make([]table.Reason, n)}
	for i, reason := range c.CancellationReasons {
		if i == n {
			break
		}
		text := aws.ToString(reason.Code)
		code, known := reasonCodes[text]
		if !known {
			return refused(i, text, aws.ToString(reason.Message))
		}
		old, err := decode(reason.Item)
		if err != nil {
			return err
		}
		out.Reasons[i] = table.Reason{Code: code, Old: old}
	}
	return out
}

// refused is a transaction cancelled for a mistake of the caller's in one
// action.
func refused(action int, code, message string) error {
	err := fmt.Errorf("action %d: %s: %s", action, code, message)
	if tooLarge(code, message) || code == "ItemCollectionSizeLimitExceeded" {
		return fmt.Errorf("%w: %w", table.ErrLimit, err)
	}
	return fmt.Errorf("table: %w", err)
}

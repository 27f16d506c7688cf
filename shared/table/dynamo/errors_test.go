package dynamo

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"reflect"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"typedinbox/shared/table"
)

// fake is a DynamoDB that answers everything with one error and counts the
// calls by name.
type fake struct {
	API
	err   error
	calls map[string]int
	query dynamodb.QueryOutput
}

func (f *fake) count(name string) { f.calls[name]++ }

func (f *fake) GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error) {
	f.count("get")
	return &dynamodb.GetItemOutput{}, f.err
}

func (f *fake) BatchGetItem(_ context.Context, in *dynamodb.BatchGetItemInput, _ ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error) {
	f.count("batch")
	return &dynamodb.BatchGetItemOutput{UnprocessedKeys: in.RequestItems}, f.err
}

func (f *fake) Query(context.Context, *dynamodb.QueryInput, ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error) {
	f.count("query")
	return &f.query, f.err
}

func (f *fake) PutItem(context.Context, *dynamodb.PutItemInput, ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error) {
	f.count("put")
	return &dynamodb.PutItemOutput{}, f.err
}

func (f *fake) UpdateItem(context.Context, *dynamodb.UpdateItemInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error) {
	f.count("update")
	return &dynamodb.UpdateItemOutput{}, f.err
}

func (f *fake) DeleteItem(context.Context, *dynamodb.DeleteItemInput, ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error) {
	f.count("delete")
	return &dynamodb.DeleteItemOutput{}, f.err
}

func (f *fake) TransactWriteItems(context.Context, *dynamodb.TransactWriteItemsInput, ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error) {
	f.count("transact")
	return &dynamodb.TransactWriteItemsOutput{}, f.err
}

var schema = table.Schema{Tables: []table.TableSchema{{Name: "t", Indexes: []table.IndexSchema{{Name: "i", Partition: "ip", Sort: "is"}}}}}

func with(err error) (*Database, *fake) {
	f := &fake{err: err, calls: map[string]int{}}
	return New(f, map[string]string{"t": "Table"}, schema), f
}

var key = table.Key{Table: "t", Partition: "p", Sort: "s"}

func one(kind table.Kind) table.Action {
	a := table.Action{Kind: kind, Key: key}
	switch kind {
	case table.Put:
		a.Row = table.Row{"pk": "p", "sk": "s"}
	case table.Update:
		a.Set = table.Row{"a": "b"}
	case table.Check:
		a.If = table.Exists("pk")
	}
	return a
}

func other() table.Action {
	return table.Action{Kind: table.Delete, Key: table.Key{Table: "t", Partition: "p", Sort: "other"}}
}

// What a call goes to is the cheapest that does it.
func TestCalls(t *testing.T) {
	for name, c := range map[string]struct {
		want    string
		token   string
		actions []table.Action
	}{
		"ok/put":           {"put", "", []table.Action{one(table.Put)}},
		"ok/update":        {"update", "", []table.Action{one(table.Update)}},
		"ok/delete":        {"delete", "", []table.Action{one(table.Delete)}},
		"ok/check":         {"transact", "", []table.Action{one(table.Check)}},
		"ok/put, token":    {"transact", "token", []table.Action{one(table.Put)}},
		"ok/two":           {"transact", "", []table.Action{one(table.Put), other()}},
		"fail/row twice":   {"", "", []table.Action{one(table.Put), one(table.Check)}},
		"fail/none":        {"", "", nil},
		"fail/other table": {"", "", []table.Action{{Kind: table.Delete, Key: table.Key{Table: "x", Partition: "p", Sort: "s"}}}},
	} {
		t.Run(name, func(t *testing.T) {
			d, f := with(nil)
			want := map[string]int{c.want: 1}
			if c.want == "" {
				want = map[string]int{}
			}
			if err := d.Transact(context.Background(), c.token, c.actions); (err == nil) != (c.want != "") {
				t.Errorf("answer %v", err)
			}
			if !reflect.DeepEqual(f.calls, want) {
				t.Errorf("calls %v", f.calls)
			}
		})
	}
}

func api(code, message string) error { return &smithy.GenericAPIError{Code: code, Message: message} }

func status(n int) error {
	return &smithyhttp.ResponseError{Response: &smithyhttp.Response{Response: &http.Response{StatusCode: n}}, Err: api("Odd", "")}
}

// outcomes says of every failure what a write and a read answer; nil stands
// for an error that is none of the port's.
var outcomes = map[string]struct {
	err         error
	write, read error
}{
	"throttled":         {&types.ProvisionedThroughputExceededException{}, table.ErrThrottled, table.ErrThrottled},
	"throttling":        {&types.ThrottlingException{}, table.ErrThrottled, table.ErrThrottled},
	"request limit":     {&types.RequestLimitExceeded{}, table.ErrThrottled, table.ErrThrottled},
	"their fault":       {&types.InternalServerError{}, table.ErrUnknown, table.ErrThrottled},
	"unavailable":       {api("ServiceUnavailable", ""), table.ErrUnknown, table.ErrThrottled},
	"status 502":        {status(502), table.ErrUnknown, table.ErrThrottled},
	"status 400":        {status(400), nil, nil},
	"token reused":      {&types.IdempotentParameterMismatchException{}, table.ErrTokenReused, nil},
	"no table":          {&types.ResourceNotFoundException{}, nil, nil},
	"no access":         {api("AccessDeniedException", "not authorized"), nil, nil},
	"a mistake":         {api("ValidationException", "The provided key element does not match the schema"), nil, nil},
	"row grown":         {api("ValidationException", "Item size to update has exceeded the maximum allowed size"), table.ErrLimit, nil},
	"row too large":     {api("ValidationException", "Item size has exceeded the maximum allowed size"), table.ErrLimit, nil},
	"not connected":     {&smithyhttp.RequestSendError{Err: &net.OpError{Op: "dial", Err: errors.New("refused")}}, table.ErrThrottled, table.ErrThrottled},
	"connection lost":   {&smithyhttp.RequestSendError{Err: &net.OpError{Op: "read", Err: errors.New("reset")}}, table.ErrUnknown, table.ErrThrottled},
	"answer unreadable": {&smithy.DeserializationError{Err: errors.New("cut")}, table.ErrUnknown, table.ErrThrottled},
	"deadline":          {&aws.RequestCanceledError{Err: context.DeadlineExceeded}, table.ErrUnknown, context.DeadlineExceeded},
	"given up":          {context.Canceled, table.ErrUnknown, context.Canceled},
	"not signed":        {errors.New("no credentials"), nil, nil},
}

func TestOutcomes(t *testing.T) {
	ctx := context.Background()
	for name, c := range outcomes {
		d, _ := with(fmt.Errorf("operation: %w", c.err))
		_, get := d.Get(ctx, key)
		_, _, batch := d.BatchGet(ctx, []table.Key{key})
		_, query := d.Query(ctx, table.Query{Table: "t", Partition: "p"})
		for call, o := range map[string]struct{ got, want error }{
			"get": {get, c.read}, "batch": {batch, c.read}, "query": {query, c.read},
			"plain":    {d.Transact(ctx, "", []table.Action{one(table.Put)}), c.write},
			"transact": {d.Transact(ctx, "token", []table.Action{one(table.Put), other()}), c.write},
		} {
			expect(t, name+", "+call, o.got, o.want)
		}
	}
}

func expect(t *testing.T, what string, got, want error) {
	t.Helper()
	if got == nil {
		t.Errorf("%s: no error", what)
	}
	for _, e := range []error{table.ErrThrottled, table.ErrUnknown, table.ErrTokenReused, table.ErrLimit} {
		if errors.Is(got, e) != (want == e) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	if want != nil && !errors.Is(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func reason(code string, item item) types.CancellationReason {
	return types.CancellationReason{Code: aws.String(code), Item: item}
}

func TestCancellation(t *testing.T) {
	old := table.Row{"pk": "p", "sk": "s", "n": int64(1)}
	two := []table.Action{one(table.Put), other()}
	for name, c := range map[string]struct {
		err     error
		actions []table.Action
		want    []table.Reason
	}{
		"condition": {&types.TransactionCanceledException{CancellationReasons: []types.CancellationReason{reason("None", nil), reason("ConditionalCheckFailed", encode(old))}},
			two, []table.Reason{{}, {Code: table.ReasonCondition, Old: old}}},
		"no codes": {&types.TransactionCanceledException{CancellationReasons: []types.CancellationReason{{}, reason("ConditionalCheckFailed", nil)}},
			two, []table.Reason{{}, {Code: table.ReasonCondition}}},
		"conflict": {&types.TransactionCanceledException{CancellationReasons: []types.CancellationReason{reason("TransactionConflict", nil), reason("None", nil)}},
			two, []table.Reason{{Code: table.ReasonConflict}, {}}},
		"throttled": {&types.TransactionCanceledException{CancellationReasons: []types.CancellationReason{reason("ThrottlingError", nil), reason("ProvisionedThroughputExceeded", nil)}},
			two, []table.Reason{{Code: table.ReasonThrottled}, {Code: table.ReasonThrottled}}},
		"too few reasons": {&types.TransactionCanceledException{CancellationReasons: []types.CancellationReason{reason("ConditionalCheckFailed", nil)}},
			two, []table.Reason{{Code: table.ReasonCondition}, {}}},
		"in progress":         {&types.TransactionInProgressException{}, two, []table.Reason{{Code: table.ReasonConflict}, {Code: table.ReasonConflict}}},
		"plain, condition":    {&types.ConditionalCheckFailedException{Item: encode(old)}, two[:1], []table.Reason{{Code: table.ReasonCondition, Old: old}}},
		"plain, without item": {&types.ConditionalCheckFailedException{}, two[:1], []table.Reason{{Code: table.ReasonCondition}}},
		"plain, conflict":     {&types.TransactionConflictException{}, two[:1], []table.Reason{{Code: table.ReasonConflict}}},
	} {
		t.Run(name, func(t *testing.T) {
			d, _ := with(fmt.Errorf("operation: %w", c.err))
			var got *table.Cancelled
			if err := d.Transact(context.Background(), "", c.actions); !errors.As(err, &got) {
				t.Fatalf("answer %v", err)
			}
			if !reflect.DeepEqual(got.Reasons, c.want) {
				t.Errorf("reasons %v, want %v", got.Reasons, c.want)
			}
		})
	}
}

// A transaction refused for what one of its actions would make is the
// caller's mistake, not a cancellation.
func TestRefused(t *testing.T) {
	for message, want := range map[string]error{
		"Item size to update has exceeded the maximum allowed size": table.ErrLimit,
		"Type mismatch for attribute to update":                     nil,
	} {
		d, _ := with(&types.TransactionCanceledException{CancellationReasons: []types.CancellationReason{
			{Code: aws.String("None")}, {Code: aws.String("ValidationError"), Message: &message},
		}})
		err := d.Transact(context.Background(), "", []table.Action{one(table.Put), other()})
		var c *table.Cancelled
		if errors.As(err, &c) {
			t.Errorf("%s: cancelled", message)
		}
		expect(t, message, err, want)
	}
}

func TestUnprocessed(t *testing.T) {
	d, _ := with(nil)
	keys := []table.Key{key, {Table: "t", Partition: "p", Sort: "other"}}
	rows, left, err := d.BatchGet(context.Background(), keys)
	if len(rows) != 0 || !reflect.DeepEqual(left, keys) || err != nil {
		t.Errorf("%v, %v, %v", rows, left, err)
	}
}

func TestDecode(t *testing.T) {
	for name, in := range map[string]item{
		"fail/list":            {"a": &types.AttributeValueMemberL{}},
		"fail/decimal":         {"a": &types.AttributeValueMemberN{Value: "0.3"}},
		"fail/beyond an int64": {"a": &types.AttributeValueMemberN{Value: "9223372036854775808"}},
	} {
		if r, err := decode(in); err == nil {
			t.Errorf("%s: %v", name, r)
		}
	}
	d, f := with(nil)
	f.query.Items = []item{{"a": &types.AttributeValueMemberNULL{}}}
	if _, err := d.Query(context.Background(), table.Query{Table: "t", Partition: "p"}); err == nil {
		t.Error("query: a row with a null")
	}
}

// An index's cursor has both keys, also where the backend names the row alone.
func TestIndexCursor(t *testing.T) {
	q := table.Query{Table: "t", Index: "i", Partition: "p"}
	row := encode(table.Row{"pk": "rp", "sk": "rs", "ip": "p", "is": "3", "other": "o"})
	for name, last := range map[string]item{
		"whole": encode(table.Row{"pk": "rp", "sk": "rs", "ip": "p", "is": "3"}), "row alone": encode(table.Row{"pk": "rp", "sk": "rs"}),
	} {
		d, f := with(nil)
		f.query = dynamodb.QueryOutput{Items: []item{row}, LastEvaluatedKey: last}
		p, err := d.Query(context.Background(), q)
		if err != nil {
			t.Fatal(err)
		}
		if want := table.EncodeCursor(q, table.Position{Sort: "3", RowPartition: "rp", RowSort: "rs"}); p.Next != want {
			t.Errorf("%s: next %q, want %q", name, p.Next, want)
		}
		if len(p.Rows) != 1 || len(p.Rows[0]) != 4 {
			t.Errorf("%s: rows %v", name, p.Rows)
		}
	}
}

package dynamo

import (
	"fmt"
	"strconv"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"typedinbox/shared/table"
)

// item is a row as DynamoDB has it.
type item = map[string]types.AttributeValue

func encodeValue(v any) types.AttributeValue {
	switch v := v.(type) {
	case string:
		return &types.AttributeValueMemberS{Value: v}
	case int64:
		return &types.AttributeValueMemberN{Value: strconv.FormatInt(v, 10)}
	case bool:
		return &types.AttributeValueMemberBOOL{Value: v}
	case []byte:
		if v == nil {
			v = []byte{}
		}
		return &types.AttributeValueMemberB{Value: v}
	}
	return nil // Schema.Check has refused it
}

func encode(r table.Row) item {
	out := make(item, len(r))
	for name, v := range r {
		out[name] = encodeValue(v)
	}
	return out
}

func encodeKey(k table.Key) item {
	return item{
		table.PartitionKey: &types.AttributeValueMemberS{Value: k.Partition},
		table.SortKey:      &types.AttributeValueMemberS{Value: k.Sort},
	}
}

// decode gives the row of an item, nil of none; an error when it holds what
// the port has no kind for.
func decode(in item) (table.Row, error) {
	if len(in) == 0 {
		return nil, nil
	}
	r := make(table.Row, len(in))
	for name, v := range in {
		switch v := v.(type) {
		case *types.AttributeValueMemberS:
			r[name] = v.Value
		case *types.AttributeValueMemberN:
			n, err := strconv.ParseInt(v.Value, 10, 64)
			if err != nil {
				return nil, fmt.Errorf("table: attribute %q: %w", name, err)
			}
			r[name] = n
		case *types.AttributeValueMemberBOOL:
			r[name] = v.Value
		case *types.AttributeValueMemberB:
			r[name] = v.Value
		default:
			return nil, fmt.Errorf("table: attribute %q is a %T", name, v)
		}
	}
	return r, nil
}

package dynamo

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"typedinbox/shared/table"
)

// Query is [table.Database]'s. A row of an index is its keys, whatever the
// index projects.
func (d *Database) Query(ctx context.Context, q table.Query) (table.Page, error) {
	_, index, err := d.schema.CheckQuery(q)
	if err != nil {
		return table.Page{}, err
	}
	position, err := table.DecodeCursor(q)
	if err != nil {
		return table.Page{}, err
	}
	if q.To != "" && q.From > q.To {
		return table.Page{}, nil // DynamoDB takes it for a mistake
	}
	in, err := d.queryInput(q, index, position)
	if err != nil {
		return table.Page{}, err
	}
	out, err := d.api.Query(ctx, in)
	if err != nil {
		return table.Page{}, readError(ctx, err)
	}
	return page(q, index, out)
}

func (d *Database) queryInput(q table.Query, index table.IndexSchema, p table.Position) (*dynamodb.QueryInput, error) {
	r, err := build(expression.NewBuilder().WithKeyCondition(keyCondition(q, index)))
	if err != nil {
		return nil, err
	}
	in := &dynamodb.QueryInput{
		TableName: d.name(q.Table), KeyConditionExpression: r.key, ExpressionAttributeNames: r.names,
		ExpressionAttributeValues: r.values, ScanIndexForward: aws.Bool(!q.Desc),
	}
	if q.Limit > 0 {
		in.Limit = aws.Int32(int32(min(q.Limit, table.MaxPage)))
	}
	if q.Index == "" {
		in.ConsistentRead = aws.Bool(true)
	} else {
		in.IndexName = &q.Index
	}
	switch {
	case p == table.Position{}:
	case q.Index == "":
		in.ExclusiveStartKey = encodeKey(table.Key{Partition: q.Partition, Sort: p.Sort})
	default:
		in.ExclusiveStartKey = encodeKey(table.Key{Partition: p.RowPartition, Sort: p.RowSort})
		in.ExclusiveStartKey[index.Partition] = encodeValue(q.Partition)
		in.ExclusiveStartKey[index.Sort] = encodeValue(p.Sort)
	}
	return in, nil
}

func keyCondition(q table.Query, index table.IndexSchema) expression.KeyConditionBuilder {
	partition, sort := table.PartitionKey, table.SortKey
	if q.Index != "" {
		partition, sort = index.Partition, index.Sort
	}
	c := expression.KeyEqual(expression.Key(partition), value(q.Partition))
	switch {
	case q.From != "" && q.To != "":
		return c.And(expression.KeyBetween(expression.Key(sort), value(q.From), value(q.To)))
	case q.From != "":
		return c.And(expression.KeyGreaterThanEqual(expression.Key(sort), value(q.From)))
	case q.To != "":
		return c.And(expression.KeyLessThanEqual(expression.Key(sort), value(q.To)))
	}
	return c
}

func page(q table.Query, index table.IndexSchema, out *dynamodb.QueryOutput) (table.Page, error) {
	var p table.Page
	for _, item := range out.Items {
		row, err := decode(item)
		if err != nil {
			return table.Page{}, err
		}
		if q.Index != "" {
			row = index.Keys(row)
		}
		p.Rows = append(p.Rows, row)
	}
	if len(out.LastEvaluatedKey) == 0 {
		return p, nil
	}
	last, err := decode(out.LastEvaluatedKey)
	if err != nil {
		return table.Page{}, err
	}
	if n := len(p.Rows); n > 0 && q.Index != "" && !last.Has(index.Sort) {
		last = p.Rows[n-1] // a stand-in named the row alone
	}
	p.Next = table.EncodeCursor(q, q.PositionOf(last, index))
	return p, nil
}

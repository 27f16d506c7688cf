// Package dynamo runs the storage port on DynamoDB. It checks the port's limits
// before it calls, renders conditions and updates as expressions, and says of
// every failure whether something happened (00 §4, 08 §4). It never retries.
package dynamo

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"typedinbox/shared/table"
)

// API is what the driver uses of DynamoDB; *dynamodb.Client has it.
type API interface {
	GetItem(context.Context, *dynamodb.GetItemInput, ...func(*dynamodb.Options)) (*dynamodb.GetItemOutput, error)
	BatchGetItem(context.Context, *dynamodb.BatchGetItemInput, ...func(*dynamodb.Options)) (*dynamodb.BatchGetItemOutput, error)
	Query(context.Context, *dynamodb.QueryInput, ...func(*dynamodb.Options)) (*dynamodb.QueryOutput, error)
	PutItem(context.Context, *dynamodb.PutItemInput, ...func(*dynamodb.Options)) (*dynamodb.PutItemOutput, error)
	UpdateItem(context.Context, *dynamodb.UpdateItemInput, ...func(*dynamodb.Options)) (*dynamodb.UpdateItemOutput, error)
	DeleteItem(context.Context, *dynamodb.DeleteItemInput, ...func(*dynamodb.Options)) (*dynamodb.DeleteItemOutput, error)
	TransactWriteItems(context.Context, *dynamodb.TransactWriteItemsInput, ...func(*dynamodb.Options)) (*dynamodb.TransactWriteItemsOutput, error)
}

// Database is the tables of one deployment. It is safe for concurrent use.
type Database struct {
	api    API
	names  map[string]string // role to table name
	roles  map[string]string // table name to role
	schema table.Schema
}

var _ table.Database = (*Database)(nil)

// New makes a database of the tables names gives by role; a role without a name
// is a table of that name.
func New(api API, names map[string]string, schema table.Schema) *Database {
	d := &Database{api: api, names: map[string]string{}, roles: map[string]string{}, schema: schema}
	for _, t := range schema.Tables {
		name := names[t.Name]
		if name == "" {
			name = t.Name
		}
		d.names[t.Name], d.roles[name] = name, t.Name
	}
	return d
}

func (d *Database) name(role string) *string { return aws.String(d.names[role]) }

// Get is [table.Database]'s.
func (d *Database) Get(ctx context.Context, key table.Key) (table.Row, error) {
	if err := d.schema.CheckKey(key); err != nil {
		return nil, err
	}
	out, err := d.api.GetItem(ctx, &dynamodb.GetItemInput{
		TableName: d.name(key.Table), Key: encodeKey(key), ConsistentRead: aws.Bool(true),
	})
	if err != nil {
		return nil, readError(ctx, err)
	}
	return decode(out.Item)
}

// BatchGet is [table.Database]'s.
func (d *Database) BatchGet(ctx context.Context, keys []table.Key) (rows []table.Row, unprocessed []table.Key, err error) {
	if err := d.schema.CheckKeys(keys); err != nil || len(keys) == 0 {
		return nil, nil, err
	}
	ask := map[string]types.KeysAndAttributes{}
	for _, key := range keys {
		name := d.names[key.Table]
		ask[name] = types.KeysAndAttributes{ConsistentRead: aws.Bool(true), Keys: append(ask[name].Keys, encodeKey(key))}
	}
	out, err := d.api.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: ask})
	if err != nil {
		return nil, nil, readError(ctx, err)
	}
	for _, items := range out.Responses {
		for _, item := range items {
			row, err := decode(item)
			if err != nil {
				return nil, nil, err
			}
			rows = append(rows, row)
		}
	}
	for name, left := range out.UnprocessedKeys {
		for _, item := range left.Keys {
			key, err := decode(item)
			if err != nil {
				return nil, nil, err
			}
			unprocessed = append(unprocessed, table.Key{
				Table: d.roles[name], Partition: key.String(table.PartitionKey), Sort: key.String(table.SortKey),
			})
		}
	}
	return rows, unprocessed, nil
}

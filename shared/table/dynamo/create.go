package dynamo

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"typedinbox/shared/table"
)

// createWait bounds how long CreateTables waits for one table.
const createWait = time.Minute

// CreateTables makes the schema's tables, for tests and local runs: on demand,
// indexes of keys alone, a stream of new images where the schema says so. Those
// that exist are left as they are. Rows are not deleted by time: the local clock
// need not be the real one.
func CreateTables(ctx context.Context, client *dynamodb.Client, names map[string]string, schema table.Schema) error {
	for _, t := range schema.Tables {
		in := createInput(t)
		if name := names[t.Name]; name != "" {
			in.TableName = &name
		}
		_, err := client.CreateTable(ctx, in)
		var exists *types.ResourceInUseException
		if err != nil && !errors.As(err, &exists) {
			return fmt.Errorf("table: create %s: %w", *in.TableName, err)
		}
		wait := dynamodb.NewTableExistsWaiter(client, func(o *dynamodb.TableExistsWaiterOptions) { o.MinDelay = time.Second })
		if err := wait.Wait(ctx, &dynamodb.DescribeTableInput{TableName: in.TableName}, createWait); err != nil {
			return fmt.Errorf("table: create %s: %w", *in.TableName, err)
		}
	}
	return nil
}

func createInput(t table.TableSchema) *dynamodb.CreateTableInput {
	in := &dynamodb.CreateTableInput{
		TableName: aws.String(t.Name), BillingMode: types.BillingModePayPerRequest,
		KeySchema: keySchema(table.PartitionKey, table.SortKey),
	}
	attributes := map[string]bool{}
	define := func(names ...string) {
		for _, name := range names {
			if attributes[name] {
				continue
			}
			attributes[name] = true
			in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{
				AttributeName: aws.String(name), AttributeType: types.ScalarAttributeTypeS,
			})
		}
	}
	define(table.PartitionKey, table.SortKey)
	for _, i := range t.Indexes {
		define(i.Partition, i.Sort)
		in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, types.GlobalSecondaryIndex{
			IndexName: aws.String(i.Name), KeySchema: keySchema(i.Partition, i.Sort),
			Projection: &types.Projection{ProjectionType: types.ProjectionTypeKeysOnly},
		})
	}
	if t.Stream {
		in.StreamSpecification = &types.StreamSpecification{
			StreamEnabled: aws.Bool(true), StreamViewType: types.StreamViewTypeNewImage,
		}
	}
	return in
}

func keySchema(partition, sort string) []types.KeySchemaElement {
	return []types.KeySchemaElement{
		{AttributeName: aws.String(partition), KeyType: types.KeyTypeHash},
		{AttributeName: aws.String(sort), KeyType: types.KeyTypeRange},
	}
}

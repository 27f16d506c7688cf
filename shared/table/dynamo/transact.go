package dynamo

import (
	"context"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"typedinbox/shared/table"
)

// Transact is [table.Database]'s. One write without a token is a plain write,
// which costs half.
func (d *Database) Transact(ctx context.Context, token string, actions []table.Action) error {
	if err := d.schema.Check(token, actions); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	if token == "" && len(actions) == 1 && actions[0].Kind != table.Check {
		return d.single(ctx, &actions[0])
	}
	in := &dynamodb.TransactWriteItemsInput{TransactItems: make([]types.TransactWriteItem, len(actions))}
	if token != "" {
		in.ClientRequestToken = &token
	}
	for i := range actions {
		var err error
		if in.TransactItems[i], err = d.part(&actions[i]); err != nil {
			return err
		}
	}
	if _, err := d.api.TransactWriteItems(ctx, in); err != nil {
		return writeError(err, len(actions))
	}
	return nil
}

const returnOld = types.ReturnValuesOnConditionCheckFailureAllOld

func (d *Database) part(a *table.Action) (types.TransactWriteItem, error) {
	r, err := renderAction(a)
	if err != nil {
		return types.TransactWriteItem{}, err
	}
	name, key := d.name(a.Key.Table), encodeKey(a.Key)
	var part types.TransactWriteItem
	switch a.Kind {
	case table.Put:
		part.Put = &types.Put{TableName: name, Item: encode(a.Row), ConditionExpression: r.condition,
			ExpressionAttributeNames: r.names, ExpressionAttributeValues: r.values, ReturnValuesOnConditionCheckFailure: returnOld}
	case table.Update:
		part.Update = &types.Update{TableName: name, Key: key, UpdateExpression: r.update, ConditionExpression: r.condition,
			ExpressionAttributeNames: r.names, ExpressionAttributeValues: r.values, ReturnValuesOnConditionCheckFailure: returnOld}
	case table.Delete:
		part.Delete = &types.Delete{TableName: name, Key: key, ConditionExpression: r.condition,
			ExpressionAttributeNames: r.names, ExpressionAttributeValues: r.values, ReturnValuesOnConditionCheckFailure: returnOld}
	case table.Check:
		part.ConditionCheck = &types.ConditionCheck{TableName: name, Key: key, ConditionExpression: r.condition,
			ExpressionAttributeNames: r.names, ExpressionAttributeValues: r.values, ReturnValuesOnConditionCheckFailure: returnOld}
	}
	return part, nil
}

func (d *Database) single(ctx context.Context, a *table.Action) error {
	r, err := renderAction(a)
	if err != nil {
		return err
	}
	name, key := d.name(a.Key.Table), encodeKey(a.Key)
	switch a.Kind {
	case table.Put:
		_, err = d.api.PutItem(ctx, &dynamodb.PutItemInput{TableName: name, Item: encode(a.Row), ConditionExpression: r.condition,
			ExpressionAttributeNames: r.names, ExpressionAttributeValues: r.values, ReturnValuesOnConditionCheckFailure: returnOld})
	case table.Update:
		_, err = d.api.UpdateItem(ctx, &dynamodb.UpdateItemInput{TableName: name, Key: key, UpdateExpression: r.update, ConditionExpression: r.condition,
			ExpressionAttributeNames: r.names, ExpressionAttributeValues: r.values, ReturnValuesOnConditionCheckFailure: returnOld})
	case table.Delete:
		_, err = d.api.DeleteItem(ctx, &dynamodb.DeleteItemInput{TableName: name, Key: key, ConditionExpression: r.condition,
			ExpressionAttributeNames: r.names, ExpressionAttributeValues: r.values, ReturnValuesOnConditionCheckFailure: returnOld})
	}
	if err != nil {
		return writeError(err, 1)
	}
	return nil
}

package dynamo

import (
	"fmt"
	"strings"

	"github.com/aws/aws-sdk-go-v2/feature/dynamodb/expression"

	"typedinbox/shared/table"
)

// rendered is an action's or a query's expressions as DynamoDB takes them.
// Parts that are not there are nil.
type rendered struct {
	condition, update, key *string
	names                  map[string]string
	values                 item
}

// renderAction renders an action's condition and, of an update, its changes.
func renderAction(a *table.Action) (rendered, error) {
	b := expression.NewBuilder()
	used := false
	if a.If != nil {
		c, err := condition(a.If)
		if err != nil {
			return rendered{}, err
		}
		b, used = b.WithCondition(c), true
	}
	if a.Kind == table.Update {
		b, used = b.WithUpdate(update(a)), true
	}
	if !used {
		return rendered{}, nil
	}
	return build(b)
}

func build(b expression.Builder) (rendered, error) {
	e, err := b.Build()
	if err != nil {
		return rendered{}, fmt.Errorf("table: expression: %w", err)
	}
	r := rendered{
		condition: plain(e.Condition()), update: plain(e.Update()), key: plain(e.KeyCondition()),
		values: e.Values(), names: make(map[string]string, len(e.Names())),
	}
	for placeholder, name := range e.Names() {
		r.names[*plain(&placeholder)] = name
	}
	return r, nil
}

// nameWidth is the digits of a name's placeholder.
const nameWidth = 3

// plain writes an expression on one line with name placeholders of one width,
// so that none is the beginning of another: stand-ins for DynamoDB replace them
// as text.
func plain(e *string) *string {
	if e == nil {
		return nil
	}
	var b strings.Builder
	text := *e
	for i := 0; i < len(text); i++ { //nolint:intrange // it moves on inside
		switch text[i] {
		case '\n':
			if i < len(text)-1 {
				b.WriteByte(' ')
			}
		case '#':
			digits := 0
			for i+1+digits < len(text) && text[i+1+digits] >= '0' && text[i+1+digits] <= '9' {
				digits++
			}
			b.WriteByte('#')
			b.WriteString(strings.Repeat("0", max(0, nameWidth-digits)))
		default:
			b.WriteByte(text[i])
		}
	}
	out := b.String()
	return &out
}

// name is one top-level attribute, dots and all.
func name(attribute string) expression.NameBuilder { return expression.NameNoDotSplit(attribute) }

func value(v any) expression.ValueBuilder { return expression.Value(encodeValue(v)) }

func condition(c table.Condition) (expression.ConditionBuilder, error) {
	switch c := c.(type) {
	case table.Absent:
		return name(string(c)).AttributeNotExists(), nil
	case table.Exists:
		return name(string(c)).AttributeExists(), nil
	case table.Eq:
		return name(c.Name).Equal(value(c.Value)), nil
	case table.Lt:
		return name(c.Name).LessThan(value(c.Value)), nil
	case table.Lte:
		return name(c.Name).LessThanEqual(value(c.Value)), nil
	case table.Not:
		of, err := condition(c.Of)
		return of.Not(), err
	case table.And:
		return joined(c, true, expression.And)
	case table.Or:
		return joined(c, false, expression.Or)
	}
	return expression.ConditionBuilder{}, fmt.Errorf("table: unknown condition %T", c)
}

// joined joins conditions; of none it gives one that always is what it should
// be, true or false.
func joined(parts []table.Condition, empty bool,
	join func(a, b expression.ConditionBuilder, more ...expression.ConditionBuilder) expression.ConditionBuilder,
) (expression.ConditionBuilder, error) {
	built := make([]expression.ConditionBuilder, len(parts))
	for i, part := range parts {
		c, err := condition(part)
		if err != nil {
			return c, err
		}
		built[i] = c
	}
	switch len(built) {
	case 0:
		there, gone := name(table.PartitionKey).AttributeExists(), name(table.PartitionKey).AttributeNotExists()
		if empty {
			return there.Or(gone), nil
		}
		return there.And(gone), nil
	case 1:
		return built[0], nil
	}
	return join(built[0], built[1], built[2:]...), nil
}

func update(a *table.Action) expression.UpdateBuilder {
	var u expression.UpdateBuilder
	for attribute, v := range a.Set {
		u = u.Set(name(attribute), value(v))
	}
	for _, attribute := range a.Remove {
		u = u.Remove(name(attribute))
	}
	for attribute, n := range a.Add {
		u = u.Add(name(attribute), value(n))
	}
	return u
}

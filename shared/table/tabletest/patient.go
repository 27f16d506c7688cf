package tabletest

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"typedinbox/shared/table"
)

// patience bounds the tries of a Patient call.
const patience = 1000

// Patient is the database as a caller sees it who tries again whenever the
// port says that one may: throttled calls, conflicts, lost answers under the
// same token, unprocessed keys. The suite runs over it where faults are on.
func Patient(db table.Database) table.Database { return &patient{db: db} }

type patient struct {
	db     table.Database
	tokens atomic.Int64
}

func (p *patient) Get(ctx context.Context, key table.Key) (row table.Row, err error) {
	err = again(func() error { row, err = p.db.Get(ctx, key); return err })
	return row, err
}

func (p *patient) BatchGet(ctx context.Context, keys []table.Key) (rows []table.Row, left []table.Key, err error) {
	for range patience {
		var got []table.Row
		err := again(func() error { got, left, err = p.db.BatchGet(ctx, keys); return err })
		rows = append(rows, got...)
		if err != nil || len(left) == 0 {
			return rows, nil, err
		}
		keys = left
	}
	return rows, left, nil
}

func (p *patient) Query(ctx context.Context, q table.Query) (page table.Page, err error) {
	err = again(func() error { page, err = p.db.Query(ctx, q); return err })
	return page, err
}

func (p *patient) Transact(ctx context.Context, token string, actions []table.Action) error {
	if token == "" {
		token = fmt.Sprintf("patient-%d", p.tokens.Add(1))
	}
	return again(func() error { return p.db.Transact(ctx, token, actions) })
}

// again calls until the answer is one that trying again does not change.
func again(call func() error) (err error) {
	for range patience {
		err = call()
		if !errors.Is(err, table.ErrThrottled) && !errors.Is(err, table.ErrUnknown) && !clash(err) {
			return err
		}
	}
	return err
}

// clash says whether a transaction was cancelled for nothing but others.
func clash(err error) bool {
	var c *table.Cancelled
	return errors.As(err, &c) && !c.Has(table.ReasonCondition)
}

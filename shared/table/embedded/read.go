package embedded

import (
	"bytes"
	"context"

	bolt "go.etcd.io/bbolt"

	"typedinbox/shared/table"
)

// maxBatch is how many bytes one BatchGet answers; the rest is unprocessed.
const maxBatch = 16 << 20

// Get is [table.Database]'s.
func (d *Database) Get(ctx context.Context, key table.Key) (row table.Row, err error) {
	if err := d.schema.CheckKey(key); err != nil {
		return nil, err
	}
	err = d.view(ctx, func(tx *bolt.Tx) error {
		row, err = d.stores[key.Table].load(tx, key)
		return err
	})
	return row, err
}

// BatchGet is [table.Database]'s.
func (d *Database) BatchGet(ctx context.Context, keys []table.Key) (rows []table.Row, unprocessed []table.Key, err error) {
	if err := d.schema.CheckKeys(keys); err != nil || len(keys) == 0 {
		return nil, nil, err
	}
	if d.faults.hit(LeaveUnprocessed) {
		cut := d.faults.pick(len(keys))
		keys, unprocessed = keys[:cut], append(unprocessed, keys[cut:]...)
	}
	size := 0
	err = d.view(ctx, func(tx *bolt.Tx) error {
		for i, key := range keys {
			row, err := d.stores[key.Table].load(tx, key)
			if err != nil {
				return err
			}
			if size += table.Size(row); size > maxBatch {
				unprocessed = append(unprocessed, keys[i:]...)
				return nil
			}
			if row != nil {
				rows = append(rows, row)
			}
		}
		return nil
	})
	if err != nil {
		return nil, nil, err
	}
	return rows, unprocessed, nil
}

// view runs a read on the last commit.
func (d *Database) view(ctx context.Context, read func(*bolt.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if d.faults.hit(Throttle) {
		return table.ErrThrottled
	}
	return d.file.View(read)
}

// load reads a row, nil when it is absent.
func (s *tableStore) load(tx *bolt.Tx, key table.Key) (table.Row, error) {
	value := tx.Bucket(s.rows).Get(rowKey(key.Partition, key.Sort))
	if value == nil {
		return nil, nil
	}
	return decodeRow(key.Partition, key.Sort, value)
}

// Query is [table.Database]'s. As on DynamoDB, a page that reached its limit
// has a next, even when nothing follows.
func (d *Database) Query(ctx context.Context, q table.Query) (page table.Page, err error) {
	t, index, err := d.schema.CheckQuery(q)
	if err != nil {
		return table.Page{}, err
	}
	position, err := table.DecodeCursor(q)
	if err != nil {
		return table.Page{}, err
	}
	store := d.stores[t.Name]
	p := pager{query: q, index: index, span: querySpan(q, position), bucket: store.bucket(q.Index), start: position}
	if err := d.view(ctx, p.read); err != nil {
		return table.Page{}, err
	}
	if d.faults.hit(CutPage) && len(p.rows) > 0 {
		p.cut(d.faults.pick(len(p.rows)))
	}
	return p.page(), nil
}

func (s *tableStore) bucket(index string) []byte {
	for i := range s.schema.Indexes {
		if s.schema.Indexes[i].Name == index {
			return s.entries[i]
		}
	}
	return s.rows
}

// pager collects one page of a query.
type pager struct {
	query  table.Query
	index  table.IndexSchema
	span   span
	bucket []byte
	start  table.Position
	rows   []table.Row
	more   bool
}

func (p *pager) read(tx *bolt.Tx) error {
	if bytes.Compare(p.span.low, p.span.high) >= 0 {
		return nil
	}
	size := 0
	c := tx.Bucket(p.bucket).Cursor()
	for key, value := p.first(c); p.in(key); key, value = p.step(c) {
		row, err := p.row(key, value)
		if err != nil {
			return err
		}
		if size += table.Size(row); size > table.MaxPage && len(p.rows) > 0 {
			p.more = true
			return nil
		}
		p.rows = append(p.rows, row)
		if len(p.rows) == p.query.Limit {
			p.more = true
			return nil
		}
	}
	return nil
}

func (p *pager) first(c *bolt.Cursor) (key, value []byte) {
	if !p.query.Desc {
		return c.Seek(p.span.low)
	}
	if key, _ = c.Seek(p.span.high); key == nil {
		return c.Last()
	}
	return c.Prev()
}

func (p *pager) step(c *bolt.Cursor) (key, value []byte) {
	if p.query.Desc {
		return c.Prev()
	}
	return c.Next()
}

func (p *pager) in(key []byte) bool {
	return key != nil && bytes.Compare(key, p.span.low) >= 0 && bytes.Compare(key, p.span.high) < 0
}

func (p *pager) row(key, value []byte) (table.Row, error) {
	rest := key[len(p.span.prefix):]
	if p.query.Index == "" {
		return decodeRow(p.query.Partition, string(rest), value)
	}
	indexSort, rest, err := cutPart(rest)
	if err != nil {
		return nil, err
	}
	partition, rest, err := cutPart(rest)
	if err != nil {
		return nil, err
	}
	return table.Row{
		p.index.Partition: p.query.Partition, p.index.Sort: indexSort,
		table.PartitionKey: partition, table.SortKey: string(rest),
	}, nil
}

// cut leaves the first n rows of the page.
func (p *pager) cut(n int) { p.rows, p.more = p.rows[:n], true }

func (p *pager) page() table.Page {
	page := table.Page{Rows: p.rows}
	if !p.more {
		return page
	}
	position := p.start
	if n := len(p.rows); n > 0 {
		position = p.query.PositionOf(p.rows[n-1], p.index)
	}
	page.Next = table.EncodeCursor(p.query, position)
	return page
}

package store

import (
	"context"
	"fmt"

	"typedinbox/shared/inbox"
	"typedinbox/shared/table"
)

// pruneBatch is how many rows one transaction of a prune deletes.
const pruneBatch = 25

// maxPruneLook is how many stored answers one prune looks at.
const maxPruneLook = 20_000

// pruner deletes rows up to a limit.
type pruner struct {
	s     *Store
	left  int
	look  int // answers that may still be looked at
	count int
	batch []table.Action
}

// Prune deletes what is past its time, at most limit rows, and says how many it
// deleted and whether there may be more: hour rows whose hour is 90 days past,
// and stored answers that expired. In production the table's own expiry does
// the same; reads never wait for either.
func (s *Store) Prune(ctx context.Context, now inbox.Instant, limit int) (deleted int, more bool, err error) {
	p := &pruner{s: s, left: limit, look: maxPruneLook}
	if err := p.hours(ctx, now); err != nil {
		return p.count, true, err
	}
	if err := p.answers(ctx, now); err != nil {
		return p.count, true, err
	}
	err = p.flush(ctx)
	return p.count, p.left <= 0, err
}

// hours deletes old hour rows of every service, real and sandbox.
func (p *pruner) hours(ctx context.Context, now inbox.Instant) error {
	c, err := p.s.Catalogue(ctx)
	if err != nil {
		return err
	}
	last := hourSort(int64(now.Add(-placesKeptDays*inbox.Day))/inbox.Hour - 1)
	for _, service := range c.Services {
		for _, prefix := range []string{"", sandboxResource} {
			q := table.Query{Table: tableInbox, Partition: hourPrefix + prefix + "service:" + service.ID, To: last}
			if err := p.query(ctx, q, func(table.Row) bool { return true }); err != nil {
				return err
			}
		}
	}
	return nil
}

// answers deletes expired stored answers, shard by shard, beginning at another
// one each day so that no bound starves one.
func (p *pruner) answers(ctx context.Context, now inbox.Instant) error {
	first := int(int64(now) / inbox.Day)
	for n := range answerShards {
		q := table.Query{Table: tableInbox, Partition: fmt.Sprintf("k#%x", (first+n)%answerShards)}
		if err := p.query(ctx, q, func(r table.Row) bool { p.look--; return r.Int(attrExpires) <= int64(now) }); err != nil || p.look <= 0 {
			return err
		}
	}
	return nil
}

// query deletes the rows of a query that are past their time.
func (p *pruner) query(ctx context.Context, q table.Query, past func(table.Row) bool) error {
	for p.left > 0 && p.look > 0 {
		page, err := p.s.query(ctx, q)
		if err != nil {
			return err
		}
		for _, r := range page.Rows {
			if p.left > 0 && past(r) {
				if err := p.delete(ctx, r); err != nil {
					return err
				}
			}
		}
		if q.After = page.Next; q.After == "" {
			return nil
		}
	}
	return nil
}

// delete takes a row away as it was read: a row written again since stays.
func (p *pruner) delete(ctx context.Context, r table.Row) error {
	var same table.Condition
	for _, name := range []string{attrExpires, attrRev} {
		if r.Has(name) {
			same = table.Or{table.Absent(table.PartitionKey), table.Eq{Name: name, Value: r[name]}}
		}
	}
	p.left--
	p.count++
	p.batch = append(p.batch, table.Action{Kind: table.Delete, Key: keyOf(tableInbox, r), If: same})
	if len(p.batch) < pruneBatch {
		return nil
	}
	return p.flush(ctx)
}

// flush deletes what was gathered. Rows written again since keep the whole
// batch for the next prune.
func (p *pruner) flush(ctx context.Context) error {
	if len(p.batch) == 0 {
		return nil
	}
	batch := p.batch
	p.batch = nil
	err := p.s.write(ctx, batch...)
	if _, ok := refused(err); ok {
		p.count -= len(batch)
		return nil
	}
	return err
}

package store

import (
	"errors"
	"strings"

	"typedinbox/shared/table"
)

// Lost says why a write was not done, and that nothing of it was. More than one
// cause can hold; Idem goes before all others.
type Lost struct {
	// Idem is the answer that stands under the write's idempotency key.
	Idem *StoredAnswer
	// Version: an item or document moved since it was read.
	Version bool
	// Rows: an hour row moved since the places were judged; read and judge again.
	Rows bool
	// Full: an hour row is too large for another claim (00 §4); the time counts
	// as taken.
	Full bool
	// Message is the thread entry that holds the message id already.
	Message *EntryRef
	// SKU: another product has the sku.
	SKU bool
	// Busy: a clash with another write, or throttling; the same write may be
	// tried again.
	Busy bool
	// Cause is what the database said.
	Cause error
}

func (l *Lost) Error() string {
	var causes []string
	for _, c := range []struct {
		is   bool
		name string
	}{
		{l.Idem != nil, "answered before"}, {l.Version, "version moved"}, {l.Rows, "places moved"},
		{l.Full, "hour row full"}, {l.Message != nil, "message id known"}, {l.SKU, "sku taken"}, {l.Busy, "busy"},
	} {
		if c.is {
			causes = append(causes, c.name)
		}
	}
	return "store: write lost: " + strings.Join(causes, ", ")
}

func (l *Lost) Unwrap() error { return l.Cause }

// AsLost finds the [Lost] in an error.
func AsLost(err error) (*Lost, bool) {
	var l *Lost
	return l, errors.As(err, &l)
}

// cause says what a failed condition of an action means.
type cause int

const (
	causeVersion cause = iota // an item, a document, an event or a new row of an id
	causeAnswer
	causeRow
	causeMessage
	causeSKU
)

// batch is a transaction as it is built: actions and what each one's failure
// means.
type batch struct {
	actions []table.Action
	causes  []cause
}

func (b *batch) add(c cause, a table.Action) {
	b.actions = append(b.actions, a)
	b.causes = append(b.causes, c)
}

// put adds a row that must not exist yet.
func (b *batch) create(r table.Row) {
	b.add(causeVersion, table.Action{Kind: table.Put, Key: keyOf(tableInbox, r), Row: r, If: table.Absent(table.PartitionKey)})
}

// put adds a row whatever stands there.
func (b *batch) put(r table.Row) {
	b.add(causeVersion, table.Action{Kind: table.Put, Key: keyOf(tableInbox, r), Row: r})
}

// replace adds a row that must stand at a rev, or must not exist for rev 0.
func (b *batch) replace(r table.Row, rev int64) {
	b.add(causeVersion, table.Action{Kind: table.Put, Key: keyOf(tableInbox, r), Row: r, If: atRev(rev)})
}

// atRev is the condition that a row still stands at a rev; 0 is absent.
func atRev(rev int64) table.Condition {
	if rev == 0 {
		return table.Absent(table.PartitionKey)
	}
	return table.Eq{Name: attrRev, Value: rev}
}

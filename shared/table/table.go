// Package table is the storage port: a key-value database with transactions,
// as small as the product needs and with DynamoDB's meaning (00 §4). Its
// drivers are table/dynamo and table/embedded; table/tabletest is the one suite
// both pass. Only package store knows what the keys mean.
package table

import (
	"context"
	"errors"
	"fmt"
)

// Names of the attributes that make a row's key, in every table.
const (
	PartitionKey = "pk"
	SortKey      = "sk"
	// TTL is the attribute with the second (Unix time) after which a row may be
	// deleted; readers judge expiry themselves.
	TTL = "ttl"
)

// Limits of a transaction and a row, the same on every driver (08 §4).
const (
	MaxActions     = 100
	MaxTransaction = 4 << 20
	MaxRow         = 400 << 10
	MaxBatchGet    = 100
	MaxPage        = 1 << 20
)

// Row is one row: attribute name to a string, an int64, a bool or a []byte.
// "pk" and "sk" are in it. Rows handed out are the receiver's to keep; rows
// handed in are not kept.
type Row map[string]any

// String is a string attribute, "" when absent or of another kind.
func (r Row) String(name string) string { s, _ := r[name].(string); return s }

// Int is a number attribute, 0 when absent or of another kind.
func (r Row) Int(name string) int64 { n, _ := r[name].(int64); return n }

// Bytes is a binary attribute, nil when absent or of another kind.
func (r Row) Bytes(name string) []byte { b, _ := r[name].([]byte); return b }

// Has says whether the attribute is there.
func (r Row) Has(name string) bool { _, ok := r[name]; return ok }

// Key names a row. Table is the table's role ("inbox", "events"), which a
// driver maps to its own name.
type Key struct {
	Table     string
	Partition string
	Sort      string
}

func (k Key) String() string { return k.Table + " " + k.Partition + " " + k.Sort }

// Schema says which tables and indexes there are. A row without an index's
// attributes is not in it; indexes hold keys alone (the row's key and the
// index's two attributes), so a list reads its rows afterwards.
type Schema struct {
	Tables []TableSchema
}

// TableSchema is one table.
type TableSchema struct {
	Name    string
	Stream  bool // its changes are streamed with the new image
	Indexes []IndexSchema
}

// IndexSchema is one global secondary index over two string attributes.
type IndexSchema struct {
	Name      string
	Partition string // attribute
	Sort      string // attribute
}

// Query asks for rows of one partition of a table or an index, in the order of
// the sort key. Reads of a table are strongly consistent, reads of an index are
// eventual by contract.
type Query struct {
	Table     string
	Index     string // "" for the table itself
	Partition string
	From, To  string // inclusive bounds on the sort key; "" for none. Prefix queries use [Prefix]
	Desc      bool
	Limit     int    // rows a page, 0 for what fits in 1 MB
	After     string // cursor of the page before, "" to begin
}

// Prefix gives the inclusive bounds of all sort keys that begin with p.
func Prefix(p string) (from, to string) { return p, p + "\U0010FFFF" }

// Page is one page of a query. Next is "" on the last page; a page may be
// short, or empty, and still have a next.
type Page struct {
	Rows []Row
	Next string
}

// Kind of an action.
type Kind int

// The kinds of action.
const (
	Put Kind = iota
	Update
	Delete
	Check
)

func (k Kind) String() string { return [...]string{"put", "update", "delete", "check"}[k] }

// Action is one part of a transaction. A Put writes Row whole (Key is taken
// from it). An Update creates the row when it is absent, unless If says
// otherwise. Check writes nothing.
type Action struct {
	Kind   Kind
	Key    Key
	Row    Row              // Put
	Set    Row              // Update: attributes to write
	Remove []string         // Update: attributes to take away
	Add    map[string]int64 // Update: numbers to add to, 0 when absent
	If     Condition        // nil: no condition
}

// Condition is a structured condition on top-level attributes of the row as it
// stands, with DynamoDB's meaning for absent ones: comparing an absent
// attribute is false, so Not of it is true.
type Condition interface{ condition() }

// The conditions.
type (
	// Absent holds when the attribute is not there; of "pk": when the row is not.
	Absent string
	// Exists holds when the attribute is there; of "pk": when the row is.
	Exists string
	// Eq holds when the attribute is there and equal (string, int64, bool).
	Eq struct {
		Name  string
		Value any
	}
	// Lt holds when the attribute is there, of the same kind, and smaller.
	Lt struct {
		Name  string
		Value any
	}
	// Lte holds when the attribute is there, of the same kind, and not greater.
	Lte struct {
		Name  string
		Value any
	}
	// And holds when all do.
	And []Condition
	// Or holds when one does.
	Or []Condition
	// Not holds when the other does not.
	Not struct{ Of Condition }
)

func (Absent) condition() {}
func (Exists) condition() {}
func (Eq) condition()     {}
func (Lt) condition()     {}
func (Lte) condition()    {}
func (And) condition()    {}
func (Or) condition()     {}
func (Not) condition()    {}

// Database is what a driver offers. Every method may answer [ErrThrottled],
// or [ErrUnknown] when it cannot tell whether a write happened.
type Database interface {
	// Get reads a row by key, strongly consistent; nil when it is absent.
	Get(ctx context.Context, key Key) (Row, error)
	// BatchGet reads up to [MaxBatchGet] rows by key, strongly consistent, in
	// any order, absent ones left out. It may leave some unprocessed.
	BatchGet(ctx context.Context, keys []Key) (rows []Row, unprocessed []Key, err error)
	// Query reads one page.
	Query(ctx context.Context, q Query) (Page, error)
	// Transact does all actions or none. Token, when not "", makes a repeated
	// call with the same actions within ten minutes do nothing and answer the
	// same (DynamoDB's client request token); with other actions it is
	// [ErrTokenReused]. A condition that failed, or a clash with another
	// transaction, is a [*Cancelled].
	Transact(ctx context.Context, token string, actions []Action) error
}

// Errors of the port. Anything else is a mistake of the caller (a limit, a
// malformed action) or the database out of reach.
var (
	// ErrThrottled: nothing happened; try again later.
	ErrThrottled = errors.New("table: throttled")
	// ErrUnknown: the answer was lost; the write may have happened.
	ErrUnknown = errors.New("table: answer lost")
	// ErrTokenReused: the token was used for other actions.
	ErrTokenReused = errors.New("table: token used for other actions")
	// ErrLimit: an action, a row or a transaction is over a limit, or a row is
	// named twice. Nothing happened.
	ErrLimit = errors.New("table: over a limit")
)

// ReasonCode says why an action of a cancelled transaction was not done.
type ReasonCode string

// The reasons. ReasonNone: this action was not at fault.
const (
	ReasonNone      ReasonCode = ""
	ReasonCondition ReasonCode = "condition"
	ReasonConflict  ReasonCode = "conflict"
	ReasonThrottled ReasonCode = "throttled"
)

// Reason is one action's part in a cancellation. Old is the row as it stood
// when a condition failed; a driver may leave it out.
type Reason struct {
	Code ReasonCode
	Old  Row
}

// Cancelled is a transaction that did nothing, with a reason per action, in
// order.
type Cancelled struct{ Reasons []Reason }

func (c *Cancelled) Error() string {
	s := "table: cancelled:"
	for i, r := range c.Reasons {
		if r.Code != ReasonNone {
			s += fmt.Sprintf(" %d %s", i, r.Code)
		}
	}
	return s
}

// Has says whether an action was cancelled for this reason.
func (c *Cancelled) Has(code ReasonCode) bool {
	for _, r := range c.Reasons {
		if r.Code == code {
			return true
		}
	}
	return false
}

// Change is what a stream tells of a committed row: its key and its new image,
// nil when it was deleted. Changes of one transaction come neither together nor
// in order.
type Change struct {
	Key Key
	New Row
}

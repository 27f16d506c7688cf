package store

import "typedinbox/shared/table"

// SchemaNumber is the number every row and event written today carries
// (08 §8). Rows of a lower number are read as they were written.
const SchemaNumber = 1

// Roles of the two tables (08 §1).
const (
	tableInbox  = "inbox"
	tableEvents = "events"
)

// Names of the indexes.
const (
	indexAll    = "all"
	indexOpen   = "open"
	indexHuman  = "human"
	indexFailed = "failed"
	indexDue    = "due"
	indexParty  = "party"
)

// Attributes beside the key. Names are short because they are paid for in every
// row; the stream's filter looks at attrReady.
const (
	attrSchema  = "v"
	attrDoc     = "d" // the row's document, JSON
	attrRev     = "r" // raised by every write that must not be lost
	attrReady   = "ready"
	attrExpires = "x"  // milliseconds; past it the row counts as absent
	attrAll     = "la" // list partitions: r or s (sandbox) and shard
	attrOpen    = "lo"
	attrHuman   = "lh"
	attrFailed  = "lm"
	attrChanged = "lt" // time of last change and id, the lists' order
	attrQueue   = "qp" // due work: kind and shard
	attrDue     = "qt" // due time and id
	attrParty   = "pp" // whose item or contact it is
	attrState   = "st" // of a mail
)

// Schema is the tables and indexes of the inbox. Indexes hold keys alone.
func Schema() table.Schema {
	return table.Schema{Tables: []table.TableSchema{
		{Name: tableInbox, Stream: true, Indexes: []table.IndexSchema{
			{Name: indexAll, Partition: attrAll, Sort: attrChanged},
			{Name: indexOpen, Partition: attrOpen, Sort: attrChanged},
			{Name: indexHuman, Partition: attrHuman, Sort: attrChanged},
			{Name: indexFailed, Partition: attrFailed, Sort: attrChanged},
			{Name: indexDue, Partition: attrQueue, Sort: attrDue},
			{Name: indexParty, Partition: attrParty, Sort: table.PartitionKey},
		}},
		{Name: tableEvents},
	}}
}

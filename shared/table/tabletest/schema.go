package tabletest

import "typedinbox/shared/table"

// The tables and attributes of the suite's schema.
const (
	Main  = "main"  // streams, two indexes
	Other = "other" // neither

	Open          = "open" // index of Main over the next two
	OpenPartition = "open_p"
	OpenSort      = "open_s"
	Due           = "due" // index of Main over the next two
	DuePartition  = "due_p"
	DueSort       = "due_s"
)

// Schema is what a [Harness]'s database must have been made with.
func Schema() table.Schema {
	return table.Schema{Tables: []table.TableSchema{
		{Name: Main, Stream: true, Indexes: []table.IndexSchema{
			{Name: Open, Partition: OpenPartition, Sort: OpenSort},
			{Name: Due, Partition: DuePartition, Sort: DueSort},
		}},
		{Name: Other},
	}}
}

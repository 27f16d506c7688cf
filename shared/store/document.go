package store

import (
	"encoding/json"
	"fmt"

	"typedinbox/shared/table"
)

// putDoc makes the row of a document: key, schema number and the JSON.
func putDoc(k table.Key, doc any) (table.Row, error) {
	b, err := json.Marshal(doc)
	if err != nil {
		return nil, fmt.Errorf("store: %s: %w", k, err)
	}
	r := newRow(k)
	r[attrDoc] = string(b)
	return r, nil
}

// readDoc reads a row's document. A row of a later schema than this code's is
// refused: it may mean something this code would lose on the next write.
func readDoc(r table.Row, into any) error {
	if n := r.Int(attrSchema); n < 1 || n > SchemaNumber {
		return fmt.Errorf("store: row %s %s has schema %d, not 1 to %d",
			r.String(table.PartitionKey), r.String(table.SortKey), n, SchemaNumber)
	}
	if err := json.Unmarshal([]byte(r.String(attrDoc)), into); err != nil {
		return fmt.Errorf("store: row %s %s: %w", r.String(table.PartitionKey), r.String(table.SortKey), err)
	}
	return nil
}

// docOf reads the document of a row that may be absent: nil of nil.
func docOf[T any](r table.Row) (*T, error) {
	if r == nil {
		return nil, nil
	}
	v := new(T)
	return v, readDoc(r, v)
}

// docsOf reads the documents of rows in order.
func docsOf[T any](rows []table.Row) ([]T, error) {
	out := make([]T, len(rows))
	for i, r := range rows {
		if err := readDoc(r, &out[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}

package table

// Table finds a table of the schema by its role; false when there is none.
func (s Schema) Table(name string) (TableSchema, bool) {
	for _, t := range s.Tables {
		if t.Name == name {
			return t, true
		}
	}
	return TableSchema{}, false
}

// Index finds an index of the table; false when there is none.
func (t TableSchema) Index(name string) (IndexSchema, bool) {
	for _, i := range t.Indexes {
		if i.Name == name {
			return i, true
		}
	}
	return IndexSchema{}, false
}

// Entry gives the index's two values of a row; false when the row lacks one of
// them and so is not in the index.
func (i IndexSchema) Entry(r Row) (partition, sort string, ok bool) {
	partition, sort = r.String(i.Partition), r.String(i.Sort)
	return partition, sort, partition != "" && sort != ""
}

// Keys is the row an index answers: the row's key and the index's two
// attributes, nothing else (KEYS_ONLY).
func (i IndexSchema) Keys(r Row) Row {
	keys := Row{}
	for _, name := range [...]string{PartitionKey, SortKey, i.Partition, i.Sort} {
		if v, ok := r[name]; ok {
			keys[name] = v
		}
	}
	return keys
}

// At is the key of the row an action is about. A Put names its table in Key
// and the rest in Row.
func (a Action) At() Key {
	if a.Kind != Put {
		return a.Key
	}
	return Key{Table: a.Key.Table, Partition: a.Row.String(PartitionKey), Sort: a.Row.String(SortKey)}
}

// Clone is a row that shares nothing with the other; nil of nil.
func (r Row) Clone() Row {
	if r == nil {
		return nil
	}
	c := make(Row, len(r))
	for name, v := range r {
		if b, ok := v.([]byte); ok {
			v = append([]byte{}, b...)
		}
		c[name] = v
	}
	return c
}

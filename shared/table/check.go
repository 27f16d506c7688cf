package table

import (
	"errors"
	"fmt"
	"unicode/utf8"
)

// Further limits of DynamoDB that both drivers hold to.
const (
	MaxToken     = 36   // bytes of a client request token
	MaxPartition = 2048 // bytes of a partition key, also an index's
	MaxSort      = 1024 // bytes of a sort key, also an index's
	MaxTerms     = 200  // attributes and comparisons in one action's expressions (4 KB of text)
)

// Check says whether a transaction is well formed and within the limits as far
// as its text shows: [ErrLimit], or an error that names the action and what is
// wrong with it. What an update makes of a row only the database can judge.
func (s Schema) Check(token string, actions []Action) error {
	switch {
	case len(actions) == 0:
		return errors.New("table: a transaction without actions")
	case len(actions) > MaxActions:
		return fmt.Errorf("%w: %d actions", ErrLimit, len(actions))
	case len(token) > MaxToken:
		return fmt.Errorf("%w: a token of %d bytes", ErrLimit, len(token))
	}
	seen := make(map[Key]struct{}, len(actions))
	total := 0
	for i := range actions {
		size, err := s.checkAction(&actions[i])
		if err != nil {
			return fmt.Errorf("table: action %d, %s of %s: %w", i, actions[i].Kind, actions[i].At(), err)
		}
		seen[actions[i].At()] = struct{}{}
		total += size
	}
	if len(seen) != len(actions) {
		return fmt.Errorf("%w: a row named twice", ErrLimit)
	}
	if total > MaxTransaction {
		return fmt.Errorf("%w: %d bytes in one transaction", ErrLimit, total)
	}
	return nil
}

// CheckKeys says whether keys can be read in one [Database.BatchGet].
func (s Schema) CheckKeys(keys []Key) error {
	if len(keys) > MaxBatchGet {
		return fmt.Errorf("%w: %d keys in one read", ErrLimit, len(keys))
	}
	seen := make(map[Key]struct{}, len(keys))
	for _, k := range keys {
		if err := s.CheckKey(k); err != nil {
			return err
		}
		seen[k] = struct{}{}
	}
	if len(seen) != len(keys) {
		return fmt.Errorf("%w: a row named twice", ErrLimit)
	}
	return nil
}

// CheckKey says whether a key can be one of the schema.
func (s Schema) CheckKey(k Key) error {
	if _, ok := s.Table(k.Table); !ok {
		return fmt.Errorf("table: unknown table %q", k.Table)
	}
	return checkKey(k)
}

func checkKey(k Key) error {
	if err := checkKeyText("partition key", k.Partition, MaxPartition); err != nil {
		return err
	}
	return checkKeyText("sort key", k.Sort, MaxSort)
}

func checkKeyText(what, s string, limit int) error {
	switch {
	case s == "":
		return fmt.Errorf("%s is empty or no string", what)
	case len(s) > limit:
		return fmt.Errorf("%w: %s of %d bytes", ErrLimit, what, len(s))
	case !utf8.ValidString(s):
		return fmt.Errorf("%s is not UTF-8", what)
	}
	return nil
}

// checkAction gives the size in bytes of what the action sends.
func (s Schema) checkAction(a *Action) (int, error) {
	t, ok := s.Table(a.Key.Table)
	if !ok {
		return 0, errors.New("unknown table")
	}
	if err := checkKey(a.At()); err != nil {
		return 0, err
	}
	size, terms, err := 0, 0, error(nil)
	switch a.Kind {
	case Put:
		size, err = checkPut(t, a)
	case Update:
		size, terms, err = checkUpdate(t, a)
	case Check:
		if a.If == nil {
			err = errors.New("a check without a condition")
		}
	case Delete:
	default:
		err = fmt.Errorf("unknown kind %d", int(a.Kind))
	}
	if err != nil {
		return 0, err
	}
	if err := checkCondition(a.If, &terms); err != nil {
		return 0, err
	}
	switch {
	case size > MaxRow:
		return 0, fmt.Errorf("%w: a row of %d bytes", ErrLimit, size)
	case terms > MaxTerms:
		return 0, fmt.Errorf("%w: %d terms in one action", ErrLimit, terms)
	}
	return size, nil
}

func checkPut(t TableSchema, a *Action) (int, error) {
	if k := a.At(); a.Key.Partition != "" && a.Key != k {
		return 0, fmt.Errorf("its key says %s", a.Key)
	}
	if len(a.Set)+len(a.Remove)+len(a.Add) > 0 {
		return 0, errors.New("a put with the parts of an update")
	}
	return Size(a.Row), checkValues(t, a.Row)
}

func checkUpdate(t TableSchema, a *Action) (size, terms int, err error) {
	terms = len(a.Set) + len(a.Remove) + len(a.Add)
	if terms == 0 || a.Row != nil {
		return 0, 0, errors.New("an update that changes nothing, or with a row")
	}
	named := make(map[string]bool, terms)
	for name := range a.Set {
		named[name] = true
	}
	for name := range a.Add {
		named[name] = true
		if t.indexes(name) {
			return 0, 0, fmt.Errorf("adds to %q, which an index uses", name)
		}
	}
	for _, name := range a.Remove {
		named[name] = true
	}
	if len(named) != terms || named[PartitionKey] || named[SortKey] || named[""] {
		return 0, 0, errors.New("names an attribute twice, the key, or nothing")
	}
	size = Size(a.Set) + len(PartitionKey) + len(SortKey) + len(a.Key.Partition) + len(a.Key.Sort)
	for name := range a.Add {
		size += len(name) + 1
	}
	return size, terms, checkValues(t, a.Set)
}

func (t TableSchema) indexes(attribute string) bool {
	for _, i := range t.Indexes {
		if i.Partition == attribute || i.Sort == attribute {
			return true
		}
	}
	return false
}

// CheckRow says whether a row as a whole may stand in the table: [ErrLimit]
// when it is too large, else what is wrong with it.
func (t TableSchema) CheckRow(r Row) error {
	if size := Size(r); size > MaxRow {
		return fmt.Errorf("%w: a row of %d bytes", ErrLimit, size)
	}
	return checkValues(t, r)
}

func checkValues(t TableSchema, r Row) error {
	for name, v := range r {
		if err := checkValue(name, v); err != nil {
			return err
		}
	}
	for _, i := range t.Indexes {
		if err := checkIndexed(r, i.Partition, MaxPartition); err != nil {
			return err
		}
		if err := checkIndexed(r, i.Sort, MaxSort); err != nil {
			return err
		}
	}
	return nil
}

func checkValue(name string, v any) error {
	if name == "" {
		return errors.New("an attribute without a name")
	}
	switch v := v.(type) {
	case string:
		if !utf8.ValidString(v) {
			return fmt.Errorf("attribute %q is not UTF-8", name)
		}
	case int64, bool, []byte:
	default:
		return fmt.Errorf("attribute %q is a %T", name, v)
	}
	return nil
}

// checkIndexed: an attribute an index uses is a string, not empty, no longer
// than a key, or absent.
func checkIndexed(r Row, name string, limit int) error {
	if !r.Has(name) {
		return nil
	}
	return checkKeyText("attribute "+name, r.String(name), limit)
}

func checkCondition(c Condition, terms *int) error {
	*terms++
	switch c := c.(type) {
	case nil:
		*terms--
	case Absent:
		return checkName(string(c))
	case Exists:
		return checkName(string(c))
	case Eq:
		if _, ok := c.Value.(bool); ok {
			return checkName(c.Name)
		}
		return checkOperand(c.Name, c.Value)
	case Lt:
		return checkOperand(c.Name, c.Value)
	case Lte:
		return checkOperand(c.Name, c.Value)
	case Not:
		if c.Of == nil {
			return errors.New("a not of nothing")
		}
		return checkCondition(c.Of, terms)
	case And:
		return checkConditions(c, terms)
	case Or:
		return checkConditions(c, terms)
	default:
		return fmt.Errorf("unknown condition %T", c)
	}
	return nil
}

func checkConditions(parts []Condition, terms *int) error {
	for _, part := range parts {
		if part == nil {
			return errors.New("an empty place in a condition")
		}
		if err := checkCondition(part, terms); err != nil {
			return err
		}
	}
	return nil
}

func checkName(name string) error {
	if name == "" {
		return errors.New("a condition on no attribute")
	}
	return nil
}

func checkOperand(name string, v any) error {
	switch v.(type) {
	case string, int64:
		return checkName(name)
	}
	return fmt.Errorf("a condition compares %q with a %T", name, v)
}

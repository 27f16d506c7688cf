package catalogue

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"typedinbox/shared/inbox"
)

// What a service is when its maker says nothing else (01 §10.1).
const (
	defaultDuration    = 60
	defaultCapacity    = 1
	defaultGranularity = 15
)

// SourceManual marks a product that somebody typed in.
const SourceManual = "manual"

// ServiceInput makes a service or changes one: a field that is not sent keeps
// its value, or gets its default on a create (03 §12).
type ServiceInput struct {
	Name            *string             `json:"name,omitempty" in:"trim,len=1..120"`
	Description     *string             `json:"description,omitempty" in:"len=0..1000"`
	DurationMin     *int                `json:"duration_min,omitempty" in:"num=5..1440"`
	BufferBeforeMin *int                `json:"buffer_before_min,omitempty" in:"num=0..240"`
	BufferAfterMin  *int                `json:"buffer_after_min,omitempty" in:"num=0..240"`
	Capacity        *int                `json:"capacity,omitempty" in:"num=1..100"`
	GranularityMin  *int                `json:"granularity_min,omitempty" in:"num=5..240"`
	Price           *inbox.ServicePrice `json:"price,omitempty"`
	Active          *bool               `json:"active,omitempty"`
	Sort            *int                `json:"sort,omitempty" in:"num=0..10000"`
	Withdrawal      *inbox.Withdrawal   `json:"withdrawal,omitempty" in:"enum=standard|personalised|perishable|sealed_hygiene|sealed_media|mixed|dated_leisure|urgent_repair|digital_started|price_fluctuates"`
	Negotiable      *bool               `json:"negotiable,omitempty"`
}

// ProductInput makes a product or changes one, as [ServiceInput] does. Stock is
// a whole number of 0 or more, or null for not counted.
type ProductInput struct {
	SKU         *string           `json:"sku,omitempty" in:"trim,len=0..64"`
	Name        *string           `json:"name,omitempty" in:"trim,len=1..200"`
	Description *string           `json:"description,omitempty" in:"len=0..2000"`
	Price       *inbox.Money      `json:"price,omitempty"`
	Stock       json.RawMessage   `json:"stock,omitempty" in:"any=integer,num=0..9007199254740991"`
	Active      *bool             `json:"active,omitempty"`
	Withdrawal  *inbox.Withdrawal `json:"withdrawal,omitempty" in:"enum=standard|personalised|perishable|sealed_hygiene|sealed_media|mixed|dated_leisure|urgent_repair|digital_started|price_fluctuates"`
	Negotiable  *bool             `json:"negotiable,omitempty"`
}

// Check says what the limits of single fields cannot: a new service needs a
// name.
func (in ServiceInput) Check(create bool) []inbox.FieldProblem {
	if create && in.Name == nil {
		return []inbox.FieldProblem{missing("name")}
	}
	return nil
}

// Check says what the limits of single fields cannot: a new product needs a name
// and a price, and stock is a count or null.
func (in ProductInput) Check(create bool) []inbox.FieldProblem {
	var problems []inbox.FieldProblem
	if create && in.Name == nil {
		problems = append(problems, missing("name"))
	}
	if create && in.Price == nil {
		problems = append(problems, missing("price"))
	}
	if _, ok := in.stock(); !ok {
		problems = append(problems, inbox.FieldProblem{Path: "stock", Problem: inbox.Invalid,
			Message: "must be a whole number of 0 or more, or null"})
	}
	return problems
}

func missing(path string) inbox.FieldProblem {
	return inbox.FieldProblem{Path: path, Problem: inbox.Missing, Message: "is required"}
}

// stock reads the count; not sent and null are nil.
func (in ProductInput) stock() (*int64, bool) {
	if len(in.Stock) == 0 {
		return nil, true
	}
	var n *int64
	if err := json.Unmarshal(in.Stock, &n); err != nil {
		return nil, false
	}
	return n, n == nil || (*n >= 0 && *n <= inbox.MaxMoney)
}

// Apply is the entry as it stands after the input: current with the fields
// that were sent, or a new one (nil current) with defaults for the others. Id,
// version and dates are the caller's.
func (in ServiceInput) Apply(current *inbox.Service) inbox.Service {
	s := inbox.Service{
		DurationMin: defaultDuration, Capacity: defaultCapacity, GranularityMin: defaultGranularity,
		Active: true, Withdrawal: inbox.WithdrawalStandard, Negotiable: true,
	}
	if current != nil {
		s = *current
	}
	set(&s.Name, in.Name)
	set(&s.Description, in.Description)
	set(&s.DurationMin, in.DurationMin)
	set(&s.BufferBeforeMin, in.BufferBeforeMin)
	set(&s.BufferAfterMin, in.BufferAfterMin)
	set(&s.Capacity, in.Capacity)
	set(&s.GranularityMin, in.GranularityMin)
	set(&s.Active, in.Active)
	set(&s.Sort, in.Sort)
	set(&s.Withdrawal, in.Withdrawal)
	set(&s.Negotiable, in.Negotiable)
	if in.Price != nil {
		s.Price = normal(*in.Price)
	}
	return s
}

// Apply is the entry as it stands after the input, like [ServiceInput.Apply].
func (in ProductInput) Apply(current *inbox.Product) inbox.Product {
	p := inbox.Product{Active: true, Withdrawal: inbox.WithdrawalStandard, Negotiable: true, Source: SourceManual}
	if current != nil {
		p = *current
	}
	set(&p.SKU, in.SKU)
	set(&p.Name, in.Name)
	set(&p.Description, in.Description)
	set(&p.Price, in.Price)
	set(&p.Active, in.Active)
	set(&p.Withdrawal, in.Withdrawal)
	set(&p.Negotiable, in.Negotiable)
	if len(in.Stock) > 0 {
		p.Stock, _ = in.stock()
	}
	return p
}

func set[T any](field *T, sent *T) {
	if sent != nil {
		*field = *sent
	}
}

// normal is a service's price as it is stored: a price by quote names no amount,
// a fixed one says what it is for (02 §6.1).
func normal(p inbox.ServicePrice) *inbox.ServicePrice {
	p.Currency = strings.ToUpper(p.Currency)
	switch {
	case p.Model == ModelQuote:
		return &inbox.ServicePrice{Model: ModelQuote}
	case p.Model == ModelFixed && p.Per == "":
		p.Per = PerBooking
	}
	return &p
}

// SortServices puts services in the order of lists: active ones first, then by
// sort and name (03 §12).
func SortServices(list []inbox.Service) {
	slices.SortStableFunc(list, func(a, b inbox.Service) int {
		return cmp.Or(activeFirst(a.Active, b.Active), cmp.Compare(a.Sort, b.Sort), byName(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
}

// SortProducts puts products in the order of lists: active ones first, then by
// name (03 §12).
func SortProducts(list []inbox.Product) {
	slices.SortStableFunc(list, func(a, b inbox.Product) int {
		return cmp.Or(activeFirst(a.Active, b.Active), byName(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
}

func activeFirst(a, b bool) int { return number(b) - number(a) }

func byName(a, b string) int {
	return cmp.Or(cmp.Compare(strings.ToLower(a), strings.ToLower(b)), cmp.Compare(a, b))
}

func number(active bool) int {
	if active {
		return 1
	}
	return 0
}

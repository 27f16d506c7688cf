package catalogue

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

func decode[T any](t *testing.T, body string) T {
	t.Helper()
	var v T
	if err := json.Unmarshal([]byte(body), &v); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return v
}

func TestServiceInput(t *testing.T) {
	full := inbox.Service{
		ID: "S", Name: "Cut", Description: "d", DurationMin: 45, BufferBeforeMin: 5, BufferAfterMin: 10, Capacity: 3, GranularityMin: 20,
		Price: fixed(100, PerPerson), Active: true, Sort: 7, Withdrawal: "dated_leisure", Negotiable: false, Version: 4, CreatedAt: 1, UpdatedAt: 2,
	}
	changed := func(f func(*inbox.Service)) inbox.Service { s := full; f(&s); return s }
	fresh := inbox.Service{Name: "Cut", DurationMin: 60, Capacity: 1, GranularityMin: 15, Active: true, Withdrawal: "standard", Negotiable: true}
	made := func(f func(*inbox.Service)) inbox.Service { s := fresh; f(&s); return s }
	for name, c := range map[string]struct {
		body    string
		current *inbox.Service
		want    inbox.Service
	}{
		"ok/defaults":           {`{"name":"Cut"}`, nil, fresh},
		"ok/made whole":         {`{"name":"Cut","description":"x","duration_min":5,"buffer_before_min":1,"buffer_after_min":2,"capacity":9,"granularity_min":5,"active":false,"sort":3,"withdrawal":"mixed","negotiable":false}`, nil, inbox.Service{Name: "Cut", Description: "x", DurationMin: 5, BufferBeforeMin: 1, BufferAfterMin: 2, Capacity: 9, GranularityMin: 5, Sort: 3, Withdrawal: "mixed"}},
		"ok/fixed is a booking": {`{"name":"Cut","price":{"model":"fixed","value":4500,"currency":"usd"}}`, nil, made(func(s *inbox.Service) { s.Price = fixed(4500, PerBooking); s.Price.Currency = "USD" })},
		"ok/from keeps value":   {`{"name":"Cut","price":{"model":"from","value":4500}}`, nil, made(func(s *inbox.Service) { s.Price = &inbox.ServicePrice{Model: ModelFrom, Value: inbox.Ptr(int64(4500))} })},
		"ok/quote names none":   {`{"name":"Cut","price":{"model":"quote","value":4500,"currency":"EUR","per":"person"}}`, nil, made(func(s *inbox.Service) { s.Price = &inbox.ServicePrice{Model: ModelQuote} })},
		"ok/empty patch":        {`{}`, &full, full},
		"ok/patch one":          {`{"duration_min":50}`, &full, changed(func(s *inbox.Service) { s.DurationMin = 50 })},
		"ok/patch to zero":      {`{"description":"","buffer_before_min":0,"sort":0,"active":false}`, &full, changed(func(s *inbox.Service) { s.Description, s.BufferBeforeMin, s.Sort, s.Active = "", 0, 0, false })},
		"ok/null is not sent":   {`{"name":null,"price":null,"capacity":null}`, &full, full},
	} {
		in := decode[ServiceInput](t, c.body)
		if got := in.Apply(c.current); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v\nwant %+v", name, got, c.want)
		}
		if p := in.Check(c.current == nil); len(p) > 0 {
			t.Errorf("%s: %v", name, p)
		}
	}
	if full.DurationMin != 45 {
		t.Error("a patch wrote into the entry it was given")
	}
	if p := (ServiceInput{}).Check(true); len(p) != 1 || p[0].Path != "name" || p[0].Problem != inbox.Missing {
		t.Errorf("fail/no name: %v", p)
	}
}

func TestProductInput(t *testing.T) {
	full := inbox.Product{ID: "P", SKU: "c-1", Name: "Chain", Description: "d", Price: *eur(1850), Stock: inbox.Ptr(int64(4)), Active: true, Withdrawal: "perishable", Source: "feed:https://shop.example/feed", ExternalID: "77", Version: 2}
	changed := func(f func(*inbox.Product)) inbox.Product { p := full; f(&p); return p }
	for name, c := range map[string]struct {
		body    string
		current *inbox.Product
		want    inbox.Product
		paths   string
	}{
		"ok/defaults":          {`{"name":"Chain","price":{"value":1850,"currency":"eur"}}`, nil, inbox.Product{Name: "Chain", Price: *eur(1850), Active: true, Withdrawal: "standard", Negotiable: true, Source: "manual"}, ""},
		"ok/with stock":        {`{"name":"Chain","sku":"a","price":{"value":0,"currency":"EUR"},"stock":0}`, nil, inbox.Product{Name: "Chain", SKU: "a", Price: *eur(0), Stock: inbox.Ptr(int64(0)), Active: true, Withdrawal: "standard", Negotiable: true, Source: "manual"}, ""},
		"ok/empty patch":       {`{}`, &full, full, ""},
		"ok/stock not counted": {`{"stock":null}`, &full, changed(func(p *inbox.Product) { p.Stock = nil }), ""},
		"ok/stock counted":     {`{"stock":9}`, &full, changed(func(p *inbox.Product) { p.Stock = inbox.Ptr(int64(9)) }), ""},
		"ok/price alone":       {`{"price":{"value":5,"currency":"EUR"}}`, &full, changed(func(p *inbox.Product) { p.Price = *eur(5) }), ""},
		"ok/marks": {`{"withdrawal":"mixed","negotiable":true,"active":false,"sku":"","description":""}`, &full, changed(func(p *inbox.Product) {
			p.Withdrawal, p.Negotiable, p.Active, p.SKU, p.Description = "mixed", true, false, "", ""
		}), ""},
		"fail/nothing":           {`{}`, nil, inbox.Product{}, "name price"},
		"fail/stock negative":    {`{"stock":-1}`, &full, inbox.Product{}, "stock"},
		"fail/stock a fraction":  {`{"stock":1.5}`, &full, inbox.Product{}, "stock"},
		"fail/stock in words":    {`{"stock":"4"}`, &full, inbox.Product{}, "stock"},
		"fail/stock past counts": {`{"stock":9007199254740992}`, &full, inbox.Product{}, "stock"},
	} {
		in := decode[ProductInput](t, c.body)
		var paths []string
		for _, p := range in.Check(c.current == nil) {
			paths = append(paths, p.Path)
		}
		if got := strings.Join(paths, " "); got != c.paths {
			t.Errorf("%s: problems on %q", name, got)
		}
		if got := in.Apply(c.current); c.paths == "" && !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v\nwant %+v", name, got, c.want)
		}
	}
}

func TestOrder(t *testing.T) {
	services := []inbox.Service{
		{ID: "6", Name: "a", Active: false}, {ID: "5", Name: "a", Active: true, Sort: 2}, {ID: "4", Name: "b", Active: true},
		{ID: "3", Name: "A", Active: true}, {ID: "2", Name: "a", Active: true}, {ID: "1", Name: "a", Active: true},
	}
	SortServices(services)
	var ids string
	for _, s := range services {
		ids += s.ID
	}
	if ids != "312456" {
		t.Errorf("services stand as %s", ids)
	}
	products := []inbox.Product{{ID: "3", Name: "z"}, {ID: "2", Name: "b", Active: true}, {ID: "1", Name: "a", Active: true}}
	SortProducts(products)
	if products[0].ID+products[1].ID+products[2].ID != "123" {
		t.Errorf("products stand as %v", products)
	}
}

// TestViews writes every view, so that a field added to an entry is told to
// nobody by accident.
func TestViews(t *testing.T) {
	s := inbox.Service{ID: "S", Name: "Cut", DurationMin: 45, BufferBeforeMin: 5, BufferAfterMin: 10, Capacity: 3, GranularityMin: 20, Price: fixed(100, PerPerson), Active: true, Sort: 7, Withdrawal: "standard", Negotiable: true, Version: 4}
	p := inbox.Product{ID: "P", SKU: "c", Name: "Chain", Price: *eur(1850), Withdrawal: "mixed", Negotiable: true, Source: "feed:https://shop.example/f", ExternalID: "77", Version: 2}
	const service = `"id":"S","name":"Cut","description":"","durationMin":45,"bufferBeforeMin":5,"bufferAfterMin":10,"capacity":3,"granularityMin":20,`
	const product = `"id":"P","sku":"c","name":"Chain","description":"","price":{"value":1850,"currency":"EUR"},"stock":null,"active":0,"withdrawal":"mixed"`
	for name, c := range map[string]struct {
		view any
		want string
	}{
		"ok/service in public":        {Public(s, "EUR"), `{` + service + `"price":{"model":"fixed","value":100,"currency":"EUR","per":"person"},"active":1,"sort":7,"withdrawal":"standard"}`},
		"ok/unpriced service":         {Public(inbox.Service{ID: "S"}, "EUR").Price, `null`},
		"ok/by quote names no money":  {Public(inbox.Service{Price: &inbox.ServicePrice{Model: ModelQuote}}, "EUR").Price, `{"model":"quote"}`},
		"ok/service for the business": {View(s), `{` + service + `"price":{"model":"fixed","value":100,"per":"person"},"active":1,"sort":7,"withdrawal":"standard","negotiable":true,"version":4,"createdAt":"1970-01-01T00:00:00.000Z","updatedAt":"1970-01-01T00:00:00.000Z"}`},
		"ok/product in public":        {PublicProductOf(p), `{` + product + `}`},
		"ok/product for the business": {ProductViewOf(p), `{` + product + `,"negotiable":true,"source":"feed:https://shop.example/f","externalId":"77","version":2,"createdAt":"1970-01-01T00:00:00.000Z","updatedAt":"1970-01-01T00:00:00.000Z"}`},
	} {
		got, err := json.Marshal(c.view)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %v\n%s\nwant %s", name, err, got, c.want)
		}
	}
	if s.Price.Currency != "" {
		t.Error("the public view wrote into the entry")
	}
}

package catalogue

import (
	"fmt"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"typedinbox/shared/inbox"
)

func product(id, sku, name string, price int64) inbox.Product {
	return inbox.Product{ID: id, SKU: sku, Name: name, Price: *eur(price), Active: true, Withdrawal: inbox.WithdrawalStandard}
}

var shop = Products{
	product("HONEY", "MEL-1", "Rosemary honey, 500 g", 850),
	product("CASE", "CASE-1", "Gift case", 1850),
	{ID: "OLD", SKU: "OLD-1", Name: "Sold no more", Price: *eur(100), Withdrawal: "perishable"},
	{ID: "YEN", SKU: "YEN-1", Name: "Imported", Price: inbox.Money{Value: 500, Currency: "JPY"}, Active: true, Withdrawal: "sealed_media"},
	{ID: "GOLD", SKU: "GOLD-1", Name: "A planet", Price: *eur(inbox.MaxMoney), Active: true},
}

func line(id, sku, name string, quantity int64, price *inbox.Money) inbox.OrderLine {
	return inbox.OrderLine{ProductID: id, SKU: sku, Name: name, Quantity: quantity, Price: *price}
}

func ordered(total *inbox.Money, lines ...inbox.OrderLine) inbox.Order {
	return inbox.Order{OrderedItem: lines, TotalPrice: *total}
}

// TestPriceOrder holds the rows for orders of 02 §13.3 and every branch of
// 02 §6.3.
func TestPriceOrder(t *testing.T) {
	honey := func(quantity int64) inbox.OrderLine {
		return line("HONEY", "MEL-1", "Rosemary honey, 500 g", quantity, eur(850))
	}
	kase := func(quantity int64) inbox.OrderLine { return line("CASE", "CASE-1", "Gift case", quantity, eur(1850)) }
	engraving := line("", "", "engraving", 1, eur(500))
	stated := func(l inbox.OrderLine, m *inbox.Money) inbox.OrderLine { l.CustomerStatedPrice = m; return l }
	usd := &inbox.Money{Value: 850, Currency: "USD"}
	for name, c := range map[string]struct {
		request  inbox.Order
		want     inbox.Order
		stated   *inbox.Money
		unpriced bool
	}{
		"ok/3 × 8.50 and an engraving": {
			ordered(eur(3050), line("HONEY", "", "honey", 3, eur(850)), engraving),
			ordered(eur(3050), honey(3), engraving), nil, true},
		"ok/stated total of 1.00 for 2 × 18.50": {
			ordered(eur(100), line("CASE", "", "case", 2, eur(1850))),
			ordered(eur(3700), kase(2)), eur(100), false},
		"ok/by sku": {
			ordered(eur(850), line("", "MEL-1", "x", 1, eur(850))), ordered(eur(850), honey(1)), nil, false},
		"ok/by both": {
			ordered(eur(850), line("HONEY", "MEL-1", "x", 1, eur(850))), ordered(eur(850), honey(1)), nil, false},
		"ok/unknown id, known sku": {
			ordered(eur(850), line("NONE", "MEL-1", "x", 1, eur(850))), ordered(eur(850), honey(1)), nil, false},
		"ok/known id, unknown sku": {
			ordered(eur(850), line("HONEY", "NONE", "x", 1, eur(850))), ordered(eur(850), honey(1)), nil, false},
		"ok/stated unit price": {
			ordered(eur(1000), line("HONEY", "", "x", 2, eur(500))),
			ordered(eur(1700), stated(honey(2), eur(500))), eur(1000), false},
		"ok/stated unit price in other money": {
			ordered(eur(850), line("HONEY", "", "x", 1, usd)),
			ordered(eur(850), stated(honey(1), usd)), nil, false},
		"ok/stated total in other money": {
			ordered(usd, line("HONEY", "", "x", 1, eur(850))), ordered(eur(850), honey(1)), usd, false},
		"ok/no line of the catalogue's stays as written": {
			ordered(eur(77), engraving, line("", "", "framing", 2, eur(900))),
			ordered(eur(77), engraving, line("", "", "framing", 2, eur(900))), nil, true},
		"ok/mixed money, none of the catalogue's": {
			ordered(eur(77), engraving, line("", "", "framing", 2, usd)),
			ordered(eur(77), engraving, line("", "", "framing", 2, usd)), nil, true},
		"ok/an archived product is none": {
			ordered(eur(90), line("OLD", "", "x", 1, eur(90))), ordered(eur(90), line("OLD", "", "x", 1, eur(90))), nil, true},
		"ok/largest": {
			ordered(eur(inbox.MaxMoney), line("GOLD", "", "x", 1, eur(1))),
			ordered(eur(inbox.MaxMoney), stated(line("GOLD", "GOLD-1", "A planet", 1, eur(inbox.MaxMoney)), eur(1))), nil, false},
	} {
		c.request.CustomerStatedPrice, c.request.Personalised = eur(9), &inbox.Personalised{ListPrice: *eur(9)}
		for i := range c.request.OrderedItem {
			c.request.OrderedItem[i].CustomerStatedPrice, c.request.OrderedItem[i].ListPrice = eur(9), eur(9)
		}
		c.want.CustomerStatedPrice = c.stated
		before := append([]inbox.OrderLine{}, c.request.OrderedItem...)
		got, unpriced, problems := PriceOrder(c.request, shop)
		if len(problems) > 0 || unpriced != c.unpriced || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v unpriced %v %v\nwant %+v", name, got, unpriced, problems, c.want)
		}
		if !reflect.DeepEqual(before, c.request.OrderedItem) {
			t.Errorf("%s: the request was changed", name)
		}
	}
}

func TestPriceOrderProblems(t *testing.T) {
	for name, c := range map[string]struct {
		request inbox.Order
		paths   []string
	}{
		"fail/sku of another product": {
			ordered(eur(1), line("CASE", "", "x", 1, eur(1)), line("HONEY", "CASE-1", "x", 1, eur(1))),
			[]string{"payload.orderedItem.1.sku"}},
		"fail/another currency": {
			ordered(eur(1), line("HONEY", "", "x", 1, eur(1)), line("", "", "x", 1, &inbox.Money{Value: 1, Currency: "USD"}), line("YEN", "", "x", 1, eur(1))),
			[]string{"payload.orderedItem.1.price.currency", "payload.orderedItem.2.price.currency"}},
		"fail/line too large": {
			ordered(eur(1), line("HONEY", "", "x", 1, eur(1)), line("GOLD", "", "x", 2, eur(1))),
			[]string{"payload.orderedItem.1.quantity"}},
		"fail/sum too large": {
			ordered(eur(1), line("GOLD", "", "x", 1, eur(1)), line("HONEY", "", "x", 1, eur(1))),
			[]string{"payload.totalPrice"}},
		"fail/own line too large": {
			ordered(eur(1), line("", "", "x", inbox.MaxMoney, eur(2))),
			[]string{"payload.orderedItem.0.quantity"}},
	} {
		_, _, problems := PriceOrder(c.request, shop)
		var paths []string
		for _, p := range problems {
			paths = append(paths, p.Path)
		}
		if !reflect.DeepEqual(paths, c.paths) {
			t.Errorf("%s: %v, want %v", name, problems, c.paths)
		}
	}
}

// TestPriceOrderTotals: with a line of the catalogue's the total is the sum of
// the lines, never past the largest amount, whatever was asked.
func TestPriceOrderTotals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := make([]inbox.OrderLine, rapid.IntRange(1, 200).Draw(t, "lines"))
		for i := range lines {
			lines[i] = line(
				rapid.SampledFrom([]string{"", "HONEY", "CASE", "GOLD", "NONE"}).Draw(t, "id"),
				rapid.SampledFrom([]string{"", "MEL-1"}).Draw(t, "sku"), "x",
				rapid.Int64Range(1, inbox.MaxMoney).Draw(t, "quantity")>>rapid.IntRange(0, 52).Draw(t, "shift")+1,
				eur(rapid.Int64Range(0, 1<<40).Draw(t, "price")))
		}
		o, unpriced, problems := PriceOrder(ordered(eur(rapid.Int64Range(0, inbox.MaxMoney).Draw(t, "total")), lines...), shop)
		if len(problems) > 0 {
			return
		}
		var sum float64
		var total int64
		named := false
		for i, l := range o.OrderedItem {
			sum += float64(l.Price.Value) * float64(l.Quantity)
			total += l.Price.Value * l.Quantity
			if p, _ := shop.Of(lines[i]); p != nil {
				named = true
				if l.Price != p.Price || l.ProductID != p.ID || l.Name != p.Name {
					t.Fatalf("line %d is not the catalogue's: %+v", i, l)
				}
			} else if !reflect.DeepEqual(l, lines[i]) || !unpriced {
				t.Fatalf("line %d: %+v", i, l)
			}
		}
		if sum > 1.01*inbox.MaxMoney {
			t.Fatalf("a sum of %v was taken", sum)
		}
		if named && o.TotalPrice.Value != total {
			t.Fatalf("total %d, want %d", o.TotalPrice.Value, total)
		}
		if !named && o.CustomerStatedPrice != nil {
			t.Fatal("a stated price without a price of the catalogue's")
		}
	})
}

func TestOrderLines(t *testing.T) {
	lines := []inbox.OrderLine{line("HONEY", "", "x", 1, eur(850)), line("", "YEN-1", "x", 1, eur(1)), line("", "", "own", 1, eur(1)), line("OLD", "OLD-1", "x", 1, eur(1)), line("HONEY", "MEL-1", "x", 1, eur(850))}
	ids, skus := Refs(lines)
	if fmt.Sprint(ids, skus) != "[HONEY OLD] [YEN-1 OLD-1 MEL-1]" {
		t.Errorf("named: %v %v", ids, skus)
	}
	if got := OrderFlags(lines, shop); fmt.Sprint(got) != "[standard sealed_media standard perishable standard]" {
		t.Errorf("flags: %v", got)
	}
	for name, c := range map[string]struct {
		lines     []inbox.OrderLine
		all, list bool
	}{
		"ok/at list prices":              {[]inbox.OrderLine{lines[0], lines[4]}, true, true},
		"fail/another price":             {[]inbox.OrderLine{lines[0], line("CASE", "", "x", 1, eur(1849))}, true, false},
		"fail/a line of its own":         {[]inbox.OrderLine{lines[0], lines[2]}, false, false},
		"fail/a product on sale no more": {[]inbox.OrderLine{lines[3]}, false, false},
	} {
		if AllCatalogue(c.lines, shop) != c.all || OrderAtListPrices(inbox.Order{OrderedItem: c.lines}, shop) != c.list {
			t.Errorf("%s", name)
		}
	}
}

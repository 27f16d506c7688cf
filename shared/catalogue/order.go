package catalogue

import (
	"slices"
	"strconv"
	"strings"

	"typedinbox/shared/inbox"
)

const maxSKU = 100 // characters of a line's sku

// Products are the catalogue's entries that an order's lines name, those of
// them that exist; the order does not matter.
type Products []inbox.Product

// Refs lists the product ids and skus that lines name, each once, in the order
// of the lines.
func Refs(lines []inbox.OrderLine) (ids, skus []string) {
	for _, l := range lines {
		if l.ProductID != "" && !slices.Contains(ids, l.ProductID) {
			ids = append(ids, l.ProductID)
		}
		if l.SKU != "" && !slices.Contains(skus, l.SKU) {
			skus = append(skus, l.SKU)
		}
	}
	return ids, skus
}

// Of is the product a line names, by its id, else by its sku, nil for none. One
// that is not on sale is none (02 §6.3). conflict says that id and sku name two
// different products.
func (ps Products) Of(l inbox.OrderLine) (p *inbox.Product, conflict bool) {
	byID := ps.find(func(p inbox.Product) bool { return l.ProductID != "" && p.ID == l.ProductID })
	bySKU := ps.find(func(p inbox.Product) bool { return l.SKU != "" && p.SKU == l.SKU })
	switch {
	case byID == nil:
		return bySKU, false
	case bySKU == nil:
		return byID, false
	}
	return byID, byID.ID != bySKU.ID
}

func (ps Products) find(is func(inbox.Product) bool) *inbox.Product {
	for i := range ps {
		if ps[i].Active && is(ps[i]) {
			return &ps[i]
		}
	}
	return nil
}

// PriceOrder prices a customer's order as the catalogue does (01 §1.5,
// 02 §6.3). A line that names a product takes its id, sku, name and price; a
// unit price the request states instead is kept as the line's
// customerStatedPrice. A line that names none stays as written and makes the
// order unpriced: it holds a price the catalogue does not give. With at least
// one line of the catalogue's, every line is in its currency and the total is
// the sum of price × quantity; another stated total is kept as the order's
// customerStatedPrice. Without one, lines and total stay as written.
//
// Problems, on paths from "payload": a sku of another product than the
// productId's, a line in another currency, amounts past the largest.
func PriceOrder(o inbox.Order, products Products) (priced inbox.Order, unpriced bool, problems []inbox.FieldProblem) {
	o.CustomerStatedPrice, o.Personalised = nil, nil
	o.OrderedItem = slices.Clone(o.OrderedItem)
	var currency string
	for i := range o.OrderedItem {
		l := &o.OrderedItem[i]
		l.CustomerStatedPrice, l.ListPrice = nil, nil
		p, conflict := products.Of(*l)
		switch {
		case conflict:
			problems = append(problems, invalid(linePath(i, "sku"), "names another product than productId does"))
		case p == nil:
			unpriced = true
		default:
			priceLine(l, p)
			if currency == "" {
				currency = l.Price.Currency
			}
		}
	}
	if len(problems) > 0 {
		return o, unpriced, problems
	}
	if problems = oneCurrency(o.OrderedItem, currency); len(problems) > 0 {
		return o, unpriced, problems
	}
	total, problems := Total(o.OrderedItem, "payload")
	if currency != "" && len(problems) == 0 && !o.TotalPrice.Same(total) {
		o.CustomerStatedPrice = inbox.Ptr(o.TotalPrice)
		o.TotalPrice = total
	}
	if currency != "" {
		o.TotalPrice.Currency = total.Currency
	}
	return o, unpriced, problems
}

// priceLine makes a line the catalogue's.
func priceLine(l *inbox.OrderLine, p *inbox.Product) {
	if stated := l.Price; !stated.Same(p.Price) {
		l.CustomerStatedPrice = &stated
	}
	l.ProductID, l.SKU, l.Name = p.ID, Cut(p.SKU, maxSKU), Cut(p.Name, maxName)
	l.Price = inbox.Money{Value: p.Price.Value, Currency: strings.ToUpper(p.Price.Currency)}
}

// oneCurrency refuses lines in another currency than the catalogue's; "" allows
// any.
func oneCurrency(lines []inbox.OrderLine, currency string) (problems []inbox.FieldProblem) {
	for i, l := range lines {
		if currency != "" && !strings.EqualFold(l.Price.Currency, currency) {
			problems = append(problems, invalid(linePath(i, "price.currency"), "must be "+currency+", as the other lines are"))
		}
	}
	return problems
}

// Total is the sum of price × quantity of lines in one currency, which is the
// first line's. A line or a sum past the largest amount is a problem on the
// field that caused it, with paths from under (02 §0.1); the currency of the
// lines is the caller's to compare.
func Total(lines []inbox.OrderLine, under string) (inbox.Money, []inbox.FieldProblem) {
	var sum inbox.Money
	var problems []inbox.FieldProblem
	for i, l := range lines {
		if i == 0 {
			sum.Currency = l.Price.Currency
		}
		total, err := l.Price.Times(l.Quantity)
		if err != nil {
			problems = append(problems, tooLarge(under+"."+orderedItem+"."+strconv.Itoa(i)+".quantity"))
			continue
		}
		if sum, err = sum.Plus(total); err != nil {
			return sum, append(problems, tooLarge(under+".totalPrice"))
		}
	}
	return sum, problems
}

// AllCatalogue says whether every line names a product on sale.
func AllCatalogue(lines []inbox.OrderLine, products Products) bool {
	return !slices.ContainsFunc(lines, func(l inbox.OrderLine) bool {
		p, _ := products.Of(l)
		return p == nil
	})
}

// OrderAtListPrices says whether every line of an order is a product at its
// list price: what automation may accept before its limits exist (09).
func OrderAtListPrices(o inbox.Order, products Products) bool {
	return !slices.ContainsFunc(o.OrderedItem, func(l inbox.OrderLine) bool {
		p, _ := products.Of(l)
		return p == nil || !l.Price.Same(p.Price)
	})
}

// OrderFlags are the withdrawal flags of an order's lines as the catalogue says
// now, one per line; a line that names no product is standard (02 §9.2).
func OrderFlags(lines []inbox.OrderLine, products Products) []inbox.Withdrawal {
	flags := make([]inbox.Withdrawal, len(lines))
	for i, l := range lines {
		flags[i] = inbox.WithdrawalStandard
		if p := products.any(l); p != nil && p.Withdrawal != "" {
			flags[i] = p.Withdrawal
		}
	}
	return flags
}

// any is the product a line names, on sale or not.
func (ps Products) any(l inbox.OrderLine) *inbox.Product {
	for _, is := range []func(inbox.Product) bool{
		func(p inbox.Product) bool { return l.ProductID != "" && p.ID == l.ProductID },
		func(p inbox.Product) bool { return l.SKU != "" && p.SKU == l.SKU },
	} {
		if i := slices.IndexFunc(ps, is); i >= 0 {
			return &ps[i]
		}
	}
	return nil
}

const orderedItem = "orderedItem"

func linePath(i int, field string) string {
	return "payload." + orderedItem + "." + strconv.Itoa(i) + "." + field
}

func invalid(path, message string) inbox.FieldProblem {
	return inbox.FieldProblem{Path: path, Problem: inbox.Invalid, Message: message}
}

func tooLarge(path string) inbox.FieldProblem { return invalid(path, inbox.ErrTooLarge().Error()) }

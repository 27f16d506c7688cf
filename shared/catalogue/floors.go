package catalogue

import (
	"slices"
	"strconv"

	"typedinbox/shared/inbox"
)

// The kinds of entry a floor can be of (03 §6.5).
const (
	KindProduct = "product"
	KindService = "service"
)

// FloorProducts lists the products that floors name, each once.
func FloorProducts(floors []inbox.Floor) (ids []string) {
	for _, f := range floors {
		if f.Kind == KindProduct && !slices.Contains(ids, f.RefID) {
			ids = append(ids, f.RefID)
		}
	}
	return ids
}

// CheckFloors says what is wrong with floors, by paths from "floors": an entry
// that does not exist, one named twice, and a floor above the entry's price
// (02 §6.4, 03 §6.5). An entry may be archived; one that names no amount takes
// any floor.
func CheckFloors(floors []inbox.Floor, services []inbox.Service, products []inbox.Product) (problems []inbox.FieldProblem) {
	for i, f := range floors {
		bad := func(field, message string) {
			path := "floors." + strconv.Itoa(i) + "." + field
			problems = append(problems, inbox.FieldProblem{Path: path, Problem: inbox.Invalid, Message: message})
		}
		price, known := floorPrice(f, services, products)
		switch {
		case !known:
			bad("ref_id", "there is no such "+f.Kind)
		case slices.ContainsFunc(floors[:i], func(o inbox.Floor) bool { return o.Kind == f.Kind && o.RefID == f.RefID }):
			bad("ref_id", "is named twice")
		case f.FloorMinor != nil && price != nil && *f.FloorMinor > *price:
			bad("floor_minor", "is above the price")
		}
	}
	return problems
}

// floorPrice is the price of the entry a floor is of, nil where it names none.
func floorPrice(f inbox.Floor, services []inbox.Service, products []inbox.Product) (price *int64, known bool) {
	if f.Kind == KindProduct {
		i := slices.IndexFunc(products, func(p inbox.Product) bool { return p.ID == f.RefID })
		if i < 0 {
			return nil, false
		}
		return &products[i].Price.Value, true
	}
	i := slices.IndexFunc(services, func(s inbox.Service) bool { return s.ID == f.RefID })
	if i < 0 || services[i].Price == nil {
		return nil, i >= 0
	}
	return services[i].Price.Value, true
}

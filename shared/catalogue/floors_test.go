package catalogue_test

import (
	"slices"
	"testing"

	"typedinbox/shared/catalogue"
	"typedinbox/shared/inbox"
)

func TestCheckFloors(t *testing.T) {
	services := []inbox.Service{
		{ID: "S1", Price: &inbox.ServicePrice{Model: "fixed", Value: inbox.Ptr[int64](2000)}},
		{ID: "S2", Price: &inbox.ServicePrice{Model: "quote"}}, {ID: "S3"},
		{ID: "S4", Price: &inbox.ServicePrice{Model: "from", Value: inbox.Ptr[int64](500)}},
	}
	products := []inbox.Product{{ID: "P1", Price: inbox.Money{Value: 900, Currency: "EUR"}}, {ID: "P2", Active: false}}
	floor := func(kind, id string, minor int64) inbox.Floor {
		return inbox.Floor{Kind: kind, RefID: id, FloorMinor: &minor}
	}
	cases := map[string]struct {
		floors []inbox.Floor
		want   []string
	}{
		"ok/at the price":              {[]inbox.Floor{floor("service", "S1", 2000), floor("product", "P1", 900)}, nil},
		"ok/nothing":                   {[]inbox.Floor{floor("product", "P1", 0)}, nil},
		"ok/no amount to compare":      {[]inbox.Floor{floor("service", "S2", 1<<40), floor("service", "S3", 1)}, nil},
		"ok/cleared":                   {[]inbox.Floor{{Kind: "product", RefID: "P1"}}, nil},
		"ok/archived":                  {[]inbox.Floor{floor("product", "P2", 0)}, nil},
		"ok/one id of either kind":     {[]inbox.Floor{floor("product", "P1", 1), floor("service", "S1", 1)}, nil},
		"fail/above the price":         {[]inbox.Floor{floor("service", "S1", 2001)}, []string{"floors.0.floor_minor"}},
		"fail/above a price from":      {[]inbox.Floor{floor("service", "S4", 501)}, []string{"floors.0.floor_minor"}},
		"fail/a product's":             {[]inbox.Floor{floor("product", "P1", 0), floor("product", "P1", 901)}, []string{"floors.1.ref_id"}},
		"fail/unknown":                 {[]inbox.Floor{floor("product", "S1", 1), {Kind: "service", RefID: "P1"}}, []string{"floors.0.ref_id", "floors.1.ref_id"}},
		"fail/a product's above":       {[]inbox.Floor{floor("product", "P1", 901)}, []string{"floors.0.floor_minor"}},
		"fail/twice, once to clear it": {[]inbox.Floor{floor("product", "P1", 1), {Kind: "product", RefID: "P1"}}, []string{"floors.1.ref_id"}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var got []string
			for _, p := range catalogue.CheckFloors(c.floors, services, products) {
				got = append(got, p.Path)
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("faults %v, want %v", got, c.want)
			}
		})
	}
	if ids := catalogue.FloorProducts(append(cases["fail/unknown"].floors, floor("product", "S1", 2))); !slices.Equal(ids, []string{"S1"}) {
		t.Errorf("products %v", ids)
	}
}

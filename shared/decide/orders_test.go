package decide

import (
	"fmt"

	"typedinbox/shared/inbox"
)

// products is what the shop of the tests sells.
func products() []inbox.Product {
	return []inbox.Product{
		{ID: "HONEY", SKU: "MEL-1", Name: "Rosemary honey, 500 g", Price: *eur(850), Active: true, Withdrawal: inbox.WithdrawalStandard, Version: 1},
		{ID: "CASE", SKU: "CASE-1", Name: "Gift case", Price: *eur(1850), Active: true, Withdrawal: inbox.WithdrawalStandard, Version: 1},
	}
}

// orderRequest is the usual order: 35.50 in all.
func orderRequest() CreateRequest {
	return CreateRequest{
		Type: inbox.TypeOrder,
		Payload: inbox.Payload{Order: &inbox.Order{
			OrderedItem: []inbox.OrderLine{
				{ProductID: "HONEY", Name: "honey", Quantity: 2, Price: *eur(850)},
				{SKU: "CASE-1", Name: "case", Quantity: 1, Price: *eur(1850)},
			},
			TotalPrice: *eur(3550),
		}},
		Contact: &inbox.Contact{Name: "Ana", Email: "ana@example.pt"},
	}
}

// quoteRequest asks for the price of painting a room.
func quoteRequest() CreateRequest {
	return CreateRequest{
		Type: inbox.TypeQuote,
		Payload: inbox.Payload{Quote: &inbox.QuoteRequest{
			ItemOffered: inbox.ItemOffered{Name: "Painting a room"}, Description: "Four walls, white.",
		}},
		Contact: &inbox.Contact{Name: "Ana", Email: "ana@example.pt"},
	}
}

// orderProposal is the input of so many jars and a case.
func orderProposal(jars int) string {
	return fmt.Sprintf(`{"orderedItem":[{"productId":"HONEY","sku":"MEL-1","name":"Rosemary honey, 500 g","quantity":%d,"price":{"value":850,"currency":"EUR"}},`+
		`{"productId":"CASE","name":"Gift case","quantity":1,"price":{"value":1850,"currency":"EUR"}}]}`, jars)
}

// simpleQuote is a quote of 310.00 in all.
const simpleQuote = `{"totalPrice":{"value":31000,"currency":"EUR"}}`

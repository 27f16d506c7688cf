package operation

import (
	"reflect"

	"typedinbox/shared/catalogue"
	"typedinbox/shared/inbox"
)

// The public door and the customer's (03 §5.1).
var (
	GetBusinessProfile = Op{
		ID: "get_business_profile", Name: "get_business_profile", Method: "GET", Paths: []string{"/v1/business"},
		Function: "get-business", Auth: Public, In: of[inbox.Nothing](),
		Out: []Output{says(200, of[inbox.PublicProfile]())}, Cache: CacheMinutes, CORS: true, Hint: Read,
		Summary: "Who this business is, where and in which languages, and what can be asked of it.",
	}
	ListServices = Op{
		ID: "list_services", Name: "list_services", Method: "GET", Paths: []string{"/v1/services"},
		Function: "list-services", Auth: Public, In: of[inbox.PageQuery](),
		Out: []Output{says(200, of[inbox.Page[catalogue.PublicService]]())}, Cache: CacheMinute, CORS: true, Hint: Read,
		Summary: "The services that can be booked, with their length and price.",
	}
	ListProducts = Op{
		ID: "list_products", Name: "list_products", Method: "GET", Paths: []string{"/v1/products"},
		Function: "list-products", Auth: Public, In: of[inbox.ProductsQuery](),
		Out: []Output{says(200, of[inbox.Page[catalogue.PublicProduct]]())}, Cache: CacheMinute, CORS: true, Hint: Read,
		Summary: "The products on offer, with their price.",
	}
	CheckAvailability = Op{
		ID: "check_availability", Name: "check_availability", Method: "GET", Paths: []string{"/v1/availability"},
		Function: "check-availability", Auth: Public, In: of[inbox.AvailabilityQuery](),
		Out: []Output{says(200, of[inbox.Slots]())}, Cache: NoStore, CORS: true, Hint: Read,
		Summary: "The free start times of one service within a window of up to 14 days. Ask before booking.",
	}
	RequestQuote = Op{
		ID: "request_quote", Name: "request_quote", Method: "POST", Paths: []string{"/v1/quotes"},
		Function: "request-quote", Auth: Public, Scopes: scopes(inbox.ScopeInboxWrite), In: of[inbox.RequestQuoteRequest](),
		Out: created(), Problems: []inbox.Code{inbox.CodeNotFound}, Cache: NoStore, MaxBody: MaxBody, CORS: true, Hint: Write,
		Summary: "Ask for a price. The business answers with a quote to accept; keep the access token of the answer.",
	}
	CreateBooking = Op{
		ID: "create_booking", Name: "create_booking", Method: "POST", Paths: []string{"/v1/bookings"},
		Function: "create-booking", Auth: Public, Scopes: scopes(inbox.ScopeInboxWrite), In: of[inbox.CreateBookingRequest](),
		Out: created(), Problems: []inbox.Code{inbox.CodeNotFound, inbox.CodeConfirmTerms}, Cache: NoStore, MaxBody: MaxBody, CORS: true, Hint: Write,
		Summary: "Ask for a time. One that costs something is sent once the customer confirmed its terms. The business confirms or declines it; keep the access token of the answer.",
	}
	CreateOrder = Op{
		ID: "create_order", Name: "create_order", Method: "POST", Paths: []string{"/v1/orders"},
		Function: "create-order", Auth: Public, Scopes: scopes(inbox.ScopeInboxWrite), In: of[inbox.CreateOrderRequest](),
		Out: created(), Problems: []inbox.Code{inbox.CodeNotFound, inbox.CodeConfirmTerms}, Cache: NoStore, MaxBody: MaxBody, CORS: true, Hint: Write,
		Summary: "Order goods. It is sent once the customer confirmed its terms. The business accepts or declines it; keep the access token of the answer.",
	}
	SendMessage = Op{
		ID: "send_message", Name: "send_message", Method: "POST", Paths: []string{"/v1/messages"},
		Function: "send-message", Auth: Public, Scopes: scopes(inbox.ScopeInboxWrite), In: of[inbox.SendMessageRequest](),
		Out: []Output{
			says(200, of[inbox.Created](), of[inbox.CreatedByBusiness](), of[inbox.CustomerResult]()),
			says(201, of[inbox.Created](), of[inbox.CreatedByBusiness]()),
			says(202, of[inbox.CustomerResult]()),
		},
		Problems: []inbox.Code{inbox.CodeNotFound, inbox.CodeWrongState, inbox.CodeGuardFailed},
		Cache:    NoStore, MaxBody: MaxBody, CORS: true, Hint: Write,
		Summary: "Write to the business, or go on with an item when item_id names it.",
	}
	GetItemStatus = Op{
		ID: "get_item_status", Name: "get_item_status", Method: "GET", Paths: []string{"/v1/items/{id}"},
		Function: "get-item", Auth: Token, Scopes: scopes(inbox.ScopeInboxRead), In: of[inbox.ItemStatusQuery](),
		Out:   []Output{says(200, of[inbox.CustomerView](), of[inbox.ItemDetail]())},
		Cache: NoStore, CORS: true, Tag: true, Poll: 60, Hint: Read, // 05 §8
		Summary: "Where an item stands, what was said, and what can be done next.",
	}
	AcceptOffer = Op{
		ID: "accept_offer", Name: "accept_offer", Method: "POST", Paths: []string{"/v1/items/{id}/accept"},
		Function: "answer-offer", Auth: Token, Scopes: scopes(inbox.ScopeInboxWrite), In: of[inbox.AcceptOfferRequest](),
		Out: acted(), Problems: append(moves(), inbox.CodeConfirmTerms), Cache: NoStore, MaxBody: MaxBody, CORS: true, Hint: Write,
		Summary: "Say yes to the open offer, with the fingerprint of its terms. Only on a clear yes of the person's.",
	}
	AcceptNamedOffer = Op{
		ID: "accept_named_offer", Name: "accept_offer", Method: "POST", Paths: []string{"/v1/items/{id}/offers/{offer}/accept"},
		Function: "answer-offer", Auth: Token, Scopes: scopes(inbox.ScopeInboxWrite), In: of[inbox.AcceptNamedOfferRequest](),
		Out: acted(), Problems: append(moves(), inbox.CodeConfirmTerms), Cache: NoStore, MaxBody: MaxBody, CORS: true, Hint: Write,
		Summary: "Say yes to the offer of this id, as long as it is the open one.",
	}
	DeclineOffer = Op{
		ID: "decline_offer", Name: "decline_offer", Method: "POST", Paths: []string{"/v1/items/{id}/decline"},
		Function: "answer-offer", Auth: Token, Scopes: scopes(inbox.ScopeInboxWrite), In: of[inbox.DeclineOfferRequest](),
		Out: acted(), Problems: moves(), Cache: NoStore, MaxBody: MaxBody, CORS: true, Hint: Destroy,
		Summary: "Say no to the open offer, or take one's own change back. Before a promise this ends the request.",
	}
	DeclineNamedOffer = Op{
		ID: "decline_named_offer", Name: "decline_offer", Method: "POST", Paths: []string{"/v1/items/{id}/offers/{offer}/decline"},
		Function: "answer-offer", Auth: Token, Scopes: scopes(inbox.ScopeInboxWrite), In: of[inbox.DeclineNamedOfferRequest](),
		Out: acted(), Problems: moves(), Cache: NoStore, MaxBody: MaxBody, CORS: true, Hint: Destroy,
		Summary: "Say no to the offer of this id, as long as it is the open one.",
	}
	MakeOffer = Op{
		ID: "make_offer", Name: "make_offer", Method: "POST", Paths: []string{"/v1/items/{id}/offers"},
		Function: "answer-offer", Auth: Token, Scopes: scopes(inbox.ScopeInboxWrite), In: of[inbox.MakeOfferRequest](),
		Out: acted(), Problems: moves(), Cache: NoStore, MaxBody: MaxBody, CORS: true, Hint: Write,
		Summary: "Answer an offer with other terms; only what changes. What cannot be an offer is passed on to a person.",
	}
	SuggestTime = Op{
		ID: "suggest_time", Name: "suggest_time", Method: "POST", Paths: []string{"/v1/items/{id}/counter"},
		Function: "answer-offer", Auth: Token, Scopes: scopes(inbox.ScopeInboxWrite), In: of[inbox.SuggestTimeRequest](),
		Out: acted(), Problems: moves(), Cache: NoStore, MaxBody: MaxBody, CORS: true, Hint: Write,
		Summary: "Answer an offer with another time.",
	}
	ProvideDetails = Op{
		ID: "provide_details", Name: "provide_details", Method: "POST", Paths: []string{"/v1/items/{id}/details"},
		Function: "provide-details", Auth: Token, Scopes: scopes(inbox.ScopeInboxWrite), In: of[inbox.ProvideDetailsRequest](),
		Out: acted(), Problems: moves(), Cache: NoStore, MaxBody: MaxBody, CORS: true, Hint: Write,
		Summary: "Answer a question of the business's. When none is open the words are kept as a message.",
	}
	WithdrawFromContract = Op{
		ID: "withdraw_from_contract", Name: "withdraw_from_contract", Method: "POST", Paths: []string{"/v1/items/{id}/withdraw"},
		Function: "withdraw-item", Auth: Token, Scopes: scopes(inbox.ScopeInboxWrite), In: of[inbox.WithdrawRequest](),
		Out: acted(), Problems: append(moves(), inbox.CodeConfirmWithdrawal), Cache: NoStore, MaxBody: MaxBody, CORS: true, Hint: Destroy,
		Summary: "Withdraw from a contract, in two steps: the first answers the statement that would be sent, the second, with confirm_withdrawal, sends it. It is never refused; where the right does not run, a person answers.",
	}
	RequestReturn = Op{
		ID: "request_return", Name: "request_return", Method: "POST", Paths: []string{"/v1/items/{id}/returns"},
		Function: "request-return", Auth: Token, Scopes: scopes(inbox.ScopeInboxWrite), In: of[inbox.ReturnRequest](),
		Out: returned(of[inbox.CustomerResult]()), Problems: moves(), Cache: NoStore, MaxBody: MaxBody, CORS: true, Hint: Write,
		Summary: "Ask to send goods back after they were sent: what is wrong with them, which, and what is wanted instead.",
	}
	CancelItem = Op{
		ID: "cancel_item", Name: "cancel_item", Method: "POST", Paths: []string{"/v1/items/{id}/cancel"},
		Function: "cancel-item", Auth: Token, Scopes: scopes(inbox.ScopeInboxWrite), In: of[inbox.CancelItemRequest](),
		Out: acted(), Problems: moves(), Cache: NoStore, MaxBody: MaxBody, CORS: true, Hint: Destroy,
		Summary: "Take back what was asked for or booked.",
	}
	VerifyCustomer = Op{
		ID: "verify_customer", Name: "verify_customer", Method: "POST", Paths: []string{"/v1/customers/verify"},
		Function: "verify-customer", Auth: Token, Scopes: scopes(inbox.ScopeInboxWrite), In: of[inbox.VerifyRequest](),
		Out: []Output{says(200, of[inbox.Recognised]()), says(202, of[inbox.CodeSent]())},
		Problems: []inbox.Code{
			inbox.CodeNotFound, inbox.CodeNothingToVerify, inbox.CodeAlreadyVerified, inbox.CodeBadCode, inbox.CodeCodeExpired,
			inbox.CodeTooManyAttempts,
		},
		Cache: NoStore, MaxBody: MaxBody, CORS: true, Hint: Once,
		Summary: "Have a one-time code mailed to the address on record, or bring it, to be recognised as a known customer.",
	}
)

var public = []*Op{
	&GetBusinessProfile, &ListServices, &ListProducts, &CheckAvailability,
	&RequestQuote, &CreateBooking, &CreateOrder, &SendMessage, &GetItemStatus,
	&AcceptOffer, &AcceptNamedOffer, &DeclineOffer, &DeclineNamedOffer, &MakeOffer, &SuggestTime,
	&ProvideDetails, &WithdrawFromContract, &RequestReturn, &CancelItem, &VerifyCustomer,
}

// created is what a create answers: 201, and 200 for a repeated request.
func created() []Output {
	types := []reflect.Type{of[inbox.Created](), of[inbox.CreatedByBusiness]()}
	return []Output{says(200, types...), says(201, types...)}
}

// acted is what a customer's act answers: 200 when it moved the item, 202 when
// it was kept as a message for a person.
func acted() []Output {
	return []Output{says(200, of[inbox.CustomerResult]()), says(202, of[inbox.CustomerResult]())}
}

// returned is what opening a return answers: 201 with the refund as `linked`,
// and 200 for a repeated request.
func returned(types ...reflect.Type) []Output {
	return []Output{says(200, types...), says(201, types...)}
}

// moves lists what a verb on an item may be refused with (01 §18).
func moves() []inbox.Code {
	return []inbox.Code{
		inbox.CodeWrongState, inbox.CodeGuardFailed, inbox.CodeSlotTaken, inbox.CodeVersionConflict,
		inbox.CodeOfferChanged, inbox.CodeNoOffer, inbox.CodeOfferExpired,
	}
}

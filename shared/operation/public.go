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
	CreateBooking = Op{
		ID: "create_booking", Name: "create_booking", Method: "POST", Paths: []string{"/v1/bookings"},
		Function: "create-booking", Auth: Public, Scopes: scopes(inbox.ScopeInboxWrite), In: of[inbox.CreateBookingRequest](),
		Out: created(), Cache: NoStore, MaxBody: MaxBody, CORS: true, Hint: Write,
		Summary: "Ask for a time. The business confirms or declines it; keep the access token of the answer.",
	}
	SendMessage = Op{
		ID: "send_message", Name: "send_message", Method: "POST", Paths: []string{"/v1/messages"},
		Function: "send-message", Auth: Public, Scopes: scopes(inbox.ScopeInboxWrite), In: of[inbox.SendMessageRequest](),
		Out: []Output{
			says(200, of[inbox.Created](), of[inbox.CreatedByBusiness](), of[inbox.CustomerResult](), of[inbox.TransitionResult]()),
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
		Cache: NoStore, CORS: true, Tag: true, Hint: Read,
		Summary: "Where an item stands, what was said, and what can be done next.",
	}
	ProvideDetails = Op{
		ID: "provide_details", Name: "provide_details", Method: "POST", Paths: []string{"/v1/items/{id}/details"},
		Function: "provide-details", Auth: Token, Scopes: scopes(inbox.ScopeInboxWrite), In: of[inbox.ProvideDetailsRequest](),
		Out: acted(), Problems: moves(), Cache: NoStore, MaxBody: MaxBody, CORS: true, Hint: Write,
		Summary: "Answer a question of the business's. When none is open the words are kept as a message.",
	}
	CancelItem = Op{
		ID: "cancel_item", Name: "cancel_item", Method: "POST", Paths: []string{"/v1/items/{id}/cancel"},
		Function: "cancel-item", Auth: Token, Scopes: scopes(inbox.ScopeInboxWrite), In: of[inbox.CancelItemRequest](),
		Out: acted(), Problems: moves(), Cache: NoStore, MaxBody: MaxBody, CORS: true, Hint: Destroy,
		Summary: "Take back what was asked for or booked.",
	}
)

var public = []*Op{
	&GetBusinessProfile, &ListServices, &ListProducts, &CheckAvailability,
	&CreateBooking, &SendMessage, &GetItemStatus, &ProvideDetails, &CancelItem,
}

// created is what a create answers: 201, and 200 for a repeated request.
func created() []Output {
	types := []reflect.Type{of[inbox.Created](), of[inbox.CreatedByBusiness]()}
	return []Output{says(200, types...), says(201, types...)}
}

// acted is what a customer's act answers: 200 when it moved the item, 202 when
// it was kept as a message for a person.
func acted() []Output {
	types := []reflect.Type{of[inbox.CustomerResult](), of[inbox.TransitionResult]()}
	return []Output{says(200, types...), says(202, types...)}
}

// moves lists what a verb on an item may be refused with (01 §18).
func moves() []inbox.Code {
	return []inbox.Code{
		inbox.CodeWrongState, inbox.CodeGuardFailed, inbox.CodeSlotTaken, inbox.CodeVersionConflict,
		inbox.CodeOfferChanged, inbox.CodeNoOffer, inbox.CodeOfferExpired,
	}
}

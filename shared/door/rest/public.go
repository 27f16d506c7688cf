package rest

import (
	"context"
	"net/http"

	"typedinbox/shared/inbox"
	"typedinbox/shared/operation"
)

// GetBusiness is the function get-business.
func GetBusiness(s Site, core interface {
	GetBusinessProfile(context.Context, inbox.Call, inbox.Nothing) (inbox.Answer, error)
}) http.Handler {
	return s.function(on(&operation.GetBusinessProfile, core.GetBusinessProfile))
}

// ListServices is the function list-services.
func ListServices(s Site, core interface {
	ListServices(context.Context, inbox.Call, inbox.PageQuery) (inbox.Answer, error)
}) http.Handler {
	return s.function(on(&operation.ListServices, core.ListServices))
}

// ListProducts is the function list-products.
func ListProducts(s Site, core interface {
	ListProducts(context.Context, inbox.Call, inbox.ProductsQuery) (inbox.Answer, error)
}) http.Handler {
	return s.function(on(&operation.ListProducts, core.ListProducts))
}

// CheckAvailability is the function check-availability.
func CheckAvailability(s Site, core interface {
	CheckAvailability(context.Context, inbox.Call, inbox.AvailabilityQuery) (inbox.Answer, error)
}) http.Handler {
	return s.function(on(&operation.CheckAvailability, core.CheckAvailability))
}

// RequestQuote is the function request-quote.
func RequestQuote(s Site, core interface {
	RequestQuote(context.Context, inbox.Call, inbox.RequestQuoteRequest) (inbox.Answer, error)
}) http.Handler {
	return s.function(on(&operation.RequestQuote, core.RequestQuote))
}

// CreateBooking is the function create-booking.
func CreateBooking(s Site, core interface {
	CreateBooking(context.Context, inbox.Call, inbox.CreateBookingRequest) (inbox.Answer, error)
}) http.Handler {
	return s.function(on(&operation.CreateBooking, core.CreateBooking))
}

// CreateOrder is the function create-order.
func CreateOrder(s Site, core interface {
	CreateOrder(context.Context, inbox.Call, inbox.CreateOrderRequest) (inbox.Answer, error)
}) http.Handler {
	return s.function(on(&operation.CreateOrder, core.CreateOrder))
}

// SendMessage is the function send-message.
func SendMessage(s Site, core interface {
	SendMessage(context.Context, inbox.Call, inbox.SendMessageRequest) (inbox.Answer, error)
}) http.Handler {
	return s.function(on(&operation.SendMessage, core.SendMessage))
}

// GetItem is the function get-item.
func GetItem(s Site, core interface {
	GetItemStatus(context.Context, inbox.Call, inbox.ItemStatusQuery) (inbox.Answer, error)
}) http.Handler {
	return s.function(on(&operation.GetItemStatus, core.GetItemStatus))
}

// AnswerOffer is the function answer-offer. An offer may be named in the body or
// in the path; the core is asked the same.
func AnswerOffer(s Site, core interface {
	AcceptOffer(context.Context, inbox.Call, inbox.AcceptOfferRequest) (inbox.Answer, error)
	DeclineOffer(context.Context, inbox.Call, inbox.DeclineOfferRequest) (inbox.Answer, error)
	MakeOffer(context.Context, inbox.Call, inbox.MakeOfferRequest) (inbox.Answer, error)
	SuggestTime(context.Context, inbox.Call, inbox.SuggestTimeRequest) (inbox.Answer, error)
}) http.Handler {
	acceptNamed := func(ctx context.Context, call inbox.Call, r inbox.AcceptNamedOfferRequest) (inbox.Answer, error) {
		return core.AcceptOffer(ctx, call, inbox.AcceptOfferRequest(r))
	}
	declineNamed := func(ctx context.Context, call inbox.Call, r inbox.DeclineNamedOfferRequest) (inbox.Answer, error) {
		return core.DeclineOffer(ctx, call, inbox.DeclineOfferRequest(r))
	}
	return s.function(
		on(&operation.AcceptOffer, core.AcceptOffer),
		on(&operation.AcceptNamedOffer, acceptNamed),
		on(&operation.DeclineOffer, core.DeclineOffer),
		on(&operation.DeclineNamedOffer, declineNamed),
		on(&operation.MakeOffer, core.MakeOffer),
		on(&operation.SuggestTime, core.SuggestTime),
	)
}

// ProvideDetails is the function provide-details.
func ProvideDetails(s Site, core interface {
	ProvideDetails(context.Context, inbox.Call, inbox.ProvideDetailsRequest) (inbox.Answer, error)
}) http.Handler {
	return s.function(on(&operation.ProvideDetails, core.ProvideDetails))
}

// WithdrawItem is the function withdraw-item.
func WithdrawItem(s Site, core interface {
	Withdraw(context.Context, inbox.Call, inbox.WithdrawRequest) (inbox.Answer, error)
}) http.Handler {
	return s.function(on(&operation.WithdrawFromContract, core.Withdraw))
}

// RequestReturn is the function request-return.
func RequestReturn(s Site, core interface {
	RequestReturn(context.Context, inbox.Call, inbox.ReturnRequest) (inbox.Answer, error)
}) http.Handler {
	return s.function(on(&operation.RequestReturn, core.RequestReturn))
}

// CancelItem is the function cancel-item.
func CancelItem(s Site, core interface {
	CancelItem(context.Context, inbox.Call, inbox.CancelItemRequest) (inbox.Answer, error)
}) http.Handler {
	return s.function(on(&operation.CancelItem, core.CancelItem))
}

// VerifyCustomer is the function verify-customer.
func VerifyCustomer(s Site, core interface {
	VerifyCustomer(context.Context, inbox.Call, inbox.VerifyRequest) (inbox.Answer, error)
}) http.Handler {
	return s.function(on(&operation.VerifyCustomer, core.VerifyCustomer))
}

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

// CreateBooking is the function create-booking.
func CreateBooking(s Site, core interface {
	CreateBooking(context.Context, inbox.Call, inbox.CreateBookingRequest) (inbox.Answer, error)
}) http.Handler {
	return s.function(on(&operation.CreateBooking, core.CreateBooking))
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

// ProvideDetails is the function provide-details.
func ProvideDetails(s Site, core interface {
	ProvideDetails(context.Context, inbox.Call, inbox.ProvideDetailsRequest) (inbox.Answer, error)
}) http.Handler {
	return s.function(on(&operation.ProvideDetails, core.ProvideDetails))
}

// CancelItem is the function cancel-item.
func CancelItem(s Site, core interface {
	CancelItem(context.Context, inbox.Call, inbox.CancelItemRequest) (inbox.Answer, error)
}) http.Handler {
	return s.function(on(&operation.CancelItem, core.CancelItem))
}

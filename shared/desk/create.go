package desk

import (
	"context"

	"typedinbox/shared/catalogue"
	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

// CreateBooking asks for a time, or writes one down for the business
// (01 §1.6, 03 §5.1). Problems: invalid_input, confirm_terms, not_allowed,
// idempotency_mismatch, unavailable.
func (d *Desk) CreateBooking(ctx context.Context, call inbox.Call, req inbox.CreateBookingRequest) (inbox.Answer, error) {
	r := decide.CreateRequest{
		Type: inbox.TypeBooking, Payload: inbox.Payload{Booking: &req.Payload},
		Contact: req.Contact, Message: req.Message, PartyID: call.PartyID, TermsSHA: req.TermsSHA,
	}
	want := store.Want{ServiceID: req.Payload.ReservationFor.ServiceID, PartyID: call.PartyID}
	req.TermsSHA = "" // not what a repeated request is recognised by (02 §5.4)
	return d.create(ctx, call, want, r, req)
}

// CreateOrder asks for goods, or writes an order down for the business
// (01 §1.6, 03 §5.1). Problems: as [Desk.CreateBooking].
func (d *Desk) CreateOrder(ctx context.Context, call inbox.Call, req inbox.CreateOrderRequest) (inbox.Answer, error) {
	r := decide.CreateRequest{
		Type: inbox.TypeOrder, Payload: inbox.Payload{Order: &req.Payload},
		Contact: req.Contact, Message: req.Message, PartyID: call.PartyID, TermsSHA: req.TermsSHA,
	}
	want := store.Want{PartyID: call.PartyID}
	want.ProductIDs, want.SKUs = catalogue.Refs(req.Payload.OrderedItem)
	req.TermsSHA = "" // not what a repeated request is recognised by (02 §5.4)
	return d.create(ctx, call, want, r, req)
}

// RequestQuote asks for a price, or writes a request down for the business
// (01 §1.6, 03 §5.1). Problems: invalid_input, not_allowed,
// idempotency_mismatch, unavailable.
func (d *Desk) RequestQuote(ctx context.Context, call inbox.Call, req inbox.RequestQuoteRequest) (inbox.Answer, error) {
	r := decide.CreateRequest{
		Type: inbox.TypeQuote, Payload: inbox.Payload{Quote: &req.Payload},
		Contact: req.Contact, Message: req.Message, PartyID: call.PartyID,
	}
	want := store.Want{PartyID: call.PartyID, ServiceID: req.Payload.ItemOffered.ServiceID}
	return d.create(ctx, call, want, r, req)
}

// SendMessage starts a conversation, or goes on with the item it names
// (03 §5.1). Problems: invalid_input, not_found, not_allowed,
// idempotency_mismatch, unavailable.
func (d *Desk) SendMessage(ctx context.Context, call inbox.Call, req inbox.SendMessageRequest) (inbox.Answer, error) {
	if req.ItemID != "" {
		return d.onItem(ctx, call, req.ItemID, "send_message", req,
			func(f decide.Facts, e decide.Env) (decide.Outcome, error) {
				return decide.Message(f, call.Caller, req, e)
			})
	}
	r := decide.CreateRequest{
		Type: inbox.TypeMessage, Payload: inbox.Payload{Message: &inbox.Message{Text: req.Body, Subject: req.Subject}},
		Contact: req.Contact, MessageID: req.MessageID, PartyID: call.PartyID,
	}
	return d.create(ctx, call, store.Want{PartyID: call.PartyID}, r, req)
}

func (d *Desk) create(ctx context.Context, call inbox.Call, want store.Want, r decide.CreateRequest, input any) (inbox.Answer, error) {
	op := "create:" + string(r.Type)
	if call.Sandbox {
		op += ":sandbox" // a test is another request than the real one
	}
	print, err := fingerprint(op, call, input)
	if err != nil {
		return inbox.Answer{}, err
	}
	want.Contacts = decide.ContactsGiven(r.Contact)
	return d.run(ctx, verb{
		call: call, fingerprint: print, locale: locale(r.Contact), want: want,
		decide: func(f decide.Facts, e decide.Env) (decide.Outcome, error) {
			r := r
			r.Payload = r.Payload.Clone()
			return decide.Create(f, call.Caller, r, e)
		},
	})
}

func locale(c *inbox.Contact) string {
	if c == nil {
		return ""
	}
	return c.Locale
}

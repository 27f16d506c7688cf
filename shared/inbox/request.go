package inbox

import "encoding/json"

// Requests of the operations, as the doors read them: JSON body (`json`), query
// (`query`) and path (`path`). Limits are in the `in` tags (03 §6).

// Call is one request as the door resolved it: who asks, and the idempotency
// key of the body or header, "" for none.
type Call struct {
	Caller
	IdempotencyKey string
	Origin         string // the public origin of this inbox, for links in answers
}

// Answer is what an operation says, ready for any door. Body is JSON; a replay
// holds the stored bytes but for `replayed`.
type Answer struct {
	Status       int // HTTP: 200, 201, 202
	Body         json.RawMessage
	Replayed     bool
	ETag         string
	Location     string
	CacheControl string // "" is no-store
}

// Carried is what a customer's request may carry beside itself. None of it is
// stored or part of the idempotency fingerprint (01 §12.2).
type Carried struct {
	AccessToken    string `json:"access_token,omitempty" in:"len=16..200"`
	Pass           string `json:"pass,omitempty" in:"len=0..1608,passes"`
	Key            string `json:"key,omitempty" in:"len=0..200"`
	IdempotencyKey string `json:"idempotency_key,omitempty" in:"len=1..200"`
}

// Credentials lists the top-level fields that never enter a fingerprint.
var Credentials = []string{"access_token", "pass", "key", "idempotency_key"}

// Keyed is the idempotency key in an owner's body.
type Keyed struct {
	IdempotencyKey string `json:"idempotency_key,omitempty" in:"len=1..200"`
}

// PageQuery is how lists are paged (03 §3).
type PageQuery struct {
	Cursor string `query:"cursor" in:"len=0..200"`
	Limit  *int   `query:"limit" in:"num=1..100"`
}

// AvailabilityQuery asks for free start times (01 §10.3).
type AvailabilityQuery struct {
	ServiceID string  `query:"service_id" in:"required,len=1..64"`
	From      Instant `query:"from" in:"required"`
	To        Instant `query:"to" in:"required"`
	Limit     *int    `query:"limit" in:"num=1..200"`
	PartySize *int    `query:"party_size" in:"num=1..1000"`
}

// CreateBookingRequest asks for a time (03 §6.3). TermsSHA is the fingerprint
// of the terms that the customer confirmed (02 §5).
type CreateBookingRequest struct {
	Payload  Booking  `json:"payload" in:"required"`
	Contact  *Contact `json:"contact,omitempty"`
	Message  string   `json:"message,omitempty" in:"len=0..20000"`
	TermsSHA string   `json:"terms_sha,omitempty" in:"terms_sha"`
	Carried
}

// CreateOrderRequest asks for goods (03 §6.3). TermsSHA is as for a booking.
type CreateOrderRequest struct {
	Payload  Order    `json:"payload" in:"required"`
	Contact  *Contact `json:"contact,omitempty"`
	Message  string   `json:"message,omitempty" in:"len=0..20000"`
	TermsSHA string   `json:"terms_sha,omitempty" in:"terms_sha"`
	Carried
}

// RequestQuoteRequest asks for a price (03 §6.3).
type RequestQuoteRequest struct {
	Payload QuoteRequest `json:"payload" in:"required"`
	Contact *Contact     `json:"contact,omitempty"`
	Message string       `json:"message,omitempty" in:"len=0..20000"`
	Carried
}

// SendMessageRequest starts a conversation, or goes on with one when ItemID is
// set (03 §6.3).
type SendMessageRequest struct {
	ItemID    string   `json:"item_id,omitempty" in:"len=0..64"`
	Subject   string   `json:"subject,omitempty" in:"len=0..500"`
	Body      string   `json:"body" in:"required,len=1..20000,words"`
	Contact   *Contact `json:"contact,omitempty"`
	MessageID string   `json:"message_id,omitempty" in:"len=0..998"`
	Carried
}

// ItemRequest names an item.
type ItemRequest struct {
	ItemID string `json:"item_id" path:"id" in:"required,len=1..64"`
}

// ItemStatusQuery reads an item; the token may also stand in a header.
type ItemStatusQuery struct {
	ItemID      string `path:"id"`
	AccessToken string `query:"access_token" in:"len=0..200"`
	IfNoneMatch string `header:"If-None-Match"`
}

// ProvideDetailsRequest answers a question of the business's (03 §6.4).
type ProvideDetailsRequest struct {
	ItemID  string `json:"item_id" path:"id"`
	Details string `json:"details" in:"required,trim,len=1..5000"`
	Carried
}

// CancelItemRequest takes back what the customer asked for (03 §6.4).
type CancelItemRequest struct {
	ItemID string `json:"item_id" path:"id"`
	Reason string `json:"reason,omitempty" in:"len=0..2000"`
	Carried
}

// VerifyRequest asks for a one-time code, or brings it (03 §6.4).
type VerifyRequest struct {
	ItemID string `json:"item_id" in:"required,len=1..64"`
	Code   string `json:"code,omitempty" in:"match=^[0-9]{6}$"`
	Carried
}

// CustomerRequest names a customer.
type CustomerRequest struct {
	PartyID string `json:"party_id" path:"party_id" in:"required,len=1..64"`
}

// ListItemsQuery is the owner's list (03 §6.5). OpenOnly defaults to true,
// Sandbox to false.
type ListItemsQuery struct {
	Type       Type   `query:"type" in:"enum=message|quote_request|booking|order|refund"`
	State      State  `query:"state" in:"len=0..40"`
	NeedsHuman *bool  `query:"needs_human"`
	MailFailed *bool  `query:"mail_failed"`
	OpenOnly   *bool  `query:"open_only"`
	Sandbox    *bool  `query:"sandbox"`
	Q          string `query:"q" in:"len=0..200"` // full text, or the six-character reference
	PageQuery
}

// TransitionRequest fires an event (03 §6.5). Reason is internal.
type TransitionRequest struct {
	ItemID          string          `json:"item_id" path:"id"`
	Event           string          `json:"event" in:"required,len=1..60"`
	Input           json.RawMessage `json:"input,omitempty" in:"object"`
	Reason          string          `json:"reason,omitempty" in:"len=0..2000"`
	ExpectedVersion *int            `json:"expected_version,omitempty" in:"num=1..9007199254740991"`
	WrittenBy       string          `json:"written_by,omitempty" in:"enum=person|automation"`
	Keyed
}

// ReplyRequest is words of the business on an item; internal ones stay inside.
type ReplyRequest struct {
	ItemID    string `json:"item_id" path:"id"`
	Body      string `json:"body" in:"required,len=1..20000,words"`
	Internal  bool   `json:"internal,omitempty"`
	WrittenBy string `json:"written_by,omitempty" in:"enum=person|automation"`
	Keyed
}

// Floor is the least that a product or a service may be sold for, in minor
// units of its price; nil for none (02 §6.4).
type Floor struct {
	Kind       string `json:"kind" in:"required,enum=product|service"`
	RefID      string `json:"ref_id" in:"required,len=1..64"`
	FloorMinor *int64 `json:"floor_minor" in:"required,nullable,num=0..9007199254740991"`
}

// FloorsRequest sets the floors that it names and keeps the others (03 §6.5).
type FloorsRequest struct {
	Floors []Floor `json:"floors" in:"required,items=1..200"`
	Keyed
}

// UpdateProfileRequest changes what the business says of itself.
type UpdateProfileRequest struct {
	Name      *string         `json:"name,omitempty" in:"trim,len=1..200"`
	Domain    json.RawMessage `json:"domain,omitempty" in:"any=string,len=1..253"` // a host name, or null to clear
	Timezone  *string         `json:"timezone,omitempty" in:"len=1..64"`
	Currency  *string         `json:"currency,omitempty" in:"currency"`
	Languages []string        `json:"languages,omitempty" in:"items=1..10,len=2..12"`
	Keyed
}

// SetHoursRequest replaces the opening hours of the business, or of one service.
type SetHoursRequest struct {
	Weekly    Week   `json:"weekly" in:"required"`
	ServiceID string `json:"service_id,omitempty" in:"len=0..64"`
	Keyed
}

// ClearHoursRequest takes a service's own hours away.
type ClearHoursRequest struct {
	ServiceID string `json:"service_id" path:"service_id"`
	Keyed
}

// SetClosuresRequest replaces the list of closures.
type SetClosuresRequest struct {
	Closures []Closure `json:"closures" in:"required,items=0..100"`
	Keyed
}

// UpdateSettingsRequest is a merge patch of the settings document (03 §11.1).
type UpdateSettingsRequest struct {
	Doc             json.RawMessage `json:"doc" in:"required,object"`
	ExpectedVersion *int            `json:"expected_version,omitempty" in:"num=0..9007199254740991"`
	Keyed
}

// AcceptOfferRequest takes the open offer with the fingerprint of its terms
// (03 §6.4); without one the answer says what is confirmed with it.
type AcceptOfferRequest struct {
	ItemID   string `json:"item_id" path:"id"`
	OfferID  string `json:"offer_id,omitempty" in:"len=0..64"`
	TermsSHA string `json:"terms_sha,omitempty" in:"terms_sha"`
	Carried
}

// AcceptNamedOfferRequest is AcceptOfferRequest with the offer in the path; the
// one converts to the other.
type AcceptNamedOfferRequest struct {
	ItemID   string `json:"item_id" path:"id"`
	OfferID  string `json:"offer_id,omitempty" path:"offer"`
	TermsSHA string `json:"terms_sha,omitempty" in:"terms_sha"`
	Carried
}

// DeclineOfferRequest says no to the open offer, or takes one's own change back
// (03 §6.4).
type DeclineOfferRequest struct {
	ItemID     string `json:"item_id" path:"id"`
	OfferID    string `json:"offer_id,omitempty" in:"len=0..64"`
	Reason     string `json:"reason,omitempty" in:"len=0..2000"`
	ReasonCode string `json:"reason_code,omitempty" in:"enum=price_sensitivity|timing_deferred|quantity|delivery|returns_policy|other"`
	Carried
}

// DeclineNamedOfferRequest is DeclineOfferRequest with the offer in the path;
// the one converts to the other.
type DeclineNamedOfferRequest struct {
	ItemID     string `json:"item_id" path:"id"`
	OfferID    string `json:"offer_id,omitempty" path:"offer"`
	Reason     string `json:"reason,omitempty" in:"len=0..2000"`
	ReasonCode string `json:"reason_code,omitempty" in:"enum=price_sensitivity|timing_deferred|quantity|delivery|returns_policy|other"`
	Carried
}

// Suggestion is what a customer would have otherwise: only what changes
// (03 §6.4).
type Suggestion struct {
	StartTime    *Instant      `json:"start_time,omitempty"`
	PartySize    *int          `json:"party_size,omitempty" in:"num=1..1000"`
	Quantity     *int64        `json:"quantity,omitempty" in:"num=1..1000000"`
	Lines        []SuggestLine `json:"lines,omitempty" in:"items=0..200"`
	DeliveryWhen *Instant      `json:"delivery_when,omitempty"`
	TotalPrice   *Money        `json:"total_price,omitempty"`
}

// SuggestLine changes one line of the order; quantity 0 drops it.
type SuggestLine struct {
	Index     int    `json:"index" in:"required,num=0..199"`
	Quantity  int64  `json:"quantity" in:"required,num=0..1000000"`
	UnitPrice *Money `json:"unit_price,omitempty"`
}

// MakeOfferRequest is a customer's answer with an offer of their own (03 §6.4).
type MakeOfferRequest struct {
	ItemID     string     `json:"item_id" path:"id"`
	OfferID    string     `json:"offer_id,omitempty" in:"len=0..64"`
	Terms      Suggestion `json:"terms"`
	Note       string     `json:"note,omitempty" in:"len=0..2000"`
	ReasonCode string     `json:"reason_code,omitempty" in:"enum=price_sensitivity|timing_deferred|quantity|delivery|returns_policy|other"`
	Carried
}

// SuggestTimeRequest is MakeOfferRequest for another time (03 §6.4).
type SuggestTimeRequest struct {
	ItemID    string  `json:"item_id" path:"id"`
	StartTime Instant `json:"start_time" in:"required"`
	Note      string  `json:"note,omitempty" in:"len=0..2000"`
	Carried
}

// PutOfferRequest is the business's make_offer: the event is the one that the
// item's state takes (03 §6.5). Input is that event's.
type PutOfferRequest struct {
	ItemID          string          `json:"item_id" path:"id"`
	Input           json.RawMessage `json:"input" in:"required,object"`
	ExpectedVersion *int            `json:"expected_version,omitempty" in:"num=1..9007199254740991"`
	WrittenBy       string          `json:"written_by,omitempty" in:"enum=person|automation"`
	Keyed
}

// WithdrawRequest withdraws from a contract (03 §6.4, 02 §9.4). Without Confirm
// the answer is the statement that would be sent; nothing is written then.
type WithdrawRequest struct {
	ItemID  string       `json:"item_id" path:"id"`
	Confirm bool         `json:"confirm_withdrawal,omitempty"`
	Lines   []ReturnLine `json:"lines,omitempty" in:"items=0..200"`
	Note    string       `json:"note,omitempty" in:"len=0..2000"`
	Carried
}

// ReturnRequest asks to send goods back (03 §6.4, 02 §9.6).
type ReturnRequest struct {
	ItemID string       `json:"item_id" path:"id"`
	Reason string       `json:"reason" in:"required,enum=changed_mind|faulty|wrong_item|not_as_described|other"`
	Lines  []ReturnLine `json:"lines,omitempty" in:"items=0..200"`
	Wants  string       `json:"wants,omitempty" in:"enum=refund|exchange|credit"`
	Note   string       `json:"note,omitempty" in:"len=0..2000"`
	Carried
}

// OpenReturnRequest is a return that the business opens for its customer
// (03 §6.5, 02 §9.6). EntryID names the inbound entry that asks for it; AskedAt
// is a person's alone.
type OpenReturnRequest struct {
	ItemID    string       `json:"item_id" path:"id"`
	Reason    string       `json:"reason" in:"required,enum=changed_mind|faulty|wrong_item|not_as_described|other"`
	Note      string       `json:"note" in:"required,trim,len=1..2000"`
	Lines     []ReturnLine `json:"lines,omitempty" in:"items=0..200"`
	Wants     string       `json:"wants,omitempty" in:"enum=refund|exchange|credit"`
	EntryID   string       `json:"entry_id,omitempty" in:"len=0..64"`
	AskedAt   *Instant     `json:"asked_at,omitempty"`
	WrittenBy string       `json:"written_by,omitempty" in:"enum=person|automation"`
	Keyed
}

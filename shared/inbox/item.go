package inbox

import "encoding/json"

// Type is the kind of an item (01 §1.1). The list is closed.
type Type string

// The five types.
const (
	TypeMessage Type = "message"
	TypeQuote   Type = "quote_request"
	TypeBooking Type = "booking"
	TypeOrder   Type = "order"
	TypeRefund  Type = "refund"
)

// Types in the order documents list them.
var Types = []Type{TypeBooking, TypeOrder, TypeQuote, TypeMessage, TypeRefund}

// State is where an item stands in its type's machine (01 §5).
type State string

// States that code outside the machines' tables has to name. The tables
// themselves are data (package machine).
const (
	StateRequested           State = "requested"
	StateReceived            State = "received"
	StateNeedsInfo           State = "needs_info"
	StateProposed            State = "proposed"
	StateQuoted              State = "quoted"
	StateConfirmed           State = "confirmed"
	StateAccepted            State = "accepted"
	StateAwaitingPayment     State = "awaiting_payment"
	StatePaymentFailed       State = "payment_failed"
	StatePaid                State = "paid"
	StateFulfilling          State = "fulfilling"
	StateFulfilled           State = "fulfilled"
	StateCompleted           State = "completed"
	StateNoShow              State = "no_show"
	StateChargedBack         State = "charged_back"
	StateCancelled           State = "cancelled"
	StateCancelledByCustomer State = "cancelled_by_customer"
	StateCancelledByBusiness State = "cancelled_by_business"
	StateDeclined            State = "declined"
	StateExpired             State = "expired"
	StateOpen                State = "open"
	StateAnswered            State = "answered"
	StateClosed              State = "closed"
	StateSpam                State = "spam"
	StateApproved            State = "approved"
	StateGoodsReceived       State = "goods_received"
	StateRefunded            State = "refunded"
	StateRejected            State = "rejected"
)

// Flags are the business's own marks; a customer never sees them.
type Flags struct {
	NeedsHuman bool `json:"needsHuman"`
	Sandbox    bool `json:"sandbox"`
	Priority   int  `json:"priority"` // 0..3
}

// Item is the envelope every door returns (01 §1.1). Version equals the seq of
// the item's latest event.
type Item struct {
	ID           string   `json:"id"`
	Type         Type     `json:"type"`
	State        State    `json:"state"`
	Version      int      `json:"version"`
	PartyID      string   `json:"partyId"`
	LocationID   *string  `json:"locationId"`
	Channel      Channel  `json:"channel"`
	Subject      *string  `json:"subject"`
	Flags        Flags    `json:"flags"`
	LinkedItemID *string  `json:"linkedItemId"`
	CreatedAt    Instant  `json:"createdAt"`
	UpdatedAt    Instant  `json:"updatedAt"`
	ClosedAt     *Instant `json:"closedAt"`
	Payload      Payload  `json:"payload"`
}

// UnmarshalJSON reads an envelope and its payload as its type says.
func (i *Item) UnmarshalJSON(b []byte) error {
	type envelope Item
	raw := struct {
		*envelope
		Payload json.RawMessage `json:"payload"`
	}{envelope: (*envelope)(i)}
	if err := json.Unmarshal(b, &raw); err != nil {
		return err
	}
	p, err := DecodePayload(i.Type, raw.Payload)
	if err != nil {
		return err
	}
	i.Payload = p
	return nil
}

// Match says how surely the customer of an item is a known one (01 §15.2).
type Match string

// The three matches.
const (
	MatchStrong Match = "strong"
	MatchWeak   Match = "weak"
	MatchNone   Match = "none"
)

// Payment is one payment as it was recorded. Without an amount it paid the rest
// of the total (09).
type Payment struct {
	Ref    string  `json:"ref"`
	Amount *Money  `json:"amount,omitempty"`
	At     Instant `json:"at"`
}

// Record is an item with everything stored beside its envelope (01 §1.2, 09).
// No door returns it as it is.
type Record struct {
	Item             Item          `json:"item"`
	Rev              int           `json:"rev"`                        // raised by every write of the row, thread entries included; what a write is conditioned on
	AccessTokenHash  string        `json:"accessTokenHash,omitempty"`  // lower-case hex SHA-256, "" when the creator has a party
	RequestExpiresAt *Instant      `json:"requestExpiresAt,omitempty"` // the request clock, 01 §13.2
	Clocked          bool          `json:"clocked,omitempty"`          // permanent: a customer set the clock going once
	CustomerMatch    Match         `json:"customerMatch,omitempty"`
	PossiblePartyID  string        `json:"possiblePartyId,omitempty"`
	ByCustomer       bool          `json:"byCustomer,omitempty"` // created by a customer or a customer's agent
	Locale           string        `json:"locale,omitempty"`     // language of the customer's words, en or pt
	Unpriced         bool          `json:"unpriced,omitempty"`   // holds a price the business did not set, 01 §1.5
	ClosedBy         Side          `json:"closedBy,omitempty"`   // customer when an act of theirs closed it last, "" for the business and the clock
	Corrected        bool          `json:"corrected,omitempty"`  // completed/no_show was corrected once, 01 §6
	Claims           []Claim       `json:"claims,omitempty"`     // the places it holds now
	WithdrawalFlags  []Withdrawal  `json:"withdrawalFlags,omitempty"`
	AgreedAt         *Instant      `json:"agreedAt,omitempty"`       // when it first became a promise: what the right of withdrawal from a service is counted from (01 §14.1)
	Payments         []Payment     `json:"payments,omitempty"`       // what was recorded as paid, each reference once, in order (09)
	PaymentAskedAt   *Instant      `json:"paymentAskedAt,omitempty"` // when payment was last asked for; nil once its lapse is recorded (01 §13.1)
	Refunds          []string      `json:"refunds,omitempty"`        // ids of the refunds of this promise, oldest first (09)
	RefundsRev       int           `json:"refundsRev,omitempty"`     // raised by every write that changes what its refunds owe or pay (09)
	OfferRev         int           `json:"offerRev,omitempty"`       // rev of its newest offer row
	AgreedOffer      *OfferPointer `json:"agreedOffer,omitempty"`    // pointer to the last accepted one
	Agreement        Agreement     `json:"agreement,omitzero"`       // when the promise was first due and how it changed; zero before one
	AskedSeq         int           `json:"askedSeq,omitempty"`       // seq of the latest request_info (05 §6.3)
	AskedEntryID     string        `json:"askedEntryId,omitempty"`   // its words on the thread, "" for none
	AskedRev         int           `json:"askedRev,omitempty"`       // while a business offer is open before the promise: rev of the customer's newest row
	HeldFor          []string      `json:"heldFor,omitempty"`        // while an offer of it holds places: the customer they are counted for, see Holder
	Happened         []string      `json:"happened,omitempty"`       // what counts in the customer's history and the state does not tell: see Happened…
	LastEntryID      string        `json:"lastEntryId,omitempty"`    // newest thread entry, for the ETag
	LastEventID      string        `json:"lastEventId"`              // tells whether a lost answer was ours
	LastHash         string        `json:"lastHash"`                 // end of the event chain
	DueAt            *Instant      `json:"dueAt,omitempty"`          // the earliest deadline of the item
	DueKind          string        `json:"dueKind,omitempty"`        // the event that DueAt is for
	MailFailed       bool          `json:"mailFailed,omitempty"`     // a customer mail failed for good
}

// Agreement is what the bounds of a promise's changes are counted from
// (02 §4.4). The dates are those of the first agreement and never move.
type Agreement struct {
	Due     Instant `json:"due"`               // the start of a booking; an order's delivery, else agreed and orders.dueDays
	End     Instant `json:"end"`               // of a booking; of an order the same as Due
	Changes int     `json:"changes,omitempty"` // accepted since
	Round   int     `json:"round,omitempty"`   // of the newest change since the last agreement, 0 for none
}

// Underlying is the rev of the agreed offer that stands while a change to it is
// open, 0 for no open change.
func (r *Record) Underlying() int {
	if o := r.Item.Payload.Offer(); r.AgreedOffer == nil || o == nil || o.Status != OfferOpen {
		return 0
	}
	return r.AgreedOffer.Rev
}

// Reference is the item's six characters for people.
func (r *Record) Reference() string { return Reference(r.Item.ID) }

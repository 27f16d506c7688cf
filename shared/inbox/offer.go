package inbox

import (
	"encoding/json"
	"slices"
)

// Side is one of the two sides of an agreement.
type Side string

// The two sides.
const (
	SideBusiness Side = "business"
	SideCustomer Side = "customer"
)

// OfferStatus is where an offer row stands (02 §1.2).
type OfferStatus string

// The statuses of an offer.
const (
	OfferOpen       OfferStatus = "open"
	OfferAccepted   OfferStatus = "accepted"
	OfferDeclined   OfferStatus = "declined"
	OfferCountered  OfferStatus = "countered"
	OfferRetracted  OfferStatus = "retracted"
	OfferExpired    OfferStatus = "expired"
	OfferSuperseded OfferStatus = "superseded"
)

// Form says which terms an offer holds (02 §1.4).
type Form string

// The forms.
const (
	FormTime    Form = "time"
	FormQuote   Form = "quote"
	FormOrder   Form = "order"
	FormRequest Form = "request"
	FormChange  Form = "change"
)

// Shown is what the customer was shown with a business offer.
type Shown struct {
	Lang        string   `json:"lang"`
	Human       string   `json:"human"`
	Disclosures []string `json:"disclosures"`
}

// Offer is one row of an item's ledger of offers (02 §1.1). All but Status,
// ClosedEventID, UpdatedAt, ReasonCode (on a decline) and the ValidThrough of
// an open customer request never change.
type Offer struct {
	ID            string          `json:"id"`
	ItemID        string          `json:"itemId"`
	Rev           int             `json:"rev"` // 1, 2, 3 … without gaps
	ParentID      string          `json:"parentId,omitempty"`
	Kind          string          `json:"kind"` // offer, change
	Form          Form            `json:"form"`
	By            Side            `json:"by"`
	ActorKind     ActorKind       `json:"actorKind"`
	ActorID       string          `json:"actorId"`
	Round         int             `json:"round"`
	Status        OfferStatus     `json:"status"`
	ValidThrough  *Instant        `json:"validThrough,omitempty"`
	Terms         json.RawMessage `json:"terms"` // the whole terms, as the doors show them
	TermsSHA      string          `json:"termsSha"`
	Changes       []string        `json:"changes,omitempty"`
	Shown         *Shown          `json:"shown,omitempty"`
	Authored      string          `json:"authored"` // person, automated
	Binding       bool            `json:"binding"`
	ReasonCode    string          `json:"reasonCode,omitempty"`
	Note          string          `json:"note,omitempty"`
	EventID       string          `json:"eventId"`
	ClosedEventID string          `json:"closedEventId,omitempty"`
	CreatedAt     Instant         `json:"createdAt"`
	UpdatedAt     Instant         `json:"updatedAt"`
}

// Disclosures are the codes of what a customer has to know of a business offer
// (02 §1.8).
const (
	DisclosureHeld         = "held" // its places are held
	DisclosureUnheld       = "unheld"
	DisclosureWithdrawable = "withdrawable" // it does not bind the business
	DisclosurePersonalised = "personalised_price"
)

// Held says whether places are held for the offer.
func (o *Offer) Held() bool {
	return o.Shown != nil && slices.Contains(o.Shown.Disclosures, DisclosureHeld)
}

// Human is the sentence the customer was shown, "" for an offer of their own.
func (o *Offer) Human() string {
	if o.Shown == nil {
		return ""
	}
	return o.Shown.Human
}

// Pointer is what the item's payload says about this offer (02 §1.11).
func (o *Offer) Pointer() *OfferPointer {
	p := &OfferPointer{ID: o.ID, Rev: o.Rev, By: o.By, Round: o.Round, Status: o.Status}
	if o.Status == OfferOpen {
		p.ValidThrough, p.Held = o.ValidThrough, o.Held()
		if o.By == SideBusiness && !o.Binding {
			p.Binding = Ptr(false)
		}
	}
	return p
}

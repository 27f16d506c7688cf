package inbox

import "encoding/json"

// Views are what the doors answer (03 §7).

// Transition is one event a reader may fire now.
type Transition struct {
	Event string `json:"event"`
	Label string `json:"label"`
}

// NextStep is one door a customer may use now.
type NextStep struct {
	Action string `json:"action"`
	Label  string `json:"label"`
}

// CustomerItem is the envelope without the business's flags.
type CustomerItem struct {
	ID           string   `json:"id"`
	Type         Type     `json:"type"`
	State        State    `json:"state"` // spam reads as closed
	Version      int      `json:"version"`
	PartyID      string   `json:"partyId"`
	LocationID   *string  `json:"locationId"`
	Channel      Channel  `json:"channel"`
	Subject      *string  `json:"subject"`
	LinkedItemID *string  `json:"linkedItemId"`
	CreatedAt    Instant  `json:"createdAt"`
	UpdatedAt    Instant  `json:"updatedAt"`
	ClosedAt     *Instant `json:"closedAt"`
	Payload      Payload  `json:"payload"`
}

// OfferView is an open offer put to the customer.
type OfferView struct {
	ID              string          `json:"id"`
	Kind            Form            `json:"kind"` // time, quote, order, change
	Terms           json.RawMessage `json:"terms"`
	TermsSHA        string          `json:"terms_sha"`
	Deadline        *Instant        `json:"deadline"`
	ObligationToPay bool            `json:"obligation_to_pay"`
	Human           string          `json:"human"`
	Changes         []string        `json:"changes"`
	Warnings        []OfferWarning  `json:"warnings"`
	Disclosures     []string        `json:"disclosures"`
	Expired         bool            `json:"expired"`
}

// OfferWarning tells a reader to look twice.
type OfferWarning struct {
	Type     string `json:"type"`
	Code     string `json:"code"`
	Severity string `json:"severity"`
}

// AgreedTerms are the terms that stand.
type AgreedTerms struct {
	Terms    json.RawMessage `json:"terms"`
	TermsSHA string          `json:"terms_sha"`
}

// RequestedChange is the customer's own open change.
type RequestedChange struct {
	Terms    json.RawMessage `json:"terms"`
	TermsSHA string          `json:"terms_sha"`
	Until    *Instant        `json:"until"`
}

// OfferRow is one row of an item's ledger of offers as the business reads it
// (02 §1.12, 03 §7).
type OfferRow struct {
	ID           string          `json:"id"`
	Rev          int             `json:"rev"`
	ParentID     *string         `json:"parent_id"`
	Kind         string          `json:"kind"` // offer, change
	Form         Form            `json:"form"`
	By           Side            `json:"by"`
	Actor        OfferActor      `json:"actor"`
	Round        int             `json:"round"`
	Status       OfferStatus     `json:"status"`
	ValidThrough *Instant        `json:"valid_through"`
	Terms        json.RawMessage `json:"terms"`
	TermsSHA     string          `json:"terms_sha"`
	Changes      []string        `json:"changes"`
	Shown        *Shown          `json:"shown"`
	Authored     string          `json:"authored"`
	Binding      bool            `json:"binding"`
	ReasonCode   *string         `json:"reason_code"`
	Note         *string         `json:"note"`
	CreatedAt    Instant         `json:"created_at"`
	ClosedAt     *Instant        `json:"closed_at"`
}

// OfferActor is who made an offer; the id of a customer is always null.
type OfferActor struct {
	Kind ActorKind `json:"kind"`
	ID   *string   `json:"id"`
}

// OfferList answers list_offers: every row, oldest first.
type OfferList struct {
	Offers []OfferRow `json:"offers"`
	Draft  *struct{}  `json:"draft"`
}

// ThreadLine is one message as the customer reads it.
type ThreadLine struct {
	From      string  `json:"from"` // you, us
	Text      string  `json:"text"`
	At        Instant `json:"at"`
	Automated bool    `json:"automated,omitempty"`
}

// Identity says how far the customer was recognised.
type Identity struct {
	Recognised Match      `json:"recognised"`
	Passes     []struct{} `json:"passes"`
	Verify     Verify     `json:"verify"`
	Networks   []struct{} `json:"networks"`
	Guide      *string    `json:"guide"`
}

// Verify says whether a one-time code can be asked for.
type Verify struct {
	Available bool    `json:"available"`
	SentTo    *string `json:"sent_to"`
}

// CustomerView is an item as its customer reads it (03 §7, 05 §8).
type CustomerView struct {
	Item            CustomerItem     `json:"item"`
	Human           string           `json:"human"`
	Reference       string           `json:"reference"`
	Transitions     []Transition     `json:"transitions"`
	Offer           *OfferView       `json:"offer"`
	Agreed          *AgreedTerms     `json:"agreed"`
	RequestedChange *RequestedChange `json:"requested_change"`
	WaitingOn       *string          `json:"waiting_on"` // you, us, null
	Next            []NextStep       `json:"next"`
	Withdrawal      *WithdrawalView  `json:"withdrawal"` // null without a contract
	Refunds         []RefundView     `json:"refunds"`    // oldest first
	Thread          []ThreadLine     `json:"thread"`     // the newest 50, oldest first
	Receipts        []struct{}       `json:"receipts"`
	Identity        Identity         `json:"identity"`
}

// WithdrawalView is the right to withdraw from a contract as its customer reads
// it (03 §7, 02 §9.1). Until is null for as long as no end is fixed. Why is
// excepted, lapsed, business_customer, not_paid or started, and stands only
// where the right does not run; Reason is that in words.
type WithdrawalView struct {
	Available bool     `json:"available"`
	Until     *Instant `json:"until"`
	Label     string   `json:"label"`
	Why       string   `json:"why,omitempty"`
	Reason    string   `json:"reason,omitempty"`
}

// WithdrawalStatement is what a customer declares who withdraws from a contract,
// shown before it is sent (02 §9.4): the statement, who declares it, the address
// the copy goes to, what the contract is about, and the right as it stands.
type WithdrawalStatement struct {
	Text      string       `json:"text"`
	Name      string       `json:"name"`
	Email     string       `json:"email"`
	Contract  string       `json:"contract"`
	Reference string       `json:"reference"`
	Lines     []ReturnLine `json:"lines,omitempty"`
	Available bool         `json:"available"`
	Until     *Instant     `json:"until"`
	Why       string       `json:"why,omitempty"`
	Label     string       `json:"label"`
	Confirm   string       `json:"confirm"`
}

// RefundView is one refund of a promise as its customer reads it (03 §7).
type RefundView struct {
	ItemID    string `json:"item_id"`
	Reference string `json:"reference"`
	State     State  `json:"state"`
	Human     string `json:"human"`
}

// PartyView is the customer as the owner's lists show them.
type PartyView struct {
	ID       string    `json:"id"`
	Name     string    `json:"name"`
	Kind     PartyKind `json:"kind"`
	Email    string    `json:"email,omitempty"`
	Phone    string    `json:"phone,omitempty"`
	Verified bool      `json:"verified"`
}

// OwnerView is an item as the business reads it.
type OwnerView struct {
	Item        Item         `json:"item"`
	Reference   string       `json:"reference"`
	Transitions []Transition `json:"transitions"`
	Human       string       `json:"human"`
	Party       *PartyView   `json:"party"`
	Receipts    []struct{}   `json:"receipts"`
}

// EventBy is who fired an event; a customer's id is never shown.
type EventBy struct {
	Kind ActorKind `json:"kind"`
	ID   *string   `json:"id"`
	Name string    `json:"name,omitempty"`
}

// EventView is one line of the history as the owner reads it.
type EventView struct {
	ID      string    `json:"id"`
	Seq     int       `json:"seq"`
	Event   string    `json:"event"`
	From    *State    `json:"from"`
	To      State     `json:"to"`
	Actor   ActorKind `json:"actor"`
	By      EventBy   `json:"by"`
	Channel Channel   `json:"channel"`
	Reason  *string   `json:"reason"`
	Diff    *Diff     `json:"diff"`
	At      Instant   `json:"at"`
}

// EntryView is one thread entry as the owner reads it.
type EntryView struct {
	ID          string       `json:"id"`
	Direction   Direction    `json:"direction"`
	Channel     Channel      `json:"channel"`
	Actor       ActorKind    `json:"actor"`
	Body        string       `json:"body"`
	At          Instant      `json:"at"`
	WrittenBy   string       `json:"written_by,omitempty"`
	Attachments []Attachment `json:"attachments,omitempty"`
	From        string       `json:"from,omitempty"`  // of a mail, the address it came from
	Marks       []string     `json:"marks,omitempty"` // of a mail: sender_unverified, spam, other_address, no_answer, unscanned, automatic
}

// MailView is one mail of the log as the owner reads it.
type MailView struct {
	ID         string      `json:"id"`
	Recipient  string      `json:"recipient"`
	Template   string      `json:"template"`
	Subject    string      `json:"subject"`
	Body       string      `json:"body"`
	Status     MailStatus  `json:"status"`
	SkipReason *SkipReason `json:"skip_reason"`
	LastError  *string     `json:"last_error"`
	Attempts   int         `json:"attempts"`
	SentAt     *Instant    `json:"sent_at"`
	CreatedAt  Instant     `json:"created_at"`
	EntryID    *string     `json:"entry_id"`
	// Delivery is what the mail service said later, nil while it said nothing.
	Delivery *MailDelivery `json:"delivery,omitempty"`
	// AddressHash names the address on the list of those that are not mailed; it
	// stands on a mail that did not come through.
	AddressHash string `json:"address_hash,omitempty"`
}

// CustomerFacts is what the item's detail says of its customer.
type CustomerFacts struct {
	Match       Match      `json:"match"`
	Possible    *string    `json:"possible"`
	Known       bool       `json:"known"`
	History     History    `json:"history"`
	Persons     []struct{} `json:"persons"`
	Agent       *struct{}  `json:"agent"`
	NetworksOff *struct{}  `json:"networks_off"`
}

// History counts what a customer did here, over their party set; never a test,
// and the item that is judged only among the open bookings (01 §15.5).
type History struct {
	Items             int    `json:"items"`
	Completed         int    `json:"completed"`
	Paid              int    `json:"paid"`
	NoShows           int    `json:"no_shows"`
	LateCancellations int    `json:"late_cancellations"`
	PaymentFailed     int    `json:"payment_failed"`
	ChargedBack       int    `json:"charged_back"`
	LargestPaid       int64  `json:"largest_paid"` // minor units
	OpenBookings      int    `json:"open_bookings"`
	FirstSeen         *int64 `json:"first_seen"` // milliseconds
	LastSeen          *int64 `json:"last_seen"`
}

// ItemDetail is everything about one item (03 §7).
type ItemDetail struct {
	OwnerView
	Events   []EventView   `json:"events"`
	Thread   []EntryView   `json:"thread"`
	Mail     []MailView    `json:"mail"`
	Customer CustomerFacts `json:"customer"`
	Draft    *struct{}     `json:"draft"`
}

// Created answers a create. Both spellings of the token hold the same value.
type Created struct {
	View         CustomerView `json:"view"`
	AccessToken  string       `json:"accessToken,omitempty"`
	AccessToken2 string       `json:"access_token,omitempty"`
	Identity     *Identity    `json:"identity,omitempty"`
	Replayed     bool         `json:"replayed"`
}

// CreatedByBusiness answers a create that the business wrote down.
type CreatedByBusiness struct {
	View     OwnerView `json:"view"`
	Replayed bool      `json:"replayed"`
}

// CustomerResult answers a customer's act on their item. Appended means that
// it was kept as a message and moved nothing.
type CustomerResult struct {
	View      CustomerView `json:"view"`
	WaitingOn *string      `json:"waiting_on,omitempty"`
	Appended  bool         `json:"appended,omitempty"`
	PassedOn  string       `json:"passed_on,omitempty"`
	// Linked is what an accepted quote became.
	Linked   *CustomerView `json:"linked,omitempty"`
	Replayed bool          `json:"replayed"`
}

// CodeSent says that a one-time code is on its way, and to where; nothing of
// the address but its shape is told. Test says that none was sent because the
// item is a test.
type CodeSent struct {
	SentTo string `json:"sent_to"`
	Test   bool   `json:"test,omitempty"`
}

// Recognised says that the code was the right one.
type Recognised struct {
	Recognised Match `json:"recognised"`
}

// CustomerSummary is what the inbox keeps of a customer, over every party that
// was merged into one (03 §7).
type CustomerSummary struct {
	PartyID     string    `json:"party_id"`
	Name        string    `json:"name"`
	Parties     []string  `json:"parties"`
	Items       int       `json:"items"`
	OpenItems   int       `json:"open_items"`
	Entries     int       `json:"entries"`
	Emails      int       `json:"emails"`
	ErasedAt    *Instant  `json:"erased_at"`
	NetworksOff *struct{} `json:"networks_off"`
}

// Floors answers the owner's floors: every one that is set.
type Floors struct {
	Floors []Floor `json:"floors"`
}

// TransitionResult answers an event of the business's.
type TransitionResult struct {
	View      OwnerView `json:"view"`
	Held      *Held     `json:"held,omitempty"`
	Converted string    `json:"converted,omitempty"`
	// Linked is what an accepted quote became.
	Linked   *OwnerView `json:"linked,omitempty"`
	Replayed bool       `json:"replayed"`
}

// Held says that words of automation were kept inside and why.
type Held struct {
	Breaches []string `json:"breaches"`
}

// Slot is one free start time; Available says how many may still be booked.
type Slot struct {
	StartTime Instant `json:"startTime"`
	EndTime   Instant `json:"endTime"`
	Available int     `json:"available"`
}

// SlotService names the service of a list of slots.
type SlotService struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	DurationMin int    `json:"durationMin"`
}

// Slots answers check_availability.
type Slots struct {
	Service SlotService `json:"service"`
	Slots   []Slot      `json:"slots"`
}

// Page is one page of a list.
type Page[T any] struct {
	Items      []T     `json:"items"`
	NextCursor *string `json:"next_cursor"`
}

// PublicProfile is what the business says of itself in public.
type PublicProfile struct {
	Name            string        `json:"name"`
	Domain          *string       `json:"domain"`
	Timezone        string        `json:"timezone"`
	Currency        string        `json:"currency"`
	Languages       []string      `json:"languages"`
	ItemTypes       []Type        `json:"item_types"`
	PriceNegotiable bool          `json:"price_negotiable"`
	ReturnPolicy    *ReturnPolicy `json:"return_policy"`
	Trader          *Trader       `json:"trader,omitempty"`
}

// ReturnPolicy is schema.org's MerchantReturnPolicy.
type ReturnPolicy struct {
	ReturnPolicyCategory string `json:"returnPolicyCategory"`
	MerchantReturnDays   int    `json:"merchantReturnDays"`
	ReturnMethod         string `json:"returnMethod"`
	ReturnFees           string `json:"returnFees"`
	ItemDefectReturnFees string `json:"itemDefectReturnFees"`
	RefundType           string `json:"refundType"`
	ReturnPolicyCountry  string `json:"returnPolicyCountry,omitempty"`
}

// Trader is who the business is in law.
type Trader struct {
	LegalName     string `json:"legal_name"`
	Address       string `json:"address,omitempty"`
	Country       string `json:"country,omitempty"`
	Email         string `json:"email,omitempty"`
	Phone         string `json:"phone,omitempty"`
	VATID         string `json:"vat_id,omitempty"`
	ComplaintsURL string `json:"complaints_url,omitempty"`
}

// HoursOverride is one service's own week.
type HoursOverride struct {
	ServiceID string `json:"service_id"`
	Weekly    Week   `json:"weekly"`
}

// Availability is the opening hours as the owner reads them.
type Availability struct {
	Timezone  string          `json:"timezone"`
	Weekly    Week            `json:"weekly"`
	Overrides []HoursOverride `json:"overrides"`
	Closures  []Closure       `json:"closures"`
}

// SettingsView answers get_settings and update_settings.
type SettingsView struct {
	Doc      json.RawMessage `json:"doc"`
	Version  int             `json:"version"`
	Redacted []string        `json:"redacted"`
	Withheld []string        `json:"withheld"`
	Replayed bool            `json:"replayed"`
}

// MailStatusView answers the owner's mail status.
type MailStatusView struct {
	Service        string  `json:"service"` // ses, mailbox, none
	Sender         *string `json:"sender"`  // the From address, null when none can send
	SenderProblem  *string `json:"sender_problem"`
	Links          bool    `json:"links"` // whether customers can answer by a link, or by reply alone
	InboundAddress *string `json:"inbound_address"`
	// Suppressions are addresses that are mailed nothing, or little (05 §4.9).
	Suppressions []SuppressionView `json:"suppressions"`
}

// Health answers /healthz.
type Health struct {
	OK      bool   `json:"ok"`
	Version string `json:"version"`
}

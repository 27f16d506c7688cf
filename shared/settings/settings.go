package settings

import "encoding/json"

// Settings are the effective settings: every key has a value, the stored one
// or its default. The json names are the paths of [Table]. They are read-only;
// copies share their lists and maps.
type Settings struct {
	SchemaVersion int                `json:"schemaVersion"`
	Business      Business           `json:"business"`
	Booking       Booking            `json:"booking"`
	Orders        Orders             `json:"orders"`
	Negotiation   Negotiation        `json:"negotiation"`
	Returns       Returns            `json:"returns"`
	Commerce      Commerce           `json:"commerce"`
	Notifications Notifications      `json:"notifications"`
	Email         Email              `json:"email"`
	Integrations  Integrations       `json:"integrations"`
	Security      Security           `json:"security"`
	Identity      Identity           `json:"identity"`
	Customers     Customers          `json:"customers"`
	Directory     Directory          `json:"directory"`
	Networks      map[string]Network `json:"networks"` // by canonical origin, at most 8
	TestMode      bool               `json:"testMode"`
}

// Business is what stands in for a profile that does not say (03 §11.3).
type Business struct {
	Name      string   `json:"name"`
	Timezone  string   `json:"timezone"` // IANA name
	Currency  string   `json:"currency"` // upper case
	Languages []string `json:"languages"`
}

// Booking holds the limits and clocks of bookings. Minutes and hours are
// elapsed time.
type Booking struct {
	CancellationWindowMin int    `json:"cancellationWindowMin"`
	MinNoticeMin          int    `json:"minNoticeMin"`
	HoldOnPropose         bool   `json:"holdOnPropose"`
	MaxHolds              int    `json:"maxHolds"`
	AutoExpireHours       int    `json:"autoExpireHours"`
	LateCancellation      string `json:"lateCancellation"` // record or refuse
	AutoCompleteHours     int    `json:"autoCompleteHours"`
}

// Orders holds the limits and clocks of orders. A value of 0 is no cap.
type Orders struct {
	MaxValueWithoutApprovalMinor int64 `json:"maxValueWithoutApprovalMinor"`
	PayDays                      int   `json:"payDays"`
	DueDays                      int   `json:"dueDays"`
}

// Negotiation is how far offers go (02 §2).
type Negotiation struct {
	OfferValidHours   int                        `json:"offerValidHours"`
	CounterValidHours int                        `json:"counterValidHours"`
	MaxRounds         int                        `json:"maxRounds"`
	Binding           bool                       `json:"binding"`
	PriceCounters     bool                       `json:"priceCounters"`
	PerCustomer       PerCustomer                `json:"perCustomer"`
	Rewards           map[string]json.RawMessage `json:"rewards"`
	Changes           Changes                    `json:"changes"`
	AI                AI                         `json:"ai"`
}

// PerCustomer bounds price negotiations with one customer.
type PerCustomer struct {
	Open          int `json:"open"`
	PriceCounters int `json:"priceCounters"`
	Days          int `json:"days"`
}

// Changes bounds changes to what was agreed. A nil cutoff is the cancellation
// window.
type Changes struct {
	MaxPerItem        int  `json:"maxPerItem"`
	CustomerCutoffMin *int `json:"customerCutoffMin"`
}

// AI is what automation may do without a person.
type AI struct {
	MaxDiscountPct              float64 `json:"maxDiscountPct"`
	MayPriceCustom              bool    `json:"mayPriceCustom"`
	MaxTimeShiftMin             int     `json:"maxTimeShiftMin"`
	MaxDelayDays                int     `json:"maxDelayDays"`
	MaxRefundMinor              int64   `json:"maxRefundMinor"`
	MayAcceptChanges            bool    `json:"mayAcceptChanges"`
	MayProposeChanges           bool    `json:"mayProposeChanges"`
	MayAuthorizeReturnsInPolicy bool    `json:"mayAuthorizeReturnsInPolicy"`
}

// Returns is the return policy, in days but for the answer's hours.
type Returns struct {
	Days               int    `json:"days"`
	Postage            string `json:"postage"` // customer or business
	RefundDays         int    `json:"refundDays"`
	RespondHours       int    `json:"respondHours"`
	AssumedTransitDays int    `json:"assumedTransitDays"`
}

// Commerce says whom the business sells to and who it is in law.
type Commerce struct {
	Customers string `json:"customers"` // consumers, businesses or both
	Legal     Legal  `json:"legal"`
}

// Legal is the trader's identity; "" is not given.
type Legal struct {
	LegalName     string `json:"legalName"`
	Address       string `json:"address"`
	Country       string `json:"country"`
	Phone         string `json:"phone"`
	Email         string `json:"email"`
	VATID         string `json:"vatId"`
	ComplaintsURL string `json:"complaintsUrl"`
}

// Notifications says where the owner is told; "" is not set.
type Notifications struct {
	OwnerEmail string `json:"ownerEmail,omitempty"`
	AppURL     string `json:"appUrl,omitempty"`
}

// Email is how mail leaves and comes in; "" is not set.
type Email struct {
	FromAddress   string `json:"fromAddress,omitempty"`
	ReplyTo       string `json:"replyTo,omitempty"`
	FromName      string `json:"fromName,omitempty"`
	InboundSecret string `json:"inboundSecret,omitempty"`
}

// Integrations bounds what is spoken to other systems.
type Integrations struct {
	Webhooks   Webhooks   `json:"webhooks"`
	Feeds      Feeds      `json:"feeds"`
	Connectors Connectors `json:"connectors"`
}

// Webhooks bounds deliveries to endpoints.
type Webhooks struct {
	Enabled             bool `json:"enabled"`
	TimeoutMS           int  `json:"timeoutMs"`
	MaxAttempts         int  `json:"maxAttempts"`
	DisableAfterDays    int  `json:"disableAfterDays"`
	RetainDeliveryDays  int  `json:"retainDeliveryDays"`
	AllowPrivateTargets bool `json:"allowPrivateTargets"`
}

// Feeds bounds the import of product feeds.
type Feeds struct {
	Enabled           bool `json:"enabled"`
	RefreshHours      int  `json:"refreshHours"`
	MaxProducts       int  `json:"maxProducts"`
	DeactivateMissing bool `json:"deactivateMissing"`
}

// Connectors bounds the connections to other booking systems.
type Connectors struct {
	Enabled         bool `json:"enabled"`
	SyncMinutes     int  `json:"syncMinutes"`
	RetainEventDays int  `json:"retainEventDays"`
}

// Security is what guards the doors.
type Security struct {
	EnforceScopes   bool   `json:"enforceScopes"`
	AIMayCreateKeys bool   `json:"aiMayCreateKeys"` // retired, has no effect
	Contact         string `json:"contact,omitempty"`
}

// Identity lists further hosts by which this inbox is called.
type Identity struct {
	ExtraAuthorities []string `json:"extraAuthorities"`
}

// Customers is how customers prove who they are.
type Customers struct {
	OTP      OTP  `json:"otp"`
	EmailKey bool `json:"emailKey"`
}

// OTP bounds one-time codes.
type OTP struct {
	TTLMinutes    int `json:"ttlMinutes"`
	Attempts      int `json:"attempts"`
	SendsPerHour  int `json:"sendsPerHour"`
	SendsPerDay   int `json:"sendsPerDay"`
	GuessesPerDay int `json:"guessesPerDay"`
}

// Directory is what the business says of itself in public.
type Directory struct {
	Listed      bool     `json:"listed"`
	Description string   `json:"description"`
	Categories  []string `json:"categories"`
	Address     Address  `json:"address"`
	Geo         *Geo     `json:"geo"`
	URL         string   `json:"url"`
}

// Address is the public address, in schema.org's names.
type Address struct {
	StreetAddress   string `json:"streetAddress,omitempty"`
	AddressLocality string `json:"addressLocality,omitempty"`
	PostalCode      string `json:"postalCode,omitempty"`
	AddressCountry  string `json:"addressCountry,omitempty"`
}

// Geo is a point on the map, in degrees.
type Geo struct {
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
}

// Network is what is told to one network (04 §4.4).
type Network struct {
	Enabled bool  `json:"enabled"`
	Issue   bool  `json:"issue"`
	Share   Share `json:"share"`
}

// Share says which of its data a network gets.
type Share struct {
	Listing  bool `json:"listing"`
	Counts   bool `json:"counts"`
	Receipts bool `json:"receipts"`
}

// CustomerCutoffMin is how long before its start a customer's change to a
// booking needs a person: the setting, else the cancellation window (02 §2).
func (s Settings) CustomerCutoffMin() int {
	if c := s.Negotiation.Changes.CustomerCutoffMin; c != nil {
		return *c
	}
	return s.Booking.CancellationWindowMin
}

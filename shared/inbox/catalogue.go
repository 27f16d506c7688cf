package inbox

// Withdrawal is the flag that says whether the right of withdrawal holds for a
// service or product (01 §10.1).
type Withdrawal string

// WithdrawalStandard is the flag of everything the right holds for.
const WithdrawalStandard Withdrawal = "standard"

// Withdrawals lists every flag.
var Withdrawals = []Withdrawal{
	WithdrawalStandard, "personalised", "perishable", "sealed_hygiene", "sealed_media",
	"mixed", "dated_leisure", "urgent_repair", "digital_started", "price_fluctuates",
}

// ServicePrice is how a service is priced (02 §6.1).
type ServicePrice struct {
	Model    string `json:"model" in:"required,enum=fixed|from|quote"`
	Value    *int64 `json:"value,omitempty" in:"num=0..9007199254740991"`
	Currency string `json:"currency,omitempty" in:"currency"`
	Per      string `json:"per,omitempty" in:"enum=booking|person"`
}

// Service is something that can be booked (01 §10.1). Lengths are minutes.
type Service struct {
	ID              string        `json:"id"`
	Name            string        `json:"name"`            // 1..120
	Description     string        `json:"description"`     // ≤ 1000
	DurationMin     int           `json:"durationMin"`     // 5..1440
	BufferBeforeMin int           `json:"bufferBeforeMin"` // 0..240
	BufferAfterMin  int           `json:"bufferAfterMin"`  // 0..240
	Capacity        int           `json:"capacity"`        // 1..100 bookings at every instant
	GranularityMin  int           `json:"granularityMin"`  // 5..240
	Price           *ServicePrice `json:"price"`           // nil: not priced
	Active          bool          `json:"active"`          // archived and unpublished ones are not
	Sort            int           `json:"sort"`            // 0..10000
	Withdrawal      Withdrawal    `json:"withdrawal"`      // owner in person only
	Negotiable      bool          `json:"negotiable"`      // owner in person only
	Version         int           `json:"version"`         // raised by every write
	CreatedAt       Instant       `json:"createdAt"`
	UpdatedAt       Instant       `json:"updatedAt"`
}

// Product is something that can be ordered (03 §12).
type Product struct {
	ID          string     `json:"id"`
	SKU         string     `json:"sku,omitempty"` // ≤ 64, unique across the catalogue
	Name        string     `json:"name"`          // 1..200
	Description string     `json:"description"`   // ≤ 2000
	Price       Money      `json:"price"`
	Stock       *int64     `json:"stock"`
	Active      bool       `json:"active"`
	Withdrawal  Withdrawal `json:"withdrawal"`
	Negotiable  bool       `json:"negotiable"`
	Source      string     `json:"source"` // manual, or feed:<url>
	ExternalID  string     `json:"externalId,omitempty"`
	Version     int        `json:"version"`
	CreatedAt   Instant    `json:"createdAt"`
	UpdatedAt   Instant    `json:"updatedAt"`
}

// Weekdays in the order a week is written.
var Weekdays = []string{"mon", "tue", "wed", "thu", "fri", "sat", "sun"}

// Window is open and close of a day in wall-clock time, "HH:MM", open < close;
// "24:00" closes at midnight (01 §10.2).
type Window [2]string

// Week is the opening hours of each weekday, up to six windows a day; a missing
// day is closed.
type Week map[string][]Window

// Closure is a span of local dates, both included, on which the business is
// closed (01 §10.2).
type Closure struct {
	From   string `json:"from" in:"required,date"`
	To     string `json:"to" in:"required,date"`
	Reason string `json:"reason,omitempty" in:"len=0..200"`
}

// Profile is what the business says of itself (03 §11.3). Empty fields fall
// back to settings.business.
type Profile struct {
	Name      string   `json:"name,omitempty"`
	Domain    string   `json:"domain,omitempty"`
	Timezone  string   `json:"timezone,omitempty"`
	Currency  string   `json:"currency,omitempty"`
	Languages []string `json:"languages,omitempty"`
	Version   int      `json:"version"`
}

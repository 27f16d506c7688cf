package inbox

// ClaimKind says what takes a place (00 §4).
type ClaimKind string

// The kinds of claim. Only an ask ends by itself, at Until.
const (
	ClaimBooking ClaimKind = "booking"
	ClaimHold    ClaimKind = "hold"
	ClaimAsk     ClaimKind = "ask"
)

// Claim is one place taken for an exact time, buffers included: [From, To).
type Claim struct {
	ID       string    `json:"id"`
	Resource string    `json:"resource"` // service:<id>, resource:<id>, or either behind "sandbox:"
	Kind     ClaimKind `json:"kind"`
	From     Instant   `json:"from"`
	To       Instant   `json:"to"`
	Until    *Instant  `json:"until,omitempty"`
	OfferID  string    `json:"offerId,omitempty"`
}

// PartyHolder names a party as a customer who holds places, for the count
// behind booking.maxHolds (01 §10.6); what tests hold is counted apart.
func PartyHolder(partyID string, sandbox bool) string {
	if sandbox {
		return "sandbox:p:" + partyID
	}
	return "p:" + partyID
}

// Holding says that an item begins or ends to hold places for a customer, by a
// name of [PartyHolder].
type Holding struct {
	Holder string
	ItemID string
	Begins bool
}

// MaxClaimHours is how many hour rows one booking may touch (00 §4).
const MaxClaimHours = 40

// HourRow names the row that keeps the claims of one resource in one UTC hour.
type HourRow struct {
	Resource string
	Hour     int64 // hours since 1970-01-01T00:00Z
}

// Rows lists the hour rows a claim touches, in order.
func (c Claim) Rows() []HourRow {
	first, last := int64(c.From)/Hour, (int64(c.To)-1)/Hour
	rows := make([]HourRow, 0, last-first+1)
	for h := first; h <= last; h++ {
		rows = append(rows, HourRow{c.Resource, h})
	}
	return rows
}

// Places is what stood in a set of hour rows when they were read. A row that
// is not there has rev 0.
type Places struct {
	Revs   map[HourRow]int64
	Claims []Claim // each claim once, whatever number of rows it stands in
}

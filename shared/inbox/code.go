package inbox

// OneTimeCode is the latest one-time code of an item (01 §15.4). A new one takes the
// place of the one before.
type OneTimeCode struct {
	ID        string   `json:"id"`
	ItemID    string   `json:"itemId"`
	Hash      string   `json:"hash"`    // lower-case hex SHA-256 of "<id>:<code>"
	Address   string   `json:"address"` // the known customer's, normalised
	PartyID   string   `json:"partyId"` // the known customer
	Attempts  int      `json:"attempts,omitempty"`
	CreatedAt Instant  `json:"createdAt"`
	ExpiresAt Instant  `json:"expiresAt"`
	UsedAt    *Instant `json:"usedAt,omitempty"`
	Test      bool     `json:"test,omitempty"` // nothing was mailed, so nothing is proven
	// Mark names the write that left the row as it is.
	Mark string `json:"mark"`

	// Digits are the code itself. They stand in no row but sealed, while the code
	// can be used; "" when there is nothing to mail any more.
	Digits string `json:"-"`
	Rev    int    `json:"-"`
}

// CodeTries are the codes sent to one address and the guesses at them, within
// the last day (01 §19.8).
type CodeTries struct {
	Address string    `json:"-"` // lower-case hex SHA-256 of "email:<address>"
	Sends   []Instant `json:"sends,omitempty"`
	Guesses []Instant `json:"guesses,omitempty"`
	Rev     int       `json:"-"`
}

// What happened to an item that its customer's history counts (01 §15.5).
const (
	HappenedLate        = "cancelled_late"
	HappenedPaid        = "paid"
	HappenedUnpaid      = "payment_failed"
	HappenedChargedBack = "charged_back"
	// HappenedExcused is a charge-back that history does not count: a return was
	// open, or had been refunded late (01 §7).
	HappenedExcused = "charge_back_excused"
)

package inbox

// MailStatus is what became of a mail (05 §4.5).
type MailStatus string

// The fates of a mail.
const (
	MailQueued   MailStatus = "queued"
	MailSent     MailStatus = "sent"
	MailRetrying MailStatus = "retrying"
	MailFailed   MailStatus = "failed"
	MailSkipped  MailStatus = "skipped"
)

// SkipReason says why a mail was not sent (05 §3.7).
type SkipReason string

// The reasons there are.
const (
	SkipTestItem   SkipReason = "test_item"
	SkipNoAddress  SkipReason = "no_address"
	SkipNoSender   SkipReason = "no_sender"
	SkipNoService  SkipReason = "no_service"
	SkipAckLimit   SkipReason = "ack_limit"
	SkipErased     SkipReason = "erased"
	SkipOwnAddress SkipReason = "own_address"
	SkipAlertLimit SkipReason = "alert_limit"
	SkipSuppressed SkipReason = "suppressed"
	SkipAutomatic  SkipReason = "automatic_limit"
)

// Mail is one line of an item's mail log and the outbox entry of that mail
// (05 §4.5). The recipient's address is not on it: it is read when sent.
type Mail struct {
	ID           string                `json:"id"`
	JobKey       string                `json:"jobKey"` // the effect's id; one mail per key
	ItemID       string                `json:"itemId"`
	Recipient    string                `json:"recipient"`        // customer, owner, staff
	UserID       string                `json:"userId,omitempty"` // of staff
	Template     string                `json:"template"`
	Lang         string                `json:"lang"`
	EventID      string                `json:"eventId,omitempty"`
	EntryID      string                `json:"entryId,omitempty"`
	Links        map[LinkAction]string `json:"links,omitempty"` // the jti of each; in Body they stand cut (05 §6.2)
	Subject      string                `json:"subject"`
	Body         string                `json:"body"`
	Automatic    bool                  `json:"automatic,omitempty"` // automation acted for the business: the disclosure line
	AutoSubmit   string                `json:"autoSubmitted,omitempty"`
	Status       MailStatus            `json:"status"`
	SkipReason   SkipReason            `json:"skipReason,omitempty"`
	Attempts     int                   `json:"attempts"`
	NextAt       *Instant              `json:"nextAt,omitempty"`
	SendingUntil *Instant              `json:"sendingUntil,omitempty"` // the send lease, 05 §4.6
	ProviderID   string                `json:"providerId,omitempty"`
	LastError    string                `json:"lastError,omitempty"` // ≤ 300, addresses masked
	Version      int                   `json:"version"`
	CreatedAt    Instant               `json:"createdAt"`
	UpdatedAt    Instant               `json:"updatedAt"`
	SentAt       *Instant              `json:"sentAt,omitempty"`
}

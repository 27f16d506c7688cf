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

// OwnerMails stands in place of an item's id on mails and jobs that are about no
// item.
const OwnerMails = "owner"

// What the owner is told of beside events: the name of the effect that owes it
// (05 §3.4).
const (
	AlertMailFailed = "mail_failed"
	AlertHeldReply  = "held_reply"
)

// Unmailed is an alert that the owner was not mailed, as the digest names it.
type Unmailed struct {
	JobKey  string `json:"k"`
	Subject string `json:"s"`
	ItemID  string `json:"i"`
}

// Mail is one line of an item's mail log and the outbox entry of that mail
// (05 §4.5). The recipient's address is not on it: it is read when sent.
type Mail struct {
	ID           string                `json:"id"`
	JobKey       string                `json:"jobKey"` // the effect's id; one mail per key
	ItemID       string                `json:"itemId"`
	Recipient    string                `json:"recipient"` // customer, owner
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
	ToHash       string                `json:"toHash,omitempty"`    // of the address it went to, see store.AddressHash
	Delivery     *MailDelivery         `json:"delivery,omitempty"`
	Again        int                   `json:"again,omitempty"` // how often the owner sent it again
	Version      int                   `json:"version"`
	CreatedAt    Instant               `json:"createdAt"`
	UpdatedAt    Instant               `json:"updatedAt"`
	SentAt       *Instant              `json:"sentAt,omitempty"`
}

// MailDelivery is what the mail service said of a mail after it took it (05 §4.8).
type MailDelivery struct {
	State      DeliveryState `json:"state"`
	At         Instant       `json:"at"`
	Status     string        `json:"status,omitempty"`     // SMTP status, 5.1.1
	Diagnostic string        `json:"diagnostic,omitempty"` // ≤ 300, addresses masked
}

// DeliveryState is how far a mail came.
type DeliveryState string

// The states of a delivery.
const (
	DeliveryDelivered  DeliveryState = "delivered"
	DeliveryDelayed    DeliveryState = "delayed"
	DeliveryBounced    DeliveryState = "bounced"
	DeliveryComplained DeliveryState = "complained"
	DeliveryRejected   DeliveryState = "rejected"
)

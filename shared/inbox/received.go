package inbox

// InMail is a mail that came in, from its delivery until its row is too old to
// matter; its bytes are an object of their own (05 §5.1). The row is what makes a
// delivery that comes twice be dealt with once.
type InMail struct {
	// ID is the receiving service's id, the name of the raw object; for the
	// generic door one of ours.
	ID string `json:"id"`
	// From is the envelope's sender: nil when it is not known, "" for the null
	// path. To are the envelope's recipients.
	From *string  `json:"from,omitempty"`
	To   []string `json:"to,omitempty"`
	// Verdicts are those that came with the delivery, never a header's.
	Verdicts Verdicts `json:"verdicts"`
	// NewItemID is the id of the item this mail makes when it answers none: known
	// before, so that what is kept of it has its place.
	NewItemID  string       `json:"newItemId"`
	Admitted   bool         `json:"admitted,omitempty"` // the limits let it through
	Held       int          `json:"held,omitempty"`     // how often they put it off
	Outcome    *MailOutcome `json:"outcome,omitempty"`  // nil until it is dealt with
	ReceivedAt Instant      `json:"receivedAt"`
	// Rev is raised by every write of the row; 0 is a row that is not there yet.
	Rev int `json:"-"`
}

// Verdicts are what the receiving service found of a mail: PASS, FAIL, GRAY,
// PROCESSING_FAILED, DISABLED, or "" when it said nothing (05 §5.2).
type Verdicts struct {
	SPF    string `json:"spf,omitempty"`
	DKIM   string `json:"dkim,omitempty"`
	DMARC  string `json:"dmarc,omitempty"`
	Spam   string `json:"spam,omitempty"`
	Virus  string `json:"virus,omitempty"`
	Policy string `json:"dmarcPolicy,omitempty"` // of the From domain, when DMARC failed
}

// MailOutcome is what became of a mail that came in (05 §5.14).
type MailOutcome struct {
	Outcome  string `json:"outcome"` // created, replied, noted, duplicate, noticed
	ItemID   string `json:"item_id,omitempty"`
	EntryID  string `json:"entry_id,omitempty"`
	NoticeID string `json:"notice_id,omitempty"`
}

// The outcomes of a mail that came in.
const (
	MailCreated   = "created"
	MailReplied   = "replied"
	MailNoted     = "noted"
	MailDuplicate = "duplicate"
	MailNoticed   = "noticed"
)

// ReceivedItem begins the id under which the rows of a received mail stand and
// its job is found; no item has such an id.
const ReceivedItem = "in:"

// NoticeKind says what a notice is of (05 §5.13, 09).
type NoticeKind string

// The kinds of notice.
const (
	NoticeAutoReply NoticeKind = "auto_reply"
	NoticeBounce    NoticeKind = "bounce"
	NoticeVirus     NoticeKind = "virus"
	NoticeTooLarge  NoticeKind = "too_large"
	NoticeMalformed NoticeKind = "malformed"
	NoticeNoSender  NoticeKind = "no_sender"
	NoticeNoReply   NoticeKind = "no_reply"
	NoticeHeld      NoticeKind = "held"
	NoticeLoop      NoticeKind = "loop"
	NoticeAdmin     NoticeKind = "admin"
	NoticeWarning   NoticeKind = "warning"
)

// Notice is a mail, or a warning of the inbox's own, for the owner in person
// alone (05 §5.13). It is never answered and stands on no item.
type Notice struct {
	ID          string       `json:"id"` // ULID
	Kind        NoticeKind   `json:"kind"`
	At          Instant      `json:"at"`
	From        string       `json:"from,omitempty"` // as it was shown
	Subject     string       `json:"subject,omitempty"`
	Text        string       `json:"text,omitempty"` // ≤ 20,000 characters
	Count       int          `json:"count"`          // how many it stands for, ≥ 1
	SeenAt      *Instant     `json:"seenAt,omitempty"`
	ItemID      string       `json:"itemId,omitempty"` // the message the owner made of it
	Name        string       `json:"name,omitempty"`   // of whom to write to, when it is made a message
	Email       string       `json:"email,omitempty"`
	MessageID   string       `json:"messageId,omitempty"`
	RawKey      string       `json:"rawKey,omitempty"` // of the raw mail, "" when it is not kept
	Attachments []Attachment `json:"attachments,omitempty"`
	Unscanned   bool         `json:"unscanned,omitempty"` // its attachments are not served
	Rev         int          `json:"-"`
}

// SuppressReason says why an address is mailed nothing, or little (05 §4.9).
type SuppressReason string

// The reasons of the suppression list.
const (
	SuppressHard      SuppressReason = "hard_bounce"
	SuppressSoft      SuppressReason = "soft_bounces"
	SuppressComplaint SuppressReason = "complaint"
	SuppressOwner     SuppressReason = "owner"
)

// Suppression is what is remembered of an address that mail did not reach, under
// a hash of it. Reason "" only counts.
type Suppression struct {
	Hash   string         `json:"hash"`
	Reason SuppressReason `json:"reason,omitempty"`
	Since  Instant        `json:"since"`
	MailID string         `json:"mailId"`         // the last mail that says so
	Soft   []SoftBounce   `json:"soft,omitempty"` // those of the last 7 days
	Rev    int            `json:"-"`
}

// SoftBounce is a mail that could not be delivered for now.
type SoftBounce struct {
	MailID string  `json:"m"`
	At     Instant `json:"t"`
}

// SenderState is what is known of whether mail can be sent at all: the identity's
// DKIM status as last read, and until when the service takes nothing (05 §4.1,
// §4.7).
type SenderState struct {
	DKIM         string   `json:"dkim,omitempty"` // SUCCESS, else what the service says; "" before it was read
	CheckedAt    *Instant `json:"checkedAt,omitempty"`
	BlockedUntil *Instant `json:"blockedUntil,omitempty"`
	Rev          int      `json:"-"`
}

// DKIMVerified is the status under which the service signs what we send.
const DKIMVerified = "SUCCESS"

package inbox

// Direction of a thread entry.
type Direction string

// In came from the customer, out went to them, a note stays inside.
const (
	DirectionIn   Direction = "in"
	DirectionOut  Direction = "out"
	DirectionNote Direction = "note"
)

// Attachment is a file that came with a mail.
type Attachment struct {
	Name  string `json:"name"`
	Type  string `json:"type"`
	Bytes int64  `json:"bytes"`
	Kept  bool   `json:"kept"`
	// Harmful may run or script: the owner is asked twice (05 §5.6).
	Harmful bool `json:"harmful,omitempty"`
}

// Marks of an entry that came by mail (05 §5.2, §5.9, §5.10).
const (
	MarkUnverified   = "sender_unverified" // its domain asks that such a mail be refused
	MarkSpam         = "spam"              // the receiving service took it for spam
	MarkOtherAddress = "other_address"     // it came from another address than the customer's
	MarkNoAnswer     = "no_answer"         // no machine of ours may answer it
	MarkUnscanned    = "unscanned"         // not found free of viruses: attachments are not served
	MarkAutomatic    = "automatic"         // a machine wrote it
)

// Entry is one piece of an item's conversation (01 §16). It is no event and
// moves no version. Quiet entries were born in a transition and are told by the
// transition's own mail.
type Entry struct {
	ID          string       `json:"id"`
	ItemID      string       `json:"itemId"`
	Direction   Direction    `json:"direction"`
	Channel     Channel      `json:"channel"`
	ActorKind   ActorKind    `json:"actorKind"`
	ActorID     string       `json:"actorId"`
	PartyID     string       `json:"partyId,omitempty"`
	Subject     string       `json:"subject,omitempty"`
	BodyText    string       `json:"bodyText"`
	MessageID   string       `json:"messageId,omitempty"`
	MessageKey  string       `json:"messageKey,omitempty"` // what makes it unique, when not the message id alone
	InReplyTo   string       `json:"inReplyTo,omitempty"`
	Attachments []Attachment `json:"attachments,omitempty"`
	RawKey      string       `json:"rawKey,omitempty"`    // the raw mail's object; its attachments stand beside it
	From        string       `json:"from,omitempty"`      // of a mail, whom it came from
	Marks       []string     `json:"marks,omitempty"`     // of a mail, Mark…
	WrittenBy   string       `json:"writtenBy,omitempty"` // person, automation
	Quiet       bool         `json:"quiet,omitempty"`
	CreatedAt   Instant      `json:"createdAt"`
}

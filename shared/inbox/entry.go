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
}

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
	InReplyTo   string       `json:"inReplyTo,omitempty"`
	Attachments []Attachment `json:"attachments,omitempty"`
	WrittenBy   string       `json:"writtenBy,omitempty"` // person, automation
	Quiet       bool         `json:"quiet,omitempty"`
	CreatedAt   Instant      `json:"createdAt"`
}

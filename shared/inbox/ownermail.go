package inbox

// Requests and views of the doors about mail: what came in (03 §15), what was
// sent, and what is for the owner in person (05 §4.10, §5.13, 09).

// InboundMailRequest is a raw mail that another system hands over, with the
// secret it was given (05 §5.1). EnvelopeFrom is nil when it was not said, "" for
// the null path.
type InboundMailRequest struct {
	Raw          []byte
	Secret       string
	EnvelopeFrom *string
	EnvelopeTo   []string
}

// MailRequest names a mail of the log.
type MailRequest struct {
	MailID string `json:"mail_id" path:"id"`
}

// SendAgainRequest sends a mail again that failed.
type SendAgainRequest struct {
	MailID string `json:"mail_id" path:"id"`
	Keyed
}

// SuppressionRequest takes an address off the list of those that are not mailed,
// by its hash.
type SuppressionRequest struct {
	Hash string `json:"hash" path:"hash"`
	Keyed
}

// NoticeRequest names a notice.
type NoticeRequest struct {
	NoticeID string `json:"notice_id" path:"id"`
	Keyed
}

// AttachmentRequest names the nth attachment of a thread entry, from 1.
type AttachmentRequest struct {
	ItemID  string `json:"item_id" path:"id"`
	EntryID string `json:"entry_id" path:"entry"`
	N       string `json:"n" path:"n"`
}

// SuppressionView is an address that is mailed nothing, or little, as the owner
// reads it: by its hash, for the address itself is the customer's.
type SuppressionView struct {
	Hash   string         `json:"hash"`
	Reason SuppressReason `json:"reason"`
	Since  Instant        `json:"since"`
	MailID string         `json:"mail_id"`
}

// Unsuppressed says that an address is tried again.
type Unsuppressed struct {
	Hash    string `json:"hash"`
	Removed bool   `json:"removed"` // false: it was not on the list
}

// NoticeView is a notice as the owner in person reads it. Kind says of what, Count
// how many it stands for; ItemID is the message that was made of it.
type NoticeView struct {
	ID          string       `json:"id"`
	Kind        NoticeKind   `json:"kind"`
	At          Instant      `json:"at"`
	From        *string      `json:"from"`
	Subject     *string      `json:"subject"`
	Text        string       `json:"text"`
	Count       int          `json:"count"`
	SeenAt      *Instant     `json:"seen_at"`
	ItemID      *string      `json:"item_id"`
	Attachments []Attachment `json:"attachments"`
}

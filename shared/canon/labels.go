package canon

// Purpose names what a derived key is for; it is also the end of the key's HKDF
// label, so changing one loses whatever was sealed or marked under it. A key of
// one purpose is never used for another.
type Purpose string

// The purposes in use.
const (
	// SealAnswer seals stored answers that carry a secret (03 §3, 04 §1.11).
	SealAnswer Purpose = "idempotent-response"
	// SealPepper seals peppers that are made once and never rotate, such as
	// the one of address hashes (05 §4.6).
	SealPepper Purpose = "secret"
	// SealCode seals a one-time code until it is mailed (01 §15.4).
	SealCode Purpose = "one-time-code"
	// ReplyAddress makes the local part of an item's reply address (05 §4.4).
	ReplyAddress Purpose = "mac/reply-address"
	// OwnMail makes the mark by which our own mail is known (05 §4.3).
	OwnMail Purpose = "mac/own-mail"
	// ActionLink makes the tokens of the links in mails (05 §6.1).
	ActionLink Purpose = "mac/action-link"
	// ListCursor ties a page's cursor to this inbox (03 §3).
	ListCursor Purpose = "mac/list-cursor"
)

// labelPrefix starts every HKDF label (04 §1.9, §1.11).
const labelPrefix = "surfingdog-inbox/v1/"

// label is one row of the table of derived keys.
type label struct {
	purpose Purpose
	key     int // bytes of the derived key: 32 to seal, 64 for MACs (04, opening note 1)
	mac     int // bytes of a MAC as it is used, 0 for sealing keys
}

// labels is the one table of derived keys.
var labels = []label{
	{SealAnswer, 32, 0},
	{SealPepper, 32, 0},
	{SealCode, 32, 0},
	{ReplyAddress, 64, 16},
	{OwnMail, 64, 6},
	{ActionLink, 64, 32},
	{ListCursor, 64, 16},
}

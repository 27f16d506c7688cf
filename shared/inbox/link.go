package inbox

// LinkAction says what a link in a mail does when its page is answered
// (05 §6.3).
type LinkAction string

// The actions of links, in the order they stand in a mail (05 §6.3).
const (
	LinkAcceptTime   LinkAction = "accept_time"
	LinkAcceptQuote  LinkAction = "accept_quote"
	LinkAcceptOrder  LinkAction = "accept_order"
	LinkAcceptChange LinkAction = "accept_change"
	LinkDeclineTime  LinkAction = "decline_time"
	LinkDeclineQuote LinkAction = "decline_quote"
	LinkDeclineOrder LinkAction = "decline_order"
	LinkKeepAsIs     LinkAction = "keep_as_is"
	LinkOtherTime    LinkAction = "other_time"
	LinkChangeTime   LinkAction = "change_time"
	LinkDetails      LinkAction = "details"
	LinkCancel       LinkAction = "cancel"
	LinkWithdraw     LinkAction = "withdraw"
)

// LinkActions lists every action in the order of a mail.
var LinkActions = []LinkAction{
	LinkAcceptTime, LinkAcceptQuote, LinkAcceptOrder, LinkAcceptChange,
	LinkDeclineTime, LinkDeclineQuote, LinkDeclineOrder, LinkKeepAsIs, LinkOtherTime,
	LinkChangeTime, LinkDetails, LinkCancel, LinkWithdraw,
}

// Link is a link of a mail as it is stored (05 §6.2). The half of its token that
// lets it act is stored nowhere: it is made anew from these fields.
type Link struct {
	JTI      string     `json:"jti"` // 22 characters, may be shown
	ItemID   string     `json:"itemId"`
	Action   LinkAction `json:"action"`
	TermsSHA string     `json:"termsSha"` // what it is bound to
	// Until is the last moment at which it acts. ExpiresAt is a day later: for
	// that day its page says why it is too late (05 §6.3).
	Until     Instant  `json:"until"`
	ExpiresAt Instant  `json:"expiresAt"`
	UsedAt    *Instant `json:"usedAt,omitempty"`
	Did       string   `json:"did,omitempty"`    // once used: the event it fired, or LinkPassedOn
	Became    State    `json:"became,omitempty"` // and the state the item was in then
	Lang      string   `json:"lang"`             // en, pt: of the mail, and of the page
	MailKey   string   `json:"mailKey"`          // the mail's JobKey
	KID       string   `json:"kid"`              // which key of the ring made it
	CreatedAt Instant  `json:"createdAt"`
	Rev       int      `json:"-"` // of the row, as read
}

// LinkPassedOn is what a link did whose words went to a person and moved
// nothing.
const LinkPassedOn = "passed_on"

// LinkGrace is how long after its date a link says why it is too late; LinkKept
// is how long its row is kept after that (05 §6.2, §6.3).
const (
	LinkGrace = Day
	LinkKept  = 30 * Day
)

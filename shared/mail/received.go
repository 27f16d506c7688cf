package mail

import (
	"errors"
	"time"
)

// Verdict is what the receiving service found of one check (05 §5.2); "" when
// it said nothing.
type Verdict string

// The service's verdicts.
const (
	Pass             Verdict = "PASS"
	Fail             Verdict = "FAIL"
	Gray             Verdict = "GRAY"
	ProcessingFailed Verdict = "PROCESSING_FAILED"
	Disabled         Verdict = "DISABLED"
)

// Verdicts come with the delivery alone. No header of a message is ever read as
// one, since a sender can write them (09 "verdicts").
type Verdicts struct {
	SPF   Verdict `json:"spf,omitempty"`
	DKIM  Verdict `json:"dkim,omitempty"`
	DMARC Verdict `json:"dmarc,omitempty"`
	Spam  Verdict `json:"spam,omitempty"`
	Virus Verdict `json:"virus,omitempty"`
	// DMARCPolicy is the From domain's policy (none, quarantine, reject) when
	// DMARC failed.
	DMARCPolicy string `json:"dmarcPolicy,omitempty"`
}

// Authenticated says whether the From address is proven: SPF, DKIM and DMARC
// all PASS (aligned means DMARC PASS, 09). It gives the tier
// verified_principal, nothing else.
func (v Verdicts) Authenticated() bool { return v.SPF == Pass && v.DKIM == Pass && v.DMARC == Pass }

// Unverified says whether the entry is marked "sender unverified": DMARC failed
// under a policy that asks for rejection or quarantine (05 §5.2).
func (v Verdicts) Unverified() bool {
	return v.DMARC == Fail && (v.DMARCPolicy == "reject" || v.DMARCPolicy == "quarantine")
}

// Infected stops a mail before its body is read (05 §5.2).
func (v Verdicts) Infected() bool { return v.Virus == Fail }

// Servable says whether attachments may ever be downloaded: the virus verdict
// is PASS and nothing less (05 §5.2, §5.6).
func (v Verdicts) Servable() bool { return v.Virus == Pass }

// Junk says whether the service took the mail for spam; GRAY, DISABLED and a
// failed check count as none (05 §5.2).
func (v Verdicts) Junk() bool { return v.Spam == Fail }

// Delivery is what came with a message and is not in it. The zero Delivery is a
// message without an envelope or verdicts: anonymous, attachments not served.
type Delivery struct {
	// From is the envelope sender: nil when it is not known, "" for the null
	// path of bounces and automatic answers.
	From *string `json:"from,omitempty"`
	// To are the envelope's recipients, as received.
	To []string `json:"to,omitempty"`

	Verdicts
}

// Limits of 05 §5.3.
const (
	MaxRaw         = 25 << 20  // bytes of a message that is parsed
	MaxHeader      = 256 << 10 // bytes of its header block
	MaxText        = 20_000    // characters of text kept
	MaxSubject     = 500       // characters of the subject kept
	MaxName        = 200       // characters of a display name kept
	MaxDepth       = 20        // levels of MIME nesting; deeper parts are ignored
	MaxParts       = 200       // parts; later ones are ignored
	MaxAttachments = 10        // attachments kept
	MaxAttachment  = 10 << 20  // bytes of one attachment kept
	MaxAttached    = 20 << 20  // bytes of all attachments kept
	MaxIDs         = 20        // message ids compared for a thread (05 §5.9)
)

// Why a message cannot become an entry. What was readable of it stands in the
// Received all the same, for the notice a person sees (05 §5.13).
var (
	// ErrTooLarge: over [MaxRaw]; only From, Subject and the ids of its header
	// are read. Notice too_large.
	ErrTooLarge = errors.New("mail: message over 25 MiB")
	// ErrMalformed: a header block over [MaxHeader]. Notice malformed.
	ErrMalformed = errors.New("mail: header block over 256 KiB")
	// ErrNoSender: From is missing, names several mailboxes or a group, or no
	// usable address. Notice no_sender; over the generic door 422.
	ErrNoSender = errors.New("mail: not exactly one sender")
)

// Received is a message as it was understood (05 §5.4–§5.6, §5.9, §5.10). All
// its text is NFC, LF, without control or direction characters; names, subject
// and addresses are one line. Nothing in it was judged against our rows.
type Received struct {
	// From is the one author: address normalised, name at most [MaxName]
	// characters. Email is "" with [ErrNoSender].
	From Address
	// Contact is whom an item is for: From, or for a form's relay the one
	// Reply-To of a no-reply sender (Relayed).
	Contact Address
	// Relayed: Contact is the Reply-To of a no-reply sender. It is unverified
	// and the mail's tier anonymous, whatever the verdicts (05 §5.10).
	Relayed bool
	// FromShown is the From header as written, decoded, one line: for notices.
	FromShown string
	// Sender is the address rate limits count: the envelope's, else From's,
	// normalised where it can be; "" when neither is known (05 §5.3).
	Sender string
	// Recipients are all addresses the mail is known to have been sent to,
	// normalised, without repetition: envelope, To, Cc, Delivered-To,
	// X-Original-To, X-Forwarded-To in this order (05 §5.9 row 1).
	Recipients []string
	// Envelope are those of the envelope alone, normalised.
	Envelope []string

	Subject   string // decoded, one line, at most [MaxSubject] characters
	MessageID string // without angle brackets and blanks, "" for none
	InReplyTo string // the first id of the header, without brackets, "" for none
	Date      string // the header as written, one line
	// Keys are what finds the item the mail answers.
	Keys Keys

	// Text is what the person wrote: chosen part, quoted history and signature
	// stripped, at most [MaxText] characters and then a line that says it was
	// cut; "(empty message)" or "(encrypted message)" where there is none.
	Text string
	// Cut: Text is longer than what is kept.
	Cut bool
	// Attachments in the order of the message, those not kept included.
	Attachments []Attachment
	// BodyHash is SHA-256 in hex over the un-stripped text and the attachments;
	// it tells a second delivery from another mail of the same id (05 §5.11).
	BodyHash string

	// Signs are the marks of automatic mail; ask [Received.Automatic].
	Signs Signs
	// Report is set for bounces, delays, receipts and complaints, in the
	// standard's form or a mail system's own. nil otherwise.
	Report *Report
	// Mark is X-Inbox-Mail of the message itself: a loop when a key of ours
	// made it (05 §5.12; canon.Ring.OwnMailID).
	Mark string
}

// Keys are the keys of 05 §5.9 in their order, ready to be looked up. None of
// them proves anything by itself.
type Keys struct {
	// Tokens are the tokens of reply addresses among the recipients, lower
	// case, in order, without repetition (row 1).
	Tokens []string
	// IDs are In-Reply-To, then the first and the last 19 of References,
	// without brackets, without repetition, at most [MaxIDs] (rows 2 and 3).
	// Look each up in the forms of [IDForms].
	IDs []string
	// References are six-character references after "Reference:" in the
	// un-stripped text or as a word of the subject, normalised, without
	// repetition (row 4).
	References []string
}

// Attachment is one file of a message.
type Attachment struct {
	Name    string // one line, no path, at most 200 characters
	Type    string // as sniffed from the content, else as declared
	Bytes   int    // after transfer decoding
	Kept    bool   // false: past the limits, listed only
	Harmful bool   // may run or script: needs a second click (05 §5.6)
	Content []byte // nil when not kept
}

// Automation says what kind of automatic mail it is.
type Automation string

// Kinds of automatic mail.
const (
	AutoReply    Automation = "auto_reply"  // out of office, acknowledgement, newsletter
	AutoBounce   Automation = "bounce"      // not delivered, delayed or delivered
	AutoReceipt  Automation = "disposition" // read or deleted (RFC 8098)
	AutoFeedback Automation = "feedback"    // a complaint (RFC 5965)
)

// Signs are the marks of automatic mail of 05 §5.10.
type Signs struct {
	// Proof names the signal that proves a machine wrote it, whatever it
	// answers; "" for none.
	Proof string
	// Kind of a proven one.
	Kind Automation
	// Subject is a listed subject, Machine a phrase by which a machine names
	// itself, Away one that says somebody is away; "" for none. They count only
	// in a mail that surely answers one of ours.
	Subject, Machine, Away string
	// Suppress: X-Auto-Response-Suppress stands in the header; RulesLoop:
	// X-MS-Exchange-Inbox-Rules-Loop does. Neither proves anything alone.
	Suppress, RulesLoop bool
	// Unanswerable: a person may have written it, but no machine of ours may
	// answer: lists, no-reply senders, X-Auto-Response-Suppress All or AutoReply.
	Unanswerable bool
}

// Thread is what is known of the mail a message answers.
type Thread struct {
	Strong bool // matched by rows 1 or 2 of 05 §5.9
	Soon   bool // arrived within [Soon] of our last mail on the item
}

// Soon is how quickly a machine answers: a phrase that a person might write too
// counts when the mail came within it (05 §5.10).
const Soon = 120 * time.Second

// Judgement is whether a machine wrote a mail.
type Judgement struct {
	Automatic bool
	Kind      Automation // when automatic
	Why       string     // the signal, for the note and the log
}

// Report is a message about another message: a delivery report (RFC 3464), a
// bounce in a mail system's own words, a disposition notification (RFC 8098) or
// a complaint (RFC 5965).
type Report struct {
	Kind Automation // AutoBounce, AutoReceipt or AutoFeedback
	// Recipients of a delivery report, one for each group.
	Recipients []ReportRecipient
	// Mark is X-Inbox-Mail of the returned message, unchecked; "" for none.
	Mark string
	// IDs are the returned message's Message-ID, In-Reply-To and References,
	// without brackets, at most [MaxIDs].
	IDs []string
	// Feedback is the type of a complaint: abuse, fraud, virus, other, not-spam.
	Feedback string
	// Reason is the first line a person can read about it, "" for none.
	Reason string
}

// Action is what became of a message for one recipient (RFC 3464 §2.3.3).
type Action string

// The actions.
const (
	ActionFailed    Action = "failed"
	ActionDelayed   Action = "delayed"
	ActionDelivered Action = "delivered"
	ActionRelayed   Action = "relayed"
	ActionExpanded  Action = "expanded"
)

// ReportRecipient is one recipient's group of a delivery report.
type ReportRecipient struct {
	Final      string // address, normalised where it can be
	Original   string // "" for none
	Action     Action
	Status     string // enhanced code 5.1.1, or "" when unknown
	Diagnostic string // at most 300 characters, one line
	RemoteMTA  string
}

// Permanent says whether a failed recipient will go on failing: the status's
// class is 5. An unknown status is not permanent (05 §4.8 "Undetermined").
func (r ReportRecipient) Permanent() bool {
	return r.Action == ActionFailed && len(r.Status) > 0 && r.Status[0] == '5'
}

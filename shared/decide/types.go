// Package decide is the functional core: given the facts and a verb it answers
// with everything one write changes and what the caller is told, or with a
// problem. It does no I/O, reads no clock and has no randomness of its own, so
// a whole run can be replayed from a seed (00 §3).
package decide

import (
	"encoding/json"
	"time"

	"typedinbox/shared/catalogue"
	"typedinbox/shared/inbox"
	"typedinbox/shared/settings"
)

// Env is the world of one decision: the instant it is made at, and where ids
// and random bytes come from. Now is read once per attempt (01, opening).
type Env struct {
	Now    inbox.Instant
	Source *inbox.Source
}

// Business is what holds for the whole business: the profile with the
// fall-backs of settings.business applied.
type Business struct {
	Name      string
	Domain    string
	Zone      *time.Location
	ZoneName  string
	Currency  string
	Languages []string
}

// Facts is everything a verb may look at, read by key and strongly consistent,
// once per attempt. Fields a verb does not need are empty.
type Facts struct {
	Settings settings.Settings
	Business Business
	Basis    inbox.Basis // versions of settings, profile, service, hours, closures

	Service  *inbox.Service // of the booking; nil when unknown
	Week     inbox.Week     // that service's effective week, nil for closed
	Closures []inbox.Closure
	Products catalogue.Products // those that an order names and that exist

	Record *inbox.Record // the item, nil on a create
	Offer  *inbox.Offer  // the open offer, else the last agreed one; nil for none
	Asked  *inbox.Offer  // the customer's newest row while a business offer is open (Record.AskedRev)
	Agreed *inbox.Offer  // the last agreed offer while a change to it is open, else nil (Record.Underlying)
	// Networks are those that hold the item's promise or would be sent it, and
	// NetworksOff that its customer stopped the networks for themselves.
	Networks    []Network
	NetworksOff bool

	Refunds []*inbox.Record // the refunds of the promise that is judged or shown, oldest first (Record.Refunds)
	Promise *inbox.Record   // the order or booking a refund belongs to, when Record is a refund
	Holds   int             // on how many other items this customer holds places; read for a verb of NeedsHolds
	Party   *inbox.Party    // of the item, or of the caller on a create; the root where it was merged
	People                  // who the customer may be
	Thread  []inbox.Entry   // the newest 50 that a view needs, oldest first
	Entry   *inbox.Entry    // the entry an input names
	Places  inbox.Places    // what stood in the hour rows of the time in question
}

// ItemWrite is one item as it will stand. Expect is the row's rev that must
// still stand, 0 when the item must not exist yet. Record.Rev is Expect+1.
type ItemWrite struct {
	Record inbox.Record
	Expect int
}

// Idempotency is the row that makes a repeated request find its answer
// (01 §12). Desk fills it; decide leaves it nil.
type Idempotency struct {
	Scope       string
	Key         string
	Fingerprint string
	Status      int
	Answer      []byte // the body as told; stored compressed and sealed
	ExpiresAt   inbox.Instant
}

// Write is everything one verb changes. It commits whole or not at all.
type Write struct {
	Items    []ItemWrite
	Events   []inbox.Event // PrevHash is the item's last hash as read; Hash is left to the commit
	Offers   []inbox.Offer // rows opened or closed, as they will stand, in order of rev
	Take     []inbox.Claim // claims to write, each into every hour row it touches
	Release  []inbox.Claim // claims to take away
	Holdings []inbox.Holding
	Places   inbox.Places // the revs that Take was judged on
	Entries  []inbox.Entry
	Party    *inbox.Party  // a new party
	Parties  []inbox.Party // known ones as they will stand; Rev is the one read
	Contacts []inbox.PartyContact
	Code     *inbox.OneTimeCode // as it will stand; Rev is the one read
	Tries    *inbox.CodeTries   // as they will stand; Rev is the one read
	Jobs     []inbox.Job
	Link     *inbox.Link   // the link that was pressed, as it will stand; Rev is the one read
	Received *inbox.InMail // the mail that the write comes from, as it will stand; Rev is the one read
	Mailed   Mailed
	NewMail  *inbox.Mail // one that is queued by this write
	Mail     *inbox.Mail // one whose sending ends with this write; Version is the one read
	Idem     *Idempotency
}

// Mailed is what is remembered of the mail that a write comes from, under its
// message id: what it says, hashed, the delivery it came with, and what became
// of it (05 §5.11).
type Mailed struct{ Body, In, Outcome string }

// Outcome is what a verb decided: the write, and what the caller is told.
type Outcome struct {
	Write  Write
	Status int
	Body   any // one of inbox's views
	// Refused is told instead of Body once the write has committed, as of a
	// wrong guess, which counts.
	Refused *inbox.Problem
}

// CreateRequest makes an item.
type CreateRequest struct {
	Payload inbox.Payload
	Type    inbox.Type
	Subject string
	Contact *inbox.Contact
	Message string // the first words of the thread
	InReply string
	// MessageID of a mail or a client's message, unique when set.
	MessageID string
	// Mail is what came with the words when a mail brought them; nil for none.
	Mail *FromMail
	// PartyID is the caller's own party, "" for none.
	PartyID string
	// TermsSHA is the fingerprint of the terms the customer confirmed, "" for
	// none (02 §5).
	TermsSHA string
}

// TransitionRequest fires an event on Facts.Record (01 §3).
type TransitionRequest struct {
	Event           string
	Input           json.RawMessage
	Reason          string
	ExpectedVersion *int
	WrittenBy       string // person, automation, ""

	said *speech // the words of the note as they came, when they came as a message
}

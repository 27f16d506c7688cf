package inbox

import "encoding/json"

// Names of events outside the machines' tables (01 §11).
const (
	EventCreate     = "create"
	EventFlags      = "flags"
	EventDraftOffer = "draft_offer"
)

// Event is one line of an item's history; it is written once and never changed
// (01 §11). Seq is the item's version after it. Hash covers the event and the
// previous event's hash, with every personal value replaced by its salted MAC.
type Event struct {
	ID          string    `json:"id"`
	ItemID      string    `json:"itemId"`
	Type        Type      `json:"type"` // the item's, so a stream needs no look-up
	Seq         int       `json:"seq"`
	Event       string    `json:"event"`
	FromState   *State    `json:"fromState"`
	ToState     State     `json:"toState"`
	ActorKind   ActorKind `json:"actorKind"`
	ActorID     string    `json:"actorId"`
	Reason      *string   `json:"reason"`
	Diff        *Diff     `json:"diff"`
	Meta        Meta      `json:"meta"`
	CausationID *string   `json:"causationId"`
	Depth       int       `json:"depth"`
	PrevHash    string    `json:"prevHash"`
	Hash        string    `json:"hash"`
	CreatedAt   Instant   `json:"createdAt"`
}

// Diff says what an event changed: the state, and each top-level key of the
// payload whose canonical JSON differs, before and after (null for absent).
type Diff struct {
	State   *[2]State                     `json:"state,omitempty"`
	Payload map[string][2]json.RawMessage `json:"payload,omitempty"`
	Flags   *[2]Flags                     `json:"flags,omitempty"`
}

// Basis is the versions of what was read to decide: settings, profile,
// catalogue entry, hours, closures. They are kept, never conditions (00 §3).
type Basis map[string]int

// Meta is what else is known about an event.
type Meta struct {
	Channel      Channel         `json:"channel"`
	Tier         Tier            `json:"tier,omitempty"`
	Input        json.RawMessage `json:"input,omitempty"`
	WrittenBy    string          `json:"written_by,omitempty"`
	ActorName    string          `json:"actor_name,omitempty"`
	UserID       string          `json:"user_id,omitempty"`
	ActsAs       string          `json:"acts_as,omitempty"`
	Sandbox      bool            `json:"sandbox,omitempty"`
	Unpriced     bool            `json:"unpriced,omitempty"`
	Personalised bool            `json:"personalised,omitempty"`
	Converted    string          `json:"converted,omitempty"`
	Kind         string          `json:"kind,omitempty"`       // of a refund's create
	Excused      bool            `json:"excused,omitempty"`    // of a charge-back that history does not count (01 §7)
	HeldReply    bool            `json:"held_reply,omitempty"` // words of automation kept inside (02 §8.5)
	Breaches     []string        `json:"breaches,omitempty"`   // why they were kept
	Priced       []string        `json:"priced,omitempty"`     // what a customer's counter names a price for, service:<id> (02 §6.5)
	Basis        Basis           `json:"basis,omitempty"`
}

package machine

import "typedinbox/shared/inbox"

// OfferAction is what a row does to the ledger of offers (01 §8.2).
type OfferAction string

// The five actions; "" does nothing.
const (
	Make     OfferAction = "make"
	Take     OfferAction = "take"
	Withdraw OfferAction = "withdraw"
	End      OfferAction = "end"
	Keep     OfferAction = "keep"
)

// Guard names a condition of a row (01 §6); Guards lists them all.
type Guard string

// Effect names what follows from a row (01 §7); Effects lists them all.
type Effect string

// The effects, in the order of effects.json.
const (
	ApplyInput       Effect = "apply_input"
	ApplyProposal    Effect = "apply_proposal"
	ApplyCounter     Effect = "apply_counter"
	ApplyOffer       Effect = "apply_offer"
	ApplyChange      Effect = "apply_change"
	PlanHold         Effect = "plan_hold"
	ClaimSlot        Effect = "claim_slot"
	ReleaseSlot      Effect = "release_slot"
	ReleaseHold      Effect = "release_hold"
	LinkItem         Effect = "link_item"
	LinkRefund       Effect = "link_refund"
	Close            Effect = "close"
	ReceiptConfirmed Effect = "issue_receipt:confirmed"
	ReceiptAccepted  Effect = "issue_receipt:accepted"
	ReceiptPaid      Effect = "issue_receipt:paid"
	ReceiptAmended   Effect = "issue_receipt:amended"
	ReceiptOutcome   Effect = "issue_receipt:outcome"
	ReviewFact       Effect = "review_fact"
	NotifyCustomer   Effect = "notify_customer"
	NotifyOwner      Effect = "notify_owner"
	RunRules         Effect = "rules"
	Webhook          Effect = "webhook"
	Bus              Effect = "bus"
)

// PersonWhen says when a row is for a person alone (01 §3 step 7).
type PersonWhen string

// When a row is for a person alone. OncePaid looks at the item (PersonOnly is
// told), OwnChange at whose change is open.
const (
	Never     PersonWhen = ""
	Always    PersonWhen = "always"     // P! in 01 §5
	OncePaid  PersonWhen = "once_paid"  // 01 §2.3, of a booking and of an order
	OwnChange PersonWhen = "own_change" // 01 §5.6, accept_change of the business's own: the note is internal then
)

// Money says how the money rule (01 §2.3) binds a row.
type Money string

// How the money rule binds a row.
const (
	MoneyRecorded Money = "recorded" // the event records money
	MoneyURL      Money = "url"      // the input may carry a paymentUrl
)

// Row is one line of a table of 01 §5.
type Row struct {
	Event    string        `json:"event"`
	ByText   string        `json:"by"` // as 01 §5 prints it, without the condition of Person
	By       Group         `json:"-"`
	Person   PersonWhen    `json:"person"`
	Draft    bool          `json:"draft"` // a person-only refusal says draft_for_owner
	Money    Money         `json:"money"`
	Internal bool          `json:"internal"` // a business note stays a note (int)
	Unlisted bool          `json:"unlisted"` // never an allowed event (unl)
	Amends   bool          `json:"amends"`   // leaves a closed item closed (am)
	From     []inbox.State `json:"from"`
	To       inbox.State   `json:"to"` // "": the state stays
	Guards   []Guard       `json:"guards"`
	Offer    OfferAction   `json:"offer"`
	Effects  []Effect      `json:"effects"`
	Input    string        `json:"input"` // "note" when 01 §5 names none
}

// Target is the state the row leads to from a state of its From.
func (r *Row) Target(from inbox.State) inbox.State {
	if r.To == "" {
		return from
	}
	return r.To
}

// Does says whether the row lists an effect.
func (r *Row) Does(e Effect) bool {
	for _, x := range r.Effects {
		if x == e {
			return true
		}
	}
	return false
}

// OwesTo lists the row's effects when this caller fires it: a person at the
// business is not told of their own act (09).
func (r *Row) OwesTo(c inbox.Caller) []Effect {
	if !c.IsPerson() || !r.Does(NotifyOwner) {
		return r.Effects
	}
	kept := make([]Effect, 0, len(r.Effects))
	for _, e := range r.Effects {
		if e != NotifyOwner {
			kept = append(kept, e)
		}
	}
	return kept
}

// leaves says whether the row starts from a state.
func (r *Row) leaves(s inbox.State) bool {
	for _, f := range r.From {
		if f == s {
			return true
		}
	}
	return false
}

// admits is who resolves to the row (01 §3 step 6). A and K are judged with the
// owner's rights where a later step refuses them with a better reason: on
// person-only rows (with rules, 02 §8.4) and where money is recorded.
func (r *Row) admits() Group {
	switch {
	case r.Person == Always:
		return r.By | Business
	case r.Money == MoneyRecorded:
		return r.By | Assistant | Key
	}
	return r.By
}

package inbox

// EffectKind names work owed after a commit (01 §7).
type EffectKind string

// The kinds of work whose handlers exist.
const (
	EffectNotifyCustomer EffectKind = "notify_customer"
	EffectNotifyOwner    EffectKind = "notify_owner"
	EffectAcknowledge    EffectKind = "acknowledge"
	EffectRefundDue      EffectKind = "refund_due" // the business is told of a refund that is not paid yet (01 §13.1)
	EffectDigest         EffectKind = "digest"     // what the owner was not mailed in an hour (05 §3.4)
	EffectIndex          EffectKind = "index"      // the item's words are made findable (01 §19.13)
	EffectCode           EffectKind = "code"       // a one-time code is mailed (01 §15.4)
	EffectMerge          EffectKind = "merge"      // a merged party's rows move to its root (01 §15.3)
	EffectNotice         EffectKind = "notice"     // how many notices the owner has not seen (05 §3.4)
	EffectReceive        EffectKind = "receive"    // a mail that came in is dealt with (05 §5.8)
)

// Effect is one piece of work of a job. ID is deterministic, so the work is
// done once however often it is tried.
type Effect struct {
	ID      string     `json:"id"` // ev:<event id>:customer, entry:<entry id>, ack:<item id>, …
	Kind    EffectKind `json:"kind"`
	EventID string     `json:"eventId,omitempty"`
	Event   string     `json:"event,omitempty"` // its name
	EntryID string     `json:"entryId,omitempty"`
	MailID  string     `json:"mailId,omitempty"`  // the id of the mail to be composed, when it is known before
	ItemID  string     `json:"itemId,omitempty"`  // of an index, the item when it is not the job's
	PartyID string     `json:"partyId,omitempty"` // of a merge, the party that was merged
	Done    bool       `json:"done,omitempty"`
}

// Job lists what one write owes (00 §3). A job that is due at its commit is
// ready: the stream picks it up. Taking the lease ends that; whatever is put
// back is found by its RunAt.
type Job struct {
	ID         string   `json:"id"`
	ItemID     string   `json:"itemId"`
	Effects    []Effect `json:"effects"`
	RunAt      Instant  `json:"runAt"`
	Ready      bool     `json:"ready,omitempty"`
	Attempts   int      `json:"attempts,omitempty"`
	PutOff     int      `json:"putOff,omitempty"` // how often an acknowledgement waited for a rule run
	LeaseUntil *Instant `json:"leaseUntil,omitempty"`
	FailedAt   *Instant `json:"failedAt,omitempty"` // failed for good, shown to the owner
	LastError  string   `json:"lastError,omitempty"`
	Version    int      `json:"version"` // raised by every write of the row
	CreatedAt  Instant  `json:"createdAt"`
}

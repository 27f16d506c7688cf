package mail

import "time"

// EventKind is what the mail service says became of a mail it was given
// (05 §4.8).
type EventKind string

// The kinds of event.
const (
	EventSend      EventKind = "send"      // the service took it
	EventDelivery  EventKind = "delivery"  // the other side took it
	EventDelay     EventKind = "delay"     // it is tried again
	EventBounce    EventKind = "bounce"    // the other side will not take it
	EventComplaint EventKind = "complaint" // its reader called it unwanted
	EventReject    EventKind = "reject"    // the service will not send it
)

// Event is one word of the mail service's about one mail of ours.
type Event struct {
	Kind EventKind
	// MailID is our id of the mail, as it was tagged, "" when it was not;
	// ProviderID the service's.
	MailID     string
	ProviderID string
	// Permanent: of a bounce, it will bounce again.
	Permanent  bool
	Status     string // SMTP status, 5.1.1; "" when it is not known
	Diagnostic string // what the other side said
	At         time.Time
}

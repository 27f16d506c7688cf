// Package mail is how the mail service is spoken to: it builds the MIME of a
// mail and names what can go wrong when one is handed over. It is pure; when
// and to whom something is sent is decided in package work.
package mail

import (
	"context"
	"errors"
	"fmt"
)

// MaxBytes is the largest message the composer hands over (05 §4.2).
const MaxBytes = 256 << 10

// Address is one mailbox, with the name people see.
type Address struct {
	Name  string // "" for none
	Email string
}

// Message is one mail to one recipient (05 §4.2, §4.3).
type Message struct {
	MailID        string // ULID of the log row
	From          Address
	To            string // without a display name: a stranger's words stay out of headers
	ReplyTo       string // "" for none
	Subject       string
	Body          string // plain text, LF or CRLF
	Lang          string // en, pt
	AutoSubmitted string // "" when a person caused it, else auto-replied or auto-generated
	Mark          string // X-Inbox-Mail: recognises our own mail coming back
	InReplyTo     string // message id with angle brackets, "" for none
	References    []string
}

// Outgoing is a built mail as a transport takes it.
type Outgoing struct {
	MailID   string
	ItemID   string
	Template string
	From     string // must equal the MIME From's address
	To       string
	Raw      []byte
}

// Sender is a transport. Send answers the provider's id, or a [*SendError].
type Sender interface {
	// Name of the transport as the owner reads it: ses, mailbox.
	Name() string
	Send(ctx context.Context, out Outgoing) (providerID string, err error)
}

// Class says what a failed hand-over means (05 §4.7).
type Class int

// The classes of failure.
const (
	Retryable     Class = iota // try again after the back-off
	Throttled                  // try again, no attempt is used up
	QuotaExceeded              // try again in the next full hour, no attempt is used up
	SenderBlocked              // the sender may not send now; rows stay, no attempt is used up
	Final                      // will never be sent
)

func (c Class) String() string {
	return [...]string{"retryable", "throttled", "quota exceeded", "sender blocked", "final"}[c]
}

// SendError is a hand-over that failed.
type SendError struct {
	Class Class
	Cause error
}

func (e *SendError) Error() string { return fmt.Sprintf("mail: %s: %v", e.Class, e.Cause) }

func (e *SendError) Unwrap() error { return e.Cause }

// ClassOf is the class of an error of a sender; an unknown error is worth
// another try.
func ClassOf(err error) Class {
	var s *SendError
	if errors.As(err, &s) {
		return s.Class
	}
	return Retryable
}

package ses

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"typedinbox/shared/mail"
)

// envelope is an event of a configuration set as it is published, as far as it
// is read.
type envelope struct {
	EventType        string `json:"eventType"`
	NotificationType string `json:"notificationType"` // of the identity's own feedback
	Mail             struct {
		MessageID string              `json:"messageId"`
		Timestamp time.Time           `json:"timestamp"`
		Tags      map[string][]string `json:"tags"`
	} `json:"mail"`
	Bounce struct {
		BounceType        string      `json:"bounceType"`
		BounceSubType     string      `json:"bounceSubType"`
		Timestamp         time.Time   `json:"timestamp"`
		BouncedRecipients []recipient `json:"bouncedRecipients"`
	} `json:"bounce"`
	Complaint struct {
		Timestamp             time.Time `json:"timestamp"`
		ComplaintFeedbackType string    `json:"complaintFeedbackType"`
	} `json:"complaint"`
	Delivery struct {
		Timestamp    time.Time `json:"timestamp"`
		SMTPResponse string    `json:"smtpResponse"`
	} `json:"delivery"`
	DeliveryDelay struct {
		Timestamp         time.Time   `json:"timestamp"`
		DelayType         string      `json:"delayType"`
		DelayedRecipients []recipient `json:"delayedRecipients"`
	} `json:"deliveryDelay"`
	Reject struct {
		Reason string `json:"reason"`
	} `json:"reject"`
}

type recipient struct {
	Status         string `json:"status"`
	DiagnosticCode string `json:"diagnosticCode"`
}

// kinds are the service's names of what it says.
var kinds = map[string]mail.EventKind{
	"Send": mail.EventSend, "Delivery": mail.EventDelivery, "DeliveryDelay": mail.EventDelay,
	"Bounce": mail.EventBounce, "Complaint": mail.EventComplaint, "Reject": mail.EventReject,
}

// ParseEvent reads one event of the configuration set, as a topic with raw
// delivery puts it into a queue, or wrapped in the topic's own envelope
// (05 §4.8). ok is false for a kind that says nothing of a mail's way, such as an
// opened mail. An error is a message that is no event.
func ParseEvent(body []byte) (e mail.Event, ok bool, err error) {
	var topic struct{ Type, Message string }
	if json.Unmarshal(body, &topic) == nil && topic.Type == "Notification" && topic.Message != "" {
		body = []byte(topic.Message)
	}
	var v envelope
	if err := json.Unmarshal(body, &v); err != nil {
		return e, false, fmt.Errorf("ses: not an event: %w", err)
	}
	said := v.EventType
	if said == "" {
		said = v.NotificationType
	}
	if said == "" || v.Mail.MessageID == "" {
		return e, false, fmt.Errorf("ses: not an event: no type or no message id")
	}
	e = mail.Event{Kind: kinds[strings.ReplaceAll(said, " ", "")], ProviderID: v.Mail.MessageID, At: v.Mail.Timestamp}
	if tag := v.Mail.Tags["mail_id"]; len(tag) > 0 {
		e.MailID = tag[0]
	}
	v.tell(&e)
	return e, e.Kind != "", nil
}

// tell adds what is said beside the kind.
func (v *envelope) tell(e *mail.Event) {
	switch e.Kind {
	case mail.EventBounce:
		e.Permanent = v.Bounce.BounceType == "Permanent"
		at(e, v.Bounce.Timestamp)
		e.Status, e.Diagnostic = first(v.Bounce.BouncedRecipients)
		if e.Diagnostic == "" {
			e.Diagnostic = strings.TrimSpace(v.Bounce.BounceType + " " + v.Bounce.BounceSubType)
		}
	case mail.EventComplaint:
		at(e, v.Complaint.Timestamp)
		e.Diagnostic = v.Complaint.ComplaintFeedbackType
	case mail.EventDelivery:
		at(e, v.Delivery.Timestamp)
		e.Diagnostic = v.Delivery.SMTPResponse
	case mail.EventDelay:
		at(e, v.DeliveryDelay.Timestamp)
		e.Status, e.Diagnostic = first(v.DeliveryDelay.DelayedRecipients)
		if e.Diagnostic == "" {
			e.Diagnostic = v.DeliveryDelay.DelayType
		}
	case mail.EventReject:
		e.Diagnostic = v.Reject.Reason
	}
}

// first is what the other side said of the one recipient our mails have.
func first(list []recipient) (status, diagnostic string) {
	if len(list) == 0 {
		return "", ""
	}
	return list[0].Status, list[0].DiagnosticCode
}

// at is when it happened, where the event says so.
func at(e *mail.Event, t time.Time) {
	if !t.IsZero() {
		e.At = t
	}
}

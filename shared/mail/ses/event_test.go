package ses_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/sesv2"
	"github.com/aws/aws-sdk-go-v2/service/sesv2/types"

	"typedinbox/shared/mail"
	"typedinbox/shared/mail/ses"
)

// TestParseEvent reads events in the forms the service documents.
func TestParseEvent(t *testing.T) {
	const head = `"mail":{"timestamp":"2026-10-05T08:40:02.012Z","source":"hello@studio.example","messageId":"0102-1","destination":["ana@example.com"],
		"tags":{"ses:operation":["SendRawEmail"],"mail_id":["01K5ZZZZZZZZZZZZZZZZZZZZSV"],"kind":["booking_confirmed"]}}`
	sent := time.Date(2026, 10, 5, 8, 40, 2, 12e6, time.UTC)
	later := time.Date(2026, 10, 5, 9, 0, 0, 0, time.UTC)
	of := func(e mail.Event) mail.Event {
		e.MailID, e.ProviderID = "01K5ZZZZZZZZZZZZZZZZZZZZSV", "0102-1"
		return e
	}
	topic := func(s string) string {
		b, _ := json.Marshal(map[string]string{"Type": "Notification", "MessageId": "x", "Message": s})
		return string(b)
	}
	bounce := `{"eventType":"Bounce",` + head + `,"bounce":{"bounceType":"Permanent","bounceSubType":"NoEmail","timestamp":"2026-10-05T09:00:00Z",
		"bouncedRecipients":[{"emailAddress":"ana@example.com","action":"failed","status":"5.1.1","diagnosticCode":"smtp; 550 5.1.1 unknown"}],"reportingMTA":"dns; x"}}`
	for name, c := range map[string]struct {
		body string
		want mail.Event
		ok   bool
		bad  bool
	}{
		"ok/send":     {`{"eventType":"Send",` + head + `,"send":{}}`, of(mail.Event{Kind: mail.EventSend, At: sent}), true, false},
		"ok/delivery": {`{"eventType":"Delivery",` + head + `,"delivery":{"timestamp":"2026-10-05T09:00:00Z","smtpResponse":"250 ok"}}`, of(mail.Event{Kind: mail.EventDelivery, At: later, Diagnostic: "250 ok"}), true, false},
		"ok/delay": {`{"eventType":"DeliveryDelay",` + head + `,"deliveryDelay":{"timestamp":"2026-10-05T09:00:00Z","delayType":"MailboxFull","delayedRecipients":[{"emailAddress":"a","status":"4.2.2"}]}}`,
			of(mail.Event{Kind: mail.EventDelay, At: later, Status: "4.2.2", Diagnostic: "MailboxFull"}), true, false},
		"ok/bounce":          {bounce, of(mail.Event{Kind: mail.EventBounce, At: later, Permanent: true, Status: "5.1.1", Diagnostic: "smtp; 550 5.1.1 unknown"}), true, false},
		"ok/in its topic":    {topic(bounce), of(mail.Event{Kind: mail.EventBounce, At: later, Permanent: true, Status: "5.1.1", Diagnostic: "smtp; 550 5.1.1 unknown"}), true, false},
		"ok/transient":       {`{"eventType":"Bounce",` + head + `,"bounce":{"bounceType":"Transient","bounceSubType":"General"}}`, of(mail.Event{Kind: mail.EventBounce, At: sent, Diagnostic: "Transient General"}), true, false},
		"ok/complaint":       {`{"eventType":"Complaint",` + head + `,"complaint":{"complaintFeedbackType":"abuse"}}`, of(mail.Event{Kind: mail.EventComplaint, At: sent, Diagnostic: "abuse"}), true, false},
		"ok/reject":          {`{"eventType":"Reject",` + head + `,"reject":{"reason":"Bad content"}}`, of(mail.Event{Kind: mail.EventReject, At: sent, Diagnostic: "Bad content"}), true, false},
		"ok/of the identity": {`{"notificationType":"Complaint","mail":{"messageId":"0102-1"}}`, mail.Event{Kind: mail.EventComplaint, ProviderID: "0102-1"}, true, false},
		"ok/opened":          {`{"eventType":"Open",` + head + `}`, mail.Event{}, false, false},
		"fail/no id":         {`{"eventType":"Send","mail":{}}`, mail.Event{}, false, true},
		"fail/no type":       {`{` + head + `}`, mail.Event{}, false, true},
		"fail/no JSON":       {`bounce`, mail.Event{}, false, true},
		"fail/a list":        {`[]`, mail.Event{}, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			e, ok, err := ses.ParseEvent([]byte(c.body))
			if ok != c.ok || (err != nil) != c.bad {
				t.Fatalf("%+v, %v, %v", e, ok, err)
			}
			if ok && e != c.want {
				t.Errorf("%+v, want %+v", e, c.want)
			}
		})
	}
}

func FuzzParseEvent(f *testing.F) {
	f.Add([]byte(`{"eventType":"Bounce","mail":{"messageId":"x","tags":{"mail_id":["m"]}},"bounce":{"bouncedRecipients":[{}]}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		if e, ok, err := ses.ParseEvent(body); ok && (err != nil || e.ProviderID == "" || e.Kind == "") {
			t.Errorf("%+v, %v", e, err)
		}
	})
}

type identity struct {
	out *sesv2.GetEmailIdentityOutput
	err error
}

func (i identity) GetEmailIdentity(_ context.Context, in *sesv2.GetEmailIdentityInput, _ ...func(*sesv2.Options)) (*sesv2.GetEmailIdentityOutput, error) {
	if *in.EmailIdentity != "studio.example" {
		return nil, errors.New("asked for " + *in.EmailIdentity)
	}
	return i.out, i.err
}

func TestDKIM(t *testing.T) {
	for name, c := range map[string]struct {
		client identity
		want   string
		bad    bool
	}{
		"ok/verified":    {identity{out: &sesv2.GetEmailIdentityOutput{DkimAttributes: &types.DkimAttributes{Status: types.DkimStatusSuccess}}}, "SUCCESS", false},
		"ok/pending":     {identity{out: &sesv2.GetEmailIdentityOutput{DkimAttributes: &types.DkimAttributes{Status: types.DkimStatusPending}}}, "PENDING", false},
		"ok/never begun": {identity{out: &sesv2.GetEmailIdentityOutput{}}, "NOT_STARTED", false},
		"fail/not now":   {identity{err: errors.New("throttled")}, "", true},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := ses.DKIM(c.client)(context.Background(), "studio.example")
			if got != c.want || (err != nil) != c.bad {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

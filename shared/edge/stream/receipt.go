package stream

import (
	"context"
	"errors"
	"strings"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"

	"typedinbox/shared/mail"
)

// TakeReceipt takes note of one mail that the mail service received: its id,
// under which the raw message lies in the bucket, and what came with the
// delivery. An error has the service's invocation tried again.
type TakeReceipt func(ctx context.Context, id string, d mail.Delivery) error

// StartReceipts serves the receipt rule's action; it does not return.
func StartReceipts(take TakeReceipt) { lambda.Start(Receipts(take)) }

// Receipts makes a function answer the events of a receipt rule (05 §5.1).
// Envelope and verdicts are in the event alone; of its headers nothing is read,
// since a sender writes them. Every record is tried before an error is answered.
func Receipts(take TakeReceipt) func(context.Context, events.SimpleEmailEvent) error {
	return func(ctx context.Context, e events.SimpleEmailEvent) error {
		var failed []error
		for _, r := range e.Records {
			if r.SES.Mail.MessageID == "" {
				failed = append(failed, errors.New("stream: a receipt without a message id"))
				continue
			}
			failed = append(failed, take(ctx, r.SES.Mail.MessageID, deliveryOf(r.SES)))
		}
		return errors.Join(failed...)
	}
}

// deliveryOf is what the service says of a delivery. The null path is written
// as nothing or as "<>".
func deliveryOf(s events.SimpleEmailService) mail.Delivery {
	from := strings.TrimSpace(s.Mail.Source)
	if from == "<>" {
		from = ""
	}
	r := s.Receipt
	return mail.Delivery{From: &from, To: r.Recipients, Verdicts: mail.Verdicts{
		SPF: verdict(r.SPFVerdict), DKIM: verdict(r.DKIMVerdict), DMARC: verdict(r.DMARCVerdict),
		Spam: verdict(r.SpamVerdict), Virus: verdict(r.VirusVerdict), DMARCPolicy: strings.ToLower(r.DMARCPolicy),
	}}
}

// verdict is the word of the service, "" for one that we do not know.
func verdict(v events.SimpleEmailVerdict) mail.Verdict {
	switch said := mail.Verdict(strings.ToUpper(v.Status)); said {
	case mail.Pass, mail.Fail, mail.Gray, mail.ProcessingFailed, mail.Disabled:
		return said
	}
	return ""
}

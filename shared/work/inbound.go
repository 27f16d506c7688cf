package work

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"net/http"
	"strings"

	"typedinbox/shared/inbox"
	"typedinbox/shared/mail"
	"typedinbox/shared/settings"
	"typedinbox/shared/store"
)

// maxInbound is the largest mail that the generic door takes, in bytes
// (05 §5.1).
const maxInbound = 4 << 20

// InboundMail takes a raw mail that another system hands over (05 §5.1, 03 §15):
// 202 with what became of it. Its mails carry no verdicts, so no sender of them is
// proven and no file of them is served. A door that names no secret is off.
//
// Problems: unauthorized, payload_too_large, invalid_input, too_many_requests.
func (w *Worker) InboundMail(ctx context.Context, _ inbox.Call, req inbox.InboundMailRequest) (inbox.Answer, error) {
	l, err := w.Store.Load(ctx, store.Want{Settings: true})
	if err != nil {
		return inbox.Answer{}, err
	}
	secret := strings.TrimSpace(settings.Effective(l.SettingsRaw).Email.InboundSecret) // as a header brings it
	switch {
	case secret == "" || w.Blobs == nil || subtle.ConstantTimeCompare([]byte(secret), []byte(req.Secret)) != 1:
		return inbox.Answer{}, inbox.Refuse(inbox.CodeUnauthorized, "The secret of this door is missing or wrong, or the door is off.")
	case len(req.Raw) == 0:
		return inbox.Answer{}, inbox.InvalidInput(inbox.FieldProblem{Path: "body", Problem: inbox.Missing, Message: "is the raw mail, 1 byte to 4 MB"})
	case len(req.Raw) > maxInbound:
		return inbox.Answer{}, inbox.Refuse(inbox.CodePayloadTooLarge, "A mail may have at most 4 MB here.")
	}
	out, err := w.handedOver(ctx, req.Raw, mail.Delivery{From: req.EnvelopeFrom, To: req.EnvelopeTo})
	if err != nil {
		return inbox.Answer{}, err
	}
	w.received(ctx, out)
	body, err := json.Marshal(out)
	return inbox.Answer{Status: http.StatusAccepted, Body: body}, err
}

// handedOver deals with a mail at once. It keeps no row of the delivery: whoever
// hears no answer hands the mail over again, and its id tells that it came before.
func (w *Worker) handedOver(ctx context.Context, raw []byte, d mail.Delivery) (inbox.MailOutcome, error) {
	now := w.Clock()
	id := w.Source.ID(now)
	r := &reception{
		w: w, raw: raw, d: d, door: true,
		in: &inbox.InMail{ID: id, From: d.From, To: d.To, NewItemID: w.Source.ID(now), ReceivedAt: now},
	}
	return r.deal(ctx)
}

package rest

import (
	"context"
	"io"
	"net/http"
	"strings"

	"typedinbox/shared/identity"
	"typedinbox/shared/inbox"
	"typedinbox/shared/operation"
)

// Headers of the door of raw mail (03 §15).
const (
	mailSecret   = "X-Inbox-Email-Secret"
	envelopeFrom = "X-Envelope-From"
	envelopeTo   = "X-Envelope-To"
)

// InboundMail is the function inbound-mail: a raw mail in the body, whatever type
// it says it is. Whether the secret is the one of the settings, the core judges.
func InboundMail(s Site, core interface {
	InboundMail(context.Context, inbox.Call, inbox.InboundMailRequest) (inbox.Answer, error)
}) http.Handler {
	return s.function(plain(&operation.InboundMail, func(x *exchange) (inbox.Answer, error) {
		if x.Header.Get(mailSecret) == "" { // nothing is read from who knows no secret
			return inbox.Answer{}, inbox.Refuse(inbox.CodeUnauthorized, "Send the secret of this door as %s.", mailSecret)
		}
		raw, err := readMail(x.Request, x.op.MaxBody)
		if err != nil {
			return inbox.Answer{}, err
		}
		return core.InboundMail(x.Context(), s.carrier(x), inbox.InboundMailRequest{
			Raw: raw, Secret: x.Header.Get(mailSecret), EnvelopeFrom: senderOf(x.Header), EnvelopeTo: recipientsOf(x.Header),
		})
	}))
}

// readMail takes the whole body, a byte over the limit of one that is too large:
// how large a mail may be is said to nobody without the secret.
func readMail(r *http.Request, limit int64) ([]byte, error) {
	if r.Body == nil {
		return nil, nil
	}
	raw, err := io.ReadAll(io.LimitReader(r.Body, limit+1))
	if err != nil {
		return nil, brokenOff(err)
	}
	return raw, nil
}

// carrier is the call of a system that hands mail over. It is nobody by itself:
// whom the mail is from, the core says.
func (s Site) carrier(x *exchange) inbox.Call {
	return inbox.Call{Origin: x.origin, Caller: inbox.Caller{
		Actor: inbox.Actor{Kind: inbox.CustomerHuman, Channel: inbox.ChannelEmail}, Tier: inbox.TierAnonymous,
		Sandbox: identity.Sandbox(identity.Credentials{Host: x.Host, Sandbox: x.Header.Get("X-Sandbox")}),
	}}
}

// senderOf is the envelope's sender: nil where none is said, "" for the null
// path, which is written as nothing or as "<>".
func senderOf(h http.Header) *string {
	values, said := h[envelopeFrom]
	if !said || len(values) == 0 {
		return nil
	}
	from := strings.Trim(strings.TrimSpace(values[0]), "<>")
	return &from
}

// recipientsOf are the envelope's recipients, separated by commas or in several
// headers.
func recipientsOf(h http.Header) (to []string) {
	for _, line := range h.Values(envelopeTo) {
		for _, address := range strings.Split(line, ",") {
			if address = strings.Trim(strings.TrimSpace(address), "<>"); address != "" {
				to = append(to, address)
			}
		}
	}
	return to
}

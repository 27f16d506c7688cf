package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"io"
	"net/http"
	netmail "net/mail"
	"net/url"
	"strings"
	"time"

	"typedinbox/shared/decide"
	"typedinbox/shared/desk"
	"typedinbox/shared/inbox"
	"typedinbox/shared/mail"
)

// maxMail is the largest raw mail a local door takes, over what is parsed.
const maxMail = 40 << 20

// outcomeLimited is said of a mail that the limits put off.
const outcomeLimited = "limited"

// mailIn delivers a raw mail as the mail service would: its bytes into the blob
// store, then word of it with envelope and verdicts, then the work (00 §7). It
// answers what became of it.
func (w *world) mailIn(r *http.Request) (any, error) {
	raw, err := io.ReadAll(io.LimitReader(r.Body, maxMail+1))
	if err != nil {
		return nil, err
	}
	if len(raw) == 0 || len(raw) > maxMail {
		return nil, refusal("the body must be a raw mail of at most 40 MB")
	}
	d, err := deliveryAsked(raw, r.URL.Query())
	if err != nil {
		return nil, err
	}
	w.gate.RLock()
	defer w.gate.RUnlock()
	ctx := r.Context()
	id := hex.EncodeToString(w.source.Bytes(20))
	if err := w.blobs.Put(ctx, desk.PrefixIn+id, raw); err != nil {
		return nil, err
	}
	if err := w.worker.TakeReceipt(ctx, id, d); err != nil {
		return nil, err
	}
	return w.dealtWith(ctx, id)
}

// dealtWith works on a delivery, beside the stream's stand-in, until it is known
// what became of it.
func (w *world) dealtWith(ctx context.Context, id string) (any, error) {
	item := inbox.ReceivedItem + id
	for ctx.Err() == nil {
		jobs, err := w.store.Jobs(ctx, item)
		if err != nil {
			return nil, err
		}
		in, err := w.store.InMail(ctx, id) // after the jobs: what put one back is in it
		if err != nil {
			return nil, err
		}
		if in.Outcome != nil {
			return in.Outcome, nil
		}
		for _, j := range jobs {
			switch now := w.clock.now(); {
			case j.RunAt > now && in.Held > 0:
				return inbox.MailOutcome{Outcome: outcomeLimited}, nil
			case j.RunAt > now:
				return map[string]string{"outcome": "error", "error": j.LastError}, nil
			}
			if err := w.worker.RunJob(ctx, item, j.ID); err != nil {
				return nil, err
			}
		}
		time.Sleep(2 * time.Millisecond) // the stream's stand-in has the lease
	}
	return nil, ctx.Err()
}

// deliveryAsked is the envelope and the verdicts that a caller wants: without
// `from` the path is that of the message, all verdicts are PASS unless said.
func deliveryAsked(raw []byte, q url.Values) (mail.Delivery, error) {
	from := pathOf(raw)
	if q.Has("from") {
		from = strings.Trim(strings.TrimSpace(q.Get("from")), "<>")
	}
	d := mail.Delivery{From: &from, To: q["to"], Verdicts: mail.Verdicts{DMARCPolicy: strings.ToLower(q.Get("dmarc_policy"))}}
	if len(d.To) == 0 {
		d.To = recipientsOf(raw)
	}
	for name, into := range map[string]*mail.Verdict{"spf": &d.SPF, "dkim": &d.DKIM, "dmarc": &d.DMARC, "spam": &d.Spam, "virus": &d.Virus} {
		*into = mail.Pass
		if !q.Has(name) {
			continue
		}
		switch said := mail.Verdict(strings.ToUpper(q.Get(name))); said {
		case mail.Pass, mail.Fail, mail.Gray, mail.ProcessingFailed, mail.Disabled, "":
			*into = said
		default:
			return d, refusal(name + " must be PASS, FAIL, GRAY, PROCESSING_FAILED or DISABLED")
		}
	}
	return d, nil
}

// headerOf reads a raw mail's header as far as it can be read.
func headerOf(raw []byte) netmail.Header {
	m, err := netmail.ReadMessage(bytes.NewReader(raw))
	if err != nil {
		return netmail.Header{}
	}
	return m.Header
}

// pathOf is the sender of a raw mail without an envelope: Return-Path, else the
// first address of From.
func pathOf(raw []byte) string {
	h := headerOf(raw)
	if path, ok := h["Return-Path"]; ok && len(path) > 0 {
		return strings.Trim(strings.TrimSpace(path[0]), "<>")
	}
	list, err := h.AddressList("From")
	if err != nil || len(list) == 0 {
		return "unknown@unknown.invalid"
	}
	return list[0].Address
}

// recipientsOf are the addresses of a raw mail at the domain where mail comes in,
// else one there: any local part is taken.
func recipientsOf(raw []byte) []string {
	h := headerOf(raw)
	var found []string
	for _, name := range []string{"Delivered-To", "To", "Cc"} {
		list, err := h.AddressList(name)
		if err != nil {
			continue
		}
		for _, a := range list {
			if strings.HasSuffix(strings.ToLower(a.Address), "@"+inboundDomain) {
				found = append(found, a.Address)
			}
		}
	}
	if len(found) == 0 {
		found = []string{"inbox@" + inboundDomain}
	}
	return found
}

// kinds are the events of the mail service that a caller may have happen.
var kinds = map[string]mail.EventKind{
	"delivery": mail.EventDelivery, "bounce": mail.EventBounce, "complaint": mail.EventComplaint, "delay": mail.EventDelay,
}

// mailEvent has the mail service say something of a sent mail (00 §7); mail_id is
// that of the mailbox or of the log. It answers the mail of the log.
func (w *world) mailEvent(r *http.Request) (any, error) {
	var in struct {
		MailID     string `json:"mail_id"`
		Kind       string `json:"kind"`
		BounceType string `json:"bounce_type"`
	}
	if err := read(r, &in); err != nil {
		return nil, err
	}
	kind, known := kinds[in.Kind]
	if !known {
		return nil, refusal("kind must be delivery, bounce, complaint or delay")
	}
	if t := in.BounceType; t != "" && t != "permanent" && t != "transient" {
		return nil, refusal("bounce_type must be permanent or transient")
	}
	w.gate.RLock()
	defer w.gate.RUnlock()
	ctx := r.Context()
	ref, err := w.store.MailByID(ctx, in.MailID)
	if err == nil && ref == nil {
		ref, err = w.store.MailByProvider(ctx, in.MailID)
	}
	if err != nil {
		return nil, err
	}
	if ref == nil {
		return nil, refusal("no mail was sent under this id")
	}
	e := mail.Event{Kind: kind, MailID: ref.MailID, At: w.clock.now().Time(), Permanent: kind == mail.EventBounce && in.BounceType != "transient"}
	switch {
	case e.Permanent:
		e.Status, e.Diagnostic = "5.1.1", "smtp; 550 5.1.1 no such user"
	case kind == mail.EventBounce:
		e.Status, e.Diagnostic = "4.2.2", "smtp; 452 4.2.2 mailbox full"
	}
	if err := w.worker.TakeEvent(ctx, e); err != nil {
		return nil, err
	}
	m, err := w.store.Mail(ctx, ref.ItemID, ref.JobKey)
	if err != nil || m == nil {
		return nil, err
	}
	return decide.MailView(m), nil
}

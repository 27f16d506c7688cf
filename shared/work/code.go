package work

import (
	"context"
	"strings"

	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
	"typedinbox/shared/words"
)

// codeTemplate is the mail that brings a one-time code (05 §3.6).
const codeTemplate = "code"

// hiddenCode stands in the log in place of a code.
const hiddenCode = "••••••"

// codeReplaced is why a mail whose code is no use any more is not sent.
const codeReplaced = "the code was used, replaced by a newer one or ran out before it could be sent"

// mailCode composes the mail that brings the item's one-time code to the known
// customer: to the address on file, never to one the asker gave. The code itself
// is not in the row.
func (w *Worker) mailCode(ctx context.Context, j *inbox.Job, e inbox.Effect) (*composed, error) {
	f, err := w.read(ctx, j.ItemID, "")
	if err != nil {
		return nil, err
	}
	if f != nil {
		f, err = w.withCode(ctx, f, &inbox.Mail{JobKey: e.ID})
	}
	if err != nil || f == nil {
		return nil, either(err, func() error { return w.Store.FinishEffect(ctx, j, e.ID) })
	}
	return w.keep(ctx, j, f, w.codeMail(f, e), nil)
}

func either(err error, f func() error) error {
	if err != nil {
		return err
	}
	return f()
}

// withCode adds the code a mail is about and who it goes to; nil when the code
// is no use any more.
func (w *Worker) withCode(ctx context.Context, f *facts, m *inbox.Mail) (*facts, error) {
	code, err := w.Store.Code(ctx, f.Record.Item.ID)
	if err != nil || code == nil || "code:"+code.ID != m.JobKey || code.UsedAt != nil || code.Digits == "" || code.ExpiresAt < w.Clock() {
		return nil, err
	}
	with := *f
	with.code = code
	with.Possible, err = w.Store.Root(ctx, code.PartyID)
	return &with, err
}

// codeMail renders the mail in the known customer's language.
func (w *Worker) codeMail(f *facts, e inbox.Effect) inbox.Mail {
	m := w.row(f, e, toCustomer, codeTemplate)
	lang := format.Language("", f.Business.Languages)
	if f.Possible != nil {
		lang = format.Language(f.Possible.Locale, f.Business.Languages)
	}
	m.Lang, m.AutoSubmit = string(words.Written(lang)), generated
	m.Subject, m.Body = words.Mail(words.MailInput{
		Template: codeTemplate, Lang: format.Lang(m.Lang), About: words.About{Type: f.Record.Item.Type}, Business: f.Business.Name,
		Code: hiddenCode, Minutes: f.Settings.Customers.OTP.TTLMinutes,
	})
	return m
}

// revealed is the text of the mail with its code.
func revealed(body string, c *inbox.OneTimeCode) string {
	return strings.Replace(body, hiddenCode, c.Digits, 1)
}

package decide

import (
	"fmt"
	"net/http"

	"typedinbox/shared/inbox"
)

// NoticeView is a notice as the owner in person reads it.
func NoticeView(n *inbox.Notice) inbox.NoticeView {
	v := inbox.NoticeView{
		ID: n.ID, Kind: n.Kind, At: n.At, From: optional(n.From), Subject: optional(n.Subject), Text: n.Text,
		Count: n.Count, SeenAt: n.SeenAt, ItemID: optional(n.ItemID), Attachments: n.Attachments,
	}
	if v.Attachments == nil {
		v.Attachments = []inbox.Attachment{}
	}
	return v
}

// SendAgain queues a customer's mail once more that failed (05 §4.10), under the
// key again:<mail>:<n>. One with links is composed anew, since its links belong
// to it; any other keeps its text. The item is no longer listed as one whose mail
// failed, until this one does. Status 200, body [inbox.MailView] of the new mail.
//
// Problems: guard_failed.
func SendAgain(f Facts, m inbox.Mail, e Env) (Outcome, error) {
	if m.Status != inbox.MailFailed || m.Recipient != "customer" || m.Template == "code" {
		return Outcome{}, inbox.GuardFailed("mail_failed", "Only a customer's mail that failed is sent again.")
	}
	m.Again++
	m.UpdatedAt = e.Now
	again := inbox.Mail{
		ID: e.Source.ID(e.Now), JobKey: fmt.Sprintf("again:%s:%d", m.ID, m.Again), ItemID: m.ItemID, Recipient: m.Recipient,
		Template: m.Template, Lang: m.Lang, EventID: m.EventID, EntryID: m.EntryID, Subject: m.Subject, Body: m.Body,
		Automatic: m.Automatic, AutoSubmit: m.AutoSubmit, Status: inbox.MailQueued, CreatedAt: e.Now, UpdatedAt: e.Now,
	}
	rec := *f.Record
	rec.Rev++
	rec.MailFailed = false
	w := Write{Mail: &m, Items: []ItemWrite{{Record: rec, Expect: f.Record.Rev}}}
	if len(m.Links) == 0 {
		w.NewMail = &again
	} else {
		w.Jobs = job(m.ItemID, []inbox.Effect{{
			ID: again.JobKey, Kind: inbox.EffectNotifyCustomer, EventID: m.EventID, EntryID: m.EntryID, MailID: again.ID,
		}}, e)
	}
	return Outcome{Write: w, Status: http.StatusOK, Body: MailView(&again)}, nil
}

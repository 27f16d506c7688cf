package work

import (
	"context"
	"time"

	"typedinbox/shared/desk"
	"typedinbox/shared/format"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
	"typedinbox/shared/words"
)

// told says how a notice is kept.
type told struct {
	once  string // what it stands for together with others, "" for itself alone
	until int64  // milliseconds that such stand together
	bare  bool   // its raw mail and its words are not kept
}

// notice keeps the mail for the owner in person alone (05 §5.13): as what it is,
// with its raw form, never on an item and never answered. Its id is known before,
// so a second try keeps it once.
func (r *reception) notice(ctx context.Context, kind inbox.NoticeKind, t told) (*inbox.MailOutcome, error) {
	now := r.w.Clock()
	n := store.NewNotice{Notice: inbox.Notice{
		ID: r.in.NewItemID, Kind: kind, At: now, From: r.m.FromShown, Subject: r.m.Subject, Count: 1,
		Name: r.m.Contact.Name, Email: r.m.Contact.Email, MessageID: r.m.MessageID, Unscanned: !r.d.Servable(),
	}}
	if !t.bare {
		n.Notice.Text, n.Notice.Attachments = r.m.Text, attachmentsOf(r.m.Attachments)
		n.Notice.RawKey = desk.RawKey(desk.PrefixNotices, n.Notice.ID, r.in.ID)
		if err := r.keepRaw(ctx, n.Notice.RawKey); err != nil {
			return nil, err
		}
		n.Message, n.Ref = mailKey(r.key), store.EntryRef{Body: r.m.BodyHash, In: r.in.ID, Outcome: inbox.MailNoticed}
	}
	if t.once != "" {
		n.Once, n.Until = "notice:"+t.once, now.Add(t.until)
	}
	if r.in.Rev > 0 {
		in := *r.in
		in.Outcome = &inbox.MailOutcome{Outcome: inbox.MailNoticed}
		n.In = &in
	}
	id, err := r.w.keepNotice(ctx, n)
	return &inbox.MailOutcome{Outcome: inbox.MailNoticed, NoticeID: id}, err
}

// keepNotice keeps a notice; the first of a day owes the owner a mail that says
// how many there are (05 §3.4).
func (w *Worker) keepNotice(ctx context.Context, n store.NewNotice) (string, error) {
	now := n.Notice.At
	day := now.Time().Format(time.DateOnly)
	n.Day = "owner.notice"
	n.Job = &inbox.Job{
		ID: w.Source.ID(now), ItemID: inbox.OwnerMails, RunAt: now, Ready: true, Version: 1, CreatedAt: now,
		Effects: []inbox.Effect{{ID: "notice:" + day + ":" + n.Notice.ID, Kind: inbox.EffectNotice}},
	}
	return w.Store.KeepNotice(ctx, n)
}

// warn keeps a warning of the inbox's own, one of a kind in a day.
func (w *Worker) warn(ctx context.Context, what, subject, text string) error {
	now := w.Clock()
	_, err := w.keepNotice(ctx, store.NewNotice{
		Notice: inbox.Notice{ID: w.Source.ID(now), Kind: inbox.NoticeWarning, At: now, Subject: subject, Text: text, Count: 1},
		Once:   "warning:" + what, Until: now.Add(inbox.Day),
	})
	return err
}

// noticeTemplate is the mail about notices.
const noticeTemplate = "owner.notice"

// mailNotices composes the mail that tells the owner how many notices there are
// that they have not seen (05 §3.4).
func (w *Worker) mailNotices(ctx context.Context, j *inbox.Job, e inbox.Effect) (*composed, error) {
	list, err := w.Store.Notices(ctx, w.Clock(), "", maxNoticesTold)
	if err != nil {
		return nil, err
	}
	count := 0
	for _, n := range list {
		if n.SeenAt == nil {
			count += n.Count
		}
	}
	if count == 0 {
		return nil, w.Store.FinishEffect(ctx, j, e.ID)
	}
	f, err := w.read(ctx, inbox.OwnerMails, "")
	if err != nil {
		return nil, err
	}
	m := w.row(f, e, toOwner, noticeTemplate)
	m.AutoSubmit = generated
	m.Subject, m.Body = words.Mail(words.MailInput{
		Template: noticeTemplate, Lang: format.Lang(m.Lang), AppURL: f.Settings.Notifications.AppURL, Digest: words.Digest{Count: count},
	})
	return w.keep(ctx, j, f, m, nil)
}

// maxNoticesTold is how many notices are counted.
const maxNoticesTold = 500

package decide

import "typedinbox/shared/inbox"

// Detail is everything about one item as the business reads it (03 §7): its
// events, conversation and mail log, each oldest first by (createdAt, id), which
// is the order of the one timeline they make (01 §16). h is the history with its
// customer.
func Detail(f Facts, c inbox.Caller, events []inbox.Event, entries []inbox.Entry, mails []inbox.Mail, h inbox.History, e Env) inbox.ItemDetail {
	d := inbox.ItemDetail{
		OwnerView: OwnerView(f, c, e), Customer: customerFacts(f.Record, h),
		Events: make([]inbox.EventView, 0, len(events)), Thread: make([]inbox.EntryView, 0, len(entries)),
		Mail: make([]inbox.MailView, 0, len(mails)),
	}
	for i := range events {
		d.Events = append(d.Events, eventView(&events[i]))
	}
	for i := range entries {
		d.Thread = append(d.Thread, entryView(&entries[i]))
	}
	for i := range mails {
		d.Mail = append(d.Mail, mailView(&mails[i]))
	}
	return d
}

func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// eventView leaves out the id of a customer, which is nobody's business (01 §11).
func eventView(ev *inbox.Event) inbox.EventView {
	by := inbox.EventBy{Kind: ev.ActorKind, Name: ev.Meta.ActorName}
	if ev.ActorKind != inbox.CustomerAgent && ev.ActorKind != inbox.CustomerHuman {
		by.ID = optional(ev.ActorID)
	}
	return inbox.EventView{
		ID: ev.ID, Seq: ev.Seq, Event: ev.Event, From: ev.FromState, To: ev.ToState, Actor: ev.ActorKind, By: by,
		Channel: ev.Meta.Channel, Reason: ev.Reason, Diff: ev.Diff, At: ev.CreatedAt,
	}
}

func entryView(t *inbox.Entry) inbox.EntryView {
	return inbox.EntryView{
		ID: t.ID, Direction: t.Direction, Channel: t.Channel, Actor: t.ActorKind, Body: t.BodyText,
		At: t.CreatedAt, WrittenBy: t.WrittenBy, Attachments: t.Attachments,
		From: t.From, Marks: t.Marks,
	}
}

// MailView is one mail of the log as the owner reads it. The hash of its address
// stands on one that did not come through, so that the owner may have the address
// tried again (09).
func MailView(m *inbox.Mail) inbox.MailView { return mailView(m) }

func mailView(m *inbox.Mail) inbox.MailView {
	v := inbox.MailView{
		ID: m.ID, Recipient: m.Recipient, Template: m.Template, Subject: m.Subject, Body: m.Body, Status: m.Status,
		LastError: optional(m.LastError), Attempts: m.Attempts, SentAt: m.SentAt, CreatedAt: m.CreatedAt,
		EntryID: optional(m.EntryID),
	}
	if m.SkipReason != "" {
		v.SkipReason = &m.SkipReason
	}
	v.Delivery = m.Delivery
	if m.Status == inbox.MailFailed || m.SkipReason == inbox.SkipSuppressed {
		v.AddressHash = m.ToHash
	}
	return v
}

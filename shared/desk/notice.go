package desk

import (
	"context"
	"net/http"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

// ListNotices lists mails that answer no item and warnings, newest first, for
// the owner in person (05 §5.13). Problems: not_allowed, invalid_input.
func (d *Desk) ListNotices(ctx context.Context, call inbox.Call, req inbox.PageQuery) (inbox.Answer, error) {
	if err := inPerson(call); err != nil {
		return inbox.Answer{}, err
	}
	if req.Cursor != "" && !inbox.ValidID(req.Cursor) {
		return inbox.Answer{}, inbox.InvalidField("cursor", "is none that a list gave")
	}
	most := limit(req.Limit, 50)
	list, err := d.Store.Notices(ctx, d.Clock(), req.Cursor, most+1)
	if err != nil {
		return inbox.Answer{}, err
	}
	page := inbox.Page[inbox.NoticeView]{Items: []inbox.NoticeView{}}
	if len(list) > most {
		list = list[:most]
		page.NextCursor = inbox.Ptr(list[most-1].ID)
	}
	for i := range list {
		page.Items = append(page.Items, decide.NoticeView(&list[i]))
	}
	return reading(page, "")
}

// notice reads one notice for the owner in person. Problems: not_allowed,
// not_found.
func (d *Desk) notice(ctx context.Context, call inbox.Call, id string) (*inbox.Notice, error) {
	if err := inPerson(call); err != nil {
		return nil, err
	}
	n, err := d.Store.NoticeNow(ctx, id, d.Clock())
	if err == nil && n == nil {
		return nil, inbox.NotFound()
	}
	return n, err
}

// changeNotice writes a notice, again when it moved meanwhile.
func (d *Desk) changeNotice(ctx context.Context, call inbox.Call, id string, change func(*inbox.Notice)) (*inbox.Notice, error) {
	budget := d.Store.Budget()
	for {
		n, err := d.notice(ctx, call, id)
		if err != nil {
			return nil, err
		}
		change(n)
		err = d.Store.SaveNotice(ctx, n)
		if _, lost := store.AsLost(err); !lost {
			return n, err
		}
		if err := budget.Spend(ctx, err); err != nil {
			return nil, err
		}
	}
}

// SeeNotice marks a notice as seen; once is enough. Problems: not_allowed,
// not_found, unavailable.
func (d *Desk) SeeNotice(ctx context.Context, call inbox.Call, req inbox.NoticeRequest) (inbox.Answer, error) {
	n, err := d.changeNotice(ctx, call, req.NoticeID, func(n *inbox.Notice) {
		if n.SeenAt == nil {
			n.SeenAt = inbox.Ptr(d.Clock())
		}
	})
	if err != nil {
		return inbox.Answer{}, err
	}
	return reading(decide.NoticeView(n), "")
}

// NoticeToMessage makes a message item of a mail that was kept as a notice, as it
// arrived (05 §5.13): 201 with the item. Asked again, it is the same item.
// Problems: not_allowed, not_found, guard_failed, unavailable.
func (d *Desk) NoticeToMessage(ctx context.Context, call inbox.Call, req inbox.NoticeRequest) (inbox.Answer, error) {
	n, err := d.notice(ctx, call, req.NoticeID)
	if err != nil {
		return inbox.Answer{}, err
	}
	if n.Kind == inbox.NoticeWarning || n.Kind == inbox.NoticeVirus {
		return inbox.Answer{}, inbox.GuardFailed("notice_of_mail", "This notice is not of a mail that can be read.")
	}
	itemID := n.ItemID
	if itemID == "" {
		if itemID, err = d.messageOf(ctx, n); err != nil {
			return inbox.Answer{}, err
		}
	}
	now := d.Clock()
	_, err = d.changeNotice(ctx, call, n.ID, func(n *inbox.Notice) {
		n.ItemID = itemID
		if n.SeenAt == nil {
			n.SeenAt = &now
		}
	})
	if err != nil {
		return inbox.Answer{}, err
	}
	f, err := d.facts(ctx, store.Want{ItemID: itemID})
	if err == nil {
		err = d.loadRest(ctx, verb{call: call}, &f)
	}
	if err != nil {
		return inbox.Answer{}, err
	}
	answer, err := reading(decide.OwnerView(f, call.Caller, d.env()), "")
	answer.Status, answer.Location = http.StatusCreated, "/v1/owner/items/"+itemID
	return answer, err
}

// messageOf makes the item of a notice, or finds the one that was made.
func (d *Desk) messageOf(ctx context.Context, n *inbox.Notice) (string, error) {
	m := ReceivedMail{
		Caller:  inbox.Caller{Actor: inbox.Actor{Kind: inbox.CustomerHuman, ID: "notice:" + n.ID, Channel: inbox.ChannelEmail}, Tier: inbox.TierAnonymous},
		Text:    n.Text,
		Subject: n.Subject,
		Contact: inbox.Contact{Name: n.Name, Email: n.Email},
		In:      &inbox.InMail{ID: n.ID},
		From: decide.FromMail{
			MessageID: n.MessageID, Key: "notice:" + n.ID, From: n.Email, Attachments: n.Attachments, Marks: []string{inbox.MarkNoAnswer},
			ItemID: d.Source.ID(d.Clock()),
		},
	}
	if n.Unscanned {
		m.From.Marks = append(m.From.Marks, inbox.MarkUnscanned)
	}
	if m.Text == "" {
		m.Text = n.From
	}
	if err := d.keepRaw(ctx, n, &m); err != nil {
		return "", err
	}
	out, err := d.NewFromMail(ctx, m)
	if lost, ok := store.AsLost(err); ok && lost.Message != nil {
		return lost.Message.ItemID, nil
	}
	return out.ItemID, err
}

// keepRaw copies a notice's raw mail and files to the item's own place.
func (d *Desk) keepRaw(ctx context.Context, n *inbox.Notice, m *ReceivedMail) error {
	if n.RawKey == "" || d.Blobs == nil {
		return nil
	}
	m.From.RawKey = RawKey(PrefixItems, m.From.ItemID, n.ID)
	if err := d.Blobs.Copy(ctx, n.RawKey, m.From.RawKey); err != nil {
		return err
	}
	for i, a := range n.Attachments {
		if !a.Kept {
			continue
		}
		if err := d.Blobs.Copy(ctx, AttachmentKey(n.RawKey, i+1), AttachmentKey(m.From.RawKey, i+1)); err != nil {
			return err
		}
	}
	return nil
}

package work

import (
	"context"
	"slices"
	"strings"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/mail"
	"typedinbox/shared/store"
)

// match is the item that a mail answers, nil for none.
type match struct {
	rec    *inbox.Record
	party  *inbox.Party // the root
	strong bool         // by an id or an address that we gave away
	other  bool         // it came from another address than the customer's
}

// find looks for the item that the mail answers, by the keys of 05 §5.9 in their
// order; the first that leads anywhere wins. An item whose customer was erased is
// none.
func (r *reception) find(ctx context.Context) (match, error) {
	for _, row := range []struct {
		look   func(context.Context) (string, error)
		strong bool
	}{
		{r.byToken, true}, {r.byOurIDs, true}, {r.byTheirIDs, false}, {r.byReference, false}, {r.bySender, false},
	} {
		id, err := row.look(ctx)
		if err != nil {
			return match{}, err
		}
		if id != "" {
			return r.matched(ctx, id, row.strong)
		}
	}
	return match{}, nil
}

// matched reads the item of a match.
func (r *reception) matched(ctx context.Context, id string, strong bool) (match, error) {
	rec, err := r.w.Store.Item(ctx, id)
	if err != nil || rec == nil {
		return match{}, err
	}
	m := match{rec: rec, strong: strong}
	if m.party, err = r.w.Store.Root(ctx, rec.Item.PartyID); err != nil {
		return match{}, err
	}
	if m.party != nil && m.party.ErasedAt != nil {
		return match{}, nil
	}
	own, err := r.isContact(ctx, rec.Item.PartyID)
	m.other = !own
	return m, err
}

// byToken is row 1: the token of an item's reply address.
func (r *reception) byToken(ctx context.Context) (string, error) {
	return r.w.Store.ByReplyTokens(ctx, r.m.Keys.Tokens)
}

// byOurIDs is row 2: an id of ours. One of a mail to the business is a key to its
// own people alone: an alert that was passed on makes nobody the customer.
func (r *reception) byOurIDs(ctx context.Context) (string, error) {
	ref, err := r.w.Store.ByMessageIDs(ctx, r.m.Keys.IDs)
	if err != nil || ref.JobKey == "" {
		return ref.ItemID, err
	}
	m, err := r.w.Store.Mail(ctx, ref.ItemID, ref.JobKey)
	if err != nil || m == nil || ref.ItemID == inbox.OwnerMails {
		return "", err
	}
	if m.Recipient != toCustomer {
		if own, err := r.byUser(ctx); err != nil || !own {
			return "", err
		}
	}
	return ref.ItemID, nil
}

// byTheirIDs is row 3: an id of a mail that came from the same sender.
func (r *reception) byTheirIDs(ctx context.Context) (string, error) {
	var keys []string
	for _, id := range r.m.Keys.IDs {
		keys = append(keys, mailKey(mail.Received{MessageID: id, From: r.m.From}.DuplicateKey()))
	}
	if len(keys) == 0 || r.m.From.Email == "" {
		return "", nil
	}
	refs, err := r.w.Store.Messages(ctx, keys, r.w.Clock())
	for _, k := range keys {
		if refs[k].ItemID != "" {
			return refs[k].ItemID, err
		}
	}
	return "", err
}

// byReference is row 4: the six characters of a mail of ours, from a sender who
// is proven and a contact of the item's customer; of several the newest open one.
func (r *reception) byReference(ctx context.Context) (string, error) {
	if !r.proven() {
		return "", nil
	}
	for _, reference := range r.m.Keys.References {
		found, _, err := r.w.Store.ListItems(ctx, store.ListQuery{Searching: true, Reference: reference, Limit: 20})
		if err != nil {
			return "", err
		}
		var own []inbox.Record
		for _, rec := range found {
			is, err := r.isContact(ctx, rec.Item.PartyID)
			if err != nil {
				return "", err
			}
			if is {
				own = append(own, rec)
			}
		}
		if len(own) > 0 {
			return slices.MaxFunc(own, newestOpen).Item.ID, nil
		}
	}
	return "", nil
}

// newestOpen orders items: open ones above closed ones, then by when they were
// made.
func newestOpen(a, b inbox.Record) int {
	if open, other := a.Item.ClosedAt == nil, b.Item.ClosedAt == nil; open != other {
		if open {
			return 1
		}
		return -1
	}
	if a.Item.CreatedAt != b.Item.CreatedAt {
		return int(a.Item.CreatedAt - b.Item.CreatedAt)
	}
	return strings.Compare(a.Item.ID, b.Item.ID)
}

// isContact says whether the sender's address is one of an item's customer's.
func (r *reception) isContact(ctx context.Context, partyID string) (bool, error) {
	if r.m.From.Email == "" || partyID == "" {
		return false, nil
	}
	root, err := r.w.Store.PartyRoot(ctx, partyID)
	if err != nil {
		return false, err
	}
	parties, err := r.partiesOf(ctx)
	return slices.Contains(parties, root), err
}

// partiesOf are the customers who have the sender's address, as roots.
func (r *reception) partiesOf(ctx context.Context) ([]string, error) {
	contacts, err := r.w.Store.ContactsOf(ctx, inbox.ContactEmail, r.m.From.Email)
	if err != nil {
		return nil, err
	}
	var roots []string
	for _, c := range contacts[:min(len(contacts), maxSenders)] {
		root, err := r.w.Store.PartyRoot(ctx, c.PartyID)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(roots, root) {
			roots = append(roots, root)
		}
	}
	return roots, nil
}

// Bounds of what is read of a sender.
const (
	maxSenders = 50
	askedFor   = 14 * inbox.Day // how long a question waits for a mail without any key
)

// bySender is row 5: a sender who is proven and has exactly one open item, which
// asked them something within 14 days.
func (r *reception) bySender(ctx context.Context) (string, error) {
	if !r.proven() || r.m.From.Email == "" {
		return "", nil
	}
	parties, err := r.partiesOf(ctx)
	if err != nil {
		return "", err
	}
	var open []inbox.Record
	items, err := r.w.Store.ItemsOfSet(ctx, parties)
	for _, rec := range items {
		if rec.Item.ClosedAt == nil && !rec.Item.Flags.Sandbox {
			open = append(open, rec)
		}
	}
	if err != nil || len(open) != 1 || open[0].Item.State != inbox.StateNeedsInfo {
		return "", err
	}
	events, err := r.w.Store.Events(ctx, open[0].Item.ID)
	for _, ev := range slices.Backward(events) {
		if ev.Event == "request_info" {
			if ev.CreatedAt.Add(askedFor) >= r.w.Clock() {
				return open[0].Item.ID, err
			}
			break
		}
	}
	return "", err
}

// machine keeps what no person wrote (05 §5.10): it is never an answer and never
// answered. What a mail system says of a mail of ours is taken as the mail
// service's own word (05 §4.8).
func (r *reception) machine(ctx context.Context, _ error) (*inbox.MailOutcome, error) {
	thread := mail.Thread{Strong: r.hit.rec != nil && r.hit.strong}
	if thread.Strong {
		soon, err := r.soon(ctx)
		if err != nil {
			return nil, err
		}
		thread.Soon = soon
	}
	if r.auto = r.m.Automatic(thread); !r.auto.Automatic {
		return nil, nil
	}
	about, err := r.reported(ctx)
	if err != nil {
		return nil, err
	}
	theirs, err := r.ofCustomer(ctx, about)
	if err != nil {
		return nil, err
	}
	if r.hit.rec == nil && theirs {
		if r.hit, err = r.matched(ctx, about.ItemID, true); err != nil {
			return nil, err
		}
	}
	if r.hit.rec == nil {
		return r.unmatched(ctx, about)
	}
	return r.note(ctx, automatic, automaticHeading, []string{inbox.MarkAutomatic})
}

// automatic is the author of notes of automatic mail.
var automatic = inbox.Caller{Actor: inbox.Actor{Kind: inbox.System, ID: "inbox", Channel: inbox.ChannelEmail}}

// automaticHeading begins the note of an automatic mail.
const automaticHeading = "An automatic mail from the customer's mailbox. It moved nothing and is not answered."

// soon says whether the mail came right after our last one on the item.
func (r *reception) soon(ctx context.Context) (bool, error) {
	if r.m.Signs.Away == "" {
		return false, nil
	}
	mails, err := r.w.Store.Mails(ctx, r.hit.rec.Item.ID)
	for i := range mails {
		at := mails[i].SentAt
		if mails[i].Recipient == toCustomer && at != nil && *at <= r.in.ReceivedAt && at.Add(mail.Soon.Milliseconds()) >= r.in.ReceivedAt {
			return true, err
		}
	}
	return false, err
}

// unmatched keeps an automatic mail that answers no item as a notice: of bounces
// of mail that was not ours one for each recipient and day.
func (r *reception) unmatched(ctx context.Context, about *store.MailRef) (*inbox.MailOutcome, error) {
	kind, t := inbox.NoticeAutoReply, told{}
	if r.auto.Kind == mail.AutoBounce || r.auto.Kind == mail.AutoFeedback {
		kind = inbox.NoticeBounce
		if about == nil && r.m.Report != nil && len(r.m.Report.Recipients) > 0 && r.m.Report.Recipients[0].Final != "" {
			t.once, t.until = "bounce:"+r.m.Report.Recipients[0].Final, inbox.Day
		}
	}
	return r.notice(ctx, kind, t)
}

// reported finds the mail of ours that a report is about and takes its word; nil
// when it is about none.
func (r *reception) reported(ctx context.Context) (*store.MailRef, error) {
	rep := r.m.Report
	if rep == nil {
		return nil, nil
	}
	ref, err := r.mailReported(ctx, rep)
	if err != nil || ref == nil {
		return nil, err
	}
	for _, word := range wordsOf(rep, r.in.ReceivedAt) {
		if err := r.w.takeWord(ctx, *ref, word); err != nil {
			return ref, err
		}
	}
	return ref, nil
}

// ofCustomer says whether a mail of ours went to an item's customer.
func (r *reception) ofCustomer(ctx context.Context, ref *store.MailRef) (bool, error) {
	if ref == nil || ref.ItemID == inbox.OwnerMails {
		return false, nil
	}
	m, err := r.w.Store.Mail(ctx, ref.ItemID, ref.JobKey)
	return m != nil && m.Recipient == toCustomer, err
}

// mailReported is the mail that a report returns: by our own mark, whose MAC
// proves it, else by the ids of what was returned.
func (r *reception) mailReported(ctx context.Context, rep *mail.Report) (*store.MailRef, error) {
	if id, ok := r.w.Ring.OwnMailID(rep.Mark); ok {
		if ref, err := r.w.Store.MailByID(ctx, id); ref != nil || err != nil {
			return ref, err
		}
	}
	ref, err := r.w.Store.ByMessageIDs(ctx, rep.IDs)
	if err != nil || ref.MailID == "" {
		return nil, err
	}
	return &ref, nil
}

// wordsOf are what a report says of one mail, as the mail service would.
func wordsOf(rep *mail.Report, at inbox.Instant) []mail.Event {
	if rep.Kind == mail.AutoFeedback {
		if rep.Feedback == "not-spam" || rep.Feedback == "auth-failure" { // nobody complains
			return nil
		}
		return []mail.Event{{Kind: mail.EventComplaint, At: at.Time()}}
	}
	var words []mail.Event
	for _, to := range rep.Recipients {
		e := mail.Event{At: at.Time(), Status: to.Status, Diagnostic: to.Diagnostic, Permanent: to.Permanent()}
		switch to.Action {
		case mail.ActionFailed:
			e.Kind = mail.EventBounce
		case mail.ActionDelayed:
			e.Kind = mail.EventDelay
		case mail.ActionDelivered, mail.ActionRelayed, mail.ActionExpanded:
			e.Kind = mail.EventDelivery
		default:
			continue
		}
		words = append(words, e)
	}
	return words
}

// heardFrom takes an address off the list when its owner writes, but for one that
// complained (05 §4.9).
func (w *Worker) heardFrom(ctx context.Context, address string) error {
	hash, err := w.addressHash(ctx, address)
	if err != nil || hash == "" {
		return err
	}
	s, err := w.Store.Suppression(ctx, hash)
	if err != nil || s == nil || s.Reason == inbox.SuppressComplaint || s.Reason == inbox.SuppressOwner {
		return err
	}
	_, err = w.Store.DropSuppression(ctx, hash)
	return err
}

// addressHash is the hash of an address as it is compared, "" where there is none
// or no secret to make one with.
func (w *Worker) addressHash(ctx context.Context, address string) (string, error) {
	normal, ok := decide.NormalEmail(address)
	if !ok || !w.Ring.Ready() {
		return "", nil
	}
	return w.Store.AddressHash(ctx, normal)
}

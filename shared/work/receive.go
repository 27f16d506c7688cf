package work

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"unicode/utf8"

	"typedinbox/shared/canon"
	"typedinbox/shared/decide"
	"typedinbox/shared/desk"
	"typedinbox/shared/inbox"
	"typedinbox/shared/mail"
	"typedinbox/shared/settings"
	"typedinbox/shared/store"
)

// TakeReceipt takes note of a mail that the mail service received: its raw
// message is an object under its id already (05 §5.1). The same delivery twice is
// one. It is dealt with by the job that is kept with it.
func (w *Worker) TakeReceipt(ctx context.Context, id string, d mail.Delivery) error {
	now := w.Clock()
	in := &inbox.InMail{ID: id, From: d.From, To: d.To, Verdicts: verdictsOf(d.Verdicts), NewItemID: w.Source.ID(now), ReceivedAt: now}
	_, err := w.Store.KeepInMail(ctx, in, w.Source.ID(now))
	return err
}

func verdictsOf(v mail.Verdicts) inbox.Verdicts {
	return inbox.Verdicts{
		SPF: string(v.SPF), DKIM: string(v.DKIM), DMARC: string(v.DMARC), Spam: string(v.Spam), Virus: string(v.Virus), Policy: v.DMARCPolicy,
	}
}

// deliveryOf is what came with a mail, as the reader of mails takes it.
func deliveryOf(in *inbox.InMail) mail.Delivery {
	v := in.Verdicts
	return mail.Delivery{From: in.From, To: in.To, Verdicts: mail.Verdicts{
		SPF: mail.Verdict(v.SPF), DKIM: mail.Verdict(v.DKIM), DMARC: mail.Verdict(v.DMARC),
		Spam: mail.Verdict(v.Spam), Virus: mail.Verdict(v.Virus), DMARCPolicy: v.Policy,
	}}
}

// receive deals with a mail that came in. One that was dealt with is left alone.
func (w *Worker) receive(ctx context.Context, j *inbox.Job, e inbox.Effect) (*composed, error) {
	in, err := w.Store.InMail(ctx, strings.TrimPrefix(j.ItemID, inbox.ReceivedItem))
	if err != nil {
		return nil, err
	}
	if in != nil && in.Outcome == nil {
		if err := w.deal(ctx, in); err != nil {
			return nil, err
		}
	}
	return nil, w.Store.FinishEffect(ctx, j, e.ID)
}

// errNoBlobs is for a worker that was given no place for raw mail.
var errNoBlobs = errors.New("work: there is no store of raw mail")

func (w *Worker) deal(ctx context.Context, in *inbox.InMail) error {
	if w.Blobs == nil {
		return errNoBlobs
	}
	raw, err := w.Blobs.Get(ctx, desk.PrefixIn+in.ID)
	if err != nil {
		return err
	}
	r := &reception{w: w, in: in, raw: raw, d: deliveryOf(in)}
	out, err := r.deal(ctx)
	if err == nil {
		w.received(ctx, out)
	}
	return err
}

// received counts what became of a mail.
func (w *Worker) received(ctx context.Context, out inbox.MailOutcome) {
	w.count(ctx, slog.LevelInfo, "a mail came in", MetricMailsReceived, 1, slog.String("outcome", out.Outcome))
}

// reception is one mail being dealt with (05 §5.8).
type reception struct {
	w   *Worker
	in  *inbox.InMail
	raw []byte
	d   mail.Delivery
	// door: another system handed it over and waits for the answer.
	door bool

	m    mail.Received
	key  string // what makes the mail unique
	hit  match  // the item it answers
	auto mail.Judgement
}

// deal goes through the steps of 05 §5.8 until one of them settles what becomes
// of the mail. Where the mail turns out to have been kept meanwhile it looks
// again.
func (r *reception) deal(ctx context.Context) (inbox.MailOutcome, error) {
	for try := 0; ; try++ {
		out, err := r.settle(ctx)
		if lost, ok := store.AsLost(err); !ok || lost.Message == nil || try > 2 {
			return out, err
		}
	}
}

func (r *reception) settle(ctx context.Context) (inbox.MailOutcome, error) {
	bad := r.read()
	for _, step := range []func(context.Context, error) (*inbox.MailOutcome, error){
		r.infected, r.loop, r.admit, r.unread, r.known, r.mailbox, r.thread, r.machine,
	} {
		if out, err := step(ctx, bad); out != nil || err != nil {
			return orZero(out), err
		}
	}
	return r.speak(ctx)
}

func orZero(out *inbox.MailOutcome) inbox.MailOutcome {
	if out == nil {
		return inbox.MailOutcome{}
	}
	return *out
}

// read parses the mail; of an infected one the header alone (05 §5.2).
func (r *reception) read() (bad error) {
	raw := r.raw
	if r.d.Infected() {
		raw = head(raw)
	}
	r.m, bad = mail.Parse(raw, r.d)
	r.m.Text, r.m.Subject = canon.HideLinks(fitted(r.m.Text)), canon.HideLinks(r.m.Subject)
	r.key = r.m.DuplicateKey()
	return bad
}

// head is the header block of a raw mail.
func head(raw []byte) []byte {
	for _, end := range []string{"\r\n\r\n", "\n\n"} {
		if at := bytes.Index(raw, []byte(end)); at >= 0 {
			return raw[:at+len(end)]
		}
	}
	return raw
}

// fitted is a text with its line about the cut inside what an entry holds.
func fitted(text string) string {
	if utf8.RuneCountInString(text) <= mail.MaxText {
		return text
	}
	end := "\n" + mail.CutLine
	runes := []rune(strings.TrimSuffix(text, end))
	return string(runes[:min(len(runes), mail.MaxText-utf8.RuneCountInString(end))]) + end
}

// infected stops a mail that carries a virus: its raw form is put where nothing
// is served from (05 §5.2).
func (r *reception) infected(ctx context.Context, _ error) (*inbox.MailOutcome, error) {
	if !r.d.Infected() {
		return nil, nil
	}
	if err := r.w.Blobs.Put(ctx, desk.RawKey(desk.PrefixQuarantine, r.in.NewItemID, r.in.ID), r.raw); err != nil {
		return nil, err
	}
	return r.notice(ctx, inbox.NoticeVirus, told{bare: true})
}

// loop stops our own mail that comes back (05 §5.12).
func (r *reception) loop(ctx context.Context, _ error) (*inbox.MailOutcome, error) {
	_, ours := r.w.Ring.OwnMailID(r.m.Mark)
	if !ours && !r.w.ours(r.m.From.Email) {
		return nil, nil
	}
	return r.notice(ctx, inbox.NoticeLoop, told{once: "loop", until: inbox.Hour, bare: true})
}

// unread keeps a mail that cannot be an entry as what it is (05 §5.3, §5.4); over
// the generic door one without a sender is refused.
func (r *reception) unread(ctx context.Context, bad error) (*inbox.MailOutcome, error) {
	switch {
	case bad == nil:
		return nil, nil
	case errors.Is(bad, mail.ErrNoSender):
		if r.m.Signs.Proof != "" { // bounces come from nobody
			return nil, nil
		}
		if r.door {
			return nil, inbox.InvalidField("From", "must be one address that can be answered")
		}
		return r.notice(ctx, inbox.NoticeNoSender, told{})
	case errors.Is(bad, mail.ErrTooLarge):
		return r.notice(ctx, inbox.NoticeTooLarge, told{})
	}
	return r.notice(ctx, inbox.NoticeMalformed, told{})
}

// known tells a mail that came in before (05 §5.11). The same id with other words
// is a mail of its own.
func (r *reception) known(ctx context.Context, _ error) (*inbox.MailOutcome, error) {
	other := r.m.OtherBodyKey()
	refs, err := r.w.Store.Messages(ctx, []string{mailKey(r.key), mailKey(other)}, r.w.Clock())
	if err != nil {
		return nil, err
	}
	ref, there := refs[mailKey(r.key)]
	if there && ref.Body != r.m.BodyHash {
		r.key = other
		ref, there = refs[mailKey(other)]
	}
	if !there {
		return nil, nil
	}
	out := inbox.MailOutcome{Outcome: inbox.MailDuplicate, ItemID: ref.ItemID, EntryID: ref.EntryID, NoticeID: ref.NoticeID}
	if ref.In == r.in.ID { // this very delivery, before its end was told
		out.Outcome = ref.Outcome
	}
	return &out, r.close(ctx, out)
}

// mailKey is a mail's key among the ids of messages.
func mailKey(key string) string { return "mail\n" + key }

// close writes the outcome of a delivery whose mail was kept before.
func (r *reception) close(ctx context.Context, out inbox.MailOutcome) error {
	if r.in.Rev == 0 {
		return nil
	}
	in := *r.in
	in.Outcome = &out
	return r.w.Store.SaveInMail(ctx, &in)
}

// mailbox keeps what went to an address that no item answers (05 §5.1).
func (r *reception) mailbox(ctx context.Context, _ error) (*inbox.MailOutcome, error) {
	kind := r.m.SpecialMailbox(r.w.InboundDomain)
	if kind == "" {
		return nil, nil
	}
	return r.notice(ctx, inbox.NoticeKind(kind), told{})
}

// thread finds the item that the mail answers, and keeps what a user of the
// business wrote from their own mailbox as a note of theirs (05 §5.8 steps 6, 7).
func (r *reception) thread(ctx context.Context, _ error) (_ *inbox.MailOutcome, err error) {
	if r.hit, err = r.find(ctx); err != nil {
		return nil, err
	}
	if r.hit.rec == nil || !r.hit.strong {
		return nil, nil
	}
	if own, err := r.byUser(ctx); err != nil || !own {
		return nil, err
	}
	user := inbox.Caller{Actor: inbox.Actor{Kind: inbox.Owner, ID: "owner", Channel: inbox.ChannelEmail}}
	return r.note(ctx, user, "", nil)
}

// byUser says whether the mail is from somebody who works at the business: from
// an address the owner is told at. One read.
func (r *reception) byUser(ctx context.Context) (bool, error) {
	l, err := r.w.Store.Load(ctx, store.Want{Settings: true})
	if err != nil {
		return false, err
	}
	for _, a := range []string{r.w.OwnerEmail, settings.Effective(l.SettingsRaw).Notifications.OwnerEmail} {
		if own, ok := decide.NormalEmail(a); ok && own == r.m.From.Email {
			return true, nil
		}
	}
	return false, nil
}

// note keeps the mail inside, on the item that it answers.
func (r *reception) note(ctx context.Context, by inbox.Caller, heading string, marks []string) (*inbox.MailOutcome, error) {
	m, err := r.message(ctx, r.hit.rec.Item.ID, by)
	if err != nil {
		return nil, err
	}
	if heading != "" {
		m.Text = fitted(heading + "\n\n" + m.Text)
	}
	m.From.Marks = append(m.From.Marks, marks...)
	out, err := r.w.Desk.NoteMail(ctx, r.hit.rec.Item.ID, m)
	return &out, err
}

// speak takes a person's mail: on the item that it answers as its customer's
// words, else as a new message (05 §5.8 steps 9, 10).
func (r *reception) speak(ctx context.Context) (out inbox.MailOutcome, err error) {
	if err := r.w.heardFrom(ctx, r.m.From.Email); err != nil {
		return out, err
	}
	item := r.in.NewItemID
	if r.hit.rec != nil {
		item = r.hit.rec.Item.ID
	}
	m, err := r.message(ctx, item, r.caller())
	if err != nil {
		return out, err
	}
	if r.hit.rec == nil {
		return r.w.Desk.NewFromMail(ctx, m)
	}
	return r.w.Desk.HearMail(ctx, item, m)
}

// proven says whether the receiving service proved the sender's address; a
// form's relay proves nobody's (05 §5.2, §5.10).
func (r *reception) proven() bool { return r.d.Authenticated() && !r.m.Relayed }

// caller is who writes.
func (r *reception) caller() inbox.Caller {
	sum := sha256.Sum256([]byte(r.m.From.Email))
	c := inbox.Caller{
		Actor: inbox.Actor{Kind: inbox.CustomerHuman, ID: "mail:" + hex.EncodeToString(sum[:8]), Channel: inbox.ChannelEmail},
		Tier:  inbox.TierAnonymous,
	}
	if r.proven() {
		c.Tier = inbox.TierVerified
	}
	return c
}

// message is the mail as the desk takes it, its raw form and its files kept at
// the item's own place before anything is written.
func (r *reception) message(ctx context.Context, itemID string, by inbox.Caller) (desk.ReceivedMail, error) {
	m := desk.ReceivedMail{
		Caller: by, Text: r.m.Text, Subject: r.m.Subject, Body: r.m.BodyHash, In: r.in,
		Contact: inbox.Contact{Name: r.m.Contact.Name, Email: r.m.Contact.Email},
		From: decide.FromMail{
			MessageID: r.m.MessageID, Key: mailKey(r.key), InReplyTo: r.m.InReplyTo, From: r.m.From.Email,
			Attachments: attachmentsOf(r.m.Attachments), Marks: r.marks(), ItemID: itemID,
		},
	}
	if r.proven() {
		m.From.Proven = r.m.From.Email
	}
	m.From.RawKey = desk.RawKey(desk.PrefixItems, itemID, r.in.ID)
	return m, r.keepRaw(ctx, m.From.RawKey)
}

// marks are what the business is shown of the mail beside its words.
func (r *reception) marks() []string {
	var marks []string
	for _, c := range []struct {
		mark string
		is   bool
	}{
		{inbox.MarkUnverified, r.d.Unverified()},
		{inbox.MarkSpam, r.d.Junk()},
		{inbox.MarkOtherAddress, r.hit.rec != nil && r.hit.other},
		{inbox.MarkNoAnswer, r.m.Signs.Unanswerable},
		{inbox.MarkUnscanned, !r.d.Servable() && len(r.m.Attachments) > 0},
	} {
		if c.is {
			marks = append(marks, c.mark)
		}
	}
	return marks
}

func attachmentsOf(list []mail.Attachment) []inbox.Attachment {
	var out []inbox.Attachment
	for _, a := range list {
		out = append(out, inbox.Attachment{Name: a.Name, Type: a.Type, Bytes: int64(a.Bytes), Kept: a.Kept, Harmful: a.Harmful})
	}
	return out
}

// keepRaw keeps the raw mail under a key and its files beside it.
func (r *reception) keepRaw(ctx context.Context, key string) error {
	var err error
	if r.door {
		err = r.w.Blobs.Put(ctx, key, r.raw)
	} else {
		err = r.w.Blobs.Copy(ctx, desk.PrefixIn+r.in.ID, key)
	}
	for i, a := range r.m.Attachments {
		if err == nil && a.Kept {
			err = r.w.Blobs.Put(ctx, desk.AttachmentKey(key, i+1), a.Content)
		}
	}
	if err != nil {
		return fmt.Errorf("work: what came with a mail could not be kept: %w", err)
	}
	return nil
}

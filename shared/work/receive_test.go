package work_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"typedinbox/shared/blob/dir"
	"typedinbox/shared/inbox"
	"typedinbox/shared/mail"
	"typedinbox/shared/table"
	"typedinbox/shared/work"
)

// inDomain is where mail to the studio comes in.
const inDomain = "in." + domain

var (
	verified = mail.Verdicts{SPF: mail.Pass, DKIM: mail.Pass, DMARC: mail.Pass, Spam: mail.Pass, Virus: mail.Pass}
	forged   = mail.Verdicts{SPF: mail.Fail, DKIM: mail.Fail, DMARC: mail.Fail, DMARCPolicy: "reject", Spam: mail.Pass, Virus: mail.Pass}
)

// mailWorld is a world that receives mail.
type mailWorld struct {
	*world
	blobs *dir.Store
	n     int
}

func receiving(t testing.TB, db table.Database) *mailWorld {
	t.Helper()
	w := newWorld(t, db)
	blobs, err := dir.Open(dir.Options{Root: t.TempDir(), Base: "https://blobs.invalid", Now: func() time.Time { return w.now().Time() }})
	w.must(err)
	w.desk.Config.Blobs = blobs
	w.with(func(c *work.Config) { c.Blobs, c.InboundDomain = blobs, inDomain })
	return &mailWorld{world: w, blobs: blobs}
}

// letter is a mail as it is written.
type letter struct {
	from, to, subject, text string
	headers                 []string
	id                      string // Message-ID without brackets, "" for a new one
	envelope                *string
	verdicts                *mail.Verdicts // nil: all pass
	raw                     string         // instead of all that
}

func (w *mailWorld) rawOf(l letter) string {
	if l.raw != "" {
		return l.raw
	}
	if l.id == "" {
		w.n++
		l.id = fmt.Sprintf("letter-%d@example.com", w.n)
	}
	if l.to == "" {
		l.to = "hello@" + inDomain
	}
	h := append([]string{
		"From: " + l.from, "To: " + l.to, "Subject: " + l.subject, "Message-ID: <" + l.id + ">",
		"Date: Mon, 05 Oct 2026 09:00:00 +0100", "MIME-Version: 1.0",
	}, l.headers...)
	if !slices.ContainsFunc(l.headers, func(h string) bool { return strings.HasPrefix(h, "Content-Type:") }) {
		h = append(h, "Content-Type: text/plain; charset=utf-8")
	}
	return strings.Join(h, "\r\n") + "\r\n\r\n" + strings.ReplaceAll(l.text, "\n", "\r\n") + "\r\n"
}

// deliver hands a letter over as the mail service does and answers its delivery.
func (w *mailWorld) deliver(l letter) string {
	w.t.Helper()
	w.n++
	id := fmt.Sprintf("ses%04d", w.n)
	w.must(w.blobs.Put(w.ctx, "in/"+id, []byte(w.rawOf(l))))
	d := mail.Delivery{From: l.envelope, To: []string{l.to}, Verdicts: verified}
	if l.to == "" {
		d.To = []string{"hello@" + inDomain}
	}
	if l.envelope == nil {
		from := l.from
		if i := strings.IndexByte(from, '<'); i >= 0 {
			from = strings.Trim(from[i:], "<>")
		}
		d.From = &from
	}
	if l.verdicts != nil {
		d.Verdicts = *l.verdicts
	}
	w.must(w.patient(func() error { return w.TakeReceipt(w.ctx, id, d) }))
	return id
}

// outcome is what became of a delivery.
func (w *mailWorld) outcome(id string) inbox.MailOutcome {
	w.t.Helper()
	in, err := w.store.InMail(w.ctx, id)
	w.must(err)
	if in == nil || in.Outcome == nil {
		jobs, _ := w.store.Jobs(w.ctx, inbox.ReceivedItem+id)
		w.t.Fatalf("delivery %s is not dealt with: %+v, jobs %+v", id, in, jobs)
	}
	return *in.Outcome
}

// arrives delivers a letter, works it off and answers what became of it.
func (w *mailWorld) arrives(l letter) inbox.MailOutcome {
	w.t.Helper()
	id := w.deliver(l)
	w.sweep()
	return w.outcome(id)
}

// replyTo is the address of the newest mail to somebody, wire its message id.
func (w *mailWorld) replyTo(address string) string { return w.last(address).header.Get("Reply-To") }

func (w *mailWorld) wire(address string) string {
	w.t.Helper()
	for _, m := range w.post.all() {
		if m.To == address {
			ref, err := w.store.MailByID(w.ctx, m.MailID)
			w.must(err)
			row, err := w.store.Mail(w.ctx, ref.ItemID, ref.JobKey)
			w.must(err)
			return "<" + row.ProviderID + "@mail.invalid>"
		}
	}
	w.t.Fatalf("no mail to %s", address)
	return ""
}

// thread is an item's conversation.
func (w *mailWorld) thread(id string) []inbox.Entry {
	w.t.Helper()
	list, err := w.store.Thread(w.ctx, id, 0)
	w.must(err)
	return list
}

func (w *mailWorld) lastEntry(id string) inbox.Entry {
	w.t.Helper()
	list := w.thread(id)
	if len(list) == 0 {
		w.t.Fatalf("item %s has no entry", id)
	}
	return list[len(list)-1]
}

func (w *mailWorld) notices() []inbox.Notice {
	w.t.Helper()
	list, err := w.store.Notices(w.ctx, w.now(), "", 100)
	w.must(err)
	return list
}

// questioned is a booking of Ana's that waits for her answer by mail.
func (w *mailWorld) questioned() opened {
	w.t.Helper()
	o := w.asked()
	w.fire(owner, o, "request_info", "How many of you?")
	w.sweep()
	return o
}

// inbound runs a test where mail is received on both kinds of table.
func inbound(t *testing.T, f func(t *testing.T, w *mailWorld)) {
	t.Run("embedded", func(t *testing.T) { f(t, receiving(t, open(t, nil))) })
	t.Run("dynamodb", func(t *testing.T) { f(t, receiving(t, kumo(t))) })
}

const ana = "Ana <" + anaEmail + ">"

// TestNewMail: mail that answers nothing becomes a message of a customer's.
func TestNewMail(t *testing.T) {
	inbound(t, func(t *testing.T, w *mailWorld) {
		out := w.arrives(letter{from: ana, subject: "Opening\r\n hours", text: "Are you open on Sunday?\n\n-- \nAna"})
		if out.Outcome != inbox.MailCreated || out.ItemID == "" || out.EntryID == "" {
			t.Fatalf("became %+v", out)
		}
		r := w.record(out.ItemID)
		i := r.Item
		if i.Type != inbox.TypeMessage || i.State != inbox.StateOpen || i.Channel != inbox.ChannelEmail || *i.Subject != "Opening hours" ||
			i.Payload.Message.Text != "Are you open on Sunday?" || r.AccessTokenHash != "" {
			t.Errorf("item %+v, token %q", i, r.AccessTokenHash)
		}
		p, err := w.store.Party(w.ctx, i.PartyID)
		w.must(err)
		if p.Contact.Email != anaEmail || p.Contact.Name != "Ana" || p.Verified != anaEmail {
			t.Errorf("customer %+v", p)
		}
		e := w.lastEntry(out.ItemID)
		if e.ID != out.EntryID || e.Direction != inbox.DirectionIn || e.From != anaEmail || e.MessageID != "letter-2@example.com" || e.Subject != "Opening hours" {
			t.Errorf("entry %+v", e)
		}
		raw, err := w.blobs.Get(w.ctx, e.RawKey)
		if err != nil || !strings.HasPrefix(e.RawKey, "items/"+out.ItemID+"/") || !strings.Contains(string(raw), "Are you open") {
			t.Errorf("raw mail %q, %v", raw, err)
		}
		if got := w.to(ownerEmail); !slices.Equal(got, []string{"owner.create"}) {
			t.Errorf("the owner heard %v", got)
		}
		if got := w.to(anaEmail); len(got) != 0 {
			t.Errorf("a message is acknowledged: %v", got)
		}
		w.clean()
	})
}

// TestReplyMail: a reply lands on its item, whatever the relay made of the
// address, and moves what waits for it.
func TestReplyMail(t *testing.T) {
	for name, c := range map[string]struct {
		letter func(w *mailWorld) letter
		moves  bool
		marks  []string
	}{
		"ok/reply address": {func(w *mailWorld) letter { return letter{from: ana, to: w.replyTo(anaEmail)} }, true, nil},
		"ok/in capitals":   {func(w *mailWorld) letter { return letter{from: ana, to: strings.ToUpper(w.replyTo(anaEmail))} }, true, nil},
		"ok/from another address": {func(w *mailWorld) letter {
			return letter{from: "rui@example.com", to: w.replyTo(anaEmail)}
		}, true, []string{inbox.MarkOtherAddress}},
		"ok/in reply to our id": {func(w *mailWorld) letter {
			return letter{from: ana, headers: []string{"In-Reply-To: " + w.wire(anaEmail)}}
		}, true, nil},
		"ok/our id under another domain": {func(w *mailWorld) letter {
			id := w.wire(anaEmail)
			return letter{from: ana, headers: []string{"References: <x@y> " + strings.Replace(id, "mail.invalid", "relay.example", 1)}}
		}, true, nil},
		"ok/the anchor": {func(w *mailWorld) letter {
			return letter{from: ana, headers: []string{"References: " + w.last(anaEmail).header.Get("References")}}
		}, true, nil},
		"ok/reference in the text": {func(w *mailWorld) letter {
			return letter{from: ana, text: "Two of us.\n> Reference: " + inbox.Reference(w.last(anaEmail).ItemID)}
		}, true, nil},
		"ok/the one question that waits": {func(*mailWorld) letter { return letter{from: ana, text: "Two of us"} }, true, nil},
		"ok/forged from, but the address was given away": {func(w *mailWorld) letter {
			return letter{from: ana, to: w.replyTo(anaEmail), verdicts: &forged}
		}, true, []string{inbox.MarkUnverified}},
		"fail/stolen reference": {func(w *mailWorld) letter {
			return letter{from: "Eve <eve@example.com>", text: "Reference: " + inbox.Reference(w.last(anaEmail).ItemID)}
		}, false, nil},
		"fail/reference, forged from": {func(w *mailWorld) letter {
			return letter{from: ana, text: "Reference: " + inbox.Reference(w.last(anaEmail).ItemID), verdicts: &forged}
		}, false, nil},
		"fail/the one question, forged from": {func(*mailWorld) letter { return letter{from: ana, verdicts: &forged} }, false, nil},
		"fail/unknown token": {func(*mailWorld) letter {
			return letter{from: "eve@example.com", to: "reply+" + strings.Repeat("a", 26) + "@" + inDomain}
		}, false, nil},
		"fail/an id of a mail to the owner": {func(w *mailWorld) letter {
			return letter{from: "eve@example.com", headers: []string{"In-Reply-To: " + w.wire(ownerEmail)}}
		}, false, nil},
	} {
		t.Run(name, func(t *testing.T) {
			w := receiving(t, open(t, nil))
			o := w.questioned()
			l := c.letter(w)
			if l.subject = "Re: Question"; l.text == "" {
				l.text = "Two of us"
			}
			w.quiet()
			out := w.arrives(l)
			if !c.moves {
				if out.Outcome != inbox.MailCreated || out.ItemID == o.id || w.record(o.id).Item.State != inbox.StateNeedsInfo {
					t.Fatalf("became %+v, the booking is %s", out, w.record(o.id).Item.State)
				}
				return
			}
			if out.Outcome != inbox.MailReplied || out.ItemID != o.id {
				t.Fatalf("became %+v, want a reply on %s", out, o.id)
			}
			if s := w.record(o.id).Item.State; s != inbox.StateRequested {
				t.Errorf("the booking is %s", s)
			}
			e := w.lastEntry(o.id)
			if !strings.HasPrefix(e.BodyText, "Two of us") || !slices.Equal(e.Marks, c.marks) {
				t.Errorf("entry %q, marks %v", e.BodyText, e.Marks)
			}
			if got := w.to(ownerEmail); !slices.Equal(got, []string{"owner.provide_info"}) {
				t.Errorf("the owner heard %v", got)
			}
			told := w.last(ownerEmail).text
			for mark, says := range map[string]string{inbox.MarkOtherAddress: "another address than the customer's: rui@example.com", inbox.MarkUnverified: "may be forged"} {
				if strings.Contains(told, says) != slices.Contains(c.marks, mark) {
					t.Errorf("marks %v, the owner read\n%s", c.marks, told)
				}
			}
			if got := w.to(anaEmail); len(got) != 0 {
				t.Errorf("the customer is answered: %v", got)
			}
			w.clean()
		})
	}
}

// TestMailOnMessages: a reply opens a message again; on spam nobody is told.
func TestMailOnMessages(t *testing.T) {
	w := receiving(t, open(t, nil))
	first := w.arrives(letter{from: ana, subject: "Hours", text: "Are you open?"})
	o := opened{first.ItemID, agent}
	w.reply(owner, o, inbox.ReplyRequest{Body: "Yes, from ten."})
	w.sweep()
	if got := w.last(anaEmail); got.subject() != "Re: Hours" || got.header.Get("In-Reply-To") != "<letter-2@example.com>" {
		t.Errorf("answered %q to %q", got.subject(), got.header.Get("In-Reply-To"))
	}
	again := w.arrives(letter{from: ana, subject: "Re: Hours", text: "Thanks, see you", to: w.replyTo(anaEmail)})
	if again.ItemID != o.id || w.record(o.id).Item.State != inbox.StateOpen {
		t.Errorf("%+v, %s", again, w.record(o.id).Item.State)
	}
	// Her own earlier id finds it too, from her alone.
	if out := w.arrives(letter{from: ana, subject: "Hours", text: "And on Monday?", headers: []string{"In-Reply-To: <letter-2@example.com>"}, verdicts: &forged}); out.ItemID != o.id {
		t.Errorf("her own id leads to %+v", out)
	}
	if out := w.arrives(letter{from: "eve@example.com", subject: "Hours", text: "Me too", headers: []string{"In-Reply-To: <letter-2@example.com>"}}); out.ItemID == o.id {
		t.Error("another's id leads there for anybody")
	}
	w.fire(owner, o, "mark_spam", "")
	w.sweep()
	w.quiet()
	if out := w.arrives(letter{from: ana, subject: "Re: Hours", text: "Buy now", headers: []string{"In-Reply-To: <letter-2@example.com>"}}); out.Outcome != inbox.MailReplied || out.ItemID != o.id {
		t.Errorf("became %+v", out)
	}
	if w.record(o.id).Item.State != inbox.StateSpam || len(w.post.all()) != 0 {
		t.Errorf("spam told somebody: %v", w.post.all())
	}
	w.clean()
}

// TestAutomaticMail: a machine's mail moves nothing, tells nobody and is never
// answered; on no item it is a notice.
func TestAutomaticMail(t *testing.T) {
	null := ""
	for name, c := range map[string]struct {
		letter func(w *mailWorld) letter
		notice inbox.NoticeKind // "" for a note
	}{
		"ok/out of office on its item": {func(w *mailWorld) letter {
			return letter{to: w.replyTo(anaEmail), headers: []string{"Auto-Submitted: auto-replied"}, text: "I am away."}
		}, ""},
		"ok/by its subject": {func(w *mailWorld) letter {
			return letter{to: w.replyTo(anaEmail), subject: "Resposta automática: Pedido", text: "Volto segunda."}
		}, ""},
		"ok/null path": {func(w *mailWorld) letter {
			return letter{to: w.replyTo(anaEmail), envelope: &null, text: "We got your mail."}
		}, ""},
		"ok/soon after ours": {func(w *mailWorld) letter {
			return letter{to: w.replyTo(anaEmail), text: "I am on vacation until Monday."}
		}, ""},
		"ok/answering nothing": {func(*mailWorld) letter {
			return letter{from: "bob@example.com", headers: []string{"Auto-Submitted: auto-replied"}, text: "I am away."}
		}, inbox.NoticeAutoReply},
		"ok/bounce of mail that was not ours": {func(*mailWorld) letter {
			return letter{raw: bounceOf("X-Inbox-Mail: x.y", "bob@example.com", "5.1.1"), envelope: &null}
		}, inbox.NoticeBounce},
	} {
		t.Run(name, func(t *testing.T) {
			w := receiving(t, open(t, nil))
			o := w.questioned()
			l := c.letter(w)
			if l.from == "" {
				l.from = ana
			}
			w.quiet()
			before := w.record(o.id)
			out := w.arrives(l)
			after := w.record(o.id)
			if after.Item.Version != before.Item.Version || after.Item.State != inbox.StateNeedsInfo {
				t.Errorf("it moved the booking to %s", after.Item.State)
			}
			if got := w.to(anaEmail); len(got) != 0 {
				t.Errorf("a machine is answered: %v", got)
			}
			if c.notice == "" {
				e := w.lastEntry(o.id)
				if out.Outcome != inbox.MailNoted || out.ItemID != o.id || e.Direction != inbox.DirectionNote || e.ActorKind != inbox.System ||
					e.Channel != inbox.ChannelEmail || !strings.HasPrefix(e.BodyText, "An automatic mail") || !slices.Contains(e.Marks, inbox.MarkAutomatic) {
					t.Errorf("became %+v, entry %+v", out, e)
				}
				if got := w.to(ownerEmail); len(got) != 0 {
					t.Errorf("the owner heard %v", got)
				}
			} else {
				n := w.notices()
				if out.Outcome != inbox.MailNoticed || len(n) != 1 || n[0].Kind != c.notice || n[0].ID != out.NoticeID {
					t.Errorf("became %+v, notices %+v", out, n)
				}
				if got := w.to(ownerEmail); !slices.Equal(got, []string{"owner.notice"}) {
					t.Errorf("the owner heard %v", got)
				}
			}
			w.clean()
		})
	}
}

// bounceOf is a delivery report that returns a header.
func bounceOf(returned, to, status string) string {
	action := "failed"
	if strings.HasPrefix(status, "delayed ") {
		action, status = "delayed", strings.TrimPrefix(status, "delayed ")
	}
	return strings.ReplaceAll(`From: Mail Delivery System <MAILER-DAEMON@mx.example.com>
To: reply@`+inDomain+`
Subject: Undelivered Mail Returned to Sender
Message-ID: <bounce-`+to+status+`@mx.example.com>
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

I could not deliver your message.

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.com

Final-Recipient: rfc822; `+to+`
Action: `+action+`
Status: `+status+`
Diagnostic-Code: smtp; 550 `+status+` no such user `+to+`

--b
Content-Type: text/rfc822-headers

`+returned+`
Subject: x

--b--
`, "\n", "\r\n")
}

// TestReportedBounce: a bounce that comes as mail is the mail service's own word.
func TestReportedBounce(t *testing.T) {
	null := ""
	for name, c := range map[string]struct {
		status   string
		failed   bool
		suppress inbox.SuppressReason
	}{
		"ok/permanent": {"5.1.1", true, inbox.SuppressHard},
		"ok/for now":   {"4.2.2", true, ""},
		"ok/delayed":   {"delayed 4.4.1", false, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := receiving(t, open(t, nil))
			o := w.asked()
			w.fire(owner, o, "confirm", "")
			w.sweep()
			mark := "X-Inbox-Mail: " + w.last(anaEmail).header.Get("X-Inbox-Mail")
			raw := bounceOf(mark, anaEmail, c.status)
			w.quiet()
			out := w.arrives(letter{raw: raw, from: "MAILER-DAEMON@mx.example.com", envelope: &null})
			if out.Outcome != inbox.MailNoted || out.ItemID != o.id {
				t.Fatalf("became %+v", out)
			}
			r, m := w.record(o.id), w.mailed(o.id, "booking.confirmed")
			if (m.Status == inbox.MailFailed) != c.failed || r.Item.Flags.NeedsHuman != c.failed || r.MailFailed != c.failed || m.Delivery == nil {
				t.Errorf("mail %s %+v, item %+v", m.Status, m.Delivery, r.Item.Flags)
			}
			if r.Item.State != inbox.StateConfirmed || len(w.to(anaEmail)) != 0 {
				t.Error("a bounce moved or told the customer something")
			}
			want := 0
			if c.failed {
				want = 1
			}
			if got := w.to(ownerEmail); len(got) != want || want == 1 && got[0] != "owner.mail_failed" {
				t.Errorf("the owner heard %v", got)
			}
			hash, err := w.store.AddressHash(w.ctx, anaEmail)
			w.must(err)
			s, err := w.store.Suppression(w.ctx, hash)
			w.must(err)
			if c.suppress != "" && (s == nil || s.Reason != c.suppress) || c.suppress == "" && s != nil && s.Reason != "" {
				t.Errorf("list %+v", s)
			}
			w.clean()
		})
	}
}

// TestBounceOfNobody: a bounce that names no recipient is of the one that our
// mail has; what nobody complains of is no complaint.
func TestBounceOfNobody(t *testing.T) {
	null := ""
	for name, c := range map[string]struct {
		file, change string // what a message of the corpus says, and what instead
		failed       bool
	}{
		"ok/names nobody":              {"bounce-names-nobody", "", true},
		"ok/report without groups":     {"bounce-report-without-groups", "", true},
		"ok/late, names nobody":        {"bounce-late-names-nobody", "", false},
		"ok/a signature that is wrong": {"feedback-abuse", "Feedback-Type: abuse/Feedback-Type: auth-failure", false},
	} {
		t.Run(name, func(t *testing.T) {
			w := receiving(t, open(t, nil))
			o := w.asked()
			w.fire(owner, o, "confirm", "")
			w.sweep()
			raw, err := os.ReadFile("../mail/testdata/corpus/" + c.file + ".eml")
			w.must(err)
			from, to, _ := strings.Cut(c.change, "/")
			out := w.arrives(letter{raw: strings.Replace(w.ours(o, string(raw)), from, to, 1), envelope: &null})
			if out.Outcome != inbox.MailNoted || out.ItemID != o.id {
				t.Fatalf("became %+v", out)
			}
			r, m := w.record(o.id), w.mailed(o.id, "booking.confirmed")
			if (m.Status == inbox.MailFailed) != c.failed || r.Item.Flags.NeedsHuman != c.failed || m.Delivery != nil && m.Delivery.State == inbox.DeliveryComplained {
				t.Errorf("mail %s %+v, item %+v", m.Status, m.Delivery, r.Item.Flags)
			}
			w.clean()
		})
	}
}

// TestBounceOfAlert: a bounce of a mail to the owner is a notice, and no word on
// the item about its customer.
func TestBounceOfAlert(t *testing.T) {
	w := receiving(t, open(t, nil))
	o := w.asked()
	w.sweep()
	mark := "X-Inbox-Mail: " + w.last(ownerEmail).header.Get("X-Inbox-Mail")
	null := ""
	out := w.arrives(letter{raw: bounceOf(mark, ownerEmail, "5.1.1"), from: "MAILER-DAEMON@mx.example.com", envelope: &null})
	if n := w.notices(); out.Outcome != inbox.MailNoticed || len(n) != 1 || n[0].Kind != inbox.NoticeBounce {
		t.Errorf("became %+v, %+v", out, n)
	}
	if r := w.record(o.id); r.Item.Flags.NeedsHuman || r.MailFailed || len(w.thread(o.id)) != 0 {
		t.Errorf("the item heard of it: %+v, %+v", r.Item.Flags, w.thread(o.id))
	}
	if m := w.mailed(o.id, "owner.create"); m.Status != inbox.MailFailed || m.Delivery == nil {
		t.Errorf("mail %s %+v", m.Status, m.Delivery)
	}
	w.clean()
}

// TestDuplicates: the same mail twice is one entry, by redelivery and by another
// route; the same id with other words is another mail.
func TestDuplicates(t *testing.T) {
	inbound(t, func(t *testing.T, w *mailWorld) {
		l := letter{from: ana, subject: "Hello", text: "One", id: "same@example.com"}
		first := w.arrives(l)
		second := w.arrives(l)
		if second.Outcome != inbox.MailDuplicate || second.ItemID != first.ItemID || second.EntryID != first.EntryID {
			t.Errorf("%+v, then %+v", first, second)
		}
		other := l
		other.text = "Another text altogether"
		third := w.arrives(other)
		if third.Outcome != inbox.MailCreated || third.ItemID == first.ItemID {
			t.Errorf("other words: %+v", third)
		}
		if again := w.arrives(other); again.Outcome != inbox.MailDuplicate || again.ItemID != third.ItemID {
			t.Errorf("other words again: %+v", again)
		}
		stranger := l
		stranger.from = "eve@example.com"
		if out := w.arrives(stranger); out.Outcome != inbox.MailCreated {
			t.Errorf("the id is taken away by another sender: %+v", out)
		}
		none := letter{raw: "From: bob@example.com\r\nDate: x\r\nSubject: No id\r\n\r\nHi\r\n", from: "bob@example.com"}
		if a, b := w.arrives(none), w.arrives(none); a.Outcome != inbox.MailCreated || b.Outcome != inbox.MailDuplicate {
			t.Errorf("without an id: %+v, %+v", a, b)
		}
		// The service's own second delivery of the same object.
		id := w.deliver(letter{from: ana, subject: "Twice", text: "Told once"})
		w.must(w.patient(func() error { return w.TakeReceipt(w.ctx, id, mail.Delivery{}) }))
		w.sweep()
		if w.outcome(id).Outcome != inbox.MailCreated {
			t.Errorf("became %+v", w.outcome(id))
		}
		w.clean()
	})
}

// TestSpecialMail: what is no entry is kept as what it is, for the owner alone.
func TestSpecialMail(t *testing.T) {
	infected, junk := verified, verified
	infected.Virus, junk.Spam = mail.Fail, mail.Fail
	big := "From: bob@example.com\r\nSubject: Big\r\n\r\n" + strings.Repeat("0123456789abcde\n", 26<<20/16)
	for name, c := range map[string]struct {
		letter letter
		kind   inbox.NoticeKind
	}{
		"ok/virus":           {letter{from: ana, subject: "Invoice", text: "open me", verdicts: &infected}, inbox.NoticeVirus},
		"ok/no sender":       {letter{raw: "Subject: Anonymous\r\n\r\nHi\r\n", from: "x@example.com"}, inbox.NoticeNoSender},
		"ok/two senders":     {letter{raw: "From: a@example.com, b@example.com\r\nSubject: Two\r\n\r\nHi\r\n", from: "a@example.com"}, inbox.NoticeNoSender},
		"ok/no-reply":        {letter{from: ana, to: "no-reply@" + inDomain, subject: "Re: New booking", text: "ok"}, inbox.NoticeNoReply},
		"ok/postmaster":      {letter{from: ana, to: "postmaster@" + inDomain, subject: "DMARC", text: "report"}, inbox.NoticeAdmin},
		"ok/too large":       {letter{raw: big, from: "bob@example.com"}, inbox.NoticeTooLarge},
		"ok/long header":     {letter{raw: "From: bob@example.com\r\nX: " + strings.Repeat("x", 300<<10) + "\r\n\r\nHi\r\n", from: "bob@example.com"}, inbox.NoticeMalformed},
		"ok/our own address": {letter{from: "hello@" + inDomain, subject: "Hello", text: "me again"}, inbox.NoticeLoop},
	} {
		t.Run(name, func(t *testing.T) {
			w := receiving(t, open(t, nil))
			out := w.arrives(c.letter)
			n := w.notices()
			if out.Outcome != inbox.MailNoticed || len(n) != 1 || n[0].Kind != c.kind || n[0].ID != out.NoticeID {
				t.Fatalf("became %+v, notices %+v", out, n)
			}
			if c.kind == inbox.NoticeVirus || c.kind == inbox.NoticeLoop {
				if n[0].RawKey != "" || n[0].Text != "" {
					t.Errorf("kept %+v", n[0])
				}
			} else if _, err := w.blobs.Get(w.ctx, n[0].RawKey); err != nil {
				t.Errorf("its raw form: %v", err)
			}
			if items, err := w.store.Check(w.ctx); err != nil || len(items) > 0 {
				t.Error(items, err)
			}
			if got := w.to(ownerEmail); !slices.Equal(got, []string{"owner.notice"}) || !strings.Contains(w.last(ownerEmail).text, "1") {
				t.Errorf("the owner heard %v", got)
			}
		})
	}
	t.Run("ok/spam", func(t *testing.T) {
		w := receiving(t, open(t, nil))
		out := w.arrives(letter{from: "eve@example.com", subject: "Pills", text: "Cheap pills", verdicts: &junk})
		r := w.record(out.ItemID)
		if out.Outcome != inbox.MailCreated || r.Item.State != inbox.StateSpam || r.Item.ClosedAt == nil || len(w.post.all()) != 0 {
			t.Errorf("became %+v, %s, told %v", out, r.Item.State, w.post.all())
		}
		o := w.questioned()
		if out := w.arrives(letter{from: ana, to: w.replyTo(anaEmail), text: "Two", subject: "Re: x", verdicts: &junk}); out.ItemID != o.id || !slices.Contains(w.lastEntry(o.id).Marks, inbox.MarkSpam) {
			t.Errorf("on its item it became %+v, %v", out, w.lastEntry(o.id).Marks)
		}
		w.clean()
	})
}

// TestOwnPeople: the owner's answer from their own mailbox is a note of theirs,
// be it the stack's address or the one they chose to be told at.
func TestOwnPeople(t *testing.T) {
	t.Run("ok/the stack's", func(t *testing.T) { ownPeople(t, ownerEmail, `{}`) })
	t.Run("ok/the settings'", func(t *testing.T) {
		ownPeople(t, "desk@studio.example", `{"notifications":{"ownerEmail":"desk@studio.example"}}`)
	})
}

func ownPeople(t *testing.T, address, doc string) {
	w := receiving(t, open(t, nil))
	w.settings(doc)
	o := w.questioned()
	w.quiet()
	out := w.arrives(letter{from: "Maria <" + address + ">", subject: "Re: x", text: "She called.", headers: []string{"In-Reply-To: " + w.anchor(o.id)}})
	e := w.lastEntry(o.id)
	if out.Outcome != inbox.MailNoted || e.Direction != inbox.DirectionNote || e.ActorKind != inbox.Owner || len(w.post.all()) != 0 {
		t.Errorf("became %+v, %+v, told %v", out, e, w.post.all())
	}
	if out := w.arrives(letter{from: address, subject: "Test", text: "Does this work?"}); out.Outcome != inbox.MailCreated {
		t.Errorf("without a thread: %+v", out)
	}
	w.clean()
}

func (w *mailWorld) anchor(id string) string {
	w.t.Helper()
	a, err := w.store.Anchor(w.ctx, id)
	w.must(err)
	return a.MessageID
}

// TestErasedCustomer: nothing is written onto an erased customer's item.
func TestErasedCustomer(t *testing.T) {
	w := receiving(t, open(t, nil))
	o := w.questioned()
	to := w.replyTo(anaEmail)
	w.party(o, func(p *inbox.Party) { p.ErasedAt = inbox.Ptr(w.now()) })
	if out := w.arrives(letter{from: ana, to: to, subject: "Re: x", text: "Two"}); out.Outcome != inbox.MailCreated || out.ItemID == o.id {
		t.Errorf("became %+v", out)
	}
}

// TestProvenSender: proven mail from an address that was proven is the customer's
// own; anything less is a stranger's.
func TestProvenSender(t *testing.T) {
	gray := verified
	gray.DMARC = mail.Gray
	for name, c := range map[string]struct {
		second mail.Verdicts
		match  inbox.Match
		tier   inbox.Tier
	}{
		"ok/proven":        {verified, inbox.MatchStrong, inbox.TierVerified},
		"fail/forged":      {forged, inbox.MatchWeak, inbox.TierAnonymous},
		"fail/gray":        {gray, inbox.MatchWeak, inbox.TierAnonymous},
		"fail/no verdicts": {mail.Verdicts{}, inbox.MatchWeak, inbox.TierAnonymous},
	} {
		t.Run(name, func(t *testing.T) {
			w := receiving(t, open(t, nil))
			first := w.record(w.arrives(letter{from: ana, subject: "One", text: "One"}).ItemID)
			if first.CustomerMatch != inbox.MatchNone {
				t.Fatalf("a first mail matches %s", first.CustomerMatch)
			}
			out := w.arrives(letter{from: ana, subject: "Two", text: "Two", verdicts: &c.second})
			r := w.record(out.ItemID)
			if r.CustomerMatch != c.match || (r.Item.PartyID == first.Item.PartyID) != (c.match == inbox.MatchStrong) {
				t.Errorf("matches %s, party %s of %s", r.CustomerMatch, r.Item.PartyID, first.Item.PartyID)
			}
			events, err := w.store.Events(w.ctx, out.ItemID)
			w.must(err)
			if events[0].Meta.Tier != c.tier {
				t.Errorf("tier %s", events[0].Meta.Tier)
			}
			w.clean()
		})
	}
}

// TestProvenReply: a proven reply from the customer's own address makes the next
// proven mail surely theirs.
func TestProvenReply(t *testing.T) {
	for name, c := range map[string]struct {
		verdicts mail.Verdicts
		from     string
		match    inbox.Match
	}{
		"ok/proven":                   {verified, ana, inbox.MatchStrong},
		"fail/not proven":             {forged, ana, inbox.MatchWeak},
		"fail/proven, from elsewhere": {verified, "rui@example.com", inbox.MatchWeak},
	} {
		t.Run(name, func(t *testing.T) {
			w := receiving(t, open(t, nil))
			o := w.questioned()
			w.arrives(letter{from: c.from, to: w.replyTo(anaEmail), text: "Two of us", verdicts: &c.verdicts})
			out := w.arrives(letter{from: ana, subject: "Another thing", text: "Hello", headers: []string{"X: y"}})
			if r := w.record(out.ItemID); out.Outcome != inbox.MailCreated || r.CustomerMatch != c.match || (r.Item.PartyID == w.record(o.id).Item.PartyID) != (c.match == inbox.MatchStrong) {
				t.Errorf("%s, matches %s", out.Outcome, r.CustomerMatch)
			}
			w.clean()
		})
	}
}

const withFile = `From: Ana <ana@example.com>
To: hello@in.studio.example
Subject: Photos
Message-ID: <files@example.com>
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary="b"

--b
Content-Type: text/plain

Here they are.
--b
Content-Type: application/pdf; name="plan.pdf"
Content-Disposition: attachment; filename="plan.pdf"
Content-Transfer-Encoding: base64

JVBERi0xLjQK
--b
Content-Type: text/html
Content-Disposition: attachment; filename="page.html"

<script>alert(1)</script>
--b--
`

// TestManyLongFiles: however long names and types are, what is kept of a mail fits
// a row.
func TestManyLongFiles(t *testing.T) {
	w := receiving(t, open(t, nil))
	var b strings.Builder
	b.WriteString("From: Ana <ana@example.com>\r\nSubject: =?utf-8?q?" + strings.Repeat("=F0=9F=98=80", 500) + "?=\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n" + strings.Repeat("😀", 21_000))
	for n := range 198 {
		fmt.Fprintf(&b, "\r\n--b\r\nContent-Type: application/%s; name*=utf-8''%s%d.pdf\r\n\r\nx", strings.Repeat("x", 3000), strings.Repeat("%F0%9F%98%80", 80), n)
	}
	out := w.arrives(letter{raw: b.String() + "\r\n--b--\r\n", from: ana})
	if out.Outcome != inbox.MailCreated || len(w.lastEntry(out.ItemID).Attachments) != 198 {
		t.Errorf("became %+v", out)
	}
	w.clean()
}

// TestAttachments: files are kept beside the raw mail and served to people at the
// business alone, never when a virus was not ruled out.
func TestAttachments(t *testing.T) {
	w := receiving(t, open(t, nil))
	raw := strings.ReplaceAll(withFile, "\n", "\r\n")
	out := w.arrives(letter{raw: raw, from: anaEmail})
	e := w.lastEntry(out.ItemID)
	if len(e.Attachments) != 2 || e.Attachments[0].Name != "plan.pdf" || !e.Attachments[0].Kept || e.Attachments[0].Harmful || !e.Attachments[1].Harmful {
		t.Fatalf("attachments %+v", e.Attachments)
	}
	get := func(c inbox.Caller, itemID, entryID, n string) (inbox.Answer, error) {
		return w.desk.Attachment(w.ctx, inbox.Call{Caller: c}, inbox.AttachmentRequest{ItemID: itemID, EntryID: entryID, N: n})
	}
	a, err := get(owner, out.ItemID, e.ID, "1")
	if err != nil || a.Status != http.StatusSeeOther || !strings.HasPrefix(a.Location, "https://blobs.invalid?") {
		t.Errorf("served at %+v, %v", a, err)
	}
	content, err := w.blobs.Get(w.ctx, "items/"+out.ItemID+"/"+strings.Split(e.RawKey, "/")[2]+"/1")
	if err != nil || string(content) != "%PDF-1.4\n" {
		t.Errorf("kept %q, %v", content, err)
	}
	for name, c := range map[string]struct {
		caller inbox.Caller
		item   string
		entry  string
		n      string
		code   inbox.Code
	}{
		"fail/assistant":     {assistant, out.ItemID, e.ID, "1", inbox.CodeNotAllowed},
		"fail/customer":      {agent, out.ItemID, e.ID, "1", inbox.CodeNotAllowed},
		"fail/none":          {owner, out.ItemID, e.ID, "3", inbox.CodeNotFound},
		"fail/zero":          {owner, out.ItemID, e.ID, "0", inbox.CodeNotFound},
		"fail/no number":     {owner, out.ItemID, e.ID, "raw", inbox.CodeNotFound},
		"fail/another entry": {owner, out.ItemID, "x", "1", inbox.CodeNotFound},
		"fail/another item":  {owner, "x", e.ID, "1", inbox.CodeNotFound},
	} {
		_, err := get(c.caller, c.item, c.entry, c.n)
		if p, ok := err.(*inbox.Problem); !ok || p.Code != c.code {
			t.Errorf("%s: %v", name, err)
		}
	}
	unscanned := verified
	unscanned.Virus = mail.Gray
	other := strings.Replace(raw, "files@", "files-2@", 1)
	out = w.arrives(letter{raw: other, from: anaEmail, verdicts: &unscanned})
	e = w.lastEntry(out.ItemID)
	if _, err := get(owner, out.ItemID, e.ID, "1"); err == nil || !slices.Contains(e.Marks, inbox.MarkUnscanned) {
		t.Errorf("a file that was not scanned is served; marks %v", e.Marks)
	}
}

// TestLimits: past its number a sender's mails wait, each longer, and in the end
// become one notice; a person who writes ten times an hour is heard each time.
func TestLimits(t *testing.T) {
	w := receiving(t, open(t, nil))
	visit := func(until inbox.Instant) {
		for {
			w.sweep()
			next, err := w.store.NextDue(w.ctx)
			w.must(err)
			if next == nil || *next > until {
				w.clock.Store(int64(until))
				return
			}
			if *next > w.now() {
				w.clock.Store(int64(*next))
			} else {
				w.wait(inbox.Minute)
			}
		}
	}
	for hour := range 3 {
		for n := range 10 {
			if out := w.arrives(letter{from: ana, subject: "Hello", text: fmt.Sprintf("Mail %d of hour %d", n, hour)}); out.Outcome != inbox.MailCreated {
				t.Fatalf("mail %d of hour %d: %+v", n, hour, out)
			}
		}
		w.wait(inbox.Hour)
	}
	loop := func(n int, text string) (ids []string) {
		for i := range n {
			ids = append(ids, w.deliver(letter{from: "loop@example.com", subject: "Again", text: fmt.Sprint(text, i)}))
		}
		return ids
	}
	ids := loop(40, "first ")
	visit(w.now().Add(6 * inbox.Hour))
	for _, id := range ids {
		if out := w.outcome(id); out.Outcome != inbox.MailCreated {
			t.Fatalf("a mail that waited became %+v", out)
		}
	}
	// Those that still wait when a day is over, because others took what came back.
	w.wait(inbox.Hour)
	ids = loop(14, "second ")
	w.sweep()
	w.wait(25 * inbox.Hour)
	for _, id := range loop(10, "third ") {
		jobs, err := w.store.Jobs(w.ctx, inbox.ReceivedItem+id)
		w.must(err)
		w.must(w.RunJob(w.ctx, jobs[0].ItemID, jobs[0].ID))
	}
	w.sweep()
	noticed := 0
	for _, id := range ids {
		if w.outcome(id).Outcome == inbox.MailNoticed {
			noticed++
		}
	}
	if n := w.notices(); noticed != 4 || len(n) != 1 || n[0].Kind != inbox.NoticeHeld || n[0].Count != 4 {
		t.Errorf("%d became notices: %+v", noticed, n)
	}
	if failed, err := w.store.FailedJobs(w.ctx, 10); err != nil || len(failed) > 0 {
		t.Errorf("waiting is failing: %v, %v", failed, err)
	}
}

// TestInboundDoor: the generic door answers what became of a mail.
func TestInboundDoor(t *testing.T) {
	w := receiving(t, open(t, nil))
	raw := func(from, text string) []byte {
		return []byte(w.rawOf(letter{from: from, subject: "Hello", text: text}))
	}
	hand := func(secret string, raw []byte) (inbox.MailOutcome, error) {
		a, err := w.InboundMail(w.ctx, inbox.Call{}, inbox.InboundMailRequest{Raw: raw, Secret: secret})
		var out inbox.MailOutcome
		if err == nil {
			if a.Status != http.StatusAccepted {
				t.Errorf("status %d", a.Status)
			}
			w.must(json.Unmarshal(a.Body, &out))
		}
		return out, err
	}
	code := func(err error) inbox.Code {
		if p, ok := err.(*inbox.Problem); ok {
			return p.Code
		}
		return ""
	}
	if _, err := hand("", raw(ana, "x")); code(err) != inbox.CodeUnauthorized {
		t.Errorf("a door without a secret: %v", err)
	}
	const secret = "a-secret-of-sixteen"
	w.settings(`{"email":{"inboundSecret":"` + secret + `"}}`)
	mine := raw(ana, "Are you open?")
	first, err := hand(secret, mine)
	if err != nil || first.Outcome != inbox.MailCreated || w.record(first.ItemID).Item.State != inbox.StateOpen {
		t.Fatalf("became %+v, %v", first, err)
	}
	if again, err := hand(secret, mine); err != nil || again.Outcome != inbox.MailDuplicate || again.ItemID != first.ItemID {
		t.Errorf("again %+v, %v", again, err)
	}
	if r := w.record(first.ItemID); r.CustomerMatch == inbox.MatchStrong || w.lastEntry(first.ItemID).RawKey == "" {
		t.Errorf("record %+v", r)
	}
	if out, err := hand(secret, raw("Auto-Submitted: x", "x")); err == nil {
		t.Errorf("without a sender: %+v", out)
	}
	for name, c := range map[string]struct {
		secret string
		raw    []byte
		code   inbox.Code
	}{
		"fail/wrong secret": {"another-secret-of-it", mine, inbox.CodeUnauthorized},
		"fail/no secret":    {"", mine, inbox.CodeUnauthorized},
		"fail/empty":        {secret, nil, inbox.CodeInvalidInput},
		"fail/too large":    {secret, make([]byte, 4<<20+1), inbox.CodePayloadTooLarge},
		"fail/no from":      {secret, []byte("Subject: x\r\n\r\nHi\r\n"), inbox.CodeInvalidInput},

		"fail/wrong secret, empty":     {"another-secret-of-it", nil, inbox.CodeUnauthorized},
		"fail/wrong secret, too large": {"another-secret-of-it", make([]byte, 4<<20+1), inbox.CodeUnauthorized},
	} {
		if _, err := hand(c.secret, c.raw); code(err) != c.code {
			t.Errorf("%s: %v", name, err)
		}
	}
	w.settings(`{"email":{"inboundSecret":" ` + secret + ` "}}`) // blanks that no header brings
	if out, err := hand(secret, raw(ana, "With blanks?")); err != nil || out.Outcome != inbox.MailCreated {
		t.Errorf("with blanks %+v, %v", out, err)
	}
	var refused error
	for n := range 12 {
		if _, refused = hand(secret, raw("loop@example.com", fmt.Sprint(n))); refused != nil {
			break
		}
	}
	if p, ok := refused.(*inbox.Problem); !ok || p.Code != inbox.CodeTooManyRequests || p.RetryAfter < 1 {
		t.Errorf("refused with %v", refused)
	}
	w.clean()
}

// TestLostInvocation: a raw mail whose delivery nobody told of is found by the
// day's upkeep; who sent it is not proven then.
func TestLostInvocation(t *testing.T) {
	w := receiving(t, open(t, nil))
	w.must(w.blobs.Put(w.ctx, "in/lost-1", []byte(w.rawOf(letter{from: ana, subject: "Lost", text: "Hello?"}))))
	w.must(w.blobs.Put(w.ctx, "in/AMAZON_SES_SETUP_NOTIFICATION", []byte("hello")))
	w.must(w.Daily(w.ctx)) // too young to be lost
	if in, _ := w.store.InMail(w.ctx, "lost-1"); in != nil {
		t.Error("a mail that has just come is taken as lost")
	}
	w.wait(2 * inbox.Hour)
	w.must(w.Daily(w.ctx))
	w.sweep()
	out := w.outcome("lost-1")
	if out.Outcome != inbox.MailCreated || w.record(out.ItemID).CustomerMatch == inbox.MatchStrong {
		t.Errorf("became %+v", out)
	}
	w.must(w.Daily(w.ctx))
	w.wait(31 * inbox.Day)
	w.must(w.Daily(w.ctx))
	left, err := w.blobs.List(context.Background(), "in/", "", 10)
	if err != nil || len(left) != 0 {
		t.Errorf("kept for ever: %v, %v", left, err)
	}
	if _, err := w.blobs.Get(w.ctx, w.lastEntry(out.ItemID).RawKey); err != nil {
		t.Errorf("the item's own copy: %v", err)
	}
}

// TestLinksOfOursAreCut: a link of ours that a customer quotes is kept cut, so
// nobody who reads the inbox can act by it (05 §6.2).
func TestLinksOfOursAreCut(t *testing.T) {
	w := receiving(t, open(t, nil))
	w.with(func(c *work.Config) { c.PublicURL = "https://book.example.com" })
	o := w.asked()
	w.fire(owner, o, "confirm", "")
	w.sweep()
	whole := regexp.MustCompile(`https://book.example.com/c/[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{22}`).FindString(w.last(anaEmail).text)
	if whole == "" {
		t.Fatalf("no link in\n%s", w.last(anaEmail).text)
	}
	secret := whole[len(whole)-22:]
	onItem := w.arrives(letter{from: ana, to: w.replyTo(anaEmail), subject: "Re: " + whole, text: "This does not work: " + whole})
	alone := w.arrives(letter{from: "bob@example.com", subject: "Fwd", text: whole})
	noticed := w.arrives(letter{from: "bob@example.com", subject: "Away", text: whole, headers: []string{"Auto-Submitted: auto-replied"}})
	n, err := w.store.Notice(w.ctx, noticed.NoticeID)
	w.must(err)
	kept := fmt.Sprint(w.thread(onItem.ItemID), w.thread(alone.ItemID), w.record(alone.ItemID).Item.Payload.Message, n, w.last(ownerEmail).text)
	if strings.Contains(kept, secret) {
		t.Error("a link that acts is kept whole")
	}
}

// TestReceiveGivenUp: a mail that cannot be dealt with is told to the owner when it
// is given up, and its raw form stays.
func TestReceiveGivenUp(t *testing.T) {
	w := receiving(t, open(t, nil))
	id := w.deliver(letter{from: "bob@example.com", subject: "Hello", text: "Open?"})
	w.with(func(c *work.Config) { c.Blobs = nil })
	for range 8 {
		if n := len(w.notices()); n != 0 {
			t.Fatalf("%d notices before it is given up", n)
		}
		w.sweep()
		w.wait(6 * inbox.Hour)
	}
	w.sweep()
	if list := w.notices(); len(list) != 1 || list[0].Kind != inbox.NoticeWarning || !strings.Contains(list[0].Text, "in/"+id) {
		t.Errorf("%+v", list)
	}
	if n := w.log.metric(work.MetricJobsFailed); n != 1 {
		t.Errorf("%d jobs failed", n)
	}
}

package work_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/work"
)

// robot answers every mail it gets at once, in the manner of one kind of mailbox.
type robot struct {
	name   string
	answer func(got sent, n int) letter
}

// robots are autoresponders, from the well-behaved to the plain rude.
var robots = []robot{
	{"by the standard", func(got sent, _ int) letter {
		return letter{from: anaEmail, subject: "Out of office: " + got.subject(), text: "I am away.", headers: []string{"Auto-Submitted: auto-replied"}}
	}},
	{"words alone", func(sent, int) letter {
		return letter{from: anaEmail, subject: "Automatic reply: your mail", text: "I am out of the office until Monday."}
	}},
	{"away, in its own words", func(got sent, _ int) letter {
		return letter{from: anaEmail, subject: "Re: " + got.subject(), text: "Estou de férias até dia 20."}
	}},
	{"echo", func(got sent, _ int) letter {
		return letter{from: anaEmail, subject: "Re: " + got.subject(), text: "Thank you for your message, we got it: " + got.text}
	}},
	{"echo that forgets the thread", func(got sent, n int) letter {
		return letter{from: anaEmail, subject: "Ticket", text: fmt.Sprintf("Your ticket %d was opened.", n), to: "hello@" + inDomain}
	}},
}

// deliverAnswers has the robot answer the mails to the customer that it has not
// answered yet, and works off what comes of it.
func (w *mailWorld) deliverAnswers(r robot, answered *int) {
	w.t.Helper()
	mails := slices.DeleteFunc(w.post.all(), func(s sent) bool { return s.To != anaEmail })
	for ; *answered < len(mails); *answered++ {
		got := mails[*answered]
		l := r.answer(got, *answered)
		if l.to == "" {
			l.to = got.header.Get("Reply-To")
			l.headers = append(l.headers, "In-Reply-To: "+got.header.Get("In-Reply-To"))
		}
		w.deliver(l)
		w.sweep()
	}
}

// automate has the owner's assistant answer every message that waits, at once.
func (w *mailWorld) automate(replied map[string]bool) {
	w.t.Helper()
	items, err := w.store.ItemsOfSet(w.ctx, w.parties())
	w.must(err)
	for _, r := range items {
		for _, e := range w.thread(r.Item.ID) {
			if e.Direction == inbox.DirectionIn && e.Channel == inbox.ChannelEmail && !replied[e.ID] {
				replied[e.ID] = true
				w.reply(assistant, opened{r.Item.ID, agent}, inbox.ReplyRequest{Body: "Thank you, we will look into it."})
				w.sweep()
			}
		}
	}
}

// parties are the customers with Ana's address.
func (w *mailWorld) parties() []string {
	w.t.Helper()
	contacts, err := w.store.ContactsOf(w.ctx, inbox.ContactEmail, anaEmail)
	w.must(err)
	var ids []string
	for _, c := range contacts {
		ids = append(ids, c.PartyID)
	}
	return ids
}

// TestAutoresponder: a booking's whole life against a mailbox that answers
// everything at once, while automation of ours answers everything at once too: we
// send what the booking's events caused and at most one automatic answer in 24
// hours (05 §5.12).
func TestAutoresponder(t *testing.T) {
	for _, r := range robots {
		t.Run(r.name, func(t *testing.T) {
			w := receiving(t, open(t, nil))
			answered, replied := 0, map[string]bool{}
			begin := w.now()
			step := func(do func()) {
				do()
				w.sweep()
				for range 20 { // they answer each other as long as they like
					before := len(w.post.all())
					w.deliverAnswers(r, &answered)
					w.automate(replied)
					if len(w.post.all()) == before {
						break
					}
				}
				w.wait(10 * inbox.Minute)
				w.sweep()
			}
			o := w.asked()
			step(func() { w.wait(2 * inbox.Minute) })
			step(func() { w.fire(owner, o, "request_info", "How many of you?") })
			step(func() { w.says(o, "Two") })
			if w.record(o.id).Item.State == inbox.StateNeedsInfo {
				t.Fatal("the booking waits")
			}
			step(func() { w.fire(owner, o, "confirm", "") })
			step(func() { w.reply(owner, o, inbox.ReplyRequest{Body: "See you soon."}) })
			step(func() { w.wait(30 * inbox.Hour) })
			step(func() { w.fire(owner, o, "cancel_by_business", "") })
			step(func() { w.wait(12 * inbox.Hour) })

			caused := map[string]int{"ack.booking": 1, "needs_info": 1, "booking.confirmed": 1, "reply": 1, "cancelled.by_us": 1}
			days := int((w.now()-begin)/inbox.Instant(inbox.Day)) + 1
			automatic := 0
			for _, m := range w.post.all() {
				if m.To != anaEmail {
					continue
				}
				if caused[m.Template] > 0 && !strings.Contains(m.text, "sent automatically") {
					caused[m.Template]--
					continue
				}
				automatic++
				if m.header.Get("Auto-Submitted") == "" {
					t.Errorf("an automatic mail does not say so: %s", m.Template)
				}
			}
			if automatic > days {
				t.Errorf("%d automatic answers in %d days: %v", automatic, days, w.to(anaEmail))
			}
			for template, left := range caused {
				if left > 0 && template != "ack.booking" {
					t.Errorf("the customer was never mailed %s: %v", template, w.to(anaEmail))
				}
			}
			w.clean()
		})
	}
}

// TestTwoInboxes: two inboxes with automation that answers everything, each
// other's customer: after one exchange it is quiet (05 §9.10).
func TestTwoInboxes(t *testing.T) {
	a, b := receiving(t, open(t, nil)), receiving(t, open(t, nil))
	// b is another business, whose address a's customer has, and the other way
	// round; their marks are not each other's.
	pass := func(from, to *mailWorld, sender string, seen *int) int {
		mails := from.post.all()
		n := 0
		for ; *seen < len(mails); *seen++ {
			m := mails[*seen]
			if m.To == ownerEmail {
				continue
			}
			n++
			raw := strings.Replace(string(m.Raw), "X-Inbox-Mail: ", "X-Other-Mail: ", 1)
			raw = strings.Replace(raw, "From: ", "X-From: ", 1)
			raw = "From: " + sender + "\r\nMessage-ID: <" + fmt.Sprint(sender, *seen) + ">\r\n" + raw
			to.deliver(letter{raw: raw, from: sender})
			to.sweep()
		}
		return n
	}
	var aSeen, bSeen int
	first := a.arrives(letter{from: "shop@b.example", subject: "Hello", text: "Do you deliver?"})
	a.reply(assistant, opened{first.ItemID, agent}, inbox.ReplyRequest{Body: "Yes we do."})
	a.sweep()
	rounds := 0
	for range 10 {
		if pass(a, b, "studio@a.example", &aSeen)+pass(b, a, "shop@b.example", &bSeen) == 0 {
			break
		}
		rounds++
	}
	if rounds != 1 {
		t.Errorf("they wrote for %d rounds", rounds)
	}
	if n := len(b.notices()); n != 1 {
		t.Errorf("the other keeps %d notices", n)
	}
}

// TestOwnAddress: an autoresponder at our own address gets and causes nothing.
func TestOwnAddress(t *testing.T) {
	w := receiving(t, open(t, nil))
	o := w.asked(email("someone@" + inDomain))
	w.fire(owner, o, "confirm", "")
	w.sweep()
	if m := w.mailed(o.id, "booking.confirmed"); m.Status != inbox.MailSkipped || m.SkipReason != inbox.SkipOwnAddress {
		t.Errorf("mail %s %s", m.Status, m.SkipReason)
	}
	// Our own mail coming back by whatever way is a loop, counted once an hour.
	p := w.asked()
	w.fire(owner, p, "confirm", "")
	w.sweep()
	back := string(w.last(anaEmail).Raw)
	w.quiet()
	for i := range 5 {
		raw := strings.Replace(back, "From: ", "X-Old-From: ", 1)
		raw = fmt.Sprintf("From: %s\r\nMessage-ID: <loop-%d@x>\r\n%s", anaEmail, i, raw)
		if out := w.arrives(letter{raw: raw, from: anaEmail}); out.Outcome != inbox.MailNoticed {
			t.Errorf("became %+v", out)
		}
	}
	n := w.notices()
	if len(n) != 1 || n[0].Kind != inbox.NoticeLoop || n[0].Count != 5 || len(w.to(anaEmail)) != 0 {
		t.Errorf("notices %+v, sent %v", n, w.to(anaEmail))
	}
	w.clean()
}

// TestUserIsNoLoop: the owner's address is a person's, also when mail is sent
// from it.
func TestUserIsNoLoop(t *testing.T) {
	w := receiving(t, open(t, nil)).withOwner("hello@" + domain)
	if out := w.arrives(letter{from: "hello@" + domain, subject: "Test", text: "Does it work?"}); out.Outcome != inbox.MailCreated {
		t.Errorf("became %+v", out)
	}
}

func (w *mailWorld) withOwner(address string) *mailWorld {
	w.with(func(c *work.Config) { c.OwnerEmail = address })
	return w
}

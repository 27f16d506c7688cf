package work_test

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"typedinbox/shared/canon"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
	"typedinbox/shared/table"
	"typedinbox/shared/work"
)

// TestAcknowledgement: due after 90 s, judged then on what is committed
// (05 §3.1, 09).
func TestAcknowledgement(t *testing.T) {
	cases := map[string]struct {
		do   func(w *world, o opened)
		want int // acknowledgements sent
	}{
		"ok/nothing happened":          {func(*world, opened) {}, 1},
		"ok/an internal note":          {func(w *world, o opened) { w.reply(owner, o, inbox.ReplyRequest{Body: "VIP", Internal: true}) }, 1},
		"ok/the customer wrote on":     {func(w *world, o opened) { w.says(o, "And a frame, please") }, 1},
		"ok/confirmed and told":        {func(w *world, o opened) { w.fire(owner, o, "confirm", ""); w.sweep() }, 0},
		"ok/confirmed, not yet told":   {func(w *world, o opened) { w.fire(owner, o, "confirm", "") }, 0},
		"ok/declined":                  {func(w *world, o opened) { w.fire(owner, o, "decline", "") }, 0},
		"ok/asked a question":          {func(w *world, o opened) { w.fire(owner, o, "request_info", "How many?") }, 0},
		"ok/question and answer":       {func(w *world, o opened) { w.fire(owner, o, "request_info", "How many?"); w.says(o, "Two") }, 0},
		"ok/a reply":                   {func(w *world, o opened) { w.reply(owner, o, inbox.ReplyRequest{Body: "One moment"}) }, 0},
		"ok/the customer cancelled it": {func(w *world, o opened) { w.cancels(o, "") }, 0},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := embed(t, nil)
			o := w.asked()
			w.sweep()
			w.wait(90*inbox.Second - 1)
			w.sweep()
			if n := count(w.to(anaEmail), "ack.booking"); n != 0 {
				t.Fatal("acknowledged before its time")
			}
			c.do(w, o)
			w.wait(1)
			w.sweep()
			w.wait(inbox.Hour)
			w.sweep()
			if n := count(w.to(anaEmail), "ack.booking"); n != c.want {
				t.Errorf("%d acknowledgements, want %d", n, c.want)
			}
			rows := 0
			for _, m := range w.mails(o.id) {
				if m.Template == "ack.booking" {
					rows++
				}
			}
			if rows != c.want {
				t.Errorf("%d rows of it in the log", rows)
			}
			if len(w.jobs(o.id)) != 0 {
				t.Errorf("jobs are left: %+v", w.jobs(o.id))
			}
		})
	}
}

// TestNobodyToAcknowledge: what the business wrote down is not acknowledged.
func TestNobodyToAcknowledge(t *testing.T) {
	w := embed(t, nil)
	start := (w.now()/inbox.Hour + 72) * inbox.Hour
	req := inbox.CreateBookingRequest{
		Payload: inbox.Booking{ReservationFor: inbox.ReservationFor{ServiceID: serviceID, Name: "Portrait"}, StartTime: start, EndTime: start.Add(inbox.Hour)},
		Contact: &inbox.Contact{Name: "Ana", Email: anaEmail},
	}
	_, err := w.desk.CreateBooking(w.ctx, inbox.Call{Caller: owner}, req)
	w.must(err)
	w.wait(inbox.Hour)
	w.sweep()
	if n := len(w.post.all()); n != 0 {
		t.Errorf("%d mails", n)
	}
}

// raced is a table on which something happens just before the first write that
// keeps a mail whose effect begins like this.
type raced struct {
	table.Database
	once   sync.Once
	prefix string
	happen func()
}

func (r *raced) Transact(ctx context.Context, token string, actions []table.Action) error {
	for _, a := range actions {
		if strings.HasPrefix(a.At().Sort, r.prefix) && r.happen != nil {
			r.once.Do(r.happen)
		}
	}
	return r.Database.Transact(ctx, token, actions)
}

// TestAckRace: a yes that is committed after the acknowledgement was judged and
// before it is kept wins; words that tell the customer nothing do not.
func TestAckRace(t *testing.T) {
	cases := map[string]struct {
		happen func(w *world, o opened)
		want   int
	}{
		"ok/confirmed meanwhile":           {func(w *world, o opened) { w.fire(owner, o, "confirm", "") }, 0},
		"ok/replied meanwhile":             {func(w *world, o opened) { w.reply(owner, o, inbox.ReplyRequest{Body: "Hello"}) }, 0},
		"ok/note meanwhile":                {func(w *world, o opened) { w.reply(owner, o, inbox.ReplyRequest{Body: "VIP", Internal: true}) }, 1},
		"ok/the customer writes meanwhile": {func(w *world, o opened) { w.says(o, "And a frame") }, 1},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := &raced{Database: open(t, nil), prefix: "m#ack:"}
			w := newWorld(t, r)
			o := w.asked()
			w.sweep()
			r.happen = func() { c.happen(w, o) }
			w.wait(90 * inbox.Second)
			w.sweep()
			if n := count(w.to(anaEmail), "ack.booking"); n != c.want {
				t.Errorf("%d acknowledgements, want %d", n, c.want)
			}
			if len(w.jobs(o.id)) != 0 {
				t.Errorf("jobs are left: %+v", w.jobs(o.id))
			}
		})
	}
}

// TestAckLimit: three acknowledgements to one address in 24 h, across items and
// however the address is written (05 §3.7).
func TestAckLimit(t *testing.T) {
	w := embed(t, nil)
	acknowledged := func(address string) inbox.Mail {
		o := w.asked(email(address))
		w.wait(90 * inbox.Second)
		w.sweep()
		return w.mailed(o.id, "ack.booking")
	}
	for i, address := range []string{"ana@example.com", "Ana@Example.com", "ANA@EXAMPLE.COM"} {
		if m := acknowledged(address); m.Status != inbox.MailSent {
			t.Fatalf("acknowledgement %d is %s %s", i+1, m.Status, m.SkipReason)
		}
	}
	for range 2 {
		if m := acknowledged(anaEmail); m.Status != inbox.MailSkipped || m.SkipReason != inbox.SkipAckLimit || m.Body == "" {
			t.Errorf("the fourth is %s %s", m.Status, m.SkipReason)
		}
	}
	if m := acknowledged("bob@example.com"); m.Status != inbox.MailSent {
		t.Errorf("another address: %s %s", m.Status, m.SkipReason)
	}
	w.wait(inbox.Day)
	if m := acknowledged(anaEmail); m.Status != inbox.MailSent {
		t.Errorf("a day later: %s %s", m.Status, m.SkipReason)
	}
	// What is not sent anyway is not counted.
	w.with(func(c *work.Config) { c.Sender = nil })
	for i := range 5 {
		if m := acknowledged(fmt.Sprintf("c%d@example.com", i/4)); m.SkipReason != inbox.SkipNoService {
			t.Errorf("without a service: %s", m.SkipReason)
		}
	}
	w.with(func(c *work.Config) { c.Sender = w.post })
	if m := acknowledged("c0@example.com"); m.Status != inbox.MailSent {
		t.Errorf("after them: %s %s", m.Status, m.SkipReason)
	}
}

// TestNoSecret: an inbox without a secret keeps nothing that stands for an
// address, so it counts none, and sends.
func TestNoSecret(t *testing.T) {
	w := embed(t, nil)
	bare := store.New(w.db, canon.Ring{}, store.WithSource(source(9)), store.WithSleep(noSleep))
	w.with(func(c *work.Config) { c.Store, c.Ring = bare, canon.Ring{} })
	for range 4 {
		o := w.asked()
		w.wait(90 * inbox.Second)
		w.sweep()
		if m := w.mailed(o.id, "ack.booking"); m.Status != inbox.MailSent {
			t.Errorf("%s %s", m.Status, m.SkipReason)
		}
	}
	if mark := w.last(anaEmail).header.Get("X-Inbox-Mail"); mark != "" {
		t.Errorf("marked %q", mark)
	}
}

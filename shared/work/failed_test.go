package work_test

import (
	"context"
	"sync"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/mail"
	"typedinbox/shared/table"
	"typedinbox/shared/work"
)

// giving is a table on which something happens just before each of the first
// writes that give a mail up.
type giving struct {
	table.Database
	mu     sync.Mutex
	times  int
	happen func()
}

func (g *giving) Transact(ctx context.Context, token string, actions []table.Action) error {
	if gives(actions) && g.take() {
		g.happen()
	}
	return g.Database.Transact(ctx, token, actions)
}

func (g *giving) take() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.times--
	return g.times >= 0
}

// gives says whether a write gives up a mail together with its item.
func gives(actions []table.Action) bool {
	mail, item := false, false
	for _, a := range actions {
		mail = mail || a.Row.String("st") == string(inbox.MailFailed)
		item = item || a.At().Sort == "i"
	}
	return mail && item
}

// TestFailedWhileMoved: an item that moves while its mail is given up is tried
// once more, then the mail's row alone is written (05 §4.10).
func TestFailedWhileMoved(t *testing.T) {
	cases := map[string]struct {
		times   int
		flagged bool
	}{"ok/moved once": {1, true}, "ok/moved twice": {2, false}}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			g := &giving{Database: open(t, nil)}
			w := newWorld(t, g)
			o := w.asked()
			w.sweep()
			w.fire(owner, o, "confirm", "")
			w.post.fails(refusedBy(mail.Final))
			g.times, g.happen = c.times, func() { w.reply(owner, o, inbox.ReplyRequest{Body: "VIP", Internal: true}) }
			w.sweep()
			m, r := w.mailed(o.id, "booking.confirmed"), w.record(o.id)
			if m.Status != inbox.MailFailed || r.MailFailed != c.flagged || r.Item.Flags.NeedsHuman != c.flagged {
				t.Errorf("mail %s, item failed %v, needs a person %v", m.Status, r.MailFailed, r.Item.Flags.NeedsHuman)
			}
			if w.log.metric(work.MetricMailsFailed) != 1 {
				t.Error("not counted")
			}
			w.clean()
		})
	}
}

// TestFailedButSent: a mail that another run sent meanwhile is not given up.
func TestFailedButSent(t *testing.T) {
	g := &giving{Database: open(t, nil)}
	w := newWorld(t, g)
	o := w.asked()
	w.sweep()
	w.fire(owner, o, "confirm", "")
	w.post.fails(refusedBy(mail.Final))
	g.times, g.happen = 1, func() {
		m := w.mailed(o.id, "booking.confirmed")
		m.Status, m.ProviderID, m.SentAt = inbox.MailSent, "0100-other", inbox.Ptr(w.now())
		w.must(w.store.MailDone(w.ctx, &m))
	}
	w.sweep()
	if m, r := w.mailed(o.id, "booking.confirmed"), w.record(o.id); m.Status != inbox.MailSent || r.MailFailed || r.Item.Flags.NeedsHuman {
		t.Errorf("mail %s, item failed %v, needs a person %v", m.Status, r.MailFailed, r.Item.Flags.NeedsHuman)
	}
	if n := w.log.metric(work.MetricMailsFailed); n != 0 {
		t.Errorf("%d counted as failed", n)
	}
	w.clean()
}

package work_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"typedinbox/shared/blob/dir"
	"typedinbox/shared/inbox"
	"typedinbox/shared/table/embedded"
	"typedinbox/shared/work"
)

// TestReceiveCrash kills the process at each of its calls, before and after, while
// it deals with a mail, and lets another go on: the mail is kept once, as what it
// is, and nobody hears of it twice.
func TestReceiveCrash(t *testing.T) {
	null := ""
	flows := map[string]struct {
		letter func(w *mailWorld) letter
		want   string
		told   map[string]int // to the owner, afterwards
	}{
		"a new message": {func(*mailWorld) letter { return letter{from: "bob@example.com", subject: "Hello", text: "Open?"} },
			inbox.MailCreated, map[string]int{"owner.create": 1}},
		"details": {func(w *mailWorld) letter {
			return letter{from: ana, to: w.replyTo(anaEmail), subject: "Re: x", text: "Two"}
		},
			inbox.MailReplied, map[string]int{"owner.provide_info": 1}},
		"out of office": {func(w *mailWorld) letter {
			return letter{from: ana, to: w.replyTo(anaEmail), subject: "Re: x", text: "Away", headers: []string{"Auto-Submitted: auto-replied"}}
		}, inbox.MailNoted, nil},
		"a notice": {func(*mailWorld) letter {
			return letter{from: "bob@example.com", subject: "Away", text: "Away", headers: []string{"Auto-Submitted: auto-replied"}}
		}, inbox.MailNoticed, map[string]int{"owner.notice": 1}},
		"a bounce": {func(w *mailWorld) letter {
			return letter{raw: bounceOf("X-Inbox-Mail: "+w.last(anaEmail).header.Get("X-Inbox-Mail"), anaEmail, "5.1.1"), from: "x@mx.example.com", envelope: &null}
		}, inbox.MailNoted, map[string]int{"owner.mail_failed": 1}},
	}
	for name, flow := range flows {
		for _, after := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/after %v", name, after), func(t *testing.T) {
				deaths := 0
				for n := 0; receiveCrash(t, n, after, flow.letter, flow.want, flow.told); n++ {
					deaths++
				}
				if deaths < 8 {
					t.Errorf("the process died %d times alone: the flow is not under test", deaths)
				}
			})
		}
	}
}

// receiveCrash deals with a mail and dies at call n; false when it ended before.
func receiveCrash(t *testing.T, n int, after bool, write func(*mailWorld) letter, want string, told map[string]int) bool {
	t.Helper()
	base, m := die(t)
	blobs, err := dir.Open(dir.Options{Root: t.TempDir(), Now: func() time.Time { return base.now().Time() }})
	base.must(err)
	base.desk.Config.Blobs = blobs
	base.with(func(c *work.Config) { c.Blobs, c.InboundDomain = blobs, inDomain })
	w := &mailWorld{world: base, blobs: blobs}
	o := w.questioned()
	l := write(w)
	w.quiet()
	id := w.deliver(l)
	m.left, m.after = n, after
	_, err = w.Sweep(w.ctx)
	if !m.died() {
		w.must(err)
		return false
	}
	m.revive()
	w.again()
	for range 4 {
		w.wait(2 * lease)
		w.sweep()
	}
	out := w.outcome(id)
	if out.Outcome != want {
		t.Errorf("call %d: became %+v, want %s", n, out, want)
	}
	if out.ItemID == "" && out.NoticeID == "" {
		t.Errorf("call %d: became nothing: %+v", n, out)
	}
	kept := 0
	for _, item := range []string{o.id, out.ItemID} {
		if item == "" || item == o.id && kept > 0 {
			continue
		}
		for _, e := range w.thread(item) {
			if e.MessageKey != "" {
				kept++
			}
		}
	}
	if want == inbox.MailNoticed {
		kept = len(w.notices())
	}
	if kept != 1 {
		t.Errorf("call %d: kept %d times", n, kept)
	}
	for template, most := range told {
		if got := count(w.to(ownerEmail), template); got < 1 || got > most+1 {
			t.Errorf("call %d: the owner heard %s %d times", n, template, got)
		}
	}
	if len(w.to(anaEmail)) != 0 {
		t.Errorf("call %d: the customer heard %v", n, w.to(anaEmail))
	}
	w.clean()
	return true
}

// TestReceiveFaults: the same with a table that clashes, throttles, loses answers
// and leaves keys unread.
func TestReceiveFaults(t *testing.T) {
	for name, f := range map[string]*embedded.Faults{
		"conflict":    embedded.NewFaults(5).Rate(embedded.Conflict, .2),
		"lost answer": embedded.NewFaults(6).Rate(embedded.LoseAnswer, .2),
		"throttle":    embedded.NewFaults(7).Rate(embedded.ThrottleAction, .1),
		"unprocessed": embedded.NewFaults(8).Rate(embedded.LeaveUnprocessed, .3),
	} {
		t.Run(name, func(t *testing.T) {
			w := receiving(t, open(t, f))
			var ids []string
			for i := range 20 {
				ids = append(ids, w.deliver(letter{from: fmt.Sprintf("c%d@example.com", i), subject: "Hello", text: fmt.Sprint("Mail ", i)}))
			}
			for range 10 {
				_, _ = w.Sweep(w.ctx) // what failed comes again
				w.wait(5 * inbox.Minute)
			}
			f.Off()
			w.sweep()
			items := map[string]bool{}
			for _, id := range ids {
				out := w.outcome(id)
				if out.Outcome != inbox.MailCreated || items[out.ItemID] {
					t.Errorf("became %+v", out)
				}
				items[out.ItemID] = true
			}
			w.clean()
		})
	}
}

// TestReceiveOnce: whoever deals with a delivery, and however many at once, one
// item comes of it.
func TestReceiveOnce(t *testing.T) {
	w := receiving(t, open(t, nil))
	same := letter{from: ana, subject: "Hello", text: "Open?", id: "same@example.com"}
	ids := []string{w.deliver(same), w.deliver(same), w.deliver(same)}
	begin := make(chan struct{})
	var wg sync.WaitGroup
	for range 4 {
		for _, id := range ids {
			jobs, err := w.store.Jobs(w.ctx, inbox.ReceivedItem+id)
			w.must(err)
			wg.Go(func() {
				<-begin
				_ = w.RunJob(w.ctx, jobs[0].ItemID, jobs[0].ID) // who lost comes again
			})
		}
	}
	close(begin)
	wg.Wait()
	for range 3 {
		w.wait(2 * lease)
		w.sweep()
	}
	outcomes := map[string]int{}
	item := ""
	for _, id := range ids {
		out := w.outcome(id)
		outcomes[out.Outcome]++
		if item != "" && out.ItemID != item {
			t.Errorf("two items: %s and %s", item, out.ItemID)
		}
		item = out.ItemID
	}
	if outcomes[inbox.MailCreated] != 1 || outcomes[inbox.MailDuplicate] != 2 || len(w.thread(item)) != 1 {
		t.Errorf("became %v, %d entries", outcomes, len(w.thread(item)))
	}
	w.clean()
}

// TestThousandDeaths: a thousand times the process ends between a commit and the
// sending of what it owes, at one call or another: a thousand mails go out, none
// is lost, and a second copy exists only of one that the service took and whose
// mark was lost.
func TestThousandDeaths(t *testing.T) {
	if testing.Short() {
		t.Skip("not with -short")
	}
	const deaths = 1000
	w, m := die(t)
	double := map[string]bool{}
	want := map[string]bool{}
	for i := range deaths {
		o := w.wrote("Are you open?")
		w.reply(owner, o, inbox.ReplyRequest{Body: fmt.Sprintf("Answer number %d.", i)})
		want[fmt.Sprintf("Answer number %d.", i)] = true
		jobs := w.jobs(o.id)
		job := jobs[len(jobs)-1]
		m.left, m.after = i%40, i/40%2 == 1
		if i%5 == 0 {
			m.left = 0 // right after the commit
		}
		before := len(w.post.all())
		_ = w.RunJob(w.ctx, o.id, job.ID)
		m.revive()
		w.again()
		if sent := w.post.all(); len(sent) > before {
			for _, l := range w.mails(o.id) {
				if l.Template == "reply" && l.Status != inbox.MailSent {
					double[l.ID] = true
				}
			}
		}
	}
	for range 3 {
		w.wait(2 * lease)
		w.sweep()
	}
	copies := map[string]int{}
	for _, s := range w.post.all() {
		if s.Template != "reply" {
			continue
		}
		copies[s.MailID]++
		for text := range want {
			if len(s.text) > 0 && firstLine(s.text) == text {
				delete(want, text)
			}
		}
	}
	if len(copies) != deaths || len(want) > 0 {
		t.Errorf("%d mails of %d went out, %d lost", len(copies), deaths, len(want))
	}
	for id, n := range copies {
		if n > 1 && !double[id] || n > 2 {
			t.Errorf("%d copies of %s", n, id)
		}
	}
	if len(double) == 0 || len(double) > deaths/4 {
		t.Errorf("%d deaths fell into the window", len(double))
	}
}

func firstLine(s string) string {
	for i := range len(s) {
		if s[i] == '\n' {
			return s[:i]
		}
	}
	return s
}

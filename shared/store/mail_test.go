package store_test

import (
	"fmt"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

// taken is an item's first job, leased.
func (w *world) taken(at inbox.Instant) (*inbox.Record, *inbox.Job) {
	w.t.Helper()
	rec := w.created(at)
	job := must(w.Jobs(w.ctx, rec.Item.ID))(w.t)[0]
	j := must(w.TakeJob(w.ctx, rec.Item.ID, job.ID, at, at.Add(inbox.Minute)))(w.t)
	if j == nil {
		w.t.Fatal("no job to take")
	}
	return rec, j
}

func (w *world) mail(rec *inbox.Record, key string, at inbox.Instant) inbox.Mail {
	return inbox.Mail{ID: w.ids.ID(at), JobKey: key, ItemID: rec.Item.ID, Recipient: "owner", Template: "booking.requested",
		Lang: "en", Subject: "New booking", Body: "Ana asks for a haircut.", Status: inbox.MailQueued, CreatedAt: at, UpdatedAt: at}
}

// TestComposeOnce: a mail is composed once for its effect, and the effect is
// marked in the same write.
func TestComposeOnce(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		rec, j := w.taken(now)
		key := j.Effects[0].ID
		anchor := &store.Anchor{MessageID: "<a.1@x>", CreatedAt: now}
		m, err := w.ComposeMail(w.ctx, j, w.mail(rec, key, now), anchor)
		if err != nil || m.Version != 1 || !j.Effects[0].Done {
			t.Fatal(m, err)
		}
		stored := must(w.Job(w.ctx, rec.Item.ID, j.ID))(t)
		if stored == nil || !stored.Effects[0].Done || stored.Version != j.Version {
			t.Errorf("job %+v", stored)
		}
		// Another run after the lease ended, of the same effect.
		j.Effects[0].Done = false
		again := w.mail(rec, key, now.Add(1))
		got, err := w.ComposeMail(w.ctx, j, again, &store.Anchor{MessageID: "<a.2@x>", CreatedAt: now})
		if err != nil || got.ID != m.ID || !j.Effects[0].Done {
			t.Errorf("second composition: %+v, %v", got, err)
		}
		if a := must(w.Anchor(w.ctx, rec.Item.ID))(t); a == nil || a.MessageID != "<a.1@x>" {
			t.Errorf("anchor %+v", a)
		}
		if mails := must(w.Mails(w.ctx, rec.Item.ID))(t); len(mails) != 1 {
			t.Errorf("%d mails", len(mails))
		}
		// A run that lost its lease composes nothing.
		lost := *j
		lost.Version--
		if _, err := w.ComposeMail(w.ctx, &lost, w.mail(rec, key, now), nil); err == nil {
			t.Error("composed without a lease")
		}
	})
}

// TestMailLife: a mail is due, leased, put off, sent, and then nothing sends it.
func TestMailLife(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		rec, j := w.taken(now)
		key := j.Effects[0].ID
		must(w.ComposeMail(w.ctx, j, w.mail(rec, key, now), nil))(t)
		due := func(at inbox.Instant) int { w.settle(); return len(must(w.DueMails(w.ctx, at, 10))(t)) }
		take := func(at inbox.Instant) *inbox.Mail {
			return must(w.TakeSend(w.ctx, rec.Item.ID, key, at, at.Add(inbox.Minute)))(t)
		}
		if due(now) != 1 {
			t.Error("a queued mail is not due")
		}
		m := take(now)
		if m == nil || take(now) != nil || due(now.Add(inbox.Minute-1)) != 0 {
			t.Fatal("the lease does not hold")
		}
		m.Status, m.Attempts, m.NextAt, m.LastError = inbox.MailRetrying, 1, inbox.Ptr(now.Add(2*inbox.Minute)), "timeout"
		if err := w.MailDone(w.ctx, m); err != nil {
			t.Fatal(err)
		}
		if take(now.Add(2*inbox.Minute-1)) != nil || due(now.Add(2*inbox.Minute)) != 1 {
			t.Error("the retry is not at its time")
		}
		late := take(now.Add(2 * inbox.Minute))
		late2 := take(now.Add(3 * inbox.Minute)) // the lease ended
		if late == nil || late2 == nil {
			t.Fatal("the retry cannot be taken")
		}
		failed := *late
		failed.Status = inbox.MailFailed
		if err := w.MailDone(w.ctx, &failed); err == nil {
			t.Error("a failure counts without the lease")
		}
		late.Status, late.ProviderID, late.SentAt = inbox.MailSent, "0102-abc", inbox.Ptr(now)
		if err := w.MailDone(w.ctx, late); err != nil {
			t.Errorf("a mail the service took: %v", err)
		}
		late2.Status = inbox.MailRetrying
		if l, ok := store.AsLost(w.MailDone(w.ctx, late2)); !ok || !l.Version {
			t.Error("a sent mail went back")
		}
		if take(now.Add(inbox.Day)) != nil || due(now.Add(inbox.Day)) != 0 {
			t.Error("a sent mail is sent again")
		}
		ref := must(w.MailByProvider(w.ctx, "0102-abc"))(t)
		if ref == nil || ref.ItemID != rec.Item.ID || ref.JobKey != key || ref.MailID != late.ID {
			t.Errorf("found by the service's id: %+v", ref)
		}
		if got := must(w.Mail(w.ctx, rec.Item.ID, key))(t); got.Status != inbox.MailSent || got.SendingUntil != nil || got.ProviderID != "0102-abc" {
			t.Errorf("stored %+v", got)
		}
	})
}

func TestSkippedMailIsNeverDue(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		rec, j := w.taken(now)
		m := w.mail(rec, j.Effects[0].ID, now)
		m.Status, m.SkipReason = inbox.MailSkipped, inbox.SkipNoAddress
		must(w.ComposeMail(w.ctx, j, m, nil))(t)
		w.settle()
		if due := must(w.DueMails(w.ctx, now.Add(inbox.Day), 10))(t); len(due) != 0 {
			t.Errorf("due: %+v", due)
		}
		if got := must(w.TakeSend(w.ctx, rec.Item.ID, m.JobKey, now.Add(inbox.Day), now.Add(2*inbox.Day)))(t); got != nil {
			t.Error("taken to be sent")
		}
	})
}

// TestMailsInOrder: the log lists mails oldest first, whatever their keys.
func TestMailsInOrder(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		rec := w.created(now)
		job := must(w.Jobs(w.ctx, rec.Item.ID))(t)[0]
		write := w.step(rec, "x", rec.Item.State, now)
		many := job
		many.ID, many.Effects = w.ids.ID(now), nil
		for n := range 4 {
			many.Effects = append(many.Effects, inbox.Effect{ID: fmt.Sprintf("entry:%d:customer", 9-n), Kind: inbox.EffectNotifyCustomer})
		}
		write.Jobs = []inbox.Job{many}
		w.commit(write)
		j := must(w.TakeJob(w.ctx, rec.Item.ID, many.ID, now, now.Add(inbox.Minute)))(t)
		for n, e := range j.Effects {
			must(w.ComposeMail(w.ctx, j, w.mail(rec, e.ID, now.Add(int64(n))), nil))(t)
		}
		mails := must(w.Mails(w.ctx, rec.Item.ID))(t)
		for n, m := range mails {
			if m.CreatedAt != now.Add(int64(n)) {
				t.Errorf("mail %d is of %v", n, m.CreatedAt)
			}
		}
		if len(mails) != 4 {
			t.Errorf("%d mails", len(mails))
		}
	})
}

func TestCountAck(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		count := func(key string, at inbox.Instant) bool {
			return must(w.CountAck(w.ctx, "hash", key, at, inbox.Day, 3))(t)
		}
		for n, want := range []bool{true, true, true, false} {
			if got := count(fmt.Sprint(n), now.Add(int64(n))); got != want {
				t.Errorf("acknowledgement %d: %t", n+1, got)
			}
		}
		if !count("1", now.Add(5)) {
			t.Error("one that was counted is refused when it is tried again")
		}
		if count("4", now.Add(inbox.Day-1)) {
			t.Error("a fourth inside the day")
		}
		if !count("5", now.Add(inbox.Day)) || count("6", now.Add(inbox.Day)) {
			t.Error("the first one's day is over, and only that one's")
		}
		if !must(w.CountAck(w.ctx, "other", "x", now, inbox.Day, 3))(t) {
			t.Error("another address")
		}
	})
}

func TestCountAckRace(t *testing.T) {
	w := newWorld(t, backends["embedded"].open(t))
	allowed := make([]bool, 6)
	atOnce(len(allowed), func(i int) {
		allowed[i] = must(w.CountAck(w.ctx, "hash", fmt.Sprint(i), now, inbox.Day, 3))(t)
	})
	n := 0
	for _, ok := range allowed {
		if ok {
			n++
		}
	}
	if n != 3 {
		t.Errorf("%d allowed", n)
	}
}

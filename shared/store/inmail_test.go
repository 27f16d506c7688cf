package store_test

import (
	"fmt"
	"slices"
	"sync"
	"testing"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

// received writes the rows of mail that comes in.
func (w *world) received() {
	w.t.Helper()
	in := w.arrived("m-1", now)
	n := w.notice(inbox.NoticeLoop, now)
	n.Once, n.Until, n.Message, n.In = "loop:1", now.Add(inbox.Hour), "mail\nx", in
	must(w.KeepNotice(w.ctx, n))(w.t)
	ok(w.t, w.ChangeSuppression(w.ctx, "hash", func(s *inbox.Suppression) *inbox.Suppression { s.Reason = inbox.SuppressHard; return s }))
	must(w.TakeToken(w.ctx, store.Bucket{Class: "email", Burst: 2, PerHour: 10}, now))(w.t)
	must(w.CountSent(w.ctx, "item", "I", "k", now, inbox.Day, 5))(w.t)
	must(w.ChangeSender(w.ctx, func(s *inbox.SenderState) bool { s.DKIM = inbox.DKIMVerified; return true }))(w.t)
}

func ok(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// arrived is a mail that was kept, with its outcome to be.
func (w *world) arrived(id string, at inbox.Instant) *inbox.InMail {
	w.t.Helper()
	in := &inbox.InMail{ID: id, NewItemID: w.ids.ID(at), ReceivedAt: at, From: inbox.Ptr("ana@example.com"), To: []string{"x@in.example.com"}}
	if !must(w.KeepInMail(w.ctx, in, w.ids.ID(at)))(w.t) {
		w.t.Fatalf("%s was kept before", id)
	}
	in.Outcome = &inbox.MailOutcome{Outcome: inbox.MailNoticed}
	return in
}

func (w *world) notice(kind inbox.NoticeKind, at inbox.Instant) store.NewNotice {
	return store.NewNotice{Notice: inbox.Notice{ID: w.ids.ID(at), Kind: kind, At: at, Count: 1, Subject: "Out of office"}}
}

// TestInMail: a delivery is kept once with its job, and dealt with once.
func TestInMail(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		in := w.arrived("m-1", now)
		item := inbox.ReceivedItem + "m-1"
		if kept := must(w.KeepInMail(w.ctx, in, w.ids.ID(now)))(t); kept {
			t.Error("kept twice")
		}
		jobs := must(w.Jobs(w.ctx, item))(t)
		if len(jobs) != 1 || !jobs[0].Ready || jobs[0].Effects[0].Kind != inbox.EffectReceive {
			t.Fatalf("jobs %+v", jobs)
		}
		j := must(w.TakeJob(w.ctx, item, jobs[0].ID, now, now.Add(inbox.Minute)))(t)
		if j == nil {
			t.Fatal("the job cannot be taken")
		}
		read := must(w.InMail(w.ctx, "m-1"))(t)
		if read == nil || read.Outcome != nil || *read.From != "ana@example.com" || read.NewItemID != in.NewItemID {
			t.Fatalf("read %+v", read)
		}
		read.Admitted = true
		ok(t, w.SaveInMail(w.ctx, read))
		if l, is := store.AsLost(w.SaveInMail(w.ctx, in)); !is || !l.Version {
			t.Error("written at a rev that was not read")
		}
		known := must(w.InMailsKnown(w.ctx, []string{"m-1", "m-2"}))(t)
		if !known["m-1"] || known["m-2"] {
			t.Errorf("known %v", known)
		}
		if none := must(w.InMail(w.ctx, "m-2"))(t); none != nil {
			t.Errorf("read %+v", none)
		}
	})
}

// TestMailedEntry: a mail's entry, its message id and the delivery are one write.
func TestMailedEntry(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		rec := w.created(now)
		in := w.arrived("m-1", now)
		in.Outcome = &inbox.MailOutcome{Outcome: inbox.MailReplied, ItemID: rec.Item.ID}
		write := func(rev int, in *inbox.InMail, body string) decide.Write {
			next := *rec
			next.Rev = rev + 1
			id := w.ids.ID(now)
			return decide.Write{
				Items:    []decide.ItemWrite{{Record: next, Expect: rev}},
				Entries:  []inbox.Entry{{ID: id, ItemID: rec.Item.ID, BodyText: "x", MessageID: "1@x", MessageKey: "mail\nana@example.com\n1@x", CreatedAt: now}},
				Received: in, Mailed: decide.Mailed{Body: body, In: in.ID, Outcome: inbox.MailReplied},
			}
		}
		first := write(rec.Rev, in, "b1")
		ok(t, w.patient(func() error { return w.Commit(w.ctx, first) }))
		refs := must(w.Messages(w.ctx, []string{"mail\nana@example.com\n1@x", "mail\nbob@example.com\n1@x"}, now))(t)
		ref := refs["mail\nana@example.com\n1@x"]
		if len(refs) != 1 || ref.ItemID != rec.Item.ID || ref.EntryID != first.Entries[0].ID || ref.Body != "b1" || ref.In != "m-1" || ref.Outcome != inbox.MailReplied {
			t.Errorf("refs %+v", refs)
		}
		if done := must(w.InMail(w.ctx, "m-1"))(t); done.Outcome == nil || done.Outcome.ItemID != rec.Item.ID {
			t.Errorf("delivery %+v", done)
		}
		// The same mail by another delivery.
		other := w.arrived("m-2", now)
		var lost *store.Lost
		for range 50 {
			l, is := store.AsLost(w.Commit(w.ctx, write(rec.Rev+1, other, "b1")))
			if !is {
				t.Fatal("the same mail was kept twice")
			}
			if lost = l; !l.Busy {
				break
			}
		}
		if lost.Message == nil || lost.Message.EntryID != first.Entries[0].ID {
			t.Errorf("lost %+v", lost)
		}
		// After its time it is forgotten, and the id may stand for another.
		later := now.Add(400 * inbox.Day)
		if refs := must(w.Messages(w.ctx, []string{"mail\nana@example.com\n1@x"}, later))(t); len(refs) != 0 {
			t.Errorf("remembered for ever: %+v", refs)
		}
	})
}

// patient does a write again while the database is busy.
func (w *world) patient(do func() error) error {
	var err error
	for range 200 {
		err = do()
		if l, is := store.AsLost(err); !is || !l.Busy || l.Version || l.Message != nil {
			return err
		}
	}
	return err
}

// TestMailRefs: a mail is found by our id, by the service's and by the anchor of
// its thread, the item by its reply address.
func TestMailRefs(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		rec, j := w.taken(now)
		key := j.Effects[0].ID
		m := must(w.ComposeMail(w.ctx, j, w.mail(rec, key, now), &store.Anchor{MessageID: "<a.1@x>", Plus: "t1", CreatedAt: now}))(t)
		sent := must(w.TakeSend(w.ctx, rec.Item.ID, key, now, now.Add(inbox.Minute)))(t)
		sent.Status, sent.ProviderID = inbox.MailSent, "0102-abc"
		ok(t, w.MailDone(w.ctx, sent))
		if ref := must(w.MailByID(w.ctx, m.ID))(t); ref == nil || ref.JobKey != key || ref.ItemID != rec.Item.ID {
			t.Errorf("by our id: %+v", ref)
		}
		for name, c := range map[string]struct {
			ids  []string
			item string
			mail string
		}{
			"ok/anchor":          {[]string{"a.1@x"}, rec.Item.ID, ""},
			"ok/in brackets":     {[]string{"<a.1@x>"}, rec.Item.ID, ""},
			"ok/wire id":         {[]string{"0102-abc@eu-west-1.amazonses.com"}, rec.Item.ID, m.ID},
			"ok/bare":            {[]string{"0102-abc"}, rec.Item.ID, m.ID},
			"ok/another domain":  {[]string{"<0102-abc@relay.example>"}, rec.Item.ID, m.ID},
			"ok/the first known": {[]string{"x@y", "0102-abc@z", "a.1@x"}, rec.Item.ID, m.ID},
			"fail/unknown":       {[]string{"x@y", ""}, "", ""},
			"fail/none":          {nil, "", ""},
		} {
			ref := must(w.ByMessageIDs(w.ctx, c.ids))(t)
			if ref.ItemID != c.item || ref.MailID != c.mail {
				t.Errorf("%s: %+v", name, ref)
			}
		}
		for tokens, want := range map[string]string{"t1": rec.Item.ID, "t2": ""} {
			if got := must(w.ByReplyTokens(w.ctx, []string{"zz", tokens}))(t); got != want {
				t.Errorf("%s leads to %q", tokens, got)
			}
		}
	})
}

// TestReplyTokenMoves: with a new secret the item's next mail makes its new reply
// address lead to it, and the old one still does.
func TestReplyTokenMoves(t *testing.T) {
	w := newWorld(t, backends["embedded"].open(t))
	rec, j := w.taken(now)
	must(w.ComposeMail(w.ctx, j, w.mail(rec, j.Effects[0].ID, now), &store.Anchor{MessageID: "<a.1@x>", Plus: "t1", CreatedAt: now}))(t)
	j.Effects = append(j.Effects, inbox.Effect{ID: "again", Kind: inbox.EffectNotifyCustomer})
	must(w.ComposeMail(w.ctx, j, w.mail(rec, "again", now), &store.Anchor{MessageID: "<a.2@x>", Plus: "t2", CreatedAt: now}))(t)
	for _, token := range []string{"t1", "t2"} {
		if got := must(w.ByReplyTokens(w.ctx, []string{token}))(t); got != rec.Item.ID {
			t.Errorf("%s leads to %q", token, got)
		}
	}
	if a := must(w.Anchor(w.ctx, rec.Item.ID))(t); a.MessageID != "<a.1@x>" || a.Plus != "t2" {
		t.Errorf("anchor %+v", a)
	}
}

// TestNotices: kept once, counted where one stands for several, listed newest
// first over months.
func TestNotices(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		var ids []string
		at := now.Add(-80 * inbox.Day)
		for range 5 {
			n := w.notice(inbox.NoticeAutoReply, at)
			ids = append(ids, must(w.KeepNotice(w.ctx, n))(t))
			at = at.Add(20 * inbox.Day)
		}
		slices.Reverse(ids)
		var got []string
		for before := ""; ; {
			page := must(w.Notices(w.ctx, now, before, 2))(t)
			if len(page) == 0 {
				break
			}
			for _, n := range page {
				got = append(got, n.ID)
			}
			before = page[len(page)-1].ID
		}
		if !slices.Equal(got, ids) {
			t.Errorf("listed %v, want %v", got, ids)
		}
		if old := must(w.Notices(w.ctx, now.Add(30*inbox.Day), "", 10))(t); len(old) != 3 {
			t.Errorf("%d notices after a month", len(old))
		}
		n := must(w.Notice(w.ctx, ids[0]))(t)
		n.SeenAt = inbox.Ptr(now)
		ok(t, w.SaveNotice(w.ctx, n))
		if n := must(w.Notice(w.ctx, ids[0]))(t); n.SeenAt == nil || n.Count != 1 {
			t.Errorf("stored %+v", n)
		}
		for _, id := range []string{"", "x", w.ids.ID(now)} {
			if n := must(w.Notice(w.ctx, id))(t); n != nil {
				t.Errorf("%q is %+v", id, n)
			}
		}
	})
}

// TestNoticeOnce: of several in a period one stands and counts; the day's mail to
// the owner is owed once.
func TestNoticeOnce(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		job := func(at inbox.Instant) *inbox.Job {
			return &inbox.Job{ID: w.ids.ID(at), ItemID: inbox.ReceivedItem + "notices", Effects: []inbox.Effect{{ID: fmt.Sprintf("notice:%d", at)}}, RunAt: at, Version: 1, CreatedAt: at}
		}
		kept := func(once string, at inbox.Instant) string {
			n := w.notice(inbox.NoticeLoop, at)
			n.Once, n.Until, n.Day, n.Job = once, at.Add(inbox.Hour), "owner", job(at)
			return must(w.KeepNotice(w.ctx, n))(t)
		}
		first := kept("loop", now)
		if kept("loop", now.Add(1)) != first || kept("loop", now.Add(inbox.Hour-1)) != first {
			t.Error("each has its own")
		}
		if n := must(w.Notice(w.ctx, first))(t); n.Count != 3 {
			t.Errorf("counted %d", n.Count)
		}
		if kept("loop", now.Add(2*inbox.Hour)) == first || kept("", now.Add(2*inbox.Hour)) == first {
			t.Error("counted past its period")
		}
		if jobs := must(w.Jobs(w.ctx, inbox.ReceivedItem+"notices"))(t); len(jobs) != 1 {
			t.Errorf("%d jobs", len(jobs))
		}
		kept("", now.Add(inbox.Day))
		if jobs := must(w.Jobs(w.ctx, inbox.ReceivedItem+"notices"))(t); len(jobs) != 2 {
			t.Errorf("%d jobs the next day", len(jobs))
		}
	})
}

// TestNoticeOfMail: with its message id and its delivery, once.
func TestNoticeOfMail(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		n := w.notice(inbox.NoticeAutoReply, now)
		n.Message, n.Ref, n.In = "mail\nx", store.EntryRef{In: "m-1", Outcome: inbox.MailNoticed}, w.arrived("m-1", now)
		id := must(w.KeepNotice(w.ctx, n))(t)
		if in := must(w.InMail(w.ctx, "m-1"))(t); in.Outcome == nil || in.Outcome.NoticeID != id {
			t.Errorf("delivery %+v", in)
		}
		if ref := must(w.Messages(w.ctx, []string{"mail\nx"}, now))(t)["mail\nx"]; ref.NoticeID != id || ref.In != "m-1" {
			t.Errorf("ref %+v", ref)
		}
		again := w.notice(inbox.NoticeAutoReply, now)
		again.Message, again.In = "mail\nx", w.arrived("m-2", now)
		_, err := w.KeepNotice(w.ctx, again)
		if l, is := store.AsLost(err); !is || l.Message == nil || l.Message.NoticeID != id {
			t.Errorf("kept twice: %v", err)
		}
	})
}

func TestSuppression(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		soft := func(mail string) {
			ok(t, w.ChangeSuppression(w.ctx, "h1", func(s *inbox.Suppression) *inbox.Suppression {
				s.Soft = append(s.Soft, inbox.SoftBounce{MailID: mail, At: now})
				return s
			}))
		}
		soft("1")
		soft("2")
		if s := must(w.Suppression(w.ctx, "h1"))(t); s == nil || s.Hash != "h1" || len(s.Soft) != 2 {
			t.Errorf("stored %+v", s)
		}
		if list := must(w.Suppressions(w.ctx, 10))(t); len(list) != 0 {
			t.Errorf("counting is listed: %+v", list)
		}
		ok(t, w.ChangeSuppression(w.ctx, "h1", func(s *inbox.Suppression) *inbox.Suppression {
			s.Reason, s.Since = inbox.SuppressSoft, now
			return s
		}))
		if list := must(w.Suppressions(w.ctx, 10))(t); len(list) != 1 || list[0].Reason != inbox.SuppressSoft {
			t.Errorf("listed %+v", list)
		}
		ok(t, w.ChangeSuppression(w.ctx, "h2", func(*inbox.Suppression) *inbox.Suppression { return nil }))
		if s := must(w.Suppression(w.ctx, "h2"))(t); s != nil {
			t.Errorf("left alone, stored %+v", s)
		}
		if !must(w.DropSuppression(w.ctx, "h1"))(t) || must(w.DropSuppression(w.ctx, "h1"))(t) {
			t.Error("forgotten twice, or never")
		}
	})
}

func TestSender(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		if s := must(w.Sender(w.ctx))(t); s.DKIM != "" || s.Rev != 0 {
			t.Errorf("before anything is known: %+v", s)
		}
		must(w.ChangeSender(w.ctx, func(s *inbox.SenderState) bool { s.DKIM = "PENDING"; return true }))(t)
		if must(w.ChangeSender(w.ctx, func(s *inbox.SenderState) bool { return s.DKIM != "PENDING" }))(t) {
			t.Error("written though it stays")
		}
		if s := must(w.Sender(w.ctx))(t); s.DKIM != "PENDING" || s.Rev != 1 {
			t.Errorf("stored %+v", s)
		}
	})
}

// TestTakeToken: a bucket gives its burst at once, then what comes back.
func TestTakeToken(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		b := store.Bucket{Class: "emailSender", Of: "h", Burst: 3, PerHour: 20}
		take := func(at inbox.Instant) int64 { return must(w.TakeToken(w.ctx, b, at))(t) }
		for range 3 {
			if take(now) != 0 {
				t.Fatal("the burst is refused")
			}
		}
		wait := take(now)
		if wait < 3*inbox.Minute || wait > 3*inbox.Minute+10 {
			t.Errorf("a token in %d ms", wait)
		}
		if take(now.Add(wait-2)) == 0 || take(now.Add(wait)) != 0 || take(now.Add(wait)) == 0 {
			t.Error("the wait is not true")
		}
		if other := must(w.TakeToken(w.ctx, store.Bucket{Class: "emailSender", Of: "g", Burst: 3, PerHour: 20}, now))(t); other != 0 {
			t.Error("buckets are shared")
		}
		for range 3 {
			if take(now.Add(inbox.Day)) != 0 {
				t.Error("not full again after a day")
			}
		}
		if take(now.Add(inbox.Day)) == 0 {
			t.Error("fuller than its burst")
		}
	})
}

// TestTakeTokenRace: of many at once as many get a token as there are.
func TestTakeTokenRace(t *testing.T) {
	w := newWorld(t, backends["embedded"].open(t))
	b := store.Bucket{Class: "email", Burst: 4, PerHour: 1}
	begin := make(chan struct{})
	var mu sync.Mutex
	var wg sync.WaitGroup
	got := 0
	for range 8 {
		wg.Go(func() {
			<-begin
			wait, err := w.TakeToken(w.ctx, b, now)
			mu.Lock()
			defer mu.Unlock()
			if err == nil && wait == 0 {
				got++
			}
		})
	}
	close(begin)
	wg.Wait()
	if got < 1 || got > 4 {
		t.Errorf("%d got one of 4", got)
	}
}

func TestCountSent(t *testing.T) {
	onEach(t, func(t *testing.T, w *world) {
		count := func(of, key string, at inbox.Instant) bool {
			return must(w.CountSent(w.ctx, "item", of, key, at, inbox.Day, 2))(t)
		}
		if !count("I", "1", now) || !count("I", "2", now) || count("I", "3", now) || !count("I", "1", now) || !count("J", "1", now) {
			t.Error("not two for each")
		}
		if !count("I", "3", now.Add(inbox.Day)) {
			t.Error("counted past the window")
		}
	})
}

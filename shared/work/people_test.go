package work_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"typedinbox/shared/canon"
	"typedinbox/shared/decide"
	"typedinbox/shared/identity"
	"typedinbox/shared/inbox"
	"typedinbox/shared/mail"
	"typedinbox/shared/store"
	"typedinbox/shared/table/embedded"
)

// people are the backends that the tests of people run on: the embedded table,
// plain and with faults, and the DynamoDB driver.
func people(t *testing.T, f func(t *testing.T, w *world)) {
	for name, open := range map[string]func(*testing.T) *world{
		"embedded": func(t *testing.T) *world { return embed(t, nil) },
		"faults": func(t *testing.T) *world {
			faults := embedded.NewFaults(5).Rate(embedded.Conflict, .05).Rate(embedded.ThrottleAction, .05).
				Rate(embedded.LoseAnswer, .05).Rate(embedded.CutPage, .3).Rate(embedded.LeaveUnprocessed, .1)
			return embed(t, faults)
		},
		"dynamodb": func(t *testing.T) *world { return newWorld(t, kumo(t)) },
	} {
		t.Run(name, func(t *testing.T) { f(t, open(t)) })
	}
}

// verify asks for a code, or brings one; a busy table is asked again.
func (w *world) verify(o opened, code string) (inbox.Answer, error) {
	var a inbox.Answer
	err := w.patient(func() (err error) {
		a, err = w.desk.VerifyCustomer(w.ctx, inbox.Call{Caller: o.caller}, inbox.VerifyRequest{ItemID: o.id, Code: code})
		return err
	})
	return a, err
}

func codeOf(err error) inbox.Code {
	var p *inbox.Problem
	if errors.As(err, &p) {
		return p.Code
	}
	return ""
}

var sixDigits = regexp.MustCompile(`\b[0-9]{6}\b`)

// coded asks for a code and reads it from the mail that comes.
func (w *world) coded(o opened, address string) string {
	w.t.Helper()
	a, err := w.verify(o, "")
	w.must(err)
	if a.Status != 202 || !strings.Contains(string(a.Body), `"sent_to":"a•••@e•••.com"`) {
		w.t.Fatalf("%d %s", a.Status, a.Body)
	}
	w.sweep()
	m := w.last(address)
	if m.Template != "code" {
		w.t.Fatalf("the last mail is %s", m.Template)
	}
	return sixDigits.FindString(m.text)
}

// detail is the item as the owner reads it.
func (w *world) detail(id string) (d inbox.ItemDetail) {
	w.t.Helper()
	a, err := w.desk.GetItem(w.ctx, inbox.Call{Caller: owner}, inbox.ItemRequest{ItemID: id})
	w.must(err)
	w.must(json.Unmarshal(a.Body, &d))
	return d
}

// view is the item as its customer reads it.
func (w *world) view(o opened) (v inbox.CustomerView, err error) {
	w.t.Helper()
	a, err := w.desk.GetItemStatus(w.ctx, inbox.Call{Caller: o.caller}, inbox.ItemStatusQuery{ItemID: o.id})
	if err == nil {
		w.must(json.Unmarshal(a.Body, &v))
	}
	return v, err
}

func (w *world) summary(party string) (s inbox.CustomerSummary) {
	w.t.Helper()
	a, err := w.desk.CustomerSummary(w.ctx, inbox.Call{Caller: owner}, inbox.CustomerRequest{PartyID: party})
	w.must(err)
	w.must(json.Unmarshal(a.Body, &s))
	return s
}

// agentOf is an agent with a key for a party, as the doors resolve it.
func (w *world) agentOf(party string) inbox.Caller {
	w.t.Helper()
	id := identity.New(w.store, w.now)
	secret, key, err := identity.Mint(identity.MintRequest{Kind: inbox.KeyAgent, PartyID: party, Name: "agent", CreatedBy: "test"}, w.now(), w.config.Source)
	w.must(err)
	w.must(w.patient(func() error { return w.store.PutKey(w.ctx, key) }))
	return w.resolved(id, secret)
}

func (w *world) resolved(id *identity.Identity, secret string) (c inbox.Caller) {
	w.t.Helper()
	w.must(w.patient(func() (err error) {
		c, err = id.Resolve(w.ctx, identity.Credentials{Authorization: "Bearer " + secret, Channel: inbox.ChannelREST})
		return err
	}))
	return c
}

// TestRecognised is the whole way from a stranger with a known address to the
// known customer (01 §15).
func TestRecognised(t *testing.T) {
	people(t, func(t *testing.T, w *world) {
		first := w.asked()
		known := w.record(first.id).Item.PartyID
		second := w.wrote("When do you open?")
		w.sweep()
		rec := w.record(second.id)
		if rec.CustomerMatch != inbox.MatchWeak || rec.PossiblePartyID != known || rec.Item.PartyID == known {
			t.Fatalf("%s of %s, possible %s", rec.CustomerMatch, rec.Item.PartyID, rec.PossiblePartyID)
		}
		own := rec.Item.PartyID
		v, err := w.view(second)
		w.must(err)
		if v.Identity.Recognised != inbox.MatchWeak || !v.Identity.Verify.Available || v.Identity.Verify.SentTo != nil || v.Identity.Guide == nil {
			t.Errorf("%+v", v.Identity)
		}
		// The known customer's item stays closed to the stranger's token.
		stolen := opened{first.id, second.caller}
		if _, err := w.view(stolen); codeOf(err) != inbox.CodeNotAllowed {
			t.Errorf("a stranger reads: %v", err)
		}

		digits := w.coded(second, anaEmail)
		row := w.mailed(second.id, "code")
		if strings.Contains(row.Body, digits) || !strings.Contains(row.Body, "••••••") || row.Status != inbox.MailSent || row.Recipient != "customer" {
			t.Errorf("log: %+v", row)
		}
		if m := w.last(anaEmail); m.header.Get("References") != "" || strings.Contains(m.text, w.record(second.id).Reference()) || !strings.Contains(m.subject(), "Studio Lumen") {
			t.Errorf("%v\n%s", m.header, m.text)
		}
		if v, err := w.view(second); err != nil || v.Identity.Verify.SentTo == nil || *v.Identity.Verify.SentTo != "a•••@e•••.com" {
			t.Errorf("%+v %v", v.Identity, err)
		}
		if _, err := w.verify(second, other(digits)); codeOf(err) != inbox.CodeBadCode {
			t.Fatalf("a wrong guess: %v", err)
		}
		updated := w.record(second.id).Item.UpdatedAt
		a, err := w.verify(second, digits)
		w.must(err)
		if a.Status != 200 || !strings.Contains(string(a.Body), `"recognised":"strong"`) {
			t.Errorf("%d %s", a.Status, a.Body)
		}
		now := w.record(second.id)
		if now.Item.PartyID != known || now.CustomerMatch != inbox.MatchStrong || now.Item.UpdatedAt != updated || now.Item.Version != rec.Item.Version {
			t.Errorf("%+v", now)
		}
		if p, err := w.store.Party(w.ctx, own); err != nil || p.MergedInto != known {
			t.Errorf("%+v %v", p, err)
		}
		if d := w.detail(second.id); d.Customer.Match != inbox.MatchStrong || !d.Party.Verified || d.Party.ID != known || d.Customer.History.Items != 1 {
			t.Errorf("%+v %+v", d.Customer, d.Party)
		}
		w.sweep()
		w.wait(2 * inbox.Minute)
		w.sweep()
		contacts, err := w.store.ContactsOf(w.ctx, inbox.ContactEmail, anaEmail)
		if err != nil || len(contacts) != 1 || contacts[0].PartyID != known || contacts[0].VerifiedAt == nil {
			t.Errorf("contacts %+v %v", contacts, err)
		}
		// Whoever comes next with the address may be her, and mails go to her.
		if third := w.record(w.wrote("Again").id); third.PossiblePartyID != known {
			t.Errorf("possible %s", third.PossiblePartyID)
		}
		w.clean()
	})
}

func other(digits string) string {
	if digits[0] == '0' {
		return "1" + digits[1:]
	}
	return "0" + digits[1:]
}

// TestTestsAreNotMailed: the code of a test stands inside (03 §18).
func TestTestsAreNotMailed(t *testing.T) {
	w := embed(t, nil)
	w.asked()
	sandbox.Store(true)
	o := w.wrote("A test")
	sandbox.Store(false)
	a, err := w.verify(o, "")
	w.must(err)
	if !strings.Contains(string(a.Body), `"test":true`) {
		t.Errorf("%s", a.Body)
	}
	w.sweep()
	if slices.Contains(w.to(anaEmail), "code") {
		t.Error("mailed")
	}
	thread, err := w.store.Thread(w.ctx, o.id, 1)
	w.must(err)
	if _, err := w.verify(o, sixDigits.FindString(thread[0].BodyText)); err != nil {
		t.Fatal(err)
	}
	if r := w.record(o.id); r.CustomerMatch != inbox.MatchStrong {
		t.Errorf("%+v", r)
	}
	if v, err := w.view(o); err != nil || len(v.Thread) != 1 {
		t.Errorf("the customer reads the note: %+v %v", v.Thread, err)
	}
	w.sweep()
	w.clean()
}

// TestEverybodyWithTheAddress: whoever gave the proven address as their own is
// one customer; a number that was added by a key ties nobody.
func TestEverybodyWithTheAddress(t *testing.T) {
	people(t, func(t *testing.T, w *world) {
		first := w.asked()
		known := w.record(first.id).Item.PartyID
		var twins []opened
		for n := range 4 {
			twins = append(twins, w.wrote(fmt.Sprint("Message ", n)))
		}
		// A key of another customer adds Ana's address to its own party.
		bea := w.created(func(c inbox.Call) (inbox.Answer, error) {
			return w.desk.SendMessage(w.ctx, c, inbox.SendMessageRequest{Body: "Bea", Contact: &inbox.Contact{Name: "Bea", Email: "bea@example.com"}})
		})
		beas := w.agentOf(w.record(bea.id).Item.PartyID)
		w.must(w.patient(func() error {
			_, err := w.desk.SendMessage(w.ctx, inbox.Call{Caller: beas}, inbox.SendMessageRequest{Body: "for Ana", Contact: &inbox.Contact{Email: anaEmail}})
			return err
		}))
		w.sweep()
		digits := w.coded(twins[3], anaEmail)
		_, err := w.verify(twins[3], digits)
		w.must(err)
		w.sweep()
		w.wait(2 * inbox.Minute)
		w.sweep()
		for _, o := range twins {
			if r := w.record(o.id); r.Item.PartyID != known || r.CustomerMatch != inbox.MatchStrong || r.PossiblePartyID != "" {
				t.Errorf("%s: %s of %s", o.id, r.CustomerMatch, r.Item.PartyID)
			}
			entries, err := w.store.Thread(w.ctx, o.id, 0)
			if err != nil || entries[0].PartyID != known {
				t.Errorf("entry of %s %v", entries[0].PartyID, err)
			}
		}
		// What is Ana's opens to no key of Bea's.
		if _, err := w.view(opened{first.id, beas}); codeOf(err) != inbox.CodeNotAllowed {
			t.Errorf("Bea's key reads Ana's booking: %v", err)
		}
		s := w.summary(twins[0].of(w))
		if s.PartyID != known || s.Items != 5 || s.Name != "Ana" || len(s.Parties) != 5 || s.Entries != 4 || s.Emails < 5 {
			t.Errorf("%+v", s)
		}
		w.clean()
	})
}

// of is the party that an item has now.
func (o opened) of(w *world) string { return w.record(o.id).Item.PartyID }

// TestMergedIsOnePersonAtOnce: before any row has moved, a key of either party
// reads what is either's, and the summary and the history are of both.
func TestMergedIsOnePersonAtOnce(t *testing.T) {
	people(t, func(t *testing.T, w *world) {
		first := w.asked()
		second := w.wrote("Hello")
		third := w.wrote("Again")
		known, own := first.of(w), second.of(w)
		w.sweep()
		before := w.agentOf(own)
		if _, err := w.view(opened{first.id, before}); codeOf(err) != inbox.CodeNotAllowed {
			t.Fatalf("before: %v", err)
		}
		digits := w.coded(third, anaEmail)
		_, err := w.verify(third, digits)
		w.must(err)

		if w.record(second.id).Item.PartyID != own {
			t.Fatal("the rows moved with the merge")
		}
		for name, party := range map[string]string{"known": known, "own": own} {
			c := w.agentOf(party)
			if c.PartyID != known {
				t.Errorf("%s: the key is of %s", name, c.PartyID)
			}
			for _, o := range []opened{first, second, third} {
				if _, err := w.view(opened{o.id, c}); err != nil {
					t.Errorf("%s: %s: %v", name, o.id, err)
				}
				say := inbox.SendMessageRequest{ItemID: o.id, Body: "by " + name}
				w.must(w.patient(func() error { _, err := w.desk.SendMessage(w.ctx, inbox.Call{Caller: c}, say); return err }))
			}
			if s := w.summary(party); s.PartyID != known || s.Items != 3 || len(s.Parties) != 3 {
				t.Errorf("%s: %+v", name, s)
			}
		}
		if h := w.detail(second.id).Customer.History; h.Items != 2 || h.OpenBookings != 1 {
			t.Errorf("%+v", h)
		}
		w.sweep()
		w.wait(2 * inbox.Minute)
		w.sweep()
		if r := w.record(second.id); r.Item.PartyID != known || r.CustomerMatch != inbox.MatchStrong {
			t.Errorf("%+v", r)
		}
		w.clean()
	})
}

// TestMergeWhileCreating: creates by a key of the party that is merged at the
// same time all end with the root.
func TestMergeWhileCreating(t *testing.T) {
	for _, open := range []func(*testing.T) *world{
		func(t *testing.T) *world { return embed(t, nil) },
		func(t *testing.T) *world {
			return embed(t, embedded.NewFaults(9).Rate(embedded.Conflict, .1).IndexLag(2))
		},
	} {
		w := open(t)
		first := w.asked()
		second := w.wrote("Hello")
		c := w.agentOf(second.of(w))
		digits := w.coded(second, anaEmail)
		start := make(chan struct{})
		var wg sync.WaitGroup
		ids := make([]string, 16)
		for n := range ids {
			wg.Go(func() {
				<-start
				w.must(w.patient(func() error {
					a, err := w.desk.SendMessage(w.ctx, inbox.Call{Caller: c}, inbox.SendMessageRequest{Body: fmt.Sprint("n", n)})
					if err == nil {
						var body inbox.Created
						err = json.Unmarshal(a.Body, &body)
						ids[n] = body.View.Item.ID
					}
					return err
				}))
			})
		}
		wg.Go(func() {
			<-start
			_, err := w.verify(second, digits)
			w.must(err)
		})
		close(start)
		wg.Wait()
		w.sweep()
		w.wait(2 * inbox.Minute)
		w.sweep()
		known := first.of(w)
		c = w.agentOf(known)
		for _, id := range ids {
			if _, err := w.view(opened{id, c}); err != nil {
				t.Errorf("%s: %v", id, err)
			}
			if d := w.detail(id); d.Party.ID != known || d.Item.PartyID != known {
				t.Errorf("%s is of %s", id, d.Item.PartyID)
			}
		}
		if s := w.summary(known); s.Items != 18 {
			t.Errorf("%+v", s)
		}
	}
}

// TestTwoStrangersAtOnce: two creates with one new address are two new parties;
// whoever comes later may be either, the older first.
func TestTwoStrangersAtOnce(t *testing.T) {
	people(t, func(t *testing.T, w *world) {
		start := make(chan struct{})
		var wg sync.WaitGroup
		made := make([]opened, 8)
		for n := range made {
			wg.Go(func() { <-start; made[n] = w.wrote("At once") })
		}
		close(start)
		wg.Wait()
		parties := map[string]bool{}
		for _, o := range made {
			r := w.record(o.id)
			parties[r.Item.PartyID] = true
			if r.CustomerMatch == inbox.MatchStrong || (r.CustomerMatch == inbox.MatchWeak) != (r.PossiblePartyID != "") {
				t.Errorf("%+v", r)
			}
		}
		if len(parties) != len(made) {
			t.Errorf("%d parties of %d creates", len(parties), len(made))
		}
		oldest := ""
		for p := range parties {
			if oldest == "" || p < oldest {
				oldest = p
			}
		}
		if later := w.record(w.wrote("Later").id); later.CustomerMatch != inbox.MatchWeak || later.PossiblePartyID != oldest {
			t.Errorf("possible %s, not %s", later.PossiblePartyID, oldest)
		}
	})
}

// TestAsksAtOnce: 64 who ask at once never get more codes than the limits say,
// nor more guesses than a code has.
func TestAsksAtOnce(t *testing.T) {
	people(t, func(t *testing.T, w *world) {
		w.asked()
		o := w.wrote("Hello")
		w.sweep()
		w.quiet()
		all := w.atOnce(64, func() error { _, err := w.verify(o, ""); return err })
		if sent := all[""]; sent != 3 || all[inbox.CodeTooManyAttempts] != 61 {
			t.Errorf("%v", all)
		}
		w.sweep()
		codes := 0
		for _, template := range w.to(anaEmail) {
			if template == "code" {
				codes++
			}
		}
		if codes < 1 || codes > 3 { // a code that another took the place of is not mailed
			t.Errorf("%d mails", codes)
		}
		code, err := w.store.Code(w.ctx, o.id)
		w.must(err)
		all = w.atOnce(64, func() error { _, err := w.verify(o, other(code.Digits)); return err })
		if all[inbox.CodeBadCode] != 5 || all[inbox.CodeTooManyAttempts] != 59 {
			t.Errorf("%v", all)
		}
		if _, err := w.verify(o, code.Digits); codeOf(err) != inbox.CodeTooManyAttempts {
			t.Errorf("the right one after all: %v", err)
		}
		tries, err := w.store.Tries(w.ctx, decide.AddressKey(anaEmail))
		if err != nil || len(tries.Sends) != 3 || len(tries.Guesses) != 5 {
			t.Errorf("%+v %v", tries, err)
		}
	})
}

// TestRightAtOnce: of 32 who bring the right code at once one is recognised.
func TestRightAtOnce(t *testing.T) {
	people(t, func(t *testing.T, w *world) {
		w.asked()
		o := w.wrote("Hello")
		digits := w.coded(o, anaEmail)
		all := w.atOnce(32, func() error { _, err := w.verify(o, digits); return err })
		if all[""] != 1 || all[inbox.CodeBadCode] != 31 {
			t.Errorf("%v", all)
		}
		w.sweep()
		w.clean()
	})
}

// atOnce runs n of them, released together, until each has an answer of its own,
// and counts what they were told.
func (w *world) atOnce(n int, f func() error) map[inbox.Code]int {
	start := make(chan struct{})
	var wg sync.WaitGroup
	var mu sync.Mutex
	told := map[inbox.Code]int{}
	for range n {
		wg.Go(func() {
			<-start
			err := f()
			if err != nil && codeOf(err) == "" {
				w.t.Error(err)
			}
			mu.Lock()
			told[codeOf(err)]++
			mu.Unlock()
		})
	}
	close(start)
	wg.Wait()
	return told
}

// TestCodeMailTrouble: a code's mail that fails raises no flag (05 §4.10), and
// one that comes too late is not sent.
func TestCodeMailTrouble(t *testing.T) {
	w := embed(t, nil)
	w.asked()
	o := w.wrote("Hello")
	w.sweep()
	w.post.before = func(int, mail.Outgoing) error { return &mail.SendError{Class: mail.Final, Cause: errors.New("no")} }
	_, err := w.verify(o, "")
	w.must(err)
	w.sweep()
	if m := w.mailed(o.id, "code"); m.Status != inbox.MailFailed {
		t.Errorf("%+v", m)
	}
	if r := w.record(o.id); r.MailFailed || r.Item.Flags.NeedsHuman {
		t.Errorf("%+v", r)
	}
	w.post.before = func(int, mail.Outgoing) error {
		return &mail.SendError{Class: mail.Retryable, Cause: errors.New("later")}
	}
	_, err = w.verify(o, "")
	w.must(err)
	w.sweep()
	w.post.before = nil
	w.wait(11 * inbox.Minute)
	w.sweep()
	for _, m := range w.mails(o.id) {
		if m.Template == "code" && m.Status != inbox.MailFailed {
			t.Errorf("%+v", m)
		}
	}
	if slices.Contains(w.to(anaEmail), "code") {
		t.Error("sent")
	}
}

// TestChains: customers who were merged one after another are one, however long
// the chain, and pointers are shortened behind them.
func TestChains(t *testing.T) {
	w := embed(t, nil)
	var ids []string
	for n := range 12 {
		ids = append(ids, w.created(func(c inbox.Call) (inbox.Answer, error) {
			return w.desk.SendMessage(w.ctx, c, inbox.SendMessageRequest{Body: "Hello", Contact: &inbox.Contact{Name: "Ana", Email: fmt.Sprintf("ana%d@example.com", n)}})
		}).of(w))
	}
	w.sweep()
	for n := range 11 { // 0 into 1, 1 into 2, …
		from, err := w.store.Party(w.ctx, ids[n])
		w.must(err)
		into, err := w.store.Party(w.ctx, ids[n+1])
		w.must(err)
		write := decide.Absorb(*from, *into, w.now())
		write.Jobs = []inbox.Job{{
			ID: w.config.Source.ID(w.now()), ItemID: w.item(ids[n]), RunAt: w.now(), Ready: true, Version: 1, CreatedAt: w.now(),
			Effects: []inbox.Effect{{ID: "merge:" + from.ID, Kind: inbox.EffectMerge, PartyID: from.ID}},
		}}
		w.must(w.store.Commit(w.ctx, *write))
		if n%2 == 0 {
			w.sweep()
		}
	}
	root := ids[len(ids)-1]
	w.sweep()
	for _, id := range ids {
		if p, err := w.store.Root(w.ctx, id); err != nil || p.ID != root {
			t.Errorf("%s leads to %+v %v", id, p, err)
		}
	}
	if s := w.summary(ids[0]); s.PartyID != root || s.Items != 12 || len(s.Parties) != 12 {
		t.Errorf("%+v", s)
	}
	if c, err := w.store.ContactsOf(w.ctx, inbox.ContactEmail, "ana0@example.com"); err != nil || len(c) != 1 || c[0].PartyID != root {
		t.Errorf("%+v %v", c, err)
	}
}

// item is the first item of a party.
func (w *world) item(party string) string {
	w.t.Helper()
	items, _, err := w.store.ItemsOfParty(w.ctx, party, "", 1)
	w.must(err)
	if len(items) == 0 {
		w.t.Fatalf("no item of %s", party)
	}
	return items[0].Item.ID
}

// TestHistoryOfASet: over the parties of one customer, without tests and without
// the item that is judged.
func TestHistoryOfASet(t *testing.T) {
	w := embed(t, nil)
	first := w.asked()
	w.fire(owner, first, "confirm", "")
	w.wait(73 * inbox.Hour)
	w.fire(owner, first, "complete", "")
	sandbox.Store(true)
	w.asked()
	sandbox.Store(false)
	late := w.asked()
	w.fire(owner, late, "confirm", "")
	w.wait(71 * inbox.Hour)
	w.cancels(late, "")
	now := w.asked()
	w.sweep()
	if h := w.detail(now.id).Customer; h.Match != inbox.MatchWeak || h.History.Items != 0 || h.Known {
		t.Errorf("a possible match counts: %+v", h)
	}
	digits := w.coded(now, anaEmail)
	_, err := w.verify(now, digits)
	w.must(err)
	w.sweep()
	w.wait(2 * inbox.Minute)
	w.sweep()
	c := w.detail(now.id).Customer
	if h := c.History; !c.Known || h.Items != 2 || h.Completed != 1 || h.LateCancellations != 1 || h.OpenBookings != 1 || *h.FirstSeen != int64(w.record(first.id).Item.CreatedAt) {
		t.Errorf("%+v", c)
	}
}

// TestStorageCallsOfPeople: what matching costs a create, without contention
// (08 §7: 4).
func TestStorageCallsOfPeople(t *testing.T) {
	db := store.NewMeter(open(t, nil))
	w := newWorld(t, db)
	contact := func(c inbox.Contact) func(*inbox.CreateBookingRequest) {
		return func(r *inbox.CreateBookingRequest) { r.Contact = &c }
	}
	w.settings(`{"commerce":{"customers":"businesses"}}`)
	for _, c := range []struct {
		name    string
		contact inbox.Contact
		most    int
	}{
		{"a stranger by e-mail", inbox.Contact{Email: anaEmail}, 3},
		{"known by e-mail", inbox.Contact{Email: anaEmail}, 3},
		{"a stranger by both", inbox.Contact{Email: "bea@example.com", Phone: "912 345 678"}, 4},
		{"known by both", inbox.Contact{Email: "bea@example.com", Phone: "912 345 678"}, 4},
		{"known by number", inbox.Contact{Email: "new@example.com", Phone: "912 345 678"}, 4},
		{"nothing given", inbox.Contact{}, 2},
	} {
		db.Reset()
		o := w.asked(contact(c.contact))
		if got := db.Calls(); got > c.most {
			t.Errorf("%s: %d storage calls, want %d", c.name, got, c.most)
		}
		db.Reset()
		if _, err := w.view(o); err != nil || db.Calls() > 3 || (!strings.HasPrefix(c.name, "known") && db.Calls() > 2) {
			t.Errorf("%s: %d storage calls of a view, %v", c.name, db.Calls(), err)
		}
	}
}

// found are the ids that a search finds, page by page of two.
func (w *world) found(q inbox.ListItemsQuery) []string {
	w.t.Helper()
	ids := []string{}
	two := 2
	q.Limit = &two
	for range 100 {
		a, err := w.desk.ListItems(w.ctx, inbox.Call{Caller: owner}, q)
		w.must(err)
		var page inbox.Page[inbox.OwnerView]
		w.must(json.Unmarshal(a.Body, &page))
		for _, v := range page.Items {
			ids = append(ids, v.Item.ID)
		}
		if page.NextCursor == nil {
			return ids
		}
		q.Cursor = *page.NextCursor
	}
	w.t.Fatal("a search has no end")
	return nil
}

// TestSearch: full text and reference, with every other filter (03 §6.5).
func TestSearch(t *testing.T) {
	people(t, func(t *testing.T, w *world) {
		booking := w.asked(func(r *inbox.CreateBookingRequest) {
			r.Contact = &inbox.Contact{Name: "Ana Conceição", Email: anaEmail, Phone: "+351 912 345 678"}
			r.Payload.Notes = "window seat, please"
		})
		w.wait(1)
		message := w.wrote("Do you sell Füllfederhalter?")
		w.wait(1)
		sandbox.Store(true)
		test := w.wrote("Füllfederhalter in a test")
		sandbox.Store(false)
		w.wait(1)
		closed := w.wrote("Fullfeder, closed")
		w.fire(owner, closed, "close", "")
		w.wait(1)
		w.reply(owner, booking, inbox.ReplyRequest{Body: "We kept the balcony free", Internal: true})
		w.sweep()
		no, yes := false, true
		ref := w.record(message.id).Reference()
		for name, c := range map[string]struct {
			q    inbox.ListItemsQuery
			want []string
		}{
			"ok/accents folded":      {inbox.ListItemsQuery{Q: "conceicao"}, []string{booking.id}},
			"ok/beginning of words":  {inbox.ListItemsQuery{Q: "CONC win"}, []string{booking.id}},
			"ok/all words":           {inbox.ListItemsQuery{Q: "window fullfeder"}, []string{}},
			"ok/newest change first": {inbox.ListItemsQuery{Q: "ana"}, []string{booking.id, message.id}},
			"ok/payload":             {inbox.ListItemsQuery{Q: "füllfeder"}, []string{message.id}},
			"ok/closed too":          {inbox.ListItemsQuery{Q: "fullfeder", OpenOnly: &no}, []string{closed.id, message.id}},
			"ok/tests":               {inbox.ListItemsQuery{Q: "fullfeder", Sandbox: &yes}, []string{test.id}},
			"ok/type":                {inbox.ListItemsQuery{Q: "ana", Type: inbox.TypeMessage}, []string{message.id}},
			"ok/needs human":         {inbox.ListItemsQuery{Q: "ana", NeedsHuman: &yes}, []string{}},
			"ok/e-mail":              {inbox.ListItemsQuery{Q: anaEmail, Type: inbox.TypeBooking}, []string{booking.id}},
			"ok/phone":               {inbox.ListItemsQuery{Q: "+351 912345678"}, []string{booking.id}},
			"ok/phone at home":       {inbox.ListItemsQuery{Q: "912-345-678"}, []string{booking.id}},
			"ok/note":                {inbox.ListItemsQuery{Q: "balcony"}, []string{booking.id}},
			"ok/reference":           {inbox.ListItemsQuery{Q: strings.ToLower(ref[:3] + "-" + ref[3:])}, []string{message.id}},
			"ok/reference of a test": {inbox.ListItemsQuery{Q: w.record(test.id).Reference()}, []string{}},
			"ok/reference, filtered": {inbox.ListItemsQuery{Q: ref, Type: inbox.TypeBooking}, []string{}},
			"ok/nothing but marks":   {inbox.ListItemsQuery{Q: "!#%_*'\"\\"}, []string{}},
			"ok/hostile":             {inbox.ListItemsQuery{Q: "ana#\x00\xff\U0010FFFF' OR 1=1 --"}, []string{}},
			"ok/one letter":          {inbox.ListItemsQuery{Q: "a"}, []string{}},
			"ok/blank is no search":  {inbox.ListItemsQuery{Q: "  "}, []string{booking.id, message.id}},
		} {
			if got := w.found(c.q); !slices.Equal(got, c.want) {
				t.Errorf("%s: %v, want %v", name, got, c.want)
			}
		}
		// A cursor belongs to its words.
		one := 1
		a, err := w.desk.ListItems(w.ctx, inbox.Call{Caller: owner}, inbox.ListItemsQuery{Q: "ana", PageQuery: inbox.PageQuery{Limit: &one}})
		w.must(err)
		var page inbox.Page[inbox.OwnerView]
		w.must(json.Unmarshal(a.Body, &page))
		_, err = w.desk.ListItems(w.ctx, inbox.Call{Caller: owner}, inbox.ListItemsQuery{Q: "anna", PageQuery: inbox.PageQuery{Cursor: *page.NextCursor}})
		if codeOf(err) != inbox.CodeInvalidInput {
			t.Errorf("a cursor of other words: %v", err)
		}
	})
}

// TestSearchOfManyWords: an item has at most 200 words, what is said last is
// found, what is crowded out is not, and no word leads to it any more.
func TestSearchOfManyWords(t *testing.T) {
	w := embed(t, nil)
	w.AtOnce = 1 // all write one list of words; who meets too often comes back in a minute
	o := w.wrote("first words")
	flood := make([]string, 300)
	for i := range flood {
		flood[i] = fmt.Sprintf("word%03d", i)
	}
	w.says(o, strings.Join(flood, " "))
	w.sweep()
	for q, want := range map[string]bool{"word000": true, "word299": false, "ana": true, "opening": true} {
		if got := len(w.found(inbox.ListItemsQuery{Q: q})) == 1; got != want {
			t.Errorf("%s: %t", q, got)
		}
	}
	for n := range 60 { // newer words push the others out
		w.says(o, fmt.Sprintf("later%02d and%02d more%02d", n, n, n))
	}
	w.sweep()
	for q, want := range map[string]bool{"later59": true, "later12": true, "word100": false, "ana": true} {
		if got := len(w.found(inbox.ListItemsQuery{Q: q})) == 1; got != want {
			t.Errorf("%s: %t", q, got)
		}
	}
}

// TestWordsOfTheMerged: an item is found by its customer's name as it is after a
// merge.
func TestWordsOfTheMerged(t *testing.T) {
	w := embed(t, nil)
	w.asked(func(r *inbox.CreateBookingRequest) {
		r.Contact = &inbox.Contact{Name: "Ana Conceição", Email: anaEmail}
	})
	o := w.created(func(c inbox.Call) (inbox.Answer, error) {
		return w.desk.SendMessage(w.ctx, c, inbox.SendMessageRequest{Body: "Hi", Contact: &inbox.Contact{Name: "Aninhas", Email: anaEmail}})
	})
	w.sweep()
	if got := w.found(inbox.ListItemsQuery{Q: "aninhas"}); !slices.Equal(got, []string{o.id}) {
		t.Fatalf("%v", got)
	}
	_, err := w.verify(o, w.coded(o, anaEmail))
	w.must(err)
	w.says(o, "one more thing")
	w.sweep()
	w.wait(2 * inbox.Minute)
	w.sweep()
	if got := w.found(inbox.ListItemsQuery{Q: "aninhas"}); len(got) != 0 {
		t.Errorf("still %v", got)
	}
	if got := w.found(inbox.ListItemsQuery{Q: "conceicao"}); len(got) != 2 {
		t.Errorf("%v", got)
	}
}

// TestCodeOfAnother: a token opens the code of its own item alone.
func TestCodeOfAnother(t *testing.T) {
	w := embed(t, nil)
	first := w.asked()
	second := w.wrote("Hello")
	for name, c := range map[string]struct {
		o    opened
		code inbox.Code
	}{
		"fail/another's token": {opened{first.id, second.caller}, inbox.CodeNotAllowed},
		"fail/no token":        {opened{second.id, agent}, inbox.CodeNotAllowed},
		"fail/no item":         {opened{"01J9ZK3M5V8R2T4W6X007K3QXA", agent}, inbox.CodeNotFound},
		"fail/nobody it knew":  {first, inbox.CodeNothingToVerify},
		"fail/the owner":       {opened{second.id, owner}, inbox.CodeNotAllowed},
	} {
		if _, err := w.verify(c.o, ""); codeOf(err) != c.code {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := canon.SHA256Hex([]byte("email:" + anaEmail)); got != decide.AddressKey(anaEmail) {
		t.Errorf("counted under %s", decide.AddressKey(anaEmail))
	}
}

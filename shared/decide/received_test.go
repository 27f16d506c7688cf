package decide

import (
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

// mailer is who writes a mail.
var mailer = inbox.Caller{Actor: inbox.Actor{Kind: inbox.CustomerHuman, ID: "mail:1", Channel: inbox.ChannelEmail}, Tier: inbox.TierAnonymous}

func fromMail(marks ...string) FromMail {
	return FromMail{
		MessageID: "m@example.com", Key: "mail\nk", InReplyTo: "a@x", From: "ana@example.com", RawKey: "items/I/m/raw",
		Attachments: []inbox.Attachment{{Name: "a.pdf", Type: "application/pdf", Bytes: 3, Kept: true}}, Marks: marks,
		ItemID: "01M45H7A00M93B27DRK5T9YYNY",
	}
}

// TestCreateFromMail: the item, whose it is, who is told.
func TestCreateFromMail(t *testing.T) {
	known := func(verified, added bool) []Known {
		k := Known{Party: inbox.Party{ID: "P1", CreatedAt: 1, Rev: 1}, Contact: inbox.PartyContact{PartyID: "P1", Kind: inbox.ContactEmail, Value: "ana@example.com", Added: added}}
		if verified {
			k.Contact.VerifiedAt = inbox.Ptr(inbox.Instant(2))
		}
		return []Known{k}
	}
	for name, c := range map[string]struct {
		marks  []string
		proven string
		known  []Known
		match  inbox.Match
		state  inbox.State
		jobs   int
		proves bool // the new customer's address
	}{
		"ok/stranger":                             {nil, "", nil, inbox.MatchNone, inbox.StateOpen, 1, false},
		"ok/proven stranger":                      {nil, "ana@example.com", nil, inbox.MatchNone, inbox.StateOpen, 1, true},
		"ok/known, proven now and before":         {nil, "ana@example.com", known(true, false), inbox.MatchStrong, inbox.StateOpen, 1, false},
		"ok/known, proven before alone":           {nil, "", known(true, false), inbox.MatchWeak, inbox.StateOpen, 1, false},
		"ok/known, proven now alone":              {nil, "ana@example.com", known(false, false), inbox.MatchWeak, inbox.StateOpen, 1, true},
		"ok/added by a credential, not their own": {nil, "ana@example.com", known(true, true), inbox.MatchWeak, inbox.StateOpen, 1, true},
		"ok/spam": {[]string{inbox.MarkSpam}, "", nil, inbox.MatchNone, inbox.StateSpam, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			m := fromMail(c.marks...)
			m.Proven = c.proven
			w.f.Known = c.known
			out, err := Create(w.f, mailer, CreateRequest{
				Type: inbox.TypeMessage, Payload: inbox.Payload{Message: &inbox.Message{Text: "My key is sdi_own_" + strings.Repeat("a", 32), Subject: "Hello"}},
				Contact: &inbox.Contact{Name: "Ana", Email: "ana@example.com"}, Mail: &m,
			}, w.env())
			if err != nil {
				t.Fatal(err)
			}
			r := out.Write.Items[0].Record
			if r.Item.ID != m.ItemID || r.Item.State != c.state || (r.Item.ClosedAt != nil) != (c.state == inbox.StateSpam) || r.CustomerMatch != c.match ||
				r.AccessTokenHash != "" || out.Body.(inbox.Created).AccessToken != "" {
				t.Errorf("item %+v", r)
			}
			if (r.Item.PartyID == "P1") != (c.match == inbox.MatchStrong) || (r.PossiblePartyID == "P1") != (c.match == inbox.MatchWeak) {
				t.Errorf("party %q, possible %q", r.Item.PartyID, r.PossiblePartyID)
			}
			if len(out.Write.Jobs) != c.jobs {
				t.Errorf("owes %+v", out.Write.Jobs)
			}
			if p := out.Write.Party; c.proves && (p == nil || p.Verified != "ana@example.com" || out.Write.Contacts[0].VerifiedAt == nil) {
				t.Errorf("party %+v, contacts %+v", p, out.Write.Contacts)
			}
			if p := out.Write.Party; !c.proves && p != nil && p.Verified != "" {
				t.Errorf("proven by nothing: %+v", p)
			}
			e := out.Write.Entries[0]
			if e.MessageKey != m.Key || e.MessageID != m.MessageID || e.RawKey != m.RawKey || e.From != m.From || len(e.Attachments) != 1 || !slices.Equal(e.Marks, c.marks) {
				t.Errorf("entry %+v", e)
			}
			if strings.Contains(e.BodyText+r.Item.Payload.Message.Text, "sdi_own_aaaa") {
				t.Error("a secret is kept")
			}
		})
	}
}

// TestHearMail: what a mail does to the item that it answers.
func TestHearMail(t *testing.T) {
	for name, c := range map[string]struct {
		kind  inbox.Type
		state inbox.State
		to    inbox.State
		event string
		told  int // jobs
	}{
		"ok/question":       {inbox.TypeBooking, inbox.StateNeedsInfo, inbox.StateRequested, "provide_info", 1},
		"ok/order question": {inbox.TypeOrder, inbox.StateNeedsInfo, inbox.StateReceived, "provide_info", 1},
		"ok/confirmed":      {inbox.TypeBooking, inbox.StateConfirmed, inbox.StateConfirmed, "", 1},
		"ok/proposed":       {inbox.TypeBooking, inbox.StateProposed, inbox.StateProposed, "", 1},
		"ok/cancelled":      {inbox.TypeBooking, inbox.StateCancelledByCustomer, inbox.StateCancelledByCustomer, "", 1},
		"ok/open message":   {inbox.TypeMessage, inbox.StateOpen, inbox.StateOpen, "", 1},
		"ok/answered":       {inbox.TypeMessage, inbox.StateAnswered, inbox.StateOpen, "reopen", 1},
		"ok/closed":         {inbox.TypeMessage, inbox.StateClosed, inbox.StateOpen, "reopen", 1},
		"ok/spam is quiet":  {inbox.TypeMessage, inbox.StateSpam, inbox.StateSpam, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, c.kind, c.state)
			out, err := HearMail(w.f, mailer, "Two of us. I accept, I cancel, YES.", "Re: x", fromMail(inbox.MarkUnverified), w.env())
			if err != nil {
				t.Fatal(err)
			}
			r := out.Write.Items[0].Record
			if r.Item.State != c.to {
				t.Errorf("moved to %s", r.Item.State)
			}
			if (len(out.Write.Events) == 1) != (c.event != "") || c.event != "" && out.Write.Events[0].Event != c.event {
				t.Errorf("events %+v", out.Write.Events)
			}
			e := out.Write.Entries[0]
			if e.Direction != inbox.DirectionIn || e.PartyID != w.f.Record.Item.PartyID || e.MessageKey == "" || e.RawKey == "" || len(e.Attachments) != 1 ||
				!slices.Equal(e.Marks, []string{inbox.MarkUnverified}) || e.Subject != "Re: x" || r.LastEntryID != e.ID {
				t.Errorf("entry %+v", e)
			}
			told := 0
			for _, j := range out.Write.Jobs {
				for _, e := range j.Effects {
					if e.Kind == inbox.EffectNotifyCustomer {
						t.Error("the customer is answered by a machine")
					}
					if e.Kind == inbox.EffectNotifyOwner {
						told++
					}
				}
			}
			if told != c.told {
				t.Errorf("the owner is told %d times", told)
			}
		})
	}
}

// TestHearMailProves: a proven mail from the customer's own address proves it, no
// other does.
func TestHearMailProves(t *testing.T) {
	const mine = "ana@example.com"
	for name, c := range map[string]struct {
		proven string
		party  inbox.Party
		proves bool
	}{
		"ok/their own":            {mine, inbox.Party{Contact: inbox.Contact{Email: "Ana@Example.com"}}, true},
		"ok/another before":       {mine, inbox.Party{Contact: inbox.Contact{Email: mine}, Verified: "old@example.com"}, true},
		"fail/not proven":         {"", inbox.Party{Contact: inbox.Contact{Email: mine}}, false},
		"fail/another address":    {"rui@example.com", inbox.Party{Contact: inbox.Contact{Email: mine}}, false},
		"fail/none on the party":  {mine, inbox.Party{}, false},
		"fail/proven before":      {mine, inbox.Party{Contact: inbox.Contact{Email: mine}, Verified: mine}, false},
		"fail/erased":             {mine, inbox.Party{Contact: inbox.Contact{Email: mine}, ErasedAt: inbox.Ptr(inbox.Instant(1))}, false},
		"fail/merged into others": {mine, inbox.Party{Contact: inbox.Contact{Email: mine}, MergedInto: "P2"}, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, inbox.TypeBooking, inbox.StateNeedsInfo)
			p := c.party
			p.ID, p.Rev = "P1", 4
			w.f.Party = &p
			m := fromMail()
			m.Proven = c.proven
			out, err := HearMail(w.f, mailer, "Two of us.", "Re: x", m, w.env())
			if err != nil {
				t.Fatal(err)
			}
			if !c.proves {
				if len(out.Write.Parties)+len(out.Write.Contacts) != 0 {
					t.Errorf("wrote %+v, %+v", out.Write.Parties, out.Write.Contacts)
				}
				return
			}
			if len(out.Write.Parties) != 1 || out.Write.Parties[0].Verified != mine || out.Write.Parties[0].Rev != 4 || p.Verified == mine {
				t.Fatalf("parties %+v", out.Write.Parties)
			}
			if k := out.Write.Contacts; len(k) != 1 || k[0].PartyID != "P1" || k[0].Value != mine || k[0].VerifiedAt == nil {
				t.Errorf("contacts %+v", k)
			}
		})
	}
}

// TestNoteMail: a note moves nothing and tells nobody.
func TestNoteMail(t *testing.T) {
	w := inState(t, inbox.TypeBooking, inbox.StateNeedsInfo)
	out := NoteMail(w.f, inboxItself, "I am away.", "Out of office", fromMail(inbox.MarkAutomatic), w.env())
	r, e := out.Write.Items[0].Record, out.Write.Entries[0]
	if r.Item.State != inbox.StateNeedsInfo || r.Item.Version != w.f.Record.Item.Version || r.Item.Flags != w.f.Record.Item.Flags ||
		len(out.Write.Events)+len(out.Write.Jobs) != 0 || e.Direction != inbox.DirectionNote || e.PartyID != "" || e.MessageKey == "" {
		t.Errorf("write %+v", out.Write)
	}
}

// TestMailWords: what is said later of a customer's mail, and on what a person is
// asked for.
func TestMailWords(t *testing.T) {
	m := inbox.Mail{ID: "MAIL", JobKey: "ev:1:customer", ItemID: "I", Recipient: "customer", Subject: "Confirmed", Status: inbox.MailFailed, Version: 3,
		Delivery: &inbox.MailDelivery{State: inbox.DeliveryBounced, Status: "5.1.1", Diagnostic: "no such user"}}
	for name, c := range map[string]struct {
		state  inbox.State
		judge  func(Facts, inbox.Mail, Env) Outcome
		human  bool
		failed bool
		alert  int
	}{
		"ok/returned, promise":    {inbox.StateConfirmed, MailReturned, true, true, 1},
		"ok/returned, over":       {inbox.StateCancelledByCustomer, MailReturned, true, true, 1},
		"ok/complained, promise":  {inbox.StateConfirmed, MailComplained, true, false, 0},
		"ok/complained, none yet": {inbox.StateRequested, MailComplained, false, false, 0},
		"ok/complained, over":     {inbox.StateCompleted, MailComplained, false, false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, inbox.TypeBooking, c.state)
			out := c.judge(w.f, m, w.env())
			r := out.Write.Items[0].Record
			if r.Item.State != c.state || r.Item.Flags.NeedsHuman != c.human || r.MailFailed != c.failed || out.Write.Mail == nil || out.Write.Mail.Version != 3 {
				t.Errorf("item %+v %v, mail %+v", r.Item.Flags, r.MailFailed, out.Write.Mail)
			}
			if len(out.Write.Entries) != 1 || out.Write.Entries[0].Direction != inbox.DirectionNote || len(out.Write.Jobs) != c.alert {
				t.Errorf("write %+v", out.Write)
			}
		})
	}
}

// TestWhatTheOtherSideSaid: as it was said, and nothing where nothing was.
func TestWhatTheOtherSideSaid(t *testing.T) {
	for want, d := range map[string]*inbox.MailDelivery{
		"Subject: Hi. The other side said: 5.1.1 no such user": {Status: "5.1.1", Diagnostic: "no such user"},
		"Subject: Hi. The other side said: Bad content":        {Diagnostic: "Bad content"},
		"Subject: Hi. The other side said: 4.2.2":              {Status: "4.2.2"},
		"Subject: Hi.": {},
	} {
		w := inState(t, inbox.TypeBooking, inbox.StateConfirmed)
		out := MailReturned(w.f, inbox.Mail{Subject: "Hi", Delivery: d}, w.env())
		if got := out.Write.Entries[0].BodyText; !strings.HasSuffix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestCallPerson: once with an event, then with a note alone.
func TestCallPerson(t *testing.T) {
	w := inState(t, inbox.TypeBooking, inbox.StateConfirmed)
	out := CallPerson(w.f, "Please look.", w.env())
	if r := out.Write.Items[0].Record; !r.Item.Flags.NeedsHuman || len(out.Write.Events) != 1 || out.Write.Entries[0].BodyText != "Please look." {
		t.Errorf("write %+v", out.Write)
	}
	w.f.Record.Item.Flags.NeedsHuman = true
	if out := CallPerson(w.f, "Please look.", w.env()); len(out.Write.Events) != 0 || len(out.Write.Entries) != 1 {
		t.Errorf("again %+v", out.Write)
	}
}

// TestSendAgainDecided: what is sent again, and with which text.
func TestSendAgainDecided(t *testing.T) {
	failed := inbox.Mail{ID: "MAIL", JobKey: "ev:1:customer", ItemID: "I", Recipient: "customer", Template: "reply", Subject: "S", Body: "B", EventID: "E", Status: inbox.MailFailed, Version: 4, Again: 1}
	linked, sent, owners, code := failed, failed, failed, failed
	linked.Links = map[inbox.LinkAction]string{inbox.LinkCancel: "x"}
	sent.Status, owners.Recipient, code.Template = inbox.MailSent, "owner", "code"
	for name, c := range map[string]struct {
		mail inbox.Mail
		copy bool
		ok   bool
	}{
		"ok/as it was":    {failed, true, true},
		"ok/anew":         {linked, false, true},
		"fail/sent":       {sent, false, false},
		"fail/an owner's": {owners, false, false},
		"fail/a code":     {code, false, false},
	} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, inbox.TypeBooking, inbox.StateConfirmed)
			w.f.Record.MailFailed = true
			out, err := SendAgain(w.f, c.mail, w.env())
			if (err == nil) != c.ok {
				t.Fatal(err)
			}
			if !c.ok {
				return
			}
			v := out.Body.(inbox.MailView)
			if out.Write.Mail.Again != 2 || out.Write.Mail.Version != 4 || out.Write.Items[0].Record.MailFailed || v.Status != inbox.MailQueued || v.ID == "MAIL" {
				t.Errorf("write %+v, %+v", out.Write.Mail, v)
			}
			if c.copy != (out.Write.NewMail != nil) || c.copy == (len(out.Write.Jobs) == 1) {
				t.Errorf("mail %+v, jobs %+v", out.Write.NewMail, out.Write.Jobs)
			}
			if n := out.Write.NewMail; n != nil && (n.JobKey != "again:MAIL:2" || n.Body != "B" || n.ID != v.ID) {
				t.Errorf("mail %+v", n)
			}
			if len(out.Write.Jobs) == 1 && out.Write.Jobs[0].Effects[0] != (inbox.Effect{ID: "again:MAIL:2", Kind: inbox.EffectNotifyCustomer, EventID: "E", MailID: v.ID}) {
				t.Errorf("owes %+v", out.Write.Jobs[0].Effects)
			}
		})
	}
}

package decide

import (
	"strings"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/words"
)

// linkOf is a link of an action as a mail about the item now would have it.
func (w *world) linkOf(a inbox.LinkAction) Pressed {
	w.t.Helper()
	sha, allowed := LinkTerms(w.f, a)
	if !allowed {
		w.t.Fatalf("%s is not allowed in %s", a, w.f.Record.Item.State)
	}
	l := inbox.Link{
		JTI: strings.Repeat("j", 22), ItemID: w.f.Record.Item.ID, Action: a, TermsSHA: sha, Until: LinkUntil(w.f, a, w.now),
		Lang: "en", MailKey: "mail", KID: "kid", CreatedAt: w.now, Rev: 1,
	}
	l.ExpiresAt = l.Until.Add(inbox.LinkGrace)
	p := Pressed{Link: l}
	if BindsOffer(a) {
		p.Offer = w.f.Offer
	}
	return p
}

// TestJudgeLink: in the order of 05 §6.4, each with everything that comes after
// it holding too.
func TestJudgeLink(t *testing.T) {
	w := inState(t, inbox.TypeBooking, inbox.StateProposed)
	fresh := w.linkOf(inbox.LinkAcceptTime)
	used, replaced, moved, expired := fresh, fresh, fresh, fresh
	used.UsedAt = &w.now
	replaced.TermsSHA = "other"
	moved.Action = inbox.LinkDetails
	lapsed := *fresh.Offer
	lapsed.Status = inbox.OfferExpired
	expired.Offer = &lapsed
	for name, c := range map[string]struct {
		link Pressed
		at   inbox.Instant
		want LinkStatus
	}{
		"fresh":                      {fresh, w.now, LinkFresh},
		"at its date":                {fresh, fresh.Until, LinkFresh},
		"a moment late":              {fresh, fresh.Until + 1, LinkLate},
		"a moment before it is over": {fresh, fresh.ExpiresAt - 1, LinkLate},
		"over":                       {fresh, fresh.ExpiresAt, LinkOver},
		"closed as expired":          {expired, w.now, LinkLate},
		"replaced":                   {replaced, w.now, LinkReplaced},
		"moved":                      {moved, w.now, LinkMoved},
		"used, and over":             {used, fresh.ExpiresAt, LinkUsed},
		"moved, and late":            {moved, fresh.Until + 1, LinkLate},
		"replaced, and over":         {replaced, fresh.ExpiresAt, LinkOver},
		"unknown action":             {Pressed{Link: inbox.Link{Action: "networks_off", Until: w.now, ExpiresAt: w.now + 1}}, w.now, LinkMoved},
	} {
		t.Run(name, func(t *testing.T) {
			if got := JudgeLink(w.f, c.link, c.at); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// TestPressLink: the link is used in the write it acts in, and its item's
// customer acts.
func TestPressLink(t *testing.T) {
	for action, c := range map[inbox.LinkAction]struct {
		state  inbox.State
		press  Press
		event  string
		became inbox.State
	}{
		inbox.LinkAcceptTime:  {inbox.StateProposed, Press{}, "accept", inbox.StateConfirmed},
		inbox.LinkDeclineTime: {inbox.StateProposed, Press{Text: "No."}, "cancel", inbox.StateCancelledByCustomer},
		inbox.LinkOtherTime:   {inbox.StateProposed, Press{Start: inbox.Ptr(start.Add(2 * inbox.Day))}, "counter", inbox.StateRequested},
		inbox.LinkDetails:     {inbox.StateNeedsInfo, Press{Text: "Short."}, "provide_info", inbox.StateRequested},
		inbox.LinkCancel:      {inbox.StateConfirmed, Press{}, "cancel", inbox.StateCancelledByCustomer},
		inbox.LinkChangeTime:  {inbox.StateConfirmed, Press{Start: inbox.Ptr(start.Add(2 * inbox.Day))}, "propose_change", inbox.StateConfirmed},
	} {
		t.Run(string(action), func(t *testing.T) {
			w := inState(t, inbox.TypeBooking, c.state)
			l := w.linkOf(action)
			w.readRows(LinkNeeds(w.f, l, c.press))
			out := w.ok(w.pure(func() (Outcome, error) { return PressLink(w.f, l, c.press, w.env()) }))
			used := out.Write.Link
			if used == nil || used.UsedAt == nil || *used.UsedAt != w.now || used.Did != c.event || used.Became != c.became || used.Rev != l.Rev {
				t.Fatalf("%+v", used)
			}
			last := w.events[len(w.events)-1]
			if last.Event != c.event || last.ActorKind != inbox.CustomerHuman || last.ActorID != "link:"+l.JTI || last.Meta.Channel != inbox.ChannelActionLink || last.Meta.Tier != inbox.TierVerified {
				t.Errorf("%+v", last)
			}
			l.Link = *used
			out, err := PressLink(w.f, l, c.press, w.env())
			if stale, ok := err.(*StaleLink); !ok || stale.Status != LinkUsed || out.Write.Link != nil {
				t.Errorf("again: %v", err)
			}
		})
	}
}

// TestPressThatIsRefused: neither the item nor the link moves.
func TestPressThatIsRefused(t *testing.T) {
	w := inState(t, inbox.TypeBooking, inbox.StateProposed)
	l := w.linkOf(inbox.LinkAcceptTime)
	replaced := l
	replaced.TermsSHA = "other"
	for name, c := range map[string]struct {
		link Pressed
		at   inbox.Instant
	}{"replaced": {replaced, w.now}, "too late": {l, l.Until + 1}} {
		out, err := PressLink(w.f, c.link, Press{}, Env{Now: c.at, Source: w.source})
		if _, stale := err.(*StaleLink); !stale || out.Write.Link != nil || len(out.Write.Items) != 0 {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestBoundTo: the newest offer of the business's with the link's terms.
func TestBoundTo(t *testing.T) {
	offers := []inbox.Offer{
		{Rev: 1, By: inbox.SideBusiness, TermsSHA: "a"}, {Rev: 2, By: inbox.SideBusiness, TermsSHA: "a"}, {Rev: 3, By: inbox.SideCustomer, TermsSHA: "a"},
	}
	if o := BoundTo(inbox.Link{TermsSHA: "a"}, offers); o == nil || o.Rev != 2 {
		t.Errorf("%+v", o)
	}
	if o := BoundTo(inbox.Link{TermsSHA: "b"}, offers); o != nil {
		t.Errorf("%+v", o)
	}
}

// TestPageOfALateLink: it says until when, and where to ask anew.
func TestPageOfALateLink(t *testing.T) {
	w := inState(t, inbox.TypeBooking, inbox.StateProposed)
	l := w.linkOf(inbox.LinkOtherTime)
	w.now = l.Until + 1
	p := PageOfLink(w.f, l, w.env())
	if p.Status != LinkLate || p.Say.Kind != words.PageLate || p.Say.Until == nil || *p.Say.Until != l.Until || p.Again != "SVC" || p.OnQuote {
		t.Errorf("%+v", p)
	}
	w.f.Service.Price = &inbox.ServicePrice{Model: "quote"}
	if p = PageOfLink(w.f, l, w.env()); !p.OnQuote {
		t.Error("a price on request is asked for")
	}
	w.f.Service.Active = false
	if p = PageOfLink(w.f, l, w.env()); p.Again != "" {
		t.Error("it leads to a service that is gone")
	}
}

// TestLinksInWords: a link that acts is cut before words are kept, whoever sends
// them (05 §6.2).
func TestLinksInWords(t *testing.T) {
	secret := strings.Repeat("s", 22)
	said := "> Accept: https://studio.example/c/" + strings.Repeat("j", 22) + "." + secret + "\nYes."
	for name, do := range map[string]func(w *world) (Outcome, error){
		"message": func(w *world) (Outcome, error) {
			return Message(w.f, w.customer(), inbox.SendMessageRequest{Body: said}, w.env())
		},
		"reply": func(w *world) (Outcome, error) { return Reply(w.f, owner, inbox.ReplyRequest{Body: said}, w.env()) },
		"note": func(w *world) (Outcome, error) {
			return Reply(w.f, owner, inbox.ReplyRequest{Body: said, Internal: true}, w.env())
		},
		"cancel": func(w *world) (Outcome, error) { return Cancel(w.f, w.customer(), said, w.env()) },
	} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, inbox.TypeBooking, inbox.StateRequested)
			out := w.ok(do(w))
			kept := string(mustJSON(out.Write.Items)) + string(mustJSON(out.Write.Entries)) + string(mustJSON(out.Write.Events)) + string(mustJSON(out.Write.Jobs))
			if strings.Contains(kept, secret) || !strings.Contains(kept, strings.Repeat("j", 22)+".…") {
				t.Error("the link is kept whole")
			}
		})
	}
}

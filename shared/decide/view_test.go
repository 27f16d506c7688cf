package decide

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
)

func customerViewOf(w *world) inbox.CustomerView { return CustomerView(w.f, w.customer(), w.env()) }

func eventsOf(list []inbox.Transition) string {
	var names []string
	for _, t := range list {
		names = append(names, t.Event)
	}
	return strings.Join(names, " ")
}

func actionsOf(list []inbox.NextStep) string {
	var names []string
	for _, n := range list {
		names = append(names, n.Action)
	}
	return strings.Join(names, " ")
}

// TestCustomerView: what a customer sees and may do, by state (01 §5.7).
func TestCustomerView(t *testing.T) {
	for name, c := range map[string]struct {
		typ         inbox.Type
		state       inbox.State
		transitions string
		next        string
		waiting     string
		seen        inbox.State
	}{
		"ok/requested":             {inbox.TypeBooking, inbox.StateRequested, "cancel", "cancel_item send_message", "us", ""},
		"ok/needs_info":            {inbox.TypeBooking, inbox.StateNeedsInfo, "provide_info cancel", "provide_details cancel_item send_message", "you", ""},
		"ok/proposed":              {inbox.TypeBooking, inbox.StateProposed, "accept counter cancel", "accept_offer decline_offer suggest_time", "you", ""},
		"ok/confirmed":             {inbox.TypeBooking, inbox.StateConfirmed, "propose_change cancel", "suggest_time cancel_item send_message", "us", ""},
		"ok/completed":             {inbox.TypeBooking, inbox.StateCompleted, "", "send_message", "", ""},
		"ok/no_show":               {inbox.TypeBooking, inbox.StateNoShow, "", "send_message", "", ""},
		"ok/declined":              {inbox.TypeBooking, inbox.StateDeclined, "", "send_message", "", ""},
		"ok/expired":               {inbox.TypeBooking, inbox.StateExpired, "", "send_message", "", ""},
		"ok/cancelled by customer": {inbox.TypeBooking, inbox.StateCancelledByCustomer, "", "send_message", "", ""},
		"ok/cancelled by business": {inbox.TypeBooking, inbox.StateCancelledByBusiness, "", "send_message", "", ""},
		"ok/open":                  {inbox.TypeMessage, inbox.StateOpen, "", "send_message", "us", ""},
		"ok/answered":              {inbox.TypeMessage, inbox.StateAnswered, "reopen", "send_message", "us", ""},
		"ok/closed":                {inbox.TypeMessage, inbox.StateClosed, "reopen", "send_message", "", ""},
		"ok/spam reads as closed":  {inbox.TypeMessage, inbox.StateSpam, "reopen", "send_message", "", inbox.StateClosed},
	} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, c.typ, c.state)
			v := customerViewOf(w)
			waiting := ""
			if v.WaitingOn != nil {
				waiting = *v.WaitingOn
			}
			if eventsOf(v.Transitions) != c.transitions || actionsOf(v.Next) != c.next || waiting != c.waiting {
				t.Errorf("%q %q %q", eventsOf(v.Transitions), actionsOf(v.Next), waiting)
			}
			if c.seen == "" {
				c.seen = c.state
			}
			if v.Item.State != c.seen || v.Reference != inbox.Reference(v.Item.ID) || len(v.Reference) != 6 {
				t.Errorf("%s %s", v.Item.State, v.Reference)
			}
			for _, s := range append(labels(v.Transitions), v.Human) {
				if s == "" || strings.Contains(s, "{") {
					t.Errorf("unspoken: %q", s)
				}
			}
			raw := string(mustJSON(v))
			for _, hidden := range []string{`"flags"`, `"round"`, "spam", "accessTokenHash"} {
				if strings.Contains(raw, hidden) {
					t.Errorf("shows %s: %s", hidden, raw)
				}
			}
			for _, empty := range []string{`"refunds":[]`, `"receipts":[]`, `"passes":[]`, `"networks":[]`} {
				if !strings.Contains(raw, empty) {
					t.Errorf("lacks %s: %s", empty, raw)
				}
			}
			if (v.Withdrawal == nil) != (c.state != inbox.StateConfirmed) {
				t.Errorf("withdrawal %+v", v.Withdrawal)
			}
			if (v.Offer == nil) != (c.state != inbox.StateProposed) {
				t.Errorf("offer %+v", v.Offer)
			}
		})
	}
}

func labels(list []inbox.Transition) (labels []string) {
	for _, t := range list {
		labels = append(labels, t.Label)
	}
	return labels
}

// TestCustomerClock: what the clock takes away from a customer.
func TestCustomerClock(t *testing.T) {
	for name, c := range map[string]struct {
		late string
		at   inbox.Instant
		next string
	}{
		"ok/in time":             {"refuse", start.Add(-inbox.Day), "suggest_time cancel_item send_message"},
		"ok/late, recorded":      {"record", start.Add(-inbox.Day) + 1, "suggest_time cancel_item send_message"},
		"fail/late, refused":     {"refuse", start.Add(-inbox.Day) + 1, "suggest_time send_message"},
		"ok/a request, whenever": {"", 0, "cancel_item send_message"},
	} {
		state := inbox.StateConfirmed
		if c.late == "" {
			state = inbox.StateRequested
		}
		w := inState(t, inbox.TypeBooking, state)
		w.f.Settings.Booking.LateCancellation = c.late
		if c.at != 0 {
			w.now = c.at
		}
		if got := actionsOf(customerViewOf(w).Next); got != c.next {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// TestOwnerTransitions: the business's buttons in their order, by reader and
// clock.
func TestOwnerTransitions(t *testing.T) {
	const (
		request   = "confirm propose request_info decline cancel_by_business record_cancel"
		proposed  = "confirm propose request_info decline cancel_by_business record_cancel"
		noOffers  = "confirm request_info decline cancel_by_business record_cancel" // of automation, until its limits exist
		confirmed = "cancel_by_business record_cancel"
	)
	for name, c := range map[string]struct {
		typ   inbox.Type
		state inbox.State
		by    string
		at    inbox.Instant
		want  string
	}{
		"ok/requested, owner":             {inbox.TypeBooking, inbox.StateRequested, "P owner", 0, request},
		"ok/requested, staff":             {inbox.TypeBooking, inbox.StateRequested, "P staff", 0, request},
		"ok/requested, assistant":         {inbox.TypeBooking, inbox.StateRequested, "A", 0, noOffers},
		"ok/requested, key with money":    {inbox.TypeBooking, inbox.StateRequested, "K$", 0, request},
		"ok/proposed":                     {inbox.TypeBooking, inbox.StateProposed, "P owner", 0, proposed},
		"ok/proposed, lapsed":             {inbox.TypeBooking, inbox.StateProposed, "P owner", start + 1, proposed},
		"ok/proposed, as it starts":       {inbox.TypeBooking, inbox.StateProposed, "P owner", start.Add(inbox.Hour), proposed[len("confirm "):]},
		"ok/proposed, key with money":     {inbox.TypeBooking, inbox.StateProposed, "K$", 0, proposed[len("confirm "):]},
		"ok/proposed, bound assistant":    {inbox.TypeBooking, inbox.StateProposed, "A", 0, "record_cancel"},
		"ok/proposed, free once lapsed":   {inbox.TypeBooking, inbox.StateProposed, "A", start, noOffers[len("confirm "):]},
		"ok/proposed, bound rule":         {inbox.TypeBooking, inbox.StateProposed, "R", start - 1, "propose"},
		"ok/proposed, rule once lapsed":   {inbox.TypeBooking, inbox.StateProposed, "R", start, "propose request_info decline cancel_by_business expire"},
		"ok/requested, rule":              {inbox.TypeBooking, inbox.StateRequested, "R", 0, "confirm propose request_info decline cancel_by_business expire"},
		"ok/at the notice, key":           {inbox.TypeBooking, inbox.StateRequested, "K", start.Add(-inbox.Hour), noOffers},
		"fail/inside the notice, key":     {inbox.TypeBooking, inbox.StateRequested, "K", start.Add(-inbox.Hour) + 1, noOffers[len("confirm "):]},
		"ok/inside the notice, person":    {inbox.TypeBooking, inbox.StateRequested, "P owner", start - 1, request},
		"fail/started, person":            {inbox.TypeBooking, inbox.StateRequested, "P owner", start, request[len("confirm "):]},
		"ok/needs_info":                   {inbox.TypeBooking, inbox.StateNeedsInfo, "P owner", 0, "confirm propose decline cancel_by_business record_cancel"},
		"ok/confirmed, before the start":  {inbox.TypeBooking, inbox.StateConfirmed, "P owner", start - 1, "record_payment propose_change " + confirmed},
		"ok/confirmed, from the start on": {inbox.TypeBooking, inbox.StateConfirmed, "P owner", start, "record_payment complete no_show " + confirmed},
		"ok/confirmed, connector":         {inbox.TypeBooking, inbox.StateConfirmed, "X", 0, "record_payment"},
		"fail/confirmed, key, money":      {inbox.TypeBooking, inbox.StateConfirmed, "K", 0, confirmed},
		"ok/order accepted":               {inbox.TypeOrder, inbox.StateAccepted, "P owner", 0, "record_payment request_payment start_fulfilment fulfil propose_change cancel record_cancel record_withdrawal"},
		"fail/order accepted, assistant":  {inbox.TypeOrder, inbox.StateAccepted, "A", 0, "request_payment start_fulfilment fulfil cancel record_cancel record_withdrawal"},
		"ok/order awaiting payment":       {inbox.TypeOrder, inbox.StateAwaitingPayment, "P owner", 0, "record_payment propose_change payment_failed cancel record_cancel record_withdrawal"},
		"fail/order awaiting, rule":       {inbox.TypeOrder, inbox.StateAwaitingPayment, "R", 0, "cancel"},
		"ok/order completed":              {inbox.TypeOrder, inbox.StateCompleted, "K$", 0, "record_payment record_delivery open_return record_charge_back record_withdrawal"},
		"fail/order charged back":         {inbox.TypeOrder, "charged_back", "P owner", 0, ""},
		"ok/confirmed, rule":              {inbox.TypeBooking, inbox.StateConfirmed, "R", start, "complete cancel_by_business"},
		"ok/completed, in the window":     {inbox.TypeBooking, inbox.StateCompleted, "P owner", completes, "no_show"},
		"fail/completed, after it":        {inbox.TypeBooking, inbox.StateCompleted, "P owner", completes + 1, ""},
		"ok/no_show, in the window":       {inbox.TypeBooking, inbox.StateNoShow, "K", completes, "complete"},
		"fail/no_show, rule":              {inbox.TypeBooking, inbox.StateNoShow, "R", completes, ""},
		"ok/expired":                      {inbox.TypeBooking, inbox.StateExpired, "P owner", 0, ""},
		"ok/open":                         {inbox.TypeMessage, inbox.StateOpen, "P owner", 0, "answer close mark_spam"},
		"ok/answered":                     {inbox.TypeMessage, inbox.StateAnswered, "P owner", 0, "reopen close mark_spam"},
		"ok/closed":                       {inbox.TypeMessage, inbox.StateClosed, "P owner", 0, "reopen"},
		"ok/spam":                         {inbox.TypeMessage, inbox.StateSpam, "P owner", 0, "unspam"},
		"ok/spam, rule":                   {inbox.TypeMessage, inbox.StateSpam, "R", 0, ""},
	} {
		w := inState(t, c.typ, c.state)
		if c.at != 0 {
			w.now = c.at
		}
		v := OwnerView(w.f, w.actors()[c.by], w.env())
		if got := eventsOf(v.Transitions); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if raw := string(mustJSON(v)); !strings.Contains(raw, `"flags"`) || !strings.Contains(raw, `"receipts":[]`) || v.Human == "" {
			t.Errorf("%s: %s", name, raw)
		}
	}
	w := inState(t, inbox.TypeBooking, inbox.StateNoShow)
	w.f.Record.Corrected = true
	if got := eventsOf(OwnerView(w.f, owner, w.env()).Transitions); got != "" {
		t.Errorf("a second correction is offered: %q", got)
	}
}

// TestUnpricedIsNotOffered: the yes to a request with a price that is not the
// business's is offered to people and to keys with money alone (01 §1.5).
func TestUnpricedIsNotOffered(t *testing.T) {
	for typ, c := range map[inbox.Type]struct {
		state inbox.State
		yes   string
	}{inbox.TypeBooking: {inbox.StateRequested, "confirm"}, inbox.TypeOrder: {inbox.StateReceived, "accept"}} {
		w := inState(t, typ, c.state)
		w.f.Record.Unpriced = true
		for by, want := range map[string]bool{"P owner": true, "P staff": true, "K$": true, "K": false, "A": false, "R": false} {
			events := allowed(&w.f, w.actors()[by], w.now)
			if slices.Contains(events, c.yes) != want {
				t.Errorf("%s, %s: %v", typ, by, events)
			}
		}
	}
}

// TestOfferedIsPossible: every event offered to a reader succeeds at that moment,
// with the least input.
func TestOfferedIsPossible(t *testing.T) {
	moments := []inbox.Instant{monday, start.Add(-inbox.Day), start.Add(-inbox.Hour) + 1, start, running, completes}
	for _, typ := range []inbox.Type{inbox.TypeBooking, inbox.TypeOrder, inbox.TypeMessage} {
		for _, state := range machine.Of(typ).States() {
			w := inState(t, typ, state)
			for _, now := range moments {
				w.now = max(now, w.f.Record.Item.UpdatedAt)
				for name, c := range w.actors() {
					if name == "S" || (c.IsCustomer() && state == inbox.StateSpam) {
						continue // the system reads no view; spam is shown as closed and kept as it is
					}
					for _, event := range allowed(&w.f, c, w.now) {
						w.offered(fmt.Sprintf("%s/%s/%s/%v", state, event, name, w.now), c, event)
					}
				}
			}
		}
	}
}

func (w *world) offered(name string, c inbox.Caller, event string) {
	w.t.Helper()
	w.f.Entry = &inbox.Entry{ID: "E", ItemID: w.f.Record.Item.ID, Direction: inbox.DirectionIn, CreatedAt: monday}
	r := needing(event)
	later := start.Add(30 * inbox.Day)
	switch event {
	case "record_cancel":
		r.Input = json.RawMessage(`{"note":"x","entryId":"E"}`)
	case "record_withdrawal", "open_return":
		r.Input = json.RawMessage(`{"note":"x","entryId":"E","reasonCode":"other"}`)
	case "propose_change":
		r.Input = json.RawMessage(changeTo(later))
		if w.f.Record.Item.Type == inbox.TypeOrder {
			r.Input = json.RawMessage(deliverOn)
		}
	case "propose":
		r.Input = json.RawMessage(proposal(later))
		if w.f.Record.Item.Type == inbox.TypeOrder {
			r.Input = json.RawMessage(orderProposal(3))
		}
	case "counter":
		r.Input = json.RawMessage(counter(later))
		if w.f.Record.Item.Type == inbox.TypeOrder {
			r.Input = json.RawMessage(`{"lines":[{"index":0,"quantity":1}]}`)
		}
	}
	_, err := w.decide(c, r)
	if err != nil && event == "cancel" && c.IsCustomer() {
		_, err = Cancel(w.f, c, "", w.env()) // the door cancels late
	}
	if err != nil {
		w.t.Errorf("%s: offered, and %v", name, err)
	}
}

// TestThread: newest fifty, oldest first, without notes.
func TestThread(t *testing.T) {
	var entries []inbox.Entry
	for i := range 60 {
		e := inbox.Entry{BodyText: fmt.Sprint(i), CreatedAt: inbox.Instant(i), Direction: inbox.DirectionIn}
		switch {
		case i%3 == 1:
			e.Direction, e.WrittenBy = inbox.DirectionOut, "person"
		case i == 5:
			e.Direction, e.WrittenBy = inbox.DirectionOut, "automation"
		case i == 8:
			e.Direction, e.BodyText = inbox.DirectionNote, "internal"
		}
		entries = append(entries, e)
	}
	lines := thread(entries)
	if len(lines) != 50 || lines[0].Text != "10" || lines[49].Text != "59" {
		t.Errorf("%d lines, %+v", len(lines), lines)
	}
	few := thread(entries[:9])
	want := []inbox.ThreadLine{
		{From: "you", Text: "0", At: 0}, {From: "us", Text: "1", At: 1}, {From: "you", Text: "2", At: 2}, {From: "you", Text: "3", At: 3},
		{From: "us", Text: "4", At: 4}, {From: "us", Text: "5", At: 5, Automated: true}, {From: "you", Text: "6", At: 6}, {From: "us", Text: "7", At: 7},
	}
	if !reflect.DeepEqual(few, want) {
		t.Errorf("%+v", few)
	}
	if got := thread(nil); got == nil || len(got) != 0 {
		t.Errorf("no words: %v", got)
	}
}

// TestLongThread: long lines are fewer, the newest is always there.
func TestLongThread(t *testing.T) {
	said := func(sizes ...int) (entries []inbox.Entry) {
		for i, n := range sizes {
			entries = append(entries, inbox.Entry{BodyText: strings.Repeat("x", n), CreatedAt: inbox.Instant(i), Direction: inbox.DirectionIn})
		}
		return entries
	}
	half := threadBytes / 2
	for name, c := range map[string]struct {
		entries []inbox.Entry
		first   inbox.Instant
		lines   int
	}{
		"ok/just room":           {said(1, half, half), 1, 2},
		"ok/a byte too many":     {said(1, half+1, half), 2, 1},
		"ok/the newest is large": {said(1, 1, threadBytes+1), 2, 1},
		"ok/a large one before":  {said(1, threadBytes, 1), 2, 1},
	} {
		t.Run(name, func(t *testing.T) {
			if lines := thread(c.entries); len(lines) != c.lines || lines[0].At != c.first {
				t.Errorf("%d lines from %d", len(lines), lines[0].At)
			}
		})
	}
}

// TestAgreed shows the terms that stand, once something was agreed.
func TestAgreed(t *testing.T) {
	w := inState(t, inbox.TypeBooking, inbox.StateRequested)
	if v := customerViewOf(w); v.Agreed != nil || v.Item.Payload.Offer().Status != inbox.OfferOpen {
		t.Errorf("%+v", v.Agreed)
	}
	w.fire(owner, "confirm")
	v := customerViewOf(w)
	if v.Agreed == nil || v.Agreed.TermsSHA != w.offers[1].TermsSHA || !strings.Contains(string(v.Agreed.Terms), `"startTime"`) {
		t.Errorf("%+v", v.Agreed)
	}
	if w.f.Record.Item.Payload.Offer().Round != 1 {
		t.Error("the view changed the item's pointer")
	}
}

// TestLanguage: the customer's, else the business's; the words exist in English.
func TestHuman(t *testing.T) {
	w := inState(t, inbox.TypeBooking, inbox.StateRequested)
	v, o := customerViewOf(w), OwnerView(w.f, owner, w.env())
	for _, fact := range []string{"Haircut", "Thursday, 8 October 2026 at 10:00 (Western European Time)", v.Reference} {
		if !strings.Contains(v.Human, fact) {
			t.Errorf("%q lacks %q", v.Human, fact)
		}
	}
	if !strings.Contains(o.Human, "Haircut") || !strings.Contains(o.Human, "€30.00") {
		t.Errorf("%q", o.Human)
	}
}

// TestDetail: history, conversation, mail and customer for the owner.
func TestDetail(t *testing.T) {
	w := inState(t, inbox.TypeBooking, inbox.StateNeedsInfo)
	w.ok(reply(w, owner, inbox.ReplyRequest{Body: "note", Internal: true}))
	w.events[1].Meta.ActorName = "Calendar sync"
	sent, reason := inbox.Instant(9), inbox.SkipNoAddress
	mails := []inbox.Mail{
		{ID: "M1", Recipient: "customer", Template: "needs_info", Subject: "S", Body: "B", Status: inbox.MailSent, Attempts: 1, SentAt: &sent, EntryID: "E"},
		{ID: "M2", Recipient: "owner", Status: inbox.MailSkipped, SkipReason: reason, LastError: "none"},
	}
	d := Detail(w.f, owner, w.events, w.entries, mails, inbox.History{}, w.env())
	if len(d.Events) != 2 || d.Events[0].By.ID != nil || d.Events[0].By.Kind != inbox.CustomerAgent || d.Events[0].Actor != inbox.CustomerAgent || d.Events[0].From != nil {
		t.Errorf("a customer's id is shown: %+v", d.Events[0])
	}
	if e := d.Events[1]; *e.By.ID != "user-1" || e.By.Name != "Calendar sync" || *e.From != inbox.StateRequested || e.To != inbox.StateNeedsInfo || e.Seq != 2 {
		t.Errorf("%+v", e)
	}
	if len(d.Thread) != 2 || d.Thread[1].Direction != inbox.DirectionNote || d.Thread[0].Actor != inbox.Owner || d.Thread[0].Body != "Which length?" {
		t.Errorf("%+v", d.Thread)
	}
	if m := d.Mail[0]; m.SkipReason != nil || m.LastError != nil || *m.EntryID != "E" || *m.SentAt != 9 {
		t.Errorf("%+v", m)
	}
	if m := d.Mail[1]; *m.SkipReason != reason || *m.LastError != "none" || m.EntryID != nil {
		t.Errorf("%+v", m)
	}
	if d.Customer.Match != inbox.MatchNone || d.Customer.Known || d.Party.Name != "Ana" || d.Party.Email != "Ana@Example.PT" {
		t.Errorf("%+v %+v", d.Customer, d.Party)
	}
	if raw := string(mustJSON(Detail(w.f, owner, nil, nil, nil, inbox.History{}, w.env()))); !strings.Contains(raw, `"events":[],"thread":[],"mail":[]`) {
		t.Error(raw)
	}
	w.f.Record.CustomerMatch, w.f.Record.PossiblePartyID = inbox.MatchWeak, "P"
	if got := customerFacts(w.f.Record, inbox.History{Completed: 1}); got.Match != inbox.MatchWeak || *got.Possible != "P" || got.Known {
		t.Errorf("%+v", got)
	}
}

// TestAnswers end with replayed, which is all that a repeated one changes.
func TestAnswers(t *testing.T) {
	w := newWorld(t)
	answers := map[string]any{
		"create":      w.create(w.customer(), bookingRequest()).Body,
		"reply":       w.ok(reply(w, owner, inbox.ReplyRequest{Body: "x"})).Body,
		"transition":  w.fire(owner, "confirm").Body,
		"by business": newWorld(t).create(owner, bookingRequest()).Body,
	}
	out, err := Cancel(w.f, w.customer(), "", w.env())
	answers["cancel"] = w.ok(out, err).Body
	for name, body := range answers {
		raw := mustJSON(body)
		again := inbox.MarkReplayed(raw)
		if !strings.HasSuffix(string(raw), `"replayed":false}`) || !strings.HasSuffix(string(again), `"replayed":true}`) {
			t.Errorf("%s: %s", name, raw)
		}
	}
	created := answers["create"].(inbox.Created)
	if created.AccessToken != created.AccessToken2 || created.View.Item.Version != 1 {
		t.Errorf("%+v", created)
	}
}

// TestYesLabels: a yes that the business records is not called its own.
func TestYesLabels(t *testing.T) {
	for name, c := range map[string]struct {
		typ   inbox.Type
		state inbox.State
		event string
		want  string
	}{
		"ok/a request":       {inbox.TypeBooking, inbox.StateRequested, "confirm", "Confirm"},
		"ok/an order":        {inbox.TypeOrder, inbox.StateReceived, "accept", "Accept"},
		"ok/a time of ours":  {inbox.TypeBooking, inbox.StateProposed, "confirm", "Customer said yes"},
		"ok/changes of ours": {inbox.TypeOrder, inbox.StateProposed, "accept", "Customer said yes"},
		"ok/a quote of ours": {inbox.TypeQuote, inbox.StateQuoted, "accept", "Customer said yes"},
	} {
		w := inState(t, c.typ, c.state)
		list := OwnerView(w.f, owner, w.env()).Transitions
		if !slices.Contains(list, inbox.Transition{Event: c.event, Label: c.want}) {
			t.Errorf("%s: %v", name, list)
		}
	}
}

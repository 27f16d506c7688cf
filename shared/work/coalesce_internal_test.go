package work

import (
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
)

// happened is an item's history, each event from the state its row leaves.
func happened(typ inbox.Type, events ...inbox.Event) []inbox.Event {
	for i := range events {
		ev := &events[i]
		ev.Type = typ
		if ev.Event == inbox.EventCreate || ev.FromState != nil {
			continue
		}
		for _, row := range machine.Of(typ).Rows {
			if row.Event == ev.Event && row.Does(machine.NotifyCustomer) {
				ev.FromState = &row.From[0]
			}
		}
	}
	return events
}

func of(names ...string) (events []inbox.Event) {
	for _, name := range names {
		events = append(events, inbox.Event{Event: name})
	}
	return events
}

// TestOvertaken: which older event of an item is told by a newer one's mail.
func TestOvertaken(t *testing.T) {
	for name, c := range map[string]struct {
		typ    inbox.Type
		events []string
		want   []bool
	}{
		"ok/replaced":               {inbox.TypeBooking, []string{"propose", "propose"}, []bool{true, false}},
		"ok/answered":               {inbox.TypeBooking, []string{"propose", "accept"}, []bool{true, false}},
		"ok/taken back":             {inbox.TypeOrder, []string{"propose", "retract"}, []bool{true, false}},
		"ok/taken back, once more":  {inbox.TypeQuote, []string{"quote", "retract", "quote"}, []bool{true, false, false}},
		"ok/paid at once":           {inbox.TypeOrder, []string{"accept", "request_payment", "record_payment"}, []bool{true, false, false}},
		"ok/confirmed and paid":     {inbox.TypeBooking, []string{"confirm", "record_payment"}, []bool{true, false}},
		"ok/declined after a time":  {inbox.TypeBooking, []string{"propose", "decline"}, []bool{true, false}},
		"fail/a question":           {inbox.TypeBooking, []string{"request_info", "confirm"}, []bool{false, false}},
		"fail/cancelled":            {inbox.TypeBooking, []string{"confirm", "cancel_by_business"}, []bool{false, false}},
		"fail/nobody is told of it": {inbox.TypeBooking, []string{"confirm", "complete"}, []bool{false, false}},
		"fail/a reply between":      {inbox.TypeMessage, []string{"answer", "reopen", "answer"}, []bool{false, false, false}},
	} {
		history := happened(c.typ, of(c.events...)...)
		for i := range history {
			f := &facts{event: &history[i], history: history, at: i}
			if got := f.overtaken(); got != c.want[i] {
				t.Errorf("%s: %d %s overtaken %v", name, i, history[i].Event, got)
			}
		}
	}
	if (&facts{}).overtaken() {
		t.Error("words without an event are overtaken")
	}
}

// TestTakenOver: words, disclosure and what the customer knew come with the mails
// that were left.
func TestTakenOver(t *testing.T) {
	requested, proposed := inbox.StateRequested, inbox.StateProposed
	by := func(event string, from inbox.State, kind inbox.ActorKind) *inbox.Event {
		return &inbox.Event{Event: event, FromState: &from, ActorKind: kind, Meta: inbox.Meta{Channel: inbox.ChannelREST}}
	}
	out := func(text string) *inbox.Entry { return &inbox.Entry{Direction: inbox.DirectionOut, BodyText: text} }
	for name, c := range map[string]struct {
		f         facts
		said      string
		disclosed bool
		from      inbox.State
	}{
		"ok/alone":             {facts{event: by("propose", requested, inbox.Owner), entry: out("Hi.")}, "Hi.", false, requested},
		"ok/after a rule":      {facts{event: by("propose", proposed, inbox.Owner), entry: out("Hi."), older: []older{{by("propose", requested, inbox.Rule), "Ho."}}}, "Ho.\n\nHi.", true, requested},
		"ok/nothing said":      {facts{event: by("accept", proposed, inbox.CustomerAgent), older: []older{{by("propose", requested, inbox.Owner), ""}}}, "", false, proposed},
		"ok/what we said":      {facts{event: by("accept", proposed, inbox.CustomerAgent), older: []older{{by("propose", requested, inbox.OwnerAI), "Ho."}}}, "Ho.", true, proposed},
		"ok/not what they did": {facts{event: by("counter", proposed, inbox.CustomerAgent), entry: &inbox.Entry{Direction: inbox.DirectionIn, BodyText: "No."}}, "", false, proposed},
	} {
		if said := c.f.said(); said != c.said {
			t.Errorf("%s: said %q", name, said)
		}
		if c.f.disclosed() != c.disclosed || c.f.from() != c.from {
			t.Errorf("%s: disclosed %v, from %s", name, c.f.disclosed(), c.f.from())
		}
	}
}

// TestSaidWith: the note of an event counts when the conversation shows it as
// sent, and only then.
func TestSaidWith(t *testing.T) {
	ev := &inbox.Event{CreatedAt: 7, Meta: inbox.Meta{Input: []byte(`{"note":"Hi."}`)}}
	sent := inbox.Entry{Direction: inbox.DirectionOut, Quiet: true, BodyText: "Hi.", CreatedAt: 7}
	with := func(change func(*inbox.Entry)) []inbox.Entry { e := sent; change(&e); return []inbox.Entry{e} }
	for name, c := range map[string]struct {
		ev      *inbox.Event
		entries []inbox.Entry
		want    string
	}{
		"ok/sent":            {ev, []inbox.Entry{sent}, "Hi."},
		"fail/kept inside":   {ev, with(func(e *inbox.Entry) { e.Direction = inbox.DirectionNote }), ""},
		"fail/at other time": {ev, with(func(e *inbox.Entry) { e.CreatedAt = 8 }), ""},
		"fail/other words":   {ev, with(func(e *inbox.Entry) { e.BodyText = "Ho." }), ""},
		"fail/a reply":       {ev, with(func(e *inbox.Entry) { e.Quiet = false }), ""},
		"fail/no input":      {&inbox.Event{CreatedAt: 7}, []inbox.Entry{sent}, ""},
	} {
		if got := saidWith(c.ev, c.entries); got != c.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}

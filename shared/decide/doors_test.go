package decide

import (
	"reflect"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

// TestCustomerWords: what a customer's words do, by the state of the item and by
// the door they come through.
func TestCustomerWords(t *testing.T) {
	type want struct {
		event    string // fired, "" appended
		state    inbox.State
		told     string
		appended bool
	}
	moved := func(event string, s inbox.State) want { return want{event, s, "notify_owner:" + event, false} }
	kept := func(s inbox.State) want { return want{"", s, "notify_owner", true} }
	for name, c := range map[string]struct {
		typ   inbox.Type
		state inbox.State
		want
	}{
		"ok/booking requested":    {inbox.TypeBooking, inbox.StateRequested, kept(inbox.StateRequested)},
		"ok/booking needs_info":   {inbox.TypeBooking, inbox.StateNeedsInfo, moved("provide_info", inbox.StateRequested)},
		"ok/booking confirmed":    {inbox.TypeBooking, inbox.StateConfirmed, kept(inbox.StateConfirmed)},
		"ok/booking over":         {inbox.TypeBooking, inbox.StateDeclined, kept(inbox.StateDeclined)},
		"ok/message open":         {inbox.TypeMessage, inbox.StateOpen, kept(inbox.StateOpen)},
		"ok/message answered":     {inbox.TypeMessage, inbox.StateAnswered, moved("reopen", inbox.StateOpen)},
		"ok/message closed":       {inbox.TypeMessage, inbox.StateClosed, moved("reopen", inbox.StateOpen)},
		"ok/spam is kept quietly": {inbox.TypeMessage, inbox.StateSpam, want{"", inbox.StateSpam, "", true}},
	} {
		doors := map[string]struct {
			do     func(w *world) (Outcome, error)
			status int // when appended
		}{
			"details": {func(w *world) (Outcome, error) { return Details(w.f, w.customer(), "these words", w.env()) }, 202},
			"message": {func(w *world) (Outcome, error) {
				r := inbox.SendMessageRequest{Body: "these words", MessageID: "<1@x>", Subject: "Re: cut"}
				return Message(w.f, w.customer(), r, w.env())
			}, 200},
		}
		for door, d := range doors {
			t.Run(name+"/"+door, func(t *testing.T) {
				w := inState(t, c.typ, c.state)
				w.now++
				events, version := len(w.events), w.f.Record.Item.Version
				out := w.ok(w.pure(func() (Outcome, error) { return d.do(w) }))
				result := out.Body.(inbox.CustomerResult)
				status := 200
				if c.appended {
					status = d.status
				}
				if out.Status != status || result.Appended != c.appended || (result.WaitingOn != nil) != c.appended {
					t.Errorf("%d %+v", out.Status, result)
				}
				if w.f.Record.Item.State != c.want.state || strings.Join(told(out.Write), " ") != c.told {
					t.Errorf("in %s, told %v", w.f.Record.Item.State, told(out.Write))
				}
				if c.event == "" && (len(w.events) != events || w.f.Record.Item.Version != version) {
					t.Error("words alone moved the version")
				}
				if c.event != "" && w.events[events].Event != c.event {
					t.Errorf("fired %s", w.events[events].Event)
				}
				e := w.entries[len(w.entries)-1]
				if e.Direction != inbox.DirectionIn || e.BodyText != "these words" || e.PartyID != w.f.Record.Item.PartyID || e.Quiet == c.appended {
					t.Errorf("%+v", e)
				}
				if door == "message" && (e.MessageID != "<1@x>" || e.Subject != "Re: cut") {
					t.Errorf("%+v", e)
				}
				if last := result.View.Thread[len(result.View.Thread)-1]; last.From != "you" || last.Text != "these words" {
					t.Errorf("%+v", result.View.Thread)
				}
				if c.appended && c.told != "" {
					if effect := out.Write.Jobs[0].Effects[0]; effect.ID != "entry:"+e.ID+":owner" || effect.EntryID != e.ID {
						t.Errorf("%+v", effect)
					}
				}
			})
		}
	}
}

// TestStrangers: every door of the customer's asks whose the item is.
func TestStrangers(t *testing.T) {
	doors := map[string]func(*world, inbox.Caller) (Outcome, error){
		"cancel":  func(w *world, c inbox.Caller) (Outcome, error) { return Cancel(w.f, c, "", w.env()) },
		"details": func(w *world, c inbox.Caller) (Outcome, error) { return Details(w.f, c, "x", w.env()) },
		"message": func(w *world, c inbox.Caller) (Outcome, error) {
			return Message(w.f, c, inbox.SendMessageRequest{Body: "x"}, w.env())
		},
	}
	for door, do := range doors {
		for name, c := range map[string]struct {
			by func(*world) inbox.Caller
			ok bool
		}{
			"ok/token":                      {(*world).customer, true},
			"ok/party":                      {func(w *world) inbox.Caller { return party(w.f.Record.Item.PartyID) }, true},
			"fail/no token":                 {func(w *world) inbox.Caller { w.token = ""; return w.customer() }, false},
			"fail/wrong token":              {func(w *world) inbox.Caller { w.token += "x"; return w.customer() }, false},
			"fail/the hash is no token":     {func(w *world) inbox.Caller { w.token = w.f.Record.AccessTokenHash; return w.customer() }, false},
			"fail/another party":            {func(*world) inbox.Caller { return party("OTHER") }, false},
			"fail/neither side has a party": {func(w *world) inbox.Caller { w.f.Record.Item.PartyID = ""; return party("") }, false},
			"fail/the owner":                {func(*world) inbox.Caller { return owner }, false},
			"fail/the system":               {func(*world) inbox.Caller { return sweeper }, false},
		} {
			w := inState(t, inbox.TypeBooking, inbox.StateRequested)
			who := c.by(w)
			_, err := w.pure(func() (Outcome, error) { return do(w, who) })
			if c.ok != (err == nil) {
				t.Errorf("%s/%s: %v", door, name, err)
			}
			if !c.ok && problem(t, err).Code != inbox.CodeNotAllowed {
				t.Errorf("%s/%s: %v", door, name, err)
			}
			if who.IsCustomer() && (Owns(w.f.Record, who) == nil) != c.ok {
				t.Errorf("%s/%s: Owns says otherwise", door, name)
			}
		}
	}
}

func party(id string) inbox.Caller {
	return inbox.Caller{Actor: inbox.Actor{Kind: inbox.CustomerAgent, ID: "KEY", PartyID: id, Channel: inbox.ChannelREST}}
}

// TestCancelDoor: by type and state.
func TestCancelDoor(t *testing.T) {
	for name, c := range map[string]struct {
		typ   inbox.Type
		state inbox.State
		code  inbox.Code
	}{
		"ok/requested":      {inbox.TypeBooking, inbox.StateRequested, ""},
		"ok/needs_info":     {inbox.TypeBooking, inbox.StateNeedsInfo, ""},
		"ok/proposed":       {inbox.TypeBooking, inbox.StateProposed, ""},
		"ok/confirmed":      {inbox.TypeBooking, inbox.StateConfirmed, ""},
		"fail/completed":    {inbox.TypeBooking, inbox.StateCompleted, inbox.CodeWrongState},
		"fail/declined":     {inbox.TypeBooking, inbox.StateDeclined, inbox.CodeWrongState},
		"fail/message open": {inbox.TypeMessage, inbox.StateOpen, inbox.CodeWrongState},
		"fail/spam":         {inbox.TypeMessage, inbox.StateSpam, inbox.CodeWrongState},
	} {
		w := inState(t, c.typ, c.state)
		out, err := w.pure(func() (Outcome, error) { return Cancel(w.f, w.customer(), "I am ill", w.env()) })
		if c.code != "" {
			if p := problem(t, err); p.Code != c.code || p.Details["state"] == inbox.StateSpam {
				t.Errorf("%s: %v %v", name, p, p.Details)
			}
			continue
		}
		w.ok(out, err)
		ev := w.events[len(w.events)-1]
		if ev.Reason != nil || string(ev.Meta.Input) != `{"note":"I am ill"}` {
			t.Errorf("%s: reason %v, input %s", name, ev.Reason, ev.Meta.Input)
		}
		if w.entries[len(w.entries)-1].BodyText != "I am ill" || *w.f.Record.Item.ClosedAt != w.now {
			t.Errorf("%s: %+v", name, w.entries)
		}
	}
}

// TestReply: by state, in and out.
func TestReply(t *testing.T) {
	for name, c := range map[string]struct {
		typ      inbox.Type
		state    inbox.State
		by       inbox.Caller
		internal bool
		to       inbox.State
		event    string
		told     string
	}{
		"ok/open message: its answer":      {inbox.TypeMessage, inbox.StateOpen, owner, false, inbox.StateAnswered, "answer", "notify_customer:answer"},
		"ok/open message, internal":        {inbox.TypeMessage, inbox.StateOpen, owner, true, inbox.StateOpen, "", ""},
		"ok/answered message: once more":   {inbox.TypeMessage, inbox.StateAnswered, owner, false, inbox.StateAnswered, "", "notify_customer"},
		"ok/closed message":                {inbox.TypeMessage, inbox.StateClosed, staff, false, inbox.StateClosed, "", "notify_customer"},
		"ok/spam is told nothing":          {inbox.TypeMessage, inbox.StateSpam, owner, false, inbox.StateSpam, "", ""},
		"ok/booking":                       {inbox.TypeBooking, inbox.StateConfirmed, assistant, false, inbox.StateConfirmed, "", "notify_customer"},
		"ok/booking, internal by a key":    {inbox.TypeBooking, inbox.StateConfirmed, key, true, inbox.StateConfirmed, "", ""},
		"ok/internal words may name money": {inbox.TypeBooking, inbox.StateConfirmed, assistant, true, inbox.StateConfirmed, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, c.typ, c.state)
			events := len(w.events)
			w.now++
			body := "words"
			if c.internal {
				body = "worth €30"
			}
			out := w.ok(reply(w, c.by, inbox.ReplyRequest{Body: body, Internal: c.internal}))
			e := w.entries[len(w.entries)-1]
			direction := inbox.DirectionOut
			if c.internal {
				direction = inbox.DirectionNote
			}
			if e.Direction != direction || e.BodyText != body || e.Quiet != (c.event != "") {
				t.Errorf("%+v", e)
			}
			if strings.Join(told(out.Write), " ") != c.told || w.f.Record.Item.State != c.to {
				t.Errorf("told %v in %s", told(out.Write), w.f.Record.Item.State)
			}
			if c.event != "" && w.events[events].Event != c.event || c.event == "" && len(w.events) != events {
				t.Errorf("events %+v", w.events[events:])
			}
			if out.Status != 200 || w.f.Record.LastEntryID != e.ID {
				t.Errorf("%d %s", out.Status, w.f.Record.LastEntryID)
			}
		})
	}
	w := inState(t, inbox.TypeBooking, inbox.StateRequested)
	for _, who := range []inbox.Caller{w.customer(), sweeper, connector} {
		_, err := reply(w, who, inbox.ReplyRequest{Body: "x"})
		if p := problem(t, err); p.Code != inbox.CodeNotAllowed {
			t.Errorf("%s: %v", who.Kind, p)
		}
	}
}

// TestWordsMoveTheRow: entries bump no version, but the row's rev, its date and
// what the ETag is made of.
func TestWordsMoveTheRow(t *testing.T) {
	w := inState(t, inbox.TypeBooking, inbox.StateConfirmed)
	w.now = w.now.Add(inbox.Minute)
	before := *w.f.Record
	w.ok(reply(w, owner, inbox.ReplyRequest{Body: "one"}))
	after := *w.f.Record
	if after.LastEntryID == before.LastEntryID || after.Item.UpdatedAt != w.now || after.Rev != before.Rev+1 {
		t.Errorf("%+v", after)
	}
	after.Rev, after.LastEntryID, after.Item.UpdatedAt = before.Rev, before.LastEntryID, before.Item.UpdatedAt
	after.LastHash = before.LastHash
	if !reflect.DeepEqual(after, before) {
		t.Errorf("words changed more: %+v, %+v", after, before)
	}
}

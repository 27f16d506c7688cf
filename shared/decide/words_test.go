package decide

import (
	"reflect"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

const secret = "sdi_own_0123456789abcdefghijklmnopqrstuv"

func reply(w *world, c inbox.Caller, r inbox.ReplyRequest) (Outcome, error) {
	return w.pure(func() (Outcome, error) { return Reply(w.f, c, r, w.env()) })
}

// TestNotes: a note becomes a thread entry in the direction of who wrote it,
// born quiet.
func TestNotes(t *testing.T) {
	for name, c := range map[string]struct {
		state     inbox.State
		by        string
		event     string
		direction inbox.Direction
		writtenBy string
		says      string // written_by of the request
	}{
		"ok/person":                         {inbox.StateRequested, "P owner", "request_info", inbox.DirectionOut, "person", ""},
		"ok/person says automation":         {inbox.StateRequested, "P owner", "request_info", inbox.DirectionOut, "automation", "automation"},
		"ok/assistant":                      {inbox.StateRequested, "A", "request_info", inbox.DirectionOut, "automation", ""},
		"ok/assistant cannot say person":    {inbox.StateRequested, "A owner key", "request_info", inbox.DirectionOut, "automation", "person"},
		"ok/key":                            {inbox.StateRequested, "K", "request_info", inbox.DirectionOut, "automation", ""},
		"ok/key says person":                {inbox.StateRequested, "K", "request_info", inbox.DirectionOut, "person", "person"},
		"ok/owner saying person is nothing": {inbox.StateRequested, "P owner", "request_info", inbox.DirectionOut, "person", "person"},
		"ok/rule":                           {inbox.StateRequested, "R", "request_info", inbox.DirectionOut, "automation", ""},
		"ok/internal row":                   {inbox.StateRequested, "P owner", "record_cancel", inbox.DirectionNote, "person", ""},
		"ok/customer":                       {inbox.StateRequested, "C", "cancel", inbox.DirectionIn, "", ""},
		"ok/customer cannot say anything":   {inbox.StateRequested, "C", "cancel", inbox.DirectionIn, "", "automation"},
		"ok/connector":                      {inbox.StateNeedsInfo, "X", "provide_info", inbox.DirectionIn, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, inbox.TypeBooking, c.state)
			who := w.actors()[c.by]
			r := request(c.event, `{"note":"these words"}`)
			r.WrittenBy = c.says
			before := len(w.entries)
			out := w.ok(w.decide(who, r))
			if len(w.entries) != before+1 {
				t.Fatalf("entries %+v", w.entries)
			}
			e := w.entries[before]
			want := inbox.Entry{
				ID: e.ID, ItemID: w.f.Record.Item.ID, Direction: c.direction, Channel: who.Channel, ActorKind: who.Kind,
				ActorID: who.ID, BodyText: "these words", WrittenBy: c.writtenBy, Quiet: true, CreatedAt: w.now,
			}
			if c.direction == inbox.DirectionIn {
				want.PartyID = w.f.Record.Item.PartyID
			}
			if !reflect.DeepEqual(e, want) {
				t.Errorf("%+v, want %+v", e, want)
			}
			for _, j := range out.Write.Jobs {
				for _, effect := range j.Effects {
					if (effect.EntryID == e.ID) != (c.direction != inbox.DirectionNote) {
						t.Errorf("effect %+v", effect)
					}
				}
			}
		})
	}
}

// TestNoNote: blank words are no entry.
func TestNoNote(t *testing.T) {
	for _, input := range []string{"", "null", "{}", `{"note":""}`, `{"note":" \n "}`} {
		w := inState(t, inbox.TypeBooking, inbox.StateRequested)
		w.fire(owner, "request_info", input)
		if len(w.entries) != 0 {
			t.Errorf("%q: %+v", input, w.entries)
		}
	}
}

// TestInputLimits tests every field of every working input from both sides.
func TestInputLimits(t *testing.T) {
	long := func(n int) string { return strings.Repeat("é", n) }
	for name, c := range map[string]struct {
		typ   inbox.Type
		state inbox.State
		by    string
		event string
		input string
		path  string // "path problem", "" for none
	}{
		"ok/note of 2,000":            {inbox.TypeBooking, inbox.StateRequested, "P owner", "decline", `{"note":"` + long(2000) + `"}`, ""},
		"fail/note of 2,001":          {inbox.TypeBooking, inbox.StateRequested, "P owner", "decline", `{"note":"` + long(2001) + `"}`, "input.note invalid"},
		"ok/reason code":              {inbox.TypeBooking, inbox.StateRequested, "C", "cancel", `{"reasonCode":"delivery"}`, ""},
		"fail/reason code":            {inbox.TypeBooking, inbox.StateRequested, "C", "cancel", `{"reasonCode":"weather"}`, "input.reasonCode invalid"},
		"ok/unknown fields":           {inbox.TypeBooking, inbox.StateRequested, "C", "cancel", `{"startTime":5,"x":{}}`, ""},
		"fail/no object":              {inbox.TypeBooking, inbox.StateRequested, "C", "cancel", `[]`, "input invalid"},
		"ok/details of 20,000":        {inbox.TypeBooking, inbox.StateNeedsInfo, "C", "provide_info", `{"note":"` + long(20000) + `"}`, ""},
		"fail/details of 20,001":      {inbox.TypeBooking, inbox.StateNeedsInfo, "C", "provide_info", `{"note":"` + long(20001) + `"}`, "input.note invalid"},
		"ok/answer of 20,000":         {inbox.TypeMessage, inbox.StateOpen, "P owner", "answer", `{"note":"` + long(20000) + `"}`, ""},
		"fail/answer of 20,001":       {inbox.TypeMessage, inbox.StateOpen, "P owner", "answer", `{"note":"` + long(20001) + `"}`, "input.note invalid"},
		"fail/close of 2,001":         {inbox.TypeMessage, inbox.StateOpen, "P owner", "close", `{"note":"` + long(2001) + `"}`, "input.note invalid"},
		"ok/recorded no of 2,000":     {inbox.TypeBooking, inbox.StateRequested, "P owner", "record_cancel", `{"note":"` + long(2000) + `"}`, ""},
		"fail/recorded no of 2,001":   {inbox.TypeBooking, inbox.StateRequested, "P owner", "record_cancel", `{"note":"` + long(2001) + `"}`, "input.note invalid"},
		"fail/recorded no of nothing": {inbox.TypeBooking, inbox.StateRequested, "P owner", "record_cancel", ``, "input.note missing"},
		"fail/recorded no of blanks":  {inbox.TypeBooking, inbox.StateRequested, "P owner", "record_cancel", `{"note":"  "}`, "input.note invalid"},
		"ok/key before the promise":   {inbox.TypeBooking, inbox.StateRequested, "K", "record_cancel", `{"note":"x"}`, ""},
		"fail/key after it":           {inbox.TypeBooking, inbox.StateConfirmed, "K$", "record_cancel", `{"note":"x"}`, "input.entryId missing"},
		"fail/assistant after it":     {inbox.TypeBooking, inbox.StateConfirmed, "A", "record_cancel", `{"note":"x"}`, "input.entryId missing"},
		"ok/person after it":          {inbox.TypeBooking, inbox.StateConfirmed, "P staff", "record_cancel", `{"note":"x"}`, ""},
		"fail/unknown entry":          {inbox.TypeBooking, inbox.StateConfirmed, "P owner", "record_cancel", `{"note":"x","entryId":"NONE"}`, "input.entryId invalid"},
		"fail/entry id of 65":         {inbox.TypeBooking, inbox.StateConfirmed, "P owner", "record_cancel", `{"note":"x","entryId":"` + strings.Repeat("x", 65) + `"}`, "input.entryId invalid"},
	} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, c.typ, c.state)
			out, err := w.decide(w.actors()[c.by], request(c.event, c.input))
			if c.path == "" {
				w.ok(out, err)
				return
			}
			p := problem(t, err)
			if p.Code != inbox.CodeInvalidInput || p.Fields[0].Path+" "+string(p.Fields[0].Problem) != c.path {
				t.Errorf("%v, want %s", p, c.path)
			}
		})
	}
}

// TestAskedAt: inside the tolerance clamped, outside refused; an entry's arrival
// is the moment whatever else is said.
func TestAskedAt(t *testing.T) {
	const minute = inbox.Minute
	now := monday.Add(inbox.Hour)
	entry := inbox.Entry{ID: "E", Direction: inbox.DirectionIn, CreatedAt: monday.Add(5 * minute)}
	out, other := entry, entry
	out.Direction, other.ItemID = inbox.DirectionOut, "OTHER"
	for name, c := range map[string]struct {
		asked inbox.Instant
		entry *inbox.Entry
		kept  inbox.Instant // 0 refused
	}{
		"ok/not said: now":                   {0, nil, now},
		"ok/between":                         {monday + 7, nil, monday + 7},
		"ok/a minute before creation":        {monday - minute, nil, monday},
		"fail/a millisecond earlier":         {monday - minute - 1, nil, 0},
		"ok/a minute ahead":                  {now + minute, nil, now},
		"fail/a millisecond later":           {now + minute + 1, nil, 0},
		"ok/entry":                           {0, &entry, entry.CreatedAt},
		"ok/entry, and a time refused alone": {monday - inbox.Day, &entry, entry.CreatedAt},
		"fail/an outgoing entry":             {0, &out, 0},
		"fail/another item's entry":          {0, &other, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, inbox.TypeBooking, inbox.StateRequested)
			w.now = now
			input := map[string]any{"note": "x"}
			if c.asked != 0 {
				input["askedAt"] = c.asked
			}
			if c.entry != nil {
				e := *c.entry
				if e.ItemID == "" {
					e.ItemID = w.f.Record.Item.ID
				}
				w.f.Entry = &e
				input["entryId"] = "E"
			}
			outcome, err := w.decide(owner, request("record_cancel", string(mustJSON(input))))
			if c.kept == 0 {
				if p := problem(t, err); p.Code != inbox.CodeInvalidInput {
					t.Error(p)
				}
				return
			}
			w.ok(outcome, err)
			var kept inbox.RecordCancelInput
			if unjson(t, w.events[1].Meta.Input, &kept); *kept.AskedAt != c.kept {
				t.Errorf("asked at %v, want %v", kept.AskedAt, c.kept)
			}
		})
	}
}

// TestHeld: words of automation that name money stay inside.
func TestHeld(t *testing.T) {
	for name, c := range map[string]struct {
		by   string
		says string
		text string
		held bool
	}{
		"ok/person names money":             {"P owner", "", "It is €30.", false},
		"ok/key with money names it":        {"K$", "", "It is €30.", false},
		"ok/a rule's words are the owner's": {"R", "", "It is €30.", false},
		"ok/assistant names none":           {"A", "", "See you at 14:00.", false},
		"ok/a key's person wrote it":        {"K", "person", "It is 30 euros.", false},
		"fail/assistant names money":        {"A", "", "It is €30.", true},
		"fail/full key over MCP":            {"A owner key", "person", "It is €30.", true},
		"fail/key without money":            {"K", "", "EUR 30 it is", true},
	} {
		t.Run(name+"/reply on a booking", func(t *testing.T) {
			w := inState(t, inbox.TypeBooking, inbox.StateRequested)
			out := w.ok(reply(w, w.actors()[c.by], inbox.ReplyRequest{Body: c.text, WrittenBy: c.says}))
			w.isHeld(out, c.held, inbox.StateRequested)
		})
		t.Run(name+"/reply on a message", func(t *testing.T) {
			w := inState(t, inbox.TypeMessage, inbox.StateOpen)
			out := w.ok(reply(w, w.actors()[c.by], inbox.ReplyRequest{Body: c.text, WrittenBy: c.says}))
			state := inbox.StateAnswered
			if c.held {
				state = inbox.StateOpen
			}
			w.isHeld(out, c.held, state)
		})
		t.Run(name+"/note of a question", func(t *testing.T) {
			w := inState(t, inbox.TypeBooking, inbox.StateRequested)
			r := request("request_info", string(mustJSON(map[string]any{"note": c.text, "reasonCode": "other"})))
			r.WrittenBy = c.says
			out := w.ok(w.decide(w.actors()[c.by], r))
			e, ev := w.entries[len(w.entries)-1], w.events[len(w.events)-1]
			if (e.Direction == inbox.DirectionNote) != c.held || w.f.Record.Item.State != inbox.StateNeedsInfo ||
				w.f.Record.Item.Flags.NeedsHuman != c.held || ev.Meta.HeldReply != c.held {
				t.Errorf("%+v %+v", e, ev)
			}
			if strings.Contains(string(ev.Meta.Input), c.text) == c.held || !strings.Contains(string(ev.Meta.Input), "other") {
				t.Errorf("the event says %s", ev.Meta.Input)
			}
			if got := out.Body.(inbox.TransitionResult).Held; (got != nil) != c.held {
				t.Errorf("held %v", got)
			}
			want := []string{"notify_customer:request_info"}
			if c.held {
				want = append(want, "notify_owner:held_reply")
			}
			if got := told(out.Write); !reflect.DeepEqual(got, want) || (out.Write.Jobs[0].Effects[0].EntryID == "") != c.held {
				t.Errorf("told %v", out.Write.Jobs)
			}
		})
	}
}

// isHeld checks a reply that was held, or one that went out.
func (w *world) isHeld(out Outcome, held bool, state inbox.State) {
	w.t.Helper()
	e, r := w.entries[len(w.entries)-1], w.f.Record
	result := out.Body.(inbox.TransitionResult)
	if (result.Held != nil) != held || r.Item.State != state || r.Item.Flags.NeedsHuman != held {
		w.t.Errorf("held %v in %s, %+v", result.Held, r.Item.State, r.Item.Flags)
	}
	if !held {
		if e.Direction != inbox.DirectionOut || len(told(out.Write)) != 1 {
			w.t.Errorf("%+v, told %v", e, told(out.Write))
		}
		return
	}
	ev := w.events[len(w.events)-1]
	want := &inbox.Diff{Flags: &[2]inbox.Flags{{}, {NeedsHuman: true}}}
	if ev.Event != inbox.EventFlags || !reflect.DeepEqual(ev.Diff, want) || !ev.Meta.HeldReply ||
		!reflect.DeepEqual(ev.Meta.Breaches, []string{"amount_named"}) || *ev.FromState != state || ev.ToState != state {
		w.t.Errorf("%+v", ev)
	}
	if e.Direction != inbox.DirectionNote || !reflect.DeepEqual(told(out.Write), []string{"notify_owner:held_reply"}) || result.Held.Breaches[0] != "amount_named" {
		w.t.Errorf("%+v, told %v", e, told(out.Write))
	}
}

// TestLimits: automation confirms at list prices alone.
func TestLimits(t *testing.T) {
	price := func(minor int64) func(*world) {
		return func(w *world) { w.f.Record.Item.Payload.Booking.TotalPrice = eur(minor) }
	}
	for name, c := range map[string]struct {
		by  string
		do  func(*world)
		why string
	}{
		"ok/assistant at the list price":  {"A", price(3000), ""},
		"ok/key at the list price":        {"K", price(3000), ""},
		"ok/assistant without a price":    {"A", func(w *world) { w.f.Record.Item.Payload.Booking.TotalPrice = nil }, ""},
		"ok/key with money at any":        {"K$", price(1), ""},
		"ok/person at any":                {"P owner", price(1), ""},
		"ok/a rule is judged by its own":  {"R", price(1), ""},
		"fail/assistant below":            {"A", price(2999), "limits_not_set"},
		"fail/assistant above":            {"A owner key", price(3001), "limits_not_set"},
		"fail/key below":                  {"K", price(2999), "limits_not_set"},
		"fail/service not known any more": {"K", func(w *world) { w.f.Service = nil }, "limits_not_set"},
		"fail/unpriced, rule":             {"R", func(w *world) { w.f.Record.Unpriced = true }, "business_priced"},
		"fail/unpriced, assistant":        {"A", func(w *world) { w.f.Record.Unpriced = true }, "business_priced"},
		"fail/unpriced, key":              {"K", func(w *world) { w.f.Record.Unpriced = true }, "business_priced"},
		"ok/unpriced, key with money":     {"K$", func(w *world) { w.f.Record.Unpriced = true }, ""},
		"ok/unpriced, person":             {"P staff", func(w *world) { w.f.Record.Unpriced = true }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, inbox.TypeBooking, inbox.StateRequested)
			c.do(w)
			who := w.actors()[c.by]
			out, err := w.decide(who, request("confirm"))
			if c.why == "" {
				w.ok(out, err)
				return
			}
			p := problem(t, err)
			if why(p) != c.why {
				t.Errorf("%v", p)
			}
			if c.why == "business_priced" && p.Details["draft_for_owner"] != true {
				t.Errorf("%v", p.Details)
			}
			if asks, _ := p.Details["ask_owner"].(bool); c.why == "limits_not_set" && asks != who.IsAssistant() {
				t.Errorf("%v", p.Details)
			}
		})
	}
}

// TestSecrets are hidden wherever they come in, and the business is told.
func TestSecrets(t *testing.T) {
	told := func(t *testing.T, w *world, entries int) {
		t.Helper()
		if len(w.entries) != entries {
			t.Fatalf("entries %+v", w.entries)
		}
		last := w.entries[entries-1]
		if last.Direction != inbox.DirectionNote || last.ActorKind != inbox.System || !strings.Contains(last.BodyText, "hidden") {
			t.Errorf("note %+v", last)
		}
		raw := string(mustJSON([]any{w.f.Record, w.events, w.entries, w.offers, w.f.Party}))
		if strings.Contains(raw, secret) {
			t.Errorf("the secret is stored: %s", raw)
		}
	}
	t.Run("ok/booking", func(t *testing.T) {
		w := newWorld(t)
		r := bookingRequest()
		r.Payload.Booking.Notes, r.Message, r.Contact.Name = "my key is "+secret, secret, secret
		w.create(w.customer(), r)
		told(t, w, 2)
		if !strings.HasPrefix(w.f.Record.Item.Payload.Booking.Notes, "my key is sdi_own_") {
			t.Error(w.f.Record.Item.Payload.Booking.Notes)
		}
	})
	t.Run("ok/order, where no key belongs", func(t *testing.T) {
		w := newWorld(t)
		r := orderRequest()
		o := r.Payload.Order
		o.PaymentMethod, o.OrderedItem[0].SKU, r.Contact.Phone = secret, secret, secret
		o.BillingAddress, o.ShippingAddress = &inbox.PostalAddress{StreetAddress: secret}, &inbox.PostalAddress{AddressLocality: secret, AddressRegion: secret}
		w.create(w.customer(), r)
		told(t, w, 1)
		if o.BillingAddress.StreetAddress != secret {
			t.Error("the request itself was changed")
		}
	})
	t.Run("ok/message", func(t *testing.T) {
		w := newWorld(t)
		r := messageRequest()
		r.Payload.Message.Text, r.Payload.Message.Subject = "a "+secret, secret
		w.create(w.customer(), r)
		told(t, w, 2)
	})
	t.Run("ok/details", func(t *testing.T) {
		w := inState(t, inbox.TypeBooking, inbox.StateNeedsInfo)
		w.ok(w.pure(func() (Outcome, error) { return Details(w.f, w.customer(), secret, w.env()) }))
		told(t, w, 3)
	})
	t.Run("ok/words on an item", func(t *testing.T) {
		w := inState(t, inbox.TypeBooking, inbox.StateRequested)
		w.ok(w.pure(func() (Outcome, error) {
			return Message(w.f, w.customer(), inbox.SendMessageRequest{Body: secret, Subject: secret}, w.env())
		}))
		told(t, w, 2)
	})
	t.Run("ok/a person's note and reason", func(t *testing.T) {
		w := inState(t, inbox.TypeBooking, inbox.StateRequested)
		r := request("decline", `{"note":"`+secret+`"}`)
		r.Reason = secret
		w.ok(w.decide(owner, r))
		told(t, w, 2)
	})
	t.Run("fail/the assistant's note", func(t *testing.T) {
		w := inState(t, inbox.TypeBooking, inbox.StateRequested)
		_, err := w.decide(assistant, request("decline", `{"note":"`+secret+`"}`))
		if p := problem(t, err); why(p) != "would_leak" || p.Details["ask_owner"] != true {
			t.Error(p)
		}
	})
	for _, internal := range []bool{true, false} {
		w := inState(t, inbox.TypeBooking, inbox.StateRequested)
		_, err := reply(w, assistant, inbox.ReplyRequest{Body: secret, Internal: internal})
		if p := problem(t, err); why(p) != "would_leak" {
			t.Error(p)
		}
	}
}

package decide

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"typedinbox/shared/canon"
	"typedinbox/shared/inbox"
)

// TestTold lists whom each event tells, by who fires it.
func TestTold(t *testing.T) {
	for name, c := range map[string]struct {
		typ   inbox.Type
		state inbox.State
		by    string
		event string
		want  string
	}{
		"ok/confirm":               {inbox.TypeBooking, inbox.StateRequested, "P owner", "confirm", "notify_customer:confirm"},
		"ok/request_info":          {inbox.TypeBooking, inbox.StateRequested, "A", "request_info", "notify_customer:request_info"},
		"ok/provide_info":          {inbox.TypeBooking, inbox.StateNeedsInfo, "C", "provide_info", "notify_owner:provide_info"},
		"ok/provide_info, carried": {inbox.TypeBooking, inbox.StateNeedsInfo, "X", "provide_info", "notify_owner:provide_info"},
		"ok/decline":               {inbox.TypeBooking, inbox.StateRequested, "K", "decline", "notify_customer:decline"},
		"ok/cancel":                {inbox.TypeBooking, inbox.StateConfirmed, "C", "cancel", "notify_owner:cancel notify_customer:cancel"},
		"ok/cancel_late":           {inbox.TypeBooking, inbox.StateConfirmed, "C", "cancel_late", "notify_owner:cancel_late notify_customer:cancel_late"},
		"ok/cancel_by_business":    {inbox.TypeBooking, inbox.StateConfirmed, "P staff", "cancel_by_business", "notify_customer:cancel_by_business"},
		"ok/record_cancel":         {inbox.TypeBooking, inbox.StateConfirmed, "P owner", "record_cancel", "notify_customer:record_cancel"},
		"ok/expire":                {inbox.TypeBooking, inbox.StateRequested, "S", "expire", "notify_customer:expire"},
		"ok/complete":              {inbox.TypeBooking, inbox.StateConfirmed, "P owner", "complete", ""},
		"ok/complete by itself":    {inbox.TypeBooking, inbox.StateConfirmed, "S", "complete", ""},
		"ok/no_show":               {inbox.TypeBooking, inbox.StateConfirmed, "K", "no_show", ""},
		"ok/correction":            {inbox.TypeBooking, inbox.StateCompleted, "P owner", "no_show", ""},
		"ok/answer":                {inbox.TypeMessage, inbox.StateOpen, "R", "answer", "notify_customer:answer"},
		"ok/reopened by them":      {inbox.TypeMessage, inbox.StateAnswered, "C", "reopen", "notify_owner:reopen"},
		"ok/reopened by a person":  {inbox.TypeMessage, inbox.StateAnswered, "P owner", "reopen", ""},
		"ok/reopened by their AI":  {inbox.TypeMessage, inbox.StateAnswered, "A", "reopen", ""},
		"ok/reopened by a rule":    {inbox.TypeMessage, inbox.StateAnswered, "R", "reopen", ""},
		"ok/reopened by a key":     {inbox.TypeMessage, inbox.StateAnswered, "K", "reopen", "notify_owner:reopen"},
		"ok/close":                 {inbox.TypeMessage, inbox.StateOpen, "P owner", "close", ""},
		"ok/mark_spam":             {inbox.TypeMessage, inbox.StateOpen, "P owner", "mark_spam", ""},
		"ok/unspam":                {inbox.TypeMessage, inbox.StateSpam, "P owner", "unspam", ""},
	} {
		w := inState(t, c.typ, c.state)
		who := w.actors()[c.by]
		out := w.ok(w.decide(who, w.fitting(who, c.event, c.state)))
		if got := strings.Join(told(out.Write), " "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		ev := w.events[len(w.events)-1]
		for _, j := range out.Write.Jobs {
			for _, e := range j.Effects {
				to, _ := strings.CutPrefix(string(e.Kind), "notify_")
				if e.ID != "ev:"+ev.ID+":"+to || e.EventID != ev.ID {
					t.Errorf("%s: %+v", name, e)
				}
			}
		}
	}
}

// TestEvents is exact about the events of a booking's life.
func TestEvents(t *testing.T) {
	w := newWorld(t)
	w.create(w.customer(), bookingRequest())
	w.now = monday.Add(inbox.Hour)
	question := request("request_info", `{"note":"Which length?","unknown":1}`)
	question.Reason, question.WrittenBy = "not clear", "automation"
	named := moneyKey
	named.Name = "Calendar sync"
	w.ok(w.decide(named, question))
	w.ok(w.pure(func() (Outcome, error) { return Details(w.f, w.customer(), "Short.", w.env()) }))
	w.fire(owner, "confirm")

	until := monday.Add(72 * inbox.Hour)
	wound := w.now.Add(72 * inbox.Hour)
	o := w.offers[1]
	open := func(at inbox.Instant) json.RawMessage {
		p := inbox.OfferPointer{ID: o.ID, Rev: 1, By: inbox.SideCustomer, Round: 1, Status: inbox.OfferOpen, ValidThrough: &at}
		return mustJSON(p)
	}
	if wound > start {
		wound = start
	}
	accepted := mustJSON(inbox.OfferPointer{ID: o.ID, Rev: 1, By: inbox.SideCustomer, Round: 1, Status: inbox.OfferAccepted})
	diff := func(from, to inbox.State, before, after json.RawMessage) *inbox.Diff {
		return &inbox.Diff{State: &[2]inbox.State{from, to}, Payload: map[string][2]json.RawMessage{"offer": {before, after}}}
	}
	want := []inbox.Event{
		{
			Seq: 2, Event: "request_info", ActorKind: inbox.Integration, ActorID: moneyKey.ID, Reason: inbox.Ptr("not clear"),
			Diff: diff(inbox.StateRequested, inbox.StateNeedsInfo, open(until), open(wound)),
			Meta: inbox.Meta{Channel: inbox.ChannelREST, Tier: inbox.TierVerified, Input: json.RawMessage(`{"note":"Which length?"}`),
				WrittenBy: "automation", ActorName: "Calendar sync", ActsAs: "owner"},
		},
		{
			Seq: 3, Event: "provide_info", ActorKind: inbox.CustomerAgent, ActorID: "anon:1",
			Diff: &inbox.Diff{State: &[2]inbox.State{inbox.StateNeedsInfo, inbox.StateRequested}},
			Meta: inbox.Meta{Channel: inbox.ChannelREST, Tier: inbox.TierAnonymous, Input: json.RawMessage(`{"note":"Short."}`)},
		},
		{
			Seq: 4, Event: "confirm", ActorKind: inbox.Owner, ActorID: "user-1",
			Diff: diff(inbox.StateRequested, inbox.StateConfirmed, open(wound), accepted),
			Meta: inbox.Meta{Channel: inbox.ChannelREST, UserID: "user-1"},
		},
	}
	for i, got := range w.events[1:] {
		exp := want[i]
		exp.ID, exp.ItemID, exp.Type, exp.CreatedAt = got.ID, w.f.Record.Item.ID, inbox.TypeBooking, w.now
		exp.FromState, exp.ToState = &exp.Diff.State[0], exp.Diff.State[1]
		exp.PrevHash = "hash-" + string(rune('0'+exp.Seq-1))
		exp.Meta.Basis = w.f.Basis
		if string(mustJSON(got)) != string(mustJSON(exp)) {
			t.Errorf("%s\n%s", mustJSON(got), mustJSON(exp))
		}
	}
	if o.Status != inbox.OfferAccepted || o.ClosedEventID != w.events[3].ID || w.f.Record.AgreedOffer == nil {
		t.Errorf("%+v", o)
	}
}

// TestNeedsHuman: cleared by a person who moves the item, in the same event.
func TestNeedsHuman(t *testing.T) {
	flagged := inbox.Flags{NeedsHuman: true, Priority: 2}
	cleared := inbox.Flags{Priority: 2}
	for name, c := range map[string]struct {
		state inbox.State
		by    string
		event string
		after inbox.Flags
	}{
		"ok/owner":               {inbox.StateRequested, "P owner", "confirm", cleared},
		"ok/staff":               {inbox.StateRequested, "P staff", "request_info", cleared},
		"fail/assistant":         {inbox.StateRequested, "A", "confirm", flagged},
		"fail/full key over MCP": {inbox.StateRequested, "A owner key", "confirm", flagged},
		"fail/key":               {inbox.StateRequested, "K$", "confirm", flagged},
		"fail/rule":              {inbox.StateRequested, "R", "confirm", flagged},
		"fail/customer":          {inbox.StateRequested, "C", "cancel", flagged},
		"fail/system":            {inbox.StateRequested, "S", "expire", flagged},
	} {
		w := inState(t, inbox.TypeBooking, c.state)
		w.f.Record.Item.Flags = flagged
		who := w.actors()[c.by]
		w.ok(w.decide(who, w.fitting(who, c.event, c.state)))
		got := w.events[len(w.events)-1].Diff.Flags
		if w.f.Record.Item.Flags != c.after || (got != nil) != (c.after == cleared) {
			t.Errorf("%s: %+v, diff %v", name, w.f.Record.Item.Flags, got)
		}
		if got != nil && *got != [2]inbox.Flags{flagged, cleared} {
			t.Errorf("%s: %+v", name, got)
		}
	}
	w := inState(t, inbox.TypeBooking, inbox.StateRequested)
	w.fire(owner, "confirm")
	if w.events[1].Diff.Flags != nil {
		t.Error("nothing to clear, nothing in the diff")
	}
}

// TestClosedAt comes with closing, goes with reopening, stays with a correction.
func TestClosedAt(t *testing.T) {
	w := inState(t, inbox.TypeMessage, inbox.StateClosed)
	w.fire(owner, "reopen")
	if w.f.Record.Item.ClosedAt != nil {
		t.Error("reopened and still closed")
	}
	w = inState(t, inbox.TypeMessage, inbox.StateSpam)
	w.fire(owner, "unspam")
	if w.f.Record.Item.ClosedAt != nil {
		t.Error("out of spam and still closed")
	}
	w = inState(t, inbox.TypeMessage, inbox.StateAnswered)
	if w.f.Record.Item.ClosedAt != nil {
		t.Error("an answer closes nothing")
	}
	w = inState(t, inbox.TypeBooking, inbox.StateCompleted)
	w.fire(owner, "no_show")
	if w.f.Record.Item.ClosedAt == nil || !w.f.Record.Corrected {
		t.Errorf("corrected: %+v", w.f.Record)
	}
	w.now = completes
	_, err := w.decide(owner, request("complete"))
	if p := problem(t, err); why(p) != "within_correction_window" {
		t.Errorf("corrected twice: %v", p)
	}
}

// TestOffers follows the ledger through the ends of a request.
func TestOffers(t *testing.T) {
	for name, c := range map[string]struct {
		state  inbox.State
		by     string
		event  string
		rev    int
		status inbox.OfferStatus
		code   string
	}{
		"ok/confirmed":                       {inbox.StateRequested, "P owner", "confirm", 1, inbox.OfferAccepted, ""},
		"ok/declined":                        {inbox.StateRequested, "P owner", "decline", 1, inbox.OfferDeclined, "other"},
		"ok/cancelled by the customer":       {inbox.StateRequested, "C", "cancel", 1, inbox.OfferRetracted, ""},
		"ok/cancelled by the business":       {inbox.StateNeedsInfo, "P owner", "cancel_by_business", 1, inbox.OfferDeclined, "other"},
		"ok/a recorded no is the customer's": {inbox.StateRequested, "P owner", "record_cancel", 1, inbox.OfferRetracted, ""},
		"ok/lapsed":                          {inbox.StateRequested, "S", "expire", 1, inbox.OfferExpired, ""},
		"ok/lapsed by a rule":                {inbox.StateRequested, "R", "expire", 1, inbox.OfferExpired, ""},
		"ok/proposal declined":               {inbox.StateProposed, "C", "cancel", 2, inbox.OfferDeclined, "other"},
		"ok/proposal ended by the business":  {inbox.StateProposed, "P owner", "decline", 2, inbox.OfferRetracted, ""},
		"ok/proposal, a recorded no":         {inbox.StateProposed, "P owner", "record_cancel", 2, inbox.OfferDeclined, ""},
		"ok/a question leaves it open":       {inbox.StateRequested, "P owner", "request_info", 1, inbox.OfferOpen, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, inbox.TypeBooking, c.state)
			who := w.actors()[c.by]
			r := w.fitting(who, c.event, c.state)
			if r.Input == nil {
				r.Input = []byte(`{"reasonCode":"other"}`)
			}
			w.ok(w.decide(who, r))
			o := w.offers[c.rev]
			if o.Status != c.status || o.ReasonCode != c.code {
				t.Errorf("%+v", o)
			}
			last := w.events[len(w.events)-1].ID
			if (o.ClosedEventID == last) != (c.status != inbox.OfferOpen) || o.UpdatedAt != w.now {
				t.Errorf("closed by %s at %v", o.ClosedEventID, o.UpdatedAt)
			}
			pointer := w.f.Record.Item.Payload.Offer()
			if (pointer == nil) == (c.status == inbox.OfferOpen || c.status == inbox.OfferAccepted) {
				t.Errorf("pointer %+v", pointer)
			}
			if c.state == inbox.StateProposed && w.f.Record.Item.Payload.Booking.Proposed == nil {
				t.Error("the proposal is not kept as history")
			}
		})
	}
}

// TestNoOfferOpen: a yes with no offer open writes the standing terms.
func TestNoOfferOpen(t *testing.T) {
	w := inState(t, inbox.TypeBooking, inbox.StateRequested)
	ended := w.offers[1]
	ended.Status = inbox.OfferRetracted
	w.offers[1] = ended
	w.f.Offer = nil
	w.f.Record.Item.Payload.SetOffer(nil)
	w.fire(owner, "confirm")
	o := w.offers[2]
	if o.Rev != 2 || o.Status != inbox.OfferAccepted || o.TermsSHA != ended.TermsSHA || o.EventID != w.events[1].ID {
		t.Errorf("%+v", o)
	}
}

// TestOfferBinding: automation takes back no offer that binds and has not
// lapsed; a recorded no is no taking back.
func TestOfferBinding(t *testing.T) {
	until := start // of a time an hour later
	for name, c := range map[string]struct {
		by      string
		event   string
		binding *bool
		now     inbox.Instant
		refused bool
	}{
		"fail/assistant declines":   {"A", "decline", nil, monday, true},
		"fail/key, a moment before": {"K", "cancel_by_business", nil, until - 1, true},
		"fail/rule":                 {"R", "decline", nil, monday, true},
		"ok/key as it lapses":       {"K", "cancel_by_business", nil, until, false},
		"ok/key, not binding":       {"K", "decline", inbox.Ptr(false), monday, false},
		"ok/key with money":         {"K$", "decline", nil, monday, false},
		"ok/person":                 {"P owner", "decline", nil, monday, false},
		"ok/assistant records a no": {"A", "record_cancel", nil, monday, false},
	} {
		w := inState(t, inbox.TypeBooking, inbox.StateProposed)
		o := w.offers[2]
		o.Binding = c.binding == nil
		w.offers[2], w.f.Offer = o, &o
		w.f.Record.Item.Payload.SetOffer(o.Pointer())
		w.now = c.now
		input := ""
		if c.event == "record_cancel" {
			input = `{"note":"rang"}`
		}
		_, err := w.decide(w.actors()[c.by], request(c.event, input))
		if !c.refused {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if p := problem(t, err); why(p) != "offer_binding" || p.Details["draft_for_owner"] != true {
			t.Errorf("%s: %v", name, p)
		}
	}
}

// TestVersion: an expected version that is old answers the current one.
func TestVersion(t *testing.T) {
	w := inState(t, inbox.TypeBooking, inbox.StateNeedsInfo)
	r := request("confirm")
	r.ExpectedVersion = inbox.Ptr(1)
	_, err := w.decide(owner, r)
	if p := problem(t, err); p.Code != inbox.CodeVersionConflict || p.Details["currentVersion"] != 2 {
		t.Errorf("%v", p)
	}
	r.ExpectedVersion = inbox.Ptr(2)
	w.ok(w.decide(owner, r))
}

// TestDiff compares payloads by their canonical JSON, key by key.
func TestDiff(t *testing.T) {
	base := func() *inbox.Booking {
		return &inbox.Booking{StartTime: start, EndTime: end, TotalPrice: eur(5), PartySize: inbox.Ptr(2), Notes: "a"}
	}
	long := strings.Repeat("x", 21<<10)
	for name, c := range map[string]struct {
		do   func(*inbox.Booking)
		want string
	}{
		"ok/nothing":                {func(*inbox.Booking) {}, "null"},
		"ok/an equal copy":          {func(b *inbox.Booking) { b.TotalPrice, b.PartySize = eur(5), inbox.Ptr(2) }, "null"},
		"ok/a scalar":               {func(b *inbox.Booking) { b.Notes = "b" }, `{"notes":["a","b"]}`},
		"ok/gone":                   {func(b *inbox.Booking) { b.Notes, b.TotalPrice = "", nil }, `{"notes":["a",null],"totalPrice":[{"value":5,"currency":"EUR"},null]}`},
		"ok/come":                   {func(b *inbox.Booking) { b.ResourceID = "R" }, `{"resourceId":[null,"R"]}`},
		"ok/a time":                 {func(b *inbox.Booking) { b.EndTime++ }, `{"endTime":["2026-10-08T10:00:00.000Z","2026-10-08T10:00:00.001Z"]}`},
		"ok/20 KB are told by hash": {func(b *inbox.Booking) { b.Notes = long }, `{"notes":["a",{"sha256":"` + canon.SHA256Hex([]byte(`"`+long+`"`)) + `","bytes":21506}]}`},
		"ok/20 KB once canonical":   {func(b *inbox.Booking) { b.Notes = strings.Repeat("<", 10<<10) }, `{"notes":["a","` + strings.Repeat("<", 10<<10) + `"]}`},
		"ok/a byte less stands":     {func(b *inbox.Booking) { b.Notes = long[:20<<10-2] }, `{"notes":["a","` + long[:20<<10-2] + `"]}`},
	} {
		after := base()
		c.do(after)
		got := plainJSON(payloadDiff(inbox.Payload{Booking: base()}, inbox.Payload{Booking: after}))
		if got != c.want {
			t.Errorf("%s: %.200s, want %.200s", name, got, c.want)
		}
	}
	if d := payloadDiff(inbox.Payload{}, inbox.Payload{}); d != nil {
		t.Errorf("no payloads differ: %v", d)
	}
	lines := func(n int64) inbox.Payload {
		return inbox.Payload{Order: &inbox.Order{OrderedItem: []inbox.OrderLine{{Name: "x", Quantity: n}}}}
	}
	if d := payloadDiff(lines(1), lines(2)); len(d) != 1 || d["orderedItem"][0] == nil {
		t.Errorf("lines: %v", d)
	}
	if d := payloadDiff(lines(1), lines(1)); d != nil {
		t.Errorf("equal lines: %v", d)
	}
}

// TestReplay: the same source and clock give the same bytes.
func TestReplay(t *testing.T) {
	life := func() string {
		w := newWorld(t)
		w.create(w.customer(), bookingRequest())
		w.fire(owner, "request_info", `{"note":"Which?"}`)
		w.ok(w.pure(func() (Outcome, error) { return Details(w.f, w.customer(), "Short.", w.env()) }))
		w.fire(key, "confirm")
		w.now = late
		w.ok(w.pure(func() (Outcome, error) { return Cancel(w.f, w.customer(), "", w.env()) }))
		return string(mustJSON([]any{w.f.Record, w.events, w.offers, w.entries, w.jobs, w.token}))
	}
	if a, b := life(), life(); a != b || !reflect.DeepEqual(a, b) {
		t.Errorf("%s\n%s", a, b)
	}
}

// plainJSON is JSON without escapes for HTML.
func plainJSON(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		panic(err)
	}
	return strings.TrimSpace(b.String())
}

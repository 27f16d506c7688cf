package decide

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

// ledger writes the offers of the item one after the other: rev, side, round,
// status.
func (w *world) ledger() string {
	var rows []string
	for rev := 1; rev <= len(w.offers); rev++ {
		o := w.offers[rev]
		rows = append(rows, fmt.Sprintf("%d %s %d %s", rev, o.By, o.Round, o.Status))
	}
	return strings.Join(rows, ", ")
}

// priced is a proposal of the usual hour at a price.
func priced(from inbox.Instant, cents int64) string {
	return string(mustJSON(inbox.ProposeTimeInput{StartTime: from, EndTime: from.Add(inbox.Hour), TotalPrice: eur(cents), Note: "would this do?"}))
}

// refusedWith fires an event that must be refused and answers the problem.
func (w *world) refusedWith(c inbox.Caller, event string, input ...string) *inbox.Problem {
	w.t.Helper()
	_, err := w.decide(c, request(event, input...))
	return problem(w.t, err)
}

// TestPropose is exact about what a proposal writes.
func TestPropose(t *testing.T) {
	w := newWorld(t)
	w.create(w.customer(), bookingRequest())
	w.now = monday.Add(inbox.Hour)
	two := start.Add(2 * inbox.Hour)
	out := w.fire(staff, "propose", priced(two, 3500))
	o := w.offers[2]
	until := two.Add(-inbox.Hour)
	want := inbox.Offer{
		ID: o.ID, ItemID: w.f.Record.Item.ID, Rev: 2, ParentID: w.offers[1].ID, Kind: "offer", Form: inbox.FormTime, By: inbox.SideBusiness,
		ActorKind: inbox.Staff, ActorID: staff.ID, Round: 2, Status: inbox.OfferOpen, ValidThrough: &until, Terms: o.Terms, TermsSHA: o.TermsSHA,
		Changes: []string{"$.endTime", "$.startTime", "$.totalPrice"}, Authored: "person", Binding: true, Note: "would this do?",
		Shown: &inbox.Shown{Lang: "en", Human: CustomerView(w.f, w.customer(), w.env()).Human, Disclosures: []string{"unheld"}}, EventID: w.events[1].ID,
		CreatedAt: w.now, UpdatedAt: w.now,
	}
	if !reflect.DeepEqual(o, want) {
		t.Errorf("%+v\nwant %+v", o, want)
	}
	terms := `{"endTime":"2026-10-08T12:00:00.000Z","startTime":"2026-10-08T11:00:00.000Z","totalPrice":{"currency":"EUR","value":3500}}`
	if string(o.Terms) != terms {
		t.Errorf("terms %s", o.Terms)
	}
	b := w.f.Record.Item.Payload.Booking
	proposed := &inbox.ProposedTime{StartTime: two, EndTime: two.Add(inbox.Hour), TotalPrice: eur(3500)}
	if !reflect.DeepEqual(b.Proposed, proposed) || b.StartTime != start || b.TotalPrice.Value != 3000 {
		t.Errorf("%+v", b)
	}
	if got := w.ledger(); got != "1 customer 1 countered, 2 business 2 open" || w.offers[1].ClosedEventID != w.events[1].ID {
		t.Errorf("%s %+v", got, w.offers[1])
	}
	if r := w.f.Record; *r.DueAt != until || r.DueKind != "expire" {
		t.Errorf("due %v %s", r.DueAt, r.DueKind)
	}
	if got := strings.Join(told(out.Write), " "); got != "notify_customer:propose" {
		t.Error(got)
	}
	if e := w.entries[0]; e.Direction != inbox.DirectionOut || e.BodyText != "would this do?" || !e.Quiet {
		t.Errorf("%+v", e)
	}
}

// TestProposedTimes: which times the business may put forward, and by whom.
func TestProposedTimes(t *testing.T) {
	hour := inbox.Instant(inbox.Hour)
	for name, c := range map[string]struct {
		by         inbox.Caller
		start, end inbox.Instant
		price      *inbox.Money
		taken      bool
		code       inbox.Code
		why        string
	}{
		"ok/any minute, off the grid and the hours": {owner, at("2026-10-09T03:07:00Z"), at("2026-10-09T05:00:00Z"), nil, false, "", ""},
		"ok/exactly the notice ahead":               {owner, monday + hour, monday + 2*hour, nil, false, "", ""},
		"ok/its own price":                          {moneyKey, start, end, eur(1), false, "", ""},
		"ok/a rule":                                 {rule, start, end, nil, false, "", ""},
		"fail/inside the notice":                    {owner, monday + hour - 1, monday + 2*hour, nil, false, inbox.CodeGuardFailed, "not_too_soon"},
		"fail/it has come":                          {owner, monday, monday + 2*hour, nil, false, inbox.CodeGuardFailed, "not_too_soon"},
		"fail/ends as it starts":                    {owner, start, start, nil, false, inbox.CodeInvalidInput, "input.endTime"},
		"fail/41 hours":                             {owner, start, start + 41*hour, nil, false, inbox.CodeInvalidInput, "input.endTime"},
		"fail/taken":                                {owner, start, end, nil, true, inbox.CodeSlotTaken, ""},
		"fail/taken before too soon":                {owner, monday, monday + hour, nil, true, inbox.CodeSlotTaken, ""},
		"fail/another currency":                     {owner, start, end, &inbox.Money{Value: 1, Currency: "GBP"}, false, inbox.CodeInvalidInput, "input.totalPrice.currency"},
		"fail/assistant":                            {assistant, start, end, nil, false, inbox.CodeNotAllowed, "limits_not_set"},
		"fail/full key over MCP":                    {ownerMCP, start, end, nil, false, inbox.CodeNotAllowed, "limits_not_set"},
		"fail/key":                                  {key, start, end, nil, true, inbox.CodeNotAllowed, "limits_not_set"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.create(w.customer(), bookingRequest())
			if c.taken {
				w.places["other"] = taken("other", "service:SVC", c.start, c.end)
			}
			in := inbox.ProposeTimeInput{StartTime: c.start, EndTime: c.end, TotalPrice: c.price}
			out, err := w.decide(c.by, request("propose", string(mustJSON(in))))
			if c.code == "" {
				w.ok(out, err)
				return
			}
			p := problem(t, err)
			path := why(p)
			if len(p.Fields) > 0 {
				path = p.Fields[0].Path
			}
			if p.Code != c.code || path != c.why {
				t.Errorf("%v %v", p, p.Details)
			}
		})
	}
}

// TestProposalValidity: 02 §13.1; what automation proposes never stands longer
// than negotiation.offerValidHours.
func TestProposalValidity(t *testing.T) {
	for name, c := range map[string]struct {
		by    inbox.Caller
		start inbox.Instant
		want  inbox.Instant
	}{
		"ok/a person":             {owner, start, start.Add(-inbox.Hour)},
		"ok/a key with money":     {moneyKey, start, start.Add(-inbox.Hour)},
		"ok/a rule":               {rule, start, monday.Add(48 * inbox.Hour)},
		"ok/a rule, a nearer one": {rule, monday.Add(24 * inbox.Hour), monday.Add(23 * inbox.Hour)},
	} {
		w := newWorld(t)
		w.create(w.customer(), bookingRequest())
		w.fire(c.by, "propose", proposal(c.start))
		if got := w.offers[2]; *got.ValidThrough != c.want || *w.f.Record.Item.Payload.Offer().ValidThrough != c.want || *w.f.Record.DueAt != c.want {
			t.Errorf("%s: %s, want %s", name, got.ValidThrough, c.want)
		}
	}
}

// TestAccept: the customer's yes makes the proposal the booking.
func TestAccept(t *testing.T) {
	one := start.Add(inbox.Hour)
	for name, c := range map[string]struct {
		input string
		price int64
		left  bool // what the customer stated stays
	}{
		"ok/at the booking's price": {proposal(one), 3000, true},
		"ok/at its own":             {priced(one, 3500), 3500, false},
	} {
		w := newWorld(t)
		r := bookingRequest()
		r.Payload.Booking.TotalPrice = eur(2500)
		w.create(w.customer(), r)
		w.fire(owner, "propose", c.input)
		out := w.fire(w.customer(), "accept")
		b := w.f.Record.Item.Payload.Booking
		if b.StartTime != one || b.EndTime != one.Add(inbox.Hour) || b.TotalPrice.Value != c.price || b.Proposed != nil || (b.CustomerStatedPrice != nil) != c.left {
			t.Errorf("%s: %+v", name, b)
		}
		if got := w.ledger(); got != "1 customer 1 countered, 2 business 2 accepted" || !reflect.DeepEqual(w.f.Record.AgreedOffer, w.f.Record.Item.Payload.Offer()) {
			t.Errorf("%s: %s", name, got)
		}
		if claim := w.f.Record.Claims[0]; len(w.f.Record.Claims) != 1 || claim.From != one || claim.Kind != inbox.ClaimBooking || claim.OfferID != "" {
			t.Errorf("%s: %+v", name, w.f.Record.Claims)
		}
		if got := strings.Join(told(out.Write), " "); got != "notify_owner:accept notify_customer:accept" {
			t.Errorf("%s: %s", name, got)
		}
		v := customerViewOf(w)
		if v.Offer != nil || v.Agreed == nil || v.Agreed.TermsSHA != w.offers[2].TermsSHA {
			t.Errorf("%s: %+v %+v", name, v.Offer, v.Agreed)
		}
	}
}

// TestYes: who may say yes to a proposal, and until when to the millisecond.
func TestYes(t *testing.T) {
	until := start // of a time an hour later, with an hour's notice
	one := start.Add(inbox.Hour)
	for name, c := range map[string]struct {
		event  string
		by     string
		now    inbox.Instant
		notice int
		full   bool
		code   inbox.Code
		why    string
	}{
		"ok/customer at its last moment":              {"accept", "C", until, 60, false, "", ""},
		"fail/customer a moment later":                {"accept", "C", until + 1, 60, false, inbox.CodeOfferExpired, ""},
		"fail/lapsed before too soon and taken":       {"accept", "C", one, 60, true, inbox.CodeOfferExpired, ""},
		"fail/the notice was lengthened":              {"accept", "C", until, 120, true, inbox.CodeGuardFailed, "not_too_soon"},
		"fail/taken meanwhile":                        {"accept", "C", monday, 60, true, inbox.CodeSlotTaken, ""},
		"ok/a person records it":                      {"confirm", "P owner", monday, 60, false, "", ""},
		"ok/a person, past its date":                  {"confirm", "P staff", until + 1, 60, false, "", ""},
		"ok/a person, inside the notice":              {"confirm", "P owner", one - 1, 60, false, "", ""},
		"fail/a person, as it starts":                 {"confirm", "P owner", one, 60, false, inbox.CodeGuardFailed, "not_too_soon"},
		"fail/a person, taken":                        {"confirm", "P owner", monday, 60, true, inbox.CodeSlotTaken, ""},
		"fail/the assistant records no yes":           {"confirm", "A", monday, 60, false, inbox.CodeNotAllowed, "person_only"},
		"fail/nor does a full key over MCP":           {"confirm", "A owner key", monday, 60, false, inbox.CodeNotAllowed, "person_only"},
		"fail/nor a key, with money or without":       {"confirm", "K$", monday, 60, false, inbox.CodeNotAllowed, "person_only"},
		"fail/nor a rule":                             {"confirm", "R", monday, 60, false, inbox.CodeNotAllowed, "person_only"},
		"fail/a customer's yes is theirs to say":      {"accept", "P owner", monday, 60, false, inbox.CodeNotAllowed, ""},
		"fail/the system does not say yes":            {"accept", "S", monday, 60, false, inbox.CodeNotAllowed, ""},
		"ok/the sweep, from its date on":              {"expire", "S", until, 60, false, "", ""},
		"fail/the sweep, a moment before":             {"expire", "S", until - 1, 60, false, inbox.CodeGuardFailed, "offer_lapsed"},
		"ok/a rule, from its date on":                 {"expire", "R", until, 60, false, "", ""},
		"fail/a rule, a moment before":                {"expire", "R", until - 1, 60, false, inbox.CodeGuardFailed, "offer_binding"},
		"fail/a person does not expire it":            {"expire", "P owner", until, 60, false, inbox.CodeNotAllowed, ""},
		"fail/what binds is not retracted":            {"retract", "P owner", monday, 60, false, inbox.CodeGuardFailed, "offer_non_binding"},
		"fail/what binds is not retracted by keys":    {"retract", "K", monday, 60, false, inbox.CodeGuardFailed, "offer_binding"},
		"ok/a person may ask":                         {"request_info", "P owner", monday, 60, false, "", ""},
		"fail/automation asks nothing while it binds": {"request_info", "A", until - 1, 60, false, inbox.CodeGuardFailed, "offer_binding"},
		"ok/automation asks once it lapsed":           {"request_info", "A", until, 60, false, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, inbox.TypeBooking, inbox.StateProposed)
			w.now = c.now
			w.f.Settings.Booking.MinNoticeMin = c.notice
			if c.full {
				w.places["other"] = taken("other", "service:SVC", one, one.Add(inbox.Hour))
			}
			out, err := w.decide(w.actors()[c.by], request(c.event))
			if c.code == "" {
				w.ok(out, err)
				return
			}
			if p := problem(t, err); p.Code != c.code || why(p) != c.why {
				t.Errorf("%v %v", p, p.Details)
			} else if c.code == inbox.CodeOfferExpired && p.Details["validThrough"] != until {
				t.Errorf("%v", p.Details)
			}
		})
	}
}

// TestRecordedYes: the note of a yes by phone stays inside.
func TestRecordedYes(t *testing.T) {
	w := inState(t, inbox.TypeBooking, inbox.StateProposed)
	w.now = start.Add(inbox.Minute)
	out := w.fire(owner, "confirm", `{"note":"rang at noon"}`)
	if e := w.entries[0]; e.Direction != inbox.DirectionNote || w.ledger() != "1 customer 1 countered, 2 business 2 accepted" {
		t.Errorf("%+v %s", e, w.ledger())
	}
	if got := strings.Join(told(out.Write), " "); got != "notify_customer:confirm" || out.Write.Jobs[0].Effects[0].EntryID != "" {
		t.Errorf("%s %+v", got, out.Write.Jobs)
	}
}

// TestGuardsWithoutOffer: an item without the offer its state promises is
// refused, never broken.
func TestGuardsWithoutOffer(t *testing.T) {
	for name, c := range map[string]struct {
		by, event string
		strip     func(*world)
		code      inbox.Code
		why       string
	}{
		"fail/accept, nothing proposed":    {"C", "accept", func(w *world) { w.f.Record.Item.Payload.Booking.Proposed = nil }, inbox.CodeGuardFailed, "proposal_present"},
		"fail/confirm, nothing proposed":   {"P owner", "confirm", func(w *world) { w.f.Record.Item.Payload.Booking.Proposed = nil }, inbox.CodeGuardFailed, "proposal_present"},
		"fail/accept, nothing open":        {"C", "accept", func(w *world) { w.f.Offer = nil }, inbox.CodeNoOffer, ""},
		"fail/accept, their own is open":   {"C", "accept", func(w *world) { o := w.offers[1]; o.Status = inbox.OfferOpen; w.f.Offer = &o }, inbox.CodeNoOffer, ""},
		"fail/retract, nothing open":       {"P owner", "retract", func(w *world) { w.f.Offer = nil }, inbox.CodeGuardFailed, "offer_non_binding"},
		"fail/expire, nothing open":        {"S", "expire", func(w *world) { w.f.Offer = nil }, inbox.CodeGuardFailed, "offer_lapsed"},
		"fail/accept, the time is no time": {"C", "accept", func(w *world) { w.f.Record.Item.Payload.Booking.Proposed.StartTime = 0 }, inbox.CodeGuardFailed, "not_too_soon"},
	} {
		w := inState(t, inbox.TypeBooking, inbox.StateProposed)
		c.strip(w)
		if p := w.refusedWith(w.actors()[c.by], c.event); p.Code != c.code || why(p) != c.why {
			t.Errorf("%s: %v", name, p)
		}
	}
}

// TestRounds is the table of 02 §13.2, but for what waits for the limits of
// automation and for changes.
func TestRounds(t *testing.T) {
	w := newWorld(t)
	w.create(w.customer(), bookingRequest())
	hour := func(n int64) inbox.Instant { return start.Add(n * inbox.Hour) }
	w.fire(owner, "propose", proposal(hour(1)))
	w.fire(owner, "propose", proposal(hour(2)))
	w.fire(w.customer(), "counter", counter(hour(3)))
	w.fire(owner, "propose", proposal(hour(4)))
	want := "1 customer 1 countered, 2 business 2 superseded, 3 business 2 countered, 4 customer 3 countered, 5 business 4 open"
	if got := w.ledger(); got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	for rev, parent := range map[int]int{2: 1, 3: 2, 4: 3, 5: 4} {
		if w.offers[rev].ParentID != w.offers[parent].ID {
			t.Errorf("the parent of %d is not %d", rev, parent)
		}
	}
	if p := w.refusedWith(w.customer(), "counter", counter(hour(5))); why(p) != "round_left" {
		t.Errorf("%v", p)
	}
	// A person is never held, and a yes is always possible.
	w.fire(staff, "propose", proposal(hour(5)))
	w.fire(w.customer(), "accept")
	if got := w.ledger(); !strings.HasSuffix(got, "6 business 4 accepted") {
		t.Error(got)
	}
}

// TestCounter: the customer's other time becomes the request.
func TestCounter(t *testing.T) {
	three := start.Add(3 * inbox.Hour)
	long := string(mustJSON(inbox.ProposeTimeInput{StartTime: start.Add(inbox.Hour), EndTime: start.Add(4 * inbox.Hour), TotalPrice: eur(3500)}))
	for name, c := range map[string]struct {
		proposal string
		start    inbox.Instant
		want     inbox.Booking
	}{
		"ok/another time":                    {proposal(start.Add(inbox.Hour)), three, inbox.Booking{TotalPrice: eur(3000), CustomerStatedPrice: eur(2500)}},
		"ok/at the proposal's price":         {long, three, inbox.Booking{TotalPrice: eur(3500)}},
		"ok/the proposed time, its own long": {long, start.Add(inbox.Hour), inbox.Booking{TotalPrice: eur(3500)}},
	} {
		w := newWorld(t)
		r := bookingRequest()
		r.Payload.Booking.TotalPrice = eur(2500)
		w.create(w.customer(), r)
		w.now = monday.Add(inbox.Hour)
		w.fire(owner, "propose", c.proposal)
		w.now = monday.Add(2 * inbox.Hour)
		out := w.fire(w.customer(), "counter", string(mustJSON(inbox.CounterTimeInput{StartTime: c.start, Note: "rather this", ReasonCode: "timing_deferred"})))
		b, rec, o := w.f.Record.Item.Payload.Booking, w.f.Record, w.offers[3]
		if b.StartTime != c.start || b.EndTime != c.start.Add(inbox.Hour) || b.Proposed != nil ||
			!reflect.DeepEqual(b.TotalPrice, c.want.TotalPrice) || !reflect.DeepEqual(b.CustomerStatedPrice, c.want.CustomerStatedPrice) {
			t.Errorf("%s: %+v", name, b)
		}
		until := min(w.now.Add(72*inbox.Hour), c.start)
		if o.By != inbox.SideCustomer || o.Binding || o.Note != "rather this" || o.ReasonCode != "timing_deferred" || o.Shown != nil || o.Authored != "person" ||
			*o.ValidThrough != until || *rec.RequestExpiresAt != until || *rec.DueAt != until || rec.AskedRev != 0 {
			t.Errorf("%s: %+v, clock %v", name, o, rec.RequestExpiresAt)
		}
		if got := strings.Join(told(out.Write), " "); got != "notify_owner:counter notify_customer:counter" {
			t.Errorf("%s: %s", name, got)
		}
		if !strings.Contains(string(o.Terms), `"itemOffered"`) {
			t.Errorf("%s: %s", name, o.Terms)
		}
	}
}

// TestCounteredTimes: the customer's own time is one that would be offered.
func TestCounteredTimes(t *testing.T) {
	proposed := start.Add(inbox.Hour)
	other := taken("other", "service:SVC", at("2026-10-09T09:00:00Z"), at("2026-10-09T10:00:00Z"))
	for name, c := range map[string]struct {
		start inbox.Instant
		do    func(*world)
		code  inbox.Code
		why   string
		full  bool
	}{
		"ok/offered":                       {at("2026-10-09T07:15:00Z"), nil, "", "", false},
		"ok/the hour beside another's":     {at("2026-10-09T10:00:00Z"), nil, "", "", false},
		"ok/the proposed one, off hours":   {proposed, func(w *world) { w.f.Week = nil }, "", "", false},
		"fail/off the grid":                {at("2026-10-09T07:20:00Z"), nil, inbox.CodeSlotTaken, "slot_free", false},
		"fail/before they open":            {at("2026-10-09T06:45:00Z"), nil, inbox.CodeSlotTaken, "slot_free", false},
		"fail/past their closing":          {at("2026-10-09T16:15:00Z"), nil, inbox.CodeSlotTaken, "slot_free", false},
		"fail/closed that day":             {at("2026-10-09T11:00:00Z"), func(w *world) { w.f.Closures = []inbox.Closure{{From: "2026-10-09", To: "2026-10-09"}} }, inbox.CodeSlotTaken, "slot_free", false},
		"fail/taken":                       {at("2026-10-09T09:30:00Z"), nil, inbox.CodeSlotTaken, "slot_free", true},
		"fail/the service is gone":         {at("2026-10-09T11:00:00Z"), func(w *world) { w.f.Service = nil }, inbox.CodeSlotTaken, "slot_free", false},
		"fail/the service is not sold":     {at("2026-10-09T11:00:00Z"), func(w *world) { w.f.Service.Active = false }, inbox.CodeSlotTaken, "slot_free", false},
		"fail/inside the notice":           {at("2026-10-05T08:45:00Z"), nil, inbox.CodeGuardFailed, "not_too_soon", false},
		"ok/exactly the notice ahead":      {at("2026-10-05T09:00:00Z"), nil, "", "", false},
		"fail/a proposed one that is past": {proposed, func(w *world) { w.now = proposed }, inbox.CodeGuardFailed, "not_too_soon", false},
	} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, inbox.TypeBooking, inbox.StateProposed)
			w.places["other"] = other
			if c.do != nil {
				c.do(w)
			}
			out, err := w.decide(w.customer(), request("counter", counter(c.start)))
			if c.code == "" {
				w.ok(out, err)
				return
			}
			p := problem(t, err)
			if p.Code != c.code || why(p) != c.why || (p.Details["capacity"] != nil) != c.full {
				t.Errorf("%v %v", p, p.Details)
			}
		})
	}
}

// TestPriceCounters: a price of the customer's own counts where the business
// takes them, in its currency alone.
func TestPriceCounters(t *testing.T) {
	three := start.Add(3 * inbox.Hour)
	input := func(m inbox.Money) string {
		return string(mustJSON(inbox.CounterTimeInput{StartTime: three, TotalPrice: &m}))
	}
	w := inState(t, inbox.TypeBooking, inbox.StateProposed)
	if p := w.refusedWith(w.customer(), "counter", input(*eur(2000))); why(p) != "price_counters" {
		t.Errorf("fail/off: %v", p)
	}
	w.f.Settings.Negotiation.PriceCounters = true
	if p := w.refusedWith(w.customer(), "counter", input(inbox.Money{Value: 1, Currency: "USD"})); p.Fields[0].Path != "input.totalPrice.currency" {
		t.Errorf("fail/currency: %v", p)
	}
	w.f.Record.Item.Payload.Booking.Personalised = &inbox.Personalised{ListPrice: *eur(4000)}
	w.fire(w.customer(), "counter", input(*eur(2000)))
	if b := w.f.Record.Item.Payload.Booking; b.TotalPrice.Value != 2000 || b.Personalised != nil || b.CustomerStatedPrice != nil {
		t.Errorf("ok/on: %+v", b)
	}
	if ev := w.events[len(w.events)-1]; !reflect.DeepEqual(ev.Meta.Priced, []string{"service:SVC"}) {
		t.Errorf("ok/counted: %v", ev.Meta.Priced)
	}
}

// TestTakenBack: what binds nobody is taken back, a question takes a person's
// proposal back; the customer's terms reopen and the clock runs anew.
func TestTakenBack(t *testing.T) {
	for name, c := range map[string]struct {
		event   string
		binding bool
		state   inbox.State
		clocked bool
	}{
		"ok/retract":                            {"retract", false, inbox.StateRequested, true},
		"ok/a question":                         {"request_info", true, inbox.StateNeedsInfo, true},
		"ok/retract, nobody set the clock":      {"retract", false, inbox.StateRequested, false},
		"ok/a question, nobody set the clock":   {"request_info", true, inbox.StateNeedsInfo, false},
		"ok/a question about a binding request": {"request_info", false, inbox.StateNeedsInfo, true},
	} {
		w := newWorld(t)
		by := w.customer()
		if !c.clocked {
			by = owner
		}
		w.create(by, bookingRequest())
		w.f.Settings.Negotiation.Binding = c.binding
		asked := w.offers[1]
		w.now = monday.Add(inbox.Hour)
		w.fire(owner, "propose", proposal(start.Add(inbox.Hour)))
		w.fire(owner, "propose", proposal(start.Add(2*inbox.Hour)))
		if v := customerViewOf(w).Offer; v.Disclosures[len(v.Disclosures)-1] != map[bool]string{true: "unheld", false: "withdrawable"}[c.binding] {
			t.Errorf("%s: %v", name, v.Disclosures)
		}
		w.now = monday.Add(2 * inbox.Hour)
		w.fire(staff, c.event, `{"note":"on second thoughts"}`)
		o, rec := w.offers[4], w.f.Record
		want := asked
		want.ID, want.Rev, want.ParentID, want.Status = o.ID, 4, w.offers[3].ID, inbox.OfferOpen
		want.EventID, want.ClosedEventID, want.CreatedAt, want.UpdatedAt = rec.LastEventID, "", w.now, w.now
		want.ValidThrough = rec.RequestExpiresAt
		if !reflect.DeepEqual(o, want) {
			t.Errorf("%s: %+v\nwant %+v", name, o, want)
		}
		if clock := rec.RequestExpiresAt; (clock != nil) != c.clocked || c.clocked && *clock != min(w.now.Add(72*inbox.Hour), start) {
			t.Errorf("%s: clock %v", name, clock)
		}
		if rec.Item.State != c.state || rec.Item.Payload.Booking.Proposed != nil || rec.AskedRev != 0 {
			t.Errorf("%s: %s %+v", name, rec.Item.State, rec.Item.Payload.Booking)
		}
		if got := w.ledger(); got != "1 customer 1 countered, 2 business 2 superseded, 3 business 2 retracted, 4 customer 1 open" {
			t.Errorf("%s: %s", name, got)
		}
	}
	// A counter's words and round come back with it.
	w := inState(t, inbox.TypeBooking, inbox.StateProposed)
	w.fire(w.customer(), "counter", string(mustJSON(inbox.CounterTimeInput{StartTime: start.Add(3 * inbox.Hour), Note: "after lunch"})))
	w.propose()
	w.fire(owner, "request_info")
	if o := w.offers[5]; o.Round != 3 || o.Note != "after lunch" || o.Binding || w.ledger() != "1 customer 1 countered, 2 business 2 countered, 3 customer 3 countered, 4 business 4 retracted, 5 customer 3 open" {
		t.Errorf("%+v %s", o, w.ledger())
	}
}

// TestProposalStays: what ends the item leaves the proposal as history.
func TestProposalStays(t *testing.T) {
	for _, c := range []struct{ by, event, status string }{
		{"P owner", "decline", "retracted"}, {"P owner", "cancel_by_business", "retracted"}, {"C", "cancel", "declined"},
		{"P owner", "record_cancel", "declined"}, {"S", "expire", "expired"},
	} {
		w := inState(t, inbox.TypeBooking, inbox.StateProposed)
		who := w.actors()[c.by]
		w.ok(w.decide(who, w.fitting(who, c.event, inbox.StateProposed)))
		b := w.f.Record.Item.Payload.Booking
		if b.Proposed == nil || b.Offer != nil || string(w.offers[2].Status) != c.status || w.f.Record.AskedRev != 0 || w.f.Record.DueAt != nil {
			t.Errorf("%s: %+v %s", c.event, b, w.ledger())
		}
	}
}

// TestLateTake: a yes after the request's clock ran out becomes an offer of the
// same terms where the business could make it now (01 §3 step 5a).
func TestLateTake(t *testing.T) {
	const lapsed = `"request_lapsed"`
	day := func(n int64) inbox.Instant { return monday.Add(n * inbox.Day) }
	list, own := eur(3000), eur(2000)
	for name, c := range map[string]struct {
		by        string
		after     inbox.Instant // how long after its clock
		start     inbox.Instant
		price     *inbox.Money
		do        func(*world)
		converted bool
		code      inbox.Code
		why       string
	}{
		"ok/as it lapses":                   {"P owner", 0, day(5), list, nil, true, "", ""},
		"ok/a moment before it is a yes":    {"P owner", -1, day(5), list, nil, false, "", ""},
		"ok/the assistant, at list price":   {"A", 0, day(5), list, nil, true, "", ""},
		"ok/a key, at no price":             {"K", 0, day(5), nil, nil, true, "", ""},
		"ok/a key with money":               {"K$", 0, day(5), own, nil, true, "", ""},
		"ok/a rule":                         {"R", 0, day(5), own, nil, true, "", ""},
		"fail/the assistant, at another":    {"A", 0, day(5), own, nil, false, inbox.CodeNotAllowed, "limits_not_set"},
		"fail/a rule, unpriced":             {"R", 0, day(5), own, func(w *world) { w.f.Record.Unpriced = true }, false, inbox.CodeGuardFailed, "business_priced"},
		"ok/a person inside the notice":     {"P owner", 0, day(3).Add(30 * inbox.Minute), list, nil, false, "", ""},
		"fail/a key inside the notice":      {"K", 0, day(3).Add(30 * inbox.Minute), nil, nil, false, inbox.CodeGuardFailed, "not_too_soon"},
		"fail/a person once it started":     {"P owner", inbox.Instant(inbox.Hour), day(3).Add(30 * inbox.Minute), list, nil, false, inbox.CodeGuardFailed, "not_too_soon"},
		"fail/taken meanwhile":              {"P owner", 0, day(5), list, func(w *world) { w.places["x"] = taken("x", "service:SVC", day(5), day(6)) }, false, inbox.CodeSlotTaken, ""},
		"fail/nobody else's event converts": {"C", 0, day(5), list, nil, false, inbox.CodeNotAllowed, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			r := bookingRequest()
			b := r.Payload.Booking
			b.StartTime, b.EndTime = c.start, c.start.Add(inbox.Hour)
			w.create(w.customer(), r)
			w.f.Record.Item.Payload.Booking.TotalPrice = c.price
			w.now = *w.f.Record.RequestExpiresAt + c.after
			if c.do != nil {
				c.do(w)
			}
			out, err := w.decide(w.actors()[c.by], request("confirm", `{"note":"see you then"}`))
			if c.code != "" {
				if p := problem(t, err); p.Code != c.code || why(p) != c.why {
					t.Errorf("%v %v", p, p.Details)
				}
				return
			}
			w.ok(out, err)
			ev := w.events[len(w.events)-1]
			if !c.converted {
				if ev.Event != "confirm" || ev.Meta.Converted != "" || len(w.f.Record.Claims) != 1 {
					t.Errorf("%+v", ev)
				}
				return
			}
			result := out.Body.(inbox.TransitionResult)
			if ev.Event != "propose" || ev.Meta.Converted != "request_lapsed" || `"`+result.Converted+`"` != lapsed || w.f.Record.Item.State != inbox.StateProposed {
				t.Errorf("%+v %q", ev, result.Converted)
			}
			o, p := w.offers[2], w.f.Record.Item.Payload.Booking.Proposed
			if p.StartTime != c.start || p.TotalPrice != nil || o.Note != "see you then" || o.By != inbox.SideBusiness || strings.Contains(string(o.Terms), "totalPrice") != (c.price != nil) {
				t.Errorf("%+v %+v", p, o)
			}
		})
	}
	w := newWorld(t)
	w.create(w.customer(), bookingRequest())
	w.now = *w.f.Record.RequestExpiresAt
	if p := w.refusedWith(owner, "confirm", `{"note":5}`); p.Code != inbox.CodeInvalidInput || p.Fields[0].Path != "input.note" {
		t.Errorf("fail/malformed: %v", p)
	}
	r := bookingRequest()
	r.Payload.Booking.StartTime, r.Payload.Booking.EndTime = day(20), day(20).Add(inbox.Hour)
	w = newWorld(t)
	w.create(w.customer(), r)
	w.fire(owner, "request_info")
	w.now = *w.f.Record.RequestExpiresAt
	if w.fire(owner, "confirm"); w.f.Record.Item.State != inbox.StateProposed {
		t.Errorf("ok/from needs_info: %s", w.f.Record.Item.State)
	}
}

// TestOfferView: the open offer as the customer reads it, to the millisecond.
func TestOfferView(t *testing.T) {
	w := newWorld(t)
	w.create(w.customer(), bookingRequest())
	w.fire(owner, "propose", priced(start.Add(inbox.Hour), 3500))
	o := w.offers[2]
	want := inbox.OfferView{
		ID: o.ID, Kind: inbox.FormTime, Terms: o.Terms, TermsSHA: o.TermsSHA, Deadline: o.ValidThrough, ObligationToPay: true, Human: o.Shown.Human,
		Changes:     []string{"$.endTime", "$.startTime", "$.totalPrice"},
		Warnings:    []inbox.OfferWarning{{Type: "warning", Code: "price_changed", Severity: "requires_buyer_review"}},
		Disclosures: []string{"unheld"},
	}
	for _, c := range []struct {
		now     inbox.Instant
		expired bool
		next    string
	}{
		{monday, false, "accept_offer decline_offer suggest_time"},
		{*o.ValidThrough, false, "accept_offer decline_offer suggest_time"},
		{*o.ValidThrough + 1, true, "decline_offer suggest_time"},
	} {
		w.now = c.now
		want.Expired = c.expired
		v := customerViewOf(w)
		if !reflect.DeepEqual(*v.Offer, want) || actionsOf(v.Next) != c.next {
			t.Errorf("%v: %+v %s\nwant %+v", c.now, v.Offer, actionsOf(v.Next), want)
		}
	}
	for _, part := range []string{"Thursday, 8 October 2026 at 11:00", "€35.00"} {
		if !strings.Contains(o.Shown.Human, part) {
			t.Errorf("%q lacks %s", o.Shown.Human, part)
		}
	}
	raw := string(mustJSON(customerViewOf(w)))
	if strings.Contains(raw, `"round"`) || !strings.Contains(raw, `"proposed":`) {
		t.Error(raw)
	}
}

// TestOfferList: the whole ledger for the business, without a customer's id.
func TestOfferList(t *testing.T) {
	w := inState(t, inbox.TypeBooking, inbox.StateProposed)
	w.fire(w.customer(), "counter", string(mustJSON(inbox.CounterTimeInput{StartTime: start.Add(3 * inbox.Hour), ReasonCode: "other"})))
	l := OfferList([]inbox.Offer{w.offers[1], w.offers[2], w.offers[3]})
	rows := string(mustJSON(l))
	for _, part := range []string{
		`"parent_id":null`, `"actor":{"kind":"customer_agent","id":null}`, `"actor":{"kind":"owner","id":"user-1"}`, `"changes":[]`,
		`"shown":null`, `"reason_code":"other"`, `"note":null`, `"closed_at":null`, `"draft":null`, `"status":"countered"`,
	} {
		if !strings.Contains(rows, part) {
			t.Errorf("lacks %s: %s", part, rows)
		}
	}
	if strings.Contains(rows, "anon:1") || *l.Offers[0].ClosedAt != w.now || l.Offers[2].ClosedAt != nil {
		t.Error(rows)
	}
	if raw := string(mustJSON(OfferList(nil))); raw != `{"offers":[],"draft":null}` {
		t.Error(raw)
	}
	var again inbox.OfferList
	if err := json.Unmarshal([]byte(rows), &again); err != nil || !reflect.DeepEqual(string(mustJSON(again)), rows) {
		t.Errorf("%v", err)
	}
}

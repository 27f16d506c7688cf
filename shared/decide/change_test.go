package decide

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
)

// TestProposeChange is exact about what a change of the business's writes.
func TestProposeChange(t *testing.T) {
	w := inState(t, inbox.TypeBooking, inbox.StateConfirmed)
	w.f.Settings.Booking.HoldOnPropose = true
	agreed, claims := *w.f.Offer, w.f.Record.Claims
	w.now = monday.Add(inbox.Hour)
	out := w.fire(staff, "propose_change", string(mustJSON(inbox.ChangeTimeInput{
		StartTime: later, EndTime: inbox.Ptr(later.Add(2 * inbox.Hour)), TotalPrice: eur(4500), Note: "would this do?", ReasonCode: "other",
	})))
	o, rec := w.offers[2], w.f.Record
	until := start.Add(-inbox.Hour)
	want := inbox.Offer{
		ID: o.ID, ItemID: rec.Item.ID, Rev: 2, ParentID: agreed.ID, Kind: "change", Form: inbox.FormChange, By: inbox.SideBusiness,
		ActorKind: inbox.Staff, ActorID: staff.ID, Round: 1, Status: inbox.OfferOpen, ValidThrough: &until, Terms: o.Terms, TermsSHA: o.TermsSHA,
		Changes: []string{"$.endTime", "$.startTime", "$.totalPrice"}, Authored: "person", Binding: true, Note: "would this do?",
		Shown: &inbox.Shown{Lang: "en", Human: customerViewOf(w).Human, Disclosures: []string{"held"}}, EventID: rec.LastEventID,
		CreatedAt: w.now, UpdatedAt: w.now,
	}
	if !reflect.DeepEqual(o, want) {
		t.Errorf("%+v\nwant %+v", o, want)
	}
	const terms = `{"endTime":"2026-10-08T15:00:00.000Z","startTime":"2026-10-08T13:00:00.000Z","totalPrice":{"currency":"EUR","value":4500}}`
	if string(o.Terms) != terms {
		t.Errorf("terms %s", o.Terms)
	}
	b := rec.Item.Payload.Booking
	change := &inbox.TimeChange{By: inbox.SideBusiness, StartTime: later, EndTime: later.Add(2 * inbox.Hour), TotalPrice: eur(4500)}
	if !reflect.DeepEqual(b.Change, change) || b.StartTime != start || b.EndTime != end || b.TotalPrice.Value != 3000 || rec.Item.State != inbox.StateConfirmed {
		t.Errorf("%+v", b)
	}
	if !slices.ContainsFunc(rec.Claims, func(c inbox.Claim) bool { return c == claims[0] }) || len(rec.Claims) != 2 || w.offers[1].Status != inbox.OfferAccepted {
		t.Errorf("places %+v, agreed %+v", rec.Claims, w.offers[1])
	}
	if *rec.DueAt != until || rec.DueKind != "expire_change" {
		t.Errorf("due %v %s", rec.DueAt, rec.DueKind)
	}
	if got := strings.Join(told(out.Write), " "); got != "notify_customer:propose_change" {
		t.Error(got)
	}
	if e := w.entries[len(w.entries)-1]; e.Direction != inbox.DirectionOut || !e.Quiet {
		t.Errorf("%+v", e)
	}
	if ev := w.events[len(w.events)-1]; ev.Diff.State != nil || string(ev.Diff.Payload["change"][0]) != "null" || strings.Contains(string(ev.Meta.Input), "reasonCode") {
		t.Errorf("%s", mustJSON(ev))
	}
	v := customerViewOf(w)
	if v.Offer == nil || v.Offer.ID != o.ID || v.Offer.Kind != inbox.FormChange || !v.Offer.ObligationToPay || len(v.Offer.Warnings) != 1 || v.RequestedChange != nil || *v.WaitingOn != "you" {
		t.Errorf("%s", mustJSON(v))
	}
	if v.Agreed == nil || v.Agreed.TermsSHA != agreed.TermsSHA {
		t.Errorf("agreed %+v", v.Agreed)
	}
}

// TestAskChange is exact about what a change of the customer's writes: length and
// price stay whatever else the input names, and it holds nothing.
func TestAskChange(t *testing.T) {
	w := inState(t, inbox.TypeBooking, inbox.StateConfirmed)
	w.f.Settings.Booking.HoldOnPropose = true
	w.f.Service.DurationMin = 30 // of today; the booking keeps its hour
	out := w.fire(w.customer(), "propose_change", fmt.Sprintf(
		`{"startTime":%q,"endTime":%q,"totalPrice":{"value":1,"currency":"EUR"},"validThrough":"2026-10-06T00:00:00Z","note":"rather this","reasonCode":"timing_deferred"}`,
		later, later.Add(5*inbox.Hour)))
	o, rec := w.offers[2], w.f.Record
	until := monday.Add(72 * inbox.Hour)
	if o.By != inbox.SideCustomer || o.Kind != "change" || o.Form != inbox.FormChange || o.Round != 1 || o.Binding || o.Shown != nil || *o.ValidThrough != until ||
		o.ReasonCode != "timing_deferred" || o.Note != "rather this" || o.ParentID != w.offers[1].ID || o.Authored != "person" {
		t.Errorf("%+v", o)
	}
	want := &inbox.TimeChange{By: inbox.SideCustomer, StartTime: later, EndTime: later.Add(inbox.Hour)}
	if b := rec.Item.Payload.Booking; !reflect.DeepEqual(b.Change, want) || b.StartTime != start || len(rec.Claims) != 1 || rec.Claims[0].OfferID != "" {
		t.Errorf("%+v, places %+v", b, rec.Claims)
	}
	if got := strings.Join(told(out.Write), " "); got != "notify_owner:propose_change notify_customer:propose_change" {
		t.Error(got)
	}
	if input := string(w.events[len(w.events)-1].Meta.Input); strings.Contains(input, "totalPrice") || strings.Contains(input, "endTime") {
		t.Errorf("%s", input)
	}
	v := customerViewOf(w)
	if v.Offer != nil || v.RequestedChange == nil || v.RequestedChange.TermsSHA != o.TermsSHA || *v.RequestedChange.Until != until || *v.WaitingOn != "us" {
		t.Errorf("%s", mustJSON(v))
	}
	if v.Agreed == nil || v.Agreed.TermsSHA != w.offers[1].TermsSHA {
		t.Errorf("agreed %+v", v.Agreed)
	}
}

// TestChangeGuards: every reason for which a change to a booking is not asked
// for, in the order of 02 §4.2: of two that hold the earlier is told.
func TestChangeGuards(t *testing.T) {
	hour := inbox.Instant(inbox.Hour)
	blocked := func(from inbox.Instant) func(*world) {
		return func(w *world) { w.places["x"] = taken("x", "service:SVC", from, from+hour) }
	}
	changes := func(n int) func(*world) { return func(w *world) { w.f.Record.Agreement.Changes = n } }
	slow := func(w *world) { w.f.Networks = []Network{{Origin: "https://net.example", Published: true, Rules: 5}} }
	all := func(do ...func(*world)) func(*world) {
		return func(w *world) {
			for _, d := range do {
				d(w)
			}
		}
	}
	far := start.Add(91 * inbox.Day)
	for name, c := range map[string]struct {
		by    string // C or an actor of the business
		input string
		now   inbox.Instant
		do    func(*world)
		code  inbox.Code
		why   string // guard, or path of the first field
	}{
		"ok/the customer, on the grid":          {"C", changeTo(later), monday, nil, "", ""},
		"ok/over their own places":              {"C", changeTo(start.Add(30 * inbox.Minute)), monday, nil, "", ""},
		"ok/the business, off the grid":         {"P owner", changeTo(at("2026-10-09T03:07:00Z")), monday, nil, "", ""},
		"ok/the business, over its places":      {"P staff", changeTo(start.Add(30 * inbox.Minute)), monday, nil, "", ""},
		"ok/only longer":                        {"P owner", fmt.Sprintf(`{"startTime":%q,"endTime":%q}`, start, end+hour), monday, nil, "", ""},
		"ok/only another price":                 {"K$", fmt.Sprintf(`{"startTime":%q,"totalPrice":{"value":1,"currency":"eur"}}`, start), monday, nil, "", ""},
		"ok/the notice ahead, exactly":          {"P owner", changeTo(start - 2*hour), start - 3*hour, nil, "", ""},
		"ok/just before the start":              {"C", changeTo(later), start - 1, nil, "", ""},
		"ok/90 days":                            {"P owner", changeTo(start.Add(90 * inbox.Day)), monday, nil, "", ""},
		"ok/a third change":                     {"C", changeTo(later), monday, changes(2), "", ""},
		"ok/beside another's, two at once":      {"C", changeTo(later), monday, all(blocked(later), func(w *world) { w.f.Service.Capacity = 2 }), "", ""},
		"ok/a network that reads changes":       {"C", changeTo(later), monday, func(w *world) { w.f.Networks = []Network{{Published: true, Rules: 6}} }, "", ""},
		"ok/a rule that may":                    {"R", changeTo(later), monday, func(w *world) { w.f.Settings.Negotiation.AI.MayProposeChanges = true }, "", ""},
		"fail/no start":                         {"P owner", `{}`, monday, nil, inbox.CodeInvalidInput, "input.startTime"},
		"fail/no start, customer":               {"C", `{}`, monday, nil, inbox.CodeInvalidInput, "input.startTime"},
		"fail/valid until now":                  {"P owner", fmt.Sprintf(`{"startTime":%q,"validThrough":%q}`, later, monday), monday, nil, inbox.CodeInvalidInput, "input.validThrough"},
		"fail/another currency":                 {"P owner", fmt.Sprintf(`{"startTime":%q,"totalPrice":{"value":1,"currency":"GBP"}}`, later), monday, nil, inbox.CodeInvalidInput, "input.totalPrice.currency"},
		"fail/changes nothing":                  {"P owner", changeTo(start), monday, nil, inbox.CodeInvalidInput, "input"},
		"fail/nothing, with its price":          {"P owner", fmt.Sprintf(`{"startTime":%q,"endTime":%q,"totalPrice":{"value":3000,"currency":"EUR"}}`, start, end), monday, nil, inbox.CodeInvalidInput, "input"},
		"fail/nothing, customer":                {"C", changeTo(start), monday, nil, inbox.CodeInvalidInput, "input"},
		"fail/ends as it starts":                {"P owner", fmt.Sprintf(`{"startTime":%q,"endTime":%q}`, later, later), monday, nil, inbox.CodeInvalidInput, "input.endTime"},
		"fail/too long":                         {"P owner", fmt.Sprintf(`{"startTime":%q,"endTime":%q}`, later, later+41*hour), monday, nil, inbox.CodeInvalidInput, "input.endTime"},
		"fail/off the grid, customer":           {"C", changeTo(later + 1), monday, nil, inbox.CodeSlotTaken, "slot_free"},
		"fail/out of hours, customer":           {"C", changeTo(at("2026-10-08T17:30:00Z")), monday, nil, inbox.CodeSlotTaken, "slot_free"},
		"fail/taken, customer":                  {"C", changeTo(later), monday, blocked(later + hour/2), inbox.CodeSlotTaken, "slot_free"},
		"fail/taken, business":                  {"P owner", changeTo(later), monday, blocked(later + hour/2), inbox.CodeSlotTaken, ""},
		"fail/taken at its end alone":           {"P owner", fmt.Sprintf(`{"startTime":%q,"endTime":%q}`, start, end+hour), monday, blocked(end), inbox.CodeSlotTaken, ""},
		"fail/taken, before too soon":           {"P owner", changeTo(monday), monday, blocked(monday), inbox.CodeSlotTaken, ""},
		"fail/it has started":                   {"P owner", changeTo(later), start, nil, inbox.CodeGuardFailed, "promise_ahead"},
		"fail/started, customer":                {"C", changeTo(later), start, nil, inbox.CodeGuardFailed, "promise_ahead"},
		"fail/started, before too soon":         {"P owner", changeTo(start - hour), start, nil, inbox.CodeGuardFailed, "promise_ahead"},
		"fail/inside the notice":                {"P owner", changeTo(start - 2*hour), start - 3*hour + 1, nil, inbox.CodeGuardFailed, "not_too_soon"},
		"fail/inside the notice, customer":      {"C", changeTo(start - 2*hour), start - 3*hour + 1, nil, inbox.CodeGuardFailed, "not_too_soon"},
		"fail/too soon, before the last change": {"P owner", changeTo(monday + 1), monday, changes(3), inbox.CodeGuardFailed, "not_too_soon"},
		"fail/a fourth change":                  {"P owner", changeTo(later), monday, changes(3), inbox.CodeGuardFailed, "changes_left count"},
		"fail/a fourth, before too far":         {"C", changeTo(far), monday, changes(3), inbox.CodeGuardFailed, "changes_left count"},
		"fail/none at all":                      {"K$", changeTo(later), monday, func(w *world) { w.f.Settings.Negotiation.Changes.MaxPerItem = 0 }, inbox.CodeGuardFailed, "changes_left count"},
		"fail/91 days":                          {"P owner", changeTo(far), monday, nil, inbox.CodeGuardFailed, "changes_left shift"},
		"fail/91 days, before a network":        {"C", changeTo(far), monday, slow, inbox.CodeGuardFailed, "changes_left shift"},
		"fail/a network that cannot read it":    {"C", changeTo(later), monday, slow, inbox.CodeGuardFailed, "amendments_live"},
		"fail/of the business's, too":           {"P owner", changeTo(later), monday, slow, inbox.CodeGuardFailed, "amendments_live"},
		"fail/a network, before a round":        {"C", changeTo(later), monday, all(slow, func(w *world) { w.f.Record.Agreement.Round = 3 }), inbox.CodeGuardFailed, "amendments_live"},
		"fail/a round too many":                 {"C", changeTo(later), monday, func(w *world) { w.f.Record.Agreement.Round = 3 }, inbox.CodeGuardFailed, "round_left"},
		"fail/a rule that may not":              {"R", changeTo(later), monday, nil, inbox.CodeGuardFailed, "change_allowed"},
		"fail/assistant":                        {"A", changeTo(later), monday, nil, inbox.CodeNotAllowed, "limits_not_set"},
		"fail/key":                              {"K", changeTo(later), monday, nil, inbox.CodeNotAllowed, "limits_not_set"},
		"fail/connector":                        {"X", changeTo(later), monday, nil, inbox.CodeNotAllowed, ""},
		"fail/system":                           {"S", changeTo(later), monday, nil, inbox.CodeNotAllowed, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, inbox.TypeBooking, inbox.StateConfirmed)
			w.now = c.now
			if c.do != nil {
				c.do(w)
			}
			r := request("propose_change", c.input)
			w.read(w.actors()[c.by], r)
			out, err := w.pure(func() (Outcome, error) { return Transition(w.f, w.actors()[c.by], r, w.env()) })
			if c.code == "" {
				w.ok(out, err)
				return
			}
			if p := problem(t, err); p.Code != c.code || refusal(p) != c.why {
				t.Errorf("%s %s, want %s %s: %v", p.Code, refusal(p), c.code, c.why, p)
			}
		})
	}
}

// refusal is the path of a refusal's first field, else its guard with its reason,
// else its reason.
func refusal(p *inbox.Problem) string {
	guard, _ := p.Details["guard"].(string)
	reason, _ := p.Details["reason"].(string)
	if len(p.Fields) > 0 {
		return p.Fields[0].Path
	}
	return strings.TrimSpace(guard + " " + reason)
}

// TestChangeOfOthers: a stranger changes nothing, and a change asks for a promise.
func TestChangeOfOthers(t *testing.T) {
	w := inState(t, inbox.TypeBooking, inbox.StateConfirmed)
	stranger := w.customer()
	stranger.AccessToken = "another's"
	for _, event := range []string{"propose_change", "accept_change", "decline_change", "retract_change"} {
		if p := w.refusedWith(stranger, event, changeTo(later)); p.Code != inbox.CodeNotAllowed {
			t.Errorf("fail/%s of a stranger: %v", event, p)
		}
	}
	for _, typ := range []inbox.Type{inbox.TypeBooking, inbox.TypeOrder} {
		for _, state := range machine.Of(typ).States() {
			if machine.Of(typ).IsPromise(state) {
				continue
			}
			w := inState(t, typ, state)
			for _, c := range []inbox.Caller{owner, w.customer()} {
				if p := w.refusedWith(c, "propose_change", w.change()); p.Code != inbox.CodeWrongState {
					t.Errorf("fail/%s in %s: %v", typ, state, p)
				}
			}
		}
	}
}

// TestAcceptChange is exact about what a yes writes: the promise is the changed
// one, in one set of places.
func TestAcceptChange(t *testing.T) {
	for name, c := range map[string]struct {
		by   inbox.Side // who asks
		yes  func(*world) inbox.Caller
		told string
	}{
		"ok/the customer takes ours":       {inbox.SideBusiness, (*world).customer, "notify_owner:accept_change notify_customer:accept_change"},
		"ok/we take theirs":                {inbox.SideCustomer, func(*world) inbox.Caller { return staff }, "notify_customer:accept_change"},
		"ok/a person records their yes":    {inbox.SideBusiness, func(*world) inbox.Caller { return owner }, "notify_customer:accept_change"},
		"ok/the owner's assistant":         {inbox.SideCustomer, func(*world) inbox.Caller { return assistant }, "notify_customer:accept_change"},
		"ok/a key, within its bounds":      {inbox.SideCustomer, func(*world) inbox.Caller { return key }, "notify_customer:accept_change"},
		"ok/a rule":                        {inbox.SideCustomer, func(*world) inbox.Caller { return rule }, "notify_customer:accept_change"},
		"ok/a key that may name money":     {inbox.SideCustomer, func(*world) inbox.Caller { return moneyKey }, "notify_customer:accept_change"},
		"ok/the owner's key over their AI": {inbox.SideCustomer, func(*world) inbox.Caller { return ownerMCP }, "notify_customer:accept_change"},
	} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, inbox.TypeBooking, inbox.StateConfirmed)
			w.f.Settings.Booking.HoldOnPropose = true
			w.f.Record.Item.Payload.Booking.CustomerStatedPrice = eur(2000)
			w.askChange(c.by)
			w.now = w.now.Add(inbox.Minute)
			out := w.fire(c.yes(w), "accept_change", `{"note":"fine"}`)
			b, rec := w.f.Record.Item.Payload.Booking, w.f.Record
			if b.StartTime != later || b.EndTime != later.Add(inbox.Hour) || b.Change != nil || b.TotalPrice.Value != 3000 || b.CustomerStatedPrice == nil {
				t.Errorf("%+v", b)
			}
			if len(w.places) != 1 || len(rec.Claims) != 1 || rec.Claims[0].From != later || rec.Claims[0].Kind != inbox.ClaimBooking || rec.HeldFor != nil {
				t.Errorf("places %+v", w.places)
			}
			o := w.offers[2]
			if o.Status != inbox.OfferAccepted || o.ClosedEventID != rec.LastEventID || !reflect.DeepEqual(rec.AgreedOffer, o.Pointer()) || !reflect.DeepEqual(b.Offer, o.Pointer()) {
				t.Errorf("%+v %+v", o, b.Offer)
			}
			if w.offers[1].Status != inbox.OfferAccepted || len(out.Write.Offers) != 1 {
				t.Errorf("the first agreement became %s", w.offers[1].Status)
			}
			if want := (inbox.Agreement{Due: start, End: end, Changes: 1}); rec.Agreement != want || rec.Item.State != inbox.StateConfirmed {
				t.Errorf("%+v", rec.Agreement)
			}
			if *rec.DueAt != later.Add(49*inbox.Hour) || rec.DueKind != "complete" {
				t.Errorf("due %v %s", rec.DueAt, rec.DueKind)
			}
			if got := strings.Join(told(out.Write), " "); got != c.told {
				t.Error(got)
			}
			v := customerViewOf(w)
			if v.Agreed.TermsSHA != o.TermsSHA || v.Offer != nil || v.RequestedChange != nil {
				t.Errorf("%s", mustJSON(v))
			}
		})
	}
}

// TestRecordedYesToAChange: the words with a yes that a person writes down stay inside;
// with a yes of the business's own they are its own.
func TestRecordedYesToAChange(t *testing.T) {
	for by, want := range map[inbox.Side]inbox.Direction{inbox.SideBusiness: inbox.DirectionNote, inbox.SideCustomer: inbox.DirectionOut} {
		w := inState(t, inbox.TypeBooking, inbox.StateConfirmed)
		w.askChange(by)
		w.fire(owner, "accept_change", `{"note":"rang to say yes"}`)
		if e := w.entries[len(w.entries)-1]; e.Direction != want || e.BodyText != "rang to say yes" {
			t.Errorf("%s: %+v", by, e)
		}
	}
}

// TestTakesThePrice: a price of the business's that is taken drops what the
// customer stated and the mark of another; naming the agreed one keeps the mark.
func TestTakesThePrice(t *testing.T) {
	for name, c := range map[string]struct {
		price        *inbox.Money
		stated, mark bool
		total        int64
		discloses    bool
	}{
		"ok/none named":     {nil, true, true, 3000, true},
		"ok/another":        {eur(3500), false, false, 3500, false},
		"ok/the agreed one": {eur(3000), false, true, 3000, true},
		"ok/a free one":     {eur(0), false, false, 0, false},
	} {
		w := inState(t, inbox.TypeBooking, inbox.StateConfirmed)
		b := w.f.Record.Item.Payload.Booking
		b.CustomerStatedPrice, b.Personalised = eur(2000), &inbox.Personalised{ListPrice: *eur(3300)}
		w.fire(owner, "propose_change", string(mustJSON(inbox.ChangeTimeInput{StartTime: later, TotalPrice: c.price})))
		if got := slices.Contains(w.f.Offer.Shown.Disclosures, "personalised_price"); got != c.discloses {
			t.Errorf("%s: %v", name, w.f.Offer.Shown.Disclosures)
		}
		w.fire(w.customer(), "accept_change")
		b = w.f.Record.Item.Payload.Booking
		if (b.CustomerStatedPrice != nil) != c.stated || (b.Personalised != nil) != c.mark || b.TotalPrice.Value != c.total {
			t.Errorf("%s: %+v", name, b)
		}
	}
}

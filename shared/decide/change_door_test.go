package decide

import (
	"fmt"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
)

// TestChangeSteps: what a customer sees and may do on a promise, by whose change
// is open (01 §5.7).
func TestChangeSteps(t *testing.T) {
	none, ours, theirs := inbox.Side(""), inbox.SideBusiness, inbox.SideCustomer
	for name, c := range map[string]struct {
		typ         inbox.Type
		state       inbox.State
		open        inbox.Side
		transitions string
		next        string
		waiting     string
	}{
		"ok/booking":                     {inbox.TypeBooking, inbox.StateConfirmed, none, "propose_change cancel", "suggest_time cancel_item send_message", "us"},
		"ok/booking, ours":               {inbox.TypeBooking, inbox.StateConfirmed, ours, "propose_change accept_change decline_change cancel", "accept_offer decline_offer suggest_time cancel_item send_message", "you"},
		"ok/booking, theirs":             {inbox.TypeBooking, inbox.StateConfirmed, theirs, "propose_change retract_change cancel", "decline_offer cancel_item send_message", "us"},
		"ok/order accepted":              {inbox.TypeOrder, inbox.StateAccepted, none, "propose_change cancel", "make_offer withdraw_from_contract send_message", "us"},
		"ok/order accepted, ours":        {inbox.TypeOrder, inbox.StateAccepted, ours, "propose_change accept_change decline_change cancel", "accept_offer decline_offer make_offer withdraw_from_contract send_message", "you"},
		"ok/order accepted, theirs":      {inbox.TypeOrder, inbox.StateAccepted, theirs, "propose_change retract_change cancel", "decline_offer withdraw_from_contract send_message", "us"},
		"ok/order to be paid, theirs":    {inbox.TypeOrder, inbox.StateAwaitingPayment, theirs, "propose_change retract_change cancel", "decline_offer withdraw_from_contract send_message", "you"},
		"ok/order to be paid again":      {inbox.TypeOrder, inbox.StatePaymentFailed, none, "propose_change cancel", "make_offer withdraw_from_contract send_message", "you"},
		"ok/order paid, ours":            {inbox.TypeOrder, inbox.StatePaid, ours, "propose_change accept_change decline_change", "accept_offer decline_offer make_offer withdraw_from_contract send_message", "you"},
		"ok/order being sent, no change": {inbox.TypeOrder, inbox.StateFulfilling, none, "propose_change", "make_offer withdraw_from_contract send_message", "us"},
	} {
		w := inState(t, c.typ, c.state)
		if c.open != none {
			w.askChange(c.open)
		}
		v := customerViewOf(w)
		if eventsOf(v.Transitions) != c.transitions || actionsOf(v.Next) != c.next || *v.WaitingOn != c.waiting {
			t.Errorf("%s: %q %q %q", name, eventsOf(v.Transitions), actionsOf(v.Next), *v.WaitingOn)
		}
		if (v.Offer != nil) != (c.open == ours) || (v.RequestedChange != nil) != (c.open == theirs) || v.Agreed == nil {
			t.Errorf("%s: %+v %+v %+v", name, v.Offer, v.RequestedChange, v.Agreed)
		}
		for _, s := range v.Next {
			if s.Label == "" || s.Action == "decline_offer" && c.open == theirs && s.Label != "Take your change back" || s.Action == "decline_offer" && c.open == ours && s.Label != "Keep it as it is" {
				t.Errorf("%s: %+v", name, s)
			}
		}
	}
}

// TestChangeClock: what the clock takes away of a change, by reader.
func TestChangeClock(t *testing.T) {
	until := start.Add(-inbox.Hour)
	for name, c := range map[string]struct {
		by   inbox.Side
		who  string
		now  inbox.Instant
		has  string
		lost string
	}{
		"ok/customer, at the last moment":  {inbox.SideBusiness, "C", until, "accept_change decline_change propose_change", ""},
		"fail/customer, after it":          {inbox.SideBusiness, "C", until + 1, "decline_change propose_change", "accept_change"},
		"ok/a person, after it":            {inbox.SideBusiness, "P owner", until + 1, "accept_change", ""},
		"fail/the booking has started":     {inbox.SideBusiness, "P owner", start, "complete", "accept_change propose_change"},
		"fail/started, customer":           {inbox.SideBusiness, "C", start, "decline_change", "accept_change propose_change"},
		"ok/theirs, automation in time":    {inbox.SideCustomer, "A", start - inbox.Instant(inbox.Day), "accept_change decline_change", "propose_change"},
		"fail/theirs, inside the cutoff":   {inbox.SideCustomer, "A", start - inbox.Instant(inbox.Day) + 1, "decline_change", "accept_change"},
		"ok/theirs, a person inside it":    {inbox.SideCustomer, "P staff", start - inbox.Instant(inbox.Day) + 1, "accept_change decline_change propose_change", "retract_change"},
		"ok/the clock's events are rules'": {inbox.SideCustomer, "P owner", start - 1, "", "expire_change"},
	} {
		w := inState(t, inbox.TypeBooking, inbox.StateConfirmed)
		w.f.Settings.Negotiation.CounterValidHours = 1000
		w.askChange(c.by)
		w.now = c.now
		got := allowed(&w.f, w.actors()[c.who], w.now)
		for _, e := range strings.Fields(c.has) {
			if !strings.Contains(" "+strings.Join(got, " ")+" ", " "+e+" ") {
				t.Errorf("%s: lacks %s: %v", name, e, got)
			}
		}
		for _, e := range strings.Fields(c.lost) {
			if strings.Contains(" "+strings.Join(got, " ")+" ", " "+e+" ") {
				t.Errorf("%s: has %s: %v", name, e, got)
			}
		}
		if v := customerViewOf(w); c.by == inbox.SideBusiness && v.Offer.Expired != (c.now > until) {
			t.Errorf("%s: expired %v", name, v.Offer.Expired)
		}
	}
}

// TestAcceptChangeDoor: the customer's yes to a change, with its fingerprint, and
// what it obliges to.
func TestAcceptChangeDoor(t *testing.T) {
	dearer := func(cents int64) string {
		return string(mustJSON(inbox.ChangeTimeInput{StartTime: later, TotalPrice: eur(cents)}))
	}
	for name, c := range map[string]struct {
		input   string
		sha     string // "=" the change's, "agreed" that of what was agreed
		now     inbox.Instant
		code    inbox.Code
		obliges bool
	}{
		"ok/with its fingerprint":         {changeTo(later), "=", monday, "", false},
		"fail/without one":                {changeTo(later), "", monday, inbox.CodeConfirmTerms, false},
		"fail/without one, dearer":        {dearer(3001), "", monday, inbox.CodeConfirmTerms, true},
		"fail/without one, cheaper":       {dearer(2999), "", monday, inbox.CodeConfirmTerms, false},
		"fail/a yes to what was agreed":   {changeTo(later), "agreed", monday, inbox.CodeOfferChanged, false},
		"fail/over, before anything else": {changeTo(later), "", start, inbox.CodeOfferExpired, false},
	} {
		w := inState(t, inbox.TypeBooking, inbox.StateConfirmed)
		agreed := w.f.Offer.TermsSHA
		w.fire(owner, "propose_change", c.input)
		w.now = c.now
		sha := strings.NewReplacer("=", w.f.Offer.TermsSHA, "agreed", agreed).Replace(c.sha)
		out, err := w.accept(w.customer(), inbox.AcceptOfferRequest{TermsSHA: sha})
		if c.code == "" {
			if w.ok(out, err); w.f.Record.Agreement.Changes != 1 || out.Status != 200 {
				t.Errorf("%s: %d %+v", name, out.Status, w.f.Record.Agreement)
			}
			continue
		}
		p := problem(t, err)
		if p.Code != c.code {
			t.Fatalf("%s: %v", name, p)
		}
		if c.code != inbox.CodeConfirmTerms {
			continue
		}
		if p.Details["terms_sha"] != w.f.Offer.TermsSHA || p.Details["obligation_to_pay"] != c.obliges || p.Details["offer"].(*inbox.OfferView).ObligationToPay != c.obliges {
			t.Errorf("%s: %v", name, p.Details)
		}
		summary, _ := p.Details["summary"].(string)
		if want := map[bool]string{true: "€30.01", false: "13:00"}[c.obliges]; !strings.Contains(summary, want) && !strings.Contains(summary, "14:00") {
			t.Errorf("%s: %s", name, summary)
		}
	}
}

// TestDeclineChangeDoor: no to ours keeps what was agreed, no with one's own open
// takes it back, and there is nothing to say no to otherwise.
func TestDeclineChangeDoor(t *testing.T) {
	for by, want := range map[inbox.Side]inbox.OfferStatus{inbox.SideBusiness: inbox.OfferDeclined, inbox.SideCustomer: inbox.OfferRetracted, "": ""} {
		for _, typ := range []inbox.Type{inbox.TypeBooking, inbox.TypeOrder} {
			w := inState(t, typ, machine.Of(typ).Promise[0])
			if by == "" {
				if _, err := w.declineOffer(w.customer(), inbox.DeclineOfferRequest{}); problem(t, err).Code != inbox.CodeNoOffer {
					t.Errorf("fail/%s: %v", typ, err)
				}
				continue
			}
			before := w.standing()
			w.askChange(by)
			if _, err := w.declineOffer(w.customer(), inbox.DeclineOfferRequest{OfferID: w.offers[1].ID}); problem(t, err).Code != inbox.CodeOfferChanged {
				t.Errorf("fail/%s of the agreed offer: %v", typ, err)
			}
			out := w.ok(w.declineOffer(w.customer(), inbox.DeclineOfferRequest{OfferID: w.f.Offer.ID, Reason: "no, thanks", ReasonCode: "other"}))
			if o := w.offers[2]; o.Status != want || w.standing() != before || out.Status != 200 {
				t.Errorf("%s: %+v %s", by, o, w.standing())
			}
			if e := w.entries[len(w.entries)-1]; e.BodyText != "no, thanks" || e.Direction != inbox.DirectionIn {
				t.Errorf("%s: %+v", by, e)
			}
		}
	}
}

// TestSuggestChange: what a customer's suggestion on a promise becomes: one clean
// change, or words for a person while what was agreed stands; never a refusal past
// a bound (01 §5.7, 02 §4.6, §11.3).
func TestSuggestChange(t *testing.T) {
	booking, order := inbox.TypeBooking, inbox.TypeOrder
	atLater := inbox.Suggestion{StartTime: &later}
	with := func(s inbox.Suggestion, do func(*inbox.Suggestion)) inbox.Suggestion { do(&s); return s }
	quantity := inbox.Suggestion{Lines: []inbox.SuggestLine{{Index: 0, Quantity: 3}}}
	for name, c := range map[string]struct {
		typ   inbox.Type
		state inbox.State
		terms inbox.Suggestion
		note  string
		do    func(*world)
		code  inbox.Code
		text  string // of what a person gets, "" for a change
	}{
		"ok/another time": {booking, inbox.StateConfirmed, atLater, "rather this", nil, "", ""},
		"ok/instead of ours": {booking, inbox.StateConfirmed, atLater, "", func(w *world) {
			w.askChange(inbox.SideBusiness)
			w.fire(owner, "propose_change", changeTo(start.Add(6*inbox.Hour)))
		}, "", ""},
		"ok/a quantity":                    {order, inbox.StateAccepted, quantity, "", nil, "", ""},
		"ok/a day":                         {order, inbox.StatePaid, inbox.Suggestion{DeliveryWhen: &day20}, "", nil, "", ""},
		"passed/a price":                   {booking, inbox.StateConfirmed, with(atLater, func(s *inbox.Suggestion) { s.TotalPrice = eur(2000) }), "", nil, "", "Suggested price: €20.00."},
		"passed/a price, where they count": {booking, inbox.StateConfirmed, with(atLater, func(s *inbox.Suggestion) { s.TotalPrice = eur(2000) }), "", func(w *world) { w.f.Settings.Negotiation.PriceCounters = true }, "", "Suggested price: €20.00."},
		"passed/more people":               {booking, inbox.StateConfirmed, with(atLater, func(s *inbox.Suggestion) { s.PartySize = inbox.Ptr(4) }), "", nil, "", "Number of people: 4."},
		"passed/lines of a booking":        {booking, inbox.StateConfirmed, quantity, "", nil, "", "3 × line 1"},
		"passed/words alone":               {booking, inbox.StateConfirmed, inbox.Suggestion{}, "could it be earlier?", nil, "", "could it be earlier?"},
		"passed/a fourth change":           {booking, inbox.StateConfirmed, atLater, "please", func(w *world) { w.f.Record.Agreement.Changes = 3 }, "", "please"},
		"passed/too far":                   {booking, inbox.StateConfirmed, inbox.Suggestion{StartTime: inbox.Ptr(start.Add(91 * inbox.Day))}, "", nil, "", "Suggested time: "},
		"passed/a round too many":          {booking, inbox.StateConfirmed, atLater, "again", func(w *world) { w.f.Record.Agreement.Round = 3 }, "", "again"},
		"passed/a network":                 {booking, inbox.StateConfirmed, atLater, "", func(w *world) { w.f.Networks = []Network{{Queued: true}} }, "", "Suggested time: "},
		"passed/a total that is fixed":     {order, inbox.StatePaid, quantity, "", nil, "", "3 × Rosemary honey, 500 g"},
		"passed/a price of a line":         {order, inbox.StateAccepted, inbox.Suggestion{Lines: []inbox.SuggestLine{{Index: 0, Quantity: 2, UnitPrice: eur(5)}}}, "", nil, "", "at €0.05 each."},
		"passed/a time of an order":        {order, inbox.StateAccepted, atLater, "", nil, "", "Suggested time: "},
		"fail/says nothing":                {booking, inbox.StateConfirmed, inbox.Suggestion{}, " ", nil, inbox.CodeInvalidInput, ""},
		"fail/changes nothing":             {booking, inbox.StateConfirmed, inbox.Suggestion{StartTime: &start}, "", nil, inbox.CodeInvalidInput, ""},
		"fail/not free":                    {booking, inbox.StateConfirmed, atLater, "", func(w *world) { w.places["x"] = taken("x", "service:SVC", later, later.Add(inbox.Hour)) }, inbox.CodeSlotTaken, ""},
		"fail/started":                     {booking, inbox.StateConfirmed, atLater, "", func(w *world) { w.now = start }, inbox.CodeGuardFailed, ""},
		"fail/no promise any more":         {order, inbox.StateFulfilled, quantity, "", nil, inbox.CodeNoOffer, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, c.typ, c.state)
			if c.do != nil {
				c.do(w)
			}
			before := *w.f.Record
			out, err := w.makeOffer(w.customer(), inbox.MakeOfferRequest{Terms: c.terms, Note: c.note})
			switch {
			case c.code != "":
				if p := problem(t, err); p.Code != c.code {
					t.Errorf("%v", p)
				}
			case c.text == "":
				w.ok(out, err)
				if o := w.f.Offer; out.Status != 200 || o.Kind != "change" || o.By != inbox.SideCustomer || o.Note != c.note {
					t.Errorf("%d %+v", out.Status, o)
				}
			default:
				w.ok(out, err)
				w.passed(out, before, c.text)
				if told := out.Body.(inbox.CustomerResult).PassedOn; !strings.HasSuffix(told, "What was agreed stands.") {
					t.Error(told)
				}
			}
		})
	}
}

// TestYesPassedOn: a yes to a change of ours that can no longer be recorded is
// kept for a person with the terms it was said to (02 §4.6).
func TestYesPassedOn(t *testing.T) {
	for name, do := range map[string]func(*world){
		"ok/a network came": func(w *world) { w.f.Networks = []Network{{Origin: "https://net.example", Receipts: true}} },
		"ok/it is paid": func(w *world) {
			w.ok(w.decide(owner, needing("record_payment")))
		},
	} {
		w := inState(t, inbox.TypeOrder, inbox.StateAccepted)
		w.fire(owner, "propose_change", orderChange(inbox.ChangeOrderInput{OrderedItem: []inbox.OrderLine{line("HONEY", 9, 850)}}))
		do(w)
		before, open := *w.f.Record, *w.f.Offer
		out := w.ok(w.accept(w.customer(), inbox.AcceptOfferRequest{TermsSHA: open.TermsSHA}))
		w.passed(out, before, open.Human())
		if w.f.Offer.ID != open.ID || w.f.Offer.Status != inbox.OfferOpen {
			t.Errorf("%s: %+v", name, w.f.Offer)
		}
	}
}

// TestChangeRounds: rounds begin again at every agreement, go on after a change
// that was let go, and past negotiation.maxRounds a person takes over; the
// business is never held (02 §1.6, §13.2).
func TestChangeRounds(t *testing.T) {
	w := inState(t, inbox.TypeBooking, inbox.StateConfirmed)
	ask := func(hours int64) int {
		out := w.ok(w.makeOffer(w.customer(), inbox.MakeOfferRequest{Terms: inbox.Suggestion{StartTime: inbox.Ptr(start.Add(hours * inbox.Hour))}}))
		return out.Status
	}
	offer := func(hours int64) { w.fire(owner, "propose_change", changeTo(start.Add(hours*inbox.Hour))) }
	said := []int{ask(4), ask(5)} // their own again is a round
	offer(6)
	said = append(said, ask(7))
	offer(5) // our own again is none
	said = append(said, ask(7))
	w.fire(w.customer(), "decline_change")
	said = append(said, ask(7))
	offer(3)
	w.fire(w.customer(), "accept_change")
	said = append(said, ask(2))
	if fmt.Sprint(said) != "[200 200 202 202 202 200]" {
		t.Errorf("answered %v", said)
	}
	const want = "1 customer 1 accepted, 2 customer 1 superseded, 3 customer 2 countered, 4 business 3 superseded, 5 business 3 declined, " +
		"6 business 4 accepted, 7 customer 1 open"
	if got := w.ledger(); got != want {
		t.Error(got)
	}
	for rev, parent := range map[int]int{2: 1, 3: 2, 4: 3, 5: 4, 6: 1, 7: 6} {
		if w.offers[rev].ParentID != w.offers[parent].ID {
			t.Errorf("offer %d answers another than %d", rev, parent)
		}
	}
}

// TestNetworks: which networks a change waits for (02 §4.5).
func TestNetworks(t *testing.T) {
	published, queued, on := Network{Published: true}, Network{Queued: true}, Network{Receipts: true}
	at := func(n Network, rules int) Network { n.Rules = rules; return n }
	for name, c := range map[string]struct {
		networks []Network
		do       func(*world)
		ok       bool
	}{
		"ok/none":                         {nil, nil, true},
		"ok/one that is neither":          {[]Network{{Origin: "x"}}, nil, true},
		"ok/it took it and reads changes": {[]Network{at(published, 6)}, nil, true},
		"ok/later rules":                  {[]Network{at(queued, 7), at(on, 6)}, nil, true},
		"ok/a test":                       {[]Network{published}, func(w *world) { w.f.Record.Item.Flags.Sandbox = true }, true},
		"ok/the business wrote it down":   {[]Network{published}, func(w *world) { w.f.Record.ByCustomer = false }, true},
		"ok/stopped, queued":              {[]Network{queued, on}, func(w *world) { w.f.NetworksOff = true }, true},
		"fail/it took it":                 {[]Network{at(published, 5)}, nil, false},
		"fail/it waits":                   {[]Network{at(queued, 5)}, nil, false},
		"fail/it would be sent it":        {[]Network{at(on, 0)}, nil, false},
		"fail/one of two":                 {[]Network{at(on, 6), at(on, 5)}, nil, false},
		"fail/stopped, but it took it":    {[]Network{at(published, 5)}, func(w *world) { w.f.NetworksOff = true }, false},
		"fail/a connector's":              {[]Network{at(on, 5)}, func(w *world) { w.f.Record.ByCustomer, w.f.Record.Item.Channel = false, inbox.ChannelConnector }, false},
	} {
		w := inState(t, inbox.TypeBooking, inbox.StateConfirmed)
		if c.do != nil {
			c.do(w)
		}
		w.f.Networks = c.networks
		_, err := w.decide(owner, request("propose_change", changeTo(later)))
		if c.ok != (err == nil) || err != nil && refusal(problem(t, err)) != "amendments_live" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestChangeHolds: a change of ours holds its places beside the booking's own,
// where both fit; what answers or ends it lets them go (01 §10.6).
func TestChangeHolds(t *testing.T) {
	half := start.Add(30 * inbox.Minute)
	for name, c := range map[string]struct {
		to   inbox.Instant
		do   func(*world)
		held bool
	}{
		"ok/elsewhere":         {later, nil, true},
		"fail/both do not fit": {half, nil, false},
		"ok/both fit":          {half, func(w *world) { w.f.Service.Capacity = 2 }, true},
		"fail/both and another's": {half, func(w *world) {
			w.f.Service.Capacity = 2
			w.places["x"] = taken("x", "service:SVC", end, end.Add(inbox.Hour))
			w.places["y"] = taken("y", "service:SVC", start, end)
		}, false},
		"fail/holding is off":   {later, func(w *world) { w.f.Settings.Booking.HoldOnPropose = false }, false},
		"fail/they hold enough": {later, func(w *world) { w.f.Holds = 2 }, false},
	} {
		w := inState(t, inbox.TypeBooking, inbox.StateConfirmed)
		w.f.Settings.Booking.HoldOnPropose = true
		if c.do != nil {
			c.do(w)
		}
		w.fire(owner, "propose_change", changeTo(c.to))
		code := map[bool]string{true: "held", false: "unheld"}[c.held]
		if w.f.Offer.Held() != c.held || w.f.Offer.Shown.Disclosures[0] != code || len(w.f.Record.Claims) != map[bool]int{true: 2, false: 1}[c.held] {
			t.Errorf("%s: %v %+v", name, w.f.Offer.Shown, w.f.Record.Claims)
		}
		if !NeedsHolds(w.f, owner, request("propose_change")) != !w.f.Settings.Booking.HoldOnPropose {
			t.Errorf("%s: what they hold is not counted", name)
		}
		w.fire(owner, "propose_change", changeTo(start.Add(6*inbox.Hour))) // a new change moves the hold
		if holding := w.f.Offer.Held(); len(w.f.Record.Claims) != map[bool]int{true: 2, false: 1}[holding] {
			t.Errorf("%s: %v", name, w.f.Record.Claims)
		}
		w.ok(w.makeOffer(w.customer(), inbox.MakeOfferRequest{Terms: inbox.Suggestion{StartTime: inbox.Ptr(start.Add(5 * inbox.Hour))}}))
		if len(w.f.Record.Claims) != 1 || w.f.Record.HeldFor != nil {
			t.Errorf("%s: the answered change holds on: %v", name, w.places)
		}
	}
}

// TestLateYesToAChange: a yes of ours past the date of theirs becomes a change of
// ours on their terms where we could ask for that now, else it is judged as the
// yes it was (01 §3 step 5b).
func TestLateYesToAChange(t *testing.T) {
	after := monday.Add(72*inbox.Hour + 1)
	day := start.Add(24 * inbox.Hour)
	for name, c := range map[string]struct {
		by   string
		now  inbox.Instant
		do   func(*world)
		code inbox.Code
		why  string
	}{
		"ok/a person":                     {"P owner", after, nil, "", ""},
		"ok/a key with money":             {"K$", after, nil, "", ""},
		"ok/the assistant, as for a yes":  {"A", after, func(w *world) { w.f.Settings.Booking.CancellationWindowMin = 0 }, "", ""},
		"ok/a rule, as for a yes":         {"R", after, func(w *world) { w.f.Settings.Booking.CancellationWindowMin = 0 }, "", ""},
		"fail/the assistant may not":      {"A", after, nil, inbox.CodeGuardFailed, "change_allowed"},
		"fail/taken meanwhile":            {"P owner", after, func(w *world) { w.places["x"] = taken("x", "service:SVC", day, day.Add(inbox.Hour)) }, inbox.CodeOfferExpired, ""},
		"fail/it has started":             {"P owner", start, nil, inbox.CodeOfferExpired, ""},
		"fail/no changes left":            {"P owner", after, func(w *world) { w.f.Record.Agreement.Changes = 3 }, inbox.CodeOfferExpired, ""},
		"fail/a network":                  {"P owner", after, func(w *world) { w.f.Networks = []Network{{Queued: true}} }, inbox.CodeOfferExpired, ""},
		"fail/not the customer's to turn": {"C", after, nil, inbox.CodeNoOffer, ""},
	} {
		w := inState(t, inbox.TypeBooking, inbox.StateConfirmed)
		w.f.Settings.Booking.HoldOnPropose = true
		w.fire(w.customer(), "propose_change", changeTo(day))
		if c.do != nil {
			c.do(w)
		}
		w.now = max(c.now, *w.f.Offer.ValidThrough+1)
		if c.code == "" && !NeedsHolds(w.f, w.actors()[c.by], request("accept_change")) {
			t.Errorf("%s: what they hold is not counted", name)
		}
		out, err := w.decide(w.actors()[c.by], request("accept_change", `{"note":"yes"}`))
		if c.code != "" {
			if p := problem(t, err); p.Code != c.code || c.why != "" && refusal(p) != c.why {
				t.Errorf("%s: %v", name, p)
			}
			continue
		}
		w.ok(out, err)
		r, o := out.Body.(inbox.TransitionResult), w.f.Offer
		if r.Converted != "change_lapsed" || w.offers[2].Status != inbox.OfferCountered || o.By != inbox.SideBusiness || o.Kind != "change" || o.Round != 2 || !o.Held() || o.TermsSHA != w.offers[2].TermsSHA {
			t.Errorf("%s: %q %+v", name, r.Converted, o)
		}
		if ev := w.events[len(w.events)-1]; ev.Event != "propose_change" || ev.Meta.Converted != "change_lapsed" {
			t.Errorf("%s: %+v", name, ev)
		}
		if o.ValidThrough == nil || *o.ValidThrough <= w.now {
			t.Errorf("%s: over before it began: %v", name, o.ValidThrough)
		}
		w.fire(w.customer(), "accept_change")
		if b := w.f.Record.Item.Payload.Booking; b.StartTime != day || len(w.places) != 1 {
			t.Errorf("%s: %+v %v", name, b, w.places)
		}
	}
	w := inState(t, inbox.TypeOrder, inbox.StateAccepted)
	w.fire(w.customer(), "propose_change", orderChange(inbox.ChangeOrderInput{Lines: []inbox.ChangeLine{{Index: 0, Quantity: 3}}}))
	theirs := w.f.Offer.TermsSHA
	w.now = monday.Add(72*inbox.Hour + 1)
	out := w.fire(key, "accept_change")
	if r := out.Body.(inbox.TransitionResult); r.Converted != "change_lapsed" || w.f.Offer.TermsSHA != theirs || w.f.Offer.By != inbox.SideBusiness {
		t.Errorf("an order: %+v %+v", r.Converted, w.f.Offer)
	}
	w = inState(t, inbox.TypeOrder, inbox.StateAccepted)
	w.fire(w.customer(), "propose_change", orderChange(inbox.ChangeOrderInput{DeliveryWhen: inbox.Ptr(monday.Add(inbox.Day))}))
	w.now = monday.Add(72*inbox.Hour + 1)
	if p := w.refusedWith(owner, "accept_change"); p.Code != inbox.CodeOfferExpired {
		t.Errorf("an order whose day has come: %v", p)
	}
}

// TestWorkedChanges is 02 §13.8.
func TestWorkedChanges(t *testing.T) {
	book := func(t *testing.T) *world {
		w := newWorld(t)
		w.now = at("2026-09-20T08:00:00Z")
		r := bookingRequest()
		r.Payload.Booking.StartTime, r.Payload.Booking.EndTime = at("2026-09-24T11:00:00Z"), at("2026-09-24T12:30:00Z")
		w.create(owner, r)
		w.fire(owner, "confirm")
		return w
	}
	for name, c := range map[string]struct {
		start, end string
		why        string
	}{
		"ok/90 days, to the same hour":    {"2026-12-23T11:00:00Z", "2026-12-23T12:30:00Z", ""},
		"fail/the same hour of the clock": {"2026-12-23T12:00:00Z", "2026-12-23T13:30:00Z", "changes_left shift"},
		"fail/the end 15 minutes too far": {"2026-12-23T10:30:00Z", "2026-12-23T12:45:00Z", "changes_left shift"},
		"ok/the end at 90 days exactly":   {"2026-12-23T10:30:00Z", "2026-12-23T12:30:00Z", ""},
	} {
		w := book(t)
		in := fmt.Sprintf(`{"startTime":%q,"endTime":%q}`, c.start, c.end)
		out, err := w.decide(owner, request("propose_change", in))
		if c.why == "" {
			w.ok(out, err)
		} else if p := problem(t, err); refusal(p) != c.why {
			t.Errorf("%s: %v", name, p)
		}
	}
	w := book(t)
	w.fire(owner, "propose_change", changeTo(at("2026-11-23T11:00:00Z")))
	w.fire(owner, "accept_change")
	if p := w.refusedWith(owner, "propose_change", changeTo(at("2027-01-22T11:00:00Z"))); refusal(p) != "changes_left shift" {
		t.Errorf("fail/twice 60 days: %v", p)
	}

	w = newWorld(t)
	w.now = at("2027-01-10T09:00:00Z")
	w.create(w.customer(), orderRequest())
	w.fire(owner, "accept")
	on := func(day string) string { return fmt.Sprintf(`{"delivery":{"method":"delivery","when":%q}}`, day) }
	if got := w.f.Record.Agreement.Due; got != at("2027-02-09T09:00:00Z") {
		t.Errorf("first date %v", got)
	}
	if p := w.refusedWith(owner, "propose_change", on("2027-05-11T09:00:00Z")); refusal(p) != "changes_left shift" {
		t.Errorf("fail/91 days: %v", p)
	}
	w.fire(owner, "propose_change", on("2027-05-10T09:00:00Z"))
}

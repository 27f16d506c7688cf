package decide

import (
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
		w.passed(out, before, "I accept: "+open.Human())
		if w.f.Offer.ID != open.ID || w.f.Offer.Status != inbox.OfferOpen {
			t.Errorf("%s: %+v", name, w.f.Offer)
		}
	}
}

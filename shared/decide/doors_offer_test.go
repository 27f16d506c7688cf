package decide

import (
	"reflect"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

func (w *world) accept(c inbox.Caller, r inbox.AcceptOfferRequest) (Outcome, error) {
	w.readRows(NeedsAccept(w.f, c))
	return w.pure(func() (Outcome, error) { return AcceptOffer(w.f, c, r, w.env()) })
}

func (w *world) declineOffer(c inbox.Caller, r inbox.DeclineOfferRequest) (Outcome, error) {
	return w.pure(func() (Outcome, error) { return DeclineOffer(w.f, c, r, w.env()) })
}

func (w *world) makeOffer(c inbox.Caller, r inbox.MakeOfferRequest) (Outcome, error) {
	w.readRows(NeedsOffer(w.f, c, r))
	return w.pure(func() (Outcome, error) { return MakeOffer(w.f, c, r, w.env()) })
}

// TestAcceptOffer: the refusals of a yes in their order (02 §11.1, 09).
func TestAcceptOffer(t *testing.T) {
	one := start.Add(inbox.Hour)
	for name, c := range map[string]struct {
		state    inbox.State
		id, sha  string // "=" the open offer's
		now      inbox.Instant
		stranger bool
		full     bool
		code     inbox.Code
		why      string
	}{
		"ok/with its fingerprint":                {inbox.StateProposed, "", "=", monday, false, false, "", ""},
		"ok/and its id, at the last moment":      {inbox.StateProposed, "=", "=", start, false, false, "", ""},
		"fail/not theirs, first of all":          {inbox.StateRequested, "x", "", monday, true, false, inbox.CodeNotAllowed, ""},
		"fail/nothing open":                      {inbox.StateRequested, "x", "", monday, false, false, inbox.CodeNoOffer, ""},
		"fail/over":                              {inbox.StateDeclined, "", "", monday, false, false, inbox.CodeNoOffer, ""},
		"fail/agreed already":                    {inbox.StateConfirmed, "", "", monday, false, false, inbox.CodeNoOffer, ""},
		"fail/lapsed, before anything else":      {inbox.StateProposed, "x", "y", start + 1, false, true, inbox.CodeOfferExpired, ""},
		"fail/lapsed, without a fingerprint":     {inbox.StateProposed, "", "", start + 1, false, false, inbox.CodeOfferExpired, ""},
		"fail/another offer, right fingerprint":  {inbox.StateProposed, "x", "=", monday, false, false, inbox.CodeOfferChanged, ""},
		"fail/another offer, before the confirm": {inbox.StateProposed, "x", "", monday, false, false, inbox.CodeOfferChanged, ""},
		"fail/no fingerprint":                    {inbox.StateProposed, "=", "", monday, false, true, inbox.CodeConfirmTerms, ""},
		"fail/another fingerprint":               {inbox.StateProposed, "=", "y", monday, false, true, inbox.CodeOfferChanged, ""},
		"fail/taken meanwhile":                   {inbox.StateProposed, "=", "=", monday, false, true, inbox.CodeSlotTaken, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, inbox.TypeBooking, c.state)
			w.now = max(c.now, w.now)
			if c.full {
				w.places["x"] = taken("x", "service:SVC", one, one.Add(inbox.Hour))
			}
			r := inbox.AcceptOfferRequest{OfferID: c.id, TermsSHA: c.sha}
			if r.OfferID == "=" {
				r.OfferID = w.f.Offer.ID
			}
			if r.TermsSHA == "=" {
				r.TermsSHA = w.f.Offer.TermsSHA
			}
			who := w.customer()
			if c.stranger {
				who.AccessToken = "another's"
			}
			out, err := w.accept(who, r)
			if c.code == "" {
				if w.ok(out, err); w.f.Record.Item.State != inbox.StateConfirmed || out.Status != 200 {
					t.Errorf("%d %s", out.Status, w.f.Record.Item.State)
				}
				return
			}
			p := problem(t, err)
			if p.Code != c.code {
				t.Fatalf("%v", p)
			}
			offer, _ := p.Details["offer"].(*inbox.OfferView)
			switch c.code {
			case inbox.CodeOfferExpired:
				if p.Details["validThrough"] != start {
					t.Errorf("%v", p.Details)
				}
			case inbox.CodeOfferChanged:
				if offer == nil || offer.ID != w.f.Offer.ID {
					t.Errorf("%v", p.Details)
				}
			case inbox.CodeConfirmTerms:
				summary, _ := p.Details["summary"].(string)
				if p.Details["terms_sha"] != w.f.Offer.TermsSHA || p.Details["obligation_to_pay"] != true || offer == nil || len(p.Details) != 4 ||
					!strings.Contains(summary, "11:00") || !strings.Contains(summary, "€30.00") || !strings.Contains(p.Detail, summary) {
					t.Errorf("%v\n%v", p.Detail, p.Details)
				}
			}
		})
	}
}

// TestAcceptFree: a yes to what costs nothing obliges to nothing and is
// confirmed as well.
func TestAcceptFree(t *testing.T) {
	w := newWorld(t)
	w.f.Service.Price = nil
	w.create(w.customer(), bookingRequest())
	w.propose()
	_, err := w.accept(w.customer(), inbox.AcceptOfferRequest{})
	p := problem(t, err)
	if p.Code != inbox.CodeConfirmTerms || p.Details["obligation_to_pay"] != false || p.Details["summary"] != w.f.Offer.Human() {
		t.Errorf("%v %v", p, p.Details)
	}
}

// TestAcceptIsTheCustomers: the business records a yes at its own door.
func TestAcceptIsTheCustomers(t *testing.T) {
	for name, c := range map[string]inbox.Caller{"owner": owner, "rule": rule, "key": moneyKey, "system": sweeper, "connector": connector} {
		w := inState(t, inbox.TypeBooking, inbox.StateProposed)
		_, accepted := w.accept(c, inbox.AcceptOfferRequest{TermsSHA: w.f.Offer.TermsSHA})
		_, declined := w.declineOffer(c, inbox.DeclineOfferRequest{})
		_, offered := w.makeOffer(c, inbox.MakeOfferRequest{Note: "x"})
		for _, err := range []error{accepted, declined, offered} {
			if p := problem(t, err); p.Code != inbox.CodeNotAllowed {
				t.Errorf("fail/%s: %v", name, p)
			}
		}
	}
}

// TestDeclineOffer: what a no does.
func TestDeclineOffer(t *testing.T) {
	w := inState(t, inbox.TypeBooking, inbox.StateProposed)
	_, err := w.declineOffer(w.customer(), inbox.DeclineOfferRequest{OfferID: "another"})
	if p := problem(t, err); p.Code != inbox.CodeOfferChanged || p.Details["offer"].(*inbox.OfferView).ID != w.f.Offer.ID {
		t.Errorf("fail/another offer: %v", p)
	}
	w.now = start + 1 // a lapsed one can be declined until it is closed
	out := w.ok(w.declineOffer(w.customer(), inbox.DeclineOfferRequest{OfferID: w.f.Offer.ID, Reason: "too late", ReasonCode: "timing_deferred"}))
	if o := w.offers[2]; w.f.Record.Item.State != inbox.StateCancelledByCustomer || o.Status != inbox.OfferDeclined || o.ReasonCode != "timing_deferred" ||
		w.entries[0].BodyText != "too late" || w.events[2].Reason != nil || out.Status != 200 {
		t.Errorf("ok/a time: %s %+v %+v", w.f.Record.Item.State, o, w.entries)
	}
	for _, s := range []inbox.State{inbox.StateRequested, inbox.StateNeedsInfo, inbox.StateConfirmed, inbox.StateDeclined} {
		w := inState(t, inbox.TypeBooking, s)
		_, err := w.declineOffer(w.customer(), inbox.DeclineOfferRequest{OfferID: "x"})
		if p := problem(t, err); p.Code != inbox.CodeNoOffer {
			t.Errorf("fail/%s: %v", s, p)
		}
	}
}

// TestMakeOffer: what becomes a counter, what a person gets, what is refused.
func TestMakeOffer(t *testing.T) {
	three := start.Add(3 * inbox.Hour)
	at := func(i inbox.Instant) inbox.Suggestion { return inbox.Suggestion{StartTime: &i} }
	with := func(s inbox.Suggestion, do func(*inbox.Suggestion)) inbox.Suggestion { do(&s); return s }
	price := func(s *inbox.Suggestion) { s.TotalPrice = eur(2000) }
	for name, c := range map[string]struct {
		state inbox.State
		terms inbox.Suggestion
		note  string
		id    string
		do    func(*world)
		code  inbox.Code
		why   string
		text  string // of what a person gets, "" for a counter
	}{
		"ok/another time":               {inbox.StateProposed, at(three), "rather this", "", nil, "", "", ""},
		"ok/to the offer named":         {inbox.StateProposed, at(three), "", "=", nil, "", "", ""},
		"ok/a price, where they count":  {inbox.StateProposed, with(at(three), price), "", "", func(w *world) { w.f.Settings.Negotiation.PriceCounters = true }, "", "", ""},
		"ok/a price alone, of its time": {inbox.StateProposed, with(inbox.Suggestion{}, price), "", "", func(w *world) { w.f.Settings.Negotiation.PriceCounters = true; w.f.Week = nil }, "", "", ""},
		"passed/a price": {inbox.StateProposed, with(at(three), price), "please", "", nil, "", "",
			"Suggested time: Thursday, 8 October 2026 at 13:00 (Western European Time).\nSuggested price: €20.00.\nplease"},
		"passed/people":           {inbox.StateProposed, with(at(three), func(s *inbox.Suggestion) { s.PartySize = inbox.Ptr(4) }), "", "", nil, "", "", "Number of people: 4."},
		"passed/a quantity":       {inbox.StateProposed, inbox.Suggestion{Quantity: inbox.Ptr(int64(3))}, "", "", nil, "", "", "Quantity: 3."},
		"passed/lines":            {inbox.StateProposed, inbox.Suggestion{Lines: []inbox.SuggestLine{{Index: 1, Quantity: 2, UnitPrice: eur(5)}}}, "", "", nil, "", "", "2 × line 2, at €0.05 each."},
		"passed/a delivery":       {inbox.StateProposed, inbox.Suggestion{DeliveryWhen: &three}, "", "", nil, "", "", "Delivery: "},
		"passed/words alone":      {inbox.StateProposed, inbox.Suggestion{}, " could it be\r\nearlier? ", "", nil, "", "", "could it be\nearlier?"},
		"passed/a round too many": {inbox.StateProposed, at(three), "last try", "", func(w *world) { w.f.Settings.Negotiation.MaxRounds = 2 }, "", "", "last try"},
		"passed/a promise":        {inbox.StateConfirmed, with(at(three), price), "", "", nil, "", "", "Suggested time: "},
		"fail/says nothing":       {inbox.StateProposed, inbox.Suggestion{}, " ", "", nil, inbox.CodeInvalidInput, "terms", ""},
		"fail/another offer":      {inbox.StateProposed, at(three), "", "x", nil, inbox.CodeOfferChanged, "", ""},
		"fail/nothing open":       {inbox.StateRequested, at(three), "", "", nil, inbox.CodeNoOffer, "", ""},
		"fail/nothing open, yet":  {inbox.StateNeedsInfo, inbox.Suggestion{}, "", "", nil, inbox.CodeNoOffer, "", ""},
		"fail/over":               {inbox.StateCompleted, at(three), "", "", nil, inbox.CodeNoOffer, "", ""},
		"fail/not free":           {inbox.StateProposed, at(three), "", "", func(w *world) { w.places["x"] = taken("x", "service:SVC", three, end.Add(4*inbox.Hour)) }, inbox.CodeSlotTaken, "slot_free", ""},
		"fail/too soon":           {inbox.StateProposed, at(monday.Add(30 * inbox.Minute)), "", "", nil, inbox.CodeGuardFailed, "not_too_soon", ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, inbox.TypeBooking, c.state)
			if c.do != nil {
				c.do(w)
			}
			r := inbox.MakeOfferRequest{Terms: c.terms, Note: c.note, OfferID: c.id}
			if c.id == "=" {
				r.OfferID = w.f.Offer.ID
			}
			before := *w.f.Record
			out, err := w.makeOffer(w.customer(), r)
			switch {
			case c.code != "":
				p := problem(t, err)
				path := why(p)
				if len(p.Fields) > 0 {
					path = p.Fields[0].Path
				}
				if p.Code != c.code || path != c.why {
					t.Errorf("%v", p)
				}
			case c.text == "":
				if w.ok(out, err); w.f.Record.Item.State != inbox.StateRequested || out.Status != 200 {
					t.Errorf("%d %s", out.Status, w.f.Record.Item.State)
				}
			default:
				w.ok(out, err)
				w.passed(out, before, c.text)
			}
		})
	}
}

// passed checks what became of words that a person gets.
func (w *world) passed(out Outcome, before inbox.Record, text string) {
	w.t.Helper()
	body := out.Body.(inbox.CustomerResult)
	i := w.f.Record.Item
	if out.Status != 202 || !body.Appended || *body.WaitingOn != "us" || body.PassedOn == "" {
		w.t.Errorf("%d %+v", out.Status, body)
	}
	if i.State != before.Item.State || !i.Flags.NeedsHuman || i.Version != before.Item.Version+1 || !reflect.DeepEqual(i.Payload, before.Item.Payload) || len(out.Write.Offers) > 0 {
		w.t.Errorf("%+v", i)
	}
	if e := w.entries[len(w.entries)-1]; e.Direction != inbox.DirectionIn || !strings.Contains(e.BodyText, text) || e.Quiet {
		w.t.Errorf("%+v", e)
	}
	ev := w.events[len(w.events)-1]
	if ev.Event != inbox.EventFlags || ev.Diff.Flags == nil || !ev.Diff.Flags[1].NeedsHuman || ev.ActorKind != inbox.CustomerAgent {
		w.t.Errorf("%+v", ev)
	}
	if got := strings.Join(told(out.Write), " "); got != "notify_owner" {
		w.t.Errorf("told %s", got)
	}
	if said := body.View.Thread[len(body.View.Thread)-1]; said.From != "you" {
		w.t.Errorf("%+v", said)
	}
}

// TestPassedOn: what stands meanwhile is said while it does, a person is called
// once, and secrets are hidden.
func TestPassedOn(t *testing.T) {
	for name, c := range map[string]struct {
		state inbox.State
		now   inbox.Instant
		want  string
	}{
		"ok/the proposal stands": {inbox.StateProposed, start - 1, "We have passed this on to a person, who will answer you. Our suggestion still stands until Thursday, 8 October 2026 at 10:00 (Western European Time)."},
		"ok/it lapses just now":  {inbox.StateProposed, start, "We have passed this on to a person, who will answer you."},
		"ok/a promise stands":    {inbox.StateConfirmed, monday, "We have passed this on to a person, who will answer you. What was agreed stands."},
	} {
		w := inState(t, inbox.TypeBooking, c.state)
		w.now = c.now
		out := w.ok(w.makeOffer(w.customer(), inbox.MakeOfferRequest{Note: "cheaper? " + secret}))
		if got := out.Body.(inbox.CustomerResult).PassedOn; got != c.want {
			t.Errorf("%s: %s", name, got)
		}
		version := w.f.Record.Item.Version
		out = w.ok(w.makeOffer(w.customer(), inbox.MakeOfferRequest{Note: "well?"}))
		if out.Status != 202 || w.f.Record.Item.Version != version || len(out.Write.Events) != 0 || !w.f.Record.Clocked {
			t.Errorf("%s: called twice: %+v", name, out.Write.Events)
		}
		for _, e := range w.entries {
			if strings.Contains(e.BodyText, secret) {
				t.Errorf("%s: %s", name, e.BodyText)
			}
		}
	}
}

// TestSuggestTime is make_offer for a time.
func TestSuggestTime(t *testing.T) {
	w := inState(t, inbox.TypeBooking, inbox.StateProposed)
	r := inbox.SuggestTimeRequest{StartTime: start.Add(3 * inbox.Hour), Note: "after lunch"}
	w.readRows(NeedsSuggestion(w.f, w.customer(), r))
	w.ok(w.pure(func() (Outcome, error) { return SuggestTime(w.f, w.customer(), r, w.env()) }))
	if b := w.f.Record.Item.Payload.Booking; b.StartTime != r.StartTime || w.offers[3].Note != "after lunch" {
		t.Errorf("%+v", b)
	}
}

// TestPutOffer: the business's offer is the event that the state takes.
func TestPutOffer(t *testing.T) {
	for name, c := range map[string]struct {
		typ   inbox.Type
		state inbox.State
		code  inbox.Code
	}{
		"ok/requested":             {inbox.TypeBooking, inbox.StateRequested, ""},
		"ok/a question is open":    {inbox.TypeBooking, inbox.StateNeedsInfo, ""},
		"ok/another one":           {inbox.TypeBooking, inbox.StateProposed, ""},
		"ok/a change of a promise": {inbox.TypeBooking, inbox.StateConfirmed, ""},
		"fail/over":                {inbox.TypeBooking, inbox.StateDeclined, inbox.CodeWrongState},
		"fail/a message":           {inbox.TypeMessage, inbox.StateOpen, inbox.CodeWrongState},
	} {
		w := inState(t, c.typ, c.state)
		r := inbox.PutOfferRequest{Input: []byte(proposal(start.Add(3 * inbox.Hour)))}
		w.readRows(Needs(w.f, owner, PutRequest(w.f, r)))
		out, err := w.pure(func() (Outcome, error) { return PutOffer(w.f, owner, r, w.env()) })
		if c.code == "" {
			want := inbox.StateProposed
			if c.state == inbox.StateConfirmed {
				want = c.state
			}
			if w.ok(out, err); w.f.Record.Item.State != want || w.f.Offer.Status != inbox.OfferOpen || w.f.Offer.By != inbox.SideBusiness {
				t.Errorf("%s: %s %+v", name, w.f.Record.Item.State, w.f.Offer)
			}
			continue
		}
		if p := problem(t, err); p.Code != c.code || p.Details["state"] != c.state {
			t.Errorf("%s: %v", name, p)
		}
	}
	w := inState(t, inbox.TypeBooking, inbox.StateRequested)
	stale := inbox.PutOfferRequest{Input: []byte(proposal(start)), ExpectedVersion: inbox.Ptr(9)}
	if _, err := PutOffer(w.f, owner, stale, w.env()); problem(t, err).Code != inbox.CodeVersionConflict {
		t.Errorf("fail/version: %v", err)
	}
	if _, err := PutOffer(w.f, key, inbox.PutOfferRequest{Input: []byte(proposal(start))}, w.env()); why(problem(t, err)) != "limits_not_set" {
		t.Errorf("fail/automation: %v", err)
	}
}

// TestSuggestionFields: what is wrong with a suggestion is told by the fields
// that the customer sent (03 §6.4), whatever input it becomes.
func TestSuggestionFields(t *testing.T) {
	past := monday.Add(-inbox.Hour)
	lines := func(l ...inbox.SuggestLine) inbox.Suggestion { return inbox.Suggestion{Lines: l} }
	for name, c := range map[string]struct {
		typ   inbox.Type
		state inbox.State
		terms inbox.Suggestion
		path  string
	}{
		"fail/no such line":       {inbox.TypeOrder, inbox.StateProposed, lines(inbox.SuggestLine{Index: 7, Quantity: 1}), "terms.lines.0.index"},
		"fail/no line left":       {inbox.TypeOrder, inbox.StateProposed, lines(inbox.SuggestLine{}, inbox.SuggestLine{Index: 1}), "terms.lines"},
		"fail/another currency":   {inbox.TypeOrder, inbox.StateProposed, lines(inbox.SuggestLine{Quantity: 1, UnitPrice: &inbox.Money{Value: 1, Currency: "USD"}}), "terms.lines.0.unit_price.currency"},
		"fail/a day that is over": {inbox.TypeOrder, inbox.StateAccepted, inbox.Suggestion{DeliveryWhen: &past}, "terms.delivery_when"},
		"fail/nothing new":        {inbox.TypeOrder, inbox.StateAccepted, lines(inbox.SuggestLine{Quantity: 2}), "terms"},
		"fail/a time of a quote":  {inbox.TypeQuote, inbox.StateQuoted, inbox.Suggestion{StartTime: &past}, "terms.start_time"},
		"fail/a price of a time":  {inbox.TypeBooking, inbox.StateProposed, inbox.Suggestion{TotalPrice: &inbox.Money{Value: 1, Currency: "USD"}}, "terms.total_price.currency"},
	} {
		w := inState(t, c.typ, c.state)
		w.f.Settings.Negotiation.PriceCounters = true
		_, err := w.makeOffer(w.customer(), inbox.MakeOfferRequest{Terms: c.terms})
		p := problem(t, err)
		if p.Code != inbox.CodeInvalidInput || p.Fields[0].Path != c.path || !strings.Contains(p.Detail, ": "+c.path+".") {
			t.Errorf("%s: %v %v", name, p, p.Fields)
		}
	}
	w := inState(t, inbox.TypeBooking, inbox.StateConfirmed)
	_, err := SuggestTime(w.f, w.customer(), inbox.SuggestTimeRequest{StartTime: start}, w.env())
	if p := problem(t, err); p.Code != inbox.CodeInvalidInput || p.Fields[0].Path != "start_time" {
		t.Errorf("fail/the time it has: %v", p)
	}
}

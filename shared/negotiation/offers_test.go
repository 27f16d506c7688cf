package negotiation

import (
	"encoding/json"
	"reflect"
	"testing"

	"typedinbox/shared/canon"
	"typedinbox/shared/inbox"
	"typedinbox/shared/settings"
)

func offer(form inbox.Form, terms string) *inbox.Offer {
	return &inbox.Offer{ID: "P", Kind: KindOffer, Form: form, Terms: json.RawMessage(terms)}
}

// TestChanges is the table of 02 §13.10 and what §1.7 says besides.
func TestChanges(t *testing.T) {
	const (
		asked  = `{"itemOffered":{"name":"Cut \u0026 shave","serviceId":"S"},"startTime":"09","endTime":"10","totalPrice":{"value":5000,"currency":"EUR"}}`
		lines  = `{"lines":[{"name":"A","quantity":3,"price":{"value":1850,"currency":"EUR"}},{"name":"B","quantity":1,"price":{"value":1000,"currency":"EUR"}}],"totalPrice":{"value":6550,"currency":"EUR"},"delivery":{"method":"pickup"}}`
		fewer  = `{"lines":[{"name":"A","quantity":3,"price":{"value":1850,"currency":"EUR"}}],"totalPrice":{"value":5550,"currency":"EUR"},"delivery":{"method":"pickup"}}`
		cheap  = `{"lines":[{"name":"A","quantity":2,"price":{"value":1850,"currency":"EUR"}},{"name":"B","quantity":1,"price":{"value":800,"currency":"EUR"}}],"totalPrice":{"value":4500,"currency":"EUR"},"delivery":{"method":"pickup","when":"2027"}}`
		change = `{"startTime":"11","endTime":"12","totalPrice":{"value":5000,"currency":"EUR"}}`
	)
	time, order := inbox.FormTime, inbox.FormOrder
	amends := offer(inbox.FormChange, change)
	amends.Kind = KindChange
	for name, c := range map[string]struct {
		from, to *inbox.Offer
		want     []string
		money    bool
	}{
		"ok/another time":          {offer(time, asked), offer(time, change), []string{"$.endTime", "$.startTime"}, false},
		"ok/another price":         {offer(time, asked), offer(time, `{"startTime":"09","endTime":"10","totalPrice":{"value":4500,"currency":"EUR"}}`), []string{"$.totalPrice"}, true},
		"ok/a price that was none": {offer(time, `{"startTime":"09","endTime":"10"}`), offer(time, `{"startTime":"09","endTime":"10","totalPrice":{"value":4500,"currency":"EUR"}}`), []string{"$.totalPrice"}, true},
		"ok/nothing":               {offer(time, asked), offer(time, asked), []string{}, false},
		"ok/escaped otherwise":     {offer(time, asked), offer(time, `{"itemOffered":{"serviceId":"S","name":"Cut & shave"},"startTime":"09","endTime":"10","totalPrice":{"currency":"EUR","value":5000}}`), []string{}, false},
		"ok/what is offered":       {offer(time, asked), offer(time, `{"itemOffered":{"serviceId":"S","name":"Beard"},"startTime":"09","endTime":"10","totalPrice":{"currency":"EUR","value":5000}}`), []string{"$.itemOffered.name"}, false},
		"ok/order, cheaper":        {offer(order, lines), offer(order, cheap), []string{"$.delivery.when", "$.lines[0].quantity", "$.lines[1].price", "$.totalPrice"}, true},
		"ok/order, a line gone":    {offer(order, lines), offer(order, fewer), []string{"$.lines[1]", "$.totalPrice"}, true},
		"ok/order, a line more":    {offer(order, fewer), offer(order, lines), []string{"$.lines[1]", "$.totalPrice"}, true},
		"ok/delivery gone":         {offer(order, lines), offer(order, fewer[:len(fewer)-len(`,"delivery":{"method":"pickup"}}`)]+`}`), []string{"$.delivery", "$.lines[1]", "$.totalPrice"}, true},
		"ok/any change":            {offer(time, asked), amends, []string{"$.endTime", "$.startTime"}, false},
		"fail/another form":        {offer(inbox.FormRequest, `{"quantity":1}`), offer(inbox.FormQuote, `{"totalPrice":{"value":31000,"currency":"EUR"}}`), nil, false},
	} {
		got := Changes(c.from, c.to)
		if !reflect.DeepEqual(got, c.want) || PriceChanged(got) != c.money {
			t.Errorf("%s: %q, money %v", name, got, PriceChanged(got))
		}
	}
	for path, want := range map[string]bool{
		"$.lines": true, "$.lines[12]": true, "$.lines[0].price": true, "$.totalPrice": true,
		"$.lines[0].quantity": false, "$.startTime": false, "$.delivery.when": false, "$.itemOffered.name": false,
	} {
		if PriceChanged([]string{"$.startTime", path}) != want {
			t.Errorf("%s: money %v", path, !want)
		}
	}
}

// TestRound is 02 §1.6 case by case.
func TestRound(t *testing.T) {
	by := func(side inbox.Side, round int) *inbox.Offer { return &inbox.Offer{By: side, Round: round} }
	business, customer := inbox.SideBusiness, inbox.SideCustomer
	for name, c := range map[string]struct {
		open *inbox.Offer
		last int
		side inbox.Side
		kind string
		want int
	}{
		"ok/first":                            {nil, 0, customer, KindOffer, 1},
		"ok/an answer":                        {by(customer, 1), 0, business, KindOffer, 2},
		"ok/replaces its own":                 {by(business, 2), 0, business, KindOffer, 2},
		"ok/a counter":                        {by(business, 2), 0, customer, KindOffer, 3},
		"ok/nothing open":                     {nil, 2, customer, KindChange, 3},
		"ok/first after an agreement":         {nil, 0, business, KindChange, 1},
		"ok/the customer asks a change again": {by(customer, 1), 0, customer, KindChange, 2},
		"ok/the business asks a change again": {by(business, 1), 0, business, KindChange, 1},
	} {
		if got := Round(c.open, c.last, c.side, c.kind); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// TestMake is exact about both rows.
func TestMake(t *testing.T) {
	person := inbox.Caller{Actor: inbox.Actor{Kind: inbox.Staff, ID: "U", Channel: inbox.ChannelREST}}
	overMCP := inbox.Caller{Actor: inbox.Actor{Kind: inbox.Owner, ID: "U", Channel: inbox.ChannelMCPOwner}}
	rule := inbox.Caller{Actor: inbox.Actor{Kind: inbox.Rule, ID: "R", Channel: inbox.ChannelSystem}}
	key := inbox.Caller{Actor: inbox.Actor{Kind: inbox.Integration, ID: "K", Channel: inbox.ChannelREST}, Scopes: []inbox.Scope{inbox.ScopeMoneyWrite}}
	agent := inbox.Caller{Actor: inbox.Actor{Kind: inbox.CustomerAgent, ID: "A", Channel: inbox.ChannelREST}}
	theirs := Request("O1", act(inbox.SideCustomer, agent), nil)
	ours := theirs
	ours.ID, ours.By, ours.Round = "O2", inbox.SideBusiness, 2
	until := inbox.Ptr(inbox.Instant(900))
	shown := &inbox.Shown{Lang: "en", Human: "We suggest", Disclosures: []string{"held"}}
	for name, c := range map[string]struct {
		side     inbox.Side
		caller   inbox.Caller
		open     *inbox.Offer
		status   inbox.OfferStatus
		round    int
		authored string
	}{
		"ok/a person answers":         {inbox.SideBusiness, person, &theirs, inbox.OfferCountered, 2, "person"},
		"ok/a person replaces":        {inbox.SideBusiness, person, &ours, inbox.OfferSuperseded, 2, "person"},
		"ok/a rule answers":           {inbox.SideBusiness, rule, &theirs, inbox.OfferCountered, 2, "automated"},
		"ok/a key with money answers": {inbox.SideBusiness, key, &theirs, inbox.OfferCountered, 2, "automated"},
		"ok/the owner's assistant":    {inbox.SideBusiness, overMCP, &theirs, inbox.OfferCountered, 2, "automated"},
		"ok/the customer counters":    {inbox.SideCustomer, agent, &ours, inbox.OfferCountered, 3, "person"},
		"ok/nothing was open":         {inbox.SideBusiness, person, nil, "", 1, "person"},
	} {
		a := act(c.side, c.caller)
		a.Item.Payload.Booking.Proposed = &inbox.ProposedTime{StartTime: 700, EndTime: 800}
		answered, made := Make(a, Making{
			ID: "O3", Rev: 3, Open: c.open, ValidThrough: until, Binding: true, Shown: shown, ReasonCode: "other", Note: "well",
		})
		want := inbox.Offer{
			ID: "O3", ItemID: "I", Rev: 3, Kind: "offer", Form: inbox.FormTime, By: c.side, ActorKind: c.caller.Kind, ActorID: c.caller.ID,
			Round: c.round, Status: inbox.OfferOpen, ValidThrough: until, Authored: c.authored, Binding: true, Shown: shown,
			ReasonCode: "other", Note: "well", EventID: "E", CreatedAt: 500, UpdatedAt: 500, Terms: made.Terms, Changes: made.Changes,
		}
		want.TermsSHA = canon.TermsSHA("time", made.Terms)
		if c.open != nil {
			want.ParentID = c.open.ID
			closed := *c.open
			closed.Status, closed.ClosedEventID, closed.UpdatedAt = c.status, "E", 500
			if answered == nil || !reflect.DeepEqual(*answered, closed) {
				t.Errorf("%s: answered %+v", name, answered)
			}
		} else if answered != nil {
			t.Errorf("%s: answered %+v", name, answered)
		}
		if !reflect.DeepEqual(made, want) {
			t.Errorf("%s: %+v\nwant %+v", name, made, want)
		}
		if starts := object(made.Terms)["startTime"]; (string(starts) == `"1970-01-01T00:00:00.700Z"`) != (c.side == inbox.SideBusiness) {
			t.Errorf("%s: terms %s", name, made.Terms)
		}
	}
}

// TestWithdraw: the customer's newest terms come back as a row of their own.
func TestWithdraw(t *testing.T) {
	agent := inbox.Caller{Actor: inbox.Actor{Kind: inbox.CustomerAgent, ID: "A", Channel: inbox.ChannelREST}}
	asked := Request("O1", act(inbox.SideCustomer, agent), inbox.Ptr(inbox.Instant(9)))
	asked.Round, asked.Binding, asked.Note, asked.ReasonCode, asked.Rev = 3, true, "please", "timing_deferred", 1
	open := asked
	open.ID, open.By, open.Rev, open.Round = "O2", inbox.SideBusiness, 2, 4
	person := inbox.Caller{Actor: inbox.Actor{Kind: inbox.Owner, ID: "U", Channel: inbox.ChannelREST}}
	retracted, reinstated := Withdraw(act(inbox.SideBusiness, person), "O3", 3, open, asked)
	closed := open
	closed.Status, closed.ClosedEventID, closed.UpdatedAt = inbox.OfferRetracted, "E", 500
	want := inbox.Offer{
		ID: "O3", ItemID: "I", Rev: 3, ParentID: "O2", Kind: "offer", Form: inbox.FormTime, By: inbox.SideCustomer,
		ActorKind: agent.Kind, ActorID: "A", Round: 3, Status: inbox.OfferOpen, Terms: asked.Terms, TermsSHA: asked.TermsSHA,
		Authored: "person", Binding: true, Note: "please", EventID: "E", CreatedAt: 500, UpdatedAt: 500,
	}
	if !reflect.DeepEqual(retracted, closed) || !reflect.DeepEqual(reinstated, want) {
		t.Errorf("%+v\n%+v\nwant %+v", retracted, reinstated, want)
	}
}

// TestValidity is the first half of 02 §3 and §13.1.
func TestValidity(t *testing.T) {
	s := settings.Effective(nil)
	made := instant("2027-03-01T10:00:00Z")
	given := func(s string) *inbox.Instant { return inbox.Ptr(instant(s)) }
	start := instant("2027-03-05T14:00:00Z")
	for name, c := range map[string]struct{ got, want inbox.Instant }{
		"ok/a person's time":           {TimeValid(start, made, s, false), instant("2027-03-05T13:00:00Z")},
		"ok/automation's":              {TimeValid(start, made, s, true), instant("2027-03-03T10:00:00Z")},
		"ok/automation's, nearer":      {TimeValid(instant("2027-03-02T14:00:00Z"), made, s, true), instant("2027-03-02T13:00:00Z")},
		"ok/a quote, undated":          {DateValid(nil, made, s, false), instant("2027-03-03T10:00:00Z")},
		"ok/dated by a person":         {DateValid(given("2027-04-01T00:00:00Z"), made, s, false), instant("2027-04-01T00:00:00Z")},
		"ok/dated by automation":       {DateValid(given("2027-04-01T00:00:00Z"), made, s, true), instant("2027-03-03T10:00:00Z")},
		"ok/automation's nearer date":  {DateValid(given("2027-03-02T00:00:00Z"), made, s, true), instant("2027-03-02T00:00:00Z")},
		"ok/a person's earlier, quote": {DateValid(given("2027-03-02T00:00:00Z"), made, s, false), instant("2027-03-02T00:00:00Z")},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", name, c.got, c.want)
		}
	}
}

func TestCosts(t *testing.T) {
	for terms, want := range map[string]bool{
		`{"totalPrice":{"value":1,"currency":"EUR"}}`: true,
		`{"totalPrice":{"value":0,"currency":"EUR"}}`: false,
		`{"startTime":"x"}`:                           false, `[]`: false, ``: false,
	} {
		if Costs(json.RawMessage(terms)) != want {
			t.Errorf("%s: %v", terms, !want)
		}
	}
}

func FuzzChanges(f *testing.F) {
	f.Add(`{"a":[{"price":{"value":1,"currency":"EUR"}}]}`, `{"a":[1]}`)
	f.Add(`{"itemOffered":null}`, `[]`)
	f.Fuzz(func(t *testing.T, a, b string) {
		from, to := offer(inbox.FormTime, a), offer(inbox.FormTime, b)
		paths := Changes(from, to)
		if back := Changes(to, from); len(back) != len(paths) {
			t.Errorf("%q one way, %q the other", paths, back)
		}
		if same := Changes(from, from); len(same) != 0 {
			t.Errorf("differs from itself: %q", same)
		}
	})
}

package decide

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
)

// standing is the promise as its row keeps it: everything that a change may touch
// and that has to come back byte for byte.
func (w *world) standing() string {
	r := w.f.Record
	return string(mustJSON(r.Item.Payload)) + string(mustJSON(r.Claims)) + string(mustJSON(r.WithdrawalFlags)) + string(mustJSON(r.AgreedOffer)) +
		string(mustJSON(r.Agreement.Due)) + string(mustJSON(r.Agreement.End)) + string(mustJSON(r.Agreement.Changes)) + string(r.Item.State)
}

// TestChangeLeaves: a change that is declined, taken back or lapses leaves the
// promise byte for byte as it was, in every state of a promise, whoever asked;
// what it held is let go, and who is to hear of it does.
func TestChangeLeaves(t *testing.T) {
	for name, c := range map[string]struct {
		by     inbox.Side
		who    string // "" the clock
		event  string
		status inbox.OfferStatus
		told   string
	}{
		"ok/the customer declines ours": {inbox.SideBusiness, "C", "decline_change", inbox.OfferDeclined, "notify_owner:decline_change notify_customer:decline_change"},
		"ok/we decline theirs":          {inbox.SideCustomer, "P owner", "decline_change", inbox.OfferDeclined, "notify_customer:decline_change"},
		"ok/our assistant declines":     {inbox.SideCustomer, "A", "decline_change", inbox.OfferDeclined, "notify_customer:decline_change"},
		"ok/the customer takes it back": {inbox.SideCustomer, "C", "retract_change", inbox.OfferRetracted, "notify_owner:retract_change notify_customer:retract_change"},
		"ok/we take ours back":          {inbox.SideBusiness, "P staff", "retract_change", inbox.OfferRetracted, "notify_customer:retract_change"},
		"ok/ours lapses":                {inbox.SideBusiness, "S", "expire_change", inbox.OfferExpired, "notify_customer:expire_change"},
		"ok/theirs lapses":              {inbox.SideCustomer, "S", "expire_change", inbox.OfferExpired, "notify_customer:expire_change"},
	} {
		for _, typ := range []inbox.Type{inbox.TypeBooking, inbox.TypeOrder} {
			for _, state := range promised(typ) {
				t.Run(fmt.Sprintf("%s/%s/%s", name, typ, state), func(t *testing.T) {
					w := inState(t, typ, state)
					w.f.Settings.Booking.HoldOnPropose, w.f.Settings.Negotiation.Binding = true, false
					before, places, agreed, due := w.standing(), len(w.places), *w.f.Offer, w.f.Record.DueAt
					w.askChange(c.by)
					if machine.ChangeBy(w.f.Record.Item.Payload) != c.by || w.standing() == before {
						t.Fatalf("no change is open: %s", w.standing())
					}
					if c.who == "S" {
						w.now = *w.f.Record.DueAt
					}
					input := `{"note":"no","reasonCode":"other"}`
					out := w.fire(w.actors()[c.who], c.event, input)
					if after := w.standing(); after != before {
						t.Errorf("was %s\nis  %s", before, after)
					}
					if o := w.offers[w.f.Record.OfferRev]; o.Status != c.status || o.ClosedEventID != w.f.Record.LastEventID || (o.ReasonCode == "other") != (c.status == inbox.OfferDeclined) {
						t.Errorf("%+v", o)
					}
					if got := strings.Join(told(out.Write), " "); got != c.told {
						t.Error(got)
					}
					if len(w.places) != places || w.f.Offer.ID != agreed.ID || fmt.Sprint(w.f.Record.DueAt) != fmt.Sprint(due) {
						t.Errorf("places %v, offer %+v, due %v", w.places, w.f.Offer, w.f.Record.DueAt)
					}
					if v := customerViewOf(w); v.Offer != nil || v.RequestedChange != nil || v.Agreed.TermsSHA != agreed.TermsSHA {
						t.Errorf("%s", mustJSON(v))
					}
				})
			}
		}
	}
}

// TestAnswerGuards: every reason for which a change is not answered.
func TestAnswerGuards(t *testing.T) {
	const until = 72 * inbox.Hour // of a customer's change
	none := inbox.Side("")
	ours, theirs := inbox.SideBusiness, inbox.SideCustomer
	for name, c := range map[string]struct {
		open  inbox.Side
		by    string
		event string
		after int64 // from monday
		do    func(*world)
		taken bool // by others, after the change was asked for
		code  inbox.Code
		why   string
	}{
		"ok/the last millisecond":                {theirs, "P owner", "accept_change", until, nil, false, "", ""},
		"ok/ours, the last millisecond":          {ours, "C", "accept_change", int64(start-monday) - inbox.Hour, nil, false, "", ""},
		"ok/a person records a late yes":         {ours, "P owner", "accept_change", int64(start-monday) - inbox.Hour + 1, nil, false, "", ""},
		"ok/before the cutoff":                   {theirs, "R", "accept_change", int64(start-monday) - inbox.Day, lasting, false, "", ""},
		"ok/a person inside the cutoff":          {theirs, "P staff", "accept_change", int64(start-monday) - inbox.Day + 1, lasting, false, "", ""},
		"ok/money keys are no automation":        {theirs, "K$", "accept_change", int64(start-monday) - inbox.Day + 1, lasting, false, "", ""},
		"ok/their own cutoff":                    {theirs, "K", "accept_change", int64(start-monday) - inbox.Hour, cutoff(60), false, "", ""},
		"ok/not binding":                         {ours, "K$", "retract_change", 0, nil, false, "", ""},
		"fail/nothing to accept":                 {none, "C", "accept_change", 0, nil, false, inbox.CodeNoOffer, ""},
		"fail/nothing to accept, business":       {none, "P owner", "accept_change", 0, nil, false, inbox.CodeNoOffer, ""},
		"fail/one's own, customer":               {theirs, "C", "accept_change", 0, nil, false, inbox.CodeNoOffer, ""},
		"fail/our own, the assistant":            {ours, "A", "accept_change", 0, nil, false, inbox.CodeNotAllowed, "person_only"},
		"fail/our own, the owner's key over MCP": {ours, "A owner key", "accept_change", 0, nil, false, inbox.CodeNotAllowed, "person_only"},
		"fail/our own, a key with money":         {ours, "K$", "accept_change", 0, nil, false, inbox.CodeNotAllowed, "person_only"},
		"fail/our own, a rule":                   {ours, "R", "accept_change", 0, nil, false, inbox.CodeNotAllowed, "person_only"},
		"fail/over, customer":                    {ours, "C", "accept_change", int64(start-monday) - inbox.Hour + 1, nil, false, inbox.CodeOfferExpired, ""},
		"fail/over, before anything else":        {ours, "C", "accept_change", int64(start - monday), nil, true, inbox.CodeOfferExpired, ""},
		"fail/started":                           {ours, "P owner", "accept_change", int64(start - monday), nil, false, inbox.CodeGuardFailed, "promise_ahead"},
		"fail/the new time has come":             {ours, "P owner", "accept_change", int64(start-monday) - 3*inbox.Hour, sooner, false, inbox.CodeGuardFailed, "not_too_soon"},
		"fail/taken meanwhile":                   {ours, "C", "accept_change", 0, nil, true, inbox.CodeSlotTaken, ""},
		"fail/taken meanwhile, business":         {theirs, "P owner", "accept_change", 0, nil, true, inbox.CodeSlotTaken, ""},
		"fail/a network cannot read it":          {ours, "C", "accept_change", 0, network, false, inbox.CodeGuardFailed, "amendments_live"},
		"fail/taken, before a network":           {ours, "C", "accept_change", 0, network, true, inbox.CodeSlotTaken, ""},
		"fail/automation inside the cutoff":      {theirs, "R", "accept_change", int64(start-monday) - inbox.Day + 1, lasting, false, inbox.CodeGuardFailed, "change_allowed"},
		"fail/automation that may not":           {theirs, "A", "accept_change", 0, func(w *world) { w.f.Settings.Negotiation.AI.MayAcceptChanges = false }, false, inbox.CodeGuardFailed, "change_allowed"},
		"fail/their own cutoff":                  {theirs, "K", "accept_change", int64(start-monday) - inbox.Hour + 1, cutoff(60), false, inbox.CodeGuardFailed, "change_allowed"},
		"fail/decline one's own":                 {theirs, "C", "decline_change", 0, nil, false, inbox.CodeNoOffer, ""},
		"fail/decline our own":                   {ours, "P owner", "decline_change", 0, nil, false, inbox.CodeNoOffer, ""},
		"fail/decline nothing":                   {none, "C", "decline_change", 0, nil, false, inbox.CodeNoOffer, ""},
		"fail/take back the other's":             {ours, "C", "retract_change", 0, nil, false, inbox.CodeNoOffer, ""},
		"fail/take back the customer's":          {theirs, "P owner", "retract_change", 0, nil, false, inbox.CodeNoOffer, ""},
		"fail/take back nothing":                 {none, "C", "retract_change", 0, nil, false, inbox.CodeNoOffer, ""},
		"fail/it binds":                          {ours, "P owner", "retract_change", 0, binding, false, inbox.CodeGuardFailed, "offer_non_binding"},
		"fail/it binds automation, too":          {ours, "R", "retract_change", 0, binding, false, inbox.CodeGuardFailed, "offer_non_binding"},
		"fail/not over yet":                      {theirs, "S", "expire_change", until - 1, nil, false, inbox.CodeGuardFailed, "change_lapsed"},
		"fail/nothing that could lapse":          {none, "S", "expire_change", until, nil, false, inbox.CodeGuardFailed, "change_lapsed"},
		"fail/only the clock lets it lapse":      {theirs, "R", "expire_change", until, nil, false, inbox.CodeNotAllowed, ""},
		"fail/a connector answers nothing":       {theirs, "X", "accept_change", 0, nil, false, inbox.CodeNotAllowed, ""},
		"fail/the clock accepts nothing":         {theirs, "S", "accept_change", 0, nil, false, inbox.CodeNotAllowed, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, inbox.TypeBooking, inbox.StateConfirmed)
			w.f.Settings.Negotiation.Binding = false
			if c.do != nil {
				c.do(w)
			}
			if c.open != none && w.openOf() == nil {
				w.askChange(c.open)
			}
			if c.taken {
				w.places["x"] = taken("x", "service:SVC", later, later.Add(inbox.Hour))
			}
			w.now = monday.Add(c.after)
			out, err := w.decide(w.actors()[c.by], request(c.event))
			if c.code == "" {
				w.ok(out, err)
				return
			}
			if p := problem(t, err); p.Code != c.code || c.code != inbox.CodeSlotTaken && c.code != inbox.CodeNoOffer && c.code != inbox.CodeOfferExpired && refusal(p) != c.why {
				t.Errorf("%s %s, want %s %s: %v", p.Code, refusal(p), c.code, c.why, p)
			}
		})
	}
}

func (w *world) openOf() *inbox.Offer {
	if o := w.f.Offer; o != nil && o.Status == inbox.OfferOpen {
		return o
	}
	return nil
}

// Stages of TestAnswerGuards, set before a change is asked for.

func lasting(w *world) { w.f.Settings.Negotiation.CounterValidHours = 1000 }

func cutoff(minutes int) func(*world) {
	return func(w *world) { lasting(w); w.f.Settings.Negotiation.Changes.CustomerCutoffMin = &minutes }
}

func binding(w *world) { w.f.Settings.Negotiation.Binding = true }

func network(w *world) {
	w.askChange(inbox.SideBusiness)
	w.f.Networks = []Network{{Origin: "https://net.example", Receipts: true, Rules: 5}}
}

func sooner(w *world) { w.fire(owner, "propose_change", changeTo(start.Add(-3*inbox.Hour))) }

// TestPromiseEndsWithAChange: whatever ends the promise closes the change that is
// open, by who acted, and the pointer goes back to what was agreed.
func TestPromiseEndsWithAChange(t *testing.T) {
	ours, theirs := inbox.SideBusiness, inbox.SideCustomer
	for name, c := range map[string]struct {
		typ   inbox.Type
		state inbox.State
		open  inbox.Side
		by    string
		event string
		now   inbox.Instant
		want  inbox.OfferStatus
	}{
		"ok/we cancel, ours":              {inbox.TypeBooking, inbox.StateConfirmed, ours, "P owner", "cancel_by_business", monday, inbox.OfferRetracted},
		"ok/we cancel, theirs":            {inbox.TypeBooking, inbox.StateConfirmed, theirs, "P owner", "cancel_by_business", monday, inbox.OfferDeclined},
		"ok/they cancel, theirs":          {inbox.TypeBooking, inbox.StateConfirmed, theirs, "C", "cancel", monday, inbox.OfferRetracted},
		"ok/they cancel, ours":            {inbox.TypeBooking, inbox.StateConfirmed, ours, "C", "cancel", monday, inbox.OfferDeclined},
		"ok/they cancel late":             {inbox.TypeBooking, inbox.StateConfirmed, ours, "C", "cancel_late", late, inbox.OfferDeclined},
		"ok/their no is recorded, theirs": {inbox.TypeBooking, inbox.StateConfirmed, theirs, "P staff", "record_cancel", monday, inbox.OfferRetracted},
		"ok/their no is recorded, ours":   {inbox.TypeBooking, inbox.StateConfirmed, ours, "P staff", "record_cancel", monday, inbox.OfferDeclined},
		"ok/completed by us":              {inbox.TypeBooking, inbox.StateConfirmed, ours, "P owner", "complete", running, inbox.OfferRetracted},
		"ok/nobody came":                  {inbox.TypeBooking, inbox.StateConfirmed, theirs, "P owner", "no_show", running, inbox.OfferDeclined},
		"ok/completed by the clock":       {inbox.TypeBooking, inbox.StateConfirmed, theirs, "S", "complete", completes, inbox.OfferExpired},
		"ok/an order is sent":             {inbox.TypeOrder, inbox.StateAccepted, ours, "P owner", "fulfil", monday, inbox.OfferRetracted},
		"ok/by a connector":               {inbox.TypeOrder, inbox.StatePaid, theirs, "X", "fulfil", monday, inbox.OfferDeclined},
		"ok/they cancel an order":         {inbox.TypeOrder, inbox.StateAwaitingPayment, theirs, "C", "cancel", monday, inbox.OfferRetracted},
		"ok/the payment is taken back":    {inbox.TypeOrder, inbox.StateFulfilling, ours, "K$", "charge_back", monday, inbox.OfferRetracted},
	} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, c.typ, c.state)
			w.f.Settings.Booking.HoldOnPropose = true
			agreed := *w.f.Offer
			w.askChange(c.open)
			w.now = max(c.now, w.now)
			input := `{}`
			if c.event == "record_cancel" {
				input = `{"note":"rang"}`
			}
			out := w.fire(w.actors()[c.by], c.event, input)
			rec := w.f.Record
			if o := w.offers[rec.OfferRev]; o.Status != c.want || o.Kind != "change" || o.ClosedEventID != rec.LastEventID {
				t.Errorf("%+v", o)
			}
			if machine.ChangeBy(rec.Item.Payload) != "" || rec.Item.Payload.Offer().ID != agreed.ID || w.f.Offer.ID != agreed.ID {
				t.Errorf("%s", mustJSON(rec.Item.Payload))
			}
			if slices.ContainsFunc(rec.Claims, func(c inbox.Claim) bool { return c.OfferID != "" }) || rec.HeldFor != nil {
				t.Errorf("holds on: %+v", rec.Claims)
			}
			if diff := w.events[len(w.events)-1].Diff.Payload["change"]; string(diff[1]) != "null" || len(out.Write.Offers) != 1 {
				t.Errorf("%s %d", diff, len(out.Write.Offers))
			}
		})
	}
}

// TestStaysOpen: what moves the promise on and does not end it leaves the change
// open.
func TestStaysOpen(t *testing.T) {
	for name, c := range map[string]struct {
		typ   inbox.Type
		state inbox.State
		event string
	}{
		"ok/payment is asked for": {inbox.TypeOrder, inbox.StateAccepted, "request_payment"},
		"ok/an order is paid":     {inbox.TypeOrder, inbox.StateAwaitingPayment, "record_payment"},
		"ok/a payment fails":      {inbox.TypeOrder, inbox.StateAwaitingPayment, "payment_failed"},
		"ok/it is prepared":       {inbox.TypeOrder, inbox.StatePaid, "start_fulfilment"},
		"ok/a booking is paid":    {inbox.TypeBooking, inbox.StateConfirmed, "record_payment"},
	} {
		w := inState(t, c.typ, c.state)
		w.askChange(inbox.SideCustomer)
		open := *w.f.Offer
		w.ok(w.decide(owner, needing(c.event)))
		if w.f.Offer.ID != open.ID || w.f.Offer.Status != inbox.OfferOpen || machine.ChangeBy(w.f.Record.Item.Payload) != inbox.SideCustomer || !machine.Of(c.typ).IsPromise(w.f.Record.Item.State) {
			t.Errorf("%s: %s %+v", name, w.f.Record.Item.State, w.f.Offer)
		}
		w.fire(owner, "accept_change")
		if w.f.Record.Agreement.Changes != 1 || w.f.Record.Item.State == c.state && c.event != "record_payment" {
			t.Errorf("%s: %+v", name, w.f.Record)
		}
	}
}

// TestBindingChange: automation does not cancel a promise while a change that the
// business asked for binds it; what the customer asked for binds nobody.
func TestBindingChange(t *testing.T) {
	for name, c := range map[string]struct {
		typ   inbox.Type
		event string
		open  inbox.Side
		by    string
		loose bool
		code  inbox.Code
	}{
		"fail/a booking, the assistant": {inbox.TypeBooking, "cancel_by_business", inbox.SideBusiness, "A", false, inbox.CodeGuardFailed},
		"fail/an order, a rule":         {inbox.TypeOrder, "cancel", inbox.SideBusiness, "R", false, inbox.CodeGuardFailed},
		"ok/a person":                   {inbox.TypeBooking, "cancel_by_business", inbox.SideBusiness, "P owner", false, ""},
		"ok/a key that may name money":  {inbox.TypeOrder, "cancel", inbox.SideBusiness, "K$", false, ""},
		"ok/it does not bind":           {inbox.TypeBooking, "cancel_by_business", inbox.SideBusiness, "K", true, ""},
		"ok/the customer's":             {inbox.TypeBooking, "cancel_by_business", inbox.SideCustomer, "A", false, ""},
		"ok/sending is no taking back":  {inbox.TypeOrder, "fulfil", inbox.SideBusiness, "A", false, ""},
	} {
		w := inState(t, c.typ, machine.Of(c.typ).Promise[0])
		w.f.Settings.Negotiation.Binding = !c.loose
		w.askChange(c.open)
		out, err := w.decide(w.actors()[c.by], request(c.event))
		if c.code == "" {
			w.ok(out, err)
			continue
		}
		if p := problem(t, err); p.Code != c.code || refusal(p) != "offer_binding" {
			t.Errorf("%s: %v", name, p)
		}
	}
}

package decide

import (
	"reflect"
	"slices"
	"strconv"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
)

var (
	day20 = at("2026-10-20T10:00:00Z")
	day30 = at("2026-10-30T10:00:00Z")
)

// line is one line of an order as the business writes it.
func line(id string, quantity, cents int64) inbox.OrderLine {
	return inbox.OrderLine{ProductID: id, Name: id, Quantity: quantity, Price: *eur(cents)}
}

func orderChange(in inbox.ChangeOrderInput) string { return string(mustJSON(in)) }

// TestOrderChange: what each side may name of a change to an order and what it
// then would be (02 §4.1).
func TestOrderChange(t *testing.T) {
	lines := func(l ...inbox.OrderLine) inbox.ChangeOrderInput { return inbox.ChangeOrderInput{OrderedItem: l} }
	quantities := func(l ...inbox.ChangeLine) inbox.ChangeOrderInput { return inbox.ChangeOrderInput{Lines: l} }
	pickup := func(when *inbox.Instant) inbox.ChangeOrderInput {
		return inbox.ChangeOrderInput{Delivery: &inbox.Delivery{Method: "pickup", When: when}}
	}
	on := func(when inbox.Instant) inbox.ChangeOrderInput { return inbox.ChangeOrderInput{DeliveryWhen: &when} }
	tomorrow := monday.Add(inbox.Day)
	for name, c := range map[string]struct {
		by    string
		in    inbox.ChangeOrderInput
		do    func(*world)
		total int64
		lines string // "name × quantity, …" of the change
		when  *inbox.Instant
		code  inbox.Code
		why   string
	}{
		"ok/whole new lines":              {"P owner", lines(line("HONEY", 5, 800)), nil, 4000, "HONEY × 5", nil, "", ""},
		"ok/a day alone":                  {"P owner", pickup(&day20), nil, 3550, "Rosemary honey, 500 g × 2, Gift case × 1", &day20, "", ""},
		"ok/another way, undated":         {"P staff", pickup(nil), nil, 3550, "Rosemary honey, 500 g × 2, Gift case × 1", nil, "", ""},
		"ok/valid until then":             {"P owner", inbox.ChangeOrderInput{OrderedItem: []inbox.OrderLine{line("HONEY", 1, 850)}, ValidThrough: &tomorrow}, nil, 850, "HONEY × 1", nil, "", ""},
		"ok/a quantity":                   {"C", quantities(inbox.ChangeLine{Index: 0, Quantity: 3}), nil, 4400, "Rosemary honey, 500 g × 3, Gift case × 1", nil, "", ""},
		"ok/a line dropped":               {"C", quantities(inbox.ChangeLine{Index: 1, Quantity: 0}), nil, 1700, "Rosemary honey, 500 g × 2", nil, "", ""},
		"ok/a day of theirs":              {"C", on(day20), nil, 3550, "Rosemary honey, 500 g × 2, Gift case × 1", &day20, "", ""},
		"ok/both":                         {"C", inbox.ChangeOrderInput{Lines: []inbox.ChangeLine{{Index: 0, Quantity: 1}}, DeliveryWhen: &day20}, nil, 2700, "Rosemary honey, 500 g × 1, Gift case × 1", &day20, "", ""},
		"ok/never a price of theirs":      {"C", inbox.ChangeOrderInput{OrderedItem: []inbox.OrderLine{line("HONEY", 1, 1)}, Lines: []inbox.ChangeLine{{Index: 0, Quantity: 1}}}, nil, 2700, "Rosemary honey, 500 g × 1, Gift case × 1", nil, "", ""},
		"ok/nor an index of ours":         {"P owner", inbox.ChangeOrderInput{OrderedItem: []inbox.OrderLine{line("HONEY", 1, 850)}, Lines: []inbox.ChangeLine{{Index: 7, Quantity: 1}}}, nil, 850, "HONEY × 1", nil, "", ""},
		"ok/a total that is no sum stays": {"C", on(day20), func(w *world) { w.f.Record.Item.Payload.Order.TotalPrice = *eur(3000) }, 3000, "Rosemary honey, 500 g × 2, Gift case × 1", &day20, "", ""},
		"ok/a day that was agreed may be past": {"P owner", inbox.ChangeOrderInput{Delivery: &inbox.Delivery{Method: "pickup", When: inbox.Ptr(monday.Add(-1))}}, func(w *world) {
			w.f.Record.Item.Payload.Order.Delivery = &inbox.Delivery{Method: "delivery", When: inbox.Ptr(monday.Add(-1))}
		}, 3550, "Rosemary honey, 500 g × 2, Gift case × 1", inbox.Ptr(monday.Add(-1)), "", ""},
		"fail/another currency":      {"P owner", lines(inbox.OrderLine{Name: "x", Quantity: 1, Price: inbox.Money{Value: 1, Currency: "GBP"}}), nil, 0, "", nil, inbox.CodeInvalidInput, "input.orderedItem.0.price.currency"},
		"fail/no lines":              {"P owner", inbox.ChangeOrderInput{OrderedItem: []inbox.OrderLine{}}, nil, 0, "", nil, inbox.CodeInvalidInput, "input"},
		"fail/too much":              {"P owner", lines(line("HONEY", inbox.MaxMoney, 2)), nil, 0, "", nil, inbox.CodeInvalidInput, "input.orderedItem.0.quantity"},
		"fail/a day in the past":     {"P owner", pickup(&monday), nil, 0, "", nil, inbox.CodeInvalidInput, "input.delivery.when"},
		"fail/valid until now":       {"P owner", inbox.ChangeOrderInput{OrderedItem: []inbox.OrderLine{line("HONEY", 1, 1)}, ValidThrough: &monday}, nil, 0, "", nil, inbox.CodeInvalidInput, "input.validThrough"},
		"fail/nothing named":         {"P owner", inbox.ChangeOrderInput{}, nil, 0, "", nil, inbox.CodeInvalidInput, "input"},
		"fail/as agreed":             {"K$", lines(inbox.OrderLine{ProductID: "HONEY", SKU: "MEL-1", Name: "Rosemary honey, 500 g", Quantity: 2, Price: *eur(850)}, inbox.OrderLine{ProductID: "CASE", SKU: "CASE-1", Name: "Gift case", Quantity: 1, Price: *eur(1850)}), nil, 0, "", nil, inbox.CodeInvalidInput, "input"},
		"fail/nothing of theirs":     {"C", inbox.ChangeOrderInput{}, nil, 0, "", nil, inbox.CodeInvalidInput, "input.lines"},
		"fail/the quantities agreed": {"C", quantities(inbox.ChangeLine{Index: 0, Quantity: 2}), nil, 0, "", nil, inbox.CodeInvalidInput, "input"},
		"fail/a day that has come":   {"C", on(monday), nil, 0, "", nil, inbox.CodeInvalidInput, "input.deliveryWhen"},
		"fail/no such line":          {"C", quantities(inbox.ChangeLine{Index: 2, Quantity: 1}), nil, 0, "", nil, inbox.CodeInvalidInput, "input.lines.0.index"},
		"fail/a line twice":          {"C", quantities(inbox.ChangeLine{Index: 0, Quantity: 1}, inbox.ChangeLine{Index: 0, Quantity: 3}), nil, 0, "", nil, inbox.CodeInvalidInput, "input.lines.1.index"},
		"fail/no line left":          {"C", quantities(inbox.ChangeLine{Index: 0, Quantity: 0}, inbox.ChangeLine{Index: 1, Quantity: 0}), nil, 0, "", nil, inbox.CodeInvalidInput, "input.lines"},
		"fail/too many of it":        {"C", quantities(inbox.ChangeLine{Index: 0, Quantity: 1_000_001}), nil, 0, "", nil, inbox.CodeInvalidInput, "input.lines.0.quantity"},
		"fail/sums of two currencies": {"C", quantities(inbox.ChangeLine{Index: 0, Quantity: 3}), func(w *world) {
			w.f.Record.Item.Payload.Order.OrderedItem[1].Price.Currency = "JPY"
		}, 0, "", nil, inbox.CodeInvalidInput, "input.lines"},
		"fail/a total in another": {"C", quantities(inbox.ChangeLine{Index: 0, Quantity: 3}), func(w *world) {
			w.f.Record.Item.Payload.Order.TotalPrice.Currency = "JPY"
		}, 0, "", nil, inbox.CodeInvalidInput, "input.lines"},
		"fail/91 days after the first": {"P owner", pickup(inbox.Ptr(monday.Add(121*inbox.Day + 1))), nil, 0, "", nil, inbox.CodeGuardFailed, "changes_left shift"},
	} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, inbox.TypeOrder, inbox.StateAccepted)
			if c.do != nil {
				c.do(w)
			}
			before := w.standing()
			out, err := w.decide(w.actors()[c.by], request("propose_change", orderChange(c.in)))
			if c.code != "" {
				if p := problem(t, err); p.Code != c.code || refusal(p) != c.why {
					t.Errorf("%s %s, want %s: %v", p.Code, refusal(p), c.why, p)
				}
				return
			}
			w.ok(out, err)
			o := w.f.Record.Item.Payload.Order
			got := ""
			for i, l := range o.Change.OrderedItem {
				if i > 0 {
					got += ", "
				}
				got += l.Name + " × " + strconv.FormatInt(l.Quantity, 10)
			}
			if o.Change.TotalPrice.Value != c.total || got != c.lines {
				t.Errorf("%d %s", o.Change.TotalPrice.Value, got)
			}
			if d := o.Change.Delivery; (d == nil || d.When == nil) != (c.when == nil) || c.when != nil && *d.When != *c.when {
				t.Errorf("delivered %+v", d)
			}
			w.f.Record.Item.Payload.Order.Change, w.f.Record.Item.Payload.Order.Offer = nil, w.f.Record.AgreedOffer
			if w.standing() != before {
				t.Errorf("the promise moved: %s", w.standing())
			}
		})
	}
}

// TestOrderChangeTaken: what an accepted change makes of the order: replaced lines
// get their flags anew, a day alone leaves everything else.
func TestOrderChangeTaken(t *testing.T) {
	perishable := func(w *world) {
		w.f.Products = slices.Clone(w.f.Products)
		w.f.Products[0].Withdrawal = inbox.Withdrawal("perishable")
	}
	for name, c := range map[string]struct {
		by     inbox.Side
		in     inbox.ChangeOrderInput
		total  int64
		flags  []inbox.Withdrawal
		stated bool
		mark   *inbox.Personalised
	}{
		"ok/a day alone":   {inbox.SideCustomer, inbox.ChangeOrderInput{DeliveryWhen: &day20}, 3550, []inbox.Withdrawal{"standard", "standard"}, true, &inbox.Personalised{ListPrice: *eur(4000), Says: "for you"}},
		"ok/a quantity":    {inbox.SideCustomer, inbox.ChangeOrderInput{Lines: []inbox.ChangeLine{{Index: 0, Quantity: 3}}}, 4400, []inbox.Withdrawal{"perishable", "standard"}, false, &inbox.Personalised{ListPrice: *eur(4550), Says: "for you"}},
		"ok/lines of ours": {inbox.SideBusiness, inbox.ChangeOrderInput{OrderedItem: []inbox.OrderLine{line("HONEY", 1, 850)}}, 850, []inbox.Withdrawal{"perishable"}, false, nil},
		"ok/no product":    {inbox.SideBusiness, inbox.ChangeOrderInput{OrderedItem: []inbox.OrderLine{line("", 1, 1)}}, 1, []inbox.Withdrawal{"standard"}, false, nil},
	} {
		w := inState(t, inbox.TypeOrder, inbox.StateAccepted)
		o := w.f.Record.Item.Payload.Order
		o.CustomerStatedPrice, o.Personalised = eur(3000), &inbox.Personalised{ListPrice: *eur(4000), Says: "for you"}
		o.OrderedItem[0].ListPrice = eur(900)
		perishable(w)
		var yes inbox.Caller
		if c.by == inbox.SideCustomer {
			w.fire(w.customer(), "propose_change", orderChange(c.in))
			yes = owner
		} else {
			in := c.in
			if in.OrderedItem[0].Name == "" {
				in.OrderedItem[0].Name = "something"
			}
			w.fire(owner, "propose_change", orderChange(in))
			yes = w.customer()
		}
		disclosed := c.by == inbox.SideBusiness && slices.Contains(w.f.Offer.Shown.Disclosures, "personalised_price")
		w.fire(yes, "accept_change")
		o = w.f.Record.Item.Payload.Order
		if o.TotalPrice.Value != c.total || o.Change != nil || !slices.Equal(w.f.Record.WithdrawalFlags, c.flags) || (o.CustomerStatedPrice != nil) != c.stated {
			t.Errorf("%s: %+v %v", name, o, w.f.Record.WithdrawalFlags)
		}
		if !reflect.DeepEqual(o.Personalised, c.mark) || disclosed {
			t.Errorf("%s: mark %+v, disclosed %v", name, o.Personalised, disclosed)
		}
		if len(w.places) > 0 || len(w.f.Record.Claims) > 0 {
			t.Errorf("%s: goods in places %v", name, w.places)
		}
	}
}

// TestTotalFixed: once payment was asked for or made an order's total stays, when
// a change is asked for and again when it is accepted (02 §4.4).
func TestTotalFixed(t *testing.T) {
	more := orderChange(inbox.ChangeOrderInput{OrderedItem: []inbox.OrderLine{line("HONEY", 9, 850)}, Lines: []inbox.ChangeLine{{Index: 0, Quantity: 9}}})
	same := orderChange(inbox.ChangeOrderInput{OrderedItem: []inbox.OrderLine{line("CASE", 1, 3550)}})
	paid := func(o *inbox.Order) { o.PaymentRef = "r" }
	part := func(o *inbox.Order) { o.PaidAmount = eur(1) }
	for name, c := range map[string]struct {
		state inbox.State
		do    func(*inbox.Order)
		fixed bool
	}{
		"ok/nothing asked for":         {inbox.StateAccepted, nil, false},
		"ok/prepared, unpaid":          {inbox.StateFulfilling, nil, false},
		"fail/asked for":               {inbox.StateAwaitingPayment, nil, true},
		"fail/it did not go through":   {inbox.StatePaymentFailed, nil, true},
		"fail/paid":                    {inbox.StatePaid, nil, true},
		"fail/prepared, paid":          {inbox.StateFulfilling, paid, true},
		"fail/prepared, paid in part":  {inbox.StateFulfilling, part, true},
		"fail/paid in part beforehand": {inbox.StateAccepted, part, true},
	} {
		for _, by := range []string{"C", "P owner"} {
			w := inState(t, inbox.TypeOrder, c.state)
			o := w.f.Record.Item.Payload.Order
			if c.state == inbox.StateFulfilling || c.state == inbox.StateAccepted {
				o.PaymentRef, o.PaidAmount = "", nil
			}
			if c.do != nil {
				c.do(o)
			}
			out, err := w.decide(w.actors()[by], request("propose_change", more))
			if !c.fixed {
				w.ok(out, err)
				continue
			}
			if p := problem(t, err); refusal(p) != "total_fixed" {
				t.Errorf("%s by %s: %v", name, by, p)
			}
			if by == "P owner" {
				w.fire(owner, "propose_change", same)
			}
		}
	}
	for name, event := range map[string]string{"fail/asked for meanwhile": "request_payment", "fail/paid meanwhile": "record_payment", "ok/prepared meanwhile": "start_fulfilment"} {
		for _, side := range []inbox.Side{inbox.SideBusiness, inbox.SideCustomer} {
			w := inState(t, inbox.TypeOrder, inbox.StateAccepted)
			asks, takes := owner, w.customer()
			if side == inbox.SideCustomer {
				asks, takes = takes, asks
			}
			w.fire(asks, "propose_change", more)
			w.ok(w.decide(owner, needing(event)))
			out, err := w.decide(takes, request("accept_change"))
			if event == "start_fulfilment" {
				w.ok(out, err)
				continue
			}
			if p := problem(t, err); refusal(p) != "total_fixed" {
				t.Errorf("%s: %v", name, p)
			}
			if p := w.refusedWith(owner, "accept_change"); refusal(p) != "total_fixed" {
				t.Errorf("%s, recorded: %v", name, p)
			}
		}
	}
}

// TestAutomationTakesOrderChanges: at catalogue prices and within the value that a
// person approves (02 §8.4, 09).
func TestAutomationTakesOrderChanges(t *testing.T) {
	three := orderChange(inbox.ChangeOrderInput{Lines: []inbox.ChangeLine{{Index: 0, Quantity: 3}}})
	for name, c := range map[string]struct {
		by   string
		do   func(*world)
		code inbox.Code
		why  string
	}{
		"ok/a rule":                    {"R", nil, "", ""},
		"ok/the assistant":             {"A", nil, "", ""},
		"ok/a key, up to the value":    {"K", func(w *world) { w.f.Settings.Orders.MaxValueWithoutApprovalMinor = 4400 }, "", ""},
		"ok/a person, at any price":    {"P owner", func(w *world) { w.f.Products[0].Price = *eur(900) }, "", ""},
		"ok/a key with money":          {"K$", func(w *world) { w.f.Products[0].Price = *eur(900) }, "", ""},
		"fail/not the catalogue's":     {"A", func(w *world) { w.f.Products[0].Price = *eur(900) }, inbox.CodeGuardFailed, "business_priced"},
		"fail/not in the catalogue":    {"R", func(w *world) { w.f.Products = w.f.Products[:1] }, inbox.CodeGuardFailed, "business_priced"},
		"fail/above the value":         {"K", func(w *world) { w.f.Settings.Orders.MaxValueWithoutApprovalMinor = 4399 }, inbox.CodeNotAllowed, "limits_not_set"},
		"fail/the assistant, above it": {"A", func(w *world) { w.f.Settings.Orders.MaxValueWithoutApprovalMinor = 4399 }, inbox.CodeNotAllowed, "limits_not_set"},
		"fail/accepts none":            {"R", func(w *world) { w.f.Settings.Negotiation.AI.MayAcceptChanges = false }, inbox.CodeGuardFailed, "change_allowed"},
	} {
		w := inState(t, inbox.TypeOrder, inbox.StateAccepted)
		w.fire(w.customer(), "propose_change", three)
		w.f.Products = slices.Clone(w.f.Products)
		if c.do != nil {
			c.do(w)
		}
		out, err := w.decide(w.actors()[c.by], request("accept_change"))
		if c.code == "" {
			w.ok(out, err)
			continue
		}
		p := problem(t, err)
		if p.Code != c.code || refusal(p) != c.why || c.code == inbox.CodeGuardFailed && p.Details["draft_for_owner"] != true {
			t.Errorf("%s: %v", name, p)
		}
	}
}

// TestFirstAgreed: the dates that changes are counted from, by how a promise was
// made; an accepted change moves none of them.
func TestFirstAgreed(t *testing.T) {
	dated := func(w *world) CreateRequest {
		return orderWith(func(o *inbox.Order) { o.Delivery = &inbox.Delivery{Method: "pickup", When: &day30} })
	}
	for name, c := range map[string]struct {
		create func(*world) CreateRequest
		agree  func(*world)
		due    inbox.Instant
		end    inbox.Instant
	}{
		"ok/a booking":           {func(*world) CreateRequest { return bookingRequest() }, func(w *world) { w.fire(owner, "confirm") }, start, end},
		"ok/a proposed time":     {func(*world) CreateRequest { return bookingRequest() }, func(w *world) { w.propose(); w.fire(w.customer(), "accept") }, start.Add(inbox.Hour), end.Add(inbox.Hour)},
		"ok/an order, dated":     {dated, func(w *world) { w.fire(owner, "accept") }, day30, day30},
		"ok/an order, undated":   {func(*world) CreateRequest { return orderRequest() }, func(w *world) { w.now = monday.Add(inbox.Hour); w.fire(owner, "accept") }, monday.Add(30*inbox.Day + inbox.Hour), monday.Add(30*inbox.Day + inbox.Hour)},
		"ok/an order as changed": {dated, func(w *world) { w.propose(); w.fire(w.customer(), "accept") }, day30, day30},
	} {
		w := newWorld(t)
		w.create(w.customer(), c.create(w))
		if w.f.Record.Agreement != (inbox.Agreement{}) {
			t.Errorf("%s: before anything is agreed: %+v", name, w.f.Record.Agreement)
		}
		c.agree(w)
		if got := w.f.Record.Agreement; got != (inbox.Agreement{Due: c.due, End: c.end}) {
			t.Errorf("%s: %+v", name, got)
		}
		w.f.Settings.Orders.DueDays = 90
		w.askChange(inbox.SideCustomer)
		w.fire(owner, "accept_change")
		if got := w.f.Record.Agreement; got != (inbox.Agreement{Due: c.due, End: c.end, Changes: 1}) {
			t.Errorf("%s: changed %+v", name, got)
		}
	}
	w := inState(t, inbox.TypeQuote, inbox.StateAccepted)
	if got := w.linked.f.Record.Agreement; got != (inbox.Agreement{Due: monday.Add(30 * inbox.Day), End: monday.Add(30 * inbox.Day)}) {
		t.Errorf("a quote's order: %+v", got)
	}
	if w.f.Record.Agreement != (inbox.Agreement{}) || machine.Of(inbox.TypeQuote).IsPromise(w.f.Record.Item.State) {
		t.Errorf("a quote promises: %+v", w.f.Record.Agreement)
	}
}

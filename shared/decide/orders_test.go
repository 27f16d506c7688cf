package decide

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/negotiation"
)

// products is what the shop of the tests sells.
func products() []inbox.Product {
	return []inbox.Product{
		{ID: "HONEY", SKU: "MEL-1", Name: "Rosemary honey, 500 g", Price: *eur(850), Active: true, Withdrawal: inbox.WithdrawalStandard, Version: 1},
		{ID: "CASE", SKU: "CASE-1", Name: "Gift case", Price: *eur(1850), Active: true, Withdrawal: inbox.WithdrawalStandard, Version: 1},
	}
}

// orderRequest is the usual order: 35.50 in all.
func orderRequest() CreateRequest {
	return CreateRequest{
		Type: inbox.TypeOrder,
		Payload: inbox.Payload{Order: &inbox.Order{
			OrderedItem: []inbox.OrderLine{
				{ProductID: "HONEY", Name: "honey", Quantity: 2, Price: *eur(850)},
				{SKU: "CASE-1", Name: "case", Quantity: 1, Price: *eur(1850)},
			},
			TotalPrice: *eur(3550),
		}},
		Contact: &inbox.Contact{Name: "Ana", Email: "ana@example.pt"},
	}
}

// quoteRequest asks for the price of painting a room.
func quoteRequest() CreateRequest {
	return CreateRequest{
		Type: inbox.TypeQuote,
		Payload: inbox.Payload{Quote: &inbox.QuoteRequest{
			ItemOffered: inbox.ItemOffered{Name: "Painting a room"}, Description: "Four walls, white.",
		}},
		Contact: &inbox.Contact{Name: "Ana", Email: "ana@example.pt"},
	}
}

// orderProposal is the input of so many jars and a case.
func orderProposal(jars int) string {
	return fmt.Sprintf(`{"orderedItem":[{"productId":"HONEY","sku":"MEL-1","name":"Rosemary honey, 500 g","quantity":%d,"price":{"value":850,"currency":"EUR"}},`+
		`{"productId":"CASE","name":"Gift case","quantity":1,"price":{"value":1850,"currency":"EUR"}}]}`, jars)
}

// simpleQuote is a quote of 310.00 in all.
const simpleQuote = `{"totalPrice":{"value":31000,"currency":"EUR"}}`

func orderWith(do func(*inbox.Order)) CreateRequest {
	r := orderRequest()
	do(r.Payload.Order)
	return r
}

// TestCreateOrder: the catalogue prices it, and what is kept beside it
// (01 §1.3 to §1.5, §9).
func TestCreateOrder(t *testing.T) {
	engraving := inbox.OrderLine{Name: "engraving", Quantity: 1, Price: *eur(500)}
	past, ahead := monday, monday+1
	for name, c := range map[string]struct {
		by       inbox.Caller
		request  CreateRequest
		total    int64
		stated   *inbox.Money
		unpriced bool
		subject  string
		flags    string
		problem  string
	}{
		"ok/as it is":               {inbox.Caller{}, orderRequest(), 3550, nil, false, "Rosemary honey, 500 g and 1 more", "[standard perishable]", ""},
		"ok/one line":               {inbox.Caller{}, orderWith(func(o *inbox.Order) { o.OrderedItem = o.OrderedItem[:1] }), 1700, eur(3550), false, "2 × Rosemary honey, 500 g", "[standard]", ""},
		"ok/stated total":           {inbox.Caller{}, orderWith(func(o *inbox.Order) { o.TotalPrice = *eur(100) }), 3550, eur(100), false, "Rosemary honey, 500 g and 1 more", "[standard perishable]", ""},
		"ok/a line of its own":      {inbox.Caller{}, orderWith(func(o *inbox.Order) { o.OrderedItem = append(o.OrderedItem, engraving) }), 4050, eur(3550), true, "Rosemary honey, 500 g and 2 more", "[standard perishable standard]", ""},
		"ok/the assistant's":        {assistant, orderWith(func(o *inbox.Order) { o.TotalPrice = *eur(1) }), 3550, eur(1), false, "Rosemary honey, 500 g and 1 more", "[standard perishable]", ""},
		"ok/a person's as written":  {owner, orderWith(func(o *inbox.Order) { o.TotalPrice = *eur(1) }), 1, nil, false, "honey and 1 more", "[standard perishable]", ""},
		"ok/a money key's as well":  {moneyKey, orderWith(func(o *inbox.Order) { o.OrderedItem = append(o.OrderedItem, engraving) }), 3550, nil, false, "honey and 2 more", "[standard perishable standard]", ""},
		"ok/delivery ahead":         {inbox.Caller{}, orderWith(func(o *inbox.Order) { o.Delivery = &inbox.Delivery{Method: "pickup", When: &ahead} }), 3550, nil, false, "Rosemary honey, 500 g and 1 more", "[standard perishable]", ""},
		"fail/delivery in the past": {inbox.Caller{}, orderWith(func(o *inbox.Order) { o.Delivery = &inbox.Delivery{Method: "pickup", When: &past} }), 0, nil, false, "", "", "payload.delivery.when"},
		"ok/a business writes it":   {owner, orderWith(func(o *inbox.Order) { o.Delivery = &inbox.Delivery{Method: "pickup", When: &past} }), 3550, nil, false, "honey and 1 more", "[standard perishable]", ""},
		"fail/a conflict":           {inbox.Caller{}, orderWith(func(o *inbox.Order) { o.OrderedItem[0].SKU = "CASE-1" }), 0, nil, false, "", "", "payload.orderedItem.0.sku"},
		"fail/too much money":       {owner, orderWith(func(o *inbox.Order) { o.OrderedItem[0].Quantity = inbox.MaxMoney }), 0, nil, false, "", "", "payload.orderedItem.0.quantity"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.f.Products[1].Withdrawal = "perishable"
			who := c.by
			if who.Kind == "" {
				who = w.customer()
			}
			out, err := w.confirmed(who, c.request)
			if c.problem != "" {
				if p := problem(t, err); p.Code != inbox.CodeInvalidInput || p.Fields[0].Path != c.problem {
					t.Errorf("%v", p)
				}
				return
			}
			w.ok(out, err)
			rec := w.f.Record
			o := rec.Item.Payload.Order
			if o.TotalPrice != *eur(c.total) || !reflect.DeepEqual(o.CustomerStatedPrice, c.stated) || rec.Unpriced != c.unpriced || w.events[0].Meta.Unpriced != c.unpriced {
				t.Errorf("total %v, stated %v, unpriced %v", o.TotalPrice, o.CustomerStatedPrice, rec.Unpriced)
			}
			if *rec.Item.Subject != c.subject || fmt.Sprint(rec.WithdrawalFlags) != c.flags || rec.Item.State != inbox.StateReceived {
				t.Errorf("%q %v %s", *rec.Item.Subject, rec.WithdrawalFlags, rec.Item.State)
			}
			if w.offers[1].Form != inbox.FormOrder || strings.Contains(string(w.offers[1].Terms), "customerStatedPrice") {
				t.Errorf("%s %s", w.offers[1].Form, w.offers[1].Terms)
			}
			if who.IsCustomer() && *rec.DueAt != monday.Add(72*inbox.Hour) || who.IsCustomer() == (rec.DueAt == nil) {
				t.Errorf("due %v %s", rec.DueAt, rec.DueKind)
			}
		})
	}
}

// TestCreateOrderDropsTheInboxsOwn: what a request may not set is gone, whoever
// wrote it (01 §1.3).
func TestCreateOrderDropsTheInboxsOwn(t *testing.T) {
	for name, by := range map[string]inbox.Caller{"ok/customer": {}, "ok/owner": owner} {
		w := newWorld(t)
		if by.Kind == "" {
			by = w.customer()
		}
		r := orderWith(func(o *inbox.Order) {
			o.Offer, o.Proposed, o.Change = &inbox.OfferPointer{ID: "X"}, &inbox.ProposedOrder{}, &inbox.OrderChange{}
			o.CustomerStatedPrice, o.Personalised = eur(1), &inbox.Personalised{ListPrice: *eur(1)}
			o.PaymentRef, o.PaidAmount, o.PaymentURL, o.FulfilledAt, o.DeliveredAt = "P", eur(1), "https://x", inbox.Ptr(monday), inbox.Ptr(monday)
			o.OrderedItem[0].ListPrice, o.OrderedItem[0].CustomerStatedPrice = eur(1), eur(1)
		})
		w.create(by, r)
		o := w.f.Record.Item.Payload.Order
		if o.Offer.ID == "X" || o.Proposed != nil || o.Change != nil || o.Personalised != nil || (o.PaymentRef == "" && o.PaidAmount == nil && o.PaymentURL == "") == (by.Kind == inbox.Owner) ||
			o.FulfilledAt != nil || o.DeliveredAt != nil || o.OrderedItem[0].ListPrice != nil || o.OrderedItem[0].CustomerStatedPrice != nil {
			t.Errorf("%s: %+v", name, o)
		}
		if r.Payload.Order.OrderedItem[0].ListPrice == nil {
			t.Errorf("%s: the request was changed", name)
		}
	}
}

// TestLargeOrder: 200 lines, created, proposed, accepted.
func TestLargeOrder(t *testing.T) {
	w := newWorld(t)
	r := orderWith(func(o *inbox.Order) {
		for len(o.OrderedItem) < 200 {
			o.OrderedItem = append(o.OrderedItem, o.OrderedItem[len(o.OrderedItem)%2])
		}
	})
	w.create(w.customer(), r)
	if o := w.f.Record.Item.Payload.Order; len(o.OrderedItem) != 200 || o.TotalPrice != *eur(100 * 3550) || len(w.f.Record.WithdrawalFlags) != 200 {
		t.Fatalf("%d lines, %v", len(o.OrderedItem), o.TotalPrice)
	}
	lines := make([]inbox.OrderLine, 200)
	for i := range lines {
		lines[i] = inbox.OrderLine{Name: "x", Quantity: 3, Price: *eur(7)}
	}
	w.fire(owner, "propose", string(mustJSON(inbox.ProposeOrderInput{OrderedItem: lines})))
	w.fire(w.customer(), "accept")
	if o := w.f.Record.Item.Payload.Order; o.TotalPrice != *eur(200 * 21) {
		t.Errorf("%v", o.TotalPrice)
	}
}

// TestProposeOrder: what the business puts forward, its date and its faults
// (01 §3 step 12, 02 §3).
func TestProposeOrder(t *testing.T) {
	const one = `{"name":"Honey","quantity":2,"price":{"value":800,"currency":"EUR"}}`
	two := func(rest string) string { return `{"orderedItem":[` + one + `,` + one + `]` + rest + `}` }
	until := func(at inbox.Instant) string { return `,"validThrough":"` + at.String() + `"` }
	usual := monday.Add(48 * inbox.Hour)
	for name, c := range map[string]struct {
		by    inbox.Caller
		input string
		valid inbox.Instant
		path  string
	}{
		"ok/total and usual date":  {owner, two(""), usual, ""},
		"ok/a date given":          {owner, two(until(monday.Add(90 * inbox.Day))), monday.Add(90 * inbox.Day), ""},
		"ok/a rule is capped":      {rule, two(until(monday.Add(90 * inbox.Day))), usual, ""},
		"ok/a rule may be shorter": {rule, two(until(monday.Add(inbox.Hour))), monday.Add(inbox.Hour), ""},
		"ok/a key with money":      {moneyKey, two(until(monday.Add(90 * inbox.Day))), monday.Add(90 * inbox.Day), ""},
		"ok/a moment from now":     {owner, two(until(monday + 1)), monday + 1, ""},
		"fail/now":                 {owner, two(until(monday)), 0, "input.validThrough"},
		"fail/two currencies":      {owner, `{"orderedItem":[` + one + `,{"name":"x","quantity":1,"price":{"value":1,"currency":"USD"}}]}`, 0, "input.orderedItem.1.price.currency"},
		"fail/too much of a line":  {owner, `{"orderedItem":[{"name":"x","quantity":9007199254740991,"price":{"value":2,"currency":"EUR"}}]}`, 0, "input.orderedItem.0.quantity"},
		"fail/too much in all":     {owner, `{"orderedItem":[` + one + `,{"name":"x","quantity":1,"price":{"value":9007199254740991,"currency":"EUR"}}]}`, 0, "input.totalPrice"},
		"fail/no line":             {owner, `{"orderedItem":[]}`, 0, "input.orderedItem"},
		"fail/a line of nothing":   {owner, `{"orderedItem":[{"name":"x","quantity":0,"price":{"value":1,"currency":"EUR"}}]}`, 0, "input.orderedItem.0.quantity"},
		"fail/nothing":             {owner, ``, 0, "input.orderedItem"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.create(w.customer(), orderWith(func(o *inbox.Order) { o.Delivery = &inbox.Delivery{Method: "pickup"} }))
			asked := w.f.Record.Item.Payload.Order.OrderedItem
			out, err := w.decide(c.by, request("propose", c.input))
			if c.path != "" {
				if p := problem(t, err); p.Code != inbox.CodeInvalidInput || p.Fields[0].Path != c.path {
					t.Errorf("%v", p)
				}
				return
			}
			w.ok(out, err)
			o := w.f.Record.Item.Payload.Order
			if o.Proposed.TotalPrice != *eur(3200) || o.Proposed.Delivery.Method != "pickup" || o.TotalPrice != *eur(3550) || !reflect.DeepEqual(o.OrderedItem, asked) {
				t.Errorf("%+v", o)
			}
			if *w.f.Offer.ValidThrough != c.valid || *w.f.Record.DueAt != c.valid || w.f.Record.DueKind != "expire" || w.f.Offer.By != inbox.SideBusiness || w.f.Offer.Round != 2 {
				t.Errorf("%+v, due %v", w.f.Offer, w.f.Record.DueAt)
			}
		})
	}
}

// TestOrderSize: an order and what is put forward beside it are one payload
// (01 §19.10).
func TestOrderSize(t *testing.T) {
	lines := func(n int) (list []inbox.OrderLine) {
		for range n {
			list = append(list, inbox.OrderLine{Name: strings.Repeat("ä", 200), Quantity: 1, Price: *eur(1)})
		}
		return list
	}
	large := func(w *world, n int) {
		w.create(owner, orderWith(func(o *inbox.Order) { o.OrderedItem, o.TotalPrice = lines(n), *eur(int64(n)) }))
	}
	input := func(n int) string { return string(mustJSON(inbox.ProposeOrderInput{OrderedItem: lines(n)})) }
	for name, c := range map[string]struct {
		first  []string
		event  string
		beside int
		code   inbox.Code
	}{
		"ok/proposed":   {nil, "propose", 100, ""},
		"fail/proposed": {nil, "propose", 180, inbox.CodeInvalidInput},
		"ok/changed":    {[]string{"accept"}, "propose_change", 100, ""},
		"fail/changed":  {[]string{"accept"}, "propose_change", 180, inbox.CodeInvalidInput},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			large(w, 190)
			for _, event := range c.first {
				w.fire(owner, event)
			}
			_, err := w.decide(owner, request(c.event, input(c.beside)))
			if c.code == "" && err != nil || c.code != "" && problem(t, err).Fields[0].Path != "input" {
				t.Error(err)
			}
		})
	}
	t.Run("ok/a late yes that fits not twice is the yes", func(t *testing.T) {
		w := newWorld(t)
		w.create(w.customer(), orderWith(func(o *inbox.Order) { o.OrderedItem, o.TotalPrice = lines(190), *eur(190) }))
		w.now = *w.f.Record.RequestExpiresAt
		w.fire(owner, "accept")
		if s := w.f.Record.Item.State; s != inbox.StateAccepted {
			t.Errorf("in %s", s)
		}
	})
}

// TestOrderProposalDelivery: the proposal's own way of delivery, else the
// order's.
func TestOrderProposalDelivery(t *testing.T) {
	w := inState(t, inbox.TypeOrder, inbox.StateReceived)
	w.fire(owner, "propose", `{"orderedItem":[{"name":"x","quantity":1,"price":{"value":1,"currency":"EUR"}}],"delivery":{"method":"digital"}}`)
	if d := w.f.Record.Item.Payload.Order.Proposed.Delivery; d == nil || d.Method != "digital" {
		t.Errorf("%+v", d)
	}
}

// TestOrderTaken: the yes to what the business put forward, and its yes to what
// was asked (01 §5.2).
func TestOrderTaken(t *testing.T) {
	stated := orderWith(func(o *inbox.Order) { o.TotalPrice = *eur(100); o.OrderedItem[0].Price = *eur(1) })
	for name, c := range map[string]struct {
		by     func(*world) inbox.Caller
		first  bool // the business proposes three jars first
		total  int64
		stated bool
		flags  string
		told   string
	}{
		"ok/business takes the request": {func(*world) inbox.Caller { return owner }, false, 3550, true, "[standard standard]", "notify_customer:accept"},
		"ok/customer takes the offer":   {(*world).customer, true, 4400, false, "[perishable standard]", "notify_owner:accept notify_customer:accept"},
		"ok/a person records their yes": {func(*world) inbox.Caller { return staff }, true, 4400, false, "[perishable standard]", "notify_customer:accept"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.create(w.customer(), stated)
			w.f.Products[0].Withdrawal = "perishable" // changed since the create
			if c.first {
				w.propose()
			}
			out := w.fire(c.by(w), "accept")
			rec := w.f.Record
			o := rec.Item.Payload.Order
			if o.TotalPrice != *eur(c.total) || o.Proposed != nil || (o.CustomerStatedPrice != nil) != c.stated || (o.OrderedItem[0].CustomerStatedPrice != nil) != c.stated {
				t.Errorf("%+v", o)
			}
			if rec.Item.State != inbox.StateAccepted || w.f.Offer.Status != inbox.OfferAccepted || rec.DueAt != nil || fmt.Sprint(rec.WithdrawalFlags) != c.flags {
				t.Errorf("%s %+v due %v flags %v", rec.Item.State, w.f.Offer, rec.DueAt, rec.WithdrawalFlags)
			}
			if got := strings.Join(told(out.Write), " "); got != c.told {
				t.Errorf("told %q", got)
			}
			form, terms, sha := negotiation.Terms(inbox.TypeOrder, rec.Item.Payload)
			if w.f.Offer.Form != form || w.f.Offer.TermsSHA != sha {
				t.Errorf("agreed %s, the order is %s", w.f.Offer.Terms, terms)
			}
		})
	}
}

// TestCounterOrder: the proposal with the customer's quantities and date
// (01 §4, §5.2; 02 §4.1).
func TestCounterOrder(t *testing.T) {
	ahead := monday.Add(5 * inbox.Day)
	for name, c := range map[string]struct {
		input string
		total int64 // 0 for a refusal
		lines string
		path  string
	}{
		"ok/another quantity":        {`{"lines":[{"index":0,"quantity":5}]}`, 6100, "5 × HONEY, 1 × CASE", ""},
		"ok/a line dropped":          {`{"lines":[{"index":1,"quantity":0}]}`, 2550, "3 × HONEY", ""},
		"ok/both":                    {`{"lines":[{"index":1,"quantity":2},{"index":0,"quantity":0}]}`, 3700, "2 × CASE", ""},
		"ok/a date":                  {`{"deliveryWhen":"` + ahead.String() + `"}`, 4400, "3 × HONEY, 1 × CASE", ""},
		"fail/nothing":               {`{}`, 0, "", "input.lines"},
		"fail/words alone":           {`{"note":"cheaper?"}`, 0, "", "input.lines"},
		"fail/no such line":          {`{"lines":[{"index":2,"quantity":1}]}`, 0, "", "input.lines.0.index"},
		"fail/a line twice":          {`{"lines":[{"index":0,"quantity":1},{"index":0,"quantity":2}]}`, 0, "", "input.lines.1.index"},
		"fail/nothing remains":       {`{"lines":[{"index":0,"quantity":0},{"index":1,"quantity":0}]}`, 0, "", "input.lines"},
		"fail/a date that has come":  {`{"deliveryWhen":"` + monday.String() + `"}`, 0, "", "input.deliveryWhen"},
		"fail/more than is allowed":  {`{"lines":[{"index":0,"quantity":1000001}]}`, 0, "", "input.lines.0.quantity"},
		"fail/a price is no counter": {`{"lines":[{"index":0,"quantity":3,"unitPrice":{"value":1,"currency":"EUR"}}]}`, 0, "", "price_counters"},
	} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, inbox.TypeOrder, inbox.StateProposed)
			out, err := w.decide(w.customer(), request("counter", c.input))
			if c.total == 0 {
				p := problem(t, err)
				path := why(p)
				if len(p.Fields) > 0 {
					path = p.Fields[0].Path
				}
				if path != c.path {
					t.Errorf("%v", p)
				}
				return
			}
			w.ok(out, err)
			rec := w.f.Record
			o := rec.Item.Payload.Order
			var lines []string
			for _, l := range o.OrderedItem {
				lines = append(lines, fmt.Sprintf("%d × %s", l.Quantity, l.ProductID))
			}
			if o.TotalPrice != *eur(c.total) || strings.Join(lines, ", ") != c.lines || o.Proposed != nil || rec.Item.State != inbox.StateReceived {
				t.Errorf("%v %v %s", o.TotalPrice, lines, rec.Item.State)
			}
			if len(rec.WithdrawalFlags) != len(o.OrderedItem) || w.f.Offer.Round != 3 || w.f.Offer.By != inbox.SideCustomer || *rec.DueAt != monday.Add(72*inbox.Hour) {
				t.Errorf("%v %+v", rec.WithdrawalFlags, w.f.Offer)
			}
			if strings.Contains(c.input, "deliveryWhen") && (o.Delivery == nil || *o.Delivery.When != ahead) {
				t.Errorf("%+v", o.Delivery)
			}
		})
	}
}

// TestCounterOrderPrices: with price counters on, a unit price of the customer's
// becomes the request's, in the line's currency and without a mark.
func TestCounterOrderPrices(t *testing.T) {
	w := inState(t, inbox.TypeOrder, inbox.StateProposed)
	w.f.Settings.Negotiation.PriceCounters = true
	p := w.f.Record.Item.Payload.Order.Proposed
	p.Personalised = &inbox.Personalised{ListPrice: *eur(5000), Says: "for you"}
	p.OrderedItem[0].ListPrice, p.OrderedItem[1].ListPrice = eur(900), eur(2000)
	_, err := w.decide(w.customer(), request("counter", `{"lines":[{"index":0,"quantity":3,"unitPrice":{"value":1,"currency":"USD"}}]}`))
	if f := problem(t, err).Fields; len(f) != 1 || f[0].Path != "input.lines.0.unitPrice.currency" {
		t.Errorf("%v", err)
	}
	w.fire(w.customer(), "counter", `{"lines":[{"index":0,"quantity":3,"unitPrice":{"value":800,"currency":"EUR"}}]}`)
	o := w.f.Record.Item.Payload.Order
	if o.TotalPrice != *eur(2400 + 1850) || o.OrderedItem[0].ListPrice != nil || *o.OrderedItem[1].ListPrice != *eur(2000) {
		t.Errorf("%+v", o)
	}
	if o.Personalised == nil || o.Personalised.ListPrice != *eur(2400 + 2000) || o.Personalised.Says != "for you" {
		t.Errorf("%+v", o.Personalised)
	}
}

// TestOrderAutomation: an order the customer answered is automation's to
// accept only while the catalogue names every line (01 §2.3), at list prices and
// up to the owner's limit (09).
func TestOrderAutomation(t *testing.T) {
	own := func(o *inbox.Order) {
		o.OrderedItem[1] = inbox.OrderLine{Name: "Gift case", Quantity: 1, Price: *eur(1850)}
	}
	cheaper := func(o *inbox.Order) { o.OrderedItem[1].Price = *eur(1849) }
	countered := func(do func(*inbox.Order)) func(*world) {
		return func(w *world) {
			w.propose()
			w.fire(w.customer(), "counter", `{"lines":[{"index":0,"quantity":2}]}`)
			do(w.f.Record.Item.Payload.Order)
		}
	}
	nothing := func(*inbox.Order) {}
	for name, c := range map[string]struct {
		do   func(*world)
		by   inbox.Caller
		most int64
		why  string
	}{
		"ok/assistant at list prices":             {nil, assistant, 0, ""},
		"ok/key up to the limit":                  {nil, key, 3550, ""},
		"fail/key above it":                       {nil, key, 3549, "limits_not_set"},
		"ok/key with money":                       {nil, moneyKey, 1, ""},
		"ok/person":                               {nil, staff, 1, ""},
		"ok/rule is judged by its own":            {nil, rule, 1, ""},
		"fail/assistant below the list":           {func(w *world) { cheaper(w.f.Record.Item.Payload.Order) }, assistant, 0, "limits_not_set"},
		"fail/assistant, a line of its own":       {func(w *world) { own(w.f.Record.Item.Payload.Order) }, assistant, 0, "limits_not_set"},
		"fail/unpriced, key":                      {func(w *world) { w.f.Record.Unpriced = true }, key, 0, "business_priced"},
		"fail/unpriced, rule":                     {func(w *world) { w.f.Record.Unpriced = true }, rule, 0, "business_priced"},
		"ok/unpriced, person":                     {func(w *world) { w.f.Record.Unpriced = true }, owner, 0, ""},
		"ok/countered, all the catalogue's":       {countered(nothing), rule, 0, ""},
		"fail/countered, a line of its own":       {countered(own), rule, 0, "business_priced"},
		"fail/countered, so for a key":            {countered(own), key, 0, "business_priced"},
		"ok/countered, so not for a person":       {countered(own), owner, 0, ""},
		"ok/countered, nor for a key with money":  {countered(own), moneyKey, 0, ""},
		"ok/a line of its own, no offer was made": {func(w *world) { own(w.f.Record.Item.Payload.Order) }, rule, 0, ""},
		"fail/retracted, a line of its own": {func(w *world) {
			w.f.Settings.Negotiation.Binding = false
			w.propose()
			w.fire(owner, "retract")
			own(w.f.Record.Item.Payload.Order)
		}, rule, 0, "business_priced"},
	} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, inbox.TypeOrder, inbox.StateReceived)
			if c.do != nil {
				c.do(w)
			}
			w.f.Settings.Orders.MaxValueWithoutApprovalMinor = c.most
			out, err := w.decide(c.by, request("accept"))
			if c.why == "" {
				w.ok(out, err)
				return
			}
			if p := problem(t, err); why(p) != c.why || c.most > 0 && !strings.Contains(p.Detail, "above the value") {
				t.Errorf("%v", p)
			}
		})
	}
}

// TestOrderLate: a business's yes to an order whose clock ran out becomes its
// offer of the same terms (01 §3 step 5a).
func TestOrderLate(t *testing.T) {
	w := newWorld(t)
	w.create(w.customer(), orderWith(func(o *inbox.Order) { o.TotalPrice = *eur(100); o.OrderedItem[0].Price = *eur(1) }))
	asked := w.f.Record.Item.Payload.Order
	w.now = *w.f.Record.RequestExpiresAt
	out := w.fire(owner, "accept", `{"note":"Gladly."}`)
	if out.Body.(inbox.TransitionResult).Converted != "request_lapsed" || w.f.Record.Item.State != inbox.StateProposed {
		t.Fatalf("%+v", out.Body)
	}
	p := w.f.Record.Item.Payload.Order.Proposed
	if p.TotalPrice != asked.TotalPrice || p.OrderedItem[0].CustomerStatedPrice != nil || p.OrderedItem[0].Price != asked.OrderedItem[0].Price {
		t.Errorf("%+v", p)
	}
	if _, _, sha := negotiation.Terms(inbox.TypeOrder, w.f.Record.Item.Payload); sha != w.f.Offer.TermsSHA || len(w.f.Offer.Changes) != 0 {
		t.Errorf("offered %s, changes %v", w.f.Offer.Terms, w.f.Offer.Changes)
	}
	if *w.f.Offer.ValidThrough != w.now.Add(48*inbox.Hour) || w.f.Offer.Note != "Gladly." {
		t.Errorf("%+v", w.f.Offer)
	}
	w.fire(w.customer(), "accept")

	// A request in two currencies cannot be put forward: the yes stands by itself.
	w = newWorld(t)
	w.create(w.customer(), orderWith(func(o *inbox.Order) {
		o.OrderedItem = []inbox.OrderLine{{Name: "a", Quantity: 1, Price: *eur(1)}, {Name: "b", Quantity: 1, Price: inbox.Money{Value: 1, Currency: "USD"}}}
	}))
	w.now = *w.f.Record.RequestExpiresAt
	if w.fire(owner, "accept"); w.f.Record.Item.State != inbox.StateAccepted {
		t.Errorf("%s", w.f.Record.Item.State)
	}
}

// TestOrderDoors: what a customer's answers at their doors become (02 §11.3).
func TestOrderDoors(t *testing.T) {
	ahead := monday.Add(5 * inbox.Day)
	for name, c := range map[string]struct {
		terms  inbox.Suggestion
		passed bool
	}{
		"ok/lines":          {inbox.Suggestion{Lines: []inbox.SuggestLine{{Index: 0, Quantity: 1}}}, false},
		"ok/a date":         {inbox.Suggestion{DeliveryWhen: &ahead}, false},
		"passed/a price":    {inbox.Suggestion{Lines: []inbox.SuggestLine{{Index: 0, Quantity: 1, UnitPrice: eur(1)}}}, true},
		"passed/a total":    {inbox.Suggestion{TotalPrice: eur(1)}, true},
		"passed/a time":     {inbox.Suggestion{StartTime: &ahead}, true},
		"passed/a quantity": {inbox.Suggestion{Quantity: inbox.Ptr(int64(2)), Lines: []inbox.SuggestLine{{Index: 0, Quantity: 1}}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, inbox.TypeOrder, inbox.StateProposed)
			out := w.ok(w.pure(func() (Outcome, error) {
				return MakeOffer(w.f, w.customer(), inbox.MakeOfferRequest{Terms: c.terms}, w.env())
			}))
			if (out.Status == 202) != c.passed || (w.f.Record.Item.State == inbox.StateProposed) != c.passed {
				t.Errorf("%d %s", out.Status, w.f.Record.Item.State)
			}
		})
	}
	w := inState(t, inbox.TypeOrder, inbox.StateProposed)
	_, err := AcceptOffer(w.f, w.customer(), inbox.AcceptOfferRequest{}, w.env())
	p := problem(t, err)
	if p.Code != inbox.CodeConfirmTerms || p.Details["obligation_to_pay"] != true ||
		!strings.HasPrefix(p.Details["summary"].(string), "Your order: 3 × Rosemary honey, 500 g (€25.50), 1 × Gift case (€18.50). Total: €44.00.") {
		t.Errorf("%v %v", p, p.Details)
	}
	w.ok(AcceptOffer(w.f, w.customer(), inbox.AcceptOfferRequest{TermsSHA: p.Details["terms_sha"].(string)}, w.env()))
	if w.f.Record.Item.State != inbox.StateAccepted {
		t.Errorf("%s", w.f.Record.Item.State)
	}
}

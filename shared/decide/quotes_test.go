package decide

import (
	"reflect"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

// forService is a request for the price of a haircut at the usual time.
func forService(do func(*inbox.QuoteRequest)) CreateRequest {
	r := quoteRequest()
	r.Payload.Quote.ItemOffered.ServiceID = haircut.ID
	r.Payload.Quote.RequestedFor = &start
	if do != nil {
		do(r.Payload.Quote)
	}
	return r
}

// TestCreateQuote: what a request may say (01 §1.3, §9).
func TestCreateQuote(t *testing.T) {
	at := func(i inbox.Instant) func(*inbox.QuoteRequest) {
		return func(q *inbox.QuoteRequest) { q.RequestedFor = &i }
	}
	for name, c := range map[string]struct {
		by   inbox.Caller
		do   func(*inbox.QuoteRequest)
		path string
	}{
		"ok/for a service":           {inbox.Caller{}, nil, ""},
		"ok/for nothing of ours":     {inbox.Caller{}, func(q *inbox.QuoteRequest) { q.ItemOffered.ServiceID = "" }, ""},
		"ok/for a product":           {inbox.Caller{}, func(q *inbox.QuoteRequest) { q.ItemOffered.ServiceID, q.ItemOffered.ProductID = "", "X" }, ""},
		"ok/in a moment":             {inbox.Caller{}, at(monday + 1), ""},
		"fail/now":                   {inbox.Caller{}, at(monday), "payload.requestedFor"},
		"ok/the business, in a past": {owner, at(monday - 1), ""},
		"fail/unknown service":       {inbox.Caller{}, func(q *inbox.QuoteRequest) { q.ItemOffered.ServiceID = "X" }, "payload.itemOffered.serviceId"},
		"fail/so for the business":   {owner, func(q *inbox.QuoteRequest) { q.ItemOffered.ServiceID = "X" }, "payload.itemOffered.serviceId"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			by := c.by
			if by.Kind == "" {
				by = w.customer()
			}
			r := forService(c.do)
			r.Payload.Quote.Quote, r.Payload.Quote.Offer = &inbox.Quote{}, &inbox.OfferPointer{ID: "X"}
			out, err := w.once(by, r)
			if c.path != "" {
				if p := problem(t, err); p.Fields[0].Path != c.path {
					t.Errorf("%v", p)
				}
				return
			}
			w.ok(out, err)
			i := w.f.Record.Item
			if i.State != inbox.StateReceived || *i.Subject != "Painting a room" || i.Payload.Quote.Quote != nil || i.Payload.Quote.Offer.ID == "X" {
				t.Errorf("%+v", i)
			}
			if o := w.offers[1]; o.Form != inbox.FormRequest || strings.Contains(string(o.Terms), "Four walls") || o.Binding != by.IsPerson() {
				t.Errorf("%+v", o)
			}
			if by.IsCustomer() && *w.f.Record.DueAt != monday.Add(72*inbox.Hour) {
				t.Errorf("due %v", w.f.Record.DueAt)
			}
		})
	}
}

// TestQuoteComplete: every fault of a quote is told with its field (02 §1.10,
// 02 §13.3).
func TestQuoteComplete(t *testing.T) {
	total := func(v, rest string) string { return `{"totalPrice":{"value":` + v + `,"currency":"EUR"}` + rest + `}` }
	line := func(quantity, price string) string {
		return `{"name":"x","quantity":` + quantity + `,"price":{"value":` + price + `,"currency":"EUR"}}`
	}
	lines := func(l ...string) string { return `,"lines":[` + strings.Join(l, ",") + `]` }
	time := func(name string, i inbox.Instant) string { return `,"` + name + `":"` + i.String() + `"` }
	const booking = `,"creates":"booking"`
	elsewhere := func(q *inbox.QuoteRequest) { q.ItemOffered.ServiceID = "" }
	undated := func(q *inbox.QuoteRequest) { q.RequestedFor = nil }
	both := func(q *inbox.QuoteRequest) { elsewhere(q); undated(q) }
	for name, c := range map[string]struct {
		request func(*inbox.QuoteRequest)
		input   string
		paths   string
		start   inbox.Instant // of a quote that creates a booking
		end     inbox.Instant
	}{
		"ok/a total":                     {nil, total("31000", ""), "", 0, 0},
		"ok/of nothing":                  {nil, total("0", ""), "", 0, 0},
		"ok/lines that add up":           {nil, total("9000", lines(line("2", "4000"), line("1", "1000"))), "", 0, 0},
		"fail/2 × 40.00 + 10.00 = 85.00": {nil, total("8500", lines(line("2", "4000"), line("1", "1000"))), "input.totalPrice", 0, 0},
		"fail/another currency":          {nil, total("1", lines(line("1", "1"), `{"name":"x","quantity":1,"price":{"value":1,"currency":"USD"}}`)), "input.lines.1.price.currency", 0, 0},
		"fail/too much of a line":        {nil, total("1", lines(line("9007199254740991", "2"))), "input.lines.0.quantity", 0, 0},
		"fail/too much in all":           {nil, total("1", lines(line("1", "9007199254740991"), line("1", "1"))), "input.lines.1.quantity", 0, 0},
		"fail/a date that has come":      {nil, total("1", time("validThrough", monday)), "input.validThrough", 0, 0},
		"fail/two faults":                {nil, total("2", lines(line("1", "1"))+time("validThrough", monday)), "input.totalPrice input.validThrough", 0, 0},
		"fail/no total":                  {nil, `{}`, "input.totalPrice", 0, 0},

		"ok/the time asked for":             {nil, total("1", booking), "", start, end},
		"ok/its own start":                  {nil, total("1", booking+time("startTime", start.Add(inbox.Day))), "", start.Add(inbox.Day), end.Add(inbox.Day)},
		"ok/its own time":                   {nil, total("1", booking+time("startTime", start)+time("endTime", end.Add(inbox.Hour))), "", start, end.Add(inbox.Hour)},
		"ok/its own end":                    {nil, total("1", booking+time("endTime", start+1)), "", start, start + 1},
		"ok/none asked, its own":            {undated, total("1", booking+time("startTime", start)), "", start, end},
		"ok/at the notice exactly":          {nil, total("1", booking+time("startTime", monday.Add(inbox.Hour))), "", monday.Add(inbox.Hour), monday.Add(2 * inbox.Hour)},
		"fail/inside the notice":            {nil, total("1", booking+time("startTime", monday.Add(inbox.Hour)-1)), "input.startTime", 0, 0},
		"fail/a time that has come":         {nil, total("1", booking+time("startTime", monday)), "input.startTime", 0, 0},
		"fail/ends as it starts":            {nil, total("1", booking+time("endTime", start)), "input.endTime", 0, 0},
		"fail/longer than 40 hours":         {nil, total("1", booking+time("endTime", start.Add(41*inbox.Hour))), "input.endTime", 0, 0},
		"fail/no time known":                {undated, total("1", booking), "input.startTime", 0, 0},
		"fail/no service":                   {elsewhere, total("1", booking), "input.creates", 0, 0},
		"fail/neither":                      {both, total("1", booking), "input.creates input.startTime", 0, 0},
		"fail/a service and a time at once": {elsewhere, total("2", booking+time("startTime", monday)+lines(line("1", "1"))), "input.totalPrice input.creates input.startTime", 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			r := forService(c.request)
			w.create(w.customer(), r)
			out, err := w.decide(owner, request("quote", c.input))
			if c.paths != "" {
				p := problem(t, err)
				var paths []string
				for _, f := range p.Fields {
					paths = append(paths, f.Path)
				}
				if p.Code != inbox.CodeInvalidInput || strings.Join(paths, " ") != c.paths {
					t.Errorf("%v", p)
				}
				return
			}
			w.ok(out, err)
			q := w.f.Record.Item.Payload.Quote.Quote
			if c.start != 0 && (q.Creates != "booking" || *q.StartTime != c.start || *q.EndTime != c.end) || c.start == 0 && (q.Creates != "order" || q.StartTime != nil) {
				t.Errorf("%+v", q)
			}
			if q.ValidThrough != monday.Add(48*inbox.Hour) || *w.f.Offer.ValidThrough != q.ValidThrough || w.f.Offer.Form != inbox.FormQuote || q.Lines == nil {
				t.Errorf("%+v %+v", q, w.f.Offer)
			}
			if len(w.places) != 0 {
				t.Error("a quote holds no places")
			}
		})
	}
}

// TestQuoteAddsUpTo: the detail says to what the lines add up (02 §13.3).
func TestQuoteAddsUpTo(t *testing.T) {
	w := inState(t, inbox.TypeQuote, inbox.StateReceived)
	_, err := w.decide(owner, request("quote", `{"totalPrice":{"value":8500,"currency":"EUR"},"lines":[{"name":"a","quantity":2,"price":{"value":4000,"currency":"EUR"}},{"name":"b","quantity":1,"price":{"value":1000,"currency":"EUR"}}]}`))
	if m := problem(t, err).Fields[0].Message; m != "the lines add up to 9000" {
		t.Error(m)
	}
}

// TestQuoteDate: the date given, else the usual; automation's is capped and the
// quote rewritten to it (02 §3, 02 §13.1).
func TestQuoteDate(t *testing.T) {
	for name, c := range map[string]struct {
		by    inbox.Caller
		given string
		want  inbox.Instant
	}{
		"ok/none given":        {owner, "", monday.Add(48 * inbox.Hour)},
		"ok/given":             {owner, monday.Add(31 * inbox.Day).String(), monday.Add(31 * inbox.Day)},
		"ok/a rule is capped":  {rule, monday.Add(31 * inbox.Day).String(), monday.Add(48 * inbox.Hour)},
		"ok/a rule, sooner":    {rule, monday.Add(inbox.Hour).String(), monday.Add(inbox.Hour)},
		"ok/a key with money":  {moneyKey, monday.Add(31 * inbox.Day).String(), monday.Add(31 * inbox.Day)},
		"fail/a key without":   {key, "", 0},
		"fail/the owner's own": {assistant, "", 0},
	} {
		w := inState(t, inbox.TypeQuote, inbox.StateReceived)
		input := simpleQuote
		if c.given != "" {
			input = strings.TrimSuffix(input, "}") + `,"validThrough":"` + c.given + `"}`
		}
		out, err := w.decide(c.by, request("quote", input))
		if c.want == 0 {
			if p := problem(t, err); why(p) != "limits_not_set" {
				t.Errorf("%s: %v", name, p)
			}
			continue
		}
		w.ok(out, err)
		if q := w.f.Record.Item.Payload.Quote.Quote; q.ValidThrough != c.want || *w.f.Offer.ValidThrough != c.want || *w.f.Record.DueAt != c.want {
			t.Errorf("%s: %v %v", name, q.ValidThrough, w.f.Offer.ValidThrough)
		}
	}
}

// TestCounterQuote: another quantity or time; the quote goes (01 §4, §5.3; 09).
func TestCounterQuote(t *testing.T) {
	soon := monday.Add(30 * inbox.Minute)
	for name, c := range map[string]struct {
		input  string
		quote  string // further fields of the quote that is answered
		path   string
		amount *int64
		asked  inbox.Instant
	}{
		"ok/a quantity":                       {`{"quantity":3}`, "", "", inbox.Ptr(int64(3)), start},
		"ok/a time":                           {`{"startTime":"` + end.String() + `"}`, `,"creates":"booking"`, "", nil, end},
		"ok/both":                             {`{"quantity":1000000,"startTime":"` + end.String() + `"}`, "", "", inbox.Ptr(int64(1_000_000)), end},
		"ok/soon, for an order":               {`{"startTime":"` + soon.String() + `"}`, "", "", nil, soon},
		"fail/inside the notice of a booking": {`{"startTime":"` + soon.String() + `"}`, `,"creates":"booking"`, "not_too_soon", nil, 0},
		"fail/a time that has come":           {`{"startTime":"` + monday.String() + `"}`, "", "input.startTime", nil, 0},
		"fail/nothing":                        {`{"note":"hm"}`, "", "input.quantity", nil, 0},
		"fail/none of it":                     {`{"quantity":0}`, "", "input.quantity", nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			w.create(w.customer(), forService(nil))
			w.fire(owner, "quote", strings.TrimSuffix(simpleQuote, "}")+c.quote+"}")
			out, err := w.decide(w.customer(), request("counter", c.input))
			if c.path != "" {
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
			q := w.f.Record.Item.Payload.Quote
			if q.Quote != nil || !reflect.DeepEqual(q.Quantity, c.amount) || *q.RequestedFor != c.asked || w.f.Record.Item.State != inbox.StateReceived || w.f.Offer.Round != 3 {
				t.Errorf("%+v %+v", q, w.f.Offer)
			}
		})
	}
}

// TestQuoteDoors: what a customer's answers at their doors become (02 §11.3).
func TestQuoteDoors(t *testing.T) {
	for name, c := range map[string]struct {
		terms  inbox.Suggestion
		passed bool
	}{
		"ok/a quantity":   {inbox.Suggestion{Quantity: inbox.Ptr(int64(2))}, false},
		"ok/a time":       {inbox.Suggestion{StartTime: &end}, false},
		"passed/a price":  {inbox.Suggestion{Quantity: inbox.Ptr(int64(2)), TotalPrice: eur(1)}, true},
		"passed/people":   {inbox.Suggestion{PartySize: inbox.Ptr(2)}, true},
		"passed/lines":    {inbox.Suggestion{Lines: []inbox.SuggestLine{{Index: 0, Quantity: 2}}}, true},
		"passed/delivery": {inbox.Suggestion{DeliveryWhen: &end}, true},
	} {
		t.Run(name, func(t *testing.T) {
			w := inState(t, inbox.TypeQuote, inbox.StateQuoted)
			w.f.Settings.Negotiation.PriceCounters = true // never on a quote (02 §6.5)
			out := w.ok(w.pure(func() (Outcome, error) {
				return MakeOffer(w.f, w.customer(), inbox.MakeOfferRequest{Terms: c.terms}, w.env())
			}))
			if (out.Status == 202) != c.passed || (w.f.Record.Item.State == inbox.StateQuoted) != c.passed {
				t.Errorf("%d %s", out.Status, w.f.Record.Item.State)
			}
		})
	}
	for name, door := range map[string]func(*world) (Outcome, error){
		"ok/declined": func(w *world) (Outcome, error) {
			return DeclineOffer(w.f, w.customer(), inbox.DeclineOfferRequest{}, w.env())
		},
		"ok/cancelled": func(w *world) (Outcome, error) { return Cancel(w.f, w.customer(), "found another", w.env()) },
	} {
		w := inState(t, inbox.TypeQuote, inbox.StateQuoted)
		if w.ok(door(w)); w.f.Record.Item.State != inbox.StateDeclined || w.f.Record.Item.Payload.Quote.Quote == nil {
			t.Errorf("%s: %s", name, w.f.Record.Item.State)
		}
	}
}

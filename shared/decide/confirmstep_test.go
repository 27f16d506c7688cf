package decide

import (
	"encoding/json"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

// TestConfirmStep: who has to confirm what, and what they are asked (02 §5.1,
// §5.2).
func TestConfirmStep(t *testing.T) {
	type change func(*world, *inbox.Caller, *CreateRequest)
	asBusiness := func(c inbox.Caller) change {
		return func(_ *world, who *inbox.Caller, _ *CreateRequest) { *who = c }
	}
	price := func(model string, value *int64) change {
		return func(w *world, _ *inbox.Caller, _ *CreateRequest) {
			w.f.Service.Price = &inbox.ServicePrice{Model: model, Value: value, Currency: "EUR"}
		}
	}
	names := func(m *inbox.Money) change {
		return func(_ *world, _ *inbox.Caller, r *CreateRequest) { r.Payload.Booking.TotalPrice = m }
	}
	both := func(a, b change) change {
		return func(w *world, c *inbox.Caller, r *CreateRequest) { a(w, c, r); b(w, c, r) }
	}
	lines := func(l ...inbox.OrderLine) change {
		return func(_ *world, _ *inbox.Caller, r *CreateRequest) { r.Payload.Order.OrderedItem = l }
	}
	sold := func(to string) change {
		return func(w *world, _ *inbox.Caller, _ *CreateRequest) { w.f.Settings.Commerce.Customers = to }
	}
	nothing := func(*world, *inbox.Caller, *CreateRequest) {}
	for name, c := range map[string]struct {
		request  func() CreateRequest
		do       change
		asked    bool
		binding  bool // of the first offer
		problems inbox.Code
	}{
		"fail/a booking":                        {bookingRequest, nothing, true, true, ""},
		"fail/an order":                         {orderRequest, nothing, true, true, ""},
		"fail/sold to consumers":                {orderRequest, sold("consumers"), true, true, ""},
		"fail/a human by a form":                {bookingRequest, func(_ *world, c *inbox.Caller, _ *CreateRequest) { c.Kind = inbox.CustomerHuman }, true, true, ""},
		"fail/another price named":              {bookingRequest, names(eur(1)), true, true, ""},
		"ok/sold to businesses":                 {bookingRequest, sold("businesses"), false, false, ""},
		"ok/a business writes it down":          {bookingRequest, asBusiness(owner), false, true, ""},
		"ok/their assistant":                    {orderRequest, asBusiness(assistant), false, false, ""},
		"ok/a key":                              {orderRequest, asBusiness(key), false, false, ""},
		"ok/a message":                          {messageRequest, nothing, false, false, ""},
		"ok/a quote request":                    {quoteRequest, nothing, false, false, ""},
		"ok/priced from, none named":            {bookingRequest, price("from", inbox.Ptr(int64(5))), false, false, ""},
		"ok/priced from, one named is unpriced": {bookingRequest, both(price("from", nil), names(eur(5))), false, false, ""},
		"ok/free":                               {bookingRequest, price("fixed", inbox.Ptr(int64(0))), false, false, ""},
		"ok/booked longer than it lasts":        {bookingRequest, func(_ *world, _ *inbox.Caller, r *CreateRequest) { r.Payload.Booking.EndTime++ }, false, false, ""},
		"ok/a line the catalogue does not name": {orderRequest, lines(inbox.OrderLine{Name: "engraving", Quantity: 1, Price: *eur(500)}), false, false, ""},
		"fail/an invalid one hears that":        {bookingRequest, func(_ *world, _ *inbox.Caller, r *CreateRequest) { r.Payload.Booking.StartTime = monday }, false, false, inbox.CodeInvalidInput},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			who, r := w.customer(), c.request()
			c.do(w, &who, &r)
			out, err := w.once(who, r)
			switch p, _ := err.(*inbox.Problem); {
			case c.problems != "":
				if p == nil || p.Code != c.problems {
					t.Fatalf("%v", err)
				}
				return
			case c.asked != (p != nil && p.Code == inbox.CodeConfirmTerms):
				t.Fatalf("asked: %v", err)
			case c.asked:
				w.checkAsked(p, r)
				_, r.TermsSHA = w.termsOf(r)
				out, err = w.once(who, r)
			}
			w.ok(out, err)
			if len(w.offers) > 0 && w.offers[1].Binding != c.binding {
				t.Errorf("binding %v", w.offers[1].Binding)
			}
			if c.asked && w.offers[1].TermsSHA != r.TermsSHA {
				t.Errorf("confirmed %s, wrote %s", r.TermsSHA, w.offers[1].TermsSHA)
			}
		})
	}
}

// checkAsked is exact about the question's parts, the words apart.
func (w *world) checkAsked(p *inbox.Problem, r CreateRequest) {
	w.t.Helper()
	d := p.Details
	terms, sha := w.termsOf(r)
	if p.Status() != 409 || d["obligation_to_pay"] != true || string(d["terms"].(json.RawMessage)) != string(terms) || d["terms_sha"] != sha {
		w.t.Errorf("%d %v", p.Status(), d)
	}
	if _, changed := d["changed"]; changed {
		w.t.Error("nothing was confirmed before, so nothing changed")
	}
	if _, marked := d["disclosures"]; marked {
		w.t.Error("nothing is personalised")
	}
	if summary := d["summary"].(string); summary == "" || !strings.HasPrefix(p.Detail, summary) || len(d) != 4 {
		w.t.Errorf("%q %v", p.Detail, d)
	}
}

// TestConfirmStepChanged: what changed since the customer was asked is asked
// again, whatever changed it (02 §5.4).
func TestConfirmStepChanged(t *testing.T) {
	for name, do := range map[string]func(*world, *CreateRequest){
		"fail/the price":           func(w *world, _ *CreateRequest) { w.f.Service.Price.Value = inbox.Ptr(int64(3001)) },
		"fail/the name":            func(w *world, _ *CreateRequest) { w.f.Service.Name = "Cut" },
		"fail/their own edit":      func(_ *world, r *CreateRequest) { r.Payload.Booking.PartySize = inbox.Ptr(2) },
		"fail/another fingerprint": func(_ *world, r *CreateRequest) { r.TermsSHA = strings.Repeat("a", 43) },
		"ok/words and contact":     func(_ *world, r *CreateRequest) { r.Payload.Booking.Notes, r.Message = "x", "y" },
		"ok/settings":              func(w *world, _ *CreateRequest) { w.f.Settings.Returns.Days = 30 },
	} {
		t.Run(name, func(t *testing.T) {
			w, r := newWorld(t), bookingRequest()
			price := *w.f.Service.Price
			w.f.Service.Price = &price
			_, r.TermsSHA = w.termsOf(r)
			do(w, &r)
			out, err := w.once(w.customer(), r)
			if strings.HasPrefix(name, "ok/") {
				w.ok(out, err)
				return
			}
			p := problem(t, err)
			if p.Code != inbox.CodeConfirmTerms || p.Details["changed"] != true {
				t.Fatalf("%v %v", p, p.Details)
			}
			r.TermsSHA = p.Details["terms_sha"].(string)
			w.ok(w.once(w.customer(), r))
		})
	}
}

// TestConfirmSummary: the parts of 02 §5.3 in their order.
func TestConfirmSummary(t *testing.T) {
	for name, c := range map[string]struct {
		request func() CreateRequest
		do      func(*world)
		want    string
	}{
		"ok/booking, excepted": {bookingRequest, func(*world) {},
			"Haircut, Thursday, 8 October 2026 at 10:00 (Western European Time), for €30.00. There is no right of withdrawal, since it is for a set date. By confirming you take on an obligation to pay €30.00."},
		"ok/booking, soon": {bookingRequest, func(w *world) { w.f.Service.Withdrawal = inbox.WithdrawalStandard },
			"Haircut, Thursday, 8 October 2026 at 10:00 (Western European Time), for €30.00. You may withdraw from the contract within 14 days of booking. It starts before these 14 days are over: by confirming you ask for it to start then; if you withdraw after it began, you pay for what was done until then, and once it is fully done you can no longer withdraw. By confirming you take on an obligation to pay €30.00."},
		"ok/booking, exactly as far ahead as the days": {bookingRequest, func(w *world) {
			w.f.Service.Withdrawal = inbox.WithdrawalStandard
			w.now = start.Add(-14 * inbox.Day)
		},
			"Haircut, Thursday, 8 October 2026 at 10:00 (Western European Time), for €30.00. You may withdraw from the contract within 14 days of booking. By confirming you take on an obligation to pay €30.00."},
		"ok/order, with the trader": {orderRequest, func(w *world) {
			w.f.Settings.Commerce.Legal.LegalName, w.f.Settings.Commerce.Legal.Address = "Mel Lda", "Rua 1, Lisboa"
			w.f.Settings.Returns.Days = 30
		},
			"Your order: 2 × Rosemary honey, 500 g (€17.00), 1 × Gift case (€18.50). Total: €35.50. You contract with Mel Lda, Rua 1, Lisboa. You may withdraw from the contract within 30 days of receiving the goods. By confirming you take on an obligation to pay €35.50."},
		"ok/order, a name alone, one line excepted": {orderRequest, func(w *world) {
			w.f.Settings.Commerce.Legal.LegalName = "Mel Lda"
			w.f.Products[1].Withdrawal = "perishable"
		},
			"Your order: 2 × Rosemary honey, 500 g (€17.00), 1 × Gift case (€18.50). Total: €35.50. You contract with Mel Lda. There is no right of withdrawal, since it spoils quickly. By confirming you take on an obligation to pay €35.50."},
	} {
		w := newWorld(t)
		c.do(w)
		_, err := w.once(w.customer(), c.request())
		if got := problem(t, err).Details["summary"]; got != c.want {
			t.Errorf("%s:\n%s\n%s", name, got, c.want)
		}
	}
}

// TestAcceptSummaryToBusinesses: a yes to an offer is asked for whoever the
// business sells to; of the right of withdrawal it says nothing where there is
// none (02 §5.1, §9.1).
func TestAcceptSummaryToBusinesses(t *testing.T) {
	for customers, told := range map[string]bool{"both": true, "consumers": true, soldToBusinesses: false} {
		w := inState(t, inbox.TypeBooking, inbox.StateProposed)
		w.f.Settings.Commerce.Customers = customers
		_, err := w.accept(w.customer(), inbox.AcceptOfferRequest{})
		p := problem(t, err)
		summary := p.Details["summary"].(string)
		if p.Code != inbox.CodeConfirmTerms || strings.Contains(summary, "right of withdrawal") != told || !strings.Contains(summary, "obligation to pay") {
			t.Errorf("%s: %s", customers, summary)
		}
	}
}

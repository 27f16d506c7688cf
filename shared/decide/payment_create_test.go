package decide

import (
	"reflect"
	"testing"

	"typedinbox/shared/inbox"
)

// TestPaidAlready: what a business that writes a request down says was paid; what
// anybody says who may not record money is dropped (01 §1.6, §2.3). The order
// costs what orderRequest asks for.
func TestPaidAlready(t *testing.T) {
	plain := newWorld(t)
	plain.create(owner, orderRequest())
	total := plain.f.Record.Item.Payload.Order.TotalPrice
	for name, c := range map[string]struct {
		by     string
		ref    string
		amount *inbox.Money
		url    string
		paid   *inbox.Money
		kept   int
		field  string
	}{
		"ok/owner":                     {"P owner", "p1", eur(500), "", eur(500), 1, ""},
		"ok/staff, the whole":          {"P staff", " p1 ", nil, "", &total, 1, ""},
		"ok/money key":                 {"K$", "p1", eur(500), "https://pay.example", eur(500), 1, ""},
		"ok/connector":                 {"X", "p1", eur(500), "", eur(500), 1, ""},
		"ok/an amount alone":           {"P owner", "", eur(500), "", eur(500), 1, ""},
		"ok/nothing":                   {"P owner", "", eur(0), "https://pay.example", nil, 0, ""},
		"ok/customer's is dropped":     {"C", "p1", eur(500), "https://pay.example", nil, 0, ""},
		"ok/assistant's is dropped":    {"A", "p1", eur(500), "https://pay.example", nil, 0, ""},
		"ok/owner's AI's is dropped":   {"A owner key", "p1", eur(500), "", nil, 0, ""},
		"ok/a plain key's is dropped":  {"K", "p1", eur(500), "https://pay.example", nil, 0, ""},
		"fail/another currency":        {"P owner", "p1", &inbox.Money{Value: 1, Currency: "USD"}, "", nil, 0, "payload.paidAmount.currency"},
		"fail/a reference for nothing": {"P owner", "p1", eur(0), "", nil, 0, "payload.paidAmount.value"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			r := orderWith(func(o *inbox.Order) { o.PaymentRef, o.PaidAmount, o.PaymentURL = c.ref, c.amount, c.url })
			out, err := w.confirmed(w.actors()[c.by], r)
			if c.field != "" {
				if p := problem(t, err); p.Code != inbox.CodeInvalidInput || p.Fields[0].Path != c.field {
					t.Errorf("%v %+v", p, p.Fields)
				}
				return
			}
			w.ok(out, err)
			o, rec := w.f.Record.Item.Payload.Order, w.f.Record
			if !reflect.DeepEqual(o.PaidAmount, c.paid) || len(rec.Payments) != c.kept || (o.PaymentURL != "") != (c.url != "" && (c.paid != nil || c.by == "P owner")) {
				t.Errorf("paid %v in %v, to pay at %q", o.PaidAmount, rec.Payments, o.PaymentURL)
			}
		})
	}
	w := newWorld(t) // fail/a booking without a price
	r := bookingRequest()
	r.Payload.Booking.PaymentRef = "p1"
	_, err := w.once(owner, r)
	if p := problem(t, err); p.Fields[0].Path != "payload.paidAmount" || p.Fields[0].Problem != inbox.Missing {
		t.Errorf("%v", p)
	}
}

// TestPaidAlreadyCounts: a reference of the create's is known to record_payment,
// and its amount to what comes after.
func TestPaidAlreadyCounts(t *testing.T) {
	w := newWorld(t)
	w.create(owner, orderWith(func(o *inbox.Order) { o.PaymentRef, o.PaidAmount = "p1", eur(500) }))
	w.fire(owner, "accept")
	w.fire(owner, "start_fulfilment")
	w.fire(owner, "record_payment", pay("p1", 500))
	w.fire(owner, "record_payment", pay("p2", 200))
	if ref, paid := w.paidFor(); ref != "p2" || paid.Value != 700 || len(w.f.Record.Payments) != 2 {
		t.Errorf("paid %q %v", ref, paid)
	}
}

// TestPaidAlreadyIsForPeople: once something was paid a person alone cancels the
// order (01 §2.3).
func TestPaidAlreadyIsForPeople(t *testing.T) {
	for name, by := range map[string]inbox.Caller{"assistant": assistant, "key": key, "money key": moneyKey, "rule": rule} {
		_, err := paidBefore(t).decide(by, request("cancel"))
		if p := problem(t, err); p.Code != inbox.CodeNotAllowed || p.Details["reason"] != "person_only" || p.Details["draft_for_owner"] != true {
			t.Errorf("fail/%s: %v %v", name, p, p.Details)
		}
		if _, err := orderIn(t, inbox.StateAccepted).decide(by, request("cancel")); err != nil {
			t.Errorf("ok/%s, nothing paid: %v", name, err)
		}
	}
}

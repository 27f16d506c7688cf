package work_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

// sends fires an event of the business's with an input.
func (w *world) sends(c inbox.Caller, o opened, event, input string) {
	w.t.Helper()
	req := inbox.TransitionRequest{ItemID: o.id, Event: event, Input: json.RawMessage(input)}
	w.must(w.patient(func() error { _, err := w.desk.TransitionItem(w.ctx, inbox.Call{Caller: c}, req); return err }))
}

// proposes puts another time forward, hours after the one asked for.
func (w *world) proposes(o opened, hours int64, more string) {
	w.t.Helper()
	start := w.record(o.id).Item.Payload.Booking.StartTime.Add(hours * inbox.Hour)
	w.sends(owner, o, "propose", fmt.Sprintf(`{"startTime":%q,"endTime":%q%s}`, start, start.Add(inbox.Hour), more))
}

// accepts says yes to what the business put forward.
func (w *world) accepts(o opened) {
	w.t.Helper()
	l := w.record(o.id)
	req := inbox.AcceptOfferRequest{ItemID: o.id}
	_, err := w.desk.AcceptOffer(w.ctx, inbox.Call{Caller: o.caller}, req)
	p, ok := err.(*inbox.Problem)
	if !ok || p.Code != inbox.CodeConfirmTerms {
		w.t.Fatalf("a yes to %+v: %v", l.Item.Payload.Offer(), err)
	}
	req.TermsSHA, _ = p.Details["terms_sha"].(string)
	w.must(w.patient(func() error { _, err := w.desk.AcceptOffer(w.ctx, inbox.Call{Caller: o.caller}, req); return err }))
}

func (w *world) declines(o opened, reason string) {
	w.t.Helper()
	w.must(w.patient(func() error {
		_, err := w.desk.DeclineOffer(w.ctx, inbox.Call{Caller: o.caller}, inbox.DeclineOfferRequest{ItemID: o.id, Reason: reason})
		return err
	}))
}

// suggests asks for another time than the business put forward.
func (w *world) suggests(o opened, hours int64) {
	w.t.Helper()
	start := w.record(o.id).Item.Payload.Booking.StartTime.Add(hours * inbox.Hour)
	w.must(w.patient(func() error {
		_, err := w.desk.SuggestTime(w.ctx, inbox.Call{Caller: o.caller}, inbox.SuggestTimeRequest{ItemID: o.id, StartTime: start})
		return err
	}))
}

// ordered is an order of Ana's for something the catalogue does not have.
func (w *world) ordered() opened {
	w.t.Helper()
	return w.created(func(c inbox.Call) (inbox.Answer, error) {
		return w.desk.CreateOrder(w.ctx, c, inbox.CreateOrderRequest{
			Payload: inbox.Order{
				OrderedItem: []inbox.OrderLine{{Name: "Frame", Quantity: 2, Price: inbox.Money{Value: 1500, Currency: "EUR"}}},
				TotalPrice:  inbox.Money{Value: 3000, Currency: "EUR"},
			},
			Contact: &inbox.Contact{Name: "Ana", Email: anaEmail},
		})
	})
}

const ourOrder = `{"orderedItem":[{"name":"Frame","quantity":2,"price":{"value":2000,"currency":"EUR"}}],"note":"Oak costs more."}`

// wanted is a quote request of Ana's for a service at a time.
func (w *world) wanted() opened {
	w.t.Helper()
	at := (w.now()/inbox.Hour + 96) * inbox.Hour
	return w.created(func(c inbox.Call) (inbox.Answer, error) {
		return w.desk.RequestQuote(w.ctx, c, inbox.RequestQuoteRequest{
			Payload: inbox.QuoteRequest{
				ItemOffered: inbox.ItemOffered{Name: "Family portrait", ServiceID: serviceID}, Description: "Five of us.", RequestedFor: &at,
			},
			Contact: &inbox.Contact{Name: "Ana", Email: anaEmail},
		})
	})
}

func quotes(creates, more string) string {
	return fmt.Sprintf(`{"totalPrice":{"value":9000,"currency":"EUR"},"lines":[{"name":"Portrait","quantity":1,"price":{"value":9000,"currency":"EUR"}}],"creates":%q%s}`, creates, more)
}

// TestWhoHearsOfOffers walks the verbs of offers, as [TestWhoHears] does. Each
// verb's mail is sent before the next, unless the two wait together.
func TestWhoHearsOfOffers(t *testing.T) {
	const (
		asked    = "Thursday, 8 October 2026 at 09:00 (Western European Time)"
		anHour   = "Thursday, 8 October 2026 at 10:00 (Western European Time)"
		twoHours = "Thursday, 8 October 2026 at 11:00 (Western European Time)"
	)
	cases := map[string]struct {
		do       func(w *world) opened
		customer []string
		owner    []string
		holds    []string
		lacks    []string
	}{
		"ok/another time": {
			do:       func(w *world) opened { o := w.asked(); w.proposes(o, 1, `,"note":"At nine we are out."`); return o },
			owner:    []string{"owner.create"},
			customer: []string{"booking.proposed"},
			holds: []string{
				"We suggest another time", "Our suggestion: " + anHour, "You asked for: " + asked, "€45.00", "At nine we are out.",
				"Please answer by " + asked, "Please answer by replying",
			},
			lacks: []string{"sent automatically"},
		},
		"ok/a time that is held and may go": {
			do: func(w *world) opened {
				w.settings(`{"negotiation":{"binding":false},"booking":{"holdOnPropose":true}}`)
				o := w.asked()
				w.proposes(o, 1, `,"totalPrice":{"value":5000,"currency":"EUR"}`)
				return o
			},
			owner:    []string{"owner.create"},
			customer: []string{"booking.proposed"},
			holds:    []string{"We are keeping this time for you until then.", "Until you accept, we may still take this back.", "Price: €50.00"},
			lacks:    []string{"€45.00"},
		},
		"ok/in their language": {
			do: func(w *world) opened {
				o := w.asked(func(r *inbox.CreateBookingRequest) { r.Contact.Locale = "pt-PT" })
				w.proposes(o, 1, "")
				return o
			},
			owner:    []string{"owner.create"},
			customer: []string{"booking.proposed"},
			holds:    []string{"Sugerimos outro horário para \"Portrait\".", "quinta-feira, 8 de outubro de 2026 às 10:00 (hora da Europa Ocidental)", "45,00\u00a0€"},
			lacks:    []string{"Price", "answer"},
		},
		"ok/another time, then one more": {
			do:       func(w *world) opened { o := w.asked(); w.proposes(o, 1, ""); w.sweep(); w.proposes(o, 2, ""); return o },
			owner:    []string{"owner.create"},
			customer: []string{"booking.proposed", "booking.proposed"},
			holds:    []string{"We have changed the time", twoHours},
			lacks:    []string{"suggestion: " + anHour},
		},
		"ok/two times waiting together": {
			do: func(w *world) opened {
				o := w.asked()
				w.proposes(o, 1, `,"note":"First."`)
				w.proposes(o, 2, `,"note":"Second."`)
				return o
			},
			owner:    []string{"owner.create"},
			customer: []string{"booking.proposed"},
			holds:    []string{"We suggest another time", twoHours, "First.\n\nSecond."},
			lacks:    []string{"suggestion: " + anHour, "We have changed"},
		},
		"ok/a time taken back": {
			do: func(w *world) opened {
				w.settings(`{"negotiation":{"binding":false}}`)
				o := w.asked()
				w.proposes(o, 1, "")
				w.sweep()
				w.fire(owner, o, "retract", "")
				return o
			},
			owner:    []string{"owner.create"},
			customer: []string{"booking.proposed", "booking.retracted"},
			holds:    []string{"taking back the time", "Your request stands"},
		},
		"ok/a time and its end waiting together": {
			do: func(w *world) opened {
				w.settings(`{"negotiation":{"binding":false}}`)
				o := w.asked()
				w.proposes(o, 1, "")
				w.fire(owner, o, "retract", "Sorry.")
				return o
			},
			owner:    []string{"owner.create"},
			customer: []string{"booking.retracted"},
			holds:    []string{"Sorry."},
		},
		"ok/yes to a time": {
			do:       func(w *world) opened { o := w.asked(); w.proposes(o, 1, ""); w.sweep(); w.accepts(o); return o },
			owner:    []string{"owner.create", "owner.accept"},
			customer: []string{"booking.proposed", "booking.accepted"},
			holds:    []string{"Your booking is confirmed", anHour, "You can cancel until Wednesday, 7 October 2026 at 10:00"},
			lacks:    []string{"Please answer"},
		},
		"ok/yes before the mail went": {
			do: func(w *world) opened {
				o := w.asked()
				w.proposes(o, 1, `,"note":"We look forward."`)
				w.accepts(o)
				return o
			},
			owner:    []string{"owner.create", "owner.accept"},
			customer: []string{"booking.accepted"},
			holds:    []string{anHour, "We look forward."},
		},
		"ok/yes by phone": {
			do: func(w *world) opened {
				o := w.asked()
				w.proposes(o, 1, "")
				w.sweep()
				w.fire(owner, o, "confirm", "Sounded happy.")
				return o
			},
			owner:    []string{"owner.create"},
			customer: []string{"booking.proposed", "booking.confirmed"},
			holds:    []string{"confirmed for the time we suggested", anHour},
			lacks:    []string{"Sounded happy."},
		},
		"ok/no to a time": {
			do: func(w *world) opened {
				o := w.asked()
				w.proposes(o, 1, "")
				w.sweep()
				w.declines(o, "Too early for me")
				return o
			},
			owner:    []string{"owner.create", "owner.cancel"},
			customer: []string{"booking.proposed", "booking.declined_time"},
			holds:    []string{"You said no to the time we suggested"},
			lacks:    []string{"Too early for me"},
		},
		"ok/another time of theirs": {
			do:       func(w *world) opened { o := w.asked(); w.proposes(o, 1, ""); w.sweep(); w.suggests(o, 2); return o },
			owner:    []string{"owner.create", "owner.counter"},
			customer: []string{"booking.proposed", "booking.counter"},
			holds:    []string{twoHours, "It is not confirmed yet."},
		},
		"ok/a time nobody answered": {
			do: func(w *world) opened {
				o := w.asked()
				w.proposes(o, 1, "")
				w.sweep()
				w.wait(72 * inbox.Hour)
				return o
			},
			owner:    []string{"owner.create"},
			customer: []string{"booking.proposed", "booking.expired"},
			holds:    []string{"We did not hear back about the time we suggested", "It could be accepted until " + asked},
		},
		"ok/a time, then a question": {
			do: func(w *world) opened {
				o := w.asked()
				w.proposes(o, 1, "")
				w.fire(owner, o, "request_info", "How many?")
				return o
			},
			owner:    []string{"owner.create"},
			customer: []string{"needs_info"},
			holds:    []string{"How many?"},
		},
		"ok/changes to an order": {
			do:       func(w *world) opened { o := w.ordered(); w.sends(owner, o, "propose", ourOrder); return o },
			owner:    []string{"owner.create"},
			customer: []string{"order.proposed"},
			holds:    []string{"We would like to change", "2 × Frame — €40.00", "Total: €40.00", "Oak costs more.", "If you decline, your order is closed."},
		},
		"ok/order, 90 seconds": {
			do:       func(w *world) opened { o := w.ordered(); w.sweep(); w.wait(90 * inbox.Second); return o },
			owner:    []string{"owner.create"},
			customer: []string{"ack.order"},
			holds:    []string{"2 × Frame — price to follow", "We will confirm the price with you."},
			lacks:    []string{"€30.00"},
		},
		"ok/order taken": {
			do:       func(w *world) opened { o := w.ordered(); w.fire(owner, o, "accept", "With pleasure."); return o },
			owner:    []string{"owner.create"},
			customer: []string{"order.accepted"},
			holds:    []string{"Your order is accepted.", "2 × Frame — €30.00", "Total: €30.00", "With pleasure.", "You may withdraw from this contract within 14 days of receiving the goods.", ": 2 × Frame, reference "},
		},
		"ok/order taken by one who sells to businesses": {
			do: func(w *world) opened {
				w.settings(`{"commerce":{"customers":"businesses"}}`)
				o := w.ordered()
				w.fire(owner, o, "accept", "")
				return o
			},
			owner:    []string{"owner.create"},
			customer: []string{"order.accepted"},
			lacks:    []string{"withdraw"},
		},
		"ok/yes to changes": {
			do: func(w *world) opened {
				o := w.ordered()
				w.sends(owner, o, "propose", ourOrder)
				w.sweep()
				w.accepts(o)
				return o
			},
			owner:    []string{"owner.create", "owner.accept"},
			customer: []string{"order.proposed", "order.accepted"},
			holds:    []string{"with the changes agreed", "Total: €40.00"},
		},
		"ok/yes to what was asked for": {
			do: func(w *world) opened {
				o := w.ordered()
				w.sends(owner, o, "propose", `{"orderedItem":[{"name":"Frame","quantity":2,"price":{"value":1500,"currency":"EUR"}}]}`)
				w.sweep()
				w.accepts(o)
				return o
			},
			owner:    []string{"owner.create", "owner.accept"},
			customer: []string{"order.proposed", "order.accepted"},
			holds:    []string{"Your order is accepted.", "Total: €30.00"},
			lacks:    []string{"with the changes"},
		},
		"ok/no to changes": {
			do: func(w *world) opened {
				o := w.ordered()
				w.sends(owner, o, "propose", ourOrder)
				w.sweep()
				w.declines(o, "")
				return o
			},
			owner:    []string{"owner.create", "owner.cancel"},
			customer: []string{"order.proposed", "cancelled.as_asked"},
		},
		"ok/quoted": {
			do: func(w *world) opened {
				o := w.wanted()
				w.sends(owner, o, "quote", quotes("booking", `,"notes":"Two prints."`))
				return o
			},
			owner:    []string{"owner.create"},
			customer: []string{"quote.quoted"},
			holds:    []string{"Here is our quote", "1 × Portrait — €90.00", "Two prints.", "we book you in for Friday, 9 October 2026 at 09:00", "This quote is valid until"},
		},
		"ok/quoted again": {
			do: func(w *world) opened {
				o := w.wanted()
				w.sends(owner, o, "quote", quotes("booking", ""))
				w.sweep()
				w.sends(owner, o, "quote", quotes("order", ""))
				return o
			},
			owner:    []string{"owner.create"},
			customer: []string{"quote.quoted", "quote.quoted"},
			holds:    []string{"It replaces the one before."},
			lacks:    []string{"we book you in"},
		},
		"ok/a quote becomes a booking": {
			do: func(w *world) opened {
				o := w.wanted()
				w.sends(owner, o, "quote", quotes("booking", ""))
				w.sweep()
				w.accepts(o)
				return o
			},
			owner:    []string{"owner.create", "owner.accept", "owner.create"},
			customer: []string{"quote.quoted", "quote.accepted"},
			holds:    []string{"Your booking is confirmed.", "Friday, 9 October 2026 at 09:00", "Total: €90.00", "You can cancel until Thursday, 8 October 2026 at 09:00"},
			lacks:    []string{"withdraw"},
		},
		"ok/a quote becomes an order": {
			do: func(w *world) opened {
				o := w.wanted()
				w.sends(owner, o, "quote", quotes("order", ""))
				w.sweep()
				w.accepts(o)
				return o
			},
			owner:    []string{"owner.create", "owner.accept", "owner.create"},
			customer: []string{"quote.quoted", "quote.accepted"},
			holds:    []string{"Your order is accepted.", "Total: €90.00", "You may withdraw from this contract within 14 days of receiving the goods.", "Model withdrawal form", "- To: Studio Lumen"},
			lacks:    []string{"You can cancel"},
		},
		"ok/no to a quote": {
			do: func(w *world) opened {
				o := w.wanted()
				w.sends(owner, o, "quote", quotes("order", ""))
				w.sweep()
				w.declines(o, "Too dear")
				return o
			},
			owner:    []string{"owner.create", "owner.decline"},
			customer: []string{"quote.quoted", "quote.declined"},
			lacks:    []string{"Too dear"},
		},
		"ok/a quote nobody answered": {
			do: func(w *world) opened {
				o := w.wanted()
				w.sends(owner, o, "quote", quotes("order", ""))
				w.sweep()
				w.wait(73 * inbox.Hour)
				return o
			},
			owner:    []string{"owner.create"},
			customer: []string{"quote.quoted", "quote.expired"},
			holds:    []string{"We did not hear back about our quote", "It was valid until"},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := embed(t, nil)
			o := c.do(w)
			w.sweep()
			owners, customers := w.to(ownerEmail), w.to(anaEmail)
			slices.Sort(owners)
			slices.Sort(c.owner)
			if !slices.Equal(owners, c.owner) {
				t.Errorf("owner heard %v, want %v", owners, c.owner)
			}
			if !slices.Equal(customers, c.customer) {
				t.Fatalf("customer heard %v, want %v", customers, c.customer)
			}
			m := w.last(anaEmail)
			for _, s := range append(c.holds, inbox.Reference(o.id)) {
				if !strings.Contains(m.text, s) {
					t.Errorf("%q is not in\n%s", s, m.text)
				}
			}
			for _, s := range append(c.lacks, o.id, "{") {
				if strings.Contains(m.text, s) {
					t.Errorf("%q is in\n%s", s, m.text)
				}
			}
			w.clean()
		})
	}
}

package work_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/work"
)

const publicURL = "https://studio.example"

// linked gives the worker's mails their links and an address to answer to.
func (w *world) linked() *world {
	return w.with(func(c *work.Config) { c.PublicURL, c.InboundDomain = publicURL, "in."+domain })
}

// confirmed is a booking of Ana's that the business confirmed.
func (w *world) confirmed() opened {
	w.t.Helper()
	o := w.asked()
	w.fire(owner, o, "confirm", "")
	w.sweep()
	return o
}

// taken is an order of Ana's that the business accepted.
func (w *world) taken() opened {
	w.t.Helper()
	o := w.ordered()
	w.fire(owner, o, "accept", "")
	w.sweep()
	return o
}

// sold is an order that was paid, and sent when it says so.
func (w *world) sold(sent bool) opened {
	w.t.Helper()
	o := w.taken()
	w.sends(owner, o, "record_payment", `{"paymentRef":"p1"}`)
	w.sweep()
	if sent {
		w.sends(owner, o, "fulfil", `{}`)
	}
	w.sweep()
	return o
}

// paid is a confirmed booking that was paid.
func (w *world) paid() opened {
	w.t.Helper()
	o := w.confirmed()
	w.sends(owner, o, "record_payment", `{"paymentRef":"p1","amount":{"value":4500,"currency":"EUR"}}`)
	w.sweep()
	return o
}

func (w *world) withdraws(o opened, lines ...inbox.ReturnLine) {
	w.t.Helper()
	req := inbox.WithdrawRequest{ItemID: o.id, Confirm: true, Note: "I changed my mind.", Lines: lines}
	w.must(w.patient(func() error { _, err := w.desk.Withdraw(w.ctx, inbox.Call{Caller: o.caller}, req); return err }))
}

func (w *world) returns(o opened, reason string) {
	w.t.Helper()
	req := inbox.ReturnRequest{ItemID: o.id, Reason: reason, Note: "It is scratched."}
	w.must(w.patient(func() error { _, err := w.desk.RequestReturn(w.ctx, inbox.Call{Caller: o.caller}, req); return err }))
}

// refund is the newest refund of a promise.
func (w *world) refund(o opened) opened {
	w.t.Helper()
	refunds := w.record(o.id).Refunds
	if len(refunds) == 0 {
		w.t.Fatal("there is no refund")
	}
	return opened{refunds[len(refunds)-1], o.caller}
}

// moves asks a customer for another time for what they were promised.
func (w *world) moves(c inbox.Caller, o opened, hours int64) {
	w.t.Helper()
	b := w.record(o.id).Item.Payload.Booking
	start := b.StartTime.Add(hours * inbox.Hour)
	w.sends(c, o, "propose_change", fmt.Sprintf(`{"startTime":%q,"endTime":%q,"note":"Maria is away."}`, start, start.Add(inbox.Hour)))
}

// TestWhoHearsOfPromises walks what follows a promise, as [TestWhoHears] does:
// payments, changes, withdrawals, returns and refunds (05 §3.2, §3.4).
func TestWhoHearsOfPromises(t *testing.T) {
	cases := map[string]struct {
		do       func(w *world) opened
		customer []string // templates, in order
		owner    []string
		holds    []string // in the newest mail to the customer
		lacks    []string
	}{
		"ok/payment asked for": {
			do: func(w *world) opened {
				o := w.taken()
				w.sends(owner, o, "request_payment", `{"paymentUrl":"https://pay.example/1"}`)
				return o
			},
			customer: []string{"order.accepted", "order.awaiting_payment"}, owner: []string{"owner.create"},
			holds: []string{"To pay: €30.00", "Pay here: https://pay.example/1", "2 × Frame — €30.00", "You may withdraw from this contract within 14 days of receiving the goods."},
		},
		"ok/accepted and asked for payment together": {
			do: func(w *world) opened {
				o := w.ordered()
				w.fire(owner, o, "accept", "With pleasure.")
				w.fire(owner, o, "request_payment", "")
				return o
			},
			customer: []string{"order.awaiting_payment"}, owner: []string{"owner.create"},
			holds: []string{"Your order is accepted.", "With pleasure.", "Cancel this order: " + publicURL + "/c/"},
		},
		"ok/paid": {
			do: func(w *world) opened {
				o := w.taken()
				w.sends(owner, o, "record_payment", `{"paymentRef":"p1","amount":{"value":1000,"currency":"EUR"}}`)
				return o
			},
			customer: []string{"order.accepted", "order.paid"}, owner: []string{"owner.create"},
			holds: []string{"We have received €10.00.", "To pay: €20.00", "Withdraw from contract here: " + publicURL + "/c/", "Model withdrawal form"},
			lacks: []string{"Cancel this order"},
		},
		"ok/payment failed": {
			do: func(w *world) opened {
				o := w.owing()
				w.sweep()
				w.fire(owner, o, "payment_failed", "")
				return o
			},
			customer: []string{"order.awaiting_payment", "order.payment_failed"}, owner: []string{"owner.create"},
			holds: []string{"did not go through", "To pay: €30.00"},
		},
		"ok/sent": {
			do:       func(w *world) opened { return w.sold(true) },
			customer: []string{"order.accepted", "order.paid", "order.fulfilled"}, owner: []string{"owner.create"},
			holds: []string{"completed", "You may withdraw from this contract until ", "Withdraw from contract here: "},
		},
		"ok/in the making and done": {
			do: func(w *world) opened {
				o := w.sold(false)
				w.fire(owner, o, "start_fulfilment", "")
				w.sends(owner, o, "fulfil", `{}`)
				w.sweep()
				w.fire(owner, o, "complete", "")
				return o
			},
			customer: []string{"order.accepted", "order.paid", "order.fulfilled"}, owner: []string{"owner.create"},
		},
		"ok/booking paid": {
			do:       func(w *world) opened { return w.paid() },
			customer: []string{"booking.confirmed", "booking.paid"}, owner: []string{"owner.create"},
			holds: []string{"We have received €45.00.", "You may withdraw from this contract until ", "Change the time: ", "Withdraw from contract here: "},
			lacks: []string{"Cancel this booking"},
		},
		"ok/we ask for another time": {
			do:       func(w *world) opened { o := w.confirmed(); w.moves(owner, o, 24); return o },
			customer: []string{"booking.confirmed", "booking.change.propose"}, owner: []string{"owner.create"},
			holds: []string{
				"Now: Thursday, 8 October 2026 at 09:00", "Instead: Friday, 9 October 2026 at 09:00", "your booking stays as it is",
				"Please answer by ", "Maria is away.", "Accept the change: ", "Keep it as it is: ", "We are not keeping this time for you",
			},
			lacks: []string{"Change the time", "Price:"},
		},
		"ok/they accept": {
			do: func(w *world) opened {
				o := w.confirmed()
				w.moves(owner, o, 24)
				w.sweep()
				w.accepts(o)
				return o
			},
			customer: []string{"booking.confirmed", "booking.change.propose", "booking.change.accept"}, owner: []string{"owner.create", "owner.accept_change"},
			holds: []string{"is changed", "Friday, 9 October 2026 at 09:00", "You can cancel until Thursday, 8 October 2026 at 09:00", "Cancel this booking: ", "Change the time: "},
		},
		"ok/they keep it": {
			do: func(w *world) opened {
				o := w.confirmed()
				w.moves(owner, o, 24)
				w.sweep()
				w.declines(o, "No other day will do.")
				return o
			},
			customer: []string{"booking.confirmed", "booking.change.propose", "booking.change.decline"}, owner: []string{"owner.create", "owner.decline_change"},
			holds: []string{"As you asked, nothing changes.", "Your booking stands for Thursday, 8 October 2026 at 09:00", "Change the time: "},
			lacks: []string{"No other day will do."},
		},
		"ok/we take it back": {
			do: func(w *world) opened {
				w.settings(`{"negotiation":{"binding":false}}`)
				o := w.confirmed()
				w.moves(owner, o, 24)
				w.sweep()
				w.fire(owner, o, "retract_change", "")
				return o
			},
			customer: []string{"booking.confirmed", "booking.change.propose", "booking.change.retract"}, owner: []string{"owner.create"},
			holds: []string{"We are taking back the change we asked for.", "stands for Thursday"},
		},
		"ok/nobody answers": {
			do: func(w *world) opened {
				o := w.confirmed()
				w.moves(owner, o, 24)
				w.sweep()
				w.wait(71 * inbox.Hour)
				return o
			},
			customer: []string{"booking.confirmed", "booking.change.propose", "booking.change.expire"}, owner: []string{"owner.create"},
			holds: []string{"We did not hear back about the change we asked for", "stands for Thursday"},
		},
		"ok/they ask for another time": {
			do:       func(w *world) opened { o := w.confirmed(); w.suggests(o, 24); return o },
			customer: []string{"booking.confirmed", "booking.change.propose"}, owner: []string{"owner.create", "owner.propose_change"},
			holds: []string{"We have the new time you asked for.", "Until we confirm it, your booking stays for Thursday, 8 October 2026 at 09:00"},
			lacks: []string{"Accept", "/c/"},
		},
		"ok/we cannot": {
			do: func(w *world) opened {
				o := w.confirmed()
				w.suggests(o, 24)
				w.sweep()
				w.fire(owner, o, "decline_change", "We are full.")
				return o
			},
			customer: []string{"booking.confirmed", "booking.change.propose", "booking.change.decline"}, owner: []string{"owner.create", "owner.propose_change"},
			holds: []string{"we cannot make the change you asked for", "We are full."},
		},
		"ok/withdrawn before sending": {
			do:       func(w *world) opened { o := w.sold(false); w.withdraws(o); return o },
			customer: []string{"order.accepted", "order.paid", "order.withdrawn"}, owner: []string{"owner.create", "owner.withdraw"},
			holds: []string{
				"Withdrawal sent: Monday, 5 October 2026 at 09:00 (Western European Time)", "I hereby give notice that I withdraw from my contract of sale of",
				"We will pay back €30.00 the way you paid, by 19 October 2026.",
			},
			lacks: []string{"I changed my mind.", "/c/"},
		},
		"ok/withdrawn before paying": {
			do:       func(w *world) opened { o := w.taken(); w.withdraws(o); return o },
			customer: []string{"order.accepted", "order.withdrawn"}, owner: []string{"owner.create", "owner.withdraw"},
			holds: []string{"You have paid nothing"},
		},
		"ok/booking withdrawn": {
			do:       func(w *world) opened { o := w.paid(); w.withdraws(o); return o },
			customer: []string{"booking.confirmed", "booking.paid", "booking.withdrawn"}, owner: []string{"owner.create", "owner.withdraw"},
			holds: []string{"Your booking is cancelled.", "We will pay back €45.00"},
		},
		"ok/cancelled, which is a withdrawal": {
			do:       func(w *world) opened { o := w.paid(); w.cancels(o, "Ill."); return o },
			customer: []string{"booking.confirmed", "booking.paid", "booking.withdrawn"}, owner: []string{"owner.create", "owner.withdraw"},
			holds: []string{"We will pay back €45.00"}, lacks: []string{"Ill."},
		},
		"ok/withdrawn after sending": {
			do:       func(w *world) opened { o := w.sold(true); w.withdraws(o); return o },
			customer: []string{"order.accepted", "order.paid", "order.fulfilled", "refund.withdrawn"}, owner: []string{"owner.create", "owner.withdraw"},
			holds: []string{"Please send it back by 19 October 2026.", "You pay for sending it back.", "or you have shown us that you sent it, we pay back €30.00", "I withdraw from my contract of sale of", "Withdrawal sent: Monday, 5 October 2026"}, lacks: []string{"these items alone"},
		},
		"ok/a part withdrawn after sending": {
			do: func(w *world) opened {
				o := w.sold(true)
				w.withdraws(o, inbox.ReturnLine{Index: 0, Quantity: 1})
				return o
			},
			customer: []string{"order.accepted", "order.paid", "order.fulfilled", "refund.withdrawn"}, owner: []string{"owner.create", "owner.withdraw"},
			holds: []string{"This is about these items alone: 1 × "},
		},
		"ok/withdrawal written down": {
			do: func(w *world) opened {
				o := w.paid()
				w.wait(2 * inbox.Hour)
				w.sends(owner, o, "record_withdrawal", fmt.Sprintf(`{"note":"On the phone.","askedAt":%q}`, w.now()-inbox.Instant(inbox.Hour)))
				return o
			},
			customer: []string{"booking.confirmed", "booking.paid", "booking.withdrawn"}, owner: []string{"owner.create"},
			holds: []string{"Withdrawal sent: Monday, 5 October 2026 at 10:00 (Western European Time)", "We will pay back €45.00"}, lacks: []string{"On the phone."},
		},
		"ok/cancellation written down, not withdrawn in time": {
			do: func(w *world) opened {
				w.settings(`{"commerce":{"customers":"businesses"}}`)
				o := w.sold(false)
				w.sends(owner, o, "record_cancel", `{"note":"On the phone."}`)
				return o
			},
			customer: []string{"order.accepted", "order.paid", "cancelled.as_asked"}, owner: []string{"owner.create"},
			holds: []string{"is cancelled, as you asked", "We will tell you what we can pay back."}, lacks: []string{"On the phone."},
		},
		"ok/confirmed and paid together": {
			do: func(w *world) opened {
				o := w.asked()
				w.fire(owner, o, "confirm", "Bring a hat.")
				w.sends(owner, o, "record_payment", `{"paymentRef":"p1"}`)
				return o
			},
			customer: []string{"booking.paid"}, owner: []string{"owner.create"},
			holds: []string{"We have received your payment.", "Your booking is confirmed.", "Bring a hat.", "You can cancel until ", "Cancel this booking: ", "Withdraw from contract here: "},
		},
		"ok/a change taken back before it was told": {
			do: func(w *world) opened {
				w.settings(`{"negotiation":{"binding":false}}`)
				o := w.confirmed()
				w.moves(owner, o, 24)
				w.fire(owner, o, "retract_change", "")
				return o
			},
			customer: []string{"booking.confirmed", "booking.change.retract"}, owner: []string{"owner.create"},
			holds: []string{"Maria is away."}, lacks: []string{"Accept the change"},
		},
		"ok/order changed": {
			do: func(w *world) opened {
				o := w.taken()
				w.sends(owner, o, "propose_change", `{"orderedItem":[{"name":"Frame","quantity":1,"price":{"value":1500,"currency":"EUR"}}]}`)
				w.sweep()
				w.accepts(o)
				return o
			},
			customer: []string{"order.accepted", "order.change.propose", "order.change.accept"}, owner: []string{"owner.create", "owner.accept_change"},
			holds: []string{"Your order is changed.", "1 × Frame — €15.00", "Total: €15.00", "Withdraw from contract here: "},
		},
		"ok/a quote that became an order": {
			do: func(w *world) opened {
				o := w.wanted()
				w.sends(owner, o, "quote", quotes("order", ""))
				w.sweep()
				w.accepts(o)
				return o
			},
			customer: []string{"quote.quoted", "quote.accepted"}, owner: []string{"owner.create", "owner.create", "owner.accept"},
			holds: []string{"Your order is accepted.", "Cancel this order: ", "Withdraw from contract here: ", "Model withdrawal form"},
		},
		"ok/we cancel what was paid": {
			do:       func(w *world) opened { o := w.paid(); w.fire(owner, o, "cancel_by_business", "Flooded."); return o },
			customer: []string{"booking.confirmed", "booking.paid", "cancelled.by_us"}, owner: []string{"owner.create"},
			holds: []string{"Flooded.", "We will pay back €45.00 the way you paid, by "},
		},
		"ok/return asked for": {
			do:       func(w *world) opened { o := w.sold(true); w.returns(o, "faulty"); return o },
			customer: []string{"order.accepted", "order.paid", "order.fulfilled", "refund.received"}, owner: []string{"owner.create", "owner.request_return"},
			holds: []string{"We have received your request to send back", "Sending it back costs you nothing."}, lacks: []string{"scratched"},
		},
		"ok/return approved, arrived, paid": {
			do: func(w *world) opened {
				o := w.sold(true)
				w.returns(o, "faulty")
				r := w.refund(o)
				w.sweep()
				w.sends(owner, r, "approve", `{"goodsBack":true,"instructions":{"method":"post","address":"Rua Nova 1"},"note":"So sorry."}`)
				w.sweep()
				w.sends(owner, r, "goods_back", `{}`)
				w.sweep()
				w.sends(owner, r, "refund", `{"paymentRef":"R-1"}`)
				return o
			},
			customer: []string{"order.accepted", "order.paid", "order.fulfilled", "refund.received", "refund.approved", "refund.goods_back", "refund.refunded"},
			owner:    []string{"owner.create", "owner.request_return"},
			holds:    []string{"We have paid back €30.00 the way you paid.", "Payment reference: R-1"},
		},
		"ok/settled for less": {
			do: func(w *world) opened {
				o := w.sold(true)
				w.withdraws(o)
				w.sweep()
				w.sends(owner, w.refund(o), "record_settlement", `{"amount":{"value":2500,"currency":"EUR"},"note":"Agreed on the phone."}`)
				return o
			},
			customer: []string{"order.accepted", "order.paid", "order.fulfilled", "refund.withdrawn", "refund.refunded"}, owner: []string{"owner.create", "owner.withdraw"},
			holds: []string{"As agreed with you, we pay back €25.00."}, lacks: []string{"on the phone", "have paid back"},
		},
		"ok/return refused": {
			do: func(w *world) opened {
				w.settings(`{"commerce":{"customers":"businesses","legal":{"complaintsUrl":"https://complain.example"}}}`)
				o := w.sold(true)
				w.returns(o, "other")
				w.sweep()
				w.sends(owner, w.refund(o), "reject", `{"note":"It was worn."}`)
				return o
			},
			customer: []string{"order.accepted", "order.paid", "order.fulfilled", "refund.received", "refund.rejected"}, owner: []string{"owner.create", "owner.request_return"},
			holds: []string{"we cannot accept your return", "It was worn.", "Complaints: https://complain.example"},
		},
		"ok/charged back": {
			do:       func(w *world) opened { o := w.sold(true); w.fire(owner, o, "charge_back", ""); return o },
			customer: []string{"order.accepted", "order.paid", "order.fulfilled"}, owner: []string{"owner.create"},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			w := embed(t, nil).linked()
			c.do(w)
			w.sweep()
			if got := w.to(anaEmail); !slices.Equal(got, c.customer) {
				t.Errorf("the customer was mailed %v, want %v", got, c.customer)
			}
			if got := w.to(ownerEmail); !slices.Equal(slices.Sorted(slices.Values(got)), slices.Sorted(slices.Values(c.owner))) {
				t.Errorf("the owner was mailed %v, want %v", got, c.owner)
			}
			text := w.last(anaEmail).text
			for _, part := range c.holds {
				if !strings.Contains(text, part) {
					t.Errorf("lacks %q:\n%s", part, text)
				}
			}
			for _, part := range c.lacks {
				if strings.Contains(text, part) {
					t.Errorf("holds %q:\n%s", part, text)
				}
			}
			w.clean()
		})
	}
}

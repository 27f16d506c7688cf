package model

import (
	"fmt"
	"sync"
	"testing"

	"typedinbox/shared/decide"
	"typedinbox/shared/inbox"
	"typedinbox/shared/store"
)

// paidOrder is an order of two prints that was paid and sent.
func (s *shop) paidOrder() (id, token string) {
	s.t.Helper()
	a, err := s.desk.CreateOrder(s.ctx, customer(""), inbox.CreateOrderRequest{Contact: &inbox.Contact{Name: "Ana"}, Payload: inbox.Order{
		OrderedItem: []inbox.OrderLine{{Name: "Print", Quantity: 2, Price: *eur(1850)}}, TotalPrice: *eur(3700),
	}})
	s.must(err)
	id, token = answered(a).str("view", "item", "id"), answered(a).str("access_token")
	for _, step := range [][2]string{{"accept", `{}`}, {"record_payment", `{"paymentRef":"p"}`}, {"fulfil", `{}`}} {
		_, err := s.desk.TransitionItem(s.ctx, business, inbox.TransitionRequest{ItemID: id, Event: step[0], Input: []byte(step[1])})
		s.must(err)
	}
	return id, token
}

// read is an item as it stands.
func (s *shop) read(id string) *inbox.Record {
	s.t.Helper()
	l, err := s.store.Load(s.ctx, store.Want{ItemID: id})
	s.must(err)
	return l.Record
}

// returned opens a return of one print and approves it, nothing to come back; the
// customer agrees to so much less, 0 for no less.
func (s *shop) returned(order, token string, less int64) string {
	s.t.Helper()
	_, err := s.desk.RequestReturn(s.ctx, customer(token), inbox.ReturnRequest{
		ItemID: order, Reason: "faulty", Lines: []inbox.ReturnLine{{Index: 0, Quantity: 1}},
	})
	s.must(err)
	refunds := s.read(order).Refunds
	id := refunds[len(refunds)-1]
	_, err = s.desk.TransitionItem(s.ctx, business, inbox.TransitionRequest{ItemID: id, Event: "approve", Input: []byte(`{"goodsBack":false}`)})
	s.must(err)
	if less > 0 {
		_, err = s.desk.TransitionItem(s.ctx, business, inbox.TransitionRequest{ItemID: id, Event: "record_settlement",
			Input: fmt.Appendf(nil, `{"amount":{"value":%d,"currency":"EUR"},"note":"Agreed."}`, 1850-less)})
		s.must(err)
	}
	return id
}

// twin writes a second refund that goes on beside one, as no door would: what is
// left to keep the two apart is the row of their promise.
func (s *shop) twin(order, refund string) string {
	s.t.Helper()
	promise, r := *s.read(order), *s.read(refund)
	was := promise.Rev
	source := inbox.NewSource(&counting{})
	r.Item.ID, r.Item.Version, r.Rev, r.LastHash, r.LastEntryID = source.ID(start), 1, 1, "", ""
	event := inbox.Event{
		ID: source.ID(start), ItemID: r.Item.ID, Type: inbox.TypeRefund, Seq: 1, Event: inbox.EventCreate, ToState: r.Item.State,
		ActorKind: inbox.Owner, ActorID: "owner", CreatedAt: start, Meta: inbox.Meta{Channel: inbox.ChannelREST},
	}
	r.LastEventID = event.ID
	promise.Refunds = append(promise.Refunds, r.Item.ID)
	promise.RefundsRev++
	promise.Rev++
	s.must(s.store.Commit(s.ctx, decide.Write{
		Items: []decide.ItemWrite{{Record: promise, Expect: was}, {Record: r}}, Events: []inbox.Event{event},
	}))
	return r.Item.ID
}

// counting is a source of ids of its own.
type counting struct{ n byte }

func (c *counting) Read(p []byte) (int, error) {
	for i := range p {
		c.n++
		p[i] = c.n * 37
	}
	return len(p), nil
}

// atOnce lets many act in the same moment and answers how many were refused, by
// code.
func (s *shop) atOnce(acts []func() error) map[inbox.Code]int {
	codes := map[inbox.Code]int{}
	var ready, done sync.WaitGroup
	var mu sync.Mutex
	released := make(chan struct{})
	for _, act := range acts {
		ready.Add(1)
		done.Add(1)
		go func() {
			defer done.Done()
			ready.Done()
			<-released
			code := s.codeOf(act())
			mu.Lock()
			defer mu.Unlock()
			codes[code]++
		}()
	}
	ready.Wait()
	close(released)
	done.Wait()
	return codes
}

// back is what the refunds of an order paid back, and how many did.
func (s *shop) back(order string) (sum int64, paid int) {
	s.t.Helper()
	for _, id := range s.read(order).Refunds {
		if p := s.read(id).Item.Payload.Refund; p.PaidAmount != nil {
			sum, paid = sum+p.PaidAmount.Value, paid+1
		}
	}
	return sum, paid
}

// TestRefundsAtOnce: whatever is paid back at once, by whomever, of one order or
// of one refund, never comes to more than was paid for it.
func TestRefundsAtOnce(t *testing.T) {
	for name, c := range map[string]struct {
		twin   bool
		less   int64
		cents  []int64 // each is tried by four callers, for each refund
		most   int64
		refund int // that are paid in the end
	}{
		"ok/one refund, all callers":           {false, 0, []int64{1850}, 1850, 1},
		"ok/one refund, owed and more":         {false, 0, []int64{1850, 3700, 2000}, 3700, 1},
		"ok/two refunds, each what it owes":    {true, 0, []int64{1850}, 3700, 2},
		"ok/two refunds, each more than owed":  {true, 0, []int64{1850, 2500}, 3700, 2},
		"ok/two refunds, each all the rest":    {true, 850, []int64{2700, 1000}, 3700, 2},
		"fail/two refunds, each all that paid": {true, 0, []int64{3700}, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(6) {
				s := openShop(t, seed, nil)
				s.furnish(false, 1)
				order, token := s.paidOrder()
				refunds := []string{s.returned(order, token, c.less)}
				if c.twin {
					refunds = append(refunds, s.twin(order, refunds[0]))
				}
				s.troubles()
				var acts []func() error
				for _, id := range refunds {
					for _, cents := range c.cents {
						for n, by := range []inbox.Call{business, moneyKey, provider, business} {
							in := fmt.Sprintf(`{"paymentRef":"b%d","amount":{"value":%d,"currency":"EUR"}}`, n, cents)
							acts = append(acts, func() error {
								_, err := s.desk.TransitionItem(s.ctx, by, inbox.TransitionRequest{ItemID: id, Event: "refund", Input: []byte(in)})
								return err
							})
						}
					}
				}
				codes := s.atOnce(acts)
				s.faults.Off()
				sum, paid := s.back(order)
				if sum > c.most || paid > c.refund || codes[""] != paid {
					t.Errorf("seed %d: %d cents in %d refunds, %v", seed, sum, paid, codes)
				}
				if codes[inbox.CodeUnavailable] == 0 && paid != c.refund {
					t.Errorf("seed %d: %d refunds are paid: %v", seed, paid, codes)
				}
				if paid == len(refunds) { // no return goes on beside another
					s.counted(order)
				}
			}
		})
	}
}

// counted holds the table to its own rules, and the promise's row to its refunds.
func (s *shop) counted(order string) {
	s.t.Helper()
	findings, err := s.store.Check(s.ctx)
	s.must(err)
	for _, f := range findings {
		s.t.Error("check: " + f)
	}
	if rec := s.read(order); rec.RefundsRev < len(rec.Refunds) {
		s.t.Errorf("refunds %v at rev %d", rec.Refunds, rec.RefundsRev)
	}
}

// TestReturnsAtOnce: of many who open a return, withdraw, pay, and drop what was
// opened at once, one return goes on at a time and nothing is paid twice.
func TestReturnsAtOnce(t *testing.T) {
	for seed := range uint64(8) {
		s := openShop(t, seed, nil)
		s.furnish(false, 1)
		order, token := s.paidOrder()
		s.troubles()
		fire := func(event, input string) func() error {
			return func() error {
				refunds := s.read(order).Refunds
				if len(refunds) == 0 {
					return nil
				}
				_, err := s.desk.TransitionItem(s.ctx, business, inbox.TransitionRequest{ItemID: refunds[len(refunds)-1], Event: event, Input: []byte(input)})
				return err
			}
		}
		var acts []func() error
		for range 5 {
			acts = append(acts,
				func() error {
					_, err := s.desk.Withdraw(s.ctx, customer(token), inbox.WithdrawRequest{ItemID: order, Confirm: true})
					return err
				},
				func() error {
					_, err := s.desk.RequestReturn(s.ctx, customer(token), inbox.ReturnRequest{ItemID: order, Reason: "faulty"})
					return err
				},
				func() error {
					_, err := s.desk.OpenReturn(s.ctx, business, inbox.OpenReturnRequest{ItemID: order, Reason: "other", Note: "They rang."})
					return err
				},
				fire("approve", `{"goodsBack":false}`), fire("goods_back", `{}`),
				fire("refund", `{"paymentRef":"b","amount":{"value":3700,"currency":"EUR"}}`),
				fire("record_cancel", `{"note":"They kept it."}`), fire("record_settlement", `{"amount":{"value":1000,"currency":"EUR"},"note":"Agreed."}`),
			)
		}
		s.atOnce(acts)
		s.faults.Off()
		goesOn := 0
		for _, id := range s.read(order).Refunds {
			if s.read(id).Item.ClosedAt == nil {
				goesOn++
			}
		}
		if sum, _ := s.back(order); sum > 3700 || goesOn > 1 || len(s.read(order).Refunds) == 0 {
			t.Errorf("seed %d: paid back %d, %d go on", seed, sum, goesOn)
		}
		s.counted(order)
	}
}

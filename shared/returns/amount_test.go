package returns

import (
	"errors"
	"reflect"
	"testing"

	"pgregory.net/rapid"

	"typedinbox/shared/inbox"
)

func euro(cents int64) inbox.Money { return inbox.Money{Value: cents, Currency: "EUR"} }

// chains is the order of 02 §13.7: 2 × 18.50 + 1 × 9.00 = 46.00.
func chains(paid int64) *inbox.Order {
	o := &inbox.Order{
		OrderedItem: []inbox.OrderLine{{Name: "chain", Quantity: 2, Price: euro(1850)}, {Name: "oil", Quantity: 1, Price: euro(900)}},
		TotalPrice:  euro(4600),
	}
	if paid > 0 {
		o.PaymentRef, o.PaidAmount = "p1", inbox.Ptr(euro(paid))
	}
	return o
}

// refundOf is a refund of some lines in a state.
func refundOf(state inbox.State, owed int64, paid *int64, lines ...inbox.ReturnLine) *inbox.Record {
	p := &inbox.Refund{Amount: euro(owed), Lines: lines}
	if paid != nil {
		p.PaidAmount = inbox.Ptr(euro(*paid))
	}
	return &inbox.Record{Item: inbox.Item{Type: inbox.TypeRefund, State: state, Payload: inbox.Payload{Refund: p}}}
}

func line(index int, quantity int64) inbox.ReturnLine {
	return inbox.ReturnLine{Index: index, Quantity: quantity}
}

// TestOwed are the worked examples of 02 §13.7, and the edges beside them.
func TestOwed(t *testing.T) {
	oneBack := refundOf(inbox.StateRefunded, 1850, inbox.Ptr(int64(1850)), line(0, 1))
	allBack := refundOf(inbox.StateRefunded, 4600, inbox.Ptr(int64(4600)))
	cases := map[string]struct {
		order   *inbox.Order
		lines   []inbox.ReturnLine
		refunds []*inbox.Record
		owed    int64
		coming  []inbox.ReturnLine
		err     error
	}{
		"ok/paid, one chain back":                {chains(4600), []inbox.ReturnLine{line(0, 1)}, nil, 1850, []inbox.ReturnLine{line(0, 1)}, nil},
		"ok/paid, all":                           {chains(4600), nil, nil, 4600, nil, nil},
		"ok/every line named is all":             {chains(4600), []inbox.ReturnLine{line(1, 1), line(0, 2)}, nil, 4600, nil, nil},
		"ok/deposit, all":                        {chains(3000), nil, nil, 3000, nil, nil},
		"ok/deposit, the rest after one chain":   {chains(3000), nil, []*inbox.Record{oneBack}, 1150, []inbox.ReturnLine{line(0, 1), line(1, 1)}, nil},
		"fail/three chains":                      {chains(4600), []inbox.ReturnLine{line(0, 3)}, nil, 0, nil, ErrLines},
		"fail/a line that is not there":          {chains(4600), []inbox.ReturnLine{line(2, 1)}, nil, 0, nil, ErrLines},
		"fail/a line twice, too many together":   {chains(4600), []inbox.ReturnLine{line(0, 2), line(0, 1)}, nil, 0, nil, ErrLines},
		"ok/a line twice":                        {chains(4600), []inbox.ReturnLine{line(0, 1), line(0, 1)}, nil, 3700, []inbox.ReturnLine{line(0, 2)}, nil},
		"fail/one chain after everything":        {chains(4600), []inbox.ReturnLine{line(0, 1)}, []*inbox.Record{allBack}, 0, nil, ErrNothingLeft},
		"fail/everything after everything":       {chains(4600), nil, []*inbox.Record{allBack}, 0, nil, ErrNothingLeft},
		"fail/two chains after one":              {chains(4600), []inbox.ReturnLine{line(0, 2)}, []*inbox.Record{oneBack}, 0, nil, ErrNothingLeft},
		"fail/too many is told before what left": {chains(4600), []inbox.ReturnLine{line(0, 3)}, []*inbox.Record{allBack}, 0, nil, ErrLines},
		"ok/unpaid, goods back":                  {chains(0), nil, nil, 0, nil, nil},
		"ok/more was paid than the price":        {chains(9000), nil, nil, 4600, nil, nil},
		"ok/a rejected return does not count":    {chains(4600), nil, []*inbox.Record{refundOf(inbox.StateRejected, 4600, nil)}, 4600, nil, nil},
		"ok/nor does a cancelled one":            {chains(4600), nil, []*inbox.Record{refundOf(inbox.StateCancelled, 4600, nil)}, 4600, nil, nil},
		"ok/an open one counts what it owes":     {chains(4600), []inbox.ReturnLine{line(1, 1)}, []*inbox.Record{refundOf(inbox.StateApproved, 4000, nil, line(0, 2))}, 600, []inbox.ReturnLine{line(1, 1)}, nil},
		"ok/more was paid back than was owed":    {chains(4600), []inbox.ReturnLine{line(1, 1)}, []*inbox.Record{refundOf(inbox.StateRefunded, 3700, inbox.Ptr(int64(4600)), line(0, 2))}, 0, []inbox.ReturnLine{line(1, 1)}, nil},
		"ok/a reference without an amount":       {func() *inbox.Order { o := chains(0); o.PaymentRef = "p1"; return o }(), nil, nil, 4600, nil, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := Claimed(c.order, c.lines, c.refunds)
			if !errors.Is(err, c.err) {
				t.Fatalf("%v, want %v", err, c.err)
			}
			if err == nil && (got.Amount != euro(c.owed) || !reflect.DeepEqual(got.Lines, c.coming)) {
				t.Errorf("%+v, want %d for %v", got, c.owed, c.coming)
			}
		})
	}
}

func TestLeft(t *testing.T) {
	cases := map[string]struct {
		refunds []*inbox.Record
		left    []int64
	}{
		"ok/all":                   {nil, []int64{2, 1}},
		"ok/one chain back":        {[]*inbox.Record{refundOf(inbox.StateApproved, 0, nil, line(0, 1))}, []int64{1, 1}},
		"ok/the whole order back":  {[]*inbox.Record{refundOf(inbox.StateRequested, 0, nil)}, []int64{0, 0}},
		"ok/a rejected one":        {[]*inbox.Record{refundOf(inbox.StateRejected, 0, nil)}, []int64{2, 1}},
		"ok/lines replaced since":  {[]*inbox.Record{refundOf(inbox.StateRefunded, 0, nil, line(7, 1), line(1, 5))}, []int64{2, 0}},
		"ok/not a refund's record": {[]*inbox.Record{{Item: inbox.Item{State: inbox.StateApproved}}}, []int64{2, 1}},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := Left(chains(0), c.refunds); !reflect.DeepEqual(got, c.left) {
				t.Errorf("%v, want %v", got, c.left)
			}
		})
	}
}

func TestPaid(t *testing.T) {
	cases := map[string]struct {
		payload inbox.Payload
		want    *inbox.Money
	}{
		"ok/amounts of a booking":        {inbox.Payload{Booking: &inbox.Booking{PaymentRef: "p2", PaidAmount: inbox.Ptr(euro(4500)), TotalPrice: inbox.Ptr(euro(9000))}}, inbox.Ptr(euro(4500))},
		"ok/a reference means the price": {inbox.Payload{Booking: &inbox.Booking{PaymentRef: "p", TotalPrice: inbox.Ptr(euro(9000))}}, inbox.Ptr(euro(9000))},
		"ok/without a price nothing":     {inbox.Payload{Booking: &inbox.Booking{PaymentRef: "p"}}, nil},
		"ok/nothing paid":                {inbox.Payload{Booking: &inbox.Booking{TotalPrice: inbox.Ptr(euro(9000))}}, nil},
		"ok/an amount of nothing":        {inbox.Payload{Order: &inbox.Order{TotalPrice: euro(9000), PaidAmount: inbox.Ptr(euro(0))}}, nil},
		"ok/a message":                   {inbox.Payload{Message: &inbox.Message{}}, nil},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := Paid(c.payload); !reflect.DeepEqual(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
		})
	}
}

func TestMost(t *testing.T) {
	promise := func(paid int64) *inbox.Record {
		return &inbox.Record{Item: inbox.Item{Type: inbox.TypeOrder, Payload: inbox.Payload{Order: chains(paid)}}}
	}
	other := refundOf(inbox.StateApproved, 1000, nil, line(1, 1))
	cases := map[string]struct {
		owed    int64
		promise *inbox.Record
		others  []*inbox.Record
		most    int64
	}{
		"ok/up to what was paid":             {3700, promise(4600), nil, 4600},
		"ok/less what another refund owes":   {1850, promise(4600), []*inbox.Record{other}, 3600},
		"ok/never less than what is owed":    {3700, promise(3700), []*inbox.Record{other}, 3700},
		"ok/nothing paid, nothing but owed":  {0, promise(0), nil, 0},
		"ok/the promise is not known":        {500, nil, nil, 500},
		"ok/one that is over does not count": {1850, promise(4600), []*inbox.Record{refundOf(inbox.StateCancelled, 1000, nil)}, 4600},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			if got := Most(euro(c.owed), c.promise, c.others); got != c.most {
				t.Errorf("%d, want %d", got, c.most)
			}
		})
	}
}

// TestOwedProperties takes an order back in random parts: what is owed is a sum
// of unit prices or a cap, the sum never exceeds what was paid, and in the end
// nothing is left.
func TestOwedProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		o := &inbox.Order{TotalPrice: euro(0)}
		for range rapid.IntRange(1, 5).Draw(t, "lines") {
			l := inbox.OrderLine{Quantity: rapid.Int64Range(1, 4).Draw(t, "quantity"), Price: euro(rapid.Int64Range(0, 5000).Draw(t, "price"))}
			o.OrderedItem = append(o.OrderedItem, l)
			o.TotalPrice.Value += l.Price.Value * l.Quantity
		}
		o.PaymentRef = "p"
		o.PaidAmount = inbox.Ptr(euro(rapid.Int64Range(1, o.TotalPrice.Value+5000).Draw(t, "paid")))
		paid := min(o.PaidAmount.Value, o.TotalPrice.Value)
		var refunds []*inbox.Record
		for range 30 {
			var lines []inbox.ReturnLine
			for range rapid.IntRange(0, 3).Draw(t, "named") {
				lines = append(lines, line(rapid.IntRange(0, len(o.OrderedItem)).Draw(t, "index"), rapid.Int64Range(0, 3).Draw(t, "n")))
			}
			left := Left(o, refunds)
			c, err := Claimed(o, lines, refunds)
			if err != nil {
				if errors.Is(err, ErrNothingLeft) && len(lines) == 0 && sumOf(left) > 0 {
					t.Fatalf("nothing left of %v", left)
				}
				continue
			}
			worth := o.TotalPrice.Value
			if c.Lines != nil {
				worth = 0
				for _, l := range c.Lines {
					worth += o.OrderedItem[l.Index].Price.Value * l.Quantity
				}
			}
			if c.Amount.Value != min(worth, max(0, paid-Taken(refunds))) {
				t.Fatalf("owes %d for lines worth %d, %d paid, %d taken", c.Amount.Value, worth, paid, Taken(refunds))
			}
			state := rapid.SampledFrom([]inbox.State{inbox.StateRefunded, inbox.StateApproved, inbox.StateRejected}).Draw(t, "state")
			refunds = append(refunds, refundOf(state, c.Amount.Value, nil, c.Lines...))
			if Taken(refunds) > paid {
				t.Fatalf("%d of %d is taken", Taken(refunds), paid)
			}
		}
		for _, n := range Left(o, refunds) {
			if n < 0 {
				t.Fatalf("left %v", Left(o, refunds))
			}
		}
	})
}

func sumOf(list []int64) (sum int64) {
	for _, n := range list {
		sum += n
	}
	return sum
}

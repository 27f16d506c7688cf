package machine

import (
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/inbox"
)

func record(t inbox.Type, s inbox.State, p inbox.Payload) *inbox.Record {
	return &inbox.Record{Item: inbox.Item{ID: "i", Type: t, State: s, Payload: p}}
}

func booking(b inbox.Booking) inbox.Payload { return inbox.Payload{Booking: &b} }
func orders(o inbox.Order) inbox.Payload    { return inbox.Payload{Order: &o} }
func refund(r inbox.Refund) inbox.Payload   { return inbox.Payload{Refund: &r} }

var (
	openOffer    = &inbox.OfferPointer{By: inbox.SideBusiness, Status: inbox.OfferOpen, Binding: inbox.Ptr(false)}
	bindingOffer = &inbox.OfferPointer{By: inbox.SideBusiness, Status: inbox.OfferOpen}
	ours         = &inbox.TimeChange{By: inbox.SideBusiness}
	theirs       = &inbox.TimeChange{By: inbox.SideCustomer}
	ourOrder     = &inbox.OrderChange{By: inbox.SideBusiness}
)

type allowedCase struct {
	typ   inbox.Type
	state inbox.State
	p     inbox.Payload
	by    string
	want  string
}

// TestAllowedToday: what is offered while the refusing rows refuse.
func TestAllowedToday(t *testing.T) {
	none := inbox.Payload{}
	cases := map[string]allowedCase{
		"ok/booking requested, owner":    {inbox.TypeBooking, "requested", booking(inbox.Booking{}), "owner", "confirm propose request_info decline cancel_by_business record_cancel"},
		"ok/booking requested, ai":       {inbox.TypeBooking, "requested", booking(inbox.Booking{}), "owner_ai", "confirm propose request_info decline cancel_by_business record_cancel"},
		"ok/booking requested, rule":     {inbox.TypeBooking, "requested", booking(inbox.Booking{}), "rule", "confirm propose request_info decline cancel_by_business expire"},
		"ok/booking requested, customer": {inbox.TypeBooking, "requested", booking(inbox.Booking{}), "customer_agent", "cancel"},
		"ok/booking needs_info, owner":   {inbox.TypeBooking, "needs_info", booking(inbox.Booking{}), "owner", "confirm propose decline cancel_by_business record_cancel"},
		"ok/booking needs_info, theirs":  {inbox.TypeBooking, "needs_info", booking(inbox.Booking{}), "customer_agent", "provide_info cancel"},
		"ok/booking needs_info, X":       {inbox.TypeBooking, "needs_info", booking(inbox.Booking{}), "connector", "provide_info"},
		"ok/booking proposed, owner":     {inbox.TypeBooking, "proposed", booking(inbox.Booking{Offer: openOffer}), "owner", "confirm propose request_info retract decline cancel_by_business record_cancel"},
		"ok/booking proposed, customer":  {inbox.TypeBooking, "proposed", booking(inbox.Booking{}), "customer_human", "accept counter cancel"},
		"ok/booking confirmed, owner":    {inbox.TypeBooking, "confirmed", booking(inbox.Booking{}), "owner", "record_payment complete propose_change no_show cancel_by_business record_cancel"},
		"ok/booking confirmed, rule":     {inbox.TypeBooking, "confirmed", booking(inbox.Booking{}), "rule", "complete propose_change cancel_by_business"},
		"ok/booking confirmed, customer": {inbox.TypeBooking, "confirmed", booking(inbox.Booking{}), "customer_agent", "propose_change cancel"},
		"ok/booking confirmed, system":   {inbox.TypeBooking, "confirmed", booking(inbox.Booking{}), "system", "complete"},
		"ok/booking completed, owner":    {inbox.TypeBooking, "completed", booking(inbox.Booking{}), "owner", "no_show"},
		"ok/booking no_show, key":        {inbox.TypeBooking, "no_show", booking(inbox.Booking{}), "integration", "complete"},
		"ok/booking completed, rule":     {inbox.TypeBooking, "completed", booking(inbox.Booking{}), "rule", ""},
		"ok/booking declined, owner":     {inbox.TypeBooking, "declined", booking(inbox.Booking{}), "owner", ""},
		"ok/booking declined, customer":  {inbox.TypeBooking, "declined", booking(inbox.Booking{}), "customer_agent", ""},
		"ok/message open, owner":         {inbox.TypeMessage, "open", none, "owner", "answer close mark_spam"},
		"ok/message answered, owner":     {inbox.TypeMessage, "answered", none, "owner", "reopen close mark_spam"},
		"ok/message spam, owner":         {inbox.TypeMessage, "spam", none, "owner", "unspam"},
		"ok/message spam, rule":          {inbox.TypeMessage, "spam", none, "rule", ""},
		"ok/message open, customer":      {inbox.TypeMessage, "open", none, "customer_agent", ""},
		"ok/message answered, customer":  {inbox.TypeMessage, "answered", none, "customer_agent", "reopen"},
		"ok/message spam is closed":      {inbox.TypeMessage, "spam", none, "customer_agent", "reopen"},
		"ok/order, owner":                {inbox.TypeOrder, "received", orders(inbox.Order{}), "owner", "accept propose request_info decline cancel record_cancel"},
		"ok/order accepted, ai":          {inbox.TypeOrder, "accepted", orders(inbox.Order{}), "owner_ai", "request_payment start_fulfilment fulfil propose_change cancel record_cancel record_withdrawal"},
		"ok/order paid, connector":       {inbox.TypeOrder, "paid", orders(inbox.Order{}), "connector", "start_fulfilment fulfil charge_back"},
		"ok/order fulfilled, rule":       {inbox.TypeOrder, "fulfilled", orders(inbox.Order{}), "rule", "complete"},
		"ok/order, customer":             {inbox.TypeOrder, "received", orders(inbox.Order{}), "customer_agent", "cancel"},
		"ok/quote, owner":                {inbox.TypeQuote, "received", none, "owner", "quote request_info decline"},
		"ok/refund, owner":               {inbox.TypeRefund, "requested", refund(inbox.Refund{}), "owner", "approve reject record_cancel"},
		"ok/unknown type":                {"parcel", "open", none, "owner", ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := Allowed(record(c.typ, c.state, c.p), callers[c.by].caller)
			if got == nil || strings.Join(got, " ") != c.want {
				t.Errorf("%#v, want %s", got, c.want)
			}
		})
	}
}

// TestAllowedWhole: what will be offered once nothing refuses. The customer's
// cases are the table of 01 §5.7.
func TestAllowedWhole(t *testing.T) {
	none := inbox.Payload{}
	back := inbox.Refund{GoodsBack: inbox.Ptr(true)}
	paid := inbox.Booking{PaymentRef: "p1"}
	cases := map[string]allowedCase{
		"ok/customer/booking requested":    {inbox.TypeBooking, "requested", booking(inbox.Booking{}), "customer_agent", "cancel"},
		"ok/customer/booking proposed":     {inbox.TypeBooking, "proposed", booking(inbox.Booking{}), "customer_agent", "accept counter cancel"},
		"ok/customer/booking confirmed":    {inbox.TypeBooking, "confirmed", booking(inbox.Booking{}), "customer_agent", "propose_change cancel"},
		"ok/customer/our change":           {inbox.TypeBooking, "confirmed", booking(inbox.Booking{Change: ours}), "customer_agent", "propose_change accept_change decline_change cancel"},
		"ok/customer/their change":         {inbox.TypeBooking, "confirmed", booking(inbox.Booking{Change: theirs}), "customer_agent", "propose_change retract_change cancel"},
		"ok/customer/order received":       {inbox.TypeOrder, "received", orders(inbox.Order{}), "customer_agent", "cancel"},
		"ok/customer/order needs_info":     {inbox.TypeOrder, "needs_info", orders(inbox.Order{}), "customer_agent", "provide_info cancel"},
		"ok/customer/order proposed":       {inbox.TypeOrder, "proposed", orders(inbox.Order{}), "customer_agent", "accept counter cancel"},
		"ok/customer/order awaiting":       {inbox.TypeOrder, "awaiting_payment", orders(inbox.Order{}), "customer_agent", "propose_change cancel"},
		"ok/customer/order paid":           {inbox.TypeOrder, "paid", orders(inbox.Order{}), "customer_agent", "propose_change"},
		"ok/customer/order paid, changed":  {inbox.TypeOrder, "fulfilling", orders(inbox.Order{Change: ourOrder}), "customer_agent", "propose_change accept_change decline_change"},
		"ok/customer/order fulfilled":      {inbox.TypeOrder, "fulfilled", orders(inbox.Order{}), "customer_agent", ""},
		"ok/customer/order completed":      {inbox.TypeOrder, "completed", orders(inbox.Order{}), "customer_agent", ""},
		"ok/customer/quote received":       {inbox.TypeQuote, "received", none, "customer_agent", "decline"},
		"ok/customer/quote needs_info":     {inbox.TypeQuote, "needs_info", none, "customer_agent", "provide_info decline"},
		"ok/customer/quote quoted":         {inbox.TypeQuote, "quoted", none, "customer_agent", "accept counter decline"},
		"ok/customer/refund with goods":    {inbox.TypeRefund, "requested", refund(back), "customer_agent", "cancel"},
		"ok/customer/refund approved":      {inbox.TypeRefund, "approved", refund(back), "customer_agent", "cancel"},
		"ok/customer/refund without goods": {inbox.TypeRefund, "approved", refund(inbox.Refund{GoodsBack: inbox.Ptr(false)}), "customer_agent", ""},
		"ok/customer/refund unsaid":        {inbox.TypeRefund, "requested", refund(inbox.Refund{}), "customer_agent", ""},
		"ok/customer/refund back":          {inbox.TypeRefund, "goods_received", refund(back), "customer_agent", ""},

		"ok/owner/withdrawable":          {inbox.TypeBooking, "proposed", booking(inbox.Booking{Offer: openOffer}), "owner", "confirm propose request_info retract decline cancel_by_business record_cancel"},
		"ok/owner/binding":               {inbox.TypeBooking, "proposed", booking(inbox.Booking{Offer: bindingOffer}), "owner", "confirm propose request_info decline cancel_by_business record_cancel"},
		"ok/ai/proposed":                 {inbox.TypeBooking, "proposed", booking(inbox.Booking{Offer: bindingOffer}), "owner_ai", "propose request_info decline cancel_by_business record_cancel"},
		"ok/rule/proposed":               {inbox.TypeBooking, "proposed", booking(inbox.Booking{}), "rule", "propose request_info decline cancel_by_business expire"},
		"ok/owner/unpaid booking":        {inbox.TypeBooking, "confirmed", booking(inbox.Booking{}), "owner", "record_payment complete propose_change no_show cancel_by_business record_cancel"},
		"ok/owner/paid booking":          {inbox.TypeBooking, "confirmed", booking(paid), "owner", "record_payment complete propose_change no_show cancel_by_business record_cancel record_withdrawal"},
		"ok/ai/paid booking":             {inbox.TypeBooking, "confirmed", booking(paid), "owner_ai", "complete propose_change no_show record_cancel record_withdrawal"},
		"ok/key/paid booking":            {inbox.TypeBooking, "confirmed", booking(paid), "integration", "complete propose_change no_show record_cancel record_withdrawal"},
		"ok/money key/unpaid booking":    {inbox.TypeBooking, "confirmed", booking(inbox.Booking{}), "integration with money", "record_payment complete propose_change no_show cancel_by_business record_cancel"},
		"ok/connector/booking":           {inbox.TypeBooking, "confirmed", booking(paid), "connector", "record_payment"},
		"ok/owner/own change":            {inbox.TypeBooking, "confirmed", booking(inbox.Booking{Change: ours}), "owner", "accept_change record_payment complete propose_change no_show cancel_by_business record_cancel"},
		"ok/owner/own change, loose":     {inbox.TypeBooking, "confirmed", booking(inbox.Booking{Change: ours, Offer: openOffer}), "owner", "accept_change record_payment complete propose_change retract_change no_show cancel_by_business record_cancel"},
		"ok/ai/own change":               {inbox.TypeBooking, "confirmed", booking(inbox.Booking{Change: ours}), "owner_ai", "complete propose_change no_show cancel_by_business record_cancel"},
		"ok/ai/their change":             {inbox.TypeBooking, "confirmed", booking(inbox.Booking{Change: theirs}), "owner_ai", "accept_change complete propose_change decline_change no_show cancel_by_business record_cancel"},
		"ok/owner/order accepted":        {inbox.TypeOrder, "accepted", orders(inbox.Order{}), "owner", "record_payment request_payment start_fulfilment fulfil propose_change cancel record_cancel record_withdrawal"},
		"ok/ai/order accepted":           {inbox.TypeOrder, "accepted", orders(inbox.Order{}), "owner_ai", "request_payment start_fulfilment fulfil propose_change cancel record_cancel record_withdrawal"},
		"ok/owner/order paid":            {inbox.TypeOrder, "paid", orders(inbox.Order{}), "owner", "start_fulfilment fulfil propose_change charge_back cancel record_cancel record_withdrawal"},
		"ok/ai/order paid":               {inbox.TypeOrder, "paid", orders(inbox.Order{}), "owner_ai", "start_fulfilment fulfil propose_change record_cancel record_withdrawal"},
		"ok/owner/order awaiting":        {inbox.TypeOrder, "awaiting_payment", orders(inbox.Order{}), "owner", "record_payment propose_change payment_failed cancel record_cancel record_withdrawal"},
		"ok/system/order awaiting":       {inbox.TypeOrder, "awaiting_payment", orders(inbox.Order{}), "system", ""},
		"ok/owner/order completed":       {inbox.TypeOrder, "completed", orders(inbox.Order{}), "owner", "record_payment record_delivery open_return record_charge_back record_withdrawal"},
		"ok/owner/quote quoted":          {inbox.TypeQuote, "quoted", none, "owner", "accept quote decline"},
		"ok/rule/quote quoted":           {inbox.TypeQuote, "quoted", none, "rule", "quote decline expire"},
		"ok/owner/refund requested":      {inbox.TypeRefund, "requested", refund(back), "owner", "approve reject record_cancel"},
		"ok/ai/refund requested":         {inbox.TypeRefund, "requested", refund(back), "owner_ai", "approve"},
		"ok/owner/refund approved":       {inbox.TypeRefund, "approved", refund(back), "owner", "goods_back refund record_cancel record_settlement"},
		"ok/key/refund approved":         {inbox.TypeRefund, "approved", refund(back), "integration", ""},
		"ok/money key/refund approved":   {inbox.TypeRefund, "approved", refund(back), "integration with money", "goods_back refund"},
		"ok/owner/refund goods_received": {inbox.TypeRefund, "goods_received", refund(back), "owner", "refund record_cancel dispute_goods record_settlement"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := whole(c.typ).allowed(record(c.typ, c.state, c.p), callers[c.by].caller)
			if strings.Join(got, " ") != c.want {
				t.Errorf("%s\nwant %s", strings.Join(got, " "), c.want)
			}
		})
	}
}

func TestAllowedAfterCorrection(t *testing.T) {
	for state, event := range map[inbox.State]string{"completed": "no_show", "no_show": "complete"} {
		rec := record(inbox.TypeBooking, state, booking(inbox.Booking{}))
		if got := Allowed(rec, callers["owner"].caller); !slices.Equal(got, []string{event}) {
			t.Errorf("from %s: %v", state, got)
		}
		rec.Corrected = true
		if got := Allowed(rec, callers["owner"].caller); len(got) != 0 {
			t.Errorf("from %s, corrected before: %v", state, got)
		}
	}
}

// TestAllowedResolves: whatever is offered resolves, and nobody is refused it
// for who they are.
func TestAllowedResolves(t *testing.T) {
	for _, typ := range inbox.Types {
		for _, table := range []*Table{Of(typ), whole(typ)} {
			for _, s := range table.States() {
				for name, w := range callers {
					if w.caller.IsCustomer() && table.SeenByCustomer(s) != s {
						continue
					}
					p := map[inbox.Type]inbox.Payload{inbox.TypeBooking: booking(inbox.Booking{PaymentRef: "p", Change: ours}), inbox.TypeOrder: orders(inbox.Order{PaymentRef: "p"}), inbox.TypeRefund: refund(inbox.Refund{})}[typ]
					rec := record(typ, s, p)
					for _, event := range table.allowed(rec, w.caller) {
						row, reason := judge(table, s, event, w.caller, true)
						if reason != "" || row.Unlisted {
							t.Errorf("%s %s: %s is offered %s: %q", typ, s, name, event, reason)
						}
					}
				}
			}
		}
	}
}

func TestPaid(t *testing.T) {
	money := func(v int64) *inbox.Money { return &inbox.Money{Value: v, Currency: "EUR"} }
	cases := map[string]struct {
		p    inbox.Payload
		want bool
	}{
		"ok/booking ref":     {booking(inbox.Booking{PaymentRef: "r"}), true},
		"ok/booking amount":  {booking(inbox.Booking{PaidAmount: money(1)}), true},
		"ok/order ref":       {orders(inbox.Order{PaymentRef: "r"}), true},
		"ok/order amount":    {orders(inbox.Order{PaidAmount: money(1)}), true},
		"fail/booking":       {booking(inbox.Booking{}), false},
		"fail/nothing":       {booking(inbox.Booking{PaidAmount: money(0)}), false},
		"fail/order":         {orders(inbox.Order{}), false},
		"fail/refund is not": {refund(inbox.Refund{PaymentRef: "r"}), false},
	}
	for name, c := range cases {
		if got := Paid(c.p); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

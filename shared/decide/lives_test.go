package decide

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
	"typedinbox/shared/negotiation"
)

// TestRandomLives fires random events by random actors at random moments, in 200
// lives. The world checks every write: versions without gaps, one open offer,
// the pointer and the ledger at one, places taken once and released by who holds
// them, facts unchanged. Terminal states stay, and what is refused is a problem.
func TestRandomLives(t *testing.T) {
	for seed := range uint64(200) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { liveOnce(t, seed) })
	}
}

func liveOnce(t *testing.T, seed uint64) {
	random := rand.New(rand.NewPCG(seed, 1))
	w := newWorld(t)
	w.source = seeded(seed)
	actors := []string{"C", "P owner", "P staff", "A", "A owner key", "K", "K$", "R", "X", "S"}
	w.f.Settings.Booking.HoldOnPropose = seed%2 == 0
	w.f.Settings.Negotiation.Binding = seed/5%3 > 0
	w.f.Settings.Negotiation.PriceCounters = seed%7 == 0
	creator, request := w.customer(), usual[[]inbox.Type{
		inbox.TypeBooking, inbox.TypeOrder, inbox.TypeQuote, inbox.TypeBooking, inbox.TypeMessage,
	}[seed%5]]()
	if seed%3 == 0 {
		creator = owner
	}
	if request.Type == inbox.TypeQuote && seed%2 == 0 {
		request = forService(nil)
	}
	w.create(creator, request)
	table := machine.Of(request.Type)
	events := table.Events()
	for range 40 {
		if random.IntN(4) == 0 {
			w.now = w.now.Add(random.Int64N(30 * inbox.Hour))
		}
		was := w.f.Record.Item
		out, err := w.anything(random, w.actors()[actors[random.IntN(len(actors))]], events[random.IntN(len(events))])
		if err != nil {
			_ = problem(t, err)
			continue
		}
		w.ok(out, nil)
		is := w.f.Record.Item
		if table.IsTerminal(was.State) && !table.IsTerminal(is.State) {
			t.Errorf("%s led to %s", was.State, is.State)
		}
		if (is.ClosedAt != nil) != (table.IsTerminal(is.State) || is.State == inbox.StateClosed || is.State == inbox.StateSpam) {
			t.Errorf("in %s, closed at %v", is.State, is.ClosedAt)
		}
		promised := is.Type == inbox.TypeBooking && (is.State == inbox.StateConfirmed || is.State == inbox.StateCompleted || is.State == inbox.StateNoShow)
		if held := len(w.f.Record.Claims) > 0; held != (promised || w.f.Offer != nil && w.f.Offer.Pointer().Held) {
			t.Errorf("in %s with places %v", is.State, w.f.Record.Claims)
		}
		w.onePlace(is)
		waits := is.State == inbox.StateProposed || is.State == inbox.StateQuoted
		if waits != putForward(is.Payload) && !table.IsTerminal(is.State) {
			t.Errorf("in %s with %s", is.State, mustJSON(is.Payload))
		}
		if (is.Type == inbox.TypeQuote && is.State == inbox.StateAccepted) != (w.linked != nil) || (is.LinkedItemID != nil) != (w.linked != nil) {
			t.Errorf("in %s it became %v", is.State, w.linked)
		}
		if o := is.Payload.Order; o != nil && len(w.f.Record.WithdrawalFlags) != len(o.OrderedItem) {
			t.Errorf("%d lines, flags %v", len(o.OrderedItem), w.f.Record.WithdrawalFlags)
		}
		if !table.IsTerminal(is.State) && !ordersPromise(is) && is.Type != inbox.TypeMessage && w.f.Record.Clocked && w.f.Record.DueAt == nil {
			t.Errorf("%s waits for ever", is.State)
		}
	}
}

// onePlace: a promised booking stands in one set of places, those of the time that
// was agreed, whatever change to it is asked for; an open change is the item's,
// and the pointer says so.
func (w *world) onePlace(is inbox.Item) {
	w.t.Helper()
	var own []inbox.Claim
	for _, c := range w.f.Record.Claims {
		if c.OfferID == "" {
			own = append(own, c)
		}
	}
	if b := is.Payload.Booking; is.State == inbox.StateConfirmed && (len(own) != 1 || own[0].From != b.StartTime || own[0].To != b.EndTime) {
		w.t.Errorf("booked %s, places %+v", b.StartTime, own)
	}
	open := w.f.Offer != nil && w.f.Offer.Status == inbox.OfferOpen && w.f.Offer.Kind == negotiation.KindChange
	if open != (machine.ChangeBy(is.Payload) != "") || open && !machine.Of(is.Type).IsPromise(is.State) {
		w.t.Errorf("in %s with change %q and offer %+v", is.State, machine.ChangeBy(is.Payload), w.f.Offer)
	}
	if open && (w.f.Agreed == nil || w.f.Agreed.Status != inbox.OfferAccepted) {
		w.t.Errorf("a change of nothing that was agreed: %+v", w.f.Agreed)
	}
}

// ordersPromise says whether an item is an order that waits for no date: one
// that was promised, or sent.
func ordersPromise(i inbox.Item) bool {
	return i.Type == inbox.TypeOrder && (machine.Of(i.Type).IsPromise(i.State) || i.State == inbox.StateFulfilled)
}

// putForward says whether a payload holds what the business put forward.
func putForward(p inbox.Payload) bool {
	return p.Booking != nil && p.Booking.Proposed != nil || p.Order != nil && p.Order.Proposed != nil || p.Quote != nil && p.Quote.Quote != nil
}

// anyOrder is some lines of an order, some of them nobody may send.
func anyOrder(random *rand.Rand) []inbox.OrderLine {
	lines := make([]inbox.OrderLine, 1+random.IntN(3))
	for i := range lines {
		lines[i] = inbox.OrderLine{
			ProductID: []string{"", "HONEY", "CASE", "NONE"}[random.IntN(4)], Name: "x", Quantity: random.Int64N(4), Price: *eur(random.Int64N(5000)),
		}
		if random.IntN(20) == 0 {
			lines[i].Price.Currency = "USD"
		}
	}
	return lines
}

// anyOffer is the input of an offer for the item, "" for an event that makes
// none.
func (w *world) anyOffer(random *rand.Rand, event, text string, hour inbox.Instant, price *inbox.Money) string {
	var in any
	quantity := random.Int64N(4)
	switch typ := w.f.Record.Item.Type; {
	case event == "propose_change" && typ == inbox.TypeOrder:
		in = inbox.ChangeOrderInput{OrderedItem: anyOrder(random), Lines: []inbox.ChangeLine{{Index: random.IntN(3), Quantity: quantity}}, Note: text}
	case event == "propose_change":
		in = inbox.ChangeTimeInput{StartTime: hour, TotalPrice: price, Note: text}
	case event == "propose" && typ == inbox.TypeOrder:
		in = inbox.ProposeOrderInput{OrderedItem: anyOrder(random), Note: text}
	case event == "counter" && typ == inbox.TypeOrder:
		in = inbox.CounterOrderInput{Lines: []inbox.CounterLine{{Index: random.IntN(3), Quantity: quantity, UnitPrice: price}}, Note: text}
	case event == "counter" && typ == inbox.TypeQuote:
		in = inbox.CounterQuoteInput{Quantity: &quantity, StartTime: &hour, Note: text}
	case event == "quote":
		in = inbox.QuoteInput{TotalPrice: *eur(100 * quantity), Creates: []string{"", createsOrder, createsBooking, createsBooking}[random.IntN(4)], StartTime: &hour, Note: text}
	case event == "propose":
		in = inbox.ProposeTimeInput{StartTime: hour, EndTime: hour.Add(inbox.Hour), TotalPrice: price, Note: text}
	case event == "counter":
		in = inbox.CounterTimeInput{StartTime: hour, TotalPrice: price, Note: text}
	default:
		return ""
	}
	return string(mustJSON(in))
}

// anything is one act of a caller's.
func (w *world) anything(random *rand.Rand, c inbox.Caller, event string) (Outcome, error) {
	texts := []string{"", "fine", "It is €30.", secret}
	text := texts[random.IntN(len(texts))]
	hour := start.Add(random.Int64N(8) * 30 * inbox.Minute)
	price := []*inbox.Money{nil, nil, eur(2000), {Value: 1, Currency: "USD"}}[random.IntN(4)]
	sha := ""
	if w.f.Offer != nil && random.IntN(4) > 0 {
		sha = w.f.Offer.TermsSHA
	}
	if event == "record_payment" {
		in := inbox.PaymentInput{PaymentRef: []string{"p1", "p2", "p3", ""}[random.IntN(4)], Amount: price}
		return w.decide(c, request(event, string(mustJSON(in))))
	}
	if input := w.anyOffer(random, event, text, hour, price); input != "" {
		return w.decide(c, request(event, input))
	}
	switch random.IntN(16) {
	case 3:
		return w.accept(c, inbox.AcceptOfferRequest{TermsSHA: sha})
	case 4:
		return w.declineOffer(c, inbox.DeclineOfferRequest{Reason: text})
	case 5, 6:
		return w.makeOffer(c, inbox.MakeOfferRequest{Terms: anySuggestion(random, hour, price), Note: text})
	case 0:
		return w.pure(func() (Outcome, error) { return Cancel(w.f, c, text, w.env()) })
	case 1:
		return w.pure(func() (Outcome, error) { return Details(w.f, c, "more "+text, w.env()) })
	case 2:
		r := inbox.ReplyRequest{Body: "well " + text, Internal: random.IntN(2) == 0}
		return w.pure(func() (Outcome, error) { return Reply(w.f, c, r, w.env()) })
	}
	return w.decide(c, request(event, string(mustJSON(inbox.NoteInput{Note: text}))))
}

// anySuggestion names one thing or two.
func anySuggestion(random *rand.Rand, hour inbox.Instant, price *inbox.Money) inbox.Suggestion {
	s := inbox.Suggestion{TotalPrice: price}
	switch random.IntN(3) {
	case 0:
		s.StartTime = &hour
	case 1:
		s.Lines = []inbox.SuggestLine{{Index: random.IntN(3), Quantity: random.Int64N(3)}}
	default:
		s.Quantity = inbox.Ptr(1 + random.Int64N(3))
	}
	return s
}

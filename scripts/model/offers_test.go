package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"typedinbox/shared/catalogue"
	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
)

// bargain is a life of bookings, orders and quotes that are negotiated, with the
// troubles of [faultRates]. It knows no answers; it knows what must hold after
// each of them.
type bargain struct {
	*world
	service, product string
	things           []*thing
	troubled         bool
	trace            []string
	met              map[string]int
}

// thing is an item and what its customer keeps of it.
type thing struct {
	id, token string
	rev       int
	final     inbox.State // the terminal state it came to, "" before
}

// TestModelOffers plays random negotiations; MODEL_SEED plays one again.
func TestModelOffers(t *testing.T) {
	seeds, first := number("MODEL_SEEDS", usualSeeds)/8+1, 0
	if one := number("MODEL_SEED", -1); one >= 0 {
		first, seeds = one, 1
	}
	met := map[string]int{}
	for seed := first; seed < first+seeds; seed++ {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { negotiate(t, uint64(seed), number("MODEL_STEPS", usualSteps), met) })
	}
	if seeds < 20 || t.Failed() {
		return
	}
	for _, what := range []string{
		"propose ", "accept ", "accept no_offer", "accept offer_expired", "counter ", "retract ", "retract guard_failed", "confirm ", "decline ", "cancel ",
		"quote ", "held", "sold as booking", "sold as order", "expired from proposed", "expired from quoted", "propose slot_taken", "confirm proposed",
	} {
		if met[what] == 0 {
			t.Errorf("no life met %q: %v", what, met)
		}
	}
}

func negotiate(t *testing.T, seed uint64, steps int, met map[string]int) {
	b := &bargain{world: newWorld(t, seed), met: met}
	defer func() {
		if t.Failed() {
			t.Logf("play it again: MODEL_SEED=%d MODEL_STEPS=%d go test -run TestModelOffers ./scripts/model\n%s",
				seed, steps, strings.Join(b.trace[max(0, len(b.trace)-15):], "\n"))
		}
	}()
	b.open(seed)
	b.troubled = true
	b.troubles()
	for n := range steps {
		b.step()
		if (n+1)%checkEvery == 0 {
			b.recount()
		}
		if t.Failed() {
			return
		}
	}
	b.quiet()
}

// open sets the business up: holding is on in every second life, offers bind in
// two of three.
func (b *bargain) open(seed uint64) {
	week := inbox.Week{}
	for _, d := range inbox.Weekdays {
		week[d] = []inbox.Window{{"00:00", "24:00"}}
	}
	_, err := b.office.SetOpeningHours(b.ctx, business, inbox.SetHoursRequest{Weekly: week})
	b.must(err)
	_, err = b.office.UpdateSettings(b.ctx, business, inbox.UpdateSettingsRequest{Doc: json.RawMessage(fmt.Sprintf(
		`{"commerce":{"customers":"businesses"},"booking":{"holdOnPropose":%t},"negotiation":{"binding":%t,"offerValidHours":12}}`, seed%2 == 1, seed%3 > 0))})
	b.must(err)
	made, err := b.office.UpsertService(b.ctx, business, catalogue.UpsertServiceRequest{ServiceInput: catalogue.ServiceInput{
		Name: inbox.Ptr("Portrait"), DurationMin: inbox.Ptr(60), Capacity: inbox.Ptr(1 + int(seed%2)),
	}})
	b.must(err)
	b.service = answered(made).str("id")
	made, err = b.office.UpsertProduct(b.ctx, business, catalogue.UpsertProductRequest{ProductInput: catalogue.ProductInput{
		Name: inbox.Ptr("Print"), Price: &inbox.Money{Value: 2500, Currency: "EUR"},
	}})
	b.must(err)
	b.product = answered(made).str("id")
}

// hour is one of a few that many want.
func (b *bargain) hour() inbox.Instant {
	return (b.now/(6*inbox.Hour)+1+inbox.Instant(b.r.IntN(6)))*6*inbox.Hour + inbox.Instant(b.r.IntN(2))*inbox.Hour/2
}

func (b *bargain) step() {
	switch n := b.r.IntN(20); {
	case n < 4 || len(b.things) == 0:
		b.create()
	case n < 6:
		b.pass()
	default:
		b.act()
	}
}

func (b *bargain) create() {
	contact := &inbox.Contact{Name: "Ana", Email: fmt.Sprintf("customer-%d@example.com", b.r.IntN(4))}
	call := customer("")
	call.IdempotencyKey = fmt.Sprint("create-", len(b.trace))
	var a inbox.Answer
	var err error
	from := b.hour()
	switch b.r.IntN(5) {
	case 0:
		a, err = b.desk.CreateOrder(b.ctx, call, inbox.CreateOrderRequest{Contact: contact, Payload: inbox.Order{
			OrderedItem: []inbox.OrderLine{{ProductID: b.product, Name: "Print", Quantity: 2, Price: inbox.Money{Value: 2500, Currency: "EUR"}}},
			TotalPrice:  inbox.Money{Value: 5000, Currency: "EUR"},
		}})
	case 1:
		a, err = b.desk.RequestQuote(b.ctx, call, inbox.RequestQuoteRequest{Contact: contact, Payload: inbox.QuoteRequest{
			ItemOffered: inbox.ItemOffered{ServiceID: b.service, Name: "Portrait"}, Description: "The whole family.",
		}})
	default:
		a, err = b.desk.CreateBooking(b.ctx, call, inbox.CreateBookingRequest{Contact: contact, Payload: inbox.Booking{
			ReservationFor: inbox.ReservationFor{ServiceID: b.service, Name: "Portrait"}, StartTime: from, EndTime: from.Add(inbox.Hour),
		}})
	}
	b.trace = append(b.trace, fmt.Sprintf("%s create: %v", b.now, err))
	if code := b.refusal(err); code != "" {
		if code != inbox.CodeUnavailable {
			b.t.Errorf("create: %v", err)
		}
		return
	}
	i := &thing{id: answered(a).str("view", "item", "id"), token: answered(a).str("access_token")}
	b.things = append(b.things, i)
	b.inspect(i)
}

// refusal is the code of a problem; troubles may make any request unavailable,
// anything else is a mistake.
func (b *bargain) refusal(err error) inbox.Code {
	b.t.Helper()
	var p *inbox.Problem
	switch {
	case err == nil:
		return ""
	case !errors.As(err, &p), p.Code == inbox.CodeInternal, p.Code == inbox.CodeUnavailable && !b.troubled:
		b.t.Errorf("not a refusal: %v", err)
		return inbox.CodeInternal
	}
	return p.Code
}

// pass moves the clock, at times onto an offer's last millisecond or the one
// after, where its customer may answer before any sweep; at most times it sweeps.
func (b *bargain) pass() {
	to := b.now.Add(int64(1+b.r.IntN(240)) * inbox.Minute)
	i := b.any()
	if due := b.record(i.id).DueAt; due != nil && *due > b.now && *due < b.now.Add(inbox.Day) && b.r.IntN(2) == 0 {
		b.now = due.Add(int64(b.r.IntN(3) - 1))
		if b.r.IntN(2) == 0 {
			b.try("accept", i)
		}
	} else {
		b.now = to
	}
	if b.r.IntN(3) == 0 {
		return
	}
	b.sweep()
}

func (b *bargain) sweep() {
	was := map[string]inbox.State{}
	for _, i := range b.things {
		was[i.id] = b.record(i.id).Item.State
	}
	_, _ = b.worker.Sweep(b.ctx) // trouble: the next one does it
	b.trace = append(b.trace, fmt.Sprint(b.now, " sweep"))
	for _, i := range b.things {
		if is := b.record(i.id).Item.State; is == inbox.StateExpired && was[i.id] != is {
			b.met["expired from "+string(was[i.id])]++
		}
		b.inspect(i)
	}
}

func (b *bargain) any() *thing {
	return b.things[len(b.things)-1-min(b.r.IntN(len(b.things)), b.r.IntN(len(b.things)))]
}

// act is one act on an item, by the side that has it.
func (b *bargain) act() {
	i := b.any()
	verbs := []string{"propose", "accept", "accept", "accept", "counter", "counter", "retract", "confirm", "confirm", "decline", "cancel", "request_info", "details"}
	verb := verbs[b.r.IntN(len(verbs))]
	switch was := b.record(i.id); {
	case was.Item.Type == inbox.TypeQuote && (verb == "propose" || verb == "confirm"):
		verb = "quote"
	case verb == "confirm" && was.Item.Type == inbox.TypeOrder:
		verb = "propose"
	}
	b.try(verb, i)
}

// try is one act, and what must hold after it, be it refused or not.
func (b *bargain) try(verb string, i *thing) {
	was := b.record(i.id)
	code := b.refusal(b.do(verb, i, was))
	b.trace = append(b.trace, fmt.Sprintf("%s %s %s in %s: %s", b.now, verb, i.id, was.Item.State, code))
	b.met[verb+" "+string(code)]++
	if verb == "confirm" && code == "" && was.Item.State == inbox.StateProposed {
		b.met["confirm proposed"]++
	}
	is := b.record(i.id)
	if code != "" && is.Rev != was.Rev {
		b.t.Errorf("%s was refused with %s and wrote", verb, code)
	}
	if table := machine.Of(is.Item.Type); table.IsTerminal(was.Item.State) && !table.IsTerminal(is.Item.State) {
		b.t.Errorf("%s led from %s to %s", verb, was.Item.State, is.Item.State)
	}
	b.inspect(i)
}

func (b *bargain) do(verb string, i *thing, rec *inbox.Record) (err error) {
	mine := customer(i.token)
	switch verb {
	case "accept":
		var o inbox.AcceptOfferRequest
		o.ItemID = i.id
		if p := rec.Item.Payload.Offer(); p != nil {
			o.OfferID, o.TermsSHA = p.ID, b.offer(i.id, p.Rev).TermsSHA
		}
		_, err = b.desk.AcceptOffer(b.ctx, mine, o)
	case "counter":
		from, two := b.hour(), int64(1+b.r.IntN(3))
		terms := map[inbox.Type]inbox.Suggestion{
			inbox.TypeBooking: {StartTime: &from}, inbox.TypeQuote: {Quantity: &two},
			inbox.TypeOrder: {Lines: []inbox.SuggestLine{{Index: 0, Quantity: two}}},
		}[rec.Item.Type]
		_, err = b.desk.MakeOffer(b.ctx, mine, inbox.MakeOfferRequest{ItemID: i.id, Terms: terms})
	case "cancel":
		if rec.Item.Type == inbox.TypeQuote {
			_, err = b.desk.DeclineOffer(b.ctx, mine, inbox.DeclineOfferRequest{ItemID: i.id})
		} else {
			_, err = b.desk.CancelItem(b.ctx, mine, inbox.CancelItemRequest{ItemID: i.id})
		}
	case "details":
		_, err = b.desk.ProvideDetails(b.ctx, mine, inbox.ProvideDetailsRequest{ItemID: i.id, Details: "Outdoors."})
	default:
		_, err = b.desk.TransitionItem(b.ctx, business, inbox.TransitionRequest{ItemID: i.id, Event: verb, Input: b.input(verb, rec)})
	}
	return err
}

// input is what the business puts forward.
func (b *bargain) input(verb string, rec *inbox.Record) json.RawMessage {
	from := b.hour()
	var in any
	switch {
	case verb == "quote":
		q := inbox.QuoteInput{TotalPrice: inbox.Money{Value: 31000, Currency: "EUR"}, Creates: []string{"", "order", "booking"}[b.r.IntN(3)]}
		if q.Creates == "booking" {
			q.StartTime, q.EndTime = &from, inbox.Ptr(from.Add(inbox.Hour))
		}
		in = q
	case verb == "propose" && rec.Item.Type == inbox.TypeOrder:
		in = inbox.ProposeOrderInput{OrderedItem: []inbox.OrderLine{
			{ProductID: b.product, Name: "Print", Quantity: int64(1 + b.r.IntN(4)), Price: inbox.Money{Value: 2500, Currency: "EUR"}},
		}}
	case verb == "propose":
		in = inbox.ProposeTimeInput{StartTime: from, EndTime: from.Add(inbox.Hour)}
	case verb == "request_info":
		in = inbox.NoteInput{Note: "Where?"}
	default:
		return nil
	}
	raw, err := json.Marshal(in)
	b.must(err)
	return raw
}

func (b *bargain) offer(id string, rev int) inbox.Offer {
	offers, err := b.store.Offers(b.ctx, id)
	b.must(err)
	for _, o := range offers {
		if o.Rev == rev {
			return o
		}
	}
	b.t.Errorf("item %s has no offer %d", id, rev)
	return inbox.Offer{}
}

// inspect holds one item to what must hold whatever happened to it.
func (b *bargain) inspect(i *thing) {
	b.t.Helper()
	rec := b.record(i.id)
	if rec == nil {
		b.t.Fatalf("item %s is gone", i.id)
	}
	if rec.Rev == i.rev {
		return
	}
	i.rev = rec.Rev
	events, err := b.store.Events(b.ctx, i.id)
	b.must(err)
	for n, e := range events {
		if e.Seq != n+1 {
			b.t.Errorf("item %s: event %d stands at %d", i.id, e.Seq, n+1)
		}
	}
	if len(events) != rec.Item.Version {
		b.t.Errorf("item %s: %d events at version %d", i.id, len(events), rec.Item.Version)
	}
	b.ledger(rec)
	b.sold(rec)
	switch table := machine.Of(rec.Item.Type); {
	case i.final != "" && rec.Item.State != i.final && !rec.Corrected:
		b.t.Errorf("item %s: from %s to %s", i.id, i.final, rec.Item.State)
	case table.IsTerminal(rec.Item.State):
		i.final = rec.Item.State
	case rec.DueAt == nil && !(rec.Item.Type == inbox.TypeOrder && table.IsPromise(rec.Item.State)):
		b.t.Errorf("item %s: in %s without a deadline", i.id, rec.Item.State)
	}
}

// ledger: at most one offer is open, the pointer is to it, and places are held
// for it alone.
func (b *bargain) ledger(rec *inbox.Record) {
	b.t.Helper()
	offers, err := b.store.Offers(b.ctx, rec.Item.ID)
	b.must(err)
	var open []inbox.Offer
	for _, o := range offers {
		if o.Status == inbox.OfferOpen {
			open = append(open, o)
		}
	}
	p := rec.Item.Payload.Offer()
	switch {
	case len(open) > 1:
		b.t.Errorf("item %s: %d offers are open", rec.Item.ID, len(open))
	case len(open) == 1 && (p == nil || p.ID != open[0].ID || p.Status != inbox.OfferOpen):
		b.t.Errorf("item %s: offer %s is open, the pointer says %+v", rec.Item.ID, open[0].ID, p)
	case len(open) == 0 && p != nil && p.Status == inbox.OfferOpen:
		b.t.Errorf("item %s: the pointer says %+v is open", rec.Item.ID, p)
	case len(open) == 1 && open[0].By == inbox.SideBusiness && open[0].ValidThrough == nil:
		b.t.Errorf("item %s: an offer without a date", rec.Item.ID)
	}
	promised := rec.Item.Type == inbox.TypeBooking && slices.Contains([]inbox.State{inbox.StateConfirmed, inbox.StateCompleted, inbox.StateNoShow}, rec.Item.State)
	for _, c := range rec.Claims {
		switch {
		case c.Kind == inbox.ClaimHold && (len(open) == 0 || open[0].ID != c.OfferID || !open[0].Held()):
			b.t.Errorf("item %s: a hold for offer %s outlives it", rec.Item.ID, c.OfferID)
		case c.Kind == inbox.ClaimHold:
			b.met["held"]++
		case !promised:
			b.t.Errorf("item %s: in %s with a place", rec.Item.ID, rec.Item.State)
		}
	}
	if promised != (len(rec.Claims) == 1 && rec.Claims[0].Kind == inbox.ClaimBooking) {
		b.t.Errorf("item %s: in %s with places %+v", rec.Item.ID, rec.Item.State, rec.Claims)
	}
}

// sold: an accepted quote and what it became are there together.
func (b *bargain) sold(rec *inbox.Record) {
	b.t.Helper()
	if rec.Item.Type != inbox.TypeQuote {
		return
	}
	link := rec.Item.LinkedItemID
	if (rec.Item.State == inbox.StateAccepted) != (link != nil) {
		b.t.Errorf("quote %s is %s and became %v", rec.Item.ID, rec.Item.State, link)
	}
	if link == nil || slices.ContainsFunc(b.things, func(i *thing) bool { return i.id == *link }) {
		return
	}
	became := b.record(*link)
	if became == nil || became.Item.LinkedItemID == nil || *became.Item.LinkedItemID != rec.Item.ID {
		b.t.Errorf("quote %s became %s, which is %+v", rec.Item.ID, *link, became)
		return
	}
	b.met["sold as "+string(became.Item.Type)]++
	i := &thing{id: *link}
	b.things = append(b.things, i)
	b.inspect(i)
}

// recount checks the whole table in a calm moment.
func (b *bargain) recount() {
	b.t.Helper()
	b.calm()
	findings, err := b.store.Check(b.ctx)
	b.must(err)
	if len(findings) > 0 {
		b.t.Errorf("check: %s", strings.Join(findings, "\n"))
	}

	for _, i := range b.things {
		i.rev = 0
		b.inspect(i)
	}
	items, err := b.store.OpenJobs(b.ctx, 1000)
	b.must(err)
	for _, j := range items {
		if !slices.ContainsFunc(b.things, func(i *thing) bool { return i.id == j.ItemID }) {
			b.t.Errorf("a job of item %s, which nobody made", j.ItemID)
		}
	}
	if b.troubled {
		b.troubles()
	}
}

// quiet lets everything happen that is due; then nothing waits.
func (b *bargain) quiet() {
	b.t.Helper()
	b.troubled = false
	b.calm()
	for range 500 {
		b.sweep()
		next, err := b.store.NextDue(b.ctx)
		b.must(err)
		if next == nil || b.t.Failed() {
			break
		}
		b.now = max(b.now.Add(1), *next)
	}
	b.recount()
	for _, i := range b.things {
		rec := b.record(i.id)
		if table := machine.Of(rec.Item.Type); !table.IsTerminal(rec.Item.State) && !table.IsPromise(rec.Item.State) {
			b.t.Errorf("item %s stays in %s", i.id, rec.Item.State)
		}
	}
}

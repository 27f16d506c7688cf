package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"typedinbox/shared/catalogue"
	"typedinbox/shared/inbox"
)

// trade is a life of promises: bookings and orders that are paid, changed,
// withdrawn from, returned and refunded, with the troubles of [faultRates]. It
// knows what must hold after each answer, and of a withdrawal what the answer is.
type trade struct {
	*world
	service, product, engraved string
	terms                      tradeTerms
	deals                      []*deal
	refunds                    []*deal
	troubled                   bool
	trace                      []string
	met                        map[string]int
}

// tradeTerms are the settings of a life that the model reads.
type tradeTerms struct {
	customers              string // commerce.customers
	days, transit, payDays int
	refundDays, changes    int
	zone                   *time.Location
}

// deal is an item as the model last saw it.
type deal struct {
	id, token string
	rev       int
	events    int
	final     inbox.State
	confirmed inbox.Instant // when a booking was first confirmed, 0 for never
	stands    string        // the promise as it was agreed
	asked     *inbox.TimeChange
	total     int64 // the price, -1 for none
	paid      int64
	refs      map[string]bool
}

// TestModelPromises plays random lives of promises; MODEL_SEED plays one again.
func TestModelPromises(t *testing.T) {
	seeds, first := number("MODEL_SEEDS", usualSeeds)/8+1, 0
	if one := number("MODEL_SEED", -1); one >= 0 {
		first, seeds = one, 1
	}
	met := map[string]int{}
	for seed := first; seed < first+seeds; seed++ {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) { deals(t, uint64(seed), number("MODEL_STEPS", usualSteps), met) })
	}
	if seeds < 20 || t.Failed() {
		return
	}
	for _, what := range []string{
		"record_payment ", "record_payment invalid_input", "payment_failed ", "fulfil ", "record_delivery ", "lapse", "charge_back ", "record_charge_back ",
		"propose_change ", "their change ", "accept_change ", "their yes ", "decline_change ", "retract_change ", "expire_change", "change ended with its promise",
		"withdrew", "withdrew what was sent", "withdrew, no money", "a return instead", "passed on", "record_withdrawal ", "record_withdrawal guard_failed",
		"recorded as a withdrawal", "cancelled as a withdrawal", "cancel_by_business ", "refunded in full", "refunded part", "approve ", "reject ", "reject guard_failed", "goods_back ",
		"charged back, excused", "dispute_goods ", "record_settlement ", "refund ", "refund guard_failed", "refund invalid_input", "refund of nothing", "record_cancel of a refund",
		"drops a return ", "request_return ", "request_return guard_failed", "open_return ",
	} {
		if met[what] == 0 {
			t.Errorf("no life met %q: %v", what, met)
		}
	}
}

func deals(t *testing.T, seed uint64, steps int, met map[string]int) {
	d := &trade{world: newWorld(t, seed), met: met}
	defer func() {
		if t.Failed() {
			t.Logf("play it again: MODEL_SEED=%d MODEL_STEPS=%d go test -run TestModelPromises ./scripts/model\n%s",
				seed, steps, strings.Join(d.trace[max(0, len(d.trace)-20):], "\n"))
		}
	}()
	d.open(seed)
	d.troubled = true
	d.troubles()
	for n := range steps {
		d.step()
		if (n+1)%checkEvery == 0 {
			d.recount()
		}
		if t.Failed() {
			return
		}
	}
	d.quiet()
}

// open sets the business up: one in five sells to businesses alone, and periods
// and days differ.
func (d *trade) open(seed uint64) {
	d.terms = tradeTerms{
		customers: []string{"both", "both", "consumers", "both", "businesses"}[seed%5],
		days:      []int{14, 14, 30}[seed%3], transit: int(seed % 8), payDays: []int{14, 3}[seed%2],
		refundDays: []int{14, 7}[seed/2%2], changes: []int{3, 3, 1}[seed/3%3],
	}
	var err error
	d.terms.zone, err = time.LoadLocation("Europe/Lisbon")
	d.must(err)
	week := inbox.Week{}
	for _, day := range inbox.Weekdays {
		week[day] = []inbox.Window{{"00:00", "24:00"}}
	}
	_, err = d.office.SetOpeningHours(d.ctx, business, inbox.SetHoursRequest{Weekly: week})
	d.must(err)
	_, err = d.office.UpdateSettings(d.ctx, business, inbox.UpdateSettingsRequest{Doc: json.RawMessage(fmt.Sprintf(
		`{"business":{"timezone":"Europe/Lisbon"},"commerce":{"customers":%q},"orders":{"payDays":%d},
		"returns":{"days":%d,"assumedTransitDays":%d,"refundDays":%d},
		"booking":{"holdOnPropose":%t},"negotiation":{"binding":%t,"changes":{"maxPerItem":%d}}}`,
		d.terms.customers, d.terms.payDays, d.terms.days, d.terms.transit, d.terms.refundDays, seed%2 == 1, seed%3 > 0, d.terms.changes))})
	d.must(err)
	made, err := d.office.UpsertService(d.ctx, business, catalogue.UpsertServiceRequest{ServiceInput: catalogue.ServiceInput{
		Name: inbox.Ptr("Portrait"), DurationMin: inbox.Ptr(60), BufferAfterMin: inbox.Ptr(15), Capacity: inbox.Ptr(1 + int(seed%2)),
		Price: &inbox.ServicePrice{Model: "fixed", Value: inbox.Ptr(int64(4500)), Currency: "EUR", Per: "booking"},
	}})
	d.must(err)
	d.service = answered(made).str("id")
	d.product = d.sells("Print", 1850, inbox.WithdrawalStandard)
	d.engraved = d.sells("Engraved frame", 900, "personalised")
}

func (d *trade) sells(name string, cents int64, flag inbox.Withdrawal) string {
	made, err := d.office.UpsertProduct(d.ctx, business, catalogue.UpsertProductRequest{ProductInput: catalogue.ProductInput{
		Name: &name, Price: eur(cents), Withdrawal: &flag,
	}})
	d.must(err)
	return answered(made).str("id")
}

func eur(cents int64) *inbox.Money { return &inbox.Money{Value: cents, Currency: "EUR"} }

func (d *trade) step() {
	switch n := d.r.IntN(24); {
	case n < 3 || len(d.deals) == 0:
		d.create()
	case n < 6:
		d.pass()
	case n < 7:
		d.withdraw(d.anyDeal())
	case n < 13 && len(d.refunds) > 0:
		d.refund(d.aRefund())
	default:
		d.act(d.anyDeal())
	}
}

func (d *trade) anyDeal() *deal {
	return d.deals[len(d.deals)-1-min(d.r.IntN(len(d.deals)), d.r.IntN(len(d.deals)))]
}

// aRefund is one that goes on rather than one that is over.
func (d *trade) aRefund() (i *deal) {
	for range 4 {
		i = d.refunds[len(d.refunds)-1-min(d.r.IntN(len(d.refunds)), d.r.IntN(len(d.refunds)))]
		if i.final == "" {
			break
		}
	}
	return i
}

// create makes a booking or an order, as a customer who says yes to its terms,
// and mostly the business takes it at once.
func (d *trade) create() {
	contact := &inbox.Contact{Name: "Ana", Email: fmt.Sprintf("customer-%d@example.com", d.r.IntN(4))}
	var a inbox.Answer
	var err error
	yes := "confirm"
	if from := d.hour(); d.r.IntN(2) == 0 {
		req := inbox.CreateBookingRequest{Contact: contact, Payload: inbox.Booking{
			ReservationFor: inbox.ReservationFor{ServiceID: d.service, Name: "Portrait"}, StartTime: from, EndTime: from.Add(inbox.Hour),
		}}
		a, err = d.desk.CreateBooking(d.ctx, customer(""), req)
		if req.TermsSHA = termsAsked(err); req.TermsSHA != "" {
			a, err = d.desk.CreateBooking(d.ctx, customer(""), req)
		}
	} else {
		yes = "accept"
		req := inbox.CreateOrderRequest{Contact: contact, Payload: inbox.Order{OrderedItem: d.lines(), TotalPrice: *eur(1)}}
		a, err = d.desk.CreateOrder(d.ctx, customer(""), req)
		if req.TermsSHA = termsAsked(err); req.TermsSHA != "" {
			a, err = d.desk.CreateOrder(d.ctx, customer(""), req)
		}
	}
	d.trace = append(d.trace, fmt.Sprintf("%s create: %v", d.now, err))
	if code := d.refusal(err); code != "" {
		if code != inbox.CodeUnavailable {
			d.t.Errorf("create: %v", err)
		}
		return
	}
	i := &deal{id: answered(a).str("view", "item", "id"), token: answered(a).str("access_token"), refs: map[string]bool{}}
	d.deals = append(d.deals, i)
	d.inspect(i)
	if d.r.IntN(8) > 0 {
		d.fire(business, i, yes, nil)
	}
}

func termsAsked(err error) string {
	var p *inbox.Problem
	if !errors.As(err, &p) || p.Code != inbox.CodeConfirmTerms {
		return ""
	}
	sha, _ := p.Details["terms_sha"].(string)
	return sha
}

// hour is one of a few that many want, hours to weeks ahead.
func (d *trade) hour() inbox.Instant {
	return (d.now/(6*inbox.Hour)+1+inbox.Instant(d.r.IntN(90)))*6*inbox.Hour + inbox.Instant(d.r.IntN(2))*inbox.Hour/2
}

// lines are those of an order, one in six with something that is made for the
// customer alone.
func (d *trade) lines() []inbox.OrderLine {
	list := []inbox.OrderLine{{ProductID: d.product, Name: "Print", Quantity: int64(1 + d.r.IntN(3)), Price: *eur(1850)}}
	switch d.r.IntN(6) {
	case 0:
		list = append(list, inbox.OrderLine{ProductID: d.engraved, Name: "Engraved frame", Quantity: 1, Price: *eur(900)})
	case 1, 2:
		list = append(list, inbox.OrderLine{ProductID: d.product, Name: "Print", Quantity: 1, Price: *eur(1850)})
	}
	return list
}

// pass moves the clock, at times onto a deadline or the millisecond beside it,
// and sweeps at most of them.
func (d *trade) pass() {
	to := d.now.Add(int64(1+d.r.IntN(240)) * inbox.Minute)
	if d.r.IntN(3) == 0 {
		to = d.now.Add(int64(1+d.r.IntN(16)) * inbox.Day)
	}
	i := d.anyDeal()
	rec := d.record(i.id)
	at, until := rec.DueAt, false
	if right := d.right(i, rec, d.now); right.until != nil && d.r.IntN(4) > 0 {
		at, until = right.until, true
	}
	if at != nil && *at > d.now && *at < d.now.Add(40*inbox.Day) && d.r.IntN(2) == 0 {
		to = max(d.now, at.Add(int64(d.r.IntN(3)-1)))
	} else {
		until = false
	}
	d.now = to
	if until && d.r.IntN(2) == 0 {
		d.withdraw(i) // at the right's last moment, or beside it
		return
	}
	if d.r.IntN(4) > 0 {
		d.sweep()
	}
}

func (d *trade) sweep() {
	_, _ = d.worker.Sweep(d.ctx) // trouble: the next one does it
	d.trace = append(d.trace, fmt.Sprint(d.now, " sweep"))
	for _, i := range d.deals {
		d.inspect(i)
	}
}

// refusal is the code of a problem; troubles may make any request unavailable,
// anything else is a mistake.
func (d *trade) refusal(err error) inbox.Code {
	d.t.Helper()
	var p *inbox.Problem
	switch {
	case err == nil:
		return ""
	case !errors.As(err, &p), p.Code == inbox.CodeInternal, p.Code == inbox.CodeUnavailable && !d.troubled:
		d.t.Errorf("not a refusal: %v", err)
		return inbox.CodeInternal
	}
	return p.Code
}

// recount checks the whole table in a calm moment.
func (d *trade) recount() {
	d.t.Helper()
	d.calm()
	findings, err := d.store.Check(d.ctx)
	d.must(err)
	if len(findings) > 0 {
		d.t.Errorf("check: %s", strings.Join(findings, "\n"))
	}
	for _, i := range d.deals {
		i.rev = 0
		d.inspect(i)
	}
	if d.troubled {
		d.troubles()
	}
}

// quiet lets everything happen that is due; then no change, no request and no
// booking waits.
func (d *trade) quiet() {
	d.t.Helper()
	d.troubled = false
	d.calm()
	for range 500 {
		d.sweep()
		next, err := d.store.NextDue(d.ctx)
		d.must(err)
		if next == nil || d.t.Failed() {
			break
		}
		d.now = max(d.now.Add(1), *next)
	}
	d.recount()
	for _, i := range d.deals {
		rec := d.record(i.id)
		if rec.DueAt != nil || rec.Item.State == inbox.StateRequested || rec.Item.State == inbox.StateReceived || rec.Item.State == inbox.StateConfirmed {
			d.t.Errorf("item %s waits in %s for %s", i.id, rec.Item.State, rec.DueKind)
		}
	}
}

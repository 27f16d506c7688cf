package decide

import (
	"slices"

	"typedinbox/shared/calendar"
	"typedinbox/shared/inbox"
)

// lateYes is how a business's yes to what has lapsed becomes its own offer on the
// same terms (01 §3 step 5a, b). It covers only the gap before the sweep.
type lateYes struct {
	why     string                  // the answer's converted
	event   string                  // what is fired instead
	applies func(*move) bool        // the caller says yes to something that lapsed
	could   func(*move) bool        // the business could put that forward now
	terms   func(*move, string) any // the input of the event with the terms and the note; it names no price
}

// Why a yes was turned into an offer.
const (
	requestLapsed = "request_lapsed"
	changeLapsed  = "change_lapsed"
)

// lateYeses by the type of item.
var lateYeses = map[inbox.Type][]lateYes{
	inbox.TypeBooking: {
		{requestLapsed, "propose", (*move).isLateTake, (*move).couldProposeTime, func(m *move, note string) any {
			b := m.before.Booking
			return inbox.ProposeTimeInput{StartTime: b.StartTime, EndTime: b.EndTime, Note: note}
		}},
		{changeLapsed, "propose_change", (*move).isLateChange, (*move).couldChangeTime, func(m *move, note string) any {
			c := m.before.Booking.Change
			return inbox.ChangeTimeInput{StartTime: c.StartTime, EndTime: &c.EndTime, Note: note}
		}},
	},
	inbox.TypeOrder: {
		{requestLapsed, "propose", (*move).isLateTake, (*move).couldProposeOrder, (*move).requestedOrder},
		{changeLapsed, "propose_change", (*move).isLateChange, (*move).couldChangeOrder, func(m *move, note string) any {
			c := m.before.Order.Change
			return inbox.ChangeOrderInput{OrderedItem: c.OrderedItem, Delivery: c.Delivery, Note: note}
		}},
	},
}

// rewrite turns a late yes into an offer where the business could make it; else
// the yes is judged by its own guards (01 §13.3).
func (m *move) rewrite() *inbox.Problem {
	if m.c.IsCustomer() || m.c.Kind == inbox.System {
		return nil
	}
	for i := range lateYeses[m.rec.Item.Type] {
		late := &lateYeses[m.rec.Item.Type][i]
		if late.applies(m) && !m.table.Refuses(late.event, m.from) && late.could(m) {
			m.late, m.r.Event, m.converted = late, late.event, late.why
			return nil
		}
	}
	return nil
}

// isLateTake: a yes to a request whose clock has run out.
func (m *move) isLateTake() bool {
	yes := m.r.Event == "confirm" || m.r.Event == "accept"
	at := m.rec.RequestExpiresAt
	return yes && m.table.EntersRequestClock(m.from) && at != nil && *at <= m.e.Now
}

// isLateChange: a yes to a customer's change past its date.
func (m *move) isLateChange() bool {
	o := m.openChange()
	return m.r.Event == "accept_change" && o != nil && o.By == inbox.SideCustomer && isLapsed(o.ValidThrough, m.e.Now)
}

// couldProposeTime says whether the time asked for could be proposed now.
func (m *move) couldProposeTime() bool {
	b := m.before.Booking
	return m.couldOffer(b.StartTime, b.EndTime)
}

// couldOffer says whether a time could be put forward now: it is at least the
// notice away, fits one booking and is free.
func (m *move) couldOffer(start, end inbox.Instant) bool {
	past, inside := calendar.TooSoon(start, m.e.Now, m.f.Settings.Booking.MinNoticeMin)
	claim := claimOf(&m.rec, m.service(), start, end)
	return !past && !inside && end > start && calendar.Span(claim.From, claim.To) == nil && m.full(claim) == nil
}

// couldChangeTime says whether the business could ask for the customer's time
// now.
func (m *move) couldChangeTime() bool {
	c := m.before.Booking.Change
	return m.promiseAhead() == nil && m.couldOffer(c.StartTime, c.EndTime) && m.couldChange()
}

// couldChangeOrder says whether the business could ask for the customer's
// quantities and date now.
func (m *move) couldChangeOrder() bool {
	o := m.before.Order
	c := o.Change
	ahead := c.Delivery == nil || c.Delivery.When == nil || *c.Delivery.When > m.e.Now || sameDay(c.Delivery, o.Delivery)
	return ahead && m.totalFixed(c.TotalPrice) == nil && m.couldChange()
}

// couldChange says whether the promise may change once more, to the dates of the
// open change.
func (m *move) couldChange() bool { return m.changesLeft() == nil && m.amendmentsLive() == nil }

// readConverted reads the note that came with a late yes and puts the terms that
// it was said to with it.
func (m *move) readConverted() (input, []inbox.FieldProblem) {
	in, problems := m.readNote()
	in.value = m.late.terms(m, in.note)
	in.reasonCode = ""
	return in, problems
}

// requestedOrder is the input of propose with the request's own lines; prices
// that the customer merely stated are left behind.
func (m *move) requestedOrder(note string) any {
	o := m.before.Order
	lines := slices.Clone(o.OrderedItem)
	for i := range lines {
		lines[i].CustomerStatedPrice = nil
	}
	return inbox.ProposeOrderInput{OrderedItem: lines, Note: note}
}

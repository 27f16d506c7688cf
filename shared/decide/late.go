package decide

import (
	"typedinbox/shared/calendar"
	"typedinbox/shared/inbox"
)

// lateTake is how a business's yes to a request whose clock has run out becomes
// its own offer of the request's terms (01 §3 step 5a). It covers only the gap
// before the sweep.
type lateTake struct {
	could func(*move) bool        // the business could propose that now
	terms func(*move, string) any // the input of propose with the request's terms and the note; it names no price
}

var lateTakes = map[inbox.Type]lateTake{
	inbox.TypeBooking: {(*move).couldProposeTime, func(m *move, note string) any {
		b := m.before.Booking
		return inbox.ProposeTimeInput{StartTime: b.StartTime, EndTime: b.EndTime, Note: note}
	}},
	inbox.TypeOrder: {(*move).couldProposeOrder, (*move).requestedOrder},
}

const requestLapsed = "request_lapsed"

// rewrite turns a late yes into an offer where the business could make it; else
// the yes is judged by its own guards (01 §13.3).
func (m *move) rewrite() *inbox.Problem {
	late, ok := lateTakes[m.rec.Item.Type]
	if ok && m.isLateYes() && !m.table.Refuses("propose", m.from) && late.could(m) {
		m.r.Event, m.converted = "propose", requestLapsed
	}
	return nil
}

func (m *move) isLateYes() bool {
	yes := m.r.Event == "confirm" || m.r.Event == "accept"
	at := m.rec.RequestExpiresAt
	return yes && m.table.EntersRequestClock(m.from) && at != nil && *at <= m.e.Now &&
		!m.c.IsCustomer() && m.c.Kind != inbox.System
}

// couldProposeTime says whether the time asked for could be proposed now: it is
// at least the notice away, fits one booking and is free.
func (m *move) couldProposeTime() bool {
	b := m.before.Booking
	past, inside := calendar.TooSoon(b.StartTime, m.e.Now, m.f.Settings.Booking.MinNoticeMin)
	claim := claimOf(&m.rec, m.service(), b.StartTime, b.EndTime)
	return !past && !inside && b.EndTime > b.StartTime && calendar.Span(claim.From, claim.To) == nil && m.full(claim) == nil
}

// readConverted reads the note that came with a late yes and puts the request's
// own terms with it.
func (m *move) readConverted() (input, []inbox.FieldProblem) {
	in, problems := m.readNote()
	in.value = lateTakes[m.rec.Item.Type].terms(m, in.note)
	in.reasonCode = ""
	return in, problems
}

package decide

import (
	"typedinbox/shared/calendar"
	"typedinbox/shared/inbox"
	"typedinbox/shared/machine"
)

// Guards that code names.
const (
	withinCancellationWindow machine.Guard = "within_cancellation_window"
	askedWithinWindow        machine.Guard = "asked_within_window"
	priceCounters            machine.Guard = "price_counters"
	roundLeft                machine.Guard = "round_left"
)

// lateRefuse is the setting booking.lateCancellation under which a late
// cancellation is refused; under the other, record, it is taken as late.
const lateRefuse = "refuse"

// guards judge the conditions of 01 §6 by the names on the rows; nil means that
// the condition holds. Rows whose guard is missing here still refuse.
var guards = map[machine.Guard]func(*move) *inbox.Problem{
	"not_too_soon":                (*move).notTooSoon,
	"slot_available":              (*move).slotAvailable,
	"request_lapsed":              (*move).requestLapsed,
	"proposal_present":            (*move).proposalPresent,
	"has_quote":                   (*move).hasQuote,
	"quote_complete":              (*move).quoteComplete,
	"offer_open":                  (*move).offerOpen,
	"offer_lapsed":                (*move).offerLapsed,
	"offer_non_binding":           (*move).offerNonBinding,
	withinCancellationWindow:      (*move).withinWindow,
	"outside_cancellation_window": (*move).outsideWindow,
	askedWithinWindow:             (*move).askedWithin,
	"asked_outside_window":        (*move).askedOutside,
	"within_correction_window":    (*move).withinCorrection,
	"started":                     (*move).started,
	"completion_due":              (*move).completionDue,
	"promise_ahead":               (*move).promiseAhead,
	"change_open":                 (*move).changeOpen,
	"change_theirs":               (*move).changeTheirs,
	"change_mine":                 (*move).changeMine,
	"change_lapsed":               (*move).changeLapsed,
	"change_allowed":              (*move).changeAllowed,
	changesLeft:                   (*move).changesLeft,
	amendmentsLive:                (*move).amendmentsLive,
	"withdrawal_open":             (*move).withdrawalOpen,
	"no_open_return":              (*move).noOpenReturn,
	"not_withdrawal":              (*move).notWithdrawal,
	"goods_expected":              (*move).goodsExpected,
	"refund_amount":               (*move).refundAmount,
	"return_allowed":              (*move).returnAllowed,
	"payment_overdue":             (*move).paymentOverdue,
	"not_charged_back":            (*move).notChargedBack,
}

// notTooSoon: the time booked or offered is ahead, and at least the notice away;
// only a person at the business may take one inside it (01 §9).
func (m *move) notTooSoon() *inbox.Problem {
	if m.booked() == nil {
		return nil
	}
	return m.tooSoon(m.startJudged())
}

func (m *move) tooSoon(start inbox.Instant) *inbox.Problem {
	notice := m.f.Settings.Booking.MinNoticeMin
	past, inside := calendar.TooSoon(start, m.e.Now, notice)
	if !past && (!inside || m.row.Offer == machine.Take && m.c.IsPerson()) {
		return nil
	}
	why := "That time has passed."
	if inside {
		why = "That time is too soon: it lies inside the minimum notice."
	}
	return inbox.GuardFailed("not_too_soon", "%s Nothing was written.", why).
		With("startTime", start).With("minNoticeMin", notice)
}

// startJudged is the start of the time that the row offers, else books, as the
// input leaves it.
func (m *move) startJudged() inbox.Instant {
	b := m.booked().Item.Payload.Booking
	if !m.makes() {
		return b.StartTime
	}
	start, _ := timeBeside(b)
	return start
}

func (m *move) requestLapsed() *inbox.Problem {
	if at := m.rec.RequestExpiresAt; at != nil && *at <= m.e.Now {
		return nil
	}
	return inbox.GuardFailed("request_lapsed", "The request can still be answered.")
}

// windowOpen says whether a customer could cancel in time at an instant.
func (m *move) windowOpen(at inbox.Instant) bool { return windowOpen(m.before.Booking, m.f, at) }

func windowOpen(b *inbox.Booking, f *Facts, at inbox.Instant) bool {
	return int64(b.StartTime-at) >= int64(f.Settings.Booking.CancellationWindowMin)*inbox.Minute
}

func (m *move) recordsLate() bool { return m.f.Settings.Booking.LateCancellation != lateRefuse }

func (m *move) windowProblem(guard machine.Guard, detail string) *inbox.Problem {
	s := m.f.Settings.Booking
	return inbox.GuardFailed(string(guard), "%s", detail).
		With("cancellationWindowMin", s.CancellationWindowMin).With("lateCancellation", s.LateCancellation)
}

func (m *move) withinWindow() *inbox.Problem {
	if m.windowOpen(m.e.Now) {
		return nil
	}
	return m.windowProblem(withinCancellationWindow, "It is too late to cancel this booking.")
}

func (m *move) outsideWindow() *inbox.Problem {
	if !m.windowOpen(m.e.Now) && m.recordsLate() {
		return nil
	}
	return m.windowProblem("outside_cancellation_window", "This is no late cancellation.")
}

func (m *move) askedWithin() *inbox.Problem {
	if m.windowOpen(m.in.askedAt) || !m.recordsLate() {
		return nil
	}
	return m.windowProblem(askedWithinWindow, "The customer asked too late to cancel in time.")
}

func (m *move) askedOutside() *inbox.Problem {
	if !m.windowOpen(m.in.askedAt) && m.recordsLate() {
		return nil
	}
	return m.windowProblem("asked_outside_window", "The customer did not ask too late.")
}

func (m *move) withinCorrection() *inbox.Problem {
	if correctable(m.f) && m.e.Now <= completionAt(m.before.Booking, m.f) {
		return nil
	}
	return inbox.GuardFailed("within_correction_window", "This can be corrected once, and only for a while after the end.")
}

func correctable(f *Facts) bool { return !f.Record.Corrected }

// completionAt is the moment a booking completes by itself (01 §13.1).
func completionAt(b *inbox.Booking, f *Facts) inbox.Instant {
	return b.EndTime.Add(int64(f.Settings.Booking.AutoCompleteHours) * inbox.Hour)
}

func (m *move) started() *inbox.Problem {
	if m.before.Booking.StartTime <= m.e.Now {
		return nil
	}
	return inbox.GuardFailed("started", "The booking has not started yet.").With("startTime", m.before.Booking.StartTime)
}

// completionDue compares whole seconds (01 §13.1).
func (m *move) completionDue() *inbox.Problem {
	if seconds(completionAt(m.before.Booking, m.f)) <= seconds(m.e.Now) {
		return nil
	}
	return inbox.GuardFailed("completion_due", "The booking does not complete by itself yet.")
}

func seconds(i inbox.Instant) int64 { return int64(i) / inbox.Second }

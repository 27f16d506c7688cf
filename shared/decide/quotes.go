package decide

import (
	"strconv"

	"typedinbox/shared/calendar"
	"typedinbox/shared/catalogue"
	"typedinbox/shared/inbox"
	"typedinbox/shared/negotiation"
)

// What an accepted quote creates (01 §1.3).
const (
	createsBooking = "booking"
	createsOrder   = "order"
)

// validateQuote: a request that names a service names one that can be booked
// (03 §5.1).
func (b *birth) validateQuote() []inbox.FieldProblem {
	asked := b.r.Payload.Quote.ItemOffered.ServiceID
	if asked == "" || offers(b.f, asked) {
		return nil
	}
	return []inbox.FieldProblem{{Path: "payload.itemOffered.serviceId", Problem: inbox.Invalid, Message: "there is no such service"}}
}

// offers says whether a service is one of the business's that can be booked.
func offers(f *Facts, serviceID string) bool {
	return f.Service != nil && f.Service.Active && f.Service.ID == serviceID
}

// quoted is the quote request as it will stand, nil for other types.
func (m *move) quoted() *inbox.QuoteRequest { return m.rec.Item.Payload.Quote }

func (m *move) readQuote() (in input, problems []inbox.FieldProblem) {
	v, problems := decode[inbox.QuoteInput](m.r.Input)
	in.secret = mask(&v.Note)
	in.secret = mask(&v.Notes) || in.secret
	for i := range v.Lines {
		in.secret = mask(&v.Lines[i].Name) || in.secret
	}
	in.value, in.note = v, v.Note
	return in, problems
}

// applyQuote writes the quote, with the date until which it can be accepted and,
// when it creates a booking, the time it is for: its own, else the one asked for
// and the service's length (02 §1.10).
func (m *move) applyQuote() *inbox.Problem {
	v, r := m.in.value.(inbox.QuoteInput), m.quoted()
	q := inbox.Quote{
		TotalPrice: v.TotalPrice, ValidThrough: negotiation.DateValid(v.ValidThrough, m.e.Now, m.f.Settings, m.c.IsAutomation()),
		Lines: v.Lines, Notes: v.Notes, Creates: v.Creates, StartTime: v.StartTime, EndTime: v.EndTime,
	}
	if q.Lines == nil {
		q.Lines = []inbox.QuoteLine{}
	}
	if q.Creates == "" {
		q.Creates = createsOrder
	}
	if q.Creates == createsBooking {
		resolveTime(&q, r.RequestedFor, m.f.Service)
	}
	r.Quote = &q
	return nil
}

// resolveTime gives a quote that creates a booking the time it lacks.
func resolveTime(q *inbox.Quote, asked *inbox.Instant, s *inbox.Service) {
	if q.StartTime == nil {
		q.StartTime = asked
	}
	if q.EndTime == nil && q.StartTime != nil && s != nil {
		q.EndTime = inbox.Ptr(q.StartTime.Add(int64(s.DurationMin) * inbox.Minute))
	}
}

// quoteComplete: nothing of a quote is left open or does not add up (02 §1.10).
// Every fault is told with its field.
func (m *move) quoteComplete() *inbox.Problem {
	q := m.quoted().Quote
	problems := sums(q)
	if q.ValidThrough <= m.e.Now {
		problems = append(problems, badInput("validThrough", "must lie in the future"))
	}
	if q.Creates == createsBooking {
		problems = append(problems, m.bookable(q)...)
	}
	return inputProblem(problems)
}

// sums: the lines, if any, are in the total's currency and add up to it.
func sums(q *inbox.Quote) (problems []inbox.FieldProblem) {
	if len(q.Lines) == 0 {
		return nil
	}
	sum := inbox.Money{Currency: q.TotalPrice.Currency}
	for i, l := range q.Lines {
		at := "lines." + strconv.Itoa(i)
		if l.Price.Currency != sum.Currency {
			problems = append(problems, badInput(at+".price.currency", "must be "+sum.Currency+", as the total is"))
			continue
		}
		line, err := l.Price.Times(l.Quantity)
		if err == nil {
			sum, err = sum.Plus(line)
		}
		if err != nil {
			return append(problems, badInput(at+".quantity", err.Error()))
		}
	}
	if len(problems) == 0 && sum.Value != q.TotalPrice.Value {
		problems = append(problems, badInput("totalPrice", "the lines add up to "+strconv.FormatInt(sum.Value, 10)))
	}
	return problems
}

// bookable: a quote that creates a booking is for a service of the business's
// and for a time that could be proposed now.
func (m *move) bookable(q *inbox.Quote) (problems []inbox.FieldProblem) {
	asked := m.quoted().ItemOffered.ServiceID
	if asked == "" || !offers(m.f, asked) {
		problems = append(problems, badInput("creates", "the request names no service that can be booked"))
	}
	if q.StartTime == nil {
		return append(problems, inbox.FieldProblem{Path: "input.startTime", Problem: inbox.Missing, Message: "name the time, the request names none"})
	}
	if past, inside := calendar.TooSoon(*q.StartTime, m.e.Now, m.f.Settings.Booking.MinNoticeMin); past || inside {
		problems = append(problems, badInput("startTime", "must be at least the minimum notice away"))
	}
	switch {
	case q.EndTime == nil:
	case *q.EndTime <= *q.StartTime:
		problems = append(problems, badInput("endTime", "must be after startTime"))
	default:
		claim := claimOf(bookingOf(&m.rec), m.service(), *q.StartTime, *q.EndTime)
		if p := calendar.Span(claim.From, claim.To); p != nil {
			problems = append(problems, badInput("endTime", p.Message))
		}
	}
	return problems
}

func (m *move) readCounterQuote() (in input, problems []inbox.FieldProblem) {
	v, problems := decode[inbox.CounterQuoteInput](m.r.Input)
	if len(problems) == 0 && v.Quantity == nil && v.StartTime == nil {
		problems = []inbox.FieldProblem{{Path: "input.quantity", Problem: inbox.Missing, Message: "name quantity or startTime"}}
	}
	if v.StartTime != nil && *v.StartTime <= m.e.Now {
		problems = append(problems, badInput("startTime", "must lie in the future"))
	}
	in.secret = mask(&v.Note)
	in.value, in.note, in.reasonCode = v, v.Note, v.ReasonCode
	return in, problems
}

// applyCounterQuote asks for another quantity or time; the quote goes. A time
// inside the notice is refused where the quote would create a booking (09).
func (m *move) applyCounterQuote() *inbox.Problem {
	v, r := m.in.value.(inbox.CounterQuoteInput), m.quoted()
	if v.StartTime != nil && r.Quote != nil && r.Quote.Creates == createsBooking {
		if p := m.tooSoon(*v.StartTime); p != nil {
			return p
		}
	}
	if v.Quantity != nil {
		r.Quantity = v.Quantity
	}
	if v.StartTime != nil {
		r.RequestedFor = v.StartTime
	}
	r.Quote = nil
	return nil
}

// hasQuote: the business sent a quote.
func (m *move) hasQuote() *inbox.Problem {
	if q := m.before.Quote; q != nil && q.Quote != nil {
		return nil
	}
	return inbox.GuardFailed("has_quote", "The business has sent no quote.")
}

// quoteValid is until when the quote can be accepted, as it says itself.
func quoteValid(m *move) inbox.Instant { return m.quoted().Quote.ValidThrough }

// suggestedQuote: another quantity or another time, and nothing else (02 §11.3).
func suggestedQuote(_ *Facts, r inbox.MakeOfferRequest) (any, bool) {
	t := r.Terms
	in := inbox.CounterQuoteInput{Quantity: t.Quantity, StartTime: t.StartTime, Note: r.Note, ReasonCode: r.ReasonCode}
	t.Quantity, t.StartTime = nil, nil
	return in, isEmptySuggestion(t) && (in.Quantity != nil || in.StartTime != nil)
}

// booksTime says whether a quote is for a time.
func booksTime(q *inbox.Quote) bool {
	return q != nil && q.Creates == createsBooking && q.StartTime != nil && q.EndTime != nil
}

// bookingOf is a record whose booking stands for what a quote request would
// become, for the places it looks at.
func bookingOf(rec *inbox.Record) *inbox.Record {
	r := *rec
	r.Item.Payload = inbox.Payload{Booking: &inbox.Booking{
		ReservationFor: inbox.ReservationFor{ServiceID: rec.Item.Payload.Quote.ItemOffered.ServiceID},
	}}
	return &r
}

// orderOf are the lines of the order that a quote becomes: its own, without
// products, or one at the whole total, named after what was asked (02 §1.10).
func orderOf(r *inbox.QuoteRequest) []inbox.OrderLine {
	q := r.Quote
	if len(q.Lines) == 0 {
		name := r.ItemOffered.Name
		if r.Quantity != nil && *r.Quantity > 1 {
			name = catalogue.Cut(strconv.FormatInt(*r.Quantity, 10)+" × "+name, maxLineName)
		}
		return []inbox.OrderLine{{Name: name, Quantity: 1, Price: q.TotalPrice}}
	}
	lines := make([]inbox.OrderLine, len(q.Lines))
	for i, l := range q.Lines {
		lines[i] = inbox.OrderLine{Name: l.Name, Quantity: l.Quantity, Price: l.Price}
	}
	return lines
}

const maxLineName = 200 // characters of a line's name
